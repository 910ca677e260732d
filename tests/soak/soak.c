/* Long lives of one process: many events, many frames, many simulations that are made and ended, a
 * tide of days with gauges and checkpoints. What is held (memory in use and resident, descriptors,
 * threads) must stay as it was.
 *
 *   soak [EVENTS FRAMES SIMS DAYS]     10000 300 100 0.5 unless given; the long form is 1000000
 * 100000 1000 7; of none with 0
 *
 * It prints what a fifth of each trial and the whole of it left behind. Two things grow with a run,
 * by design: the rows of gauges (the host may ask for them, and tables are written from them) and,
 * where checkpoints are taken, the record of it. Their bytes are bounded too. */
#include "device.h"
#include "files.h"
#include <dirent.h>
#include <malloc.h>
#include <ria/ria.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static ria_context *ctx;

/* --- what this process holds --------------------------------------------------------------------
 */

typedef struct held {
  double used, resident; /* bytes: asked of malloc, in memory */
  int files, threads;
} held;

static int entries(const char *path) {
  int n = 0;
  DIR *dir = opendir(path);
  while (dir && readdir(dir)) n++;
  if (dir) closedir(dir);
  return n;
}

static held held_now(void) {
  malloc_trim(0);
  const struct mallinfo2 m = mallinfo2();
  held h = {.used = (double)m.uordblks + (double)m.hblkhd};
  FILE *f = fopen("/proc/self/statm", "r");
  long size = 0, resident = 0;
  if (f && fscanf(f, "%ld %ld", &size, &resident) == 2)
    h.resident = (double)resident * (double)sysconf(_SC_PAGESIZE);
  if (f) fclose(f);
  h.files = entries("/proc/self/fd");
  h.threads = entries("/proc/self/task");
  return h;
}

enum { SLACK = 64 << 10, SLACK_RESIDENT = 4 << 20 };

/* `each` bytes may stay behind for each of n more. A sanitizer keeps what is freed: its own search
 * for leaks stands in for that. */
static void compare(const char *what, held a, held b, double n, double each) {
  printf("%-34s %9.0f more: %+8.2f bytes each (at most %g), resident %+.0f kB, files %+d, threads "
         "%+d\n",
         what, n, (b.used - a.used) / n, each, (b.resident - a.resident) / 1024, b.files - a.files,
         b.threads - a.threads);
  CHECK_INT(b.files, a.files);
  CHECK_INT(b.threads, a.threads);
  if (SANITIZED) return;
  CHECK(b.used - a.used <= SLACK + each * n);
  CHECK(b.resident - a.resident <= SLACK_RESIDENT + 2 * each * n);
}

/* --- one run ------------------------------------------------------------------------------------
 */

enum { NX = 12, NY = 6, CELLS = NX * NY };

static ria_sim *new_sim(const char *solver, const char *out) {
  static const ria_tracer dye = {.name = "dye"};
  const bool water = strcmp(solver, "shallow_water") == 0;
  const ria_sim_desc desc = {.solver = solver,
                             .grid = {.nx = NX, .ny = NY, .dx = 1000},
                             .tracers = &dye,
                             .n_tracers = water,
                             .out = out ? files_path(out) : NULL};
  ria_sim *sim = NULL;
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) exit(1);
  if (water) {
    CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -10));
    CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0));
  }
  return sim;
}

typedef struct meter {
  int64_t fired, first, last; /* looks at the two */
  held at[2];
  const char *frames; /* directory of a frame for each, or NULL */
} meter;

/* Frames are written behind the run, which is held up here now and then: what waits to be written
 * is no growth. */
static void measure(meter *m) {
  const bool now = m->fired == m->first || m->fired == m->last || m->fired % 50 == 0;
  for (int k = 0; now && m->frames && k < 20000 && entries(m->frames) - 2 < m->fired; k++)
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
  if (m->frames && (m->fired == m->first || m->fired == m->last))
    nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL); /* its job is put away */
  if (m->fired == m->first) m->at[0] = held_now();
  if (m->fired == m->last) m->at[1] = held_now();
  m->fired++;
}

static ria_status on_event(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)sim;
  (void)info;
  measure(user);
  return RIA_OK;
}

/* Every event makes another, reads the flow, and every tenth cancels one and spills. A spill stays
 * known to the end of the run (ria_sim_spill_released, run.json): some 300 bytes; a handle takes 8.
 */
static ria_status on_busy(ria_sim *sim, const ria_event_info *info, void *user) {
  meter *m = user;
  double level;
  ria_handle next, other;
  RIA_TRY(ria_sim_probe(sim, "level", 500, 500, &level));
  const ria_action again = {.fn = on_busy, .user = m, .phase = RIA_PHASE_CALLBACK};
  RIA_TRY(ria_sim_at(sim, info->t + 1, &again, &next));
  if (m->fired % 10 == 0) {
    const ria_spill_desc spill = {
        .tracer = "dye", .x = 6000, .y = 3000, .radius = 1500, .mass = 1, .start = info->t + 0.5};
    RIA_TRY(ria_sim_at(sim, info->t + 2, &again, &other));
    RIA_TRY(ria_sim_cancel(sim, other));
    RIA_TRY(ria_sim_spill(sim, &spill, NULL));
  }
  measure(m);
  return RIA_OK;
}

