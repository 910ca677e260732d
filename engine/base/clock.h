/* base/clock.h - wall time. Private. */
#ifndef RIA_BASE_CLOCK_H
#define RIA_BASE_CLOCK_H

double ria_wall_clock(void); /* s, monotonic */

#endif
