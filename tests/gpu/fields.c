/* Every field and every maximum of every solver, however it leaves the device: whole and in rows,
 * in double and in single precision, cell by cell, and fetched as means; and what totals say of the
 * planes that they are sums of; velocities on the map of a turned grid. RIA_TEST_DEVICE: "cuda"
 * unless set; the CPU, which fetches nothing and may round a field in single precision otherwise,
 * does less. */
#include "files.h"
#include "solver.h"
#include <float.h>

enum { TRACERS = 3, FIELD_WATER_DEPTH = 2, FIELD_WATER_U = 6, FIELD_WATER_LOAD = 11, FIELD_EAST };

typedef struct field_case {
  const char *solver;
  int nx, ny;
  ria_real real;
} field_case;

static uint64_t noise = 1;
static double uniform(void) { return files_random(&noise) / 2147483648.0; }

/* --- a state ---------------------------------------------------------------------------------- */

typedef struct made {
  const ria_solver *solver;
  ria_solver_ops ops;
  void *self;
  ria_grid grid;
  size_t cells;
  bool flows;
  int n_tracers;
} made;

static void set_noise(const made *m, int field, int tracer, double least, double most) {
  double *v = malloc(m->cells * sizeof *v);
  if (!v) exit(1);
  for (size_t k = 0; k < m->cells; k++) v[k] = least + (most - least) * uniform();
  CHECK_OK(ctx, m->ops.write(m->self, field, tracer, v));
  free(v);
}

/* Rough ground, a third of it dry, and flow; or a rough surface. */
static void set_state(const made *m) {
  noise = 7;
  if (m->flows) {
    set_noise(m, 0, -1, -6, 3); /* bed */
    set_noise(m, 3, -1, 0, 0);  /* level */
    set_noise(m, 4, -1, -2, 2); /* qx */
    set_noise(m, 5, -1, -2, 2); /* qy */
    for (int t = 0; t < m->n_tracers; t++) set_noise(m, 10, t, 0, 5);
  } else {
    set_noise(m, 0, -1, -2, 2);
  }
}

static bool per_tracer(const made *m, int field) {
  return m->solver->fields[field].flags & RIA_FIELD_PER_TRACER;
}
static bool is_field(const made *m, int field) { return m->solver->fields[field].long_name; }

static made make(const field_case *c) {
  static const ria_tracer tracers[TRACERS] = {
      {.name = "a"}, {.name = "b", .decay = 1e-3}, {.name = "c"}};
  made m = {
      .grid = {.nx = c->nx, .ny = c->ny, .dx = 10, .dy = 7, .angle = c->real == RIA_F64 ? 33 : 0}};
  ria_status status;
  m.ops = solver_ops(c->solver, &m.solver);
  m.cells = (size_t)c->nx * (size_t)c->ny;
  m.flows = m.solver->max_tracers > 0;
  m.n_tracers = m.flows ? TRACERS : 0;
  m.self = solver_make(c->solver, m.grid, c->real, tracers, m.n_tracers, &status);
  if (!CHECK_OK(ctx, status)) exit(1);
  set_state(&m);
  CHECK_OK(ctx, solver_force(&m.ops, m.self, m.grid, 0, 1));
  for (int f = 0; is_field(&m, f); f++)
    for (int t = 0; t < (per_tracer(&m, f) ? m.n_tracers : 1); t++)
      if (m.solver->fields[f].flags & RIA_FIELD_TRACK)
        CHECK_OK(ctx, m.ops.track(m.self, f, per_tracer(&m, f) ? t : -1));
  CHECK_OK(ctx, m.ops.prepare(m.self, 0));
  solver_step(&m.ops, m.self, 5);
  return m;
}

/* --- out -------------------------------------------------------------------------------------- */

