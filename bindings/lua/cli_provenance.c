/* cli_provenance.c - what was run, for run.json: the script, its hash, its arguments. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* FNV-1a of the script's text: tells one version of it from another. */
static bool hash_file(const char *path, char text[32]) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  FILE *f = fopen(path, "rb");
  if (!f) return false;
  for (int c; (c = fgetc(f)) != EOF;) h = (h ^ (uint64_t)c) * UINT64_C(0x100000001b3);
  fclose(f);
  snprintf(text, 32, "fnv1a64:%016llx", (unsigned long long)h);
  return true;
}

enum { TEXT_MOST = 1 << 20 };

char *cli_script_text(const cli_options *o) {
  FILE *f = strcmp(o->file, "-") == 0 ? NULL : fopen(o->file, "rb");
  char *text = f ? calloc(1, TEXT_MOST + 2) : NULL;
  const size_t n = text ? fread(text, 1, TEXT_MOST + 1, f) : 0;
  const bool whole = text && n <= TEXT_MOST && !ferror(f) && !memchr(text, 0, n);
  if (f) fclose(f);
  if (whole) return text;
  free(text);
  return NULL;
}

char *cli_provenance(const cli_options *o) {
  char *text = NULL, hash[32];
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return NULL;
  cli_json j = {to, true};
  json_open(&j, NULL, '{');
  json_text(&j, "script", o->file);
  if (hash_file(o->file, hash)) json_text(&j, "script_hash", hash);
  json_open(&j, "arguments", '[');
  for (int k = 1; k < o->argc; k++) json_text(&j, NULL, o->argv[k]);
  json_close(&j, ']');
  json_close(&j, '}');
  fclose(to);
  return text;
}
