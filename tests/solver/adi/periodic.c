/* Periodic sides (solver/periodic.h): lines that close upon themselves, at Courant numbers of 1 and
 * more, with tracers of either order and diffusion that is implicit. Waves that run round and round
 * arrive when they should, at second order; parts of the grid have the bits of the whole. */
#include "cases.h"

static double dt;
static int order;
static const char *const torus_solver = "adi";
static const char *const torus_kinds[RIA_SIDES] = {"radiate", "open", "level", "open"};
static size_t torus_params(ria_setting *p, size_t n) {
  p[n++] = (ria_setting){"dt", dt, NULL};
  p[n++] = (ria_setting){"order", order, NULL};
  return n;
}
static double torus_round(ria_real real) { return real == RIA_F64 ? 1e-14 : 2e-6; }
#include "solver/periodic.h"

/* --- scenes ----------------------------------------------------------------------------------- */

static const torus scenes[] = {
    {.nx = 67, .ny = 45, .x = true, .y = true, .layer = true},
    {.nx = 67, .ny = 45, .x = true, .y = true, .forced = true, .rough = true, .spills = true},
    {.nx = 70, .ny = 33, .x = true, .y = true, .stirred = true, .dry = true, .spills = true},
    {.nx = 97, .ny = 61, .x = true, .forced = true, .stirred = true, .rough = true, .layer = true},
    {.nx = 97, .ny = 31, .x = true, .dry = true, .spills = true, .spread = 4000},
    {.nx = 45, .ny = 64, .y = true, .forced = true, .rough = true, .dry = true, .spread = 900},
    {.nx = 33, .ny = 40, .y = true, .stirred = true},
    {.nx = 1, .ny = 40, .x = true, .y = true, .forced = true, .spread = 4000},
    {.nx = 40, .ny = 1, .x = true, .y = true, .stirred = true},
    {.nx = 2, .ny = 3, .x = true, .y = true, .rough = true, .forced = true, .spread = 4000},
    {.nx = 3, .ny = 2, .x = true, .y = true, .stirred = true, .dry = true},
    {.nx = 60, .ny = 24, .x = true, .y = true, .dam = true},
    {.nx = 40, .ny = 5, .x = true, .y = true, .dry = true}, /* cells at the seam run dry */
    {.nx = 20, .ny = 5, .y = true, .spills = true, .layer = true, .spread = 4000},
};
enum { SCENES = sizeof scenes / sizeof *scenes };

/* Steps of 3 s and 1 s, at Courant numbers of 2 and 0.7, and as the flow makes them. */
static void set_scene(int k) {
  static const double steps[] = {3, 1, 0};
  dt = steps[k % 3];
  order = 1 + k % 2;
}

static void shifts(void) {
  ria_context *ctx = test_context(test_device(), 2);
  for (int k = 0; k < SCENES; k++)
    for (int real = 0; real < 2; real++) {
      const torus *s = &scenes[k];
      const double bound = real == RIA_F64 ? 1e-12 : 1e-4;
      set_scene(k);
      if (s->y && !real) check_shift(ctx, s, (ria_real)real, 0, 1, bound);
      if (s->y) check_shift(ctx, s, (ria_real)real, 0, s->ny - s->ny / 3, bound);
      if (s->x) check_shift(ctx, s, (ria_real)real, s->nx / 3, s->y ? s->ny / 2 : 0, bound);
    }
  ria_context_destroy(&ctx);
}

/* --- a wave that runs round ------------------------------------------------------------------- */

static const double length = 1000, height = 1e-4, depth = 10;
static bool along_x;
static double floor_of(double x, double y) { return (void)x, (void)y, -depth; }
static double wave(double x, double y) {
  return height * cos(2 * pi / length * (along_x ? x : y) + 0.7);
}
static double current(double x, double y) { return sqrt(gravity / depth) * wave(x, y); }

/* How far it is from where it began once it is round, of its height. */
static double run_round(int n, double courant, ria_real real) {
  const double d = length / n, turn = length / sqrt(gravity * depth);
  order = 1;
  dt = turn / ceil(n / courant);
  flow f = torus_flow(
      &(flow_desc){.nx = along_x ? n : 2, .ny = along_x ? 2 : n, .dx = d, .real = real}, 0);
  close_pair(&f, RIA_WEST);
  close_pair(&f, RIA_SOUTH);
  flow_set(&f, "bed", floor_of);
  flow_set(&f, "level", wave);
  flow_set(&f, along_x ? "u" : "v", current);
  double *before = flow_get(&f, "level"), error = 0;
  CHECK_OK(f.ctx, ria_sim_run(f.sim, turn));
  double *after = flow_get(&f, "level");
  for (int k = 0; k < 2 * n; k++) error = fmax(error, fabs(after[k] - before[k]) / height);
  free(before);
  free(after);
  flow_free(&f);
  return error;
}

