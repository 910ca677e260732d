/* memory.c - Lua runs out of memory: at the first allocation, at the second, and so on until a
 * whole scenario comes through. Nothing may crash or leak (the sanitizers and valgrind look), and
 * after each failure the same process starts over as if nothing had been. */
#include "ria_lua.h"
#include "test.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

/* An allocator that refuses the n-th request for more, and counts what is in use. */
typedef struct limited {
  long left;   /* requests until one is refused; < 0 = never */
  long in_use; /* bytes */
  bool refused;
} limited;

static void *allocate(void *user, void *old, size_t old_size, size_t size) {
  limited *m = user;
  size_t had = old ? old_size : 0;
  if (size == 0) {
    m->in_use -= (long)had;
    free(old);
    return NULL;
  }
  if (size > had && m->left >= 0 && m->left-- == 0) {
    m->refused = true;
    m->left = 0; /* and every one after it: there is no memory */
    return NULL;
  }
  void *block = realloc(old, size);
  if (block) m->in_use += (long)size - (long)had;
  return block;
}

static const char scenario[] =
    "local ria = require 'ria'\n"
    "local p = ria.params { n = {6, 'cells', min = 4}, name = 'basin' }\n"
    "local bumps = require('ria.noise').sum({ { size = 9, height = 1, seed = 3 } }, 1)\n"
    "local sim = ria.sim {\n"
    "  grid = { nx = p.n, ny = p.n, dx = 10 }, bed = function(x, y) return bumps(x, y) - 2 end,\n"
    "  tracers = { oil = { decay = '1/d' }, 'dye' }, params = { manning = 0.02 },\n"
    "  init = { level = ria.field { nx = 3, ny = 3, dx = 20, value = 0.1 }, oil = 0 },\n"
    "  boundary = { south = ria.tide { M2 = {1, 90} }, north = 'open',\n"
    "    river = ria.inflow { from = {0, 0}, to = {0, 40}, q = {{0, 1}, {100, 2}} } },\n"
    "  maxima = { 'level' }, out = false,\n"
    "}\n"
    "local n = 0\n"
    "sim:every(2, function(s) n = n + s:probe(30, 30).level end)\n"
    "sim:when(function(s) return s:time() > 3 end, function(s)\n"
    "  s:spill { tracer = 'oil', x = 30, y = 30, mass = 1 } end, { every = 1 })\n"
    "sim:at(5, ria.spill { tracer = 'dye', x = 30, y = 30, rate = {{0, 1}, {100, 1}}, duration = 3 "
    "})\n"
    "local cancelled = sim:at(6, print)\n"
    "sim:cancel(cancelled)\n"
    "sim:gauge { name = 'pier', x = 30, y = 30, every = 1 }\n"
    "sim:run(8)\n"
    "assert(sim:field('oil'):sum() > 0 and #sim:history('pier', 'level') > 0)\n"
    "local wrong = pcall(ria.sim, { grid = { nx = 2, ny = 2, dx = 1 }, bedd = 1 })\n"
    "assert(not wrong)\n";

static int run(lua_State *L) {
  luaL_openlibs(L);
  ria_lua_configure(L, &(ria_lua_options){.ctx = lua_touserdata(L, 1)});
  luaL_requiref(L, "ria", luaopen_ria, 0);
  if (luaL_loadstring(L, scenario) != LUA_OK) return lua_error(L);
  lua_call(L, 0, 0);
  return 0;
}

/* True when the scenario came through. */
static bool attempt(ria_context *ctx, long n) {
  limited m = {.left = n};
  lua_State *L = lua_newstate(allocate, &m);
  if (!L) return false;
  bool good = false;
  if (lua_checkstack(L, 4)) {
    lua_pushcfunction(L, run);
    lua_pushlightuserdata(L, ctx);
    int rc = lua_pcall(L, 1, 0, 0);
    good = rc == LUA_OK;
    if (!good && !m.refused) fprintf(stderr, "without need: %s\n", lua_tostring(L, -1));
    CHECK(good || m.refused);
  }
  m.left = -1; /* closing may allocate */
  lua_close(L);
  CHECK(m.in_use == 0);
  return good;
}

int main(void) {
  ria_context *ctx = NULL;
  CHECK(ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) == RIA_OK);
  long n = 0;
  while (!attempt(ctx, n)) n++;
  CHECK(n > 500);
  ria_context_destroy(&ctx);
  return TEST_END();
}
