/* core/tracer_unit.c - what a tracer's concentration is measured in, and amounts of it.
 *
 * A concentration is something over a volume (a mass, a count, Bq, mol), or stands alone (K, psu,
 * g/kg). Its kind says what it may be converted to. Solvers carry it in the tracer's own unit;
 * amounts alone are converted, where they come in and where they are told. Their unit is that of
 * what stands over the volume ("kg"), or the unit times m^3 ("K m^3") where nothing does.
 *
 * Counts are never converted into other things counted, nor anything into psu: nothing here guesses
 * what an organism weighs. Words that nobody knows are refused, as a count's name would otherwise
 * swallow every misspelt unit; count(name) is how to say that it is meant. */
#include "core/units.h"

#include "base/context.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

typedef enum kind { MASS, COUNT, ACTIVITY, SUBSTANCE, TEMPERATURE, SALINITY, FRACTION } kind;

/* How messages call a concentration of a kind, and an amount. %s: what is counted. */
static const struct {
  const char *concentration, *amount;
} kind_names[] = {
    [MASS] = {"a mass over a volume", "a mass"},
    [COUNT] = {"a count of %s over a volume", "a count of %s"},
    [ACTIVITY] = {"an activity over a volume", "an activity"},
    [SUBSTANCE] = {"an amount of substance over a volume", "an amount of substance"},
    [TEMPERATURE] = {"a temperature", "a temperature times a volume"},
    [SALINITY] = {"a salinity", "a salinity times a volume"},
    [FRACTION] = {"a fraction", "a volume"},
};

typedef struct entry {
  const char *name; /* NULL ends a table */
  kind kind;
  ria_factor si;
  const char *counted, *cf; /* cf: NULL = the name */
  double zero;
} entry;

/* What may stand over a volume, beside masses. */
static const entry over_units[] = {{"cfu", COUNT, {1, 1}, "cfu", NULL, 0},
                                   {"CFU", COUNT, {1, 1}, "cfu", NULL, 0},
                                   {"MPN", COUNT, {1, 1}, "MPN", NULL, 0},
                                   {"mpn", COUNT, {1, 1}, "MPN", NULL, 0},
                                   {"pfu", COUNT, {1, 1}, "pfu", NULL, 0},
                                   {"PFU", COUNT, {1, 1}, "pfu", NULL, 0},
                                   {"cells", COUNT, {1, 1}, "cells", NULL, 0},
                                   {"copies", COUNT, {1, 1}, "copies", NULL, 0},
                                   {"particles", COUNT, {1, 1}, "particles", NULL, 0},
                                   {"eggs", COUNT, {1, 1}, "eggs", NULL, 0},
                                   {"larvae", COUNT, {1, 1}, "larvae", NULL, 0},
                                   {"oocysts", COUNT, {1, 1}, "oocysts", NULL, 0},
                                   {"uBq", ACTIVITY, {1, 1e6}, NULL, NULL, 0},
                                   {"mBq", ACTIVITY, {1, 1000}, NULL, NULL, 0},
                                   {"Bq", ACTIVITY, {1, 1}, NULL, NULL, 0},
                                   {"kBq", ACTIVITY, {1000, 1}, NULL, NULL, 0},
                                   {"MBq", ACTIVITY, {1e6, 1}, NULL, NULL, 0},
                                   {"GBq", ACTIVITY, {1e9, 1}, NULL, NULL, 0},
                                   {"TBq", ACTIVITY, {1e12, 1}, NULL, NULL, 0},
                                   {"PBq", ACTIVITY, {1e15, 1}, NULL, NULL, 0},
                                   {"nmol", SUBSTANCE, {1, 1e9}, NULL, NULL, 0},
                                   {"umol", SUBSTANCE, {1, 1e6}, NULL, NULL, 0},
                                   {"mmol", SUBSTANCE, {1, 1000}, NULL, NULL, 0},
                                   {"mol", SUBSTANCE, {1, 1}, NULL, NULL, 0},
                                   {"kmol", SUBSTANCE, {1000, 1}, NULL, NULL, 0},
                                   {0}};

