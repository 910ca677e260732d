/* cli_model.c - the time of a step by a formula whose numbers are fitted to measured steps, and
 * what it foretells for more devices. docs/scaling.md explains it.
 *
 *   step = start + cells / devices * cell + (devices > 1) * (cut + nx * column)
 *
 * start: launches and the tail of a step; cell: of one device; cut: what it costs to step in parts
 * at all (words, flags, launches); column: rows that go to the neighbours. Errors are weighed as
 * parts of the measured time. A number that would be below 0 is 0. */
#include "cli_scaling.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { START, CELL, CUT, COLUMN, NUMBERS };
typedef struct model {
  double of[NUMBERS]; /* us */
  double worst;       /* greatest departure of a point, as a part of it */
} model;

/* Several hosts of 8 GPUs with a link of 400 Gbit/s each: not measured here but for the first. */
enum { HOST = 8 };
static const double meet_host = 26.0;    /* us: a minimum by NCCL among 8; 18 and 22 on 2 and 4 */
static const double meet_doubling = 7.0; /* us more whenever hosts double: up and down a tree */
static const double link_start = 10.0;   /* us, of a message between GPUs of two hosts */
static const double link_rate = 50e3;    /* bytes/us, each way */

/* --- the fit ---------------------------------------------------------------------------------- */

static void terms(const scaling_point *p, double out[NUMBERS]) {
  const bool cut = p->devices > 1;
  out[START] = 1.0;
  out[CELL] = (double)p->nx * p->ny / p->devices;
  out[CUT] = cut ? 1.0 : 0.0;
  out[COLUMN] = cut ? p->nx : 0.0;
}

static double step(const model *m, const scaling_point *p) {
  double t[NUMBERS], sum = 0.0;
  terms(p, t);
  for (int k = 0; k < NUMBERS; k++) sum += m->of[k] * t[k];
  return sum;
}

/* a x = b for the unknowns in use, by elimination with pivots; false: they cannot be told apart. */
static bool solve(double a[NUMBERS][NUMBERS + 1], const bool use[NUMBERS], double x[NUMBERS]) {
  int row[NUMBERS], n = 0;
  for (int k = 0; k < NUMBERS; k++)
    if (use[k]) row[n++] = k;
  for (int c = 0; c < n; c++) {
    int best = c;
    for (int r = c + 1; r < n; r++)
      if (fabs(a[row[r]][row[c]]) > fabs(a[row[best]][row[c]])) best = r;
    for (int k = 0; k <= NUMBERS; k++) {
      const double swap = a[row[c]][k];
      a[row[c]][k] = a[row[best]][k];
      a[row[best]][k] = swap;
    }
    if (fabs(a[row[c]][row[c]]) < 1e-9) return false;
    for (int r = 0; r < n; r++) {
      const double f = r == c ? 0.0 : a[row[r]][row[c]] / a[row[c]][row[c]];
      for (int k = 0; k <= NUMBERS; k++) a[row[r]][k] -= f * a[row[c]][k];
    }
  }
  for (int c = 0; c < n; c++) x[row[c]] = a[row[c]][NUMBERS] / a[row[c]][row[c]];
  return true;
}

/* Normal equations of relative errors; unknowns scaled to be about 1. */
static bool fit_some(const scaling_point *p, size_t n, const bool use[NUMBERS], model *m) {
  double a[NUMBERS][NUMBERS + 1] = {{0}}, x[NUMBERS] = {0}, most[NUMBERS] = {0};
  for (size_t k = 0; k < n; k++) {
    double t[NUMBERS];
    terms(&p[k], t);
    for (int i = 0; i < NUMBERS; i++) most[i] = fmax(most[i], t[i] / p[k].us);
  }
  for (size_t k = 0; k < n; k++) {
    double t[NUMBERS];
    terms(&p[k], t);
    for (int i = 0; i < NUMBERS; i++) t[i] = most[i] > 0.0 ? t[i] / p[k].us / most[i] : 0.0;
    for (int i = 0; i < NUMBERS; i++) {
      for (int j = 0; j < NUMBERS; j++) a[i][j] += t[i] * t[j];
      a[i][NUMBERS] += t[i];
    }
  }
  if (!solve(a, use, x)) return false;
  for (int i = 0; i < NUMBERS; i++) m->of[i] = most[i] > 0.0 && use[i] ? x[i] / most[i] : 0.0;
  return true;
}

/* Least squares with nothing below 0: the worst offender is left out until there is none. */
static bool fit(const scaling_point *p, size_t n, model *m) {
  bool use[NUMBERS] = {true, true, true, true};
  for (int k = 0; k < NUMBERS; k++) {
    if (!fit_some(p, n, use, m)) {
      if (!use[COLUMN]) return false;
      use[COLUMN] = false; /* one width alone, or one device */
      continue;
    }
    int least = 0;
    for (int i = 1; i < NUMBERS; i++)
      if (m->of[i] < m->of[least]) least = i;
    if (m->of[least] >= 0.0) break;
    use[least] = false;
  }
  m->worst = 0.0;
  for (size_t k = 0; k < n; k++) m->worst = fmax(m->worst, fabs(step(m, &p[k]) / p[k].us - 1.0));
  return m->of[CELL] > 0.0;
}

/* --- what follows ----------------------------------------------------------------------------- */

