/* cli_export.c - ria export: stored fields in the formats of other programs. */
#include "cli.h"
#include <ria/export.h>
#include <ria/units.h>

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* --- an end from outside ---------------------------------------------------------------------- */

static ria_context *volatile exporting; /* what a signal ends */
static volatile sig_atomic_t ended_by;

/* A file that is half written goes. */
static void on_signal(int number) {
  ended_by = number;
  if (exporting) ria_context_interrupt(exporting, true);
}

static void watch_signals(ria_context *ctx) {
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction act = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  exporting = ctx;
  sigemptyset(&act.sa_mask);
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) sigaction(numbers[k], &act, NULL);
}

/* --- what was asked for ----------------------------------------------------------------------- */

static int take_kind(const cli_options *o, ria_export_kind *to) {
  const char *names[16], *name;
  char all[128] = "";
  size_t n = 0;
  for (; n < 16 && (name = ria_export_name((ria_export_kind)n)) != NULL; n++) {
    if (o->export.to && strcmp(name, o->export.to) == 0) return *to = (ria_export_kind)n, EXIT_OK;
    names[n] = name;
    strncat(all, n ? ", " : "", sizeof all - strlen(all) - 1);
    strncat(all, name, sizeof all - strlen(all) - 1);
  }
  if (!o->export.to) return cli_complain(o, "ria export needs --to, one of %s", all), EXIT_USAGE;
  const char *near = ria_nearest(o->export.to, names, n);
  if (near)
    cli_complain(o, "--to %s: did you mean '%s'?", o->export.to, near);
  else
    cli_complain(o, "--to %s: one of %s", o->export.to, all);
  return EXIT_USAGE;
}

/* "x,y" or "x1,y1,x2,y2": n metres. */
static int take_metres(const cli_options *o, const char *option, const char *text, int n,
                       double *out) {
  const char *at = text;
  for (int k = 0; k < n; k++) {
    const size_t length = strcspn(at, ",");
    char word[64], *end = word;
    snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : 0), at);
    out[k] = strtod(word, &end);
    const bool last = k == n - 1;
    if (end == word || *end || (at[length] == ',') == last)
      return cli_complain(o, "%s %s: expected %s in m on the map, with commas between", option,
                          text, n == 2 ? "X,Y" : "X1,Y1,X2,Y2"),
             EXIT_USAGE;
    at += length + 1;
  }
  return EXIT_OK;
}

/* --- what was made ---------------------------------------------------------------------------- */

typedef struct report {
  const cli_options *o;
  cli_json json;
} report;

static void tell_made(void *user, const ria_export_made *made) {
  report *r = user;
  char frames[48] = "", files[48] = "";
  if (r->o->json) {
    json_open(&r->json, NULL, '{');
    json_text(&r->json, "path", made->path);
    json_text(&r->json, "fields", made->fields);
    json_number(&r->json, "times", (double)made->frames);
    json_number(&r->json, "files", (double)made->files);
    json_number(&r->json, "bytes", made->bytes);
    json_close(&r->json, '}');
    return;
  }
  if (made->frames)
    snprintf(frames, sizeof frames, ", %zu time%s", made->frames, made->frames == 1 ? "" : "s");
  if (made->files > 1) snprintf(files, sizeof files, ", %zu files", made->files);
  cli_put_text(stdout, made->path, strlen(made->path));
  printf(": %s%s%s, %.3g MB\n", made->fields, frames, files, made->bytes / 1e6);
}

static int export_to(const cli_options *o, ria_context *ctx, const ria_export_desc *desc) {
  const ria_status status = ria_export(ctx, desc);
  if (status == RIA_OK) return EXIT_OK;
  cli_complain(o, "%s", ria_error(ctx));
  if (status == RIA_INTERRUPTED && ended_by) return 128 + ended_by;
  return status == RIA_ERR_ARGUMENT ? EXIT_USAGE : cli_exit_code(status);
}

int cli_export(const cli_options *o) {
  const cli_export_options *x = &o->export;
  report r = {.o = o, .json = {.to = stdout, .first = true}};
  double at[2], line[4];
  ria_export_desc desc = {.from = o->file,
                          .store = x->store,
                          .fields = x->field,
                          .times = x->time,
                          .out = o->out,
                          .at = x->at ? at : NULL,
                          .line = x->line ? line : NULL,
                          .made = tell_made,
                          .user = &r};
  ria_context *ctx = NULL;
  int code = take_kind(o, &desc.to);
  if (code == EXIT_OK && x->at) code = take_metres(o, "--at", x->at, 2, at);
  if (code == EXIT_OK && x->line) code = take_metres(o, "--line", x->line, 4, line);
  if (code == EXIT_OK) code = cli_make_context(o, NULL, NULL, &ctx);
  if (code != EXIT_OK) return code;
  watch_signals(ctx);
  if (o->json) json_open(&r.json, NULL, '[');
  code = export_to(o, ctx, &desc);
  if (o->json) json_close(&r.json, ']');
  if (o->json) printf("\n");
  exporting = NULL;
  ria_context_destroy(&ctx);
  return code;
}
