/* gpu/adi/together.cuh - parts of a grid that step together: for together.cu (their crew, spans),
 * together_step.cu (what is queued for a step) and together_words.cu (what parts say to each other
 * in it). */
#ifndef RIA_GPU_ADI_TOGETHER_CUH
#define RIA_GPU_ADI_TOGETHER_CUH
#include "host.cuh"
#include "machine/crew.cuh"
#include "machine/ranks.cuh"

typedef struct adig_crew {
  ria_gpu_crew *crew;
  ria_context *ctx;
  adig **part;             /* [n]; NULL: another rank's */
  int n;                   /* of all ranks */
  int m, segments, blocks; /* of a column */
  int8_t slot[ADIG_BLOCKS], block_of[ADIG_BLOCKS];
  int n_slots;
  /* Where each lane's list has what; bytes. */
  size_t rim_cells, ends_at, seam_at, pieces_at, edges_at, list_bytes;
} adig_crew;

static inline adig *adig_lane_first(const adig_crew *c, const ria_gpu_lane *l) {
  return c->part[l->first];
}
static inline adig *adig_crew_first(const adig_crew *c) { return c->part[c->crew->first]; }

/* Lanes whose memory a lane stores in: all, or its own alone; and its place among them. */
static inline int adig_n_reached(const adig_crew *c) { return c->crew->to - c->crew->from; }
static inline const ria_gpu_lane *adig_reached(const adig_crew *c, int k) {
  return &c->crew->lane[c->crew->from + k];
}
static inline bool adig_is_far(const adig_crew *c) { return ria_gpu_crew_is_far(c->crew); }

static inline size_t adig_up_to_8(size_t bytes) { return (bytes + 7) / 8 * 8; }

#define EACH_HERE(S, C)                                                                            \
  for (int here_ = (C)->crew->first; here_ < (C)->crew->first + (C)->crew->count; here_++)         \
    if (adig *S = (C)->part[here_])
#define EACH_PART(S, P, L)                                                                         \
  for (int P = (L)->first; P < (L)->first + (L)->n; P++)                                           \
    if (adig *S = c->part[P])

/* --- together_words.cu ------------------------------------------------------------------------ */

/* Words of consecutive meetings lie in different boxes; these of a look, whose meeting follows that
 * of a sweep along y, in a third one. */
enum adig_words { OF_NOTHING, OF_LOOK, OF_X, OF_Y };

/* Of a lane, in the k-th step of a round: what it says; what others said, and what came with it is
 * fetched: rows of a set, or -1. Where lanes do not reach each other's memory it is handed on
 * behind whoever says it. */
ria_status adig_lane_say(const adig_crew *c, ria_gpu_lane *l, int k, enum adig_words words);
ria_status adig_lane_hear(const adig_crew *c, ria_gpu_lane *l, int k, enum adig_words words,
                          int rows);
ria_status adig_hand_on(const adig_crew *c, ria_gpu_lane *l, enum adig_words words);
/* Rows of a set; handed on, they are fetched at once. */
ria_status adig_lane_send(const adig_crew *c, ria_gpu_lane *l, int rows);

/* What is handed on of a lane's list is cleared before this lane says its share, and united behind
 * that: of discharges' cells, of columns, of edges of those that spread (enum adig_way). */
enum adig_listed { OF_RIM, OF_COLUMNS, OF_NORTH, OF_SOUTH, OF_SEAM };
unsigned long long *adig_listed_at(const adig_crew *c, const ria_gpu_lane *l, enum adig_listed what,
                                   bool first, size_t *bytes);
ria_status adig_lane_clear(const adig_crew *c, const ria_gpu_lane *l, enum adig_listed what,
                           bool first);
ria_status adig_lane_unite(const adig_crew *c, ria_gpu_lane *l, enum adig_listed what, bool first);

/* Columns of part s in the first of two solutions, or the last. */
adig_joint adig_joint_of(const adig_crew *c, const ria_gpu_lane *l, const adig *s, bool first);
/* Are there discharges or ratings whose cells may lie in several parts? */
static inline bool adig_has_rim(const adig *s) { return s->beside.rivers.first[1] > 0; }
adig_forcing adig_lane_forcing(const adig_crew *c, const ria_gpu_lane *l, const adig *s);
/* What these cells hold: said, awaited. due: where a look is. */
ria_status adig_tell_rim(const adig_crew *c, ria_gpu_lane *l, int k, bool due);
ria_status adig_wait_for_rim(const adig_crew *c, const ria_gpu_lane *l, int k, bool due);
/* What parts see in a look. */
ria_status adig_meet_seen(const adig_crew *c, const ria_gpu_lane *l, int k, int what);

/* --- together_step.cu ------------------------------------------------------------------------- */

int adig_n_phases(const adig_crew *c);
/* See ria_gpu_crew_calls. */
ria_status adig_queue_phase(void *user, ria_gpu_lane *l, int k, int phase, ria_round *round,
                            bool closes_round);

#endif
