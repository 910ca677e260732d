/* The Thomas algorithm in single precision. */
#define RIA_PRECISION float
#include "tridiag_lines.h"
