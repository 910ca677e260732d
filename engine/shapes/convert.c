/* shapes/convert.c - shapes from their own coordinate system to the model's. */
#include "shapes/set.h"

#include "base/context.h"

#include <math.h>
#include <ria/crs.h>
#include <string.h>

static ria_status copy_all(ria_context *ctx, const ria_shapes *s, ria_shape_set *to) {
  for (size_t k = 0; k < s->n; k++) RIA_TRY(ria_set_copy(ctx, to, ria_shapes_at(s, k), k));
  return RIA_OK;
}

static ria_status fail_beyond(ria_context *ctx, const ria_shape_set *set, size_t k,
                              const char *crs) {
  const long line = set->row[k].line;
  if (line > 0)
    return ria_fail(ctx, RIA_ERR_INPUT, "%s:%ld: a position that %.60s does not reach", set->path,
                    line, crs);
  return ria_fail(ctx, RIA_ERR_INPUT, "shape %zu: a position that %.60s does not reach", k + 1,
                  crs);
}

/* The first shape with a position that the other system does not reach. */
static ria_status check_reached(ria_context *ctx, const ria_shape_set *set, const char *crs) {
  for (size_t k = 0; k < set->n; k++) {
    const ria_shape_row *row = &set->row[k];
    for (size_t p = row->part; p < row->part + row->n_parts; p++)
      for (size_t c = set->part[p].first; c < set->part[p].first + set->part[p].n; c++)
        if (!isfinite(set->x.v[c]) || !isfinite(set->y.v[c])) return fail_beyond(ctx, set, k, crs);
  }
  return RIA_OK;
}

static ria_status convert(ria_context *ctx, const char *crs, ria_shape_set *set) {
  ria_crs *from = NULL, *to = NULL;
  ria_status s = ria_crs_create(ctx, set->crs, &from);
  if (s == RIA_OK) s = ria_crs_create(ctx, crs, &to);
  if (s == RIA_OK) s = ria_crs_convert(from, to, set->x.n, set->x.v, set->y.v);
  ria_crs_destroy(&from);
  ria_crs_destroy(&to);
  if (s != RIA_OK)
    return ria_fail(ctx, s == RIA_ERR_ARGUMENT ? RIA_ERR_INPUT : s, "%s: %s", set->path,
                    ria_error(ctx));
  return check_reached(ctx, set, crs);
}

static ria_status fail_unplaced(ria_context *ctx, const ria_shapes *s) {
  const char *crs = s->set->crs;
  const bool degrees = strcmp(crs, "OGC:CRS84") == 0;
  return ria_fail(ctx, RIA_ERR_INPUT,
                  "%s is in %.80s, and the model has no coordinate system: give it one (crs = "
                  "\"EPSG:n\"), or read the file with crs = \"model\" if its numbers are the "
                  "model's own",
                  s->set->path, degrees ? "degrees of longitude and latitude" : crs);
}

ria_status ria_shapes_convert(ria_context *ctx, const ria_shapes *s, const char *crs,
                              ria_shapes **out) {
  ria_shape_set *set;
  const char *from = s->set->crs;
  *out = NULL;
  if (from && !(crs && *crs)) return fail_unplaced(ctx, s);
  RIA_TRY(ria_set_create(ctx, s->set->path, &set));
  ria_status status = copy_all(ctx, s, set);
  if (status == RIA_OK && from) status = ria_set_crs(ctx, set, from);
  if (status == RIA_OK && from && strcmp(from, crs) != 0) status = convert(ctx, crs, set);
  if (status == RIA_OK && from) status = ria_set_crs(ctx, set, crs);
  if (status == RIA_OK) return ria_set_close(ctx, set, out);
  ria_set_release(set);
  return status;
}
