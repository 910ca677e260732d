/* Scripts that are made from the tables of the language: the input chooses functions, keys and
 * values of right and wrong kinds. Every call does it or raises an error with a message.
 *
 * A call that fails does not end the script (`try`). What calls return is kept by class, for the
 * methods and arguments of later ones. RIA_FUZZ_PRINT set: the script is printed. */
#include "lua.h"

#include "binding.h"
#include "bytes.h"
#include <ria/solver.h>

enum { MOST_STEPS = 200, DEEPEST = 3 };

typedef struct maker {
  bytes in;
  FILE *to;
  int depth; /* of tables and functions */
} maker;

static const char prelude[] =
    "local ria = require 'ria'\n"
    "local kept, sim = {}, nil\n"
    "local function keep(v)\n"
    "  local m = debug.getmetatable(v)\n"
    "  local c = type(v) == 'userdata' and m and m.__name or type(v)\n"
    "  kept[c] = kept[c] or {}\n"
    "  if #kept[c] < 20 then table.insert(kept[c], v) end\n"
    "end\n"
    "local function of(class, n)\n"
    "  local l = kept[class]\n"
    "  return l and l[n % #l + 1]\n"
    "end\n"
    "local function try(f, ...)\n"
    "  local r = table.pack(pcall(f, ...))\n"
    "  if not r[1] then assert(type(r[2]) == 'string' and #r[2] > 0, 'an error without text') "
    "return end\n"
    "  for k = 2, r.n do\n"
    "    keep(r[k])\n"
    "    if type(r[k]) == 'table' then for _, v in pairs(r[k]) do keep(v) end end\n"
    "  end\n"
    "  return r[2]\n"
    "end\n"
    "local function call(object, method, ...)\n"
    "  if object ~= nil then return try(object[method], object, ...) end\n"
    "end\n"
    "try(ria.dem, 'a.asc') try(ria.crs, 'EPSG:25829') try(ria.shapes, 'a.geojson')\n"
    "try(ria.series, { path = 'a.csv', column = 'level' }) try(ria.series, { { 0, 1 }, { 9, 2 } "
    "})\n"
    "try(ria.field3, { nx = 6, ny = 6, nz = 6, dx = 1 })\n"
    "try(ria.frame, { 'level', width = 90 }) try(ria.save, { 'level' })\n"
    "try(ria.spill, { x = 15, y = 15, mass = 1, tracer = 'oil' })\n";

static const struct {
  const char *name, *text;
} files[] = {
    {"a.csv", "t [h],flow [m3/h],level\n0,1,2\n1,2,3\n2,4,1\n"},
    {"a.asc", "ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n-1 -2 -3\n-2 -9999 -4\n"},
    {"a.xyz", "1 1 -3\n12 2 -4\n5 11 -2\n3 6 -1\n"},
    {"a.bca", "[forcing]\nName = south_0001\nFunction = astronomic\nM2 1.1 78\n"},
    {"a.geojson", "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[30,0],[20,25],[0,0]]]}"}};

#define ONE_OF(m, ...)                                                                             \
  ((const char *const[]){__VA_ARGS__}[bytes_below(                                                 \
      &(m)->in, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))])

/* --- values ----------------------------------------------------------------------------------- */

static void put_any(maker *m);
static void put_call(maker *m, bool inside);

static void put_number(maker *m, double v) {
  if (isnan(v))
    fprintf(m->to, "(0/0)");
  else if (isinf(v))
    fprintf(m->to, v > 0 ? "math.huge" : "-math.huge");
  else
    fprintf(m->to, "%.6g", v);
}

static void put_time(maker *m) {
  fputs(ONE_OF(m, "1", "0.5", "10", "60", "'1 min'", "'1 h'", "'90 s'", "0", "2", "3", "-1",
               "(0/0)", "math.huge", "'2026-07-14 00:01'", "'1 furlong'", "1e300"),
        m->to);
}

static void put_int(maker *m) {
  fputs(ONE_OF(m, "1", "2", "3", "4", "5", "8", "12", "20", "40", "0", "-1", "2.5", "'3'", "100"),
        m->to);
}

