/* sources.h - for scene.h: spills, many small sources at once, springs on dry land. */
#ifndef SCENE_SOURCES_H
#define SCENE_SOURCES_H

/* A release over some cells about (x, y), of one of the forms there are, starting at t. */
static void add_spill(ria_sim *sim, dice *d, const scene *s, double x, double y, double t) {
  ria_context *ctx = ria_sim_context(sim);
  const ria_grid g = scene_grid(s);
  const double tick = scene_tick(s), area = g.dx * g.dy;
  ria_series *series[2] = {NULL, NULL};
  ria_spill_desc p = {.x = x, .y = y, .start = t, .radius = roll(d, 0, 4) * g.dx};
  p.tracer = s->n_tracers ? tracer_name[pick(d, s->n_tracers)] : NULL;
  switch (p.tracer ? pick(d, 4) : 3) {
  case 0:
    p.mass = roll(d, 0.1, 5) * area;
    break;
  case 1:
    p.mass = roll(d, 0.1, 5) * area;
    p.duration = roll(d, 3, 40) * tick;
    break;
  case 2:
    p.has_rate = true; /* as little as a trickle that no single step can hold */
    p.rate = value_of(ctx, d, s, pow(10, roll(d, -9, -1)) * area / tick, 0, &series[0]);
    break;
  default:
    p.has_flow = true;
    p.flow = value_of(ctx, d, s, 0.05 * area / tick, 0.02 * area / tick, &series[0]);
    p.conc.constant = p.tracer ? 3 : 0;
    p.duration = chance(d, 0.5) ? roll(d, 10, 200) * tick : 0;
  }
  CHECK_OK(ctx, ria_sim_spill(sim, &p, NULL));
  for (int k = 0; k < 2; k++) ria_series_destroy(&series[k]);
}

/* So many that run at once, over each other's cells. */
static void add_trickles(ria_sim *sim, const scene *s, double x, double y) {
  enum { TRICKLES = 70 };
  ria_context *ctx = ria_sim_context(sim);
  dice d = dice_for(s, "trickles");
  const ria_grid g = scene_grid(s);
  const double tick = scene_tick(s), area = g.dx * g.dy;
  for (int k = 0; k < TRICKLES; k++) {
    ria_series *series = NULL;
    ria_spill_desc p = {.x = x, .y = y, .start = roll(&d, 0, 30) * tick};
    /* one of more cells than a block has threads */
    p.radius = (k == 0 ? 25 : roll(&d, 0, 6)) * g.dx;
    p.duration = roll(&d, 10, 100) * tick;
    p.tracer = s->n_tracers ? tracer_name[pick(&d, s->n_tracers)] : NULL;
    const double most = 0.05 * area / tick / TRICKLES;
    const ria_value amount = value_of(ctx, &d, s, most, 0.5 * most, &series);
    p.has_rate = p.tracer && chance(&d, 0.5);
    p.has_flow = !p.has_rate;
    *(p.has_rate ? &p.rate : &p.flow) = amount;
    p.conc.constant = p.tracer && p.has_flow ? 2 : 0;
    CHECK_OK(ctx, ria_sim_spill(sim, &p, NULL));
    ria_series_destroy(&series);
  }
}

static void add_spills(ria_sim *sim, const scene *s, int deepest) {
  dice d = dice_for(s, "spills");
  const ria_grid g = scene_grid(s);
  double x = g.x0 + (deepest % s->nx + 0.5) * g.dx, y = g.y0 + (deepest / s->nx + 0.5) * g.dy;
  ria_grid_to_map(&g, &x, &y);
  const int n = deepest < 0 || s->closed ? 0 : pick(&d, 4);
  for (int k = 0; k < n; k++)
    add_spill(sim, &d, s, x, y, chance(&d, 0.5) ? 0 : roll(&d, 0, 12) * scene_tick(s));
  if (s->many && deepest >= 0) add_trickles(sim, s, x, y);
}

/* A cell without water; -1 if none was met. */
static int dry_cell(const scene *s, dice *d, const double *depth) {
  for (int k = 0; k < 200; k++) {
    const int cell = pick(d, s->nx * s->ny);
    if (!(depth[cell] > 0)) return cell;
  }
  return -1;
}

/* Springs, burst mains and sewers where no water is, from the first step on or later. */
static void add_springs(ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  dice d = dice_for(s, "springs");
  const ria_grid g = scene_grid(s);
  const double tick = scene_tick(s), area = g.dx * g.dy;
  double *depth = array_for(s);
  CHECK_OK(ctx, ria_sim_get(sim, "depth", depth));
  for (int k = 0; k < 3; k++) {
    const int cell = dry_cell(s, &d, depth);
    if (cell < 0) break;
    ria_series *series = NULL;
    ria_spill_desc p = {.x = g.x0 + (cell % s->nx + 0.5) * g.dx,
                        .y = g.y0 + (cell / s->nx + 0.5) * g.dy,
                        .radius = roll(&d, 0, 4) * g.dx,
                        .start = chance(&d, 0.5) ? 0 : roll(&d, 0, 12) * tick};
    ria_grid_to_map(&g, &p.x, &p.y);
    if (k == 2) {
      p.volume = roll(&d, 0.1, 2) * area;
      p.duration = chance(&d, 0.5) ? roll(&d, 3, 40) * tick : 0;
    } else {
      p.has_flow = true;
      p.flow = value_of(ctx, &d, s, 0.05 * area / tick, 0.02 * area / tick, &series);
      p.tracer = s->n_tracers && k == 1 ? tracer_name[pick(&d, s->n_tracers)] : NULL;
      p.conc.constant = p.tracer ? 3 : 0;
      p.duration = chance(&d, 0.5) ? roll(&d, 10, 200) * tick : 0;
    }
    CHECK_OK(ctx, ria_sim_spill(sim, &p, NULL));
    ria_series_destroy(&series);
  }
  free(depth);
}

#endif
