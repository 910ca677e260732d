/* io/access.h - the one way to the files that a script or a host names: what a limited context may
 * read and write (ria/limit.h). Other files of the engine open no path of theirs by themselves;
 * tests/lint/files.sh looks. */
#ifndef RIA_IO_ACCESS_H
#define RIA_IO_ACCESS_H
#include "base/limit.h"
#include <ria/status.h>

/* Open a file for reading: its descriptor in *fd. Without limits (ctx may be NULL) as open(2) does,
 * flags besides O_RDONLY | O_CLOEXEC; with them without waiting, and only a regular file or a
 * directory. RIA_OK with *fd = -1 and errno where it cannot be opened; RIA_ERR_LIMIT where it may
 * not be. */
ria_status ria_read_open(ria_context *ctx, const char *path, int flags, int *fd);
/* The same, and RIA_ERR_INPUT "cannot open <path>: <reason>" where it cannot be opened. */
ria_status ria_read_must(ria_context *ctx, const char *path, int flags, int *fd);
/* May the file, or directory, be read or written there? RIA_ERR_LIMIT if not. */
ria_status ria_may_read(ria_context *ctx, const char *path);
ria_status ria_may_write(ria_context *ctx, const char *path);
/* Has the context limits? */
bool ria_is_limited(const ria_context *ctx);
void ria_limiter_free(ria_context *ctx);

#endif
