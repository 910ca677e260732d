/* Runs that go on from a checkpoint: to the same bits in fields, maxima, budget, tables and frames
 * as one that was not ended, whatever its events did (conditions, spills under way, boundaries that
 * change, events that make others, numbers that only the host has); wherever the checkpoint was
 * taken; again and again; in parts. A run that is repeated otherwise is refused, and so is a file
 * with any byte changed or cut off anywhere. Checkpoints that a run takes by itself, and going on
 * in its own directory. */
#include "device.h"
#include "files.h"
#include <dirent.h>
#include <ria/ria.h>
#include <sys/stat.h>

enum { NX = 29, NY = 19, CELLS = NX * NY };

static ria_context *ctx;

/* What the host has for itself; no checkpoint knows of it. */
typedef struct host {
  ria_sim *sim;
  ria_series *tide;
  int looked, floods, changes;
  double sum;
  unsigned seed;
  double draw;              /* changes what the host does: for runs that are refused */
  const char *save[8];      /* checkpoints to take, */
  double at[8];             /*   at these times, by an event */
  int64_t after;            /* steps after which one is taken; 0: none */
  const char *save_between; /*   to this file */
  int n_saved;
} host;

static double random_of(host *h) {
  h->seed = h->seed * 1664525u + 1013904223u;
  return (double)(h->seed >> 8) / 16777216.0;
}

static ria_status is_high(ria_sim *sim, const ria_event_info *info, void *user, bool *yes) {
  host *h = user;
  double level = 0;
  (void)info;
  h->looked++;
  RIA_TRY(ria_sim_probe(sim, "level", 2500, 900, &level));
  h->sum += level;
  *yes = level > 0.12;
  return RIA_OK;
}

/* A spill somewhere, by the host's own random numbers and by what it reads. */
static ria_status spill_more(ria_sim *sim, const ria_event_info *info, void *user) {
  host *h = user;
  ria_stats stats;
  h->floods++;
  RIA_TRY(ria_sim_stats(sim, "level", &stats));
  const ria_spill_desc d = {.name = "more",
                            .tracer = "dye",
                            .x = 600 + 800 * random_of(h),
                            .y = 500 + 600 * random_of(h),
                            .radius = 150,
                            .mass = 10 + stats.max + h->draw,
                            .start = info->t + 40,
                            .duration = h->floods % 2 ? 0 : 130};
  return ria_sim_spill(sim, &d, NULL);
}

static ria_status change_side(ria_sim *sim, const ria_event_info *info, void *user) {
  host *h = user;
  ria_boundary_id id;
  double in, out, *field = malloc(CELLS * sizeof *field);
  h->changes++;
  ria_status s = field ? ria_sim_get(sim, "dye", field) : RIA_ERR_MEMORY;
  for (int k = 0; s == RIA_OK && k < CELLS; k++)
    field[k] = isnan(field[k]) ? 0 : 0.9 * field[k]; /* of a treatment in all the bay */
  if (s == RIA_OK && h->changes % 2) s = ria_sim_set(sim, "dye", field);
  free(field);
  RIA_TRY(s);
  RIA_TRY(ria_boundary_find(sim, "east", &id));
  RIA_TRY(ria_boundary_flux(sim, id, "water", &in, &out));
  h->sum += in - out;
  ria_summary so_far; /* of the smallest step what was known then, also where the run is repeated */
  RIA_TRY(ria_sim_summary(sim, &so_far));
  h->sum += so_far.dt_min + 1e-3 * so_far.dt_min_time + 10 * so_far.dt_min_i + so_far.dt_min_j;
  for (const char *c = so_far.dt_min_cause; *c; c++) h->sum += 1e-3 * *c;
  const ria_action more = {.fn = spill_more, .user = h, .phase = RIA_PHASE_CALLBACK};
  RIA_TRY(ria_sim_at(sim, info->t + 33, &more, NULL));
  return ria_boundary_change(sim, id,
                             &(ria_boundary_desc){.kind = h->changes % 2 ? "open" : "wall"});
}

static ria_status save_now(ria_sim *sim, const ria_event_info *info, void *user) {
  host *h = user;
  (void)info;
  const char *name = h->save[h->n_saved++];
  return name ? ria_sim_checkpoint(sim, files_path(name)) : RIA_OK;
}

