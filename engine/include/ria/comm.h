/* ria/comm.h - a run in several processes: what the engine needs of whatever joins them.
 *
 * A process is a rank. All ranks make the same calls of ria in the same order (SPMD); each steps
 * the rows that are its share, and all get the same answers. Rank 0 alone writes files and logs.
 *
 * A host gives a ria_comm to its context (ria_context_desc.comm), on all ranks at one place: to
 * create it they exchange words. libria_mpi.so makes one of MPI
 * (ria/mpi.h); one of your own is a struct of six functions. All are called on the host's thread
 * alone, never two at a time: of MPI, MPI_THREAD_FUNNELED is enough. */
#ifndef RIA_COMM_H
#define RIA_COMM_H
#include <ria/status.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Functions return 0, or anything else if the other ranks cannot be reached any more; `error` says
 * why then: it is printed on standard error, and `abort` is called. */
typedef struct ria_comm ria_comm;
struct ria_comm {
  int rank, size;
  int local_rank, local_size; /* among the ranks of this host; local_size 0: not known */
  const char *name;           /* for people: "Open MPI v4.1.4" */
  void *user;                 /* the maker's */
  char error[256];
  /* bytes of each rank to all: all[size][bytes], in the order of ranks. */
  int (*allgather)(ria_comm *c, const void *mine, void *all, size_t bytes);
  /* Begin to send to a rank, or to receive from it; bytes <= RIA_COMM_MOST. The memory is in use
   * until `wait` has returned. Messages between two ranks keep their order. */
  int (*send)(ria_comm *c, int to, const void *data, size_t bytes, void **request);
  int (*receive)(ria_comm *c, int from, void *data, size_t bytes, void **request);
  /* Wait for it; *request is NULL then. NULL is nothing. */
  int (*wait)(ria_comm *c, void **request);
  /* End the processes of all ranks, soon; may return. */
  void (*abort)(ria_comm *c, int code);
  /* The struct itself, and what is behind it. All ranks do. */
  void (*destroy)(ria_comm *c);
};
enum { RIA_COMM_MOST = 1 << 30 };

/* Was this process started by a launcher of MPI (mpirun, srun) beside others? *rank and *size are
 * what the launcher says; *size 0: it does not say. RIA_MPI=none in the environment: no. */
RIA_API bool ria_comm_launched(int *rank, int *size);
/* Of such a process: was it started not by the launcher itself but by one that was, say a shell
 * that runs several programs one after another? To be asked before this one runs any. */
RIA_API bool ria_comm_within_rank(void);
/* Of the others that the launcher started, as far as this host shows: those that are not this
 * program, in words ("rank 0 is another program (sleep), rank 2 has ended, or is on another host");
 * "" where there are none, or where the launcher gives its jobs no name of their own
 * (PMIX_NAMESPACE, SLURM_JOB_ID), for then those of other jobs look alike. Returns the lowest rank
 * of this host that is this program. For one that waits for them: MPI does not tell who has not
 * begun it. Reads the environment and /proc. size may be 0. */
RIA_API int ria_comm_others(char *text, size_t size);
/* What joins the processes that a launcher started: loads libria_mpi.so, from $RIA_MPI, from beside
 * libria or the program, or from where the system looks. *out NULL and RIA_OK: there was no
 * launcher, or one process alone. RIA_ERR_DEVICE: `error` says what to do. MPI begins once in what
 * a launcher started: a second program of a rank's shell script is refused, where the launcher
 * keeps a folder for the job (PMIx: Open MPI) and so a mark can be left. */
RIA_API ria_status ria_comm_open(ria_comm **out, char *error, size_t error_size);

/* Could it be loaded here? Loads it and begins nothing. text: the MPI and the file, "Open MPI
 * v4.1.4, by /usr/lib/libria_mpi.so", or why not. */
RIA_API bool ria_comm_plugin(char *text, size_t size);

/* All ranks come here, and learn whether one of them failed before it had a context, or got none:
 * a command line that is wrong, a file that is not there. status, why: of this rank; code: that it
 * would exit with, also where ranks differ (0: 1). 0: all are well, and at the same place, which
 * `at` names ("the command line was read"). Else the code of the first rank that failed, with its
 * words and its number in `why`; or what two ranks are doing. One that failed may come here
 * wherever the others are: their contexts tell of it, and they too end, and come here or leave. */
RIA_API int ria_comm_agree(ria_comm *comm, const char *at, ria_status status, int code, char *why,
                           size_t why_size);

/* --- of a context ------------------------------------------------------------------------------
 */

/* 0 of 1 without a comm. */
RIA_API int ria_context_rank(const ria_context *ctx);
RIA_API int ria_context_ranks(const ria_context *ctx);
/* The device that a rank steps on, "cuda:1" as that rank counts them; "": it could not start. NULL:
 * there is no such rank. */
RIA_API const char *ria_context_device_of(const ria_context *ctx, int rank);

/* What the host's program calls now, in words and where ("bay.lua:12: sim:probe"), and a number
 * made of its arguments: for the message where ranks do not call the same. Cheap: most often it is
 * noted alone, and compared when the ranks meet next. RIA_ERR_ARGUMENT with what two ranks call,
 * when it was found that they differ; the failure of another rank, with its number. */
RIA_API ria_status ria_context_calls(ria_context *ctx, const char *what, uint64_t number);

/* A host's program has come to its end, or has failed with this status and message: all ranks meet
 * here, whatever they were doing, before what is still open is closed. True if another one failed
 * and this did not: its words are in ria_error(ctx). Without a comm false. */
RIA_API bool ria_context_ended(ria_context *ctx, ria_status status, const char *message);
/* The last call but for ria_context_destroy: all wait for all. code: that the process would exit
 * with; returns the one for all, that of the rank that failed first. */
RIA_API int ria_context_leave(ria_context *ctx, int code);

#ifdef __cplusplus
}
#endif
#endif
