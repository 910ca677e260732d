/* Hot starts from C: on the same cells a run goes on from what an earlier one saved as that one
 * does; on others water and tracer are kept; what cannot be done is refused and changes nothing. */
#include "cases.h"
#include "files.h"
#include <ria/checkpoint.h>

static double bed_of(double x, double y) {
  return -3 + 3.5 * pow((x - 300) / 330, 2) + 0.4 * sin(x / 50) * cos(y / 40);
}
static double level_of(double x, double y) {
  return 0.3 * exp(-(pow(x - 280, 2) + pow(y - 200, 2)) / 8000);
}
static double dye_of(double x, double y) { return 1 + x / 1000 + y / 500; }
static double far_of(double x, double y) { return (void)x, (void)y, 0.5; }

typedef struct model {
  ria_context *ctx;
  ria_sim *sim;
  ria_grid grid;
} model;

static model make(const ria_grid *grid, ria_real real, const char *out, const char *start) {
  model m = {.grid = *grid};
  const ria_tracer tracer = {.name = "dye"};
  const ria_setting params[] = {{"manning", 0.02, NULL}, {"order", test_order(), NULL}};
  const ria_sim_desc desc = {.grid = *grid,
                             .precision = real,
                             .params = params,
                             .n_params = 2,
                             .tracers = &tracer,
                             .n_tracers = 1,
                             .out = out,
                             .start = start};
  test_cut(grid->ny);
  m.ctx = test_context(test_device(), 2);
  if (!CHECK_OK(m.ctx, ria_sim_create(m.ctx, &desc, &m.sim))) abort();
  return m;
}

static void done(model *m) {
  ria_sim_destroy(&m->sim);
  ria_context_destroy(&m->ctx);
}

static void set(model *m, const char *field, shape fn) {
  const ria_grid *g = &m->grid;
  double *v = malloc((size_t)g->nx * (size_t)g->ny * sizeof *v);
  if (!v) abort();
  for (int j = 0; j < g->ny; j++)
    for (int i = 0; i < g->nx; i++) {
      double x = g->x0 + (i + 0.5) * g->dx, y = g->y0 + (j + 0.5) * g->dx;
      ria_grid_to_map(g, &x, &y);
      v[(size_t)j * (size_t)g->nx + (size_t)i] = fn(x, y);
    }
  CHECK_OK(m->ctx, ria_sim_set(m->sim, field, v));
  free(v);
}

static double *get(model *m, const char *field) {
  double *v = malloc((size_t)m->grid.nx * (size_t)m->grid.ny * sizeof *v);
  if (!v) abort();
  CHECK_OK(m->ctx, ria_sim_get(m->sim, field, v));
  return v;
}

static double worst(model *a, model *b, const char *field) {
  double *v = get(a, field), *w = get(b, field), most = 0;
  for (int c = 0; c < a->grid.nx * a->grid.ny; c++) {
    CHECK(isnan(v[c]) == isnan(w[c]));
    if (!isnan(v[c])) most = fmax(most, fabs(v[c] - w[c]));
  }
  free(v);
  free(w);
  return most;
}

static void stored(model *m, double to[2]) {
  ria_budget_row rows[2];
  size_t n = 2;
  CHECK_OK(m->ctx, ria_sim_budget(m->sim, rows, &n));
  to[0] = rows[0].stored, to[1] = rows[1].stored;
}

static const ria_grid base = {.nx = 30, .ny = 20, .dx = 20};

/* Saves at 0 s, 30 s and 60 s in `out`. */
static model earlier(ria_real real, const char *out, const char *const *fields, size_t n) {
  model m = make(&base, real, out, "2026-07-14 00:00");
  ria_action save;
  set(&m, "bed", bed_of);
  set(&m, "level", level_of);
  set(&m, "dye", dye_of);
  CHECK_OK(m.ctx, ria_save_action(m.sim, &(ria_save_desc){.fields = fields, .n_fields = n}, &save));
  CHECK_OK(m.ctx, ria_sim_every(m.sim, 30, 0, 60, &save, NULL));
  CHECK_OK(m.ctx, ria_sim_run(m.sim, 60));
  return m;
}

