/* set_up.h - wind set-up in a closed basin, for the solvers of flow. Included after cases.h. */
#ifndef SET_UP_H
#define SET_UP_H

static double shallow(double x, double y) { return (void)x, (void)y, -1.0; }
static double still(double x, double y) { return (void)x, (void)y, 0.0; }

/* Of a wind of 10 m/s (drag 0.0015) over density, towards the east or the north; m^2/s^2. */
static double set_up_stress(double from) {
  return (from == 270 || from == 180 ? 1 : -1) * 1.225 / 1025 * 0.0015 * 10 * 10;
}

/* That wind along a basin of 50 x 4 cells of 100 m, or 4 x 50: by how much g h dlevel/dx is off
 * its stress, as a part of it. */
static double set_up_now(flow *f, double from, int axis) {
  double *level = flow_get(f, "level");
  const double stress = set_up_stress(from);
  double worst = 0;
  for (int k = 0; k < 49; k++) {
    const double l = axis ? level[4 * k + 1] : level[50 + k];
    const double r = axis ? level[4 * k + 5] : level[51 + k];
    const double balance = gravity * (1 + 0.5 * (l + r)) * (r - l) / 100;
    worst = fmax(worst, fabs(balance / stress - 1));
  }
  free(level);
  return worst;
}

/* The same four days after it began to blow over water at rest. */
static double set_up_off(flow *f, double from, int axis) {
  flow_set(f, "bed", shallow);
  flow_set(f, "level", still);
  CHECK_OK(f->ctx, ria_sim_run(f->sim, 4 * 86400));
  return set_up_now(f, from, axis);
}

#endif
