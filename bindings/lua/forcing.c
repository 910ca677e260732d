/* forcing.c - values that change in time: ria.series, and the descriptions of inflows and spills.
 *
 * A series is made once, from a table or a file, and evaluated by the engine without coming back to
 * Lua. Wherever a number may vary in time a series, a tide or a plain table {{t, value}, ...} will
 * do. */
#include "binding.h"

#include <math.h>
#include <string.h>

static const char *const interp_names[] = {"linear", "step", NULL};

typedef struct series_args {
  const char *path, *column, *epoch, *zone, *unit;
  bool fill_gaps, hold, header, units;
  double time_unit, ramp, scale, offset;
  int interp, skip;
} series_args;

static const rl_key series_keys[] = {
    {"column", RL_STRING, 0, offsetof(series_args, column),
     .doc = "which column of the file, by its header; the first that holds no dates if left out"},
    {"path", RL_STRING, 0, offsetof(series_args, path),
     .doc = "CSV file: header line, first column the time"},
    {"epoch", RL_STRING, 0, offsetof(series_args, epoch),
     .doc = "date of t = 0, for files with dates: the start of the simulation if left out"},
    {"zone", RL_STRING, 0, offsetof(series_args, zone),
     .doc = "of dates that say none: \"+02:00\"; that of the simulation if left out (with an epoch "
            "UTC)"},
    {"fill_gaps", RL_BOOL, 0, offsetof(series_args, fill_gaps),
     .doc = "bridge missing values of the file; otherwise they are an error"},
    {"skip", RL_INT, 0, offsetof(series_args, skip), 0, 0, 1e9,
     .doc = "lines at the top of the file that are not part of the table"},
    {"header", RL_BOOL, 0, offsetof(series_args, header),
     .doc = "false: the first line of the file is a row already"},
    {"units", RL_BOOL, 0, offsetof(series_args, units),
     .doc = "the line after the header holds the units of the columns"},
    {"unit", RL_STRING, 0, offsetof(series_args, unit),
     .doc = "of the values: \"m3/h\"; that of the header (\"flow [m3/h]\", or the line of units) "
            "if left out, else SI"},
    {"time_unit", RL_NUMBER, RIA_DIM_TIME, offsetof(series_args, time_unit), RL_ABOVE_MIN, 0,
     INFINITY, .doc = "unit of the file's time column; that of the header if left out, else s"},
    {"interp", RL_CHOICE, 0, offsetof(series_args, interp), .choices = interp_names,
     .doc = "between the points: a line, or the last value"},
    {"hold", RL_BOOL, 0, offsetof(series_args, hold),
     .doc = "keep the end values beyond the ends; otherwise a run beyond them is an error"},
    {"ramp", RL_NUMBER, RIA_DIM_TIME, offsetof(series_args, ramp), 0, 0, INFINITY,
     .doc = "grow from zero over this time"},
    {"scale", RL_NUMBER, 0, offsetof(series_args, scale), .doc = "the values are multiplied by it"},
    {"offset", RL_NUMBER, 0, offsetof(series_args, offset), .doc = "then this is added"},
    {0}};
static const rl_key series_list = {"", RL_ANY, .shape = "{t, value}", .doc = "the points"};
const rl_table_info rl_series_info = {.keys = series_keys, .list = &series_list};
const rl_table_info rl_columns_info = {.keys = series_keys + 1}; /* all but `column` */

/* What an inflow may say beside the values of its kind, which only the solver's table knows. */
static const rl_key inflow_keys[] = {
    {"from", RL_ANY, .shape = "{x, y} | {lon =, lat =}",
     .doc = "one end of the stretch of a side: m, or degrees in a run with a crs"},
    {"to", RL_ANY, .shape = "{x, y} | {lon =, lat =}", .doc = "the other end"},
    {"line", RL_ANY, .shape = "shapes | {{x, y}, {lon =, lat =}, ...}",
     .doc = "instead of from and to: the edges along lines or between points, ria.shapes "
            "\"shore.geojson\"; also in any other boundary"},
    {"reach", RL_NUMBER, RIA_DIM_LENGTH, 0, RL_ABOVE_MIN, 0, INFINITY,
     .doc = "how far the line may be from the side; the size of a cell if left out"},
    {"side", RL_STRING, .doc = "of a line that runs round a corner: west, east, south or north"},
    {"tracers", RL_TABLE, .doc = "concentration of each tracer in the inflow",
     .shape = "{name = value | series}"},
    {"kind", RL_STRING, .doc = "kind of the boundary; found from the values if left out"},
    {"q", RL_VALUE, RIA_DIM_FLOW,
     .doc = "discharge, at points {{at =, value =}, ...} that of a piece for each; or "
            "whatever values the solver's kind has"},
    {0}};
