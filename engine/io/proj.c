/* io/proj.c - PROJ, where it is found at run time.
 *
 * The few functions that are called are declared here, as PROJ 6.1 and later have them. The library
 * stays loaded until the process ends, each call makes a context of its own, and nothing is printed
 * or kept. */
#include "io/proj.h"
#include "base/text.h"
#include "io/access.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Types that PROJ keeps to itself. */
typedef struct proj_context proj_context;
typedef struct proj_object proj_object;

enum { FORWARD = 1, SILENT = 0 };

typedef struct proj_api {
  proj_context *(*context_create)(void);
  proj_context *(*context_destroy)(proj_context *);
  int (*log_level)(proj_context *, int);
  int (*context_errno)(proj_context *);
  const char *(*errno_string)(int);
  proj_object *(*create)(proj_context *, const char *);
  proj_object *(*destroy)(proj_object *);
  const char *(*get_name)(const proj_object *);
  proj_object *(*crs_get_sub_crs)(proj_context *, const proj_object *, int);
  proj_object *(*crs_get_coordinate_system)(proj_context *, const proj_object *);
  int (*cs_get_axis_count)(proj_context *, const proj_object *);
  int (*cs_get_axis_info)(proj_context *, const proj_object *, int, const char **, const char **,
                          const char **, double *, const char **, const char **, const char **);
  proj_object *(*create_crs_to_crs)(proj_context *, const char *, const char *, void *);
  proj_object *(*normalize_for_visualization)(proj_context *, const proj_object *);
  size_t (*trans_generic)(proj_object *, int, double *, size_t, size_t, double *, size_t, size_t,
                          double *, size_t, size_t, double *, size_t, size_t);
  proj_context *context;
} proj_api;

#define SYMBOL(f)                                                                                  \
  { "proj_" #f, offsetof(proj_api, f) }
static const struct {
  const char *name;
  size_t place;
} symbols[] = {SYMBOL(context_create),    SYMBOL(context_destroy),
               SYMBOL(log_level),         SYMBOL(context_errno),
               SYMBOL(errno_string),      SYMBOL(create),
               SYMBOL(destroy),           SYMBOL(get_name),
               SYMBOL(crs_get_sub_crs),   SYMBOL(crs_get_coordinate_system),
               SYMBOL(cs_get_axis_count), SYMBOL(cs_get_axis_info),
               SYMBOL(create_crs_to_crs), SYMBOL(normalize_for_visualization),
               SYMBOL(trans_generic)};

/* --- the library ------------------------------------------------------------------------------ */

static void *load(char *why, size_t size) {
  static const char *const files[] = {"libproj.so.25", "libproj.so.22", "libproj.so.19",
                                      "libproj.so.15", "libproj.so"};
  const char *named = getenv("RIA_PROJ");
  if (named && strcmp(named, "none") == 0) {
    snprintf(why, size, "RIA_PROJ is none");
    return NULL;
  }
  if (named && *named) {
    void *lib = dlopen(named, RTLD_NOW | RTLD_NODELETE);
    if (!lib) snprintf(why, size, "RIA_PROJ=%s cannot be loaded", named);
    return lib;
  }
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    void *lib = dlopen(files[k], RTLD_NOW | RTLD_NODELETE);
    if (lib) return lib;
  }
  snprintf(why, size, "libproj is not found");
  return NULL;
}

static bool open_proj(proj_api *p, char *why, size_t size) {
  void *lib = load(why, size);
  if (!lib) return false;
  for (size_t k = 0; k < sizeof symbols / sizeof *symbols; k++) {
    void *symbol = dlsym(lib, symbols[k].name);
    if (!symbol)
      snprintf(why, size, "libproj has no %s: ria takes PROJ 6.1 or later", symbols[k].name);
    if (!symbol) return dlclose(lib), false;
    memcpy((char *)p + symbols[k].place, &symbol, sizeof symbol);
  }
  dlclose(lib);
  p->context = p->context_create();
  if (!p->context) snprintf(why, size, "libproj has no memory");
  if (p->context) p->log_level(p->context, SILENT);
  return p->context;
}

static ria_status fail_open(ria_context *ctx, const char *why) {
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "PROJ cannot be used: %s", why);
}

bool ria_proj_there(char *why, size_t size) {
  proj_api p;
  if (!open_proj(&p, why, size)) return false;
  p.context_destroy(p.context);
  return true;
}

