/* layers.h - for scene.h: layers in which the flow is drawn to a given one. */
#ifndef SCENE_LAYERS_H
#define SCENE_LAYERS_H

/* A disc of some cells, by a map; NULL: the layer lies along sides. */
static double *layer_map(const scene *s) {
  const ria_grid g = scene_grid(s);
  dice d = dice_for(s, "layer's map");
  if (!chance(&d, 0.3)) return NULL;
  double *map = malloc((size_t)g.nx * (size_t)g.ny * sizeof *map);
  const double x = roll(&d, 0, g.nx), y = roll(&d, 0, g.ny), r = roll(&d, 1, 0.5 * (g.nx + g.ny));
  CHECK(map);
  for (int j = 0; j < g.ny; j++)
    for (int i = 0; i < g.nx; i++)
      map[(size_t)j * (size_t)g.nx + (size_t)i] = fmax(0, 1 - hypot(i - x, j - y) / r);
  return map;
}

/* Layers that draw the flow, in some scenes: one, or two that overlap. */
static void add_layer(ria_sim *sim, dice *d, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  const ria_grid g = scene_grid(s);
  const double fast = s->land == DAM ? 2 : 0.5;
  ria_series *series[1 + RIA_MAX_TRACERS] = {NULL};
  ria_relax_desc r = {.width = roll(d, 1, 20) * fmax(g.dx, g.dy),
                      .time = roll(d, 1, 60) * scene_tick(s),
                      .given = 1u + (unsigned)pick(d, 7)};
  double *map = layer_map(s);
  r.map = map;
  r.side[pick(d, RIA_SIDES)] = r.side[pick(d, RIA_SIDES)] = !map;
  if (map) r.width = 0;
  r.flow[RIA_RELAX_LEVEL] = value_of(ctx, d, s, s->land == PLAIN ? 1.5 : 0.2, 0.5, &series[0]);
  r.flow[RIA_RELAX_U].constant = roll(d, -fast, fast);
  r.flow[RIA_RELAX_V].constant = roll(d, -fast, fast);
  for (int k = 0; k < s->n_tracers; k++) {
    if (chance(d, 0.5)) continue;
    r.tracers[k] = value_of(ctx, d, s, 1.5, 0.5, &series[1 + k]);
    r.tracers_given |= 1u << k;
  }
  CHECK_OK(ctx, ria_relax_add(sim, &r));
  free(map);
  for (int k = 0; k < 1 + RIA_MAX_TRACERS; k++) ria_series_destroy(&series[k]);
}

static int scene_n_layers(const scene *s, dice *d) {
  *d = dice_for(s, "layers");
  const int n = pick(d, 6) - 3; /* in a third of the scenes */
  return s->closed || n < 0 ? 0 : n;
}

static void add_layers(ria_sim *sim, const scene *s) {
  dice d;
  const int n = scene_n_layers(s, &d);
  for (int k = 0; k < n; k++) add_layer(sim, &d, s);
}

#endif
