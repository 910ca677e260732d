/* export/xdmf.c - XDMF 2: XML that says where in a .bin beside it each frame of each field lies.
 *
 * Axes are named from the last: z, y, x. The grid is a regular mesh of one layer, or, where it is
 * turned, one whose corners are written out. */
#include "base/context.h"
#include "export/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct xdmf {
  ria_export_job *job;
  const char *bin; /* the name of the .bin */
  uint64_t *at;    /* [n_fields] where in it the first frame lies; the others follow in order */
} xdmf;

static uint64_t frame_bytes(const ria_export_job *job, size_t field) {
  return (uint64_t)ria_export_size(job, job->field[field]) * (uint64_t)job->grid->nx *
         (uint64_t)job->grid->ny;
}

static size_t frames_of(const ria_export_job *job, size_t field) {
  return ria_store_has(job->store, job->field[field]) ? job->n_frames : 1;
}

/* --- the numbers ------------------------------------------------------------------------------ */

/* x and y of each corner of a cell on the map, [ny + 1][nx + 1][2]. */
static void put_corners(const ria_grid *g, ria_export_file *f) {
  for (int j = 0; j <= g->ny; j++)
    for (int i = 0; i <= g->nx; i++) {
      double p[2] = {g->x0 + i * g->dx, g->y0 + j * g->dy};
      ria_grid_to_map(g, &p[0], &p[1]);
      ria_export_numbers(f, p, 2, 8, false);
    }
}

static ria_status put_numbers(const xdmf *x, ria_export_file *f) {
  ria_export_job *job = x->job;
  if (job->grid->angle != 0.0) put_corners(job->grid, f);
  for (size_t k = 0; k < job->n_fields; k++)
    for (size_t t = 0; t < frames_of(job, k) && !f->code; t++)
      RIA_TRY(ria_export_frame(job, f, job->field[k],
                               ria_store_has(job->store, job->field[k]) ? job->frame[t] : 0,
                               false));
  return RIA_OK;
}

static ria_status write_numbers(const xdmf *x, const char *path) {
  ria_export_file f;
  RIA_TRY(ria_export_open(x->job, path, &f));
  return ria_export_close(&f, put_numbers(x, &f));
}

/* --- the XML ---------------------------------------------------------------------------------- */

static void put_item(const xdmf *x, ria_export_file *f, int bytes, uint64_t at, const char *shape) {
  ria_export_text(f,
                  "<DataItem Format=\"Binary\" NumberType=\"Float\" Precision=\"%d\" "
                  "Endian=\"Little\" Seek=\"%llu\" Dimensions=\"%s\">",
                  bytes, (unsigned long long)at, shape);
  ria_export_escaped(f, x->bin);
  ria_export_text(f, "</DataItem>");
}

static void put_mesh(const xdmf *x, ria_export_file *f) {
  const ria_grid *g = x->job->grid;
  char shape[64];
  if (g->angle != 0.0) {
    snprintf(shape, sizeof shape, "%d %d 2", g->ny + 1, g->nx + 1);
    ria_export_text(f,
                    "        <Topology TopologyType=\"2DSMesh\" Dimensions=\"%d %d\"/>\n"
                    "        <Geometry GeometryType=\"XY\">",
                    g->ny + 1, g->nx + 1);
    put_item(x, f, 8, 0, shape);
    ria_export_text(f, "</Geometry>\n");
    return;
  }
  ria_export_text(f,
                  "        <Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"1 %d %d\"/>\n"
                  "        <Geometry GeometryType=\"ORIGIN_DXDYDZ\">",
                  g->ny + 1, g->nx + 1);
  ria_export_text(f, "<DataItem Format=\"XML\" Dimensions=\"3\">0 %.17g %.17g</DataItem>", g->y0,
                  g->x0);
  ria_export_text(f, "<DataItem Format=\"XML\" Dimensions=\"3\">1 %.17g %.17g</DataItem>", g->dy,
                  g->dx);
  ria_export_text(f, "</Geometry>\n");
}

/* The t-th of the frames that are exported. */
static void put_frame(const xdmf *x, ria_export_file *f, size_t t) {
  const ria_export_job *job = x->job;
  const ria_grid *g = job->grid;
  char shape[64];
  snprintf(shape, sizeof shape, g->angle != 0.0 ? "%d %d" : "1 %d %d", g->ny, g->nx);
  ria_export_text(f, "      <Grid Name=\"");
  ria_export_escaped(f, job->name);
  ria_export_text(f, "\" GridType=\"Uniform\">\n");
  if (job->timed)
    ria_export_text(f, "        <Time Value=\"%.17g\"/>\n", ria_export_time(job, job->frame[t]));
  put_mesh(x, f);
  for (size_t k = 0; k < job->n_fields; k++) {
    const uint64_t later = frames_of(job, k) > 1 ? t * frame_bytes(job, k) : 0;
    ria_export_text(f, "        <Attribute Name=\"");
    ria_export_escaped(f, job->field[k]);
    ria_export_text(f, "\" AttributeType=\"Scalar\" Center=\"Cell\">");
    put_item(x, f, ria_export_size(job, job->field[k]), x->at[k] + later, shape);
    ria_export_text(f, "</Attribute>\n");
  }
  ria_export_text(f, "      </Grid>\n");
}

static ria_status write_xml(const xdmf *x) {
  ria_export_job *job = x->job;
  ria_export_file f;
  RIA_TRY(ria_export_open(job, job->path, &f));
  ria_export_text(&f, "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n  <Domain>\n"
                      "    <Grid GridType=\"Collection\" CollectionType=\"Temporal\">\n");
  for (size_t t = 0; t < (job->timed ? job->n_frames : 1); t++) put_frame(x, &f, t);
  ria_export_text(&f, "    </Grid>\n  </Domain>\n</Xdmf>\n");
  return ria_export_close(&f, RIA_OK);
}

ria_status ria_export_xdmf(ria_export_job *job) {
  const ria_grid *g = job->grid;
  xdmf x = {.job = job, .at = calloc(job->n_fields, sizeof *x.at)};
  char *path = ria_export_beside(job->path, ".bin");
  ria_status status =
      path && x.at ? RIA_OK : ria_fail_memory(job->ctx, "an export", 8 * job->n_fields);
  uint64_t at = g->angle != 0.0 ? 16 * ((uint64_t)g->nx + 1) * ((uint64_t)g->ny + 1) : 0;
  for (size_t k = 0; k < job->n_fields && status == RIA_OK; k++) {
    x.at[k] = at;
    at += frames_of(job, k) * frame_bytes(job, k);
  }
  if (status == RIA_OK) {
    x.bin = ria_export_last(path);
    status = write_numbers(&x, path);
  }
  if (status == RIA_OK) status = write_xml(&x);
  free(path);
  free(x.at);
  return status;
}
