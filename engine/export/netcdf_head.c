/* export/netcdf_head.c - the header of a netCDF file: dimensions, attributes, variables. */
#include "export/netcdf_head.h"
#include "base/context.h"
#include "io/json_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TAG_DIMENSION = 10, TAG_VARIABLE = 11, TAG_ATTRIBUTE = 12 };

static void put(ria_buffer *b, uint64_t v, int bytes) {
  unsigned char s[8];
  for (int k = 0; k < bytes; k++) s[k] = (unsigned char)(v >> 8 * (bytes - 1 - k));
  ria_buffer_add(b, s, (size_t)bytes);
}

/* NON_NEG: counts and sizes. */
static void put_count(const ria_nc *nc, ria_buffer *b, uint64_t v) {
  put(b, v, nc->version == 5 ? 8 : 4);
}

static void put_padded(ria_buffer *b, const char *text, size_t n) {
  ria_buffer_add(b, text, n);
  if (n % 4) put(b, 0, (int)(4 - n % 4));
}

static void put_name(const ria_nc *nc, ria_buffer *b, const char *name) {
  put_count(nc, b, strlen(name));
  put_padded(b, name, strlen(name));
}

static void put_double(ria_buffer *b, double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  put(b, bits, 8);
}

/* --- attributes ------------------------------------------------------------------------------- */

typedef struct attributes {
  const ria_nc *nc;
  size_t n;
  ria_buffer out;
} attributes;

static void begin(attributes *a, const char *name, int type, size_t count) {
  put_name(a->nc, &a->out, name);
  put(&a->out, (uint64_t)type, 4);
  put_count(a->nc, &a->out, count);
  a->n++;
}

static void put_text(attributes *a, const char *name, const char *text) {
  begin(a, name, RIA_NC_CHAR, strlen(text));
  put_padded(&a->out, text, strlen(text));
}

/* A list of numbers; lists of others are passed over. */
static void put_list(attributes *a, const char *name, ria_json_reader *r) {
  enum { MOST = 64 };
  double v[MOST];
  size_t n = 0;
  bool numbers = true;
  if (!ria_json_enter(r, '[')) return;
  while (ria_json_element(r)) {
    const char next = ria_json_peek(r);
    numbers = numbers && n < MOST && (next == '-' || (next >= '0' && next <= '9'));
    if (!numbers)
      ria_json_skip(r);
    else if (ria_json_get_number(r, &v[n]))
      n++;
  }
  if (!numbers || !n) return;
  begin(a, name, RIA_NC_DOUBLE, n);
  for (size_t k = 0; k < n; k++) put_double(&a->out, v[k]);
}

static void put_value(attributes *a, const char *name, ria_json_reader *r, char *text,
                      size_t room) {
  const char next = ria_json_peek(r);
  double v;
  if (next == '[')
    put_list(a, name, r);
  else if (next == '"' && ria_json_get_text(r, text, room))
    put_text(a, name, text);
  else if ((next == '-' || (next >= '0' && next <= '9')) && ria_json_get_number(r, &v)) {
    begin(a, name, RIA_NC_DOUBLE, 1);
    put_double(&a->out, v);
  } else
    ria_json_skip(r);
}

/* Those that readers of Zarr have for themselves begin with _; others are written by us. */
static bool is_taken_over(const char *key) {
  return *key && *key != '_' && !strchr(key, '/') && strcmp(key, "Conventions") != 0;
}

/* The attributes that the array has in the store. */
static ria_status copy(attributes *a, const char *array) {
  const ria_export_job *job = a->nc->job;
  char *json, key[128];
  size_t n;
  ria_json_reader r;
  RIA_TRY(ria_store_attributes(job->ctx, job->store, array, &json, &n));
  if (!json) return RIA_OK;
  char *text = malloc(n + 1);
  bool more = text && ria_json_begin(&r, json, n) && ria_json_enter(&r, '{');
  while (more && (more = ria_json_key(&r, key, sizeof key)))
    if (is_taken_over(key))
      put_value(a, key, &r, text, n + 1);
    else
      ria_json_skip(&r);
  free(json);
  if (!text) return ria_fail_memory(job->ctx, "attributes", n);
  free(text);
  return RIA_OK;
}

static void end(attributes *a, ria_buffer *head) {
  put(head, a->n ? TAG_ATTRIBUTE : 0, 4);
  put_count(a->nc, head, a->n);
  if (a->out.failed) head->failed = true;
  ria_buffer_add(head, a->out.data, a->out.n);
  ria_buffer_free(&a->out);
}