static void events(double n) {
  meter m = {.first = (int64_t)(0.2 * n), .last = (int64_t)n - 1};
  ria_sim *sim = new_sim("diffusion", NULL);
  const ria_action tick = {.fn = on_event, .user = &m, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_every(sim, 1, 0, 0, &tick, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, n));
  compare("events of one rule", m.at[0], m.at[1], 0.8 * n, 0);
  ria_sim_destroy(&sim);

  const double busy = n / 10;
  m = (meter){.first = (int64_t)(0.2 * busy), .last = (int64_t)busy - 1};
  sim = new_sim("shallow_water", NULL);
  const ria_action start = {.fn = on_busy, .user = &m, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_at(sim, 0, &start, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, busy));
  compare("events that make others, spills", m.at[0], m.at[1], 0.8 * busy, 80);
  ria_sim_destroy(&sim);
}

/* The list of frames goes into run.json: their paths stay. */
static void frames(double n) {
  char folder[400];
  snprintf(folder, sizeof folder, "%s/frames/frames/u", files_dir);
  meter m = {.first = (int64_t)(0.2 * n), .last = (int64_t)n - 1, .frames = folder};
  ria_sim *sim = new_sim("diffusion", "frames");
  ria_action frame;
  const ria_frame_desc small = {
      .field = "u", .width = 32, .height = 16, .no_decor = true, .no_world_file = true, .max = 1};
  if (!CHECK_OK(ctx, ria_frame_action(sim, &small, &frame))) exit(1);
  const ria_action tick = {.fn = on_event, .user = &m, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_every(sim, 1, 0, 0, &tick, NULL));
  CHECK_OK(ctx, ria_sim_every(sim, 1, 0, 0, &frame, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, n));
  compare("frames", m.at[0], m.at[1], 0.8 * n, 200);
  ria_sim_destroy(&sim);
}

/* Every other one with output, every third left in the middle, every fourth never started. */
static void sims(double n) {
  static const char *const solvers[] = {"shallow_water", "adi", "diffusion", "sediment"};
  held a = {0};
  for (int k = 0; k < (int)n; k++) {
    if (k == (int)(0.2 * n)) a = held_now();
    ria_sim *sim = new_sim(solvers[k % 4], k % 2 ? NULL : "sims");
    if (k % 4 == 1) CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -10));
    if (k % 4 == 1) CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0));
    if (k % 16 != 15 && k % 4 != 3) CHECK_OK(ctx, ria_sim_step(sim, 3));
    if (k % 3 == 0 && k % 4 != 3) CHECK_OK(ctx, ria_sim_finish(sim));
    ria_sim_destroy(&sim);
    char err[RIA_ERR_TEXT];
    if (k % 2 == 0) CHECK_OK(ctx, ria_tree_remove(files_path("sims"), err, sizeof err));
  }
  compare("simulations made and ended", a, held_now(), 0.8 * n, 0);
}

/* --- a tide -------------------------------------------------------------------------------------
 */

typedef struct bay {
  meter meter;
  double first_size, size; /* of checkpoints: the first that is measured, the last */
} bay;

static ria_status on_checkpoint(ria_sim *sim, const ria_event_info *info, void *user) {
  bay *b = user;
  struct stat there = {0};
  (void)info;
  RIA_TRY(ria_sim_checkpoint(sim, files_path("tide.ckpt")));
  CHECK(stat(files_path("tide.ckpt"), &there) == 0);
  b->size = (double)there.st_size;
  if (b->meter.fired == b->meter.first) b->first_size = b->size;
  measure(&b->meter);
  return RIA_OK;
}

static void tide(double days) {
  const double end = 86400 * days, every = end / 28, row = 60;
  bay b = {.meter = {.first = 6, .last = 28}};
  const ria_constituent m2 = {"M2", 0, 1, 0};
  ria_series *level = NULL;
  ria_sim *sim = new_sim("shallow_water", "tide");
  CHECK_OK(ctx, ria_sim_record(sim));
  CHECK_OK(ctx, ria_series_tide(ctx, &(ria_tide_desc){.constituents = &m2, .n = 1, .ramp = 3600},
                                &level));
  const ria_boundary_desc west = {
      .kind = "level", .side = RIA_WEST, .values = {{"level", {.series = level}}}};
  CHECK_OK(ctx, ria_boundary_add(sim, &west, NULL));
  const ria_gauge_desc gauge = {.name = "jetty", .x = 6500, .y = 2500, .every = row};
  CHECK_OK(ctx, ria_sim_gauge(sim, &gauge, NULL));
  const ria_action save = {.fn = on_checkpoint, .user = &b, .phase = RIA_PHASE_CALLBACK};
  CHECK_OK(ctx, ria_sim_every(sim, every, 0, 0, &save, NULL));
  CHECK_OK(ctx, ria_sim_run(sim, end));
  const double rows = 22 * every / row;
  compare("rows of a gauge, with checkpoints", b.meter.at[0], b.meter.at[1], rows, 1000);
  printf("  %.0f steps; a checkpoint of %.0f bytes: %.1f for each row of the gauge\n",
         (double)ria_sim_steps(sim), b.size, (b.size - b.first_size) / rows);
  ria_sim_destroy(&sim);
  ria_series_destroy(&level);
}

int main(int argc, char **argv) {
  double n[] = {10000, 300, 100, 0.5};
  for (int k = 0; k < 4 && k + 1 < argc; k++) n[k] = atof(argv[k + 1]);
  files_begin();
  ctx = test_context("cpu", 2);
  sims(20); /* what a process makes once: threads of OpenMP, tables */
  if (n[2] > 0) sims(n[2]);
  ria_context_destroy(&ctx);
  ctx = test_context("cpu", 1);
  if (n[0] > 0) events(n[0]);
  if (n[1] > 0) frames(n[1]);
  if (n[3] > 0) tide(n[3]);
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
