/* core/params.c - a solver's parameter struct, filled from its table.
 *
 * A setting is first turned into a number: text is read by the type of its entry (a quantity with
 * units, a yes or no, one of the choices), then the number is checked against the entry and stored.
 * So numbers and text go through the same checks. */
#include "core/params.h"

#include "base/text.h"

#include <ria/units.h>

#include <limits.h>
#include <math.h>
#include <string.h>

/* What a message is about: one parameter of one solver. */
typedef struct subject {
  ria_context *ctx;
  const char *owner;
  const ria_param_info *info;
} subject;

/* --- reading and writing the struct ----------------------------------------------------------- */

static bool is_real(const ria_param_info *info) {
  return info->type == RIA_REAL || info->type == RIA_VARYING;
}

static void store(const ria_param_info *info, void *params, double v) {
  char *at = (char *)params + info->offset;
  int whole = is_real(info) ? 0 : (int)v;
  if (is_real(info))
    memcpy(at, &v, sizeof v);
  else
    memcpy(at, &whole, sizeof whole);
}

double ria_param_value(const ria_param_info *info, const void *params) {
  const char *at = (const char *)params + info->offset;
  double v;
  int whole;
  if (is_real(info)) {
    memcpy(&v, at, sizeof v);
    return v;
  }
  memcpy(&whole, at, sizeof whole);
  return whole;
}

void ria_params_default(const ria_param_info *table, void *params) {
  for (const ria_param_info *p = table; p && p->name; p++) store(p, params, p->def);
}

/* --- names ------------------------------------------------------------------------------------ */

const ria_param_info *ria_param_find(const ria_param_info *table, const char *name) {
  for (const ria_param_info *p = table; p && p->name; p++)
    if (strcmp(p->name, name) == 0) return p;
  return NULL;
}

static ria_status unknown_name(ria_context *ctx, const char *owner, const ria_param_info *table,
                               const char *name) {
  if (!name) return ria_fail(ctx, RIA_ERR_ARGUMENT, "a parameter of %s has no name", owner);
  ria_guess guess = ria_guess_start(name);
  for (const ria_param_info *p = table; p && p->name; p++) ria_guess_try(&guess, p->name);
  if (!*guess.known)
    return ria_fail(ctx, RIA_ERR_ARGUMENT, "unknown parameter '%s': %s has none", name, owner);
  return ria_fail_guess(ctx, &guess, ": it has ", "unknown parameter '%s' of %s", name, owner);
}

/* --- from text to number ---------------------------------------------------------------------- */

static size_t count_choices(const ria_param_info *info) {
  size_t n = 0;
  while (info->choices && info->choices[n]) n++;
  return n;
}

static ria_status wrong_choice(const subject *of, const char *text) {
  const ria_param_info *info = of->info;
  ria_guess guess = ria_guess_start(text);
  char hint[80] = "";
  for (size_t k = 0; info->choices && info->choices[k]; k++)
    ria_guess_try(&guess, info->choices[k]);
  if (guess.name) ria_format(hint, sizeof hint, "did you mean '%s'? ", guess.name);
  return ria_fail(of->ctx, RIA_ERR_ARGUMENT, "parameter '%s' of %s is '%s': %s%s %s", info->name,
                  of->owner, text, hint, guess.name ? "The choices are" : "the choices are",
                  guess.known);
}

static ria_status read_choice(const subject *of, const char *text, double *out) {
  const char *const *choices = of->info->choices;
  for (size_t k = 0; choices && choices[k]; k++) {
    if (strcmp(choices[k], text) != 0) continue;
    *out = (double)k;
    return RIA_OK;
  }
  return wrong_choice(of, text);
}

static ria_status read_bool(const subject *of, const char *text, double *out) {
  static const char *const words[] = {"no", "yes", "false", "true", "off", "on", "0", "1"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    if (strcmp(words[k], text) != 0) continue;
    *out = (double)(k % 2);
    return RIA_OK;
  }
  return ria_fail(of->ctx, RIA_ERR_ARGUMENT, "parameter '%s' of %s is '%s': expected yes or no",
                  of->info->name, of->owner, text);
}

static ria_status read_text(const subject *of, const char *text, double *out) {
  if (of->info->type == RIA_CHOICE) return read_choice(of, text, out);
  if (of->info->type == RIA_BOOL) return read_bool(of, text, out);
  ria_status s = ria_parse_quantity(of->ctx, text, (ria_dim)of->info->dim, out);
  if (s == RIA_OK) return s;
  return ria_fail_more(of->ctx, s, "parameter '%s' of %s", of->info->name, of->owner);
}

