/* cli_kind.c - what kind of file is this? By its first bytes, as `ria info` tells it.
 *
 * Only regular files are read, and of those the first bytes: a FIFO would make the program wait, a
 * device would never end. */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct magic {
  const char *bytes;
  size_t n;
  const char *name;
} magics[] = {
    {"\211PNG\r\n\032\n", 8, "a PNG picture"},
    {"\377\330\377", 3, "a JPEG picture"},
    {"\037\213", 2, "a gzip file"},
    {"PK\3\4", 4, "a ZIP archive"},
    {"\033Lua", 4, "compiled Lua: ria runs scripts as text"},
};

/* The first bytes of a regular file, with a zero behind them; -1 with errno. */
static ssize_t read_head(const char *path, char *head, size_t size) {
  struct stat st;
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return -1;
  ssize_t n = -1;
  if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
    n = read(fd, head, size - 1);
  else
    errno = EINVAL;
  close(fd);
  if (n >= 0) head[n] = '\0';
  return n;
}

bool cli_ends_with(const char *text, const char *end) {
  const size_t n = strlen(text), m = strlen(end);
  return n >= m && strcasecmp(text + n - m, end) == 0;
}

static bool is_tiff(const char *head, size_t n) {
  static const char *const marks[] = {"II*\0", "MM\0*", "II+\0", "MM\0+"};
  for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
    if (n >= 4 && memcmp(head, marks[k], 4) == 0) return true;
  return false;
}

/* ESRI ASCII begins with one of its keys. */
static bool is_ascii_grid(const char *head) {
  static const char *const keys[] = {"ncols", "nrows", "xllcorner", "xllcenter", "cellsize"};
  head += strspn(head, " \t\r\n");
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    if (strncasecmp(head, keys[k], strlen(keys[k])) == 0 &&
        isspace((unsigned char)head[strlen(keys[k])]))
      return true;
  return false;
}

cli_kind cli_kind_of(const char *path, const char **name, bool *raster) {
  char head[4096];
  *name = NULL;
  *raster = false;
  const ssize_t n = read_head(path, head, sizeof head);
  if (n < 0 && errno == ENOENT) *name = ria_raster_by_gdal(path); /* no file: vrt://, NETCDF: */
  *raster = *name != NULL;
  if (n < 0) return *name ? CLI_FOREIGN : CLI_UNREADABLE;
  if (cli_ends_with(path, ".lua")) return CLI_SCRIPT;
  if (cli_ends_with(path, ".asc") || cli_ends_with(path, ".asc.gz")) return CLI_RASTER;
  if (cli_ends_with(path, ".xyz") || cli_ends_with(path, ".xyz.gz")) return CLI_RASTER;
  if (cli_ends_with(path, ".tif") || cli_ends_with(path, ".tiff") || is_tiff(head, (size_t)n))
    return CLI_RASTER;
  *name = ria_raster_by_gdal(path);
  *raster = *name != NULL;
  if (*name) return CLI_FOREIGN;
  for (size_t k = 0; k < sizeof magics / sizeof *magics; k++)
    if ((size_t)n >= magics[k].n && memcmp(head, magics[k].bytes, magics[k].n) == 0) {
      *name = magics[k].name;
      return CLI_FOREIGN;
    }
  if (memchr(head, '\0', (size_t)n)) {
    *name = "no text, of a kind that ria does not know";
    return CLI_FOREIGN;
  }
  if (is_ascii_grid(head)) return CLI_RASTER;
  if (cli_ends_with(path, ".csv") || cli_ends_with(path, ".txt") || cli_ends_with(path, ".dat"))
    return CLI_TABLE;
  if (cli_ends_with(path, ".json")) {
    *name = "JSON";
    return CLI_FOREIGN;
  }
  return CLI_SCRIPT;
}
