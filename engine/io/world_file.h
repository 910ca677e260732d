/* io/world_file.h - the small files beside a picture by which a GIS places it.
 *
 *   <picture>.pgw          six lines: size of a pixel, rotation, centre of the upper left pixel
 *   <picture>.prj          the coordinate system as WKT, where it is known in full
 *   <picture>.png.aux.xml  the same by code or WKT: what GDAL, and so QGIS, reads beside a PNG */
#ifndef RIA_IO_WORLD_FILE_H
#define RIA_IO_WORLD_FILE_H
#include "io/frame.h"

/* The endings, which take the place of ".png"; NULL after the last. In a set of them the k-th is
 * bit 1 << k. */
extern const char *const ria_world_endings[];
/* The set of those that are written for this crs; all of them where memory is too short to say. */
unsigned ria_world_files_of(const char *crs);

/* Write the files of the picture at `png` ("..._000012.png"), each whole or not at all. crs:
 * "EPSG:n", WKT, or NULL for local metres, where there is the first file only. in->no_decor holds:
 * the map fills the picture. On any thread. RIA_ERR_OUTPUT, RIA_ERR_MEMORY. */
ria_status ria_world_files_put(const ria_frame_input *in, const char *png, const char *crs,
                               char *err, size_t errsize);

#endif
