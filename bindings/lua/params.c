/* params.c - ria.params: what a script lets others override.
 *
 *   local p = ria.params { grid = 300, wind = {3, "wind speed", unit = "m/s", min = 0, max = 60} }
 *
 * The default gives the type. Overrides come as "name=value" from the command line or a host. Where
 * a unit is named, default, range and overrides without a unit are in it, overrides with one are
 * converted, and the script gets the value in SI, as every other quantity in a scenario. A table
 * without a default is a group: its names are overridden as "group.name". What was declared is kept
 * as a list of records in the registry, for `ria params`. */
#include "binding.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char declared_key; /* registry: list of {name=, type=, ...} in order of name */

typedef struct entry_args {
  double factor; /* SI units in one of `unit` */
  ria_dim dim;
  const char *help, *unit;
  double min, max;
  rl_names choices;
} entry_args;

static const rl_key entry_keys[] = {
    {"default", RL_ANY, .shape = "number | text | true | false",
     .doc = "the value if it is not overridden; also as the first item"},
    {"help", RL_STRING, 0, offsetof(entry_args, help),
     .doc = "its meaning; also as the second item"},
    {"unit", RL_STRING, 0, offsetof(entry_args, unit),
     .doc = "unit of default, min and max; the script gets SI"},
    {"min", RL_NUMBER, 0, offsetof(entry_args, min), .doc = "smallest value allowed"},
    {"max", RL_NUMBER, 0, offsetof(entry_args, max), .doc = "largest value allowed"},
    {"choices", RL_NAMES, 0, offsetof(entry_args, choices), .doc = "the texts allowed"},
    {0}};
static const rl_key entry_list = {"", RL_ANY, .doc = "the default, then the help text"};
const rl_table_info rl_param_entry_info = {.keys = entry_keys, .list = &entry_list};

/* What one call of ria.params works with. */
typedef struct declaration {
  rl_site site;
  const char *const *override;
  size_t n_overrides;
  bool *used;  /* [n_overrides], Lua's memory */
  int records; /* stack index of the list of records */
} declaration;

/* --- units ------------------------------------------------------------------------------------ */

/* The dimension that knows `unit`, and how many SI units it is. */
static bool find_unit(ria_context *ctx, const char *unit, ria_dim *dim, double *factor) {
  char one[64];
  snprintf(one, sizeof one, "1 %s", unit);
  for (int d = RIA_DIM_TIME; d <= RIA_DIM_DENSITY; d++)
    if (ria_parse_quantity(ctx, one, (ria_dim)d, factor) == RIA_OK && *factor != 0.0) {
      *dim = (ria_dim)d;
      ria_error_clear(ctx);
      return true;
    }
  ria_error_clear(ctx);
  return false;
}

/* --- overrides -------------------------------------------------------------------------------- */

static _Noreturn void bad_override(lua_State *L, const char *fmt, ...) RIA_PRINTF(2, 3);
static _Noreturn void bad_override(lua_State *L, const char *fmt, ...) {
  char message[512];
  va_list args;
  va_start(args, fmt);
  vsnprintf(message, sizeof message, fmt, args);
  va_end(args);
  rl_state_of(L)->usage_error = true;
  rl_raise(L, RIA_ERR_ARGUMENT, message);
}

/* The text given for a parameter, or NULL. The last one wins. */
static const char *find_override(const declaration *d, const char *name) {
  const char *value = NULL;
  size_t length = strlen(name);
  for (size_t k = 0; k < d->n_overrides; k++) {
    const char *text = d->override[k];
    if (strncmp(text, name, length) != 0 || text[length] != '=') continue;
    d->used[k] = true;
    value = text + length + 1;
  }
  return value;
}

static bool parse_bool(const char *text, bool *value) {
  static const char *const yes[] = {"true", "yes", "on", "1"}, *const no[] = {"false", "no", "off",
                                                                              "0"};
  for (size_t k = 0; k < sizeof yes / sizeof *yes; k++) {
    if (strcmp(text, yes[k]) == 0) return *value = true, true;
    if (strcmp(text, no[k]) == 0) return *value = false, true;
  }
  return false;
}

/* Push the number, in the parameter's unit, that text means. */
static void push_number(lua_State *L, const char *name, const char *text, const entry_args *a) {
  if (lua_stringtonumber(L, text) != 0) return;
  ria_context *ctx = rl_context(L);
  double value = 0.0;
  if (ria_parse_quantity(ctx, text, a->dim, &value) != RIA_OK)
    bad_override(L, "%s=%s: %s", name, text, *a->unit ? ria_error(ctx) : "expected a number");
  lua_pushnumber(L, value / a->factor);
}

