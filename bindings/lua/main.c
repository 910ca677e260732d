/* main.c - the program `ria`: which command, and what it exits with. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* without: what to say when the command was given nothing to work on. */
static const struct {
  const char *name;
  int (*call)(const cli_options *o);
  const char *without;
} commands[] = {
    {"run", cli_run, "needs a script: ria run bay.lua"},
    {"check", cli_check, "needs a script: ria check bay.lua"},
    {"params", cli_params, "needs a script: ria params bay.lua"},
    {"info", cli_info, NULL},
    {"help", cli_help, NULL},
    {"bench", cli_bench, NULL},
    {"tide", cli_tide, "needs a record of levels: ria tide harbour.csv"},
    {"new", cli_new, "needs a name: ria new bay"},
    {"render", cli_render, "needs the results of a run: ria render out/bay"},
    {"video", cli_video, "needs the results of a run: ria video out/bay"},
    {"view", cli_view,
     "needs the directory of a run's results: ria view out/bay; of two: ria view out/bay "
     "out/flood"},
    {"export", cli_export, "needs the results of a run: ria export out/bay --to netcdf"},
};

static size_t command_of(const cli_options *o) {
  size_t k = 0;
  while (strcmp(o->command, commands[k].name) != 0) k++; /* cli_parse takes no other */
  return k;
}

/* Of no command. */
static const char version[] = "--version";

static int dispatch(const cli_options *o) {
  if (o->command == version) return printf("ria %s\n", ria_version()), EXIT_OK;
  if (!o->help) return commands[command_of(o)].call(o);
  cli_options topic = *o;
  topic.file = o->command;
  return cli_help(&topic);
}

static int need_file(const cli_options *o) {
  const char *without = commands[command_of(o)].without;
  if (o->help || o->file || !without) return EXIT_OK;
  cli_complain(o, "ria %s %s", o->command, without);
  return EXIT_USAGE;
}

/* Started by MPI, the first process alone does what needs one only. */
static int dispatch_rank(const cli_options *o) {
  bool idle = false;
  int code = cli_ranks_begin(o, &idle);
  if (code != EXIT_OK || idle) return code;
  code = dispatch(o);
  if (cli_comm()) fflush(stdout);
  if (code != EXIT_OK) cli_ranks_fail(code);
  cli_ranks_end();
  return code;
}

static int read_line(int argc, char **argv, cli_options *o) {
  if (argc > 1 && strcmp(argv[1], version) == 0) {
    *o = (cli_options){.command = version};
    return EXIT_OK;
  }
  if (argc > 1 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0)) argv[1] = "help";
  const int code = cli_parse(argc, argv, o);
  return code == EXIT_OK ? need_file(o) : code;
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
  int code = read_line(argc, argv, &o);
  if (code == EXIT_OK)
    code = dispatch_rank(&o);
  else
    cli_ranks_refused(&o, code);
  cli_forget(&o);
  return check_output(&o, code);
}
