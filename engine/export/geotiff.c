/* export/geotiff.c - a GeoTIFF a field and frame, named by its time. */
#include "base/context.h"
#include "base/text.h"
#include "export/job.h"
#include "io/date.h"
#include "io/file.h"

#include <ria/field.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Digits of a second that all times of the frames need. */
static int decimals_of(const ria_export_job *job) {
  int most = 0;
  for (size_t k = 0; k < job->n_frames; k++) {
    const int n = ria_date_decimals(job->date[job->frame[k]]);
    most = n > most ? n : most;
  }
  return most;
}

/* "20260714T063000Z", "0021600s": in the order of time when sorted as text. */
static void time_name(const ria_export_job *job, size_t frame, int decimals, char *name,
                      size_t size) {
  char last[40], date[48];
  if (job->dated) {
    size_t n = 0;
    ria_format_date(job->date[frame], 0.0, decimals, date, sizeof date);
    for (const char *c = date; *c && n + 1 < size; c++)
      if (*c != '-' && *c != ':') name[n++] = *c;
    name[n] = '\0';
    return;
  }
  const double end = job->date[job->frame[job->n_frames - 1]];
  const int width = ria_format(last, sizeof last, "%.*f", decimals, end);
  ria_format(name, size, "%0*.*fs", width, decimals, job->date[frame]);
}

static ria_status write_one(ria_export_job *job, ria_raster *r, const char *field, size_t frame,
                            const char *path) {
  const ria_grid *g = job->grid;
  struct stat st;
  RIA_TRY(ria_go_on(job->ctx));
  RIA_TRY(ria_store_read(job->ctx, job->store, field, frame, &(ria_window){0, g->nx, 0, g->ny},
                         r->data));
  RIA_TRY(ria_raster_write(job->ctx, r, path));
  if (stat(path, &st) == 0) job->bytes += (double)st.st_size;
  job->files++;
  return RIA_OK;
}

static ria_status write_field(ria_export_job *job, ria_raster *r, const char *field, int decimals) {
  const bool timed = ria_store_has(job->store, field);
  char at[64] = "", name[384];
  if (ria_ends_with(job->path, ".tif"))
    return write_one(job, r, field, timed ? job->frame[0] : 0, job->path);
  for (size_t k = 0; k < (timed ? job->n_frames : 1); k++) {
    if (timed) time_name(job, job->frame[k], decimals, at, sizeof at);
    snprintf(name, sizeof name, "%s%s%s.tif", field, timed ? "_" : "", at);
    char *path = ria_path_join(job->path, name);
    if (!path) return ria_fail_memory(job->ctx, "a path", sizeof name);
    const ria_status status = write_one(job, r, field, timed ? job->frame[k] : 0, path);
    free(path);
    RIA_TRY(status);
  }
  return RIA_OK;
}

ria_status ria_export_geotiff(ria_export_job *job) {
  ria_raster *r;
  RIA_TRY(ria_raster_create(job->ctx, job->grid, &r));
  ria_status status = RIA_OK;
  if (*job->crs.data && !(r->crs = ria_strdup(job->crs.data)))
    status = ria_fail_memory(job->ctx, "a coordinate system", job->crs.n);
  const int decimals = decimals_of(job);
  for (size_t k = 0; k < job->n_fields && status == RIA_OK; k++)
    status = write_field(job, r, job->field[k], decimals);
  ria_raster_destroy(&r);
  return status;
}
