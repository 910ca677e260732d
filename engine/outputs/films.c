/* outputs/films.c - films at the end of a run, of its own frames (ria_sim_film).
 *
 * They are made when the closing outputs are, whatever ended the run, once its frames are on disk.
 * Names of series are compared when the run begins, before a step: who asks for frames later, from
 * inside an event, cannot have them in a film. So are the times of series that stand side by side,
 * as far as they are known by then: up to the end of the run, and not of frames that a condition
 * draws. */
#include "base/array.h"
#include "base/context.h"
#include "base/text.h"
#include "core/events.h"
#include "core/sim.h"
#include "io/ffmpeg.h"
#include "outputs/films.h"
#include "outputs/sink.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct film_plan film_plan;
struct film_plan {
  film_plan *next;
  char *file, *title; /* file NULL: named when the run begins */
  char *series[RIA_FILM_SERIES];
  ria_film_desc desc; /* its texts are not ours */
  size_t frames;      /* of the film that was made; 0: none */
  bool made;          /* or begun */
};

typedef struct films_state {
  film_plan *plans; /* in the order of asking */
} films_state;

/* --- asking ----------------------------------------------------------------------------------- */

static void plan_free(film_plan *p) {
  free(p->file);
  free(p->title);
  for (size_t k = 0; k < p->desc.n_series; k++) free(p->series[k]);
  free(p);
}

static ria_status name_plan(ria_sim *sim, film_plan *p, const char *name) {
  const films_state *state = ria_sink_state(sim, &ria_films_sink);
  RIA_TRY(ria_check_file_name(sim, "a film", name));
  if (!ria_film_is_name(name))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "'%s': a film is an .mp4 or .webm (by ffmpeg), or an animated .png or .apng",
                    name);
  for (const film_plan *q = state->plans; q; q = q->next)
    if (q != p && q->file && strcmp(q->file, name) == 0)
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "there is a film '%s' already: give this one "
                      "another name",
                      name);
  p->file = ria_strdup(name);
  return p->file ? RIA_OK : ria_fail_memory(sim->ctx, "a film", strlen(name) + 1);
}

static ria_status copy(ria_sim *sim, film_plan *p, const ria_film_desc *d) {
  p->desc = *d;
  p->desc.n_series = 0;
  p->desc.path = p->desc.dir = NULL;
  p->desc.series = (const char *const *)p->series;
  if (d->title && !(p->desc.title = p->title = ria_strdup(d->title)))
    return ria_fail_memory(sim->ctx, "a film", strlen(d->title));
  for (size_t k = 0; k < d->n_series; k++) {
    p->series[k] = ria_strdup(d->series[k]);
    if (!p->series[k]) return ria_fail_memory(sim->ctx, "a film", strlen(d->series[k]));
    p->desc.n_series++;
  }
  return d->path ? name_plan(sim, p, d->path) : RIA_OK;
}

static ria_status check(ria_sim *sim, const ria_film_desc *d) {
  char ffmpeg[RIA_FILM_PATH];
  if (!d || d->dir)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "a film of a run is of its own frames: leave out `dir`");
  RIA_TRY(ria_out_needed(sim, "films"));
  RIA_TRY(ria_film_check(sim->ctx, d));
  if (sim->started)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "films are asked for before the run starts");
  const bool needs = d->path && (ria_ends_with(d->path, ".mp4") || ria_ends_with(d->path, ".webm"));
  if (!needs || ria_ffmpeg_find(sim->ctx, ffmpeg, sizeof ffmpeg)) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "'%s' needs ffmpeg, which is not on PATH: install it (apt install ffmpeg), or "
                  "name a .png, which browsers play as it is",
                  d->path);
}

ria_status ria_sim_film(ria_sim *sim, const ria_film_desc *desc) {
  films_state *state = ria_sink_state(sim, &ria_films_sink);
  RIA_TRY(check(sim, desc));
  film_plan *p = calloc(1, sizeof *p), **end = &state->plans;
  if (!p) return ria_fail_memory(sim->ctx, "a film", sizeof *p);
  const ria_status s = copy(sim, p, desc);
  if (s != RIA_OK) {
    plan_free(p);
    return s;
  }
  while (*end) end = &(*end)->next;
  *end = p;
  return RIA_OK;
}

/* --- when the run begins ---------------------------------------------------------------------- */

static ria_status find_series(ria_sim *sim, const char *name) {
  ria_guess guess = ria_guess_start(name);
  const char *known;
  for (size_t k = 0; (known = ria_frames_name(sim, k)) != NULL; k++) {
    if (strcmp(known, name) == 0) return RIA_OK;
    ria_guess_try(&guess, known);
  }
  return ria_fail_guess(sim->ctx, &guess, ": asked for are ",
                        "a film of '%s', of which no frames "
                        "are asked for",
                        name);
}

/* --- times of series side by side --- */

enum { TIMES_MOST = 4096 }; /* that are compared */

