/* Things around a simulation by calls that the input chooses: series, shapes, rasters, systems of
 * equations, fields of three dimensions, tides, units, coordinate systems. What comes out of one
 * goes into the next. */
#include "machine.h"

static machine all;
static ria_field3 *field3[3];

static ria_raster **some_raster(machine *m) {
  ria_raster **r = &m->raster[bytes_below(&m->in, RASTERS)];
  if (*r) return r;
  const ria_grid g = some_grid(m);
  if (!TRY_ANY(ria_raster_create(m->ctx, &g, r))) return NULL;
  const size_t n = (size_t)g.nx * (size_t)g.ny;
  memcpy((*r)->data, some_numbers(m, n), n * sizeof(double));
  if (bytes_rare(&m->in, 3)) (*r)->crs = strdup(bytes_rare(&m->in, 2) ? "EPSG:25829" : "EPSG:4326");
  return r;
}

/* In its place, if it is small enough to go on with. */
static void take_raster(machine *m, ria_raster *made) {
  ria_raster **r = &m->raster[bytes_below(&m->in, RASTERS)];
  if (!made) return;
  ria_raster_destroy(made->grid.nx * made->grid.ny <= CELLS ? r : &made);
  if (made) *r = made;
}

static bool is_small(const ria_grid *g, double dx, double dy) {
  return dx > 0 && dy > 0 && g->nx * g->dx / dx * (g->ny * g->dy / dy) < 1e4;
}

static void change_raster(machine *m) {
  ria_raster **r = some_raster(m), *made = NULL;
  if (!r) return;
  long filled;
  switch (bytes_below(&m->in, 6)) {
  case 0:
    TRY_ANY(ria_raster_fill(m->ctx, *r, (int)bytes_below(&m->in, 9) - 1, bytes_number(&m->in),
                            &filled));
    break;
  case 1: {
    const ria_grid g = some_grid(m);
    TRY_ANY(ria_raster_resample_by(m->ctx, *r, &g, (ria_resampling)bytes_below(&m->in, 3), &made));
    break;
  }
  case 2: {
    const ria_project_desc d = {.crs = WORD(m, "EPSG:25829", "EPSG:3857", "EPSG:32630", "x"),
                                .dx = bytes_within(&m->in, 0, 1e6),
                                .x0 = bytes_within(&m->in, -10, 10),
                                .way = (ria_resampling)bytes_below(&m->in, 3)};
    if (d.dx == 0 || d.dx > 1e3) TRY_ANY(ria_raster_project(m->ctx, *r, &d, &made));
    break;
  }
  case 3:
    (void)ria_raster_sample(*r, bytes_number(&m->in), place(m, &(*r)->grid));
    break;
  case 4:
    TRY_ANY(ria_raster_check_metres(m->ctx, *r, NULL));
    break;
  default: {
    const ria_dem_layer layer = {.raster = *r,
                                 .unit = bytes_within(&m->in, 0, 2),
                                 .down = bytes_rare(&m->in, 2),
                                 .blend = bytes_within(&m->in, 0, 20)};
    ria_dem_desc d = {.layers = &layer,
                      .n_layers = 1,
                      .dx = bytes_within(&m->in, 0, 20),
                      .gap = (int)bytes_below(&m->in, 6),
                      .has_fill = bytes_rare(&m->in, 2),
                      .fill = bytes_number(&m->in),
                      .smooth = bytes_within(&m->in, 0, 30),
                      .least_depth = bytes_within(&m->in, 0, 2)};
    if (d.dx == 0 || is_small(&(*r)->grid, d.dx, d.dx)) TRY_ANY(ria_dem_make(m->ctx, &d, &made));
  }
  }
  take_raster(m, made);
}