static void describe(host *h) {
  ria_sim *sim = h->sim;
  static double bed[CELLS], roughness[CELLS];
  for (int k = 0; k < CELLS; k++) {
    const int i = k % NX, j = k / NX;
    bed[k] = -3 + 0.09 * i + 0.4 * sin(0.7 * i) * cos(0.5 * j);
    roughness[k] = 0.02 + 0.0002 * j;
  }
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  CHECK_OK(ctx, ria_sim_set(sim, "manning", roughness));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0.0));
  const ria_constituent wave = {NULL, 3600.0 * 360 / 900, 0.6, 20}; /* of 15 minutes */
  CHECK_OK(ctx, ria_series_tide(ctx, &(ria_tide_desc){.constituents = &wave, .n = 1, .ramp = 300},
                                &h->tide));
  const ria_boundary_desc west = {
      .kind = "level", .side = RIA_WEST, .values = {{"level", {.series = h->tide}}}};
  CHECK_OK(ctx, ria_boundary_add(sim, &west, NULL));
  const ria_boundary_desc east = {.name = "east", .kind = "wall", .side = RIA_EAST};
  CHECK_OK(ctx, ria_boundary_add(sim, &east, NULL));
  CHECK_OK(ctx, ria_sim_track_maximum(sim, "level"));
  const ria_spill_desc spring = {.tracer = "dye",
                                 .x = 900,
                                 .y = 950,
                                 .radius = 200,
                                 .start = 100,
                                 .duration = 700,
                                 .has_flow = true,
                                 .flow = {.constant = 3},
                                 .conc = {.constant = 2}};
  CHECK_OK(ctx, ria_sim_spill(sim, &spring, NULL));
  const ria_action more = {.fn = spill_more, .user = h, .phase = RIA_PHASE_CALLBACK};
  const ria_action change = {.fn = change_side, .user = h, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_when(sim, is_high, 17, true, &more, NULL));
  CHECK_OK(ctx, ria_sim_every(sim, 210, 150, 0, &change, NULL));
  const ria_gauge_desc near = {.name = "near", .x = 850, .y = 450, .every = 7};
  const ria_gauge_desc far = {.name = "far", .x = 2300, .y = 1450, .every = 31, .exact = true};
  CHECK_OK(ctx, ria_sim_gauge(sim, &near, NULL));
  CHECK_OK(ctx, ria_sim_gauge(sim, &far, NULL));
  static const char *const names[] = {"M8"};
  CHECK_OK(ctx, ria_sim_fit(sim, &(ria_fit_desc){.names = names, .n_names = 1, .every = 13}, NULL));
  ria_action frame;
  CHECK_OK(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "dye", .width = 200}, &frame));
  CHECK_OK(ctx, ria_sim_every(sim, 120, 0, 0, &frame, NULL));
  const ria_action save = {.fn = save_now, .user = h, .phase = RIA_PHASE_CALLBACK};
  for (int k = 0; k < 8 && h->save[k]; k++) CHECK_OK(ctx, ria_sim_at(sim, h->at[k], &save, NULL));
}

static ria_sim *new_sim(const char *out, ria_real real) {
  static const ria_tracer dye = {.name = "dye", .decay = 1e-4, .diffusion = 0.5};
  const ria_sim_desc desc = {.solver = "shallow_water",
                             .grid = {.nx = NX, .ny = NY, .dx = 100},
                             .precision = real,
                             .tracers = &dye,
                             .n_tracers = 1,
                             .out = files_path(out)};
  ria_sim *sim = NULL;
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) exit(1);
  CHECK_OK(ctx, ria_sim_record(sim));
  return sim;
}

/* Two runs and some steps between, as a script may have them. */
static ria_status go(host *h) {
  const double whole = test_is_traced() ? 200 : 1300;
  RIA_TRY(ria_sim_advance(h->sim, 0.3 * whole));
  RIA_TRY(ria_sim_step(h->sim, 7));
  if (h->after) RIA_TRY(ria_sim_step(h->sim, h->after));
  if (h->save_between) RIA_TRY(ria_sim_checkpoint(h->sim, files_path(h->save_between)));
  double level;
  RIA_TRY(ria_sim_probe(h->sim, "level", 850, 450, &level));
  h->sum += level;
  return ria_sim_run(h->sim, whole);
}

