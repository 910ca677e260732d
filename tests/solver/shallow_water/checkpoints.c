/* Checkpoints that a run takes by itself, and going on in its own results directory.
 * tests/cli/crash/again.py kills such runs. */
#include "checkpoint.h"
#include <sys/stat.h>

static void asks(void) {
  const ria_checkpoints_desc every = {.every = 100, .at_end = true};
  char from[400] = "x";
  size_t n = 7;
  ria_sim *sim = new_sim("asks", RIA_F64);
  CHECK_STATUS(ctx, ria_sim_checkpoints(sim, &(ria_checkpoints_desc){0}), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.every = -1}),
               RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.wall = NAN}),
               RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_checkpoints(sim, &(ria_checkpoints_desc){.wall = 1, .keep = -1}),
               RIA_ERR_ARGUMENT);
  CHECK_OK(ctx, ria_sim_checkpoints(sim, &every));
  CHECK_STATUS(ctx, ria_sim_continue(sim, from, sizeof from), RIA_ERR_ARGUMENT);
  CHECK_HOLDS(ria_error(ctx), "`keep` of ria_sim_desc");
  CHECK_TEXT(from, "");
  CHECK_STATUS(ctx, ria_sim_note(sim, "no spaces", "x", 1), RIA_ERR_ARGUMENT);
  CHECK_STATUS(ctx, ria_sim_note(sim, "", "x", 1), RIA_ERR_ARGUMENT);
  CHECK_OK(ctx, ria_sim_note(sim, "a", "x", 1));
  CHECK(!ria_sim_noted(sim, "a", &n) && n == 0); /* it goes on from nowhere */
  ria_sim_destroy(&sim);
}

/* Of frames alone, to the given time. */
static ria_status keeps(const char *out, bool keep, double t_end, char *from, size_t size) {
  const ria_checkpoints_desc every = {.every = 100, .at_end = true, .keep = 1};
  const ria_sim_desc desc = {.solver = "shallow_water",
                             .grid = {.nx = NX, .ny = NY, .dx = 100},
                             .out = files_path(out),
                             .keep = keep};
  ria_sim *sim = NULL;
  ria_action frame;
  static const unsigned char data[3] = {1, 0, 3};
  CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim));
  if (t_end < 900) CHECK_OK(ctx, ria_sim_checkpoints(sim, &every));
  CHECK_OK(ctx, ria_sim_note(sim, "a", data, sizeof data));
  CHECK_OK(ctx, ria_sim_note(sim, "b", data, 0));
  CHECK_OK(ctx, ria_sim_note(sim, "c", data, 1));
  CHECK_OK(ctx, ria_sim_note(sim, "c", NULL, 0));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -4.0));
  CHECK_OK(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "level", .width = 100}, &frame));
  CHECK_OK(ctx, ria_sim_every(sim, 60, 0, 0, &frame, NULL));
  ria_status s = keep ? ria_sim_continue(sim, from, size) : RIA_OK;
  if (s == RIA_OK && keep && from[0]) {
    size_t n;
    const void *a = ria_sim_noted(sim, "a", &n);
    CHECK(a && n == 3 && memcmp(a, data, 3) == 0);
    CHECK(ria_sim_noted(sim, "b", &n) && n == 0 && !ria_sim_noted(sim, "c", NULL));
  }
  if (s == RIA_OK) s = ria_sim_run(sim, t_end);
  ria_sim_destroy(&sim);
  return s;
}

static void in_its_directory(void) {
  char from[400] = "", err[RIA_ERR_TEXT];
  struct stat st;
  CHECK_OK(ctx, keeps("k", true, 250, from, sizeof from));
  CHECK_TEXT(from, "");
  CHECK_OK(ctx, keeps("k_whole", false, 500, NULL, 0));
  /* another end: it goes on where the first came to its own */
  CHECK_OK(ctx, keeps("k", true, 500, from, sizeof from));
  CHECK_HOLDS(from, "k/checkpoints/0000");
  CHECK_INT(same_frames("k_whole", "k"), 0); /* of `dye` */
  for (int n = 0; n <= 8; n++) {
    char name[64];
    snprintf(name, sizeof name, "frames/level/level_%06d.png", n);
    CHECK(same_file("k_whole", "k", name));
  }
  CHECK(same_file("k_whole", "k", "budget.csv"));
  CHECK(stat(from, &st) != 0); /* one is kept */
  /* results are not given up for a run that takes none up */
  CHECK_STATUS(ctx, keeps("k", false, 500, NULL, 0), RIA_ERR_OUTPUT);
  CHECK_OK(ctx, keeps("none", false, 1000, NULL, 0));
  CHECK_STATUS(ctx, keeps("none", true, 1000, from, sizeof from), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "was to take no checkpoints");
  /* a run that comes to less than its checkpoint leaves the results as they are */
  const char *const gone[] = {"k/checkpoints", "k/frames"};
  CHECK(ria_tree_remove(files_path(gone[1]), err, sizeof err) == RIA_OK);
  CHECK_STATUS(ctx, keeps("k", true, 600, from, sizeof from), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "was drawn before its checkpoint and is missing");
  CHECK(ria_tree_remove(files_path(gone[0]), err, sizeof err) == RIA_OK);
  CHECK_OK(ctx, keeps("k", true, 600, from, sizeof from)); /* from its start */
  CHECK_TEXT(from, "");
}

int main(void) {
  if (test_is_traced()) return 0;
  files_begin();
  test_cut(NY);
  ctx = test_context(test_device(), 2);
  asks();
  in_its_directory();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
