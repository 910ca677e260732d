/* outputs/sink.h - one kind of output: what the run and outputs as a whole ask of it. Private.
 *
 * A new kind is a file with its request (ria_x_action of ria/output.h), a table of this type, and a
 * line in sinks.def. It takes what it wants when its event runs (ria_action) and hands a job to the
 * writer; or between two steps, by watch, look and pass. Entries that have nothing to do are NULL.
 *
 * Its state is private to its file: `size` bytes that begin as zeros when the simulation is made,
 * and are handed to each function. Jobs may point into what it owns: free comes after the last. */
#ifndef RIA_OUTPUTS_SINK_H
#define RIA_OUTPUTS_SINK_H
#include "outputs/output.h"

typedef struct ria_sink {
  size_t size;
  /* Before the first step, and again if one of them failed; outputs->writer is NULL where no
   * directory was asked for. */
  ria_status (*begin)(ria_sim *sim, void *self);

  /* Times that steps pass over (gauge_rows.c): the next one lowers span->t_watch, and waiting for
   * the step after, which is to be taken alone, makes max_steps 1; a look at the state before that
   * step, which reaches t; after it (landed: at the span's end, whose own values belong to the
   * events there). */
  void (*watch)(const ria_sim *sim, const void *self, ria_span *span);
  ria_status (*look)(ria_sim *sim, void *self, double t);
  ria_status (*pass)(ria_sim *sim, void *self, bool landed);

  /* Closing outputs of a run; with a writer only. May come again, after a later run. */
  ria_status (*finish)(ria_sim *sim, void *self);
  /* All rows so far are on disk when this returns. */
  ria_status (*sync)(ria_sim *sim, void *self);
  /* Results are taken up, where the run goes on (take_up.c): check and cut back what is there. */
  ria_status (*take_up)(ria_sim *sim, void *self);
  /* False when the handle is not that of something of its own, still to come. */
  bool (*cancel)(ria_sim *sim, void *self, ria_handle handle);

  /* False when the action is not its own. */
  bool (*cost)(const ria_sim *sim, const ria_action *action, ria_output_cost *cost);

  /* What it has made and will make, by ria_sink_lists; the columns of its tables, into run.json;
   * its lines of the summary, which tell what exists. */
  ria_status (*list)(ria_sim *sim, const void *self, ria_results_list *list);
  ria_status (*columns)(ria_sim *sim, const void *self, ria_json *j);
  void (*report)(ria_sim *sim, const void *self);
  /* Points that pictures mark, at most `room`; returns how many there are. */
  size_t (*marks)(const ria_sim *sim, const void *self, ria_frame_mark *marks, size_t room);

  void (*free)(ria_sim *sim, void *self);
} ria_sink;

#define RIA_SINK(name) extern const ria_sink ria_##name##_sink;
#include "outputs/sinks.def"
#undef RIA_SINK

/* The state of one of them. */
void *ria_sink_state(const ria_sim *sim, const ria_sink *sink);
ria_status ria_sink_lists(ria_sim *sim, ria_results_list *list, ria_result_kind kind,
                          const char *name, ria_result item);
/* "s" after a count that is not 1. */
const char *ria_plural(int64_t n);

#endif
