/* base/times.h - what a rank spent on the steps of a simulation. Private to engine. */
#ifndef RIA_BASE_TIMES_H
#define RIA_BASE_TIMES_H

/* Wall s. */
typedef struct ria_times {
  double stepping;   /* its parts */
  double waiting;    /* in meetings, for the others */
  double exchanging; /* rows and relayed numbers, waits for them included */
} ria_times;

#endif
