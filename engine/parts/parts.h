/* parts/parts.h - a solver made of parts: the rows of a grid dealt out to instances of a solver,
 * which together have the bits of one that has the whole grid. Private. */
#ifndef RIA_PARTS_PARTS_H
#define RIA_PARTS_PARTS_H
#include "base/times.h"
#include <ria/planes.h>

/* ria_solver_ops of what ria_parts_create makes, but for create. */
extern const ria_solver_ops ria_parts_ops;

/* own: the solver's operations as it has them; ops: with those that it left NULL (which `own` tells
 * from them). n parts, of the rows cut[k] .. cut[k + 1] - 1 each; cut NULL: of as many rows as can
 * be, ria_part_cut. The set-up is that of the whole.
 * RIA_ERR_ARGUMENT, with what to do, where the solver steps whole grids alone, or the grid has
 * fewer rows. */
ria_status ria_parts_create(const ria_solver_setup *setup, const ria_solver_ops *own,
                            const ria_solver_ops *ops, int n, const int *cut, int n_quantities,
                            void **self);

/* Where parts can copy and pack fields on their way out (`own`), the whole can: its operations get
 * what that takes. Only where one process has all parts. */
void ria_parts_let_out(const ria_solver_ops *own, ria_solver_ops *whole);

/* On other ranks than 0, which asks: what this process has of it. RIA_ERR_ARGUMENT: the packet is
 * none that can be served. */
struct ria_packet;
ria_status ria_parts_serve(void *self, const struct ria_packet *asked);

/* Rows that a rank has. */
ria_part ria_parts_rows(const void *self, int rank);
/* As read of ria_solver_ops, without others: rows that this process has. */
ria_status ria_parts_read_here(void *self, int field, int tracer, bool maximum, int j0, int nj,
                               ria_real real, void *dst);
/* As pack_bytes and pack, of the rows of tiles that begin in this process; how->beyond has those of
 * its last ones that others have. It returns when they are at dst; *there false: device memory is
 * short. */
size_t ria_parts_pack_bytes_here(void *self, const ria_packing *how);
ria_status ria_parts_pack_here(void *self, int field, int tracer, const ria_packing *how, void *dst,
                               bool *there);

/* Add what was spent so far: wall s that parts stepped, waits for each other included, and what
 * all of them took in sum. */
void ria_parts_spent(const void *self, double *wall, double *stepped);
/* The same of the k-th part on a device that tells, with the s that it waited for others; false: it
 * does not. */
bool ria_parts_told(const void *self, int k, double *stepped, double *waited);
/* Threads or devices that step parts at once; 1: parts step one after another. */
int ria_parts_at_once(const void *self);
/* Have the parts a state that others can take over? */
bool ria_parts_can_be_cut(const void *self);
/* Other parts of the same grid, made alike and forced alike, go on where these are. */
ria_status ria_parts_take_over(void *self, void *from);
/* times[ranks]: how each has fared; all ranks do, or serve. */
ria_status ria_parts_times(const void *self, ria_times *times);
/* took[n]: what each part of the grid stepped, wall s; with ranks all do. */
ria_status ria_parts_took(const void *self, double *took);

/* --- how parts reach each other -----------------------------------------------------------------
 *
 * A process holds some parts that lie beside each other. Those it passes words and rows between by
 * itself (meeting.c). What lies between them and the parts of other processes is a ria_reach. */

enum { RIA_MOST_SHARED = 128 }; /* rows of a side: planes times ghost rows */

typedef struct ria_held_part {
  ria_part rows;
  void *self;       /* the solver's */
  ria_meeting said; /* room */
  double stepping;  /* wall s that it stepped */
  double waited;    /* s that it waited for others, where a device tells */
} ria_held_part;

typedef struct ria_reach ria_reach;

/* The parts first .. first + count - 1 of n. */
typedef struct ria_held {
  ria_context *ctx;
  const ria_solver_ops *ops;
  const ria_reach *reach; /* NULL: this process holds all parts */
  int n, first, count;
  ria_held_part *part; /* [count] from the south */
  void *post;          /* the reach's room */
  int lanes;           /* threads that step parts at once: lanes.c; 0 and 1: one after another */
  double *wall; /* s that parts stepped, waits for each other included; NULL: nobody counts */
} ria_held;

/* Something of every part, each on its thread, even if one fails. The southernmost failure is
 * returned. */
