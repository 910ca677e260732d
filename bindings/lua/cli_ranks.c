/* cli_ranks.c - the program as one of several ranks of MPI.
 *
 * All ranks run the script. Rank 0 speaks and writes for all: the others' standard output goes
 * nowhere, so does what the script writes by itself, and what they complain of rank 0 says.
 * Commands that run no script need one process alone; all ranks compare their command lines first.
 */
#include "cli.h"

#include <lauxlib.h>
#include <lualib.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static ria_comm *comm;
static bool silent;
static char complaint[512]; /* what this one said last */
static bool apart;          /* no other waits for this one any more */

ria_comm *cli_comm(void) { return comm; }
bool cli_speaks(void) { return !silent; }

bool cli_ranks_launched(void) {
  int rank, size;
  return ria_comm_launched(&rank, &size);
}

static bool needs_all(const cli_options *o) {
  if (o->help) return false;
  return strcmp(o->command, "run") == 0 || strcmp(o->command, "check") == 0 ||
         (strcmp(o->command, "info") == 0 && !o->file) ||
         (strcmp(o->command, "bench") == 0 && o->file && strcmp(o->file, "scaling") == 0);
}

/* print and io.write of the script. */
static void fall_silent(void) {
  silent = true;
  if (!freopen("/dev/null", "w", stdout)) fclose(stdout);
}

void cli_ranks_look(void) {
  int rank, size;
  if (ria_comm_launched(&rank, &size) && rank > 0) fall_silent();
}

void cli_ranks_keep(const char *fmt, va_list args) {
  vsnprintf(complaint, sizeof complaint, fmt, args);
}

/* What the script writes by itself is written once. */
static const char unheard[] =
    "local open, output, none = io.open, io.output, '/dev/null'\n"
    "function io.open(path, mode)\n"
    "  if type(mode) == 'string' and mode:find '[wa+]' then return open(none, mode) end\n"
    "  return open(path, mode)\n"
    "end\n"
    "function io.output(to)\n"
    "  if to == nil then return output() end\n"
    "  return output(type(to) == 'string' and none or to)\n"
    "end\n"
    "io.stderr = open(none, 'w')\n"
    "function os.remove() return true end\n"
    "function os.rename() return true end\n";

static void run_own(lua_State *L, const char *text, size_t size) {
  if (luaL_loadbufferx(L, text, size, "=ranks", "t") != LUA_OK) lua_error(L);
  lua_call(L, 0, 0);
}

void cli_ranks_open(lua_State *L) {
  if (!comm || comm->size == 1) return;
  if (silent) run_own(L, unheard, sizeof unheard - 1);
}

/* Everything is closed by then. A rank that failed and left first, or is gone, has the launcher end
 * the others: nobody is to be told then that something is awaited (cli_stop.c). */
int cli_ranks_leave(ria_context *ctx, int code) {
  if (comm && comm->size > 1) signal(SIGALRM, SIG_IGN);
  code = ria_context_leave(ctx, code);
  apart = true;
  return code;
}

void cli_ranks_end(void) {
  if (comm && comm->size > 1) signal(SIGALRM, SIG_IGN);
  if (comm) comm->destroy(comm);
  comm = NULL;
}

/* For those that are in a context, and make codes of their own of it. */
static ria_status status_of(int code) {
  switch (code) {
  case EXIT_OK:
    return RIA_OK;
  case EXIT_USAGE:
    return RIA_ERR_ARGUMENT;
  case EXIT_INPUT:
    return RIA_ERR_INPUT;
  case EXIT_DEVICE:
    return RIA_ERR_DEVICE;
  default:
    return RIA_ERR_CALLBACK;
  }
}

int cli_ranks_same_code(const char *at, int code, char *why, size_t size) {
  if (!comm || comm->size == 1) return code;
  const ria_status s = status_of(code);
  code = ria_comm_agree(comm, at, s, s == RIA_OK ? EXIT_USAGE : code, why, size);
  apart = code != EXIT_OK;
  return code;
}

void cli_ranks_fail(int code) {
  char why[sizeof complaint];
  if (!comm || apart) return;
  snprintf(why, sizeof why, "%s", complaint[0] ? complaint : "it ended before the others");
  cli_ranks_same_code("a command ended", code, why, sizeof why);
}

/* A launcher ends all when one does: rank 0 is to have told what it has by then. */
static void leave_time_to_rank_0(void) {
  if (silent) nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
}

/* While ranks are not joined rank 0 cannot speak for another. */
static void complain_alone(const cli_options *o, int rank, const char *why) {
  leave_time_to_rank_0();
  if (silent)
    fprintf(stderr, "ria: rank %d: %s\n", rank, why);
  else
    cli_complain(o, "%s", why);
}

/* A command for one process, in a shell script that each rank runs. It is not compared: MPI can
 * begin once, and may have done so for another command of that script. */
static bool is_apart(const cli_options *o) { return !needs_all(o) && ria_comm_within_rank(); }

/* --- joining ---------------------------------------------------------------------------------- */

static ria_status join(int rank, char *why, size_t size) {
  RIA_TRY(cli_await_begin(rank, why, size));
  const ria_status s = ria_comm_open(&comm, why, size);
  cli_await_end();
  return s;
}

/* --- command lines ---------------------------------------------------------------------------- */

/* What each rank can tell by itself. */
static int look_at_own(const cli_options *o, const char *line, char *why, size_t size) {
  if (!line) {
    snprintf(why, size, "out of memory");
    return EXIT_SCRIPT;
  }
  if (comm->size == 1 || !needs_all(o) || !o->file || strcmp(o->file, "-") != 0) return EXIT_OK;
  snprintf(why, size, "%d ranks cannot read one standard input: put the script into a file",
           comm->size);
  return EXIT_USAGE;
}

static int compare_lines(const cli_options *o) {
  char why[1024] = "", *line = cli_line(o);
  int code = look_at_own(o, line, why, sizeof why);
  code = cli_ranks_same_code(line ? line : "", code, why, sizeof why);
  free(line);
  if (code != EXIT_OK) cli_complain(o, "%s", why);
  if (code != EXIT_OK || !needs_all(o)) cli_ranks_end();
  return code;
}

/* All ranks compare their command lines before any of them does more, whatever the command: one
 * that needs all would wait for those that do something else. */
int cli_ranks_begin(const cli_options *o, bool *idle) {
  int rank, size;
  char why[1024] = "";
  if (!ria_comm_launched(&rank, &size)) return EXIT_OK;
  *idle = rank > 0 && !needs_all(o);
  if (is_apart(o)) return EXIT_OK;
  if (join(rank, why, sizeof why) == RIA_OK) return comm ? compare_lines(o) : EXIT_OK;
  complain_alone(o, rank, why);
  return EXIT_DEVICE;
}

/* Rank 0 has said its own complaint already. */
static bool refuse_with_all(int rank, int code) {
  char why[sizeof complaint];
  if (join(rank, why, sizeof why) != RIA_OK) return false;
  snprintf(why, sizeof why, "%s", complaint);
  cli_ranks_same_code("a command line was refused", code, why, sizeof why);
  cli_ranks_end();
  return true;
}

void cli_ranks_refused(const cli_options *o, int code) {
  int rank, size;
  if (!ria_comm_launched(&rank, &size)) return;
  if (!is_apart(o) && refuse_with_all(rank, code)) return;
  leave_time_to_rank_0();
}
