/* io/file.h - files that appear whole or not at all; directories.
 *
 * Functions here run on any thread. They touch no context: the message of a failure goes to
 * err[errsize] (with the path and the system's reason), for a job to hand on or for
 * ria_fail(ctx, s, "%s", err). */
#ifndef RIA_IO_FILE_H
#define RIA_IO_FILE_H
#include <ria/status.h>

enum { RIA_ERR_TEXT = 640 }; /* a good size for err */

/* --- file.c: files of a results directory -------------------------------------------------------
 * The name itself is replaced: a symbolic link of that name gives way, its target is not touched.
 * For files that the user names there is io/target.h. */

/* Replace (or make) the file at `path` by these n bytes: written beside it under a temporary name,
 * fsynced, renamed. On failure the temporary file is gone and what was at `path` is as it was. A
 * file that is replaced hands its mode on. The directory must exist. RIA_ERR_OUTPUT. */
ria_status ria_file_replace(const char *path, const void *data, size_t n, char *err,
                            size_t errsize);
/* The same for one of several: its bytes are safe from a power cut, its name is once the directory
 * has been synced. */
ria_status ria_file_put_bytes(const char *path, const void *data, size_t n, char *err,
                              size_t errsize);
/* The same for many files of which each alone would make the disk wait: whole to every reader, but
 * safe from a power cut only once they have been synced, one by one or by ria_disk_sync. */
ria_status ria_file_put(const char *path, const void *data, size_t n, char *err, size_t errsize);
/* The file system that a directory is on, kept open because it tells of write errors since then.
 * -1 when it cannot be opened; close() it. */
int ria_disk_open(const char *dir);
/* All that was put there is on disk when this returns. path: for the message. */
ria_status ria_disk_sync(int disk, const char *path, char *err, size_t errsize);
/* The names in the directory that holds path are on disk when this returns, where the file system
 * can do that. */
void ria_parent_sync(const char *path);

bool ria_file_exists(const char *path); /* a file, directory or anything else */
/* dir + "/" + name, malloc'ed; NULL when memory is out. */
char *ria_path_join(const char *dir, const char *name);

/* A new file beside path under a temporary name, with the mode of the file at path if there is one;
 * its descriptor, and its name in *temp, malloc'ed. -1 with errno, *temp = NULL. */
int ria_temp_open(const char *path, char **temp);
/* The same, a directory. */
ria_status ria_temp_dir(const char *path, char **temp, char *err, size_t errsize);
/* Is this the name of a temporary file? Whose goes to name[room]. */
bool ria_temp_belongs(const char *file, char *name, size_t room);

int ria_fd_write(int fd, const void *data, size_t n); /* all of it: 0, or errno */
int ria_fd_sync(int fd); /* 0, also where there is nothing to sync, or errno */

/* --- tree.c: directories ---------------------------------------------------------------------- */

/* Make a directory and its missing parents. Fine if it is there already. */
ria_status ria_dir_make(const char *path, char *err, size_t errsize);
/* Remove a file, or a directory with all below it; symbolic links are removed, never followed.
 * Fine if nothing is there. */
ria_status ria_tree_remove(const char *path, char *err, size_t errsize);
/* Sync every file and directory from path down. */
ria_status ria_tree_sync(const char *path, char *err, size_t errsize);

/* The directory `name` in the directory `parent`, a descriptor; -1 with errno, ENOTDIR or ELOOP
 * where it is something else, a symbolic link too. */
int ria_dir_open(int parent, const char *name);
/* Call one(user, dir, name) for each entry but . and .. until it returns other than 0, which is
 * returned; else 0 or errno. Entries may be removed on the way. */
typedef int (*ria_entry_fn)(void *user, int dir, const char *name);
int ria_dir_each(int dir, ria_entry_fn one, void *user);
/* ria_tree_remove below a directory: 0, or errno. */
int ria_remove_at(int parent, const char *name);

/* --- messages --------------------------------------------------------------------------------- */

/* snprintf to err; returns s, for `return ria_error_text(RIA_ERR_OUTPUT, err, errsize, ...)`. */
ria_status ria_error_text(ria_status s, char *err, size_t errsize, const char *fmt, ...)
    RIA_PRINTF(4, 5);
/* "what 'path': the system's reason"; returns RIA_ERR_OUTPUT, or RIA_ERR_MEMORY where
 * that is the reason. */
ria_status ria_error_errno(int code, char *err, size_t errsize, const char *what, const char *path);

#endif
