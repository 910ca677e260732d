/* ria/limit.h - limits for work that others describe: a script of a stranger, a request to a
 * server.
 *
 * A context without limits does what it is told. With them files are read below some directories
 * and written below one, and what a host pays for is bounded. What is refused fails with
 * RIA_ERR_LIMIT. A bound that was reached stays reached: whatever asks again fails too, while what
 * is under way can be closed and says in run.json how it ended.
 *
 * What the library cannot bound: time inside a function of the host's own (a pattern of Lua that
 * backtracks), and memory that is not a raster's or a simulation's arrays. A host that runs what it
 * does not trust keeps it in a process of its own, with RLIMIT_DATA and a clock that ends it, as
 * `ria run --limited` does. */
#ifndef RIA_LIMIT_H
#define RIA_LIMIT_H
#include <ria/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ria_limit {
  RIA_LIMIT_NONE,
  RIA_LIMIT_FILES, /* a file, or what a limited script has not got: of that call alone */
  RIA_LIMIT_INSTRUCTIONS,
  RIA_LIMIT_MEMORY,
  RIA_LIMIT_TIME,
  RIA_LIMIT_CELLS,
  RIA_LIMIT_FRAMES,
  RIA_LIMIT_OUTPUT
} ria_limit;

/* Zero is no bound, but for files: what is not named is not read or written. */
typedef struct ria_limits {
  const char *const *read; /* directories; copied. What lies below `write` is read, too */
  size_t n_read;
  const char *write; /* a directory, which need not be there yet; NULL: nothing is written */
  double memory;     /* bytes of the arrays of a simulation, or of a raster */
  double time;       /* wall s from now on */
  double cells;      /* of a grid or a raster */
  double frames;     /* pictures: frames, charts, fields drawn */
  double output;     /* bytes written */
} ria_limits;

/* Below these directories symbolic links are not followed, and nothing but regular files is read or
 * written. GDAL is not called, and PROJ for systems by their code alone ("EPSG:25829"): both open
 * files that a file or a text names. A file is opened from its directory's descriptor, a name at a
 * time, so that nobody can put a link in its way. Outputs are looked at before they are opened: who
 * can make links below `write` while the run goes on, which no script can, may lead them elsewhere.
 * Once, before all else that the context is for. RIA_ERR_ARGUMENT for a second time, and for
 * a directory that is not there. Of several ranks each has limits of its own. */
RIA_API ria_status ria_context_limit(ria_context *ctx, const ria_limits *limits);

/* The bound that was reached first; else RIA_LIMIT_FILES if that is what failed last with
 * RIA_ERR_LIMIT; else RIA_LIMIT_NONE. */
RIA_API ria_limit ria_context_limited(const ria_context *ctx);
/* What was said when the bound was reached; "" if none was. */
RIA_API const char *ria_limit_message(const ria_context *ctx);

/* For bindings: a bound of theirs was reached, or (RIA_LIMIT_FILES) something was asked for that is
 * not there; RIA_ERR_LIMIT. NULL as ctx is allowed. */
RIA_API ria_status ria_limit_reach(ria_context *ctx, ria_limit which, const char *fmt, ...)
    RIA_PRINTF(3, 4);
/* n more pictures, or bytes of output that a binding writes itself. */
RIA_API ria_status ria_limit_count(ria_context *ctx, ria_limit which, double n);
/* Is there time left? */
RIA_API ria_status ria_limit_time(ria_context *ctx);
/* The text of a file that may be read, at most `most` bytes, malloc'ed and ended by a NUL. */
RIA_API ria_status ria_limit_read(ria_context *ctx, const char *path, size_t most, char **text,
                                  size_t *n);

#ifdef __cplusplus
}
#endif
#endif