static void host_end(host *h) {
  ria_sim_destroy(&h->sim);
  ria_series_destroy(&h->tide);
}

/* from: a checkpoint to go on from, or NULL. */
static host run(const host *plan, const char *out, ria_real real, const char *from) {
  host h = *plan;
  h.seed = 7;
  h.sim = new_sim(out, real);
  static bool late; /* before it is set up, and after */
  late = !late;
  if (late) describe(&h);
  if (from) CHECK_OK(ctx, ria_sim_restore(h.sim, files_path(from)));
  CHECK(ria_sim_restoring(h.sim) == (from != NULL));
  if (!late) describe(&h);
  CHECK_OK(ctx, go(&h));
  CHECK(!ria_sim_restoring(h.sim));
  return h;
}

static bool same_file(const char *a, const char *b, const char *name) {
  char path[2][400], *text[2] = {0};
  long n[2] = {-1, -2};
  for (int k = 0; k < 2; k++) {
    snprintf(path[k], sizeof path[k], "%s/%s/%s", files_dir, k ? b : a, name);
    FILE *f = fopen(path[k], "rb");
    if (!f) continue;
    fseek(f, 0, SEEK_END);
    n[k] = ftell(f);
    rewind(f);
    text[k] = malloc((size_t)n[k] + 1);
    if (fread(text[k], 1, (size_t)n[k], f) != (size_t)n[k]) n[k] = -1 - k;
    fclose(f);
  }
  const bool same = n[0] == n[1] && memcmp(text[0], text[1], (size_t)n[0]) == 0;
  free(text[0]);
  free(text[1]);
  if (!same) fprintf(stderr, "  %s of %s and %s: %ld and %ld bytes\n", name, a, b, n[0], n[1]);
  return same;
}

/* All frames that `b` has are those of `a`, its last among them. */
static int same_frames(const char *a, const char *b) {
  char path[400];
  int n = 0;
  snprintf(path, sizeof path, "%s/%s/frames/dye", files_dir, b);
  DIR *dir = opendir(path);
  for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "frames/dye/%s", e->d_name);
    CHECK(same_file(a, b, path));
    n++;
  }
  if (dir) closedir(dir);
  return n;
}

static void same_end(host *a, host *b, const char *what) {
  static const char *const fields[] = {"level", "u", "v", "dye"};
  static double of[2][CELLS];
  bool same = a->looked == b->looked && a->floods == b->floods && a->changes == b->changes &&
              a->sum == b->sum && a->seed == b->seed &&
              ria_sim_steps(a->sim) == ria_sim_steps(b->sim);
  for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
    CHECK_OK(ctx, ria_sim_get(a->sim, fields[f], of[0]));
    CHECK_OK(ctx, ria_sim_get(b->sim, fields[f], of[1]));
    same = same && memcmp(of[0], of[1], sizeof of[0]) == 0;
  }
  CHECK_OK(ctx, ria_sim_get_maximum(a->sim, "level", of[0]));
  CHECK_OK(ctx, ria_sim_get_maximum(b->sim, "level", of[1]));
  same = same && memcmp(of[0], of[1], sizeof of[0]) == 0;
  ria_budget_row row[2][8];
  size_t n[2] = {8, 8};
  CHECK_OK(ctx, ria_sim_budget(a->sim, row[0], &n[0]));
  CHECK_OK(ctx, ria_sim_budget(b->sim, row[1], &n[1]));
  for (size_t q = 0; q < n[0]; q++)
    same = same && row[0][q].stored == row[1][q].stored && row[0][q].inflow == row[1][q].inflow &&
           row[0][q].sources == row[1][q].sources && row[0][q].residual == row[1][q].residual;
  if (!CHECK(same)) fprintf(stderr, "  %s\n", what);
}

/* --- to the same bits ------------------------------------------------------------------------- */

