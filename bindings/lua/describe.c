/* describe.c - descriptions: tables that were checked when written and are used later.
 *
 * `ria.frame { field = "oil" }` knows its keys but not yet the simulation it is for. The userdata
 * keeps the table (user value 1), and the place where it was written (its chunk's text or file name
 * is user value 2, so that it outlives the chunk). */
#include "binding.h"

enum { DESC_TABLE = 1, DESC_SOURCE, DESC_VALUES = 2 };

static const char *const names[] = {[RL_FRAME] = "ria.frame",
                                    [RL_SAVE] = "ria.save",
                                    [RL_SPILL] = "ria.spill",
                                    [RL_INFLOW] = "ria.inflow",
                                    [RL_NEST] = "ria.nest"};

void rl_push_desc(lua_State *L, rl_desc_kind kind, int idx, const rl_site *site) {
  idx = lua_absindex(L, idx);
  rl_desc *d = lua_newuserdatauv(L, sizeof *d, DESC_VALUES);
  *d = (rl_desc){kind, *site};
  d->site.source = NULL;
  lua_pushvalue(L, idx);
  lua_setiuservalue(L, -2, DESC_TABLE);
  if (site->source) {
    d->site.source = lua_pushlstring(L, site->source, site->source_len);
    lua_setiuservalue(L, -2, DESC_SOURCE);
  }
  luaL_setmetatable(L, RL_DESC);
}

const rl_desc *rl_to_desc(lua_State *L, int idx) {
  const rl_desc *d = luaL_testudata(L, idx, RL_DESC);
  if (d) lua_getiuservalue(L, idx, DESC_TABLE);
  return d;
}

static int desc_tostring(lua_State *L) {
  const rl_desc *d = luaL_checkudata(L, 1, RL_DESC);
  lua_pushfstring(L, "%s (%s:%d)", names[d->kind], d->site.chunk, d->site.line);
  return 1;
}

int rl_open_desc(lua_State *L) {
  static const luaL_Reg meta[] = {{"__tostring", desc_tostring}, {NULL, NULL}};
  rl_new_class(L, RL_DESC, meta, NULL);
  return 0;
}
