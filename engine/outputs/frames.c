/* outputs/frames.c - the frames of a run: what was asked for, what is made.
 *
 * A plan is how frames are drawn; a strip is the numbered files of one name with the colour range
 * they share, so that two actions of one name continue each other. frame_job.c draws them. */
#include "base/context.h"
#include "base/grid.h"
#include "base/text.h"
#include "io/world_file.h"
#include "outputs/frames.h"
#include "outputs/page.h"
#include "outputs/sink.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct frames_state {
  ria_frame_plan *plans;
  ria_frame_strip *strips; /* in the order of asking */
} frames_state;

static frames_state *state_of(const ria_sim *sim) { return ria_sink_state(sim, &ria_frames_sink); }

/* --- asking ----------------------------------------------------------------------------------- */

static ria_status check_desc(ria_sim *sim, const ria_frame_desc *d) {
  ria_context *ctx = sim->ctx;
  if (d->scale != RIA_SCALE_LINEAR && d->scale != RIA_SCALE_LOG)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "scale %d of a frame is not one of ria_scale",
                    (int)d->scale);
  if (ria_frame_has_range(d) && !(isfinite(d->min) && isfinite(d->max) && d->min < d->max))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "frames of '%s': min %g must be less than max %g",
                    d->field, d->min, d->max);
  if (ria_frame_has_range(d) && d->scale == RIA_SCALE_LOG && !(d->max > 0.0))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "frames of '%s': max is %g, a log scale needs it above 0", d->field, d->max);
  if (!(d->threshold >= 0.0) || !isfinite(d->threshold))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "frames of '%s': threshold is %g, it must be 0 or more",
                    d->field, d->threshold);
  if (d->width < 0 || d->height < 0 || d->width > 16384 || d->height > 16384)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "frames of '%s': %d x %d pixels, each may be 64 to 16384 (0 = chosen)",
                    d->field, d->width, d->height);
  if (!isfinite(d->thinnest))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "frames of '%s': thinnest is %g, it must be finite",
                    d->field, d->thinnest);
  if (d->arrows && !(sim->roles.u && sim->roles.v))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "frames of '%s': solver '%s' has no velocity to draw",
                    d->field, sim->solver->name);
  return ria_colormap_check(sim->ctx, d->map);
}

static ria_status find_phase(ria_sim *sim, const ria_frame_desc *d, const ria_sim_field **out) {
  if (!d->phase) return RIA_OK;
  RIA_TRY(ria_field_or_map(sim, d->phase, out));
  if (strcmp((*out)->unit, "deg") != 0)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "frames of '%s': lines of equal phase need a map of phases "
                    "(\"level_M2_phase\", of sim:fit), and '%s' is in %s",
                    d->field, (*out)->name, (*out)->unit);
  const double step = d->phase_step > 0.0 ? d->phase_step : 30.0, lines = 360.0 / step;
  if (d->phase_step >= 0.0 && step <= 180.0 && fabs(lines - round(lines)) < 1e-6) return RIA_OK;
  return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                  "frames of '%s': lines of equal phase each %g degrees do not close: give a part "
                  "of 360",
                  d->field, step);
}

static void strip_free(ria_frame_strip *s) {
  free(s->name);
  free(s->dir);
  free(s->time);
  free(s);
}

static ria_status strip_new(ria_sim *sim, const char *name, const ria_sim_field *f,
                            ria_frame_strip **out) {
  char below[RIA_FIELD_NAME_MAX + 16];
  snprintf(below, sizeof below, "frames/%s", name);
  ria_frame_strip *s = calloc(1, sizeof *s);
  if (!s) return ria_fail_memory(sim->ctx, "frames", sizeof *s);
  s->field = f;
  s->name = ria_strdup(name);
  ria_status status = s->name ? ria_out_path(sim, below, &s->dir)
                              : ria_fail_memory(sim->ctx, "frames", strlen(name) + 1);
  if (status != RIA_OK) {
    strip_free(s);
    return status;
  }
  ria_frame_strip **end = &state_of(sim)->strips;
  while (*end) end = &(*end)->next;
  *end = s;
  *out = s;
  return RIA_OK;
}

