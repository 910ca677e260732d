/* Simulations by calls that the input chooses, in any order, of every solver, with arguments that
 * are right and wrong: a status with a message, never worse; and after it the next call. Callbacks
 * make such calls too, where those that run must be refused. */
#include "api.h"

/* --- making one ------------------------------------------------------------------------------- */

static ria_setting some_setting(machine *m, const ria_solver *s) {
  size_t n = 0;
  while (s->params[n].name) n++;
  const ria_param_info *p = &s->params[bytes_one(&m->in) % n];
  ria_setting set = {p->name, p->def, NULL};
  const unsigned how = bytes_one(&m->in);
  if (how > 250) set.name = WORD(m, "maning", "", "order");
  if (p->type == RIA_CHOICE)
    set.text = how & 1 ? p->choices[0] : p->choices[1] ? p->choices[1] : "none";
  else if (how > 240)
    set.text = WORD(m, "2", "0.5", "10 m", "no", "1 s", "-3 furlong");
  else if (how > 160)
    set.number = bytes_number(&m->in);
  else if (how > 120)
    set.number = p->max < 1e9 ? p->max : 1;
  else if (how > 80)
    set.number = p->min;
  else
    set.number = p->def + (p->def != 0 ? p->def : 0.1) * (how - 40.0) / 40.0;
  return set;
}

static ria_status limit(ria_sim *sim, const ria_progress_info *info, void *user) {
  const run *r = user;
  (void)sim;
  return info->steps > r->most ? ria_fail(all.m.ctx, RIA_INTERRUPTED, "long enough") : RIA_OK;
}

static void destroy(machine *m, run *r) {
  (void)m;
  ria_sim_destroy(&r->sim);
  *r = (run){0};
}

static void create(machine *m, run *r) {
  static const double ticks[] = {0.5, 5, 60, 3e9};
  const unsigned how = bytes_one(&m->in), more = bytes_one(&m->in);
  ria_setting set[4];
  ria_tracer tracers[3];
  char out[80];
  destroy(m, r);
  r->solver = ria_solver_at((how & 7) % ria_solver_count());
  r->tick = ticks[strcmp(r->solver->name, "sediment") == 0 ? 3 : how >> 3 & 3];
  snprintf(out, sizeof out, "%s/out%d", m->dir, more & 1);
  ria_sim_desc d = {.solver = r->solver->name,
                    .grid = some_grid(m),
                    .precision = how & 32 ? RIA_F32 : RIA_F64,
                    .params = set,
                    .tracers = tracers,
                    .out = how & 64 ? out : NULL,
                    .overwrite = more & 2,
                    .outside = more & 4 ? RIA_OUTSIDE_WALL : RIA_OUTSIDE_ERROR,
                    .units_row = more & 8,
                    .start = more & 16 ? WORD(m, "2026-07-14", "2026-13-01", "0001-01-01") : NULL,
                    .crs = more & 32 ? WORD(m, "EPSG:25829", "EPSG:4326", "EPSG:1") : NULL,
                    .clock = (ria_clock)(more >> 6)};
  if (more & 16 && more & 64) d.zone = WORD(m, "+02:00", "Z", "CEST");
  d.n_params = bytes_below(&m->in, 5);
  for (size_t k = 0; k < d.n_params; k++) set[k] = some_setting(m, r->solver);
  d.n_tracers = how & 128 ? bytes_below(&m->in, 4) : 0;
  for (size_t k = 0; k < d.n_tracers; k++)
    tracers[k] = (ria_tracer){WORD(m, "oil", "dye", "level", "a b"),
                              WORD(m, "kg/m3", "mg/l", "cfu/100 ml", "K", "furlong"),
                              bytes_within(&m->in, 0, 1) / r->tick, bytes_within(&m->in, 0, 1)};
  if (!TRY_ANY(ria_sim_create(m->ctx, &d, &r->sim))) {
    FUZZ_DEMAND(!r->sim);
    return;
  }
  r->grid = *ria_sim_grid(r->sim);
  r->most = MOST_STEPS;
  FUZZ_DEMAND(ria_sim_on_progress(r->sim, 0, limit, r) == RIA_OK);
}

