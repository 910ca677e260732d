/* field3_derive.c - derivatives of fields of three dimensions, and their operators + - *. */
#include "field3.h"

typedef struct derive_args {
  int order;
} derive_args;

static const rl_key derive_keys[] = {
    {"order", RL_INT, 0, offsetof(derive_args, order), .doc = "2, 4, 6 or 8; 8 if left out"}, {0}};
const rl_table_info rl_derive_info = {.keys = derive_keys};

/* --- derivatives ------------------------------------------------------------------------------ */

static int read_order(lua_State *L, int idx, rl_site *site) {
  derive_args a = {8};
  site->arg = idx;
  if (!lua_isnoneornil(L, idx)) rl_read_table(L, idx, &rl_derive_info, site, NULL, &a);
  if (a.order < 2 || a.order > 8 || a.order % 2)
    rl_fail(L, site, &(rl_path){.key = "order"}, "order = %d: it may be 2, 4, 6 or 8", a.order);
  return a.order;
}

static int field3_derivative(lua_State *L) {
  rl_site site;
  rl_here(L, "field3:derivative", 1, &site);
  const ria_field3 *f = rl_check_field3(L, &site);
  const char *word = rl_string(L, 2, &site, "axis");
  rl_check_name(L, word, (rl_names){rl_axis_names, RIA_AXES}, "axis", &site, NULL);
  const int order = read_order(L, 3, &site);
  ria_field3 *out = rl_field3_like(L, f, &site);
  rl_try(L, &site, NULL, ria_field3_derivative(f, (ria_axis)(*word - 'x'), order, out));
  return 1;
}

/* Three new fields in a list, pushed. */
static void push_vector(lua_State *L, const ria_field3 *f, const rl_site *site,
                        ria_field3 *out[RIA_AXES]) {
  lua_createtable(L, RIA_AXES, 0);
  for (int a = 0; a < RIA_AXES; a++) {
    out[a] = rl_field3_like(L, f, site);
    lua_rawseti(L, -2, a + 1);
  }
}

static int field3_gradient(lua_State *L) {
  rl_site site;
  ria_field3 *out[RIA_AXES];
  rl_here(L, "field3:gradient", 1, &site);
  const ria_field3 *f = rl_check_field3(L, &site);
  const int order = read_order(L, 2, &site);
  push_vector(L, f, &site, out);
  rl_try(L, &site, NULL, ria_field3_gradient(f, order, out));
  return 1;
}

static int field3_laplacian(lua_State *L) {
  rl_site site;
  rl_here(L, "field3:laplacian", 1, &site);
  const ria_field3 *f = rl_check_field3(L, &site);
  const int order = read_order(L, 2, &site);
  ria_field3 *out = rl_field3_like(L, f, &site);
  rl_try(L, &site, NULL, ria_field3_laplacian(f, order, out));
  return 1;
}

/* The three fields of the list at index 1; they stay on the stack. */
static void read_vector(lua_State *L, const rl_site *site, const ria_field3 *v[RIA_AXES]) {
  if (lua_type(L, 1) != LUA_TTABLE || lua_rawlen(L, 1) != RIA_AXES)
    rl_type_error(L, site, &(rl_path){.key = "vector"}, 1, "a list of three fields { u, v, w }");
  for (int a = 0; a < RIA_AXES; a++) {
    lua_rawgeti(L, 1, a + 1);
    v[a] = rl_test_field3(L, -1);
    if (!v[a])
      rl_type_error(L, site, &(rl_path){.index = a + 1}, -1, "a field of three dimensions");
  }
}

static int module_divergence(lua_State *L) {
  rl_site site;
  const ria_field3 *v[RIA_AXES];
  rl_here(L, "ria.divergence", 1, &site);
  const int order = read_order(L, 2, &site);
  read_vector(L, &site, v);
  ria_field3 *out = rl_field3_like(L, v[0], &site);
  rl_try(L, &site, NULL, ria_field3_divergence(v, order, out));
  return 1;
}

static int module_curl(lua_State *L) {
  rl_site site;
  const ria_field3 *v[RIA_AXES];
  ria_field3 *out[RIA_AXES];
  rl_here(L, "ria.curl", 1, &site);
  const int order = read_order(L, 2, &site);
  read_vector(L, &site, v);
  push_vector(L, v[0], &site, out);
  rl_try(L, &site, NULL, ria_field3_curl(v, order, out));
  return 1;
}

/* --- operators -------------------------------------------------------------------------------- */

/* a f + b g, pushed; f and g are at the indices. */
static int push_sum(lua_State *L, const char *sign, double a, double b) {
  rl_site site;
  rl_here(L, sign, 1, &site);
  const ria_field3 *f = rl_test_field3(L, 1), *g = rl_test_field3(L, 2);
  if (!f || !g)
    rl_type_error(L, &site, NULL, f ? 2 : 1, "a field of three dimensions on either side");
  ria_field3 *out = rl_field3_like(L, f, &site);
  rl_try(L, &site, NULL, ria_field3_combine(a, f, b, g, out));
  return 1;
}

static int field3_add(lua_State *L) { return push_sum(L, "f + g", 1.0, 1.0); }
static int field3_sub(lua_State *L) { return push_sum(L, "f - g", 1.0, -1.0); }

static int push_scaled(lua_State *L, int idx, double a, const rl_site *site) {
  const ria_field3 *f = rl_test_field3(L, idx);
  if (!f) rl_type_error(L, site, NULL, idx, "a number or a field of three dimensions");
  ria_field3 *out = rl_field3_like(L, f, site);
  rl_try(L, site, NULL, ria_field3_combine(a, f, 0.0, f, out));
  return 1;
}

static int field3_mul(lua_State *L) {
  rl_site site;
  rl_here(L, "f * g", 1, &site);
  const ria_field3 *f = rl_test_field3(L, 1), *g = rl_test_field3(L, 2);
  if (lua_type(L, 1) == LUA_TNUMBER) return push_scaled(L, 2, lua_tonumber(L, 1), &site);
  if (lua_type(L, 2) == LUA_TNUMBER) return push_scaled(L, 1, lua_tonumber(L, 2), &site);
  if (!f || !g) rl_type_error(L, &site, NULL, f ? 2 : 1, "a number or a field of three dimensions");
  ria_field3 *out = rl_field3_like(L, f, &site);
  rl_try(L, &site, NULL, ria_field3_multiply(f, g, out));
  return 1;
}

static int field3_unm(lua_State *L) {
  rl_site site;
  rl_here(L, "-f", 1, &site);
  return push_scaled(L, 1, -1.0, &site);
}

const luaL_Reg rl_field3_derivatives[] = {{"derivative", field3_derivative},
                                          {"gradient", field3_gradient},
                                          {"laplacian", field3_laplacian},
                                          {NULL, NULL}};

const luaL_Reg rl_field3_operators[] = {{"__add", field3_add},
                                        {"__sub", field3_sub},
                                        {"__mul", field3_mul},
                                        {"__unm", field3_unm},
                                        {NULL, NULL}};

const luaL_Reg rl_vector_functions[] = {
    {"curl", module_curl}, {"divergence", module_divergence}, {NULL, NULL}};
