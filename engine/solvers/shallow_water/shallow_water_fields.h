/* shallow_water_fields.h - rows of fields for outputs on the CPU, in the run's precision: fields
 * that are not planes of the state, and running maxima. Included by shallow_water_step.h. */

/* Row j of the fields that outputs ask for most. False: not of this one. */
bool RIA_K(sw_derived_row)(const sw *s, int field, int tracer, int j, void *row) {
  const size_t at = sw_at(s, 0, j);
  const R *RIA_RESTRICT h = (const R *)s->state[s->now][SW_H] + at;
  const R *RIA_RESTRICT z = (const R *)s->bed + at;
  const R dry = (R)s->param.dry_depth;
  const int n = s->planes.grid.nx;
  R *RIA_RESTRICT d = row;
  if (field == WATER_LEVEL) {
    for (int i = 0; i < n; i++) d[i] = h[i] > dry ? h[i] + z[i] : (R)NAN;
    return true;
  }
  if (field != WATER_U && field != WATER_V && field != WATER_CONC) return false;
  const int of = field == WATER_U   ? SW_STATE_QX
                 : field == WATER_V ? SW_STATE_QY
                                    : SW_STATE_C + tracer;
  const R *RIA_RESTRICT q = (const R *)s->state[s->now][of] + at;
  for (int i = 0; i < n; i++) d[i] = h[i] > dry ? q[i] / h[i] : (R)NAN;
  return true;
}

/* Rows of the new state, for maxima. hc: of a tracer, for concentrations. */
typedef struct kept_row {
  const R *h, *qx, *qy, *bed, *hc;
  int n;
  R dry;
} kept_row;

/* A cell that was never wet has no maximum but of depth. */
RIA_KERNEL void keep_row(int field, kept_row r, R *max) {
#pragma omp simd
  for (int i = 0; i < r.n; i++) {
    const R h = r.h[i] > r.dry ? r.h[i] : (R)1;
    const R v = field == WATER_CONC ? sw_concentration(r.hc[i], h, (R)1)
                                    : sw_enters(field, h, r.qx[i], r.qy[i], r.bed[i]);
    max[i] = ((r.h[i] > r.dry) & !(v <= max[i])) ? v : max[i];
  }
}

/* As ria_planes_keep_rows, while the row is in cache. */
static void keep_maxima(const step_args *st, int j, int i0, int n) {
  const sw *s = st->s;
  const size_t at = sw_at(s, i0, j);
  kept_row r = {.h = st->new[SW_H] + at,
                .qx = st->new[SW_STATE_QX] + at,
                .qy = st->new[SW_STATE_QY] + at,
                .bed = st->bed + at,
                .n = n,
                .dry = st->k.dry};
  for (int m = 0; m < s->planes.n_track; m++) {
    const ria_plane_track *track = &s->planes.track[m];
    R *max = (R *)track->max + at;
    if (track->field == WATER_DEPTH) {
      keep_row(WATER_DEPTH, r, max);
    } else if (track->field == WATER_LEVEL) {
      keep_row(WATER_LEVEL, r, max);
    } else if (track->field == WATER_SPEED) {
      keep_row(WATER_SPEED, r, max);
    } else {
      r.hc = st->new[SW_STATE_C + track->tracer] + at;
      keep_row(WATER_CONC, r, max);
    }
  }
}
