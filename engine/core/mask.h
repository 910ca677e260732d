/* core/mask.h - cells that are left out of the domain. Private to engine. */
#ifndef RIA_CORE_MASK_H
#define RIA_CORE_MASK_H
#include <ria/sim.h>

struct ria_sim_field;

typedef struct ria_mask {
  bool wanted;  /* cells whose bed is NaN are left out; else they are an error */
  uint8_t *out; /* [ny][nx]: 1 = left out; NULL: none is */
  size_t n_out;
  ria_status (*on_change)(ria_sim *sim); /* the boundaries are laid again */
} ria_mask;

/* RIA_ERR_ARGUMENT where the solver has no bed that walls could be made of. */
ria_status ria_mask_init(ria_sim *sim, ria_outside outside);
void ria_mask_free(ria_sim *sim);

/* By the cell's place, j * nx + i, or by both. */
bool ria_is_left_out(const ria_sim *sim, size_t cell);
bool ria_is_outside(const ria_sim *sim, int i, int j);
size_t ria_cells_inside(const ria_sim *sim);
/* RIA_ERR_ARGUMENT: "<what>(x, y) lies outside the domain: ..." where a cell is left out. */
ria_status ria_mask_check(ria_sim *sim, const char *what, double x, double y, int i, int j);

/* As ops->write, of values that need not be there in cells that are left out. The bed says which
 * these are. */
ria_status ria_mask_write(ria_sim *sim, const struct ria_sim_field *f, const double *values);
/* NaN into those of whole rows [nj][nx] from row j0 on. */
void ria_mask_blank(const ria_sim *sim, int j0, int nj, ria_real real, void *rows);

#endif
