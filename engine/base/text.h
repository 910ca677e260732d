/* base/text.h - text in and out, the same whatever the host's locale.
 *
 * A host may have called setlocale(LC_ALL, ""): then printf writes and strtod reads a decimal comma
 * in half of Europe. Files, messages and scenarios always use the point, so the library formats and
 * parses numbers through the functions here. */
#ifndef RIA_BASE_TEXT_H
#define RIA_BASE_TEXT_H
#include <ria/status.h>

/* snprintf with a decimal point. Always terminates buf (size >= 1); returns what snprintf does. */
int ria_format(char *buf, size_t size, const char *fmt, ...) RIA_PRINTF(3, 4);
int ria_vformat(char *buf, size_t size, const char *fmt, va_list args) RIA_PRINTF(3, 0);
/* Add to the end of the text in buf; what does not fit is cut off. */
void ria_append(char *buf, size_t size, const char *fmt, ...) RIA_PRINTF(3, 4);

/* Read a decimal number ("-12", "0.5", ".5", "1e-3") at the start of text. No spaces before it, no
 * hexadecimal, no "inf" or "nan". False when there is none; otherwise *end is the first character
 * after it. Too large a number becomes infinite: callers check isfinite. */
bool ria_read_number(const char *text, const char **end, double *out);

/* Bytes as people read them: "512 B", "1.5 GB". */
void ria_format_bytes(size_t bytes, char *buf, size_t size);

/* The nearest of several names to a word, and all of them, told one at a time:
 *
 *   ria_guess guess = ria_guess_start(word);
 *   for (...) ria_guess_try(&guess, table[i].name);
 *   return ria_fail_unknown(ctx, "field", &guess); */
typedef struct ria_guess {
  const char *word;
  const char *name; /* the nearest so far, NULL if none is near enough */
  size_t distance;  /* of it; before the first: one more than allowed */
  char known[512];  /* "bed, depth": what was tried; the end of a longer list is cut off */
} ria_guess;
ria_guess ria_guess_start(const char *word);
void ria_guess_try(ria_guess *guess, const char *name);
/* RIA_ERR_ARGUMENT: "unknown <what> '<word>': did you mean '<nearest>'? known are <known>". */
ria_status ria_fail_unknown(ria_context *ctx, const char *what, const ria_guess *guess);
/* RIA_ERR_ARGUMENT: "<fmt>: did you mean '<nearest>'?"; where none is near "<fmt><others><known>",
 * or (others NULL) "<fmt>". */
ria_status ria_fail_guess(ria_context *ctx, const ria_guess *guess, const char *others,
                          const char *fmt, ...) RIA_PRINTF(4, 5);

/* Is this the tail of the text, in capitals or not? ".asc.gz" of "Bay.ASC.gz". */
bool ria_ends_with(const char *text, const char *tail);

/* A copy of text, or NULL (text NULL, or no memory). */
char *ria_strdup(const char *text);

#endif
