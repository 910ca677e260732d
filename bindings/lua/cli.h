/* cli.h - what the files of the `ria` program share. */
#ifndef RIA_CLI_H
#define RIA_CLI_H
#include "ria_lua.h"
#include <pthread.h>
#include <ria/comm.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>

/* Exit codes. */
enum {
  EXIT_OK = 0,
  EXIT_SCRIPT = 1,    /* the script or the run */
  EXIT_USAGE = 2,     /* the command line */
  EXIT_INPUT = 3,     /* an input file */
  EXIT_NUMERICAL = 4, /* NaN, or a time step below its minimum */
  EXIT_DEVICE = 5,    /* no such device */
  EXIT_LIMIT = 20,    /* and the ria_limit: 21 a file, 22 instructions, ... 27 output */
  EXIT_INTERRUPTED = 130
  /* a signal: 128 and its number, as shells have it */
};

/* Of ria tide, as given; NULL: left out. */
typedef struct cli_tide_options {
  const char *column, *constituents, *rayleigh, *nodal, *zone, *start, *unit, *missing, *skip;
  const char *csv, *lua, *picture;
  const char *from, *to, *every; /* of --predict */
} cli_tide_options;

/* Of ria render, as given; NULL: left out. */
typedef struct cli_render_options {
  const char *time, *times, *map, *range, *scale, *box, *dpi;
  const char *minus, *title, *contours, *threshold, *thinnest, *graticule, *crs;
  const char *traces, *traces_from, *traces_over, *ground;
  bool plain, arrows, hillshade;
} cli_render_options;
/* Of ria export, as given; NULL: left out. */
typedef struct cli_export_options {
  const char *to, *field, *time, *store, *at, *line;
} cli_export_options;

enum { CLI_LISTED = 32 }; /* options that may be given several times: at most */

typedef struct cli_options {
  const char *command;
  const char *file;             /* the script, or the topic of help */
  const char *second;           /* of ria view: the run to compare with; NULL: none */
  const char *const *overrides; /* "name=value" */
  size_t n_overrides;
  struct cli_given *given; /* the options, in order: cli_line.c */
  size_t n_given;
  char *const *argv; /* as given, for run.json */
  int argc;
  bool help, quiet, verbose, json, overwrite, stubs, vocabulary, man;
  const char *completion; /* of which shell */
  const char *like;       /* which scenario; NULL: the first */
  ria_lua_resume resume;
  double checkpoint_every; /* wall s; 0 = as the script says */
  const char *device, *out, *picture;
  int threads, parts;
  double until;           /* s; 0 = as the script says */
  const char *until_date; /* or a date */
  bool limited, trusted, no_forecast;
  const char *allow[CLI_LISTED], *limits[CLI_LISTED]; /* directories; "memory=2G,time=10m" */
  size_t n_allow, n_limits;
  cli_tide_options tide;
  const char *field, *size, *fps, *film_title; /* of ria render, ria video */
  cli_render_options render;
  const char *overlay[CLI_LISTED];
  size_t n_overlays;
  const char *port; /* of ria view, ria run --view */
  bool open, no_open, view, allow_change;
  const char *changes; /* a log to repeat */
  cli_export_options export;
  bool color; /* stderr takes colours */
  bool tty;   /* stderr is a terminal that can redraw a line */
} cli_options;

/* cli_parse.c: fill *out, for cli_forget. EXIT_OK, or EXIT_USAGE with the reason on stderr. */
int cli_parse(int argc, char **argv, cli_options *out);
void cli_forget(cli_options *o);
/* cli_line.c: the command line in one form, the same for all that ask for the same on every rank;
 * the caller frees it. NULL when memory is out. */
char *cli_line(const cli_options *o);
int cli_exit_code(ria_status status);
/* "ria: message" on stderr. */
void cli_complain(const cli_options *o, const char *fmt, ...) RIA_PRINTF(2, 3);
/* cli_options.c: print the options of a command. */
void cli_print_options(FILE *to, const char *command);
/* The k-th option of a command; false past the last. */
typedef struct cli_option_info {
  const char *name, *letter, *value, *doc; /* letter, value: NULL where there is none */
} cli_option_info;
bool cli_option_at(const char *command, size_t k, cli_option_info *out);

/* cli_await.c: from here on this rank waits for all others, until cli_await_end; after 10 s it says
 * for whom. $RIA_MPI_WAIT ends the process. RIA_ERR_ARGUMENT: that is no time, as `why` says. */
ria_status cli_await_begin(int rank, char *why, size_t size);
void cli_await_end(void);

