/* change.c - changes while a run goes on: lines of Lua that the host makes of what it is asked, and
 * their log, by which another run repeats them. */
#include "binding.h"

#include <ria/limit.h>
#include <stdlib.h>
#include <string.h>

typedef struct change {
  const rl_sim *s;
  const char *line;
} change;

/* Calls the chunk on top with the simulation and the module. */
static void call_chunk(lua_State *L, const rl_sim *s) {
  rl_push_sim(L, s);
  lua_getfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_getfield(L, -1, "ria");
  lua_remove(L, -2);
  lua_call(L, 2, 0);
}

static int run_line(lua_State *L) {
  const change *c = lua_touserdata(L, 1);
  lua_pushfstring(L, "local sim, ria = ... %s", c->line);
  if (luaL_loadbufferx(L, lua_tostring(L, -1), lua_rawlen(L, -1), "=change", "t") != LUA_OK)
    lua_error(L);
  call_chunk(L, c->s);
  return 0;
}

static rl_sim *find_sim(lua_State *L, const rl_state *st, const ria_sim *sim) {
  for (int k = 1; k <= st->sims; k++) {
    rl_push_sim(L, &(rl_sim){.number = k});
    rl_sim *s = lua_touserdata(L, -1);
    lua_pop(L, 1);
    if (s && s->sim == sim) return s;
  }
  return NULL;
}

ria_status ria_lua_change(lua_State *L, ria_sim *sim, const char *line) {
  rl_state *st = rl_state_of(L);
  const rl_sim *s = find_sim(st->L, st, sim);
  if (!s) return ria_fail(st->ctx, RIA_ERR_ARGUMENT, "the simulation is not of this state");
  RIA_TRY(rl_protected(st, run_line, &(change){.s = s, .line = line}));
  return ria_sim_note_change(sim, line);
}

/* Each line is one change, as ria_lua_change took it. */
void rl_repeat_changes(lua_State *L, rl_sim *s, const rl_site *site) {
  rl_state *st = s->st;
  char *text;
  size_t n;
  if (!st->options.changes || st->changed || s->number != 1) return;
  st->changed = true;
  rl_try(L, site, NULL, ria_limit_read(st->ctx, st->options.changes, 1 << 20, &text, &n));
  lua_pushlstring(L, text, n);
  free(text);
  const char *line = lua_tostring(L, -1);
  for (size_t length; *line; line += length + (line[length] == '\n')) {
    length = strcspn(line, "\n");
    if (length == 0 || strncmp(line, "--", 2) == 0 || strncmp(line, "local sim, ria", 14) == 0)
      continue;
    lua_pushlstring(L, line, length);
    rl_try(L, site, NULL, ria_lua_change(L, s->sim, lua_tostring(L, -1)));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}