/* What stands alone. A practical salinity has no unit in CF, and readers know no psu. */
static const entry single_units[] = {{"K", TEMPERATURE, {1, 1}, NULL, NULL, 0},
                                     {"degC", TEMPERATURE, {1, 1}, NULL, NULL, 273.15},
                                     {"\xC2\xB0"
                                      "C",
                                      TEMPERATURE,
                                      {1, 1},
                                      NULL,
                                      "degC",
                                      273.15},
                                     {"psu", SALINITY, {1, 1}, NULL, "1", 0},
                                     {"PSU", SALINITY, {1, 1}, NULL, "1", 0},
                                     {"g/kg", FRACTION, {1, 1000}, NULL, NULL, 0},
                                     {"mg/kg", FRACTION, {1, 1e6}, NULL, NULL, 0},
                                     {"ug/kg", FRACTION, {1, 1e9}, NULL, NULL, 0},
                                     {"%", FRACTION, {1, 100}, NULL, NULL, 0},
                                     {"1", FRACTION, {1, 1}, NULL, NULL, 0},
                                     {0}};

/* Bacteria are told per 100 ml; readers of stores know that volume as dl. */
static const entry hundred_ml[] = {{"100 ml", MASS, {1, 1e4}, NULL, "dl", 0},
                                   {"100ml", MASS, {1, 1e4}, NULL, "dl", 0},
                                   {"100 mL", MASS, {1, 1e4}, NULL, "dl", 0},
                                   {"100mL", MASS, {1, 1e4}, NULL, "dl", 0},
                                   {0}};

static const char known[] =
    "a mass (kg, g, mg, ug, ng, t), a count (cfu, MPN, pfu, cells, copies, particles, eggs, "
    "larvae, oocysts, or count(name) of anything else), Bq or mol over a volume (m^3, l, ml, 100 "
    "ml), or K, degC, psu, g/kg, mg/kg, %, 1";

/* --- looking up ------------------------------------------------------------------------------- */

static const entry *find_entry(const entry *table, const char *text) {
  for (; table->name; table++)
    if (strcmp(table->name, text) == 0) return table;
  return NULL;
}

/* "count(algae)" */
static bool is_named_count(const char *text) {
  const char start[] = "count(";
  if (strncmp(text, start, sizeof start - 1) != 0) return false;
  const char *name = text + sizeof start - 1, *end = name;
  if (!isalpha((unsigned char)*name)) return false;
  while (isalnum((unsigned char)*end) || *end == '_' || *end == '-' || *end == '.') end++;
  return strcmp(end, ")") == 0;
}

/* Something that may stand over a volume, or is an amount: its kind, ratio to the SI unit of the
 * kind, and name. */
static bool find_over(const char *text, ria_unit *out, char name[RIA_UNIT_MAX]) {
  ria_factor f = {1, 1};
  const char *found = ria_find_unit(RIA_DIM_MASS, text, &f);
  const entry *e = found ? NULL : find_entry(over_units, text);
  const bool named = !found && !e && is_named_count(text);
  if (!found && !e && !named) return false;
  out->kind = found ? MASS : e ? e->kind : COUNT;
  if (e) f = e->si;
  out->si_mul = f.mul;
  out->si_div = f.div;
  ria_format(out->counted, RIA_UNIT_MAX, "%s", named ? text : e && e->counted ? e->counted : "");
  ria_format(name, RIA_UNIT_MAX, "%s", found ? found : text);
  return true;
}

/* A volume: its name, and as readers of stores know it. */
static bool find_volume(const char *text, ria_factor *f, const char **name, const char **cf) {
  const entry *e = find_entry(hundred_ml, text);
  if (e) *f = e->si;
  *name = e ? e->name : ria_find_unit(RIA_DIM_VOLUME, text, f);
  *cf = e ? e->cf : *name;
  return *name != NULL;
}

/* "kg m-3" and "mg l-1" with a slash. */
static void with_slash(const char *text, char out[RIA_UNIT_MAX]) {
  const char *space = strrchr(text, ' '), *minus = space ? strchr(space, '-') : NULL;
  const bool inverse = minus && (strcmp(minus, "-1") == 0 || strcmp(minus, "-3") == 0);
  if (!inverse || strchr(text, '/')) {
    ria_format(out, RIA_UNIT_MAX, "%s", text);
    return;
  }
  const int base = (int)strcspn(space + 1, "^-");
  ria_format(out, RIA_UNIT_MAX, "%.*s/%.*s%s", (int)(space - text), text, base, space + 1,
             minus[1] == '3' ? "^3" : "");
}

