/* export/vti.c - ParaView's image data: a file a frame, values of cells behind the XML as they are,
 * and a .pvd that says the time of each. */
#include "base/context.h"
#include "base/text.h"
#include "export/job.h"
#include "io/access.h"
#include "io/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Attributes x="0 120"; the image lies in the plane, one cell thick. */
static void put_place(ria_export_file *f, const ria_grid *g) {
  double c, s;
  ria_export_text(f, "  <ImageData WholeExtent=\"0 %d 0 %d 0 0\" Origin=\"%.17g %.17g 0\" ", g->nx,
                  g->ny, g->x0, g->y0);
  ria_export_text(f, "Spacing=\"%.17g %.17g 1\"", g->dx, g->dy);
  ria_grid_axes(g, &c, &s);
  if (g->angle != 0.0)
    ria_export_text(f, " Direction=\"%.17g %.17g 0 %.17g %.17g 0 0 0 1\"", c, 0.0 - s, s, c);
  ria_export_text(f, ">\n");
}

static ria_status put_array(ria_export_job *job, ria_export_file *f, const char *field,
                            uint64_t *at) {
  const int bytes = ria_export_size(job, field);
  char unit[96];
  RIA_TRY(ria_store_unit(job->ctx, job->store, field, unit, sizeof unit));
  ria_export_text(f, "        <DataArray type=\"Float%d\" Name=\"", 8 * bytes);
  ria_export_escaped(f, field);
  ria_export_text(f, "\" format=\"appended\" offset=\"%llu\">", (unsigned long long)*at);
  if (*unit) {
    ria_export_text(f, "<InformationKey name=\"UNITS_LABEL\" location=\"vtkDataArray\">");
    ria_export_escaped(f, unit);
    ria_export_text(f, "</InformationKey>");
  }
  ria_export_text(f, "</DataArray>\n");
  *at += 8 + (uint64_t)bytes * (uint64_t)job->grid->nx * (uint64_t)job->grid->ny;
  return RIA_OK;
}

static ria_status put_head(ria_export_job *job, ria_export_file *f, const size_t *frame) {
  const ria_grid *g = job->grid;
  uint64_t at = 0;
  ria_export_text(f, "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"1.0\" "
                     "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n");
  put_place(f, g);
  if (frame)
    ria_export_text(f,
                    "    <FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" "
                    "NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray></FieldData>\n",
                    ria_export_time(job, *frame));
  ria_export_text(f, "    <Piece Extent=\"0 %d 0 %d 0 0\">\n      <CellData>\n", g->nx, g->ny);
  for (size_t k = 0; k < job->n_fields; k++) RIA_TRY(put_array(job, f, job->field[k], &at));
  ria_export_text(f, "      </CellData>\n    </Piece>\n  </ImageData>\n"
                     "  <AppendedData encoding=\"raw\">\n_");
  return RIA_OK;
}

/* The bytes of each array with their number before them. */
static ria_status put_image(ria_export_job *job, ria_export_file *f, const size_t *frame) {
  const ria_grid *g = job->grid;
  RIA_TRY(put_head(job, f, frame));
  for (size_t k = 0; k < job->n_fields && !f->code; k++) {
    const uint64_t n =
        (uint64_t)ria_export_size(job, job->field[k]) * (uint64_t)g->nx * (uint64_t)g->ny;
    unsigned char count[8];
    for (int q = 0; q < 8; q++) count[q] = (unsigned char)(n >> 8 * q);
    ria_export_bytes(f, count, sizeof count);
    RIA_TRY(ria_export_frame(job, f, job->field[k], frame ? *frame : 0, false));
  }
  ria_export_text(f, "\n  </AppendedData>\n</VTKFile>\n");
  return RIA_OK;
}

/* "fields_000012.vti"; "maxima.vti" of fields without time. */
static void image_name(const char *stem, const size_t *frame, char *name, size_t size) {
  char number[32] = "";
  if (frame) snprintf(number, sizeof number, "_%06zu", *frame);
  snprintf(name, size, "%s%s.vti", stem, number);
}

static ria_status write_image(ria_export_job *job, const char *folder, const size_t *frame) {
  char name[288];
  ria_export_file f;
  image_name(ria_export_last(folder), frame, name, sizeof name);
  char *path = ria_path_join(folder, name);
  if (!path) return ria_fail_memory(job->ctx, "a path", sizeof name);
  ria_status status = ria_export_open(job, path, &f);
  if (status == RIA_OK) status = ria_export_close(&f, put_image(job, &f, frame));
  free(path);
  return status;
}

static ria_status write_list(ria_export_job *job, const char *folder) {
  const char *stem = ria_export_last(folder);
  char name[288];
  ria_export_file f;
  RIA_TRY(ria_export_open(job, job->path, &f));
  ria_export_text(&f, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
                      "byte_order=\"LittleEndian\">\n  <Collection>\n");
  for (size_t k = 0; k < (job->timed ? job->n_frames : 1); k++) {
    const size_t *frame = job->timed ? &job->frame[k] : NULL;
    image_name(stem, frame, name, sizeof name);
    ria_export_text(&f, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"",
                    frame ? ria_export_time(job, *frame) : 0.0);
    ria_export_escaped(&f, stem);
    ria_export_text(&f, "/");
    ria_export_escaped(&f, name);
    ria_export_text(&f, "\"/>\n");
  }
  ria_export_text(&f, "  </Collection>\n</VTKFile>\n");
  return ria_export_close(&f, RIA_OK);
}

ria_status ria_export_vti(ria_export_job *job) {
  char err[RIA_ERR_TEXT] = "";
  char *folder = ria_export_beside(job->path, "");
  if (!folder) return ria_fail_memory(job->ctx, "a path", strlen(job->path));
  ria_status status = ria_may_write(job->ctx, folder);
  if (status == RIA_OK && (status = ria_dir_make(folder, err, sizeof err)) != RIA_OK)
    (void)ria_fail(job->ctx, status, "%s", err);
  for (size_t k = 0; k < (job->timed ? job->n_frames : 1) && status == RIA_OK; k++)
    status = write_image(job, folder, job->timed ? &job->frame[k] : NULL);
  if (status == RIA_OK) status = write_list(job, folder);
  free(folder);
  return status;
}