/* The state to the bit, and the way on: at order 1 and 2, in either precision. */
static void goes_on(ria_real real, const char *out, const char *const *fields, size_t n) {
  static const char *const all[] = {"depth", "qx", "qy", "dye_load"};
  const ria_from_desc from = {.path = out};
  const double slack = real == RIA_F32 ? 1e-5 : 1e-12;
  model a = earlier(real, out, fields, n), b = make(&base, real, NULL, NULL);
  set(&b, "bed", bed_of);
  CHECK_OK(b.ctx, ria_sim_from(b.sim, &from));
  CHECK_HOLDS(ria_sim_from_told(b.sim), "the same cells");
  CHECK(!strstr(ria_sim_from_told(b.sim), "shifted")); /* nor is the water touched */
  CHECK_HOLDS(ria_sim_from_warnings(b.sim), "the frame has a date and this run has none");
  for (int k = 0; k < 4; k++) CHECK(worst(&a, &b, all[k]) <= (n == 4 ? 0 : slack));
  CHECK_OK(a.ctx, ria_sim_run(a.sim, 120));
  CHECK_OK(b.ctx, ria_sim_run(b.sim, 60));
  for (int k = 0; k < 4; k++) {
    const double off = worst(&a, &b, all[k]);
    printf("%s, order %d, %zu fields: %s off by %.2g\n", real_name[real], test_order(), n, all[k],
           off);
    CHECK(off <= slack);
  }
  done(&a);
  done(&b);
}

static void keeps(const char *out) {
  static const ria_grid grids[] = {{60, 40, 10, 10, 0, 0, 0},
                                   {10, 8, 60, 50, 0, 0, 0},
                                   {36, 36, 21, 20, -60, -70, 0},
                                   {40, 45, 20, 20, -30, -160, 20}};
  static const char *const fields[] = {"bed", "depth", "level", "qx", "qy", "dye_load"};
  model a = earlier(RIA_F64, out, fields, 6);
  double had[2], has[2];
  stored(&a, had);
  for (size_t k = 0; k < sizeof grids / sizeof *grids; k++)
    for (int real = 0; real < 2; real++) {
      model b = make(&grids[k], (ria_real)real, NULL, "2026-07-14 00:01");
      set(&b, "bed", bed_of);
      CHECK_OK(b.ctx, ria_sim_from(b.sim, &(ria_from_desc){.path = out}));
      stored(&b, has);
      const double off[2] = {has[0] / had[0] - 1, has[1] / had[1] - 1};
      printf("grid %zu, %s: water off by %.2g, dye by %.2g\n", k, real_name[real], off[0], off[1]);
      /* cells that the earlier grid covers by half are whole here: the rim is as it is */
      const double rim = k < 2 ? (real ? 1e-6 : 1e-12) : 0.06;
      CHECK(fabs(off[0]) < rim && fabs(off[1]) < rim);
      CHECK(!strstr(ria_sim_from_warnings(b.sim), "store"));
      CHECK_OK(b.ctx, ria_sim_run(b.sim, 10));
      done(&b);
    }
  done(&a);
}

static double high_of(double x, double y) { return 10 + bed_of(x, y); }

/* A store with less than the state: what is missing follows from the rest, or is said. On the same
 * cells the depth comes out in each case, on coarser ones the water where the store knows it; over
 * a bed that is above all its levels the level rises until the water has room. */
