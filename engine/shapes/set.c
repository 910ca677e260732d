/* shapes/set.c - shapes in memory: they grow while a file is read, then stay as they are. */
#include "shapes/set.h"

#include <ria/crs.h>

#include "base/context.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ria_shape_kind_name(ria_shape_kind kind) {
  static const char *const names[] = {
      [RIA_POINTS] = "points", [RIA_LINES] = "lines", [RIA_POLYGONS] = "polygons"};
  return names[kind];
}

/* No map reaches as far, and cells are counted in between. */
static const double FAR = 1e12;

/* --- while it grows --------------------------------------------------------------------------- */

ria_status ria_set_create(ria_context *ctx, const char *path, ria_shape_set **out) {
  ria_shape_set *set = calloc(1, sizeof *set);
  *out = NULL;
  if (set) set->path = ria_strdup(path);
  if (!set || !set->path) {
    free(set);
    return ria_fail_memory(ctx, "shapes", sizeof *set);
  }
  set->users = 1;
  *out = set;
  return RIA_OK;
}

void ria_set_release(ria_shape_set *set) {
  if (!set || --set->users > 0) return;
  ria_doubles_free(&set->x);
  ria_doubles_free(&set->y);
  ria_doubles_free(&set->z);
  ria_buffer_free(&set->text);
  free(set->path);
  free(set->crs);
  free(set->part);
  free(set->row);
  free(set->given);
  free(set->first);
  free(set->polygon);
  free(set->shape);
  free(set->attribute);
  free(set);
}

ria_status ria_set_crs(ria_context *ctx, ria_shape_set *set, const char *crs) {
  RIA_TRY(ria_crs_check(ctx, crs));
  char *copy = ria_strdup(crs);
  if (!copy) return ria_fail_memory(ctx, "shapes", strlen(crs) + 1);
  free(set->crs);
  set->crs = copy;
  return RIA_OK;
}

ria_status ria_set_text(ria_context *ctx, ria_shape_set *set, const char *text, size_t n,
                        ptrdiff_t *at) {
  *at = (ptrdiff_t)set->text.n;
  ria_buffer_add(&set->text, text, n);
  ria_buffer_add(&set->text, "", 1);
  return set->text.failed ? ria_fail_memory(ctx, "attributes of shapes", set->text.n + n) : RIA_OK;
}

ria_status ria_set_shape(ria_context *ctx, ria_shape_set *set, long line) {
  RIA_TRY(ria_grow(ctx, "shapes", &set->row, &set->room, set->n + 1, sizeof *set->row));
  set->row[set->n++] = (ria_shape_row){
      .part = set->n_parts, .attribute = set->n_given, .id = RIA_NO_TEXT, .line = line};
  return RIA_OK;
}

ria_status ria_set_part(ria_context *ctx, ria_shape_set *set, int polygon) {
  RIA_TRY(
      ria_grow(ctx, "shapes", &set->part, &set->parts_room, set->n_parts + 1, sizeof *set->part));
  set->part[set->n_parts++] = (ria_part_row){.first = set->x.n, .polygon = polygon};
  set->row[set->n - 1].n_parts++;
  return RIA_OK;
}

ria_status ria_set_position(ria_context *ctx, ria_shape_set *set, double x, double y, double z) {
  RIA_TRY(ria_doubles_append(ctx, &set->x, &x, 1));
  RIA_TRY(ria_doubles_append(ctx, &set->y, &y, 1));
  RIA_TRY(ria_doubles_append(ctx, &set->z, &z, 1));
  set->part[set->n_parts - 1].n++;
  return RIA_OK;
}

ria_status ria_set_attribute(ria_context *ctx, ria_shape_set *set, const ria_attribute_row *row) {
  RIA_TRY(ria_grow(ctx, "attributes of shapes", &set->given, &set->given_room, set->n_given + 1,
                   sizeof *set->given));
  set->given[set->n_given++] = *row;
  set->row[set->n - 1].n_attributes++;
  return RIA_OK;
}

