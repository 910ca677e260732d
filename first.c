#include <ria/ria.h>
#include <stdio.h>

static ria_status flood(ria_context *ctx, ria_sim **sim) {
  const ria_sim_desc desc = {.grid = {.nx = 200, .ny = 100, .dx = 10, .dy = 10}, .out = "flood"};
  RIA_TRY(ria_sim_create(ctx, &desc, sim));
  RIA_TRY(ria_sim_set_constant(*sim, "bed", -2.0));
  RIA_TRY(ria_sim_set_constant(*sim, "level", 0.0));

  const ria_boundary_desc river = {
      .name = "river", .kind = "discharge", .side = RIA_WEST, .values = {{"q", {.constant = 80}}}};
  RIA_TRY(ria_boundary_add(*sim, &river, NULL));

  ria_action frame;
  RIA_TRY(ria_frame_action(*sim, &(ria_frame_desc){.field = "level"}, &frame));
  RIA_TRY(ria_sim_every(*sim, 300, 0, 0, &frame, NULL));
  return ria_sim_run(*sim, 3600);
}

int main(void) {
  ria_context *ctx = NULL;
  ria_sim *sim = NULL;
  ria_status status = ria_context_create(NULL, &ctx);
  if (status == RIA_OK) status = flood(ctx, &sim);
  if (status != RIA_OK) fprintf(stderr, "%s\n", ria_error(ctx));
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
  return status;
}
