/* Checkpoints from C (ria/checkpoint.h): a run that goes on comes to the same bits; what may not be
 * saved, what may not go on and why, files that are damaged anywhere, which files stay. */
#include "base/context.h"
#include "by_threads.h"
#include "files.h"
#include "io/pieces.h"
#include <ria/boundary.h>
#include <ria/checkpoint.h>
#include <unistd.h>

enum { NX = 7, NY = 6, CELLS = NX * NY, STEPS = 6 };

static ria_context *ctx;
static char said[4096]; /* what the log got */

static void hear(void *user, const char *text) {
  (void)user;
  snprintf(said + strlen(said), sizeof said - strlen(said), "%s", text);
}

/* How a run differs from the usual one. */
typedef struct other {
  const char *solver, *param, *out;
  double dx, bed, level;
  ria_real real;
  bool no_tracer, keep, overwrite;
} other;

static ria_sim *make_of(ria_context *c, other o) {
  static const ria_tracer oil = {.name = "oil"};
  const ria_setting manning = {o.param, 0.03, NULL};
  const ria_sim_desc desc = {.solver = o.solver ? o.solver : "shallow_water",
                             .grid = {.nx = NX, .ny = NY, .dx = o.dx > 0 ? o.dx : 10},
                             .precision = o.real,
                             .params = o.param ? &manning : NULL,
                             .n_params = o.param != NULL,
                             .tracers = o.no_tracer ? NULL : &oil,
                             .n_tracers = !o.no_tracer,
                             .out = o.out,
                             .keep = o.keep,
                             .overwrite = o.overwrite,
                             .no_page = true};
  const ria_boundary_desc sea = {
      .kind = "level", .side = RIA_WEST, .values = {{"level", {.constant = 0.4 + o.level}}}};
  ria_sim *sim = NULL;
  if (!CHECK_OK(c, ria_sim_create(c, &desc, &sim))) exit(1);
  CHECK_OK(c, ria_sim_set_constant(sim, "bed", -2 + o.bed));
  CHECK_OK(c, ria_boundary_add(sim, &sea, NULL));
  return sim;
}

static ria_sim *make(other o) { return make_of(ctx, o); }

static void levels(ria_sim *sim, double v[CELLS]) {
  CHECK_OK(ria_sim_context(sim), ria_sim_get(sim, "level", v));
}

/* A file of a run after so many steps; and the levels after as many more. */
static const char *saved(double end[CELLS]) {
  static char path[320];
  snprintf(path, sizeof path, "%s", files_path("half.ria"));
  ria_sim *sim = make((other){0});
  CHECK_OK(ctx, ria_sim_record(sim));
  CHECK_OK(ctx, ria_sim_note(sim, "script", "x = 1", 5));
  CHECK_OK(ctx, ria_sim_note(sim, "gone", "y", 1));
  CHECK_OK(ctx, ria_sim_note(sim, "script", "x = 22", 6)); /* in place of the first */
  CHECK_OK(ctx, ria_sim_note(sim, "gone", NULL, 0));
  CHECK_OK(ctx, ria_sim_step(sim, STEPS));
  CHECK_OK(ctx, ria_sim_checkpoint(sim, path));
  CHECK_OK(ctx, ria_sim_step(sim, STEPS));
  levels(sim, end);
  ria_sim_destroy(&sim);
  return path;
}