/* What most need before they run. */
static void furnish(machine *m, run *r) {
  const char *const ground[] = {"bed", "height", "u"}, *const state[] = {"level", "sand", "source"};
  const double low = bytes_within(&m->in, -10, 0), high = bytes_within(&m->in, 0, 1);
  for (int k = 0; k < 3; k++) TRY_ANY(ria_sim_set_constant(r->sim, ground[k], low));
  for (int k = 0; k < 3; k++) TRY_ANY(ria_sim_set_constant(r->sim, state[k], high));
}

/* --- fields ----------------------------------------------------------------------------------- */

static size_t cells(const run *r) { return (size_t)r->grid.nx * (size_t)r->grid.ny; }

static void set(machine *m, run *r) {
  const char *field = some_field(m, r);
  if (bytes_rare(&m->in, 2))
    TRY_ANY(ria_sim_set_constant(r->sim, field, bytes_within(&m->in, -8, 4)));
  else
    TRY_ANY(ria_sim_set(r->sim, field, bytes_rare(&m->in, 30) ? NULL : some_numbers(m, cells(r))));
}

static void get(machine *m, run *r) {
  static double v[CELLS];
  const char *field = some_field(m, r);
  ria_stats stats;
  char text[64], map[RIA_MAP_NAME];
  const char *unit;
  switch (bytes_below(&m->in, 9)) {
  case 0:
    TRY_ANY(ria_sim_get(r->sim, field, v));
    break;
  case 1:
    TRY_ANY(ria_sim_get_maximum(r->sim, field, v));
    break;
  case 2:
    TRY_ANY(ria_sim_track_maximum(r->sim, field));
    break;
  case 3:
    TRY_ANY(ria_sim_probe(r->sim, field, place(m, &r->grid), place(m, &r->grid), v));
    break;
  case 4:
    if (TRY_ANY(ria_sim_stats(r->sim, field, &stats))) FUZZ_DEMAND(stats.n <= (int64_t)cells(r));
    break;
  case 5:
    (void)ria_sim_fit_list(r->sim, bytes_below(&m->in, 6), map, &unit);
    TRY_ANY(ria_sim_get_fit(r->sim, WORD(m, "level_Z0", "level_M2_phase", "u_K1_amplitude"), v));
    break;
  case 6:
    v[0] = place(m, &r->grid);
    v[1] = place(m, &r->grid);
    if (bytes_rare(&m->in, 2))
      TRY_ANY(ria_sim_from_lon_lat(r->sim, 1, v, v + 1));
    else
      TRY_ANY(ria_sim_to_lon_lat(r->sim, 1, v, v + 1));
    break;
  case 7:
    TRY_ANY(ria_sim_parse_time(r->sim, WORD(m, "1 h", "2026-07-15", "x", "1:30:00"), v));
    break;
  default:
    (void)ria_sim_date(r->sim, some_time(m, r), text, sizeof text);
  }
}

/* Water is never less than none, where the run goes on. */
static void look(machine *m, run *r) {
  static double v[CELLS];
  static const char *const all_fields[] = {"depth"};
  if (!r->solver->roles.depth || r->failed || ria_sim_steps(r->sim) == 0) return;
  if (strcmp(r->solver->name, "sediment") == 0) return;
  if (!TRY_ANY(ria_sim_get(r->sim, all_fields[0], v))) return;
  for (size_t k = 0; k < cells(r); k++) FUZZ_DEMAND(!(v[k] < 0));
}

/* --- running ---------------------------------------------------------------------------------- */

