/* adi_part_words.c - what parts of a grid say to each other beside a step: when a forcing replaces
 * another, of a state that was set, at the cells of discharges, and where a level may run away. All
 * of it is numbers of a list, each from the part that has them; sums are taken over rows and cells
 * in the order of a whole grid. */
#include "adi_parts.h"

#include <math.h>
#include <string.h>

/* --- lists ------------------------------------------------------------------------------------ */

ria_status adi_meet(adi *s, int why, ria_meeting m) {
  s->planes.waits = why;
  m.list = s->apart->list;
  s->planes.said = m;
  return RIA_OK;
}

static void say_nothing(adi *s, int n) {
  for (int k = 0; k < n; k++) s->apart->list[k] = NAN;
}

static int side_cells(const adi *s) { return (int)s->planes.account.cells; }

/* What crossed the part's cells of the sides, water: numbers from list[at] on. */
static void list_crossed(adi *s, int at) {
  const ria_planes *p = &s->planes;
  double *list = s->apart->list + at;
  for (int side = 0; side < RIA_SIDES; side++) {
    const ria_side_cells own = ria_planes_side(p, (ria_side)side);
    const size_t nq = (size_t)p->n_quantities;
    const size_t first = (size_t)(p->crossed[side] - p->account.crossed) / nq;
    for (size_t k = (size_t)own.from; k < (size_t)own.to; k++) {
      list[2 * (first + k)] = p->crossed[side][k * nq].in;
      list[2 * (first + k) + 1] = p->crossed[side][k * nq].out;
    }
  }
}

static void hear_crossed(adi *s, int at) {
  ria_account *whole = &s->apart->whole;
  const double *list = s->apart->list + at;
  for (size_t k = 0; k < whole->cells; k++)
    whole->crossed[k] = (ria_crossed){.in = list[2 * k], .out = list[2 * k + 1]};
}

/* What each row stores, from list[0] on. */
static ria_status list_stored(adi *s) {
  ria_planes *p = &s->planes;
  RIA_TRY(ria_planes_row_totals(s, p->row_totals));
  for (int j = p->part.j0; j < p->part.j1; j++)
    s->apart->list[j] = p->row_totals[j - p->part.j0].stored;
  return RIA_OK;
}

double adi_part_stored(const adi *s) {
  const int ny = s->planes.grid.ny;
  for (int j = 0; j < ny; j++) s->apart->rows[j].stored = s->apart->list[j];
  return ria_sum_rows(&s->planes.grid, s->apart->rows, ny).stored;
}

/* --- forcing ---------------------------------------------------------------------------------- */

/* Of water the part's account of stretches is that of the whole grid: what a level may be depends
 * on it. Cells of sides are its own alone. */
static void know_stretches(adi *s, bool in) {
  const ria_account *of = &s->planes.account, *whole = &s->apart->whole;
  for (int k = 0; k < of->n && k < whole->n; k++) {
    const size_t at = (size_t)k * (size_t)of->n_quantities;
    *(in ? &whole->in[k] : &of->in[at]) = *(in ? &of->in[at] : &whole->in[k]);
    *(in ? &whole->out[k] : &of->out[at]) = *(in ? &of->out[at] : &whole->out[k]);
  }
  if (in) memcpy(whole->owner, of->owner, whole->cells * sizeof *whole->owner);
}

static void find_rim(adi *s) {
  const ria_planes *p = &s->planes;
  const int ny = p->grid.ny;
  s->apart->n_rim = 0;
  for (int side = RIA_WEST; side <= RIA_EAST; side++)
    for (int k = 0; k < ny; k++) {
      const int kind = p->stretch[p->owner[side][k]].kind;
      const bool is = kind == SIDE_DISCHARGE || kind == SIDE_RATING;
      s->apart->rim[side * ny + k] = is ? s->apart->n_rim++ : -1;
    }
}

ria_status adi_part_force(adi *s, const ria_forcing_set *set) {
  adi_part *p = s->apart;
  if (!ria_account_grow(&p->whole, set->boundary.n))
    return ria_planes_no_memory(&s->planes, "the forcing");
  know_stretches(s, true);
  say_nothing(s, 2 * side_cells(s));
  list_crossed(s, 0);
  RIA_TRY(water_force(&s->forcing, &s->planes, set, -1));
  find_rim(s);
  return adi_meet(s, ADI_FORCED, (ria_meeting){.n_list = 2 * side_cells(s)});
}

