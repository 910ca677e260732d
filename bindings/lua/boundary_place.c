/* boundary_place.c - where a boundary of a scenario lies: a side, a stretch of one, along a line.
 */
#include "boundary.h"
#include "shapes.h"

#include <math.h>
#include <string.h>

static const char *const side_names[] = {[RIA_WEST] = "west",
                                         [RIA_EAST] = "east",
                                         [RIA_SOUTH] = "south",
                                         [RIA_NORTH] = "north",
                                         [RIA_SIDES] = NULL};

/* Returns whether the end is given. */
static bool read_end(lua_State *L, const rl_sim *s, int idx, const char *name, const rl_site *site,
                     const rl_path *path, double out[2]) {
  rl_path entry = {.up = path, .key = name};
  lua_getfield(L, idx, name);
  bool given = !lua_isnil(L, -1);
  if (given) rl_read_point(L, -1, &(rl_map){.sim = s->sim}, site, &entry, out);
  lua_pop(L, 1);
  return given;
}

int rl_side_by_name(const char *name) {
  for (int k = 0; k < RIA_SIDES; k++)
    if (strcmp(side_names[k], name) == 0) return k;
  return -1;
}

/* The line of the table at idx and what belongs to it. Pushes what keeps it. */
static void read_line(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                      const rl_path *path, ria_boundary_desc *out) {
  const rl_path line = {.up = path, .key = "line"}, reach = {.up = path, .key = "reach"};
  lua_getfield(L, idx, "reach");
  const bool has_reach = !lua_isnil(L, -1);
  if (has_reach)
    rl_read(L, -1,
            &(rl_key){.name = "reach",
                      .type = RL_NUMBER,
                      .dim = RIA_DIM_LENGTH,
                      .flags = RL_ABOVE_MIN,
                      .max = INFINITY},
            site, &reach, &out->reach);
  lua_getfield(L, idx, "line");
  if (!lua_isnil(L, -1))
    out->line = rl_read_line(L, -1, s->sim, site, &line);
  else if (has_reach)
    rl_fail(L, site, &reach, "reach belongs to a line: line = ria.shapes \"shore.geojson\"");
  if (out->line && out->stretch)
    rl_fail(L, site, &line, "a boundary lies along a line, or from a point to another: not both");
}

/* The keys of the table at idx that say where it lies; *side: where it says that. */
static void read_where(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                       const rl_path *path, int *side, ria_boundary_desc *out) {
  const rl_path entry = {.up = path, .key = "side"};
  const bool from = read_end(L, s, idx, "from", site, path, out->from);
  const bool to = read_end(L, s, idx, "to", site, path, out->to);
  if (from != to) rl_fail(L, site, path, "from and to go together: one end is missing");
  out->stretch = from;
  const bool said = lua_getfield(L, idx, "side") != LUA_TNIL;
  if (said)
    rl_read(L, -1, &(rl_key){.name = "side", .type = RL_CHOICE, .choices = side_names}, site,
            &entry, side);
  lua_pop(L, 1);
  read_line(L, s, idx, site, path, out);
  out->one_side = out->line ? *side >= 0 : said;
}

void rl_read_same_place(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                        const rl_path *path, ria_boundary_desc *out) {
  int side = 0;
  read_where(L, s, idx, site, path, &side, out);
  out->side = (ria_side)side;
}

void rl_read_boundary_place(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                            const rl_path *path, ria_boundary_desc *out) {
  int side = rl_side_by_name(out->name);
  if (idx) read_where(L, s, idx, site, path, &side, out);
  if (side >= 0) out->side = (ria_side)side;
  if (side >= 0 || out->stretch || out->line) return;
  const char *near = ria_nearest(out->name, side_names, RIA_SIDES);
  if (near) rl_fail(L, site, path, "unknown side '%s': did you mean '%s'?", out->name, near);
  rl_fail(L, site, path,
          "boundary '%s' is not a side: name one of west, east, south, north, or give from and "
          "to, or a line",
          out->name);
}
