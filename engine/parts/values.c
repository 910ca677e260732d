/* parts/values.c - values of the whole grid where ranks have it: fields, amounts, the account.
 *
 * Either all ranks ask, and all get them; or rank 0 asks while the others serve (ria_ranks.served),
 * and gets them alone. Nothing is allocated on the way, so that none can fail where others wait. */
#include "base/context.h"
#include "base/text.h"
#include "parts/inner.h"

#include <stdlib.h>
#include <string.h>

enum { SAMPLE_PIECE = RIA_POST / sizeof(double) };

static bool served(const parts *s) { return s->ctx->ranks->served; }

ria_status ria_parts_meet(const parts *s, int op, const int32_t *args, size_t n, const char *what) {
  ria_packet mine = ria_ranks_call(op, args, n * sizeof *args);
  for (size_t k = 0; k < n; k++) mine.arg[k] = args[k];
  return ria_ranks_meet(s->ctx, &mine, what);
}

/* --- making ----------------------------------------------------------------------------------- */

ria_status ria_parts_settle_in(parts *s, const ria_solver_setup *setup, const int *cut) {
  const ria_grid *g = &s->grid;
  const ria_part here = ria_parts_here(&s->held);
  const size_t cells = (size_t)(here.j1 - here.j0) * (size_t)g->nx;
  RIA_TRY(ria_parts_post_make(&s->held, g->ny, cut));
  s->room = malloc(cells * sizeof *s->room);
  if (!s->room) return ria_fail_memory(s->ctx, "rows for rank 0", cells * sizeof *s->room);
  const int32_t args[] = {g->nx, g->ny, s->held.n, setup->n_tracers, (int32_t)setup->real};
  return ria_parts_meet(s, PARTS_MADE, args, 5, "a simulation is made");
}

/* Boundaries: what they are, where, and which values they have. */
static void note_boundaries(const parts *s, const ria_boundary_set *b) {
  for (int k = 0; k < b->n; k++) {
    const ria_stretch *of = &b->stretch[k];
    const int32_t is[] = {of->kind, (int32_t)of->side};
    ria_ranks_note(s->ctx, "a boundary", is, sizeof is);
    ria_ranks_note(s->ctx, "a boundary", of->value, sizeof of->value);
    ria_ranks_note(s->ctx, "an inflow's concentration", of->tracer, sizeof of->tracer);
  }
  for (int side = 0; side < RIA_SIDES; side++)
    ria_ranks_note(s->ctx, "a boundary's place", b->owner[side],
                   (size_t)ria_side_length(&s->grid, (ria_side)side) * sizeof *b->owner[side]);
  for (int k = 0; k < b->n_points; k++) {
    const ria_side_point *p = &b->point[k];
    const int32_t of[] = {p->stretch, p->value, p->id};
    ria_ranks_note(s->ctx, "a boundary's points", of, sizeof of);
    ria_ranks_note(s->ctx, "a boundary's points", &p->at, sizeof p->at);
  }
}

static void note_sources(const parts *s, const ria_forcing_set *set) {
  for (int k = 0; k < set->n_sources; k++) {
    const ria_source *of = &set->sources[k];
    const double when[] = {of->t_start, of->t_stop};
    const int32_t is[] = {of->quantity, of->rate};
    ria_ranks_note(s->ctx, "a source", when, sizeof when);
    ria_ranks_note(s->ctx, "a source", is, sizeof is);
    ria_ranks_note(s->ctx, "a source's cells", of->cell, (size_t)of->n * sizeof *of->cell);
    ria_ranks_note(s->ctx, "a source's cells", of->weight, (size_t)of->n * sizeof *of->weight);
  }
}

static void note_layers(const parts *s, const ria_forcing_set *set) {
  for (int k = 0; k < set->n_relax; k++) {
    ria_relax r = set->relax[k];
    const double of[] = {r.t0, r.t1, r.depth, r.u, r.v};
    const size_t n = (size_t)r.n * sizeof(double);
    ria_ranks_note(s->ctx, "a relaxation", of, sizeof of);
    ria_ranks_note(s->ctx, "a relaxation's cells", r.cell, (size_t)r.n * sizeof *r.cell);
    ria_ranks_note(s->ctx, "a relaxation's rates", r.rate, n);
    for (int q = 0; q < RIA_RELAXED; q++) {
      const ria_relaxed *t = ria_relaxed_of(&r, q);
      ria_ranks_note(s->ctx, "a relaxation's targets", &t->id, sizeof t->id);
      for (int later = 0; later < 2 && t->at[later]; later++)
        ria_ranks_note(s->ctx, "a relaxation's targets", t->at[later], n);
    }
  }
}

