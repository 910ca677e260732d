/* export/pick.c - which fields of a store are exported, and which of its frames. */
#include "base/array.h"
#include "base/context.h"
#include "base/text.h"
#include "export/job.h"
#include "io/date.h"

#include <ria/units.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ria_export_word(const char **list, char *word, size_t size) {
  const char *at = *list;
  while (*at == ' ' || *at == ',') at++;
  size_t n = strcspn(at, ",");
  *list = at + n;
  while (n && at[n - 1] == ' ') n--;
  if (n >= size) n = size - 1;
  memcpy(word, at, n);
  word[n] = '\0';
  return n > 0;
}

/* --- fields ----------------------------------------------------------------------------------- */

static bool is_wanted(const ria_export_job *job, const char *field) {
  const char *list = job->desc->fields;
  char word[256];
  if (!list) return true;
  while (ria_export_word(&list, word, sizeof word))
    if (strcmp(word, field) == 0) return true;
  return false;
}

static ria_status pick_fields(ria_export_job *job) {
  const char *name;
  size_t room = 0;
  int most = 1;
  for (size_t k = 0; (name = ria_store_field(job->store, k)) != NULL; k++) {
    int wide, high, bytes;
    if (!is_wanted(job, name)) continue;
    RIA_TRY(ria_grow(job->ctx, "fields of an export", &job->field, &room, job->n_fields + 1,
                     sizeof *job->field));
    job->field[job->n_fields++] = name;
    job->timed = job->timed || ria_store_has(job->store, name);
    ria_store_tile(job->store, name, &wide, &high, &bytes);
    most = high > most ? high : most;
  }
  most = most < job->grid->ny ? most : job->grid->ny;
  const size_t cells = (size_t)most * (size_t)job->grid->nx;
  if (job->n_fields) job->band = malloc(cells * sizeof *job->band);
  return job->band || !job->n_fields ? RIA_OK
                                     : ria_fail_memory(job->ctx, "rows of a field", 8 * cells);
}

/* --- frames ----------------------------------------------------------------------------------- */

static void tell(const ria_export_job *job, size_t k, char *text, size_t size) {
  if (job->dated)
    ria_format_date(job->date[k], job->zone, ria_date_decimals(job->date[k]), text, size);
  else
    ria_format_duration(job->date[k], text, size);
}

static ria_status fail_time(const ria_export_job *job, const char *word, double t, size_t n) {
  size_t near = 0;
  char nearest[64], first[64], last[64];
  for (size_t k = 1; k < n; k++)
    if (fabs(job->date[k] - t) < fabs(job->date[near] - t)) near = k;
  tell(job, near, nearest, sizeof nearest);
  tell(job, 0, first, sizeof first);
  tell(job, n - 1, last, sizeof last);
  return ria_fail(job->ctx, RIA_ERR_ARGUMENT,
                  "store %s has no frame at '%.60s'; the nearest of its %zu is at \"%s\" (from %s "
                  "to %s)",
                  ria_store_path(job->store), word, n, nearest, first, last);
}

/* Within 1 ms, as hot starts have it: dates hold microseconds, text of them less. */
static ria_status find_frame(const ria_export_job *job, const char *word, size_t n, size_t *k) {
  double t;
  if (strcmp(word, "first") == 0) return *k = 0, RIA_OK;
  if (strcmp(word, "last") == 0) return *k = n - 1, RIA_OK;
  if (ria_is_date(word) && !job->dated)
    return ria_fail(job->ctx, RIA_ERR_ARGUMENT,
                    "store %s has no dates: write the time since its t = 0, \"6 h\"",
                    ria_store_path(job->store));
  if (ria_is_date(word)) {
    RIA_TRY(ria_parse_date(job->ctx, word, job->zone, &t));
  } else {
    RIA_TRY(ria_parse_quantity(job->ctx, word, RIA_DIM_TIME, &t));
    if (job->dated) t += job->date[0] - ria_export_time(job, 0);
  }
  for (*k = 0; *k < n; ++*k)
    if (fabs(job->date[*k] - t) <= 1e-3) return RIA_OK;
  return fail_time(job, word, t, n);
}

static int by_number(const void *a, const void *b) {
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* In the order of time, each once. */
static void sort_frames(ria_export_job *job) {
  size_t n = 0;
  qsort(job->frame, job->n_frames, sizeof *job->frame, by_number);
  for (size_t k = 0; k < job->n_frames; k++)
    if (!k || job->frame[k] != job->frame[n - 1]) job->frame[n++] = job->frame[k];
  job->n_frames = n;
}

static ria_status pick_named(ria_export_job *job, size_t n, size_t *room) {
  const char *list = job->desc->times;
  char word[80];
  while (ria_export_word(&list, word, sizeof word)) {
    RIA_TRY(ria_grow(job->ctx, "frames of an export", &job->frame, room, job->n_frames + 1,
                     sizeof *job->frame));
    RIA_TRY(find_frame(job, word, n, &job->frame[job->n_frames]));
    job->n_frames++;
  }
  if (!job->n_frames)
    return ria_fail(job->ctx, RIA_ERR_ARGUMENT, "times: '%.60s' names none", job->desc->times);
  sort_frames(job);
  return RIA_OK;
}

/* Times of stores are in seconds; those of others may be in longer units. */
static ria_status read_stamps(ria_export_job *job, size_t n) {
  static const struct {
    const char *name;
    double s;
  } units[] = {{"minutes", 60}, {"hours", 3600}, {"days", 86400}};
  char unit[96];
  size_t stamps;
  RIA_TRY(ria_store_text(job->ctx, job->store, "time", "units", unit, sizeof unit));
  RIA_TRY(ria_store_line(job->ctx, job->store, "time", &job->stamp, &stamps));
  if (stamps < n)
    return ria_fail(job->ctx, RIA_ERR_INPUT, "store %s: its times have become fewer meanwhile",
                    ria_store_path(job->store));
  job->second = 1.0;
  for (size_t k = 0; k < sizeof units / sizeof *units; k++)
    if (strncmp(unit, units[k].name, strlen(units[k].name)) == 0) job->second = units[k].s;
  return RIA_OK;
}

ria_status ria_export_pick(ria_export_job *job) {
  size_t n, room = 0;
  job->grid = ria_store_grid(job->store);
  job->date = ria_store_times(job->store, &n, &job->dated);
  RIA_TRY(pick_fields(job));
  if (!job->timed) return RIA_OK;
  RIA_TRY(read_stamps(job, n));
  if (job->desc->times) return pick_named(job, n, &room);
  const bool one = job->desc->to == RIA_EXPORT_CSV && !job->desc->at && !job->desc->line;
  job->n_frames = one ? 1 : n;
  job->frame = malloc(job->n_frames * sizeof *job->frame);
  if (!job->frame) return ria_fail_memory(job->ctx, "frames of an export", 8 * n);
  for (size_t k = 0; k < job->n_frames; k++) job->frame[k] = one ? n - 1 : k;
  return RIA_OK;
}
