/* export/job.h - one store on its way into another format: what the writers of all kinds share.
 * Private to this folder. */
#ifndef RIA_EXPORT_JOB_H
#define RIA_EXPORT_JOB_H
#include "io/buffer.h"
#include "io/target.h"
#include "io/zarr_read.h"
#include <ria/export.h>

typedef struct ria_export_job {
  ria_context *ctx;
  const ria_export_desc *desc;
  ria_store *store;
  char name[128]; /* "fields" */
  const ria_grid *grid;
  const char **field; /* [n_fields] */
  size_t n_fields;
  bool timed;    /* some field has frames */
  size_t *frame; /* [n_frames] which; none where no field has any */
  size_t n_frames;
  const double *date; /* [of all frames] s since 1970 where `dated` */
  double *stamp;      /* the same as the store has it, in its own unit */
  double second;      /* of that unit: stamp * second is s since t = 0 */
  bool dated;
  double zone;      /* s that the run's clocks are ahead of UTC */
  ria_buffer crs;   /* "EPSG:n" or WKT; "" = none */
  const char *path; /* the file; of GeoTIFF, a folder unless it ends in .tif */
  double *band;     /* [rows][nx] of the field that is read */
  double bytes;     /* written so far */
  size_t files;
} ria_export_job;

void ria_export_free(ria_export_job *job); /* what it holds */

/* --- file.c: a file that is written as it comes ------------------------------------------------
 */

typedef struct ria_export_file {
  ria_export_job *job;
  ria_target target;
  const char *path;
  uint64_t at; /* bytes so far */
  int code;    /* errno of the first that failed; the rest is passed over */
  size_t n;
  unsigned char held[1 << 15];
} ria_export_file;

/* path must outlive the file. On failure there is nothing to close. */
ria_status ria_export_open(ria_export_job *job, const char *path, ria_export_file *f);
void ria_export_bytes(ria_export_file *f, const void *data, size_t n);
/* As printf with a decimal point; at most 512 bytes. */
void ria_export_text(ria_export_file *f, const char *fmt, ...) RIA_PRINTF(2, 3);
/* For XML: & < > " as entities. */
void ria_export_escaped(ria_export_file *f, const char *text);
/* Numbers of 4 or 8 bytes. big: the most significant byte first. */
void ria_export_numbers(ria_export_file *f, const double *v, size_t n, int bytes, bool big);
/* It takes its place if status is RIA_OK and all could be written. Returns the first error. */
ria_status ria_export_close(ria_export_file *f, ria_status status);

/* All rows of a frame of a field, in its own precision, from the south. */
ria_status ria_export_frame(ria_export_job *job, ria_export_file *f, const char *field,
                            size_t frame, bool big);
/* Bytes of a number of the field. */
int ria_export_size(const ria_export_job *job, const char *field);
/* s since t = 0 of the run. */
double ria_export_time(const ria_export_job *job, size_t frame);
/* path without its ending, then `tail`: malloc'ed, NULL: no memory. */
char *ria_export_beside(const char *path, const char *tail);
/* The last part of a path. */
const char *ria_export_last(const char *path);

/* --- pick.c: which fields and frames -----------------------------------------------------------
 */

ria_status ria_export_pick(ria_export_job *job);
/* The next word of a list "a, b" in word[size]; false at its end. */
bool ria_export_word(const char **list, char *word, size_t size);

/* --- the kinds ---------------------------------------------------------------------------------
 */

ria_status ria_export_netcdf(ria_export_job *job);
/* version 2 or 5; 0: as the sizes need. */
ria_status ria_export_netcdf_as(ria_export_job *job, int version);
ria_status ria_export_vti(ria_export_job *job);
ria_status ria_export_xdmf(ria_export_job *job);
ria_status ria_export_geotiff(ria_export_job *job);
ria_status ria_export_csv(ria_export_job *job);
ria_status ria_export_history(ria_export_job *job); /* desc->at */
ria_status ria_export_profile(ria_export_job *job); /* desc->line */

#endif
