/* A host in C whose run writes everything and takes checkpoints: host OUT [single] [wall]
 *
 * It goes on from the newest checkpoint in OUT, or begins there, and prints where it went on. The
 * run has frames of two names, two stores (one of many tiles, some of dry ground alone), gauges of
 * two files, a section, the budget, maxima, a fit, spills under way, a condition, a boundary that
 * changes, events that make others and random numbers of the host's own. */
#include <math.h>
#include <ria/ria.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ria_status tried = (call);                                                               \
    if (tried != RIA_OK) return tried;                                                             \
  } while (0)
enum { NX = 29, NY = 19, CELLS = NX * NY };

typedef struct host {
  ria_sim *sim;
  ria_series *tide;
  int floods, changes;
  unsigned seed;
} host;

static double random_of(host *h) {
  h->seed = h->seed * 1664525u + 1013904223u;
  return (double)(h->seed >> 8) / 16777216.0;
}

static ria_status is_high(ria_sim *sim, const ria_event_info *info, void *user, bool *yes) {
  double level = 0;
  (void)info;
  (void)user;
  TRY(ria_sim_probe(sim, "level", 2500, 900, &level));
  *yes = level > 0.12;
  return RIA_OK;
}

static ria_status spill_more(ria_sim *sim, const ria_event_info *info, void *user) {
  host *h = user;
  ria_stats stats;
  h->floods++;
  TRY(ria_sim_stats(sim, "level", &stats));
  const ria_spill_desc d = {.name = "more",
                            .tracer = "dye",
                            .x = 600 + 800 * random_of(h),
                            .y = 500 + 600 * random_of(h),
                            .radius = 150,
                            .mass = 10 + stats.max,
                            .start = info->t + 40,
                            .duration = h->floods % 2 ? 0 : 130};
  return ria_sim_spill(sim, &d, NULL);
}

static ria_status change_side(ria_sim *sim, const ria_event_info *info, void *user) {
  host *h = user;
  ria_boundary_id id;
  h->changes++;
  TRY(ria_boundary_find(sim, "east", &id));
  const ria_action more = {.fn = spill_more, .user = h, .phase = RIA_PHASE_CALLBACK};
  TRY(ria_sim_at(sim, info->t + 33, &more, NULL));
  return ria_boundary_change(sim, id,
                             &(ria_boundary_desc){.kind = h->changes % 2 ? "open" : "wall"});
}

/* Outputs that are asked for in mid-run. */
static ria_status ask_late(ria_sim *sim, const ria_event_info *info, void *user) {
  ria_action frame, save;
  static const char *const fields[] = {"bed", "level"};
  (void)user;
  TRY(ria_frame_action(sim, &(ria_frame_desc){.field = "level", .width = 120, .name = "late"},
                       &frame));
  TRY(ria_sim_every(sim, 60, info->t + 30, 0, &frame, NULL));
  TRY(ria_save_action(
      sim, &(ria_save_desc){.fields = fields, .n_fields = 2, .name = "late", .precision = 1e-3},
      &save));
  return ria_sim_every(sim, 50, info->t + 20, 0, &save, NULL);
}

static ria_status set_up(host *h) {
  ria_sim *sim = h->sim;
  static double bed[CELLS];
  for (int k = 0; k < CELLS; k++) {
    const int i = k % NX, j = k / NX;
    bed[k] = i < 6 && j > 12 ? 5 : -3 + 0.09 * i + 0.4 * sin(0.7 * i) * cos(0.5 * j);
  }
  TRY(ria_sim_set(sim, "bed", bed));
  TRY(ria_sim_set_constant(sim, "level", 0.0));
  const ria_constituent wave = {NULL, 3600.0 * 360 / 900, 0.6, 20};
  TRY(ria_series_tide(ria_sim_context(sim),
                      &(ria_tide_desc){.constituents = &wave, .n = 1, .ramp = 300}, &h->tide));
  const ria_boundary_desc west = {
      .kind = "level", .side = RIA_WEST, .values = {{"level", {.series = h->tide}}}};
  TRY(ria_boundary_add(sim, &west, NULL));
  const ria_boundary_desc east = {.name = "east", .kind = "wall", .side = RIA_EAST};
  TRY(ria_boundary_add(sim, &east, NULL));
  const ria_spill_desc spring = {.tracer = "dye",
                                 .x = 900,
                                 .y = 950,
                                 .radius = 200,
                                 .start = 70,
                                 .duration = 400,
                                 .has_flow = true,
                                 .flow = {.constant = 3},
                                 .conc = {.constant = 2}};
  return ria_sim_spill(sim, &spring, NULL);
}

