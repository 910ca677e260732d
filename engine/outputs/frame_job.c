/* outputs/frame_job.c - drawing one frame.
 *
 * When the action of a frame runs, the fields that the picture needs, and no others, are taken as
 * snapshots, as coarse as the picture allows, and handed with the plan to a worker, which waits for
 * them, draws, encodes and writes.
 *
 * The range is fixed by the first frame with a spread; until then each frame is waited for and
 * looked at here, because the order of frames is known here only. A range of each frame's own is
 * the worker's. */
#include "base/array.h"
#include "base/context.h"
#include "base/grid.h"
#include "base/limit.h"
#include "base/text.h"
#include "forcing/forcing.h"
#include "io/file.h"
#include "io/world_file.h"
#include "outputs/frames.h"
#include "outputs/sink.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RIA_MARKS_MAX = 64 }; /* more would hide the map: then gauges are left unmarked */

/* --- the job ---------------------------------------------------------------------------------- */

enum { AT_VALUE, AT_BED, AT_DEPTH, AT_U, AT_V, AT_PHASE, AT_COUNT };

typedef struct frame_job {
  ria_frame_input in; /* its arrays come in when the job runs */
  ria_snapshot *snap[AT_COUNT];
  float *own; /* values that are no snapshot (maxima), or NULL */
  bool find_range;
  bool world;      /* with files that place it */
  const char *crs; /* the simulation's */
  char *path;
  char time[64], date[48];
  ria_frame_strip *strip; /* NULL: a maximum */
  int64_t number;         /* in it */
  ria_results *results;
  ria_frame_mark marks[RIA_MARKS_MAX];
} frame_job;

static void frame_drop(void *user) {
  frame_job *job = user;
  for (int k = 0; k < AT_COUNT; k++) ria_snapshot_release(job->snap[k]);
  free(job->own);
  free(job->path);
  free(job);
}

/* When there is nothing to see, or all the same. */
static void plain_range(ria_frame_input *in) {
  in->vmin = in->scale == RIA_SCALE_LOG ? 1e-4 : in->symmetric ? -1.0 : 0.0;
  in->vmax = 1.0;
}

static bool find_range(ria_frame_input *in) {
  size_t n = ria_frame_values(in);
  if (!ria_frame_range(in->value, n, in->scale, in->symmetric, &in->vmin, &in->vmax)) return false;
  if (in->scale == RIA_SCALE_LOG && in->threshold > 0.0 && in->threshold < in->vmax)
    in->vmin = in->threshold;
  return true;
}

/* The values of one of its arrays. */
static ria_status open_array(frame_job *job, int at, char *err, size_t errsize) {
  ria_frame_input *in = &job->in;
  const float **const array[AT_COUNT] = {&in->value, &in->bed, &in->depth,
                                         &in->u,     &in->v,   &in->phase};
  const void *values = at == AT_VALUE ? job->own : NULL;
  if (job->snap[at]) RIA_TRY(ria_snapshot_values(job->snap[at], &values, err, errsize));
  *array[at] = values;
  return RIA_OK;
}

/* The picture after the files that place it: whoever finds it finds these. */
static ria_status write_files(const frame_job *job, const uint8_t *png, size_t n, char *err,
                              size_t errsize) {
  if (job->strip)
    RIA_TRY(ria_results_making(job->results, RIA_RESULT_FRAMES, job->strip->name, job->number, err,
                               errsize));
  if (job->world) RIA_TRY(ria_world_files_put(&job->in, job->path, job->crs, err, errsize));
  return ria_file_replace(job->path, png, n, err, errsize);
}

/* A map of a fit that has no values yet is no land. */
static void drop_land(ria_frame_input *in) {
  const size_t n = ria_frame_values(in);
  for (size_t c = 0; c < n; c++)
    if (!isnan(in->value[c])) return;
  in->bed = NULL;
}