static void goes_on(const char *path, const double end[CELLS]) {
  ria_sim *sim = make((other){0});
  double v[CELLS], t = -1;
  int64_t steps = -1;
  size_t n = 9;
  CHECK(!ria_sim_continues(sim, NULL, NULL) && !ria_sim_noted(sim, "script", &n) && n == 0);
  CHECK_OK(ctx, ria_sim_restore(sim, path));
  CHECK(ria_sim_continues(sim, NULL, NULL) && ria_sim_continues(sim, &t, &steps));
  CHECK(steps == STEPS && t > 0 && ria_sim_restoring(sim));
  CHECK_TEXT((const char *)ria_sim_noted(sim, "script", &n), "x = 22");
  CHECK(n == 6 && !ria_sim_noted(sim, "gone", NULL));
  CHECK(!ria_sim_noted(sim, "a name of more than thirty-two letters", NULL));
  CHECK_FAILS(ctx, ria_sim_restore(sim, path), RIA_ERR_ARGUMENT,
              "a simulation goes on from a checkpoint before it was started");
  CHECK_OK(ctx, ria_sim_step(sim, STEPS));
  CHECK(ria_sim_steps(sim) == STEPS && ria_sim_time(sim) == t);
  CHECK_OK(ctx,
           ria_sim_checkpoint(sim, files_path("again.ria"))); /* it is there: none is written */
  CHECK(access(files_path("again.ria"), F_OK) != 0);
  CHECK_OK(ctx, ria_sim_step(sim, STEPS));
  levels(sim, v);
  CHECK(memcmp(v, end, sizeof v) == 0 && !ria_sim_restoring(sim));
  ria_sim_destroy(&sim);
}

/* --- what is refused -------------------------------------------------------------------------- */

#define ARGUMENT(call, message) CHECK_FAILS(ctx, call, RIA_ERR_ARGUMENT, message)

static void not_saved(void) {
  ria_sim *sim = make((other){0});
  const char *path = files_path("no.ria");
  ARGUMENT(ria_sim_checkpoint(sim, NULL), "a checkpoint needs the name of a file");
  ARGUMENT(ria_sim_restore(sim, NULL), "a checkpoint needs the name of a file");
  ARGUMENT(ria_sim_checkpoint(sim, path),
           "a checkpoint needs the record of the run: ask for it before the run starts "
           "(ria_sim_record)");
  CHECK_OK(ctx, ria_sim_record(sim));
  ARGUMENT(ria_sim_checkpoint(sim, path), "a run that was not started has no state to save");
  CHECK_OK(ctx, ria_sim_start(sim));
  ARGUMENT(ria_sim_record(sim), "the record of a run begins before it is started");
  CHECK_STATUS(ctx, ria_sim_checkpoint(sim, files_path("none/no.ria")), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "checkpoint: cannot write '");
  CHECK_OK(ctx, ria_sim_checkpoint(sim, path)); /* and still it can */
  ria_sim_destroy(&sim);
  CHECK(unlink(path) == 0);
}

static void bad_notes(void) {
  ria_sim *sim = make((other){0});
  const char *const names[] = {NULL, "", "a b", "a/b", "abcdefghijklmnopqrstuvwxyz_.-1234"};
  for (int k = 0; k < 5; k++) {
    char text[160];
    snprintf(text, sizeof text,
             "the name '%s' of a note may hold letters, digits, _ - and ., up to 32",
             names[k] ? names[k] : "");
    ARGUMENT(ria_sim_note(sim, names[k], "1", 1), text);
  }
  CHECK_OK(ctx, ria_sim_note(sim, "abcdefghijklmnopqrstuvwxyz_.-123", "1", 1));
  ria_sim_destroy(&sim);
}

static void bad_requests(void) {
  ria_sim *none = make((other){0}), *sim = make((other){.out = files_path("asked")});
  const ria_checkpoints_desc every = {.every = 10};
  const char *negative = "the time between two checkpoints must be 0 s or more";
  char from[8] = "x";
  CHECK_STATUS(ctx, ria_sim_checkpoints(none, &every), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "checkpoints");
  CHECK_STATUS(ctx, ria_sim_continue(none, from, sizeof from), RIA_ERR_ARGUMENT);
  CHECK_TEXT(from, "");
  ARGUMENT(ria_sim_continue(sim, NULL, 0),
           "a simulation goes on in its results directory if it was made to keep what is there "
           "(`keep` of ria_sim_desc)");
  ARGUMENT(ria_sim_checkpoints(sim, NULL), negative);
  ARGUMENT(ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.every = -1}), negative);
  ARGUMENT(ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.every = INFINITY}), negative);
  ARGUMENT(ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.wall = NAN}), negative);
  ARGUMENT(ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.wall = INFINITY}), negative);
  ARGUMENT(ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.every = 1, .keep = -2}),
           "-2 checkpoints to keep: 1 or more (0 = 2)");
  ARGUMENT(ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.keep = 1}),
           "checkpoints need a time: every so much simulated time, wall time, or at the end of the "
           "run");
  CHECK_OK(ctx, ria_sim_start(sim));
  ARGUMENT(ria_sim_checkpoints(sim, &every), "checkpoints are asked for before the run starts");
  ria_sim_destroy(&sim);
  ria_sim_destroy(&none);
}