ria_status adi_part_forced(adi *s) {
  hear_crossed(s, 0);
  ria_account_fold(&s->apart->whole);
  know_stretches(s, false);
  return RIA_OK;
}

ria_status adi_meet_at_rim(adi *s, int why) {
  const ria_planes *p = &s->planes;
  adi_part *part = s->apart;
  say_nothing(s, ADI_RIM * part->n_rim);
  for (int side = RIA_WEST; side <= RIA_EAST; side++)
    for (int j = p->part.j0; j < p->part.j1; j++) {
      const int place = part->rim[side * p->grid.ny + j];
      if (place < 0) continue;
      const size_t at = adi_at(s, side == RIA_WEST ? 0 : p->grid.nx - 1, j);
      double *v = part->list + ADI_RIM * place;
      v[0] = adi_depth_at(s, at);
      v[1] = adi_get(s, s->bed, at);
      v[2] = s->manning ? adi_get(s, s->manning, at) : 1.0;
    }
  return adi_meet(s, why, (ria_meeting){.n_list = ADI_RIM * part->n_rim});
}

adi_rim_cell adi_part_rim(const adi *s, ria_side side, int k) {
  const adi_part *p = s->apart;
  const double *v = p->list + ADI_RIM * p->rim[(int)side * s->planes.grid.ny + k];
  return (adi_rim_cell){v[0], v[1], v[2]};
}

/* --- before the first step -------------------------------------------------------------------- */

static double *kept_at(const adi *s, int k) {
  return &adi_crossed(s, adi_kept_side(k), adi_kept_row(k, s->planes.grid.ny))->kept[k % 2];
}
static bool is_own(const adi *s, int j) { return j >= s->planes.part.j0 && j < s->planes.part.j1; }

/* Of columns that close upon themselves the face in the south is the one in the north: what is set
 * there on either side, all know before one is made of both. */
static ria_status meet_at_seam(adi *s) {
  const int nx = s->planes.grid.nx, ny = s->planes.grid.ny;
  say_nothing(s, 2 * nx + ADI_KEPT);
  for (int k = 0; k < ADI_KEPT; k++)
    if (is_own(s, adi_kept_row(k, ny))) s->apart->list[2 * nx + k] = *kept_at(s, k);
  for (int b = 0; b < 2 && s->planes.part.j0 == 0; b++)
    for (int i = 0; i < nx; i++)
      s->apart->list[b * nx + i] = adi_get(s, s->flux[ADI_Y][b], adi_at(s, i, -1));
  return adi_meet(s, ADI_JOINED, (ria_meeting){.n_list = 2 * nx + ADI_KEPT, .rows = true});
}

static ria_status meet_prepared(adi *s) {
  say_nothing(s, s->planes.grid.ny);
  RIA_TRY(list_stored(s));
  return adi_meet(
      s, ADI_PREPARED,
      (ria_meeting){
          .most = {[ADI_SET_DEEPEST] = adi_deepest(s), [ADI_SET_HEAD] = adi_highest_head(s)},
          .n_list = s->planes.grid.ny,
          .rows = true});
}

ria_status adi_part_joined(adi *s) {
  const int nx = s->planes.grid.nx, ny = s->planes.grid.ny;
  const double *const low[2] = {s->apart->list, s->apart->list + nx};
  for (int k = 0; k < ADI_KEPT; k++)
    if (!is_own(s, adi_kept_row(k, ny))) *kept_at(s, k) = s->apart->list[2 * nx + k];
  adi_join_apart(s, low);
  return meet_prepared(s);
}

ria_status adi_part_prepare(adi *s) { return s->rings.y ? meet_at_seam(s) : meet_prepared(s); }

void adi_part_restored(adi *s) { (void)adi_meet(s, ADI_RESTORED, (ria_meeting){.rows = true}); }

/* --- a level that may run away ---------------------------------------------------------------- */

ria_status adi_meet_too_high(adi *s) {
  const int ny = s->planes.grid.ny, n = ny + 2 * side_cells(s);
  say_nothing(s, n);
  RIA_TRY(list_stored(s));
  list_crossed(s, ny);
  return adi_meet(s, ADI_TOO_HIGH, (ria_meeting){.n_list = n});
}

void adi_part_through(adi *s, double *through) {
  const int n = s->planes.n_stretch;
  know_stretches(s, true);
  hear_crossed(s, s->planes.grid.ny);
  ria_account_read(&s->apart->whole, n, through, through + n);
}