/* What is written is read as it was. */
static void write_raster(machine *m) {
  static const char *const names[] = {"a.tif", "a.asc", "a.asc.gz", "a.png", "no/a.tif"};
  ria_raster **r = some_raster(m), *again = NULL;
  char path[80];
  if (!r) return;
  const unsigned how = bytes_below(&m->in, 5);
  snprintf(path, sizeof path, "%s/%s", m->dir, names[how]);
  const bool log = bytes_rare(&m->in, 2);
  const ria_raster_colours c = {.map = WORD(m, "deep", "topo", "x"), .scale = (ria_scale)log};
  const ria_picture_desc d = {.path = path,
                              .width = 60 + (int)bytes_one(&m->in),
                              .height = (int)bytes_one(&m->in),
                              .scale = (ria_scale)log,
                              .min = bytes_within(&m->in, 0, 2),
                              .max = bytes_within(&m->in, 0, 9),
                              .graticule = bytes_rare(&m->in, 3),
                              .no_decor = bytes_rare(&m->in, 3)};
  if (how == 3)
    TRY_ANY(ria_raster_draw(m->ctx, *r, &d));
  else if (bytes_rare(&m->in, 4))
    TRY_ANY(ria_raster_write_coloured(m->ctx, *r, path, &c));
  else if (TRY_ANY(ria_raster_write(m->ctx, *r, path)) &&
           TRY_ANY(ria_raster_read(m->ctx, path, &again)))
    FUZZ_DEMAND(again->grid.nx == (*r)->grid.nx && again->grid.ny == (*r)->grid.ny);
  ria_raster_destroy(&again);
}

static void solve(machine *m) {
  ria_raster *made = NULL, **r[4];
  for (int k = 0; k < 4; k++)
    if (!(r[k] = some_raster(m))) return;
  TRY_ANY(ria_tridiag_rasters(m->ctx, (ria_along)bytes_below(&m->in, 3), *r[0], *r[1], *r[2], *r[3],
                              &made));
  take_raster(m, made);
}

/* --- shapes ----------------------------------------------------------------------------------- */

static void lay_shapes(machine *m) {
  ria_shapes *s = m->shapes[bytes_below(&m->in, SHAPES)], *made = NULL;
  ria_raster **r = some_raster(m);
  if (!r || !s) return;
  double share[CELLS], mean[CELLS], value = bytes_number(&m->in);
  const double width = bytes_rare(&m->in, 2) ? 0 : bytes_within(&m->in, 0, 20);
  const size_t which[] = {bytes_below(&m->in, 3), 0};
  const ria_lay lay = {.how = (ria_lay_how)bytes_below(&m->in, 4),
                       .cells = (ria_shape_cells)bytes_below(&m->in, 3),
                       .width = width,
                       .value = &value,
                       .by_z = bytes_rare(&m->in, 3)};
  switch (bytes_below(&m->in, 6)) {
  case 0:
    if (TRY_ANY(ria_shapes_cover(m->ctx, s, &(*r)->grid, width, &value, share, mean)))
      for (int k = 0; k < (*r)->grid.nx * (*r)->grid.ny; k++)
        FUZZ_DEMAND(share[k] >= 0 && share[k] <= 1);
    break;
  case 1:
    TRY_ANY(ria_shapes_lay(m->ctx, s, &(*r)->grid, &lay, (*r)->data, NULL));
    break;
  case 2:
    TRY_ANY(ria_shapes_weigh(m->ctx, s, &(*r)->grid, share));
    break;
  case 3:
    TRY_ANY(ria_shapes_meet(m->ctx, s, &(*r)->grid, width));
    break;
  case 4:
    TRY_ANY(ria_shapes_select(m->ctx, s, which, 1 + bytes_below(&m->in, 2), &made));
    break;
  default:
    TRY_ANY(ria_shapes_convert(m->ctx, s, WORD(m, "EPSG:25829", "EPSG:4326", "x"), &made));
  }
  ria_shapes_destroy(&made);
}

/* --- fields of three dimensions --------------------------------------------------------------- */

