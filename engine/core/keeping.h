/* core/keeping.h - checkpoints that a run takes by itself, and what the host and outputs save in
 * them. Private to engine. */
#ifndef RIA_CORE_KEEPING_H
#define RIA_CORE_KEEPING_H
#include "core/sim.h"
#include "io/pieces.h"
#include <ria/checkpoint.h>

/* Data of a name: the host's ("Note.") or a store's ("Store."). */
typedef struct ria_note {
  char name[RIA_PIECE_NAME]; /* as a piece */
  unsigned char *data;       /* [bytes + 1] */
  size_t bytes;
} ria_note;

typedef struct ria_notes {
  ria_note *of; /* [n] */
  size_t n, room;
} ria_notes;

/* Memory that devices copy a state to (alloc_output): slow to make, so it stays. */
typedef struct ria_kept_room {
  void *data; /* [bytes] */
  size_t bytes;
  bool used; /* by the checkpoint that is being taken or written */
} ria_kept_room;

typedef struct ria_keeping {
  ria_checkpoints_desc desc; /* keep of it: at least 1 */
  bool wanted, given_up;
  bool sought;         /* the directory was looked through for one to go on from */
  int64_t number;      /* of the last */
  _Atomic bool writes; /* a worker writes one */
  int64_t skipped;     /* that came due meanwhile */
  double next;         /* s of simulated time: the one to come */
  double next_wall;
  int64_t taken;   /* steps when the last was taken; events of that state are done again */
  char *from;      /* what the run goes on from; NULL: it does not */
  char *continued; /* JSON: where this run and those before it went on; NULL: nowhere */
  bool continues;  /* from a checkpoint, of that time and step */
  double from_t;
  int64_t from_steps;
  ria_kept_room *room; /* [n_rooms]; a worker's while it writes */
  size_t n_rooms, most_rooms;
  ria_notes notes, noted; /* to be saved; in the checkpoint that the run goes on from */
} ria_keeping;

/* sim->keeping, made where there is none. */
ria_status ria_keeping_make(ria_sim *sim, ria_keeping **out);
void ria_keeping_free(ria_sim *sim);

ria_status ria_notes_save(ria_sim *sim, const ria_state_walk *walk);
/* Take what the file has. */
ria_status ria_notes_read(ria_sim *sim, ria_pieces_in *in);
/* All that was read, in one block, to free; and out of it, on another rank. */
ria_status ria_notes_pack(ria_sim *sim, void **out, size_t *n);
ria_status ria_notes_take(ria_sim *sim, const void *packed, size_t n);
/* Of a piece by its whole name, as ria_sim_noted. */
const void *ria_noted_piece(const ria_sim *sim, const char *piece, size_t *bytes);

#endif
