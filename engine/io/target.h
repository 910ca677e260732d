/* io/target.h - a file that the user names: a picture, a raster.
 *
 * What is at the path decides. Nothing, or a regular file: it is replaced whole (io/file.h) and
 * keeps its mode. A symbolic link: it stays, and the file that it leads to is replaced so, or made.
 * A FIFO or a character device: the bytes are written into it and the node stays. Anything else (a
 * directory, a socket, a block device) is refused. */
#ifndef RIA_IO_TARGET_H
#define RIA_IO_TARGET_H
#include <ria/status.h>
#include <signal.h>

typedef struct ria_target {
  ria_context *ctx; /* NULL: without limits */
  int fd;           /* to write to */
  char *path;       /* what is replaced; links are followed */
  char *temp;       /* beside it; NULL: written in place */
  bool masked;      /* SIGPIPE is held back, as */
  sigset_t mask;
  const char *name; /* as the user says it: for messages */
} ria_target;

/* path must outlive the target. On failure there is nothing to close. On the thread that writes.
 * RIA_ERR_LIMIT where a limited context (NULL: no limits) may not write there, or has written as
 * much as it may when the target is closed: then the old file stays. */
ria_status ria_target_open(ria_context *ctx, const char *path, ria_target *t, char *err,
                           size_t errsize);
/* whole: everything was written; it takes its place now. Otherwise the old file stays
 * (a FIFO or a device has received the bytes written so far). */
ria_status ria_target_close(ria_target *t, bool whole, char *err, size_t errsize);

/* Both, with these bytes between them. */
ria_status ria_target_write(ria_context *ctx, const char *path, const void *data, size_t n,
                            char *err, size_t errsize);

/* Is a regular file at path, behind links? */
bool ria_target_is_file(const char *path);

#endif
