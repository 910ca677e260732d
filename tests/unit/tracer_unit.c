/* Units of tracers: what each is called everywhere, conversions, what is refused and in which
 * words; amounts of a simulation in C. */
#include <ria/event.h>
#include <ria/units.h>

#include "test.h"

#include <string.h>

static ria_context *ctx;

static ria_unit unit_of(const char *text) {
  ria_unit u = {0};
  CHECK_OK(ctx, ria_unit_read(ctx, text, &u));
  return u;
}

/* --- names ------------------------------------------------------------------------------------ */

static void test_names(void) {
  static const struct {
    const char *text, *name, *amount, *load, *cf, *cf_load;
    double mul, div;
  } row[] = {
      {NULL, "kg/m^3", "kg", "kg m-2", "kg/m^3", "kg m-2", 1, 1},
      {"kg/m3", "kg/m^3", "kg", "kg m-2", "kg/m^3", "kg m-2", 1, 1},
      {"kg m-3", "kg/m^3", "kg", "kg m-2", "kg/m^3", "kg m-2", 1, 1},
      {"g/m\xC2\xB3", "g/m^3", "kg", "g m-2", "g/m^3", "g m-2", 1, 1000},
      {" mg / l ", "mg/l", "kg", "mg m/l", "mg/l", "mg m/l", 1, 1000},
      {"mg/L", "mg/L", "kg", "mg m/L", "mg/L", "mg m/L", 1, 1000},
      {"mg l-1", "mg/l", "kg", "mg m/l", "mg/l", "mg m/l", 1, 1000},
      {"mg/dm3", "mg/dm^3", "kg", "mg m/dm^3", "mg/dm^3", "mg m/dm^3", 1, 1000},
      {"\xC2\xB5g/l", "ug/l", "kg", "ug m/l", "ug/l", "ug m/l", 1, 1e6},
      {"ng/ml", "ng/ml", "kg", "ng m/ml", "ng/ml", "ng m/ml", 1, 1e6},
      {"t/m3", "t/m^3", "kg", "t m-2", "t/m^3", "t m-2", 1000, 1},
      {"cfu/100 ml", "cfu/100 ml", "cfu", "cfu m/100 ml", "dl-1", "m/dl", 1e4, 1},
      {"CFU/100mL", "CFU/100mL", "cfu", "CFU m/100mL", "dl-1", "m/dl", 1e4, 1},
      {"MPN/m3", "MPN/m^3", "MPN", "MPN m-2", "m-3", "m-2", 1, 1},
      {"cells/ml", "cells/ml", "cells", "cells m/ml", "ml-1", "m/ml", 1e6, 1},
      {"count(algae)/l", "count(algae)/l", "count(algae)", "count(algae) m/l", "l-1", "m/l", 1000,
       1},
      {"kBq/m3", "kBq/m^3", "Bq", "kBq m-2", "kBq/m^3", "kBq m-2", 1000, 1},
      {"umol/l", "umol/l", "mol", "umol m/l", "umol/l", "umol m/l", 1, 1000},
      {"K", "K", "K m^3", "K m", "K", "K m", 1, 1},
      {"\xC2\xB0"
       "C",
       "\xC2\xB0"
       "C",
       "\xC2\xB0"
       "C m^3",
       "\xC2\xB0"
       "C m",
       "degC", "degC m", 1, 1},
      {"psu", "psu", "psu m^3", "psu m", "1", "m", 1, 1},
      {"g/kg", "g/kg", "g/kg m^3", "g/kg m", "g/kg", "g/kg m", 1, 1},
      {"%", "%", "% m^3", "% m", "%", "% m", 1, 1},
      {"1", "1", "m^3", "m", "1", "m", 1, 1},
  };
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    const ria_unit u = unit_of(row[k].text);
    CHECK_TEXT(u.name, row[k].name);
    CHECK_TEXT(u.amount, row[k].amount);
    CHECK_TEXT(u.load, row[k].load);
    CHECK_TEXT(u.cf, row[k].cf);
    CHECK_TEXT(u.cf_load, row[k].cf_load);
    CHECK_NEAR(u.mul / u.div, row[k].mul / row[k].div, 0);
  }
}

/* --- quantities ------------------------------------------------------------------------------- */

static void good(const char *unit, ria_measure what, const char *text, double expected) {
  const ria_unit u = unit_of(unit);
  double v = -1;
  if (CHECK_OK(ctx, ria_unit_parse(ctx, &u, what, text, &v)) &&
      !CHECK_NEAR(v, expected, 2e-16 * (expected < 0 ? -expected : expected)))
    fprintf(stderr, "  of '%s' in %s\n", text, unit);
  CHECK_OK(ctx, ria_unit_parse(ctx, NULL, what, text, &v));
}

