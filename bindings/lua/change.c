/* change.c - changes while a run goes on: lines of Lua that the host makes of what it is asked, and
 * their log, by which another run repeats them. */
#include "binding.h"

#include <ria/limit.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 20 }; /* bytes of a file of changes */

typedef struct change {
  const rl_sim *s;
  const char *line, *from; /* from: where messages say that it is, line `number` of this */
  int number;
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
  luaL_Buffer code;
  luaL_buffinit(L, &code);
  for (int k = 1; k < c->number; k++) luaL_addchar(&code, '\n');
  luaL_addstring(&code, "local sim, ria = ... ");
  luaL_addstring(&code, c->line);
  luaL_pushresult(&code);
  const char *name = lua_pushfstring(L, "=%s", c->from);
  if (luaL_loadbufferx(L, lua_tostring(L, -2), lua_rawlen(L, -2), name, "t") != LUA_OK)
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

static ria_status make(rl_state *st, change c) {
  RIA_TRY(rl_protected(st, run_line, &c));
  return ria_sim_note_change(c.s->sim, c.line);
}

ria_status ria_lua_change(lua_State *L, ria_sim *sim, const char *line) {
  rl_state *st = rl_state_of(L);
  const rl_sim *s = find_sim(st->L, st, sim);
  if (!s) return ria_fail(st->ctx, RIA_ERR_ARGUMENT, "the simulation is not of this state");
  return make(st, (change){.s = s, .line = line, .from = "change", .number = 1});
}

/* --- files of changes ------------------------------------------------------------------------- */

static bool is_change(const char *line, size_t length) {
  return length && strncmp(line, "--", 2) != 0 && strncmp(line, "local sim, ria", 14) != 0;
}

/* The changes in a file, a line of each, pushed; "" where it cannot be read. */
static const char *push_lines(lua_State *L, const char *path) {
  luaL_Buffer lines;
  char *text = NULL;
  size_t n = 0;
  if (path) (void)ria_limit_read(rl_context(L), path, MOST, &text, &n);
  ria_error_clear(rl_context(L));
  lua_pushlstring(L, text ? text : "", n);
  free(text);
  const char *line = lua_tostring(L, -1);
  luaL_buffinit(L, &lines);
  for (size_t length; *line; line += length + (line[length] == '\n')) {
    length = strcspn(line, "\n");
    if (!is_change(line, length)) continue;
    luaL_addlstring(&lines, line, length);
    luaL_addchar(&lines, '\n');
  }
  luaL_pushresult(&lines);
  return lua_tostring(L, -1);
}

const char *rl_push_other_changes(lua_State *L, const rl_sim *s) {
  const char *path = lua_pushfstring(L, "%s/changes.lua", ria_sim_out(s->sim));
  const char *was = push_lines(L, path);
  const char *is = push_lines(L, s->number == 1 ? s->st->options.changes : NULL);
  if (strcmp(was, is) == 0) return NULL;
  if (!*was) return "no changes were made then (--changes)";
  if (s->number != 1)
    return lua_pushfstring(L,
                           "it was changed while it went on (%s), and --changes makes changes of "
                           "a script's first simulation alone",
                           path);
  return lua_pushfstring(
      L, "it was changed while it went on: --changes %s makes these changes again", path);
}

/* Each line is one change, as ria_lua_change took it. */
void rl_repeat_changes(lua_State *L, rl_sim *s, const rl_site *site) {
  rl_state *st = s->st;
  char *text;
  size_t n;
  if (!st->options.changes || st->changed || s->number != 1) return;
  st->changed = true;
  rl_try(L, site, NULL, ria_limit_read(st->ctx, st->options.changes, MOST, &text, &n));
  lua_pushlstring(L, text, n);
  free(text);
  const char *line = lua_tostring(L, -1);
  int number = 0;
  for (size_t length; *line; line += length + (line[length] == '\n')) {
    length = strcspn(line, "\n");
    number++;
    if (!is_change(line, length)) continue;
    lua_pushlstring(L, line, length);
    const change c = {s, lua_tostring(L, -1), st->options.changes, number};
    rl_try(L, site, NULL, make(st, c));
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}
