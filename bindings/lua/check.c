/* check.c - the strict reader: tables, values, quantities; errors that say what, where and what is
 * allowed.
 *
 * Everything here may raise a Lua error (a longjmp), so nothing here holds a C resource: text and
 * scratch memory belong to Lua, structs to the caller's stack. Callers in turn read all they were
 * given before they make anything. */
#include "binding.h"
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- errors at the user's line ---------------------------------------------------------------- */

void rl_here(lua_State *L, const char *fn, int arg, rl_site *site) {
  *site = (rl_site){.fn = fn, .arg = arg};
  lua_Debug ar;
  rl_state *st = rl_state_of(L);
  if (st && st->call && !st->call->fn) st->call->fn = fn;
  /* level 0 is our own function; above it the first with a line is the user's (C has none) */
  for (int level = 1; lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "Sl", &ar);
    if (ar.currentline <= 0) continue;
    site->line = ar.currentline;
    site->source = ar.source;
    site->source_len = ar.srclen;
    memcpy(site->chunk, ar.short_src, sizeof site->chunk);
    return;
  }
}

/* Keep the status behind a message, so that a host can tell what kind of failure it was. */
static void note_status(lua_State *L, ria_status status) {
  rl_state *st = rl_state_of(L);
  if (!st) return;
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, rl_last_message_key());
  st->last_status = status;
}

void rl_raise(lua_State *L, ria_status status, const char *message) {
  lua_pushstring(L, message);
  note_status(L, status);
  lua_error(L);
  abort(); /* not reached: lua_error does not return */
}

static _Noreturn void raise_at(lua_State *L, ria_status status, const rl_site *site,
                               const rl_path *path, const char *message) {
  int line = rl_find_line(site, path);
  if (line > 0)
    lua_pushfstring(L, "%s:%d: %s: %s", site->chunk, line, site->fn, message);
  else
    lua_pushfstring(L, "%s: %s", site->fn, message);
  note_status(L, status);
  lua_error(L);
  abort(); /* not reached: lua_error does not return */
}

void rl_fail(lua_State *L, const rl_site *site, const rl_path *path, const char *fmt, ...) {
  char message[1024];
  va_list args;
  va_start(args, fmt);
  vsnprintf(message, sizeof message, fmt, args);
  va_end(args);
  raise_at(L, RIA_ERR_ARGUMENT, site, path, message);
}

/* The value, no text, that the script's function threw. */
static _Noreturn void throw_on(lua_State *L) {
  rl_state *st = rl_state_of(L);
  st->thrown = false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, rl_thrown_key());
  lua_pushboolean(L, false);
  lua_rawsetp(L, LUA_REGISTRYINDEX, rl_thrown_key());
  note_status(L, RIA_ERR_CALLBACK);
  lua_error(L);
  abort(); /* not reached: lua_error does not return */
}

void rl_try(lua_State *L, const rl_site *site, const rl_path *path, ria_status status) {
  if (status == RIA_OK) return;
  const char *message = ria_error(rl_context(L));
  if (status == RIA_ERR_CALLBACK && rl_state_of(L)->thrown) throw_on(L);
  if (status == RIA_ERR_CALLBACK) rl_raise(L, status, message); /* it says where by itself */
  raise_at(L, status, site, path, *message ? message : ria_status_name(status));
}

const char *rl_push_path(lua_State *L, const rl_path *path) {
  if (!path) return lua_pushliteral(L, "");
  const char *up = rl_push_path(L, path->up);
  if (path->key)
    lua_pushfstring(L, *up ? "%s.%s" : "%s%s", up, path->key);
  else
    lua_pushfstring(L, "%s[%I]", up, path->index);
  lua_remove(L, -2);
  return lua_tostring(L, -1);
}

const char *rl_not_finite(double value) {
  return isnan(value) ? "nan" : value > 0.0 ? "inf" : "-inf";
}

const char **rl_new_names(lua_State *L, size_t n) {
  const char **names = lua_newuserdatauv(L, (n + 1) * sizeof *names, 1);
  memset(names, 0, (n + 1) * sizeof *names);
  lua_createtable(L, (int)n, 0);
  lua_setiuservalue(L, -2, 1);
  return names;
}

