/* from.c - `from` of ria.sim: a simulation that begins where an earlier one was (ria/from.h). */
#include "binding.h"

#include <stdio.h>

static const char *const keep_names[] = {"amounts", "level", NULL}; /* as ria_from_keep has them */

typedef struct from_args {
  rl_names path;
  int keep;
} from_args;

static const rl_key from_keys[] = {
    {"at", RL_ANY, .shape = "date | time",
     .doc = "which frame: \"2026-07-14 06:00\", or the time since t = 0 of an earlier run without "
            "dates, \"6 h\"; the last if left out"},
    {"keep", RL_CHOICE, 0, offsetof(from_args, keep), .choices = keep_names,
     .doc = "on other cells or another bed: the volume of water and the amounts of tracers, for "
            "which the level is shifted, or the level and concentrations"},
    {0}};
static const rl_key from_list = {
    "", RL_NAMES, 0, offsetof(from_args, path),
    .doc = "results of the earlier run, its store, or a classic netCDF file"};
const rl_table_info rl_from_info = {.keys = from_keys, .list = &from_list};

/* Which frame, a number being seconds; NULL: the last. */
static const char *read_at(lua_State *L, int table, const rl_site *site, const rl_path *up) {
  const rl_path path = {.up = up, .key = "at"};
  const int type = lua_getfield(L, table, "at");
  char text[64];
  if (type == LUA_TNIL) return NULL;
  if (type == LUA_TSTRING) return lua_tostring(L, -1);
  if (type != LUA_TNUMBER)
    rl_type_error(L, site, &path, -1, "a date, \"2026-07-14 06:00\", or a time, \"6 h\"");
  snprintf(text, sizeof text, "%.17g s", lua_tonumber(L, -1));
  return lua_pushstring(L, text);
}

bool rl_read_from(lua_State *L, int table, const rl_site *site, ria_from_desc *out) {
  const rl_path path = {.key = "from"};
  const int type = lua_getfield(L, table, "from"), at = lua_gettop(L);
  from_args a = {.keep = RIA_FROM_AMOUNTS};
  *out = (ria_from_desc){.path = NULL};
  if (type == LUA_TNIL) return false;
  if (type == LUA_TSTRING) {
    out->path = lua_tostring(L, at);
    return true;
  }
  if (type != LUA_TTABLE)
    rl_type_error(L, site, &path, at,
                  "results of an earlier run: from = \"out/yesterday\", or { \"out/yesterday\", at "
                  "= \"2026-07-14 06:00\" }");
  rl_read_table(L, at, &rl_from_info, site, &path, &a);
  if (a.path.n != 1)
    rl_fail(L, site, &path, "from = { ... } begins with one path: { \"out/yesterday\", at = ... }");
  *out = (ria_from_desc){
      .path = a.path.at[0], .at = read_at(L, at, site, &path), .keep = (ria_from_keep)a.keep};
  return true;
}

const char *rl_push_from_start(lua_State *L, const ria_from_desc *from, const char *zone,
                               const rl_site *site) {
  char date[64];
  rl_try(L, site, &(rl_path){.key = "from"},
         ria_from_date(rl_context(L), from, zone, date, sizeof date));
  return *date ? lua_pushstring(L, date) : NULL;
}