const rl_table_info rl_inflow_info = {.keys = inflow_keys};

/* --- userdata --------------------------------------------------------------------------------- */

rl_series *rl_new_series(lua_State *L) {
  rl_series *s = lua_newuserdatauv(L, sizeof *s, 0);
  s->series = NULL;
  luaL_setmetatable(L, RL_SERIES);
  return s;
}

static int series_gc(lua_State *L) {
  rl_series *s = luaL_checkudata(L, 1, RL_SERIES);
  ria_series_destroy(&s->series);
  return 0;
}

static const ria_series *check_series(lua_State *L, const rl_site *site) {
  const rl_series *s = luaL_testudata(L, 1, RL_SERIES);
  if (!s || !s->series) rl_fail(L, site, NULL, "called without a series: write s:name(...)");
  return s->series;
}

/* The time at index 2, as the series counts its own. */
static double series_time(lua_State *L, const ria_series *s, const rl_site *site) {
  const bool date = rl_is_date(L, 2);
  double t = 0.0;
  if (!ria_series_has_dates(s)) return rl_quantity(L, 2, RIA_DIM_TIME, site, "t");
  if (!date)
    rl_type_error(L, site, &(rl_path){.key = "t"}, 2, "a date, as the times of the series are");
  if (ria_series_is_local(s) && ria_date_has_zone(lua_tostring(L, 2)))
    rl_fail(L, site, NULL,
            "t = '%s' says its zone, and the dates of the series say none: leave it out, or give "
            "ria.series the zone of its dates",
            lua_tostring(L, 2));
  rl_try(L, site, NULL, ria_parse_date(rl_context(L), lua_tostring(L, 2), 0.0, &t));
  return t;
}

/* Of a series with dates, dates: in UTC, or by the clocks that its own are by. */
static void push_series_time(lua_State *L, const ria_series *s, double t) {
  char text[48];
  if (!ria_series_has_dates(s) || !isfinite(t)) {
    lua_pushnumber(L, t);
    return;
  }
  ria_format_date(t, 0.0, 0, text, sizeof text);
  lua_pushlstring(L, text, strcspn(text, ria_series_is_local(s) ? "Z" : ""));
}

/* A tide whose phases want dates has no level at a time that is not one. */
static void check_relative(lua_State *L, const ria_series *s, const rl_site *site) {
  const ria_phases phases = ria_series_phases(s);
  if (phases == RIA_PHASES_GREENWICH || phases == RIA_PHASES_LOCAL)
    rl_fail(L, site, NULL,
            "the phases of the tide are %s, and times from t = 0 are no dates: "
            "ria.tide_predict(set, dates) gives levels",
            phases == RIA_PHASES_LOCAL ? "local" : "those at Greenwich");
}

static int series_at(lua_State *L) {
  rl_site site;
  rl_here(L, "series:at", 1, &site);
  const ria_series *s = check_series(L, &site);
  check_relative(L, s, &site);
  lua_pushnumber(L, ria_series_at(s, series_time(L, s, &site)));
  return 1;
}

static int series_span(lua_State *L) {
  rl_site site;
  rl_here(L, "series:span", 1, &site);
  double t0, t1;
  const ria_series *s = check_series(L, &site);
  ria_series_span(s, &t0, &t1);
  push_series_time(L, s, t0);
  push_series_time(L, s, t1);
  return 2;
}

/* --- tables of points ------------------------------------------------------------------------- */

/* Item k of a pair, a number as `key` says: its unit alone counts, not its range. */
double rl_read_item(lua_State *L, int pair, int k, const rl_key *key, const rl_site *site,
                    const rl_path *path) {
  rl_path item = {.up = path, .index = k};
  rl_key number = {.type = RL_NUMBER, .dim = key->dim, .measure = key->measure, .unit = key->unit};
  double value = 0.0;
  lua_rawgeti(L, pair, k);
  rl_read(L, -1, &number, site, &item, &value);
  lua_pop(L, 1);
  return value;
}

/* What the dates of a table have in common. */
typedef struct date_kind {
  bool dates, plain; /* plain: they say no zone */
  const char *zone;  /* of those that say none; NULL = the run's */
} date_kind;