ria_status ria_proj_check_limited(ria_context *ctx, const char *crs) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
  const size_t n = strspn(crs, letters);
  const bool code =
      n && crs[n] == ':' && crs[n + 1] && strspn(crs + n + 1, "0123456789") == strlen(crs + n + 1);
  if (code || !ria_is_limited(ctx)) return RIA_OK;
  return ria_limit_refuse(ctx,
                          "crs '%.60s' is for PROJ, which opens whatever it names: within limits "
                          "write 'EPSG:n'",
                          crs);
}

/* --- one system ------------------------------------------------------------------------------- */

/* The horizontal part of a compound system. */
static proj_object *axes_of(const proj_api *p, const proj_object *crs) {
  proj_object *cs = p->crs_get_coordinate_system(p->context, crs);
  if (cs) return cs;
  proj_object *part = p->crs_get_sub_crs(p->context, crs, 0);
  if (!part) return NULL;
  cs = p->crs_get_coordinate_system(p->context, part);
  p->destroy(part);
  return cs;
}

static ria_status look(ria_context *ctx, const proj_api *p, const char *crs, proj_object *made,
                       bool *degrees, double *unit_size) {
  const char *direction = NULL, *unit = NULL;
  double factor = 0.0;
  proj_object *cs = axes_of(p, made);
  const bool two =
      cs && p->cs_get_axis_count(p->context, cs) >= 2 &&
      p->cs_get_axis_info(p->context, cs, 0, NULL, NULL, &direction, &factor, &unit, NULL, NULL) &&
      direction && strncmp(direction, "geocentric", 10) != 0;
  ria_status s = RIA_OK;
  *unit_size = two ? factor : 0.0;
  *degrees = two && fabs(factor - 0.017453292519943295) < 1e-12;
  if (!two)
    s = ria_fail(ctx, RIA_ERR_ARGUMENT, "%.60s is no system of two horizontal axes", crs);
  else if (!*degrees && factor != 1.0)
    s = ria_fail(ctx, RIA_ERR_ARGUMENT,
                 "%.60s counts in %s, and ria in metres (or degrees of longitude and latitude): "
                 "take a system in metres",
                 crs, unit ? unit : "other units");
  if (cs) p->destroy(cs);
  return s;
}

ria_status ria_proj_look(ria_context *ctx, const char *crs, bool *degrees, double *unit,
                         char name[RIA_PROJ_NAME]) {
  char why[256] = "";
  proj_api p;
  *unit = 0.0;
  RIA_TRY(ria_proj_check_limited(ctx, crs));
  if (!open_proj(&p, why, sizeof why)) return fail_open(ctx, why);
  proj_object *made = p.create(p.context, crs);
  ria_status s = RIA_OK;
  if (made) {
    const char *called = p.get_name(made);
    snprintf(name, RIA_PROJ_NAME, "%s", called && *called ? called : crs);
    s = look(ctx, &p, crs, made, degrees, unit);
    p.destroy(made);
  } else {
    s = ria_fail(ctx, RIA_ERR_ARGUMENT,
                 "crs '%.60s' is known neither to ria nor to PROJ: write 'EPSG:n', or WKT", crs);
  }
  p.context_destroy(p.context);
  return s;
}

/* --- from one to another ---------------------------------------------------------------------- */

static proj_object *between(const proj_api *p, const char *from, const char *to) {
  proj_object *raw = p->create_crs_to_crs(p->context, from, to, NULL);
  if (!raw) return NULL;
  proj_object *way = p->normalize_for_visualization(p->context, raw);
  p->destroy(raw);
  return way;
}

ria_status ria_proj_convert(ria_context *ctx, const char *from, const char *to, size_t n, double *x,
                            double *y) {
  char why[256] = "";
  proj_api p;
  RIA_TRY(ria_proj_check_limited(ctx, from));
  RIA_TRY(ria_proj_check_limited(ctx, to));
  if (!open_proj(&p, why, sizeof why)) return fail_open(ctx, why);
  proj_object *way = between(&p, from, to);
  ria_status s = RIA_OK;
  if (way) {
    p.trans_generic(way, FORWARD, x, sizeof *x, n, y, sizeof *y, n, NULL, 0, 0, NULL, 0, 0);
    for (size_t k = 0; k < n; k++)
      if (!isfinite(x[k]) || !isfinite(y[k])) x[k] = y[k] = NAN;
    p.destroy(way);
  } else {
    const char *told = p.errno_string(p.context_errno(p.context));
    s = ria_fail(ctx, RIA_ERR_ARGUMENT, "PROJ has no way from %.60s to %.60s: %s", from, to,
                 told ? told : "no reason was given");
  }
  p.context_destroy(p.context);
  return s;
}
