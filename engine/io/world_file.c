/* io/world_file.c - the small files beside a picture by which a GIS places it. */
#include "io/world_file.h"
#include "base/text.h"
#include "io/crs.h"
#include "io/csv.h"
#include "io/file.h"
#include "io/frame_draw.h"

#include <stdlib.h>
#include <string.h>

enum { WORLD, PROJECTION, AUXILIARY };

const char *const ria_world_endings[] = {
    [WORLD] = ".pgw", [PROJECTION] = ".prj", [AUXILIARY] = ".png.aux.xml", [AUXILIARY + 1] = NULL};

/* The step to the next column and to the row below, and the centre of the first pixel. */
static void add_place(const ria_frame_input *in, ria_buffer *out) {
  frame_layout l;
  ria_frame_lay_out(in, &l);
  const ria_grid *g = &in->grid;
  const double dx = g->nx * g->dx / l.map.w, dy = g->ny * g->dy / l.map.h;
  double c, s, x = g->x0 + 0.5 * dx, y = g->y0 + g->ny * g->dy - 0.5 * dy;
  ria_grid_axes(g, &c, &s);
  ria_grid_to_map(g, &x, &y);
  const double line[6] = {c * dx, s * dx, s * dy, 0.0 - c * dy, x, y};
  for (int k = 0; k < 6; k++) {
    char number[32];
    ria_format_double(line[k], number);
    ria_buffer_format(out, "%s\n", number);
  }
}

static void add_xml(ria_buffer *out, const char *text) {
  for (; *text; text++) {
    if (*text == '&')
      ria_buffer_text(out, "&amp;");
    else if (*text == '<')
      ria_buffer_text(out, "&lt;");
    else
      ria_buffer_add(out, text, 1);
  }
}

static void add_auxiliary(const char *crs, ria_buffer *out) {
  ria_buffer_text(out, "<PAMDataset>\n  <SRS>");
  add_xml(out, crs);
  ria_buffer_text(out, "</SRS>\n</PAMDataset>\n");
}

/* What goes into the file of this kind; nothing: there is none. */
static void fill(const ria_frame_input *in, int kind, const char *crs, ria_buffer *out) {
  if (kind == WORLD)
    add_place(in, out);
  else if (ria_crs_given(crs) && kind == PROJECTION)
    ria_crs_wkt(crs, out);
  else if (ria_crs_given(crs))
    add_auxiliary(crs, out);
}

unsigned ria_world_files_of(const char *crs) {
  unsigned set = 1u << WORLD;
  for (int kind = PROJECTION; kind <= AUXILIARY; kind++) {
    ria_buffer text = {0};
    fill(NULL, kind, crs, &text);
    if (text.n || text.failed) set |= 1u << kind;
    ria_buffer_free(&text);
  }
  return set;
}

static ria_status put(const char *png, const char *ending, const ria_buffer *text, char *err,
                      size_t errsize) {
  const size_t stem = strlen(png) - strlen(".png"), room = stem + strlen(ending) + 1;
  char *path = text->failed ? NULL : malloc(room);
  if (!path) return ria_error_text(RIA_ERR_MEMORY, err, errsize, "out of memory for a world file");
  memcpy(path, png, stem);
  memcpy(path + stem, ending, room - stem);
  const ria_status s = ria_file_put_bytes(path, text->data, text->n, err, errsize);
  free(path);
  return s;
}

ria_status ria_world_files_put(const ria_frame_input *in, const char *png, const char *crs,
                               char *err, size_t errsize) {
  ria_status s = RIA_OK;
  for (int kind = WORLD; s == RIA_OK && kind <= AUXILIARY; kind++) {
    ria_buffer text = {0};
    fill(in, kind, crs, &text);
    if (text.n || text.failed) s = put(png, ria_world_endings[kind], &text, err, errsize);
    ria_buffer_free(&text);
  }
  return s;
}
