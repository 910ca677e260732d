/* dump_store - makes stores of known content, for readers that are not ours.
 *
 *   dump_store DIR
 *
 * DIR (which must exist) gets, for each case, <case>.zarr, the values that are in it as plain
 * doubles <case>.bin, and <case>.json, which says what lies where:
 *
 *   {"store", "nx", "ny", "dx", "dy", "x0", "y0", "crs", "geographic", "dtype", "epoch",
 *    "times": [...], "fields": [{"name", "unit", "long_name", "standard_name", "fixed",
 * "precision", "offset" (in doubles)}]}
 *
 * A field's values are [time][ny][nx] (fixed: [ny][nx]), row 0 in the south. */
#include "io/zarr.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES = 3, MOST_FIELDS = 3 };

typedef struct store_case {
  const char *name, *crs, *epoch;
  bool geographic;
  ria_grid grid;
  ria_real real;
  int tile, level;
  size_t n_fields;
  ria_zarr_field field[MOST_FIELDS];
} store_case;

static const store_case cases[] = {
    {.name = "utm",
     .crs = "EPSG:32629",
     .epoch = "2026-03-01 00:00:00",
     .grid = {.nx = 37, .ny = 21, .dx = 25.0, .dy = 20.0, .x0 = 512000.0, .y0 = 4690000.0},
     .real = RIA_F32,
     .tile = 16,
     .level = 1,
     .n_fields = 3,
     .field = {{.name = "level",
                .unit = "m",
                .long_name = "water level",
                .standard_name = "water_surface_height_above_reference_datum"},
               {.name = "oil", .unit = "kg/m^3", .long_name = "oil", .precision = 1e-3},
               {.name = "bed", .unit = "m", .long_name = "bed elevation", .fixed = true}}},
    {.name = "degrees",
     .crs = "EPSG:4326",
     .epoch = "1999-12-31 18:30:00",
     .geographic = true,
     .grid = {.nx = 12, .ny = 30, .dx = 0.01, .dy = 0.005, .x0 = -8.9, .y0 = 42.1},
     .real = RIA_F64,
     .level = 9,
     .n_fields = 2,
     .field = {{.name = "depth", .unit = "m", .long_name = "water depth"},
               {.name = "qx", .unit = "m^2/s", .long_name = "x-component of discharge"}}},
    {.name = "local",
     .grid = {.nx = 64, .ny = 32, .dx = 0.014, .dy = 0.014},
     .real = RIA_F64,
     .tile = 32,
     .n_fields = 1,
     .field = {{.name = "speed", .unit = "m/s", .long_name = "speed"}}},
};

/* Values of every size, with gaps: a diagonal, and a corner that fills whole chunks. */
static double value_at(const store_case *c, size_t field, int frame, int i, int j) {
  if ((i + 2 * j + frame) % 9 == 0 || (2 * i > c->grid.nx && 2 * j > c->grid.ny)) return NAN;
  double v =
      sin(0.37 * i + 0.11 * (double)field) * cos(0.23 * j) * pow(10.0, frame - 1) + i * j * 1e-3;
  return c->real == RIA_F32 ? (double)(float)v : v;
}

static double time_at(int frame) { return 600.0 * frame + 0.25 * (frame == 2); }

static void *make_frame(const store_case *c, size_t field, int frame) {
  const int n = c->grid.nx * c->grid.ny;
  void *frame_values = calloc((size_t)n, c->real == RIA_F32 ? sizeof(float) : sizeof(double));
  if (!frame_values) return NULL;
  for (int k = 0; k < n; k++) {
    double v = value_at(c, field, frame, k % c->grid.nx, k / c->grid.nx);
    if (c->real == RIA_F32)
      ((float *)frame_values)[k] = (float)v;
    else
      ((double *)frame_values)[k] = v;
  }
  return frame_values;
}

static ria_status fill_store(const store_case *c, ria_zarr *z) {
  for (size_t f = 0; f < c->n_fields; f++)
    if (c->field[f].fixed) RIA_TRY(ria_zarr_put(z, f, make_frame(c, f, 0)));
  for (int k = 0; k < FRAMES; k++) {
    void *values[MOST_FIELDS] = {0};
    for (size_t f = 0; f < c->n_fields; f++)
      if (!c->field[f].fixed) values[f] = make_frame(c, f, k);
    RIA_TRY(ria_zarr_append(z, time_at(k), values));
  }
  return RIA_OK;
}

