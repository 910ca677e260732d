/* unit.forces: wind stress and the Coriolis parameter are what their sources say. */
#include "solvers/shared/water/forces_k.h"
#include "test.h"

int main(void) {
  /* MIKE 21's defaults: 0.001255 up to 7 m/s, 0.002425 from 25 m/s, linear between */
  const double speed[] = {0, 7, 16, 25, 40, 60},
               drag[] = {1.255e-3, 1.255e-3, 1.84e-3, 2.425e-3, 2.425e-3, 2.425e-3};
  for (int k = 0; k < 6; k++) CHECK_NEAR(ria_wind_drag(speed[k]), drag[k], 1e-15);

  /* 10 m/s over water: 1.45e-3 x 1.225 / 1025 x 100 */
  double stress[2];
  ria_wind_stress(10, 270, 0, stress); /* a west wind blows to the east */
  CHECK_NEAR(stress[0], 1.7329e-4, 1e-8);
  CHECK_NEAR(stress[1], 0, 1e-18);
  ria_wind_stress(10, 0, 2e-3, stress); /* a north wind blows to the south */
  CHECK_NEAR(stress[0], 0, 1e-18);
  CHECK_NEAR(stress[1], -2e-3 * 1.225 / 1025 * 100, 1e-15);
  ria_wind_stress(-3, 45, 0, stress);
  CHECK(stress[0] == 0 && stress[1] == 0);

  /* on a grid turned by 90 degrees, whose x axis runs north, a west wind blows along -y */
  double v[2] = {3, 0.25};
  ria_to_axes((double[]){0, 1}, v);
  CHECK(v[0] == 0.25 && v[1] == -3);
  ria_to_map((double[]){0, 1}, v);
  CHECK(v[0] == 3 && v[1] == 0.25);
  ria_to_axes((double[]){-1, 0}, v); /* upside down */
  CHECK(v[0] == -3 && v[1] == -0.25);
  ria_to_map((double[]){-1, 0}, v);
  ria_to_axes((double[]){0, 0}, v);
  CHECK(v[0] == 3 && v[1] == 0.25);

  /* at the poles the earth turns once in a sidereal day, at the equator not about the vertical */
  CHECK_NEAR(ria_coriolis(90), 4 * 3.14159265358979 / 86164.1, 1e-9);
  CHECK_NEAR(ria_coriolis(-30), -7.2921e-5, 1e-9);
  CHECK(ria_coriolis(0) == 0);
  return TEST_END();
}