/* --- checks ----------------------------------------------------------------------------------- */

/* "between 0 and 1 s", "at least 0", "at most 1 m": what an entry allows. */
static void describe_range(const ria_param_info *info, char *buf, size_t size) {
  const char *space = info->unit && *info->unit ? " " : "";
  const char *unit = info->unit ? info->unit : "";
  if (isinf(info->max))
    ria_format(buf, size, "at least %g%s%s", info->min, space, unit);
  else if (isinf(info->min))
    ria_format(buf, size, "at most %g%s%s", info->max, space, unit);
  else
    ria_format(buf, size, "between %g and %g%s%s", info->min, info->max, space, unit);
}

static ria_status out_of_range(const subject *of, double v) {
  const ria_param_info *info = of->info;
  char range[128];
  describe_range(info, range, sizeof range);
  return ria_fail(of->ctx, RIA_ERR_ARGUMENT, "parameter '%s' of %s is %.10g%s%s: it must be %s",
                  info->name, of->owner, v, info->unit && *info->unit ? " " : "",
                  info->unit ? info->unit : "", range);
}

static ria_status check_real(const subject *of, double v) {
  const ria_param_info *info = of->info;
  if (!isfinite(v))
    return ria_fail(of->ctx, RIA_ERR_ARGUMENT,
                    "parameter '%s' of %s is %g: it must be a finite number", info->name, of->owner,
                    v);
  bool ranged = info->min != info->max;
  return ranged && (v < info->min || v > info->max) ? out_of_range(of, v) : RIA_OK;
}

static ria_status check_int(const subject *of, double v) {
  RIA_TRY(check_real(of, v));
  if (v == floor(v) && v >= INT_MIN && v <= INT_MAX) return RIA_OK;
  return ria_fail(of->ctx, RIA_ERR_ARGUMENT,
                  "parameter '%s' of %s is %.10g: it must be a whole number%s", of->info->name,
                  of->owner, v, v == floor(v) ? " of at most 9 digits" : "");
}

static ria_status check_bool(const subject *of, double v) {
  if (v == 0.0 || v == 1.0) return RIA_OK;
  return ria_fail(of->ctx, RIA_ERR_ARGUMENT, "parameter '%s' of %s is %g: expected yes or no",
                  of->info->name, of->owner, v);
}

static ria_status check_choice(const subject *of, double v) {
  if (v >= 0.0 && v == floor(v) && v < (double)count_choices(of->info)) return RIA_OK;
  char text[32];
  ria_format(text, sizeof text, "%g", v);
  return wrong_choice(of, text);
}

static ria_status check(const subject *of, double v) {
  switch (of->info->type) {
  case RIA_REAL:
  case RIA_VARYING:
    return check_real(of, v);
  case RIA_INT:
    return check_int(of, v);
  case RIA_BOOL:
    return check_bool(of, v);
  case RIA_CHOICE:
    return check_choice(of, v);
  }
  return ria_fail(of->ctx, RIA_ERR_ARGUMENT, "parameter '%s' of %s has an unknown type",
                  of->info->name, of->owner);
}

ria_status ria_param_check(ria_context *ctx, const char *owner, const ria_param_info *info,
                           double v) {
  const subject of = {ctx, owner, info};
  return check_real(&of, v);
}

/* --- settings --------------------------------------------------------------------------------- */

ria_status ria_params_set(ria_context *ctx, const char *owner, const ria_param_info *table,
                          const ria_setting *setting, void *params) {
  const ria_param_info *info = setting->name ? ria_param_find(table, setting->name) : NULL;
  if (!info) return unknown_name(ctx, owner, table, setting->name);
  subject of = {ctx, owner, info};
  double v = setting->number;
  if (setting->text) RIA_TRY(read_text(&of, setting->text, &v));
  RIA_TRY(check(&of, v));
  store(info, params, v);
  return RIA_OK;
}

ria_status ria_params_fill(ria_context *ctx, const char *owner, const ria_param_info *table,
                           const ria_setting *settings, size_t n, void *params) {
  ria_params_default(table, params);
  for (size_t k = 0; k < n; k++) RIA_TRY(ria_params_set(ctx, owner, table, &settings[k], params));
  return RIA_OK;
}

ria_status ria_params_get(ria_context *ctx, const char *owner, const ria_param_info *table,
                          const void *params, const char *name, double *out) {
  const ria_param_info *info = name ? ria_param_find(table, name) : NULL;
  if (!info) return unknown_name(ctx, owner, table, name);
  *out = ria_param_value(info, params);
  return RIA_OK;
}
