/* noise.c - the module "ria.noise": value noise, which ria.synth (scripts/ria/synth.lua) makes
 * terrain of.
 *
 * Each point of the integer lattice has a number in [-1, 1], hashed from its coordinates and a
 * seed; between the points u^2 (3 - 2 u) blends them, so that slopes are continuous. A bed takes
 * some twenty such numbers a cell: in Lua that was nearly all the time that a large grid took to
 * start.
 *
 * The same arguments give the same bits on every machine: integers are of 64 bits and wrap around,
 * shifts bring in zeros, every operation on doubles is rounded by itself, in the order written here
 * (CMakeLists.txt: no contraction). tests/lua/noise.lua holds the formula in Lua beside it.
 *
 * A coordinate must lie in [-2^63, 2^63), where the square below it is an integer; others, and NaN,
 * are an error. */
#include "binding.h"

/* A square of the lattice: its south-west corner, and the numbers at all four. */
typedef struct square {
  int64_t ix, iy;
  double sw, se, nw, ne;
} square;

/* Noise of bumps `size` wide and `height` high. A grid is gone through cell by cell, so that the
 * next point is mostly in the square of the last one. */
typedef struct layer {
  double size, height;
  uint64_t seed;
  square last;
} layer;

typedef struct layer_sum {
  size_t n;
  double divisor;
  layer at[];
} layer_sum;

/* The number of a point: 2 (h mod 2^20) / (2^20 - 1) - 1, in [-1, 1], with a hash h of the point
 * and the seed that is stirred after the manner of splitmix64. */
static double lattice(uint64_t ix, uint64_t iy, uint64_t seed) {
  uint64_t h = ix * UINT64_C(0x27d4eb2f165667c5) ^ iy * UINT64_C(0x165667b19e3779f9) ^ seed;
  h = (h ^ h >> 29) * UINT64_C(0x3f58476d1ce4e5b9);
  h = (h ^ h >> 32) * UINT64_C(0x14d049bb133111eb);
  h ^= h >> 29;
  return (double)(int32_t)(h & 0xfffff) / 524287.5 - 1.0;
}

/* False for NaN too. */
static bool on_lattice(double x) { return x >= -0x1p63 && x < 0x1p63; }

/* The greatest integer that is not above x, which is on the lattice. */
static int64_t floor_of(double x) {
  int64_t towards_zero = (int64_t)x;
  return towards_zero - ((double)towards_zero > x);
}

static square square_at(int64_t west, int64_t south, uint64_t seed) {
  uint64_t ix = (uint64_t)west, iy = (uint64_t)south;
  return (square){west,
                  south,
                  lattice(ix, iy, seed),
                  lattice(ix + 1, iy, seed),
                  lattice(ix, iy + 1, seed),
                  lattice(ix + 1, iy + 1, seed)};
}

/* Noise at a point of the square. */
static double blend(const square *s, double x, double y) {
  double u = x - (double)s->ix, v = y - (double)s->iy;
  u = u * u * (3.0 - 2.0 * u);
  v = v * v * (3.0 - 2.0 * v);
  double south = s->sw + (s->se - s->sw) * u, north = s->nw + (s->ne - s->nw) * u;
  return south + (north - south) * v;
}

static double layer_at(layer *l, double x, double y) {
  int64_t ix = floor_of(x), iy = floor_of(y);
  if (ix != l->last.ix || iy != l->last.iy) l->last = square_at(ix, iy, l->seed);
  return l->height * blend(&l->last, x, y);
}

/* --- functions of the module ------------------------------------------------------------------ */

static _Noreturn void off_lattice(lua_State *L, double x, double y) {
  rl_site site;
  rl_here(L, "ria.synth", 1, &site);
  rl_fail(L, &site, NULL,
          "there is no noise at (%g, %g): in sizes of a bump, coordinates must be finite and below "
          "2^63",
          x, y);
}

static void check_count(lua_State *L, int most, const char *name) {
  if (lua_gettop(L) > most)
    luaL_error(L, "%s: argument %d is too many: it takes %d", name, most + 1, most);
}

/* noise.at(x, y, seed): the number at a point, in sizes of a bump. */
static int noise_at(lua_State *L) {
  check_count(L, 3, "noise.at");
  double x = luaL_checknumber(L, 1), y = luaL_checknumber(L, 2);
  uint64_t seed = (uint64_t)luaL_checkinteger(L, 3);
  if (!on_lattice(x) || !on_lattice(y)) off_lattice(L, x, y);
  square s = square_at(floor_of(x), floor_of(y), seed);
  lua_pushnumber(L, blend(&s, x, y));
  return 1;
}

/* The function that noise.sum makes. */
static int sum_at(lua_State *L) {
  layer_sum *s = lua_touserdata(L, lua_upvalueindex(1));
  double x = luaL_checknumber(L, 1), y = luaL_checknumber(L, 2), sum = 0.0;
  for (size_t k = 0; k < s->n; k++) {
    double east = x / s->at[k].size, north = y / s->at[k].size;
    if (!on_lattice(east) || !on_lattice(north)) off_lattice(L, east, north);
    sum += layer_at(&s->at[k], east, north);
  }
  lua_pushnumber(L, sum / s->divisor);
  return 1;
}

/* The number `name` of the table on top of the stack. */
static double member(lua_State *L, const char *name) {
  lua_getfield(L, -1, name);
  int is_number;
  double value = lua_tonumberx(L, -1, &is_number);
  if (!is_number) luaL_error(L, "'%s' of a layer is not a number", name);
  lua_pop(L, 1);
  return value;
}

static uint64_t member_seed(lua_State *L) {
  lua_getfield(L, -1, "seed");
  int is_integer;
  lua_Integer value = lua_tointegerx(L, -1, &is_integer);
  if (!is_integer) luaL_error(L, "'seed' of a layer is not a whole number");
  lua_pop(L, 1);
  return (uint64_t)value;
}

/* noise.sum({ { size =, height =, seed = }, ... }, divisor): a function (x, y) that adds up
 * height * noise(x / size, y / size, seed) of all layers, in order, and divides by the divisor. */
static int noise_sum(lua_State *L) {
  check_count(L, 2, "noise.sum");
  luaL_checktype(L, 1, LUA_TTABLE);
  double divisor = luaL_checknumber(L, 2);
  size_t n = lua_rawlen(L, 1);
  layer_sum *s = lua_newuserdatauv(L, sizeof *s + n * sizeof *s->at, 0);
  s->n = n;
  s->divisor = divisor;
  for (size_t k = 0; k < n; k++) {
    if (lua_rawgeti(L, 1, (lua_Integer)k + 1) != LUA_TTABLE)
      return luaL_error(L, "a layer is not a table");
    layer *l = &s->at[k];
    *l = (layer){.size = member(L, "size"), .height = member(L, "height"), .seed = member_seed(L)};
    l->last = square_at(0, 0, l->seed);
    lua_pop(L, 1);
  }
  lua_pushcclosure(L, sum_at, 1);
  return 1;
}

int luaopen_ria_noise(lua_State *L) {
  static const luaL_Reg functions[] = {{"at", noise_at}, {"sum", noise_sum}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
