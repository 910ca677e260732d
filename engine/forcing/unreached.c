/* forcing/unreached.c - what was asked for and cannot happen: events and spills that lie after the
 * end of a run.
 *
 * Nothing is ignored silently: a spill at 9 h of a run of 8 h is a slip more often than not.
 * Conditions are left out, which may never hold, and so are repeating events that have run. */
#include "base/context.h"
#include "core/sim.h"
#include "base/text.h"
#include "forcing/forcing.h"
#include <math.h>
#include <stdlib.h>

enum { TOLD = 3 }; /* by name; the others are counted */

typedef struct unreached {
  double time;
  ria_handle handle; /* the order of asking */
  const char *spill; /* its name, or NULL */
  ria_phase phase;
} unreached;

static bool is_before(const unreached *a, const unreached *b) {
  return a->time < b->time || (a->time == b->time && a->handle < b->handle);
}

/* Keep the first few in order. */
static void note(unreached first[TOLD], size_t *n, unreached u) {
  size_t k = *n < TOLD ? *n : TOLD;
  ++*n;
  for (; k > 0 && is_before(&u, &first[k - 1]); k--)
    if (k < TOLD) first[k] = first[k - 1];
  if (k < TOLD) first[k] = u;
}

static bool is_after(double t, double t_end) { return t > t_end + ria_time_slack(t_end); }

static void tell(const ria_sim *sim, const unreached *u, const char *comma, char *text,
                 size_t size) {
  char time[64];
  ria_start_tell(&sim->start, u->time, time, sizeof time);
  if (u->spill)
    ria_append(text, size, "%sspill '%s' at %s", comma, u->spill, time);
  else
    ria_append(text, size, "%s%s at %s", comma,
               u->phase == RIA_PHASE_OUTPUT ? "an output" : "an event", time);
}

size_t ria_sim_unreached(const ria_sim *sim, double t_end, char *text, size_t size) {
  unreached first[TOLD];
  ria_waiting w;
  size_t n = 0;
  for (size_t i = 0; i < sim->forcing->n_releases; i++) {
    const ria_release *r = sim->forcing->release[i];
    if (r->state == RIA_RELEASE_WAITS && is_after(r->start, t_end))
      note(first, &n, (unreached){r->start, r->handle, r->name, RIA_PHASE_FORCING});
  }
  for (size_t i = 0; ria_queue_waiting(sim, i, &w); i++)
    if (w.fn && !w.is_test && !ria_is_release_event(w.fn) && !ria_is_frame_event(w.fn) &&
        is_after(w.time, t_end))
      note(first, &n, (unreached){w.time, w.handle, NULL, w.phase});
  if (!size) return n;
  text[0] = '\0';
  for (size_t k = 0; k < n && k < TOLD; k++) tell(sim, &first[k], k ? ", " : "", text, size);
  if (n > TOLD) ria_append(text, size, " and %zu more", n - TOLD);
  return n;
}

void ria_tell_unreached(const ria_sim *sim, char *text, size_t size) {
  char which[200];
  const size_t n = sim->ended ? ria_sim_unreached(sim, sim->at.t, which, sizeof which) : 0;
  text[0] = '\0';
  if (n)
    ria_format(text, size, "%zu event%s after the end of the run never happened: %s", n,
               n == 1 ? "" : "s", which);
}
