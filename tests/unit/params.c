/* A parameter struct filled from its table; the exact text of every error. */
#include "core/params.h"

#include <ria/units.h>

#include "test.h"

#include <stddef.h>

typedef struct sample {
  int method; /* not in the order of the table, with gaps: only the offsets count */
  double cfl, manning, depth, drift;
  int order, adapt;
  double angle;
} sample;

static const char *const methods[] = {"roe", "hll", "rusanov", NULL};
#define AT(member) offsetof(sample, member)
static const ria_param_info table[] = {
    {"cfl", "", RIA_REAL, 0.9, 0.05, 1.0, NULL, "", AT(cfl), RIA_DIM_NONE},
    {"manning", "s/m^(1/3)", RIA_REAL, 0.025, 0, 1, NULL, "", AT(manning), RIA_DIM_MANNING},
    {"depth", "m", RIA_REAL, 1e-3, 0, INFINITY, NULL, "", AT(depth), RIA_DIM_LENGTH},
    {"drift", "m/s", RIA_REAL, 0, 0, 0, NULL, "", AT(drift), RIA_DIM_SPEED}, /* any */
    {"angle", "deg", RIA_REAL, 0, -INFINITY, 90, NULL, "", AT(angle), RIA_DIM_ANGLE},
    {"order", "", RIA_INT, 2, 1, 4, NULL, "", AT(order), RIA_DIM_NONE},
    {"adapt", "", RIA_BOOL, 1, 0, 0, NULL, "", AT(adapt), RIA_DIM_NONE},
    {"method", "", RIA_CHOICE, 1, 0, 0, methods, "", AT(method), RIA_DIM_NONE},
    {0}};
static const ria_param_info nothing[] = {{0}};

static ria_context *ctx;

static void test_defaults(void) {
  sample p;
  memset(&p, 0x5A, sizeof p);
  CHECK_OK(ctx, ria_params_fill(ctx, "wave", table, NULL, 0, &p));
  CHECK(p.cfl == 0.9 && p.manning == 0.025 && p.depth == 1e-3 && p.drift == 0 && p.angle == 0);
  CHECK(p.order == 2 && p.adapt == 1 && p.method == 1);
  sample q = p;
  CHECK_OK(ctx, ria_params_fill(ctx, "none", nothing, NULL, 0, &q));
  CHECK_OK(ctx, ria_params_fill(ctx, "none", NULL, NULL, 0, &q));
  CHECK(q.cfl == p.cfl);
}

static void test_settings(void) {
  sample p;
  const ria_setting settings[] = {{"cfl", 0.5, NULL},       {"manning", 0, "0.03 s/m^(1/3)"},
                                  {"depth", 0, "2 cm"},     {"drift", 0, "-36 km/h"},
                                  {"order", 3, NULL},       {"adapt", 0, "off"},
                                  {"method", 0, "rusanov"}, {"angle", -1e9, NULL},
                                  {"cfl", 0, "80 %"}};
  CHECK_OK(ctx,
           ria_params_fill(ctx, "wave", table, settings, sizeof settings / sizeof *settings, &p));
  CHECK(p.cfl == 0.8); /* the later one */
  CHECK(p.manning == 0.03 && p.depth == 0.02 && p.drift == -10 && p.angle == -1e9);
  CHECK(p.order == 3 && p.adapt == 0 && p.method == 2);
  CHECK_OK(ctx, ria_params_set(ctx, "wave", table, &(ria_setting){"order", 0, "4"}, &p));
  CHECK_OK(ctx, ria_params_set(ctx, "wave", table, &(ria_setting){"method", 0, NULL}, &p));
  CHECK_OK(ctx, ria_params_set(ctx, "wave", table, &(ria_setting){"adapt", 1, NULL}, &p));
  CHECK(p.order == 4 && p.adapt == 1 && p.method == 0);
  CHECK_OK(ctx, ria_params_set(ctx, "wave", table, &(ria_setting){"cfl", 1.0, NULL}, &p));
  CHECK_OK(ctx, ria_params_set(ctx, "wave", table, &(ria_setting){"cfl", 0.05, NULL}, &p));
}

static void test_bools(void) {
  static const char *const yes[] = {"yes", "true", "on", "1"};
  static const char *const no[] = {"no", "false", "off", "0"};
  for (int k = 0; k < 4; k++) {
    sample p = {.adapt = 7};
    CHECK_OK(ctx, ria_params_set(ctx, "wave", table, &(ria_setting){"adapt", 0, yes[k]}, &p));
    CHECK_INT(p.adapt, 1);
    CHECK_OK(ctx, ria_params_set(ctx, "wave", table, &(ria_setting){"adapt", 1, no[k]}, &p));
    CHECK_INT(p.adapt, 0);
  }
}

