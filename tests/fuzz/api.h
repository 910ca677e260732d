/* tests/fuzz/api.h - what api.c does to a simulation between its runs: boundaries, layers, events,
 * outputs. */
#ifndef RIA_FUZZ_API_H
#define RIA_FUZZ_API_H
#include "machine.h"
#include <ria/solver.h>

enum { SIMS = 2, HANDLES = 8, MOST_CALLS = 120, MOST_STEPS = 60 };

typedef struct run {
  ria_sim *sim;
  ria_grid grid;
  const ria_solver *solver;
  double tick;  /* s: the unit of the times of its calls */
  int64_t most; /* steps at which it is interrupted */
  ria_handle handle[HANDLES];
  ria_boundary_id boundary[HANDLES];
  unsigned handles, boundaries;
  bool failed;
} run;

typedef struct api {
  machine m; /* first */
  run run[SIMS];
  int calls, depth, actions; /* actions: whose user was not dropped yet */
} api;

static api all;

static double some_time(machine *m, const run *r) {
  const unsigned k = bytes_one(&m->in);
  return k > 250 ? bytes_number(&m->in) : ria_sim_time(r->sim) + r->tick * (k % 50) / 8.0;
}
static double some_period(machine *m, const run *r) {
  static const double odd[] = {0, -1, NAN, INFINITY, 1e300};
  const unsigned k = bytes_one(&m->in);
  return k > 250 ? odd[k % 5] : r->tick * (1 + k % 40) / 8.0;
}

/* A field of the simulation, a tracer, or none. */
static const char *some_field(machine *m, const run *r) {
  ria_field_entry e;
  const unsigned k = bytes_one(&m->in);
  if (k > 248) return WORD(m, "nothing", "", "level_M2_phase");
  for (unsigned i = k % 32 + 1; i > 0; i--)
    if (ria_sim_field_list(r->sim, i - 1, &e)) return e.name;
  return "depth";
}

/* --- boundaries, layers ----------------------------------------------------------------------- */

static void some_boundary(machine *m, run *r, ria_boundary_desc *d, ria_boundary_point *point) {
  static const char *const names[] = {"a", "b", "west", "mouth"};
  const ria_boundary_kind *kinds = r->solver->boundaries;
  size_t n = 0;
  while (kinds[n].name) n++;
  const ria_boundary_kind *kind = &kinds[bytes_one(&m->in) % n];
  const unsigned how = bytes_one(&m->in);
  *d = (ria_boundary_desc){.name = how & 1 ? names[how >> 1 & 3] : NULL,
                           .kind = how > 250 ? WORD(m, "sea", "", "open") : kind->name,
                           .side = (ria_side)(how >> 3 & 3),
                           .stretch = (how & 0x60) == 0x60};
  for (int k = 0; k < RIA_BOUNDARY_VALUES && kind->values[k].name; k++)
    if (kind->values[k].required || how & 0x80)
      d->values[k] = (ria_boundary_value){kind->values[k].name, some_value(m, -2, 5)};
  if (bytes_rare(&m->in, 30)) d->values[0].name = WORD(m, "level", "q", "x");
  if (d->stretch) {
    const double from = place(m, &r->grid), to = place(m, &r->grid);
    const bool along_y = d->side == RIA_WEST || d->side == RIA_EAST;
    const double at = d->side == RIA_EAST    ? r->grid.x0 + r->grid.nx * r->grid.dx
                      : d->side == RIA_NORTH ? r->grid.y0 + r->grid.ny * r->grid.dy
                      : along_y              ? r->grid.x0
                                             : r->grid.y0;
    d->from[along_y] = from;
    d->to[along_y] = to;
    d->from[!along_y] = d->to[!along_y] = at;
  }
  if (bytes_rare(&m->in, 6)) d->line = m->shapes[bytes_below(&m->in, SHAPES)];
  if (d->line) d->reach = bytes_within(&m->in, 0, 50);
  if (kind->carries && bytes_rare(&m->in, 3))
    for (int k = 0; k < 2; k++) d->tracers[k] = some_value(m, 0, 2);
  d->n_points = bytes_rare(&m->in, 4) ? 1 + bytes_below(&m->in, 3) : 0;
  for (size_t k = 0; k < d->n_points; k++)
    point[k] = (ria_boundary_point){.name = kind->values[0].name ? kind->values[0].name : "level",
                                    .by_share = true,
                                    .share = bytes_within(&m->in, 0, 1),
                                    .value = some_value(m, -2, 5)};
  if (d->n_points) {
    d->points = point;
    if (!bytes_rare(&m->in, 8)) d->values[0].name = NULL;
  }
}

