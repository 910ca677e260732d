/* export/export.c - stored fields in the formats of other programs (ria/export.h): which stores,
 * where to, and the writer of each kind. */
#include "base/array.h"
#include "base/context.h"
#include "base/text.h"
#include "export/job.h"
#include "export/run.h"
#include "io/access.h"
#include "io/crs.h"
#include "io/file.h"
#include "io/json_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct kind {
  const char *name, *ending;
  ria_status (*write)(ria_export_job *job);
} kinds[] = {{"netcdf", ".nc", ria_export_netcdf},
             {"vti", ".pvd", ria_export_vti},
             {"geotiff", ".tif", ria_export_geotiff},
             {"csv", ".csv", ria_export_csv},
             {"xdmf", ".xdmf", ria_export_xdmf}};
enum { KINDS = sizeof kinds / sizeof *kinds };

const char *ria_export_name(ria_export_kind kind) {
  return (unsigned)kind < KINDS ? kinds[kind].name : NULL;
}

/* --- jobs: a store each ----------------------------------------------------------------------- */

typedef struct export_jobs {
  ria_export_job *job;
  size_t n, room;
  ria_buffer found; /* all fields of the stores, each with its NUL */
} export_jobs;

void ria_export_free(ria_export_job *job) {
  ria_store_close(&job->store);
  free((void *)job->field);
  free(job->frame);
  free(job->stamp);
  free(job->band);
  ria_buffer_free(&job->crs);
}

static void free_jobs(export_jobs *all) {
  for (size_t k = 0; k < all->n; k++) ria_export_free(&all->job[k]);
  free(all->job);
  ria_buffer_free(&all->found);
}

/* The system that the grid mapping tells, as rasters have it. */
static ria_status read_crs(ria_export_job *job) {
  static const char *const keys[] = {"crs_wkt", "spatial_ref"};
  char *json, key[40];
  size_t n;
  ria_json_reader r;
  RIA_TRY(ria_store_attributes(job->ctx, job->store, "crs", &json, &n));
  char *text = json ? malloc(n + 1) : NULL;
  for (size_t k = 0; text && k < 2 && !job->crs.n; k++) {
    bool more = ria_json_begin(&r, json, n) && ria_json_enter(&r, '{');
    while (more && (more = ria_json_key(&r, key, sizeof key)))
      if (strcmp(key, keys[k]) == 0 && ria_json_get_text(&r, text, n + 1))
        ria_buffer_text(&job->crs, text);
      else if (strcmp(key, keys[k]) != 0)
        ria_json_skip(&r);
  }
  ria_buffer_add(&job->crs, "", 1);
  const bool ok = (!json || text) && !job->crs.failed;
  free(text);
  free(json);
  return ok ? RIA_OK : ria_fail_memory(job->ctx, "a coordinate system", n);
}

static bool is_found(const export_jobs *all, const char *name) {
  for (size_t k = 0; k < all->found.n; k += strlen(all->found.data + k) + 1)
    if (strcmp(all->found.data + k, name) == 0) return true;
  return false;
}

/* The fields of the store are told; it stays only if some of them are wanted. */
static ria_status add_job(ria_context *ctx, const ria_export_desc *desc, const ria_export_run *run,
                          const char *path, export_jobs *all) {
  const ria_store_how how = {.dx = run->dx, .dy = run->dy, .timeless = true, .zarr = true};
  const char *name;
  RIA_TRY(ria_grow(ctx, "stores", &all->job, &all->room, all->n + 1, sizeof *all->job));
  ria_export_job *job = &all->job[all->n];
  *job = (ria_export_job){.ctx = ctx, .desc = desc, .zone = run->zone};
  RIA_TRY(ria_store_open_as(ctx, path, &how, &job->store));
  all->n++;
  for (size_t k = 0; (name = ria_store_field(job->store, k)) != NULL; k++)
    if (!is_found(all, name)) ria_buffer_add(&all->found, name, strlen(name) + 1);
  const char *last = ria_export_last(ria_store_path(job->store));
  const size_t n = strlen(last);
  snprintf(job->name, sizeof job->name, "%.*s",
           (int)(n > 5 && ria_ends_with(last, ".zarr") ? n - 5 : n), last);
  RIA_TRY(ria_export_pick(job));
  RIA_TRY(read_crs(job));
  if (job->n_fields) return RIA_OK;
  ria_export_free(job);
  all->n--;
  return RIA_OK;
}

