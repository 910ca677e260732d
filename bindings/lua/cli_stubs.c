/* cli_stubs.c - ria help --stubs: ria.d.lua for editors with the Lua language server.
 *
 * Classes are (exact), so that a key the engine would refuse is underlined where it is assigned; in
 * a table the server shows those that there are, and lets others pass. All of it comes from the
 * tables of the reader and of the solvers. */
#include "binding.h"
#include "cli.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char *lua_type_of(const rl_key *key) {
  switch (key->type) {
  case RL_BOOL:
    return "boolean";
  case RL_INT:
    return "integer";
  case RL_NUMBER:
    return key->dim || key->measure ? "number|string" : "number";
  case RL_STRING:
    return "string";
  case RL_VALUE:
    return "number|string|ria.Series|number[][]";
  case RL_PAIR:
    return "(number|string)[]";
  case RL_NAMES:
    return "string|string[]";
  case RL_TABLE:
    return "table";
  default:
    return "any";
  }
}

/* --- what the reader looks at by itself: its shape in help, and its type here ------------------
 */

static const struct shape {
  const char *word, *type; /* the beginning of a word of a shape */
} shapes[] = {{"{lo, hi}", "number[]"},
              {"{", "table"},
              {"\"", "string"},
              {"number", "number|string"},
              {"degrees", "number"},
              {"date", "string"},
              {"time", "number|string"},
              {"text", "string"},
              {"path", "string"},
              {"attribute", "string"},
              {"true", "boolean"},
              {"false", "boolean"},
              {"series", "ria.Series|number[][]"},
              {"shapes", "ria.Shapes"},
              {"field", "ria.Field"},
              {"ria.Field", "ria.Field"},
              {"ria.nest", "ria.Description"},
              {"function(feature)", "fun(feature: table): any"},
              {"function(x, y)", "fun(x: number, y: number): number"}};

static const char *word_type(const char *word) {
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
    if (strncmp(shapes[k].word, word, strlen(shapes[k].word)) == 0) return shapes[k].type;
  return NULL;
}

/* How long the first of "a | b" is; bars in braces are none of these. */
static size_t alternative(const char *shape) {
  int depth = 0;
  size_t n = 0;
  for (; shape[n] && !(depth == 0 && shape[n] == '|'); n++)
    depth += (shape[n] == '{') - (shape[n] == '}');
  return n;
}

/* "number|string|ria.Field" of "number | text | field"; each once. "any" if a word is not known. */
static void print_shape(FILE *to, const char *shape) {
  char types[256] = "";
  for (const char *s = shape; s && *s; s += strspn(s, " |")) {
    const char *type = word_type(s);
    const size_t n = strlen(types);
    if (!type) types[0] = '\0';
    if (!type) break;
    if (!strstr(types, type)) snprintf(types + n, sizeof types - n, "%s%s", n ? "|" : "", type);
    s += alternative(s);
  }
  fputs(*types ? types : "any", to);
}

/* Of these the shape does not tell enough. */
static const struct special {
  const rl_table_info *table;
  const char *key, *type;
} specials[] = {
    {&rl_sim_info, "grid", "ria.sim.grid.Keys|ria.Field"},
    {&rl_sim_info, "bed", "ria.Values"},
    {&rl_sim_info, "tracers", "table<string, ria.sim.tracer.Keys>|(string|ria.sim.tracer.Keys)[]"},
    {&rl_sim_info, "init", "table<string, ria.Values>"},
    {&rl_sim_info, "boundary", "table<string, string|ria.Series|ria.Description|ria.Boundary>"},
    {&rl_sim_info, "from", "string|ria.sim.from.Keys"},
    {&rl_from_info, "at", "string|number"},
    {&rl_sim_info, "out", "string|false"},
    {&rl_field_info, "value", "ria.Values"},
    {&rl_inflow_info, "from", "(number|string)[]|ria.Place"},
    {&rl_inflow_info, "to", "(number|string)[]|ria.Place"},
    {&rl_inflow_info, "line", "ria.Shapes|((number|string)[]|ria.Place)[]"},
    {&rl_inflow_info, "side", "\"west\"|\"east\"|\"south\"|\"north\""},
    {&rl_frame_info, "range", "number[]|\"auto\""},
    {&rl_frame_info, "graticule", "boolean|number|string"},
    {&rl_gauge_info, "at", "ria.Shapes"},
    {&rl_section_info, "line", "ria.Shapes|((number|string)[]|ria.Place)[]"},
    {&rl_spill_info, "at", "ria.Shapes"},
    {&rl_draw_info, "graticule", "boolean|number|string"},
    {&rl_draw_info, "range", "number[]|\"symmetric\""},
    {&rl_draw_info, "phase", "ria.Field"},
    {&rl_field3_info, "periodic", "boolean|table<string, boolean>"},
    {&rl_field3_info, "init", "number|fun(x: number, y: number, z: number): number"},
};