static void put_name(maker *m) {
  fprintf(m->to, "'%s'",
          ONE_OF(m, "level", "depth", "oil", "dye", "bed", "u", "west", "north", "river", "M2",
                 "S2", "water", "manning", "a", "x", "", "speed", "height", "kg/m3", "mg/l", "m",
                 "deep", "viridis", "EPSG:25829", "EPSG:4326", "2026-07-14", "+02:00", "pier",
                 "value", "flow", "no such thing", "50 %%", "1e3 m3/s", "#2",
                 "level_M2_amplitude"));
}

static void put_path(maker *m) {
  fprintf(m->to, "'%s'",
          ONE_OF(m, "a.csv", "a.asc", "a.xyz", "a.bca", "a.geojson", "b.tif", "b.asc", "b.png",
                 "out", "none"));
}

static void put_field(maker *m) {
  fprintf(m->to, "'%s'",
          ONE_OF(m, "level", "depth", "oil", "bed", "u", "speed", "oil_load", "nope"));
}

static void put_object(maker *m) {
  fprintf(m->to, "of('%s', %u)",
          ONE_OF(m, "ria.field", "ria.series", "ria.shapes", "ria.description", "ria.field3",
                 "ria.crs", "ria.sim", "table", "number"),
          bytes_one(&m->in));
}

static void put_function(maker *m) {
  const unsigned how = bytes_below(&m->in, 5);
  if (how < 2 || m->depth >= DEEPEST) {
    fputs(ONE_OF(m, "function(x, y) return (x or 1) - (tonumber(y) or 0) end",
                 "function() return true end", "function() return nil end",
                 "function() error('no') end", "function() return 'x' end"),
          m->to);
    return;
  }
  m->depth++;
  fputs("function(s, i)\n", m->to);
  for (unsigned k = 0; k < how - 1; k++) put_call(m, true);
  fputs("return s ~= nil end", m->to);
  m->depth--;
}

static void put_points(maker *m) {
  fputs("{", m->to);
  for (unsigned k = 0, n = bytes_below(&m->in, 4); k <= n; k++) {
    fprintf(m->to, "{%u, ", 10 * k);
    put_number(m, bytes_within(&m->in, -2, 5));
    fputs("}, ", m->to);
  }
  fputs("}", m->to);
}

static void put_value(maker *m) {
  switch (bytes_below(&m->in, 5)) {
  case 0:
    put_points(m);
    break;
  case 1:
    fprintf(m->to, "of('ria.series', %u)", bytes_one(&m->in));
    break;
  case 2:
    fputs("{ { at = 0, value = 1 }, { at = 1, value = 2 } }", m->to);
    break;
  default:
    put_number(m, bytes_within(&m->in, -2, 5));
  }
}

static void put_any(maker *m) {
  switch (bytes_below(&m->in, 10)) {
  case 0:
    put_name(m);
    break;
  case 1:
    put_object(m);
    break;
  case 2:
    put_function(m);
    break;
  case 3:
    put_points(m);
    break;
  case 4:
    put_value(m);
    break;
  case 5:
    put_path(m);
    break;
  case 6:
    fputs(ONE_OF(m, "true", "false", "nil", "{}", "print", "io.stdout"), m->to);
    break;
  case 7:
    put_int(m);
    break;
  case 8:
    put_object(m);
    break;
  default:
    put_number(m, bytes_within(&m->in, -2, 50));
  }
}

/* --- tables by their keys --------------------------------------------------------------------- */

static void put_table(maker *m, const rl_table_info *info);

static bool is_time(const rl_key *key) {
  return key->dim == RIA_DIM_TIME || strcmp(key->name, "every") == 0;
}

static void put_quantity(maker *m, const rl_key *key) {
  if (is_time(key)) {
    put_time(m);
    return;
  }
  const bool ranged = key->min < key->max && key->max < 1e6 && key->min > -1e6;
  const double v = ranged ? bytes_within(&m->in, key->min, key->max) : bytes_within(&m->in, -1, 40);
  const char *unit = ria_dim_unit((ria_dim)key->dim);
  if (bytes_rare(&m->in, 4) && isfinite(v))
    fprintf(m->to, "'%.6g %s'", v, *unit ? unit : "%");
  else
    put_number(m, v);
}

