/* run/sim.c - making a simulation and ending it.
 *
 * Everything a description names is checked and copied here, before the solver allocates; what is
 * made is unmade in reverse by ria_sim_destroy, which also serves a half-made one. */
#include "core/sim.h"
#include "base/context.h"
#include "base/limit.h"
#include "base/ranks.h"
#include "io/crs.h"
#include "io/crs_read.h"
#include "io/json_read.h"
#include "core/params.h"
#include "base/text.h"
#include "base/memory.h"
#include "base/grid.h"
#include "core/keeping.h"
#include "core/lon_lat.h"
#include "forcing/forcing.h"
#include "outputs/output.h"
#include "outputs/packed.h"
#include "parts/parts.h"
#include "run/run.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- tracers ---------------------------------------------------------------------------------- */

static bool is_word(const char *s) {
  if (!isalpha((unsigned char)s[0]) && s[0] != '_') return false;
  for (; *s; s++)
    if (!isalnum((unsigned char)*s) && *s != '_') return false;
  return true;
}

static ria_status check_tracer(ria_sim *sim, const ria_tracer *t) {
  ria_context *ctx = sim->ctx;
  if (!t->name || !is_word(t->name) || strlen(t->name) >= RIA_NAME_MAX)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "tracer '%s': a name is a word of letters, digits and _, shorter than %d",
                    t->name ? t->name : "", RIA_NAME_MAX);
  for (int q = 0; q < sim->n_own; q++)
    if (strcmp(t->name, ria_quantity_name(sim, q)) == 0)
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "a tracer cannot be called '%s'", t->name);
  for (int k = 0; k < sim->n_tracers; k++)
    if (strcmp(sim->tracers[k].name, t->name) == 0)
      return ria_fail(ctx, RIA_ERR_ARGUMENT, "there are two tracers named '%s'", t->name);
  if (!(t->decay >= 0.0) || !isfinite(t->decay))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "tracer '%s': decay is %g 1/s, it must be 0 or more",
                    t->name, t->decay);
  if (!(t->diffusion >= 0.0) || !isfinite(t->diffusion))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "tracer '%s': diffusion is %g m^2/s, it must be 0 or more", t->name,
                    t->diffusion);
  return RIA_OK;
}

static ria_status take_text(ria_sim *sim, const char *text, const char **out) {
  *out = ria_strdup(text);
  return *out || !text ? RIA_OK : ria_fail_memory(sim->ctx, "text", strlen(text) + 1);
}

static ria_status take_tracers(ria_sim *sim, const ria_sim_desc *desc) {
  int most =
      sim->solver->max_tracers < RIA_MAX_TRACERS ? sim->solver->max_tracers : RIA_MAX_TRACERS;
  if (desc->n_tracers > (size_t)most)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%zu tracers: solver '%s' carries up to %d",
                    desc->n_tracers, sim->solver->name, most);
  if (desc->n_tracers > 0 && !desc->tracers)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "%zu tracers are named, but their list is NULL",
                    desc->n_tracers);
  for (size_t k = 0; k < desc->n_tracers; k++) {
    const ria_tracer *from = &desc->tracers[k];
    ria_tracer *t = &sim->tracers[k];
    RIA_TRY(check_tracer(sim, from));
    t->decay = from->decay;
    t->diffusion = from->diffusion;
    sim->n_tracers++; /* from here on destroy frees its texts */
    RIA_TRY(take_text(sim, from->name, &t->name));
    t->unit = sim->units[k].name;
    ria_status s = ria_unit_read(sim->ctx, from->unit, &sim->units[k]);
    if (s != RIA_OK) return ria_fail_more(sim->ctx, s, "tracer '%s'", t->name);
  }
  return RIA_OK;
}

/* --- creating --------------------------------------------------------------------------------- */

