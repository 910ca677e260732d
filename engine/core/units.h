/* core/units.h - the tables of units as the other files of the engine look into them: units.c has
 * them, tracer_unit.c builds the units of tracers from them. */
#ifndef RIA_CORE_UNITS_H
#define RIA_CORE_UNITS_H
#include "base/text.h"
#include <ria/units.h>

/* A ratio of whole numbers where there is one: the SI value is number * mul / div. */
typedef struct ria_factor {
  double mul, div;
} ria_factor;

/* Copy n characters of unit text in plain form: ASCII letters, no spaces at the ends, around
 * slashes and carets. False when it is longer than any unit. */
bool ria_plain_unit(const char *text, size_t n, char out[RIA_UNIT_MAX]);
/* Equal but for carets. */
bool ria_same_unit(const char *a, const char *b);
/* The unit (in plain form) of a dimension's own table, with its carets; NULL if it has none such.
 */
const char *ria_find_unit(ria_dim dim, const char *text, ria_factor *out);
/* The name of the dimension that has this unit (in plain form), or NULL. */
const char *ria_measured_by(const char *text);
/* Try the units of a dimension's own table. */
void ria_guess_unit(ria_dim dim, ria_guess *guess);

#endif