static void fill_single(const entry *e, ria_unit *u) {
  const bool one = strcmp(e->name, "1") == 0;
  const char *cf = e->cf ? e->cf : e->name;
  u->kind = e->kind;
  u->mul = u->div = 1;
  u->si_mul = e->si.mul;
  u->si_div = e->si.div;
  u->zero = e->zero;
  ria_format(u->name, RIA_UNIT_MAX, "%s", e->name);
  ria_format(u->amount, RIA_UNIT_MAX, "%s%sm^3", one ? "" : e->name, one ? "" : " ");
  ria_format(u->load, RIA_UNIT_MAX, "%s%sm", one ? "" : e->name, one ? "" : " ");
  ria_format(u->cf, RIA_UNIT_MAX, "%s", cf);
  ria_format(u->cf_load, RIA_UNIT_MAX, "%s%sm", strcmp(cf, "1") ? cf : "",
             strcmp(cf, "1") ? " " : "");
}

/* Of counts, which CF has as numbers, the volume alone is left: "dl-1", "m-3". */
static void count_cf(const char *volume, char out[RIA_UNIT_MAX]) {
  const char *power = strchr(volume, '^');
  const int base = (int)(power ? power - volume : (long)strlen(volume));
  ria_format(out, RIA_UNIT_MAX, "%.*s-%s", base, volume, power ? power + 1 : "1");
}

/* Over a volume: `over` and `volume` as they are shown. */
static void fill_over(ria_unit *u, const char *over, const char *volume, const char *cf_volume) {
  static const char *const si[] = {
      [MASS] = "kg", [COUNT] = NULL, [ACTIVITY] = "Bq", [SUBSTANCE] = "mol"};
  const bool counts = u->kind == COUNT, metres = strcmp(volume, "m^3") == 0;
  u->mul = u->si_mul;
  u->div = u->si_div;
  ria_format(u->amount, RIA_UNIT_MAX, "%s", counts ? u->counted : si[u->kind]);
  ria_format(u->name, RIA_UNIT_MAX, "%s/%s", over, volume);
  ria_format(u->cf, RIA_UNIT_MAX, "%s/%s", over, cf_volume);
  if (counts) count_cf(cf_volume, u->cf);
  if (metres) {
    ria_format(u->load, RIA_UNIT_MAX, "%s m-2", over);
    ria_format(u->cf_load, RIA_UNIT_MAX, "%s%sm-2", counts ? "" : over, counts ? "" : " ");
  } else {
    ria_format(u->load, RIA_UNIT_MAX, "%s m/%s", over, volume);
    ria_format(u->cf_load, RIA_UNIT_MAX, "%s%sm/%s", counts ? "" : over, counts ? "" : " ",
               cf_volume);
  }
}

/* A unit of concentration in plain form. */
static bool find_concentration(const char *plain, ria_unit *out) {
  char text[RIA_UNIT_MAX], half[RIA_UNIT_MAX], over[RIA_UNIT_MAX];
  ria_factor f;
  const char *volume = NULL, *cf = NULL;
  *out = (ria_unit){0};
  with_slash(plain, text);
  const entry *e = find_entry(single_units, text);
  if (e) return fill_single(e, out), true;
  const char *slash = strrchr(text, '/');
  if (!slash || slash == text) return false;
  ria_format(half, sizeof half, "%.*s", (int)(slash - text), text);
  if (!find_over(half, out, over) || !find_volume(slash + 1, &f, &volume, &cf)) return false;
  out->si_mul *= f.div;
  out->si_div *= f.mul;
  fill_over(out, over, volume, cf);
  return true;
}

/* A unit of an amount in plain form: "t", "cfu", "K m3", "m3". Only kind, counted and the ratio to
 * the kind's SI unit are filled. */