static void put_typed(maker *m, const rl_key *key) {
  switch (key->type) {
  case RL_BOOL:
    fputs(ONE_OF(m, "true", "false"), m->to);
    break;
  case RL_INT:
    put_int(m);
    break;
  case RL_NUMBER:
    put_quantity(m, key);
    break;
  case RL_STRING:
    if (strstr(key->name, "path"))
      put_path(m);
    else
      put_name(m);
    break;
  case RL_CHOICE: {
    unsigned n = 0;
    while (key->choices && key->choices[n]) n++;
    fprintf(m->to, "'%s'", n ? key->choices[bytes_below(&m->in, n)] : "");
    break;
  }
  case RL_VALUE:
    put_value(m);
    break;
  case RL_PAIR:
    fputs("{", m->to);
    put_number(m, bytes_within(&m->in, -5, 60));
    fputs(", ", m->to);
    put_number(m, bytes_within(&m->in, -5, 60));
    fputs("}", m->to);
    break;
  case RL_NAMES:
    fputs("{", m->to);
    put_field(m);
    fputs(", ", m->to);
    put_name(m);
    fputs("}", m->to);
    break;
  default:
    put_any(m);
  }
}

static void put_boundary(maker *m) {
  fputs("{ kind = ", m->to);
  fprintf(m->to, "'%s'",
          ONE_OF(m, "wall", "open", "level", "discharge", "radiate", "rating", "value", "flux",
                 "periodic"));
  for (unsigned k = bytes_below(&m->in, 4); k > 0; k--) {
    fprintf(m->to, ", %s = ", ONE_OF(m, "level", "q", "u", "v", "curve", "oil", "slope", "sand"));
    put_value(m);
  }
  fputs(" }", m->to);
}

static void put_params(maker *m) {
  const ria_solver *s = ria_solver_at(bytes_below(&m->in, (unsigned)ria_solver_count()));
  size_t n = 0;
  while (s->params[n].name) n++;
  fputs("{ ", m->to);
  for (unsigned k = bytes_below(&m->in, 3); k > 0; k--) {
    const ria_param_info *p = &s->params[bytes_one(&m->in) % n];
    fprintf(m->to, "%s = ", p->name);
    if (p->type == RIA_CHOICE)
      fprintf(m->to, "'%s'", p->choices[0]);
    else
      put_number(m, bytes_within(&m->in, p->min, p->max < 1e3 ? p->max : 1e3));
    fputs(", ", m->to);
  }
  fputs("}", m->to);
}

/* Keys whose tables are tables of the language, or of names that the script gives. */
static bool put_known(maker *m, const rl_key *key) {
  if (strcmp(key->name, "grid") == 0 && key->type == RL_ANY) {
    put_table(m, &rl_grid_info);
  } else if (strcmp(key->name, "tracers") == 0) {
    fputs("{ oil = ", m->to);
    put_table(m, &rl_tracer_info);
    fputs(" }", m->to);
  } else if (strcmp(key->name, "boundary") == 0) {
    fprintf(m->to, "{ %s = ", ONE_OF(m, "west", "north", "south", "east", "river"));
    put_boundary(m);
    fputs(" }", m->to);
  } else if (strcmp(key->name, "params") == 0) {
    put_params(m);
  } else if (strcmp(key->name, "init") == 0) {
    fputs("{ level = ", m->to);
    put_number(m, bytes_within(&m->in, -1, 2));
    fputs(" }", m->to);
  } else {
    return false;
  }
  return true;
}

static void put_key(maker *m, const rl_key *key) {
  fprintf(m->to, "['%s'] = ", key->name); /* 'repeat' is a word of Lua's */
  if (strcmp(key->name, "out") == 0)
    fputs(ONE_OF(m, "false", "'out'", "nil", "3"), m->to);
  else if (bytes_rare(&m->in, 12))
    put_any(m);
  else if (!put_known(m, key))
    put_typed(m, key);
  fputs(", ", m->to);
}