void rl_set_name(lua_State *L, int idx, size_t k) {
  const char **names = lua_touserdata(L, idx);
  lua_getiuservalue(L, idx, 1);
  names[k] = lua_tostring(L, -2);
  lua_insert(L, -2);
  lua_rawseti(L, -2, (lua_Integer)k + 1);
  lua_pop(L, 1);
}

const char *rl_push_range(lua_State *L, double min, double max, bool above, const char *unit) {
  char text[160] = "";
  bool low = isfinite(min), high = isfinite(max);
  const char *gap = unit && *unit ? " " : "";
  if (!unit) unit = "";
  if (min == max || (!low && !high))
    ;
  else if (low && high)
    snprintf(text, sizeof text, "%g%s .. %g%s%s", min, above ? " (not itself)" : "", max, gap,
             unit);
  else if (low)
    snprintf(text, sizeof text, "%s %g%s%s", above ? ">" : ">=", min, gap, unit);
  else
    snprintf(text, sizeof text, "<= %g%s%s", max, gap, unit);
  return lua_pushstring(L, text);
}

const char *rl_push_shown(lua_State *L, int idx) {
  char text[80];
  switch (lua_type(L, idx)) {
  case LUA_TNUMBER:
    if (lua_isinteger(L, idx)) return lua_pushfstring(L, "%I", lua_tointeger(L, idx));
    if (!isfinite(lua_tonumber(L, idx)))
      return lua_pushstring(L, rl_not_finite(lua_tonumber(L, idx)));
    snprintf(text, sizeof text, "%.9g", lua_tonumber(L, idx));
    return lua_pushstring(L, text);
  case LUA_TSTRING:
    snprintf(text, sizeof text, "'%.60s'", lua_tostring(L, idx));
    return lua_pushstring(L, text);
  case LUA_TBOOLEAN:
    return lua_pushstring(L, lua_toboolean(L, idx) ? "true" : "false");
  case LUA_TNIL:
  case LUA_TNONE:
    return lua_pushliteral(L, "nil");
  default:
    if (luaL_getmetafield(L, idx, "__name") == LUA_TSTRING)
      return lua_pushfstring(L, "a %s", lua_tostring(L, -1));
    return lua_pushfstring(L, "a %s", luaL_typename(L, idx));
  }
}

void rl_type_error(lua_State *L, const rl_site *site, const rl_path *path, int idx,
                   const char *expected) {
  idx = lua_absindex(L, idx);
  const char *shown = rl_push_shown(L, idx);
  if (!path) rl_fail(L, site, path, "expected %s, not %s", expected, shown);
  rl_fail(L, site, path, "%s = %s: expected %s", rl_push_path(L, path), shown, expected);
}

void rl_unknown(lua_State *L, const rl_site *site, const rl_path *path, const char *what,
                const char *word, const char *const *names, size_t n) {
  const char *near = ria_nearest(word, names, n);
  if (near) rl_fail(L, site, path, "unknown %s '%s': did you mean '%s'?", what, word, near);
  luaL_Buffer list;
  luaL_buffinit(L, &list);
  for (size_t k = 0, shown = 0; k < n; k++) {
    if (!names[k]) continue;
    if (shown++) luaL_addstring(&list, ", ");
    luaL_addstring(&list, names[k]);
  }
  luaL_pushresult(&list);
  rl_fail(L, site, path, "unknown %s '%s': one of %s", what, word, lua_tostring(L, -1));
}

void rl_check_name(lua_State *L, const char *word, rl_names known, const char *what,
                   const rl_site *site, const rl_path *path) {
  for (size_t k = 0; k < known.n; k++)
    if (strcmp(known.at[k], word) == 0) return;
  if (!known.n) rl_fail(L, site, path, "unknown %s '%s': there is none", what, word);
  rl_unknown(L, site, path, what, word, known.at, known.n);
}

const char *rl_entry_name(lua_State *L, const rl_site *site, const rl_path *table,
                          const char *form) {
  if (lua_type(L, -2) != LUA_TSTRING)
    rl_fail(L, site, table, "%s: an entry without a name: write %s", rl_push_path(L, table), form);
  return lua_tostring(L, -2);
}

/* --- single values ---------------------------------------------------------------------------- */

