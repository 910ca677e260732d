/* tests/unit/netcdf_make.h - classic netCDF files put together byte by byte, right or wrong.
 *
 * Dimensions time, y, x (and one of length 1, "layer"); coordinates; what a test adds. */
#ifndef RIA_TEST_NETCDF_MAKE_H
#define RIA_TEST_NETCDF_MAKE_H
#include "io/netcdf.h"
#include "test.h"
#include <stdlib.h>

enum { NC_NX = 4, NC_NY = 3, NC_NT = 2, NC_ROOM = 1 << 14, NC_ATTS = 6, NC_VARS = 8 };
enum { NC_TIME, NC_Y, NC_X, NC_LAYER, NC_DIMS };

typedef struct nc_att {
  const char *name, *text; /* of text NULL: numbers */
  ria_nc_type type;
  double number[2];
  int n;
} nc_att;

typedef struct nc_var {
  const char *name;
  ria_nc_type type;
  int rank, dim[4];
  nc_att att[NC_ATTS];
  double (*value)(int t, int k); /* as stored: of time t, the k-th of y and x (or along the line) */
} nc_var;

typedef struct nc_made {
  int version;
  bool record;    /* time is the record dimension */
  bool streaming; /* the number of records is left open */
  nc_var var[NC_VARS];
} nc_made;

typedef struct nc_file {
  unsigned char byte[NC_ROOM];
  size_t n;
} nc_file;

static void nc_put(nc_file *f, uint64_t v, size_t bytes) {
  for (size_t k = bytes; k-- > 0;) f->byte[f->n++] = (unsigned char)(v >> (8 * k));
}

static void nc_length(nc_file *f, const nc_made *m, uint64_t v) {
  nc_put(f, v, m->version == 5 ? 8 : 4);
}

static void nc_pad(nc_file *f) {
  while (f->n % 4) f->byte[f->n++] = 0;
}

static void nc_text(nc_file *f, const nc_made *m, const char *text) {
  nc_length(f, m, strlen(text));
  memcpy(f->byte + f->n, text, strlen(text));
  f->n += strlen(text);
  nc_pad(f);
}

static size_t nc_size(ria_nc_type t) {
  static const size_t size[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
  return size[t];
}

static void nc_number(nc_file *f, ria_nc_type t, double v) {
  const float single = (float)v;
  uint64_t bits = v < 0.0 ? (uint64_t)(int64_t)v : (uint64_t)v;
  uint32_t low;
  if (t == RIA_NC_DOUBLE) memcpy(&bits, &v, sizeof v);
  if (t == RIA_NC_FLOAT) {
    memcpy(&low, &single, sizeof low);
    bits = low;
  }
  nc_put(f, bits, nc_size(t));
}

static void nc_atts(nc_file *f, const nc_made *m, const nc_att *att) {
  int n = 0;
  while (n < NC_ATTS && att[n].name) n++;
  nc_put(f, n ? 12 : 0, 4);
  nc_length(f, m, (uint64_t)n);
  for (int k = 0; k < n; k++) {
    nc_text(f, m, att[k].name);
    nc_put(f, att[k].text ? RIA_NC_CHAR : att[k].type, 4);
    if (att[k].text) {
      nc_text(f, m, att[k].text);
      continue;
    }
    nc_length(f, m, (uint64_t)att[k].n);
    for (int q = 0; q < att[k].n; q++) nc_number(f, att[k].type, att[k].number[q]);
    nc_pad(f);
  }
}

static size_t nc_count(const nc_var *v, bool of_record) {
  static const size_t length[] = {NC_NT, NC_NY, NC_NX, 1};
  size_t n = 1;
  for (int k = 0; k < v->rank; k++)
    if (v->dim[k] < NC_DIMS && !(of_record && v->dim[k] == NC_TIME)) n *= length[v->dim[k]];
  return n;
}

static bool nc_of_record(const nc_made *m, const nc_var *v) {
  return m->record && v->rank > 0 && v->dim[0] == NC_TIME;
}

/* The header, with the places that are known by now. */
static void nc_header(nc_file *f, const nc_made *m, const size_t *begin, int n) {
  static const char *const names[] = {"time", "y", "x", "layer"};
  static const int length[] = {NC_NT, NC_NY, NC_NX, 1};
  f->n = 0;
  memcpy(f->byte, "CDF", 3);
  f->byte[3] = (unsigned char)m->version;
  f->n = 4;
  nc_length(f, m, m->streaming ? UINT64_MAX : m->record ? NC_NT : 0);
  nc_put(f, 10, 4);
  nc_length(f, m, NC_DIMS);
  for (int k = 0; k < NC_DIMS; k++) {
    nc_text(f, m, names[k]);
    nc_length(f, m, k == NC_TIME && m->record ? 0 : (uint64_t)length[k]);
  }
  nc_atts(f, m, (const nc_att[NC_ATTS]){{.name = "Conventions", .text = "CF-1.8"}});
  nc_put(f, 11, 4);
  nc_length(f, m, (uint64_t)n);
  for (int k = 0; k < n; k++) {
    const nc_var *v = &m->var[k];
    nc_text(f, m, v->name);
    nc_length(f, m, (uint64_t)v->rank);
    for (int q = 0; q < v->rank; q++) nc_length(f, m, (uint64_t)v->dim[q]);
    nc_atts(f, m, v->att);
    nc_put(f, v->type, 4);
    nc_length(f, m, (nc_count(v, nc_of_record(m, v)) * nc_size(v->type) + 3) / 4 * 4);
    nc_put(f, begin[k], m->version == 1 ? 4 : 8);
  }
}

/* The numbers of a variable: of all times (t < 0) or of one. */
static void nc_values(nc_file *f, const nc_var *v, int t) {
  const bool timed = v->rank > 0 && v->dim[0] == NC_TIME;
  const size_t n = nc_count(v, timed);
  for (int k = t < 0 ? 0 : t; k < (t >= 0 ? t + 1 : timed ? NC_NT : 1); k++)
    for (size_t q = 0; q < n; q++) nc_number(f, v->type, v->value(k, (int)q));
}

static void nc_build(const nc_made *m, nc_file *f) {
  size_t begin[NC_VARS] = {0};
  int n = 0, of_record = 0;
  while (n < NC_VARS && m->var[n].name) of_record += nc_of_record(m, &m->var[n++]);
  nc_header(f, m, begin, n);
  for (int k = 0; k < n; k++) { /* variables without records lie first */
    if (nc_of_record(m, &m->var[k])) continue;
    begin[k] = f->n;
    nc_values(f, &m->var[k], -1);
    nc_pad(f);
  }
  for (int t = 0; t < NC_NT; t++)
    for (int k = 0; k < n; k++) {
      if (!nc_of_record(m, &m->var[k])) continue;
      if (t == 0) begin[k] = f->n;
      nc_values(f, &m->var[k], t);
      if (of_record > 1) nc_pad(f);
    }
  const size_t end = f->n;
  nc_header(f, m, begin, n);
  f->n = end;
}

#endif