static void goes_on(ria_real real) {
  /* t = 150 has a change of the side, and 283 a spill that begins; the others nothing */
  const host plan = {.save = {"a.ckpt", "b.ckpt", "c.ckpt", "d.ckpt", "e.ckpt"},
                     .at = {0, 150, 283, 611.3, 960},
                     .after = 5,
                     .save_between = "between.ckpt"};
  host whole = run(&plan, "whole", real, NULL);
  if (!test_is_traced()) CHECK(whole.floods > 2 && whole.changes > 4);
  static const char *const from[] = {"a.ckpt",       "b.ckpt", "c.ckpt",
                                     "between.ckpt", "d.ckpt", "e.ckpt"};
  for (int k = 0; k < 6; k++) {
    struct stat there;
    char out[16], keep[400];
    if (test_is_short() && k % 2 == 1) continue;
    if (stat(files_path(from[k]), &there) != 0) {
      CHECK(test_is_traced());
      continue;
    }
    snprintf(out, sizeof out, "on%d", k);
    snprintf(keep, sizeof keep, "%s", from[k]);
    host again = run(&plan, out, real, keep);
    same_end(&whole, &again, keep);
    CHECK(same_file("whole", out, "gauges.csv") && same_file("whole", out, "gauges_31s.csv"));
    CHECK(same_file("whole", out, "budget.csv"));
    CHECK(same_frames("whole", out) > 0);
    host_end(&again);
  }
  host_end(&whole);
}

/* A run that went on takes checkpoints like any other, and goes on from these. */
static void again_and_again(void) {
  host plan = {.save = {"r0.ckpt", "r1.ckpt", "r2.ckpt", "r3.ckpt"}, .at = {90, 301, 620, 1001}};
  host whole = run(&plan, "r_whole", RIA_F64, NULL);
  static const char *const from[] = {"r0.ckpt", "r1.ckpt", "r2.ckpt", "r3.ckpt"};
  for (int k = 0; k < 4; k++) {
    /* checkpoints before this one are not taken again, those after it are, by the run before */
    char out[16];
    snprintf(out, sizeof out, "r%d", k);
    host again = run(&plan, out, RIA_F64, from[k]);
    same_end(&whole, &again, from[k]);
    host_end(&again);
  }
  host_end(&whole);
}

/* By the clock, while progress is told: the run knows nothing of when. */
typedef struct ticker {
  int n, last;
} ticker;

static ria_status tick(ria_sim *sim, const ria_progress_info *info, void *user) {
  ticker *t = user;
  double level;
  (void)info;
  RIA_TRY(ria_sim_probe(sim, "level", 850, 450, &level)); /* changes nothing */
  return ++t->n == t->last ? ria_sim_checkpoint(sim, files_path("tick.ckpt")) : RIA_OK;
}

static void by_the_clock(void) {
  const host plan = {.save = {"t.ckpt"}, .at = {301}};
  host whole = run(&plan, "t_whole", RIA_F64, NULL);
  for (int last = 1; last < 60; last += test_is_short() ? 29 : 9) {
    ticker t = {.last = last};
    host h = plan;
    h.seed = 7;
    h.sim = new_sim("t_first", RIA_F64);
    CHECK_OK(ctx, ria_sim_on_progress(h.sim, 0, tick, &t));
    describe(&h);
    CHECK_OK(ctx, go(&h));
    same_end(&whole, &h, "progress was told");
    host_end(&h);
    if (!CHECK(t.n >= last)) return;
    char err[RIA_ERR_TEXT];
    CHECK(ria_tree_remove(files_path("t_first"), err, sizeof err) == RIA_OK);
    host again = run(&plan, "t_on", RIA_F64, "tick.ckpt");
    same_end(&whole, &again, "from a checkpoint by the clock");
    CHECK(same_file("t_whole", "t_on", "gauges.csv"));
    host_end(&again);
    CHECK(ria_tree_remove(files_path("t_on"), err, sizeof err) == RIA_OK);
  }
  host_end(&whole);
}

/* --- what is refused -------------------------------------------------------------------------- */