const char *ria_part_blemish(const ria_shape_set *set, ria_shape_kind kind) {
  const ria_part_row *p = &set->part[set->n_parts - 1];
  const size_t last = p->first + p->n - 1;
  for (size_t k = p->first; k < p->first + p->n; k++)
    if (!(fabs(set->x.v[k]) <= FAR && fabs(set->y.v[k]) <= FAR))
      return "a position farther away than 1e12";
  if (kind == RIA_POINTS && p->n != 1) return "a point has one position";
  if (kind == RIA_LINES && p->n < 2) return "a line needs at least 2 positions";
  if (kind != RIA_POLYGONS) return NULL;
  if (p->n < 4) return "a ring needs at least 4 positions, the last of them the first again";
  if (set->x.v[p->first] != set->x.v[last] || set->y.v[p->first] != set->y.v[last])
    return "a ring must end where it begins";
  return NULL;
}

/* --- made whole ------------------------------------------------------------------------------- */

static const char *text_at(const ria_shape_set *set, ptrdiff_t at) {
  return at == RIA_NO_TEXT ? NULL : set->text.data + at;
}

static void view_attributes(ria_shape_set *set) {
  for (size_t k = 0; k < set->n_given; k++) {
    const ria_attribute_row *g = &set->given[k];
    set->attribute[k] = (ria_attribute){.name = text_at(set, g->name),
                                        .type = g->type,
                                        .number = g->number,
                                        .text = text_at(set, g->text)};
  }
}

static void view_shapes(ria_shape_set *set) {
  size_t *first = set->first;
  for (size_t k = 0; k < set->n_parts; k++) set->polygon[k] = set->part[k].polygon;
  for (size_t k = 0; k < set->n; k++) {
    const ria_shape_row *r = &set->row[k];
    set->shape[k] = (ria_shape){.kind = r->kind,
                                .id = text_at(set, r->id),
                                .n_parts = r->n_parts,
                                .first = first,
                                .polygon = set->polygon + r->part,
                                .x = set->x.v,
                                .y = set->y.v,
                                .z = set->z.v,
                                .n_attributes = r->n_attributes,
                                .attribute = set->attribute + r->attribute,
                                .line = r->line};
    for (size_t p = 0; p < r->n_parts; p++) *first++ = set->part[r->part + p].first;
    const ria_part_row *last = r->n_parts ? &set->part[r->part + r->n_parts - 1] : NULL;
    *first++ = last ? last->first + last->n : 0;
  }
}

static ria_status make_views(ria_context *ctx, ria_shape_set *set) {
  const size_t n = set->n + 1;
  set->first = malloc((set->n_parts + n) * sizeof *set->first);
  set->polygon = malloc((set->n_parts + 1) * sizeof *set->polygon);
  set->shape = malloc(n * sizeof *set->shape);
  set->attribute = malloc((set->n_given + 1) * sizeof *set->attribute);
  if (!set->first || !set->polygon || !set->shape || !set->attribute)
    return ria_fail_memory(ctx, "shapes", n * sizeof *set->shape);
  view_attributes(set);
  view_shapes(set);
  return RIA_OK;
}

/* Shapes of a set with room for n of them; the set has one user more. */
static ria_shapes *new_shapes(ria_shape_set *set, size_t n) {
  ria_shapes *s = calloc(1, sizeof *s);
  size_t *which = malloc((n + 1) * sizeof *which);
  if (!s || !which) {
    free(s);
    free(which);
    return NULL;
  }
  *s = (ria_shapes){.set = set, .n = n, .which = which};
  set->users++;
  return s;
}

ria_status ria_set_close(ria_context *ctx, ria_shape_set *set, ria_shapes **out) {
  *out = NULL;
  ria_status status = make_views(ctx, set);
  ria_shapes *s = status == RIA_OK ? new_shapes(set, set->n) : NULL;
  if (status == RIA_OK && !s) status = ria_fail_memory(ctx, "shapes", set->n * sizeof *s->which);
  for (size_t k = 0; s && k < s->n; k++) s->which[k] = k;
  ria_set_release(set);
  *out = s;
  return status;
}

/* --- from a program --------------------------------------------------------------------------- */

