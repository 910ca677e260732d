/* io/file.h - files that appear whole or not at all.
 *
 * Functions here run on any thread. They touch no context: the message of a failure goes to
 * err[errsize] (with the path and the system's reason), for a job to hand on or for
 * ria_fail(ctx, s, "%s", err). */
#ifndef RIA_IO_FILE_H
#define RIA_IO_FILE_H
#include <ria/status.h>

enum { RIA_ERR_TEXT = 640 }; /* a good size for err */

/* Replace (or make) the file at `path` by these n bytes: written beside it under a temporary name,
 * fsynced, renamed. On failure the temporary file is gone and what was at `path` is as it was.
 * The directory must exist. RIA_ERR_OUTPUT. */
ria_status ria_file_replace(const char *path, const void *data, size_t n, char *err,
                            size_t errsize);
/* The same for many files of which each alone would make the disk wait: whole to every reader, but
 * safe from a power cut only once ria_disk_sync has been called. */
ria_status ria_file_put(const char *path, const void *data, size_t n, char *err, size_t errsize);
/* The file system that a directory is on, kept open because it tells of write errors since then.
 * -1 when it cannot be opened; close() it. */
int ria_disk_open(const char *dir);
/* All that was put there is on disk when this returns. path: for the message. */
ria_status ria_disk_sync(int disk, const char *path, char *err, size_t errsize);
/* Make a directory and its missing parents. Fine if it is there already. */
ria_status ria_dir_make(const char *path, char *err, size_t errsize);
/* Remove a file, or a directory with all below it; symbolic links are removed, never followed.
 * Fine if nothing is there. */
ria_status ria_tree_remove(const char *path, char *err, size_t errsize);

bool ria_file_exists(const char *path); /* a file, directory or anything else */
/* dir + "/" + name, malloc'ed; NULL when memory is out. */
char *ria_path_join(const char *dir, const char *name);

/* snprintf to err; returns s, for `return ria_error_text(RIA_ERR_OUTPUT, err, errsize, ...)`. */
ria_status ria_error_text(ria_status s, char *err, size_t errsize, const char *fmt, ...)
    RIA_PRINTF(4, 5);

#endif
