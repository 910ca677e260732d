/* io/gdal_kind.c - which files are for GDAL: by their first bytes, by their names. */
#include "io/gdal.h"

#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
  const char *bytes;
  size_t n;
  const char *kind;
} heads[] = {
    {"CDF\1", 4, "a netCDF file"},
    {"CDF\2", 4, "a netCDF file (64-bit offsets)"},
    {"CDF\5", 4, "a netCDF file (64-bit data)"},
    {"\211HDF\r\n\032\n", 8, "an HDF5 or netCDF-4 file"},
    {"SQLite format 3", 16, "a SQLite file, perhaps a GeoPackage"},
    {"<VRTDataset", 11, "a virtual raster of GDAL"},
    {"DSAA", 4, "a grid of Surfer"},
    {"DSBB", 4, "a grid of Surfer"},
    {"DSRB", 4, "a grid of Surfer"},
    {"EHFA_HEADER_TAG", 15, "an Erdas Imagine file"},
    {"GRIB", 4, "a GRIB file"},
    {"\0\0\0\14jP  ", 8, "a JPEG 2000 picture"},
};

/* Whose first bytes say nothing. */
static const struct {
  const char *end, *kind;
} ends[] = {
    {".nc", "a netCDF file"},
    {".vrt", "a virtual raster of GDAL"},
    {".gpkg", "a GeoPackage"},
    {".flt", "a grid of raw floats"},
    {".bil", "a grid of raw numbers"},
    {".hgt", "a tile of SRTM"},
    {".dem", "a DEM of the USGS"},
    {".dt1", "a DTED file"},
    {".dt2", "a DTED file"},
    {".sdat", "a grid of SAGA"},
    {".rst", "a grid of Idrisi"},
    {".adf", "a grid of Arc/Info"},
    {".img", "an Erdas Imagine file"},
    {".mbtiles", "a set of tiles"},
    {".bag", "a BAG file"},
    {".kea", "a KEA file"},
};

/* Names that only GDAL understands, of files on this machine alone. */
static const char *const prefixes[] = {"NETCDF:", "HDF5:",  "GPKG:",    "GTIFF_DIR:", "ZARR:",
                                       "BAG:",    "vrt://", "/vsizip/", "/vsigzip/",  "/vsitar/"};

static const char *by_head(const char *path) {
  char head[32] = "";
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  const ssize_t n = fd >= 0 ? read(fd, head, sizeof head) : 0;
  if (fd >= 0) close(fd);
  for (size_t k = 0; k < sizeof heads / sizeof *heads; k++)
    if (n >= (ssize_t)heads[k].n && memcmp(head, heads[k].bytes, heads[k].n) == 0)
      return heads[k].kind;
  return NULL;
}

const char *ria_raster_by_gdal(const char *path) {
  const size_t n = strlen(path);
  for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++)
    if (strncmp(path, prefixes[k], strlen(prefixes[k])) == 0) return "a name of GDAL's";
  struct stat st;
  if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return NULL;
  const char *kind = by_head(path);
  for (size_t k = 0; !kind && k < sizeof ends / sizeof *ends; k++) {
    const size_t m = strlen(ends[k].end);
    if (n > m && strcasecmp(path + n - m, ends[k].end) == 0) kind = ends[k].kind;
  }
  return kind;
}