/* Of q, which is known half a step before and after, both begin with what is set: that costs some
 * of the rate where steps are long. */
static void arrives(double courant, double rate) {
  for (int axis = 0; axis < 2; axis++) {
    along_x = axis == 0;
    const double coarse = run_round(50, courant, RIA_F64), fine = run_round(100, courant, RIA_F64);
    printf("a wave once round along %s at Courant number %g: %.4f and %.4f, rate %.2f\n",
           along_x ? "x" : "y", courant, coarse, fine, log2(coarse / fine));
    CHECK(log2(coarse / fine) > rate);
  }
}

/* --- in parts --------------------------------------------------------------------------------- */

/* The south and the north become a pair, or are none any more. */
static void pair_up(ria_sim *sim, bool ring) {
  for (int side = RIA_SOUTH; side <= RIA_NORTH; side++) {
    ria_boundary_desc b = {.kind = ring ? "periodic" : torus_kinds[side], .side = (ria_side)side};
    if (!ring && side == RIA_SOUTH) b.values[0] = (ria_boundary_value){"level", {.constant = 0.1}};
    CHECK_OK(ria_sim_context(sim), ria_boundary_change(sim, torus_side[side], &b));
  }
}

static bool turns; /* the pair comes, or goes, for a while */

static void run_in(int parts, const torus *s, ria_real real, double *room, double *out) {
  const int cells = s->nx * s->ny;
  test_parts = parts;
  ria_context *ctx = test_context(test_device(), 2);
  ria_sim *sim = make(ctx, s, real, 0, 0, room);
  for (int k = 0; turns && k < 2; k++) {
    CHECK_OK(ctx, ria_sim_run(sim, 6 + 6 * k));
    pair_up(sim, s->y == (k == 1));
  }
  CHECK_OK(ctx, ria_sim_run(sim, 20));
  for (int k = 0; k < OUT; k++) CHECK_OK(ctx, ria_sim_get(sim, out_names[k], out + k * cells));
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
}

static bool on_cpu(void) { return strcmp(test_device(), "cpu") == 0; }

/* In the first so many of these counts of parts, or as many as there are rows; on GPUs four of them
 * at least. */
static void has_the_same_bits(const torus *s, ria_real real, int most) {
  static const int counts[] = {2, 3, 4, 7};
  const int all = on_cpu() ? s->ny : s->ny / 4;
  const size_t n = (size_t)s->nx * (size_t)s->ny * OUT;
  double *room = malloc(3 * n * sizeof *room);
  if (!room) abort();
  run_in(1, s, real, room, room + n);
  for (int k = s->y || turns ? 0 : 2; k < most; k++) {
    const int parts = counts[k] < all ? counts[k] : all;
    if (parts <= 1 || (k > 0 && parts == counts[k - 1])) continue;
    run_in(parts, s, real, room, room + 2 * n);
    if (!CHECK(memcmp(room + n, room + 2 * n, n * sizeof *room) == 0))
      printf("%d x %d, %s, %d parts\n", s->nx, s->ny, real_name[real], parts);
  }
  free(room);
}

/* No pair is periodic: what radiating sides keep counts where a part takes a row beside it. */
static void open_in_parts(void) {
  static const torus sea = {.nx = 33, .ny = 40, .stirred = true};
  dt = 3;
  order = 1;
  has_the_same_bits(&sea, RIA_F64, 4);
}

static void parts(void) {
  for (int k = 0; k < SCENES; k++)
    for (int real = 0; real < 2; real++) {
      set_scene(k);
      has_the_same_bits(&scenes[k], (ria_real)real, on_cpu() ? 4 : 3);
    }
  open_in_parts();
  dt = 2;
  for (int real = 0; real < 2;
       real++) /* of cells at the sides those beyond the seam are looked at, too */
    has_the_same_bits(&(torus){.nx = 33, .ny = 40, .y = true, .mouths = true}, (ria_real)real,
                      on_cpu() ? 4 : 3);
  turns = true;
  dt = 3;
  for (int real = 0; real < 2; real++)
    for (int k = 0; k < 2; k++)
      has_the_same_bits(&(torus){.nx = 33, .ny = 40, .y = k == 0, .dry = true, .spills = true},
                        (ria_real)real, on_cpu() ? 4 : 3);
  turns = false;
  test_parts = 1;
}

int main(void) {
  dt = 1;
  order = 2;
  shifts();
  dt = 2;
  for (int real = 0; real < 2; real++) stays_uniform((ria_real)real, real ? 2e-4 : 5e-13);
  dt = 20;
  driven_by_wind(true);
  driven_by_wind(false);
  arrives(1, 1.85);
  arrives(3, 1.55);
  parts();
  dt = 1;
  refuses();
  return TEST_END();
}
