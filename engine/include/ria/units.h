/* ria/units.h - quantities written with units: "30 min", "12 t", "0.5 kg/s".
 *
 * Scripts may give any quantity as a number in SI units or as text with a unit. The table of
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
  RIA_DIM_LENGTH,    /* m: mm cm m km ft nmi mi; us-ft (US survey foot), fathom */
  RIA_DIM_AREA,      /* m^2: m2 m^2 km2 ha */
  RIA_DIM_VOLUME,    /* m^3: m3 m^3 cm3 ml dl l L dm3 hm3 km3 bbl */
  RIA_DIM_MASS,      /* kg: ng ug mg g kg t */
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
/* What text of this dimension may say: "a time (ms, s, min, h, d, week, yr)", "a mass rate (kg/s,
 * or any mass over any time)". buf is always terminated; 160 bytes hold every text. */
RIA_API void ria_dim_describe(ria_dim dim, char *buf, size_t size);
/* Parse `text` into SI. Text carries its unit: a bare number is an error, but of RIA_DIM_NONE.
 * Errors name the text, the unit that was not understood, the nearest one and the units allowed.
 * RIA_ERR_ARGUMENT. */
RIA_API ria_status ria_parse_quantity(ria_context *ctx, const char *text, ria_dim dim, double *out);
/* How much of SI is one of a unit, whatever it measures: "ft" 0.3048, "m3/h" 1/3600. False, and
 * *out 1, for those of concentrations, which are a tracer's, and for what is not known. */
RIA_API bool ria_unit_factor(ria_context *ctx, const char *unit, double *out);
/* Write seconds as people read them: "45 s", "1 h 30 min", "7 d". buf is always terminated. */
RIA_API void ria_format_duration(double seconds, char *buf, size_t size);

/* --- what tracers are measured in ---------------------------------------------------------------
 * A tracer's concentration is in a unit of its own: fields, probes, gauges, stores, pictures,
 * initial values and boundaries are in it. Amounts (spills, budgets, fluxes) are in the unit that
 * belongs to it:
 *
 *   concentration                                    amount
 *   a mass over a volume: kg/m^3, mg/l, ug/l ...     kg
 *   a count over a volume: cfu/100 ml, cells/l ...   the thing counted: cfu, cells
 *   Bq/l, mol/m^3, with prefixes                     Bq, mol
 *   K, degC; psu; %, g/kg, mg/kg; 1                  K m^3, degC m^3; psu m^3; % m^3 ...; m^3
 *
 * Counted are cfu, MPN, pfu, cells, copies, particles, eggs, larvae, oocysts, and what you name:
 * "count(algae)/l". Volumes are those of RIA_DIM_VOLUME and "100 ml". "kg m-3" is "kg/m^3". */

enum { RIA_UNIT_MAX = 64 }; /* bytes of a unit's text, with its end */

typedef struct ria_unit {
  char name[RIA_UNIT_MAX];    /* "mg/l" */
  char amount[RIA_UNIT_MAX];  /* "kg" */
  char load[RIA_UNIT_MAX];    /* of an amount per area, the concentration times m: "mg m/l" */
  char cf[RIA_UNIT_MAX];      /* as readers of CF metadata parse it: "dl-1" for "cfu/100 ml" */
  char cf_load[RIA_UNIT_MAX]; /* the same of load */
  double mul, div;            /* in 1 m^3 of concentration 1 there is an amount of mul / div */
  /* for conversions: another concentration of the same kind is in * si_mul / si_div + zero */
  int kind;
  char counted[RIA_UNIT_MAX]; /* "cfu"; "" where nothing is counted */
  double si_mul, si_div, zero;
} ria_unit;

/* Read the unit of a concentration; NULL = "kg/m^3". Unknown ones are RIA_ERR_ARGUMENT: the message
 * names the nearest and lists all. */
RIA_API ria_status ria_unit_read(ria_context *ctx, const char *text, ria_unit *out);

typedef enum ria_measure {
  RIA_OF_DIM,        /* no tracer's: what a ria_dim says */
  RIA_CONCENTRATION, /* "5 mg/l", in the tracer's unit */
  RIA_AMOUNT,        /* "40 t", "5e12 cfu", "3 K m3", in the unit of its amounts */
  RIA_AMOUNT_RATE    /* "1e6 cfu/s", in that per second */
} ria_measure;
/* Parse a quantity of a tracer. Any unit of the same kind is converted; those of another kind are
 * RIA_ERR_ARGUMENT, and the message names both. A bare number is an error, but of a concentration
 * in "1". unit NULL: any tracer's; only the error counts. */
RIA_API ria_status ria_unit_parse(ria_context *ctx, const ria_unit *unit, ria_measure what,
                                  const char *text, double *out);

#ifdef __cplusplus
}
#endif
#endif
