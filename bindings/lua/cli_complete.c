/* cli_complete.c - ria help --completion SHELL: a script for bash, zsh or fish that completes
 * commands, options and their values, solvers, topics, functions, and the parameters of a scenario.
 *
 * What may stand in a place is read off the tables that help prints: "SCRIPT" is a file in Lua,
 * "auto|cpu|cuda[:N]" is one of three words. Parameters are asked of the scenario, by `ria params`,
 * which runs it limited, no further than its ria.params, and here for two seconds at most. */
#include "binding.h"
#include "cli.h"
#include <ria/solver.h>

#include <ctype.h>
#include <string.h>

/* What completes a word. */
typedef enum kind {
  K_NOTHING,
  K_WORDS,
  K_FOLDERS,
  K_FILES,
  K_ENDING,
  K_TOPICS,
  K_SUBJECTS,
  K_SCENARIOS
} kind;

/* The letters and digits behind "FILE.", "*.lua" for a script. */
static void ending_of(const char *text, char out[16]) {
  const char *dot = strstr(text, "FILE.");
  size_t n = 0;
  if (!dot) {
    memcpy(out, "lua", 4);
    return;
  }
  for (const char *c = dot + 5; isalnum((unsigned char)*c) && n < 15; c++) out[n++] = *c;
  out[n] = '\0';
}

/* By the value of an option, or the arguments of a command, as help prints them. */
static kind kind_of(const char *text) {
  if (!text) return K_NOTHING;
  if (strcmp(text, "SCENARIO") == 0) return K_SCENARIOS;
  if (strstr(text, "TOPIC")) return K_TOPICS;
  if (strstr(text, "SUBJECT")) return K_SUBJECTS;
  if (strstr(text, "SCRIPT")) return strstr(text, "FILE") ? K_FILES : K_ENDING;
  if (strstr(text, "FILE.")) return K_ENDING;
  if (strstr(text, "FILE")) return K_FILES;
  if (strstr(text, "DIR")) return K_FOLDERS;
  return strchr(text, '|') && islower((unsigned char)*text) ? K_WORDS : K_NOTHING;
}

static bool takes_parameters(const cli_command_info *c) {
  return strstr(c->arguments, "NAME=VALUE") && strstr(c->arguments, "SCRIPT");
}

/* A second folder behind the first. */
static bool takes_two(const cli_command_info *c) { return strstr(c->arguments, "DIR [DIR]"); }

/* "auto cpu cuda" of "auto|cpu|cuda[:N]"; words in capitals stand for something else. */
static void put_choices(const char *value) {
  const char *blank = "";
  while (*value) {
    const size_t n = strcspn(value, "|"), word = strcspn(value, "|[");
    if (!isupper((unsigned char)*value)) {
      printf("%s%.*s", blank, (int)word, value);
      blank = " ";
    }
    value += n + (value[n] == '|');
  }
}

static void put_commands(void) {
  const cli_command_info *c;
  for (size_t k = 0; (c = cli_command_at(k)); k++) printf("%s%s", k ? " " : "", c->name);
}

/* All that `ria help NAME` knows. */
static void put_topics(void) {
  const char *topic, *doc;
  put_commands();
  for (size_t k = 0; k < ria_solver_count(); k++) printf(" %s", ria_solver_at(k)->name);
  for (size_t k = 0; (topic = cli_topic(k, &doc)); k++) printf(" %s", topic);
  for (const rl_function *f = rl_language(); f->name; f++) printf(" %s", f->name);
}

static void put_subjects(void) {
  const char *name, *summary;
  for (size_t k = 0; (name = ria_bench_subject(k, &summary)); k++) printf("%s ", name);
  fputs("accuracy scaling", stdout);
}

static void put_scenarios(void) {
  char **names;
  const size_t n = cli_scenarios(&names);
  for (size_t k = 0; k < n; k++) printf("%s%s", k ? " " : "", names[k]);
  cli_scenarios_free(names, n);
}

/* The words of kinds that have words. */
static void put_words(kind what, const char *text) {
  if (what == K_WORDS) put_choices(text);
  if (what == K_TOPICS) put_topics();
  if (what == K_SUBJECTS) put_subjects();
  if (what == K_SCENARIOS) put_scenarios();
}

static void put_head(const char *shell) {
  printf("# %s completion of ria %s: written by `ria help --completion %s`\n", shell, ria_version(),
         shell);
}

/* What prints "NAME=" of each parameter; `script` is set. The heading ends what a script prints. */
#define PARAMETERS                                                                                 \
  "params \"$script\" --limit time=2s 2>/dev/null </dev/null |\n"                                  \
  "    sed -n '/^  name  *default  *type/,$s/^  \\([A-Za-z_][A-Za-z0-9_]*\\) .*/\\1=/p' |\n"       \
  "    sed 1d"

