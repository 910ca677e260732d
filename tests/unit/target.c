/* tests/unit/target.c - files that the user names: what is at the path decides. */
#include "io/target.h"
#include "files.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static char err[RIA_ERR_TEXT];

static ria_status write_to(const char *path) {
  err[0] = '\0';
  return ria_target_write(NULL, path, "new", 3, err, sizeof err);
}

static mode_t mode_of(const char *path) {
  struct stat st;
  return lstat(path, &st) == 0 ? st.st_mode : 0;
}

static int count_entries(const char *name) {
  int n = 0;
  char command[400];
  snprintf(command, sizeof command, "ls -A '%s' | wc -l", files_path(name));
  FILE *f = popen(command, "r");
  CHECK(f && fscanf(f, "%d", &n) == 1);
  if (f) pclose(f);
  return n;
}

static void regular_files(void) {
  const char *path = files_put("a.txt", "old");
  CHECK(chmod(path, 0640) == 0);
  CHECK_INT(write_to(path), RIA_OK);
  CHECK_TEXT(files_get(path), "new");
  CHECK_INT(mode_of(path) & 07777, 0640);
  CHECK_INT(write_to(files_path("fresh.txt")), RIA_OK);
  CHECK_TEXT(files_get(files_path("fresh.txt")), "new");
  CHECK_INT(write_to(files_path("none/a.txt")), RIA_ERR_OUTPUT);
  CHECK_HOLDS(err, "none/a.txt': No such file or directory");
}

/* The link stays; the file behind it is replaced, or made. */
static void links(void) {
  files_put("aim.txt", "old");
  CHECK(chmod(files_path("aim.txt"), 0600) == 0);
  CHECK(symlink("aim.txt", files_path("one")) == 0 && symlink("one", files_path("two")) == 0);
  CHECK_INT(write_to(files_path("two")), RIA_OK);
  CHECK(S_ISLNK(mode_of(files_path("two"))) && S_ISLNK(mode_of(files_path("one"))));
  CHECK_TEXT(files_get(files_path("aim.txt")), "new");
  CHECK_INT(mode_of(files_path("aim.txt")) & 07777, 0600);

  CHECK(symlink("not yet.txt", files_path("ahead")) == 0);
  CHECK_INT(write_to(files_path("ahead")), RIA_OK);
  CHECK_TEXT(files_get(files_path("not yet.txt")), "new");
  CHECK(S_ISLNK(mode_of(files_path("ahead"))));

  CHECK(symlink("round", files_path("round")) == 0);
  CHECK_INT(write_to(files_path("round")), RIA_ERR_OUTPUT);
  CHECK_HOLDS(err, "round': Too many levels of symbolic links");
}

static void fifo(void) {
  const char *path = files_path("fifo");
  char got[8] = "";
  CHECK(mkfifo(path, 0600) == 0);
  CHECK_INT(write_to(path), RIA_ERR_OUTPUT);
  CHECK_HOLDS(err, "fifo': nobody reads from it");
  const int reader = open(path, O_RDONLY | O_NONBLOCK);
  CHECK_INT(write_to(path), RIA_OK);
  CHECK(read(reader, got, sizeof got) == 3);
  CHECK_TEXT(got, "new");
  /* a reader that goes away is an error, not the end of the process */
  ria_target t;
  CHECK_INT(ria_target_open(NULL, path, &t, err, sizeof err), RIA_OK);
  close(reader);
  CHECK(write(t.fd, "x", 1) == -1);
  CHECK_INT(ria_target_close(&t, false, err, sizeof err), RIA_OK);
  CHECK(S_ISFIFO(mode_of(path)));
}

static void nodes(void) {
  struct stat st;
  if (stat("/dev/full", &st) == 0) {
    CHECK(symlink("/dev/full", files_path("full")) == 0);
    CHECK_INT(write_to(files_path("full")), RIA_ERR_OUTPUT);
    CHECK_HOLDS(err, "full': No space left on device");
    CHECK(S_ISCHR(mode_of("/dev/full")) && S_ISLNK(mode_of(files_path("full"))));
  }
  CHECK_INT(write_to("/dev/null"), RIA_OK);
  CHECK(S_ISCHR(mode_of("/dev/null")));
  CHECK(mkdir(files_path("dir"), 0777) == 0);
  CHECK_INT(write_to(files_path("dir")), RIA_ERR_OUTPUT);
  CHECK_HOLDS(err, "dir': it is a directory");

  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const int s = socket(AF_UNIX, SOCK_STREAM, 0);
  const int n = snprintf(address.sun_path, sizeof address.sun_path, "%s", files_path("socket"));
  if (n < (int)sizeof address.sun_path &&
      bind(s, (struct sockaddr *)&address, sizeof address) == 0) {
    CHECK_INT(write_to(files_path("socket")), RIA_ERR_OUTPUT);
    CHECK_HOLDS(err, "socket': it is a socket");
  }
  close(s);
}

/* A full disk leaves what was there, its mode, and nothing beside it. */
static void full_disk(void) {
  struct rlimit limit, small;
  CHECK(mkdir(files_path("narrow"), 0777) == 0);
  files_put("narrow/a.txt", "old");
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &limit);
  small = (struct rlimit){.rlim_cur = 2, .rlim_max = limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const ria_status s = write_to(files_path("narrow/a.txt"));
  setrlimit(RLIMIT_FSIZE, &limit);
  CHECK_INT(s, RIA_ERR_OUTPUT);
  CHECK_HOLDS(err, "narrow/a.txt': File too large");
  CHECK_TEXT(files_get(files_path("narrow/a.txt")), "old");
  CHECK_INT(count_entries("narrow"), 1);
}

int main(void) {
  files_begin();
  regular_files();
  links();
  fifo();
  nodes();
  full_disk();
  files_end();
  return TEST_END();
}