static ria_status frame_run(void *user, char *err, size_t errsize) {
  frame_job *job = user;
  uint8_t *png = NULL;
  size_t n = 0;
  for (int at = 0; at < AT_COUNT; at++) RIA_TRY(open_array(job, at, err, errsize));
  if (job->strip && job->strip->field->rows) drop_land(&job->in);
  if (job->find_range && !find_range(&job->in)) plain_range(&job->in);
  RIA_TRY(ria_frame_render(&job->in, &png, &n, err, errsize));
  const ria_status s = write_files(job, png, n, err, errsize);
  if (s == RIA_OK && job->strip) job->strip->made++;
  if (s == RIA_OK && job->strip && job->number == 0) job->strip->begun = true;
  free(png);
  return s;
}

static size_t frame_bytes(const frame_job *job) {
  size_t fields = job->own != NULL;
  for (int k = 0; k < AT_COUNT; k++) fields += job->snap[k] != NULL;
  return fields * ria_frame_values(&job->in) * sizeof(float) + sizeof *job;
}

/* --- filling it ------------------------------------------------------------------------------- */

static ria_status take(ria_sim *sim, frame_job *job, int at, const ria_sim_field *f) {
  if (!f) return RIA_OK;
  return ria_snapshot_take(sim, f, RIA_F32, job->in.coarse, &job->snap[at]);
}

static size_t spill_marks(const ria_sim *sim, ria_frame_mark *marks, size_t room) {
  const ria_forcing_state *f = sim->forcing;
  size_t n = 0;
  for (size_t i = 0; i < f->n_releases && n < room; i++) {
    const ria_release *r = f->release[i];
    if (r->never) continue;
    if (r->state == RIA_RELEASE_WAITS) continue;
    marks[n++] = (ria_frame_mark){.x = r->x, .y = r->y, .label = r->name, .kind = RIA_MARK_SPILL};
  }
  return n;
}

static void take_marks(ria_sim *sim, frame_job *job) {
  size_t n = spill_marks(sim, job->marks, RIA_MARKS_MAX);
  size_t gauges = ria_outputs_marks(sim, job->marks + n, RIA_MARKS_MAX - n);
  if (gauges <= RIA_MARKS_MAX - n) n += gauges;
  job->in.marks = job->marks;
  job->in.n_marks = n;
}

static ria_status take_fields(ria_sim *sim, frame_job *job, const ria_sim_field *f, bool arrows) {
  const ria_sim_roles *roles = &sim->roles;
  if (!job->own) RIA_TRY(take(sim, job, AT_VALUE, f));
  RIA_TRY(take(sim, job, AT_BED, roles->bed));
  if (!job->own && !f->rows) /* of a time, not of a state: what is dry now has its values */
    RIA_TRY(take(sim, job, AT_DEPTH, roles->depth ? roles->depth : roles->shore));
  if (!arrows) return RIA_OK;
  RIA_TRY(take(sim, job, AT_U, roles->u));
  return take(sim, job, AT_V, roles->v);
}

static frame_job *frame_new(ria_sim *sim, const ria_sim_field *f) {
  frame_job *job = calloc(1, sizeof *job);
  if (!job) return NULL;
  ria_sim_date(sim, sim->at.t, job->date, sizeof job->date);
  const bool dated =
      !sim->start.elapsed && ria_start_label(&sim->start, sim->at.t, job->time, sizeof job->time);
  job->in = (ria_frame_input){
      .grid = sim->grid,
      .dry = sim->dry,
      .field = f->name,
      .long_name = f->long_name,
      .sentence = f->tracer < 0 && f->info->long_name, /* a tracer's begins with its name */
      .unit = f->unit,
      .title = sim->title,
      .time_s = sim->at.t,
      .time_text = dated ? job->time : NULL,
      .date = job->date,
      .map = f->info->map,
      .symmetric = f->info->flags & RIA_FIELD_LEVEL,
      .ground = f->info->flags & RIA_FIELD_GROUND,
  };
  return job;
}

