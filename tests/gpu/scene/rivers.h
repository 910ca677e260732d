/* rivers.h - for scene.h: hundreds of rivers, as sources and as stretches of the sides. Sources
 * share cells, start and stop, lie on dry ground; stretches have from one cell to more than a warp
 * has lanes, some of them dry. */
#ifndef SCENE_RIVERS_H
#define SCENE_RIVERS_H

enum { MOST_RIVERS = 400, MOST_MOUTHS = 200 };

static int scene_rivers(const scene *s) {
  dice d = dice_for(s, "rivers");
  return s->rivers ? 40 + pick(&d, MOST_RIVERS - 40) : 0;
}

/* Where several of them meet, else anywhere. */
static void river_place(const scene *s, dice *d, double *x, double *y) {
  const ria_grid g = scene_grid(s);
  dice meet = dice_for(s, "confluences");
  const int which = pick(d, 5);
  dice *at = chance(d, 0.3) ? &meet : d;
  for (int k = 0; k < (at == d ? 1 : 1 + which); k++) {
    *x = g.x0 + (pick(at, s->nx) + 0.5) * g.dx;
    *y = g.y0 + (pick(at, s->ny) + 0.5) * g.dy;
  }
  ria_grid_to_map(&g, x, y);
}

static void add_river(ria_sim *sim, dice *d, const scene *s, int n) {
  ria_context *ctx = ria_sim_context(sim);
  const ria_grid g = scene_grid(s);
  const double tick = scene_tick(s), most = 2 * g.dx * g.dy / tick / n;
  ria_series *series = NULL;
  ria_spill_desc p = {.start = chance(d, 0.5) ? 0 : roll(d, 0, 30) * tick, .has_flow = true};
  river_place(s, d, &p.x, &p.y);
  p.radius = chance(d, 0.5) ? 0 : roll(d, 0, 3) * g.dx;
  p.duration = chance(d, 0.5) ? roll(d, 2, 60) * tick : 0;
  p.tracer = s->n_tracers && chance(d, 0.5) ? tracer_name[pick(d, s->n_tracers)] : NULL;
  p.flow = value_of(ctx, d, s, most, 0.2 * most, &series);
  if (p.tracer) p.conc.constant = roll(d, 0, 4);
  CHECK_OK(ctx, ria_sim_spill(sim, &p, NULL));
  ria_series_destroy(&series);
}

/* Stretches side by side along a side, with what was there before between some of them. Returns how
 * many there are; sim NULL: counts. */
static int add_mouths(ria_sim *sim, const scene *s, int side, int first) {
  const ria_grid g = scene_grid(s);
  dice d = dice_for(s, "mouths");
  d.state += (uint64_t)side;
  const bool upright = side == RIA_WEST || side == RIA_EAST;
  const double along = upright ? g.dy : g.dx, origin = upright ? g.y0 : g.x0;
  const int n = ria_side_length(&g, (ria_side)side), longest = chance(&d, 0.3) ? 80 : 6;
  int count = 0;
  for (int k = pick(&d, 3); k < n && first + count < MOST_MOUTHS; k += chance(&d, 0.3)) {
    const int cells = k + longest < n ? 1 + pick(&d, longest) : 1;
    const double wide = cells * along, deep = s->land == BASIN ? 20 : 1;
    const bool level = chance(&d, 0.15);
    const double q = (chance(&d, 0.2) ? -0.2 : 1) * deep * roll(&d, 0.02, 0.3) * wide;
    ria_context *ctx = sim ? ria_sim_context(sim) : NULL;
    ria_series *series[2] = {NULL, NULL};
    char name[16];
    snprintf(name, sizeof name, "r%d", first + count++);
    ria_boundary_desc b = {.name = name, .side = (ria_side)side, .stretch = true};
    b.kind = level ? "level" : "discharge";
    b.from[upright] = origin + (k + 0.25) * along;
    b.to[upright] = origin + (k + cells - 0.25) * along;
    b.from[!upright] = b.to[!upright] = side == RIA_EAST    ? g.x0 + g.nx * g.dx
                                        : side == RIA_WEST  ? g.x0
                                        : side == RIA_NORTH ? g.y0 + g.ny * g.dy
                                                            : g.y0;
    ria_grid_to_map(&g, &b.from[0], &b.from[1]);
    ria_grid_to_map(&g, &b.to[0], &b.to[1]);
    k += cells;
    if (!sim) continue;
    dice v = dice_for(s, name);
    const double base = level ? (s->land == PLAIN ? 1.5 : 0.1) : q;
    b.values[0] = (ria_boundary_value){level ? "level" : "q",
                                       value_of(ctx, &v, s, base, 0.3 * fabs(base), &series[0])};
    if (s->n_tracers && chance(&v, 0.5)) b.tracers[0] = value_of(ctx, &v, s, 1.5, 0.5, &series[1]);
    CHECK_OK(ctx, ria_boundary_add(sim, &b, NULL));
    for (int m = 0; m < 2; m++) ria_series_destroy(&series[m]);
  }
  return count;
}

/* On all sides, how many. */
static int scene_mouths(ria_sim *sim, const scene *s) {
  int n = 0;
  for (int side = 0; s->rivers && side < RIA_SIDES; side++) n += add_mouths(sim, s, side, n);
  return n;
}

static void add_rivers(ria_sim *sim, const scene *s) {
  dice d = dice_for(s, "springs and rivers");
  const int n = scene_rivers(s);
  for (int k = 0; k < n; k++) add_river(sim, &d, s, n);
  scene_mouths(sim, s);
}

#endif
