/* cli_json.c - JSON for --json: objects and lists written as they come. */
#include "cli.h"

#include <math.h>

static void put_text(FILE *to, const char *text) {
  fputc('"', to);
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      fprintf(to, "\\%c", c);
    else if (c == '\n')
      fputs("\\n", to);
    else if (c < 0x20)
      fprintf(to, "\\u%04x", c);
    else
      fputc(c, to);
  }
  fputc('"', to);
}

static void put_key(cli_json *j, const char *key) {
  if (!j->first) fputc(',', j->to);
  j->first = false;
  if (!key) return;
  put_text(j->to, key);
  fputc(':', j->to);
}

void json_open(cli_json *j, const char *key, char bracket) {
  put_key(j, key);
  fputc(bracket, j->to);
  j->first = true;
}

void json_close(cli_json *j, char bracket) {
  fputc(bracket, j->to);
  j->first = false;
}

void json_text(cli_json *j, const char *key, const char *value) {
  put_key(j, key);
  put_text(j->to, value ? value : "");
}

void json_number(cli_json *j, const char *key, double value) {
  put_key(j, key);
  if (isfinite(value))
    fprintf(j->to, "%.17g", value);
  else
    fputs("null", j->to); /* JSON has no nan */
}
