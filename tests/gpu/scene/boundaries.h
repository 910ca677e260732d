/* boundaries.h - for scene.h: the four sides and stretches of them, of every kind, with values
 * along them. */
#ifndef SCENE_BOUNDARIES_H
#define SCENE_BOUNDARIES_H

enum { MOST_STRETCHES = 5, MOST_BOUNDARIES = RIA_SIDES + MOST_STRETCHES };
static const char *const boundary_name[MOST_BOUNDARIES] = {"b0", "b1", "b2", "b3", "b4",
                                                           "b5", "b6", "b7", "b8"};

/* Is the solver one that has slopes of `open`, `normal`, `free`? Else `rating` is drawn. */
static bool has_outlets(void) { return strcmp(SCENE_SOLVER, "shallow_water") == 0; }

/* A curve for an outlet `width` m wide; its first level may be under water or above it. */
static ria_series *draw_curve(ria_context *ctx, dice *d, const scene *s, double width) {
  const double deep = s->land == BASIN ? 20 : 1;
  double q[4] = {0}, level[4] = {roll(d, -1, 0.3)};
  ria_series *series = NULL;
  for (int k = 1; k < 4; k++) {
    q[k] = q[k - 1] + deep * roll(d, 0.05, 0.5) * width;
    level[k] = level[k - 1] + roll(d, 0.02, 0.8);
  }
  CHECK_OK(ctx, ria_series_table(ctx, &(ria_table_desc){.t = q, .v = level, .n = 4}, &series));
  return series;
}

/* An open boundary becomes one of the outlets that there are. Dice of its own: what else is drawn
 * does not depend on it. series: of its slope, or curve. */
static void draw_outlet(ria_context *ctx, const scene *s, double width, ria_boundary_desc *b,
                        ria_series **series) {
  static const char *const kinds[][4] = {{"open", "open", "normal", "free"},
                                         {"open", "open", "rating", "rating"}};
  dice d = dice_for(s, b->name);
  const int kind = pick(&d, 4);
  b->kind = s->rated ? "rating" : kinds[!has_outlets()][kind];
  if (!s->rated && has_outlets() && (kind == 1 || kind == 2))
    b->values[0] = (ria_boundary_value){"slope", value_of(ctx, &d, s, 0.02, 0.015, series)};
  if (strcmp(b->kind, "rating") != 0) return;
  *series = draw_curve(ctx, &d, s, width);
  b->values[0] = (ria_boundary_value){"curve", {0, *series}};
}

/* Does water only leave? */
static bool lets_out(const char *kind) {
  return !strcmp(kind, "normal") || !strcmp(kind, "free") || !strcmp(kind, "rating");
}

enum { MOST_POINTS = 5, BOUND_SERIES = 3 + RIA_MAX_TRACERS + 2 * MOST_POINTS };

/* A tide of n constituents, 1.5 times as fast from one to the next. */
static ria_series *tide_at(ria_context *ctx, dice *d, int n, double first, double base,
                           double swing, double ramp) {
  ria_constituent part[40];
  ria_series *series = NULL;
  for (int k = 0; k < n; k++)
    part[k] = (ria_constituent){NULL, first * (1 + 0.5 * k), swing * roll(d, 0, 1.0 / n),
                                roll(d, 0, 360)};
  const ria_tide_desc tide = {.constituents = part, .n = (size_t)n, .z0 = base, .ramp = ramp};
  CHECK_OK(ctx, ria_series_tide(ctx, &tide, &series));
  return series;
}

/* Some levels are given at points: tides that share their constituents, or any values. Dice of
 * their own, as for outlets. series: [MOST_POINTS] */
static void draw_points(ria_context *ctx, const scene *s, ria_boundary_desc *b, double base,
                        ria_series *series[]) {
  static ria_boundary_point point[2 * MOST_POINTS];
  char subject[32];
  snprintf(subject, sizeof subject, "%s along", b->name);
  dice d = dice_for(s, subject);
  const int n = 1 + pick(&d, MOST_POINTS), parts = s->many ? 40 : 1 + pick(&d, 6);
  const bool tides = chance(&d, 0.5);
  const double first = 360 / (roll(&d, 60, 120) * scene_tick(s) / 3600), /* deg/h */
      ramp = chance(&d, 0.3) ? roll(&d, 5, 60) * scene_tick(s) : 0;
  if (!chance(&d, 0.4)) return;
  for (int k = 0; k < n; k++) {
    point[k] = (ria_boundary_point){
        .name = "level", .by_share = true, .share = (k + roll(&d, 0.1, 0.9)) / n};
    if (tides)
      point[k].value.series = series[k] = tide_at(ctx, &d, parts, first, base, 0.5, ramp);
    else
      point[k].value = value_of(ctx, &d, s, base, 0.5, &series[k]);
  }
  b->values[0].name = NULL;
  b->points = point;
  b->n_points = (size_t)n;
}

