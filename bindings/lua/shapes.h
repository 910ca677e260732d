/* shapes.h - shapes in the binding: shapes*.c and what takes shapes. */
#ifndef RIA_LUA_SHAPES_H
#define RIA_LUA_SHAPES_H
#include "binding.h"

extern const rl_table_info rl_shapes_info, rl_raise_info, rl_dig_info, rl_paint_info, rl_mask_info,
    rl_share_info;

#define RL_SHAPES "ria.shapes"
typedef struct rl_shapes {
  ria_shapes *shapes; /* NULL = closed */
} rl_shapes;

/* shapes.c: a closed one, pushed. */
rl_shapes *rl_new_shapes(lua_State *L);
/* The shapes at idx, or NULL if something else is there. */
const ria_shapes *rl_test_shapes(lua_State *L, int idx);
/* The shapes at idx in a model's coordinates, whose system is crs (NULL = none); an error if
 * something else is there. May push what keeps them. */
const ria_shapes *rl_shapes_on(lua_State *L, int idx, const char *crs, const rl_site *site,
                               const rl_path *path);
/* Push the value of an attribute; nil for NULL. A whole number is an integer. */
void rl_push_attribute(lua_State *L, const ria_attribute *a);
/* Push a table that describes a shape. */
void rl_push_feature(lua_State *L, const ria_shape *shape, const rl_site *site);
/* Names of attributes, 200 at most, to be suggested: as a userdata array that is pushed. */
rl_names rl_attribute_names(lua_State *L, const ria_shapes *s);
bool rl_has_attribute(const ria_shapes *s, const char *name);
/* An error, with what may be meant, unless any shape has it. */
void rl_check_attribute(lua_State *L, const ria_shapes *s, const char *name, const rl_site *site,
                        const rl_path *path);
/* Push where the k-th stands: "land.geojson:12", "shape 7". */
const char *rl_push_place(lua_State *L, const ria_shapes *s, size_t k);

/* shapes_make.c: push the shapes of the list at index 1. */
int rl_shapes_from_table(lua_State *L, const char *crs, const rl_site *site);

/* The lines or points at idx in the model's coordinates: shapes, or a list of places, which makes
 * one line. Pushes what keeps them. */
const ria_shapes *rl_read_line(lua_State *L, int idx, ria_sim *sim, const rl_site *site,
                               const rl_path *path);

/* shapes_lay.c: methods. */
int rl_shapes_share(lua_State *L);
int rl_field_raise(lua_State *L);
int rl_field_dig(lua_State *L);
int rl_field_paint(lua_State *L);
int rl_field_mask(lua_State *L);
/* Push a field whose values are those that the table after it gives to the classes in the field at
 * idx. */
void rl_push_classes(lua_State *L, int idx, const rl_key *unit, const rl_site *site);
/* Lay the shapes at idx onto data[ny][nx] as the table after it says; unit: how its quantities
 * read. */
void rl_paint(lua_State *L, int idx, const ria_grid *grid, const char *crs, const rl_key *unit,
              const rl_site *site, double *data);

#endif
