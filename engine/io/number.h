/* io/number.h - decimal text to double and back: fast, exact, the same in every locale. */
#ifndef RIA_IO_NUMBER_H
#define RIA_IO_NUMBER_H
#include <stdbool.h>
#include <stddef.h>

enum { RIA_NUMBER_MAX = 400 }; /* longer tokens are never numbers */

/* The n characters at s as one number: [+-] digits [. digits] [e [+-] digits], "nan" or "inf" or
 * "infinity" in any case. False (and *out untouched) when they are anything else. Too large is
 * infinity, too small is 0. */
bool ria_number_parse(const char *s, size_t n, double *out);

/* v with as few digits (15 to 17) as read back as exactly v. Returns the length. */
int ria_number_format(double v, char out[32]);

#endif