static ria_status strip_find(ria_sim *sim, const char *name, const ria_sim_field *f,
                             ria_frame_strip **out) {
  for (ria_frame_strip *s = state_of(sim)->strips; s; s = s->next) {
    if (strcmp(s->name, name) != 0) continue;
    if (s->field != f)
      return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                      "frames named '%s' show '%s' already: give those of '%s' another name", name,
                      s->field->name, f->name);
    *out = s;
    return RIA_OK;
  }
  return strip_new(sim, name, f, out);
}

/* run.json lists the files before the first is made, and with it what may lie beside each. */
static ria_status strip_take_world(ria_sim *sim, ria_frame_strip *s, const ria_frame_desc *d) {
  if (!ria_frame_wants_world(d) || s->world) return RIA_OK;
  if (s->count && !d->world_file) return RIA_OK; /* not asked for in so many words: none */
  if (s->count)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "frames named '%s' have been made without world files: write name = "
                    "\"%s_plain\", or world_file = false",
                    s->name, s->name);
  s->world = ria_world_files_of(sim->crs);
  return RIA_OK;
}

static ria_status plan_new(ria_sim *sim, const ria_frame_desc *d, ria_frame_plan **out) {
  const ria_sim_field *f = NULL, *phase = NULL;
  ria_frame_strip *strip = NULL;
  RIA_TRY(ria_field_or_map(sim, d->field, &f));
  RIA_TRY(check_desc(sim, d));
  RIA_TRY(find_phase(sim, d, &phase));
  const char *name = d->name ? d->name : f->name;
  RIA_TRY(ria_check_file_name(sim, "frames", name));
  RIA_TRY(strip_find(sim, name, f, &strip));
  RIA_TRY(strip_take_world(sim, strip, d));
  ria_frame_plan *plan = calloc(1, sizeof *plan);
  if (!plan) return ria_fail_memory(sim->ctx, "frames", sizeof *plan);
  frames_state *state = state_of(sim);
  plan->next = state->plans;
  state->plans = plan;
  plan->strip = strip;
  plan->field = f;
  plan->phase = phase;
  plan->desc = *d;
  plan->map = ria_strdup(d->map);
  plan->title = ria_strdup(d->title);
  if ((d->map && !plan->map) || (d->title && !plan->title))
    return ria_fail_memory(sim->ctx, "frames", 0);
  *out = plan;
  return d->graticule ? ria_graticule_of(sim, d, &plan->graticule) : RIA_OK;
}

ria_status ria_frame_action(ria_sim *sim, const ria_frame_desc *desc, ria_action *out) {
  ria_frame_plan *plan = NULL;
  if (!desc) return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "a frame needs a description");
  RIA_TRY(ria_out_needed(sim, "frames"));
  RIA_TRY(plan_new(sim, desc, &plan));
  *out = (ria_action){.fn = ria_frame_fire, .user = plan, .phase = RIA_PHASE_OUTPUT};
  return RIA_OK;
}

bool ria_sim_first_frame(const ria_sim *sim, char *path, size_t size) {
  const ria_frame_strip *s = state_of(sim)->strips;
  while (s && !s->begun) s = s->next;
  if (!s) return false;
  char name[RIA_FRAME_NAME_MAX];
  ria_frame_name(s, 0, name);
  snprintf(path, size, "%s/%s", s->dir, name);
  return true;
}

/* --- as one of the outputs -------------------------------------------------------------------- */

/* count: that exist; end: their numbers are below it. */
static ria_status list(ria_sim *sim, const void *self, ria_results_list *list) {
  const frames_state *state = self;
  for (const ria_frame_strip *s = state->strips; s; s = s->next) {
    const ria_result item = {.made = true, .count = s->made, .end = s->count, .world = s->world};
    RIA_TRY(ria_sink_lists(sim, list, RIA_RESULT_FRAMES, s->name, item));
  }
  return RIA_OK;
}

