/* tridiag.c - tridiagonal systems along the rows or columns of fields. */
#include "binding.h"

#include <string.h>

typedef struct tridiag_args {
  int along; /* ria_along */
} tridiag_args;

static const char *const along_choices[] = {"x", "y", NULL};
#define COEFFICIENT "number | function(x, y) | field"
static const rl_key tridiag_keys[] = {
    {"lower", RL_ANY, .flags = RL_REQUIRED, .shape = COEFFICIENT,
     .doc = "coefficient of the unknown before; ignored at the start of a line"},
    {"diag", RL_ANY, .flags = RL_REQUIRED, .shape = COEFFICIENT,
     .doc = "coefficient of the unknown itself"},
    {"upper", RL_ANY, .flags = RL_REQUIRED, .shape = COEFFICIENT,
     .doc = "coefficient of the next unknown; ignored at the end of a line"},
    {"rhs", RL_ANY, .flags = RL_REQUIRED, .shape = "field",
     .doc = "right-hand sides; they give the grid"},
    {"along", RL_CHOICE, 0, offsetof(tridiag_args, along), RL_REQUIRED, .choices = along_choices,
     .doc = "x: each row is a system; y: each column"},
    {0}};
#undef COEFFICIENT
const rl_table_info rl_tridiag_info = {.keys = tridiag_keys};

static const double *coefficient(lua_State *L, const char *name, const ria_grid *grid,
                                 const rl_site *site) {
  lua_getfield(L, 1, name);
  const rl_key number = {.type = RL_NUMBER, .dim = RIA_DIM_NONE};
  return rl_sample(L, -1, grid, &number, site, &(rl_path){.key = name});
}

static int module_tridiag(lua_State *L) {
  rl_site site;
  tridiag_args a = {0};
  rl_here(L, "ria.tridiag", 1, &site);
  rl_read_table(L, 1, &rl_tridiag_info, &site, NULL, &a);
  lua_getfield(L, 1, "rhs");
  const ria_raster *rhs = rl_test_field(L, -1);
  if (!rhs) rl_type_error(L, &site, &(rl_path){.key = "rhs"}, -1, "a field");
  const ria_grid *g = &rhs->grid;
  rl_field *x = rl_new_field(L);
  const int result = lua_gettop(L);
  rl_try(L, &site, NULL, ria_raster_create(rl_context(L), g, &x->raster));
  const ria_tridiag_desc desc = {.nx = g->nx,
                                 .ny = g->ny,
                                 .along = (ria_along)a.along,
                                 .real = RIA_F64,
                                 .lower = coefficient(L, "lower", g, &site),
                                 .diag = coefficient(L, "diag", g, &site),
                                 .upper = coefficient(L, "upper", g, &site),
                                 .rhs = rhs->data,
                                 .x = x->raster->data};
  rl_try(L, &site, NULL, ria_tridiag_solve(rl_context(L), &desc));
  lua_settop(L, result);
  return 1;
}

const luaL_Reg rl_tridiag_functions[] = {{"tridiag", module_tridiag}, {NULL, NULL}};
