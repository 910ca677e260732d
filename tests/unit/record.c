/* tests/unit/record.c - whole fields in the record of a run: packed, to the same bits; as they are,
 * as older checkpoints have them; and what is neither is refused. A question other than the one
 * that was asked has no answer, and forcing or a change that differs in one number is refused. What
 * a run tells of itself is kept when it changes, and not again. */
#include "toy.h"
#include "core/record.h"
#include <ria/checkpoint.h>

enum { N = 24, ASKED = 5 };

static ria_context *ctx;

/* Fields of many kinds: alike, of single precision, of any bits. */
static const double *field(int kind) {
  static double v[N];
  uint64_t seed = 88172645463325252u;
  for (int k = 0; k < N; k++) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    if (kind == 0) v[k] = k % 5 ? -2.0 : NAN;
    if (kind == 1) v[k] = (float)(0.3 * cos(0.2 * k));
    if (kind == 2) memcpy(&v[k], &seed, sizeof seed);
  }
  return v;
}

static ria_sim *begun(void) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, NULL);
  CHECK_OK(ctx, ria_sim_record(sim));
  CHECK_OK(ctx, ria_sim_start(sim));
  return sim;
}

/* The record from `at` on answers now. */
static void replay(ria_sim *sim, size_t at) {
  sim->record.replays = true;
  sim->record.at = at;
}

static void same_bits(void) {
  ria_sim *sim = begun();
  ria_record *r = &sim->record;
  double got[N];
  bool known;
  size_t from = r->n, bytes[3];
  const size_t begin = from;
  for (int kind = 0; kind < 3; kind++) {
    CHECK_OK(ctx, ria_record_answer_field(sim, ASKED, got, N, &known));
    CHECK(!known);
    CHECK_OK(ctx, ria_record_keep_field(sim, ASKED, field(kind), N));
    bytes[kind] = r->n - from;
    from = r->n;
  }
  CHECK_OK(ctx, ria_record_keep(sim, RIA_RECORD_FIELD, ASKED, field(1), sizeof got)); /* raw */
  CHECK(bytes[0] < sizeof got / 2 && bytes[1] < sizeof got);
  CHECK_INT(bytes[2], r->n - from); /* packing it gains nothing */
  replay(sim, begin);
  for (int k = 0; k < 4; k++) {
    CHECK_OK(ctx, ria_record_answer_field(sim, ASKED, got, N, &known));
    CHECK(known && memcmp(got, field(k < 3 ? k : 1), sizeof got) == 0);
  }
  CHECK(r->at == r->n);
  ria_sim_destroy(&sim);
}

