/* changed.c - what a run was made of: the script's text, the modules that it had loaded, its
 * parameters and its title. They go into each checkpoint as notes, so that what was changed is
 * named before the engine comes to where it shows. */
#include "limited.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char script_key; /* in the registry: the script's text */

/* Names of the notes in a checkpoint. */
#define SCRIPT_NOTE "script"
#define MODULES_NOTE "modules"
#define PARAMS_NOTE "parameters"
#define TITLE_NOTE "title"

/* --- what a run was made of ------------------------------------------------------------------- */

/* A pipe or a terminal is read once, by Lua. */
static FILE *open_script(const char *path, size_t *size) {
  struct stat info;
  FILE *f = path && stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "rb") : NULL;
  *size = f ? (size_t)info.st_size : 0;
  return f;
}

void rl_keep_script(lua_State *L, const rl_state *st) {
  size_t size;
  struct stat info;
  if (!st->options.script || stat(st->options.script, &info) != 0) return;
  char *text = lua_newuserdatauv(L, (size_t)info.st_size + 1, 0);
  FILE *f = open_script(st->options.script, &size); /* nothing raises while it is open */
  if (size > (size_t)info.st_size) size = (size_t)info.st_size;
  const size_t n = f ? fread(text, 1, size, f) : 0;
  if (f) fclose(f);
  lua_pushlstring(L, text, n);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &script_key);
  lua_pop(L, 1);
}

static const char *push_script(lua_State *L, size_t *n) {
  *n = 0;
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &script_key) != LUA_TSTRING) return "";
  return lua_tolstring(L, -1, n);
}

/* A number in its shortest form: 900, 900.0 and "0.9 km" are one value. */
static void add_value(luaL_Buffer *b, const char *value) {
  char text[40], *end;
  const double v = strtod(value, &end);
  const bool number = end != value && !*end;
  if (number) snprintf(text, sizeof text, "%.15g", v);
  if (number && strtod(text, NULL) != v) snprintf(text, sizeof text, "%.17g", v);
  luaL_addstring(b, number ? text : value);
}

/* "name = value" a line, in order of name. */
static const char *push_params(lua_State *L) {
  luaL_Buffer b;
  ria_lua_param p;
  luaL_buffinit(L, &b);
  for (size_t k = 0; ria_lua_param_at(L, k, &p); k++) {
    luaL_addstring(&b, p.name);
    luaL_addstring(&b, " = ");
    add_value(&b, p.value);
    luaL_addchar(&b, '\n');
  }
  luaL_pushresult(&b);
  return lua_tostring(L, -1);
}

/* --- modules ---------------------------------------------------------------------------------- */

/* Those that a file of the user's may be: the engine's own come with it. */
static bool is_users(const char *name) {
  static const char *const others[] = {"_G",      "coroutine", "debug",  "io",    "math", "os",
                                       "package", "ria",       "string", "table", "utf8"};
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    if (strcmp(name, others[k]) == 0) return false;
  return strncmp(name, "ria.", 4) != 0;
}

/* The file that `require` finds for the name, pushed; false if it finds none. */
static bool push_module_path(lua_State *L, const char *name) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  if (lua_getfield(L, -1, "package") != LUA_TTABLE) return false;
  lua_getfield(L, -1, "searchpath");
  lua_pushstring(L, name);
  lua_getfield(L, -3, "path");
  return lua_pcall(L, 2, 1, 0) == LUA_OK && lua_type(L, -1) == LUA_TSTRING;
}

/* "name = sum of its text", a line, to the end of the text at the top; of a module without a text
 * nothing. */
static void add_module(lua_State *L, const char *name) {
  enum { MOST = 16 << 20 };
  ria_context *ctx = rl_context(L);
  const int so_far = lua_gettop(L);
  char *text = NULL, line[48];
  size_t n = 0;
  uint64_t sum = 0xcbf29ce484222325u; /* FNV-1a */
  const bool found =
      rl_state_of(L)->options.limited ? rl_limit_module(L, name) : push_module_path(L, name);
  const bool read = found && ria_limit_read(ctx, lua_tostring(L, -1), MOST, &text, &n) == RIA_OK;
  ria_error_clear(ctx);
  for (size_t k = 0; k < n; k++) sum = (sum ^ (unsigned char)text[k]) * 0x100000001b3u;
  free(text);
  lua_settop(L, so_far);
  if (!read) return;
  snprintf(line, sizeof line, " = %016llx\n", (unsigned long long)sum);
  lua_pushfstring(L, "%s%s%s", lua_tostring(L, so_far), name, line);
  lua_replace(L, so_far);
}

/* The least name behind `after` of those that are loaded; NULL: there is none. */
static const char *next_module(lua_State *L, int loaded, const char *after) {
  const char *least = NULL;
  for (lua_pushnil(L); lua_next(L, loaded); lua_pop(L, 1)) {
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    if (strcmp(name, after) > 0 && is_users(name) && (!least || strcmp(name, least) < 0))
      least = name;
  }
  return least;
}

static const char *push_modules(lua_State *L) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  const int loaded = lua_gettop(L);
  lua_pushliteral(L, "");
  const char *name = "";
  while ((name = next_module(L, loaded, name)) != NULL) add_module(L, name);
  return lua_tostring(L, -1);
}

