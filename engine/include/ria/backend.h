/* ria/backend.h - where steps run: memory and copies. Solvers allocate through it so that their
 * set-up reads the same on every device; their loops are the backend's own (ria_solver_ops).
 *
 * The CPU backend is memory and OpenMP threads. A device backend adds streams and graphs behind the
 * same table. */
#ifndef RIA_BACKEND_H
#define RIA_BACKEND_H
#include <ria/status.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef struct ria_backend ria_backend;
struct ria_backend {
  const char *name; /* "cpu" */
  int threads;
  /* Zeroed memory aligned to 64 bytes, its pages first touched by the threads that will step on
   * them (an even split). RIA_ERR_MEMORY says how much was asked for. */
  ria_status (*alloc)(ria_context *ctx, const ria_backend *b, size_t bytes, void **out);
  void (*free)(const ria_backend *b, void *p);
  void (*destroy)(ria_backend *b); /* the backend itself; called by its context */
};

/* The backend of a context; never NULL. */
RIA_API const ria_backend *ria_context_backend(const ria_context *ctx);

#ifdef __cplusplus
}
#endif
#endif