/* cli_ranks.c: ranks of MPI. */
/* Before all: where a launcher started several processes all but the first fall silent. */
void cli_ranks_look(void);
/* The command line is wrong: ranks meet as in cli_ranks_begin, and rank 0 tells for another. Where
 * they cannot, rank 0 tells its own: a launcher ends all when one does, so the rest leave it the
 * time. */
void cli_ranks_refused(const cli_options *o, int code);
/* A complaint that this rank does not tell itself. */
void cli_ranks_keep(const char *fmt, va_list args);
/* Before a command: where a launcher started several processes they compare their command lines.
 * Of a command for one process all but the first have nothing to do then (*idle). EXIT_OK, or the
 * reason was printed. */
int cli_ranks_begin(const cli_options *o, bool *idle);
void cli_ranks_end(void);
void cli_ranks_open(lua_State *L); /* what a script finds otherwise then; may raise */
ria_comm *cli_comm(void);          /* NULL: this process is alone */
bool cli_speaks(void);             /* all ranks but 0 are silent */
bool cli_ranks_launched(void);     /* is this process one of several? */
/* A command line was taken, or a context made, by each rank, or by none: the first code that is not
 * 0, and in `why` its reason, with its rank. at: for messages, as of ria_comm_agree. */
int cli_ranks_same_code(const char *at, int code, char *why, size_t size);
/* A command ends with this code: where the others may still wait for this rank they are told, with
 * what it complained of last. */
void cli_ranks_fail(int code);
/* All leave what they did together: ria_context_leave. */
int cli_ranks_leave(ria_context *ctx, int code);

/* cli_run.c */
int cli_run(const cli_options *o);
int cli_check(const cli_options *o);
int cli_params(const cli_options *o);
/* As check, with something said of each simulation; describe gives a code of exit. */
int cli_check_with(const cli_options *o, int (*describe)(const cli_options *o, ria_sim *sim));
/* cli_picture.c: what --picture of info asks for; a code of exit. */
int cli_draw_raster(const cli_options *o, ria_context *ctx, const ria_raster *r, const char *label);
int cli_draw_bed(const cli_options *o, ria_sim *sim);
/* The context that the options ask for, on all ranks or on none: EXIT_OK, or the reason was
 * printed. */
int cli_make_context(const cli_options *o, ria_log_fn log, void *user, ria_context **out);

/* cli_limit.c: scripts of others. */
typedef struct cli_limits {
  ria_lua_limits lua;
  const char **read;
  char folder[4096], modules[8192];
  pthread_t thread; /* that watches the time */
  bool watched;
} cli_limits;
/* Does the command run its script limited? */
bool cli_is_limited(const cli_options *o);
/* Is what the options say of limits right? EXIT_OK, or EXIT_USAGE with the reason on stderr. */
int cli_limit_check(const cli_options *o);
/* From here on the process is bounded. out: where it may write. EXIT_OK, or the reason was told. */
int cli_limit_start(cli_limits *l, const cli_options *o, const char *out, const ria_context *ctx);
/* out/<script>, which a limited script cannot choose, in out[size]. */
const char *cli_limit_out(const char *file, char *out, size_t size);
void cli_limit_end(cli_limits *l); /* after the context */
/* What a script exits with. */
int cli_limit_code(const ria_context *ctx, bool limited, ria_status status);

/* cli_stop.c: ending a script before its end. */
extern ria_sim *volatile cli_running_sim; /* the simulation that runs, or NULL */
extern volatile sig_atomic_t
    cli_stopping;                 /* a signal, or -1 after os.exit; 0 = the script goes on */
void cli_stop_open(lua_State *L); /* os.exit and coroutines of the state; may raise */
/* Signals end the script that runs in this state, and long work in the context. */
void cli_stop_watch(lua_State *L, ria_context *ctx);
bool cli_stop_end(lua_State *L, int *code); /* it has ended: by a signal or os.exit, with a code? */

/* cli_modules.c: where `require` looks; may raise. */
void cli_open_modules(lua_State *L, const char *script);
/* Where the engine's modules are, as package.path has it. */
void cli_own_path(char *path, size_t size);
/* Where the scenarios are that come with the program. */
void cli_own_scenarios(char *path, size_t size);
/* Where ria/<name>.lua of the engine is. */
void cli_own_script(const char *name, char *path, size_t size);

/* cli_scratch.c: a directory for results that nobody wants. */
typedef struct cli_scratch {
  char path[4096];
  int lock;
} cli_scratch;
bool cli_scratch_make(const cli_options *o, cli_scratch *out); /* false: the error was printed */
void cli_scratch_remove(cli_scratch *s);