ria_status ria_parts_same_forcing(const parts *s, const ria_forcing_set *set) {
  const ria_forcing_table *t = &set->table;
  ria_ranks_note(s->ctx, "a series", t->data, (size_t)t->n_data * sizeof *t->data);
  for (int k = 0; k < t->n; k++) {
    const double of[] = {(double)t->entry[k].kind, t->entry[k].base, t->entry[k].scale,
                         t->entry[k].ramp};
    ria_ranks_note(s->ctx, "a series", of, sizeof of);
  }
  note_boundaries(s, &set->boundary);
  note_sources(s, set);
  note_layers(s, set);
  const int32_t args[] = {t->n, set->boundary.n, set->boundary.n_points, set->n_sources,
                          set->n_relax};
  return ria_parts_meet(s, PARTS_FORCE, args, 5, "the forcing is set");
}

/* --- rows ------------------------------------------------------------------------------------- */

static ria_status gather(const parts *s, const void *mine, void *all, size_t bytes, int j0,
                         int nj) {
  return s->held.reach->gather(&s->held, mine, all, bytes, j0, nj);
}

/* Of each quantity its rows, one quantity after another. */
ria_status ria_parts_gather_totals(const parts *s, ria_row_totals *rows) {
  const ria_part here = ria_parts_here(&s->held);
  const bool wanted = !served(s) || ria_ranks_root(s->ctx->ranks);
  for (int q = 0; q < s->n_quantities; q++) {
    ria_row_totals *of = rows + (size_t)q * (size_t)s->grid.ny;
    RIA_TRY(gather(s, of + here.j0, wanted ? of : NULL, sizeof *rows, 0, s->grid.ny));
  }
  return RIA_OK;
}

/* The cells of west and east go by rows; those of south and north are the first and the last
 * rank's. */
ria_status ria_parts_gather_account(parts *s) {
  const ria_part here = ria_parts_here(&s->held);
  const bool wanted = !served(s) || ria_ranks_root(s->ctx->ranks);
  const size_t bytes = (size_t)s->n_quantities * sizeof *s->account.crossed;
  const int nx = s->grid.nx, ny = s->grid.ny;
  char *at = (char *)s->account.crossed;
  for (int side = 0; side < RIA_SIDES; side++) {
    const bool rows = side == RIA_WEST || side == RIA_EAST;
    const int j0 = side == RIA_NORTH ? ny - 1 : 0;
    const size_t each = rows ? bytes : bytes * (size_t)nx;
    RIA_TRY(gather(s, rows ? at + (size_t)here.j0 * each : at, wanted ? at : NULL, each, j0,
                   rows ? ny : 1));
    at += rows ? bytes * (size_t)ny : each;
  }
  return RIA_OK;
}

ria_part ria_parts_rows(const void *self, int rank) {
  return ria_parts_of_rank(&((const parts *)self)->held, rank);
}

ria_status ria_parts_read_here(void *self, int field, int tracer, bool maximum, int j0, int nj,
                               ria_real real, void *dst) {
  const parts *s = self;
  for (int k = 0; k < s->held.count; k++)
    RIA_TRY(s->ops.read(s->held.part[k].self, field, tracer, maximum, j0, nj, real, dst));
  return RIA_OK;
}

ria_status ria_parts_read_served(const parts *s, int field, int tracer, bool maximum, int j0,
                                 int nj, ria_real real, void *dst) {
  const ria_part here = ria_parts_here(&s->held);
  const size_t bytes = (size_t)s->grid.nx * ria_real_size(real);
  const int a = here.j0 > j0 ? here.j0 : j0, b = here.j1 < j0 + nj ? here.j1 : j0 + nj;
  char *mine = dst ? (char *)dst + (size_t)(a > j0 ? a - j0 : 0) * bytes : (char *)s->room;
  ria_status well = RIA_OK; /* whatever it is, the others wait for these rows */
  for (int k = 0; k < s->held.count && a < b && well == RIA_OK; k++)
    well = s->ops.read(s->held.part[k].self, field, tracer, maximum, a, b - a, real, (void *)mine);
  RIA_TRY(gather(s, mine, dst, bytes, j0, nj));
  return well;
}

ria_status ria_parts_read_of_all(const parts *s, int field, int tracer, bool maximum, int j0,
                                 int nj, ria_real real, void *dst) {
  const int32_t args[] = {field, tracer, maximum, j0, nj, (int32_t)real};
  RIA_TRY(ria_parts_meet(s, PARTS_READ, args, 6, "a field is read"));
  return ria_parts_read_served(s, field, tracer, maximum, j0, nj, real, dst);
}

/* --- how parts have fared --------------------------------------------------------------------- */

ria_status ria_parts_all_well(const ria_held *h, ria_status here) {
  ria_packet p = ria_ranks_call(PARTS_WELL, NULL, 0);
  p.status = (int32_t)here;
  return ria_ranks_meet(h->ctx, &p, "parts are made ready");
}

ria_status ria_parts_gather_times(const parts *s, ria_times *times) {
  ria_times mine = *ria_parts_post_spent(&s->held);
  void *told;
  mine.stepping += s->wall;
  RIA_TRY(ria_parts_tell_all(&s->held, &mine, sizeof mine, &told));
  if (times) memcpy(times, told, (size_t)ria_context_ranks(s->ctx) * sizeof *times);
  return RIA_OK;
}

