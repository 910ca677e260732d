/* cli_parse.c - from the words of the command line to cli_options. */
#include "cli_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_complain(const cli_options *o, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  cli_ranks_keep(fmt, args);
  va_end(args);
  if (!cli_speaks()) return;
  fputs(o && o->color ? "\033[1mria:\033[0m " : "ria: ", stderr);
  va_start(args, fmt);
  vfprintf(stderr, fmt, args);
  va_end(args);
  fputc('\n', stderr);
}

int cli_exit_code(ria_status status) {
  switch (status) {
  case RIA_OK:
    return EXIT_OK;
  case RIA_ERR_INPUT:
    return EXIT_INPUT;
  case RIA_ERR_NUMERICAL:
    return EXIT_NUMERICAL;
  case RIA_ERR_DEVICE:
    return EXIT_DEVICE;
  case RIA_INTERRUPTED:
    return EXIT_INTERRUPTED;
  default:
    return EXIT_SCRIPT;
  }
}

/* --- values of options ------------------------------------------------------------------------ */

static bool is_override(const char *text) {
  const char *equals = strchr(text, '=');
  return text[0] != '-' && equals && equals > text && !memchr(text, '/', (size_t)(equals - text));
}

static int take_number(const cli_options *o, const char *option, const char *text, int *out) {
  char *end;
  long n = strtol(text, &end, 10);
  if (*end || end == text || n < 1 || n > 4096) {
    cli_complain(o, "%s %s: expected a whole number, 1 .. 4096", option, text);
    return EXIT_USAGE;
  }
  *out = (int)n;
  return EXIT_OK;
}

static bool is_bare_number(const char *text) {
  char *end;
  strtod(text, &end);
  return end != text && !*end;
}

static int take_time(const cli_options *o, const char *option, const char *text, double *out) {
  ria_context *ctx = NULL;
  if (is_bare_number(text)) {
    cli_complain(o, "%s %s: write the unit too, as in \"%s h\"", option, text, text);
    return EXIT_USAGE;
  }
  ria_status status = ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx);
  if (status == RIA_OK) status = ria_parse_quantity(ctx, text, RIA_DIM_TIME, out);
  bool good = status == RIA_OK && *out > 0.0;
  if (!good)
    cli_complain(o, "%s %s: %s", option, text, status ? ria_error(ctx) : "expected a time after 0");
  ria_context_destroy(&ctx);
  return good ? EXIT_OK : EXIT_USAGE;
}

/* Which time it is the start of each run tells. */
static int take_date(cli_options *o, const char *text) {
  ria_context *ctx = NULL;
  double t;
  ria_status status = ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx);
  if (status == RIA_OK) status = ria_parse_date(ctx, text, 0.0, &t);
  if (status != RIA_OK) cli_complain(o, "--until: %s", ria_error(ctx));
  ria_context_destroy(&ctx);
  o->until_date = text;
  return status == RIA_OK ? EXIT_OK : EXIT_USAGE;
}

/* The value of an option is not the next option: in `--out --overwrite` a directory is missing. */
static int refuse_option_as_value(const cli_options *o, const cli_option *p, const char *value,
                                  int bit) {
  const char *rest = NULL;
  if (value[0] != '-' || !(value[1] == '-' || cli_find_option(value, bit, &rest))) return EXIT_OK;
  cli_complain(o, "%s needs %s, and '%s' is an option: if it is meant, write %s=%s%s", p->name,
               p->value, value, p->name, p->id == O_OUT ? "./" : "", value);
  return EXIT_USAGE;
}

static int add_listed(const cli_options *o, const char *option, const char *value,
                      const char *list[CLI_LISTED], size_t *n) {
  if (*n == CLI_LISTED)
    return cli_complain(o, "%s is given more than %d times", option, CLI_LISTED), EXIT_USAGE;
  list[(*n)++] = value;
  return EXIT_OK;
}

static int apply_option(cli_options *o, const cli_option *p, const char *value,
                        const char **overrides) {
  switch (p->id) {
  case O_HELP:
    o->help = true;
    break;
  case O_QUIET:
    o->quiet = true;
    break;
  case O_VERBOSE:
    o->verbose = true;
    break;
  case O_JSON:
    o->json = true;
    break;
  case O_STUBS:
    o->stubs = true;
    break;
  case O_VOCABULARY:
    o->vocabulary = true;
    break;
  case O_MAN:
    o->man = true;
    break;
  case O_OVERWRITE:
    o->overwrite = true;
    break;
  case O_LIMITED:
    o->limited = true;
    break;
  case O_NO_FORECAST:
    o->no_forecast = true;
    break;
  case O_TRUSTED:
    o->trusted = true;
    break;
  case O_OPEN:
    o->open = true;
    break;
  case O_LIMIT:
    return add_listed(o, p->name, value, o->limits, &o->n_limits);
  case O_ALLOW:
    return add_listed(o, p->name, value, o->allow, &o->n_allow);
  case O_DEVICE:
    o->device = value;
    break;
  case O_OUT:
    o->out = value;
    break;
  case O_THREADS:
    return take_number(o, p->name, value, &o->threads);
  case O_PARTS:
    return take_number(o, p->name, value, &o->parts);
  case O_OVERLAY:
    return add_listed(o, p->name, value, o->overlay, &o->n_overlays);
  case O_FLAG:
    *(bool *)((char *)o + p->at) = true;
    break;
  case O_TEXT:
    *(const char **)((char *)o + p->at) = value;
    break;
  case O_UNTIL:
    return ria_is_date(value) ? take_date(o, value) : take_time(o, p->name, value, &o->until);
  case O_CHECKPOINT:
    return take_time(o, p->name, value, &o->checkpoint_every);
  case O_CONTINUE:
    if (o->resume == RIA_LUA_FRESH) o->resume = RIA_LUA_RESUME;
    break;
  case O_CONTINUE_CHANGED:
    o->resume = RIA_LUA_RESUME_CHANGED;
    break;
  case O_SET:
    if (!is_override(value)) {
      cli_complain(o, "--set %s: expected NAME=VALUE", value);
      return EXIT_USAGE;
    }
    overrides[o->n_overrides++] = value;
    break;
  }
  return EXIT_OK;
}