static void test_quantities(void) {
  good("1", RIA_CONCENTRATION, "5", 5); /* of anything else text carries its unit */
  good("mg/l", RIA_CONCENTRATION, "5 mg/l", 5);
  good("mg/l", RIA_CONCENTRATION, "5 g/m3", 5);
  good("mg/l", RIA_CONCENTRATION, "5 g m-3", 5);
  good("mg/l", RIA_CONCENTRATION, "5 ug/l", 0.005);
  good("mg/l", RIA_CONCENTRATION, "5 kg/m3", 5000);
  good("kg/m3", RIA_CONCENTRATION, "20 g/m3", 0.02);
  good("cfu/100 ml", RIA_CONCENTRATION, "235 cfu/100ml", 235);
  good("cfu/100 ml", RIA_CONCENTRATION, "2350 CFU / l", 235);
  good("cfu/100 ml", RIA_CONCENTRATION, "2 cfu/ml", 200);
  good("Bq/l", RIA_CONCENTRATION, "3 kBq/m3", 3);
  good("mmol/l", RIA_CONCENTRATION, "3 mol/m3", 3);
  good("K", RIA_CONCENTRATION, "15 degC", 288.15);
  good("degC", RIA_CONCENTRATION, "273.15 K", 0);
  good("degC", RIA_CONCENTRATION,
       "-1 \xC2\xB0"
       "C",
       -1);
  good("g/kg", RIA_CONCENTRATION, "3.5 %", 35);
  good("1", RIA_CONCENTRATION, "3.5 g/kg", 0.0035);

  good("mg/l", RIA_AMOUNT, "40 t", 40000);
  good("ug/l", RIA_AMOUNT, "40 ng", 4e-11);
  good("cfu/l", RIA_AMOUNT, "5e12 cfu", 5e12);
  good("count(fish)/m3", RIA_AMOUNT, "300 count(fish)", 300);
  good("Bq/l", RIA_AMOUNT, "3 TBq", 3e12);
  good("mol/m3", RIA_AMOUNT, "3 kmol", 3000);
  good("K", RIA_AMOUNT, "3 K m3", 3);
  good("K", RIA_AMOUNT, "3 degC hm^3", 3e6); /* of a heating, so without the zero */
  good("psu", RIA_AMOUNT, "3 psu l", 0.003);
  good("1", RIA_AMOUNT, "3 l", 0.003);
  good("%", RIA_AMOUNT, "3 m3", 300);
  good("g/kg", RIA_AMOUNT, "3 g/kg m3", 3);

  good("mg/l", RIA_AMOUNT_RATE, "3.6 t/h", 1);
  good("cfu/l", RIA_AMOUNT_RATE, "6e9 cfu/min", 1e8);
  good("K", RIA_AMOUNT_RATE, "3600 K m3/h", 1);
  good("g/kg", RIA_AMOUNT_RATE, "60 g/kg m3/min", 1);
}

/* --- what is refused -------------------------------------------------------------------------- */

static void bad(const char *unit, ria_measure what, const char *text, const char *message) {
  const ria_unit u = unit_of(unit);
  double v = 42;
  CHECK_FAILS(ctx, ria_unit_parse(ctx, &u, what, text, &v), RIA_ERR_ARGUMENT, message);
  CHECK(v == 42);
}

#define KNOWN                                                                                      \
  "a mass (kg, g, mg, ug, ng, t), a count (cfu, MPN, pfu, cells, copies, particles, eggs, "        \
  "larvae, oocysts, or count(name) of anything else), Bq or mol over a volume (m^3, l, ml, 100 "   \
  "ml), or K, degC, psu, g/kg, mg/kg, %, 1"

