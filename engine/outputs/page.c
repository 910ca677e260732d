/* outputs/page.c - index.html, index.js and fields.js: the page of a run as one of its outputs.
 *
 * Written when outputs begin, so that a run that fails has one; when results are taken up; and when
 * the run closes, before run.json tells that all is there. A run that failed before says so on its
 * page where that can be written. fields.js comes last alone, and only for a run that saved
 * something. */
#include "outputs/page.h"
#include "base/context.h"
#include "io/file.h"
#include "outputs/sink.h"
#include <ria/limit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct page_state {
  bool made;
  bool html;   /* index.html is written, which stays as it is */
  bool fields; /* fields.js is begun */
} page_state;

static page_state *state_of(const ria_sim *sim) { return ria_sink_state(sim, &ria_page_sink); }

/* --- index.js --------------------------------------------------------------------------------- */

static void write_script(ria_json *j, const ria_sim *sim) {
  const ria_script *s = &sim->script;
  if (!s->path) return;
  ria_json_open(j, "script", '{');
  ria_json_text(j, "path", s->path);
  if (s->text) ria_json_text(j, "text", s->text);
  ria_json_open(j, "arguments", '[');
  for (size_t k = 0; k < s->n_arguments; k++) ria_json_text(j, NULL, s->arguments[k]);
  ria_json_close(j);
  ria_json_close(j);
}

static ria_status write_data(ria_json *j, ria_sim *sim, const char *end, const char *message) {
  ria_buffer_text(&j->out, "ria_page(");
  ria_json_open(j, NULL, '{');
  ria_json_text(j, "ria", ria_version());
  RIA_TRY(ria_run_json_told(j, sim, end, message));
  RIA_TRY(ria_page_earth(sim, j));
  ria_frames_series(sim, j, false);
  if (end) RIA_TRY(ria_page_tables(sim, j)); /* all rows are on disk */
  write_script(j, sim);
  if (end && state_of(sim)->fields) ria_json_text(j, "packed", RIA_PAGE_FIELDS);
  ria_json_close(j);
  if (!j->out.failed) j->out.n--; /* the end of the line */
  ria_buffer_text(&j->out, ");\n");
  return j->out.failed ? ria_fail_memory(sim->ctx, "the page", j->out.room) : RIA_OK;
}

/* --- files ------------------------------------------------------------------------------------ */

static ria_status put(ria_sim *sim, const char *name, const void *data, size_t n) {
  char err[RIA_ERR_TEXT], *path;
  RIA_TRY(ria_out_path(sim, name, &path));
  const ria_status s = ria_file_replace(path, data, n, err, sizeof err);
  free(path);
  return s == RIA_OK ? s : ria_fail(sim->ctx, s, "%s", err);
}

/* It only looks: a run that is repeated writes none. */
static ria_status put_data(ria_sim *sim, const char *end, const char *message) {
  const bool muted = sim->record.muted;
  ria_json j = {0};
  sim->record.muted = true;
  ria_status s = write_data(&j, sim, end, message);
  sim->record.muted = muted;
  if (s == RIA_OK) s = put(sim, RIA_PAGE_DATA, j.out.data, j.out.n);
  ria_buffer_free(&j.out);
  return s;
}

static ria_status claim(ria_sim *sim, page_state *p) {
  if (p->made) return RIA_OK;
  RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_PAGE, RIA_PAGE_HTML));
  RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_PAGE, RIA_PAGE_DATA));
  p->made = true;
  return RIA_OK;
}

static ria_status claim_fields(ria_sim *sim, page_state *p) {
  if (p->fields) return RIA_OK;
  RIA_TRY(ria_outputs_claim(sim, RIA_RESULT_PAGE, RIA_PAGE_FIELDS));
  p->fields = true;
  return RIA_OK;
}