const char *rl_key_unit(const rl_key *key) {
  static const char *const of_any[] = {[RIA_CONCENTRATION] = "the tracer's unit",
                                       [RIA_AMOUNT] = "kg, cfu, K m^3 ...",
                                       [RIA_AMOUNT_RATE] = "kg/s, cfu/s, K m^3/s ..."};
  if (key->measure == RIA_OF_DIM) return ria_dim_unit((ria_dim)key->dim);
  if (!key->unit) return of_any[key->measure];
  return key->measure == RIA_CONCENTRATION ? key->unit->name : key->unit->amount;
}

static ria_status parse(ria_context *ctx, const rl_key *key, const char *text, double *out) {
  if (key->flags & (RL_LON | RL_LAT)) return ria_parse_degrees(ctx, text, key->flags & RL_LAT, out);
  if (key->measure == RIA_OF_DIM) return ria_parse_quantity(ctx, text, (ria_dim)key->dim, out);
  return ria_unit_parse(ctx, key->unit, key->measure, text, out);
}

static void check_range(lua_State *L, const rl_key *key, double value, const rl_site *site,
                        const rl_path *path) {
  bool above = key->flags & RL_ABOVE_MIN;
  if (!isfinite(value))
    rl_fail(L, site, path, "%s = %s is not a finite number", rl_push_path(L, path),
            rl_not_finite(value));
  if (key->min == key->max) return;
  if (value >= key->min && value <= key->max && !(above && value == key->min)) return;
  const char *range = rl_push_range(L, key->min, key->max, above, rl_key_unit(key));
  if (key->dim == RIA_DIM_MANNING && value >= 5.0)
    rl_fail(L, site, path,
            "%s = %g is out of range: %s; if %g m^(1/3)/s is Strickler's coefficient, write 1/%g",
            rl_push_path(L, path), value, range, value, value);
  rl_fail(L, site, path, "%s = %g is out of range: %s", rl_push_path(L, path), value, range);
}

static double read_number(lua_State *L, int idx, const rl_key *key, const rl_site *site,
                          const rl_path *path) {
  double value = 0.0;
  if (lua_type(L, idx) == LUA_TNUMBER) {
    value = lua_tonumber(L, idx);
  } else if (key->flags & RL_DATE && rl_is_date(L, idx)) {
    value = rl_read_date(L, idx, key, site, path);
  } else if (lua_type(L, idx) == LUA_TSTRING) {
    ria_context *ctx = rl_context(L);
    if (parse(ctx, key, lua_tostring(L, idx), &value) != RIA_OK)
      rl_fail(L, site, path, "%s: %s", rl_push_path(L, path), ria_error(ctx));
  } else {
    const char *unit = rl_key_unit(key);
    if (lua_isnone(L, idx)) lua_settop(L, idx); /* the text would come to stand there */
    rl_type_error(L, site, path, idx,
                  *unit ? lua_pushfstring(L, "a number (%s) or text with a unit", unit)
                        : "a number");
  }
  check_range(L, key, value, site, path);
  return value;
}

static int read_int(lua_State *L, int idx, const rl_key *key, const rl_site *site,
                    const rl_path *path) {
  int whole = 0;
  lua_Integer value = lua_type(L, idx) == LUA_TNUMBER ? lua_tointegerx(L, idx, &whole) : 0;
  if (!whole) rl_type_error(L, site, path, idx, "a whole number");
  check_range(L, key, (double)value, site, path);
  if (value < INT32_MIN || value > INT32_MAX) rl_type_error(L, site, path, idx, "a smaller number");
  return (int)value;
}

static int read_choice(lua_State *L, int idx, const rl_key *key, const rl_site *site,
                       const rl_path *path) {
  if (lua_type(L, idx) != LUA_TSTRING) rl_type_error(L, site, path, idx, "text");
  const char *word = lua_tostring(L, idx);
  size_t n = 0;
  for (; key->choices[n]; n++)
    if (strcmp(key->choices[n], word) == 0) return (int)n;
  rl_unknown(L, site, path, key->name, word, key->choices, n);
}

/* A text that has a form of its own shows it. */
static void fail_text(lua_State *L, int idx, const rl_key *key, const rl_site *site,
                      const rl_path *path) {
  const bool shows = key->doc && strchr(key->doc, '"');
  idx = lua_absindex(L, idx);
  rl_type_error(L, site, path, idx, shows ? lua_pushfstring(L, "text (%s)", key->doc) : "text");
}

