/* core/record_calls.c - the questions and changes of ria_solver_ops that go through the record. */
#include "base/context.h"
#include "base/grid.h"
#include "base/ranks.h"
#include "base/text.h"
#include "core/record.h"
#include "core/sim.h"

static uint64_t sum_of(uint64_t a, int64_t b, int64_t c, int64_t d) {
  const int64_t v[] = {b, c, d};
  return ria_record_sum(a, v, sizeof v);
}

ria_status ria_ask_sample(ria_sim *sim, int field, int tracer, int n, const int32_t *cell,
                          double *out) {
  const bool matters = sim->started && (sim->record.on || sim->record.replays);
  const size_t bytes = (size_t)n * sizeof *out;
  const uint64_t asked =
      matters ? ria_record_sum(sum_of(0, field, tracer, n), cell, (size_t)n * sizeof *cell) : 0;
  bool known;
  RIA_TRY(ria_record_answer(sim, RIA_RECORD_SAMPLE, asked, out, bytes, &known));
  if (known) return RIA_OK;
  RIA_TRY(sim->ops->sample(sim->self, field, tracer, n, cell, out));
  return ria_record_keep(sim, RIA_RECORD_SAMPLE, asked, out, bytes);
}

ria_status ria_ask_totals(ria_sim *sim, ria_quantity_totals *totals) {
  const size_t bytes = (size_t)sim->n_quantities * sizeof *totals;
  bool known;
  RIA_TRY(ria_record_answer(sim, RIA_RECORD_TOTALS, 0, totals, bytes, &known));
  if (known) return RIA_OK;
  RIA_TRY(sim->ops->totals(sim->self, totals));
  return ria_record_keep(sim, RIA_RECORD_TOTALS, 0, totals, bytes);
}

/* in and out lie behind each other where the engine asks for them (forcing.c); here they need not.
 */
ria_status ria_ask_fluxes(ria_sim *sim, int n, double *in, double *out) {
  const size_t bytes = (size_t)n * (size_t)sim->n_quantities * sizeof *in;
  bool known;
  RIA_TRY(ria_record_answer(sim, RIA_RECORD_FLUXES, 0, in, bytes, &known));
  RIA_TRY(ria_record_answer(sim, RIA_RECORD_FLUXES, 1, out, bytes, &known));
  if (known) return RIA_OK;
  RIA_TRY(sim->ops->fluxes(sim->self, n, in, out));
  RIA_TRY(ria_record_keep(sim, RIA_RECORD_FLUXES, 0, in, bytes));
  return ria_record_keep(sim, RIA_RECORD_FLUXES, 1, out, bytes);
}

static bool told_matters(const ria_sim *sim) { return sim->record.on || sim->record.replays; }

/* Ranks compare what is written. */
static void note_write(ria_sim *sim, int field, int tracer, const double *src) {
  char what[RIA_FIELD_NAME_MAX + 16] = "a field";
  if (!sim->ctx->ranks) return;
  for (size_t k = 0; k < sim->n_fields; k++)
    if (sim->fields[k].index == field && sim->fields[k].tracer == tracer)
      ria_format(what, sizeof what, "the field '%s'", sim->fields[k].name);
  ria_ranks_note(sim->ctx, what, src, ria_grid_cells(&sim->grid) * sizeof *src);
}

ria_status ria_tell_write(ria_sim *sim, int field, int tracer, const double *src) {
  bool done = false;
  if (told_matters(sim))
    RIA_TRY(ria_record_tell(
        sim, RIA_RECORD_WRITE,
        ria_record_sum(sum_of(0, field, tracer, 0), src, ria_grid_cells(&sim->grid) * sizeof *src),
        &done));
  if (done) return RIA_OK;
  note_write(sim, field, tracer, src);
  return sim->ops->write(sim->self, field, tracer, src);
}

