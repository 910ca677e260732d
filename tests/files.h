/* tests/files.h - a scratch directory for a test program, and files in it.
 *
 *   int main(void) {
 *     files_begin();
 *     files_put("a.csv", "t,v\n0,1\n");   -> its path
 *     ...
 *     files_end();
 *   }
 */
#ifndef RIA_TEST_FILES_H
#define RIA_TEST_FILES_H
#include "io/file.h"
#include "test.h"
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

static char files_dir[256];
static char files_room[4][320]; /* paths handed out, the last few of which are valid */

TEST_UNUSED static void files_begin(void) {
  const char *tmp = getenv("TMPDIR");
  snprintf(files_dir, sizeof files_dir, "%s/ria-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");
  if (!mkdtemp(files_dir)) {
    perror(files_dir);
    exit(1);
  }
}

TEST_UNUSED static void files_end(void) {
  char err[RIA_ERR_TEXT];
  CHECK(ria_tree_remove(files_dir, err, sizeof err) == RIA_OK);
}

TEST_UNUSED static const char *files_path(const char *name) {
  static int turn;
  char *path = files_room[turn++ % 4];
  snprintf(path, sizeof files_room[0], "%s/%s", files_dir, name);
  return path;
}

/* One that is there is not emptied first: ext4 writes a file that was emptied and filled again to
 * the disk when it is closed, and a test that puts thousands would wait for that. */
TEST_UNUSED static const char *files_put_bytes(const char *name, const void *data, size_t n) {
  const char *path = files_path(name);
  FILE *f = fopen(path, "r+b");
  if (!f) f = fopen(path, "wb");
  CHECK(f && fwrite(data, 1, n, f) == n && fflush(f) == 0 && ftruncate(fileno(f), (off_t)n) == 0);
  if (f) CHECK(fclose(f) == 0);
  return path;
}

TEST_UNUSED static const char *files_put(const char *name, const char *text) {
  return files_put_bytes(name, text, strlen(text));
}

TEST_UNUSED static const char *files_put_gzip(const char *name, const char *text) {
  const char *path = files_path(name);
  gzFile f = gzopen(path, "wb");
  CHECK(f && gzwrite(f, text, (unsigned)strlen(text)) == (int)strlen(text));
  if (f) CHECK(gzclose(f) == Z_OK);
  return path;
}

/* The first `most` bytes of a file as text; "" when it is not there. */
TEST_UNUSED static const char *files_get(const char *path) {
  static char text[1 << 16];
  FILE *f = fopen(path, "rb");
  size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f) fclose(f);
  text[n] = '\0';
  return text;
}

/* --- damage -------------------------------------------------------------------------------------
 * Random changes to a valid file, the same in every run. */

TEST_UNUSED static uint32_t files_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33);
}

/* Change `text` (n of at most `room` bytes) in 1 to 6 places: a byte becomes another one, goes, is
 * doubled, or a piece is copied or cut off. Returns the new length. */
TEST_UNUSED static size_t files_damage(uint64_t *state, char *text, size_t n, size_t room) {
  static const char likely[] = "0123456789-+.eE,;\t \n\r\"#:TZnaif\0\xff";
  for (uint32_t k = 1 + files_random(state) % 6; k > 0 && n > 0; k--) {
    size_t at = files_random(state) % n, piece = 1 + files_random(state) % 20;
    if (piece > n - at) piece = n - at;
    switch (files_random(state) % 5) {
    case 0:
      text[at] = likely[files_random(state) % (sizeof likely - 1)];
      break;
    case 1:
      text[at] = (char)files_random(state);
      break;
    case 2:
      memmove(text + at, text + at + piece, n - at - piece);
      n -= piece;
      break;
    case 3:
      if (n + piece > room) break;
      memmove(text + at + piece, text + at, n - at);
      n += piece;
      break;
    default:
      if (files_random(state) % 8 == 0) n = at;
      break;
    }
  }
  return n;
}

#endif
