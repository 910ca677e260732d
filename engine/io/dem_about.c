/* io/dem_about.c - what was done to make a ground, in words. */
#include "io/dem.h"
#include "base/context.h"
#include "base/text.h"
#include "io/buffer.h"

#include <math.h>
#include <string.h>

/* "50 m", "50 x 25 m" */
static void put_cell(ria_buffer *b, const ria_grid *g, const char *unit) {
  ria_buffer_format(b, "%.6g", g->dx);
  if (g->dy != g->dx) ria_buffer_format(b, " x %.6g", g->dy);
  ria_buffer_format(b, " %s", unit);
}

static bool is_whole(double v) { return fabs(v - round(v)) < 1e-6; }

/* Are the cells of one grid some of the other's? */
static bool same_lines(const ria_grid *a, const ria_grid *b) {
  double x = b->x0, y = b->y0;
  ria_grid_from_map(a, &x, &y);
  return a->dx == b->dx && a->dy == b->dy && a->angle == b->angle &&
         is_whole((a->x0 - x) / a->dx) && is_whole((a->y0 - y) / a->dy);
}

static const char *way_of(const ria_dem *m, const ria_dem_part *p) {
  const ria_grid *to = &m->z->grid, *from = &p->grid;
  const double tiny = 1 + 1e-9;
  if (*p->from) return p->means ? "by means" : "bilinear";
  switch (m->desc->resampling) {
  case RIA_RESAMPLE_MEAN:
    return "by means";
  case RIA_RESAMPLE_BILINEAR:
    return "bilinear";
  default:
    break;
  }
  if (to->angle != from->angle)
    return to->dx * to->dy > from->dx * from->dy * tiny ? "by means" : "bilinear";
  return to->dx > from->dx * tiny || to->dy > from->dy * tiny ? "by means" : "bilinear";
}

static void put_layer(ria_buffer *b, const ria_dem *m, size_t k) {
  const ria_dem_layer *l = &m->desc->layers[k];
  const ria_dem_part *p = &m->part[k];
  ria_buffer_text(b, ria_dem_name(l));
  ria_buffer_format(b, ": %d x %d cells of ", p->grid.nx, p->grid.ny);
  put_cell(b, &p->grid, p->degrees ? "deg" : "m");
  if (*p->from) ria_buffer_format(b, ", projected from %s", p->from);
  if (l->down) ria_buffer_format(b, ", depths");
  if (p->unit != 1.0) ria_buffer_format(b, ", times %.10g", p->unit);
  if (p->unit != 1.0 && *p->said) ria_buffer_format(b, " (in %s, as the file says)", p->said);
  if (l->offset != 0.0) ria_buffer_format(b, ", raised by %.6g m", l->offset);
  if (l->shift)
    ria_buffer_format(b, ", shifted by %s (%.6g to %.6g m)", ria_dem_shift_name(l->shift),
                      p->shift_least, p->shift_most);
  if (p->unshifted) ria_buffer_format(b, ", which lacks values for %ld cells", p->unshifted);
  if (m->as_it_is) return;
  if (!*p->from && same_lines(&p->grid, &m->z->grid)) {
    ria_buffer_format(b, ", cut out");
  } else {
    ria_buffer_format(b, ", to ");
    put_cell(b, &m->z->grid, "m");
    ria_buffer_format(b, " %s", way_of(m, p));
  }
  if (m->desc->n_layers == 1) return;
  const double all = (double)m->z->grid.nx * m->z->grid.ny;
  ria_buffer_format(b, "; %.3g %% of the cells", 100.0 * (double)p->cells / all);
  if (p->blended) ria_buffer_format(b, ", %ld of them blended", p->blended);
}

/* What each next thing of a line begins with. */
static const char *comma(int *n) { return (*n)++ ? ", " : "\n"; }

static void put_changes(ria_buffer *b, const ria_dem *m, size_t empty) {
  const ria_dem_desc *d = m->desc;
  int n = 0;
  const double angle = m->z->grid.angle;
  if (angle != 0.0) ria_buffer_format(b, "%sturned by %.6g deg", comma(&n), angle);
  if (m->filled)
    ria_buffer_format(b, "%s%ld cell%s without data filled", comma(&n), m->filled,
                      m->filled == 1 ? "" : "s");
  if (empty)
    ria_buffer_format(b, "%s%zu cell%s without data", comma(&n), empty, empty == 1 ? "" : "s");
  if (d->smooth > 0.0) ria_buffer_format(b, "%ssmoothed over %.6g m", comma(&n), d->smooth);
  if (m->deepened)
    ria_buffer_format(b, "%s%ld cell%s deepened to %.6g m", comma(&n), m->deepened,
                      m->deepened == 1 ? "" : "s", d->sea_level - d->least_depth);
}

ria_status ria_dem_tell(ria_dem *m) {
  const size_t n = (size_t)m->z->grid.nx * (size_t)m->z->grid.ny;
  double low = INFINITY, high = -INFINITY;
  size_t empty = 0;
  ria_buffer b = {0};
  for (size_t c = 0; c < n; c++) {
    empty += isnan(m->z->data[c]);
    low = fmin(low, m->z->data[c]);
    high = fmax(high, m->z->data[c]);
  }
  for (size_t k = 0; k < m->desc->n_layers; k++) {
    if (k) ria_buffer_format(&b, "\n");
    put_layer(&b, m, k);
  }
  put_changes(&b, m, empty);
  if (empty < n) ria_buffer_format(&b, "\nlowest %.6g m, highest %.6g m", low, high);
  ria_buffer_add(&b, "", 1);
  const bool ok = !b.failed && (m->z->about = ria_strdup(b.data)) != NULL;
  ria_buffer_free(&b);
  return ok ? RIA_OK : ria_fail_memory(m->ctx, "the account of a ground", 0);
}
