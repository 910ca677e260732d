/* parts/inner.h - what the files of this folder share. */
#ifndef RIA_PARTS_INNER_H
#define RIA_PARTS_INNER_H
#include "base/grid.h"
#include "base/ranks.h"
#include "parts/parts.h"
#include <ria/planes.h>

typedef struct parts {
  ria_context *ctx;
  ria_grid grid;
  ria_solver_ops ops;
  ria_held held; /* those of this process */
  void **self;   /* [held.count] the solver's */
  int n_quantities;
  ria_row_totals *rows, *joined; /* [n_quantities][rows of a part], [ny] */
  ria_account account;           /* of the whole: parts have but their own cells of the sides */
  double *room;                  /* [rows here][nx], where rank 0 reads; NULL: no ranks */
  double wall;                   /* s that parts stepped */
  char fault[192];               /* why the parts cannot go on, "": they can */
} parts;

/* What ranks meet for. */
enum {
  PARTS_MADE = RIA_MEET_PARTS,
  PARTS_JOIN,
  PARTS_FORCE,
  PARTS_PROGRESS,
  PARTS_READ,
  PARTS_SAMPLE,
  PARTS_TOTALS,
  PARTS_CROSSED,
  PARTS_TOOK,
  PARTS_TIMES,
  PARTS_WELL
};

/* --- values.c: with ranks; all of them, or rank 0 alone while the others serve ------------------
 */

/* Meet for something that all do, or that rank 0 asks of the others: args[n] say what. */
ria_status ria_parts_meet(const parts *s, int op, const int32_t *args, size_t n, const char *what);
/* When the parts are made: room, and all ranks are there. */
ria_status ria_parts_settle_in(parts *s, const ria_solver_setup *setup, const int *cut);
/* times[ranks] may be NULL. */
ria_status ria_parts_gather_times(const parts *s, ria_times *times);
/* took[n] has those of this process. */
ria_status ria_parts_gather_took(const parts *s, double *took);
ria_status ria_parts_same_forcing(const parts *s, const ria_forcing_set *set);
/* Rows and cells that this process has are there: those of all. */
ria_status ria_parts_gather_account(parts *s);
ria_status ria_parts_gather_totals(const parts *s, ria_row_totals *rows);
/* `out` is what is known here: of cells elsewhere, from there. */
ria_status ria_parts_progress_of_all(const parts *s, ria_progress *out);
/* As ops->read and sample. _served: after the meeting; dst, cell and out are NULL where rank 0
 * asks. */
ria_status ria_parts_read_of_all(const parts *s, int field, int tracer, bool maximum, int j0,
                                 int nj, ria_real real, void *dst);
ria_status ria_parts_read_served(const parts *s, int field, int tracer, bool maximum, int j0,
                                 int nj, ria_real real, void *dst);
ria_status ria_parts_sample_of_all(const parts *s, int field, int tracer, int n,
                                   const int32_t *cell, double *out);
ria_status ria_parts_sample_served(const parts *s, int field, int tracer, int n,
                                   const int32_t *cell, double *out);

#endif
