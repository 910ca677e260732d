/* Edges in single precision. */
#define RIA_PRECISION float
#include "edges.h"
