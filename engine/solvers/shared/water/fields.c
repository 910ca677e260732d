/* fields.c - the fields of solvers of flow: their table, and what may be set. */
#include "solvers/shared/water/fields.h"
#include <ria/planes.h>

const ria_field_info water_fields[] = {
    [WATER_BED] = {"bed", "m", "bed elevation", NULL, RIA_FIELD_INPUT | RIA_FIELD_STATIC, "topo",
                   "elevation of the bed, z up"},
    [WATER_MANNING] = {"manning", "s m-1/3", "Manning roughness", NULL,
                       RIA_FIELD_INPUT | RIA_FIELD_STATIC, "viridis",
                       "Manning roughness of each cell"},
    [WATER_DEPTH] = {"depth", "m", "water depth", "sea_floor_depth_below_sea_surface",
                     RIA_FIELD_INPUT | RIA_FIELD_TRACK, "deep", "depth of water h"},
    [WATER_LEVEL] = {"level", "m", "water level", "sea_surface_height_above_geopotential_datum",
                     RIA_FIELD_INPUT | RIA_FIELD_TRACK | RIA_FIELD_DRY_NAN | RIA_FIELD_GAUGE |
                         RIA_FIELD_LEVEL,
                     "balance",
                     "water level h + bed; setting it sets the depth to what lies above"
                     " the bed"},
    [WATER_QX] = {"qx", "m2 s-1", "discharge per width, x-component", NULL, RIA_FIELD_INPUT,
                  "balance",
                  "discharge per width along the grid's x axis; on a staggered grid the mean of "
                  "the cell's faces"},
    [WATER_QY] = {"qy", "m2 s-1", "discharge per width, y-component", NULL, RIA_FIELD_INPUT,
                  "balance",
                  "discharge per width along the grid's y axis; on a staggered grid the mean of "
                  "the cell's faces"},
    [WATER_U] = {"u", "m s-1", "velocity, x-component", "eastward_sea_water_velocity",
                 RIA_FIELD_INPUT | RIA_FIELD_DRY_NAN, "balance",
                 "velocity along the grid's x axis: to the east, unless the grid is turned"},
    [WATER_V] = {"v", "m s-1", "velocity, y-component", "northward_sea_water_velocity",
                 RIA_FIELD_INPUT | RIA_FIELD_DRY_NAN, "balance",
                 "velocity along the grid's y axis: to the north, unless the grid is turned"},
    [WATER_SPEED] = {"speed", "m s-1", "speed", "sea_water_speed",
                     RIA_FIELD_TRACK | RIA_FIELD_DRY_NAN | RIA_FIELD_GAUGE, "speed",
                     "magnitude of the velocity"},
    [WATER_FROUDE] = {"froude", "1", "Froude number", NULL, RIA_FIELD_DRY_NAN, "speed",
                      "speed over wave celerity"},
    [WATER_CONC] = {"", "kg m-3", "concentration", NULL,
                    RIA_FIELD_INPUT | RIA_FIELD_TRACK | RIA_FIELD_PER_TRACER | RIA_FIELD_DRY_NAN |
                        RIA_FIELD_GAUGE,
                    "matter", "concentration of the tracer"},
    [WATER_LOAD] = {"load", "kg m-2", "amount per area", NULL,
                    RIA_FIELD_INPUT | RIA_FIELD_PER_TRACER | RIA_FIELD_LOAD, "matter",
                    "amount of the tracer per area of the ground, h C"},
    [WATER_U_EAST] = {"u_east", "m s-1", "eastward velocity", "eastward_sea_water_velocity",
                      RIA_FIELD_DRY_NAN, "balance",
                      "velocity to the map's east, on a turned grid too"},
    [WATER_V_NORTH] = {"v_north", "m s-1", "northward velocity", "northward_sea_water_velocity",
                       RIA_FIELD_DRY_NAN, "balance",
                       "velocity to the map's north, on a turned grid too"},
    [WATER_FIELDS] = {0},
};

const char *water_refuses(int field, double v) {
  const bool positive =
      field == WATER_MANNING || field == WATER_DEPTH || field == WATER_CONC || field == WATER_LOAD;
  return positive && v < 0 ? "must not be negative" : NULL;
}

bool water_nan_means_dry(int field) { return field != WATER_BED && field != WATER_MANNING; }

ria_status water_check(ria_context *ctx, const ria_grid *grid, int threads, int field,
                       const double *src) {
  static const ria_plane_callbacks call = {
      .refuses = water_refuses, .nan_means_dry = water_nan_means_dry, .fields = water_fields};
  return ria_planes_check(ctx, grid, threads, &call, field, src);
}

void water_forget_films(size_t n, ria_real real, double dry, void *maximum) {
  for (size_t k = 0; k < n; k++) {
    if (real == RIA_F32) {
      float *h = (float *)maximum + k;
      *h = (double)*h > dry ? *h : 0;
    } else {
      double *h = (double *)maximum + k;
      *h = *h > dry ? *h : 0;
    }
  }
}
