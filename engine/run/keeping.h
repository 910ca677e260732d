/* run/keeping.h - checkpoints that a run takes by itself, and the host's data in them. Private. */
#ifndef RIA_RUN_KEEPING_H
#define RIA_RUN_KEEPING_H
#include "core/sim.h"
#include "io/pieces.h"
#include <ria/checkpoint.h>

typedef struct ria_note {
  char name[RIA_PIECE_NAME]; /* as a piece: "Note." and the host's */
  unsigned char *data;       /* [bytes + 1] */
  size_t bytes;
} ria_note;

typedef struct ria_notes {
  ria_note *of; /* [n] */
  size_t n, room;
} ria_notes;

typedef struct ria_keeping {
  ria_checkpoints_desc desc; /* keep of it: at least 1 */
  bool wanted, given_up;
  int64_t number; /* of the last */
  double next;    /* s of simulated time: the one to come */
  double next_wall;
  size_t recorded;        /* bytes of the record when the last was taken; 0: none was */
  char *from;             /* the one that the run goes on from; NULL: from none of its directory */
  ria_notes notes, noted; /* to be saved; in the checkpoint that the run goes on from */
} ria_keeping;

/* sim->keeping, made where there is none. */
ria_status ria_keeping_make(ria_sim *sim, ria_keeping **out);
void ria_keeping_free(ria_sim *sim);

/* --- checkpoints.c: what the loop of a run asks */
/* At most so many steps to the next time of one. */
int64_t ria_checkpoints_steps(const ria_sim *sim, int64_t most);
/* Between steps: take one that is due; repeating, pass over those that were taken here. */
ria_status ria_checkpoints_turn(ria_sim *sim);
/* A run is over, with `end`; its closing outputs are not written yet. */
ria_status ria_checkpoints_end(ria_sim *sim, ria_status end);

/* --- notes.c */
ria_status ria_notes_save(ria_sim *sim, const ria_state_walk *walk);
/* Take what the file has. */
ria_status ria_notes_read(ria_sim *sim, ria_pieces_in *in);

/* --- checkpoint.c */
/* Write the present state to a file; what the record says of it is the caller's. */
ria_status ria_checkpoint_put(ria_sim *sim, const char *path);
/* Why no checkpoint can be taken. */
ria_status ria_checkpoint_can(ria_sim *sim);

#endif
