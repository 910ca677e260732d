/* adi_rates_k.h - for the automatic step of adi: how fast water moves, or is about to, in cells a
 * second; how a step's diffusion and a stretch's discharge are shared out; what radiating sides
 * keep.
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

/* --- radiating sides ---
 *
 * Flather's condition lets out what comes straight. A wave at an angle a has less velocity across
 * the side, and (1 - cos a) / (1 + cos a) of it would be thrown back. What such waves bring about
 * in the incoming invariant is `bent`, and adi_boundary takes it for a part of the current outside:
 *
 *   d(bent)/dt = c / (1 + cos 30) d(velocity along the side)/d(along)
 *
 * which is the condition of Higdon (1986, 1987) for angles of 0 and 30 degrees, with what crosses
 * the side put in terms of what runs along it; with 1 / 2 instead it is that of Engquist and Majda
 * (1977). It throws (1 - cos a) (cos 30 - cos a) / ((1 + cos a) (cos 30 + cos a)) back: nothing at
 * 30 degrees, 0.1 % at 15, 1.7 % at 45. It fades over the time that a wave takes along the side.
 *
 * A line along the side is solved in another sweep, so `bent` comes a step late, and at
 * Courant numbers above 1 it would feed on waves that run along the side, in a scheme that damps
 * nothing. So the side gives no more than it got: with u out of the domain, less the current
 * outside, waves bring c h u (u - bent) to a metre of it. ADI_LENT of that is its credit; it pays
 * from that where the sign is the other one. At worst, at u = bent / 2, a step takes bent^2 dt / 4
 * of the credit: |bent| is at most what leaves it above 0. */

/* A cell at a radiating side before lines across the side are solved. */
typedef struct adi_shore {
  double h;        /* depth, m */
  double out[2];   /* flux out of the domain before and after the last step, m^2/s; */
  double apart;    /*   what left the cell along the side, less what came to it, between them */
  double current;  /* outside, out of the domain, m/s */
  double d, along; /* size of a cell across the side and along it, m */
  double length;   /* of the side, m */
} adi_shore;

#define ADI_LENT 0.05

/* kept: `bent`, m/s, and the credit over c h, m^2/s, through the last step; now through the next
 * one, of dt. Nothing is kept where nothing crosses: still water stays still. */
RIA_KERNEL void adi_bend(double kept[2], adi_shore s, double drying, double g, double dt) {
  if (s.out[1] == 0 || !(s.h > drying)) {
    kept[0] = kept[1] = 0;
    return;
  }
  const double far = sqrt(g * s.h) * dt, stays = s.length / (s.length + far);
  const double u = 0.5 * (s.out[0] + s.out[1]) / s.h - s.current, got = u * (u - kept[0]) * dt;
  const double credit = stays * (kept[1] + (got > 0 ? ADI_LENT * got : got));
  const double due = far / (1 + 0.86602540378443865) * (s.apart / (s.h * s.along));
  const double bent = stays * (kept[0] + due), most = credit > 0 ? 2 * sqrt(credit / dt) : 0;
  kept[0] = bent > most ? most : bent < -most ? -most : bent;
  kept[1] = credit > 0 ? credit : 0;
}

#endif