/* A value that is the name of a file. */
static void check_no_file(lua_State *L, int idx, const rl_site *site, const rl_path *path) {
  static const char *const ends[] = {".csv", ".csv.gz", ".txt", ".dat", ".bca"};
  size_t length = 0;
  const char *text = lua_type(L, idx) == LUA_TSTRING ? lua_tolstring(L, idx, &length) : "";
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    const size_t n = strlen(ends[k]);
    if (length > n && strcmp(text + length - n, ends[k]) == 0)
      rl_fail(L, site, path, "%s = '%s' names a file: read it by %s \"%s\"", rl_push_path(L, path),
              text, strcmp(ends[k], ".bca") == 0 ? "ria.tide" : "ria.series", text);
  }
}

static ria_value read_value(lua_State *L, int idx, const rl_key *key, const rl_site *site,
                            const rl_path *path) {
  const ria_series *series = rl_to_series(L, idx, key, site, path);
  if (series) return (ria_value){.series = series};
  int type = lua_type(L, idx);
  if (type != LUA_TNUMBER && type != LUA_TSTRING)
    rl_type_error(L, site, path, idx,
                  "a number, text with a unit, a ria.series, a ria.tide or a table of {t, value}");
  check_no_file(L, idx, site, path);
  return (ria_value){.constant = read_number(L, idx, key, site, path)};
}

static void read_pair(lua_State *L, int idx, const rl_key *key, const rl_site *site,
                      const rl_path *path, double out[2]) {
  if (lua_type(L, idx) != LUA_TTABLE || lua_rawlen(L, idx) != 2)
    rl_type_error(L, site, path, idx, "a pair such as {1, 2}");
  for (int k = 0; k < 2; k++) {
    rl_path item = {.up = path, .index = k + 1};
    lua_rawgeti(L, idx, k + 1);
    out[k] = read_number(L, -1, key, site, &item);
    lua_pop(L, 1);
  }
}

/* The array stays on the stack. */
static rl_names read_names(lua_State *L, int idx, const rl_site *site, const rl_path *path) {
  bool one = lua_type(L, idx) == LUA_TSTRING;
  if (!one && lua_type(L, idx) != LUA_TTABLE) rl_type_error(L, site, path, idx, "a list of names");
  size_t n = one ? 1 : (size_t)lua_rawlen(L, idx);
  const char **names = rl_new_names(L, n);
  int array = lua_gettop(L);
  if (one) {
    lua_pushvalue(L, idx);
    rl_set_name(L, array, 0);
  }
  for (size_t k = 0; k < n && !one; k++) {
    rl_path item = {.up = path, .index = (lua_Integer)k + 1};
    lua_rawgeti(L, idx, (lua_Integer)k + 1);
    if (lua_type(L, -1) != LUA_TSTRING) rl_type_error(L, site, &item, -1, "a name");
    rl_set_name(L, array, k);
  }
  return (rl_names){names, n};
}

void rl_read(lua_State *L, int idx, const rl_key *key, const rl_site *site, const rl_path *path,
             void *out) {
  idx = lua_absindex(L, idx);
  int type = lua_type(L, idx);
  switch (key->type) {
  case RL_ANY:
    break;
  case RL_BOOL:
    if (type != LUA_TBOOLEAN) rl_type_error(L, site, path, idx, "true or false");
    *(bool *)out = lua_toboolean(L, idx);
    break;
  case RL_INT:
    *(int *)out = read_int(L, idx, key, site, path);
    break;
  case RL_NUMBER:
    *(double *)out = read_number(L, idx, key, site, path);
    break;
  case RL_STRING:
    if (type != LUA_TSTRING) fail_text(L, idx, key, site, path);
    if (strlen(lua_tostring(L, idx)) != lua_rawlen(L, idx))
      rl_fail(L, site, path, "%s has a zero byte, behind '%s'", rl_push_path(L, path),
              lua_tostring(L, idx));
    *(const char **)out = lua_tostring(L, idx);
    break;
  case RL_CHOICE:
    *(int *)out = read_choice(L, idx, key, site, path);
    break;
  case RL_VALUE:
    *(ria_value *)out = read_value(L, idx, key, site, path);
    break;
  case RL_PAIR:
    read_pair(L, idx, key, site, path, out);
    break;
  case RL_NAMES:
    *(rl_names *)out = read_names(L, idx, site, path);
    break;
  case RL_TABLE:
    if (type != LUA_TTABLE) rl_type_error(L, site, path, idx, "a table");
    break;
  }
}

