/* cli_scratch.c - a directory for results that nobody wants: `ria check` runs a script up to its
 * first step, and some scripts open outputs on the way.
 *
 * The directory is locked as long as its process lives. One that a killed process left behind is
 * therefore known, and the next check removes it. */
#include "cli.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char prefix[] = "ria-check-";

static const char *scratch_root(void) {
  const char *tmp = getenv("TMPDIR");
  return tmp && *tmp ? tmp : "/tmp";
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw) {
  (void)st;
  (void)type;
  (void)ftw;
  return remove(path);
}

static void remove_tree(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

/* The directory at path, ours and locked; -1 when it is another's, or its process lives. Some file
 * systems have no locks: `anyway` takes it without. */
static int lock_directory(const char *path, bool anyway) {
  struct stat st, there;
  const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  const bool locked = fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
                      (flock(fd, LOCK_EX | LOCK_NB) == 0 || (anyway && errno != EWOULDBLOCK)) &&
                      /* nobody has removed it before it was locked */
                      lstat(path, &there) == 0 && there.st_ino == st.st_ino;
  if (!locked) close(fd);
  return locked ? fd : -1;
}

/* Remove what killed processes have left. */
static void sweep(void) {
  char path[PATH_MAX];
  DIR *d = opendir(scratch_root());
  if (!d) return;
  for (struct dirent *e; (e = readdir(d)) != NULL;) {
    if (strncmp(e->d_name, prefix, sizeof prefix - 1) != 0) continue;
    if (strlen(e->d_name) != sizeof prefix - 1 + 6) continue;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", scratch_root(), e->d_name) >= sizeof path)
      continue;
    const int fd = lock_directory(path, false);
    if (fd < 0) continue;
    remove_tree(path);
    close(fd);
  }
  closedir(d);
}

/* Where nobody sweeps between making and locking it, which is soon after. */
static bool make(cli_scratch *s) {
  for (int tries = 0; tries < 100; tries++) {
    if ((size_t)snprintf(s->path, sizeof s->path, "%s/%sXXXXXX", scratch_root(), prefix) >=
        sizeof s->path) {
      errno = ENAMETOOLONG;
      return false;
    }
    if (!mkdtemp(s->path)) return false;
    s->lock = lock_directory(s->path, true);
    if (s->lock >= 0) return true;
  }
  errno = EBUSY;
  return false;
}

bool cli_scratch_make(const cli_options *o, cli_scratch *s) {
  sweep();
  if (make(s)) return true;
  cli_complain(o, "cannot make a directory like %s/%sXXXXXX: %s", scratch_root(), prefix,
               strerror(errno));
  return false;
}

void cli_scratch_remove(cli_scratch *s) {
  remove_tree(s->path);
  close(s->lock);
}