static const char *special_type(const rl_table_info *table, const char *key) {
  for (size_t k = 0; k < sizeof specials / sizeof *specials; k++)
    if (specials[k].table == table && strcmp(specials[k].key, key) == 0) return specials[k].type;
  return NULL;
}

static void print_choices(FILE *to, const char *const *choices) {
  for (size_t k = 0; choices[k]; k++) fprintf(to, "%s\"%s\"", k ? "|" : "", choices[k]);
}

/* " [m; 0 .. 20; 1 if left out]" and the end of the line. */
static void print_bounds(FILE *to, const char *unit, double min, double max, bool above,
                         const char *def) {
  const char *between = " [";
  if (*unit) fprintf(to, "%s%s", between, unit), between = "; ";
  if (isfinite(min) && isfinite(max))
    fprintf(to, "%s%s%g .. %g", between, above ? "above " : "", min, max), between = "; ";
  else if (isfinite(min))
    fprintf(to, "%s%s %g", between, above ? ">" : ">=", min), between = "; ";
  else if (isfinite(max))
    fprintf(to, "%s<= %g", between, max), between = "; ";
  if (def) fprintf(to, "%s%s if left out", between, def), between = "; ";
  fputs(*between == ';' ? "]\n" : "\n", to);
}

static bool is_word(const char *name) {
  return strcmp(name, "repeat") != 0 && (isalpha((unsigned char)*name) || *name == '_');
}

static void print_name(FILE *to, const char *name) {
  fprintf(to, is_word(name) ? "---@field %s" : "---@field [\"%s\"]", name);
}

/* ria.<solver>.Params of every solver. */
static void print_params_type(FILE *to) {
  for (size_t k = 0; k < ria_solver_count(); k++)
    fprintf(to, "%sria.%s.Params", k ? "|" : "", ria_solver_at(k)->name);
}

/* Those that are here, as a help to type: a module may bring others. */
static void print_solver_names(FILE *to) {
  for (size_t k = 0; k < ria_solver_count(); k++) fprintf(to, "\"%s\"|", ria_solver_at(k)->name);
  fputs("string", to);
}

static void print_field(FILE *to, const rl_table_info *table, const rl_key *key) {
  print_name(to, key->name);
  fputs(key->flags & RL_REQUIRED ? " " : "? ", to);
  const char *special = special_type(table, key->name);
  if (key->choices)
    print_choices(to, key->choices);
  else if (table == &rl_sim_info && strcmp(key->name, "params") == 0)
    print_params_type(to);
  else if (table == &rl_sim_info && strcmp(key->name, "solver") == 0)
    print_solver_names(to);
  else if (special || key->type != RL_ANY)
    fputs(special ? special : lua_type_of(key), to);
  else
    print_shape(to, key->shape);
  fprintf(to, " %s", key->doc);
  const bool ranged = key->min != key->max;
  print_bounds(to, rl_key_unit(key), ranged ? key->min : -INFINITY, ranged ? key->max : INFINITY,
               key->flags & RL_ABOVE_MIN, NULL);
}

static bool has_key(const rl_table_info *table, const char *name) {
  for (const rl_key *key = table->keys; key->name; key++)
    if (strcmp(key->name, name) == 0) return true;
  return false;
}

/* Is this the first kind of boundary, of all solvers, with a value of this name? */
static bool first_with_value(const ria_boundary_kind *kind, const char *name) {
  for (size_t k = 0; k < ria_solver_count(); k++) {
    for (const ria_boundary_kind *b = ria_solver_at(k)->boundaries; b->name; b++) {
      if (b == kind) return true;
      for (int v = 0; v < RIA_BOUNDARY_VALUES && b->values[v].name; v++)
        if (strcmp(b->values[v].name, name) == 0) return false;
    }
  }
  return true;
}

/* The values that kinds of boundary have, each name once. table: keys that are there already, or
 * NULL. */
static void print_boundary_values(FILE *to, const rl_table_info *table) {
  for (size_t k = 0; k < ria_solver_count(); k++) {
    for (const ria_boundary_kind *b = ria_solver_at(k)->boundaries; b->name; b++) {
      for (int v = 0; v < RIA_BOUNDARY_VALUES && b->values[v].name; v++) {
        const ria_boundary_value_info *value = &b->values[v];
        if (!first_with_value(b, value->name) || (table && has_key(table, value->name))) continue;
        fprintf(to, "---@field %s? number|string|ria.Series|number[][] of a boundary `%s` [%s]\n",
                value->name, b->name, value->unit);
      }
    }
  }
}

