/* base/turn.h - what the threads of a region take one after the other. Private.
 *
 * As schedule(dynamic), for which libgomp takes memory in a region of one thread, and ends the
 * process where there is none:
 *
 *   int next = 0;
 *   #pragma omp parallel num_threads(threads)
 *   for (int k; (k = ria_take_turn(&next)) < n;) work(k); */
#ifndef RIA_BASE_TURN_H
#define RIA_BASE_TURN_H

static inline int ria_take_turn(int *next) {
  int k;
#pragma omp atomic capture
  k = (*next)++;
  return k;
}

#endif