static void go(machine *m, run *r) {
  ria_status s = RIA_OK;
  bool over = false;
  double next = 0.0;
  r->most = ria_sim_steps(r->sim) + MOST_STEPS;
  const double to = some_time(m, r);
  switch (bytes_below(&m->in, 8)) {
  case 0:
    s = ria_sim_start(r->sim);
    break;
  case 1:
  case 2:
    s = ria_sim_step(r->sim, (int)bytes_below(&m->in, 12) - 1);
    break;
  case 3:
    s = ria_sim_run(r->sim, to);
    break;
  case 4:
    s = ria_sim_advance(r->sim, to - ria_sim_time(r->sim));
    break;
  case 5:
    s = bytes_rare(&m->in, 3) ? ria_sim_queue_before(r->sim, to, some_time(m, r))
                              : ria_sim_queue(r->sim, to);
    break;
  case 6:
    s = bytes_rare(&m->in, 4) ? ria_sim_due(r->sim, to, &next) : ria_sim_wait(r->sim, &over);
    (void)ria_sim_met(r->sim, next);
    break;
  default:
    s = bytes_rare(&m->in, 2) ? ria_sim_finish(r->sim) : ria_sim_break_off(r->sim, "why");
  }
  fuzz_status(m->ctx, s, ANY_STATUS);
  if (s == RIA_ERR_NUMERICAL) r->failed = true;
  look(m, r);
}

static void stop(machine *m, run *r) {
  if (bytes_rare(&m->in, 2))
    ria_sim_stop(r->sim);
  else
    ria_sim_interrupt(r->sim);
}

static void keep(machine *m, run *r) {
  char path[80];
  snprintf(path, sizeof path, "%s/%s", m->dir, bytes_rare(&m->in, 8) ? "no/such" : "checkpoint");
  switch (bytes_below(&m->in, 3)) {
  case 0:
    TRY_ANY(ria_sim_record(r->sim));
    break;
  case 1:
    TRY_ANY(ria_sim_checkpoint(r->sim, path));
    break;
  default:
    TRY_ANY(ria_sim_restore(r->sim, path));
  }
}

static void vary(machine *m, run *r) {
  const ria_setting s = some_setting(m, r->solver);
  const ria_value v = some_value(m, 0, 30);
  double now;
  TRY_ANY(ria_sim_param(r->sim, s.name, &now));
  TRY_ANY(ria_sim_vary(r->sim, s.name, &v));
}

static void tell(machine *m, run *r) {
  ria_budget_row row[16];
  ria_summary sum;
  size_t n = bytes_rare(&m->in, 4) ? 0 : 16;
  char text[32];
  if (TRY_ANY(ria_sim_budget(r->sim, row, &n))) FUZZ_DEMAND(n <= 16);
  TRY_ANY(ria_sim_summary(r->sim, &sum));
  TRY_ANY(ria_sim_report(r->sim));
  (void)ria_sim_unreached(r->sim, some_time(m, r), text, sizeof text);
  (void)ria_sim_unreached(r->sim, 0, NULL, 0);
  TRY_ANY(ria_sim_set_provenance(r->sim, WORD(m, "{\"a\":1}", "{", "[1]")));
  TRY_ANY(ria_sim_budget_every(r->sim, some_period(m, r)));
}

/* --- the machine ------------------------------------------------------------------------------ */

static void call(machine *m) {
  static void (*const calls[])(machine *, run *) = {
      set,    set, get, boundary, boundary, relax, schedule, schedule, spill, gauge,
      handle, go,  go,  go,       go,       stop,  keep,     vary,     tell,  furnish};
  const unsigned which = bytes_one(&m->in);
  run *r = &all.run[which & 1];
  if (all.calls++ > MOST_CALLS) return;
  if (which > 250 || (!r->sim && which > 100)) {
    if (!all.depth) create(m, r);
    if (r->sim && bytes_rare(&m->in, 2)) furnish(m, r);
  } else if (which > 244) {
    if (!all.depth) destroy(m, r);
  } else if (which > 235) {
    some_series(m);
  } else if (which > 226) {
    some_shapes(m);
  } else if (r->sim) {
    calls[(which >> 1) % (sizeof calls / sizeof *calls)](m, r);
  } else {
    TRY_ANY(ria_solver_find(m->ctx, WORD(m, "adi", "adl", ""), &r->solver));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  memset(&all, 0, sizeof all);
  machine *m = &all.m;
  machine_begin(m, data, n);
  create(m, &all.run[0]);
  if (all.run[0].sim) furnish(m, &all.run[0]);
  while (!bytes_over(&m->in)) call(m);
  for (int k = 0; k < SIMS; k++) destroy(m, &all.run[k]);
  FUZZ_DEMAND(all.actions == 0);
  machine_end(m);
  return 0;
}
