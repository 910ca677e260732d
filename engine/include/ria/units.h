/* ria/units.h - quantities written with units: "30 min", "12 t", "0.5 kg/s".
 *
 * Scripts and command lines may give any quantity as a number in SI units or as text. The table of
 * units is closed and checked: "5 kgs" is an error that names "kg". */
#ifndef RIA_UNITS_H
#define RIA_UNITS_H
#include <ria/status.h>
#ifdef __cplusplus
extern "C" {
#endif

typedef enum ria_dim {
  RIA_DIM_NONE,      /* 1; also accepts "%" (0.01) */
  RIA_DIM_TIME,      /* s: ms s sec min h d week yr kyr Myr; "1:30:00" = h:m:s; sums: "1 d 6 h" */
  RIA_DIM_LENGTH,    /* m: mm cm m km ft nmi mi */
  RIA_DIM_AREA,      /* m^2: m2 m^2 km2 ha */
  RIA_DIM_VOLUME,    /* m^3: m3 m^3 l L hm3 bbl */
  RIA_DIM_MASS,      /* kg: mg g kg t */
  RIA_DIM_MASS_RATE, /* kg/s: any MASS over any TIME */
  RIA_DIM_FLOW,      /* m^3/s: any VOLUME over any TIME */
  RIA_DIM_SPEED,     /* m/s: any LENGTH over any TIME; kn (knots), kmh */
  RIA_DIM_CONCENTRATION, /* kg/m^3: any MASS over any VOLUME */
  RIA_DIM_RATE,          /* 1/s: "1/d", "/d", "0.3 1/d" */
  RIA_DIM_DIFFUSIVITY,   /* m^2/s */
  RIA_DIM_ACCELERATION,  /* m/s^2 */
  RIA_DIM_ANGLE,         /* deg (degrees are the SI stand-in here): deg rad */
  RIA_DIM_ANGULAR_SPEED, /* deg/h: deg/h deg/s rad/s */
  RIA_DIM_MANNING,       /* s/m^(1/3) */
  RIA_DIM_UNIT_FLOW,     /* m^2/s, discharge per width */
  RIA_DIM_DENSITY        /* kg/m^3 */
} ria_dim;

/* The SI symbol that a value of this dimension is stored in: "s", "m", "kg/s", "" for NONE. */
RIA_API const char *ria_dim_unit(ria_dim dim);
/* "time", "length", "mass rate", ... */
RIA_API const char *ria_dim_name(ria_dim dim);
/* Parse `text` into SI. A bare number is taken as SI already. Errors name the text, the unit that
 * was not understood, the nearest one and the units allowed. RIA_ERR_ARGUMENT. */
RIA_API ria_status ria_parse_quantity(ria_context *ctx, const char *text, ria_dim dim, double *out);
/* Write seconds as people read them: "45 s", "1 h 30 min", "7 d". buf is always terminated. */
RIA_API void ria_format_duration(double seconds, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