ria_status ria_parts_times(const void *self, ria_times *times) {
  const parts *s = self;
  RIA_TRY(ria_parts_meet(s, PARTS_TIMES, NULL, 0, "times are told"));
  return ria_parts_gather_times(s, times);
}

ria_status ria_parts_gather_took(const parts *s, double *took) {
  const ria_held *h = &s->held;
  const int ranks = ria_context_ranks(h->ctx);
  size_t *offset = calloc((size_t)ranks + 1, sizeof *offset);
  ria_packet p = ria_ranks_call(PARTS_TOOK, NULL, 0);
  if (!offset) p.status = (int32_t)ria_fail_memory(h->ctx, "parts", (size_t)ranks * sizeof *offset);
  for (int k = 0; offset && k <= ranks; k++)
    offset[k] = (size_t)((int64_t)h->n * k / ranks) * sizeof *took;
  ria_status status = ria_ranks_meet(h->ctx, &p, "work is compared");
  if (status == RIA_OK) status = ria_ranks_gather(h->ctx, took + h->first, (char *)took, offset);
  free(offset);
  return status;
}

/* --- cells ------------------------------------------------------------------------------------ */

/* At most SAMPLE_PIECE cells, each from the rank that has it. */
ria_status ria_parts_sample_served(const parts *s, int field, int tracer, int n,
                                   const int32_t *cell, double *out) {
  int32_t asked[SAMPLE_PIECE];
  double here[SAMPLE_PIECE] = {0};
  void *told;
  if (cell) memcpy(asked, cell, (size_t)n * sizeof *asked);
  if (served(s)) RIA_TRY(ria_ranks_spread(s->ctx, asked, (size_t)n * sizeof *asked));
  ria_status well = RIA_OK;
  for (int k = 0; k < s->held.count && well == RIA_OK; k++)
    well = s->ops.sample(s->held.part[k].self, field, tracer, n, asked, here);
  RIA_TRY(ria_parts_tell_all(&s->held, here, (size_t)n * sizeof *here, &told));
  for (int k = 0; k < n && out; k++) {
    const size_t rank = (size_t)ria_parts_rank_of(&s->held, asked[k] / s->grid.nx);
    out[k] = ((const double *)told)[rank * (size_t)n + (size_t)k];
  }
  return well;
}

ria_status ria_parts_sample_of_all(const parts *s, int field, int tracer, int n,
                                   const int32_t *cell, double *out) {
  for (int k = 0; k < n; k += SAMPLE_PIECE) {
    const int m = n - k < SAMPLE_PIECE ? n - k : SAMPLE_PIECE;
    const int32_t args[] = {field, tracer, m};
    ria_ranks_note(s->ctx, "cells that are read", cell + k, (size_t)m * sizeof *cell);
    RIA_TRY(ria_parts_meet(s, PARTS_SAMPLE, args, 3, "cells are read"));
    RIA_TRY(ria_parts_sample_served(s, field, tracer, m, cell + k, out + k));
  }
  return RIA_OK;
}

/* --- where the solver stands ------------------------------------------------------------------ */

/* What is told of a cell by the rank that has it. */
typedef struct told_of_cell {
  int32_t dt_min_i, fail_i, fail_j;
  char dt_min_cause[sizeof((ria_progress *)0)->dt_min_cause];
  char fail_what[sizeof((ria_progress *)0)->fail_what];
} told_of_cell;

ria_status ria_parts_progress_of_all(const parts *s, ria_progress *out) {
  told_of_cell mine = {.dt_min_i = out->dt_min_i, .fail_i = out->fail_i, .fail_j = out->fail_j};
  void *told;
  memcpy(mine.dt_min_cause, out->dt_min_cause, sizeof mine.dt_min_cause);
  memcpy(mine.fail_what, out->fail_what, sizeof mine.fail_what);
  const double at[] = {out->t, (double)out->steps};
  ria_packet p = ria_ranks_call(PARTS_PROGRESS, at, sizeof at);
  RIA_TRY(ria_ranks_meet(s->ctx, &p, "steps are waited for"));
  RIA_TRY(ria_parts_tell_all(&s->held, &mine, sizeof mine, &told));
  const told_of_cell *of = told;
  if (out->dt_min_j >= 0 && out->dt_min_j < s->grid.ny) {
    const told_of_cell *that = &of[ria_parts_rank_of(&s->held, out->dt_min_j)];
    out->dt_min_i = that->dt_min_i;
    memcpy(out->dt_min_cause, that->dt_min_cause, sizeof that->dt_min_cause);
  }
  /* A rank may know of its own cells alone. */
  for (int k = ria_context_ranks(s->ctx) - 1; k >= 0; k--) {
    const ria_part rows = ria_parts_of_rank(&s->held, k);
    if (of[k].fail_j < rows.j0 || of[k].fail_j >= rows.j1) continue;
    out->fail_i = of[k].fail_i;
    out->fail_j = of[k].fail_j;
    memcpy(out->fail_what, of[k].fail_what, sizeof of[k].fail_what);
  }
  return RIA_OK;
}