/* A run that is another one, and in what. */
static void another_run(const char *path) {
  const struct {
    other o;
    const char *what;
  } of[] = {
      {{.solver = "adi"}, "is of a run with another solver: start this one from its beginning"},
      {{.dx = 5}, "is of a run with another grid: start this one from its beginning"},
      {{.real = RIA_F32}, "is of a run with another precision: start this one from its beginning"},
      {{.param = "manning"}, "is of a run with other parameters: start this one"},
      {{.no_tracer = true}, "is of a run with other tracers: start this one from its beginning"},
      {{.bed = 0.5}, "is of a run that was set up otherwise: a field or a boundary differs"},
  };
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    ria_sim *sim = make(of[k].o);
    CHECK_STATUS(ctx, ria_sim_restore(sim, path), RIA_ERR_INPUT);
    CHECK_HOLDS(ria_error(ctx), of[k].what);
    CHECK(!ria_sim_continues(sim, NULL, NULL));
    ria_sim_destroy(&sim);
  }
  ria_sim *sim = make((other){.level = 0.1}); /* forcing is heard of when the run starts */
  CHECK_OK(ctx, ria_sim_restore(sim, path));
  CHECK_STATUS(ctx, ria_sim_step(sim, STEPS), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "the run cannot be continued: ");
  ria_sim_destroy(&sim);
}

/* --- files that are not what they should be --------------------------------------------------- */

static unsigned char *read_all(const char *path, size_t *n) {
  FILE *f = fopen(path, "rb");
  unsigned char *data = malloc(1 << 20);
  if (!CHECK(f && data)) exit(1);
  *n = fread(data, 1, 1 << 20, f);
  fclose(f);
  return data;
}

static void write_all(const char *path, const unsigned char *data, size_t n) {
  FILE *f = fopen(path, "wb");
  CHECK(f && fwrite(data, 1, n, f) == n);
  if (f) fclose(f);
}

/* It is refused, and that in words that tell what is wrong with the file. */
static bool is_refused(const char *path) {
  ria_sim *sim = make((other){0});
  const ria_status s = ria_sim_restore(sim, path);
  const char *why = ria_error(ctx);
  const bool told = strstr(why, "damaged") || strstr(why, "was cut off") ||
                    strstr(why, "is no checkpoint of this version of ria");
  ria_sim_destroy(&sim);
  return s == RIA_ERR_INPUT && told;
}

static void damaged(const char *path) {
  char bad[320];
  size_t n;
  unsigned char *data = read_all(path, &n);
  snprintf(bad, sizeof bad, "%s", files_path("bad.ria"));
  for (size_t k = 0; k < n; k += k < 200 ? 9 : 101) {
    data[k] ^= 4;
    write_all(bad, data, n);
    if (!CHECK(is_refused(bad))) fprintf(stderr, "  byte %zu: %s\n", k, ria_error(ctx));
    data[k] ^= 4;
    write_all(bad, data, k);
    if (!CHECK(is_refused(bad))) fprintf(stderr, "  %zu bytes: %s\n", k, ria_error(ctx));
  }
  write_all(bad, data, n + 1); /* what follows the end is no part of it */
  CHECK(is_refused(bad));
  ria_sim *sim = make((other){0});
  CHECK_STATUS(ctx, ria_sim_restore(sim, files_path("nowhere.ria")), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "checkpoint: cannot open '");
  ria_sim_destroy(&sim);
  free(data);
}

/* A whole file with one piece changed: its length, its first byte, or without it. */
typedef enum change { SHORTER, EMPTY, WITHOUT, BYTE } change;