/* --- what differs ----------------------------------------------------------------------------- */

typedef struct line {
  const char *at;
  int n;
} line;

static line line_at(const char *text) { return (line){text, (int)strcspn(text, "\n")}; }

static bool same_line(line a, line b) { return a.n == b.n && memcmp(a.at, b.at, (size_t)a.n) == 0; }

/* The rest of both texts from the first line on that differs; its number. */
static int skip_same(const char **was, const char **is) {
  int number = 1;
  for (; **was || **is; number++) {
    const line a = line_at(*was), b = line_at(*is);
    if (!same_line(a, b) || !a.at[a.n] != !b.at[b.n]) break;
    *was += a.n + (a.at[a.n] != 0);
    *is += b.n + (b.at[b.n] != 0);
  }
  return number;
}

/* The first of its bytes that differs from the other line's; from a little before that on it is
 * shown. */
static void show_line(const char *text, const char *other, char *out, size_t size) {
  enum { BEFORE = 16 };
  const line a = line_at(text), b = line_at(other);
  int from = 0;
  while (from < a.n && from < b.n && a.at[from] == b.at[from]) from++;
  const int blanks = (int)strspn(text, " ");
  from = from - BEFORE > blanks ? from - BEFORE : blanks;
  while (from > blanks && (text[from] & 0xc0) == 0x80) from--; /* inside a character */
  const int room = (int)size - 7, n = a.n - from;
  int shown = n <= room ? n : room;
  while (shown > 0 && shown < n && (text[from + shown] & 0xc0) == 0x80) shown--;
  snprintf(out, size, "%s%.*s%s", from > blanks ? "..." : "", shown > 0 ? shown : 0, text + from,
           n > room ? "..." : "");
}

static const char *push_script_change(lua_State *L, const rl_sim *s) {
  size_t n, n_was = 0;
  const char *is = push_script(L, &n), *was = ria_sim_noted(s->sim, SCRIPT_NOTE, &n_was);
  if (!was || (n == n_was && memcmp(is, was, n) == 0)) return NULL;
  char then[60], now[60];
  const int number = skip_same(&was, &is);
  show_line(was, is, then, sizeof then);
  show_line(is, was, now, sizeof now);
  return lua_pushfstring(L, "the script was changed: its line %d was '%s' and is '%s'", number,
                         then, now);
}

static const char *push_param_change(lua_State *L, const rl_sim *s) {
  const char *is = push_params(L), *was = ria_sim_noted(s->sim, PARAMS_NOTE, NULL);
  if (!was || strcmp(was, is) == 0) return NULL;
  char then[80], now[80];
  skip_same(&was, &is);
  snprintf(then, sizeof then, "%.*s", line_at(was).n, was);
  snprintf(now, sizeof now, "%.*s", line_at(is).n, is);
  return lua_pushfstring(L, "another parameter was given: %s then, %s now", *then ? then : "none",
                         *now ? now : "none");
}

/* Its first word: a line is "name = sum". */
static const char *push_module_change(lua_State *L, const rl_sim *s) {
  const char *is = push_modules(L), *was = ria_sim_noted(s->sim, MODULES_NOTE, NULL);
  if (!was || strcmp(was, is) == 0) return NULL;
  skip_same(&was, &is);
  const bool before = *is && (!*was || strncmp(is, was, strcspn(is, " ") + 1) < 0);
  const char *line = *was && !before ? was : is;
  lua_pushlstring(L, line, strcspn(line, " "));
  const char *name = lua_tostring(L, -1);
  const bool both =
      *was && *is && strcspn(is, " ") == strlen(name) && strncmp(was, is, strlen(name) + 1) == 0;
  return lua_pushfstring(L, "the module '%s', which it requires, %s", name,
                         both          ? "was changed"
                         : line == was ? "is not loaded now"
                                       : "was not loaded then");
}

/* A script that gives none has its file's name, and results show it. */
static const char *push_title_change(lua_State *L, const rl_sim *s, const char *title) {
  const char *was = ria_sim_noted(s->sim, TITLE_NOTE, NULL);
  if (!was || strcmp(was, title) == 0) return NULL;
  return lua_pushfstring(L,
                         "its title (the script's name, where it gives none) was '%s' and is "
                         "'%s'",
                         was, title);
}

const char *rl_push_change(lua_State *L, const rl_sim *s, const char *title) {
  const char *change = push_script_change(L, s);
  if (!change) change = push_module_change(L, s);
  if (!change) change = push_param_change(L, s);
  if (!change) change = rl_push_other_changes(L, s);
  return change ? change : push_title_change(L, s, title);
}

void rl_note_made(lua_State *L, const rl_sim *s, const char *title, const rl_site *site) {
  size_t n;
  const char *script = push_script(L, &n), *modules = push_modules(L), *params = push_params(L);
  rl_try(L, site, NULL, ria_sim_note(s->sim, SCRIPT_NOTE, script, n));
  rl_try(L, site, NULL, ria_sim_note(s->sim, MODULES_NOTE, modules, strlen(modules)));
  rl_try(L, site, NULL, ria_sim_note(s->sim, PARAMS_NOTE, params, strlen(params)));
  rl_try(L, site, NULL, ria_sim_note(s->sim, TITLE_NOTE, title, strlen(title)));
}
