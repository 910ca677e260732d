/* io/tiff_world.c - where the cells of a TIFF lie that does not say so itself: by a world file.
 *
 * Six numbers: the size of a cell along x, what a step along a row adds to y, what one to the next
 * row adds to x, the size along y (below 0 from the north), and the centre of the first cell. */
#include "io/number.h"
#include "io/text_file.h"
#include "io/tiff.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST = 4096 };

/* The path with another ending, in small letters or capitals; false: there is no such file. */
static bool find_ending(const char *path, int stem, const char *ending, char to[PATH_MAX]) {
  for (int capitals = 0; capitals < 2; capitals++) {
    const int n = snprintf(to, PATH_MAX, "%.*s.%s", stem, path, ending);
    if (n >= PATH_MAX) return false;
    for (char *c = to + stem; *c; c++)
      *c = (char)(capitals ? toupper((unsigned char)*c) : tolower((unsigned char)*c));
    if (access(to, F_OK) == 0) return true;
  }
  return false;
}

/* The path of the world file beside `path`: as GDAL looks for them, of bay.tiff bay.tfw, bay.tiffw,
 * bay.wld. false: there is none. */
static bool find_beside(const char *path, char to[PATH_MAX]) {
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  const int stem = dot ? (int)(dot - path) : (int)strlen(path);
  char whole[32] = "tifw";
  if (dot && dot[1]) snprintf(whole, sizeof whole, "%.30sw", dot + 1);
  const size_t n = strlen(whole);
  const char brief[] = {whole[0], n > 1 ? whole[n - 2] : 'f', 'w', '\0'};
  return find_ending(path, stem, brief, to) || find_ending(path, stem, whole, to) ||
         find_ending(path, stem, "wld", to);
}

static bool parse_six(const char *s, double v[6]) {
  for (int k = 0; k < 6; k++) {
    while (isspace((unsigned char)*s)) s++;
    size_t n = 0;
    while (s[n] && !isspace((unsigned char)s[n])) n++;
    if (!ria_number_parse(s, n, &v[k])) return false;
    s += n;
  }
  return s[strspn(s, " \t\r\n")] == '\0';
}

static ria_status check_six(const ria_tiff_file *f, const char *beside, const double v[6]) {
  for (int k = 0; k < 6; k++)
    if (!isfinite(v[k]))
      return ria_fail(f->ctx, RIA_ERR_INPUT, "%s: number %d of a world file must be finite, not %g",
                      beside, k + 1, v[k]);
  if (hypot(v[0], v[1]) > 0.0 && hypot(v[2], v[3]) > 0.0) return RIA_OK;
  return ria_fail(f->ctx, RIA_ERR_INPUT,
                  "%s: a cell of %g x %g has no size (numbers 1 and 4 of a world file)", beside,
                  v[0], v[3]);
}

/* A FIFO would make the run wait. */
static ria_status read_numbers(const ria_tiff_file *f, const char *beside, double v[6]) {
  struct stat st;
  char *text;
  size_t n;
  if (stat(beside, &st) != 0 || !S_ISREG(st.st_mode))
    return ria_fail(f->ctx, RIA_ERR_INPUT, "%s: a world file is read from a regular file", beside);
  RIA_TRY(ria_text_slurp(f->ctx, beside, LONGEST, &text, &n));
  const bool read = strlen(text) == n && parse_six(text, v);
  free(text);
  if (read) return check_six(f, beside, v);
  return ria_fail(f->ctx, RIA_ERR_INPUT, "%s: a world file has six numbers, one a line", beside);
}

ria_status ria_tiff_world_read(const ria_tiff_file *f, double t[6], bool *found) {
  char beside[PATH_MAX];
  double v[6];
  *found = find_beside(f->path, beside);
  if (!*found) return RIA_OK;
  RIA_TRY(read_numbers(f, beside, v));
  const double affine[6] = {v[4] - 0.5 * (v[0] + v[2]), v[0], v[2],
                            v[5] - 0.5 * (v[1] + v[3]), v[1], v[3]};
  memcpy(t, affine, sizeof affine);
  return RIA_OK;
}
