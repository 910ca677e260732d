/* shapes/cover_row.c - trapezoids summed up to what each cell of a row has. */
#include "shapes/cover_row.h"

#include <math.h>
#include <string.h>

/* Areas that are smaller than this part of a cell are round-off. */
static const double NOTHING = 1e-12;

/* Marks of different numbers, added up, do not look like several of one. */
static uint64_t mark_of(int64_t number) {
  uint64_t z = (uint64_t)number + UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

static void add_whole(ria_cover_row *row, int from, double height, double value) {
  row->cell[from].whole += height;
  row->cell[from].whole_sum += height * value;
}

/* The part of cell c right of an edge from u = low to u = high, low < high. */
static double part_right(double c, double low, double high) {
  const double run = high - low;
  const bool begins = low >= c, ends = high <= c + 1.0;
  if (begins && ends) return c + 1.0 - 0.5 * (low + high);
  if (begins) return (c + 1.0 - low) * (c + 1.0 - low) / (2.0 * run);
  if (ends) return 1.0 - (high - c) * (high - c) / (2.0 * run);
  return (c + 0.5 - low) / run;
}

/* All that lies right of the edge, of a slab whose height has the sign of what is to be done. */
static void add_right(ria_cover_row *row, const ria_cover_side *s, double height, double value) {
  const double low = fmin(s->low, s->high), high = fmax(s->low, s->high);
  if (low >= row->nx) return;
  if (high <= 0.0) {
    add_whole(row, 0, height, value);
    return;
  }
  const int first = low > 0.0 ? (int)low : 0;
  const int last = high < row->nx ? (int)ceil(high) - 1 : row->nx - 1;
  for (int c = first; c <= last; c++) {
    const double part = height * part_right(c, low, high);
    row->cell[c].part += part;
    row->cell[c].part_sum += part * value;
  }
  add_whole(row, last + 1, height, value);
}

void ria_cover_add(ria_cover_row *row, const ria_cover_side *left, const ria_cover_side *right,
                   double height, int64_t number, double value) {
  const double low = fmin(left->low, left->high), high = fmax(right->low, right->high);
  if (high <= 0.0 || low >= row->nx) return;
  add_right(row, left, height, value);
  add_right(row, right, -height, value);
  const int first = low > 0.0 ? (int)low : 0;
  const int last = high < row->nx ? (int)ceil(high) - 1 : row->nx - 1;
  if (last < first) return;
  ria_cover_cell *a = &row->cell[first], *b = &row->cell[last + 1];
  const uint64_t mark = mark_of(number);
  a->touching++;
  a->number += number;
  a->mark += mark;
  b->touching--;
  b->number -= number;
  b->mark -= mark;
}

static double mean_of(const ria_cover_cell *sum, double area, double values, const double *value) {
  const int64_t one = sum->number / sum->touching;
  const bool single =
      sum->number % sum->touching == 0 && sum->mark == (uint64_t)sum->touching * mark_of(one);
  return single ? value[one] : values / area;
}

void ria_cover_finish(ria_cover_row *row, const double *value, double *share, double *mean) {
  ria_cover_cell sum = {0};
  for (int c = 0; c < row->nx; c++) {
    const ria_cover_cell *d = &row->cell[c];
    sum.whole += d->whole;
    sum.whole_sum += d->whole_sum;
    sum.touching += d->touching;
    sum.number += d->number;
    sum.mark += d->mark;
    const double area = sum.whole + d->part;
    const bool any = sum.touching > 0 && area > NOTHING;
    share[c] = !any ? 0.0 : area > 1.0 - NOTHING ? 1.0 : area;
    if (mean) mean[c] = any ? mean_of(&sum, area, sum.whole_sum + d->part_sum, value) : NAN;
  }
  memset(row->cell, 0, (size_t)(row->nx + 1) * sizeof *row->cell);
}