/* Each byte of one that is packed changed, in its entry's head and behind it. */
static void damaged(void) {
  ria_sim *sim = begun();
  ria_record *r = &sim->record;
  double got[N], more[2 * N];
  bool known;
  int refused = 0;
  CHECK_OK(ctx, ria_record_stand(sim, false));
  const size_t begin = r->n;
  CHECK_OK(ctx, ria_record_keep_field(sim, ASKED, field(0), N));
  const size_t end = r->n;
  for (size_t k = begin; k < end; k++) {
    r->v[k] ^= 1;
    replay(sim, begin);
    const ria_status s = ria_record_answer_field(sim, ASKED, got, N, &known);
    if (s != RIA_OK) refused++;
    if (s != RIA_OK) CHECK_STATUS(ctx, s, RIA_ERR_ARGUMENT);
    if (s != RIA_OK) CHECK_HOLDS(ria_error(ctx), "the run cannot be continued: at 0 s ");
    r->v[k] ^= 1;
  }
  CHECK(refused > (int)(end - begin) / 2); /* but for its mark, and what fills it up to words */
  replay(sim, begin);
  CHECK_STATUS(ctx, ria_record_answer_field(sim, ASKED + 1, got, N, &known), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_record_answer_field(sim, ASKED, got, N - 1, &known), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_record_answer_field(sim, ASKED, got, 1, &known), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_record_answer_field(sim, ASKED, more, 2 * N, &known), RIA_ERR_ARGUMENT);
  CHECK_OK(ctx, ria_record_answer_field(sim, ASKED, got, N, &known));
  CHECK_STATUS(ctx, ria_record_answer_field(sim, ASKED, got, N, &known), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
}

/* Another kind of question, another one of that kind, an answer of another size, no more answers.
 */
static void asked_otherwise(void) {
  ria_sim *sim = begun();
  double got[2], v[2] = {3, 4};
  bool known;
  const size_t begin = sim->record.n;
  CHECK_OK(ctx, ria_record_keep(sim, RIA_RECORD_TOTALS, 1, v, sizeof v));
  const struct {
    ria_record_kind kind;
    uint64_t asked;
    size_t bytes;
  } other[] = {{RIA_RECORD_FLUXES, 1, sizeof v},
               {RIA_RECORD_TOTALS, 2, sizeof v},
               {RIA_RECORD_TOTALS, 1, 8}};
  for (int k = 0; k < 3; k++) {
    replay(sim, begin);
    CHECK_STATUS(ctx,
                 ria_record_answer(sim, other[k].kind, other[k].asked, got, other[k].bytes, &known),
                 RIA_ERR_ARGUMENT);
    CHECK_HOLDS(ria_error(ctx), "the run cannot be continued: at 0 s ");
  }
  replay(sim, begin);
  CHECK_OK(ctx, ria_record_answer(sim, RIA_RECORD_TOTALS, 1, got, sizeof got, &known));
  CHECK(known && memcmp(got, v, sizeof v) == 0);
  CHECK_STATUS(ctx, ria_record_answer(sim, RIA_RECORD_TOTALS, 1, got, sizeof got, &known),
               RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
}

/* All that a solver may be told of forcing. */
typedef struct told {
  ria_forcing entry;
  double data[2];
  ria_stretch stretch;
  int32_t owner[RIA_SIDES][6];
  ria_side_point point;
  ria_source source;
  int32_t source_cell[2], cell[5];
  double weight[2], rate[5], at[2][5];
  ria_relax layer;
} told;

static void tell(ria_sim *sim, const told *what, ria_status expected) {
  told t = *what;
  t.source.cell = t.source_cell, t.source.weight = t.weight;
  t.layer.cell = t.cell, t.layer.rate = t.rate;
  t.layer.flow[1].at[0] = t.at[0], t.layer.flow[1].at[1] = t.at[1];
  const ria_forcing_set set = {
      .table = {&t.entry, t.data, 1, 2},
      .boundary = {1, &t.stretch, {t.owner[0], t.owner[1], t.owner[2], t.owner[3]}, &t.point, 1},
      .n_sources = 1,
      .sources = &t.source,
      .n_relax = 1,
      .relax = &t.layer};
  CHECK_STATUS(ctx, ria_tell_force(sim, &set), expected);
}

static void forced_otherwise(void) {
  ria_sim *sim = begun();
  told t = {.source = {.n = 2}, .layer = {.n = 5}};
  double *const numbers[] = {
      &t.entry.base,    &t.entry.scale, &t.entry.ramp,  &t.data[1],  &t.point.at, &t.source.t_start,
      &t.source.t_stop, &t.weight[1],   &t.rate[4],     &t.at[0][4], &t.at[1][4], &t.layer.t0,
      &t.layer.t1,      &t.layer.level, &t.layer.depth, &t.layer.u,  &t.layer.v};
  int32_t *const whole[] = {&t.entry.kind,
                            &t.entry.first,
                            &t.entry.count,
                            &t.stretch.kind,
                            &t.stretch.tracer[RIA_MAX_TRACERS - 1],
                            &t.owner[RIA_WEST][3],
                            &t.owner[RIA_NORTH][5],
                            &t.point.stretch,
                            &t.point.value,
                            &t.point.id,
                            &t.source.quantity,
                            &t.source.rate,
                            &t.source_cell[1],
                            &t.cell[4],
                            &t.layer.flow[0].id,
                            &t.layer.tracer[RIA_MAX_TRACERS - 1].id};
  const size_t begin = sim->record.n;
  tell(sim, &t, RIA_OK);
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    replay(sim, begin);
    *numbers[k] += 1;
    tell(sim, &t, RIA_ERR_ARGUMENT);
    *numbers[k] -= 1;
  }
  for (size_t k = 0; k < sizeof whole / sizeof *whole; k++) {
    replay(sim, begin);
    ++*whole[k];
    tell(sim, &t, RIA_ERR_ARGUMENT);
    --*whole[k];
  }
  replay(sim, begin);
  tell(sim, &t, RIA_OK);
  ria_sim_destroy(&sim);
}

static ria_status gathers(void *self, int field, int tracer, int first, int n, const double *w) {
  return (void)self, (void)field, (void)tracer, (void)first, (void)n, (void)w, RIA_OK;
}

/* All that a solver may be told of fields, amounts and sums. */
typedef struct changes {
  double value[N];
  int32_t field, quantity, cell[2], to, first;
  double amount[2], weight[2];
} changes;

static void change(ria_sim *sim, const changes *c, const ria_status expected[3]) {
  CHECK_STATUS(ctx, ria_tell_write(sim, c->field, -1, c->value), expected[0]);
  CHECK_STATUS(ctx, ria_tell_add(sim, c->quantity, 2, c->cell, c->amount), expected[1]);
  CHECK_STATUS(ctx, ria_tell_gather(sim, c->to, -1, c->first, 2, c->weight), expected[2]);
}

/* Each to the last of its numbers: the record stays where it was at the first that differs. */
static void changed_otherwise(void) {
  ria_sim *sim = begun();
  ria_solver_ops ops = *sim->ops;
  ops.gather = gathers, sim->ops = &ops;
  changes c = {.field = TOY_DEPTH, .to = TOY_DEPTH};
  double *const numbers[] = {&c.value[0],  &c.value[N - 1], &c.amount[0],
                             &c.amount[1], &c.weight[0],    &c.weight[1]};
  int32_t *const whole[] = {&c.field, &c.quantity, &c.cell[0], &c.cell[1], &c.to, &c.first};
  const int told_by[2][6] = {{0, 0, 1, 1, 2, 2}, {0, 1, 1, 1, 2, 2}};
  const size_t begin = sim->record.n;
  change(sim, &c, (const ria_status[3]){RIA_OK, RIA_OK, RIA_OK});
  for (int k = 0; k < 12; k++) {
    ria_status expected[3];
    for (int n = 0; n < 3; n++) expected[n] = n < told_by[k / 6][k % 6] ? RIA_OK : RIA_ERR_ARGUMENT;
    replay(sim, begin);
    if (k < 6) *numbers[k] += 1;
    if (k >= 6) ++*whole[k - 6];
    change(sim, &c, expected);
    if (k < 6) *numbers[k] -= 1;
    if (k >= 6) --*whole[k - 6];
  }
  replay(sim, begin);
  change(sim, &c, (const ria_status[3]){RIA_OK, RIA_OK, RIA_OK});
  ria_sim_destroy(&sim);
}

/* By how much the record grows when a step is kept. */
static size_t grown_by_step(ria_sim *sim) {
  const size_t n = sim->record.n;
  sim->at.steps++;
  CHECK_OK(ctx, ria_record_stand(sim, false));
  return sim->record.n - n;
}

static void told_once(void) {
  ria_sim *sim = begun();
  sim->at.dt_min = 0.5;
  snprintf(sim->at.dt_min_cause, sizeof sim->at.dt_min_cause, "waves");
  const size_t first = grown_by_step(sim), again = grown_by_step(sim);
  CHECK(again > 0 && again < first);
  CHECK_INT(grown_by_step(sim), again);
  sim->at.dt_min_cause[0] = 'W';
  CHECK_INT(grown_by_step(sim), first);
  snprintf(sim->at.warning, sizeof sim->at.warning, "it is late");
  CHECK(grown_by_step(sim) > first);
  CHECK_INT(grown_by_step(sim), again);
  ria_sim_destroy(&sim);
}

/* Where a run goes on to another state, what follows in the record must be one. */
static void other_than_a_state(void) {
  const double v[2] = {1, 0.5};
  bool done;
  for (int k = 0; k < 3; k++) {
    ria_sim *sim = begun();
    const size_t begin = sim->record.n;
    const ria_record_kind kind = k == 1 ? RIA_RECORD_TOTALS : RIA_RECORD_STATE;
    CHECK_OK(ctx, ria_record_keep(sim, kind, 1, v, k == 2 ? sizeof *v : sizeof v));
    replay(sim, begin);
    CHECK_STATUS(ctx, ria_record_advance(sim, &done), k ? RIA_ERR_ARGUMENT : RIA_OK);
    CHECK(done && sim->at.t == (k ? 0 : 1));
    ria_sim_destroy(&sim);
  }
}

int main(void) {
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu", .threads = 1}, &ctx));
  same_bits();
  damaged();
  asked_otherwise();
  forced_otherwise();
  changed_otherwise();
  told_once();
  other_than_a_state();
  ria_context_destroy(&ctx);
  return TEST_END();
}