/* Push the value of an override, of the type of the default at idx. */
static void push_override(lua_State *L, const char *name, const char *text, int idx,
                          const entry_args *a) {
  bool yes = false;
  switch (lua_type(L, idx)) {
  case LUA_TNUMBER:
    push_number(L, name, text, a);
    break;
  case LUA_TBOOLEAN:
    if (!parse_bool(text, &yes)) bad_override(L, "%s=%s: expected true or false", name, text);
    lua_pushboolean(L, yes);
    break;
  default:
    lua_pushstring(L, text);
    break;
  }
}

/* --- checking --------------------------------------------------------------------------------- */

static bool among(const char *text, rl_names choices) {
  for (size_t k = 0; k < choices.n; k++)
    if (strcmp(choices.at[k], text) == 0) return true;
  return choices.n == 0;
}

/* "a | b" of the choices, or the range. Pushes the text. */
static const char *push_allowed(lua_State *L, const entry_args *a) {
  if (!a->choices.n) return rl_push_range(L, a->min, a->max, false, "");
  luaL_Buffer text;
  luaL_buffinit(L, &text);
  for (size_t k = 0; k < a->choices.n; k++) {
    if (k) luaL_addstring(&text, " | ");
    luaL_addstring(&text, a->choices.at[k]);
  }
  luaL_pushresult(&text);
  return lua_tostring(L, -1);
}

/* Why the value at idx is not allowed, pushed; NULL if it is. */
static const char *push_objection(lua_State *L, int idx, const char *name, const entry_args *a) {
  if (lua_type(L, idx) == LUA_TNUMBER) {
    double v = lua_tonumber(L, idx);
    if (v >= a->min && v <= a->max) return NULL;
    const char *range = rl_push_range(L, a->min, a->max, false, a->unit);
    return lua_pushfstring(L, "%s = %s is out of range: %s", name, luaL_tolstring(L, idx, NULL),
                           range);
  }
  if (lua_type(L, idx) != LUA_TSTRING || among(lua_tostring(L, idx), a->choices)) return NULL;
  const char *near = ria_nearest(lua_tostring(L, idx), a->choices.at, a->choices.n);
  return lua_pushfstring(L,
                         near ? "%s = '%s' is not allowed: did you mean '%s'?"
                              : "%s = '%s' is not allowed: it is %s",
                         name, lua_tostring(L, idx), near ? near : push_allowed(L, a));
}

static const char *type_name(lua_State *L, int idx) {
  switch (lua_type(L, idx)) {
  case LUA_TNUMBER:
    return "number";
  case LUA_TBOOLEAN:
    return "yes/no";
  default:
    return "text";
  }
}

/* --- declaring -------------------------------------------------------------------------------- */

static void set_text(lua_State *L, int table, const char *key, int value) {
  luaL_tolstring(L, value, NULL);
  lua_setfield(L, table, key);
}

static void record(lua_State *L, const declaration *d, const char *name, int def, int value,
                   const entry_args *a) {
  lua_createtable(L, 0, 8);
  int r = lua_gettop(L);
  lua_pushstring(L, name);
  lua_setfield(L, r, "name");
  lua_pushstring(L, type_name(L, def));
  lua_setfield(L, r, "type");
  lua_pushstring(L, a->unit);
  lua_setfield(L, r, "unit");
  lua_pushstring(L, a->help);
  lua_setfield(L, r, "help");
  push_allowed(L, a);
  lua_setfield(L, r, "range");
  set_text(L, r, "def", def);
  set_text(L, r, "value", value);
  lua_rawseti(L, d->records, (lua_Integer)lua_rawlen(L, d->records) + 1);
}

/* Read the entry at idx: its default is pushed, what else it says goes into *a. */
static void read_entry(lua_State *L, int idx, const declaration *d, const rl_path *path,
                       entry_args *a) {
  *a = (entry_args){.factor = 1.0, .help = "", .unit = "", .min = -INFINITY, .max = INFINITY};
  if (lua_type(L, idx) != LUA_TTABLE) {
    lua_pushvalue(L, idx);
    return;
  }
  rl_read_table(L, idx, &rl_param_entry_info, &d->site, path, a);
  if (lua_rawgeti(L, idx, 2) == LUA_TSTRING) a->help = lua_tostring(L, -1);
  if (lua_rawgeti(L, idx, 1) == LUA_TNIL) lua_getfield(L, idx, "default");
  if (*a->unit && strcmp(a->unit, "1") != 0 &&
      !find_unit(rl_context(L), a->unit, &a->dim, &a->factor))
    rl_fail(L, &d->site, path, "%s: unit '%s' is not known", rl_push_path(L, path), a->unit);
}

