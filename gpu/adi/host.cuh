/* gpu/adi/host.cuh - the implicit solver on CUDA as the host holds it.
 *
 *   adi.cu     life, fields, the table of functions
 *   set.cu     what is set: fields, releases, boundaries and sources
 *   rivers.cu  boundaries and sources as threads share them
 *   layers.cu  layers in which the flow is drawn to a given one
 *   rings.cu   periodic sides
 *   queue.cu   a round of steps: which kernels, and with what
 *   steps.cu   spans: the clock, looks, the loop
 *   state.cu   the state by name
 *   fail.cu    what went wrong: a sweep, a level that runs away
 *   parts.cu   a part of the grid: where cuts lie, what parts agree on before they step
 *   together.cu  spans of all parts, together_step.cu a step of them, together_words.cu what they
 *              say to each other in it */
#ifndef RIA_GPU_ADI_HOST_CUH
#define RIA_GPU_ADI_HOST_CUH
#include "adi.cuh"
#include "machine/loop.cuh"

/* What goes with a forcing, in the allocation of the planes: see adig_forcing. */
typedef struct adig_beside {
  double *inflow, *given;
  const water_place *place[WATER_ALONG];
  adig_rivers rivers;
  int n_layers, layer_cells; /* cells of the largest layer, that the device has */
  const ria_gpu_layer *layer;
  const adig_layer_faces *faces;
  double deepest_layer;
} adig_beside;

/* Of a forcing on its way to the device: rivers.cu, layers.cu. */
struct adig_lists;
struct adig_layer_lists;

/* Buffers of the present state, as a step finds or leaves them. */
typedef struct adig_turn {
  int level, flux[2];
} adig_turn;

typedef struct adig {
  ria_gpu_planes p; /* first */
  const adig_kernels *kernel;
  adi_params par;
  adi_rules rules;
  adi_given given;
  ria_progress progress; /* the cell of a failure, in words */
  int nt;
  double decay[RIA_MAX_TRACERS], diffusion[RIA_MAX_TRACERS];
  void *bed, *manning, *level[3], *flux[2][2], *load[2][RIA_MAX_TRACERS], *moved[2], *viscosity;
  void *between;                        /* as the CPU's solver has it */
  void *aside, *kept_a, *kept_c, *note; /* of a part: see adig_joint; else NULL */
  adig_report *report, *host;           /* on the device; as they were last copied out, pinned */
  bool current;                         /* `host` is what the device has, or is to get */
  void *ways;                           /* [ADIG_ROUND][axis][2][ADIG_WAY] */
  adi_seen *seen_blocks;                /* [ADIG_LOOKS] */
  int look_blocks;                      /* of them in use */
  int turn;  /* steps so far, of a round: what is queued at place 0 comes after them */
  int place; /* of the step whose maxima are being kept */
  adig_turn now;
  int load_now;             /* 0 between steps */
  double *value;            /* [3][rim] at present, on the device: see adig_forcing; then */
  double *slope;            /*   that of ratings */
  adig_beside beside;       /* the forcing */
  struct adig_lists *lists; /* while it is replaced */
  struct adig_layer_lists *layers;
  unsigned *fastest;          /* [3][ADIG_SLOTS] */
  bool forced[2], carried_in; /* values at the ends of lines of an axis are needed; of inflow */
  bool driven;                /* as adi_clock */
  bool walls[RIA_SIDES];      /* nothing else on the side */
  bool rated[RIA_SIDES];      /* a rating is on it */
  water_rings rings;          /* pairs of sides that are periodic */
  bool water_set;             /* since the state was looked at for `given` */
  bool stepping;              /* maxima are being kept: not of a state that failed */
  bool broken;                /* the device failed while steps were queued: who knows which ran */
  int parts;                  /* of diffusion that are queued with a step */
  bool implicit;              /* implicit diffusion is */
  int most_blocks;            /* that a line takes */
  ria_loop loop;              /* a graph for each turn that a span may begin at */
  int wind[RIA_WIND_VALUES];  /* forcing ids */
  cudaStream_t on;            /* steps are queued here: its own, or that of a lane */
  int shows;                  /* of a part, which rows `shared` names: enum adig_rows */
  int waits;                  /* of a part, for words of the others: ADIG_PREPARED; 0: for none */
  double deepest, head;       /* which these are of */
  double *stored;             /* [grid.ny] and what rows store; NULL: a part alone has it */
  double *low; /* [2][nx] of a part: the faces south of the grid's first row; NaN: others'; then
                  [ADI_KEPT] */
  struct adig_crew *crew; /* of each part, all of them; made by the southernmost one */
  bool stale;             /* arguments of steps have changed */
} adig;