static void bad(const char *name, double number, const char *text, const char *message) {
  sample p, before;
  memset(&p, 0, sizeof p);
  memset(&before, 0, sizeof before);
  ria_setting setting = {name, number, text};
  CHECK_FAILS(ctx, ria_params_set(ctx, "wave", table, &setting, &p), RIA_ERR_ARGUMENT, message);
  CHECK(memcmp(&p, &before, sizeof p) == 0); /* untouched */
}

static void test_errors(void) {
  bad("manninh", 1, NULL, "unknown parameter 'manninh' of wave: did you mean 'manning'?");
  bad("Manning", 1, NULL, "unknown parameter 'Manning' of wave: did you mean 'manning'?");
  bad("wind", 1, NULL,
      "unknown parameter 'wind' of wave: it has cfl, manning, depth, drift, angle, order, adapt, "
      "method");
  bad(NULL, 1, NULL, "a parameter of wave has no name");
  bad("manning", 2, NULL,
      "parameter 'manning' of wave is 2 s/m^(1/3): it must be between 0 and 1 s/m^(1/3)");
  bad("cfl", 0, "1.2", "parameter 'cfl' of wave is 1.2: it must be between 0.05 and 1");
  bad("depth", 0, "-1 mm", "parameter 'depth' of wave is -0.001 m: it must be at least 0 m");
  bad("angle", 91, NULL, "parameter 'angle' of wave is 91 deg: it must be at most 90 deg");
  bad("drift", NAN, NULL, "parameter 'drift' of wave is nan: it must be a finite number");
  bad("depth", INFINITY, NULL, "parameter 'depth' of wave is inf: it must be a finite number");
  bad("order", 2.5, NULL, "parameter 'order' of wave is 2.5: it must be a whole number");
  bad("order", 5, NULL, "parameter 'order' of wave is 5: it must be between 1 and 4");
  bad("adapt", 2, NULL, "parameter 'adapt' of wave is 2: expected yes or no");
  bad("adapt", 0, "maybe", "parameter 'adapt' of wave is 'maybe': expected yes or no");
  bad("method", 0, "hlll",
      "parameter 'method' of wave is 'hlll': did you mean 'hll'? The choices are roe, hll, "
      "rusanov");
  bad("method", 0, "godunov",
      "parameter 'method' of wave is 'godunov': the choices are roe, hll, rusanov");
  bad("method", 3, NULL, "parameter 'method' of wave is '3': the choices are roe, hll, rusanov");
  bad("method", 0.5, NULL,
      "parameter 'method' of wave is '0.5': the choices are roe, hll, rusanov");
  bad("depth", 0, "3 kg",
      "parameter 'depth' of wave: 'kg' in '3 kg' is a unit of mass: expected a length (mm, cm, m, "
      "km, ft, nmi, mi)");
  CHECK_FAILS(ctx, ria_params_set(ctx, "none", nothing, &(ria_setting){"cfl", 1, NULL}, NULL),
              RIA_ERR_ARGUMENT, "unknown parameter 'cfl': none has none");
}

static void test_big_ints(void) {
  static const ria_param_info big[] = {
      {"n", "", RIA_INT, 0, -INFINITY, INFINITY, NULL, "", 0, RIA_DIM_NONE}, {0}};
  int n = 1;
  CHECK_OK(ctx, ria_params_set(ctx, "wave", big, &(ria_setting){"n", 2147483647, NULL}, &n));
  CHECK_INT(n, 2147483647);
  CHECK_FAILS(ctx, ria_params_set(ctx, "wave", big, &(ria_setting){"n", 2147483648, NULL}, &n),
              RIA_ERR_ARGUMENT,
              "parameter 'n' of wave is 2147483648: it must be a whole number of at most 9 digits");
}

static void test_get(void) {
  sample p;
  double v;
  ria_params_default(table, &p);
  CHECK_OK(ctx, ria_params_get(ctx, "wave", table, &p, "cfl", &v));
  CHECK(v == 0.9);
  CHECK_OK(ctx, ria_params_get(ctx, "wave", table, &p, "method", &v));
  CHECK(v == 1);
  CHECK_OK(ctx, ria_params_get(ctx, "wave", table, &p, "order", &v));
  CHECK(v == 2);
  CHECK_FAILS(ctx, ria_params_get(ctx, "wave", table, &p, "ordr", &v), RIA_ERR_ARGUMENT,
              "unknown parameter 'ordr' of wave: did you mean 'order'?");
  CHECK_STATUS(ctx, ria_params_get(ctx, "wave", table, &p, NULL, &v), RIA_ERR_ARGUMENT);
  CHECK(ria_param_find(table, "drift") == &table[3]);
  CHECK(ria_param_find(table, "none") == NULL);
}

int main(void) {
  if (!CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx)))
    return TEST_END();
  test_defaults();
  test_settings();
  test_bools();
  test_errors();
  test_big_ints();
  test_get();
  ria_context_destroy(&ctx);
  return TEST_END();
}
