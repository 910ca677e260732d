/* Edges in double precision. */
#define RIA_PRECISION double
#include "edges.h"
