/* planes_inner.h - what the files of planes share beside ria/planes.h. */
#ifndef PLANES_INNER_H
#define PLANES_INNER_H
#include <ria/planes.h>

/* Free all that ria_planes_force made, and forget it. */
void ria_planes_drop_forcing(ria_planes *p);

#endif
