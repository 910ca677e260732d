/* outputs/results_list.c - what a run makes in its directory, by name: the list, in and out of
 * run.json. */
#include "base/text.h"
#include "base/array.h"
#include "outputs/results_list.h"
#include "base/context.h"
#include "outputs/films.h"
#include "io/json_read.h"
#include "io/world_file.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[RIA_RESULT_KINDS] = {
    "frames", "stores", "gauges", "budget", "maxima", "checkpoints", "page", "films", "changes"};
static const char *const words[RIA_RESULT_KINDS] = {
    "frame", "store", "gauges", "budget", "maximum", "checkpoints", "page", "film", "changes"};

#define MAXIMA_STORE "maxima.zarr"

void ria_results_list_free(ria_results_list *list) {
  for (size_t i = 0; i < list->n; i++) free(list->item[i].more);
  free(list->item);
  *list = (ria_results_list){0};
}

/* --- adding ----------------------------------------------------------------------------------- */

/* One step down and no more, not hidden, of the kind. */
static bool name_is_good(ria_result_kind kind, const char *name) {
  if (!name[0] || name[0] == '.' || strlen(name) >= RIA_RESULT_NAME) return false;
  for (const char *c = name; *c; c++)
    if (!isalnum((unsigned char)*c) && !strchr("_-+.", *c)) return false;
  if (kind == RIA_RESULT_STORE) return ria_ends_with(name, ".zarr");
  if (kind == RIA_RESULT_GAUGES || kind == RIA_RESULT_BUDGET) return ria_ends_with(name, ".csv");
  if (kind == RIA_RESULT_CHANGES) return strcmp(name, "changes.lua") == 0;
  if (kind == RIA_RESULT_PAGE)
    return strcmp(name, "index.html") == 0 || strcmp(name, "index.js") == 0 ||
           strcmp(name, "fields.js") == 0;
  return kind != RIA_RESULT_FILM || ria_film_is_name(name);
}

bool ria_result_is_file(ria_result_kind kind) {
  return kind == RIA_RESULT_GAUGES || kind == RIA_RESULT_BUDGET || kind == RIA_RESULT_PAGE ||
         kind == RIA_RESULT_FILM || kind == RIA_RESULT_CHANGES;
}

const ria_result *ria_results_find(const ria_results_list *list, ria_result_kind kind,
                                   const char *name) {
  for (size_t i = 0; i < list->n; i++)
    if (list->item[i].kind == kind && strcmp(list->item[i].name, name) == 0) return &list->item[i];
  return NULL;
}

static ria_result *find(ria_results_list *list, ria_result_kind kind, const char *name) {
  return (ria_result *)ria_results_find(list, kind, name);
}

static ria_status add_item(ria_context *ctx, ria_results_list *list, const ria_result *item) {
  ria_result *known = find(list, item->kind, item->name);
  if (known) { /* of two earlier runs */
    known->made = known->made || item->made;
    known->world |= item->world;
    if (item->end > known->end) known->end = item->end;
    return RIA_OK;
  }
  RIA_TRY(ria_grow(ctx, "the list of results", &list->item, &list->room, list->n + 1,
                   sizeof *list->item));
  list->item[list->n++] = *item;
  return RIA_OK;
}

ria_status ria_results_list_add(ria_context *ctx, ria_results_list *list, const ria_result *item) {
  if (!name_is_good(item->kind, item->name))
    return ria_fail(ctx, RIA_ERR_INPUT, "'%s' cannot be the name of a result", item->name);
  ria_result copy = *item;
  if (copy.end < copy.count) copy.end = copy.count;
  RIA_TRY(add_item(ctx, list, &copy));
  if (item->kind != RIA_RESULT_MAXIMUM) return RIA_OK;
  return add_item(
      ctx, list, &(ria_result){.kind = RIA_RESULT_STORE, .name = MAXIMA_STORE, .made = item->made});
}

