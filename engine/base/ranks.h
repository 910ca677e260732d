/* base/ranks.h - the ranks of a run: how they keep in step, and how an error of one reaches all.
 * Private.
 *
 * Whatever needs other ranks begins with a meeting: each tells in a packet of fixed size what it is
 * about to do, and all hear all. So a rank that failed, ended or does something else is known to
 * all at the same place, and none waits for what will not come. */
#ifndef RIA_BASE_RANKS_H
#define RIA_BASE_RANKS_H
#include <ria/backend.h>
#include <ria/comm.h>
#include <ria/solver.h>

typedef enum ria_rank_act {
  RIA_RANK_CALLS,  /* all do the same; or rank 0 asks, and the others serve */
  RIA_RANK_SERVES, /* does what rank 0 asks for, until that is done */
  RIA_RANK_DONE,   /* rank 0 asks no more */
  RIA_RANK_ENDS,   /* its run has ended */
  RIA_RANK_LEAVES
} ria_rank_act;

/* What ranks meet for: each file that has meetings of its own numbers them from here on. */
enum {
  RIA_MEET_RANKS = 0,
  RIA_MEET_PLACES = 10,
  RIA_MEET_PARTS = 20,
  RIA_MEET_STATE = 40,
  RIA_MEET_GPUS = 50,
  RIA_MEET_PACKED = 60,
  RIA_MEET_BENCH = 70,
  RIA_MEET_ROOTED = 80,
  RIA_MEET_CHECKPOINT = 90,
  RIA_MEET_FIELD3 = 100
};

enum { RIA_RANK_ARGS = 8, RIA_RANK_CALLS_KEPT = 32, RIA_RANK_NOTES_KEPT = 64 };

typedef struct ria_packet {
  int32_t act, status; /* ria_rank_act, ria_status so far */
  uint64_t hash;       /* of what it does and has done, of calls */
  int32_t op, waiting;
  int32_t follows, unused;    /* follows: the failure is said to be that of another rank */
  int32_t arg[RIA_RANK_ARGS]; /* for those that serve */
  double word[RIA_MEETING], along[RIA_MEETING];
  int64_t where[RIA_MEETING];
} ria_packet;

/* Where a rank steps. */
typedef struct ria_rank_place {
  int32_t kind;      /* ria_backend_kind; -1: it could not start */
  uint64_t host, id; /* alike for ranks of one host; and on one device of it (ria_backend.id) */
  char name[64];     /* "cuda:0" */
} ria_rank_place;

typedef struct ria_ranks {
  ria_comm *comm;
  ria_rank_place *place; /* [size] */
  char ways[384];        /* how devices reach each other, in words; "": they do not say */
  ria_packet *all;       /* [size] of the last meeting */
  char *texts;           /* [size][RIA_ERROR_MAX] */
  void **request;        /* [2 * size] */
  bool served;           /* in the last meeting rank 0 asked and the others served */
  bool rooted;           /* on rank 0: the others serve meanwhile */
  ria_status unserved;   /* while `rooted`: that of the meeting at which the others left serving */
  bool left;             /* a rank leaves: the others can only do so too */
  bool lost;             /* none can be reached any more */
  int origin;            /* the rank that failed first; -1: none */
  uint64_t heard;        /* hash of the words of another rank that this one heard last; */
  uint64_t follows;      /*   of those that tell that others fail, and not why */
  uint64_t chain;        /* of what was done since the start */
  ria_status late;       /* of what failed while serving: told at the next meeting */
  /* What the host's program called since all did the same: words, and the chain after it. */
  struct {
    uint64_t chain;
    char text[160];
  } call[RIA_RANK_CALLS_KEPT];
  int n_calls;
  /* And the first things that were done in them (ria_ranks_note). */
  struct {
    uint64_t chain;
    char what[40];
  } note[RIA_RANK_NOTES_KEPT];
  int n_notes;
} ria_ranks;

/* RIA_ERR_MEMORY: this is printed, and all ranks end. */
ria_status ria_ranks_make(ria_context *ctx, ria_comm *comm);
void ria_ranks_free(ria_context *ctx);

/* All tell on which device they step; b NULL: this rank could not start, which its host tells the
 * others. RIA_ERR_ARGUMENT, on all, where some step on the CPU and others on GPUs. */
ria_status ria_ranks_introduce(ria_context *ctx, const ria_backend *b);
/* How many ranks may run on the same cores of one host, this one with them; mask: a number made of
 * its cores. */
ria_status ria_ranks_on_cores(ria_context *ctx, uint64_t mask, int *sharing);
/* Ranks that step on this one's device, with it. */
int ria_ranks_sharing(const ria_ranks *r);

/* NULL: this process is alone. */
static inline bool ria_ranks_root(const ria_ranks *r) { return !r || r->comm->rank == 0; }

/* Something in words and numbers that all are to do alike. */
uint64_t ria_hash(uint64_t h, const void *data, size_t bytes);
/* It was done: the next meeting compares. what: for messages, "the field 'bed'". */
void ria_ranks_note(ria_context *ctx, const char *what, const void *data, size_t bytes);

/* Meet: `mine` to all. RIA_OK: all call the same, or rank 0 calls and the others serve (`served`);
 * then r->all has what each said. Else the error that is known to all: of the first rank that
 * failed, or that they differ. what: for messages, "the field 'level' is read". */
ria_status ria_ranks_meet(ria_context *ctx, ria_packet *mine, const char *what);
/* Of packets that call: what they do, in a number. */
ria_packet ria_ranks_call(int op, const void *data, size_t bytes);
/* The failure that the context tells of is that others do not answer: where one of them has a
 * reason, that is what all tell, this one too. */
void ria_ranks_fail_with_others(ria_context *ctx);
/* A run has ended with s: all come here. What it is for all. */
ria_status ria_ranks_end(ria_context *ctx, ria_status s);

/* Files that a host asks for by name are rank 0's to write. */
bool ria_ranks_write(const ria_context *ctx);
/* What became of one: all know, and may read it. */
ria_status ria_ranks_wrote(ria_context *ctx, ria_status s);

/* data[bytes] of each to all: all[size][bytes]. After a meeting. */
ria_status ria_ranks_allgather(ria_context *ctx, const void *mine, void *all, size_t bytes);
/* data[bytes] to another rank, or from it, in as many messages as it takes; returns when it is
 * there, or may be forgotten. */
ria_status ria_ranks_pass(ria_context *ctx, int peer, bool sends, void *data, size_t bytes);
/* out[goes] to one rank while in[comes] comes from another; either may be none. All do at once. */
ria_status ria_ranks_swap(ria_context *ctx, int to, const void *out, size_t goes, int from,
                          void *in, size_t comes);
/* data[bytes] of rank 0 to all. After a meeting. */
ria_status ria_ranks_spread(ria_context *ctx, void *data, size_t bytes);
/* Blocks: rank k's is at data + offset[k], up to offset[k + 1]; `mine` is this rank's, which may
 * lie there. To rank 0 where the others serve (data is NULL there), else to all. After a meeting.
 */
ria_status ria_ranks_gather(ria_context *ctx, const void *mine, char *data, const size_t *offset);
/* A message could not be sent: nothing works any more. Tells why, and ends all ranks. */
ria_status ria_ranks_lost(ria_context *ctx);
/* This rank has failed with s where the others wait for its messages, and cannot send them: prints
 * the error of the context, and ends all ranks. Returns s. */
ria_status ria_ranks_give_up(ria_context *ctx, ria_status s);

#endif