/* Item 1 of a point: a time or, as the first of the table shows, a date. */
static double read_when(lua_State *L, int pair, bool first, date_kind *kind, const rl_site *site,
                        const rl_path *point) {
  double t = 0.0, zone = 0.0;
  lua_rawgeti(L, pair, 1);
  const bool date = rl_is_date(L, -1);
  const char *text = date ? lua_tostring(L, -1) : NULL;
  const bool plain = date && !ria_date_has_zone(text);
  if (!first && date != kind->dates)
    rl_fail(L, site, point, "%s: times and dates are mixed", rl_push_path(L, point));
  if (kind->zone) rl_try(L, site, point, ria_parse_zone(rl_context(L), kind->zone, &zone));
  if (!first && plain != kind->plain && !(kind->zone && zone == 0.0))
    rl_fail(L, site, point, "%s: some dates say their zone and others do not: write it for all",
            rl_push_path(L, point));
  kind->dates = date;
  kind->plain = plain;
  if (date) rl_try(L, site, point, ria_parse_date(rl_context(L), text, zone, &t));
  lua_pop(L, 1);
  return date ? t : rl_read_item(L, pair, 1, &(rl_key){.dim = RIA_DIM_TIME}, site, point);
}

static void check_order(lua_State *L, const double *t, size_t k, bool dates, const rl_site *site,
                        const rl_path *point) {
  if (!k || t[k] > t[k - 1]) return;
  if (dates)
    rl_fail(L, site, point, "the dates must grow: that of point %zu is not after the one before",
            k + 1);
  rl_fail(L, site, point, "the times must grow: point %zu is at t = %g s, the one before at %g s",
          k + 1, t[k], t[k - 1]);
}

/* The points of the list at idx into *desc; the arrays are pushed. zone: of dates that say none. */
static void read_points(lua_State *L, int idx, const rl_key *key, const rl_site *site,
                        const rl_path *path, const char *zone, ria_table_desc *desc) {
  date_kind kind = {.zone = zone};
  size_t n = (size_t)lua_rawlen(L, idx);
  double *t = lua_newuserdatauv(L, 2 * (n + 1) * sizeof *t, 0), *v = t + n + 1;
  for (size_t k = 0; k < n; k++) {
    rl_path point = {.up = path, .index = (lua_Integer)k + 1};
    lua_rawgeti(L, idx, (lua_Integer)k + 1);
    int pair = lua_gettop(L);
    if (lua_type(L, pair) != LUA_TTABLE || lua_rawlen(L, pair) != 2)
      rl_type_error(L, site, &point, pair, "a point {t, value}");
    t[k] = key->curve ? rl_read_item(L, pair, 1, &(rl_key){.dim = key->curve}, site, &point)
                      : read_when(L, pair, k == 0, &kind, site, &point);
    v[k] = rl_read_item(L, pair, 2, key, site, &point);
    if (key->curve && k && !(t[k] > t[k - 1]))
      rl_fail(L, site, &point, "%s: the first number of each point must grow: %g is not above %g",
              rl_push_path(L, &point), t[k], t[k - 1]);
    check_order(L, t, k, kind.dates, site, &point);
    lua_pop(L, 1);
  }
  if (zone && !kind.dates)
    rl_fail(L, site, &(rl_path){.key = "zone"}, "the times are no dates: zone does not apply");
  desc->dates = kind.dates;
  desc->local = kind.dates && kind.plain && !zone;
  desc->t = t;
  desc->v = v;
  desc->n = n;
}

/* As the key wants it: in a tracer's unit a copy, which is pushed. */
static const ria_series *take_series(lua_State *L, const ria_series *given, const rl_key *key,
                                     const rl_site *site, const rl_path *path) {
  const ria_series_use use = {.times = key->curve ? (ria_dim)key->curve : RIA_DIM_TIME,
                              .dim = (ria_dim)key->dim,
                              .measure = key->measure,
                              .unit = key->unit};
  if (!given) return NULL;
  rl_series *s = rl_new_series(L);
  if (ria_series_take(rl_context(L), given, &use, &s->series) != RIA_OK)
    rl_fail(L, site, path, "%s%s%s", rl_push_path(L, path), path ? ": " : "",
            ria_error(rl_context(L)));
  return s->series ? s->series : given;
}

