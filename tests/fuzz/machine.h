/* tests/fuzz/machine.h - the C API by calls that an input chooses: what the calls share. Targets of
 * simulations (api.c) and of the things around them (things.c) include it. */
#ifndef RIA_FUZZ_MACHINE_H
#define RIA_FUZZ_MACHINE_H
#include "bytes.h"
#include "fuzz.h"
#include <ria/ria.h>

enum { SERIES = 3, SHAPES = 2, RASTERS = 3, CELLS = 1024 };

typedef struct machine {
  bytes in;
  ria_context *ctx;
  ria_series *series[SERIES];
  ria_shapes *shapes[SHAPES];
  ria_raster *raster[RASTERS];
  char dir[64];
  double number[CELLS];
} machine;

/* Any status but what is a fault of ours or of the machine, with a message. */
enum {
  ANY_STATUS = FUZZ_INPUT | FUZZ_ARGUMENT | 1u << RIA_ERR_NUMERICAL | 1u << RIA_ERR_OUTPUT |
               1u << RIA_ERR_CALLBACK | 1u << RIA_INTERRUPTED
};
#define TRY_ANY(call) try_any(m, (call))
FUZZ_UNUSED static bool try_any(const machine *m, ria_status s) {
  return fuzz_status(m->ctx, s, ANY_STATUS) == RIA_OK;
}

