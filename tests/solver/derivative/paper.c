/* The check of paper 002: a cosine on 64^3 points in single precision, the eighth order, periodic.
 * The paper finds a root mean square error of 7.28e-6 and a largest one of 2.86e-5. Its 64 points
 * take the first for the last, so the period is 63 distances: here that is a grid of 63 points
 * along the axis in question.
 *
 * Most of that error is in the cosine: its argument is worked out in single precision. With values
 * that are right to the last place the derivative itself is six times closer. */
#include "cases.h"

typedef struct setting {
  int axis;
  bool rough; /* the argument in single precision, as the paper has it */
} setting;

/* The paper's point i is at (i - 1) / 63; ours is half a distance after it. */
static double argument(const setting *s, double x, double y, double z) {
  const double at = s->axis == 0 ? x : s->axis == 1 ? y : z;
  const float i = (float)floor(63 * at), two_pi = (float)(2 * pi);
  if (s->rough) return (double)(two_pi * (i - 1.0f) / 63.0f);
  return 2 * pi * ((double)i - 1) / 63;
}

static double cosine(void *user, double x, double y, double z) {
  return cos(argument(user, x, y, z));
}

static double slope(void *user, double x, double y, double z) {
  return -2 * pi * sin(argument(user, x, y, z));
}

static void check(ria_context *ctx, int axis, bool rough, double rms_bound[2],
                  double max_bound[2]) {
  const setting s = {axis, rough};
  ria_grid3 g = {{64, 64, 64}, {1.0 / 63, 1.0 / 63, 1.0 / 63}, {0}, {true, true, true}};
  double rms, max;
  g.n[axis] = 63;
  ria_field3 *f = make_field(ctx, &g, RIA_F32), *d = make_field(ctx, &g, RIA_F32);
  CHECK_OK(ctx, ria_field3_set_function(f, cosine, (void *)&s));
  CHECK_OK(ctx, ria_field3_derivative(f, (ria_axis)axis, 8, d));
  errors_of(ctx, d, slope, (void *)&s, &rms, &max);
  printf("%s, %s: rms %.3e, max %.3e\n", axis_names[axis], rough ? "as the paper" : "exact values",
         rms, max);
  CHECK(rms > rms_bound[0] && rms < rms_bound[1]);
  CHECK(max > max_bound[0] && max < max_bound[1]);
  ria_field3_destroy(&f);
  ria_field3_destroy(&d);
}

int main(void) {
  ria_context *ctx = test_context(test_device(), 0);
  for (int axis = 0; axis < 3; axis++) {
    check(ctx, axis, true, (double[]){7.28e-6 * 0.85, 7.28e-6 * 1.15},
          (double[]){2.86e-5 * 0.85, 2.86e-5 * 1.15});
    check(ctx, axis, false, (double[]){0, 1.3e-6}, (double[]){0, 3.5e-6});
  }
  ria_context_destroy(&ctx);
  return TEST_END();
}