static void declare_entry(lua_State *L, int idx, int result, const declaration *d,
                          const rl_path *path) {
  entry_args a;
  read_entry(L, idx, d, path, &a);
  int def = lua_gettop(L);
  const char *name = rl_push_path(L, path);
  int type = lua_type(L, def);
  if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN)
    rl_type_error(L, &d->site, path, def, "a default: a number, text, true or false");
  const char *objection = push_objection(L, def, name, &a);
  if (objection) rl_fail(L, &d->site, path, "the default of %s", objection);

  const char *text = find_override(d, name);
  if (text)
    push_override(L, name, text, def, &a);
  else
    lua_pushvalue(L, def);
  int value = lua_gettop(L);
  if (text && (objection = push_objection(L, value, name, &a)) != NULL)
    bad_override(L, "%s=%s: %s", name, text, objection);
  record(L, d, name, def, value, &a);
  if (a.factor != 1.0 && lua_type(L, value) == LUA_TNUMBER)
    lua_pushnumber(L, lua_tonumber(L, value) * a.factor);
  else
    lua_pushvalue(L, value);
  lua_setfield(L, result, path->key);
}

/* A table that has no default is a group of parameters. */
static bool is_group(lua_State *L, int idx) {
  if (lua_type(L, idx) != LUA_TTABLE) return false;
  bool entry = lua_rawgeti(L, idx, 1) != LUA_TNIL;
  lua_pushliteral(L, "default");
  entry = lua_rawget(L, idx) != LUA_TNIL || entry;
  lua_pop(L, 2);
  return !entry;
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of the table at idx in order; the array is pushed. */
static const char **push_sorted_names(lua_State *L, int idx, const declaration *d,
                                      const rl_path *path, size_t *n) {
  *n = 0;
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) ++*n;
  const char **names = rl_new_names(L, *n);
  const int array = lua_gettop(L);
  size_t k = 0;
  for (lua_pushnil(L); k < *n && lua_next(L, idx); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      rl_fail(L, &d->site, path, "a parameter needs a name: write name = default");
    lua_pushvalue(L, -2);
    rl_set_name(L, array, k++);
  }
  lua_settop(L, array);
  *n = k;
  qsort(names, *n, sizeof *names, compare_names);
  return names;
}

/* Make the table of values on top strict: a name that was not declared is an error, not nil. */
static void make_strict(lua_State *L) {
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, -2);
  lua_setfield(L, -2, "__index");
  rl_strict_index(L, "params", ".");
  lua_setmetatable(L, -2);
}

/* Declare everything in the table at idx; the table of values is pushed. */
static void declare_table(lua_State *L, int idx, const declaration *d, const rl_path *path) {
  luaL_checkstack(L, 40, "parameters nested too deeply");
  lua_newtable(L);
  int result = lua_gettop(L);
  size_t n;
  const char **names = push_sorted_names(L, idx, d, path, &n);
  for (size_t k = 0; k < n; k++) {
    rl_path entry = {.up = path, .key = names[k]};
    int top = lua_gettop(L);
    lua_pushstring(L, names[k]);
    lua_rawget(L, idx);
    if (is_group(L, top + 1)) {
      declare_table(L, top + 1, d, &entry);
      lua_setfield(L, result, names[k]);
    } else {
      declare_entry(L, top + 1, result, d, &entry);
    }
    lua_settop(L, top);
  }
  lua_settop(L, result);
  make_strict(L);
}

/* The names declared, for suggestions; the array is pushed. */
static rl_names declared_names(lua_State *L, int records) {
  size_t n = (size_t)lua_rawlen(L, records);
  const char **names = lua_newuserdatauv(L, (n + 1) * sizeof *names, 0);
  for (size_t k = 0; k < n; k++) {
    lua_rawgeti(L, records, (lua_Integer)k + 1);
    lua_getfield(L, -1, "name");
    names[k] = lua_tostring(L, -1);
    lua_pop(L, 2);
  }
  return (rl_names){names, n};
}

/* Of the command `ria run`, which takes them as --out DIR. */
static bool is_option(const char *name) {
  static const char *const option[] = {"out", "device", "threads", "parts", "until", "continue"};
  for (size_t k = 0; k < sizeof option / sizeof *option; k++)
    if (strcmp(name, option[k]) == 0) return true;
  return false;
}

