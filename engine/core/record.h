/* core/record.h - the record of a run: what the engine asked of its solver and told it, in order.
 * Private to engine.
 *
 * A checkpoint holds the solver's state and this record. To go on from one the host does all that
 * it did before (a script runs again), and until the record ends no step is taken: the solver's
 * answers come from the record, and what the solver is told is compared with it. So whatever the
 * host keeps to itself (variables of a script, conditions, a generator of random numbers), the
 * queue of events, spills half released and rows of gauges come to stand where they stood without
 * being saved one by one. Then the solver gets its state, and steps are taken again.
 *
 * All that may show in a run goes through the functions below: every answer that a callback, a
 * gauge or the account may see, and every change. Outputs that only look (frames, saves, maxima)
 * are not recorded; they are left out while a run is repeated. What was done before the start is
 * done again for real, and compared: of that a few words a field are kept in any case.
 *
 * Of ranks the first keeps the record for all. What it asks for by itself (the budget beside a
 * save) is marked, so that the others, and as many of them as there are another time, come by it.
 *
 * Entries follow one another: where the solver stood, then what was asked and told there. */
#ifndef RIA_CORE_RECORD_H
#define RIA_CORE_RECORD_H
#include <ria/solver.h>

typedef enum ria_record_kind {
  RIA_RECORD_STATE = 1, /* the solver went on to here */
  RIA_RECORD_TOLD,      /* what else ria_progress tells of that state */
  RIA_RECORD_SAVED,     /* a checkpoint was taken: the last entry of a record in a file */
  RIA_RECORD_SAMPLE,
  RIA_RECORD_TOTALS,
  RIA_RECORD_FLUXES,
  RIA_RECORD_STATS,
  RIA_RECORD_FIELD,
  RIA_RECORD_RANGE,
  RIA_RECORD_WRITE,
  RIA_RECORD_ADD,
  RIA_RECORD_GATHER,
  RIA_RECORD_FORCE
} ria_record_kind;

/* Where a span of steps ended: before the time that it watched, at the time that it was to reach,
 * or for another reason. As in records: numbers stay. */
typedef enum ria_span_end { RIA_SPAN_PAUSED, RIA_SPAN_EARLY, RIA_SPAN_LANDED } ria_span_end;

typedef struct ria_record {
  bool on;            /* it is kept: before the start in any case, */
  bool wanted;        /* after it where this is set: a checkpoint may be asked for */
  bool muted;         /* progress is told, when the clock says so: questions are not kept */
  bool replays;       /* until `at` comes to the end */
  bool rooted;        /* rank 0 does something for all (ria_rooted): the others ask none of it, */
  bool passes;        /* and, repeating, pass over its answers */
  bool too_large;     /* given up: answers were larger than RIA_RECORD_MOST */
  ria_span_end ended; /* replaying: the span that led to the last state */
  int64_t steps;      /* of the last state in it; -1: none */
  ria_progress told;  /* the last that was told in it */
  unsigned char *v;   /* [n] */
  size_t n, room;
  size_t at; /* replaying: the next entry */
  /* The record is at its end: put the solver into the state that goes with it. */
  ria_status (*resume)(ria_sim *sim, void *user);
  void *user;
} ria_record;

enum { RIA_RECORD_MOST = 256 << 20 }; /* bytes */

/* A check sum of what was asked or told, 64 bits; begin with seed 0. */
uint64_t ria_record_sum(uint64_t seed, const void *data, size_t bytes);

/* The run begins. */
void ria_record_start(ria_sim *sim);
/* The answer to a question from the record into out[bytes]: *known. Fails where the run asked for
 * something else then. */
ria_status ria_record_answer(ria_sim *sim, ria_record_kind kind, uint64_t asked, void *out,
                             size_t bytes, bool *known);
/* The answer that the solver gave. */
ria_status ria_record_keep(ria_sim *sim, ria_record_kind kind, uint64_t asked, const void *answer,
                           size_t bytes);
/* Both for n values of a whole field (RIA_RECORD_FIELD), which are kept packed. */
ria_status ria_record_answer_field(ria_sim *sim, uint64_t asked, double *out, size_t n,
                                   bool *known);
ria_status ria_record_keep_field(ria_sim *sim, uint64_t asked, const double *answer, size_t n);
/* Something that the solver is told: *done: it was then, and is not to be told again. */
ria_status ria_record_tell(ria_sim *sim, ria_record_kind kind, uint64_t told, bool *done);
/* The solver stands where its host or an event may see it, at the end of a span. A run that goes on
 * may have another end, and would not land where the one before did (--until). */
ria_status ria_record_stand(ria_sim *sim, ria_span_end ended);
/* Steps of a span: *done: sim->at is the next state of the record. */
ria_status ria_record_advance(ria_sim *sim, bool *done);
/* A checkpoint is being taken, which goes on from here. Replaying: one was taken here; *done, and
 * at the end of the record the run goes on by itself. */
ria_status ria_record_saved(ria_sim *sim, bool *done);
/* Replaying: was one taken here, by the clock? Forcing may have been handed over for it. */
bool ria_record_is_saved_here(const ria_sim *sim);
/* Where the last state of it stands; false: it has none. */
bool ria_record_last(const ria_record *record, double *t, int64_t *steps);
/* The same of one that was taken where a run ended, while this one goes on. */
bool ria_record_is_ended_here(const ria_sim *sim);
/* Nothing was saved: take back what ria_record_saved appended. */
void ria_record_unsave(ria_sim *sim);
void ria_record_free(ria_sim *sim);

/* record_calls.c: questions and changes of ria_solver_ops, recorded. */
ria_status ria_ask_sample(ria_sim *sim, int field, int tracer, int n, const int32_t *cell,
                          double *out);
ria_status ria_ask_totals(ria_sim *sim, ria_quantity_totals *totals);
ria_status ria_ask_fluxes(ria_sim *sim, int n, double *in, double *out);
ria_status ria_tell_write(ria_sim *sim, int field, int tracer, const double *src);
ria_status ria_tell_add(ria_sim *sim, int quantity, int n, const int32_t *cell,
                        const double *amount);
ria_status ria_tell_gather(ria_sim *sim, int field, int tracer, int first, int n,
                           const double *weight);
ria_status ria_tell_force(ria_sim *sim, const ria_forcing_set *set);

#endif