static bool find_amount(const char *plain, ria_unit *out) {
  char name[RIA_UNIT_MAX], left[RIA_UNIT_MAX];
  ria_factor f = {1, 1};
  *out = (ria_unit){0};
  if (find_over(plain, out, name)) return true;
  const char *space = strrchr(plain, ' '), *volume = space ? space + 1 : plain;
  ria_format(left, sizeof left, "%.*s", space ? (int)(space - plain) : 1, space ? plain : "1");
  const entry *e = find_entry(single_units, left);
  if (!e || !ria_find_unit(RIA_DIM_VOLUME, volume, &f)) return false;
  out->kind = e->kind;
  out->si_mul = e->si.mul * f.mul;
  out->si_div = e->si.div * f.div;
  return true;
}

/* --- saying what is wrong --------------------------------------------------------------------- */

static void describe(const ria_unit *u, ria_measure what, char *buf, size_t size) {
  const char *text =
      what == RIA_CONCENTRATION ? kind_names[u->kind].concentration : kind_names[u->kind].amount;
  const char *hole = strstr(text, "%s");
  if (!hole)
    ria_format(buf, size, "%s", text);
  else
    ria_format(buf, size, "%.*s%s%s", (int)(hole - text), text, u->counted, hole + 2);
}

/* The nearest unit to one over a volume that nobody knows: both halves looked at on their own. */
static bool guess_compound(const char *plain, char out[RIA_UNIT_MAX]) {
  char half[RIA_UNIT_MAX], name[RIA_UNIT_MAX];
  ria_unit ignored;
  ria_factor f;
  const char *volume = NULL, *cf = NULL, *slash = strrchr(plain, '/');
  if (!slash) return false;
  ria_format(half, sizeof half, "%.*s", (int)(slash - plain), plain);
  ria_guess over = ria_guess_start(half), under = ria_guess_start(slash + 1);
  ria_guess_unit(RIA_DIM_MASS, &over);
  for (const entry *e = over_units; e->name; e++) ria_guess_try(&over, e->name);
  ria_guess_unit(RIA_DIM_VOLUME, &under);
  if (find_over(half, &ignored, name)) over.name = half;
  if (find_volume(slash + 1, &f, &volume, &cf)) under.name = volume;
  if (!over.name || !under.name) return false;
  ria_format(out, RIA_UNIT_MAX, "%s/%s", over.name, under.name);
  return true;
}

/* The nearest unit of a concentration that there is; "" if none is near. */
static void guess_concentration(const char *plain, char out[RIA_UNIT_MAX]) {
  ria_guess guess = ria_guess_start(plain);
  out[0] = '\0';
  if (strlen(plain) < 2 || guess_compound(plain, out)) return;
  for (const entry *e = single_units; e->name; e++) ria_guess_try(&guess, e->name);
  if (guess.name) ria_format(out, RIA_UNIT_MAX, "%s", guess.name);
}

/* The same of an amount, or (per "/s") of an amount per time: what lacks its volume or its time
 * gets them. */
static void guess_amount(const char *plain, const char *per, char out[RIA_UNIT_MAX]) {
  ria_unit ignored;
  char half[RIA_UNIT_MAX];
  const char *slash = *per ? strrchr(plain, '/') : NULL;
  const entry *single = find_entry(single_units, plain);
  ria_format(half, sizeof half, "%.*s", slash ? (int)(slash - plain) : RIA_UNIT_MAX, plain);
  ria_guess guess = ria_guess_start(half);
  ria_guess_unit(RIA_DIM_MASS, &guess);
  for (const entry *e = over_units; e->name; e++) ria_guess_try(&guess, e->name);
  out[0] = '\0';
  if (single)
    ria_format(out, RIA_UNIT_MAX, "%s m^3%s", single->name, per);
  else if (find_amount(half, &ignored))
    ria_format(out, RIA_UNIT_MAX, "%s%s", half, per);
  else if (guess.name && strlen(half) > 1)
    ria_format(out, RIA_UNIT_MAX, "%s%s", guess.name, per);
}