#define A_TRY(DOING, CALL) RIA_CUDA(s->p.ctx, DOING, CALL)

/* --- adi.cu */

/* What kernels are given of the present state, as the step at a place of the round finds it. */
adig_state adig_state_of(const adig *s, int place);
/* Where the present state is after so many steps. */
void adig_set_turn(adig *s, int64_t steps);
/* What the device has to tell. Waits for what is queued. */
ria_status adig_get_report(void *self);
/* An entry point that needs to know where the present state is. */
ria_status adig_enter(adig *s);

/* --- queue.cu */

/* Queue a look at the present state. */
ria_status adig_look_at(adig *s, int kind);
/* Queue a round of steps, from the present state on. */
ria_status adig_queue_steps(adig *s, const ria_round *round);
/* What a step is made of, at a place of the round: for parts, which meet in between. */
bool adig_looks(const adig *s, int place);
adig_forcing adig_forcing_of(const adig *s);
adig_sweep adig_sweep_of(const adig *s, int axis, int place);
/* The first of two solutions; *w becomes the second. */
adig_sweep adig_first_of(adig *s, int axis, int place, adig_sweep *w);
/* The sweep is done: the present state is what it made. */
void adig_swept(adig *s, int axis);
/* Tracers by what crossed in it; load_now is as before until then. */
ria_status adig_carry_all(adig *s, int place);
/* Explicit diffusion: its part number `part`; nothing from `parts` on, but load_now changes with
 * each. Then loads go back to where they began. */
ria_status adig_mix(adig *s, int place, int part);
ria_status adig_mix_home(adig *s, int place);
/* Implicit diffusion, in place, of all tracers along an axis; of a tracer, of the columns of a
 * part; what crossed in sweeps is not needed any more. */
ria_status adig_mix_lines(adig *s, int place, int axis);
ria_status adig_mix_columns(adig *s, int place, int tracer, const adig_edge *e);
ria_status adig_decay(adig *s, int place);
/* Layers draw the flow, behind sources and before sides. */
ria_status adig_relax(adig *s, int place);
static inline bool adig_has_layers(const adig *s) { return s->beside.n_layers > 0; }
ria_status adig_eddies(adig *s, int place);
ria_status adig_keep_maxima(adig *s, int place);
/* false: nothing is to be done. */
bool adig_tick_of(const adig *s, int place, adig_tick *t);

/* --- steps.cu */

/* For the loop. */
ria_status adig_queue_round(void *self, ria_round *round);
/* Go on with the span that the host's clock has. */
ria_status adig_go(adig *s);
/* How many parts of diffusion are to be queued with a step, and is it implicit perhaps? Arguments
 * of steps may be stale then. */
void adig_plan_diffusion(adig *s);
/* Queue: the host's report becomes the device's. A span begins. */
ria_status adig_send_report(adig *s);
/* The state was set, and what a part must hear before has been heard. */
ria_status adig_look_and_tell(adig *s);
/* Nothing is known of fluxes that were set; the end of `prepare`. `deepest` and `head` of the grid,
 * which stores `stored`, m^3. */
ria_status adig_know_state(adig *s, double deepest, double head, double stored);

/* --- fail.cu */

/* A sweep failed: the clock goes back to the beginning of its step, where the state still is. */
ria_status adig_go_back(adig *s);
/* The last look saw a level above the ceiling: does it run away? If not, the ceiling is higher. */
ria_status adig_judge(adig *s);
/* The same from the amount that is stored, m^3, and what came in and went out through stretches,
 * [n_stretch][n_quantities]. */
void adig_judge_by(adig *s, double stored, const double *in, const double *out);

/* --- rivers.cu */

/* ria_gpu_planes_force, with lists for threads; on failure `beside` is not what it was. */
ria_status adig_force_rivers(adig *s, const ria_forcing_set *set);
/* Of ria_gpu_callbacks, with these lists. */
void adig_put_rivers(adig *s, ria_gpu_bundle *b, const ria_gpu_view *fresh);

/* --- rings.cu */

