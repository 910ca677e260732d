/* ria/mpi.h - ranks of MPI, for hosts in C: link libria_mpi.so beside libria.
 *
 *   int level;
 *   ria_comm *comm;
 *   char why[256];
 *   MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
 *   if (ria_mpi_comm(MPI_COMM_WORLD, &comm, why, sizeof why) != 0) ...
 *   ria_context_create(&(ria_context_desc){.comm = comm}, &ctx);
 *   ...
 *   ria_context_destroy(&ctx);
 *   comm->destroy(comm);
 *   MPI_Finalize();
 *
 * examples/ranks.c is a whole one. */
#ifndef RIA_MPI_H
#define RIA_MPI_H
#include <mpi.h>
#include <ria/comm.h>
#ifdef __cplusplus
extern "C" {
#endif

/* A copy of the communicator; every rank of it calls. MPI must have been begun with
 * MPI_THREAD_FUNNELED at least, and not ended; ria is used on the thread that began it. With
 * MPI_THREAD_MULTIPLE several threads may each have a context, of a communicator of its own that
 * all ranks made in the same order. 0, or not: `error` says why. */
RIA_API int ria_mpi_comm(MPI_Comm comm, ria_comm **out, char *error, size_t size);
/* Begins MPI if need be (its `destroy` ends it then), and takes MPI_COMM_WORLD: what ria_comm_open
 * calls. */
RIA_API int ria_mpi_open(ria_comm **out, char *error, size_t size);

#ifdef __cplusplus
}
#endif
#endif
