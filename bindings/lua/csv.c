/* csv.c - tables of measured values: ria.csv. */
#include "binding.h"

static int csv_gc(lua_State *L) {
  rl_csv *h = luaL_checkudata(L, 1, RL_CSV);
  ria_csv_table_destroy(&h->table);
  return 0;
}

rl_csv *rl_new_csv(lua_State *L) {
  rl_csv *h = lua_newuserdatauv(L, sizeof *h, 0);
  h->table = NULL;
  luaL_setmetatable(L, RL_CSV);
  return h;
}

typedef struct csv_args {
  int skip;
  bool header, units;
} csv_args;

static const rl_key csv_keys[] = {
    {"skip", RL_INT, 0, offsetof(csv_args, skip), 0, 0, 1e9,
     .doc = "lines at the top of the file that are not part of the table"},
    {"header", RL_BOOL, 0, offsetof(csv_args, header),
     .doc = "false: the first line is a row already, the columns have no names"},
    {"units", RL_BOOL, 0, offsetof(csv_args, units),
     .doc = "the line after the header holds units; they become the list `units`"},
    {0}};
const rl_table_info rl_csv_info = {.keys = csv_keys};

void rl_push_numbers(lua_State *L, const double *v, size_t n) {
  lua_createtable(L, (int)n, 0);
  for (size_t k = 0; k < n; k++) {
    lua_pushnumber(L, v[k]);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
}

static void push_texts(lua_State *L, const char *const *text, size_t n) {
  lua_createtable(L, (int)n, 0);
  for (size_t k = 0; k < n; k++) {
    lua_pushstring(L, text[k]);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
}

/* ria.csv(path [, {...}]): { rows = n, names = {...}, [1] = {...}, [name] = {...} }, one list a
 * column, of numbers or of text. */
int rl_module_csv(lua_State *L) {
  rl_site site;
  csv_args a = {.header = true};
  rl_here(L, "ria.csv", 1, &site);
  const char *path = rl_string(L, 1, &site, "path");
  if (!lua_isnoneornil(L, 2)) rl_read_table(L, 2, &rl_csv_info, &site, NULL, &a);
  const ria_csv_layout layout = {.skip = a.skip, .no_header = !a.header, .units = a.units};
  rl_csv *h = rl_new_csv(L);
  rl_try(L, &site, NULL, ria_csv_table_read_with(rl_context(L), path, &layout, &h->table));
  const ria_csv_table *table = h->table;
  lua_createtable(L, (int)table->columns, (int)table->columns + 3);
  if (a.units) {
    push_texts(L, table->unit, table->columns);
    lua_setfield(L, -2, "units");
  }
  lua_newtable(L); /* names */
  for (size_t k = 0; k < table->columns; k++) {
    rl_try(L, &site, NULL, ria_csv_table_check(rl_context(L), table, k));
    if (table->text[k])
      push_texts(L, table->text[k], table->rows);
    else
      rl_push_numbers(L, table->value[k], table->rows);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -4, (lua_Integer)k + 1);
    lua_setfield(L, -3, table->name[k]);
    lua_pushstring(L, table->name[k]);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
  lua_setfield(L, -2, "names");
  lua_pushinteger(L, (lua_Integer)table->rows);
  lua_setfield(L, -2, "rows");
  ria_csv_table_destroy(&h->table);
  return 1;
}

int rl_open_csv(lua_State *L) {
  static const luaL_Reg meta[] = {{"__gc", csv_gc}, {NULL, NULL}};
  rl_new_class(L, RL_CSV, meta, NULL);
  return 0;
}