static void make_field3(machine *m) {
  ria_field3 **f = &field3[bytes_below(&m->in, 3)];
  const unsigned how = bytes_one(&m->in);
  const int n = 1 + (int)(how & 15);
  ria_grid3 g = {.n = {n, bytes_rare(&m->in, 3) ? 1 : n, 12},
                 .d = {1, 2, bytes_within(&m->in, 0, 9)},
                 .periodic = {how & 16, how & 32, how & 64}};
  if (bytes_rare(&m->in, 20)) g.n[bytes_below(&m->in, 3)] = (int)bytes_one(&m->in) - 2;
  ria_field3_destroy(f);
  TRY_ANY(ria_field3_create(m->ctx, &g, (ria_real)(how >> 7), f));
}

static void use_field3(machine *m) {
  ria_field3 *f = field3[bytes_below(&m->in, 3)], *g = field3[bytes_below(&m->in, 3)],
             *out = field3[bytes_below(&m->in, 3)];
  if (!f || !g || !out) return;
  const unsigned how = bytes_below(&m->in, 11);
  const int order = 2 * (int)bytes_below(&m->in, 6);
  const ria_axis axis = (ria_axis)bytes_below(&m->in, 4);
  ria_field3 *const three[3] = {f, g, out}, *const turned[3] = {out, f, g};
  const ria_field3 *const v[3] = {g, f, f};
  ria_raster *slice = NULL;
  ria_stats3 stats;
  double one;
  switch (how) {
  case 0:
    TRY_ANY(ria_field3_fill(f, bytes_number(&m->in)));
    break;
  case 1:
    TRY_ANY(ria_field3_at(f, (int)bytes_one(&m->in) - 1, 0, 0, &one));
    break;
  case 2:
    TRY_ANY(ria_field3_slice(f, axis, (int)bytes_below(&m->in, 20) - 1, &slice));
    break;
  case 3:
    TRY_ANY(ria_field3_stats(f, &stats));
    break;
  case 4:
    TRY_ANY(ria_field3_combine(bytes_number(&m->in), f, bytes_number(&m->in), g, out));
    break;
  case 5:
    TRY_ANY(ria_field3_multiply(f, g, out));
    break;
  case 6:
    TRY_ANY(ria_field3_derivative(f, axis, order, out));
    break;
  case 7:
    TRY_ANY(ria_field3_gradient(f, order, bytes_rare(&m->in, 2) ? three : turned));
    break;
  case 8:
    TRY_ANY(ria_field3_laplacian(f, order, out));
    break;
  case 9:
    TRY_ANY(ria_field3_divergence(v, order, out));
    break;
  default:
    TRY_ANY(ria_field3_curl(v, order, bytes_rare(&m->in, 2) ? three : turned));
  }
  take_raster(m, slice);
}

/* --- series, tides, systems, units ------------------------------------------------------------ */

static void use_series(machine *m) {
  const ria_series *s = m->series[bytes_below(&m->in, SERIES)];
  ria_series *made = NULL;
  double from, to;
  if (!s) return;
  ria_series_span(s, &from, &to);
  FUZZ_DEMAND(from <= to);
  (void)ria_series_at(s, bytes_number(&m->in));
  (void)ria_series_phases(s);
  const ria_series_use use = {.dim = (ria_dim)bytes_below(&m->in, RIA_DIM_DENSITY + 1)};
  TRY_ANY(ria_series_take(m->ctx, s, &use, &made));
  ria_series_destroy(&made);
  TRY_ANY(ria_series_copy(m->ctx, s, &made));
  ria_series_destroy(&made);
}

