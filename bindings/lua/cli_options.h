/* cli_options.h - the table of options, for those that parse them. */
#ifndef RIA_CLI_OPTIONS_H
#define RIA_CLI_OPTIONS_H
#include "cli.h"

typedef enum cli_option_id {
  O_HELP,
  O_QUIET,
  O_VERBOSE,
  O_JSON,
  O_DEVICE,
  O_THREADS,
  O_PARTS,
  O_OUT,
  O_OVERWRITE,
  O_UNTIL,
  O_CONTINUE,
  O_CONTINUE_CHANGED,
  O_CHECKPOINT,
  O_SET,
  O_STUBS,
  O_VOCABULARY,
  O_MAN,
  O_LIMITED,
  O_TRUSTED,
  O_NO_FORECAST,
  O_LIMIT,
  O_ALLOW,
  O_OVERLAY,
  O_FLAG,
  O_OPEN,
  O_TEXT
} cli_option_id;

enum {
  C_RUN = 1,
  C_CHECK = 2,
  C_INFO = 4,
  C_PARAMS = 8,
  C_HELP = 16,
  C_BENCH = 32,
  C_TIDE = 64,
  C_NEW = 128,
  C_RENDER = 256,
  C_VIDEO = 512,
  C_VIEW = 1024,
  C_EXPORT = 2048,
  C_ALL = 4095
};
enum { C_STEPS = C_RUN | C_CHECK | C_BENCH };

typedef struct cli_option {
  cli_option_id id;
  const char *name, *letter, *value; /* value: what it takes, or NULL */
  int commands;                      /* C_... */
  const char *doc;
  size_t at; /* O_TEXT, O_FLAG: offset in cli_options */
} cli_option;

/* On a command line. */
typedef struct cli_given {
  const cli_option *option;
  const char *value; /* NULL: it takes none */
} cli_given;

/* C_... of a command by its name; 0: there is no such command. */
int cli_command_bit(const char *name);
/* The option that `word` is, as --name, --name=value or -n; *value = what follows '=' or NULL. */
const cli_option *cli_find_option(const char *word, int bit, const char **value);
/* Tell that a command has no such option, that there is no such command, and the nearest:
 * EXIT_USAGE. */
int cli_unknown_option(const cli_options *o, const char *word, int bit);
int cli_unknown_command(const cli_options *o, const char *word);

#endif
