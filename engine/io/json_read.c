/* io/json_read.c - reading JSON, strictly.
 *
 * ria_json_begin checks the grammar of the whole text (RFC 8259, nested at most DEPTH deep). The
 * functions after it therefore walk over text that is known to be whole. */
#include "io/json_read.h"
#include "io/number.h"

#include <math.h>
#include <string.h>

enum { DEPTH = 64 };

static bool fail(ria_json_reader *r) {
  if (!r->failed) r->where = r->at;
  r->failed = true;
  r->at = r->end;
  return false;
}

static char peek(const ria_json_reader *r) { return r->at < r->end ? *r->at : '\0'; }

static void skip_space(ria_json_reader *r) {
  while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at) r->at++;
}

static bool take(ria_json_reader *r, char c) {
  if (peek(r) != c || r->at == r->end) return false;
  r->at++;
  return true;
}

/* --- texts ------------------------------------------------------------------------------------ */

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/* Four digits; -1 if they are not. */
static int take_hex(ria_json_reader *r) {
  int code = 0;
  for (int k = 0; k < 4; k++) {
    const int digit = hex_digit(peek(r));
    if (digit < 0) return -1;
    code = 16 * code + digit;
    r->at++;
  }
  return code;
}

typedef struct text_out {
  char *text; /* NULL: only looked at */
  size_t n, room;
  bool lost; /* it does not fit, or is not a valid C string */
} text_out;

static void put(text_out *out, int byte) {
  if (!out->text) return;
  if (byte == 0 || out->n + 1 >= out->room)
    out->lost = true;
  else
    out->text[out->n++] = (char)byte;
}

static void put_code(text_out *out, int code) {
  if (code >= 0xd800 && code < 0xe000) {
    out->lost = true; /* half of a pair, alone */
  } else if (code < 0x80) {
    put(out, code);
  } else if (code < 0x800) {
    put(out, 0xc0 | code >> 6);
    put(out, 0x80 | (code & 0x3f));
  } else {
    if (code >= 0x10000) put(out, 0xf0 | code >> 18);
    put(out, code < 0x10000 ? 0xe0 | code >> 12 : 0x80 | (code >> 12 & 0x3f));
    put(out, 0x80 | (code >> 6 & 0x3f));
    put(out, 0x80 | (code & 0x3f));
  }
}

/* The character of a pair whose first half was read; the half alone where no other follows. */
static int take_pair(ria_json_reader *r, int high) {
  const char *from = r->at;
  const bool more = take(r, '\\') && take(r, 'u');
  const int low = more ? take_hex(r) : -1;
  if (low >= 0xdc00 && low < 0xe000) return 0x10000 + ((high - 0xd800) << 10 | (low - 0xdc00));
  r->at = from;
  return high;
}

static bool take_escape(ria_json_reader *r, text_out *out) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  if (take(r, 'u')) {
    const int code = take_hex(r);
    if (code < 0) return fail(r);
    put_code(out, code >= 0xd800 && code < 0xdc00 ? take_pair(r, code) : code);
    return true;
  }
  const char c = peek(r);
  const char *known = c ? strchr(from, c) : NULL;
  if (!known) return fail(r);
  put(out, (unsigned char)to[known - from]);
  r->at++;
  return true;
}

static bool take_text(ria_json_reader *r, text_out *out) {
  if (!take(r, '"')) return fail(r);
  while (r->at < r->end && *r->at != '"') {
    const unsigned char c = (unsigned char)*r->at++;
    if (c < 0x20) return fail(r);
    if (c != '\\')
      put(out, c);
    else if (!take_escape(r, out))
      return false;
  }
  if (out->text && out->room) out->text[out->n] = '\0';
  return take(r, '"') || fail(r);
}

/* --- any value -------------------------------------------------------------------------------- */

static bool take_digits(ria_json_reader *r) {
  const char *from = r->at;
  while (peek(r) >= '0' && peek(r) <= '9') r->at++;
  return r->at > from;
}

static bool take_number(ria_json_reader *r) {
  (void)take(r, '-');
  if (!take(r, '0') && !take_digits(r)) return fail(r);
  if (take(r, '.') && !take_digits(r)) return fail(r);
  if (take(r, 'e') || take(r, 'E')) {
    if (!take(r, '+')) (void)take(r, '-');
    if (!take_digits(r)) return fail(r);
  }
  return true;
}