/* "ria.frame" -> "ria.frame.Keys", "sim:every" -> "ria.sim.every.Keys". */
static void class_name(const rl_function *f, char *out, size_t size) {
  bool module = strncmp(f->name, "ria.", 4) == 0;
  snprintf(out, size, "%s%s.Keys", module ? "" : "ria.", f->name);
  for (char *c = out; *c; c++)
    if (*c == ':') *c = '.';
}

static void print_keys(FILE *to, const rl_function *f) {
  char name[96];
  class_name(f, name, sizeof name);
  fprintf(to, "---@class (exact) %s\n", name);
  for (const rl_key *key = f->table->keys; key->name; key++) print_field(to, f->table, key);
  const rl_key *list = f->table->list;
  if (list) {
    fputs("---@field [integer] ", to);
    if (strcmp(f->name, "ria.tide") == 0)
      fputs("ria.tide.Constituent", to);
    else if (list->type == RL_ANY)
      print_shape(to, list->shape);
    else
      fputs(lua_type_of(list), to);
    fprintf(to, " %s\n", list->doc);
  }
  if (strcmp(f->name, "ria.inflow") == 0) print_boundary_values(to, f->table);
  if (strcmp(f->name, "ria.tide") == 0) { /* names come from the engine's list */
    size_t n;
    const char *const *names = ria_tide_names(&n);
    for (size_t k = 0; k < n; k++) {
      print_name(to, names[k]);
      fputs("? (number|string)[] amplitude [m], phase [deg]\n", to);
    }
  }
  fputc('\n', to);
}

static void print_solver(FILE *to, const ria_solver *s) {
  fprintf(to, "---@class (exact) ria.%s.Params\n", s->name);
  for (const ria_param_info *p = s->params; p->name; p++) {
    fprintf(to, "---@field %s? ", p->name);
    if (p->type == RIA_CHOICE)
      print_choices(to, p->choices);
    else
      fputs(p->type == RIA_BOOL      ? "boolean"
            : p->type == RIA_INT     ? "integer"
            : p->type == RIA_VARYING ? "number|string|ria.Series|number[][]"
                                     : "number|string",
            to);
    char def[32];
    snprintf(def, sizeof def, "%g", p->def);
    if (p->type == RIA_BOOL) snprintf(def, sizeof def, p->def != 0.0 ? "true" : "false");
    const bool ranged = p->type != RIA_CHOICE && p->type != RIA_BOOL && p->min != p->max;
    fprintf(to, " %s", p->doc);
    print_bounds(to, p->unit, ranged ? p->min : -INFINITY, ranged ? p->max : INFINITY, false,
                 p->type == RIA_CHOICE ? p->choices[(int)p->def] : def);
  }
  fputc('\n', to);
}

/* A boundary of any solver: its kinds, and the values that they have. */
static void print_boundary(FILE *to) {
  fputs("---@class ria.Boundary\n---@field kind? ", to);
  for (size_t k = 0, n = 0; k < ria_solver_count(); k++)
    for (const ria_boundary_kind *b = ria_solver_at(k)->boundaries; b->name; b++)
      fprintf(to, "%s\"%s\"", n++ ? "|" : "", b->name);
  fputs("\n---@field from? (number|string)[]|ria.Place\n---@field to? (number|string)[]|ria.Place\n"
        "---@field line? ria.Shapes|((number|string)[]|ria.Place)[]\n"
        "---@field reach? number|string [m]\n"
        "---@field side? \"west\"|\"east\"|\"south\"|\"north\"\n"
        "---@field tracers? table<string, number|string|ria.Series>\n",
        to);
  print_boundary_values(to, NULL);
  fputc('\n', to);
}

/* Names of the arguments in "(t, action [, {...}])", as Lua wants them in a declaration. */
static void print_arguments(FILE *to, const rl_function *f) {
  const char *s = f->signature;
  if (*s != '(') {
    fputs("(keys)", to);
    return;
  }
  fputc('(', to);
  int n = 0;
  for (const char *p = s + 1; *p && *p != ')';) {
    while (*p && !isalpha((unsigned char)*p) && *p != '{' && *p != ')') p++;
    if (*p == '{') {
      fprintf(to, "%skeys", n++ ? ", " : "");
      break;
    }
    if (!isalpha((unsigned char)*p)) break;
    const char *end = p;
    while (isalnum((unsigned char)*end) || *end == '_') end++;
    bool reserved = end - p == 8 && strncmp(p, "function", 8) == 0;
    fprintf(to, "%s%.*s", n++ ? ", " : "", reserved ? 2 : (int)(end - p), reserved ? "fn" : p);
    int depth = 0; /* the rest of this argument: "kind | series | {...}" */
    while (*end && !(depth == 0 && (*end == ',' || *end == ')'))) {
      depth += *end == '(' || *end == '{';
      depth -= *end == ')' || *end == '}';
      end++;
    }
    p = end;
  }
  fputc(')', to);
}

