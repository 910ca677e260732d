/* columns.c - ria.columns: a series of each column of a CSV file, which is read once.
 *
 * Of a file with a column a river, ria.series would read all of it for each: hundreds of times what
 * one reading takes. A name that the file lacks is an error where it is looked up. */
#include "binding.h"

#include <string.h>

/* __index of the series: a name with its unit, else there is no such column. Upvalues: the file,
 * all names, series by their names with units. */
static int no_column(lua_State *L) {
  rl_site site;
  lua_pushvalue(L, 2);
  if (lua_rawget(L, lua_upvalueindex(3)) != LUA_TNIL) return 1;
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

/* Make looking up what the table of series lacks an error. */
static void make_strict(lua_State *L, const char *path, int series, int whole) {
  lua_Integer n = 0;
  lua_createtable(L, 0, 1);
  lua_pushstring(L, path);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, series); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_rawseti(L, whole + 3, ++n);
  }
  lua_pushvalue(L, whole);
  lua_pushcclosure(L, no_column, 3);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, series);
  lua_settop(L, series);
}

/* Bytes of a name before its unit; a remark in round brackets is part of it. */
static size_t stem(lua_State *L, const ria_csv_table *t, size_t column) {
  char text[RIA_UNIT_MAX];
  const char *name = t->name[column];
  const size_t n = strlen(name), before = ria_csv_table_unit(t, column, text, sizeof text);
  ria_unit unit;
  double factor;
  if (before == n || name[n - 1] == ']') return before;
  return ria_unit_factor(rl_context(L), text, &factor) ||
                 ria_unit_read(rl_context(L), text, &unit) == RIA_OK
             ? before
             : n;
}

/* What a column is called: its name without the unit, unless another has that, too. */
static void push_name(lua_State *L, const ria_csv_table *t, size_t column) {
  const char *name = t->name[column];
  size_t n = stem(L, t, column);
  for (size_t c = 0; c < t->columns; c++)
    if (c != column && strncmp(t->name[c], name, n) == 0 && stem(L, t, c) == n) n = strlen(name);
  if (n)
    lua_pushlstring(L, name, n);
  else
    lua_pushfstring(L, "#%d", (int)column + 1);
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
  lua_newtable(L);
  const int whole = lua_gettop(L), series = whole - 1;
  for (size_t c = 1; c < t->columns; c++) {
    if (t->is_time[c] || t->text[c]) continue;
    desc.column = t->name[c][0] ? t->name[c] : lua_pushfstring(L, "#%d", (int)c + 1);
    push_name(L, t, c);
    rl_push_csv_series(L, &desc, &site);
    lua_pushvalue(L, -1);
    lua_setfield(L, whole, desc.column);
    lua_settable(L, series);
    lua_settop(L, whole);
  }
  make_strict(L, desc.path, series, whole);
  ria_csv_table_destroy(&file->table);
  return 1;
}

const luaL_Reg rl_columns_functions[] = {{"columns", module_columns}, {NULL, NULL}};
