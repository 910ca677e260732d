/* spill.c - releases: ria.spill describes one, sim:spill and sim:at make it happen. */
#include "binding.h"
#include "shapes.h"

#include <math.h>
#include <string.h>

/* What the table is read into; the place comes first. */
typedef struct spill_args {
  rl_place at;
  ria_spill_desc desc;
} spill_args;

static const rl_key spill_keys[] = {
    {"name", RL_STRING, 0, offsetof(spill_args, desc.name), .doc = "for reports and frames"},
    {"tracer", RL_STRING, 0, offsetof(spill_args, desc.tracer),
     .doc =
         "the tracer released, or a quantity of the solver (\"water\"); clean water if left out"},
    RL_PLACE_KEYS(spill_args, at, "its centre"),
    {"radius", RL_NUMBER, RIA_DIM_LENGTH, offsetof(spill_args, desc.radius), 0, 0, INFINITY,
     .doc = "of the disc; 0 = the one cell"},
    {"start", RL_NUMBER, RIA_DIM_TIME, offsetof(spill_args, desc.start), RL_DATE, 0, INFINITY,
     .doc = "when it begins; now if left out"},
    {"duration", RL_NUMBER, RIA_DIM_TIME, offsetof(spill_args, desc.duration), 0, 0, INFINITY,
     .doc = "mass, amount and volume are spread over it; 0 = at once (rate and flow: without end)"},
    {"mass", RL_NUMBER, RIA_DIM_MASS, offsetof(spill_args, desc.mass), 0, 0, INFINITY,
     .doc = "released in all, of a tracer that is measured by mass"},
    {"amount", RL_NUMBER, 0, offsetof(spill_args, desc.amount), 0, 0, INFINITY,
     .doc = "released in all, of any tracer: \"40 t\", \"5e12 cfu\", \"3 K m3\"",
     .measure = RIA_AMOUNT},
    {"rate", RL_VALUE, 0, offsetof(spill_args, desc.rate), 0, 0, INFINITY,
     .doc = "amount per time: \"2 kg/s\", \"1e6 cfu/s\"", .measure = RIA_AMOUNT_RATE},
    {"volume", RL_NUMBER, RIA_DIM_VOLUME, offsetof(spill_args, desc.volume), 0, 0, INFINITY,
     .doc = "released in all: of water, or with density of a tracer"},
    {"density", RL_NUMBER, RIA_DIM_DENSITY, offsetof(spill_args, desc.density), RL_ABOVE_MIN, 0,
     INFINITY, .doc = "of that volume"},
    {"flow", RL_VALUE, RIA_DIM_FLOW, offsetof(spill_args, desc.flow),
     .doc = "water per time, alone or with conc of a tracer; may start on dry ground"},
    {"conc", RL_VALUE, 0, offsetof(spill_args, desc.conc), 0, 0, INFINITY,
     .doc = "concentration in that water", .measure = RIA_CONCENTRATION},
    {"at", RL_ANY, .shape = "shapes",
     .doc = "in place of a disc: over polygons by their area, along lines by length, at points"},
    {0}};
/* their places in the table */
enum { X = 2, RADIUS = 6, START, MASS = 9, AMOUNT, RATE, VOLUME, DENSITY, FLOW, CONC, AT };
enum { N_KEYS = sizeof spill_keys / sizeof *spill_keys };

const rl_table_info rl_spill_info = {.keys = spill_keys};

static bool has(uint64_t given, int key) { return given >> key & 1; }

/* Exactly one way to say how much. */
static void check_amount(lua_State *L, uint64_t given, const rl_site *site) {
  int ways = has(given, MASS) + has(given, AMOUNT) + has(given, RATE) + has(given, VOLUME) +
             has(given, FLOW);
  if (ways != 1)
    rl_fail(L, site, NULL,
            "%s of mass, amount, rate, volume (with density) and flow (with conc) is needed",
            ways ? "only one" : "one");
  if (has(given, DENSITY) && !has(given, VOLUME))
    rl_fail(L, site, NULL, "density goes with volume");
  if (has(given, CONC) && !has(given, FLOW)) rl_fail(L, site, NULL, "conc goes with flow");
}

/* "5e12 cfu" is an amount, but no mass. */
static void check_mass(lua_State *L, int idx, const rl_site *site) {
  ria_context *ctx = rl_context(L);
  double v;
  if (lua_type(L, idx) != LUA_TTABLE || lua_getfield(L, idx, "mass") != LUA_TSTRING) return;
  const char *text = lua_tostring(L, -1);
  if (ria_parse_quantity(ctx, text, RIA_DIM_MASS, &v) != RIA_OK &&
      ria_unit_parse(ctx, NULL, RIA_AMOUNT, text, &v) == RIA_OK)
    rl_fail(L, site, &(rl_path){.key = "mass"}, "mass: '%s' is not a mass: write amount = \"%s\"",
            text, text);
  ria_error_clear(ctx);
}

/* The shapes of the table at idx, in the coordinates of the map: pushed. A disc has none. */
static const ria_shapes *read_shapes(lua_State *L, int idx, const rl_map *map, uint64_t given,
                                     const rl_site *site) {
  const rl_path path = {.key = "at"};
  if (!has(given, AT)) return NULL;
  if (given >> X & 15 || has(given, RADIUS))
    rl_fail(L, site, &path, "at goes without x and y, lon and lat, and radius");
  lua_getfield(L, idx, "at");
  if (map) return rl_shapes_on(L, lua_gettop(L), ria_sim_crs(map->sim), site, &path);
  const ria_shapes *s = rl_test_shapes(L, -1);
  if (!s) rl_type_error(L, site, &path, -1, "shapes, such as ria.shapes \"basin.geojson\"");
  return s;
}