/* --- bash ------------------------------------------------------------------------------------- */

/* One thing that a place of bash's takes: the statement that fills COMPREPLY. */
static void put_bash(kind what, const char *text) {
  char ending[16];
  switch (what) {
  case K_NOTHING:
    fputs(":", stdout);
    break;
  case K_TOPICS:
    fputs("_ria_words \"$topics\"", stdout);
    break;
  default:
    fputs("_ria_words \"", stdout);
    put_words(what, text);
    fputs("\"", stdout);
    break;
  case K_FOLDERS:
    fputs("_ria_files -d", stdout);
    break;
  case K_FILES:
    fputs("_ria_files -f", stdout);
    break;
  case K_ENDING:
    ending_of(text, ending);
    printf("_ria_files -f -X '!*.%s'", ending);
    break;
  }
}

static void put_bash_tables(void) {
  const cli_command_info *c;
  cli_option_info p;
  fputs("  local commands=\"", stdout);
  put_commands();
  fputs("\"\n  local topics=\"", stdout);
  put_topics();
  fputs("\"\n  local options='' with=' ' parameters='' two=''\n  case $command in\n", stdout);
  for (size_t k = 0; (c = cli_command_at(k)); k++) {
    printf("  %s)\n    options=\"", c->name);
    for (size_t i = 0; cli_option_at(c->name, i, &p); i++)
      printf("%s%s%s%s", i ? " " : "", p.name, p.letter ? " " : "", p.letter ? p.letter : "");
    fputs("\"\n    with=\" ", stdout); /* those that take a value */
    for (size_t i = 0; cli_option_at(c->name, i, &p); i++)
      if (p.value) printf("%s ", p.name);
    printf("\"\n%s%s    ;;\n", takes_parameters(c) ? "    parameters=yes\n" : "",
           takes_two(c) ? "    two=yes\n" : "");
  }
  fputs("  esac\n", stdout);
}

static void put_bash_values(void) {
  const cli_command_info *c;
  cli_option_info p;
  fputs("  case \"$command $prev\" in\n", stdout);
  for (size_t k = 0; (c = cli_command_at(k)); k++)
    for (size_t i = 0; cli_option_at(c->name, i, &p); i++) {
      if (!p.value) continue;
      printf("  '%s %s') ", c->name, p.name);
      put_bash(kind_of(p.value), p.value);
      fputs("; return ;;\n", stdout);
    }
  fputs("  esac\n", stdout);
}

static void put_bash_arguments(void) {
  const cli_command_info *c;
  fputs("  case $command in\n", stdout);
  for (size_t k = 0; (c = cli_command_at(k)); k++) {
    printf("  %s) ", c->name);
    put_bash(kind_of(c->arguments), c->arguments);
    fputs(" ;;\n", stdout);
  }
  fputs("  esac\n", stdout);
}

static void print_bash(void) {
  put_head("bash");
  fputs("_ria_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\"); }\n"
        "_ria_files() {\n"
        "  compopt -o filenames 2>/dev/null\n"
        "  mapfile -t COMPREPLY < <(compgen \"$@\" -- \"$cur\"; "
        "[[ $1 == -d ]] || compgen -d -- \"$cur\")\n"
        "}\n"
        "\n"
        "_ria() {\n"
        "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
        "  local command=${COMP_WORDS[1]} script='' word k\n",
        stdout);
  put_bash_tables();
  fputs("  COMPREPLY=()\n"
        "  if ((COMP_CWORD == 1)); then\n"
        "    _ria_words \"$commands --help --version\"\n"
        "    return\n"
        "  fi\n"
        "  # readline takes words apart at '=' and ':'\n"
        "  if [[ $cur == '=' ]]; then\n"
        "    cur=''\n"
        "  elif [[ $prev == '=' ]]; then\n"
        "    prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
        "  fi\n",
        stdout);
  put_bash_values();
  fputs("  if [[ $cur == -* ]]; then\n"
        "    _ria_words \"$options\"\n"
        "    return\n"
        "  fi\n"
        "  for ((k = 2; k < COMP_CWORD; k++)); do\n"
        "    word=${COMP_WORDS[k]}\n"
        "    if [[ $with == *\" $word \"* ]]; then\n"
        "      k=$((k + 1))\n"
        "      [[ ${COMP_WORDS[k]} != '=' ]] || k=$((k + 1))\n"
        "    elif [[ $word != -* ]]; then\n"
        "      script=${word/#\\~/$HOME}\n"
        "      break\n"
        "    fi\n"
        "  done\n"
        "  if [[ $command == help ]]; then\n"
        "    word=$(IFS=''; echo \"${COMP_WORDS[*]:2:COMP_CWORD-1}\") # sim:every in three words\n"
        "    if [[ $word == *:* ]]; then\n"
        "      cur=$word\n"
        "      _ria_words \"$topics\"\n"
        "      [[ $COMP_WORDBREAKS != *:* ]] || COMPREPLY=(\"${COMPREPLY[@]#*:}\")\n"
        "      return\n"
        "    fi\n"
        "  fi\n"
        "  if [[ $script && $parameters && ${COMP_WORDS[COMP_CWORD]} != '=' && "
        "${COMP_WORDS[COMP_CWORD - 1]} != '=' ]]; then\n"
        "    compopt -o nospace 2>/dev/null\n"
        "    _ria_words \"$(\"${COMP_WORDS[0]/#\\~/$HOME}\" " PARAMETERS ")\"\n"
        "    return\n"
        "  fi\n"
        "  [[ ! $script || $two ]] || return\n",
        stdout);
  put_bash_arguments();
  fputs("}\ncomplete -o default -F _ria ria\n", stdout);
}