static void take_plan(frame_job *job, const ria_frame_plan *plan) {
  ria_frame_input *in = &job->in;
  if (plan->map) in->map = plan->map;
  if (plan->title) in->title = plan->title;
  in->scale = plan->desc.scale;
  in->threshold = plan->desc.threshold;
  in->width = plan->desc.width;
  in->height = plan->desc.height;
  in->no_decor = plan->desc.no_decor;
  in->thinnest = plan->desc.thinnest;
  in->graticule = plan->graticule;
  in->phase_step = plan->desc.phase_step;
}

/* What the frames to come are drawn with, of a run that is repeated without drawing. */
static ria_status keep_range(ria_sim *sim, const ria_frame_strip *strip) {
  const double range[] = {strip->fixed, strip->vmin, strip->vmax};
  return ria_record_keep(sim, RIA_RECORD_RANGE, 0, range, sizeof range);
}

/* Fix the range of the strip by this frame, if it has a spread. */
static ria_status first_range(ria_sim *sim, frame_job *job, ria_frame_strip *strip) {
  ria_frame_input *in = &job->in;
  char err[RIA_ERR_TEXT];
  ria_status s = open_array(job, AT_VALUE, err, sizeof err);
  if (s != RIA_OK) return ria_fail(sim->ctx, s, "%s", err);
  if (!find_range(in)) {
    plain_range(in);
    return keep_range(sim, strip);
  }
  strip->fixed = true;
  strip->vmin = in->vmin;
  strip->vmax = in->vmax;
  return keep_range(sim, strip);
}

static ria_status take_range(ria_sim *sim, frame_job *job, const ria_frame_plan *plan) {
  ria_frame_input *in = &job->in;
  ria_frame_strip *strip = plan->strip;
  if (ria_frame_has_range(&plan->desc)) {
    in->vmin = plan->desc.min;
    in->vmax = plan->desc.max;
    if (in->scale == RIA_SCALE_LOG && !(in->vmin > 0.0))
      in->vmin = ria_frame_log_least(&plan->desc);
  } else if (plan->desc.auto_range) {
    job->find_range = true;
  } else if (!strip->fixed) {
    return first_range(sim, job, strip);
  } else {
    in->vmin = strip->vmin;
    in->vmax = strip->vmax;
  }
  return RIA_OK;
}

static ria_status frame_path(ria_sim *sim, const ria_frame_strip *strip, char **out) {
  char name[RIA_FRAME_NAME_MAX];
  ria_frame_name(strip, strip->count, name);
  *out = ria_path_join(strip->dir, name);
  return *out ? RIA_OK : ria_fail_memory(sim->ctx, "a path", strlen(strip->dir));
}

static ria_status frame_fill(ria_sim *sim, frame_job *job, const ria_frame_plan *plan) {
  ria_frame_strip *strip = plan->strip;
  take_plan(job, plan);
  job->in.coarse = plan->phase ? 1 : ria_frame_coarse(&job->in); /* a mean of phases is none */
  RIA_TRY(take_fields(sim, job, plan->field, plan->desc.arrows));
  RIA_TRY(take(sim, job, AT_PHASE, plan->phase));
  RIA_TRY(take_range(sim, job, plan));
  if (!job->in.no_decor) take_marks(sim, job);
  if (!strip->claimed) {
    strip->claimed = true;
    RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_FRAMES, strip->name));
    RIA_TRY(ria_out_dir_make(sim, strip->dir));
  }
  job->strip = strip;
  job->world = strip->world && ria_frame_wants_world(&plan->desc);
  job->crs = sim->crs;
  job->number = strip->count;
  job->results = sim->outputs->results;
  return frame_path(sim, strip, &job->path);
}

static ria_status frame_push(ria_sim *sim, frame_job *job) {
  const ria_status may = ria_limit_count(sim->ctx, RIA_LIMIT_FRAMES, 1);
  if (may != RIA_OK) {
    frame_drop(job);
    return may;
  }
  return ria_writer_push(sim->outputs->writer, job, frame_bytes(job), frame_run, frame_drop);
}