/* cli_progress.c */
typedef struct cli_progress {
  const cli_options *options;
  bool shown;  /* a line is on the terminal that must be wiped first */
  double told; /* monotonic s: when a line was last printed; 0 = never */
} cli_progress;
ria_status cli_show_progress(ria_sim *sim, const ria_progress_info *info, void *user);
void cli_show_first_frame(const char *path, void *user);
void cli_wipe_progress(cli_progress *p);

/* cli_provenance.c: a JSON object that says what was run; the caller frees it. NULL when memory is
 * out. */
char *cli_provenance(const cli_options *o);
/* The script's text, for the page of its run; the caller frees it. NULL where it cannot be shown.
 */
char *cli_script_text(const cli_options *o);
/* cli_help.c, cli_stubs.c, cli_info.c, cli_bench.c, cli_scaling.c, cli_tide.c, cli_export.c */
int cli_help(const cli_options *o);
int cli_info(const cli_options *o);
int cli_bench(const cli_options *o);
int cli_scaling(const cli_options *o);
int cli_tide(const cli_options *o);
int cli_export(const cli_options *o);
int cli_render(const cli_options *o);
int cli_video(const cli_options *o);
/* "1080" or "1920x1080": one number, or two. false: it is neither, which was told. */
bool cli_take_size(const cli_options *o, int *one, int *width, int *height);
/* "a,b,c" cut at its commas into list[most], whose texts are in room[size], without blanks about
 * them; how many, 0: too many, or an empty one, which was told. */
size_t cli_cut_list(const cli_options *o, const char *option, const char *text, char *room,
                    size_t size, const char **list, size_t most);
/* cli_view.c, cli_live.c */
int cli_view(const cli_options *o);
typedef struct cli_live cli_live;
/* Serve the page of a run while it goes on, from threads of its own, and print its address. Codes
 * of exit; *out NULL: nothing is served. */
int cli_live_begin(const cli_options *o, cli_live **out);
/* From progress, on the thread of the run: how it stands, what was asked for; waits while the run
 * is paused. */
ria_status cli_live_tell(cli_live *live, lua_State *L, ria_sim *sim, const ria_progress_info *info);
/* The run is over: serve on until a signal comes, then stop. */
void cli_live_end(cli_live *live, int code);
void cli_print_stubs(FILE *to);
/* The k-th command, NULL past the last; what its help says beside its options. */
typedef struct cli_command_info {
  const char *name, *arguments, *doc;
} cli_command_info;
const cli_command_info *cli_command_at(size_t k);
void cli_print_notes(FILE *to, const char *command);
/* cli_man.c, cli_complete.c: a manual page of a command, of all if NULL; a shell's completion.
 * Codes of exit. */
int cli_man(const cli_options *o, const char *command);
int cli_complete(const cli_options *o, const char *shell);
/* cli_topics.c: the k-th topic of `ria help` that is no function, NULL past the last; print one,
 * false when there is none of that name. */
const char *cli_topic(size_t k, const char **doc);
bool cli_print_topic(const char *name);
/* Print where the results of a simulation lie. */
void cli_print_results(FILE *to, const char *out);

/* cli_kind.c: what a regular file is, by its first bytes. CLI_FOREIGN: *name says what; *raster: it
 * can be made into a raster that ria reads. CLI_UNREADABLE: errno says why; EINVAL for what is no
 * regular file. */
typedef enum cli_kind { CLI_UNREADABLE, CLI_SCRIPT, CLI_RASTER, CLI_TABLE, CLI_FOREIGN } cli_kind;
cli_kind cli_kind_of(const char *path, const char **name, bool *raster);
/* Is this the tail of the text, in capitals or not? */
bool cli_ends_with(const char *text, const char *end);
/* Text that others wrote, for a terminal: control characters as \u001b. */
void cli_put_text(FILE *to, const char *text, size_t n);

/* cli_new.c: a scenario to begin from; the names of those that there are, for the caller to free.
 */
int cli_new(const cli_options *o);
size_t cli_scenarios(char ***names);
void cli_scenarios_free(char **names, size_t n);

/* cli_json.c: a JSON value at a time; commas and nesting are kept by the writer. */
typedef struct cli_json {
  FILE *to;
  bool first; /* nothing yet at this level */
} cli_json;
void json_open(cli_json *j, const char *key, char bracket);
void json_close(cli_json *j, char bracket);
void json_text(cli_json *j, const char *key, const char *value);
void json_number(cli_json *j, const char *key, double value);
/* cli_outcome.c: an object with the cells, steps, times and budget of a simulation. */
void cli_json_simulation(cli_json *j, ria_sim *sim);
/* cli_forecast.c: what a run to t_end will take, and need: measured, and told (json NULL: as text).
 */
void cli_forecast(const cli_options *o, ria_sim *sim, double t_end, cli_json *json);

#endif
