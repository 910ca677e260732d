/* Degrees of longitude and latitude as charts write them. */
#include "io/degrees.h"
#include "test.h"

static void labels(void) {
  static const struct {
    double at;
    bool latitude;
    double step;
    const char *text;
  } row[] = {{-8.0 - 40.0 / 60, false, 1.0 / 6, "8°40'W"},
             {42.0, true, 1.0 / 6, "42°00'N"},
             {-42.0, true, 2.0, "42°S"},
             {0.0, false, 1.0, "0°"},
             {0.0, true, 0.5, "0°00'"},
             {-1e-9, true, 0.5, "0°00'"},
             {180.0, false, 1.0, "180°"},
             {190.0, false, 10.0, "170°W"},
             {359.5, false, 0.5, "0°30'W"},
             {8.0 + 40.0 / 60 + 30.0 / 3600, false, 30.0 / 3600, "8°40'30\"E"},
             {8.999999999, false, 1.0 / 60, "9°00'E"},
             {0.1, false, 0.1, "0°06'E"}};
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    char text[RIA_DEGREES_MAX];
    ria_degrees_label(row[k].at, row[k].latitude, row[k].step, text);
    CHECK_TEXT(text, row[k].text);
  }
}

int main(void) {
  labels();
  return TEST_END();
}
