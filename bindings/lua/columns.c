/* columns.c - ria.columns: a series of each column of a CSV file, which is read once.
 *
 * Of a file with a column a river, ria.series would read all of it for each: hundreds of times what
 * one reading takes. A name that the file lacks is an error where it is looked up. */
#include "binding.h"

/* __index of the series: there is no such column. Upvalues: the file, all names. */
static int no_column(lua_State *L) {
  rl_site site;
  const char *word = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "?";
  rl_here(L, "ria.columns", 1, &site);
  size_t n = (size_t)lua_rawlen(L, lua_upvalueindex(2));
  const char **names = rl_new_names(L, n);
  const int array = lua_gettop(L);
  for (size_t k = 0; k < n; k++) {
    lua_rawgeti(L, lua_upvalueindex(2), (lua_Integer)k + 1);
    rl_set_name(L, array, k);
  }
  const char *near = ria_nearest(word, names, n);
  rl_fail(L, &site, NULL, "%s: there is no column '%s' of values%s%s%s",
          lua_tostring(L, lua_upvalueindex(1)), word, near ? "; did you mean '" : "",
          near ? near : "", near ? "'?" : "");
}

/* Make looking up what the table on top lacks an error. */
static void make_strict(lua_State *L, const char *path) {
  const int series = lua_gettop(L);
  lua_Integer n = 0;
  lua_createtable(L, 0, 1);
  lua_pushstring(L, path);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, series); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_rawseti(L, series + 3, ++n);
  }
  lua_pushcclosure(L, no_column, 2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, series);
}

/* ria.columns(path | {...}): columns of values; those of dates and of text are passed over. */
static int module_columns(lua_State *L) {
  rl_site site;
  rl_here(L, "ria.columns", 1, &site);
  ria_csv_desc desc = rl_read_columns(L, &site);
  rl_csv *file = rl_new_csv(L);
  rl_try(L, &site, &(rl_path){.key = "path"},
         ria_csv_table_read_with(rl_context(L), desc.path, &desc.layout, &file->table));
  const ria_csv_table *t = desc.table = file->table;
  lua_createtable(L, 0, (int)t->columns);
  for (size_t c = 1; c < t->columns; c++) {
    if (t->is_time[c] || t->text[c]) continue;
    desc.column = t->name[c][0] ? t->name[c] : lua_pushfstring(L, "#%d", (int)c + 1);
    rl_push_csv_series(L, &desc, &site);
    lua_setfield(L, lua_gettop(L) - (t->name[c][0] ? 1 : 2), desc.column);
    if (!t->name[c][0]) lua_pop(L, 1);
  }
  make_strict(L, desc.path);
  ria_csv_table_destroy(&file->table);
  return 1;
}

const luaL_Reg rl_columns_functions[] = {{"columns", module_columns}, {NULL, NULL}};
