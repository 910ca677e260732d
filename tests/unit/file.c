/* unit.file: files appear whole or not at all. */
#include "io/file.h"
#include "test.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[64] = "/tmp/ria-file-XXXXXX";
static char err[RIA_ERR_TEXT];

static const char *in_dir(const char *name) {
  static char path[4][256];
  static int k;
  k = (k + 1) % 4;
  snprintf(path[k], sizeof path[k], "%s/%s", dir, name);
  return path[k];
}

static void read_back(const char *path, char *text, size_t size) {
  text[0] = '\0';
  FILE *f = fopen(path, "rb");
  if (!f) return;
  text[fread(text, 1, size - 1, f)] = '\0';
  fclose(f);
}

static int entries(const char *path) {
  int n = 0;
  DIR *d = opendir(path);
  if (!d) return -1;
  while (readdir(d)) n++;
  closedir(d);
  return n - 2;
}

static void replaces(void) {
  char text[64];
  const char *path = in_dir("a.txt");
  CHECK(!ria_file_exists(path));
  CHECK_INT(ria_file_replace(path, "first", 5, err, sizeof err), RIA_OK);
  read_back(path, text, sizeof text);
  CHECK_TEXT(text, "first");
  CHECK_INT(ria_file_replace(path, "second", 6, err, sizeof err), RIA_OK);
  read_back(path, text, sizeof text);
  CHECK_TEXT(text, "second");
  CHECK_INT(ria_file_replace(in_dir("empty"), NULL, 0, err, sizeof err), RIA_OK);
  CHECK_INT(entries(dir), 2);
}

static void puts_many_at_once(void) {
  char text[64];
  int disk = ria_disk_open(dir);
  CHECK(disk >= 0);
  CHECK_INT(ria_file_put(in_dir("a.txt"), "third", 5, err, sizeof err), RIA_OK);
  CHECK_INT(ria_disk_sync(disk, dir, err, sizeof err), RIA_OK);
  read_back(in_dir("a.txt"), text, sizeof text);
  CHECK_TEXT(text, "third");
  CHECK_INT(ria_file_put(in_dir("a.txt"), "second", 6, err, sizeof err), RIA_OK);
  CHECK_INT(ria_file_put(in_dir("none/a.txt"), "x", 1, err, sizeof err), RIA_ERR_OUTPUT);
  CHECK_INT(entries(dir), 2);
  close(disk);
  CHECK_INT(ria_disk_open(in_dir("none")), -1);
  CHECK_INT(ria_disk_sync(-1, dir, err, sizeof err), RIA_OK);
}

static void missing_directory(void) {
  char expected[300];
  const char *path = in_dir("none/a.txt");
  snprintf(expected, sizeof expected, "cannot write '%s': No such file or directory", path);
  CHECK_INT(ria_file_replace(path, "x", 1, err, sizeof err), RIA_ERR_OUTPUT);
  CHECK_TEXT(err, expected);
}

/* A disk that is full half way through: the limit on the size of files stands in for it. */
static void full_disk_leaves_the_old_file(void) {
  char text[64], *big = calloc(1, 1 << 20);
  const char *path = in_dir("a.txt");
  struct rlimit before, small = {.rlim_cur = 4096};
  CHECK(big != NULL);
  getrlimit(RLIMIT_FSIZE, &before);
  small.rlim_max = before.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  ria_status s = ria_file_replace(path, big, 1 << 20, err, sizeof err);
  ria_status fresh = ria_file_replace(in_dir("b.txt"), big, 1 << 20, err, sizeof err);
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK_INT(s, RIA_ERR_OUTPUT);
  CHECK_INT(fresh, RIA_ERR_OUTPUT);
  CHECK_HOLDS(err, "b.txt': File too large");
  read_back(path, text, sizeof text);
  CHECK_TEXT(text, "second");
  CHECK(!ria_file_exists(in_dir("b.txt")));
  CHECK_INT(entries(dir), 2);
  free(big);
}

static void target_is_a_directory(void) {
  CHECK_INT(ria_dir_make(in_dir("taken"), err, sizeof err), RIA_OK);
  CHECK_INT(ria_file_replace(in_dir("taken"), "x", 1, err, sizeof err), RIA_ERR_OUTPUT);
  CHECK_HOLDS(err, "Is a directory");
  CHECK_INT(entries(dir), 3);
}

static void directories(void) {
  CHECK_INT(ria_dir_make(in_dir("p/q/r/"), err, sizeof err), RIA_OK);
  CHECK_INT(ria_dir_make(in_dir("p/q/r"), err, sizeof err), RIA_OK);
  CHECK(ria_file_exists(in_dir("p/q/r")));
  CHECK_INT(ria_file_replace(in_dir("p/file"), "x", 1, err, sizeof err), RIA_OK);
  CHECK_INT(ria_dir_make(in_dir("p/file/below"), err, sizeof err), RIA_ERR_OUTPUT);
  CHECK_HOLDS(err, "p/file': ");
  CHECK_INT(ria_dir_make(in_dir("p/file"), err, sizeof err), RIA_ERR_OUTPUT);
  CHECK_HOLDS(err, "p/file': Not a directory");
  CHECK_INT(ria_dir_make("", err, sizeof err), RIA_ERR_OUTPUT);
}

static void removes_trees_but_not_through_links(void) {
  char text[64];
  CHECK_INT(ria_file_replace(in_dir("kept"), "kept", 4, err, sizeof err), RIA_OK);
  CHECK(symlink(in_dir("kept"), in_dir("p/q/link")) == 0);
  CHECK(symlink(dir, in_dir("p/up")) == 0);
  CHECK_INT(ria_tree_remove(in_dir("p"), err, sizeof err), RIA_OK);
  CHECK(!ria_file_exists(in_dir("p")));
  read_back(in_dir("kept"), text, sizeof text);
  CHECK_TEXT(text, "kept");
  CHECK_INT(ria_tree_remove(in_dir("never was"), err, sizeof err), RIA_OK);
}

static void short_messages_are_cut(void) {
  char small[16];
  CHECK_INT(ria_file_replace(in_dir("none/x"), "x", 1, small, sizeof small), RIA_ERR_OUTPUT);
  CHECK_TEXT(small, "cannot write '/");
}

int main(void) {
  if (!CHECK(mkdtemp(dir) != NULL)) return TEST_END();
  replaces();
  puts_many_at_once();
  missing_directory();
  full_disk_leaves_the_old_file();
  target_is_a_directory();
  directories();
  removes_trees_but_not_through_links();
  short_messages_are_cut();
  CHECK_INT(ria_tree_remove(dir, err, sizeof err), RIA_OK);
  return TEST_END();
}