static ria_status set_outputs(host *h) {
  ria_sim *sim = h->sim;
  static const char *const fields[] = {"bed", "level", "dye"};
  static const char *const names[] = {"M8"};
  ria_action frame, save;
  TRY(ria_sim_track_maximum(sim, "level"));
  const ria_gauge_desc near = {.name = "near", .x = 850, .y = 450, .every = 7};
  const ria_gauge_desc far = {.name = "far", .x = 2300, .y = 1450, .every = 31, .exact = true};
  TRY(ria_sim_gauge(sim, &near, NULL));
  TRY(ria_sim_gauge(sim, &far, NULL));
  TRY(ria_sim_fit(sim, &(ria_fit_desc){.names = names, .n_names = 1, .every = 13}, NULL));
  TRY(ria_frame_action(sim, &(ria_frame_desc){.field = "dye", .width = 160, .no_decor = true},
                       &frame));
  TRY(ria_sim_every(sim, 40, 0, 0, &frame, NULL));
  TRY(ria_save_action(sim, &(ria_save_desc){.fields = fields, .n_fields = 3, .tile = 6}, &save));
  TRY(ria_sim_every(sim, 50, 0, 0, &save, NULL));
  return ria_sim_budget_every(sim, 45);
}

static ria_status set_events(host *h) {
  const ria_action more = {.fn = spill_more, .user = h, .phase = RIA_PHASE_CALLBACK};
  const ria_action change = {.fn = change_side, .user = h, .phase = RIA_PHASE_CALLBACK};
  const ria_action late = {.fn = ask_late, .user = h, .phase = RIA_PHASE_CALLBACK};
  TRY(ria_sim_when(h->sim, is_high, 17, true, &more, NULL));
  TRY(ria_sim_every(h->sim, 110, 80, 0, &change, NULL));
  return ria_sim_at(h->sim, 200, &late, NULL);
}

static ria_status go(ria_context *ctx, host *h, const char *out, bool single, bool wall) {
  static const ria_tracer dye = {.name = "dye", .decay = 1e-4, .diffusion = 0.5};
  const ria_sim_desc desc = {.solver = "shallow_water",
                             .grid = {.nx = NX, .ny = NY, .dx = 100},
                             .precision = single ? RIA_F32 : RIA_F64,
                             .tracers = &dye,
                             .n_tracers = 1,
                             .out = out,
                             .keep = true};
  const ria_checkpoints_desc often = {
      .every = wall ? 0 : 35, .wall = wall ? 0.004 : 0, .at_end = true, .keep = 3};
  char from[512];
  TRY(ria_sim_create(ctx, &desc, &h->sim));
  TRY(ria_sim_checkpoints(h->sim, &often));
  TRY(ria_sim_note(h->sim, "host", out, strlen(out)));
  TRY(ria_sim_continue(h->sim, from, sizeof from));
  printf("%s\n", from);
  fflush(stdout);
  if (from[0] && !ria_sim_noted(h->sim, "host", NULL)) return RIA_ERR_INPUT;
  TRY(set_up(h));
  TRY(set_outputs(h));
  TRY(set_events(h));
  TRY(ria_sim_advance(h->sim, 123));
  TRY(ria_sim_step(h->sim, 7));
  TRY(ria_sim_run(h->sim, 300)); /* closing outputs in mid-run */
  return ria_sim_run(
      h->sim, 520); /* the first ends where the boundary changes, both where fields are saved */
}

int main(int n, char **arg) {
  ria_context *ctx = NULL;
  host h = {.seed = 7};
  bool single = false, wall = false;
  for (int k = 2; k < n; k++) {
    single = single || strcmp(arg[k], "single") == 0;
    wall = wall || strcmp(arg[k], "wall") == 0;
  }
  if (n < 2) return 2;
  if (ria_context_create(&(ria_context_desc){.device = "cpu", .threads = 1}, &ctx) != RIA_OK)
    return 1;
  const ria_status s = go(ctx, &h, arg[1], single, wall);
  if (s != RIA_OK) fprintf(stderr, "%s\n", ria_error(ctx));
  ria_sim_destroy(&h.sim);
  ria_series_destroy(&h.tide);
  ria_context_destroy(&ctx);
  return s == RIA_OK ? 0 : 1;
}
