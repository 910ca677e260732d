/* cli_script.h - a script that the program runs: for cli_run.c (the commands that run one) and
 * cli_script.c (how it is run). */
#ifndef RIA_CLI_SCRIPT_H
#define RIA_CLI_SCRIPT_H
#include "cli.h"

typedef struct cli_host {
  cli_progress progress; /* first: the binding's callbacks get its address */
  const cli_options *o;
  ria_lua_mode mode;
  ria_context *ctx;
  cli_live *live; /* the page that is served meanwhile; NULL: none */
  lua_State *L;
  cli_limits limits;
  bool limited;
  const char *below; /* a limited script writes there; NULL: in `out` */
  const char *out;   /* where results go; NULL = as the script says */
  char *provenance;  /* JSON */
  char *text;        /* of the script */
  cli_json json;     /* --json: what is told of each simulation */
  cli_json log;      /* and, of a check, the lines that it prints, */
  cli_json forecast; /* and what its runs will take */
  int (*describe)(const cli_options *o, ria_sim *sim); /* in check mode; NULL = nothing */
  int described;                                       /* the code of exit that it gave */
  char *error;            /* what was said on stderr, for --json; NULL */
  bool told;              /* an error was reported, even if memory was out */
  bool unreadable;        /* the script's file */
  bool failed, no_memory; /* the script ended by an error; Lua had no memory */
  size_t refused;         /* bytes that Lua last asked for and did not get */
  int code;               /* of the exit */
  int (*after)(lua_State *L,
               const struct cli_host *h); /* while the state is open; NULL = nothing */
} cli_host;

/* Of the context: a line of its log; user: the host. */
void cli_script_log(void *user, const char *line);
/* Run the script in a Lua state of its own; then, while that is open, h->after. The code of exit,
 * of all ranks. */
int cli_script_run(cli_host *h);

#endif
