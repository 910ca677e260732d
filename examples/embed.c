/* embed.c - the engine inside a C program, without Lua: a lake, a dam that is gone, and a spill.
 *
 * Build: cc embed.c $(pkg-config --cflags --libs ria) -lm */
#include <ria/ria.h>

#include <math.h>
#include <stdio.h>

enum { NX = 120, NY = 60 };

/* Everything is made here; the caller reports what failed and cleans up. */
static ria_status setup(ria_context *ctx, ria_sim **sim) {
  static double bed[NY][NX], level[NY][NX];
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++) {
      double x = (i + 0.5) * 10.0, y = (j + 0.5) * 10.0; /* m */
      bed[j][i] = -4.0 + 6.0 * exp(-((x - 800) * (x - 800) + (y - 300) * (y - 300)) / 8e3);
      level[j][i] = x < 300 ? 1.0 : 0.0;
    }
  RIA_TRY(
      ria_sim_create(ctx,
                     &(ria_sim_desc){.solver = "shallow_water",
                                     .grid = {.nx = NX, .ny = NY, .dx = 10, .dy = 10},
                                     .params = &(ria_setting){.name = "manning", .number = 0.03},
                                     .n_params = 1,
                                     .tracers = &(ria_tracer){.name = "dye", .diffusion = 0.5},
                                     .n_tracers = 1},
                     sim));
  RIA_TRY(ria_sim_set(*sim, "bed", &bed[0][0]));
  RIA_TRY(ria_sim_set(*sim, "level", &level[0][0]));
  ria_boundary_id id;
  RIA_TRY(ria_boundary_add(*sim, &(ria_boundary_desc){.kind = "open", .side = RIA_EAST}, &id));
  ria_handle handle;
  return ria_sim_spill(
      *sim,
      &(ria_spill_desc){
          .tracer = "dye", .x = 200, .y = 300, .radius = 50, .start = 60, .mass = 100},
      &handle);
}

static ria_status run(ria_sim *sim) {
  for (int minute = 0; minute <= 10; minute += 2) {
    double shore = 0.0;
    ria_stats speed, dye;
    RIA_TRY(ria_sim_run(sim, 60.0 * minute));
    RIA_TRY(ria_sim_probe(sim, "level", 700, 300, &shore));
    RIA_TRY(ria_sim_stats(sim, "speed", &speed));
    RIA_TRY(ria_sim_stats(sim, "dye", &dye));
    printf("%2d min  level before the island %6.3f m  speed %5.2f m/s  dye %8.2e kg/m^3\n", minute,
           shore, speed.max, dye.max);
  }
  return RIA_OK;
}

static void print_line(void *user, const char *line) {
  (void)user;
  puts(line);
}

int main(void) {
  ria_context *ctx = NULL;
  ria_sim *sim = NULL;
  char why[256] = "";
  const ria_context_desc desc = {.log = print_line, .error = why, .error_size = sizeof why};
  ria_status status = ria_context_create(&desc, &ctx);
  if (status == RIA_OK) status = setup(ctx, &sim);
  if (status == RIA_OK) status = run(sim);
  if (status == RIA_OK) status = ria_sim_report(sim);
  if (status != RIA_OK)
    fprintf(stderr, "%s: %s\n", ria_status_name(status), ctx ? ria_error(ctx) : why);
  ria_sim_destroy(&sim);
  ria_context_destroy(&ctx);
  return status == RIA_OK ? 0 : 1;
}
