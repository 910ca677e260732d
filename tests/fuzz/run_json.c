/* Any bytes as the run.json of an earlier run and as the journal of one that was killed: the list
 * of its results, which is written and read again as it is. None of them can lie outside of the
 * directory. */
#include "fuzz.h"
#include "outputs/results_list.h"

static void look(const ria_results_list *list) {
  for (size_t k = 0; k < list->n; k++) {
    const ria_result *r = &list->item[k];
    FUZZ_DEMAND((int)r->kind >= 0 && r->kind < RIA_RESULT_KINDS);
    FUZZ_DEMAND(memchr(r->name, '\0', sizeof r->name) && r->name[0] && r->name[0] != '.');
    FUZZ_DEMAND(!strchr(r->name, '/') && r->count >= 0 && r->end >= r->count);
    FUZZ_DEMAND(ria_results_find(list, r->kind, r->name) == r);
  }
}

static void write_and_read(ria_context *ctx, const ria_results_list *list) {
  ria_json j = {0};
  ria_results_list again = {0};
  bool ours;
  ria_json_open(&j, NULL, '{');
  ria_json_text(&j, "ria", "0.1.0");
  ria_results_list_write(&j, "files", list);
  ria_json_close(&j);
  FUZZ_DEMAND(!j.out.failed);
  fuzz_status(ctx, ria_results_list_read(ctx, j.out.data, j.out.n, &again, &ours), FUZZ_INPUT);
  look(&again);
  ria_results_list_free(&again);
  ria_buffer_free(&j.out);
}

static void note_lines(ria_context *ctx, ria_results_list *list, char *text) {
  for (char *line = text; line;) {
    char *end = strchr(line, '\n');
    if (end) *end++ = '\0';
    fuzz_status(ctx, ria_results_list_note(ctx, list, line), FUZZ_INPUT);
    line = end;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  ria_context *ctx = fuzz_context(0);
  ria_results_list list = {0};
  bool ours = false;
  char *text = malloc(n + 1);
  if (!text) abort();
  memcpy(text, data, n);
  text[n] = '\0';
  fuzz_status(ctx, ria_results_list_read(ctx, text, n, &list, &ours), FUZZ_INPUT);
  look(&list);
  note_lines(ctx, &list, text);
  look(&list);
  ria_results_list_sort(&list);
  write_and_read(ctx, &list);
  ria_results_list_free(&list);
  ria_context_destroy(&ctx);
  free(text);
  return 0;
}