static bool take_word(ria_json_reader *r, const char *word) {
  const size_t n = strlen(word);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) return fail(r);
  r->at += n;
  return true;
}

static bool take_value(ria_json_reader *r, int depth);

static bool take_member(ria_json_reader *r, char close, int depth) {
  text_out nowhere = {0};
  skip_space(r);
  if (close == '}') {
    if (!take_text(r, &nowhere)) return false;
    skip_space(r);
    if (!take(r, ':')) return fail(r);
  }
  return take_value(r, depth);
}

static bool take_members(ria_json_reader *r, char close, int depth) {
  if (depth == DEPTH) return fail(r);
  r->at++;
  skip_space(r);
  if (take(r, close)) return true;
  do {
    if (!take_member(r, close, depth)) return false;
    skip_space(r);
  } while (take(r, ','));
  return take(r, close) || fail(r);
}

static bool take_value(ria_json_reader *r, int depth) {
  text_out nowhere = {0};
  skip_space(r);
  switch (peek(r)) {
  case '{':
    return take_members(r, '}', depth + 1);
  case '[':
    return take_members(r, ']', depth + 1);
  case '"':
    return take_text(r, &nowhere);
  case 't':
    return take_word(r, "true");
  case 'f':
    return take_word(r, "false");
  case 'n':
    return take_word(r, "null");
  default:
    return take_number(r);
  }
}

/* --- asking ----------------------------------------------------------------------------------- */

bool ria_json_begin(ria_json_reader *r, const char *text, size_t n) {
  *r = (ria_json_reader){.at = text, .end = text + n};
  if (!take_value(r, 0)) return false;
  skip_space(r);
  if (r->at != r->end) return fail(r);
  *r = (ria_json_reader){.at = text, .end = text + n};
  return true;
}

bool ria_json_enter(ria_json_reader *r, char bracket) {
  skip_space(r);
  if (take(r, bracket)) {
    r->first = true;
    return true;
  }
  ria_json_skip(r);
  return false;
}

/* Past the comma, or past the end. */
static bool next(ria_json_reader *r, char close) {
  const bool first = r->first;
  r->first = false;
  skip_space(r);
  if (r->failed || take(r, close)) return false;
  if (!first && !take(r, ',')) return fail(r);
  skip_space(r);
  return true;
}

bool ria_json_key(ria_json_reader *r, char *key, size_t room) {
  text_out out = {.text = key, .room = room};
  if (!next(r, '}') || !take_text(r, &out)) return false;
  if (out.lost) key[0] = '\0';
  skip_space(r);
  return take(r, ':') || fail(r);
}

bool ria_json_element(ria_json_reader *r) { return next(r, ']'); }

bool ria_json_get_text(ria_json_reader *r, char *text, size_t room) {
  text_out out = {.text = text, .room = room};
  skip_space(r);
  return (take_text(r, &out) && !out.lost) || fail(r);
}

bool ria_json_get_integer(ria_json_reader *r, int64_t *value) {
  int64_t v = 0;
  skip_space(r);
  const bool minus = take(r, '-');
  if (!(peek(r) >= '0' && peek(r) <= '9')) return fail(r);
  for (; peek(r) >= '0' && peek(r) <= '9'; r->at++) {
    if (v > (INT64_MAX - 9) / 10) return fail(r);
    v = 10 * v + (*r->at - '0');
  }
  if (peek(r) == '.' || peek(r) == 'e' || peek(r) == 'E') return fail(r);
  *value = minus ? -v : v;
  return true;
}

bool ria_json_get_number(ria_json_reader *r, double *value) {
  skip_space(r);
  const char *from = r->at;
  if (!take_number(r)) return false;
  const size_t n = (size_t)(r->at - from);
  if (n < RIA_NUMBER_MAX && ria_number_parse(from, n, value) && isfinite(*value)) return true;
  r->at = from;
  return fail(r);
}

bool ria_json_get_bool(ria_json_reader *r, bool *value) {
  skip_space(r);
  *value = peek(r) == 't';
  return take_word(r, *value ? "true" : "false");
}

char ria_json_peek(ria_json_reader *r) {
  skip_space(r);
  return peek(r);
}

void ria_json_skip(ria_json_reader *r) { (void)take_value(r, 0); }