static void put_place(attributes *a, bool degrees, bool is_x) {
  if (degrees) {
    put_text(a, "standard_name", is_x ? "longitude" : "latitude");
    put_text(a, "units", is_x ? "degrees_east" : "degrees_north");
    return;
  }
  put_text(a, "long_name", is_x ? "x of the cell on the map" : "y of the cell on the map");
  put_text(a, "units", "m");
}

static ria_status put_field(attributes *a, const ria_nc_var *v) {
  const ria_nc *nc = a->nc;
  char both[32];
  RIA_TRY(copy(a, v->name));
  if (nc->aside) {
    snprintf(both, sizeof both, "%s %s", nc->aside[1], nc->aside[0]);
    put_text(a, "coordinates", both);
  }
  begin(a, "_FillValue", v->type, 1);
  if (v->type == RIA_NC_DOUBLE)
    put(&a->out, 0x7ff8000000000000u, 8);
  else
    put(&a->out, 0x7fc00000u, 4);
  return RIA_OK;
}

static ria_status put_attributes(const ria_nc *nc, const ria_nc_var *v, ria_buffer *head) {
  attributes a = {.nc = nc};
  ria_status status = RIA_OK;
  if (v->what == RIA_NC_MAP_X || v->what == RIA_NC_MAP_Y)
    put_place(&a, nc->from != NULL, v->what == RIA_NC_MAP_X);
  else if (v->what == RIA_NC_FIXED || v->what == RIA_NC_FRAMES)
    status = put_field(&a, v);
  else
    status = copy(&a, v->name);
  end(&a, head);
  return status;
}

/* --- variables -------------------------------------------------------------------------------- */

/* dim_list; the record dimension has length 0. */
static void put_dimensions(const ria_nc *nc, ria_buffer *head) {
  const bool timed = nc->job->timed;
  put(head, TAG_DIMENSION, 4);
  put_count(nc, head, timed ? 3 : 2);
  if (timed) put_name(nc, head, "time");
  if (timed) put_count(nc, head, 0);
  put_name(nc, head, "y");
  put_count(nc, head, (uint64_t)nc->job->grid->ny);
  put_name(nc, head, "x");
  put_count(nc, head, (uint64_t)nc->job->grid->nx);
}

/* Numbers of its dimensions: time, y, x. */
static void put_shape(const ria_nc *nc, const ria_nc_var *v, ria_buffer *head) {
  const uint64_t y = nc->job->timed ? 1 : 0, x = y + 1;
  uint64_t dim[3];
  size_t n = 0;
  if (ria_nc_is_record(v)) dim[n++] = 0;
  if (v->what != RIA_NC_X && v->what != RIA_NC_TIME && v->what != RIA_NC_CRS) dim[n++] = y;
  if (v->what != RIA_NC_Y && v->what != RIA_NC_TIME && v->what != RIA_NC_CRS) dim[n++] = x;
  put_count(nc, head, n);
  for (size_t k = 0; k < n; k++) put_count(nc, head, dim[k]);
}

static ria_status put_variable(const ria_nc *nc, const ria_nc_var *v, ria_buffer *head) {
  put_name(nc, head, v->name);
  put_shape(nc, v, head);
  RIA_TRY(put_attributes(nc, v, head));
  put(head, (uint64_t)v->type, 4);
  put_count(nc, head, v->size);
  put(head, v->begin, 8);
  return RIA_OK;
}

static ria_status put_store(const ria_nc *nc, ria_buffer *head) {
  attributes a = {.nc = nc};
  put_text(&a, "Conventions", "CF-1.10");
  const ria_status status = copy(&a, ".");
  end(&a, head);
  return status;
}

ria_status ria_nc_head(ria_nc *nc, ria_buffer *head) {
  ria_buffer_add(head, "CDF", 3);
  put(head, (uint64_t)nc->version, 1);
  put_count(nc, head, nc->job->n_frames);
  put_dimensions(nc, head);
  RIA_TRY(put_store(nc, head));
  put(head, TAG_VARIABLE, 4);
  put_count(nc, head, nc->n);
  for (size_t k = 0; k < nc->n; k++) RIA_TRY(put_variable(nc, &nc->var[k], head));
  return head->failed ? ria_fail_memory(nc->job->ctx, "a header", head->n) : RIA_OK;
}