static ria_status take_params(ria_sim *sim, const ria_sim_desc *desc) {
  const ria_solver *solver = sim->solver;
  size_t size = solver->params_size ? solver->params_size : 1;
  sim->params = calloc(1, size);
  if (!sim->params) return ria_fail_memory(sim->ctx, "parameters", size);
  if (solver->params || desc->n_params)
    RIA_TRY(ria_params_fill(sim->ctx, solver->name, solver->params, desc->params, desc->n_params,
                            sim->params));
  return solver->check ? solver->check(sim->ctx, sim->params, &sim->grid) : RIA_OK;
}

static ria_status take_texts(ria_sim *sim, const ria_sim_desc *desc) {
  const char *title = desc->title ? desc->title : sim->solver->name;
  if (desc->crs && strlen(desc->crs) >= RIA_CRS_MAX)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "crs is longer than %d characters",
                    RIA_CRS_MAX - 1);
  if (ria_crs_given(desc->crs)) RIA_TRY(ria_crs_check_metres(sim->ctx, desc->crs));
  RIA_TRY(ria_start_read(sim->ctx, desc, &sim->start));
  ria_start_epoch(&sim->start, sim->epoch, sizeof sim->epoch);
  RIA_TRY(take_text(sim, title, (const char **)&sim->title));
  RIA_TRY(take_text(sim, desc->crs, (const char **)&sim->crs));
  RIA_TRY(take_text(sim, desc->ground, (const char **)&sim->ground));
  return take_text(sim, desc->out, (const char **)&sim->out);
}

/* Rows that are held for each of the grid: parts have a row of either neighbour at least. */
static double rows_a_row(const ria_sim *sim) {
  const double parts = sim->ctx->parts, ny = sim->grid.ny;
  return parts > 1 ? 1.0 + 2.0 * fmin(parts, ny) / ny : 1.0;
}

/* Bytes that the solver's arrays take on a backend, at least; 0: not known. One array of doubles
 * more, for what fields are set from. */
static double bytes_needed(const ria_sim *sim, const ria_backend *b, const ria_solver_ops *ops) {
  const ria_solver *s = sim->solver;
  int planes = 0;
  if (ops && ops->planes)
    planes = ops->planes(sim->n_tracers);
  else if (ops && b->kind == RIA_BACKEND_CPU && s->planes)
    planes = s->planes + s->planes_per_tracer * sim->n_tracers;
  const double number = (double)ria_real_size(sim->real) * rows_a_row(sim);
  const double bytes = planes * number + sizeof(double);
  return planes ? (double)ria_grid_cells(&sim->grid) * bytes : 0.0;
}

double ria_sim_arrays(const ria_sim *sim) { return bytes_needed(sim, sim->backend, sim->ops); }

/* "; the device 'cpu' has 200 GB free", where a grid that a device is too small for would fit. */
static void say_host(const ria_sim *sim, char *text, size_t size) {
  const ria_backend host = {.kind = RIA_BACKEND_CPU};
  const double need = bytes_needed(sim, &host, sim->solver->cpu), there = ria_memory_available();
  text[0] = '\0';
  if (need > 0.0 && need <= there && isfinite(there))
    snprintf(text, size, "; the device 'cpu' has %.3g GB free", there / 1e9);
}

/* Of a grid in ranks, what lies on this host, or on this rank's GPU. */
static double share_here(const ria_sim *sim) {
  const ria_ranks *r = sim->ctx->ranks;
  if (!r) return 1.0;
  if (sim->backend->kind == RIA_BACKEND_CUDA) return (double)ria_ranks_sharing(r) / r->comm->size;
  const int here = r->comm->local_size > 0 ? r->comm->local_size : r->comm->size;
  return (double)here / r->comm->size;
}

/* Refuse at once what cannot fit: memory that is promised but not there shows only after minutes of
 * sampling, and that of a device after all of it. */
