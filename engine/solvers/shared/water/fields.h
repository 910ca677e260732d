/* fields.h - the fields of solvers of flow: their table, and what they are of the state of a cell.
 *
 * shallow_water and adi have the same fields, so that a scenario runs with either. The state of a
 * cell is its depth, its discharges per width and its bed, and the load h C of each tracer. In
 * double precision, on the CPU and by nvcc. */
#ifndef RIA_WATER_FIELDS_H
#define RIA_WATER_FIELDS_H
#include "solvers/shared/water/forces_k.h"
#include <math.h>
#include <ria/solver.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Index into water_fields. */
enum water_field {
  WATER_BED,
  WATER_MANNING,
  WATER_DEPTH,
  WATER_LEVEL,
  WATER_QX,
  WATER_QY,
  WATER_U,
  WATER_V,
  WATER_SPEED,
  WATER_FROUDE,
  WATER_CONC,
  WATER_LOAD,
  WATER_U_EAST,
  WATER_V_NORTH,
  WATER_FIELDS
};

/* --- one cell of the state, in double: what fields are of it, and what setting one does ------- */

typedef struct water_cell {
  double h, qx, qy, z;
} water_cell;

/* Value of a field other than `manning`; NaN where it has no meaning. load: h C of the tracer;
 * axes: of the grid, as ria_to_map has them. */
RIA_KERNEL double water_value(int field, water_cell c, double load, double g, double dry,
                              const double axes[2]) {
  switch (field) {
  case WATER_BED:
    return c.z;
  case WATER_DEPTH:
    return c.h;
  case WATER_QX:
    return c.qx;
  case WATER_QY:
    return c.qy;
  case WATER_LOAD:
    return load;
  default:
    break;
  }
  if (!(c.h > dry)) return NAN;
  if (field == WATER_LEVEL) return c.h + c.z;
  if (field == WATER_CONC) return load / c.h;
  const double u = c.qx / c.h, v = c.qy / c.h;
  switch (field) {
  case WATER_U:
    return u;
  case WATER_V:
    return v;
  case WATER_SPEED:
    return sqrt(u * u + v * v);
  case WATER_FROUDE:
    return sqrt((u * u + v * v) / (g * c.h));
  default:
    break;
  }
  double on_map[2] = {u, v};
  ria_to_map(axes, on_map);
  return field == WATER_U_EAST ? on_map[0] : field == WATER_V_NORTH ? on_map[1] : NAN;
}

/* Set depth, level, discharge or velocity. Velocities and concentrations stay when the depth
 * changes, and refer to the depth that is there when they are set. Returns the factor on the loads
 * of all tracers. A level of NaN is dry. */
RIA_KERNEL double water_set_flow(int field, double v, double dry, water_cell *c) {
  if (field == WATER_LEVEL || field == WATER_DEPTH) {
    double h = field == WATER_LEVEL ? v - c->z : v;
    if (!(h > 0)) h = 0;
    const double scale = c->h > 0 ? h / c->h : 1.0, moves = c->h > dry && h > dry ? scale : 0.0;
    c->h = h;
    c->qx *= moves;
    c->qy *= moves;
    return scale;
  }
  if (isnan(v)) v = 0;
  const double q = c->h > dry ? (field == WATER_U || field == WATER_V ? v * c->h : v) : 0.0;
  if (field == WATER_QX || field == WATER_U) c->qx = q;
  if (field == WATER_QY || field == WATER_V) c->qy = q;
  return 1.0;
}

/* The load that a cell of depth h has when v is set: of WATER_LOAD or WATER_CONC. */
RIA_KERNEL double water_set_load(int field, double v, double h) {
  return field == WATER_LOAD ? v : h > 0 ? v * h : 0.0;
}
/* A value as it is given: NaN is dry, or nothing. */
RIA_KERNEL double water_given(int field, double v) {
  return !isnan(v) ? v : field == WATER_LEVEL ? -1e30 : 0.0;
}

/* [WATER_FIELDS + 1], the last one zeroed. */
extern const ria_field_info water_fields[];

/* For ria_plane_callbacks: what is refused, and where NaN means dry. */
const char *water_refuses(int field, double v);
bool water_nan_means_dry(int field);
/* RIA_ERR_ARGUMENT, with the first cell, where a value [ny][nx] is not valid for the field. */
ria_status water_check(ria_context *ctx, const ria_grid *grid, int threads, int field,
                       const double *src);
/* Where water never was deeper than dry the largest depth is 0: of n numbers of a maximum. */
void water_forget_films(size_t n, ria_real real, double dry, void *maximum);

#ifdef __cplusplus
}
#endif
#endif