/* in: " in '5 mgg/l'", or "" where the unit stands alone. */
static ria_status unknown_concentration(ria_context *ctx, const char *plain, const char *in) {
  char guess[RIA_UNIT_MAX];
  const char *measured = ria_measured_by(plain);
  if (measured)
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "'%s'%s is a unit of %s, not of a concentration: expected %s", plain, in,
                    measured, known);
  guess_concentration(plain, guess);
  if (*guess)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "unknown unit '%s'%s, did you mean '%s'? Expected %s",
                    plain, in, guess, known);
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "unknown unit '%s'%s: expected %s", plain, in, known);
}

static ria_status unknown_amount(ria_context *ctx, const ria_unit *unit, const char *plain,
                                 const char *in, const char *per) {
  char guess[RIA_UNIT_MAX], expected[2 * RIA_UNIT_MAX];
  const char *measured = ria_measured_by(plain);
  if (unit)
    ria_format(expected, sizeof expected, "an amount in %s%s", unit->amount, per);
  else
    ria_format(expected, sizeof expected, "an amount such as '5 kg%s' or '1e9 cfu%s'", per, per);
  if (measured)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s'%s is a unit of %s: expected %s", plain, in,
                    measured, expected);
  guess_amount(plain, per, guess);
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "unknown unit '%s'%s%s%s%s%s", plain, in,
                  *guess ? ", did you mean '" : ": expected ", *guess ? guess : expected,
                  *guess ? "'? Expected " : "", *guess ? expected : "");
}

static ria_status wrong_kind(ria_context *ctx, const ria_unit *unit, const ria_unit *given,
                             ria_measure what, const char *text) {
  char is[2 * RIA_UNIT_MAX], wanted[2 * RIA_UNIT_MAX];
  describe(given, what, is, sizeof is);
  describe(unit, what, wanted, sizeof wanted);
  if (what == RIA_CONCENTRATION)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s' is %s, but the tracer is in %s, %s", text, is,
                    unit->name, wanted);
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "'%s' is %s%s, but the tracer is in %s: its amounts are in "
                  "%s",
                  text, is, what == RIA_AMOUNT_RATE ? " per time" : "", unit->name, unit->amount);
}

/* --- units and quantities --------------------------------------------------------------------- */

ria_status ria_unit_read(ria_context *ctx, const char *text, ria_unit *out) {
  char plain[RIA_UNIT_MAX];
  ria_unit u;
  if (!text) text = "kg/m^3";
  /* its other texts are a little longer */
  if (!ria_plain_unit(text, strlen(text), plain) || strlen(plain) > RIA_UNIT_MAX - 16)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s' is too long for a unit", text);
  if (!*plain) return ria_fail(ctx, RIA_ERR_ARGUMENT, "the unit is empty: expected %s", known);
  if (!find_concentration(plain, &u)) return unknown_concentration(ctx, plain, "");
  *out = u;
  return RIA_OK;
}

/* The number of a quantity and its unit in plain form. */
static ria_status split(ria_context *ctx, const ria_unit *unit, const char *text, double *number,
                        char plain[RIA_UNIT_MAX]) {
  const char *p = text + strspn(text, " \t\r\n");
  if (!ria_read_number(p, &p, number))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s' has no number: expected one and a unit%s%s%s",
                    text, unit ? ", '5 " : "", unit ? unit->name : "", unit ? "'" : "");
  if (*p == ',')
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s' has a comma: the decimal sign is a point", text);
  if (!ria_plain_unit(p, strlen(p), plain))
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s' is too long for a quantity", text);
  return RIA_OK;
}

static bool same_kind(const ria_unit *a, const ria_unit *b) {
  return a->kind == b->kind && strcmp(a->counted, b->counted) == 0;
}

static ria_status parse_concentration(ria_context *ctx, const ria_unit *unit, const char *text,
                                      const char *plain, double *v) {
  ria_unit given;
  char in[2 * RIA_UNIT_MAX];
  ria_format(in, sizeof in, " in '%s'", text);
  if (!find_concentration(plain, &given)) return unknown_concentration(ctx, plain, in);
  if (!unit) return RIA_OK;
  if (!same_kind(&given, unit)) return wrong_kind(ctx, unit, &given, RIA_CONCENTRATION, text);
  if (strcmp(given.name, unit->name) == 0) return RIA_OK;
  *v = *v * (given.si_mul * unit->si_div) / (given.si_div * unit->si_mul);
  *v += given.zero - unit->zero;
  return RIA_OK;
}