static ria_status check_memory(ria_sim *sim) {
  const ria_backend *b = sim->backend;
  const bool host = b->kind == RIA_BACKEND_CPU;
  const double need = share_here(sim) * bytes_needed(sim, b, sim->ops), gb = 1e9;
  RIA_TRY(ria_limit_memory(sim->ctx, "a simulation", need));
  const double there = b->memory ? b->memory(b) : host ? ria_memory_available() : INFINITY;
  if (!(need > there)) return RIA_OK;
  char instead[64] = "";
  if (!host) say_host(sim, instead, sizeof instead);
  return ria_fail(sim->ctx, RIA_ERR_MEMORY,
                  "grid: %d x %d = %.4g cells%s need about %.3g GB of memory%s%s, %.3g GB are "
                  "free%s%s%s",
                  sim->grid.nx, sim->grid.ny, (double)ria_grid_cells(&sim->grid),
                  sim->n_tracers ? " with tracers" : "", need / gb, host ? "" : " on ",
                  host ? "" : b->name, there / gb, host ? "" : " there",
                  sim->real == RIA_F64 ? ": larger cells, or single precision, need less"
                                       : ": larger cells need less",
                  instead);
}

static ria_status serve(ria_sim *sim, const ria_packet *asked) {
  if (ria_packed_is(asked)) return ria_packed_serve(sim, asked);
  return ria_parts_serve(sim->self, asked);
}

static const ria_by_ranks by_ranks = {.serve = serve,
                                      .rows = ria_parts_rows,
                                      .read_here = ria_parts_read_here,
                                      .pack_bytes_here = ria_parts_pack_bytes_here,
                                      .pack_here = ria_parts_pack_here,
                                      .times = ria_parts_times};

/* Unless cuts are known already. */
static ria_status cut_as_solver_says(ria_sim *sim, const ria_solver_setup *setup,
                                     const ria_solver_ops *own) {
  const int parts = sim->ctx->parts;
  const size_t bytes = ((size_t)parts + 1) * sizeof *sim->cut;
  if (!own->cut || sim->cut || parts == 1) return RIA_OK;
  int *cut = malloc(bytes);
  if (!cut) return ria_fail_memory(sim->ctx, "parts", bytes);
  const ria_status s = own->cut(setup, parts, cut);
  if (s == RIA_OK)
    sim->cut = cut;
  else
    free(cut);
  return s;
}

ria_status ria_sim_make_state(ria_sim *sim) {
  const ria_solver_setup setup = {.ctx = sim->ctx,
                                  .backend = sim->backend,
                                  .threads = ria_context_threads(sim->ctx),
                                  .grid = sim->grid,
                                  .real = sim->real,
                                  .params = sim->params,
                                  .n_tracers = sim->n_tracers,
                                  .tracers = sim->tracers};
  const int parts = sim->ctx->parts;
  if (parts == 1 && !sim->ctx->ranks) return sim->ops->create(&setup, &sim->self);
  const ria_backend_kind kind = sim->backend->kind;
  const ria_solver_ops *own = kind == RIA_BACKEND_CUDA ? sim->solver->cuda : sim->solver->cpu;
  const ria_solver_ops all = ria_solver_ops_whole(own, kind);
  RIA_TRY(cut_as_solver_says(sim, &setup, own));
  sim->whole_ops = ria_parts_ops;
  if (sim->ctx->ranks)
    sim->by_ranks = &by_ranks;
  else
    ria_parts_let_out(&all, &sim->whole_ops);
  return ria_parts_create(&setup, own, &all, parts, sim->cut, sim->n_quantities, &sim->self);
}

ria_part ria_sim_part(const ria_sim *sim, int k) {
  const ria_part even = ria_part_cut(sim->grid.ny, sim->ctx->parts, k);
  return sim->cut ? (ria_part){sim->cut[k], sim->cut[k + 1]} : even;
}

ria_status ria_sim_parse_time(ria_sim *sim, const char *text, double *t) {
  const ria_start *start = &sim->start;
  double date;
  if (!ria_is_date(text)) return ria_parse_quantity(sim->ctx, text, RIA_DIM_TIME, t);
  RIA_TRY(ria_parse_date(sim->ctx, text, start->zone, &date));
  if (!start->known)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "'%s' is a date, and this run has none: give it a start, the date of t = 0 "
                    "(start = \"%.10s 00:00\"), or write the time since t = 0, as in '1 d 6 h'",
                    text, text);
  *t = ria_start_since(start, date, false);
  return RIA_OK;
}

