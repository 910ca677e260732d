/* cli_man.c - ria help --man: manual pages in roff, for man(1), of `ria` and of each of its
 * commands.
 *
 * All of it comes from the tables of the command line, of the solvers and of the topics, so that a
 * page cannot fall behind. */
#include "cli.h"
#include <ria/solver.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Text as it stands: what roff reads as a command, an escape or a typographic sign is written out.
 */
static void put(const char *text, size_t n) {
  static const struct sign {
    char c;
    const char *roff;
  } signs[] = {{'\\', "\\(rs"}, {'-', "\\-"},   {'\'', "\\(aq"},
               {'`', "\\(ga"},  {'^', "\\(ha"}, {'~', "\\(ti"}};
  for (size_t i = 0; i < n; i++) {
    const char *roff = NULL;
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
      if (signs[k].c == text[i]) roff = signs[k].roff;
    if (i == 0 && text[i] == '.') fputs("\\&", stdout);
    if (roff)
      fputs(roff, stdout);
    else
      putchar(text[i]);
  }
}

static void put_text(const char *text) { put(text, strlen(text)); }

/* A line of arguments: words in capitals are to be replaced, hence in italics; others are typed. */
static void put_arguments(const char *text) {
  while (*text) {
    const bool capital = isupper((unsigned char)*text);
    size_t n = 1;
    while (text[n] && capital == (isupper((unsigned char)text[n]) != 0)) n++;
    fputs(capital ? "\\fI" : "\\fB", stdout);
    put(text, n);
    text += n;
  }
  fputs("\\fR", stdout);
}

/* Paragraphs of help in lines as they are. */
static void put_lines(const char *text) {
  puts(".nf");
  while (*text) {
    const size_t n = strcspn(text, "\n");
    put(text, n);
    putchar('\n');
    text += n + (text[n] == '\n');
  }
  puts(".fi");
}

static void put_head(const char *name, const char *doc) {
  fputs(".TH ", stdout);
  for (const char *c = name; *c; c++) putchar(toupper((unsigned char)*c));
  printf(" 1 \"\" \"ria %s\" \"ria\"\n.SH NAME\n", ria_version());
  put_text(name);
  fputs(" \\- ", stdout);
  put_text(doc);
  puts("\n.SH SYNOPSIS");
}

static void put_item(const char *name, const char *doc) {
  fputs(".TP\n\\fB", stdout);
  put_text(name);
  puts("\\fR");
  put_text(doc);
  putchar('\n');
}

static void put_options(const char *command) {
  cli_option_info p;
  puts(".SH OPTIONS");
  for (size_t k = 0; cli_option_at(command, k, &p); k++) {
    puts(".TP");
    if (p.letter) {
      fputs("\\fB", stdout);
      put_text(p.letter);
      fputs("\\fR, ", stdout);
    }
    fputs("\\fB", stdout);
    put_text(p.name);
    fputs("\\fR", stdout);
    if (p.value) {
      putchar(' ');
      put_arguments(p.value);
    }
    putchar('\n');
    put_text(p.doc);
    putchar('\n');
  }
}

/* What help says beside the options; false when memory is out. */
static bool put_notes(const char *command) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&text, &size);
  if (!to) return false;
  cli_print_notes(to, command);
  const bool whole = fclose(to) == 0 && text;
  if (whole && *text) {
    puts(".SH NOTES");
    put_lines(text + strspn(text, "\n"));
  }
  free(text);
  return whole;
}

static void put_synopsis(const cli_command_info *c) {
  fputs("\\fBria ", stdout);
  put_text(c->name);
  fputs("\\fR ", stdout);
  put_arguments(c->arguments);
  putchar('\n');
}

/* Every page names all others. */
static void put_see_also(const char *but) {
  const cli_command_info *c;
  const char *comma = "";
  puts(".SH SEE ALSO");
  if (but) {
    fputs("\\fBria\\fR(1)", stdout);
    comma = ", ";
  }
  for (size_t k = 0; (c = cli_command_at(k)); k++) {
    if (but && strcmp(c->name, but) == 0) continue;
    printf("%s\\fBria\\-", comma);
    put_text(c->name);
    fputs("\\fR(1)", stdout);
    comma = ",\n";
  }
  putchar('\n');
}

static bool put_command(const cli_command_info *c) {
  char name[64];
  snprintf(name, sizeof name, "ria-%s", c->name);
  put_head(name, c->doc);
  put_synopsis(c);
  put_options(c->name);
  if (!put_notes(c->name)) return false;
  put_see_also(c->name);
  return true;
}

static void put_overview(void) {
  const cli_command_info *c;
  const char *topic, *doc;
  put_head("ria", "water that moves and what it carries");
  for (size_t k = 0; (c = cli_command_at(k)); k++) {
    if (k) puts(".br");
    put_synopsis(c);
  }
  puts(".SH DESCRIPTION\n"
       "Runs scenarios written in Lua: tides, rivers, floods, dam breaks and what the water\n"
       "carries, on the cores of this machine or on its GPUs.\n"
       ".SH COMMANDS");
  for (size_t k = 0; (c = cli_command_at(k)); k++) put_item(c->name, c->doc);
  puts(".SH SOLVERS\n\\fBria help \\fINAME\\fR has the parameters, fields and boundaries of each.");
  for (size_t k = 0; k < ria_solver_count(); k++)
    put_item(ria_solver_at(k)->name, ria_solver_at(k)->summary);
  puts(".SH TOPICS\n\\fBria help \\fINAME\\fR prints them.");
  for (size_t k = 0; (topic = cli_topic(k, &doc)); k++) put_item(topic, doc);
  puts(".SH LANGUAGE\n`ria help` lists the functions of scenarios, `ria help ria.frame` the keys "
       "of\n"
       "one with their units and ranges.");
  put_see_also(NULL);
}

int cli_man(const cli_options *o, const char *command) {
  const cli_command_info *c = NULL;
  if (!command) {
    put_overview();
    return EXIT_OK;
  }
  for (size_t k = 0; (c = cli_command_at(k)) && strcmp(c->name, command) != 0; k++) continue;
  if (!c) {
    cli_complain(o, "manual pages are of commands, as in `ria help --man run`: '%s' is none",
                 command);
    return EXIT_USAGE;
  }
  if (put_command(c)) return EXIT_OK;
  cli_complain(o, "out of memory: the page cannot be made");
  return EXIT_SCRIPT;
}
