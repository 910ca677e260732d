/* io/tiff_world.c - where the cells of a TIFF lie that does not say so itself: by a world file.
 *
 * Six numbers: the size of a cell along x, what a step along a row adds to y, what one to the next
 * row adds to x, the size along y (below 0 from the north), and the centre of the first cell. */
#include "io/number.h"
#include "io/text_file.h"
#include "io/tiff.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 4096 };

/* The path of the world file beside `path`; false: there is none. */
static bool find_beside(const char *path, char to[PATH_MAX]) {
  static const char *const endings[] = {"tfw", "TFW", "tifw", "wld"};
  const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
  const int stem = dot ? (int)(dot - path) : (int)strlen(path);
  for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
    if (snprintf(to, PATH_MAX, "%.*s.%s", stem, path, endings[k]) < PATH_MAX &&
        access(to, F_OK) == 0)
      return true;
  return false;
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

ria_status ria_tiff_world_read(const ria_tiff_file *f, double t[6], bool *found) {
  char beside[PATH_MAX], *text;
  double v[6];
  size_t n;
  *found = find_beside(f->path, beside);
  if (!*found) return RIA_OK;
  RIA_TRY(ria_text_slurp(f->ctx, beside, LONGEST, &text, &n));
  const bool read = parse_six(text, v);
  free(text);
  if (!read)
    return ria_fail(f->ctx, RIA_ERR_INPUT, "%s: a world file has six numbers, one a line", beside);
  const double affine[6] = {v[4] - 0.5 * (v[0] + v[2]), v[0], v[2],
                            v[5] - 0.5 * (v[1] + v[3]), v[1], v[3]};
  memcpy(t, affine, sizeof affine);
  return RIA_OK;
}
