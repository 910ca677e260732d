/* Checkpoints that no run goes on from: of a run that is repeated otherwise, with any byte changed,
 * cut off anywhere. */
#include "checkpoint.h"

static void otherwise(void) {
  const host plan = {.save = {"o.ckpt"}, .at = {700}};
  host whole = run(&plan, "o_whole", RIA_F64, NULL);
  host_end(&whole);
  host h = plan;
  h.seed = 7;
  h.draw = 1; /* what it spills is another amount */
  h.sim = new_sim("o1", RIA_F64);
  CHECK_OK(ctx, ria_sim_restore(h.sim, files_path("o.ckpt")));
  describe(&h);
  CHECK_STATUS(ctx, go(&h), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "the run cannot be continued: at ");
  host_end(&h);
  ria_sim *sim = new_sim("o2", RIA_F64);
  CHECK_OK(ctx, ria_sim_restore(sim, files_path("o.ckpt")));
  CHECK_FAILS(
      ctx, ria_sim_set_constant(sim, "bed", -4.0), RIA_ERR_ARGUMENT,
      "the run cannot be continued: at 0 s it differs from the run that wrote the checkpoint, "
      "in a field that is set: its script, parameters or files have changed: put them back, "
      "or start again (overwrite = true; ria run --overwrite)");
  ria_sim_destroy(&sim);
  sim = new_sim("o3", RIA_F32);
  CHECK_STATUS(ctx, ria_sim_restore(sim, files_path("o.ckpt")), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "is of a run with another precision");
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -4.0)); /* it is as it was */
  CHECK_STATUS(ctx, ria_sim_checkpoint(sim, files_path("x.ckpt")), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
  sim = new_sim("o4", RIA_F64);
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -4.0));
  CHECK_STATUS(ctx, ria_sim_restore(sim, files_path("o.ckpt")), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "is of a run that was set up otherwise");
  CHECK_OK(ctx, ria_sim_start(sim));
  CHECK_STATUS(ctx, ria_sim_restore(sim, files_path("o.ckpt")), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_record(sim), RIA_ERR_ARGUMENT);
  ria_sim_destroy(&sim);
}

static void damaged(void) {
  static unsigned char text[1 << 20];
  FILE *f = fopen(files_path("o.ckpt"), "rb");
  const size_t n = f ? fread(text, 1, sizeof text, f) : 0;
  if (f) fclose(f);
  if (!CHECK(n > 1000 && n < sizeof text)) return;
  ria_sim *sim = new_sim("d", RIA_F64);
  const size_t tries = test_is_short() ? 60 : 600;
  for (size_t k = 0; k < tries; k++) {
    const size_t at = k * (n - 1) / (tries - 1);
    text[at] ^= (unsigned char)(1 << k % 8);
    CHECK_STATUS(ctx, ria_sim_restore(sim, files_put_bytes("bad.ckpt", text, n)), RIA_ERR_INPUT);
    text[at] ^= (unsigned char)(1 << k % 8);
    CHECK_STATUS(ctx, ria_sim_restore(sim, files_put_bytes("bad.ckpt", text, at)), RIA_ERR_INPUT);
  }
  text[n] = 0;
  CHECK_STATUS(ctx, ria_sim_restore(sim, files_put_bytes("bad.ckpt", text, n + 1)), RIA_ERR_INPUT);
  CHECK_STATUS(ctx, ria_sim_restore(sim, files_path("none.ckpt")), RIA_ERR_INPUT);
  CHECK_OK(ctx, ria_sim_restore(sim, files_path("o.ckpt")));
  ria_sim_destroy(&sim);
}

int main(void) {
  if (test_is_traced()) return 0;
  files_begin();
  test_cut(NY);
  ctx = test_context(test_device(), 2);
  otherwise();
  damaged();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
