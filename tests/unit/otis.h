/* otis.h - a small file of OTIS: levels of M2 and S2, 10 x 12 cells from 3 to 5 and 49 to 51
 * degrees. */
#ifndef UNIT_OTIS_H
#define UNIT_OTIS_H
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void otis_word(FILE *f, uint32_t w) {
  const unsigned char b[4] = {(unsigned char)(w >> 24), (unsigned char)(w >> 16),
                              (unsigned char)(w >> 8), (unsigned char)w};
  fwrite(b, 1, 4, f);
}
static void otis_float(FILE *f, double v) {
  const float single = (float)v;
  uint32_t w;
  memcpy(&w, &single, sizeof w);
  otis_word(f, w);
}

/* of: re (part 0) and im (1) of a wave at a place. */
static void write_otis(const char *path, double (*of)(int wave, double lon, double lat, int part)) {
  enum { NX = 10, NY = 12 };
  static const uint32_t ends = 36, size = NX * NY * 8;
  FILE *f = fopen(path, "wb");
  if (!f) return;
  otis_word(f, ends);
  otis_word(f, NX);
  otis_word(f, NY);
  otis_word(f, 2);
  for (int k = 0; k < 4; k++) otis_float(f, (const double[]){49, 51, 3, 5}[k]);
  fputs("m2  s2  ", f);
  otis_word(f, ends);
  for (int wave = 0; wave < 2; wave++) {
    otis_word(f, size);
    for (int k = 0; k < NX * NY; k++)
      for (int part = 0; part < 2; part++)
        otis_float(f, of(wave, 3 + (k % NX + 0.5) * 0.2, 49 + (k / NX + 0.5) / 6.0, part));
    otis_word(f, size);
  }
  fclose(f);
}

#endif
