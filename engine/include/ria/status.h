/* ria/status.h - errors are values, and the context that explains them.
 *
 * Every public function returns a ria_status. When it is not RIA_OK the message that says what was
 * wrong, where, and what is allowed sits in the context: ria_error(ctx). Nothing in the library
 * prints, exits or keeps mutable globals; two contexts never share state.
 * A context and everything made from it belong to one host thread at a time. */
#ifndef RIA_STATUS_H
#define RIA_STATUS_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define RIA_API
#else
#define RIA_API __attribute__((visibility("default")))
#endif
#if defined(__GNUC__)
#define RIA_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define RIA_PRINTF(f, a)
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ria_status {
  RIA_OK = 0,
  RIA_ERR_ARGUMENT,  /* a value, name or combination that is not allowed */
  RIA_ERR_MEMORY,    /* an allocation failed */
  RIA_ERR_INPUT,     /* an input file is missing or malformed */
  RIA_ERR_OUTPUT,    /* output cannot be written (disk full, directory not writable, exists) */
  RIA_ERR_NUMERICAL, /* NaN, negative depth, or a time step below its minimum */
  RIA_ERR_DEVICE,    /* no such device, or the device failed */
  RIA_ERR_CALLBACK,  /* a callback of the host or script failed; its own message is kept */
  RIA_INTERRUPTED, /* by ria_sim_interrupt or ria_context_interrupt; everything so far is intact */
  RIA_ERR_LIMIT    /* a limit of ria_context_limit (ria/limit.h) */
} ria_status;

typedef struct ria_context ria_context;

/* Receives one line (no newline) of the library's own talk. Called on the host's thread only. */
typedef void (*ria_log_fn)(void *user, const char *line);

typedef struct ria_context_desc {
  int threads; /* CPU threads for the steps; 0 = one per core the process may use */
  int writers; /* worker threads for encoding and compression; 0 = default: 2 or more, by the device
                  and the number of cores */
  /* "cpu", "cuda", "cuda:N" or "auto"; NULL = "auto". Several GPUs, "cuda:0-3" or "cuda:0,2", step
   * parts of grids. Copied. */
  const char *device;
  ria_log_fn log; /* NULL = silent */
  void *log_user;
  char *error; /* where the message goes when creating fails: there is no context to hold it yet */
  size_t error_size; /* of that buffer; NULL and 0 = the status alone */
  /* Parts of whole rows that grids are cut into; 0 = one, or one for each GPU that was named. It
   * shows in no bit of the results (on GPUs but in the last digits of what sources gave and what
   * decayed). Where there are several, "auto" is the CPU. */
  int parts;
  /* Other processes that have a share of the grids (ria/comm.h); NULL = none. Not copied: it
   * outlives the context. `parts` is their number in all then, one a process by default. */
  struct ria_comm *comm;
} ria_context_desc;

/* desc may be NULL for all defaults. On failure *out is NULL, the message is in desc->error, and
 * the status tells why: RIA_ERR_MEMORY, RIA_ERR_ARGUMENT (a name or a number that makes no sense),
 * or RIA_ERR_DEVICE when a device was asked for by name and is not there. With a comm all ranks
 * create theirs together: each waits here for the others, and one that is refused fails alone. Its
 * host tells the others before anything else is called (ria_comm_agree); or ends all. */
RIA_API ria_status ria_context_create(const ria_context_desc *desc, ria_context **out);
/* Destroy everything made from the context first. Sets *ctx to NULL; NULL is allowed. */
RIA_API void ria_context_destroy(ria_context **ctx);

/* Work that may take long (shapes on a grid, rasters onto another, triangles between soundings)
 * ends with RIA_INTERRUPTED as long as this is on. A signal handler, or another thread, may call
 * it; runs have ria_sim_interrupt. */
RIA_API void ria_context_interrupt(ria_context *ctx, bool on);

/* The message of the last call on this context that failed, "" if none has. Owned by the context,
 * valid until the next failing call. */
RIA_API const char *ria_error(const ria_context *ctx);
/* Forget the last message. */
RIA_API void ria_error_clear(ria_context *ctx);
/* "ok", "argument", "memory", ...: a word for logs and run.json. Never NULL. */
RIA_API const char *ria_status_name(ria_status s);

RIA_API const char *ria_version(void); /* "x.y.z" */
RIA_API int ria_context_threads(const ria_context *ctx);
RIA_API const char *ria_context_device(const ria_context *ctx); /* the device in use: "cpu", ... */

/* A device by the name that ria_context_desc takes. */
typedef struct ria_device_info {
  char name[16];         /* "cpu", "cuda:0"; "cuda" where there is no GPU */
  char description[160]; /* "8 cores", "NVIDIA H200, 139.8 GiB, ..."; or why it is not there */
  bool there;
} ria_device_info;
/* The k-th device, the CPU first; false past the last one. Where there is no GPU, one entry says
 * why. */
RIA_API bool ria_device_list(size_t k, ria_device_info *out);

/* Store a message and return s, so that callers can `return ria_fail(ctx, RIA_ERR_INPUT, ...)`.
 * For solver authors, bindings and hosts' callbacks. ria_fail_more prefixes the stored message:
 * "outer: inner". */
RIA_API ria_status ria_fail(ria_context *ctx, ria_status s, const char *fmt, ...) RIA_PRINTF(3, 4);
RIA_API ria_status ria_fail_more(ria_context *ctx, ria_status s, const char *fmt, ...)
    RIA_PRINTF(3, 4);
/* One line to the host's log. */
RIA_API void ria_log(ria_context *ctx, const char *fmt, ...) RIA_PRINTF(2, 3);

/* Return early when a call fails. */
#define RIA_TRY(call)                                                                              \
  do {                                                                                             \
    ria_status ria_try_ = (call);                                                                  \
    if (ria_try_ != RIA_OK) return ria_try_;                                                       \
  } while (0)

/* The name in `names` nearest to `word` (edit distance, at most a third of its length wrong), or
 * NULL. For "did you mean". names[n]; NULL entries are skipped. */
RIA_API const char *ria_nearest(const char *word, const char *const *names, size_t n);

#ifdef __cplusplus
}
#endif
#endif