/* "ria.sim.grid": a table inside another's, not a function. */
static bool is_part(const rl_function *f) { return strchr(f->name, '.') != strrchr(f->name, '.'); }

static void print_function(FILE *to, const rl_function *f) {
  char name[96];
  fprintf(to, "---%s\n", f->doc);
  if (f->table && *f->signature != '(') {
    class_name(f, name, sizeof name);
    bool text = strncmp(f->signature, "path |", 6) == 0 || strncmp(f->signature, "field |", 7) == 0;
    bool open = strcmp(f->name, "ria.params") == 0;
    fprintf(to, "---@param keys %s%s\n", open ? "table" : name, text ? "|string" : "");
  }
  if (f->table && *f->signature == '(') {
    class_name(f, name, sizeof name);
    const bool path = strncmp(f->signature, "(path | {", 9) == 0;
    fprintf(to, "---@param %s%s %s%s\n", path ? "path" : "keys",
            strchr(f->signature, '[') ? "?" : "", path ? "string|" : "", name);
  }
  if (f->returns) fprintf(to, "---@return %s\n", f->returns);
  const char *colon = strchr(f->name, ':');
  if (!colon) {
    fprintf(to, "function %s", f->name);
  } else {
    fprintf(to, "function %c%.*s%s", toupper((unsigned char)f->name[0]), (int)(colon - f->name) - 1,
            f->name + 1, colon);
  }
  print_arguments(to, f);
  fputs(" end\n\n", to);
}

void cli_print_stubs(FILE *to) {
  fprintf(to, "---@meta ria\n-- ria %s: written by `ria help --stubs`\n\n", ria_version());
  fputs("---@class ria\n---@field version string\n---@field solvers string[]\n"
        "---@field maps string[]\n---@field args table<string, string>\nlocal ria = {}\n\n"
        "---@class (exact) ria.Description\n\n"
        "---@class (exact) ria.Series\nlocal Series = {}\n\n"
        "---@class (exact) ria.Crs\n---@field name string\n---@field epsg integer?\n"
        "---@field unit \"m\"|\"deg\" of x and y\n---@field built_in boolean\nlocal Crs = {}\n\n"
        "---@class (exact) ria.tide.Constituent\n---@field speed number|string [deg/h]\n"
        "---@field amp number|string amplitude [m]\n"
        "---@field phase? number|string at Greenwich, or relative to t = 0 [deg]\n\n"
        "---@class (exact) ria.Field\n---@field nx integer\n---@field ny integer\n"
        "---@field dx number\n---@field dy number\n---@field x0 number\n---@field y0 number\n"
        "---@field angle number\n---@field crs string?\nlocal Field = {}\n\n"
        "---@class (exact) ria.Field3\n---@field nx integer\n---@field ny integer\n"
        "---@field nz integer\n---@field dx number\n---@field dy number\n---@field dz number\n"
        "---@field lx number\n---@field ly number\n---@field lz number\n---@field x0 number\n"
        "---@field y0 number\n---@field z0 number\n---@operator add(ria.Field3): ria.Field3\n"
        "---@operator sub(ria.Field3): ria.Field3\n"
        "---@operator mul(number|ria.Field3): ria.Field3\n---@operator unm: ria.Field3\n"
        "local Field3 = {}\n\n"
        "---@class (exact) ria.Shapes\n---@operator len: integer\nlocal Shapes = {}\n\n"
        "---@class (exact) ria.Sim\nlocal Sim = {}\n\n",
        to);
  fputs("---@alias ria.Place { lon: number|string, lat: number|string }\n", to);
  fputs("---@alias ria.Values number|string|ria.Field|fun(x: number, y: number): number\n\n", to);
  for (size_t k = 0; k < ria_solver_count(); k++) print_solver(to, ria_solver_at(k));
  print_boundary(to);
  for (const rl_function *f = rl_language(); f->name; f++)
    if (f->table) print_keys(to, f);
  for (const rl_function *f = rl_language(); f->name; f++)
    if (!is_part(f)) print_function(to, f);
  fputs("return ria\n", to);
}
