/* boundary.h - what the files that read boundaries share. */
#ifndef RIA_LUA_BOUNDARY_H
#define RIA_LUA_BOUNDARY_H
#include "binding.h"

/* boundary_kind.c. Those with a site raise an error there. */
/* How many values a kind cannot do without. */
int rl_kind_requires(const ria_boundary_kind *kind);
bool rl_kind_has_value(const ria_boundary_kind *kind, const char *value);
const ria_boundary_kind *rl_kind_by_name(lua_State *L, const ria_solver *solver, const char *name,
                                         const rl_site *site, const rl_path *path);
/* The kind that a series alone stands for. */
const ria_boundary_kind *rl_kind_of_series(lua_State *L, const rl_sim *s, const rl_site *site,
                                           const rl_path *path);
/* The kind of the table at idx; NULL when it is left open and may be (`change`). */
const ria_boundary_kind *rl_settle_kind(lua_State *L, const rl_sim *s, int idx, bool change,
                                        const rl_site *site, const rl_path *path);
/* Of the values that the table at idx gives it has the most; NULL: no kind has any. */
const ria_boundary_kind *rl_kind_with_most_values(lua_State *L, int idx, const ria_solver *solver);
/* Every key is one of all boundaries, or a value of the kind (of any kind where it is NULL). */
void rl_check_boundary_keys(lua_State *L, int idx, const ria_solver *solver,
                            const ria_boundary_kind *kind, const rl_site *site,
                            const rl_path *path);

/* boundary_place.c. */
int rl_side_by_name(const char *name); /* -1: it is none */
/* Where the entry lies: from and to, or a line; else `side`, else the side that it is named after.
 * idx 0: an entry that is no table. Pushes what keeps the line. */
void rl_read_boundary_place(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                            const rl_path *path, ria_boundary_desc *out);
/* What a change says of where the boundary lies: the engine refuses what is not so. */
void rl_read_same_place(lua_State *L, const rl_sim *s, int idx, const rl_site *site,
                        const rl_path *path, ria_boundary_desc *out);

#endif
