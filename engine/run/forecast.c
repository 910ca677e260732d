/* run/forecast.c - how long a run will take, and how much memory and disk it needs
 * (ria/forecast.h).
 *
 * Steps are taken by the solver alone, without events: functions of the host are not called. They
 * go in batches that grow, timed one by one; the first of them is not typical, nor is the step that
 * a simulation begins with. Outputs are those of the queue that a sink knows as its own: each is
 * made once, of the state that the steps came to, and its files are looked at. */
#include "base/clock.h"
#include "base/context.h"
#include "base/grid.h"
#include "base/limit.h"
#include "base/memory.h"
#include "core/sim.h"
#include "forcing/forcing.h"
#include "io/file.h"
#include "outputs/sink.h"
#include "run/run.h"
#include <fcntl.h>
#include <math.h>
#include <ria/forecast.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const double most_made = 256e6; /* bytes of an output that is made to see its size */
static const double packed = 0.1;      /* of larger ones, as stores usually come out */

typedef struct pace {
  double dt_low, dt_high;     /* s, means of a batch */
  double wall_low, wall_high; /* s of a step */
  bool known;
} pace;

/* --- steps ------------------------------------------------------------------------------------ */

static ria_status take(ria_sim *sim, double t_stop, int64_t most, double *wall) {
  const ria_span span = {.t_stop = t_stop, .max_steps = most, .t_watch = INFINITY};
  const double from = ria_wall_clock();
  RIA_TRY(ria_limit_time(sim->ctx));
  RIA_TRY(sim->ops->advance(sim->self, &span));
  RIA_TRY(sim->ops->progress(sim->self, &sim->at));
  *wall = ria_wall_clock() - from;
  if (sim->at.failure == RIA_OK) return RIA_OK;
  return ria_fail(sim->ctx, sim->at.failure, "%s, t = %.10g s",
                  sim->at.fail_what[0] ? sim->at.fail_what : "the solution broke down",
                  sim->at.fail_t);
}

static void learn(pace *p, double dt, double wall) {
  if (!p->known) *p = (pace){dt, dt, wall, wall, true};
  p->dt_low = fmin(p->dt_low, dt);
  p->dt_high = fmax(p->dt_high, dt);
  p->wall_low = fmin(p->wall_low, wall);
  p->wall_high = fmax(p->wall_high, wall);
}

static ria_status measure(ria_sim *sim, double t_stop, double seconds, ria_forecast *f, pace *p) {
  int64_t batch = 1;
  for (int k = 0; f->wall < seconds && sim->at.t < t_stop; k++) {
    const double t = sim->at.t;
    const int64_t steps = sim->at.steps;
    double wall = 0.0;
    RIA_TRY(take(sim, t_stop, batch, &wall));
    const double n = (double)(sim->at.steps - steps);
    f->wall += wall;
    if (!(n > 0.0)) break;
    if (k > 0 || f->wall >= seconds || sim->at.t >= t_stop) learn(p, (sim->at.t - t) / n, wall / n);
    const double fit = 0.1 * seconds * n / fmax(wall, 1e-9);
    batch = (int64_t)fmax(1.0, fmin(fmin(fit, 4.0 * (double)batch), 1e9));
  }
  f->steps = sim->at.steps;
  f->time = sim->at.t;
  return RIA_OK;
}

static void scale(const ria_sim *sim, double t_end, const pace *p, ria_forecast *f) {
  if (!f->steps || !p->known) return;
  f->seconds_an_hour = 3600.0 * f->wall / f->time;
  if (!isfinite(t_end)) return;
  const double left = t_end - f->time;
  if (left <= ria_time_slack(t_end)) {
    f->run_steps = (ria_range){(double)f->steps, (double)f->steps};
    f->run_wall = (ria_range){f->wall, f->wall};
    return;
  }
  const double low = left / p->dt_high, high = 2.0 * left / p->dt_low;
  f->run_steps = (ria_range){(double)sim->at.steps + low, (double)sim->at.steps + high};
  f->run_wall = (ria_range){f->wall + low * p->wall_low, f->wall + high * p->wall_high};
}

/* --- outputs ---------------------------------------------------------------------------------- */

/* Bytes of the files below a directory; links are not followed. */
static double bytes_below(int parent, const char *name);

