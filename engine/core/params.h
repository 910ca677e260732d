/* core/params.h - a solver's parameter struct, filled from its table.
 *
 * The table (ria_param_info in ria/sim.h) names every parameter with its type, range and place in
 * the solver's struct; it ends at the first entry whose name is NULL. All that knows about
 * parameters reads it, so a new parameter is one line. How values lie in the struct, at `offset`:
 * RIA_REAL and RIA_VARYING a double; RIA_INT, RIA_BOOL (0 or 1) and RIA_CHOICE (the index) an int.
 *
 * A number without a range (unbounded above, say) has INFINITY in its table entry; min == max means
 * that any finite number will do. Boolean and choice entries ignore min and max. */
#ifndef RIA_CORE_PARAMS_H
#define RIA_CORE_PARAMS_H
#include <ria/sim.h>

/* The entry of a name, or NULL. */
const ria_param_info *ria_param_find(const ria_param_info *table, const char *name);

/* Set every parameter of the struct to its default. */
void ria_params_default(const ria_param_info *table, void *params);

/* Defaults, then the settings in order: a later one of the same name replaces an earlier one.
 * owner is the solver's name, for messages. RIA_ERR_ARGUMENT on an unknown name, a value that
 * cannot be read, or one out of range; the struct is then not to be used. */
ria_status ria_params_fill(ria_context *ctx, const char *owner, const ria_param_info *table,
                           const ria_setting *settings, size_t n, void *params);

/* Set one parameter of a struct that has been filled; unchanged on failure. */
ria_status ria_params_set(ria_context *ctx, const char *owner, const ria_param_info *table,
                          const ria_setting *setting, void *params);

/* May a parameter (RIA_REAL, RIA_VARYING) have the value? RIA_ERR_ARGUMENT if it is out of range.
 */
ria_status ria_param_check(ria_context *ctx, const char *owner, const ria_param_info *info,
                           double v);

/* The value of a parameter as a number: choices as index, booleans as 0 or 1. */
double ria_param_value(const ria_param_info *info, const void *params);
/* The same by name; an unknown one is RIA_ERR_ARGUMENT with the nearest. */
ria_status ria_params_get(ria_context *ctx, const char *owner, const ria_param_info *table,
                          const void *params, const char *name, double *out);

#endif
