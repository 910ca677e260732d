/* base/text.c - text in and out, the same whatever the host's locale; the nearest name.
 *
 * The locale: uselocale switches the calling thread alone, and glibc and musl keep the "C" locale
 * as a constant, so asking for it neither allocates nor fails.
 *
 * The nearest name is the one with the smallest edit distance in which letters are inserted, left
 * out, replaced or swapped with a neighbour (Damerau-Levenshtein, each letter edited at most once:
 * "optimal string alignment"). Case does not count. A name is near enough when at most a third of
 * the word's letters are wrong (one in short words) and something of the word is left. */
#include "base/text.h"
#include "base/context.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

enum { WORD_MAX = 64 }; /* longer words are not compared: nobody mistypes those by a letter */

/* --- numbers, whatever the locale ------------------------------------------------------------- */

int ria_vformat(char *buf, size_t size, const char *fmt, va_list args) {
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  locale_t before = uselocale(c);
  int n = vsnprintf(buf, size, fmt, args);
  uselocale(before);
  if (c) freelocale(c);
  if (n < 0) buf[0] = '\0';
  return n;
}

int ria_format(char *buf, size_t size, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  int n = ria_vformat(buf, size, fmt, args);
  va_end(args);
  return n;
}

void ria_append(char *buf, size_t size, const char *fmt, ...) {
  size_t used = strlen(buf);
  va_list args;
  va_start(args, fmt);
  ria_vformat(buf + used, size - used, fmt, args);
  va_end(args);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool ria_read_number(const char *text, const char **end, double *out) {
  const char *p = text + (*text == '-' || *text == '+');
  if (!is_digit(p[0]) && !(p[0] == '.' && is_digit(p[1]))) return false;
  if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) { /* strtod would read hexadecimal */
    *end = p + 1;
    *out = 0.0;
    return true;
  }
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  char *stop = NULL;
  *out = c ? strtod_l(text, &stop, c) : strtod(text, &stop);
  if (c) freelocale(c);
  *end = stop;
  return true;
}

void ria_format_bytes(size_t bytes, char *buf, size_t size) {
  static const char *const unit[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
  size_t k = 0;
  double v = (double)bytes;
  while (v >= 999.5 && k + 1 < sizeof unit / sizeof *unit) {
    v /= 1000.0;
    k++;
  }
  ria_format(buf, size, "%.3g %s", v, unit[k]);
}

bool ria_ends_with(const char *text, const char *tail) {
  const size_t n = strlen(text), k = strlen(tail);
  return n >= k && strcasecmp(text + n - k, tail) == 0;
}

char *ria_strdup(const char *text) {
  if (!text) return NULL;
  size_t size = strlen(text) + 1;
  char *copy = malloc(size);
  if (copy) memcpy(copy, text, size);
  return copy;
}

/* --- the nearest name ------------------------------------------------------------------------- */

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Edit distance of two words, both shorter than WORD_MAX. Row i of the table holds the distances of
 * the first i letters of a to all beginnings of b; a swap looks back two rows, so three are kept.
 */
static size_t edit_distance(const char *a, size_t na, const char *b, size_t nb) {
  size_t rows[3][WORD_MAX];
  size_t *before = rows[0], *last = rows[1], *row = rows[2];
  for (size_t j = 0; j <= nb; j++) row[j] = j;
  for (size_t i = 1; i <= na; i++) {
    size_t *free_row = before;
    before = last;
    last = row;
    row = free_row;
    row[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      bool same = lower(a[i - 1]) == lower(b[j - 1]);
      size_t d = least(last[j - 1] + !same, least(last[j], row[j - 1]) + 1);
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1]))
        d = least(d, before[j - 2] + 1);
      row[j] = d;
    }
  }
  return row[nb];
}

ria_guess ria_guess_start(const char *word) {
  size_t allowed = strlen(word) / 3;
  return (ria_guess){.word = word, .distance = (allowed > 0 ? allowed : 1) + 1};
}

void ria_guess_try(ria_guess *guess, const char *name) {
  if (!name) return;
  ria_append(guess->known, sizeof guess->known, "%s%s", *guess->known ? ", " : "", name);
  size_t n_word = strlen(guess->word), n_name = strlen(name);
  if (n_word >= WORD_MAX || n_name >= WORD_MAX) return;
  size_t d = edit_distance(guess->word, n_word, name, n_name);
  size_t longer = n_word > n_name ? n_word : n_name;
  /* of two as near the one that begins as the word does: "con" is conc, not lon */
  const bool begins = guess->name && *name == *guess->word && *guess->name != *guess->word;
  if ((d < guess->distance || (d == guess->distance && begins)) && d < longer) {
    guess->name = name;
    guess->distance = d;
  }
}

ria_status ria_fail_unknown(ria_context *ctx, const char *what, const ria_guess *guess) {
  if (!guess->name)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "unknown %s '%s': known are %s", what, guess->word,
                    guess->known);
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "unknown %s '%s': did you mean '%s'? known are %s", what,
                  guess->word, guess->name, guess->known);
}

ria_status ria_fail_guess(ria_context *ctx, const ria_guess *guess, const char *others,
                          const char *fmt, ...) {
  char told[RIA_ERROR_MAX];
  va_list args;
  va_start(args, fmt);
  ria_vformat(told, sizeof told, fmt, args);
  va_end(args);
  if (guess->name)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s: did you mean '%s'?", told, guess->name);
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "%s%s%s", told, others ? others : "",
                  others ? guess->known : "");
}

const char *ria_nearest(const char *word, const char *const *names, size_t n) {
  if (!word || !names) return NULL;
  ria_guess guess = ria_guess_start(word);
  for (size_t i = 0; i < n; i++) ria_guess_try(&guess, names[i]);
  return guess.name;
}