static void partly(const char *const out[4]) {
  static const char *const fields[4][2] = {
      {"level", "bed"}, {"depth", "bed"}, {"depth"}, {"level"}};
  static const char *const warns[4][2] = {
      {"", ""},
      {"", ""},
      {"", "not in the store: 'level' (or 'bed'): the depth is taken over"},
      {"not in the store: 'depth' (or 'bed'): ", "not in the store: 'depth' (or 'bed'): "}};
  const ria_grid coarse = {10, 8, 60, 50, 0, 0, 0};
  double had[2], has[2];
  for (int k = 0; k < 4; k++) {
    model a = earlier(RIA_F64, out[k], fields[k], k < 2 ? 2 : 1);
    stored(&a, had);
    for (int other = 0; other < 2; other++) {
      model b = make(other ? &coarse : &base, RIA_F64, NULL, "2026-07-14 00:01");
      set(&b, "bed", bed_of);
      CHECK_OK(b.ctx, ria_sim_from(b.sim, &(ria_from_desc){.path = out[k]}));
      CHECK_HOLDS(ria_sim_from_warnings(b.sim), warns[k][other]);
      CHECK(*warns[k][other] || !strstr(ria_sim_from_warnings(b.sim), "in the store: 'depth"));
      if (!other) CHECK(worst(&a, &b, "depth") <= 1.1e-6); /* films count as dry */
      stored(&b, has);
      if (k < 3) CHECK_NEAR(has[0] / had[0], 1, 1e-6);
      done(&b);
    }
    model b = make(&base, RIA_F64, NULL, "2026-07-14 00:01");
    set(&b, "bed", high_of);
    CHECK_OK(b.ctx, ria_sim_from(b.sim, &(ria_from_desc){.path = out[k]}));
    stored(&b, has);
    CHECK_NEAR(has[0] / had[0], k < 3 ? 1 : 0, 1e-6); /* a level alone is all under ground */
    if (k < 2) CHECK_HOLDS(ria_sim_from_warnings(b.sim), "it went to the other cells");
    done(&b);
    done(&a);
  }
}

/* In cells that the store does not cover all stays as it was, to the bit. */
static void stays(const char *out) {
  static const char *const all[] = {"depth", "qx", "qy", "dye_load"};
  const ria_grid far = {60, 20, 20, 20, 0, 0, 0};
  model a = make(&far, RIA_F64, NULL, NULL), b = make(&far, RIA_F64, NULL, NULL);
  model *const both[] = {&a, &b};
  for (int k = 0; k < 2; k++) {
    set(both[k], "bed", far_of);
    set(both[k], "level", dye_of);
    set(both[k], "u", far_of);
    set(both[k], "dye", dye_of);
  }
  CHECK_OK(b.ctx, ria_sim_from(b.sim, &(ria_from_desc){.path = out, .keep = RIA_FROM_LEVEL}));
  CHECK_HOLDS(ria_sim_from_told(b.sim), "600 of 1200 cells lie outside it");
  CHECK_HOLDS(ria_sim_from_warnings(b.sim), "m^3 of water stood in ");
  for (int k = 0; k < 4; k++) {
    double *v = get(&a, all[k]), *w = get(&b, all[k]);
    for (int c = 0; c < 1200; c++) CHECK(c % 60 < 30 || v[c] == w[c]);
    free(v);
    free(w);
  }
  done(&a);
  done(&b);
}

static void refuses(const char *out) {
  char date[48];
  model m = make(&base, RIA_F64, NULL, "2026-07-14 00:00");
  ria_sim *s = m.sim;
  const ria_from_desc good = {.path = out};
  CHECK_FAILS(m.ctx, ria_sim_from(s, NULL), RIA_ERR_ARGUMENT,
              "from: name the results of a run, or a store");
  CHECK_STATUS(m.ctx, ria_sim_from(s, &(ria_from_desc){.path = "nowhere"}), RIA_ERR_INPUT);
  CHECK_STATUS(m.ctx, ria_sim_from(s, &(ria_from_desc){.path = out, .keep = (ria_from_keep)7}),
               RIA_ERR_ARGUMENT);
  CHECK_STATUS(m.ctx, ria_sim_from(s, &(ria_from_desc){.path = out, .at = "2026-07-15"}),
               RIA_ERR_ARGUMENT);
  const char *pieces = files_put("a.checkpoint", "ria pieces 1\n and so on");
  CHECK_STATUS(m.ctx, ria_sim_from(s, &(ria_from_desc){.path = pieces}), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(m.ctx), "is a checkpoint");
  pieces = files_put("begun.checkpoint", "ria pieces"); /* and no more */
  CHECK_STATUS(m.ctx, ria_sim_from(s, &(ria_from_desc){.path = pieces}), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(m.ctx), "is a checkpoint");
  const char *notes = files_put("notes.txt", "twelve letters and more");
  CHECK_STATUS(m.ctx, ria_sim_from(s, &(ria_from_desc){.path = notes}), RIA_ERR_INPUT);
  CHECK(!strstr(ria_error(m.ctx), "is a checkpoint"));
  CHECK_OK(m.ctx, ria_from_date(m.ctx, &good, "+02:00", date, sizeof date));
  CHECK_TEXT(date, "2026-07-14T02:01:00+02:00");
  const ria_from_desc first = {.path = out, .at = "2026-07-14 00:00:30"};
  CHECK_OK(m.ctx, ria_from_date(m.ctx, &first, NULL, date, sizeof date));
  CHECK_TEXT(date, "2026-07-14T00:00:30Z");
  CHECK(!ria_sim_from_told(s) && !ria_sim_from_warnings(s));
  CHECK_OK(m.ctx, ria_sim_from(s, &good)); /* with the bed of the store */
  CHECK_HOLDS(ria_sim_from_warnings(s), "the frame is of 2026-07-14T00:01:00Z, the run starts at");
  CHECK_OK(m.ctx, ria_sim_run(s, 1));
  CHECK_FAILS(m.ctx, ria_sim_from(s, &good), RIA_ERR_ARGUMENT,
              "from: the state is taken before the run starts, not during it");
  done(&m);
}