static int take_second(cli_options *o, const char *word) {
  if (!o->second) {
    o->second = word;
    return EXIT_OK;
  }
  cli_complain(o,
               "'%s' is one argument too many: ria view takes the results of one run, or of two to "
               "compare: ria view %s %s",
               word, o->file, o->second);
  return EXIT_USAGE;
}

static int take_word(cli_options *o, const char *word, int bit, const char **overrides) {
  bool takes = bit == C_BENCH || (o->file && bit & (C_RUN | C_CHECK | C_INFO));
  if (takes && is_override(word)) {
    overrides[o->n_overrides++] = word;
    return EXIT_OK;
  }
  if (o->tide.from && !o->tide.to) { /* --predict FROM TO */
    o->tide.to = word;
    return EXIT_OK;
  }
  if (o->file && bit == C_VIEW) return take_second(o, word);
  if (o->file) {
    cli_complain(o, "'%s' is one argument too many: `ria %s --help` shows what it takes", word,
                 o->command);
    return EXIT_USAGE;
  }
  o->file = word;
  return EXIT_OK;
}

static void look_at_terminal(cli_options *o) {
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  o->tty = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
  o->color = o->tty && !(no_color && *no_color);
}

/* Options that say opposite things. */
static int check_together(const cli_options *o) {
  if (o->allow_change && !o->view)
    return cli_complain(o, "--allow-change goes with --view"), EXIT_USAGE;
  if ((o->port || o->open || o->no_open) && !o->view && strcmp(o->command, "run") == 0)
    return cli_complain(o, "%s goes with --view",
                        o->port   ? "--port"
                        : o->open ? "--open"
                                  : "--no-open"),
           EXIT_USAGE;
  if (o->open && o->no_open) return cli_complain(o, "--open goes without --no-open"), EXIT_USAGE;
  if (o->allow_change && (o->resume != RIA_LUA_FRESH || o->changes))
    return cli_complain(o, "--allow-change goes without --continue and --changes"), EXIT_USAGE;
  if (o->allow_change && cli_ranks_launched())
    return cli_complain(o, "--allow-change is for a run in one process"), EXIT_USAGE;
  if (o->resume == RIA_LUA_FRESH || !o->overwrite) return EXIT_OK;
  cli_complain(o, "--continue goes on with the results that are there, and --overwrite removes "
                  "them: give one of the two");
  return EXIT_USAGE;
}

int cli_parse(int argc, char **argv, cli_options *o) {
  *o = (cli_options){.command = argc > 1 ? argv[1] : "help", .argv = argv, .argc = argc};
  look_at_terminal(o);
  const char **overrides = calloc((size_t)argc + 1, sizeof *overrides);
  o->overrides = overrides;
  o->given = calloc((size_t)argc + 1, sizeof *o->given);
  if (!overrides || !o->given) return cli_complain(o, "out of memory"), EXIT_SCRIPT;
  int bit = cli_command_bit(o->command);
  if (!bit) return cli_unknown_command(o, o->command);
  if (!(bit & C_STEPS)) o->device = "cpu"; /* a GPU need not wake up for these */
  for (int k = 2; k < argc; k++) {
    const char *value = NULL;
    int code = EXIT_OK;
    if (argv[k][0] != '-' || !argv[k][1]) {
      code = take_word(o, argv[k], bit, overrides);
    } else {
      const cli_option *p = cli_find_option(argv[k], bit, &value);
      if (!p) return cli_unknown_option(o, argv[k], bit);
      if (p->value && !value && k + 1 < argc) {
        value = argv[++k];
        code = refuse_option_as_value(o, p, value, bit);
        if (code != EXIT_OK) return code;
      }
      if (p->value && !value) return cli_complain(o, "%s needs %s", p->name, p->value), EXIT_USAGE;
      if (!p->value && value) return cli_complain(o, "%s takes no value", p->name), EXIT_USAGE;
      o->given[o->n_given++] = (cli_given){p, value};
      code = apply_option(o, p, value, overrides);
    }
    if (code != EXIT_OK) return code;
  }
  const int code = check_together(o);
  return code == EXIT_OK ? cli_limit_check(o) : code;
}

void cli_forget(cli_options *o) {
  free((void *)o->overrides);
  free(o->given);
}