static ria_status add_parts(ria_context *ctx, ria_shape_set *set, const ria_shape *from,
                            size_t number) {
  set->row[set->n - 1].kind = from->kind;
  for (size_t p = 0; p < from->n_parts; p++) {
    RIA_TRY(ria_set_part(ctx, set, from->polygon ? from->polygon[p] : 0));
    for (size_t k = from->first[p]; k < from->first[p + 1]; k++) {
      RIA_TRY(ria_set_position(ctx, set, from->x[k], from->y[k], from->z ? from->z[k] : NAN));
    }
    const char *blemish = ria_part_blemish(set, from->kind);
    if (blemish) return ria_fail(ctx, RIA_ERR_ARGUMENT, "shape %zu: %s", number + 1, blemish);
  }
  return RIA_OK;
}

static ria_status add_attributes(ria_context *ctx, ria_shape_set *set, const ria_shape *from) {
  for (size_t k = 0; k < from->n_attributes; k++) {
    const ria_attribute *a = &from->attribute[k];
    ria_attribute_row row = {.text = RIA_NO_TEXT, .type = a->type, .number = a->number};
    RIA_TRY(ria_set_text(ctx, set, a->name, strlen(a->name), &row.name));
    if (a->text) RIA_TRY(ria_set_text(ctx, set, a->text, strlen(a->text), &row.text));
    RIA_TRY(ria_set_attribute(ctx, set, &row));
  }
  return RIA_OK;
}

ria_status ria_set_copy(ria_context *ctx, ria_shape_set *set, const ria_shape *from,
                        size_t number) {
  RIA_TRY(ria_set_shape(ctx, set, from->line));
  RIA_TRY(add_parts(ctx, set, from, number));
  if (from->id)
    RIA_TRY(ria_set_text(ctx, set, from->id, strlen(from->id), &set->row[set->n - 1].id));
  return add_attributes(ctx, set, from);
}

ria_status ria_shapes_make(ria_context *ctx, const ria_shape *shape, size_t n, const char *crs,
                           ria_shapes **out) {
  ria_shape_set *set;
  *out = NULL;
  RIA_TRY(ria_set_create(ctx, "shapes", &set));
  ria_status s = crs ? ria_set_crs(ctx, set, crs) : RIA_OK;
  for (size_t k = 0; s == RIA_OK && k < n; k++) s = ria_set_copy(ctx, set, &shape[k], k);
  if (s == RIA_OK) return ria_set_close(ctx, set, out);
  ria_set_release(set);
  return s;
}

ria_status ria_shapes_select(ria_context *ctx, const ria_shapes *from, const size_t *which,
                             size_t n, ria_shapes **out) {
  *out = NULL;
  for (size_t k = 0; k < n; k++)
    if (which[k] >= from->n)
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "shape %zu of %zu is to be taken", which[k] + 1,
                      from->n);
  ria_shapes *s = new_shapes(from->set, n);
  if (!s) return ria_fail_memory(ctx, "shapes", n * sizeof *which);
  for (size_t k = 0; k < n; k++) s->which[k] = from->which[which[k]];
  *out = s;
  return RIA_OK;
}

void ria_shapes_destroy(ria_shapes **shapes) {
  if (!shapes || !*shapes) return;
  ria_set_release((*shapes)->set);
  free((*shapes)->which);
  free(*shapes);
  *shapes = NULL;
}

/* --- asked ------------------------------------------------------------------------------------ */

size_t ria_shapes_count(const ria_shapes *s) { return s->n; }

const ria_shape *ria_shapes_at(const ria_shapes *s, size_t k) {
  return &s->set->shape[s->which[k]];
}

const char *ria_shapes_path(const ria_shapes *s) { return s->set->path; }

const char *ria_shapes_place(const ria_shapes *s, size_t k, char *text, size_t size) {
  const long line = ria_shapes_at(s, k)->line;
  if (line > 0)
    snprintf(text, size, "%s:%ld", s->set->path, line);
  else
    snprintf(text, size, "shape %zu", s->which[k] + 1);
  return text;
}

const char *ria_shapes_crs(const ria_shapes *s) { return s->set->crs; }

const ria_attribute *ria_shape_attribute(const ria_shape *shape, const char *name) {
  for (size_t k = 0; k < shape->n_attributes; k++)
    if (strcmp(shape->attribute[k].name, name) == 0) return &shape->attribute[k];
  return NULL;
}
