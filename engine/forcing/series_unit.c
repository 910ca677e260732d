/* forcing/series_unit.c - units in the header of a file that a series is read from.
 *
 * What ria/units.h knows is converted to SI as it is read. A tracer's concentrations are in a unit
 * of its own, which only the place knows that takes the series: they are converted there. */
#include "forcing/series.h"

#include "base/context.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* "[m3/h]" is always a unit; "(upper gauge)" is a remark. */
static bool is_remark(ria_context *ctx, const ria_csv_table *t, size_t column, const char *unit) {
  const char *name = t->name[column];
  ria_unit known;
  double factor;
  if (*t->unit[column] || !*name || name[strlen(name) - 1] != ')') return false;
  if (ria_unit_factor(ctx, unit, &factor) || ria_unit_read(ctx, unit, &known) == RIA_OK)
    return false;
  ria_error_clear(ctx);
  return true;
}

/* Some write a number without a unit so. */
static void take_text(ria_series_unit *u, const char *text) {
  ria_format(u->text, sizeof u->text, "%s", strcmp(text, "-") == 0 ? "1" : text);
}

/* Are both known, and the same for all values? */
static bool same_unit(ria_context *ctx, const char *a, const char *b) {
  double fa, fb, one = 0.0;
  ria_unit unit;
  if (strcmp(a, b) == 0) return true;
  const bool qa = ria_unit_factor(ctx, a, &fa), qb = ria_unit_factor(ctx, b, &fb);
  if (qa || qb) return qa && qb && fa == fb;
  char text[RIA_UNIT_MAX + 2];
  ria_format(text, sizeof text, "1 %s", b);
  const bool same = ria_unit_read(ctx, a, &unit) == RIA_OK &&
                    ria_unit_parse(ctx, &unit, RIA_CONCENTRATION, text, &one) == RIA_OK;
  ria_error_clear(ctx);
  return same && one == 1.0;
}

static bool is_known(ria_context *ctx, const char *text) {
  ria_unit unit;
  double factor;
  const bool known =
      ria_unit_factor(ctx, text, &factor) || ria_unit_read(ctx, text, &unit) == RIA_OK;
  ria_error_clear(ctx);
  return known;
}

ria_status ria_series_unit_read(ria_context *ctx, const char *path, const ria_csv_table *t,
                                size_t column, const char *said, ria_series_unit *out) {
  char header[RIA_UNIT_MAX];
  *out = (ria_series_unit){.factor = 1.0};
  ria_csv_table_unit(t, column, header, sizeof header);
  if (*header && !is_remark(ctx, t, column, header)) take_text(out, header);
  if (said && *out->text && is_known(ctx, out->text) && !same_unit(ctx, out->text, said))
    return ria_fail(ctx, RIA_ERR_ARGUMENT,
                    "%s: column '%s' is in %s, and unit = \"%s\" says otherwise", path,
                    t->name[column], out->text, said);
  if (said) take_text(out, said);
  if (*out->text) ria_unit_factor(ctx, out->text, &out->factor);
  return RIA_OK;
}

ria_status ria_series_unit_scaled(ria_context *ctx, const ria_series_unit *unit) {
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "the values are in %s, as the header says, which is converted; scale would come "
                  "on top: leave it out, or say unit = \"%s\" if that is meant",
                  unit->text, unit->text);
}

/* --- where it is taken ------------------------------------------------------------------------ */

static ria_status parse(ria_context *ctx, const char *number, const char *unit,
                        const ria_series_use *use, double *out) {
  char text[RIA_UNIT_MAX + 8];
  const bool bare = strcmp(unit, "1") == 0;
  ria_format(text, sizeof text, "%s %s", number, unit);
  if (bare) ria_format(text, sizeof text, "%s", number);
  if (use->measure == RIA_OF_DIM) return ria_parse_quantity(ctx, text, use->dim, out);
  return ria_unit_parse(ctx, use->unit, use->measure, text, out);
}

static ria_status refuse(ria_context *ctx, const char *what, const char *unit,
                         const ria_series_use *use, const char *fix) {
  char expected[160] = "";
  if (use->measure == RIA_OF_DIM)
    ria_dim_describe(use->dim, expected, sizeof expected);
  else if (use->measure == RIA_CONCENTRATION)
    ria_format(expected, sizeof expected, "a concentration%s%s", use->unit ? " such as " : "",
               use->unit ? use->unit->name : "");
  else
    ria_format(expected, sizeof expected, "an amount%s%s%s",
               use->measure == RIA_AMOUNT_RATE ? " a second" : "", use->unit ? ", in " : "",
               use->unit ? use->unit->amount : "");
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "the %s of the series are in '%s', as its file says: "
                  "expected %s%s",
                  what, unit, expected, fix);
}

/* Values in `unit` are those wanted times *by, plus *more. */
static ria_status convert(ria_context *ctx, const char *unit, const ria_series_use *use, double *by,
                          double *more) {
  RIA_TRY(parse(ctx, "0", unit, use, more));
  RIA_TRY(parse(ctx, "1", unit, use, by));
  *by -= *more;
  return RIA_OK;
}

ria_status ria_series_take(ria_context *ctx, const ria_series *s, const ria_series_use *use,
                           ria_series **out) {
  const ria_series_unit *t = &s->of_times, *v = &s->of_values;
  const ria_series_use times = {.dim = use->times};
  double by = 1.0, more = 0.0;
  *out = NULL;
  if (*t->text && convert(ctx, t->text, &times, &by, &more) != RIA_OK)
    return refuse(ctx, use->times == RIA_DIM_TIME ? "times" : "numbers of the first column",
                  t->text, &times, "");
  if (!*v->text) return RIA_OK;
  if (convert(ctx, v->text, use, &by, &more) != RIA_OK)
    return refuse(ctx, "values", v->text, use,
                  "; where the header is wrong, take the unit out of it");
  by /= v->factor;
  if ((by == 1.0 && more == 0.0) || (use->measure != RIA_OF_DIM && !use->unit)) return RIA_OK;
  if (v->scaled) return ria_series_unit_scaled(ctx, v);
  RIA_TRY(ria_series_copy(ctx, s, out));
  (*out)->entry.scale *= by;
  (*out)->entry.base = (*out)->entry.base * by + more;
  (*out)->of_values.text[0] = '\0';
  return RIA_OK;
}
