/* io/tree.c - directories: made with their parents, removed, synced, walked.
 *
 * Removing goes from directory to directory by descriptors that follow no symbolic link, so that
 * nothing outside is reached, also when somebody puts a link in the place of a directory while this
 * runs. */
#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- making ------------------------------------------------------------------------------- */

static bool is_directory(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* One level: 0, or errno. Another process may make it at the same moment. Its name is synced: what
 * lies in it may be on disk before, and claimed by a checkpoint. */
static int make_one(const char *path) {
  if (mkdir(path, 0777) == 0) {
    ria_parent_sync(path);
    return 0;
  }
  int code = errno;
  if (is_directory(path)) return 0;
  return code == EEXIST ? ENOTDIR : code; /* a file is in the way */
}

ria_status ria_dir_make(const char *path, char *err, size_t errsize) {
  if (!*path) return ria_error_text(RIA_ERR_OUTPUT, err, errsize, "a directory has no name");
  char *part = strdup(path);
  if (!part)
    return ria_error_text(RIA_ERR_MEMORY, err, errsize, "out of memory while making '%s'", path);
  int code = 0;
  for (char *p = part + 1; !code && *p; p++) {
    if (*p != '/') continue;
    *p = '\0';
    code = make_one(part);
    if (!code) *p = '/';
  }
  if (!code) code = make_one(part);
  ria_status s = code ? ria_error_errno(code, err, errsize, "cannot make directory", part) : RIA_OK;
  free(part);
  return s;
}

/* --- walking ------------------------------------------------------------------------------ */

int ria_dir_open(int parent, const char *name) {
  return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int ria_dir_each(int dir, ria_entry_fn one, void *user) {
  int code = 0, copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *d = copy < 0 ? NULL : fdopendir(copy);
  if (!d) {
    code = errno;
    if (copy >= 0) close(copy);
    return code;
  }
  struct dirent *entry;
  while (!code && (entry = readdir(d)) != NULL) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    code = one(user, dir, entry->d_name);
  }
  closedir(d);
  return code;
}

/* --- removing ----------------------------------------------------------------------------- */

static int remove_entry(void *user, int dir, const char *name) {
  (void)user;
  return ria_remove_at(dir, name);
}

int ria_remove_at(int parent, const char *name) {
  struct stat st;
  if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT ? 0 : errno;
  if (!S_ISDIR(st.st_mode)) return unlinkat(parent, name, 0) == 0 || errno == ENOENT ? 0 : errno;
  int dir = ria_dir_open(parent, name);
  if (dir < 0) return errno;
  int code = ria_dir_each(dir, remove_entry, NULL);
  close(dir);
  if (code) return code;
  return unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : errno;
}

ria_status ria_tree_remove(const char *path, char *err, size_t errsize) {
  int code = ria_remove_at(AT_FDCWD, path);
  return code ? ria_error_errno(code, err, errsize, "cannot remove", path) : RIA_OK;
}

/* --- syncing ------------------------------------------------------------------------------ */

static int sync_entry(void *user, int dir, const char *name) {
  (void)user;
  int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return errno == ENOENT ? 0 : errno;
  struct stat st;
  int code = fstat(fd, &st) == 0 ? 0 : errno;
  if (!code && S_ISDIR(st.st_mode)) code = ria_dir_each(fd, sync_entry, NULL);
  if (!code) code = ria_fd_sync(fd);
  close(fd);
  return code;
}

ria_status ria_tree_sync(const char *path, char *err, size_t errsize) {
  int code = sync_entry(NULL, AT_FDCWD, path);
  return code ? ria_error_errno(code, err, errsize, "cannot write", path) : RIA_OK;
}
