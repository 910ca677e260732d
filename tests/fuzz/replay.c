/* replay.c - the targets without a fuzzer: each input of a directory once, in order of names.
 *
 *   fuzz.replay csv seeds/csv          an input that fails ends it; its name is the last one said
 */
#include "targets.h"
#include <dirent.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *now; /* the input at work */
static void say(int signal) {
  if (now) fprintf(stderr, "while replaying %s\n", now);
  (void)signal;
}

/* Sanitizers see a read beyond the bytes: the copy has no more. */
static int replay(target_fn *fn, const char *path) {
  struct stat st;
  FILE *f = fopen(path, "rb");
  if (!f || fstat(fileno(f), &st) != 0) return fprintf(stderr, "cannot read %s\n", path), 1;
  const size_t n = (size_t)st.st_size;
  uint8_t *data = malloc(n ? n : 1);
  const int whole = data && fread(data, 1, n, f) == n;
  fclose(f);
  now = path;
  if (whole) fn(data, n);
  now = NULL;
  free(data);
  return whole ? 0 : 1;
}

static int is_input(const struct dirent *e) { return e->d_name[0] != '.'; }

static int replay_all(target_fn *fn, const char *dir) {
  struct dirent **entry;
  const int n = scandir(dir, &entry, is_input, alphasort);
  int failed = n <= 0; /* without inputs nothing is tested */
  if (failed) fprintf(stderr, "no inputs in %s\n", dir);
  for (int k = 0; k < n; k++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, entry[k]->d_name);
    failed |= replay(fn, path);
    free(entry[k]);
  }
  if (n >= 0) free(entry);
  return failed;
}

int main(int argc, char **argv) {
  target_fn *fn = argc >= 3 ? find(argv[1]) : NULL;
  struct stat st;
  int failed = 0;
  if (!fn) return fprintf(stderr, "usage: fuzz.replay TARGET FILE|DIRECTORY ...\n"), 2;
  signal(SIGABRT, say);
  for (int k = 2; k < argc; k++)
    failed |= stat(argv[k], &st) == 0 && S_ISREG(st.st_mode) ? replay(fn, argv[k])
                                                             : replay_all(fn, argv[k]);
  return failed;
}