static ria_status open_stores(ria_context *ctx, const ria_export_desc *desc,
                              const ria_export_run *run, export_jobs *all) {
  if (!run->n) return add_job(ctx, desc, run, desc->from, all);
  for (size_t k = 0; k < run->n; k++) {
    char *path = ria_path_join(desc->from, run->store[k]);
    if (!path) return ria_fail_memory(ctx, "a path", strlen(desc->from));
    const ria_status status = add_job(ctx, desc, run, path, all);
    free(path);
    RIA_TRY(status);
  }
  return RIA_OK;
}

static bool is_single(const ria_export_desc *desc) {
  return desc->out && ria_ends_with(desc->out, kinds[desc->to].ending);
}

/* A time, a place or one file is meant of the fields in time: maxima have the same names. */
static void leave_timeless(const ria_export_desc *desc, export_jobs *all) {
  bool timed = false;
  size_t n = 0;
  if (desc->store || !(desc->times || desc->at || is_single(desc))) return;
  for (size_t k = 0; k < all->n; k++) timed = timed || all->job[k].timed;
  if (!timed) return;
  for (size_t k = 0; k < all->n; k++)
    if (all->job[k].timed)
      all->job[n++] = all->job[k];
    else
      ria_export_free(&all->job[k]);
  all->n = n;
}

/* Each name that was asked for is a field of some store. */
static ria_status check_fields(ria_context *ctx, const export_jobs *all, const char *list) {
  char word[256];
  while (list && ria_export_word(&list, word, sizeof word)) {
    bool there = false;
    for (size_t k = 0; k < all->n && !there; k++)
      there =
          ria_store_has(all->job[k].store, word) || ria_store_has_fixed(all->job[k].store, word);
    if (there) continue;
    ria_guess guess = ria_guess_start(word);
    for (size_t k = 0; k < all->found.n; k += strlen(all->found.data + k) + 1)
      ria_guess_try(&guess, all->found.data + k);
    return ria_fail_unknown(ctx, "field", &guess);
  }
  return RIA_OK;
}

/* --- where to --------------------------------------------------------------------------------- */

/* `export` in the results, or beside a store that was named. */
static char *default_folder(const ria_export_desc *desc, const ria_export_run *run) {
  if (run->n) return ria_path_join(desc->from, "export");
  size_t n = strlen(desc->from);
  while (n > 1 && desc->from[n - 1] == '/') n--;
  while (n && desc->from[n - 1] != '/') n--;
  const size_t room = n + sizeof "export";
  char *out = malloc(room);
  if (out) snprintf(out, room, "%.*sexport", (int)n, desc->from);
  return out;
}

static size_t files_of(const ria_export_job *job) {
  size_t n = 0;
  for (size_t k = 0; k < job->n_fields; k++)
    n += ria_store_has(job->store, job->field[k]) ? job->n_frames : 1;
  return n;
}

/* --out names one file: there is one to write. */
static ria_status check_single(ria_context *ctx, const ria_export_desc *desc,
                               const export_jobs *all) {
  char names[256] = "";
  for (size_t k = 0; k < all->n; k++)
    ria_append(names, sizeof names, "%s%s", k ? ", " : "", all->job[k].name);
  if (all->n > 1)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "%s is one file, and %zu stores have what is asked for (%s): choose a store, "
                    "or fields, or give a folder",
                    desc->out, all->n, names);
  if (desc->to == RIA_EXPORT_GEOTIFF && files_of(&all->job[0]) > 1)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "%s is one file, and %zu are to be written, one a field and time: choose one "
                    "of each, or give a folder",
                    desc->out, files_of(&all->job[0]));
  return RIA_OK;
}

