/* Runs that go on from a checkpoint: to the same bits in fields, maxima, budget, tables and frames
 * as one that was not ended, whatever its events did (conditions, spills under way, boundaries that
 * change, events that make others, numbers that only the host has); wherever the checkpoint was
 * taken; again and again; in parts. */
#include "checkpoint.h"
#include <sys/stat.h>

static void goes_on(ria_real real) {
  /* t = 150 has a change of the side, and 283 a spill that begins; the others nothing */
  const host plan = {.save = {"a.ckpt", "b.ckpt", "c.ckpt", "d.ckpt", "e.ckpt"},
                     .at = {0, 150, 283, 611.3, 960},
                     .after = 5,
                     .save_between = "between.ckpt"};
  host whole = run(&plan, "whole", real, NULL);
  if (!test_is_traced()) CHECK(whole.floods > 2 && whole.changes > 4);
  static const char *const from[] = {"a.ckpt",       "b.ckpt", "c.ckpt",
                                     "between.ckpt", "d.ckpt", "e.ckpt"};
  for (int k = 0; k < 6; k++) {
    struct stat there;
    char out[16], keep[400];
    if (test_is_short() && k % 2 == 1) continue;
    if (stat(files_path(from[k]), &there) != 0) {
      CHECK(test_is_traced());
      continue;
    }
    snprintf(out, sizeof out, "on%d", k);
    snprintf(keep, sizeof keep, "%s", from[k]);
    host again = run(&plan, out, real, keep);
    same_end(&whole, &again, keep);
    CHECK(same_file("whole", out, "gauges.csv") && same_file("whole", out, "gauges_31s.csv"));
    CHECK(same_file("whole", out, "budget.csv"));
    CHECK(same_frames("whole", out) > 0);
    host_end(&again);
  }
  host_end(&whole);
}

/* A run that went on takes checkpoints like any other, and goes on from these. */
static void again_and_again(void) {
  host plan = {.save = {"r0.ckpt", "r1.ckpt", "r2.ckpt", "r3.ckpt"}, .at = {90, 301, 620, 1001}};
  host whole = run(&plan, "r_whole", RIA_F64, NULL);
  static const char *const from[] = {"r0.ckpt", "r1.ckpt", "r2.ckpt", "r3.ckpt"};
  for (int k = 0; k < 4; k++) {
    /* checkpoints before this one are not taken again, those after it are, by the run before */
    char out[16];
    snprintf(out, sizeof out, "r%d", k);
    host again = run(&plan, out, RIA_F64, from[k]);
    same_end(&whole, &again, from[k]);
    host_end(&again);
  }
  host_end(&whole);
}

/* By the clock, while progress is told: the run knows nothing of when. */
typedef struct ticker {
  int n, last;
} ticker;

static ria_status tick(ria_sim *sim, const ria_progress_info *info, void *user) {
  ticker *t = user;
  double level;
  (void)info;
  RIA_TRY(ria_sim_probe(sim, "level", 850, 450, &level)); /* changes nothing */
  return ++t->n == t->last ? ria_sim_checkpoint(sim, files_path("tick.ckpt")) : RIA_OK;
}

static void by_the_clock(void) {
  const host plan = {.save = {"t.ckpt"}, .at = {301}};
  host whole = run(&plan, "t_whole", RIA_F64, NULL);
  for (int last = 1; last < 60; last += test_is_short() ? 29 : 9) {
    ticker t = {.last = last};
    host h = plan;
    h.seed = 7;
    h.sim = new_sim("t_first", RIA_F64);
    CHECK_OK(ctx, ria_sim_on_progress(h.sim, 0, tick, &t));
    describe(&h);
    CHECK_OK(ctx, go(&h));
    same_end(&whole, &h, "progress was told");
    host_end(&h);
    if (!CHECK(t.n >= last)) return;
    char err[RIA_ERR_TEXT];
    CHECK(ria_tree_remove(files_path("t_first"), err, sizeof err) == RIA_OK);
    host again = run(&plan, "t_on", RIA_F64, "tick.ckpt");
    same_end(&whole, &again, "from a checkpoint by the clock");
    CHECK(same_file("t_whole", "t_on", "gauges.csv"));
    host_end(&again);
    CHECK(ria_tree_remove(files_path("t_on"), err, sizeof err) == RIA_OK);
  }
  host_end(&whole);
}

int main(void) {
  files_begin();
  test_cut(NY);
  ctx = test_context(test_device(), 2);
  goes_on(RIA_F64);
  if (!test_is_traced()) {
    again_and_again();
    by_the_clock();
  }
  ria_context_destroy(&ctx);
  files_end();
  files_begin();
  ctx = test_context(test_device(), 2);
  goes_on(RIA_F32);
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
