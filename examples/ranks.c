/* ranks.c - a host of MPI: two channels, each cut into the rows of all ranks, stepped by turns. A
 * rank that fails takes the others with it, and rank 0 says its words.
 *
 *   mpicc ranks.c $(pkg-config --cflags --libs ria) -lria_mpi
 *   mpirun -n 3 ./a.out        and with a number: that rank fails
 *
 * Both are in one context, in which ranks meet: wherever a rank fails the others hear of it there.
 */
#include <ria/mpi.h>
#include <ria/ria.h>

#include <stdio.h>
#include <stdlib.h>

enum { CHANNELS = 2, NX = 80, NY = 40 };
static const double depth[CHANNELS] = {2, 4}; /* m */
static const double t_end = 300;              /* s */

/* All ranks make the same calls with the same values, and each has the whole grid's answers. */
static ria_status make(ria_context *ctx, double deep, ria_sim **sim) {
  static double level[NY][NX];
  const ria_sim_desc desc = {.grid = {.nx = NX, .ny = NY, .dx = 10}};
  for (int j = 0; j < NY; j++)
    for (int i = 0; i < NX; i++) level[j][i] = j < NY / 4 ? 0.5 : 0.0;
  RIA_TRY(ria_sim_create(ctx, &desc, sim));
  RIA_TRY(ria_sim_set_constant(*sim, "bed", -deep));
  return ria_sim_set(*sim, "level", &level[0][0]);
}

static ria_status take_turns(ria_sim *sim[]) {
  bool over[CHANNELS] = {false};
  for (int left = CHANNELS; left > 0;) {
    for (int k = 0; k < CHANNELS; k++)
      if (!over[k]) RIA_TRY(ria_sim_queue(sim[k], t_end));
    for (int k = 0; k < CHANNELS; k++)
      if (!over[k]) {
        RIA_TRY(ria_sim_wait(sim[k], &over[k]));
        left -= over[k];
      }
  }
  return RIA_OK;
}

static ria_status tell(ria_context *ctx, ria_sim *sim, double deep) {
  ria_stats level;
  RIA_TRY(ria_sim_stats(sim, "level", &level)); /* on all ranks, though one prints it */
  if (ria_context_rank(ctx) == 0)
    printf("%g m deep, by %d ranks: level %.6f to %.6f m\n", deep, ria_context_ranks(ctx),
           level.min, level.max);
  return RIA_OK;
}

static ria_status run(ria_context *ctx, ria_sim *sim[], bool fails) {
  for (int k = 0; k < CHANNELS; k++) RIA_TRY(make(ctx, depth[k], &sim[k]));
  if (fails) RIA_TRY(ria_sim_set_constant(sim[0], "levle", 0));
  RIA_TRY(take_turns(sim));
  for (int k = 0; k < CHANNELS; k++) RIA_TRY(tell(ctx, sim[k], depth[k]));
  return RIA_OK;
}

/* Ranks compare whether all of them have a context. */
static int host(ria_comm *comm, int failing) {
  ria_context *ctx = NULL;
  ria_sim *sim[CHANNELS] = {NULL};
  char why[512] = "";
  const ria_context_desc desc = {
      .comm = comm, .threads = 1, .error = why, .error_size = sizeof why};
  ria_status status = ria_context_create(&desc, &ctx);
  int code = ria_comm_agree(comm, "contexts are made", status, 1, why, sizeof why);
  if (code) {
    if (comm->rank == 0) fprintf(stderr, "%s\n", why);
    ria_context_destroy(&ctx);
    return code;
  }
  status = run(ctx, sim, comm->rank == failing);
  snprintf(why, sizeof why, "%s", ria_error(ctx));
  const bool other = ria_context_ended(ctx, status, why);
  if (comm->rank == 0 && (other || status != RIA_OK)) fprintf(stderr, "%s\n", ria_error(ctx));
  for (int k = 0; k < CHANNELS; k++) ria_sim_destroy(&sim[k]);
  code = ria_context_leave(ctx, status == RIA_OK ? 0 : 1);
  ria_context_destroy(&ctx);
  return code;
}

int main(int argc, char **argv) {
  ria_comm *comm;
  char why[256];
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  if (ria_mpi_comm(MPI_COMM_WORLD, &comm, why, sizeof why) != 0) {
    fprintf(stderr, "%s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  const int code = host(comm, argc > 1 ? atoi(argv[1]) : -1);
  comm->destroy(comm);
  MPI_Finalize();
  return code;
}