/* What must be there, mostly, and a few more. */
static void put_table(maker *m, const rl_table_info *info) {
  unsigned n = 0, size = 0;
  if (m->depth >= DEEPEST) {
    fputs("{}", m->to);
    return;
  }
  m->depth++;
  while (info->keys[n].name) n++;
  fputs("{ ", m->to);
  if (info->list && bytes_rare(&m->in, 2)) {
    put_any(m);
    fputs(", ", m->to);
  }
  for (unsigned k = 0; k < n; k++)
    if (info->keys[k].flags & RL_REQUIRED && !bytes_rare(&m->in, 20)) put_key(m, &info->keys[k]);
  for (size = bytes_below(&m->in, 5); size > 0 && n; size--)
    put_key(m, &info->keys[bytes_one(&m->in) % n]);
  if (bytes_rare(&m->in, 30)) fputs("unkown = 1, ", m->to);
  fputs("}", m->to);
  m->depth--;
}

/* --- calls ------------------------------------------------------------------------------------ */

/* One argument of a signature: "t", "x", "name", "{...}", "field | {...}". */
static void put_argument(maker *m, const rl_function *f, const char *word, size_t n) {
  const char is = n == 1 ? *word : '\0';
  if (bytes_rare(&m->in, 10))
    put_any(m);
  else if (f->table && memchr(word, '{', n) && !bytes_rare(&m->in, 6))
    put_table(m, f->table);
  else if (is == 't' || strncmp(word, "dt", 2) == 0 || strncmp(word, "period", 6) == 0)
    put_time(m);
  else if (is == 'n' || is == 'i' || is == 'j' || is == 'k')
    put_int(m);
  else if (is == 'x' || is == 'y' || strncmp(word, "lon", 3) == 0 || strncmp(word, "lat", 3) == 0)
    put_number(m, bytes_within(&m->in, -5, 60));
  else if (strncmp(word, "field", 5) == 0)
    put_field(m);
  else if (strncmp(word, "path", 4) == 0)
    put_path(m);
  else if (strncmp(word, "condition", 9) == 0 || strncmp(word, "function", 8) == 0)
    put_function(m);
  else if (strncmp(word, "action", 6) == 0 && bytes_rare(&m->in, 2))
    put_function(m);
  else if (strncmp(word, "action", 6) == 0 || strncmp(word, "shapes", 6) == 0)
    fprintf(m->to, "of('%s', %u)", *word == 'a' ? "ria.description" : "ria.shapes",
            bytes_one(&m->in));
  else if (strncmp(word, "handle", 6) == 0)
    put_int(m);
  else if (strncmp(word, "sims", 4) == 0)
    fputs("{ sim, of('ria.sim', 1) }", m->to);
  else if (strncmp(word, "name", 4) == 0 || strncmp(word, "boundary", 8) == 0)
    put_name(m);
  else
    put_any(m);
}

/* Of its signature, those in square brackets too, mostly. */
static void put_arguments(maker *m, const rl_function *f) {
  const char *at = f->signature + (*f->signature == '(');
  int nested = 0;
  while (*at && *at != ')') {
    while (*at == ' ' || *at == ',' || *at == '[' || *at == ']') at++;
    const char *from = at;
    for (; *at && (nested || !strchr(",[)]", *at)); at++)
      nested += *at == '{' || *at == '(' ? 1 : *at == '}' || *at == ')' ? -1 : 0;
    if (at == from) break;
    size_t n = (size_t)(at - from);
    while (n && from[n - 1] == ' ') n--;
    fputs(", ", m->to);
    put_argument(m, f, from, n);
    if (*at == '[' && bytes_rare(&m->in, 2)) break;
  }
  if (bytes_rare(&m->in, 30)) fputs(", 1", m->to);
}

static const rl_function *some_function(maker *m) {
  const rl_function *f = rl_language();
  size_t n = 0;
  while (f[n].name) n++;
  return &f[bytes_one(&m->in) % n];
}