static int add_entry(void *user, int dir, const char *name) {
  double *sum = user;
  struct stat st;
  if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) != 0) return 0;
  if (S_ISREG(st.st_mode)) *sum += (double)st.st_size;
  if (S_ISDIR(st.st_mode)) *sum += bytes_below(dir, name);
  return 0;
}

static double bytes_below(int parent, const char *name) {
  const int dir = ria_dir_open(parent, name);
  double sum = 0.0;
  if (dir < 0) return 0.0;
  (void)ria_dir_each(dir, add_entry, &sum);
  close(dir);
  return sum;
}

static double bytes_of(const ria_sim *sim) { return bytes_below(AT_FDCWD, sim->out); }

/* One of an output's files, as it comes out now, and how long it took; all that is known of a large
 * one is its size. */
static ria_status make_one(ria_sim *sim, const ria_action *action, const ria_output_cost *cost,
                           double *bytes, double *wall) {
  const double before = bytes_of(sim), from = ria_wall_clock();
  const ria_event_info info = {.t = sim->at.t};
  *bytes = packed * cost->bytes;
  *wall = 0.0;
  if (cost->bytes > most_made) return RIA_OK;
  RIA_TRY(action->fn(sim, &info, action->user));
  RIA_TRY(ria_outputs_settle(sim));
  *wall = ria_wall_clock() - from;
  *bytes = fmax(0.0, bytes_of(sim) - before);
  return RIA_OK;
}

static ria_status count_output(ria_sim *sim, const ria_action *action, const ria_output_cost *cost,
                               double times, ria_forecast *f) {
  double bytes, wall;
  RIA_TRY(make_one(sim, action, cost, &bytes, &wall));
  *(cost->picture ? &f->frames : &f->saves) += times;
  f->disk.low += times * bytes;
  f->disk.high += times * (cost->picture ? 3.0 * bytes : fmax(bytes, cost->bytes));
  f->run_wall.high += times * wall;
  f->outputs += cost->bytes;
  return RIA_OK;
}

static ria_status count_outputs(ria_sim *sim, double t_end, ria_forecast *f) {
  ria_action action;
  ria_output_cost cost;
  double times;
  if (!sim->outputs->writer) return RIA_OK;
  RIA_TRY(ria_outputs_settle(sim));
  f->disk.low = f->disk.high = bytes_of(sim);
  for (size_t k = 0; ria_queue_times(sim, k, t_end, &action, &times); k++)
    if (times > 0.0 && ria_outputs_cost(sim, &action, &cost))
      RIA_TRY(count_output(sim, &action, &cost, times, f));
  return RIA_OK;
}

/* --- all of it -------------------------------------------------------------------------------- */

static ria_status check(ria_sim *sim, double seconds) {
  if (sim->ctx->ranks)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a grid in ranks has no forecast");
  RIA_TRY(ria_sim_idle(sim, "be forecast"));
  if (!sim->started || sim->at.steps || sim->run.under_way || sim->record.replays)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "a forecast is of a simulation that was started and has taken no step");
  if (seconds >= 0.0 && isfinite(seconds)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a forecast in %g s: it must be 0 or more", seconds);
}

static double free_on(const char *directory) {
  struct statvfs v;
  if (!directory || statvfs(directory, &v) != 0) return INFINITY;
  return (double)v.f_bavail * (double)v.f_frsize;
}

ria_status ria_sim_forecast(ria_sim *sim, double t_end, double seconds, const char *disk,
                            ria_forecast *out) {
  pace p = {0};
  ria_forecast f = {.device = sim->backend->name, .threads = ria_context_threads(sim->ctx)};
  RIA_TRY(check(sim, seconds));
  RIA_TRY(ria_batch_ready(sim));
  f.arrays = ria_sim_arrays(sim);
  f.memory_free = ria_memory_available();
  f.disk_free = free_on(disk ? disk : sim->out);
  const double stop = isfinite(t_end) ? t_end : sim->at.t + 1e12;
  RIA_TRY(measure(sim, fmin(stop, ria_forcing_cover_end(sim)), seconds, &f, &p));
  scale(sim, t_end, &p, &f);
  if (isfinite(t_end)) RIA_TRY(count_outputs(sim, t_end, &f));
  *out = f;
  return RIA_OK;
}