static void test_errors(void) {
  ria_unit u;
  CHECK_FAILS(ctx, ria_unit_read(ctx, "mgg/l", &u), RIA_ERR_ARGUMENT,
              "unknown unit 'mgg/l', did you mean 'mg/l'? Expected " KNOWN);
  CHECK_FAILS(ctx, ria_unit_read(ctx, "cffu/100 ml", &u), RIA_ERR_ARGUMENT,
              "unknown unit 'cffu/100 ml', did you mean 'cfu/100 ml'? Expected " KNOWN);
  CHECK_FAILS(ctx, ria_unit_read(ctx, "count(a b)/l", &u), RIA_ERR_ARGUMENT,
              "unknown unit 'count(a b)/l': expected " KNOWN);
  CHECK_FAILS(ctx, ria_unit_read(ctx, "ps", &u), RIA_ERR_ARGUMENT,
              "unknown unit 'ps', did you mean 'psu'? Expected " KNOWN);
  CHECK_FAILS(ctx, ria_unit_read(ctx, "k", &u), RIA_ERR_ARGUMENT,
              "unknown unit 'k': expected " KNOWN);
  CHECK_FAILS(ctx, ria_unit_read(ctx, "cells", &u), RIA_ERR_ARGUMENT,
              "unknown unit 'cells': expected " KNOWN);
  CHECK_FAILS(ctx, ria_unit_read(ctx, "/l", &u), RIA_ERR_ARGUMENT,
              "unknown unit '/l': expected " KNOWN);
  CHECK_FAILS(ctx, ria_unit_read(ctx, "kg/s", &u), RIA_ERR_ARGUMENT,
              "'kg/s' is a unit of mass rate, not of a concentration: expected " KNOWN);
  CHECK_FAILS(ctx,
              ria_unit_read(ctx, "count(an_animal_with_a_name_that_is_far_too_long_for_any)/l", &u),
              RIA_ERR_ARGUMENT,
              "'count(an_animal_with_a_name_that_is_far_too_long_for_any)/l' is too long for a "
              "unit");
  /* 48 bytes are not, 49 are */
  CHECK_OK(ctx, ria_unit_read(ctx, "count(an_animal_with_a_name_that_is_now_short)/l", &u));
  CHECK_INT(strlen(u.name), RIA_UNIT_MAX - 16);
  CHECK_STATUS(ctx, ria_unit_read(ctx, "count(an_animal_with_a_name_that_is_now_shorts)/l", &u),
               RIA_ERR_ARGUMENT);
  bad("mg/l", RIA_CONCENTRATION, " 5 ",
      "'5' has no unit: write '5 mg/l', or the number 5, which is in mg/l");
  bad("cfu/l", RIA_AMOUNT, "5e12",
      "'5e12' has no unit: write '5e12 cfu', or the number 5e12, which is in cfu");
  bad("mg/l", RIA_AMOUNT_RATE, "2",
      "'2' has no unit: write '2 kg/s', or the number 2, which is in kg/s");
  bad("mg/l", RIA_CONCENTRATION, "3 K",
      "'3 K' is a temperature, but the tracer is in mg/l, a mass over a volume");
  bad("K", RIA_CONCENTRATION, "3 mg/l",
      "'3 mg/l' is a mass over a volume, but the tracer is in K, a temperature");
  bad("psu", RIA_CONCENTRATION, "35 g/kg",
      "'35 g/kg' is a fraction, but the tracer is in psu, a salinity");
  bad("cfu/l", RIA_CONCENTRATION, "3 MPN/l",
      "'3 MPN/l' is a count of MPN over a volume, but the tracer is in cfu/l, a count of cfu over "
      "a volume");
  bad("mg/l", RIA_CONCENTRATION, "mg/l", "'mg/l' has no number: expected one and a unit, '5 mg/l'");
  bad("mg/l", RIA_CONCENTRATION, "0,5 mg/l", "'0,5 mg/l' has a comma: the decimal sign is a point");
  bad("mg/l", RIA_CONCENTRATION, "1e400 mg/l", "'1e400 mg/l' is too large");
  bad("mg/l", RIA_AMOUNT, "5 kgs",
      "unknown unit 'kgs' in '5 kgs', did you mean 'kg'? Expected a mass (ug, mg, g, kg, t)");
  bad("mg/l", RIA_AMOUNT, "5 mol",
      "'5 mol' is an amount of substance, but the tracer is in mg/l: its amounts are in kg");
  bad("Bq/l", RIA_AMOUNT, "5 Bqq",
      "unknown unit 'Bqq' in '5 Bqq', did you mean 'Bq'? Expected an amount in Bq");
  bad("cfu/l", RIA_AMOUNT_RATE, "5 cfu/m",
      "unknown unit 'cfu/m' in '5 cfu/m', did you mean 'cfu/s'? Expected an amount in cfu/s");
  bad("cfu/l", RIA_AMOUNT, "5 u", "unknown unit 'u' in '5 u': expected an amount in cfu");
  bad("cfu/l", RIA_AMOUNT_RATE, "5 kg/s",
      "'5 kg/s' is a mass per time, but the tracer is in cfu/l: its amounts are in cfu");
}

/* --- a simulation ----------------------------------------------------------------------------- */

static ria_sim *basin(const char *unit, ria_real real) {
  const ria_tracer tracer = {.name = "dye", .unit = unit};
  const ria_sim_desc desc = {.solver = "shallow_water",
                             .grid = {.nx = 10, .ny = 10, .dx = 200, .dy = 200},
                             .precision = real,
                             .tracers = &tracer,
                             .n_tracers = 1};
  ria_sim *sim = NULL;
  CHECK_OK(ctx, ria_sim_create(ctx, &desc, &sim));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "bed", -10));
  CHECK_OK(ctx, ria_sim_set_constant(sim, "level", 0));
  return sim;
}

