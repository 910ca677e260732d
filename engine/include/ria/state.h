/* ria/state.h - for solver authors: the state of a solver, item by item, with names.
 *
 * What ria_solver_ops.state visits determines how a run goes on: a solver that was just made, with
 * the same setup and after the same `force` and `track`, goes on with the same bits once its items
 * hold the same values. An item is host memory for the time of the visit, contiguous, in C order:
 * cells of the domain (of a part of it with the rows of neighbours beside it), without padding, and
 * with ghost cells only where these carry something. So items do not depend on how a device lays
 * out its memory. A name belongs to one item and has lower-case letters, digits, '_' and '.' alone.
 * What follows from other items to the bit is none.
 *
 * Sums that a run gathers (ria_solver_ops.sums) are items, as they are in the solver. What belongs
 * to the run around them is none: a fit's samples, its normal equations and the time of its next
 * sample. Whoever restores a run keeps these beside the items, or begins its fits again, with sums
 * of zero.
 *
 * The state of a grid in parts is put together from theirs: it is that of one solver with the whole
 * grid, byte for byte, and goes on in any number of parts. So an item of a part says where it lies
 * in the whole (ria_state_cut), as those of planes do, or is alike in all parts, but for words of
 * the cell of the smallest step, which the part that has the cell tells. The totals of stretches,
 * `stretch_in` and `stretch_out`, are those of whoever drives the parts.
 *
 *   static const ria_state_member members[] = {{"t", RIA_STATE_F64, offsetof(heat, t), 0}, {0}};
 *
 *   static ria_status state(void *self, const ria_state_walk *walk) {
 *     heat *s = self;
 *     RIA_TRY(ria_planes_state(&s->planes, walk));
 *     RIA_TRY(ria_plane_state(&s->planes, walk, "u", s->u[s->now], 0, 0));
 *     return ria_state_members(walk, members, s);
 *   } */
#ifndef RIA_STATE_H
#define RIA_STATE_H
#include <ria/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum ria_state_type {
  RIA_STATE_F64,
  RIA_STATE_F32,
  RIA_STATE_I32, /* int and int32_t */
  RIA_STATE_I64,
  RIA_STATE_BOOL, /* one byte, 0 or 1 */
  RIA_STATE_TEXT  /* char[n], ended by 0 */
} ria_state_type;

enum { RIA_STATE_RANK = 3 };

/* Where an item of a part of a grid lies in that of the whole grid. One dimension of its shape is
 * of places, each of which is of a row of the grid: rows of cells, cells of a side. A part has them
 * all or some that lie together, those of its own rows among them. */
typedef struct ria_state_cut {
  int dim;            /* which dimension */
  size_t whole;       /* places of the whole grid; 0: the item is not cut, and alike in all parts */
  int64_t first;      /* the place of the item's first; beyond the ends places go round */
  int row0, step;     /* the row of place k: row0 + k * step, the nearest that the grid has; */
  const int32_t *row; /* [whole] or this one, where it is not NULL */
} ria_state_cut;

typedef struct ria_state_item {
  const char *name; /* as long as the visit lasts */
  ria_state_type type;
  int rank; /* 0: one value */
  size_t shape[RIA_STATE_RANK];
  void *data;
  ria_state_cut cut; /* of a part; also where that is the whole */
  void *ticket; /* of data that are in the memory that `room` gave: they are there once this went
                   to ria_solver_ops.await; NULL: now */
} ria_state_item;

/* Saving: copy data out and leave it as it is. Restoring: fill all of data. Anything but RIA_OK
 * ends the walk with that status. */
typedef ria_status (*ria_state_visit)(void *user, const ria_state_item *item);

typedef struct ria_state_walk {
  bool restores;
  ria_state_visit visit;
  void *user;
  /* Saving, may be NULL: memory for the data of the next item, which outlives its visit, so that a
   * device copies to it while steps go on. NULL: there is none, data are to be there at the visit.
   */
  void *(*room)(void *user, size_t bytes);
} ria_state_walk;

/* Values of a struct, up to the first without a name. n: of an array or a text; 0 = one value. */
typedef struct ria_state_member {
  const char *name;
  ria_state_type type;
  size_t offset, n;
} ria_state_member;

/* Bytes of one value, and of an item's data. */
RIA_API size_t ria_state_size(ria_state_type type);
RIA_API size_t ria_state_bytes(const ria_state_item *item);
RIA_API ria_status ria_state_members(const ria_state_walk *walk, const ria_state_member *members,
                                     void *of);
/* data[rows][n]; rows = 0: [n]. Alike in all parts. */
RIA_API ria_status ria_state_array(const ria_state_walk *walk, const char *name,
                                   ria_state_type type, size_t rows, size_t n, void *data);

#ifdef __cplusplus
}
#endif
#endif
