/* export/run.c - the stores of a run, as its run.json lists them. */
#include "export/run.h"
#include "base/array.h"
#include "base/context.h"
#include "base/text.h"
#include "io/file.h"
#include "io/json_read.h"
#include "io/target.h"
#include "io/text_file.h"
#include "outputs/results_list.h"

#include <stdlib.h>
#include <string.h>

enum { RUN_JSON_MOST = 1 << 26 };

void ria_export_run_free(ria_export_run *run) {
  for (size_t k = 0; k < run->n; k++) free(run->store[k]);
  free(run->store);
  *run = (ria_export_run){0};
}

static void read_grid(ria_json_reader *r, ria_export_run *run) {
  char key[16];
  if (!ria_json_enter(r, '{')) return;
  while (ria_json_key(r, key, sizeof key))
    if (strcmp(key, "dx") == 0)
      ria_json_get_number(r, &run->dx);
    else if (strcmp(key, "dy") == 0)
      ria_json_get_number(r, &run->dy);
    else
      ria_json_skip(r);
}

static void read_run(const char *text, size_t n, ria_export_run *run) {
  ria_json_reader r;
  char key[16];
  if (!ria_json_begin(&r, text, n) || !ria_json_enter(&r, '{')) return;
  while (ria_json_key(&r, key, sizeof key))
    if (strcmp(key, "grid") == 0)
      read_grid(&r, run);
    else if (strcmp(key, "zone_s") == 0)
      ria_json_get_number(&r, &run->zone);
    else
      ria_json_skip(&r);
}

/* Was it begun? Maxima are listed all along and written at the end. */
static bool is_there(const char *from, const char *store) {
  char *path = ria_path_join(from, store), *mark = path ? ria_path_join(path, ".zgroup") : NULL;
  const bool there = mark && ria_target_is_file(mark);
  free(path);
  free(mark);
  return there;
}

static ria_status add_store(ria_context *ctx, ria_export_run *run, const char *from,
                            const char *name) {
  for (size_t k = 0; k < run->n; k++)
    if (strcmp(run->store[k], name) == 0) return RIA_OK;
  if (!is_there(from, name)) return RIA_OK;
  RIA_TRY(
      ria_grow(ctx, "stores of a run", &run->store, &run->room, run->n + 1, sizeof *run->store));
  if (!(run->store[run->n] = ria_strdup(name))) return ria_fail_memory(ctx, "a name", strlen(name));
  run->n++;
  return RIA_OK;
}

/* "maxima" and "maxima.zarr" are the same. */
static bool same_store(const char *file, const char *wanted) {
  const size_t n = strlen(file), m = strlen(wanted);
  return strcmp(file, wanted) == 0 || (n == m + 5 && strncmp(file, wanted, m) == 0);
}

static ria_status keep_wanted(ria_context *ctx, ria_export_run *run, const char *wanted) {
  ria_guess guess = ria_guess_start(wanted);
  bool there = false;
  for (size_t k = 0; k < run->n; k++) {
    ria_guess_try(&guess, run->store[k]);
    there = there || same_store(run->store[k], wanted);
  }
  if (!there) return ria_fail_unknown(ctx, "store", &guess);
  size_t kept = 0;
  for (size_t k = 0; k < run->n; k++)
    if (same_store(run->store[k], wanted))
      run->store[kept++] = run->store[k];
    else
      free(run->store[k]);
  run->n = kept;
  return RIA_OK;
}

static ria_status take_stores(ria_context *ctx, const char *from, const char *text, size_t n,
                              ria_export_run *run) {
  ria_results_list list = {0};
  bool ours = false;
  ria_status status = ria_results_list_read(ctx, text, n, &list, &ours);
  for (size_t k = 0; k < list.n && status == RIA_OK; k++)
    if (list.item[k].kind == RIA_RESULT_STORE)
      status = add_store(ctx, run, from, list.item[k].name);
    else if (list.item[k].kind == RIA_RESULT_MAXIMUM)
      status = add_store(ctx, run, from, "maxima.zarr");
  ria_results_list_free(&list);
  if (status == RIA_OK && !ours)
    status = ria_fail(ctx, RIA_ERR_INPUT, "%s/run.json is not from a run of ria", from);
  return status;
}

ria_status ria_export_run_read(ria_context *ctx, const char *from, const char *wanted,
                               ria_export_run *run) {
  char *path = ria_path_join(from, "run.json"), *text = NULL;
  size_t n = 0;
  if (!path) return ria_fail_memory(ctx, "a path", strlen(from));
  const bool there = ria_target_is_file(path);
  ria_status status = there ? ria_text_slurp(ctx, path, RUN_JSON_MOST, &text, &n) : RIA_OK;
  free(path);
  if (status == RIA_OK && there) {
    read_run(text, n, run);
    status = take_stores(ctx, from, text, n, run);
  }
  free(text);
  RIA_TRY(status);
  if (there && !run->n)
    return ria_fail(ctx, RIA_ERR_INPUT,
                    "%s: the run saved no fields: sim:every(\"10 min\", ria.save { \"level\" }), "
                    "or maxima = { \"level\" }",
                    from);
  if (!wanted) return RIA_OK;
  if (!there)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s has no run.json: name the store itself", from);
  return keep_wanted(ctx, run, wanted);
}
