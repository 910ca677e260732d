/* fit.c - sim:fit { "M2", "S2" }: constituents of a field in every cell; sim:field reads their
 * maps. */
#include "binding.h"

#include <math.h>

typedef struct fit_args {
  rl_names names;
  const char *field;
  double every, from, to, rayleigh;
  int nodal;
} fit_args;

static const char *const nodal_names[] = {"daily", "mid", "none", NULL}; /* of ria_nodal */

static const rl_key fit_keys[] = {
    {"field", RL_STRING, 0, offsetof(fit_args, field),
     .doc = "what is analysed; level if left out"},
    {"every", RL_NUMBER, RIA_DIM_TIME, offsetof(fit_args, every), RL_ABOVE_MIN, 0, INFINITY,
     .doc = "time between samples, which shorten no step; 10 min if left out"},
    {"from", RL_NUMBER, RIA_DIM_TIME, offsetof(fit_args, from), RL_DATE, 0, INFINITY,
     .doc = "no sample before: the run has settled; the present if left out"},
    {"to", RL_NUMBER, RIA_DIM_TIME, offsetof(fit_args, to), RL_ABOVE_MIN | RL_DATE, 0, INFINITY,
     .doc = "no sample after; the end if left out"},
    {"rayleigh", RL_NUMBER, 0, offsetof(fit_args, rayleigh), RL_ABOVE_MIN, 0, 10,
     .doc = "cycles by which two must part over the samples; 1 if left out"},
    {"nodal", RL_CHOICE, 0, offsetof(fit_args, nodal), .choices = nodal_names,
     .doc = "factors of the moon's node: of each date, of the middle of its year, or none"},
    {0}};
static const rl_key fit_list = {"", RL_NAMES, 0, offsetof(fit_args, names),
                                .doc = "the constituents, 1 to 15"};
const rl_table_info rl_fit_info = {.keys = fit_keys, .list = &fit_list};

static int sim_fit(lua_State *L) {
  rl_site site;
  fit_args a = {0};
  ria_handle handle = 0;
  rl_here(L, "sim:fit", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  site.sim = s->sim;
  rl_read_table(L, 2, &rl_fit_info, &site, NULL, &a);
  if (!a.names.n) rl_fail(L, &site, NULL, "name the constituents: sim:fit { \"M2\", \"S2\" }");
  if (a.field)
    rl_check_name(L, a.field, rl_field_names(L, s, rl_any_field), "field", &site,
                  &(rl_path){.key = "field"});
  const ria_fit_desc desc = {.field = a.field,
                             .names = a.names.at,
                             .n_names = a.names.n,
                             .every = a.every,
                             .from = a.from,
                             .to = a.to,
                             .rayleigh = a.rayleigh,
                             .nodal = (ria_nodal)a.nodal};
  rl_try(L, &site, NULL, ria_sim_fit(s->sim, &desc, &handle));
  lua_pushinteger(L, handle);
  return 1;
}

/* Where the name at fault is near to a map's, that is meant. */
static void suggest(lua_State *L, const rl_sim *s, const char *name, const rl_site *site,
                    const rl_path *path) {
  char near[RIA_MAP_NAME] = "", map[RIA_MAP_NAME];
  const char *unit;
  ria_field_entry field;
  for (size_t k = 0; ria_sim_field_list(s->sim, k, &field); k++)
    if (strcmp(field.name, name) == 0) return;
  for (size_t k = 0; ria_sim_fit_list(s->sim, k, map, &unit); k++) {
    const char *const both[] = {near, map};
    if (!*near || ria_nearest(name, both, 2) == map) memcpy(near, map, sizeof near);
  }
  const char *const only[] = {near};
  if (*near && ria_nearest(name, only, 1))
    rl_fail(L, site, path, "unknown field '%s': did you mean '%s'?", name, near);
}

bool rl_is_fit_map(lua_State *L, const rl_sim *s, const char *name, const rl_site *site,
                   const rl_path *path) {
  char map[RIA_MAP_NAME];
  const char *unit;
  for (size_t k = 0; ria_sim_fit_list(s->sim, k, map, &unit); k++)
    if (strcmp(map, name) == 0) return true;
  suggest(L, s, name, site, path);
  return false;
}

const luaL_Reg rl_fit_methods[] = {{"fit", sim_fit}, {NULL, NULL}};