/* What is released in which unit the tracer tells; NULL: the simulation is not known yet, or there
 * is no tracer. Nor is where lon and lat lie: map NULL. */
static uint64_t read_spill(lua_State *L, int idx, const ria_unit *unit, const rl_map *map,
                           const rl_site *site, ria_spill_desc *out) {
  spill_args a = {0};
  idx = lua_absindex(L, idx);
  rl_key keys[N_KEYS];
  memcpy(keys, spill_keys, sizeof keys);
  for (int k = 0; k < N_KEYS; k++) keys[k].unit = unit;
  check_mass(L, idx, site);
  uint64_t given = rl_read_table(L, idx, &(rl_table_info){.keys = keys}, site, NULL, &a);
  a.desc.shapes = read_shapes(L, idx, map, given, site);
  if (!a.desc.shapes) rl_settle_place(L, map, &spill_keys[X], given >> X, site, NULL, &a.at);
  check_amount(L, given, site);
  *out = a.desc;
  out->x = a.at.x;
  out->y = a.at.y;
  out->has_rate = has(given, RATE);
  out->has_flow = has(given, FLOW);
  if (!out->tracer &&
      (has(given, MASS) || has(given, AMOUNT) || has(given, RATE) || has(given, DENSITY)))
    rl_fail(L, site, NULL, "missing key 'tracer': name the tracer that is released");
  return given;
}

enum { MAX_QUANTITIES = RIA_OWN_QUANTITIES + RIA_MAX_TRACERS };

static void check_tracer(lua_State *L, const rl_sim *s, const char *tracer, const rl_site *site) {
  const char *names[MAX_QUANTITIES];
  const ria_quantity_info *own = s->solver->quantities;
  size_t n = 0;
  if (!tracer) return;
  for (int k = 0; own && k < RIA_OWN_QUANTITIES && own[k].name; k++) names[n++] = own[k].name;
  for (int k = 0; k < s->n_tracers; k++) names[n++] = s->tracer[k];
  rl_check_name(L, tracer, (rl_names){names, n}, "tracer", site, &(rl_path){.key = "tracer"});
}

/* The unit of the tracer that the table on top names. */
static const ria_unit *unit_of_spill(lua_State *L, const rl_sim *s) {
  const char *name = lua_getfield(L, -1, "tracer") == LUA_TSTRING ? lua_tostring(L, -1) : "";
  int k = 0;
  while (k < s->n_tracers && strcmp(s->tracer[k], name) != 0) k++;
  lua_pop(L, 1);
  return ria_sim_unit(s->sim, k);
}

/* The engine takes a start of 0 for now, which a script that gives it does not mean. */
static void check_start(lua_State *L, const rl_sim *s, double start, const rl_site *site) {
  const double now = ria_sim_time(s->sim);
  char first[48], present[48];
  if (start != 0.0 || now <= 0.0) return;
  ria_sim_date(s->sim, now, present, sizeof present);
  if (ria_sim_date(s->sim, 0.0, first, sizeof first))
    rl_fail(L, site, &(rl_path){.key = "start"},
            "the spill starts at %s: it must be at or after the present, %s", first, present);
  else
    rl_fail(L, site, &(rl_path){.key = "start"},
            "the spill starts at 0 s: it must be at or after the present, %.10g s", now);
}

const rl_desc *rl_read_spill(lua_State *L, rl_sim *s, int idx, const double *start,
                             ria_spill_desc *out) {
  const rl_desc *d = rl_to_desc(L, idx);
  rl_site site = d->site;
  site.sim = s->sim;
  uint64_t given = read_spill(L, -1, unit_of_spill(L, s), &(rl_map){.sim = s->sim}, &site, out);
  check_tracer(L, s, out->tracer, &d->site);
  if (start && has(given, START))
    rl_fail(L, &d->site, &(rl_path){.key = "start"}, "start is set by the event that releases it");
  if (start)
    out->start = *start;
  else if (!has(given, START))
    out->start = ria_sim_time(s->sim);
  else
    check_start(L, s, out->start, &d->site);
  return d;
}

ria_handle rl_start_spill(lua_State *L, rl_sim *s, int idx, const double *start) {
  ria_spill_desc desc;
  const rl_desc *d = rl_read_spill(L, s, idx, start, &desc);
  ria_handle handle = 0;
  rl_try(L, &d->site, NULL, ria_sim_spill(s->sim, &desc, &handle));
  if (desc.start > ria_sim_time(s->sim)) rl_note_spill(L, s, handle, idx, &desc.start);
  return handle;
}

static int module_spill(lua_State *L) {
  rl_site site;
  ria_spill_desc desc;
  rl_here(L, "ria.spill", 1, &site);
  read_spill(L, 1, NULL, NULL, &site, &desc);
  rl_push_desc(L, RL_SPILL, 1, &site);
  return 1;
}

const luaL_Reg rl_spill_functions[] = {{"spill", module_spill}, {NULL, NULL}};