/* --- the journal ------------------------------------------------------------------------------ */

static ria_status add_frame(ria_context *ctx, ria_result *r, int64_t number) {
  if (number < r->end) return RIA_OK;
  RIA_TRY(ria_grow(ctx, "the list of results", &r->more, &r->room_more, r->n_more + 1,
                   sizeof *r->more));
  r->more[r->n_more++] = number;
  return RIA_OK;
}

void ria_results_note(char *line, size_t room, ria_result_kind kind, const char *name,
                      int64_t number) {
  if (kind == RIA_RESULT_FRAMES)
    snprintf(line, room, "%s %s %lld\n", words[kind], name, (long long)number);
  else
    snprintf(line, room, "%s %s\n", words[kind], name);
}

ria_status ria_results_list_note(ria_context *ctx, ria_results_list *list, const char *line) {
  char word[16], name[RIA_RESULT_NAME];
  long long number = 0;
  const int n = sscanf(line, "%15s %95s %18lld", word, name, &number);
  for (int kind = 0; n >= 2 && kind < RIA_RESULT_KINDS; kind++) {
    if (strcmp(word, words[kind]) != 0) continue;
    ria_result *r = find(list, (ria_result_kind)kind, name);
    if (!r) return RIA_OK;
    r->made = true;
    if (kind == RIA_RESULT_FRAMES && n == 3 && number >= 0) return add_frame(ctx, r, number);
    r = kind == RIA_RESULT_MAXIMUM ? find(list, RIA_RESULT_STORE, MAXIMA_STORE) : NULL;
    if (r) r->made = true;
  }
  return RIA_OK;
}