ria_status ria_tell_add(ria_sim *sim, int quantity, int n, const int32_t *cell,
                        const double *amount) {
  uint64_t told = sum_of(0, quantity, n, 0);
  bool done = false;
  if (told_matters(sim)) {
    told = ria_record_sum(told, cell, (size_t)n * sizeof *cell);
    told = ria_record_sum(told, amount, (size_t)n * sizeof *amount);
    RIA_TRY(ria_record_tell(sim, RIA_RECORD_ADD, told, &done));
  }
  return done ? RIA_OK : sim->ops->add(sim->self, quantity, n, cell, amount);
}

ria_status ria_tell_gather(ria_sim *sim, int field, int tracer, int first, int n,
                           const double *weight) {
  const uint64_t told =
      ria_record_sum(sum_of((uint64_t)first, field, tracer, n), weight, (size_t)n * sizeof *weight);
  bool done = false;
  if (told_matters(sim)) RIA_TRY(ria_record_tell(sim, RIA_RECORD_GATHER, told, &done));
  return done ? RIA_OK : sim->ops->gather(sim->self, field, tracer, first, n, weight);
}

/* Member by member: the gaps between them are anything. */
static uint64_t sum_of_entry(uint64_t sum, const ria_forcing *f) {
  const double v[] = {f->base, f->scale, f->ramp};
  return ria_record_sum(sum_of(sum, f->kind, f->first, f->count), v, sizeof v);
}

static uint64_t sum_of_layer(uint64_t sum, const ria_relax *layer) {
  ria_relax r = *layer;
  const double of[] = {r.t0, r.t1, r.level, r.depth, r.u, r.v};
  const size_t n = (size_t)r.n * sizeof(double);
  sum = ria_record_sum(sum, of, sizeof of);
  sum = ria_record_sum(sum, r.cell, (size_t)r.n * sizeof *r.cell);
  sum = ria_record_sum(sum, r.rate, n);
  for (int q = 0; q < RIA_RELAXED; q++) {
    const ria_relaxed *t = ria_relaxed_of(&r, q);
    sum = ria_record_sum(sum, &t->id, sizeof t->id);
    for (int later = 0; later < 2 && t->at[later]; later++)
      sum = ria_record_sum(sum, t->at[later], n);
  }
  return sum;
}

static uint64_t sum_of_set(const ria_sim *sim, const ria_forcing_set *set) {
  const ria_boundary_set *b = &set->boundary;
  uint64_t sum = sum_of(0, set->table.n, b->n, set->n_sources);
  sum = ria_record_sum(sum, set->table.data, (size_t)set->table.n_data * sizeof(double));
  for (int k = 0; k < set->table.n; k++) sum = sum_of_entry(sum, &set->table.entry[k]);
  sum = ria_record_sum(sum, b->stretch, (size_t)b->n * sizeof *b->stretch);
  for (int s = 0; s < RIA_SIDES; s++)
    sum = ria_record_sum(sum, b->owner[s],
                         (size_t)ria_side_length(&sim->grid, (ria_side)s) * sizeof **b->owner);
  for (int k = 0; k < b->n_points; k++) {
    const ria_side_point *p = &b->point[k];
    sum = ria_record_sum(sum_of(sum, p->stretch, p->value, p->id), &p->at, sizeof p->at);
  }
  for (int k = 0; k < set->n_sources; k++) {
    const ria_source *s = &set->sources[k];
    const double t[] = {s->t_start, s->t_stop};
    sum = ria_record_sum(sum_of(sum, s->quantity, s->rate, s->n), t, sizeof t);
    sum = ria_record_sum(sum, s->cell, (size_t)s->n * sizeof *s->cell);
    sum = ria_record_sum(sum, s->weight, (size_t)s->n * sizeof *s->weight);
  }
  for (int k = 0; k < set->n_relax; k++) sum = sum_of_layer(sum, &set->relax[k]);
  return sum;
}

ria_status ria_tell_force(ria_sim *sim, const ria_forcing_set *set) {
  bool done = false;
  if (told_matters(sim))
    RIA_TRY(ria_record_tell(sim, RIA_RECORD_FORCE, sum_of_set(sim, set), &done));
  return done ? RIA_OK : sim->ops->force(sim->self, set);
}
