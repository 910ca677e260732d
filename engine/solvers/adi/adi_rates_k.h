/* adi_rates_k.h - for the automatic step of adi: how fast water moves, or is about to, in cells a
 * second; and how a step's diffusion and a stretch's discharge are shared out.
 *
 * In double precision, by gcc and by nvcc. d: size of a cell along. What becomes of the rates:
 * adi_clock_k.h. */
#ifndef ADI_RATES_K_H
#define ADI_RATES_K_H
#include "solvers/adi/adi_clock_k.h"
#include "solvers/shared/water/boundary_k.h"

/* Flow out of a cell: its flux over its depth, along x or y, whichever is faster. What comes in
 * does not count: a front that fills a cell looks fast. */
RIA_KERNEL double adi_flow_rate(double west, double east, double south, double north, double h,
                                double dx, double dy) {
  const double x = (east > 0 ? east : 0) + (west < 0 ? -west : 0);
  const double y = (north > 0 ? north : 0) + (south < 0 ? -south : 0);
  return (x / dx > y / dy ? x / dx : y / dy) / h;
}

/* What a boundary brings in or draws out, before the cell inside shows it: h, bed: of that cell;
 * value: level, m, or discharge per width, m^2/s. A level that stands higher or lower than the
 * water sets it going as a dam that breaks does; a discharge is critical, at most. */
RIA_KERNEL double adi_forced_rate(int kind, double h, double bed, double value, double g,
                                  double d) {
  if (water_side_has_level(kind)) {
    const double out = value > bed ? value - bed : 0;
    return 2 * fabs(sqrt(g * out) - sqrt(g * h)) / d;
  }
  if (kind != SIDE_DISCHARGE || value == 0) return 0;
  const double critical = cbrt(value * value / g);
  return fabs(value) / (h > critical ? h : critical) / d;
}

/* What a source of `rate` (m/s of depth) lets loose in a cell within the longest step that bears
 * it, no longer than dt. */
RIA_KERNEL double adi_source_rate(double h, double rate, double dt, double g, double d) {
  for (int k = 0; k < 100 && rate > 0; k++, dt *= 0.5) {
    const double a = 2 * (sqrt(g * (h + rate * dt)) - sqrt(g * h)) / d;
    if (a * dt <= ADI_CELLS) return a;
  }
  return 0;
}

/* A dam in the water, between cells whose levels and beds are sl, sr, zl, zr: over the sill between
 * them much more stands on one side. `least` deep water does not count. 0 = there is none. */
RIA_KERNEL double adi_dam_rate(double sl, double sr, double zl, double zr, double least, double g,
                               double d) {
  const double sill = zl > zr ? zl : zr, hl = sl > sill ? sl - sill : 0,
               hr = sr > sill ? sr - sill : 0, deep = hl > hr ? hl : hr;
  if (deep <= least || fabs(hl - hr) <= 0.25 * deep) return 0;
  return 2 * fabs(sqrt(g * hl) - sqrt(g * hr)) / d;
}

/* Diffusion of tracers over a step: explicit in as many parts as stability asks for, but in no more
 * than these; beyond them implicit, line by line (adi_mix_row), which is stable at any step. */
enum { ADI_MOST_PARTS = 16 };

/* The parts; 0 = implicit. most: the largest diffusion, m^2/s. */
RIA_KERNEL int adi_mix_parts(double most, double dt, double dx, double dy) {
  const double parts = ceil(2 * most * dt * (1 / (dx * dx) + 1 / (dy * dy)) / 0.9);
  return parts <= (double)ADI_MOST_PARTS ? (int)parts : 0;
}

/* A discharge is shared over its stretch as if one level stood in all wet cells of it, the mean of
 * theirs by depth. By each cell's own level, more would come in where a wave stands high, which
 * feeds waves that run along the side: they would grow for as long as the river flows. h, level: of
 * a cell, above_lowest: sum of h (level - lowest), water: sum of h over the wet cells. Returns the
 * depth that counts. */
RIA_KERNEL double adi_shared_depth(double h, double bed, double drying, double lowest,
                                   double above_lowest, double water) {
  const double even = water > 0 ? lowest + above_lowest / water - bed : 0;
  return h > drying ? (even > 0 ? even : 0) : h;
}

#endif
