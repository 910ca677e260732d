/* bores.h - exact bores and oblique jumps, for the tests of walls. */
#ifndef BORES_H
#define BORES_H
#include "cases.h"

/* Depth of water behind a bore, against water of depth h ahead of it that runs `u` faster towards
 * it: by bisection. So deep water stands at a wall that water of depth h runs against at u. */
TEST_UNUSED static double bore_depth(double h, double u) {
  double lo = h, hi = h * (2 + u * u / gravity / h);
  for (int k = 0; k < 100; k++) {
    const double x = 0.5 * (lo + hi);
    if ((x - h) * sqrt(0.5 * gravity * (x + h) / (x * h)) < u)
      lo = x;
    else
      hi = x;
  }
  return lo;
}

/* The same the other way round: the difference of the velocities across a bore. */
TEST_UNUSED static double bore_velocity(double ahead, double behind) {
  return (behind - ahead) * sqrt(0.5 * gravity * (behind + ahead) / (behind * ahead));
}

/* An oblique jump: the ratio of the depths at Froude number f and angle b of the jump to the flow,
 * and the angle by which it turns the flow (A. T. Ippen, Trans. ASCE 116, 1951). */
TEST_UNUSED static double jump_ratio(double f, double b) {
  return 0.5 * (sqrt(1 + 8 * pow(f * sin(b), 2)) - 1);
}
TEST_UNUSED static double jump_turns(double f, double b) {
  return b - atan(tan(b) / jump_ratio(f, b));
}

#endif