const char *ria_frames_name(const ria_sim *sim, size_t k) {
  const ria_frame_strip *s = state_of(sim)->strips;
  for (; s && k > 0; k--) s = s->next;
  return s ? s->name : NULL;
}

const char *ria_frames_drawn(const ria_action *action) {
  const ria_frame_plan *plan = action->fn == ria_frame_fire ? action->user : NULL;
  return plan ? plan->strip->name : NULL;
}

int64_t ria_frames_made(const ria_sim *sim, const char *name) {
  const ria_frame_strip *s = state_of(sim)->strips;
  while (s && strcmp(s->name, name) != 0) s = s->next;
  return s ? s->made : 0;
}

/* What its frames are drawn with, by the first that was asked for; false: not known, or another
 * each time. */
static bool strip_range(const ria_sim *sim, const ria_frame_strip *s, bool *log, double range[2]) {
  const ria_frame_plan *first = NULL; /* the last of the list */
  for (const ria_frame_plan *p = state_of(sim)->plans; p; p = p->next)
    if (p->strip == s) first = p;
  if (!first || first->desc.auto_range) return false;
  const ria_frame_desc *d = &first->desc;
  const bool given = ria_frame_has_range(d);
  *log = d->scale == RIA_SCALE_LOG;
  range[0] = given ? *log && !(d->min > 0.0) ? ria_frame_log_least(d) : d->min : s->vmin;
  range[1] = given ? d->max : s->vmax;
  return given || s->fixed;
}

static void write_range(const ria_sim *sim, const ria_frame_strip *s, ria_json *j) {
  bool log;
  double range[2];
  if (!strip_range(sim, s, &log, range)) return;
  ria_json_open(j, "range", '[');
  for (int k = 0; k < 2; k++) ria_json_number(j, NULL, range[k]);
  ria_json_close(j);
  ria_json_bool(j, "log", log);
}

void ria_frames_series(const ria_sim *sim, ria_json *j, bool made) {
  ria_json_open(j, "series", '[');
  for (const ria_frame_strip *s = state_of(sim)->strips; s; s = s->next) {
    ria_json_open(j, NULL, '{');
    ria_json_text(j, "name", s->name);
    ria_json_text(j, "field", s->field->name);
    ria_json_text(j, "long_name", s->field->long_name);
    ria_json_text(j, "unit", s->field->unit);
    write_range(sim, s, j);
    ria_json_open(j, "times_s", '[');
    const int64_t n = made ? s->made : s->count;
    for (int64_t k = 0; k < n; k++) ria_json_number(j, NULL, s->time[k]);
    ria_json_close(j);
    ria_json_close(j);
  }
  ria_json_close(j);
}

static bool cost(const ria_sim *sim, const ria_action *action, ria_output_cost *cost) {
  if (action->fn != ria_frame_fire) return false;
  const double fields = 3.0 + 2.0 * ((const ria_frame_plan *)action->user)->desc.arrows;
  *cost = (ria_output_cost){true, fields * (double)ria_grid_cells(&sim->grid) * sizeof(float)};
  return true;
}

static void report(ria_sim *sim, const void *self) {
  const frames_state *state = self;
  for (const ria_frame_strip *s = state->strips; s; s = s->next)
    ria_log(sim->ctx, "    frames/%s/: %lld picture%s", s->name, (long long)s->made,
            ria_plural(s->made));
}

static void destroy(ria_sim *sim, void *self) {
  frames_state *state = self;
  (void)sim;
  for (ria_frame_plan *p = state->plans, *next; p; p = next) {
    next = p->next;
    free(p->map);
    free(p->title);
    ria_graticule_free(p->graticule);
    free(p);
  }
  for (ria_frame_strip *s = state->strips, *next; s; s = next) {
    next = s->next;
    strip_free(s);
  }
}

const ria_sink ria_frames_sink = {
    .size = sizeof(frames_state), .cost = cost, .list = list, .report = report, .free = destroy};
