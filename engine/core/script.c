/* core/script.c - the script of a run, kept for its page. */
#include "base/context.h"
#include "base/text.h"
#include "core/sim.h"
#include <stdlib.h>

void ria_script_free(ria_script *s) {
  for (size_t k = 0; k < s->n_arguments; k++) free((void *)s->arguments[k]);
  free((void *)s->arguments);
  free((void *)s->path);
  free((void *)s->text);
  *s = (ria_script){0};
}

static bool copy(const ria_script *from, ria_script *to) {
  const size_t n = from->n_arguments;
  const char **arguments = calloc(n + 1, sizeof *arguments);
  if (!arguments) return false;
  *to = (ria_script){.path = ria_strdup(from->path),
                     .text = ria_strdup(from->text),
                     .arguments = arguments,
                     .n_arguments = n};
  bool whole = to->path && (to->text || !from->text);
  for (size_t k = 0; k < n; k++) {
    arguments[k] = ria_strdup(from->arguments[k]);
    whole = whole && arguments[k];
  }
  return whole;
}

ria_status ria_sim_set_script(ria_sim *sim, const ria_script *script) {
  ria_script own = {0};
  if (script && script->path && !copy(script, &own)) {
    ria_script_free(&own);
    return ria_fail_memory(sim->ctx, "the script's text", 0);
  }
  ria_script_free(&sim->script);
  sim->script = own;
  return RIA_OK;
}
