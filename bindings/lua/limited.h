/* limited.h - scripts of others: what a limited state has and has not got. */
#ifndef RIA_LUA_LIMITED_H
#define RIA_LUA_LIMITED_H
#include "binding.h"

/* Take away what a limited script may not have; nothing where the state is not limited. May raise.
 */
void rl_limit_open(lua_State *L);
/* The limits of the state's context. May raise. */
void rl_limit_context(lua_State *L);
/* The file that `require` of a limited script reads for a name, pushed; false: none. */
bool rl_limit_module(lua_State *L, const char *name);
/* Has a bound been reached? Then ria_limit_message says which. */
bool rl_limit_reached(const rl_state *st);

#endif