typedef ria_status (*ria_each_part_fn)(const ria_held *h, int k, const void *user);
ria_status ria_parts_each(const ria_held *h, ria_each_part_fn go, const void *user);
/* How many threads would step `count` parts at once. */
int ria_parts_lanes(const ria_solver_setup *setup, const ria_solver_ops *ops, int count);

/* Wall time that a rank has spent on its parts since the run began, over all cuts. Private to this
 * folder. */
ria_times *ria_parts_post_spent(const ria_held *h);

/* To other processes. All of them call each function at the same place; an error of one is an error
 * of all. Another way of reaching them (NCCL, memory of peers) is another table. */
struct ria_reach {
  /* In: what the parts here say, joined; how many of them wait; what became of them so far. Out:
   * the same of all parts. Lists are not touched. */
  ria_status (*join)(const ria_held *h, ria_meeting *all, int *waiting, ria_status here);
  /* list[n]: each number from the part that has it, NaN here where that is elsewhere. */
  ria_status (*join_list)(const ria_held *h, double *list, int n);
  /* Rows of the first part's southern and the last part's northern side; where the sides of the
   * grid are periodic the first part of all has rows to share in the south, with the last of all in
   * the north, and where parts are lower than they share rows goes round twice. `between` passes on
   * what lies between parts here, in one direction: called once for either, at a time when all that
   * comes from that side and is to be passed on is there. */
  ria_status (*exchange)(const ria_held *h,
                         ria_status (*between)(const ria_held *h, bool northwards));
  /* Blocks of a relay, each as soon as it has come: `through` takes one through the parts here,
   * `in` NULL where the way begins, and leaves what goes on, which stays as it is until this
   * returns. NULL: relays do not leave a process. */
  ria_status (*relay)(const ria_held *h, const ria_relay *r,
                      ria_status (*through)(const ria_held *h, const ria_relay *r, int block,
                                            const void *in, const void **out));
  /* Rows j0 .. j0 + nj - 1 of so many bytes each, from the process that has them: `mine` are those
   * of this process. all[nj]: where they are wanted, else NULL. */
  ria_status (*gather)(const ria_held *h, const void *mine, void *all, size_t bytes, int j0,
                       int nj);
};

/* Parts that wait for each other say and hear until none waits. `here`: what became of the call
 * that made them wait; it is told to other processes, and returned. */
ria_status ria_parts_agree(const ria_held *h, ria_status here);
/* Ghost rows get what the neighbours have there. */
ria_status ria_parts_exchange(const ria_held *h);
/* Before the first step, where the sides in the south and north are periodic: `write` and `add` do
 * not reach ghost rows beyond an end of the grid. */
ria_status ria_parts_close_ring(const ria_held *h);
/* The state of all parts as that of one solver with the whole grid; account: the whole's. */
ria_status ria_parts_state(const ria_held *h, const ria_grid *grid, ria_account *account,
                           const ria_state_walk *walk);
/* Parts `to` take over the state of `from`, and its account. Every rank has some of both. */
ria_status ria_parts_hand_over(const ria_held *from, ria_account *had, const ria_held *to,
                               ria_account *has, const ria_grid *grid);
/* The rows of this process. */
ria_part ria_parts_here(const ria_held *h);

/* --- ranks.c: the reach of ranks (base/ranks.h) ----------------------------------------------- */

extern const ria_reach ria_parts_ranks;
/* Which parts are this rank's, and the table; *h has ctx and n. Where the process is alone, all. */
void ria_parts_share_out(ria_held *h);
/* When the parts are there: room for rows that pass. */
ria_status ria_parts_post_make(ria_held *h, int ny, const int *cut);
void ria_parts_post_free(ria_held *h);
/* data[bytes] of each rank to all: all[ranks][bytes], of at most RIA_POST bytes a rank. */
enum { RIA_POST = 8192 };
/* Ranks that have done something without the others tell how it ended: the first failure is all's.
 */
ria_status ria_parts_all_well(const ria_held *h, ria_status here);
ria_status ria_parts_tell_all(const ria_held *h, const void *mine, size_t bytes, void **all);
/* The rank that has the row, and the rows that a rank has. */
int ria_parts_rank_of(const ria_held *h, int row);
ria_part ria_parts_of_rank(const ria_held *h, int rank);

#endif