static bool same(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

/* As a float; a GPU flushes what is too small for a normal one. */
static double as_float(double v) {
  return !on_cpu && fabs(v) < FLT_MIN ? copysign(0.0, v) : (double)(float)v;
}

static int differ(const double *a, const void *b, ria_real real, size_t n) {
  int many = 0;
  for (size_t k = 0; k < n; k++)
    many += real == RIA_F32 ? !same(as_float(a[k]), as_float(((const float *)b)[k]))
                            : !same(a[k], ((const double *)b)[k]);
  return many;
}

/* Which field, and the first value that differs. */
static void tell_first(const made *m, int field, bool maximum, const double *a, const void *b,
                       ria_real real, size_t n) {
  for (size_t k = 0; k < n; k++) {
    const double is = real == RIA_F32 ? (double)((const float *)b)[k] : ((const double *)b)[k];
    if (!differ(a + k,
                real == RIA_F32 ? (const void *)((const float *)b + k) : (const double *)b + k,
                real, 1))
      continue;
    fprintf(stderr, "  %s, %d x %d, field %d (%s)%s: value %zu is %a whole, %a in rows of %s\n",
            m->solver->name, m->grid.nx, m->grid.ny, field,
            field < 0 ? "a sum" : m->solver->fields[field].name, maximum ? ", maximum" : "", k,
            a[k], is, real == RIA_F32 ? "float" : "double");
    return;
  }
}

static void read_in_parts(const made *m, int field, int tracer, bool maximum, const double *whole) {
  const size_t nx = (size_t)m->grid.nx;
  for (int real = 0; real < 2; real++) {
    const ria_real as = real ? RIA_F64 : RIA_F32;
    if (on_cpu && as == RIA_F32) continue;
    for (int j0 = 0; j0 < m->grid.ny; j0 += 5) {
      const int nj = m->grid.ny - j0 < 5 ? m->grid.ny - j0 : 5;
      double rows[5 * 1024];
      if (!CHECK((size_t)nj * nx <= sizeof rows / sizeof *rows)) return;
      CHECK_OK(ctx, m->ops.read(m->self, field, tracer, maximum, j0, nj, as, rows));
      if (!CHECK_INT(differ(whole + (size_t)j0 * nx, rows, as, (size_t)nj * nx), 0))
        tell_first(m, field, maximum, whole + (size_t)j0 * nx, rows, as, (size_t)nj * nx);
    }
  }
}

static void sample_all(const made *m, int field, int tracer, const double *whole) {
  int32_t *cell = malloc(m->cells * sizeof *cell);
  double *v = malloc(m->cells * sizeof *v);
  if (!cell || !v) exit(1);
  for (size_t k = 0; k < m->cells; k++) cell[k] = (int32_t)(m->cells - 1 - k);
  CHECK_OK(ctx, m->ops.sample(m->self, field, tracer, (int)m->cells, cell, v));
  int wrong = 0;
  for (size_t k = 0; k < m->cells; k++) wrong += !same(v[k], whole[cell[k]]);
  CHECK_INT(wrong, 0);
  free(cell);
  free(v);
}

/* Of those cells of a block that have a value. */
static double mean(const made *m, const double *whole, int coarse, int i, int j) {
  double sum = 0;
  int n = 0;
  for (int jj = j * coarse; jj < (j + 1) * coarse && jj < m->grid.ny; jj++)
    for (int ii = i * coarse; ii < (i + 1) * coarse && ii < m->grid.nx; ii++) {
      const double v = whole[(size_t)jj * (size_t)m->grid.nx + (size_t)ii];
      if (isnan(v)) continue;
      sum += v;
      n++;
    }
  return n == 0 ? NAN : n == 1 ? sum : sum / n;
}

static void fetch_means(const made *m, int field, int tracer, const double *whole, int coarse,
                        ria_real real) {
  const int nx = (m->grid.nx + coarse - 1) / coarse, ny = (m->grid.ny + coarse - 1) / coarse;
  const size_t n = (size_t)nx * (size_t)ny;
  const ria_backend *b = ria_context_backend(ctx);
  double *expected = malloc(n * sizeof *expected);
  void *got = NULL, *ticket = NULL;
  char why[256] = "";
  if (!expected || !CHECK_OK(ctx, b->alloc_output(ctx, b, n * sizeof(double), &got))) exit(1);
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++)
      expected[(size_t)j * (size_t)nx + (size_t)i] =
          coarse > 1 ? mean(m, whole, coarse, i, j) : whole[(size_t)j * (size_t)nx + (size_t)i];
  CHECK_OK(ctx, m->ops.fetch(m->self, field, tracer, coarse, real, got, &ticket));
  CHECK_OK(ctx, m->ops.await(m->self, ticket, why, sizeof why));
  CHECK_INT(differ(expected, got, real, n), 0);
  b->free_output(b, got);
  free(expected);
}

static void one_field(const made *m, int field, int tracer) {
  double *whole = malloc(m->cells * sizeof *whole);
  if (!whole) exit(1);
  CHECK_OK(ctx, m->ops.read(m->self, field, tracer, false, 0, m->grid.ny, RIA_F64, whole));
  read_in_parts(m, field, tracer, false, whole);
  sample_all(m, field, tracer, whole);
  for (int coarse = 1; m->ops.fetch && coarse < 8; coarse += coarse < 3 ? 1 : 4)
    for (int real = 0; real < 2; real++)
      fetch_means(m, field, tracer, whole, coarse, real ? RIA_F64 : RIA_F32);
  if (m->solver->fields[field].flags & RIA_FIELD_TRACK) {
    CHECK_OK(ctx, m->ops.read(m->self, field, tracer, true, 0, m->grid.ny, RIA_F64, whole));
    read_in_parts(m, field, tracer, true, whole);
  }
  free(whole);
}

static void read_all(const made *m, int field, int tracer, double *v) {
  CHECK_OK(ctx, m->ops.read(m->self, field, tracer, false, 0, m->grid.ny, RIA_F64, v));
}

