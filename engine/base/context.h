/* base/context.h - what a context holds. Private: hosts and solvers see ria/status.h only.
 *
 * A context owns the device (its backend) and the last error message; everything else made from it
 * keeps a pointer to it. It is one plain struct of fixed size, so that telling of an error never
 * needs memory. Only the host's thread touches it: workers report through buffers of their own. */
#ifndef RIA_BASE_CONTEXT_H
#define RIA_BASE_CONTEXT_H
#include <ria/backend.h>
#include <ria/status.h>
#include <signal.h>

enum {
  RIA_ERROR_MAX = 1024,  /* bytes of a message with its end; longer ones end in "..." */
  RIA_WRITERS_LEAST = 2, /* output workers of a context that does not say, at least */
  RIA_WRITERS_MOST = 24, /* and at most */
  RIA_WRITERS_MAX = 256,
  RIA_THREADS_MAX = 4096,
  RIA_PARTS_MAX = 4096,
  RIA_DEVICES_MAX = 16, /* GPUs of a context */
  RIA_REGISTERED_MAX = 64,
  RIA_RESERVE_BYTES = 4 << 20 /* rows, run.json, a frame; never written to, so it costs no page */
};

/* Where: by work; evenly; by chance, and elsewhere at every span (for tests). */
typedef enum ria_cuts { RIA_CUTS_BY_WORK, RIA_CUTS_EVEN, RIA_CUTS_OFTEN } ria_cuts;

struct ria_context {
  char error[RIA_ERROR_MAX]; /* "" = none; see ria_error */
  int threads;               /* that steps run on, >= 1 */
  int writers;               /* worker threads for outputs, >= 1 */
  int parts;                 /* that grids are cut into, >= 1; of all ranks together */
  ria_cuts cuts;
  struct ria_ranks *ranks; /* base/ranks.h; NULL: this process is alone */
  ria_backend *backend;    /* owned; never NULL once the context is made */
  ria_backend *host;       /* owned: the CPU's, for solvers without loops for the device; or NULL */
  bool automatic;          /* the device was not asked for by name */
  void *reserve; /* memory to close a run with when there is no other; NULL = given back */
  struct ria_results *results; /* directories that are locked; see outputs/results_dir.h */
  const struct ria_solver *registered[RIA_REGISTERED_MAX]; /* by ria_solver_register */
  int n_registered;
  ria_log_fn log; /* NULL = silent */
  void *log_user;
  volatile sig_atomic_t interrupted; /* see ria_go_on */
  struct ria_limiter *limiter;       /* base/limit.h; NULL = no limits */
};

/* RIA_INTERRUPTED, with its message, once ria_context_interrupt was called, RIA_ERR_LIMIT when the
 * time of a limited context is over: what may take long asks now and then. */
ria_status ria_go_on(ria_context *ctx);

/* Output workers of a context that does not say. */
int ria_writers_default(const ria_backend *b);

/* Have the reserve again, if it was given back and there is memory for it. */
void ria_reserve_keep(ria_context *ctx);
/* Give it back: what is allocated next finds it. */
void ria_reserve_release(ria_context *ctx);

/* The CPU backend of a context on a GPU that was chosen automatically, made when first asked for.
 */
ria_status ria_context_host(ria_context *ctx, const ria_backend **out);

/* Every function that takes a context for its messages also takes NULL and then stays silent.
 *
 * Shorthand for the commonest failure: "out of memory: <what> needs <bytes>". Returns
 * RIA_ERR_MEMORY. */
ria_status ria_fail_memory(ria_context *ctx, const char *what, size_t bytes);

#endif