static void otherwise(void) {
  const host plan = {.save = {"o.ckpt"}, .at = {700}};
  host whole = run(&plan, "o_whole", RIA_F64, NULL);
  host_end(&whole);
  host h = plan;
  h.seed = 7;
  h.draw = 1; /* what it spills is another amount */
  h.sim = new_sim("o1", RIA_F64);
  CHECK_OK(ctx, ria_sim_restore(h.sim, files_path("o.ckpt")));
  describe(&h);
  CHECK_STATUS(ctx, go(&h), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "the run cannot be continued: at ");
  host_end(&h);
  ria_sim *sim = new_sim("o2", RIA_F64);
  CHECK_OK(ctx, ria_sim_restore(sim, files_path("o.ckpt")));
  CHECK_FAILS(
      ctx, ria_sim_set_constant(sim, "bed", -4.0), RIA_ERR_ARGUMENT,
      "the run cannot be continued: at 0 s it differs from the run that wrote the checkpoint, "
      "in a field that is set: its script, parameters or files have changed: put them back, "
      "or start again (overwrite = true; ria run --overwrite)");
  ria_sim_destroy(&sim);
  sim = new_sim("o3", RIA_F32);
  CHECK_STATUS(ctx, ria_sim_restore(sim, files_path("o.ckpt")), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "is of a run with another precision");
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -4.0)); /* it is as it was */
  CHECK_STATUS(ctx, ria_sim_checkpoint(sim, files_path("x.ckpt")), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
  sim = new_sim("o4", RIA_F64);
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -4.0));
  CHECK_STATUS(ctx, ria_sim_restore(sim, files_path("o.ckpt")), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "is of a run that was set up otherwise");
  CHECK_OK(ctx, ria_sim_start(sim));
  CHECK_STATUS(ctx, ria_sim_restore(sim, files_path("o.ckpt")), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_record(sim), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
}

static void damaged(void) {
  static unsigned char text[1 << 20];
  FILE *f = fopen(files_path("o.ckpt"), "rb");
  const size_t n = f ? fread(text, 1, sizeof text, f) : 0;
  if (f) fclose(f);
  if (!CHECK(n > 1000 && n < sizeof text)) return;
  ria_sim *sim = new_sim("d", RIA_F64);
  const size_t tries = test_is_short() ? 60 : 600;
  for (size_t k = 0; k < tries; k++) {
    const size_t at = k * (n - 1) / (tries - 1);
    text[at] ^= (unsigned char)(1 << k % 8);
    CHECK_STATUS(ctx, ria_sim_restore(sim, files_put_bytes("bad.ckpt", text, n)), RIA_ERR_INPUT);
    text[at] ^= (unsigned char)(1 << k % 8);
    if (at) /* of none there is none to tell */
      CHECK_STATUS(ctx, ria_sim_restore(sim, files_put_bytes("bad.ckpt", text, at)), RIA_ERR_INPUT);
  }
  text[n] = 0;
  CHECK_STATUS(ctx, ria_sim_restore(sim, files_put_bytes("bad.ckpt", text, n + 1)), RIA_ERR_INPUT);
  CHECK_STATUS(ctx, ria_sim_restore(sim, files_path("none.ckpt")), RIA_ERR_INPUT);
  CHECK_OK(ctx, ria_sim_restore(sim, files_path("o.ckpt")));
  ria_sim_destroy(&sim);
}

/* --- in the results directory (tests/cli/crash/again.py kills such runs) ------------------------
 */

static void asks(void) {
  const ria_checkpoints_desc every = {.every = 100, .at_end = true};
  char from[400] = "x";
  size_t n = 7;
  ria_sim *sim = new_sim("asks", RIA_F64);
  CHECK_STATUS(ctx, ria_sim_checkpoints(sim, &(ria_checkpoints_desc){0}), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.every = -1}),
               RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.wall = NAN}),
               RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.wall = 1, .keep = -1}),
               RIA_ERR_ARGUMENT);
  CHECK_OK(ctx, ria_sim_checkpoints(sim, &every));
  CHECK_STATUS(ctx, ria_sim_continue(sim, from, sizeof from), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "`keep` of ria_sim_desc");
  CHECK_TEXT(from, "");
  CHECK_STATUS(ctx, ria_sim_note(sim, "no spaces", "x", 1), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_note(sim, "", "x", 1), RIA_ERR_ARGUMENT);
  CHECK_OK(ctx, ria_sim_note(sim, "a", "x", 1));
  CHECK(!ria_sim_noted(sim, "a", &n) && n == 0); /* it goes on from nowhere */
  ria_sim_destroy(&sim);
}