static ria_status make_folder(ria_context *ctx, const char *path) {
  char err[RIA_ERR_TEXT] = "";
  RIA_TRY(ria_may_write(ctx, path));
  const ria_status s = ria_dir_make(path, err, sizeof err);
  return s == RIA_OK ? RIA_OK : ria_fail(ctx, s, "%s", err);
}

/* --- one job ---------------------------------------------------------------------------------- */

static ria_status write_job(ria_export_job *job) {
  if (job->desc->to != RIA_EXPORT_CSV) return kinds[job->desc->to].write(job);
  return job->desc->at     ? ria_export_history(job)
         : job->desc->line ? ria_export_profile(job)
                           : ria_export_csv(job);
}

static void tell_made(const ria_export_job *job) {
  char names[512] = "";
  if (!job->desc->made) return;
  for (size_t k = 0; k < job->n_fields; k++)
    ria_append(names, sizeof names, "%s%s", k ? ", " : "", job->field[k]);
  job->desc->made(job->desc->user, &(ria_export_made){.path = job->path,
                                                      .fields = names,
                                                      .frames = job->n_frames,
                                                      .files = job->files,
                                                      .bytes = job->bytes});
}

/* folder NULL: desc->out is the file. */
static ria_status run_job(ria_export_job *job, const char *folder) {
  const ria_export_desc *d = job->desc;
  char name[192];
  char *path = NULL;
  const bool folders = d->to == RIA_EXPORT_GEOTIFF;
  snprintf(name, sizeof name, "%s%s%s", job->name,
           d->at     ? "_at"
           : d->line ? "_line"
                     : "",
           folders ? "" : kinds[d->to].ending);
  if (folder && !(path = ria_path_join(folder, name)))
    return ria_fail_memory(job->ctx, "a path", strlen(folder));
  job->path = path ? path : d->out;
  ria_status status = path && folders ? make_folder(job->ctx, path) : RIA_OK;
  if (status == RIA_OK) status = write_job(job);
  if (status == RIA_OK) tell_made(job);
  free(path);
  return status;
}

static ria_status run_jobs(ria_context *ctx, const ria_export_desc *desc, const ria_export_run *run,
                           export_jobs *all) {
  if (is_single(desc)) {
    RIA_TRY(check_single(ctx, desc, all));
    return run_job(&all->job[0], NULL);
  }
  char *folder = desc->out ? ria_strdup(desc->out) : default_folder(desc, run);
  if (!folder) return ria_fail_memory(ctx, "a path", strlen(desc->from));
  ria_status status = make_folder(ctx, folder);
  for (size_t k = 0; k < all->n && status == RIA_OK; k++) status = run_job(&all->job[k], folder);
  free(folder);
  return status;
}

static ria_status check_desc(ria_context *ctx, const ria_export_desc *desc) {
  if (!desc || !desc->from || !*desc->from)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "export: name the results of a run, or a store");
  if ((unsigned)desc->to >= KINDS)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "export: there is no format number %d", (int)desc->to);
  if ((desc->at || desc->line) && desc->to != RIA_EXPORT_CSV)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "export: the values at a place or along a line are tables: export to csv");
  if (desc->at && desc->line)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "export: a place or a line, not both");
  if (desc->out && !*desc->out)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "export: out is not the name of a file or folder");
  return RIA_OK;
}

ria_status ria_export(ria_context *ctx, const ria_export_desc *desc) {
  ria_export_run run = {0};
  export_jobs all = {0};
  RIA_TRY(check_desc(ctx, desc));
  ria_status status = ria_export_run_read(ctx, desc->from, desc->store, &run);
  if (status == RIA_OK) status = open_stores(ctx, desc, &run, &all);
  if (status == RIA_OK) status = check_fields(ctx, &all, desc->fields);
  if (status == RIA_OK) leave_timeless(desc, &all);
  if (status == RIA_OK && !all.n)
    status = ria_fail(ctx, RIA_ERR_INPUT, "%s: no store there has a field", desc->from);
  if (status == RIA_OK) status = run_jobs(ctx, desc, &run, &all);
  free_jobs(&all);
  ria_export_run_free(&run);
  return status;
}
