/* io/file.c - files that appear whole or not at all.
 *
 * The bytes go to a new file beside the target, named .<name>.tmp-<process>, which is written,
 * fsynced and closed before it is renamed over the target. The directory is fsynced after, so that
 * the name too survives a power cut; file systems that cannot do that are let off. Whatever fails,
 * the temporary file is removed and the target is left as it was.
 *
 * Two threads never write the same target at once (the callers see to that), so the process number
 * is enough to make the temporary name unique among runs that share a directory. */
#include "io/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

ria_status ria_error_text(ria_status s, char *err, size_t errsize, const char *fmt, ...) {
  if (errsize == 0) return s;
  va_list args;
  va_start(args, fmt);
  vsnprintf(err, errsize, fmt, args);
  va_end(args);
  return s;
}

/* "what 'path': reason". strerror_r has two forms; the GNU one returns the text. */
static ria_status fail_errno(int code, char *err, size_t errsize, const char *what,
                             const char *path) {
  char room[128];
  const char *reason = strerror_r(code, room, sizeof room);
  return ria_error_text(RIA_ERR_OUTPUT, err, errsize, "%s '%s': %s", what, path, reason);
}

static ria_status fail_memory(char *err, size_t errsize, const char *path) {
  return ria_error_text(RIA_ERR_MEMORY, err, errsize, "out of memory while writing '%s'", path);
}

bool ria_file_exists(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0;
}

char *ria_path_join(const char *dir, const char *name) {
  size_t room = strlen(dir) + strlen(name) + 2;
  char *path = malloc(room);
  if (path) snprintf(path, room, "%s/%s", dir, name);
  return path;
}

/* --- write beside, fsync, rename ---------------------------------------------------------- */

/* The directory part of path, "." if there is none; malloc'ed. */
static char *parent_of(const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash) return strdup(".");
  return slash == path ? strdup("/") : strndup(path, (size_t)(slash - path));
}

static char *beside(const char *path) {
  const char *slash = strrchr(path, '/');
  int dir = slash ? (int)(slash - path) + 1 : 0;
  size_t room = strlen(path) + 32;
  char *tmp = malloc(room);
  if (tmp) snprintf(tmp, room, "%.*s.%s.tmp-%ld", dir, path, path + dir, (long)getpid());
  return tmp;
}

/* 0, or errno. */
static int write_all(int fd, const char *data, size_t n) {
  while (n > 0) {
    ssize_t k = write(fd, data, n);
    if (k < 0 && errno == EINTR) continue;
    if (k < 0) return errno;
    if (k == 0) return ENOSPC;
    data += k;
    n -= (size_t)k;
  }
  return 0;
}

/* 0, or errno. A file is whole only if closing it went well too. */
static int write_file(const char *path, const void *data, size_t n, bool sync) {
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd < 0) return errno;
  int code = write_all(fd, data, n);
  if (!code && sync && fsync(fd) != 0 && errno != EINVAL && errno != EROFS) code = errno;
  if (close(fd) != 0 && !code && errno != EINTR) code = errno;
  return code;
}

static void sync_parent(const char *path) {
  char *dir = parent_of(path);
  int fd = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (fd >= 0) {
    (void)fsync(fd);
    close(fd);
  }
  free(dir);
}

static ria_status put(const char *path, const void *data, size_t n, bool sync, char *err,
                      size_t errsize) {
  char *tmp = beside(path);
  if (!tmp) return fail_memory(err, errsize, path);
  int code = write_file(tmp, data, n, sync);
  if (!code && rename(tmp, path) != 0) code = errno;
  if (code) unlink(tmp);
  free(tmp);
  if (code) return fail_errno(code, err, errsize, "cannot write", path);
  if (sync) sync_parent(path);
  return RIA_OK;
}

ria_status ria_file_replace(const char *path, const void *data, size_t n, char *err,
                            size_t errsize) {
  return put(path, data, n, true, err, errsize);
}

ria_status ria_file_put(const char *path, const void *data, size_t n, char *err, size_t errsize) {
  return put(path, data, n, false, err, errsize);
}

int ria_disk_open(const char *dir) { return open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC); }

ria_status ria_disk_sync(int disk, const char *path, char *err, size_t errsize) {
#ifdef __linux__
  if (disk >= 0 && syncfs(disk) != 0 && errno != EINVAL && errno != EROFS && errno != ENOSYS)
    return fail_errno(errno, err, errsize, "cannot write", path);
#else
  (void)disk, (void)path, (void)err, (void)errsize;
  sync();
#endif
  return RIA_OK;
}

/* --- directories -------------------------------------------------------------------------- */

static bool is_directory(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* One level: 0, or errno. Another process may make it at the same moment. */
static int make_one(const char *path) {
  if (mkdir(path, 0777) == 0) return 0;
  int code = errno;
  if (is_directory(path)) return 0;
  return code == EEXIST ? ENOTDIR : code; /* a file is in the way */
}

ria_status ria_dir_make(const char *path, char *err, size_t errsize) {
  if (!*path) return ria_error_text(RIA_ERR_OUTPUT, err, errsize, "a directory has no name");
  char *part = strdup(path);
  if (!part) return fail_memory(err, errsize, path);
  int code = 0;
  for (char *p = part + 1; !code && *p; p++) {
    if (*p != '/') continue;
    *p = '\0';
    code = make_one(part);
    if (!code) *p = '/';
  }
  if (!code) code = make_one(part);
  ria_status s = code ? fail_errno(code, err, errsize, "cannot make directory", part) : RIA_OK;
  free(part);
  return s;
}

static ria_status remove_entries(const char *path, char *err, size_t errsize) {
  DIR *dir = opendir(path);
  if (!dir) return fail_errno(errno, err, errsize, "cannot read directory", path);
  ria_status s = RIA_OK;
  struct dirent *entry;
  while (s == RIA_OK && (entry = readdir(dir)) != NULL) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    char *below = ria_path_join(path, entry->d_name);
    s = below ? ria_tree_remove(below, err, errsize) : fail_memory(err, errsize, path);
    free(below);
  }
  closedir(dir);
  return s;
}

ria_status ria_tree_remove(const char *path, char *err, size_t errsize) {
  struct stat st;
  if (lstat(path, &st) != 0)
    return errno == ENOENT ? RIA_OK : fail_errno(errno, err, errsize, "cannot remove", path);
  if (!S_ISDIR(st.st_mode))
    return unlink(path) == 0 ? RIA_OK : fail_errno(errno, err, errsize, "cannot remove", path);
  RIA_TRY(remove_entries(path, err, errsize));
  return rmdir(path) == 0 ? RIA_OK : fail_errno(errno, err, errsize, "cannot remove", path);
}