static void put_call(maker *m, bool inside) {
  static const char *const classes[][2] = {{"field:", "ria.field"},
                                           {"shapes:", "ria.shapes"},
                                           {"field3:", "ria.field3"},
                                           {"crs:", "ria.crs"},
                                           {"series:", "ria.series"}};
  const rl_function *f = some_function(m);
  const char *colon = strchr(f->name, ':');
  if (!colon && strchr(f->name, '.') != strrchr(f->name, '.')) return; /* keys alone */
  if (!colon) {
    fprintf(m->to, "try(%s", f->name);
  } else if (strncmp(f->name, "sim:", 4) == 0) {
    fprintf(m->to, "call(%s, '%s'", inside && bytes_rare(&m->in, 2) ? "s" : "sim", colon + 1);
  } else {
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
      if (strncmp(f->name, classes[k][0], strlen(classes[k][0])) == 0)
        fprintf(m->to, "call(of('%s', %u), '%s'", classes[k][1], bytes_one(&m->in), colon + 1);
  }
  put_arguments(m, f);
  fputs(")\n", m->to);
}

/* A simulation that can run, mostly, with more keys of ria.sim. */
static void put_sim(maker *m) {
  static const char *const solvers[] = {"shallow_water", "adi", "diffusion", "sediment"};
  const unsigned k = bytes_below(&m->in, 4);
  fprintf(m->to, "sim = try(ria.sim, { solver = '%s', out = %s, ", solvers[k],
          ONE_OF(m, "false", "'out'"));
  fprintf(m->to, "grid = { nx = %u, ny = %u, dx = 10 }, ", 1 + bytes_below(&m->in, 8),
          1 + bytes_below(&m->in, 8));
  if (k < 2)
    fputs("bed = -2, init = { level = 0 }, tracers = { oil = {} }, ", m->to);
  else
    fputs(k == 2 ? "init = { u = 1 }, " : "init = { height = 0, sand = 1 }, ", m->to);
  for (unsigned n = bytes_below(&m->in, 4); n > 0; n--)
    put_key(m, &rl_sim_info.keys[2 + bytes_below(&m->in, 20) % 18]);
  fputs("})\n", m->to);
}

/* --- running ---------------------------------------------------------------------------------- */

static ria_status limit(ria_sim *sim, const ria_progress_info *info, void *user) {
  (void)user;
  return info->steps > MOST_STEPS ? ria_fail(ria_sim_context(sim), RIA_INTERRUPTED, "long enough")
                                  : RIA_OK;
}

static void make(maker *m) {
  fputs(prelude, m->to);
  put_sim(m);
  for (int k = 0; k < 60 && !bytes_over(&m->in); k++) {
    if (bytes_rare(&m->in, 6)) fputs("call(sim, 'step', 2)\n", m->to);
    put_call(m, false);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  maker m = {.in = {data, data + n}};
  char *text = NULL, dir[64], message[256];
  size_t length = 0;
  m.to = open_memstream(&text, &length);
  const bool check = bytes_rare(&m.in, 8);
  make(&m);
  fclose(m.to);
  if (getenv("RIA_FUZZ_PRINT")) fputs(text, stdout);
  fuzz_dir(dir);
  for (size_t k = 0; k < sizeof files / sizeof *files; k++)
    fuzz_put(dir, files[k].name, files[k].text, strlen(files[k].text));
  const int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (here < 0 || chdir(dir) != 0) abort();
  ria_context *ctx = fuzz_context(0);
  fuzz_script s = {.text = text,
                   .n = length,
                   .options = {.script = "fuzz.lua",
                               .mode = check ? RIA_LUA_CHECK : RIA_LUA_RUN,
                               .overwrite = true,
                               .progress = limit}};
  if (!fuzz_lua(&s, ctx, message, sizeof message))
    FUZZ_DEMAND(!strstr(message, "an error without text") && !strstr(message, "near"));
  ria_context_destroy(&ctx);
  free(text);
  if (fchdir(here) != 0) abort();
  close(here);
  fuzz_dir_remove(dir);
  return 0;
}