/* Released in the whole of 4e7 m^3. */
static void check_release(const char *unit, ria_real real, ria_spill_desc spill, double released,
                          double concentration, const char *amount) {
  const double eps = real == RIA_F32 ? 1e-6 : 1e-12;
  ria_sim *sim = basin(unit, real);
  ria_budget_row rows[2];
  size_t n = 2;
  ria_handle handle = 0;
  double v = 0;
  spill.tracer = "dye";
  spill.x = spill.y = 1000;
  spill.radius = 2000;
  CHECK_OK(ctx, ria_sim_spill(sim, &spill, &handle));
  CHECK_OK(ctx, ria_sim_run(sim, 100));
  CHECK_OK(ctx, ria_sim_probe(sim, "dye", 500, 500, &v));
  CHECK_NEAR(v, concentration, eps * concentration);
  CHECK_OK(ctx, ria_sim_spill_released(sim, handle, &v));
  CHECK_NEAR(v, released, eps * released);
  CHECK_OK(ctx, ria_sim_budget(sim, rows, &n));
  CHECK_TEXT(rows[1].unit, amount);
  CHECK_TEXT(ria_sim_unit(sim, 0)->amount, amount);
  CHECK(!ria_sim_unit(sim, 1) && !ria_sim_unit(sim, -1));
  CHECK_NEAR(rows[1].stored, released, eps * released);
  CHECK_NEAR(rows[1].sources, released, eps * released);
  CHECK_NEAR(rows[1].relative, 0, eps);
  ria_sim_destroy(&sim);
}

static void test_amounts(void) {
  for (int real = 0; real < 2; real++) {
    const ria_real r = (ria_real)real;
    check_release("mg/l", r, (ria_spill_desc){.mass = 40000}, 40000, 1, "kg");
    check_release("mg/l", r, (ria_spill_desc){.amount = 40000}, 40000, 1, "kg");
    check_release("mg/l", r, (ria_spill_desc){.mass = 40000, .duration = 100}, 40000, 1, "kg");
    check_release("mg/l", r, (ria_spill_desc){.volume = 50, .density = 800}, 40000, 1, "kg");
    check_release("ug/l", r, (ria_spill_desc){.has_rate = true, .rate = {.constant = 0.4}}, 40, 1,
                  "kg");
    check_release("cfu/100 ml", r, (ria_spill_desc){.amount = 1e12}, 1e12, 2.5, "cfu");
    check_release("K", r, (ria_spill_desc){.amount = 8e7}, 8e7, 2, "K m^3");
  }
}

static void test_refusals(void) {
  const ria_tracer tracer = {.name = "dye", .unit = "bananas"};
  const ria_sim_desc desc = {
      .grid = {.nx = 2, .ny = 2, .dx = 1, .dy = 1}, .tracers = &tracer, .n_tracers = 1};
  ria_sim *sim = NULL;
  CHECK_FAILS(ctx, ria_sim_create(ctx, &desc, &sim), RIA_ERR_ARGUMENT,
              "tracer 'dye': unknown unit 'bananas': expected " KNOWN);
  sim = basin("cfu/100 ml", RIA_F64);
  ria_spill_desc spill = {.tracer = "dye", .x = 500, .y = 500, .mass = 1};
  CHECK_FAILS(ctx, ria_sim_spill(sim, &spill, NULL), RIA_ERR_ARGUMENT,
              "spill 'dye': 'dye' is in cfu/100 ml, which has no mass: give amount, in "
              "cfu, not mass");
  spill = (ria_spill_desc){.tracer = "dye", .x = 500, .y = 500, .mass = 1, .amount = 1};
  CHECK_FAILS(ctx, ria_sim_spill(sim, &spill, NULL), RIA_ERR_ARGUMENT,
              "spill 'dye': only one of mass, amount, rate, volume and flow may be given");
  spill = (ria_spill_desc){.tracer = "dye", .x = 500, .y = 500, .amount = -1};
  CHECK_FAILS(ctx, ria_sim_spill(sim, &spill, NULL), RIA_ERR_ARGUMENT,
              "spill 'dye': amount is -1, it must be 0 or more");
  spill = (ria_spill_desc){.tracer = "water", .x = 500, .y = 500, .volume = 1, .amount = 1};
  CHECK_FAILS(ctx, ria_sim_spill(sim, &spill, NULL), RIA_ERR_ARGUMENT,
              "spill 'water': of 'water' a volume or a flow is released, one of the two, and no "
              "density or conc");
  ria_sim_destroy(&sim);
}

int main(void) {
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx)))
    return TEST_END();
  test_names();
  test_quantities();
  test_errors();
  test_amounts();
  test_refusals();
  ria_context_destroy(&ctx);
  return TEST_END();
}