/* us that parts on several hosts cost a step instead of `cut` and `column`. */
static double across(const ria_bench_scaling *s, int bytes, int nx, int devices) {
  const double hosts = (double)devices / HOST;
  const double rows = link_start + (double)s->numbers * bytes * nx / link_rate;
  return (s->meets ? meet_host + meet_doubling * log2(hosts) : 0.0) + rows / s->steps_per_exchange;
}

static double foretold(const model *m, const ria_bench_scaling *s, int bytes,
                       const scaling_point *p) {
  if (p->devices <= HOST) return step(m, p);
  return m->of[START] + m->of[CELL] * p->nx * ((double)p->ny / p->devices) +
         across(s, bytes, p->nx, p->devices) + m->of[CUT];
}

/* Part of a device's speed that is left when so many have a square of n, or one each. */
static double efficiency(const model *m, const ria_bench_scaling *s, int bytes, int n, bool each,
                         int devices) {
  const scaling_point one = {.nx = n, .ny = n, .devices = 1};
  const scaling_point all = {.nx = n, .ny = each ? n * devices : n, .devices = devices};
  return step(m, &one) / (foretold(m, s, bytes, &all) * (each ? 1 : devices));
}

static void print_line(const model *m, const ria_bench_scaling *s, int bytes, int n, bool each,
                       bool hosts) {
  static const int devices[] = {2, 4, 8, 64, 1024};
  char cells[32];
  snprintf(cells, sizeof cells, "%d x %d%s", n, n, each ? " each" : "");
  printf("    %-22s", cells);
  for (size_t k = 0; k < sizeof devices / sizeof *devices; k++) {
    if (devices[k] > HOST && !hosts) continue;
    if (!each && devices[k] > n) /* a part has a row at least */
      printf(" %7s", "-");
    else
      printf(" %5.0f %%", 100.0 * efficiency(m, s, bytes, n, each, devices[k]));
  }
  printf("\n");
}

/* Cells of a part for which half of its time is spent on being one. */
static double worth(const model *m, int nx) {
  return fmax(0.0, (m->of[CUT] + m->of[COLUMN] * nx) / m->of[CELL]);
}

static void print_model(const char *name, const model *m, size_t n, bool gpus) {
  const ria_solver *solver;
  const ria_bench_scaling *s;
  if (!scaling_named(name, &solver, &s)) return;
  int bytes = 8;
  for (const ria_bench_case *c = solver->bench; c && c->name; c++)
    if (strcmp(c->name, s->name) == 0) bytes = c->real == RIA_F32 ? 4 : 8;
  printf("\n  %s: a step takes %.2f us + cells / devices / %.2f per ns", name, m->of[START],
         1e-3 / m->of[CELL]);
  printf("; in parts %.2f us + %.3f ns a column more\n", m->of[CUT], 1e3 * m->of[COLUMN]);
  printf(
      "    %zu points, the farthest %.1f %% off; half of a part's time is its own from %.0f cells "
      "on (rows of 2000)\n",
      n, 100.0 * m->worst, worth(m, 2000));
  const bool hosts = gpus && s->numbers > 0;
  printf("    %-22s %7d %7d %7d%s\n", "part of full speed on", 2, 4, 8,
         hosts ? "      64    1024" : "");
  for (int k = 0; k < 6 && s->n[k] > 0; k++)
    print_line(m, s, bytes, gpus ? s->n[k] : s->n[k] / 8, false, hosts);
  if (s->each) print_line(m, s, bytes, gpus ? s->each : s->each / 8, true, hosts);
}

void scaling_model(const scaling_point *point, size_t n, bool gpus) {
  scaling_point *of = malloc((n + 1) * sizeof *of);
  if (!of) return;
  for (size_t k = 0; k < n; k++) {
    size_t count = 0;
    bool before = false;
    for (size_t j = 0; j < n; j++) {
      if (strcmp(point[j].name, point[k].name) != 0) continue;
      before = before || j < k;
      of[count++] = point[j];
    }
    model m;
    if (!before && count >= 4 && fit(of, count, &m)) print_model(point[k].name, &m, count, gpus);
  }
  free(of);
}

/* --- points of a file ------------------------------------------------------------------------- */

bool scaling_read(const cli_options *o, const char *path, scaling_point **point, size_t *n) {
  char line[256];
  size_t room = 0;
  FILE *f = fopen(path, "r");
  *n = 0;
  *point = NULL;
  if (!f) return cli_complain(o, "cannot open %s", path), false;
  for (int at = 1; fgets(line, sizeof line, f); at++) {
    scaling_point p;
    if (line[strspn(line, " \t\r\n")] == '\0' || line[0] == '#') continue;
    const int got = sscanf(line, "%63s %d %d %d %lf", p.name, &p.nx, &p.ny, &p.devices, &p.us);
    if (got != 5 || p.nx < 1 || p.ny < 1 || p.devices < 1 || !(p.us > 0.0)) {
      cli_complain(o, "%s:%d: expected SOLVER/CASE NX NY DEVICES MICROSECONDS", path, at);
      fclose(f);
      return false;
    }
    if (*n == room) {
      scaling_point *more = realloc(*point, (room = 2 * room + 64) * sizeof *more);
      if (!more) {
        cli_complain(o, "out of memory for the points of %s", path);
        fclose(f);
        return false;
      }
      *point = more;
    }
    (*point)[(*n)++] = p;
  }
  fclose(f);
  return true;
}