static void check_unused(lua_State *L, const declaration *d) {
  for (size_t k = 0; k < d->n_overrides; k++) {
    if (d->used[k]) continue;
    const char *text = d->override[k];
    const char *name = lua_pushlstring(L, text, strcspn(text, "="));
    rl_names names = declared_names(L, d->records);
    const char *near = ria_nearest(name, names.at, names.n);
    if (near) bad_override(L, "unknown parameter '%s': did you mean '%s'?", name, near);
    if (is_option(name))
      bad_override(L, "unknown parameter '%s': did you mean the option --%s?", name, name);
    luaL_Buffer list;
    luaL_buffinit(L, &list);
    for (size_t i = 0; i < names.n; i++) {
      if (i) luaL_addstring(&list, ", ");
      luaL_addstring(&list, names.at[i]);
    }
    luaL_pushresult(&list);
    bad_override(L, "unknown parameter '%s': the script declares %s", name,
                 names.n ? lua_tostring(L, -1) : "none");
  }
}

static int module_params(lua_State *L) {
  rl_state *st = rl_state_of(L);
  declaration d = {.override = st->options.overrides, .n_overrides = st->options.n_overrides};
  rl_here(L, "ria.params", 1, &d.site);
  if (lua_type(L, 1) != LUA_TTABLE)
    rl_type_error(L, &d.site, &(rl_path){.key = "params"}, 1, "a table { name = default }");
  if (st->params_called)
    rl_fail(L, &d.site, NULL, "called twice: declare all parameters in one table");
  lua_settop(L, 1);
  d.used = lua_newuserdatauv(L, d.n_overrides + 1, 0);
  memset(d.used, 0, d.n_overrides + 1);
  lua_newtable(L);
  d.records = lua_gettop(L);
  declare_table(L, 1, &d, NULL);
  check_unused(L, &d);
  lua_pushvalue(L, d.records);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &declared_key);
  st->params_called = true;
  if (st->options.mode == RIA_LUA_PARAMS) {
    st->listed = true;
    rl_raise(L, RIA_INTERRUPTED, "the parameters are listed");
  }
  return 1;
}

void rl_check_overrides(lua_State *L) {
  const char *unused = ria_lua_unused_override(L);
  if (unused)
    bad_override(L, "'%s' was given, but the script declares no parameters (ria.params)", unused);
}

static const char *record_text(lua_State *L, const char *key) {
  lua_getfield(L, -1, key);
  const char *text = lua_tostring(L, -1); /* the record keeps it alive */
  lua_pop(L, 1);
  return text ? text : "";
}

bool ria_lua_param_at(lua_State *L, size_t i, ria_lua_param *out) {
  bool found = false;
  int top = lua_gettop(L);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &declared_key) == LUA_TTABLE &&
      lua_rawgeti(L, -1, (lua_Integer)i + 1) == LUA_TTABLE) {
    *out = (ria_lua_param){.name = record_text(L, "name"),
                           .type = record_text(L, "type"),
                           .unit = record_text(L, "unit"),
                           .help = record_text(L, "help"),
                           .def = record_text(L, "def"),
                           .value = record_text(L, "value"),
                           .range = record_text(L, "range")};
    found = true;
  }
  lua_settop(L, top);
  return found;
}

/* --- for run.json ----------------------------------------------------------------------------- */

static void add_json_text(luaL_Buffer *b, const char *text) {
  luaL_addchar(b, '"');
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    char escape[8];
    if (c == '"' || c == '\\')
      snprintf(escape, sizeof escape, "\\%c", c);
    else if (c < 0x20)
      snprintf(escape, sizeof escape, "\\u%04x", c);
    else
      snprintf(escape, sizeof escape, "%c", c);
    luaL_addstring(b, escape);
  }
  luaL_addchar(b, '"');
}

const char *rl_push_provenance(lua_State *L) {
  const char *host = rl_state_of(L)->options.provenance;
  ria_lua_param p;
  size_t n = host ? strlen(host) : 0;
  while (n && host[n - 1] != '}') n--;
  if (!n && !ria_lua_param_at(L, 0, &p)) return lua_pushliteral(L, "");
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  if (n)
    luaL_addlstring(&b, host, n - 1);
  else
    luaL_addchar(&b, '{');
  luaL_addstring(&b, n > 2 ? ", \"parameters\": {" : "\"parameters\": {");
  for (size_t k = 0; ria_lua_param_at(L, k, &p); k++) {
    if (k) luaL_addstring(&b, ", ");
    add_json_text(&b, p.name);
    luaL_addstring(&b, ": ");
    add_json_text(&b, p.value);
  }
  luaL_addstring(&b, "}}");
  luaL_pushresult(&b);
  return lua_tostring(L, -1);
}

const luaL_Reg rl_param_functions[] = {{"params", module_params}, {NULL, NULL}};
