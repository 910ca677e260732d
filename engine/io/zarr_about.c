/* io/zarr_about.c - what a store that was opened has: grid, times, fields, attributes. */
#include "base/text.h"
#include "io/buffer.h"
#include "io/crs.h"
#include "io/zarr_store.h"

#include <stdlib.h>
#include <string.h>

const char *ria_store_path(const ria_store *s) { return s->path; }
const ria_grid *ria_store_grid(const ria_store *s) { return &s->grid; }
const double *ria_store_times(const ria_store *s, size_t *n, bool *dated) {
  *n = s->n_times;
  *dated = s->dated;
  return s->time;
}

bool ria_store_other_crs(const ria_store *s, const char *crs) {
  ria_buffer ours = {0};
  char *theirs = NULL;
  size_t n = 0;
  bool other = false;
  if (!ria_crs_given(crs)) return false;
  ria_crs_attributes(crs, &ours);
  ria_buffer_add(&ours, "", 1);
  if (!ours.failed && ria_store_slurp(NULL, s, "crs", ".zattrs", &theirs, &n) == RIA_OK && theirs)
    other = strstr(theirs, ours.data) == NULL;
  free(theirs);
  ria_buffer_free(&ours);
  return other;
}

const ria_stored_field *ria_store_find(const ria_store *s, const char *name) {
  for (size_t k = 0; k < s->n; k++)
    if (strcmp(s->field[k].name, name) == 0) return &s->field[k];
  return NULL;
}

bool ria_store_has(const ria_store *s, const char *field) {
  const ria_stored_field *f = ria_store_find(s, field);
  return f && f->array.dims == 3;
}

bool ria_store_has_fixed(const ria_store *s, const char *field) {
  const ria_stored_field *f = ria_store_find(s, field);
  return f && f->array.dims == 2;
}

const char *ria_store_field(const ria_store *s, size_t k) {
  return k < s->n ? s->field[k].name : NULL;
}

ria_status ria_store_unit(ria_context *ctx, const ria_store *s, const char *field, char *unit,
                          size_t size) {
  return ria_store_text(ctx, s, field, "units", unit, size);
}

ria_status ria_store_attributes(ria_context *ctx, const ria_store *s, const char *name, char **json,
                                size_t *n) {
  return ria_store_slurp(ctx, s, name, ".zattrs", json, n);
}

void ria_store_tile(const ria_store *s, const char *field, int *wide, int *high, int *bytes) {
  const ria_zarr_array *a = &ria_store_find(s, field)->array;
  *wide = (int)a->chunk[2];
  *high = (int)a->chunk[1];
  *bytes = a->type[2] - '0';
}

void ria_store_fields(const ria_store *s, char *text, size_t size) {
  *text = '\0';
  for (size_t k = 0; k < s->n; k++)
    if (s->field[k].array.dims == 3)
      ria_append(text, size, "%s%s", *text ? ", " : "", s->field[k].name);
}