static void boundary(machine *m, run *r) {
  ria_boundary_desc d;
  ria_boundary_point point[3];
  ria_boundary_entry e;
  ria_boundary_id id = 0, known = r->boundary[bytes_below(&m->in, HANDLES)];
  double in, out;
  switch (bytes_below(&m->in, 6)) {
  case 0:
  case 1:
    some_boundary(m, r, &d, point);
    if (TRY_ANY(ria_boundary_add(r->sim, &d, &id))) r->boundary[r->boundaries++ % HANDLES] = id;
    break;
  case 2:
    some_boundary(m, r, &d, point);
    if (bytes_rare(&m->in, 2)) d.stretch = false, d.line = NULL;
    if (bytes_rare(&m->in, 3)) d.kind = NULL;
    d.tracers_given = bytes_below(&m->in, 4);
    TRY_ANY(ria_boundary_change(r->sim, known, &d));
    break;
  case 3:
    TRY_ANY(ria_boundary_find(r->sim, WORD(m, "a", "west", "mouth"), &id));
    break;
  case 4:
    TRY_ANY(ria_boundary_flux(r->sim, known, WORD(m, "water", "oil", "heat"), &in, &out));
    break;
  default:
    for (size_t k = 0; ria_boundary_list(r->sim, k, &e); k++) FUZZ_DEMAND(e.kind && e.edges > 0);
  }
}

static void relax(machine *m, run *r) {
  char path[80];
  ria_relax_desc d = {.width = bytes_within(&m->in, 0, 60),
                      .time = bytes_within(&m->in, 0, 50),
                      .given = bytes_below(&m->in, 8),
                      .tracers_given = bytes_below(&m->in, 3)};
  for (int k = 0; k < 4; k++) d.side[k] = bytes_rare(&m->in, 2);
  for (int k = 0; k < RIA_RELAX_FLOW; k++) d.flow[k] = some_value(m, -1, 1);
  snprintf(path, sizeof path, "%s/out%u", m->dir, bytes_below(&m->in, 2));
  if (bytes_rare(&m->in, 4)) d.nest.path = path;
  TRY_ANY(ria_relax_add(r->sim, &d));
}

/* --- events ----------------------------------------------------------------------------------- */

static void call(machine *m); /* api.c: any call */

static ria_status happen(ria_sim *sim, const ria_event_info *info, void *user) {
  machine *m = &all.m;
  (void)user;
  FUZZ_DEMAND(info->t == info->t);
  if (all.depth > 2) return RIA_OK;
  all.depth++;
  FUZZ_DEMAND(ria_sim_step(sim, 1) == RIA_ERR_ARGUMENT);
  FUZZ_DEMAND(ria_sim_run(sim, 1e9) == RIA_ERR_ARGUMENT);
  for (unsigned k = bytes_below(&m->in, 3); k > 0; k--) call(m);
  all.depth--;
  return bytes_rare(&m->in, 40) ? ria_fail(m->ctx, RIA_ERR_CALLBACK, "no more") : RIA_OK;
}

static ria_status test(ria_sim *sim, const ria_event_info *info, void *user, bool *yes) {
  (void)info;
  (void)user;
  *yes = ria_sim_steps(sim) % 3 == 0;
  return RIA_OK;
}

static void drop(void *user) {
  all.actions--;
  free(user);
}

static bool some_action(machine *m, run *r, ria_action *a) {
  const unsigned how = bytes_one(&m->in);
  const char *field = some_field(m, r);
  if (how % 4 == 1) {
    const ria_frame_desc d = {.field = field,
                              .name = how & 16 ? WORD(m, "one", "../x", "") : NULL,
                              .map = how & 32 ? WORD(m, "deep", "topo", "none") : NULL,
                              .scale = how & 64 ? RIA_SCALE_LOG : RIA_SCALE_LINEAR,
                              .min = bytes_within(&m->in, 0, 1),
                              .max = bytes_within(&m->in, 0, 9),
                              .auto_range = how & 128,
                              .width = 80 + (int)bytes_one(&m->in),
                              .height = how & 4 ? (int)bytes_one(&m->in) : 0,
                              .no_decor = how & 8,
                              .arrows = bytes_rare(&m->in, 2),
                              .graticule = bytes_rare(&m->in, 4)};
    return TRY_ANY(ria_frame_action(r->sim, &d, a));
  }
  if (how % 4 == 2) {
    const char *const fields[] = {field, some_field(m, r)};
    const ria_save_desc d = {.fields = fields,
                             .n_fields = how >> 2 & 3 ? how >> 2 & 1 ? 2 : 1 : 0,
                             .name = how & 16 ? WORD(m, "more", "a/b", "fields") : NULL,
                             .precision = how & 32 ? bytes_number(&m->in) : 0,
                             .level = how & 64 ? (int)bytes_one(&m->in) - 2 : 0,
                             .tile = how & 128 ? (int)bytes_one(&m->in) - 1 : 0};
    return TRY_ANY(ria_save_action(r->sim, &d, a));
  }
  *a = (ria_action){
      .fn = happen, .user = malloc(1), .drop = drop, .phase = (ria_phase)(how >> 2 & 1)};
  if (!a->user) abort();
  all.actions++;
  return true;
}

