/* The Thomas algorithm in double precision. */
#define RIA_PRECISION double
#include "tridiag_lines.h"