/* Two sums of a field, of two states with weights of their own; its rows read as a field's are. */
static void weighted_sums(const made *m, int field, int tracer, int first) {
  static const double weight[2][2] = {{1.0, -2.5}, {0.5, 3.0}};
  double *v = malloc(5 * m->cells * sizeof *v), *sum = v + m->cells, *most = sum + 2 * m->cells;
  if (!v) exit(1);
  for (size_t c = 0; c < 4 * m->cells; c++) sum[c] = 0.0;
  CHECK_OK(ctx, m->ops.sums(m->self, 2));
  for (int k = 0; k < 2; k++) {
    read_all(m, field, tracer, v);
    CHECK_OK(ctx, m->ops.gather(m->self, field, tracer, first, 2, weight[k]));
    for (size_t c = 0; c < 2 * m->cells; c++) {
      const double term = weight[k][c / m->cells] * v[c % m->cells];
      sum[c] += term;
      most[c] = fmax(most[c], fabs(term));
    }
    solver_step(&m->ops, m->self, 1);
  }
  for (int k = 0; k < 2; k++) {
    int wrong = 0;
    read_all(m, -1 - (first + k), -1, v);
    for (size_t c = 0; c < m->cells; c++) {
      const size_t at = (size_t)k * m->cells + c; /* a product may be rounded or not */
      wrong += isnan(sum[at]) != isnan(v[c]) || fabs(sum[at] - v[c]) > 5e-16 * most[at];
    }
    CHECK_INT(wrong, 0);
    read_in_parts(m, -1 - (first + k), -1, false, v);
  }
  CHECK(m->ops.gather(m->self, field, tracer, first + 1, 2, weight[0]) == RIA_ERR_ARGUMENT);
  CHECK(m->ops.read(m->self, -1 - (first + 2), -1, false, 0, 1, RIA_F64, v) == RIA_ERR_ARGUMENT);
  free(v);
}

/* Depths, and loads, summed here. */
static void check_totals(const made *m) {
  ria_quantity_totals totals[1 + TRACERS];
  double *v = malloc(m->cells * sizeof *v);
  if (!v) exit(1);
  CHECK_OK(ctx, m->ops.totals(m->self, totals));
  for (int q = 0; q <= m->n_tracers; q++) {
    double sum = 0;
    CHECK_OK(ctx, m->ops.read(m->self, q ? FIELD_WATER_LOAD : FIELD_WATER_DEPTH, q - 1, false, 0,
                              m->grid.ny, RIA_F64, v));
    for (size_t k = 0; k < m->cells; k++) sum += v[k];
    CHECK_NEAR(totals[q].stored, sum * m->grid.dx * m->grid.dy, 1e-6 * fabs(totals[q].stored));
    CHECK(q == 2 ? totals[q].decayed > 0 : totals[q].decayed == 0);
    CHECK(totals[q].stored > 0);
  }
  free(v);
}

/* u and v, turned by the angle of the grid. */
static void check_map(const made *m, ria_real real) {
  double *v = malloc(4 * m->cells * sizeof *v), c, s;
  if (!v) exit(1);
  const double *y = v + m->cells, *east = y + m->cells, *north = east + m->cells;
  const double tiny = real == RIA_F64 ? 1e-14 : 1e-6;
  int wrong = 0, wet = 0;
  for (int k = 0; k < 4; k++)
    CHECK_OK(ctx, m->ops.read(m->self, k < 2 ? FIELD_WATER_U + k : FIELD_EAST + k - 2, -1, false, 0,
                              m->grid.ny, RIA_F64, v + (size_t)k * m->cells));
  ria_grid_axes(&m->grid, &c, &s);
  for (size_t k = 0; k < m->cells; k++) {
    const double size = tiny * (fabs(v[k]) + fabs(y[k]));
    wet += !isnan(v[k]);
    wrong += isnan(v[k]) != isnan(east[k]) || fabs(c * v[k] - s * y[k] - east[k]) > size;
    wrong += isnan(v[k]) != isnan(north[k]) || fabs(s * v[k] + c * y[k] - north[k]) > size;
  }
  CHECK_INT(wrong, 0);
  CHECK(wet > 0 || m->cells == 1);
  free(v);
}

static void one_case(const field_case *c) {
  const made m = make(c);
  for (int f = 0; is_field(&m, f); f++)
    for (int t = 0; t < (per_tracer(&m, f) ? m.n_tracers : 1); t++)
      one_field(&m, f, per_tracer(&m, f) ? t : -1);
  if (m.flows) check_totals(&m);
  if (m.flows && strcmp(c->solver, "sediment") != 0) check_map(&m, c->real);
  for (int f = 0, n = 0; is_field(&m, f); f++)
    for (int t = 0; t < (per_tracer(&m, f) ? m.n_tracers : 1); t++, n += 2)
      weighted_sums(&m, f, per_tracer(&m, f) ? t : -1, n);
  m.ops.destroy(m.self);
}

int main(void) {
  static const char *const solvers[] = {"shallow_water", "adi", "diffusion", "sediment"};
  static const int sizes[][2] = {{1, 1}, {33, 5}, {97, 61}, {300, 7}};
  solver_open();
  for (int k = 0; k < 4; k++)
    for (int size = test_is_traced() ? 3 : 0; size < 4; size++)
      for (int real = 0; real < 2; real++)
        one_case(
            &(field_case){solvers[k], sizes[size][0], sizes[size][1], real ? RIA_F64 : RIA_F32});
  ria_context_destroy(&ctx);
  return TEST_END();
}