/* One of some words, at times none or any text: valid to the next call but seven. */
FUZZ_UNUSED static const char *word(machine *m, const char *const *words, unsigned n) {
  static char text[8][24];
  static unsigned turn;
  const unsigned k = bytes_one(&m->in);
  if (k == 255) return NULL;
  if (k > 250) return bytes_text(&m->in, text[turn++ % 8], sizeof text[0]);
  return words[k % n];
}
#define WORD(m, ...)                                                                               \
  word(m, (const char *const[]){__VA_ARGS__},                                                      \
       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

/* Small and mostly right. */
FUZZ_UNUSED static ria_grid some_grid(machine *m) {
  static const int odd[][2] = {{0, 3}, {3, 0}, {-1, 2}, {INT32_MAX, INT32_MAX}, {65536, 65536}};
  static const double sizes[] = {1, 10, 131.25, 0.5, 1000, 1e-6, 1e7};
  const unsigned how = bytes_one(&m->in);
  ria_grid g = {1 + (int)(how & 7), 1 + (int)(how >> 3 & 7), 10, 10, 0, 0, 0};
  if (how & 64) g.dx = g.dy = sizes[bytes_below(&m->in, 7)];
  if (how & 128) {
    g.dy = bytes_within(&m->in, 0, 20);
    g.x0 = bytes_within(&m->in, -500, 500);
    g.angle = bytes_within(&m->in, -180, 180);
  }
  if (!bytes_rare(&m->in, 40)) return g;
  const int *n = odd[bytes_below(&m->in, 5)];
  g.nx = n[0];
  g.ny = n[1];
  return g;
}

/* A place about the grid. */
FUZZ_UNUSED static double place(machine *m, const ria_grid *g) {
  const unsigned k = bytes_one(&m->in);
  return k > 250 ? bytes_number(&m->in) : g->x0 + g->dx * (k % 40) / 4.0 - g->dx;
}

FUZZ_UNUSED static ria_value some_value(machine *m, double lo, double hi) {
  ria_value v = {.constant = bytes_within(&m->in, lo, hi)};
  if (bytes_rare(&m->in, 3)) v.series = m->series[bytes_below(&m->in, SERIES)];
  return v;
}

FUZZ_UNUSED static void some_series(machine *m) {
  ria_series **s = &m->series[bytes_below(&m->in, SERIES)], *made = NULL;
  double t[6], v[6], at = 0;
  ria_series_destroy(s);
  if (bytes_rare(&m->in, 3)) {
    const ria_constituent c[] = {
        {WORD(m, "M2", "S2", "K1", "m4", ""), 0, bytes_within(&m->in, 0, 2),
         bytes_within(&m->in, 0, 360)},
        {NULL, bytes_within(&m->in, 0, 40), bytes_within(&m->in, 0, 2), 0}};
    const ria_tide_desc d = {.constituents = c,
                             .n = bytes_below(&m->in, 3),
                             .z0 = bytes_within(&m->in, -1, 1),
                             .ramp = bytes_within(&m->in, 0, 100),
                             .phases = (ria_phases)bytes_below(&m->in, 5),
                             .nodal = (ria_nodal)bytes_below(&m->in, 4)};
    TRY_ANY(ria_series_tide(m->ctx, &d, &made));
  } else {
    const size_t n = bytes_below(&m->in, 7);
    const double scale = bytes_rare(&m->in, 4) ? 1e9 : 1;
    for (size_t k = 0; k < n; k++) {
      t[k] = at;
      at += scale * bytes_within(&m->in, 0, 8);
      v[k] = bytes_within(&m->in, -2, 6);
    }
    const unsigned how = bytes_one(&m->in);
    const ria_table_desc d = {.t = t,
                              .v = v,
                              .n = n,
                              .interp = (ria_interp)(how & 1),
                              .hold = !(how & 2),
                              .ramp = how & 4 ? bytes_within(&m->in, 0, 50) : 0,
                              .scale = how & 8 ? bytes_within(&m->in, -2, 2) : 0,
                              .dates = how >> 4 == 1,
                              .local = how >> 5 == 3};
    TRY_ANY(ria_series_table(m->ctx, &d, &made));
  }
  *s = made;
}

/* A polygon, a line or points about the origin. */
FUZZ_UNUSED static void some_shapes(machine *m) {
  ria_shapes **s = &m->shapes[bytes_below(&m->in, SHAPES)], *made = NULL;
  double x[8], y[8], z[8];
  const size_t n = bytes_below(&m->in, 8);
  for (size_t k = 0; k < n; k++) {
    x[k] = bytes_within(&m->in, -20, 100);
    y[k] = bytes_within(&m->in, -20, 100);
    z[k] = k & 1 ? NAN : 3;
  }
  const ria_shape_kind kind = (ria_shape_kind)bytes_below(&m->in, 3);
  if (kind == RIA_POLYGONS && n) {
    x[n - 1] = x[0];
    y[n - 1] = y[0];
  }
  const size_t first[] = {0, kind == RIA_POINTS ? 1 : n, 2, 3, 4, 5, 6, 7, 8};
  const int polygon[8] = {0};
  const ria_attribute a = {.name = "value", .type = RIA_ATTRIBUTE_NUMBER, .number = 2};
  const ria_shape shape = {.kind = kind,
                           .n_parts = kind == RIA_POINTS ? n : n > 0,
                           .first = first,
                           .polygon = polygon,
                           .x = x,
                           .y = y,
                           .z = z,
                           .n_attributes = 1,
                           .attribute = &a};
  ria_shapes_destroy(s);
  TRY_ANY(ria_shapes_make(m->ctx, &shape, 1,
                          bytes_rare(&m->in, 5) ? WORD(m, "EPSG:25829", "OGC:CRS84", "x") : NULL,
                          &made));
  *s = made;
}

/* Numbers, n of them, of a pattern. */
FUZZ_UNUSED static const double *some_numbers(machine *m, size_t n) {
  const double base = bytes_within(&m->in, -8, 4), slope = bytes_within(&m->in, -1, 1);
  FUZZ_DEMAND(n <= CELLS);
  for (size_t k = 0; k < n; k++) m->number[k] = base + slope * (double)(k % 5);
  for (unsigned k = bytes_below(&m->in, 4); k > 0 && n; k--)
    m->number[bytes_one(&m->in) % n] = bytes_number(&m->in);
  return m->number;
}

FUZZ_UNUSED static void machine_begin(machine *m, const uint8_t *data, size_t n) {
  *m = (machine){.in = {data, data + n}};
  m->ctx = fuzz_context((int)bytes_below(&m->in, 4));
  fuzz_dir(m->dir);
}

FUZZ_UNUSED static void machine_end(machine *m) {
  for (int k = 0; k < SERIES; k++) ria_series_destroy(&m->series[k]);
  for (int k = 0; k < SHAPES; k++) ria_shapes_destroy(&m->shapes[k]);
  for (int k = 0; k < RASTERS; k++) ria_raster_destroy(&m->raster[k]);
  ria_context_destroy(&m->ctx);
  fuzz_dir_remove(m->dir);
}

#endif
