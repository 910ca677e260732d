/* section.c - sim:section: what flows through lines. */
#include "binding.h"
#include "shapes.h"

#include <math.h>

typedef struct section_args {
  const char *name;
  double every;
  bool exact;
} section_args;

static const rl_key section_keys[] = {
    {"name", RL_STRING, 0, offsetof(section_args, name), RL_REQUIRED,
     .doc = "heads its columns; where shapes have an attribute of this name, what it says, for a "
            "section of each"},
    {"line", RL_ANY, .shape = "shapes | {{x, y}, {lon =, lat =}, ...}",
     .doc = "lines, or points joined in their order"},
    {"every", RL_NUMBER, RIA_DIM_TIME, offsetof(section_args, every), RL_REQUIRED | RL_ABOVE_MIN, 0,
     INFINITY, .doc = "time between samples"},
    {"exact", RL_BOOL, 0, offsetof(section_args, exact),
     .doc = "shorten steps to land on every sample, as of gauges"},
    {0}};
const rl_table_info rl_section_info = {.keys = section_keys};

static ria_handle add_section(lua_State *L, rl_sim *s, const section_args *a, const char *name,
                              const ria_shapes *line, const rl_site *site) {
  const ria_section_desc desc = {.name = name, .line = line, .every = a->every, .exact = a->exact};
  ria_handle handle = 0;
  rl_try(L, site, NULL, ria_sim_section(s->sim, &desc, &handle));
  return handle;
}

/* A section of each shape, named by its attribute: their handles, pushed. */
static void add_sections(lua_State *L, rl_sim *s, const section_args *a, const ria_shapes *lines,
                         const rl_site *site) {
  const rl_path path = {.key = "name"};
  lua_newtable(L);
  const int list = lua_gettop(L);
  for (size_t k = 0; k < ria_shapes_count(lines); k++) {
    rl_push_attribute(L, ria_shape_attribute(ria_shapes_at(lines, k), a->name));
    if (lua_isnil(L, -1))
      rl_fail(L, site, &path, "%s: a line without %s", rl_push_place(L, lines, k), a->name);
    const char *name = luaL_tolstring(L, -1, NULL);
    rl_shapes *one = rl_new_shapes(L);
    rl_try(L, site, NULL, ria_shapes_select(rl_context(L), lines, &k, 1, &one->shapes));
    lua_pushinteger(L, add_section(L, s, a, name, one->shapes, site));
    lua_rawseti(L, list, (lua_Integer)k + 1);
    lua_settop(L, list);
  }
}

/* sim:section { name =, line =, every = } */
int rl_sim_section(lua_State *L) {
  rl_site site;
  section_args a = {0};
  const rl_path path = {.key = "line"};
  rl_here(L, "sim:section", 1, &site);
  rl_sim *s = rl_check_sim(L, &site);
  rl_read_table(L, 2, &rl_section_info, &site, NULL, &a);
  if (lua_getfield(L, 2, "line") == LUA_TNIL)
    rl_fail(L, &site, NULL, "missing key 'line': ria.shapes \"sections.geojson\", or places");
  const ria_shapes *line = rl_read_line(L, -1, s->sim, &site, &path);
  if (rl_has_attribute(line, a.name))
    add_sections(L, s, &a, line, &site);
  else
    lua_pushinteger(L, add_section(L, s, &a, a.name, line, &site));
  return 1;
}