/* Most bytes of fields.js; 0 = there is none. */
static double most_of(const ria_sim *sim) {
  const double mb = sim->page_fields == 0.0 ? 100.0 : sim->page_fields;
  return sim->no_page || mb < 0.0 ? 0.0 : mb * 1e6;
}

static ria_status put_fields(ria_sim *sim, page_state *p) {
  ria_buffer b = {0};
  if (most_of(sim) == 0.0) return RIA_OK;
  ria_status s = ria_page_fields(sim, most_of(sim), &b);
  if (s == RIA_OK && b.n) s = ria_limit_count(sim->ctx, RIA_LIMIT_OUTPUT, (double)b.n);
  if (s == RIA_OK && b.n) s = claim_fields(sim, p);
  if (s == RIA_OK && b.n) s = put(sim, RIA_PAGE_FIELDS, b.data, b.n);
  ria_buffer_free(&b);
  return s;
}

/* What begins counts as output: else simulations without number would fill the disk. What closes
 * does not. */
static ria_status put_html(ria_sim *sim, page_state *p, bool begins) {
  if (p->html) return RIA_OK;
  if (begins) RIA_TRY(ria_limit_count(sim->ctx, RIA_LIMIT_OUTPUT, (double)ria_page_html_size));
  RIA_TRY(put(sim, RIA_PAGE_HTML, ria_page_html, ria_page_html_size));
  p->html = true;
  return RIA_OK;
}

/* What comes of fields.js, the page tells of the run. */
ria_status ria_page_write(ria_sim *sim, const char *end, const char *message) {
  if (sim->no_page) return RIA_OK;
  page_state *p = state_of(sim);
  RIA_TRY(claim(sim, p));
  RIA_TRY(put_html(sim, p, !end));
  const ria_status packed = end ? put_fields(sim, p) : RIA_OK;
  if (packed == RIA_OK) return put_data(sim, end, message);
  char why[RIA_ERROR_MAX];
  snprintf(why, sizeof why, "%s", ria_error(sim->ctx));
  (void)put_data(sim, end, message);
  return ria_fail(sim->ctx, packed, "%s", why);
}

/* --- as one of the outputs -------------------------------------------------------------------- */

static ria_status begin(ria_sim *sim, void *self) {
  page_state *p = self;
  if (!sim->outputs->writer || sim->no_page || p->made) return RIA_OK;
  if (!sim->outputs->taking_up) return ria_page_write(sim, NULL, NULL);
  p->made = true; /* nothing is touched until the run stands at its checkpoint again */
  return RIA_OK;
}

static ria_status take_up(ria_sim *sim, void *self) {
  (void)self;
  return ria_page_write(sim, NULL, NULL);
}

/* This kind is asked last. */
static bool has_stores(const ria_results_list *list) {
  size_t i = 0;
  while (i < list->n && list->item[i].kind != RIA_RESULT_STORE) i++;
  return i < list->n;
}

static ria_status list(ria_sim *sim, const void *self, ria_results_list *list) {
  const page_state *p = self;
  const ria_result item = {.made = p->made, .count = p->made};
  if (sim->no_page) return RIA_OK;
  RIA_TRY(ria_sink_lists(sim, list, RIA_RESULT_PAGE, RIA_PAGE_HTML, item));
  RIA_TRY(ria_sink_lists(sim, list, RIA_RESULT_PAGE, RIA_PAGE_DATA, item));
  const ria_result fields = {.made = p->fields, .count = p->fields};
  if (most_of(sim) == 0.0 || !has_stores(list)) return RIA_OK;
  return ria_sink_lists(sim, list, RIA_RESULT_PAGE, RIA_PAGE_FIELDS, fields);
}

static void report(ria_sim *sim, const void *self) {
  const page_state *p = self;
  if (p->made) ria_log(sim->ctx, "    index.html: the page of the run, for a browser");
}

const ria_sink ria_page_sink = {
    .size = sizeof(page_state), .begin = begin, .take_up = take_up, .list = list, .report = report};
