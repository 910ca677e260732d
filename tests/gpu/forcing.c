/* A forcing that the device has no memory for: whichever solver, the one that is there goes on, and
 * the next that fits takes its place. And where tiles lie when it is told shows in no bit. Memory
 * is taken by plates that heat spreads in, as many as there is room for. RIA_TEST_DEVICE: "cuda"
 * unless set; on the CPU nothing is refused. */
#include "solver.h"

enum { NX = 61, NY = 37, CELLS = NX * NY, QUANTITIES = 2, KNOTS = 4 << 20 };
static const ria_grid grid = {.nx = NX, .ny = NY, .dx = 10, .dy = 10};

typedef struct flow_in {
  const char *solver;
  int field; /* that is `value` everywhere */
  double value;
  int kind; /* of boundary: lets in */
} flow_in;

static const flow_in cases[] = {
    {"shallow_water", 2, 5, 3}, /* depth; a discharge */
    {"adi", 2, 5, 3},
    {"diffusion", 0, 0, 2}, /* u; a flux */
    {"sediment", 0, 0, 1},  /* height; a flux */
};

/* --- memory ----------------------------------------------------------------------------------- */

enum { PLATES = 1024 };
static void *plate[PLATES];
static int n_plates;

/* Take what there is, down to less than some MB. */
static void take_memory(void) {
  for (int rows = 32768; rows >= 8 && n_plates < PLATES;) {
    const ria_grid large = {.nx = 32768 - 64, .ny = rows, .dx = 10, .dy = 10};
    ria_status status;
    void *self = solver_make("diffusion", large, RIA_F32, NULL, 0, &status);
    if (self) plate[n_plates++] = self;
    if (!self) CHECK_INT(status, RIA_ERR_MEMORY);
    if (!self) rows /= 2;
  }
  CHECK(n_plates > 0 && n_plates < PLATES);
  ria_error_clear(ctx);
}

static void give_memory(void) {
  const ria_solver *solver = NULL;
  const ria_solver_ops ops = solver_ops("diffusion", &solver);
  while (n_plates > 0) ops.destroy(plate[--n_plates]);
}

/* --- forcing ---------------------------------------------------------------------------------- */

/* What came in so far, after a step more. */
static double inflow_after_a_step(const ria_solver_ops *ops, void *self) {
  double in[RIA_SIDES * QUANTITIES] = {0}, out[RIA_SIDES * QUANTITIES], sum = 0;
  solver_step(ops, self, 1);
  CHECK_OK(ctx, ops->fluxes(self, RIA_SIDES, in, out));
  for (int k = 0; k < RIA_SIDES * QUANTITIES; k++) sum += in[k];
  return sum;
}

static void keeps_its_forcing(const flow_in *c) {
  const ria_solver *solver = NULL;
  const ria_solver_ops ops = solver_ops(c->solver, &solver);
  double value[CELLS], in = 0;
  ria_status status;
  void *self = solver_make(c->solver, grid, RIA_F64, NULL, 0, &status);
  if (!CHECK_OK(ctx, status)) return;
  for (int k = 0; k < CELLS; k++) value[k] = c->value;
  CHECK_OK(ctx, ops.write(self, c->field, -1, value));
  CHECK_OK(ctx, solver_force(&ops, self, grid, c->kind, 1));
  CHECK_OK(ctx, ops.prepare(self, 0));
  for (int k = 0; k < 7; k++) {
    if (k > 3 && !on_cpu) { /* either state was the present one: graphs are there */
      take_memory();
      CHECK_STATUS(ctx, solver_force(&ops, self, grid, 0, KNOTS), RIA_ERR_MEMORY);
      CHECK_HOLDS(ria_error(ctx), "the forcing");
      ria_error_clear(ctx);
      give_memory();
    }
    const double now = inflow_after_a_step(&ops, self);
    CHECK(now > in);
    in = now;
  }
  CHECK_OK(ctx, solver_force(&ops, self, grid, 0, KNOTS));
  CHECK(inflow_after_a_step(&ops, self) == in);
  ops.destroy(self);
}

/* --- before the first step ------------------------------------------------------------------- */

typedef enum telling {
  FIRST,   /* rivers are told when the channel is wet */
  REFUSED, /* and then another forcing, that there is no memory for */
  LAST     /* they are told when a fourth of it is left */
} telling;

typedef struct outcome {
  double *depth;
  ria_quantity_totals totals[2];
} outcome;

/* A few steps of a channel that is wet, and then a fourth of it, with a tracer that decays. */
static outcome channel(const ria_grid *g, telling when) {
  static const ria_tracer dye = {.name = "dye", .decay = 1e-3};
  const ria_solver *solver = NULL;
  const ria_solver_ops ops = solver_ops("shallow_water", &solver);
  const size_t n = (size_t)g->nx * (size_t)g->ny;
  double *v = malloc(n * sizeof *v);
  outcome o;
  ria_status status;
  void *self = solver_make("shallow_water", *g, RIA_F64, &dye, 1, &status);
  if (!v || !CHECK_OK(ctx, status)) exit(1);
  for (size_t k = 0; k < n; k++) v[k] = 5 + sin(0.37 * (double)k);
  CHECK_OK(ctx, ops.write(self, 2, -1, v));
  if (when != LAST) CHECK_OK(ctx, solver_force(&ops, self, *g, 3, 1));
  for (size_t k = n / 4; k < n; k++) v[k] = 0;
  CHECK_OK(ctx, ops.write(self, 2, -1, v));
  CHECK_OK(ctx, ops.write(self, 10, 0, v)); /* concentration */
  if (when == LAST) CHECK_OK(ctx, solver_force(&ops, self, *g, 3, 1));
  if (when == REFUSED && !on_cpu) {
    take_memory();
    CHECK_STATUS(ctx, solver_force(&ops, self, *g, 0, KNOTS), RIA_ERR_MEMORY);
    ria_error_clear(ctx);
    give_memory();
  }
  CHECK_OK(ctx, ops.prepare(self, 0));
  solver_step(&ops, self, 20);
  CHECK_OK(ctx, ops.read(self, 2, -1, false, 0, g->ny, RIA_F64, v));
  CHECK_OK(ctx, ops.totals(self, o.totals));
  ops.destroy(self);
  o.depth = v;
  return o;
}

/* Where tiles lie follows the water until the first step: the forcing knows them by number, and
 * nothing else shows where they are. */
static void tiles_do_not_show(void) {
  const ria_grid g = {.nx = NX, .ny = test_is_short() ? 600 : 6000, .dx = 10, .dy = 10};
  const outcome first = channel(&g, FIRST);
  for (int k = REFUSED; k <= LAST; k++) {
    const outcome other = channel(&g, (telling)k);
    CHECK(memcmp(first.depth, other.depth, (size_t)g.nx * (size_t)g.ny * sizeof *first.depth) == 0);
    for (int q = 0; q < 2; q++) {
      CHECK(first.totals[q].stored == other.totals[q].stored);
      CHECK(first.totals[q].sources == other.totals[q].sources);
      CHECK_NEAR(first.totals[q].decayed, other.totals[q].decayed, 1e-12 * first.totals[q].decayed);
    }
    CHECK(other.totals[1].decayed > 0);
    free(other.depth);
  }
  free(first.depth);
}

int main(void) {
  solver_open();
  tiles_do_not_show();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) keeps_its_forcing(&cases[k]);
  ria_context_destroy(&ctx);
  return TEST_END();
}