/* Of frames alone, to the given time. */
static ria_status keeps(const char *out, bool keep, double t_end, char *from, size_t size) {
  const ria_checkpoints_desc every = {.every = 100, .at_end = true, .keep = 1};
  const ria_sim_desc desc = {.solver = "shallow_water",
                             .grid = {.nx = NX, .ny = NY, .dx = 100},
                             .out = files_path(out),
                             .keep = keep};
  ria_sim *sim = NULL;
  ria_action frame;
  static const unsigned char data[3] = {1, 0, 3};
  CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim));
  if (t_end < 900) CHECK_OK(ctx, ria_sim_checkpoints(sim, &every));
  CHECK_OK(ctx, ria_sim_note(sim, "a", data, sizeof data));
  CHECK_OK(ctx, ria_sim_note(sim, "b", data, 0));
  CHECK_OK(ctx, ria_sim_note(sim, "c", data, 1));
  CHECK_OK(ctx, ria_sim_note(sim, "c", NULL, 0));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -4.0));
  CHECK_OK(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "level", .width = 100}, &frame));
  CHECK_OK(ctx, ria_sim_every(sim, 60, 0, 0, &frame, NULL));
  ria_status s = keep ? ria_sim_continue(sim, from, size) : RIA_OK;
  if (s == RIA_OK && keep && from[0]) {
    size_t n;
    const void *a = ria_sim_noted(sim, "a", &n);
    CHECK(a && n == 3 && memcmp(a, data, 3) == 0);
    CHECK(ria_sim_noted(sim, "b", &n) && n == 0 && !ria_sim_noted(sim, "c", NULL));
  }
  if (s == RIA_OK) s = ria_sim_run(sim, t_end);
  ria_sim_destroy(&sim);
  return s;
}

static void in_its_directory(void) {
  char from[400] = "", err[RIA_ERR_TEXT];
  struct stat st;
  CHECK_OK(ctx, keeps("k", true, 250, from, sizeof from));
  CHECK_TEXT(from, "");
  CHECK_OK(ctx, keeps("k_whole", false, 500, NULL, 0));
  /* another end: it goes on where the first came to its own */
  CHECK_OK(ctx, keeps("k", true, 500, from, sizeof from));
  CHECK_HOLDS(from, "k/checkpoints/0000");
  CHECK_INT(same_frames("k_whole", "k"), 0); /* of `dye` */
  for (int n = 0; n <= 8; n++) {
    char name[64];
    snprintf(name, sizeof name, "frames/level/level_%06d.png", n);
    CHECK(same_file("k_whole", "k", name));
  }
  CHECK(same_file("k_whole", "k", "budget.csv"));
  CHECK(stat(from, &st) != 0); /* one is kept */
  /* results are not given up for a run that takes none up */
  CHECK_STATUS(ctx, keeps("k", false, 500, NULL, 0), RIA_ERR_OUTPUT);
  CHECK_OK(ctx, keeps("none", false, 1000, NULL, 0));
  CHECK_STATUS(ctx, keeps("none", true, 1000, from, sizeof from), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "was to take no checkpoints");
  /* a run that comes to less than its checkpoint leaves the results as they are */
  const char *const gone[] = {"k/checkpoints", "k/frames"};
  CHECK(ria_tree_remove(files_path(gone[1]), err, sizeof err) == RIA_OK);
  CHECK_STATUS(ctx, keeps("k", true, 600, from, sizeof from), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "was drawn before its checkpoint and is missing");
  CHECK(ria_tree_remove(files_path(gone[0]), err, sizeof err) == RIA_OK);
  CHECK_OK(ctx, keeps("k", true, 600, from, sizeof from)); /* anew */
  CHECK_TEXT(from, "");
}

int main(void) {
  files_begin();
  test_cut(NY);
  ctx = test_context(test_device(), 2);
  goes_on(RIA_F64);
  if (!test_is_traced()) {
    again_and_again();
    by_the_clock();
    otherwise();
    damaged();
    asks();
    in_its_directory();
  }
  ria_context_destroy(&ctx);
  files_end();
  files_begin();
  ctx = test_context(test_device(), 2);
  goes_on(RIA_F32);
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