static int by_time(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The first times of frames of a series, in order. *known: nothing else draws any. */
static ria_status times_of(ria_sim *sim, const char *name, ria_doubles *out, bool *known) {
  ria_timing e;
  *known = true;
  for (size_t k = 0; ria_queue_timing(sim, k, &e); k++) {
    const char *drawn = ria_frames_drawn(&e.action);
    if (!drawn || strcmp(drawn, name) != 0) continue;
    *known = *known && !e.is_test;
    const double end = e.stop > 0.0 ? fmin(e.stop, sim->run.t_end) : sim->run.t_end;
    for (int n = 0; n < TIMES_MOST; n++) {
      const double t = e.next + n * e.period;
      if (t > end + ria_time_slack(end) || (n && e.period <= 0.0)) break;
      RIA_TRY(ria_doubles_append(sim->ctx, out, &t, 1));
    }
  }
  if (out->n) qsort(out->v, out->n, sizeof *out->v, by_time);
  return RIA_OK;
}

static ria_status compare(ria_sim *sim, const char *a, const ria_doubles *ta, const char *b,
                          const ria_doubles *tb) {
  char first[64], second[64];
  for (size_t k = 0; k < ta->n && k < tb->n && k < TIMES_MOST; k++) {
    if (fabs(ta->v[k] - tb->v[k]) <= 1e-6 * fmax(1.0, fabs(ta->v[k]))) continue;
    ria_start_tell_seconds(&sim->start, ta->v[k], first, sizeof first);
    ria_start_tell_seconds(&sim->start, tb->v[k], second, sizeof second);
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "a film of '%s' and '%s' side by side: frame %zu of '%s' comes at %s, that of "
                    "'%s' at %s: draw both at the same times, or make a film of each",
                    a, b, k, a, first, b, second);
  }
  return RIA_OK;
}

/* Each series has the times of the first. */
static ria_status check_times(ria_sim *sim, const film_plan *p) {
  ria_doubles first = {0}, other = {0};
  bool known, known_too;
  ria_status s = times_of(sim, p->series[0], &first, &known);
  for (size_t k = 1; k < p->desc.n_series && s == RIA_OK; k++) {
    other.n = 0;
    s = times_of(sim, p->series[k], &other, &known_too);
    if (s == RIA_OK && known && known_too)
      s = compare(sim, p->series[0], &first, p->series[k], &other);
  }
  ria_doubles_free(&first);
  ria_doubles_free(&other);
  return s;
}

/* The first series of the run stands for none, and its name for the film's. */
static ria_status settle(ria_sim *sim, film_plan *p) {
  char file[RIA_FIELD_NAME_MAX + 8], ffmpeg[RIA_FILM_PATH];
  const char *first = ria_frames_name(sim, 0);
  if (!first)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "a film of a run without frames: ask for some, sim:every(\"30 min\", ria.frame "
                    "{ field = \"level\" })");
  if (!p->desc.n_series) {
    p->series[0] = ria_strdup(first);
    if (!p->series[0]) return ria_fail_memory(sim->ctx, "a film", strlen(first));
    p->desc.n_series = 1;
  }
  for (size_t k = 0; k < p->desc.n_series; k++) RIA_TRY(find_series(sim, p->series[k]));
  if (p->desc.n_series > 1 && !sim->record.replays) RIA_TRY(check_times(sim, p));
  if (p->file) return RIA_OK;
  const bool mp4 = ria_ffmpeg_find(sim->ctx, ffmpeg, sizeof ffmpeg);
  snprintf(file, sizeof file, "%s%s", p->series[0], mp4 ? ".mp4" : ".png");
  return name_plan(sim, p, file);
}

static ria_status begin(ria_sim *sim, void *self) {
  const films_state *state = self;
  for (film_plan *p = state->plans; p; p = p->next) RIA_TRY(settle(sim, p));
  return RIA_OK;
}

/* --- when it ends ----------------------------------------------------------------------------- */

static ria_status make(ria_sim *sim, film_plan *p) {
  char *path = NULL;
  ria_film_desc desc = p->desc;
  ria_film_info *info = calloc(1, sizeof *info);
  if (!info) return ria_fail_memory(sim->ctx, "a film", sizeof *info);
  ria_status s = ria_out_path(sim, p->file, &path);
  if (s == RIA_OK) s = ria_outputs_claim(sim, RIA_RESULT_FILM, p->file);
  desc.dir = sim->out;
  desc.path = path;
  if (s == RIA_OK) s = ria_film_alone(sim->ctx, &desc, false, info);
  p->frames = s == RIA_OK ? info->frames : 0;
  p->made = p->made || p->frames > 0;
  free(path);
  free(info);
  return s;
}

static bool has_frames(const ria_sim *sim, const film_plan *p) {
  for (size_t k = 0; k < p->desc.n_series; k++)
    if (!ria_frames_made(sim, p->series[k])) return false;
  return true;
}

static ria_status finish(ria_sim *sim, void *self) {
  const films_state *state = self;
  if (!state->plans || sim->record.replays) return RIA_OK;
  RIA_TRY(ria_writer_flush(sim->outputs->writer));
  for (film_plan *p = state->plans; p; p = p->next)
    if (p->file && has_frames(sim, p)) RIA_TRY(make(sim, p));
  return RIA_OK;
}

static ria_status list(ria_sim *sim, const void *self, ria_results_list *list) {
  const films_state *state = self;
  for (const film_plan *p = state->plans; p; p = p->next)
    if (p->file)
      RIA_TRY(ria_sink_lists(sim, list, RIA_RESULT_FILM, p->file,
                             (ria_result){.made = p->made, .count = p->made}));
  return RIA_OK;
}

static void report(ria_sim *sim, const void *self) {
  const films_state *state = self;
  for (const film_plan *p = state->plans; p; p = p->next)
    if (p->frames)
      ria_log(sim->ctx, "    %s: a film of %zu picture%s", p->file, p->frames,
              ria_plural((int64_t)p->frames));
}

static void destroy(ria_sim *sim, void *self) {
  films_state *state = self;
  (void)sim;
  for (film_plan *p = state->plans, *next; p; p = next) {
    next = p->next;
    plan_free(p);
  }
}

const ria_sink ria_films_sink = {.size = sizeof(films_state),
                                 .begin = begin,
                                 .finish = finish,
                                 .list = list,
                                 .report = report,
                                 .free = destroy};