/* A frame that was drawn must be there where results are taken up. */
static ria_status look_for(ria_sim *sim, ria_frame_strip *strip) {
  char *path;
  if (!sim->outputs->taking_up) return RIA_OK;
  RIA_TRY(frame_path(sim, strip, &path));
  const bool there = ria_file_exists(path);
  const ria_status s =
      there ? RIA_OK
            : ria_fail(sim->ctx, RIA_ERR_OUTPUT,
                       "the run cannot go on in '%s': '%s' was drawn before its checkpoint and is "
                       "missing: put it back, or start again (overwrite = true; ria run "
                       "--overwrite)",
                       sim->out, path);
  free(path);
  if (s != RIA_OK) return s;
  strip->claimed = true;
  strip->begun = true;
  strip->made++;
  return RIA_OK;
}

/* One more, for now. */
static ria_status count_frame(ria_sim *sim, ria_frame_strip *strip) {
  const size_t n = (size_t)strip->count;
  RIA_TRY(ria_grow(sim->ctx, "times of frames", &strip->time, &strip->room, n + 1,
                   sizeof *strip->time));
  strip->time[strip->count++] = sim->at.t;
  return RIA_OK;
}

/* A run is repeated: the frame was drawn, and only its range is taken. */
static ria_status frame_pass(ria_sim *sim, const ria_frame_plan *plan) {
  ria_frame_strip *strip = plan->strip;
  double range[3];
  bool known;
  RIA_TRY(look_for(sim, strip));
  RIA_TRY(count_frame(sim, strip));
  if (ria_frame_has_range(&plan->desc) || plan->desc.auto_range || strip->fixed) return RIA_OK;
  RIA_TRY(ria_record_answer(sim, RIA_RECORD_RANGE, 0, range, sizeof range, &known));
  strip->fixed = range[0] != 0.0;
  strip->vmin = range[1];
  strip->vmax = range[2];
  return RIA_OK;
}

static ria_status frame_draw(ria_sim *sim, void *user) {
  const ria_frame_plan *plan = user;
  if (sim->record.replays) return frame_pass(sim, plan);
  frame_job *job = frame_new(sim, plan->field);
  if (!job) return ria_fail_memory(sim->ctx, "a frame", sizeof *job);
  ria_status s = frame_fill(sim, job, plan);
  if (s == RIA_OK) s = count_frame(sim, plan->strip);
  if (s != RIA_OK) {
    frame_drop(job);
    return s;
  }
  return frame_push(sim, job);
}

ria_status ria_frame_fire(ria_sim *sim, const ria_event_info *info, void *user) {
  (void)info;
  return ria_rooted(sim, frame_draw, user, "a frame is drawn");
}

/* --- maxima ----------------------------------------------------------------------------------- */

ria_status ria_frame_maximum(ria_sim *sim, const ria_sim_field *f, const char *path) {
  frame_job *job = frame_new(sim, f);
  if (!job) return ria_fail_memory(sim->ctx, "a frame", sizeof *job);
  job->in.coarse = ria_frame_coarse(&job->in);
  size_t bytes = ria_frame_values(&job->in) * sizeof(float);
  job->own = malloc(bytes);
  job->path = ria_strdup(path);
  ria_status s = job->own && job->path ? RIA_OK : ria_fail_memory(sim->ctx, "a frame", bytes);
  if (s == RIA_OK) s = ria_field_read_coarse(sim, f, true, job->in.coarse, job->own);
  if (s == RIA_OK) s = take_fields(sim, job, f, false);
  if (s != RIA_OK) {
    frame_drop(job);
    return s;
  }
  ria_frame_input *in = &job->in;
  in->time_text = "maximum";
  if (f->info->flags & RIA_FIELD_PER_TRACER)
    in->scale = RIA_SCALE_LOG;
  else
    in->map = "amp";
  in->symmetric = false;
  job->find_range = true;
  take_marks(sim, job);
  return frame_push(sim, job);
}