/* --- tables ----------------------------------------------------------------------------------- */

static size_t key_count(const rl_key *keys) {
  size_t n = 0;
  while (keys[n].name) n++;
  return n;
}

static const rl_key *find_key(const rl_key *keys, const char *name) {
  for (; keys->name; keys++)
    if (strcmp(keys->name, name) == 0) return keys;
  return NULL;
}

static _Noreturn void unknown_key(lua_State *L, const rl_table_info *info, const rl_site *site,
                                  const rl_path *path) {
  enum { MAX_KEYS = 64 };
  const char *names[MAX_KEYS], *place = info->belongs ? info->belongs(path->key) : NULL;
  size_t n = key_count(info->keys);
  for (size_t k = 0; k < n && k < MAX_KEYS; k++) names[k] = info->keys[k].name;
  if (place)
    rl_fail(L, site, path, "unknown key '%s': it goes into %s: %s = { %s = ... }",
            rl_push_path(L, path), place, place, path->key);
  /* the word compared is the last part, the word shown is the whole path */
  const char *near = ria_nearest(path->key, names, n);
  const char *whole = rl_push_path(L, path);
  if (near) rl_fail(L, site, path, "unknown key '%s': did you mean '%s'?", whole, near);
  rl_unknown(L, site, path, "key", whole, names, n);
}

/* Every key of the table is one we know; its list part is there only if it may be. */
static void check_keys(lua_State *L, int idx, const rl_table_info *info, const rl_site *site,
                       const rl_path *path) {
  lua_Integer length = (lua_Integer)lua_rawlen(L, idx);
  for (lua_pushnil(L); lua_next(L, idx); lua_pop(L, 1)) {
    rl_path entry = {.up = path};
    if (lua_type(L, -2) == LUA_TSTRING) {
      entry.key = lua_tostring(L, -2);
      if (!find_key(info->keys, entry.key)) unknown_key(L, info, site, &entry);
    } else if (!lua_isinteger(L, -2)) {
      rl_fail(L, site, path, "a key of type %s: keys are names", luaL_typename(L, -2));
    } else {
      entry.index = lua_tointeger(L, -2);
      if (!info->list)
        rl_fail(L, site, &entry, "item %s has no name: write key = value", rl_push_path(L, &entry));
      if (entry.index < 1 || entry.index > length)
        rl_fail(L, site, &entry, "item %s lies beyond a gap in the list", rl_push_path(L, &entry));
    }
  }
}

uint64_t rl_read_table(lua_State *L, int idx, const rl_table_info *info, const rl_site *site,
                       const rl_path *path, void *out) {
  uint64_t given = 0;
  idx = lua_absindex(L, idx);
  if (lua_type(L, idx) != LUA_TTABLE) rl_type_error(L, site, path, idx, "a table { key = value }");
  luaL_checkstack(L, 160, "too many keys");
  check_keys(L, idx, info, site, path);
  for (size_t k = 0; info->keys[k].name; k++) {
    const rl_key *key = &info->keys[k];
    rl_path entry = {.up = path, .key = key->name};
    lua_pushstring(L, key->name);
    if (lua_rawget(L, idx) != LUA_TNIL) {
      given |= UINT64_C(1) << k;
      rl_read(L, -1, key, site, &entry, (char *)out + key->offset);
    } else if (key->flags & RL_REQUIRED) {
      rl_fail(L, site, path, "missing key '%s': %s", rl_push_path(L, &entry), key->doc);
    }
  }
  if (info->list && info->list->type == RL_NAMES) {
    lua_pushvalue(L, idx);
    rl_read(L, -1, info->list, site, path, (char *)out + info->list->offset);
  }
  return given;
}

double rl_quantity(lua_State *L, int idx, ria_dim dim, const rl_site *site, const char *name) {
  rl_key key = {.name = name, .type = RL_NUMBER, .dim = dim};
  rl_path path = {.key = name};
  double value = 0.0;
  rl_read(L, idx, &key, site, &path, &value);
  return value;
}

const char *rl_string(lua_State *L, int idx, const rl_site *site, const char *name) {
  rl_key key = {.name = name, .type = RL_STRING};
  rl_path path = {.key = name};
  const char *text = NULL;
  rl_read(L, idx, &key, site, &path, &text);
  return text;
}
