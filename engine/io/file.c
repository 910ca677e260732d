/* io/file.c - files that appear whole or not at all.
 *
 * The bytes go to a new file beside the target, which is written, fsynced and closed before it is
 * renamed over the target. The directory is fsynced after, so that the name too survives a power
 * cut; file systems that cannot do that are let off. Whatever fails, the temporary file is removed
 * and the target is left as it was.
 *
 * A temporary file is named .<name>.ria-<16 hexadecimal digits>. The digits are random and the file
 * must be new: nobody can lay a file or a link in its way. By the form of its name a later run
 * knows what a dead one left (outputs/results_list.c). */
#include "io/file.h"
#include "base/limit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

static const char temp_mark[] = ".ria-";
enum { TEMP_DIGITS = 16, TEMP_TRIES = 8 };

ria_status ria_error_text(ria_status s, char *err, size_t errsize, const char *fmt, ...) {
  if (errsize == 0) return s;
  va_list args;
  va_start(args, fmt);
  vsnprintf(err, errsize, fmt, args);
  va_end(args);
  return s;
}

/* strerror_r has two forms; the GNU one returns the text. */
ria_status ria_error_errno(int code, char *err, size_t errsize, const char *what,
                           const char *path) {
  char room[128];
  const char *reason = strerror_r(code, room, sizeof room);
  const ria_status s = code == ENOMEM ? RIA_ERR_MEMORY : RIA_ERR_OUTPUT;
  return ria_error_text(s, err, errsize, "%s '%s': %s", what, path, reason);
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

/* A new name beside path; malloc'ed, NULL with errno. */
static char *beside(const char *path) {
  const char *slash = strrchr(path, '/');
  int dir = slash ? (int)(slash - path) + 1 : 0;
  size_t room = strlen(path) + sizeof temp_mark + TEMP_DIGITS + 2;
  unsigned char noise[TEMP_DIGITS / 2];
  char digits[TEMP_DIGITS + 1];
  if (getentropy(noise, sizeof noise) != 0) return NULL;
  for (size_t k = 0; k < sizeof noise; k++) snprintf(digits + 2 * k, 3, "%02x", noise[k]);
  char *temp = malloc(room);
  if (temp)
    snprintf(temp, room, "%.*s.%s%s%s", dir, path, path + dir, temp_mark, digits);
  else
    errno = ENOMEM;
  return temp;
}

bool ria_temp_belongs(const char *file, char *name, size_t room) {
  const size_t tail = sizeof temp_mark - 1 + TEMP_DIGITS, n = strlen(file);
  if (file[0] != '.' || n < tail + 2 || n - tail - 1 >= room) return false;
  const char *mark = file + n - tail;
  if (strncmp(mark, temp_mark, sizeof temp_mark - 1) != 0) return false;
  if (strspn(mark + sizeof temp_mark - 1, "0123456789abcdef") != TEMP_DIGITS) return false;
  memcpy(name, file + 1, n - tail - 1);
  name[n - tail - 1] = '\0';
  return true;
}

/* What a file that replaces the one at path may be used for: as that one, if it is there. */
static mode_t mode_of(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0 && S_ISREG(st.st_mode) ? st.st_mode & 0777 : 0;
}

int ria_temp_open(const char *path, char **temp) {
  for (int k = 0; k < TEMP_TRIES; k++) {
    *temp = beside(path);
    if (!*temp) return -1;
    int fd = open(*temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd >= 0) {
      const mode_t mode = mode_of(path);
      if (mode) (void)fchmod(fd, mode);
      return fd;
    }
    const int code = errno;
    free(*temp);
    *temp = NULL;
    errno = code;
    if (code != EEXIST) return -1;
  }
  return -1;
}

ria_status ria_temp_dir(const char *path, char **temp, char *err, size_t errsize) {
  *temp = beside(path);
  if (*temp && mkdir(*temp, 0777) == 0) return RIA_OK;
  const int code = errno;
  free(*temp);
  *temp = NULL;
  return ria_error_errno(code, err, errsize, "cannot make directory", path);
}

int ria_fd_write(int fd, const void *bytes, size_t n) {
  const char *data = bytes;
  if (!ria_meter_add(ria_meter_here(), n)) return EDQUOT;
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

/* What must be on disk when the function returns. */
typedef enum put_sync { NOTHING, BYTES, BYTES_AND_NAME } put_sync;

int ria_fd_sync(int fd) {
  if (fsync(fd) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP) return 0;
  return errno;
}

/* 0, or errno. A file is whole only if closing it went well too. */
static int write_file(int fd, const void *data, size_t n, put_sync sync) {
  int code = ria_fd_write(fd, data, n);
  if (!code && sync != NOTHING) code = ria_fd_sync(fd);
  if (close(fd) != 0 && !code && errno != EINTR) code = errno;
  return code;
}

void ria_parent_sync(const char *path) {
  char *dir = parent_of(path);
  const int fd = dir ? open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  free(dir);
  if (fd < 0) return;
  (void)fsync(fd);
  close(fd);
}

static ria_status put(const char *path, const void *data, size_t n, put_sync sync, char *err,
                      size_t errsize) {
  char *temp;
  int fd = ria_temp_open(path, &temp);
  int code = fd < 0 ? errno : write_file(fd, data, n, sync);
  if (!code && rename(temp, path) != 0) code = errno;
  if (code && fd >= 0) unlink(temp);
  free(temp);
  if (code) return ria_error_errno(code, err, errsize, "cannot write", path);
  if (sync == BYTES_AND_NAME) ria_parent_sync(path);
  return RIA_OK;
}

ria_status ria_file_replace(const char *path, const void *data, size_t n, char *err,
                            size_t errsize) {
  return put(path, data, n, BYTES_AND_NAME, err, errsize);
}

ria_status ria_file_put(const char *path, const void *data, size_t n, char *err, size_t errsize) {
  return put(path, data, n, NOTHING, err, errsize);
}

ria_status ria_file_put_bytes(const char *path, const void *data, size_t n, char *err,
                              size_t errsize) {
  return put(path, data, n, BYTES, err, errsize);
}

int ria_disk_open(const char *dir) { return open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC); }

ria_status ria_disk_sync(int disk, const char *path, char *err, size_t errsize) {
#ifdef __linux__
  if (disk >= 0 && syncfs(disk) != 0 && errno != EINVAL && errno != EROFS && errno != ENOSYS)
    return ria_error_errno(errno, err, errsize, "cannot write", path);
#else
  (void)disk, (void)path, (void)err, (void)errsize;
  sync();
#endif
  return RIA_OK;
}
