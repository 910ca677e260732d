/* cli_run.c - ria run, check and params: the commands that run a script, and what each says of it.
 */
#include "cli_script.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

int cli_make_context(const cli_options *o, ria_log_fn log, void *user, ria_context **out) {
  char why[512] = "";
  ria_context_desc desc = {.threads = o->threads,
                           .parts = o->parts,
                           .comm = cli_comm(),
                           .device = o->device,
                           .log = log,
                           .log_user = user,
                           .error = why,
                           .error_size = sizeof why};
  ria_status status = ria_context_create(&desc, out);
  if (status != RIA_OK && !why[0]) snprintf(why, sizeof why, "%s", ria_status_name(status));
  const int code = status == RIA_OK             ? EXIT_OK
                   : status == RIA_ERR_ARGUMENT ? EXIT_USAGE
                                                : cli_exit_code(status);
  const int all = cli_ranks_same_code("a context was made", code, why, sizeof why);
  if (all == EXIT_OK) return all;
  ria_context_destroy(out);
  cli_complain(o, "cannot start: %s", why);
  return all;
}

/* --- --json ----------------------------------------------------------------------------------- */

/* What is put together while the script runs: the object, and two lists of a check. */
typedef struct json_texts {
  char *all, *log, *forecast;
  size_t n_all, n_log, n_forecast;
} json_texts;

static bool json_begin(cli_host *h, json_texts *of) {
  h->json = (cli_json){open_memstream(&of->all, &of->n_all), true};
  if (!h->json.to) return false;
  json_open(&h->json, NULL, '{');
  json_text(&h->json, "script", h->o->file);
  json_open(&h->json, "simulations", '[');
  if (h->mode != RIA_LUA_CHECK) return true;
  h->log = (cli_json){open_memstream(&of->log, &of->n_log), true};
  h->forecast = (cli_json){open_memstream(&of->forecast, &of->n_forecast), true};
  return true;
}

/* "log": [...] and the like, of a check. */
static void json_list(cli_host *h, const char *key, cli_json *list, char **text) {
  if (!list->to) return;
  fclose(list->to);
  list->to = NULL;
  json_open(&h->json, key, '[');
  if (*text) fputs(*text, h->json.to);
  json_close(&h->json, ']');
  free(*text);
}

static void json_end(cli_host *h, json_texts *of, int code) {
  if (!h->json.to) return;
  json_close(&h->json, ']');
  json_list(h, "forecast", &h->forecast, &of->forecast);
  json_list(h, "log", &h->log, &of->log);
  json_number(&h->json, "exit", code);
  if (h->error) json_text(&h->json, "error", h->error);
  json_close(&h->json, '}');
  if (fclose(h->json.to) == 0 && of->all) printf("%s\n", of->all);
  h->json.to = NULL;
  free(of->all);
}

/* --- a context and a script ------------------------------------------------------------------- */

static int run_in_context(cli_host *h) {
  json_texts texts = {0};
  h->progress.options = h->o;
  h->limited = cli_is_limited(h->o);
  if (h->limited) {
    const int code = cli_limit_start(&h->limits, h->o, h->below ? h->below : h->out, h->ctx);
    if (code != EXIT_OK) return code;
  }
  h->provenance = cli_provenance(h->o);
  h->text = cli_script_text(h->o);
  if (h->o->json && h->mode != RIA_LUA_PARAMS && !json_begin(h, &texts)) {
    cli_complain(h->o, "out of memory: the JSON cannot be made");
    return EXIT_SCRIPT;
  }
  const int code = cli_script_run(h);
  json_end(h, &texts, code);
  return code;
}

/* Open a context, run the script as `mode` says, print the JSON if asked, close. */
static int with_script(cli_host *h) {
  int code = cli_make_context(h->o, cli_script_log, h, &h->ctx);
  if (code != EXIT_OK) return code;
  code = run_in_context(h);
  free(h->error);
  free(h->provenance);
  free(h->text);
  ria_context_destroy(&h->ctx);
  if (h->limited) cli_limit_end(&h->limits);
  return code;
}

/* --- commands --------------------------------------------------------------------------------- */

/* A script that does nothing is not an error, but seldom intended. */
static int tell_idle(lua_State *L, const cli_host *h) {
  const char *why = ria_lua_idle(L);
  if (why && !h->o->quiet && !h->o->json) fprintf(stderr, "%s: %s\n", h->o->file, why);
  return EXIT_OK;
}

int cli_run(const cli_options *o) {
  char out[PATH_MAX];
  cli_host h = {.o = o, .mode = RIA_LUA_RUN, .out = o->out, .after = tell_idle};
  if (!h.out && cli_is_limited(o)) h.out = cli_limit_out(o->file, out, sizeof out);
  int code = cli_live_begin(o, &h.live);
  if (code != EXIT_OK) return code;
  code = with_script(&h);
  cli_live_end(h.live, code);
  return code;
}

static int say_ok(lua_State *L, const cli_host *h) {
  if (!ria_lua_checked(L) && !h->o->quiet && !h->o->json)
    printf("%s: nothing runs in it\n", h->o->file);
  else if (!h->o->quiet && !h->o->json)
    printf("%s: ok\n", h->o->file);
  return EXIT_OK;
}

int cli_check_with(const cli_options *o, int (*describe)(const cli_options *o, ria_sim *sim)) {
  cli_scratch scratch;
  char out[sizeof scratch.path + 8];
  if (!cli_scratch_make(o, &scratch)) return EXIT_SCRIPT;
  snprintf(out, sizeof out, "%s/out", scratch.path);
  cli_host h = {.o = o,
                .mode = RIA_LUA_CHECK,
                .out = out,
                .describe = describe,
                .after = say_ok,
                .below = scratch.path};
  int code = with_script(&h);
  cli_scratch_remove(&scratch);
  return code == EXIT_OK ? h.described : code;
}

int cli_check(const cli_options *o) { return cli_check_with(o, NULL); }

/* --- params ----------------------------------------------------------------------------------- */

static void print_param(const ria_lua_param *p) {
  char left[96], def[64];
  snprintf(left, sizeof left, "%s", p->name);
  snprintf(def, sizeof def, "%s%s%s", *p->def ? p->def : "''", *p->unit ? " " : "", p->unit);
  printf("  %-16s %-14s %-8s %-16s %s\n", left, def, p->type, p->range, p->help);
}

static int list_params(lua_State *L, const cli_host *h) {
  ria_lua_param p;
  if (h->o->json) {
    cli_json j = {stdout, true};
    json_open(&j, NULL, '[');
    for (size_t k = 0; ria_lua_param_at(L, k, &p); k++) {
      json_open(&j, NULL, '{');
      json_text(&j, "name", p.name);
      json_text(&j, "type", p.type);
      json_text(&j, "unit", p.unit);
      json_text(&j, "default", p.def);
      json_text(&j, "range", p.range);
      json_text(&j, "help", p.help);
      json_close(&j, '}');
    }
    json_close(&j, ']');
    printf("\n");
    return EXIT_OK;
  }
  if (!ria_lua_param_at(L, 0, &p)) {
    printf("%s declares no parameters\n", h->o->file);
    return EXIT_OK;
  }
  printf("  %-16s %-14s %-8s %-16s %s\n", "name", "default", "type", "range", "meaning");
  for (size_t k = 0; ria_lua_param_at(L, k, &p); k++) print_param(&p);
  return EXIT_OK;
}

int cli_params(const cli_options *o) {
  cli_host h = {.o = o, .mode = RIA_LUA_PARAMS, .after = list_params};
  return with_script(&h);
}
