/* adi_part_life.c - a part of the grid: its memory, and the rows that it passes to its neighbours.
 */
#include "adi_parts.h"

#include <stdlib.h>

enum { SEVERAL = 8, BLOCKS = 16 };

/* --- life ------------------------------------------------------------------------------------- */

void adi_part_destroy(adi *s) {
  adi_part *p = s->apart;
  const ria_backend *b = s->planes.backend;
  if (!p) return;
  if (p->lines) b->free(b, p->lines);
  if (p->sent) b->free(b, p->sent);
  if (p->ring) b->free(b, p->ring);
  if (p->turned) b->free(b, p->turned);
  ria_account_free(&p->whole);
  free(p->stepping);
  free(p->list);
  free(p->rim);
  free(p->rows);
  free(p);
  s->apart = NULL;
}

/* Groups are as wide as those of a step of the whole. */
static void cut_columns(adi *s, adi_part *p) {
  const int columns = 128 / (int)s->planes.real_size;
  p->column_bytes = 128;
  p->groups = (s->planes.grid.nx + columns - 1) / columns;
  const int least = (p->groups + BLOCKS - 1) / BLOCKS;
  p->groups_of_block = least > SEVERAL ? least : SEVERAL;
  p->blocks = (p->groups + p->groups_of_block - 1) / p->groups_of_block;
}

static size_t line_bytes(const adi *s) {
  return ((size_t)ria_planes_rows(&s->planes) + 2) * s->apart->column_bytes;
}

/* The last block is whole. */
static size_t sent_bytes(const adi_part *p) {
  return (size_t)p->blocks * (size_t)p->groups_of_block * ADI_RELAYED * p->column_bytes;
}

ria_status adi_part_ring(adi *s) {
  adi_part *p = s->apart;
  const ria_backend *b = s->planes.backend;
  if (!p->ring) RIA_TRY(b->alloc(s->planes.ctx, b, (size_t)p->groups * line_bytes(s), &p->ring));
  return p->turned ? RIA_OK : b->alloc(s->planes.ctx, b, sent_bytes(p), &p->turned);
}

ria_status adi_part_create(adi *s) {
  const ria_planes *pl = &s->planes;
  const ria_backend *b = pl->backend;
  const size_t ny = (size_t)pl->grid.ny, sides = 2 * ((size_t)pl->grid.nx + ny);
  adi_part *p = s->apart = calloc(1, sizeof *p);
  if (!p) return ria_planes_no_memory(pl, "a part");
  p->loops = pl->real == RIA_F32 ? &adi_part_f32 : &adi_part_f64;
  cut_columns(s, p);
  p->stepping = calloc(1, p->loops->stepping);
  p->list = calloc(2 * ADI_RIM * ny + 2 * sides, sizeof *p->list);
  p->rim = malloc(2 * ny * sizeof *p->rim);
  p->rows = calloc(ny, sizeof *p->rows);
  if (!p->stepping || !p->list || !p->rim || !p->rows || !ria_account_init(&p->whole, &pl->grid, 1))
    return ria_planes_no_memory(pl, "a part");
  RIA_TRY(b->alloc(pl->ctx, b, (size_t)p->groups * 2 * line_bytes(s), &p->lines));
  return b->alloc(pl->ctx, b, sent_bytes(p), &p->sent);
}

/* --- rows ------------------------------------------------------------------------------------- */

/* The planes whose rows pass: what a sweep made, before it counts; loads that spread; the state,
 * with the ground where `write` does not reach all ghost rows. */
static void *shared_of_sweep(const adi *s, int k) {
  const bool x = s->planes.waits == ADI_SWEPT_X;
  void *const planes[] = {s->level[(s->level_now + 1) % 3], s->flux[ADI_X][1 - s->flux_now[ADI_X]],
                          s->moved[ADI_X], s->moved[ADI_Y]};
  const int n_flow = x ? (s->nt ? 4 : 2) : 2, from = x ? 0 : 2, loads = x ? 0 : s->nt;
  if (k < n_flow) return planes[from + k];
  return k - n_flow < loads ? s->load[s->load_now][k - n_flow] : NULL;
}

void *adi_shared(const void *self, int k) {
  const adi *s = self;
  const int why = s->planes.waits, y = s->flux_now[ADI_Y];
  if (why == ADI_SWEPT_X || why == ADI_SWEPT_Y) return shared_of_sweep(s, k);
  if (k < s->nt) return s->load[s->load_now][k];
  const bool at_first = why == ADI_PREPARED || why == ADI_RESTORED || why == ADI_JOINED;
  void *const planes[] = {s->level[s->level_now],
                          s->flux[ADI_X][s->flux_now[ADI_X]],
                          s->flux[ADI_Y][y],
                          s->flux[ADI_Y][1 - y],
                          s->bed,
                          s->manning};
  const int n = why == ADI_MIX ? 1 : !at_first ? 3 : s->rings.y ? 6 : 4;
  return k - s->nt < n ? planes[k - s->nt] : NULL;
}

/* A step reads two rows beside those that it works on, and sweeps one beside its own in parts. */
int adi_ghost_rows(const void *self) {
  return ria_planes_whole(&((const adi *)self)->planes) ? 2 : 3;
}

/* With the face on the western side. */
int adi_shared_rows(void *self, ria_side side, int most, ria_shared_row *rows) {
  const adi *s = self;
  const int n = ria_planes_shared_rows(self, side, most, rows);
  for (int k = 0; k < n && k < most; k++) {
    rows[k].own = (char *)rows[k].own - s->planes.real_size;
    rows[k].ghost = (char *)rows[k].ghost - s->planes.real_size;
    rows[k].bytes += s->planes.real_size;
  }
  return n;
}
