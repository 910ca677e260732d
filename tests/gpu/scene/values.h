/* values.h - for scene.h: values that change in time, constants among them; the wind. */
#ifndef SCENE_VALUES_H
#define SCENE_VALUES_H

static ria_series *long_tide(ria_context *ctx, dice *d, const scene *s, double base, double swing,
                             double ramp) {
  enum { PARTS = 45 };
  ria_constituent part[PARTS];
  ria_series *series = NULL;
  for (int k = 0; k < PARTS; k++)
    part[k] = (ria_constituent){NULL, 360 / (roll(d, 30, 120) * scene_tick(s) / 3600),
                                swing * roll(d, 0, 0.1), roll(d, 0, 360)};
  CHECK_OK(ctx,
           ria_series_tide(
               ctx, &(ria_tide_desc){.constituents = part, .n = PARTS, .z0 = base, .ramp = ramp},
               &series));
  return series;
}

/* Smooth, and few steps where it goes by steps: else the last place of the clock would show. */
static ria_series *long_table(ria_context *ctx, dice *d, const scene *s, double base, double swing,
                              double ramp) {
  enum { KNOTS = 1500 };
  static double t[KNOTS], v[KNOTS];
  const double tick = scene_tick(s), wave = roll(d, 30, 120) * tick;
  const bool steps = chance(d, 0.3);
  const double apart = steps ? 2.3 : 0.15;
  const int n = steps ? 100 : KNOTS;
  ria_series *series = NULL;
  for (int k = 0; k < n; k++) {
    t[k] = apart * (k - 3 + roll(d, 0, 0.7)) * tick;
    v[k] = swing * sin(6.28 * t[k] / wave);
  }
  const ria_table_desc table = {.t = t,
                                .v = v,
                                .n = (size_t)n,
                                .interp = steps ? RIA_STEP : RIA_LINEAR,
                                .hold = true,
                                .ramp = ramp,
                                .offset = base};
  CHECK_OK(ctx, ria_series_table(ctx, &table, &series));
  return series;
}

/* About base, changing by up to `swing`: a constant, a tide or a table. *series is the caller's. */
static ria_value value_of(ria_context *ctx, dice *d, const scene *s, double base, double swing,
                          ria_series **series) {
  const double tick = scene_tick(s), ramp = chance(d, 0.5) ? roll(d, 5, 60) * tick : 0;
  const int kind = pick(d, 4);
  *series = NULL;
  if (s->many && kind < 2) {
    *series = (kind == 0 ? long_tide : long_table)(ctx, d, s, base, swing, ramp);
  } else if (kind == 0) {
    const double per_hour = 360 / (roll(d, 30, 120) * tick / 3600); /* deg */
    const ria_constituent parts[] = {{NULL, per_hour, swing, roll(d, 0, 360)},
                                     {NULL, 2.1 * per_hour, 0.3 * swing, roll(d, 0, 360)},
                                     {"M2", 0, 0.3 * swing, roll(d, 0, 360)}};
    CHECK_OK(ctx,
             ria_series_tide(
                 ctx, &(ria_tide_desc){.constituents = parts, .n = 3, .z0 = base, .ramp = ramp},
                 series));
  } else if (kind == 1) {
    double t[12], v[12];
    for (int k = 0; k < 12; k++) {
      t[k] = (k - 1 + roll(d, 0, 0.9)) * 13 * tick;
      v[k] = roll(d, -swing, swing);
    }
    const ria_table_desc table = {.t = t,
                                  .v = v,
                                  .n = 12,
                                  .interp = chance(d, 0.5) ? RIA_LINEAR : RIA_STEP,
                                  .hold = true,
                                  .ramp = ramp,
                                  .offset = base};
    CHECK_OK(ctx, ria_series_table(ctx, &table, series));
  }
  return (ria_value){.constant = base + roll(d, -swing, swing), .series = *series};
}

/* A wind that changes, in some scenes. */
static void add_gusts(ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  dice d = dice_for(s, "gusts");
  ria_series *series[2] = {NULL, NULL};
  if (s->closed || s->unforced) return;
  if (chance(&d, 0.3)) {
    const ria_value speed = value_of(ctx, &d, s, 12, 10, &series[0]);
    CHECK_OK(ctx, ria_sim_vary(sim, "wind_speed", &speed));
  }
  if (chance(&d, 0.3)) {
    const ria_value from = value_of(ctx, &d, s, 0, 350, &series[1]);
    CHECK_OK(ctx, ria_sim_vary(sim, "wind_from", &from));
  }
  for (int k = 0; k < 2; k++) ria_series_destroy(&series[k]);
}

#endif