const ria_series *rl_to_series(lua_State *L, int idx, const rl_key *key, const rl_site *site,
                               const rl_path *path) {
  idx = lua_absindex(L, idx);
  const rl_series *given = luaL_testudata(L, idx, RL_SERIES);
  if (given) return take_series(L, given->series, key, site, path);
  if (lua_type(L, idx) != LUA_TTABLE) return NULL;
  ria_table_desc desc = {0};
  if (lua_rawlen(L, idx) == 0)
    rl_type_error(L, site, path, idx, "a number, a series, or a table {{t, value}, ...}");
  read_points(L, idx, key, site, path, NULL, &desc);
  rl_series *s = rl_new_series(L);
  rl_try(L, site, path, ria_series_table(rl_context(L), &desc, &s->series));
  return s->series;
}

/* --- ria.series ------------------------------------------------------------------------------- */

static ria_csv_desc csv_desc(const series_args *a) {
  return (ria_csv_desc){.path = a->path,
                        .column = a->column,
                        .epoch = a->epoch,
                        .zone = a->zone,
                        .unit = a->unit,
                        .fill_gaps = a->fill_gaps,
                        .time_unit = a->time_unit,
                        .interp = (ria_interp)a->interp,
                        .hold = a->hold,
                        .ramp = a->ramp,
                        .scale = a->scale,
                        .offset = a->offset,
                        .layout = {a->skip, !a->header, a->units}};
}

ria_csv_desc rl_read_columns(lua_State *L, const rl_site *site) {
  series_args a = {.header = true};
  if (lua_type(L, 1) == LUA_TSTRING)
    a.path = lua_tostring(L, 1);
  else
    rl_read_table(L, 1, &rl_columns_info, site, NULL, &a);
  if (!a.path) rl_fail(L, site, NULL, "missing key 'path': the CSV file whose columns are series");
  return csv_desc(&a);
}

void rl_push_csv_series(lua_State *L, const ria_csv_desc *desc, const rl_site *site) {
  rl_series *s = rl_new_series(L);
  rl_try(L, site, &(rl_path){.key = "path"}, ria_series_csv(rl_context(L), desc, &s->series));
}

static int series_from_file(lua_State *L, const series_args *a, const rl_site *site) {
  const ria_csv_desc desc = csv_desc(a);
  rl_push_csv_series(L, &desc, site);
  return 1;
}

static int module_series(lua_State *L) {
  rl_site site;
  series_args a = {.header = true};
  rl_here(L, "ria.series", 1, &site);
  if (lua_type(L, 1) == LUA_TSTRING) {
    a.path = lua_tostring(L, 1);
    return series_from_file(L, &a, &site);
  }
  rl_read_table(L, 1, &rl_series_info, &site, NULL, &a);
  bool points = lua_rawlen(L, 1) > 0;
  if (points == (a.path != NULL))
    rl_fail(L, &site, NULL, "needs either a path or points {t, value}%s",
            points ? ", not both" : "");
  if (a.path) return series_from_file(L, &a, &site);
  if (a.column || a.epoch || a.fill_gaps || a.time_unit > 0.0 || a.skip || !a.header || a.units ||
      a.unit)
    rl_fail(L, &site, NULL,
            "column, epoch, fill_gaps, time_unit, skip, header, units and unit go with a path");
  ria_table_desc desc = {.interp = (ria_interp)a.interp,
                         .hold = a.hold,
                         .ramp = a.ramp,
                         .scale = a.scale,
                         .offset = a.offset};
  read_points(L, 1, &(rl_key){.dim = RIA_DIM_NONE}, &site, NULL, a.zone, &desc);
  rl_series *s = rl_new_series(L);
  rl_try(L, &site, NULL, ria_series_table(rl_context(L), &desc, &s->series));
  return 1;
}

/* --- descriptions ----------------------------------------------------------------------------- */

static int module_inflow(lua_State *L) {
  rl_site site;
  rl_here(L, "ria.inflow", 1, &site);
  if (lua_type(L, 1) != LUA_TTABLE)
    rl_type_error(L, &site, &(rl_path){.key = "inflow"}, 1,
                  "a table { from = {x, y}, to = {x, y}, q = ... }");
  rl_push_desc(L, RL_INFLOW, 1, &site);
  return 1;
}

const luaL_Reg rl_forcing_functions[] = {
    {"series", module_series}, {"inflow", module_inflow}, {NULL, NULL}};

int rl_open_series(lua_State *L) {
  static const luaL_Reg meta[] = {{"__gc", series_gc}, {NULL, NULL}};
  static const luaL_Reg methods[] = {{"at", series_at}, {"span", series_span}, {NULL, NULL}};
  rl_new_class(L, RL_SERIES, meta, methods);
  luaL_getmetatable(L, RL_SERIES);
  rl_strict_index(L, "series", ":");
  lua_pop(L, 1);
  return 0;
}
