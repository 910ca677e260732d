/* main.c - the program `ria`: which command, and what it exits with. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int dispatch(const cli_options *o) {
  if (o->help) {
    cli_options topic = *o;
    topic.file = o->command;
    return cli_help(&topic);
  }
  if (strcmp(o->command, "help") == 0) return cli_help(o);
  if (strcmp(o->command, "info") == 0) return cli_info(o);
  if (strcmp(o->command, "bench") == 0) return cli_bench(o);
  if (strcmp(o->command, "tide") == 0) return cli_tide(o);
  if (strcmp(o->command, "export") == 0) return cli_export(o);
  if (strcmp(o->command, "run") == 0) return cli_run(o);
  if (strcmp(o->command, "check") == 0) return cli_check(o);
  return cli_params(o);
}

static int need_file(const cli_options *o) {
  static const char *const with[] = {"run", "check", "params"};
  for (size_t k = 0; k < sizeof with / sizeof *with; k++)
    if (!o->help && !o->file && strcmp(o->command, with[k]) == 0) {
      cli_complain(o, "ria %s needs a script: ria %s bay.lua", o->command, o->command);
      return EXIT_USAGE;
    }
  if (!o->help && !o->file && strcmp(o->command, "tide") == 0) {
    cli_complain(o, "ria tide needs a record of levels: ria tide harbour.csv");
    return EXIT_USAGE;
  }
  if (!o->help && !o->file && strcmp(o->command, "export") == 0) {
    cli_complain(o, "ria export needs the results of a run: ria export out/bay --to netcdf");
    return EXIT_USAGE;
  }
  return EXIT_OK;
}

/* Started by MPI, the first process alone does what needs one only. */
static int dispatch_rank(const cli_options *o) {
  bool idle = false;
  int code = cli_ranks_begin(o, &idle);
  if (code != EXIT_OK || idle) return code;
  code = dispatch(o);
  fflush(stdout);
  cli_ranks_end();
  return code;
}

/* Output must have been written: a report that is lost is a failure. */
static int check_output(const cli_options *o, int code) {
  errno = 0;
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  if (cli_stopping == SIGPIPE) return 128 + SIGPIPE;
  if (code != EXIT_OK) return code;
  cli_complain(o, "standard output cannot be written%s%s", errno ? ": " : "",
               errno ? strerror(errno) : "");
  return EXIT_SCRIPT;
}

int main(int argc, char **argv) {
  cli_options o;
  cli_ranks_look();
  if (argc > 1 && strcmp(argv[1], "--version") == 0) {
    printf("ria %s\n", ria_version());
    return EXIT_OK;
  }
  if (argc > 1 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) argv[1] = "help";
  int code = cli_parse(argc, argv, &o);
  if (code == EXIT_OK) code = need_file(&o);
  if (code == EXIT_OK)
    code = dispatch_rank(&o);
  else
    cli_ranks_refused(&o, code);
  free((void *)o.overrides);
  return check_output(&o, code);
}