static int compare(const void *a, const void *b) {
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

void ria_results_list_sort(ria_results_list *list) {
  for (size_t i = 0; i < list->n; i++)
    if (list->item[i].n_more)
      qsort(list->item[i].more, list->item[i].n_more, sizeof(int64_t), compare);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void write_endings(ria_json *j, unsigned world) {
  ria_json_open(j, "world_files", '[');
  for (int k = 0; ria_world_endings[k]; k++)
    if (world >> k & 1) ria_json_text(j, NULL, ria_world_endings[k]);
  ria_json_close(j);
}

/* Told by their name alone. */
static bool is_name(ria_result_kind kind) {
  return kind == RIA_RESULT_MAXIMUM || kind == RIA_RESULT_CHECKPOINTS;
}

static void write_one(ria_json *j, const ria_result *r) {
  if (is_name(r->kind)) {
    ria_json_text(j, NULL, r->name);
    return;
  }
  ria_json_open(j, NULL, '{');
  ria_json_text(j, "name", r->name);
  ria_json_integer(j, "count", r->count);
  if (r->end != r->count) ria_json_integer(j, "end", r->end);
  if (r->world) write_endings(j, r->world);
  if (!r->made) ria_json_bool(j, "made", false);
  ria_json_close(j);
}

static bool find_kind(const ria_results_list *list, int kind) {
  size_t i = 0;
  while (i < list->n && (int)list->item[i].kind != kind) i++;
  return i < list->n;
}

void ria_results_list_write(ria_json *j, const char *key, const ria_results_list *list) {
  const ria_result *maxima = ria_results_find(list, RIA_RESULT_STORE, MAXIMA_STORE);
  ria_json_open(j, key, '{');
  if (maxima && !maxima->made) ria_json_bool(j, "maxima_made", false);
  for (int kind = 0; kind < RIA_RESULT_KINDS; kind++) {
    if (kind >= RIA_RESULT_CHECKPOINTS && !find_kind(list, kind)) continue;
    ria_json_open(j, keys[kind], '[');
    for (size_t i = 0; i < list->n; i++)
      if ((int)list->item[i].kind == kind && strcmp(list->item[i].name, MAXIMA_STORE) != 0)
        write_one(j, &list->item[i]);
    ria_json_close(j);
  }
  ria_json_close(j);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* A file of another ending is not ours. */
static void read_endings(ria_json_reader *r, unsigned *world) {
  char ending[16];
  if (!ria_json_enter(r, '[')) return;
  while (ria_json_element(r) && ria_json_get_text(r, ending, sizeof ending))
    for (int k = 0; ria_world_endings[k]; k++)
      if (strcmp(ending, ria_world_endings[k]) == 0) *world |= 1u << k;
}

static ria_status read_one(ria_context *ctx, ria_json_reader *r, ria_results_list *list,
                           ria_result item) {
  char key[16];
  if (is_name(item.kind)) {
    ria_json_get_text(r, item.name, sizeof item.name);
  } else if (ria_json_enter(r, '{')) {
    while (ria_json_key(r, key, sizeof key)) {
      if (strcmp(key, "name") == 0)
        ria_json_get_text(r, item.name, sizeof item.name);
      else if (strcmp(key, "count") == 0)
        ria_json_get_integer(r, &item.count);
      else if (strcmp(key, "end") == 0)
        ria_json_get_integer(r, &item.end);
      else if (strcmp(key, "world_files") == 0)
        read_endings(r, &item.world);
      else if (strcmp(key, "made") == 0)
        ria_json_get_bool(r, &item.made);
      else
        ria_json_skip(r);
    }
  }
  if (r->failed) return ria_fail(ctx, RIA_ERR_INPUT, "its list of files is damaged");
  return ria_results_list_add(ctx, list, &item);
}

static ria_status read_kind(ria_context *ctx, ria_json_reader *r, ria_results_list *list,
                            ria_result_kind kind, bool made) {
  const ria_result item = {.kind = kind, .made = made};
  if (!ria_json_enter(r, '[')) return RIA_OK;
  while (ria_json_element(r)) RIA_TRY(read_one(ctx, r, list, item));
  return RIA_OK;
}

/* Versions that did not list the budget always wrote one. */
static ria_status read_list(ria_context *ctx, ria_json_reader *r, ria_results_list *list) {
  char key[16];
  bool budget = false, maxima = true;
  if (!ria_json_enter(r, '{')) return RIA_OK;
  while (ria_json_key(r, key, sizeof key)) {
    int kind = 0;
    if (strcmp(key, "maxima_made") == 0) {
      ria_json_get_bool(r, &maxima);
      continue;
    }
    while (kind < RIA_RESULT_KINDS && strcmp(key, keys[kind]) != 0) kind++;
    budget = budget || kind == RIA_RESULT_BUDGET;
    if (kind < RIA_RESULT_KINDS)
      RIA_TRY(read_kind(ctx, r, list, (ria_result_kind)kind,
                        kind == RIA_RESULT_MAXIMUM ? maxima : true));
    else
      ria_json_skip(r);
  }
  if (budget) return RIA_OK;
  return ria_results_list_add(
      ctx, list, &(ria_result){.kind = RIA_RESULT_BUDGET, .name = "budget.csv", .made = true});
}

/* Ours begins with the version of ria that wrote it. */
static bool begins_ours(ria_json_reader *r) {
  char key[16] = "", version[64];
  return ria_json_enter(r, '{') && ria_json_key(r, key, sizeof key) && strcmp(key, "ria") == 0 &&
         ria_json_get_text(r, version, sizeof version);
}

ria_status ria_results_list_read(ria_context *ctx, const char *text, size_t n,
                                 ria_results_list *list, bool *ours) {
  ria_json_reader r;
  char key[16];
  *ours = ria_json_begin(&r, text, n) && begins_ours(&r);
  if (!*ours) return RIA_OK;
  while (ria_json_key(&r, key, sizeof key)) {
    if (strcmp(key, "files") == 0 || strcmp(key, "earlier") == 0)
      RIA_TRY(read_list(ctx, &r, list));
    else
      ria_json_skip(&r);
  }
  return RIA_OK;
}
