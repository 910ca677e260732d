/* field3.h - fields of three dimensions: what field3.c and field3_derive.c share. */
#ifndef RIA_LUA_FIELD3_H
#define RIA_LUA_FIELD3_H
#include "binding.h"
#include <ria/field3.h>

#define RL_FIELD3 "ria.field3"
typedef struct rl_field3 {
  ria_field3 *field; /* NULL = closed */
  uint64_t held;     /* guard.c */
} rl_field3;

extern const char *const rl_axis_names[]; /* "x", "y", "z", NULL */

/* A new field with the grid and precision of f, pushed. */
ria_field3 *rl_field3_like(lua_State *L, const ria_field3 *f, const rl_site *site);
/* The field at idx, held for the call at work; NULL if something else is there or it is closed. */
ria_field3 *rl_test_field3(lua_State *L, int idx);
/* The open field that a method was called with. */
ria_field3 *rl_check_field3(lua_State *L, const rl_site *site);

/* field3_derive.c: methods and metamethods. */
extern const luaL_Reg rl_field3_derivatives[], rl_field3_operators[];

#endif