/* A sea with a level may radiate, and have a current, also at points. series: of the current. */
static void draw_sea(ria_context *ctx, const scene *s, ria_boundary_desc *b, ria_series *series[]) {
  char subject[32];
  snprintf(subject, sizeof subject, "%s radiates", b->name);
  dice d = dice_for(s, subject);
  if (!chance(&d, 0.5)) return;
  b->kind = "radiate";
  if (chance(&d, 0.7))
    b->values[2] = (ria_boundary_value){"v", value_of(ctx, &d, s, 0.1, 0.3, &series[0])};
  if (b->n_points == 0 || chance(&d, 0.5)) {
    b->values[1] = (ria_boundary_value){"u", value_of(ctx, &d, s, 0.1, 0.3, &series[1])};
    return;
  }
  const size_t n = b->n_points;
  ria_boundary_point *point = (ria_boundary_point *)b->points; /* draw_points has room for both */
  for (size_t k = 0; k < n; k++) {
    point[n + k] = point[k];
    point[n + k].name = "u";
    point[n + k].value = value_of(ctx, &d, s, 0.1, 0.3, &series[2 + k]);
  }
  b->n_points = 2 * n;
}

/* Kind, values and concentrations of a boundary `width` m wide, into b. series: [BOUND_SERIES] */
static void draw_kind(ria_context *ctx, dice *d, const scene *s, double width, ria_boundary_desc *b,
                      ria_series *series[]) {
  static const char *const kinds[] = {"wall", "open", "level", "discharge"};
  const int drawn = s->closed ? 0 : s->land == PLAIN ? 2 + pick(d, 2) : pick(d, 4);
  const int kind = s->rated && drawn == 0 ? 1 : drawn;
  b->kind = kinds[kind];
  if (kind == 1) draw_outlet(ctx, s, width, b, &series[0]);
  if (kind == 2) {
    const double base = s->land == PLAIN ? 1.5 : 0.2;
    b->values[0] = (ria_boundary_value){"level", value_of(ctx, d, s, base, 0.5, &series[0])};
    draw_points(ctx, s, b, base, series + 1 + RIA_MAX_TRACERS);
    draw_sea(ctx, s, b, series + 1 + RIA_MAX_TRACERS + MOST_POINTS);
  }
  if (kind == 3) {
    const double deep = s->land == BASIN ? 20 : 1, way = chance(d, 0.3) ? -0.3 : 1;
    const double q = way * deep * roll(d, 0.1, 1) * width;
    b->values[0] = (ria_boundary_value){"q", value_of(ctx, d, s, q, 0.3 * fabs(q), &series[0])};
  }
  for (int k = 0; kind > 0 && k < s->n_tracers; k++)
    if (chance(d, 0.7)) b->tracers[k] = value_of(ctx, d, s, 1.5, 0.5, &series[1 + k]);
  if (lets_out(b->kind)) memset(b->tracers, 0, sizeof b->tracers); /* they bring nothing */
}

/* Is a side periodic? */
static bool is_ring(const scene *s, ria_side side) { return s->ring[side / 2]; }
/* Of either axis the low side comes first. */
_Static_assert(RIA_WEST / 2 == RIA_EAST / 2 && RIA_SOUTH / 2 == RIA_NORTH / 2, "pairs of sides");

static void add_boundary(ria_sim *sim, dice *d, const scene *s, int index, bool stretch) {
  const ria_grid g = scene_grid(s);
  ria_context *ctx = ria_sim_context(sim);
  ria_series *series[BOUND_SERIES] = {NULL};
  int of = stretch ? pick(d, RIA_SIDES) : index;
  if (stretch && is_ring(s, (ria_side)of)) of = (of + 2) % RIA_SIDES; /* it is whole */
  const ria_side side = (ria_side)of;
  ria_boundary_desc b = {.name = boundary_name[index], .side = side, .stretch = stretch};
  const bool upright = side == RIA_WEST || side == RIA_EAST;
  const int n = ria_side_length(&g, side), first = stretch ? pick(d, n) : 0;
  const int cells = stretch ? 1 + pick(d, n - first) : n;
  const double across = side == RIA_EAST    ? g.x0 + g.nx * g.dx
                        : side == RIA_WEST  ? g.x0
                        : side == RIA_NORTH ? g.y0 + g.ny * g.dy
                                            : g.y0;
  const double along = upright ? g.dy : g.dx, origin = upright ? g.y0 : g.x0;
  b.from[upright] = origin + (first + 0.25) * along;
  b.to[upright] = origin + (first + cells - 0.25) * along;
  b.from[!upright] = b.to[!upright] = across;
  ria_grid_to_map(&g, &b.from[0], &b.from[1]);
  ria_grid_to_map(&g, &b.to[0], &b.to[1]);
  if (is_ring(s, side))
    b.kind = "periodic";
  else
    draw_kind(ctx, d, s, cells * along, &b, series);
  CHECK_OK(ctx, ria_boundary_add(sim, &b, NULL));
  for (int k = 0; k < BOUND_SERIES; k++) ria_series_destroy(&series[k]);
}

static int scene_stretches(const scene *s) {
  dice d = dice_for(s, "stretches");
  return s->closed || (s->ring[0] && s->ring[1]) ? 0 : pick(&d, MOST_STRETCHES + 1);
}

/* The dice go on with add_stretches. */
static dice add_sides(ria_sim *sim, const scene *s) {
  dice d = dice_for(s, "boundaries");
  for (int k = 0; k < RIA_SIDES; k++) add_boundary(sim, &d, s, k, false);
  return d;
}

static void add_stretches(ria_sim *sim, const scene *s, dice d) {
  for (int k = 0; k < scene_stretches(s); k++) add_boundary(sim, &d, s, RIA_SIDES + k, true);
}

#endif
