/* What is told of a parameter that is a map: its least and its greatest value, wherever they are.
 */
#include "core/params.h"
#include "core/sim.h"
#include "test.h"
#include <ria/ria.h>

enum { NX = 3, NY = 2, CELLS = NX * NY };

static void told(ria_context *ctx, int least, int most) {
  ria_sim *sim = NULL;
  double map[CELLS];
  char text[64] = "";
  for (int c = 0; c < CELLS; c++) map[c] = c == least ? 0.02 : c == most ? 0.05 : 0.03;
  const ria_sim_desc desc = {.solver = "shallow_water", .grid = {.nx = NX, .ny = NY, .dx = 1}};
  if (!CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim))) return;
  CHECK(!ria_param_map(sim, "manning", text, sizeof text));
  CHECK_OK(ctx, ria_sim_set(sim, "manning", map));
  CHECK(ria_param_map(sim, "manning", text, sizeof text));
  CHECK_TEXT(text, "map, 0.02 to 0.05");
  ria_sim_destroy(&sim);
}

int main(void) {
  ria_context *ctx = NULL;
  CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK);
  for (int c = 0; c < CELLS; c++) {
    told(ctx, c, (c + 1) % CELLS);
    told(ctx, (c + 1) % CELLS, c);
  }
  ria_context_destroy(&ctx);
  return TEST_END();
}