static void rewrite(const char *path, const char *to, const char *name, change how) {
  char err[RIA_ERR_TEXT] = "";
  ria_pieces_in in;
  ria_pieces_out out;
  bool there = true, met = false;
  CHECK_OK(NULL, ria_pieces_open(&in, ctx, path, err, sizeof err));
  CHECK_OK(NULL, ria_pieces_create(&out, to, err, sizeof err));
  for (uint64_t k = 0;; k++) {
    ria_piece p;
    CHECK_OK(NULL, ria_pieces_at(&in, k, &p, &there, err, sizeof err));
    if (!there) break;
    unsigned char *data = calloc(1, (size_t)p.bytes + 1);
    CHECK_OK(NULL, ria_pieces_read(&in, &p, data, err, sizeof err));
    ria_state_item item = {p.name, (ria_state_type)p.type, .rank = (int)p.rank, .data = data};
    for (int d = 0; d < RIA_STATE_RANK; d++) item.shape[d] = (size_t)p.shape[d];
    const bool here = strcmp(p.name, name) == 0;
    met = met || here;
    if (here && how == SHORTER) item.shape[0]--;
    if (here && how == EMPTY) item.shape[0] = 0;
    if (here && how == BYTE) data[0] = 7;
    if (!here || how != WITHOUT) CHECK_OK(NULL, ria_pieces_put(&out, &item, err, sizeof err));
    free(data);
  }
  CHECK(met);
  ria_pieces_shut(&in);
  CHECK_OK(NULL, ria_pieces_close(&out, RIA_OK, err, sizeof err));
}

/* The engine's own pieces are looked at when the file is opened, those of the state in the first
 * step after the record's end. */
static void of_other_pieces(const char *path) {
  const struct {
    const char *name;
    change how;
    bool later;
    const char *what;
  } of[] = {{"Identity", WITHOUT, false, "has no 'Identity': it is of another run"},
            {"Identity", SHORTER, false, "is of a run with another version of ria"},
            {"Record", WITHOUT, false, "has no 'Record': it is of another run"},
            {"Record", EMPTY, false, "was set up otherwise: a field or a boundary differs"},
            {"depth", WITHOUT, true, "has no 'depth': it is of another run"},
            {"depth", SHORTER, true, "bytes, and this run 336: it is of another run"},
            {"prepared", BYTE, true, "'prepared' is neither true nor false"}};
  char bad[320];
  snprintf(bad, sizeof bad, "%s", files_path("other.ria"));
  for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
    rewrite(path, bad, of[k].name, of[k].how);
    ria_sim *sim = make((other){0});
    ria_status s = ria_sim_restore(sim, bad);
    if (of[k].later && CHECK_INT(s, RIA_OK)) s = ria_sim_step(sim, STEPS);
    if (of[k].later && s == RIA_OK) s = ria_sim_checkpoint(sim, bad);
    if (!CHECK_INT(s, RIA_ERR_INPUT)) fprintf(stderr, "  %s: %s\n", of[k].name, ria_error(ctx));
    CHECK_HOLDS(ria_error(ctx), of[k].what);
    ria_error_clear(ctx);
    ria_sim_destroy(&sim);
  }
}

/* --- in the results directory ----------------------------------------------------------------- */

static bool is_there(const char *out, int number) {
  char path[400];
  snprintf(path, sizeof path, "%s/checkpoints/%06d.ria", out, number);
  return access(path, R_OK) == 0;
}

static ria_sim *begun(const char *out, char *from, size_t size) {
  ria_sim *sim = make((other){.out = out, .keep = true});
  CHECK_OK(ctx, ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.at_end = true}));
  said[0] = '\0';
  const ria_status s = ria_sim_continue(sim, from, size);
  if (s == RIA_OK) return sim;
  ria_sim_destroy(&sim);
  return NULL;
}

static void cut_off(const char *out, int number) {
  char path[400];
  snprintf(path, sizeof path, "%s/checkpoints/%06d.ria", out, number);
  CHECK(truncate(path, 999) == 0);
}