/* --- zsh -------------------------------------------------------------------------------------- */

/* Text between quotes, where _arguments and _describe read brackets and colons. */
static void put_zsh_text(const char *text) {
  for (; *text; text++) {
    if (*text == '\'')
      fputs("'\\''", stdout);
    else
      printf(strchr("[]:\\", *text) ? "\\%c" : "%c", *text);
  }
}

static void put_zsh_action(kind what, const char *text) {
  char ending[16];
  switch (what) {
  case K_NOTHING:
    fputs(" ", stdout);
    break;
  case K_TOPICS:
    fputs("_ria_topics", stdout);
    break;
  default:
    fputs("(", stdout);
    put_words(what, text);
    fputs(")", stdout);
    break;
  case K_FOLDERS:
    fputs("_files -/", stdout);
    break;
  case K_FILES:
    fputs("_files", stdout);
    break;
  case K_ENDING:
    ending_of(text, ending);
    printf("_files -g \"*.%s(-.)\"", ending);
    break;
  }
}

static void put_zsh_option(const cli_option_info *p) {
  const char *names[] = {p->name, p->letter};
  for (int k = 0; k < 2 && names[k]; k++) {
    printf(" \\\n      '%s%s[", names[k], p->value ? k ? "" : "=" : "");
    put_zsh_text(p->doc);
    fputs("]", stdout);
    if (p->value) {
      fputs(":", stdout);
      put_zsh_text(p->value);
      fputs(":", stdout);
      put_zsh_action(kind_of(p->value), p->value);
    }
    fputs("'", stdout);
  }
}

static void print_zsh(void) {
  const cli_command_info *c;
  cli_option_info p;
  fputs("#compdef ria\n", stdout);
  put_head("zsh");
  fputs("_ria_parameters() {\n"
        "  local script=${(Q)line[1]} # the first word that is no option\n"
        "  script=${script/#\\~/$HOME}\n"
        "  [[ -n $script ]] || return 1\n"
        "  compadd -S '' -- $(\"${_ria_program/#\\~/$HOME}\" " PARAMETERS ")\n"
        "}\n"
        "\n"
        "_ria_topics() { compadd -- ",
        stdout);
  put_topics();
  fputs("; }\n"
        "\n"
        "_ria() {\n"
        "  local _ria_program=${(Q)words[1]}\n"
        "  local -a commands line\n"
        "  commands=(\n",
        stdout);
  for (size_t k = 0; (c = cli_command_at(k)); k++) {
    printf("    '%s:", c->name);
    put_zsh_text(c->doc);
    fputs("'\n", stdout);
  }
  fputs("  )\n"
        "  if ((CURRENT == 2)); then\n"
        "    _describe -t commands command commands\n"
        "    return\n"
        "  fi\n"
        "  shift words\n"
        "  ((CURRENT--))\n"
        "  case $words[1] in\n",
        stdout);
  for (size_t k = 0; (c = cli_command_at(k)); k++) {
    printf("  %s)\n    _arguments", c->name);
    for (size_t i = 0; cli_option_at(c->name, i, &p); i++) put_zsh_option(&p);
    fputs(" \\\n      '1:", stdout);
    put_zsh_text(c->arguments);
    fputs(":", stdout);
    put_zsh_action(kind_of(c->arguments), c->arguments);
    fputs("'", stdout);
    if (takes_two(c)) fputs(" \\\n      '2:DIR:_files -/'", stdout);
    if (takes_parameters(c)) fputs(" \\\n      '*:parameter:_ria_parameters'", stdout);
    fputs("\n    ;;\n", stdout);
  }
  /* sourced it registers itself; autoloaded by compinit it completes at once */
  fputs("  esac\n}\n\n"
        "if [[ $funcstack[1] == _ria ]]; then _ria \"$@\"; else compdef _ria ria; fi\n",
        stdout);
}

