/* limited_inner.h - what limited.c and limited_code.c share. */
#ifndef RIA_LUA_LIMITED_INNER_H
#define RIA_LUA_LIMITED_INNER_H
#include "limited.h"

/* The limits of the state; NULL where it has none. */
ria_lua_limits *rl_limits_of(lua_State *L);
/* Raise that `what` is not there for a limited script. */
_Noreturn void rl_limit_refuse(lua_State *L, const char *what);
/* Is it one of the libraries that are taken away? */
bool rl_limit_is_library(const char *name);
/* Put f in the place of a member of the table on top, with what was there as its upvalue. */
void rl_limit_wrap(lua_State *L, const char *name, lua_CFunction f);

/* Put those of load, loadfile, dofile and require that a limited script has into the table on top,
 * that of the globals. */
void rl_limit_code(lua_State *L);

#endif
