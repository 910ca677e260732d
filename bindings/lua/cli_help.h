/* cli_help.h - what the pages of ria help share. */
#ifndef RIA_CLI_HELP_H
#define RIA_CLI_HELP_H
#include "check.h"
#include <ria/solver.h>

/* "number", "true | false", "{a, b}" ... */
const char *cli_type_text(const rl_key *key);
/* ", 0 .. 1 m"; nothing where there is neither a range nor a unit. */
void cli_print_range(double min, double max, bool above, const char *unit);
/* A key of a table: its name, what it means and takes. */
void cli_print_key(const rl_key *key);
/* The values of a kind of boundary, a line each. */
void cli_print_boundary_values(const ria_boundary_kind *b);
/* The default, the range and the unit; of a choice all it may be. */
void cli_print_default(const ria_param_info *p);

/* cli_words.c: every key, choice, parameter, kind of boundary and field of that name; all that
 * speaks of it. False: there is none. */
bool cli_print_word(const char *word);
bool cli_print_mentions(const char *word);
/* Names that help knows. */
enum { CLI_NAMES = 4096 };
typedef struct cli_names {
  const char *at[CLI_NAMES];
  size_t n;
} cli_names;
/* Those of cli_print_word, behind what is there. */
void cli_take_words(cli_names *names);
/* The word as it is written, "ria.frame" for RIA.Frame; NULL: there is none. */
const char *cli_spelt(const cli_names *names, const char *word);

/* cli_vocabulary.c: every word of scripts and of solvers, as docs/vocabulary.md has them. */
void cli_print_vocabulary(void);

#endif
