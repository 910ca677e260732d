/* fields.h - for scene.h: the bed, the level, velocities, tracers and roughness of a scene. */
#ifndef SCENE_FIELDS_H
#define SCENE_FIELDS_H

/* A few waves of random length and direction, of amplitude 1 in sum. */
typedef struct swell {
  double kx[3], ky[3], phase[3];
} swell;

static swell swell_of(dice *d, const scene *s) {
  swell w;
  const double longest = 2 * fmax(8, fmax(s->nx, s->ny));
  for (int k = 0; k < 3; k++) {
    const double angle = roll(d, 0, 6.28), length = roll(d, 8, longest);
    w.kx[k] = 6.28 / length * cos(angle);
    w.ky[k] = 6.28 / length * sin(angle);
    w.phase[k] = roll(d, 0, 6.28);
  }
  return w;
}
static double swell_at(const swell *w, int i, int j) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += sin(w->kx[k] * i + w->ky[k] * j + w->phase[k]) / 3;
  return sum;
}

/* base + tall * swell + rough * noise */
static void fill(double *a, const scene *s, dice *d, double base, double tall, double rough) {
  const swell w = swell_of(d, s);
  for (int j = 0; j < s->ny; j++)
    for (int i = 0; i < s->nx; i++)
      a[j * s->nx + i] = base + tall * swell_at(&w, i, j) + roll(d, -rough, rough);
}

static void fill_bed(double *a, const scene *s) {
  dice d = dice_for(s, "bed");
  static const double of[LANDS][3] = {
      [BASIN] = {-20, 6, 0},    [ISLANDS] = {-2, 5, 0.4}, [DAM] = {-1, 0.5, 0.05},
      [CRAGS] = {-0.5, 1, 2.5}, [PLAIN] = {1, 1, 0.1},
  };
  fill(a, s, &d, of[s->land][0], of[s->land][1], of[s->land][2]);
}

static void fill_level(double *a, const scene *s, const double *bed) {
  dice d = dice_for(s, "level");
  const double film = chance(&d, 0.5) || s->seed >= SCENE_HALF_DRY ? 0 : 0.05;
  const bool across = chance(&d, 0.5);
  fill(a, s, &d, s->land == PLAIN ? -100 : 0, s->land == PLAIN ? 0 : 0.6, 0);
  for (int j = 0; s->land == DAM && j < s->ny; j++)
    for (int i = 0; i < s->nx; i++)
      if (across ? 2 * j > s->ny : 2 * i > s->nx)
        a[j * s->nx + i] = bed[j * s->nx + i] + film;
      else
        a[j * s->nx + i] += 3;
}

/* Returns the deepest cell, -1 if there is no water to speak of. */
static int set_fields(ria_sim *sim, const scene *s) {
  ria_context *ctx = ria_sim_context(sim);
  dice d = dice_for(s, "state");
  double *bed = array_for(s), *a = array_for(s);
  fill_bed(bed, s);
  CHECK_OK(ctx, ria_sim_set(sim, "bed", bed));
  fill_level(a, s, bed);
  CHECK_OK(ctx, ria_sim_set(sim, "level", a));
  int deepest = 0;
  for (int k = 0; k < s->nx * s->ny; k++)
    if (a[k] - bed[k] > a[deepest] - bed[deepest]) deepest = k;
  if (a[deepest] - bed[deepest] < 0.2) deepest = -1;
  const double fast = s->land == DAM ? 4 : 0.6;
  fill(a, s, &d, 0, fast, s->land == BASIN ? 0 : 0.3 * fast);
  CHECK_OK(ctx, ria_sim_set(sim, "u", a));
  fill(a, s, &d, 0, fast, s->land == BASIN ? 0 : 0.3 * fast);
  CHECK_OK(ctx, ria_sim_set(sim, "v", a));
  for (int k = 0; k < s->n_tracers; k++) {
    fill(a, s, &d, 2, 1, 0.9);
    if (!chance(&d, 0.15)) CHECK_OK(ctx, ria_sim_set(sim, tracer_name[k], a));
  }
  if (!s->usual && chance(&d, 0.4)) {
    fill(a, s, &d, 0.04, 0.02, 0.015);
    CHECK_OK(ctx, ria_sim_set(sim, "manning", a));
  }
  free(bed);
  free(a);
  return deepest;
}

#endif