bool ria_sim_start_date(const ria_sim *sim, double *date, double *zone) {
  if (!sim->start.known) return false;
  if (date) *date = sim->start.t;
  if (zone) *zone = sim->start.zone;
  return true;
}

bool ria_sim_date(const ria_sim *sim, double t, char *buf, size_t size) {
  if (size) buf[0] = '\0';
  if (sim->start.known) ria_start_iso(&sim->start, t, buf, size);
  return sim->start.known;
}

static int count_own(const ria_solver *solver) {
  int n = 0;
  while (solver->quantities && n < RIA_OWN_QUANTITIES && solver->quantities[n].name) n++;
  return n;
}

static ria_status sim_fill(ria_sim *sim, const ria_sim_desc *desc) {
  const char *dry = sim->solver->roles.dry;
  sim->grid = desc->grid;
  if (sim->grid.dy == 0.0) sim->grid.dy = sim->grid.dx;
  RIA_TRY(ria_grid_check(sim->ctx, &sim->grid));
  if (desc->precision != RIA_F64 && desc->precision != RIA_F32)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "precision is %d: it must be RIA_F64 or RIA_F32",
                    (int)desc->precision);
  sim->real = desc->precision;
  sim->overwrite = desc->overwrite;
  sim->keep = desc->keep;
  sim->units_row = desc->units_row;
  sim->no_page = desc->no_page;
  if (!(desc->page_fields <= 500.0))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "page_fields is %g MB: browsers take scripts of up to 500", desc->page_fields);
  sim->page_fields = desc->page_fields;
  sim->record = (ria_record){.on = true, .steps = -1};
  sim->unprepared = true;
  sim->n_own = count_own(sim->solver);
  RIA_TRY(take_params(sim, desc));
  RIA_TRY(take_tracers(sim, desc));
  RIA_TRY(take_texts(sim, desc));
  sim->n_quantities = sim->n_own + sim->n_tracers;
  if (dry) RIA_TRY(ria_sim_param(sim, dry, &sim->dry));
  RIA_TRY(check_memory(sim));
  RIA_TRY(ria_fields_build(sim));
  RIA_TRY(ria_mask_init(sim, desc->outside));
  RIA_TRY(ria_forcing_init(sim));
  RIA_TRY(ria_outputs_init(sim));
  return ria_sim_make_state(sim);
}

ria_status ria_choose_backend(ria_context *ctx, const ria_solver *solver,
                              const ria_backend **backend, const ria_solver_ops **ops) {
  *backend = ria_context_backend(ctx);
  const bool cuda = (*backend)->kind == RIA_BACKEND_CUDA;
  *ops = cuda ? solver->cuda : solver->cpu;
  if (*ops) return RIA_OK;
  if (cuda && ctx->automatic && solver->cpu) {
    *ops = solver->cpu;
    return ria_context_host(ctx, backend);
  }
  return ria_fail(ctx, RIA_ERR_DEVICE, "solver '%s' has no loops for device '%s'%s", solver->name,
                  ria_context_device(ctx), cuda ? ": use the device 'cpu'" : "");
}

ria_status ria_sim_create_with(ria_context *ctx, const ria_solver *solver, const ria_sim_desc *desc,
                               ria_sim **out) {
  *out = NULL;
  if (!desc) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a simulation needs a description");
  const ria_backend *backend = NULL;
  const ria_solver_ops *ops = NULL;
  RIA_TRY(ria_choose_backend(ctx, solver, &backend, &ops));
  ria_sim *sim = calloc(1, sizeof *sim);
  if (!sim) return ria_fail_memory(ctx, "simulation", sizeof *sim);
  sim->ctx = ctx;
  sim->solver = solver;
  sim->whole_ops = ria_solver_ops_whole(ops, backend->kind);
  sim->ops = &sim->whole_ops;
  sim->backend = backend;
  ria_status s = sim_fill(sim, desc);
  if (s != RIA_OK) {
    ria_sim_destroy(&sim);
    return s;
  }
  *out = sim;
  return RIA_OK;
}

