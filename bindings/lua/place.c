/* place.c - where something is: by x and y in m, or by longitude and latitude in a run that has a
 * coordinate system. Whatever takes a place reads it here. */
#include "binding.h"

#include <math.h>

/* In the order of RL_PLACE_KEYS. */
enum { X = 1, Y = 2, LON = 4, LAT = 8 };

/* --- conversion ------------------------------------------------------------------------------- */

static ria_status on_the_map(lua_State *L, const rl_map *map, double *x, double *y) {
  ria_context *ctx = rl_context(L);
  if (map->sim) return ria_sim_from_lon_lat(map->sim, 1, x, y);
  if (map->raster->crs) return ria_crs_convert_named(ctx, "EPSG:4326", map->raster->crs, 1, x, y);
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "lon and lat: the field has no coordinate system");
}

void rl_settle_place(lua_State *L, const rl_map *map, const rl_key *keys, uint64_t given,
                     const rl_site *site, const rl_path *path, rl_place *p) {
  given &= X | Y | LON | LAT;
  if (given & (LON | LAT) && given & (X | Y))
    rl_fail(L, site, &(rl_path){.up = path, .key = given & LON ? "lon" : "lat"},
            "a place is either x and y or lon and lat: %s and %s do not go together",
            given & X ? "x" : "y", given & LON ? "lon" : "lat");
  const bool by_lon = given & (LON | LAT);
  const uint64_t first = by_lon ? LON : X;
  for (int k = 0; k < 2; k++) {
    if (given & first << k) continue;
    const rl_key *key = &keys[2 * by_lon + k];
    rl_fail(L, site, path, "missing key '%s': %s",
            rl_push_path(L, &(rl_path){.up = path, .key = key->name}), key->doc);
  }
  if (!by_lon || !map) return;
  p->x = p->lon;
  p->y = p->lat;
  rl_try(L, site, &(rl_path){.up = path, .key = "lon"}, on_the_map(L, map, &p->x, &p->y));
}

/* --- a place as a value ----------------------------------------------------------------------- */

static const rl_key place_keys[] = {RL_PLACE_KEYS(rl_place, x, "of the place"), {0}};
static const rl_table_info place_info = {.keys = place_keys};

/* Has the table at idx a name among its keys? */
static bool has_names(lua_State *L, int idx) {
  bool has = false;
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) has = has || lua_type(L, -2) == LUA_TSTRING;
  return has;
}

void rl_read_point(lua_State *L, int idx, const rl_map *map, const rl_site *site,
                   const rl_path *path, double out[2]) {
  rl_place p = {0};
  idx = lua_absindex(L, idx);
  if (lua_type(L, idx) != LUA_TTABLE || !has_names(L, idx)) {
    rl_read(L, idx, &(rl_key){.type = RL_PAIR, .dim = RIA_DIM_LENGTH}, site, path, out);
    return;
  }
  const int top = lua_gettop(L);
  const uint64_t given = rl_read_table(L, idx, &place_info, site, path, &p);
  rl_settle_place(L, map, place_keys, given, site, path, &p);
  lua_settop(L, top);
  out[0] = p.x;
  out[1] = p.y;
}

int rl_read_xy(lua_State *L, int idx, const rl_map *map, rl_site *site, double out[2]) {
  if (lua_type(L, idx) == LUA_TTABLE) {
    site->arg = idx;
    rl_read_point(L, idx, map, site, NULL, out);
    return idx + 1;
  }
  out[0] = rl_quantity(L, idx, RIA_DIM_LENGTH, site, "x");
  out[1] = rl_quantity(L, idx + 1, RIA_DIM_LENGTH, site, "y");
  return idx + 2;
}

double rl_read_degrees(lua_State *L, int idx, bool latitude, const rl_site *site) {
  const rl_key *key = &place_keys[2 + latitude];
  double v = 0.0;
  rl_read(L, idx, key, site, &(rl_path){.key = key->name}, &v);
  return v;
}

/* --- methods of a simulation ------------------------------------------------------------------ */

/* sim:xy(lon, lat) */
static int sim_xy(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:xy", 1, &site);
  const rl_sim *s = rl_check_sim(L, &site);
  double x = rl_read_degrees(L, 2, false, &site), y = rl_read_degrees(L, 3, true, &site);
  rl_try(L, &site, NULL, ria_sim_from_lon_lat(s->sim, 1, &x, &y));
  lua_pushnumber(L, x);
  lua_pushnumber(L, y);
  return 2;
}

/* sim:lonlat(x, y) */
static int sim_lonlat(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:lonlat", 1, &site);
  const rl_sim *s = rl_check_sim(L, &site);
  double x = rl_quantity(L, 2, RIA_DIM_LENGTH, &site, "x");
  double y = rl_quantity(L, 3, RIA_DIM_LENGTH, &site, "y");
  rl_try(L, &site, NULL, ria_sim_to_lon_lat(s->sim, 1, &x, &y));
  lua_pushnumber(L, x);
  lua_pushnumber(L, y);
  return 2;
}

/* sim:crs() */
static int sim_crs(lua_State *L) {
  rl_site site;
  rl_here(L, "sim:crs", 1, &site);
  lua_pushstring(L, ria_sim_crs(rl_check_sim(L, &site)->sim));
  return 1;
}

const luaL_Reg rl_place_methods[] = {
    {"xy", sim_xy}, {"lonlat", sim_lonlat}, {"crs", sim_crs}, {NULL, NULL}};
