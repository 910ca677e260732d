/* export/file.c - a file that is written as it comes: bytes, text, numbers, frames of a store. */
#include "base/context.h"
#include "base/text.h"
#include "export/job.h"
#include "io/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ria_status ria_export_open(ria_export_job *job, const char *path, ria_export_file *f) {
  char err[RIA_ERR_TEXT];
  f->job = job;
  f->path = path;
  f->at = 0;
  f->n = 0;
  f->code = 0;
  const ria_status s = ria_target_open(job->ctx, path, &f->target, err, sizeof err);
  return s == RIA_OK ? RIA_OK : ria_fail(job->ctx, s, "%s", err);
}

static void flush(ria_export_file *f) {
  if (!f->code && f->n) f->code = ria_fd_write(f->target.fd, f->held, f->n);
  f->n = 0;
}

void ria_export_bytes(ria_export_file *f, const void *data, size_t n) {
  const unsigned char *from = data;
  f->at += n;
  while (n) {
    const size_t room = sizeof f->held - f->n, some = n < room ? n : room;
    memcpy(f->held + f->n, from, some);
    f->n += some;
    from += some;
    n -= some;
    if (f->n == sizeof f->held) flush(f);
  }
}

void ria_export_text(ria_export_file *f, const char *fmt, ...) {
  char text[512];
  va_list args;
  va_start(args, fmt);
  const int n = ria_vformat(text, sizeof text, fmt, args);
  va_end(args);
  ria_export_bytes(f, text, n < (int)sizeof text ? (size_t)n : sizeof text - 1);
}

void ria_export_escaped(ria_export_file *f, const char *text) {
  for (; *text; text++) {
    const char *as = *text == '&'   ? "&amp;"
                     : *text == '<' ? "&lt;"
                     : *text == '>' ? "&gt;"
                     : *text == '"' ? "&quot;"
                                    : NULL;
    ria_export_bytes(f, as ? as : text, as ? strlen(as) : 1);
  }
}

void ria_export_numbers(ria_export_file *f, const double *v, size_t n, int bytes, bool big) {
  for (size_t k = 0; k < n; k++) {
    unsigned char s[8];
    const float single = (float)v[k];
    uint32_t word;
    uint64_t bits;
    memcpy(&word, &single, sizeof word);
    memcpy(&bits, &v[k], sizeof bits);
    if (bytes == 4) bits = word;
    for (int q = 0; q < bytes; q++) s[q] = (unsigned char)(bits >> 8 * (big ? bytes - 1 - q : q));
    ria_export_bytes(f, s, (size_t)bytes);
  }
}

ria_status ria_export_close(ria_export_file *f, ria_status status) {
  ria_export_job *job = f->job;
  char err[RIA_ERR_TEXT] = "";
  flush(f);
  if (status == RIA_OK && f->code) {
    status = ria_error_errno(f->code, err, sizeof err, "cannot write", f->path);
    (void)ria_fail(job->ctx, status, "%s", err);
  }
  const ria_status closed = ria_target_close(&f->target, status == RIA_OK, err, sizeof err);
  if (status == RIA_OK && closed != RIA_OK) return ria_fail(job->ctx, closed, "%s", err);
  if (status == RIA_OK) job->bytes += (double)f->at, job->files++;
  return status;
}

int ria_export_size(const ria_export_job *job, const char *field) {
  int wide, high, bytes;
  ria_store_tile(job->store, field, &wide, &high, &bytes);
  return bytes;
}

ria_status ria_export_frame(ria_export_job *job, ria_export_file *f, const char *field,
                            size_t frame, bool big) {
  const ria_grid *g = job->grid;
  int wide, high, bytes;
  ria_store_tile(job->store, field, &wide, &high, &bytes);
  for (int j = 0; j < g->ny; j += high) {
    const int rows = high < g->ny - j ? high : g->ny - j;
    const ria_window w = {0, g->nx, j, j + rows};
    RIA_TRY(ria_go_on(job->ctx));
    RIA_TRY(ria_store_read(job->ctx, job->store, field, frame, &w, job->band));
    ria_export_numbers(f, job->band, (size_t)rows * (size_t)g->nx, bytes, big);
    if (f->code) return RIA_OK; /* told when it is closed */
  }
  return RIA_OK;
}

double ria_export_time(const ria_export_job *job, size_t frame) {
  return job->stamp[frame] * job->second;
}

const char *ria_export_last(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

char *ria_export_beside(const char *path, const char *tail) {
  const char *dot = strrchr(ria_export_last(path), '.');
  const size_t stem = dot ? (size_t)(dot - path) : strlen(path), room = stem + strlen(tail) + 1;
  char *out = malloc(room);
  if (out) snprintf(out, room, "%.*s%s", (int)stem, path, tail);
  return out;
}
