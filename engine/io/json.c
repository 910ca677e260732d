/* io/json.c - writing JSON. */
#include "io/json.h"
#include "io/csv.h"
#include <math.h>
#include <stdio.h>

static void indent(ria_json *j) {
  ria_buffer_text(&j->out, "\n");
  for (int k = 0; k < j->depth; k++) ria_buffer_text(&j->out, "  ");
}

/* What goes before a value: the comma after the last one, a line of its own, the key. */
static void begin(ria_json *j, const char *key) {
  if (j->some[j->depth]) ria_buffer_text(&j->out, ",");
  if (j->depth) indent(j);
  j->some[j->depth] = true;
  if (!key) return;
  ria_buffer_json(&j->out, key);
  ria_buffer_text(&j->out, ": ");
}

void ria_json_open(ria_json *j, const char *key, char bracket) {
  begin(j, key);
  ria_buffer_add(&j->out, &bracket, 1);
  if (j->depth == RIA_JSON_DEPTH) {
    j->out.failed = true;
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
  ria_buffer_add(&j->out, &j->close[j->depth], 1);
  if (j->depth == 0) ria_buffer_text(&j->out, "\n");
}

void ria_json_raw(ria_json *j, const char *key, const char *json) {
  begin(j, key);
  ria_buffer_text(&j->out, json);
}

void ria_json_text(ria_json *j, const char *key, const char *value) {
  begin(j, key);
  if (value)
    ria_buffer_json(&j->out, value);
  else
    ria_buffer_text(&j->out, "null");
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
