/* io/json.c - writing JSON.
 *
 * Failing to grow is remembered and everything after it does nothing, so that callers write a whole
 * document and look once. */
#include "io/json.h"
#include "io/csv.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put(ria_json *j, const char *s, size_t n) {
  if (j->failed) return;
  if (j->n + n + 1 > j->room) {
    size_t room = 2 * (j->n + n + 512);
    char *text = realloc(j->text, room);
    if (!text) {
      j->failed = true;
      return;
    }
    j->text = text;
    j->room = room;
  }
  memcpy(j->text + j->n, s, n);
  j->n += n;
  j->text[j->n] = '\0';
}

static void puts_json(ria_json *j, const char *s) { put(j, s, strlen(s)); }

static void put_string(ria_json *j, const char *s) {
  char code[8];
  puts_json(j, "\"");
  for (; *s; s++) {
    unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\') {
      puts_json(j, c == '"' ? "\\\"" : "\\\\");
    } else if (c < 0x20) {
      snprintf(code, sizeof code, "\\u%04x", c);
      puts_json(j, code);
    } else {
      put(j, s, 1);
    }
  }
  puts_json(j, "\"");
}

static void indent(ria_json *j) {
  puts_json(j, "\n");
  for (int k = 0; k < j->depth; k++) puts_json(j, "  ");
}

/* What goes before a value: the comma after the last one, a line of its own, the key. */
static void begin(ria_json *j, const char *key) {
  if (j->some[j->depth]) puts_json(j, ",");
  if (j->depth) indent(j);
  j->some[j->depth] = true;
  if (!key) return;
  put_string(j, key);
  puts_json(j, ": ");
}

void ria_json_open(ria_json *j, const char *key, char bracket) {
  begin(j, key);
  put(j, &bracket, 1);
  if (j->depth == RIA_JSON_DEPTH) {
    j->failed = true;
    return;
  }
  j->close[j->depth++] = bracket == '{' ? '}' : ']';
  j->some[j->depth] = false;
}

void ria_json_close(ria_json *j) {
  if (j->depth == 0) return;
  bool some = j->some[j->depth];
  j->depth--;
  if (some) indent(j);
  put(j, &j->close[j->depth], 1);
  if (j->depth == 0) puts_json(j, "\n");
}

void ria_json_raw(ria_json *j, const char *key, const char *json) {
  begin(j, key);
  puts_json(j, json);
}

void ria_json_text(ria_json *j, const char *key, const char *value) {
  begin(j, key);
  if (value)
    put_string(j, value);
  else
    puts_json(j, "null");
}

void ria_json_number(ria_json *j, const char *key, double value) {
  char text[32] = "null";
  if (isfinite(value)) ria_format_double(value, text);
  ria_json_raw(j, key, text);
}

void ria_json_integer(ria_json *j, const char *key, int64_t value) {
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)value);
  ria_json_raw(j, key, text);
}

void ria_json_bool(ria_json *j, const char *key, bool value) {
  ria_json_raw(j, key, value ? "true" : "false");
}
