/* A part of a grid that waits for others which never come says so, in time, and the run ends: two
 * parts on what stands for two GPUs, of which the second takes no step (RIA_CUDA_STALLS). What
 * waits is a kernel behind the step, or where walls alone are around the step itself. Parts that
 * step tell how long they waited. Only with a device. */
#include "core/sim.h"
#include "scene.h"

#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Without layers, which parts of several GPUs take by way of the host. */
static scene scene_that_is(bool closed) {
  for (uint64_t seed = 1;; seed++) {
    const scene s = scene_of(seed);
    dice d;
    if (s.closed == closed && scene_n_layers(&s, &d) == 0 && s.ny > 2) return s;
  }
}

/* Each part tells how long it stepped and how long it waited for the other. */
static void tells(bool closed) {
  ria_context *ctx = NULL;
  const ria_context_desc desc = {.device = "cuda:0,0"};
  if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) return;
  const scene s = scene_that_is(closed);
  ria_sim *sim = scene_make(ctx, &s);
  const double began = now();
  CHECK_OK(ctx, ria_sim_step(sim, 10));
  const double took = now() - began;
  for (int k = 0; k < 2; k++) {
    double stepped = 0, waited = 0;
    CHECK(ria_sim_part_told(sim, k, &stepped, &waited));
    CHECK(stepped > 0 && waited > 0 && stepped + waited < took);
  }
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
}

static void stalls(const char *device, bool closed) {
  char why[1024] = "";
  ria_context *ctx = NULL;
  const ria_context_desc desc = {.device = device, .error = why, .error_size = sizeof why};
  if (!CHECK_OK(NULL, ria_context_create(&desc, &ctx))) {
    fprintf(stderr, "%s\n", why);
    return;
  }
  const scene s = scene_that_is(closed);
  ria_sim *sim = scene_make(ctx, &s);
  char expected[160];
  snprintf(expected, sizeof expected,
           "part 2 of the grid (from row %d, on cuda:0) did not answer within 0.5 s", s.ny / 2);
  const double began = now();
  CHECK_FAILS(ctx, ria_sim_step(sim, 10), RIA_ERR_DEVICE, expected);
  CHECK(now() - began < 30);
  CHECK_STATUS(ctx, ria_sim_step(sim, 1), RIA_ERR_DEVICE);
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
}

int main(void) {
  const char *device = test_device();
  if (strncmp(device, "cuda", 4) != 0) {
    printf("skipped: the CPU waits for nobody\n");
    return TEST_SKIPPED;
  }
  ria_context *ctx = test_context("cuda", 1); /* or skipped */
  ria_context_destroy(&ctx);
  setenv("RIA_CUDA_TWICE", "on", 1);
  tells(false);
  tells(true);
  setenv("RIA_CUDA_STALLS", "0.5", 1);
  stalls("cuda:0,0", false);
  stalls("cuda:0,0", true);
  return TEST_END();
}
