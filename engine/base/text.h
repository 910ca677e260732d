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

/* The nearest of several names to a word, looked for one at a time:
 *
 *   ria_guess guess = ria_guess_start(word);
 *   for (...) ria_guess_try(&guess, table[i].name);
 *   if (guess.name) "... did you mean '%s'?" */
typedef struct ria_guess {
  const char *word;
  const char *name; /* the nearest so far, NULL if none is near enough */
  size_t distance;  /* of it; before the first: one more than allowed */
} ria_guess;
ria_guess ria_guess_start(const char *word);
void ria_guess_try(ria_guess *guess, const char *name);

/* A copy of text, or NULL (text NULL, or no memory). */
char *ria_strdup(const char *text);

#endif