/* --- fish ------------------------------------------------------------------------------------- */

static void put_fish_text(const char *text) {
  fputs("'", stdout);
  for (; *text; text++) printf(strchr("'\\", *text) ? "\\%c" : "%c", *text);
  fputs("'", stdout);
}

/* The rest of a line of `complete`: what stands in the place. */
static void put_fish_action(kind what, const char *text) {
  char ending[16];
  switch (what) {
  case K_NOTHING:
    break;
  default:
    fputs(" -a '", stdout);
    put_words(what, text);
    fputs("'", stdout);
    break;
  case K_FOLDERS:
    fputs(" -a '(__fish_complete_directories)'", stdout);
    break;
  case K_FILES:
    fputs(" -F", stdout);
    break;
  case K_ENDING:
    ending_of(text, ending);
    printf(" -a '(__fish_complete_suffix .%s)'", ending);
    break;
  }
}

static void put_fish_option(const char *command, const cli_option_info *p) {
  printf("complete -c ria -n '__ria_in %s' -l %s", command, p->name + 2);
  if (p->letter) printf(" -s %s", p->letter + 1);
  if (p->value) {
    printf(" %s", kind_of(p->value) == K_FILES ? "-r" : "-x");
    put_fish_action(kind_of(p->value), p->value);
  }
  fputs(" -d ", stdout);
  put_fish_text(p->doc);
  putchar('\n');
}

/* __ria_first: of which command is the word its first argument? Words of options that take values
 * in a word of their own are no arguments. */
static void put_fish_functions(void) {
  const cli_command_info *c;
  cli_option_info p;
  fputs("function __ria_in\n"
        "  set -l words (commandline -opc)\n"
        "  test (count $words) -gt 1; and contains -- $words[2] $argv\n"
        "end\n"
        "function __ria_arguments\n"
        "  set -l with",
        stdout);
  for (size_t k = 0; (c = cli_command_at(k)); k++)
    for (size_t i = 0; cli_option_at(c->name, i, &p); i++)
      if (p.value) printf(" %s", p.name);
  fputs("\n"
        "  set -l skip no\n"
        "  for word in (commandline -opc)[3..-1]\n"
        "    if test $skip = yes\n"
        "      set skip no\n"
        "    else if contains -- $word $with\n"
        "      set skip yes\n"
        "    else if not string match -q -- '-*' $word\n"
        "      echo $word\n"
        "    end\n"
        "  end\n"
        "end\n"
        "function __ria_first\n"
        "  __ria_in $argv; and test (count (__ria_arguments)) = 0\n"
        "end\n"
        "function __ria_later\n"
        "  __ria_in $argv; and test (count (__ria_arguments)) -gt 0\n"
        "end\n"
        "function __ria_parameters\n"
        "  set -l program (string replace -r '^~' $HOME (commandline -opc)[1])\n"
        "  set -l script (string replace -r '^~' $HOME (__ria_arguments)[1])\n"
        "  $program " PARAMETERS "\n"
        "end\n",
        stdout);
}

static void print_fish(void) {
  const cli_command_info *c;
  cli_option_info p;
  put_head("fish");
  put_fish_functions();
  fputs("complete -c ria -f\n", stdout);
  for (size_t k = 0; (c = cli_command_at(k)); k++) {
    printf("complete -c ria -n __fish_use_subcommand -a %s -d ", c->name);
    put_fish_text(c->doc);
    putchar('\n');
  }
  for (size_t k = 0; (c = cli_command_at(k)); k++) {
    const kind first = kind_of(c->arguments);
    for (size_t i = 0; cli_option_at(c->name, i, &p); i++) put_fish_option(c->name, &p);
    if (first != K_NOTHING) {
      printf("complete -c ria -n '__ria_first %s'", c->name);
      put_fish_action(first, c->arguments);
      putchar('\n');
    }
    if (takes_two(c)) {
      printf("complete -c ria -n '__ria_later %s'", c->name);
      put_fish_action(first, c->arguments);
      putchar('\n');
    }
    if (takes_parameters(c))
      printf("complete -c ria -n '__ria_later %s' -a '(__ria_parameters)'\n", c->name);
  }
}

int cli_complete(const cli_options *o, const char *shell) {
  static const struct shell {
    const char *name;
    void (*print)(void);
  } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
  for (size_t k = 0; k < sizeof shells / sizeof *shells; k++) {
    if (strcmp(shells[k].name, shell) != 0) continue;
    shells[k].print();
    return EXIT_OK;
  }
  cli_complain(o, "--completion %s: one of bash, zsh, fish", shell);
  return EXIT_USAGE;
}