static void analyse(machine *m) {
  double date[40], value[40];
  const double from = 1.75e9 + 1e6 * bytes_within(&m->in, -9, 9),
               every = 600 * bytes_within(&m->in, 0, 90);
  const size_t n = bytes_below(&m->in, 41);
  const char *const names[] = {WORD(m, "M2", "S2", "K1"), WORD(m, "O1", "m2", "x"), "N2"};
  const ria_constituent c[] = {
      {names[0], 0, bytes_within(&m->in, 0, 2), bytes_within(&m->in, 0, 360)}};
  for (size_t k = 0; k < n; k++) date[k] = from + every * (double)k;
  const ria_tide_desc d = {.constituents = c, .n = 1, .nodal = (ria_nodal)bytes_below(&m->in, 3)};
  if (!TRY_ANY(ria_tide_predict(m->ctx, &d, 0, date, n, value))) return;
  if (n && bytes_rare(&m->in, 3)) value[bytes_one(&m->in) % n] = bytes_number(&m->in);
  ria_tide_fit fit;
  const ria_tide_fit_desc f = {.date = date,
                               .value = value,
                               .n = n,
                               .names = bytes_rare(&m->in, 2) ? names : NULL,
                               .n_names = 1 + bytes_below(&m->in, 3),
                               .rayleigh = bytes_within(&m->in, 0, 1),
                               .nodal = d.nodal};
  if (TRY_ANY(ria_tide_analyse(m->ctx, &f, &fit))) FUZZ_DEMAND(fit.n <= 37 && fit.used <= n);
}

static void convert(machine *m) {
  ria_crs *a = NULL, *b = NULL;
  double x = bytes_within(&m->in, -180, 180), y = bytes_within(&m->in, -90, 90), x2 = x, y2 = y;
  if (TRY_ANY(ria_crs_create(m->ctx, "EPSG:4326", &a)) &&
      TRY_ANY(ria_crs_create(
          m->ctx, WORD(m, "EPSG:25829", "EPSG:3857", "EPSG:2154", "EPSG:27700", "EPSG:28992"),
          &b)) &&
      TRY_ANY(ria_crs_convert(a, b, 1, &x2, &y2)) && isfinite(x2)) {
    (void)ria_crs_way_between(a, b);
    FUZZ_DEMAND(isfinite(y2));
    if (TRY_ANY(ria_crs_convert(b, a, 1, &x2, &y2)) && fabs(y) < 85 && fabs(x) < 30)
      FUZZ_DEMAND(isnan(x2) || (fabs(x2 - x) < 1e-4 && fabs(y2 - y) < 1e-4));
  }
  ria_crs_destroy(&a);
  ria_crs_destroy(&b);
}

static void read_units(machine *m) {
  ria_unit u;
  double v;
  const char *text = WORD(m, "mg/l", "cfu/100 ml", "K", "count(algae)/l", "Bq/l", "kg m-3", "%");
  const bool known = TRY_ANY(ria_unit_read(m->ctx, text, &u));
  if (known) FUZZ_DEMAND(memchr(u.name, '\0', sizeof u.name) && memchr(u.cf, '\0', sizeof u.cf));
  TRY_ANY(ria_unit_parse(m->ctx, known ? &u : NULL, (ria_measure)(1 + bytes_below(&m->in, 3)),
                         WORD(m, "5 mg/l", "40 t", "5e12 cfu", "3 K m3", "1e6 cfu/s"), &v));
  TRY_ANY(ria_parse_degrees(m->ctx, WORD(m, "8°45'W", "-8.75", "91 N", "8 45 3 E", ""),
                            bytes_rare(&m->in, 2), &v));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  static void (*const calls[])(machine *) = {
      some_series, some_shapes, change_raster, change_raster, write_raster,
      solve,       lay_shapes,  lay_shapes,    make_field3,   use_field3,
      use_field3,  use_series,  analyse,       convert,       read_units};
  machine *m = &all;
  machine_begin(m, data, n);
  for (int k = 0; k < 200 && !bytes_over(&m->in); k++)
    calls[bytes_below(&m->in, sizeof calls / sizeof *calls)](m);
  for (int k = 0; k < 3; k++) ria_field3_destroy(&field3[k]);
  machine_end(m);
  return 0;
}