static void schedule(machine *m, run *r) {
  ria_action a;
  ria_handle h = 0;
  bool taken;
  if (!some_action(m, r, &a)) return;
  switch (bytes_below(&m->in, 3)) {
  case 0:
    taken = TRY_ANY(ria_sim_at(r->sim, some_time(m, r), &a, &h));
    break;
  case 1: {
    const double period = some_period(m, r), from = bytes_rare(&m->in, 2) ? -1 : some_time(m, r);
    taken = TRY_ANY(
        ria_sim_every(r->sim, period, from, bytes_rare(&m->in, 3) ? some_time(m, r) : 0, &a, &h));
    break;
  }
  default:
    taken = TRY_ANY(ria_sim_when(r->sim, test, some_period(m, r), bytes_rare(&m->in, 2), &a, &h));
  }
  FUZZ_DEMAND(taken == (h != 0));
  if (taken)
    r->handle[r->handles++ % HANDLES] = h;
  else if (a.drop)
    a.drop(a.user);
}

static void spill(machine *m, run *r) {
  const unsigned how = bytes_one(&m->in);
  ria_spill_desc d = {.tracer = how & 1 ? NULL : WORD(m, "oil", "dye", "water", "sand"),
                      .x = place(m, &r->grid),
                      .y = place(m, &r->grid),
                      .radius = how & 2 ? bytes_within(&m->in, 0, 40) : 0,
                      .start = some_time(m, r),
                      .duration = how & 4 ? r->tick * bytes_within(&m->in, 0, 4) : 0};
  const double amount = bytes_within(&m->in, 0, 9);
  if (how >> 5 == 0) d.mass = amount;
  if (how >> 5 == 1) d.amount = amount;
  if (how >> 5 == 2) d.rate = some_value(m, 0, 3), d.has_rate = true;
  if (how >> 5 == 3) d.volume = amount, d.density = how & 8 ? 900 : 0;
  if (how >> 5 >= 4) d.flow = some_value(m, -1, 3), d.has_flow = true;
  if (how >> 5 == 5) d.conc = some_value(m, 0, 3);
  if (how & 16) d.shapes = m->shapes[bytes_below(&m->in, SHAPES)];
  if (d.shapes) d.x = d.y = d.radius = 0;
  ria_handle h;
  ria_ground ground;
  char text[256];
  TRY_ANY(ria_sim_spill_ground(r->sim, &d, &ground, text, sizeof text));
  if (TRY_ANY(ria_sim_spill(r->sim, &d, &h))) r->handle[r->handles++ % HANDLES] = h;
}

static void gauge(machine *m, run *r) {
  static const char *const names[] = {"pier", "post", "a,b", "M2"};
  const char *const fields[] = {some_field(m, r)}, *const waves[] = {"M2", "K1", "S2"};
  const unsigned how = bytes_one(&m->in);
  const double every = some_period(m, r);
  const ria_gauge_desc g = {.name = names[how & 3],
                            .x = place(m, &r->grid),
                            .y = place(m, &r->grid),
                            .every = every,
                            .fields = how & 4 ? fields : NULL,
                            .n_fields = how & 4 ? 1 : 0,
                            .exact = how & 8};
  const ria_section_desc s = {names[how & 3], m->shapes[how >> 2 & 1], every, how & 8};
  const ria_fit_desc f = {.field = how & 4 ? fields[0] : NULL,
                          .names = waves,
                          .n_names = how >> 2 & 3,
                          .every = every,
                          .nodal = (ria_nodal)(how >> 3 & 3)};
  ria_handle h;
  bool taken;
  if (how >> 6 < 2)
    taken = TRY_ANY(ria_sim_gauge(r->sim, &g, &h));
  else if (how >> 6 == 2)
    taken = TRY_ANY(ria_sim_section(r->sim, &s, &h));
  else
    taken = TRY_ANY(ria_sim_fit(r->sim, &f, &h));
  if (taken) r->handle[r->handles++ % HANDLES] = h;
}

static void handle(machine *m, run *r) {
  const ria_handle h = r->handle[bytes_below(&m->in, HANDLES)];
  const double *t, *v;
  double amount;
  size_t n;
  if (bytes_rare(&m->in, 2)) TRY_ANY(ria_sim_cancel(r->sim, h));
  TRY_ANY(ria_sim_spill_released(r->sim, h, &amount));
  if (TRY_ANY(ria_sim_gauge_history(r->sim, WORD(m, "pier", "post", "M2"),
                                    WORD(m, "level", "discharge", "oil", "u"), &t, &v, &n)))
    for (size_t k = 1; k < n; k++) FUZZ_DEMAND(t[k] >= t[k - 1]);
}

#endif
