/* settings.h - for scene.h: parameters of the solver, explicit or implicit, and the simulation
 * before anything is set in it. */
#ifndef SCENE_SETTINGS_H
#define SCENE_SETTINGS_H

enum { SETTINGS = 20 };

static int flow_settings(const scene *s, dice *d, ria_setting *p) {
  static const double dry[] = {1e-6, 1e-6, 1e-9, 1e-12, 1e-3, 0.1};
  int n = 0;
  p[n++] = (ria_setting){"gravity", 9.81 * (1 + s->nudge), NULL};
  p[n++] = (ria_setting){"manning", chance(d, 0.6) ? roll(d, 0.005, 0.1) : 0, NULL};
  p[n++] = (ria_setting){"cfl", chance(d, 0.7) ? 0.9 : roll(d, 0.2, 0.95), NULL};
  p[n++] = (ria_setting){"dry_depth", dry[pick(d, 6)], NULL};
  p[n++] = (ria_setting){"dt_max", chance(d, 0.2) ? 0.8 * scene_tick(s) : 0, NULL};
  p[n++] = (ria_setting){"dt_min", 0, NULL};
  dice f = dice_for(s, "forces");
  const int unforced = n;
  if (chance(&f, 0.4)) p[n++] = (ria_setting){"latitude", roll(&f, -80, 80), NULL};
  if (chance(&f, 0.4)) p[n++] = (ria_setting){"wind_speed", roll(&f, 1, 50), NULL};
  if (s->unforced) n = unforced;
  p[n++] = (ria_setting){"wind_from", roll(&f, -360, 360), NULL};
  if (chance(&f, 0.3)) p[n++] = (ria_setting){"wind_drag", roll(&f, 0.001, 0.01), NULL};
  if (chance(&f, 0.5)) p[n++] = (ria_setting){"wind_depth", roll(&f, 0.001, 2), NULL};
  p[n++] = (ria_setting){"order", s->order, NULL};
  p[n++] = (ria_setting){"limiter", s->limiter, NULL};
  dice e = dice_for(s, "eddies");
  const bool stirred = !s->usual && chance(&e, 0.2);
  const double part = roll(&e, 0, 0.1) * pow(scene_grid(s).dx, 2) / scene_tick(s);
  if (stirred && chance(&e, 0.6)) p[n++] = (ria_setting){"eddy", part, NULL};
  if (stirred && chance(&e, 0.7)) p[n++] = (ria_setting){"smagorinsky", roll(&e, 0.2, 1), NULL};
  if (stirred && chance(&e, 0.3)) p[n++] = (ria_setting){"schmidt", roll(&e, 0.3, 3), NULL};
  return n;
}

/* Courant numbers from 1/2 to 6, and each of the terms that can be switched. */
static int implicit_settings(const scene *s, dice *d, ria_setting *p) {
  const double dt = scene_tick(s) * roll(d, 0.5, 4), drying = chance(d, 0.5) ? 0.01 : 0.001;
  const bool follows = s->rivers && s->seed % 3; /* the flow says how long a step is */
  const double cell = scene_grid(s).dx;
  int n = 0;
  p[n++] = (ria_setting){"gravity", 9.81 * (1 + s->nudge), NULL};
  p[n++] = (ria_setting){"manning", chance(d, 0.8) ? roll(d, 0.01, 0.1) : 0, NULL};
  p[n++] = (ria_setting){"dt", follows ? 0 : dt, NULL};
  p[n++] = (ria_setting){"drying_depth", drying, NULL};
  p[n++] = (ria_setting){"flooding_depth", 2 * drying, NULL};
  p[n++] = (ria_setting){"land", chance(d, 0.3) ? 1 : 1e9, NULL};
  p[n++] = (ria_setting){"latitude", chance(d, 0.4) ? roll(d, -80, 80) : 0, NULL};
  p[n++] = (ria_setting){"wind_speed", chance(d, 0.4) ? roll(d, 1, 30) : 0, NULL};
  p[n++] = (ria_setting){"wind_from", roll(d, 0, 360), NULL};
  p[n++] = (ria_setting){"eddy", chance(d, 0.3) ? roll(d, 0, 0.05) * cell * cell / dt : 0, NULL};
  if (follows) p[n - 1].number = 0;
  p[n++] = (ria_setting){"smagorinsky", chance(d, 0.3) ? roll(d, 0.2, 0.8) : 0, NULL};
  p[n++] = (ria_setting){"upwind", 0, chance(d, 0.7) ? "froude" : "off"};
  p[n++] = (ria_setting){"cross", 0, chance(d, 0.7) ? "steady" : "thesis"};
  p[n++] = (ria_setting){"order", s->order, NULL};
  p[n++] = (ria_setting){"limiter", s->limiter, NULL};
  return n;
}

static ria_sim *make_bare(ria_context *ctx, const scene *s) {
  dice d = dice_for(s, "parameters");
  const ria_grid g = scene_grid(s);
  ria_setting params[SETTINGS];
  const bool implicit = strcmp(SCENE_SOLVER, "adi") == 0;
  const int n_params = implicit ? implicit_settings(s, &d, params) : flow_settings(s, &d, params);
  ria_tracer tracers[RIA_MAX_TRACERS] = {{0}};
  for (int k = 0; k < s->n_tracers; k++) {
    tracers[k].name = tracer_name[k];
    if (s->usual) continue;
    if (chance(&d, 0.5)) tracers[k].decay = roll(&d, 0, 0.005) / scene_tick(s);
    if (chance(&d, 0.4)) tracers[k].diffusion = roll(&d, 0, 0.03) * g.dx * g.dx / scene_tick(s);
  }
  const ria_sim_desc desc = {.solver = SCENE_SOLVER,
                             .grid = g,
                             .precision = s->real,
                             .params = params,
                             .n_params = (size_t)n_params,
                             .tracers = tracers,
                             .n_tracers = (size_t)s->n_tracers};
  ria_sim *sim = NULL;
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) exit(1);
  return sim;
}

#endif
