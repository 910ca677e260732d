/* ria/forecast.h - how long a run will take, and how much memory and disk it needs.
 *
 * Some steps are taken and timed, and each output that is due later is made once. What follows from
 * that for the whole run is a range: the lower figure is as measured; the upper one allows for what
 * a start does not show yet. */
#ifndef RIA_FORECAST_H
#define RIA_FORECAST_H
#include <ria/sim.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ria_range {
  double low, high;
} ria_range;

typedef struct ria_forecast {
  /* What was measured, of a run that stood at its start. */
  int64_t steps;
  double time, wall; /* s that they simulated, s that they took */

  /* Of a run to t_end. All 0 where t_end is INFINITY. A flow that becomes faster shortens steps and
   * one that spreads makes them slower: the upper figures are twice the lower ones, unless the
   * steps came to the end by themselves. Without checkpoints, and without what callbacks do. */
  ria_range run_steps, run_wall; /* s, outputs included in the upper figure */
  double frames, saves;          /* how many there will be */
  ria_range disk; /* bytes in the results directory: as outputs came out now; stores without
                     compression and pictures three times as large */

  double arrays;          /* bytes of the solver's arrays, at least, on the device; 0: not known */
  double outputs;         /* bytes of memory that outputs on their way to the disk may take */
  double memory_free;     /* of the host, now that the arrays are there; INFINITY: not known */
  double disk_free;       /* of the directory `disk` */
  double seconds_an_hour; /* wall s for an hour of the flow, as measured; 0: no step was taken */
  const char *device;
  int threads;
} ria_forecast;

/* Of a run from the start that was started (ria_sim_start) and has not taken a step, to t_end
 * (INFINITY: not known). Takes about `seconds` of wall time, more where one step does, and writes
 * into the results directory. disk: a directory on the disk where the run's results will be; NULL =
 * its own. Afterwards the simulation can only be destroyed. RIA_ERR_NUMERICAL: the steps failed, as
 * those of the run will. RIA_ERR_ARGUMENT with ranks, and for a run that is under way. */
RIA_API ria_status ria_sim_forecast(ria_sim *sim, double t_end, double seconds, const char *disk,
                                    ria_forecast *out);

#ifdef __cplusplus
}
#endif
#endif
