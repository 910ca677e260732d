/* refuse.h - for a test that refuses allocations one by one, by their number (in_front.h). */
#ifndef REFUSE_H
#define REFUSE_H
#include <stdbool.h>
#include <stddef.h>

static int allocations_left = -1; /* until one fails; -1: none does */

static bool fails_now(void) { return allocations_left >= 0 && allocations_left-- == 0; }

#define REFUSES fails_now
#include "in_front.h"

#endif