ria_status ria_sim_create(ria_context *ctx, const ria_sim_desc *desc, ria_sim **out) {
  const ria_solver *solver = NULL;
  *out = NULL;
  RIA_TRY(ria_solver_find(ctx, desc ? desc->solver : NULL, &solver));
  return ria_sim_create_with(ctx, solver, desc, out);
}

/* --- ending ----------------------------------------------------------------------------------- */

static void free_texts(ria_sim *sim) {
  for (int k = 0; k < sim->n_tracers; k++) free((char *)sim->tracers[k].name);
  free(sim->title);
  free(sim->crs);
  free(sim->out);
  free(sim->provenance);
  ria_script_free(&sim->script);
  free(sim->ground);
  free(sim->from_told);
  free(sim->from_warned);
}

void ria_sim_destroy(ria_sim **handle) {
  ria_sim *sim = handle ? *handle : NULL;
  if (!sim || ria_sim_idle(sim, "be destroyed") != RIA_OK) return;
  ria_ranks *ranks = sim->ctx->ranks;
  const bool left = ranks && ranks->left;
  if (ranks)
    ranks->left = true; /* not all ranks destroy at one place: what was finished is whole */
  (void)ria_sim_finish(sim);
  if (ranks) ranks->left = left;
  ria_outputs_free(sim);
  ria_queue_free(sim);
  ria_forcing_free(sim);
  ria_mask_free(sim);
  ria_checkpoint_free(sim);
  ria_keeping_free(sim);
  if (sim->self) sim->ops->destroy(sim->self);
  free(sim->fields);
  free(sim->params);
  free(sim->cut);
  free(sim->took);
  free(sim->times);
  free_texts(sim);
  ria_lon_lat_free(sim);
  free(sim);
  *handle = NULL;
}

/* --- asking ----------------------------------------------------------------------------------- */

ria_context *ria_sim_context(ria_sim *sim) { return sim->ctx; }
const ria_grid *ria_sim_grid(const ria_sim *sim) { return &sim->grid; }

const char *ria_sim_crs(const ria_sim *sim) { return sim->crs; }
const char *ria_sim_ground(const ria_sim *sim) { return sim->ground; }

const ria_unit *ria_sim_unit(const ria_sim *sim, int tracer) {
  return tracer >= 0 && tracer < sim->n_tracers ? &sim->units[tracer] : NULL;
}

const char *ria_sim_out(const ria_sim *sim) { return sim->out; }
double ria_sim_time(const ria_sim *sim) { return sim->at.t; }
int64_t ria_sim_steps(const ria_sim *sim) { return sim->at.steps; }

ria_status ria_sim_param(ria_sim *sim, const char *name, double *out) {
  const ria_solver *solver = sim->solver;
  RIA_TRY(ria_params_get(sim->ctx, solver->name, solver->params, sim->params, name, out));
  const ria_param_info *info = ria_param_find(solver->params, name);
  if (info->type != RIA_VARYING) return RIA_OK;
  RIA_TRY(ria_sim_settle(sim));
  *out = ria_varying_now(sim, info);
  return RIA_OK;
}

/* run.json must stay JSON: the next run reads in it what this one left. */
static bool is_json_object(const char *s) {
  ria_json_reader r;
  return ria_json_begin(&r, s, strlen(s)) && ria_json_enter(&r, '{');
}

ria_status ria_sim_set_provenance(ria_sim *sim, const char *json) {
  if (json && !is_json_object(json))
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT, "provenance is not a JSON object");
  const char *copy = NULL;
  RIA_TRY(take_text(sim, json, &copy));
  free(sim->provenance);
  sim->provenance = (char *)copy;
  return RIA_OK;
}