/* The two newest stay. The newest that is whole is gone on from, and what was passed over is told;
 * where none is, that is an error. */
static void in_a_directory(void) {
  char out[320], from[400];
  snprintf(out, sizeof out, "%s", files_path("results"));
  ria_sim *sim = begun(out, from, sizeof from);
  CHECK_TEXT(from, ""); /* nothing is there yet */
  for (int k = 1; k <= 4; k++) CHECK_OK(ctx, ria_sim_run(sim, 2 * k));
  ria_sim_destroy(&sim);
  for (int k = 1; k < 9; k++) CHECK(is_there(out, k) == (k == 3 || k == 4));
  cut_off(out, 4);
  sim = begun(out, from, sizeof from);
  CHECK_HOLDS(from, "results/checkpoints/000003.ria");
  CHECK_HOLDS(said, "checkpoint passed over: '");
  CHECK_HOLDS(said, "was cut off");
  double t = 0;
  CHECK(sim && ria_sim_continues(sim, &t, NULL) && t == 6);
  ria_sim_destroy(&sim);
  cut_off(out, 3);
  CHECK(!begun(out, from, sizeof from));
  CHECK_HOLDS(ria_error(ctx), "/checkpoints' is whole: the run can only start again");
  CHECK_HOLDS(ria_error(ctx), "--overwrite). Of the newest: '");
  CHECK_TEXT(from, "");
  ria_error_clear(ctx);
}

/* --- by ranks ----------------------------------------------------------------------------------
 */

typedef struct ranked {
  const char *from, *to; /* from NULL: begin */
  double end[CELLS];     /* of rank 0 */
} ranked;

static void by_rank(ria_comm *comm, void *user) {
  ranked *r = user;
  ria_context *c;
  double v[CELLS];
  const ria_context_desc desc = {.device = "cpu", .threads = 1, .writers = 1, .comm = comm};
  if (!CHECK_OK(NULL, ria_context_create(&desc, &c))) return;
  ria_sim *sim = make_of(c, (other){0});
  CHECK_OK(c, ria_sim_record(sim));
  CHECK_OK(c, ria_sim_note(sim, "script", "x = 22", 6));
  if (r->from) CHECK_OK(c, ria_sim_restore(sim, r->from));
  if (r->from) CHECK_TEXT((const char *)ria_sim_noted(sim, "script", NULL), "x = 22");
  CHECK_OK(c, ria_sim_step(sim, STEPS));
  CHECK_OK(c, ria_sim_checkpoint(sim, r->to));
  CHECK_OK(c, ria_sim_step(sim, STEPS));
  CHECK_OK(c, ria_sim_get(sim, "level", v));
  if (comm->rank == 0) memcpy(r->end, v, sizeof v);
  ria_context_ended(c, RIA_OK, NULL);
  ria_sim_destroy(&sim);
  ria_context_leave(c, 0);
  ria_context_destroy(&c);
}

/* Written by two ranks, gone on with by one and by three; and one rank's by two. */
static void by_ranks(const char *alone, const double end[CELLS]) {
  char path[320];
  snprintf(path, sizeof path, "%s", files_path("ranks.ria"));
  ranked two = {NULL, path, {0}}, three = {path, path, {0}}, again = {alone, path, {0}};
  ranks_run(2, by_rank, &two);
  ranks_run(3, by_rank, &three);
  ranks_run(2, by_rank, &again);
  CHECK(memcmp(two.end, end, sizeof two.end) == 0);
  CHECK(memcmp(three.end, end, sizeof three.end) == 0);
  CHECK(memcmp(again.end, end, sizeof again.end) == 0);
  goes_on(path, end);
}

int main(void) {
  double end[CELLS];
  files_begin();
  const ria_context_desc desc = {.threads = 1, .device = "cpu", .log = hear};
  CHECK_OK(NULL, ria_context_create(&desc, &ctx));
  const char *path = saved(end);
  goes_on(path, end);
  not_saved();
  bad_notes();
  bad_requests();
  another_run(path);
  damaged(path);
  of_other_pieces(path);
  in_a_directory();
  by_ranks(path, end);
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