static ria_status make_store(ria_context *ctx, ria_writer *w, const store_case *c,
                             const char *dir) {
  char path[1024];
  ria_zarr *z;
  snprintf(path, sizeof path, "%s/%s.zarr", dir, c->name);
  RIA_TRY(ria_zarr_create(ctx, w,
                          &(ria_zarr_desc){.path = path,
                                           .title = "known values",
                                           .epoch = c->epoch,
                                           .crs = c->crs,
                                           .grid = c->grid,
                                           .real = c->real,
                                           .fields = c->field,
                                           .n_fields = c->n_fields,
                                           .tile = c->tile,
                                           .level = c->level,
                                           .overwrite = true},
                          &z));
  ria_status s = fill_store(c, z);
  ria_zarr_destroy(&z);
  return s == RIA_OK ? ria_writer_flush(w) : s;
}

static FILE *create_file(const char *dir, const char *name, const char *suffix) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s%s", dir, name, suffix);
  FILE *f = fopen(path, "wb");
  if (!f) perror(path);
  return f;
}

static bool close_file(FILE *f) {
  bool ok = !ferror(f);
  return fclose(f) == 0 && ok;
}

static bool dump_values(const store_case *c, const char *dir) {
  FILE *f = create_file(dir, c->name, ".bin");
  if (!f) return false;
  for (size_t field = 0; field < c->n_fields; field++)
    for (int k = 0; k < (c->field[field].fixed ? 1 : FRAMES); k++)
      for (int cell = 0; cell < c->grid.nx * c->grid.ny; cell++) {
        double v = value_at(c, field, k, cell % c->grid.nx, cell / c->grid.nx);
        fwrite(&v, sizeof v, 1, f);
      }
  return close_file(f);
}

static void print_text(FILE *f, const char *key, const char *text) {
  if (text)
    fprintf(f, "\"%s\": \"%s\", ", key, text);
  else
    fprintf(f, "\"%s\": null, ", key);
}

static bool dump_description(const store_case *c, const char *dir) {
  FILE *f = create_file(dir, c->name, ".json");
  const ria_grid *g = &c->grid;
  int offset = 0;
  if (!f) return false;
  fprintf(f, "{\"store\": \"%s.zarr\", \"nx\": %d, \"ny\": %d, ", c->name, g->nx, g->ny);
  fprintf(f, "\"dx\": %.17g, \"dy\": %.17g, \"x0\": %.17g, \"y0\": %.17g,\n ", g->dx, g->dy, g->x0,
          g->y0);
  print_text(f, "crs", c->crs);
  print_text(f, "epoch", c->epoch);
  fprintf(f, "\"geographic\": %s, \"dtype\": \"%s\", ", c->geographic ? "true" : "false",
          c->real == RIA_F32 ? "<f4" : "<f8");
  fprintf(f, "\"times\": [%.17g, %.17g, %.17g],\n \"fields\": [", time_at(0), time_at(1),
          time_at(2));
  for (size_t k = 0; k < c->n_fields; k++) {
    const ria_zarr_field *field = &c->field[k];
    fprintf(f, "%s\n  {", k ? "," : "");
    print_text(f, "name", field->name);
    print_text(f, "unit", field->unit);
    print_text(f, "long_name", field->long_name);
    print_text(f, "standard_name", field->standard_name);
    fprintf(f, "\"fixed\": %s, \"precision\": %g, \"offset\": %d}", field->fixed ? "true" : "false",
            field->precision, offset);
    offset += g->nx * g->ny * (field->fixed ? 1 : FRAMES);
  }
  fprintf(f, "]}\n");
  return close_file(f);
}

static ria_status make_all(ria_context *ctx, const char *dir) {
  ria_writer *w;
  ria_status s = RIA_OK;
  RIA_TRY(ria_writer_create(ctx, 2, 1 << 20, &w));
  for (size_t k = 0; k < sizeof cases / sizeof *cases && s == RIA_OK; k++) {
    s = make_store(ctx, w, &cases[k], dir);
    if (s == RIA_OK && !(dump_values(&cases[k], dir) && dump_description(&cases[k], dir)))
      s = ria_fail(ctx, RIA_ERR_OUTPUT, "cannot write to %s", dir);
  }
  ria_writer_destroy(&w);
  return s;
}

int main(int argc, char **argv) {
  ria_context *ctx;
  if (argc != 2) {
    fprintf(stderr, "usage: dump_store DIR\n");
    return 2;
  }
  if (ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) != RIA_OK)
    return 1;
  ria_status s = make_all(ctx, argv[1]);
  if (s != RIA_OK) fprintf(stderr, "dump_store: %s\n", ria_error(ctx));
  ria_context_destroy(&ctx);
  return s != RIA_OK;
}
