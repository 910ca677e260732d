/* forcing/nest.h - values at a set of places from what is saved of a larger model. Private. */
#ifndef RIA_FORCING_NEST_H
#define RIA_FORCING_NEST_H
#include "core/sim.h"
#include <ria/relax.h>

typedef struct ria_nest ria_nest;

/* For n cells of the simulation's grid. `what` names them in messages: "layer 'sea'".
 * RIA_ERR_INPUT where the store cannot be read, lies elsewhere, or is in other units; where one of
 * the two runs has dates and the other none. */
ria_status ria_nest_open(ria_sim *sim, const ria_nest_desc *desc, const char *what, int n,
                         const int32_t *cell, ria_nest **out);
/* The same at n places of the map; x and y are used up. */
ria_status ria_nest_open_at(ria_sim *sim, const ria_nest_desc *desc, const char *what, int n,
                            double *x, double *y, ria_nest **out);
void ria_nest_close(ria_nest **nest); /* NULL is nothing */

/* Does it have that quantity, of RIA_RELAXED: level, u, v, tracers? */
bool ria_nest_has(const ria_nest *nest, int quantity);
/* Its currents need both components, to be turned onto the grid. */
bool ria_nest_turned(const ria_nest *nest);
size_t ria_nest_frames(const ria_nest *nest);
/* The times of the run that it covers. */
void ria_nest_span(const ria_nest *nest, double *t0, double *t1);
/* The pair of frames k, k + 1 that time t lies in, the later pair where it is a frame's own; the
 * last pair at the end. */
size_t ria_nest_pair(const ria_nest *nest, double t);
double ria_nest_time(const ria_nest *nest, size_t frame);
/* Frame k of the quantities that are wanted: to[RIA_RELAXED], each [n] or NULL; NaN where the model
 * is dry around the place. RIA_ERR_INPUT where a chunk is missing or damaged. */
ria_status ria_nest_read(ria_sim *sim, const ria_nest *nest, size_t k, double *const *to);
const char *ria_nest_path(const ria_nest *nest);

#endif
