/* tests/unit/record.c - whole fields in the record of a run: packed, to the same bits; as they are,
 * as older checkpoints have them; and what is neither is refused. */
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

int main(void) {
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu", .threads = 1}, &ctx));
  same_bits();
  damaged();
  ria_context_destroy(&ctx);
  return TEST_END();
}
