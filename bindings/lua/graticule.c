/* graticule.c - how frames and pictures are asked for lines of longitude and latitude. */
#include "binding.h"

/* Degrees in "2 deg", "10'", "30\""; false: they are none. */
static bool degrees_of(const char *text, double *out) {
  static const struct {
    const char *mark;
    double parts;
  } marks[] = {{"\u00b0", 1}, {"deg", 1},   {"'", 60},        {"\u2032", 60}, {"min", 60},
               {"\"", 3600},  {"''", 3600}, {"\u2033", 3600}, {"s", 3600}};
  char *end;
  const double v = strtod(text, &end);
  if (end == text) return false;
  end += strspn(end, " ");
  for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
    if (strcmp(end, marks[k].mark) == 0) return *out = v / marks[k].parts, true;
  return false;
}

bool rl_read_graticule(lua_State *L, int idx, const rl_site *site, double *step) {
  const rl_path path = {.key = "graticule"};
  const int type = lua_getfield(L, idx, "graticule");
  const bool wanted = lua_toboolean(L, -1);
  switch (type) {
  case LUA_TNIL:
  case LUA_TBOOLEAN:
    lua_pop(L, 1);
    return wanted;
  case LUA_TNUMBER:
    *step = lua_tonumber(L, -1);
    break;
  default:
    if (lua_type(L, -1) != LUA_TSTRING || !degrees_of(lua_tostring(L, -1), step))
      rl_type_error(L, site, &path, -1, "true, or degrees: 0.5, \"2\u00b0\", \"10'\", \"30\\\"\"");
  }
  if (!(*step > 0.0 && *step <= 90.0))
    rl_fail(L, site, &path, "graticule = %g degrees is out of range: above 0, to 90", *step);
  lua_pop(L, 1);
  return true;
}
