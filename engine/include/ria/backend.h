/* ria/backend.h - where steps run. A context has one backend; solvers allocate host memory through
 * it, and the engine chooses a solver's loops (ria_solver_ops) by its kind.
 *
 * The CPU backend is memory and OpenMP threads. The CUDA backend adds a device to them: its memory,
 * streams and graphs are the business of gpu/, behind the same table. */
#ifndef RIA_BACKEND_H
#define RIA_BACKEND_H
#include <ria/status.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum ria_backend_kind { RIA_BACKEND_CPU, RIA_BACKEND_CUDA } ria_backend_kind;

typedef struct ria_backend ria_backend;
struct ria_backend {
  ria_backend_kind kind;
  const char *name;        /* "cpu", "cuda:0" */
  const char *description; /* for people: "NVIDIA H200, 139.8 GiB, compute capability 9.0" */
  int threads;             /* of the host */
  uint64_t id; /* alike for all processes of a host that use one device; 0: its processor */
  /* Zeroed host memory aligned to 64 bytes, its pages first touched by the threads that will step
   * on them (an even split). RIA_ERR_MEMORY says how much was asked for. */
  ria_status (*alloc)(ria_context *ctx, const ria_backend *b, size_t bytes, void **out);
  void (*free)(const ria_backend *b, void *p);
  /* Host memory that outputs are copied to, at the full speed of the device and while steps run
   * (pinned). Not zeroed. The CPU's is ordinary memory. `free_output` may be called on any thread.
   */
  ria_status (*alloc_output)(ria_context *ctx, const ria_backend *b, size_t bytes, void **out);
  void (*free_output)(const ria_backend *b, void *p);
  /* Copy rows that parts share (ria_shared_row), in its memory; returns when they are there. */
  ria_status (*copy)(ria_context *ctx, const ria_backend *b, void *to, const void *from,
                     size_t bytes);
  void (*destroy)(ria_backend *b); /* the backend itself; called by its context */
  /* Bytes per second of a large copy in the memory that steps work on, reads and writes counted.
   * NULL: that is the host's. */
  ria_status (*bandwidth)(ria_context *ctx, const ria_backend *b, double *out);
  /* Bytes that are free there now; INFINITY: not known. NULL: that is the host's. */
  double (*memory)(const ria_backend *b);
  /* Where the k-th of n parts of a grid steps, if this stands for several devices. NULL: here. */
  const ria_backend *(*of_part)(const ria_backend *b, int k, int n);
};

/* The backend of a context; never NULL. */
RIA_API const ria_backend *ria_context_backend(const ria_context *ctx);

#ifdef __cplusplus
}
#endif
#endif
