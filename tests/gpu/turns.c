/* Two simulations by turns (ria_sim_queue, ria_sim_wait) give the bits of each alone: every pair of
 * shallow_water, adi, diffusion and sediment in basins whose western side opens on the way, in
 * either precision, with gauges between steps and a look at a field in between. On a GPU their
 * steps are under way at the same time. */
#include "device.h"
#include <math.h>
#include <ria/ria.h>

static ria_context *ctx;

enum { MOST = 96 * 64, ROWS = 512 };

typedef struct outcome {
  double t, field[4][MOST], row[ROWS];
  int64_t steps;
  size_t n_fields, cells, n_rows;
  ria_budget_row budget[4];
  size_t n_budget;
} outcome;

typedef struct kind {
  const char *solver, *first, *gauged; /* a field to begin with, one to record */
  double t_end;
  int order; /* 0: by default */
} kind;

static const kind kinds[] = {{"shallow_water", "level", "level", 40.0, 1},
                             {"shallow_water", "level", "level", 40.0, 2},
                             {"adi", "level", "level", 40.0, 0},
                             {"diffusion", "u", "u", 200.0, 0},
                             {"sediment", "height", "height", 4e6, 0}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static ria_status open_west(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  (void)user;
  return ria_boundary_add(sim, &(ria_boundary_desc){.kind = "open", .side = RIA_WEST}, NULL);
}

static ria_sim *make(const kind *k, ria_real real) {
  const ria_setting order = {"order", k->order, NULL};
  const ria_sim_desc d = {.solver = k->solver,
                          .grid = {96, 64, 5.0, 5.0, 0.0, 0.0, 0},
                          .precision = real,
                          .params = &order,
                          .n_params = k->order > 0};
  ria_sim *sim = NULL;
  static double v[MOST];
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &d, &sim))) exit(1);
  ria_field_entry f;
  for (size_t i = 0; ria_sim_field_list(sim, i, &f); i++)
    if (strcmp(f.name, "bed") == 0) CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -3.0));
  for (int c = 0; c < MOST; c++)
    v[c] = 0.5 * exp(-0.002 * (pow(c % 96 - 30, 2) + pow(c / 96 - 20, 2)));
  CHECK_OK(ctx, ria_sim_set(sim, k->first, v));
  const ria_gauge_desc g = {.name = "pier",
                            .x = 200,
                            .y = 100,
                            .every = k->t_end / 97,
                            .fields = &k->gauged,
                            .n_fields = 1};
  CHECK_OK(ctx, ria_sim_gauge(sim, &g, NULL));
  CHECK_OK(ctx, ria_sim_at(sim, 0.43 * k->t_end, &(ria_action){.fn = open_west}, NULL));
  return sim;
}

static void take(ria_sim *sim, const kind *k, outcome *o) {
  const double *t, *v;
  ria_field_entry f;
  memset(o, 0, sizeof *o);
  o->t = ria_sim_time(sim);
  o->steps = ria_sim_steps(sim);
  for (size_t i = 0; o->n_fields < 4 && ria_sim_field_list(sim, i, &f); i++)
    CHECK_OK(ctx, ria_sim_get(sim, f.name, o->field[o->n_fields++]));
  CHECK_OK(ctx, ria_sim_gauge_history(sim, "pier", k->gauged, &t, &v, &o->n_rows));
  memcpy(o->row, v, (o->n_rows < ROWS ? o->n_rows : ROWS) * sizeof *v);
  o->n_budget = 4;
  CHECK_OK(ctx, ria_sim_budget(sim, o->budget, &o->n_budget));
  for (size_t q = 0; q < o->n_budget; q++) o->budget[q].name = o->budget[q].unit = NULL;
}

static void run_alone(const kind *k, ria_real real, outcome *o) {
  ria_sim *sim = make(k, real);
  CHECK_OK(ctx, ria_sim_run(sim, k->t_end));
  take(sim, k, o);
  CHECK(o->n_rows > 90 && o->steps > 5);
  ria_sim_destroy(&sim);
}

static void same(const outcome *a, const outcome *b, const kind *k, const kind *with) {
  if (CHECK(memcmp(a, b, sizeof *a) == 0)) return;
  fprintf(stderr, "  %s beside %s: %lld steps, alone %lld\n", k->solver, with->solver,
          (long long)b->steps, (long long)a->steps);
}

static void by_turns(const kind *a, const kind *b, ria_real real) {
  static outcome alone[2], turns[2];
  const kind *k[2] = {a, b};
  ria_sim *sim[2] = {make(a, real), make(b, RIA_F64)};
  bool over[2] = {false, false};
  run_alone(a, real, &alone[0]);
  run_alone(b, RIA_F64, &alone[1]);
  for (int turn = 0; !over[0] || !over[1]; turn++) {
    static double look[MOST];
    for (int i = 0; i < 2; i++)
      if (!over[i] && !CHECK_OK(ctx, ria_sim_queue(sim[i], k[i]->t_end))) exit(1);
    if (turn % 5 == 3) CHECK_OK(ctx, ria_sim_get(sim[turn % 2], k[turn % 2]->gauged, look));
    for (int i = 0; i < 2; i++)
      if (!over[i] && !CHECK_OK(ctx, ria_sim_wait(sim[i], &over[i]))) exit(1);
  }
  for (int i = 0; i < 2; i++) {
    take(sim[i], k[i], &turns[i]);
    same(&alone[i], &turns[i], k[i], k[1 - i]);
    ria_sim_destroy(&sim[i]);
  }
}

int main(void) {
  ctx = test_context(test_device(), 2);
  for (int i = 0; i < KINDS; i++)
    for (int j = i; j < KINDS; j++)
      for (int real = 0; real < 2; real++) by_turns(&kinds[i], &kinds[j], (ria_real)real);
  ria_context_destroy(&ctx);
  return TEST_END();
}