static inline bool adig_has_rings(const adig *s) { return s->rings.x || s->rings.y; }
/* Before steps: RIA_ERR_ARGUMENT where periodic sides are no pairs. */
ria_status adig_check_rings(const adig *s);
/* New forcing: is the part one of a ring? Before it is handed over; and when it was. */
void adig_expect_ring(adig *s, bool ring);
ria_status adig_set_rings(adig *s, water_rings rings);
/* Rows that the device has beyond the ends of a ring. */
static inline int adig_beyond(const adig *s) { return s->p.ring ? s->p.ghost_rows : 0; }
/* Queue: cells beyond periodic sides get what lies along the side across. Nothing without such
 * sides. Of the state that a step begins with; of that where sources, layers or boundaries changed
 * it; of what a sweep made, and boundaries behind it; of bed and roughness; of a plane. */
ria_status adig_wrap_state(adig *s);
ria_status adig_wrap_given(adig *s);
ria_status adig_wrap_swept(adig *s, int axis);
ria_status adig_wrap_ground(adig *s);
ria_status adig_wrap_plane(adig *s, void *plane);

/* --- layers.cu */

/* Layers of a forcing that is about to be handed over, which puts them. To be dropped then. */
ria_status adig_list_layers(adig *s, const ria_forcing_set *set);
void adig_drop_layers(adig *s);
/* Of ria_gpu_callbacks, with these lists. */
void adig_put_layers(adig *s, ria_gpu_bundle *b);

/* --- parts.cu */

/* Which rows pass between parts: of what a sweep along x or y made, at each place of six; of the
 * loads that it carried; of what cells at cuts give. */
enum adig_rows {
  ROWS_SWEPT_X,
  ROWS_SWEPT_Y = ROWS_SWEPT_X + ADIG_ROUND,
  ROWS_LOADS = ROWS_SWEPT_Y + ADIG_ROUND,
  ROWS_ASIDE = ROWS_LOADS + 2,
  ADIG_ROWS,
  ROWS_STATE = ADIG_ROWS /* of parts of a ring: all of it, where it was set; not in a step */
};
/* What a part waits for: what all have set in the south and the north of a ring; to know the state
 * of all; to have rows of a state that was restored. */
enum { ADIG_JOINED = 1, ADIG_PREPARED, ADIG_RESTORED };
int adig_ghost_rows(const void *self);
ria_gpu_array adig_shared(const void *self, int k);
ria_status adig_cut(const ria_solver_setup *setup, int n, int *cut);
/* RIA_ERR_ARGUMENT where a part cannot do what is asked for, with what can. */
ria_status adig_check_part(const ria_solver_setup *setup);
ria_status adig_allocate_part(adig *s);
void adig_free_part(adig *s);
/* The state of a part was set; it waits for the others. Of a ring first for what they have set at
 * the seam, which then is joined. */
ria_status adig_prepare_part(adig *s);
ria_status adig_meet_at_seam(adig *s);
bool adig_say(void *self, ria_meeting *m);
ria_status adig_hear(void *self, const ria_meeting *all);

/* --- together.cu */

ria_status adig_together(void *const *part, int n, const ria_span *span, bool *queued);
/* What a look of all parts left to the host; where the level may stand the span goes on. */
ria_status adig_settle(struct adig_crew *c);
/* RIA_ERR_DEVICE where a part did not answer; of NULL too. */
ria_status adig_crew_check(const struct adig_crew *c);
/* The crew that a part made. Waits for what is queued. */
void adig_crew_free(adig *s);

/* --- set.cu */
/* Arguments of recorded steps have changed. */
static inline void adig_stale(adig *s) {
  ria_loop_stale(&s->loop);
  s->stale = true;
}

/* Of ria_gpu_callbacks. */
ria_status adig_set_field(void *self, int field, int tracer, double *values);

/* --- of ria_solver_ops */

ria_status adig_force(void *self, const ria_forcing_set *set);
ria_status adig_write(void *self, int field, int tracer, const double *src);
ria_status adig_add(void *self, int quantity, int n, const int32_t *cell, const double *amount);
ria_status adig_prepare(void *self, double t);
ria_status adig_advance(void *self, const ria_span *span);
ria_status adig_progress(void *self, ria_progress *out);
ria_status adig_name_state(void *self, const ria_state_walk *walk);

#endif