/* A time that there is no frame of: the nearest one is told, not what lies behind the last. */
static void nearest(const char *out) {
  static const char *const fields[] = {"depth"};
  model m = make(&base, RIA_F64, out, NULL);
  ria_action save;
  set(&m, "bed", bed_of);
  CHECK_OK(m.ctx, ria_save_action(m.sim, &(ria_save_desc){.fields = fields, .n_fields = 1}, &save));
  CHECK_OK(m.ctx, ria_sim_every(m.sim, 20, 20, 40, &save, NULL));
  CHECK_OK(m.ctx, ria_sim_run(m.sim, 40));
  done(&m);
  m = make(&base, RIA_F64, NULL, NULL);
  CHECK_STATUS(m.ctx, ria_sim_from(m.sim, &(ria_from_desc){.path = out, .at = "5 s"}),
               RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(m.ctx), "no frame at '5 s'; the nearest of its 2 is at = \"20 s\"");
  done(&m);
}

/* A velocity along one axis alone: on a grid that is turned it means nothing. */
static void half_a_flow(const char *out) {
  static const char *const fields[] = {"level", "bed", "depth", "qx"};
  static const ria_grid along = {10, 8, 60, 50, 0, 0, 0}, turned = {15, 10, 40, 40, 0, 0, 20};
  model a = earlier(RIA_F64, out, fields, 4), b = make(&along, RIA_F64, NULL, NULL);
  set(&b, "bed", bed_of);
  CHECK_OK(b.ctx, ria_sim_from(b.sim, &(ria_from_desc){.path = out}));
  CHECK_HOLDS(ria_sim_from_warnings(b.sim),
              "not in the store: 'qy' or 'v': velocities stay as set");
  CHECK(!strstr(ria_sim_from_warnings(b.sim), "'qx'"));
  done(&b);
  b = make(&turned, RIA_F64, NULL, NULL);
  set(&b, "bed", bed_of);
  CHECK_STATUS(b.ctx, ria_sim_from(b.sim, &(ria_from_desc){.path = out}), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(b.ctx), "is turned against this run's: it needs both of qx and qy, or of u "
                                "and v");
  done(&b);
  done(&a);
}

int main(void) {
  static const char *const state[] = {"depth", "qx", "qy", "dye_load"};
  static const char *const others[] = {"level", "bed", "depth", "u", "v", "dye"};
  char out[10][320];
  files_begin();
  for (int k = 0; k < 10; k++) snprintf(out[k], sizeof out[k], "%s/%d", files_dir, k);
  goes_on(RIA_F64, out[0], state, 4);
  goes_on(RIA_F32, out[1], state, 4);
  goes_on(RIA_F64, out[2], others, 6);
  keeps(out[3]);
  stays(out[3]);
  refuses(out[3]);
  nearest(out[4]);
  half_a_flow(out[9]);
  partly((const char *const[]){out[5], out[6], out[7], out[8]});
  files_end();
  return TEST_END();
}