static ria_status parse_amount(ria_context *ctx, const ria_unit *unit, ria_measure what,
                               const char *text, char *plain, double *v) {
  ria_unit given;
  ria_factor time = {1, 1};
  char in[2 * RIA_UNIT_MAX];
  char *slash = what == RIA_AMOUNT_RATE ? strrchr(plain, '/') : NULL;
  ria_format(in, sizeof in, " in '%s'", text);
  const char *per = what == RIA_AMOUNT_RATE ? "/s" : "";
  bool found = !*per || (slash && ria_find_unit(RIA_DIM_TIME, slash + 1, &time));
  if (found && slash) *slash = '\0';
  found = found && find_amount(plain, &given);
  if (slash && !*slash) *slash = '/';
  if (!found) return unknown_amount(ctx, unit, plain, in, per);
  if (!unit) return RIA_OK;
  if (!same_kind(&given, unit)) return wrong_kind(ctx, unit, &given, what, text);
  /* what stands alone has amounts in its own unit times m^3, the rest in the SI unit of its kind */
  const bool alone = unit->kind >= TEMPERATURE;
  const double mul = alone ? unit->si_mul : 1, div = alone ? unit->si_div : 1;
  *v = *v * (given.si_mul * time.div * div) / (given.si_div * time.mul * mul);
  return RIA_OK;
}

/* Masses are read as every other quantity is, and refused in the same words. */
static ria_status parse_mass(ria_context *ctx, ria_measure what, const char *text, double *v) {
  return ria_parse_quantity(ctx, text, what == RIA_AMOUNT ? RIA_DIM_MASS : RIA_DIM_MASS_RATE, v);
}

/* A mass; of a tracer measured by mass also what is no amount at all. */
static bool reads_as_mass(const ria_unit *unit, ria_measure what, const char *plain) {
  char half[RIA_UNIT_MAX];
  ria_unit given;
  const char *slash = what == RIA_AMOUNT_RATE ? strrchr(plain, '/') : NULL;
  ria_format(half, sizeof half, "%.*s", (int)(slash ? slash - plain : (long)strlen(plain)), plain);
  if (unit && unit->kind != MASS) return false;
  return find_amount(half, &given) ? given.kind == MASS : unit != NULL;
}

/* Text carries its unit, as that of any quantity does (units.c); only of what is measured in "1" a
 * number is the whole. */
static ria_status no_unit(ria_context *ctx, const ria_unit *unit, ria_measure what,
                          const char *text) {
  const char *number = text + strspn(text, " \t\r\n");
  const int n = (int)strcspn(number, " \t\r\n");
  char in[RIA_UNIT_MAX + 4];
  ria_format(in, sizeof in, "%s%s", what == RIA_CONCENTRATION ? unit->name : unit->amount,
             what == RIA_AMOUNT_RATE ? "/s" : "");
  if (strcmp(in, "1") == 0) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "'%.*s' has no unit: write '%.*s %s', or the number %.*s, which is in %s", n,
                  number, n, number, in, n, number, in);
}

ria_status ria_unit_parse(ria_context *ctx, const ria_unit *unit, ria_measure what,
                          const char *text, double *out) {
  char plain[RIA_UNIT_MAX];
  double v;
  if (!text) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a quantity is missing");
  RIA_TRY(split(ctx, unit, text, &v, plain));
  if (!*plain && unit)
    RIA_TRY(no_unit(ctx, unit, what, text));
  else if (*plain && what == RIA_CONCENTRATION)
    RIA_TRY(parse_concentration(ctx, unit, text, plain, &v));
  else if (*plain && reads_as_mass(unit, what, plain))
    RIA_TRY(parse_mass(ctx, what, text, &v));
  else if (*plain)
    RIA_TRY(parse_amount(ctx, unit, what, text, plain, &v));
  if (!isfinite(v)) return ria_fail(ctx, RIA_ERR_ARGUMENT, "'%s' is too large", text);
  *out = v;
  return RIA_OK;
}
