/* diffusion_step.h - passes on the CPU, for one precision: step_f32.c and step_f64.c include it
 * with RIA_PRECISION set.
 *
 * A pass does n steps and reads and writes the state once. Each thread has a band of rows. It goes
 * north through it once: as soon as a level (the state after l steps) has three rows that lie
 * together, the one in the middle of the next level can be worked out, so that all levels are on
 * the way at once, each a row behind the one before, three rows of each in a ring that stays in
 * cache. A band needs n - 1 rows more of the first level on either side, of the next one fewer, and
 * so on: those are worked out twice, by either neighbour, to the same bits, and threads need not
 * wait for each other within a pass.
 *
 * Where the south and the north side are periodic the rows beyond them are the other side's, so
 * rows are numbered on beyond both ends. */
#include "diffusion.h"
#include "backend/barrier.h"
#include "backend/stream.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define R RIA_PRECISION

typedef struct df_job {
  df *s;
  const df_pass *pass;
  int nx, ny;
  R dt, cx, cy;
  int j0, j1; /* the rows that are this thread's own */
  R *ring;    /* [n - 1][3][stride] levels 1 .. n - 1 */
  R *rim;     /* [2][stride] rows outside */
  R *last;    /* [stride] a row on its way out past the caches, where `streams` */
  bool streams;
} df_job;

static int wrapped(int k, int n) {
  const int m = k % n;
  return m < 0 ? m + n : m;
}

/* Where planes have row j, which may be numbered on beyond the ends of the grid: a part has the
 * rows of the other end as ghost rows. */
static int in_planes(const df_job *job, int j) {
  return ria_planes_whole(&job->s->planes) ? wrapped(j, job->ny) : j;
}

/* Row j of a level; level 0 is the state. */
static R *row_of(const df_job *job, int level, int j) {
  const ria_planes *p = &job->s->planes;
  if (level == 0) return (R *)job->s->u[job->s->now] + ria_plane_at(p, 0, in_planes(job, j));
  if (level == job->pass->n) return (R *)job->s->u[1 - job->s->now] + ria_plane_at(p, 0, j);
  return job->ring + ((size_t)(level - 1) * 3 + (size_t)wrapped(j, 3)) * p->stride + RIA_PLANE_PAD;
}

/* --- sides ------------------------------------------------------------------------------------ */

static int kind_of(const df_job *job, int side, int k) {
  const ria_planes *p = &job->s->planes;
  return p->stretch[p->owner[side][k]].kind;
}

/* Where planes have row j of the grid: in a ring a part may have it beyond the ends alone. */
static int held_row(const ria_planes *p, int j) {
  if (ria_planes_whole(p)) return j;
  if (j < p->part.j0 - p->ghost_rows) return j + p->grid.ny;
  return j >= p->part.j1 + p->ghost_rows ? j - p->grid.ny : j;
}

/* The value outside the k-th cell of a side, u that of the cell, opposite that across. */
static R outside_of(const df_job *job, int level, int side, int k, R u, R opposite) {
  const ria_planes *p = &job->s->planes;
  const int owner = p->owner[side][k], kind = p->stretch[owner].kind;
  double outside = job->s->outside[level * p->n_stretch + owner];
  if (kind == DF_PERIODIC) return opposite;
  if (kind == DF_FLUX && job->s->diffusivity) {
    int i, j;
    ria_side_cell(&p->grid, (ria_side)side, k, &i, &j);
    outside /= ria_plane_get(p, job->s->diffusivity, ria_plane_at(p, i, held_row(p, j)));
  }
  return df_ghost(kind, u, (R)outside);
}

/* The row south or north of the domain, or the next one of it. */
static const R *row_beside(const df_job *job, int level, int j, int side) {
  const bool south = side == RIA_SOUTH;
  const int next = south ? j - 1 : j + 1;
  if (job->s->sides.wrap_y || (next >= 0 && next < job->ny)) return row_of(job, level, next);
  const R *here = row_of(job, level, j);
  const R *opposite = job->s->sides.mixed ? row_of(job, level, next) : here;
  for (int i = 0; i < job->nx; i++)
    job->rim[i] = outside_of(job, level, side, i, here[i], opposite[i]);
  return job->rim;
}

/* Conductance over dt of a side's face, as the step has it. */
static double share_of(const df_job *job, int side, int i, int j) {
  const bool x = ria_side_along_x(side);
  const ria_planes *p = &job->s->planes;
  if (!job->s->face[0]) return (double)(x ? job->cx : job->cy);
  const int fi = side == RIA_EAST ? i + 1 : i, fj = side == RIA_NORTH ? j + 1 : j;
  return ria_plane_get(p, job->s->face[x ? 0 : 1], ria_plane_at(p, fi, fj)) * (double)job->dt;
}

/* Count what a side of kind value or flux brought. */
static void count(const df_job *job, int level, int side, int k, R u) {
  const ria_planes *p = &job->s->planes;
  const int kind = kind_of(job, side, k);
  int i, j;
  if (kind != DF_VALUE && kind != DF_FLUX) return;
  ria_side_cell(&p->grid, (ria_side)side, k, &i, &j);
  const double drop = (double)outside_of(job, level, side, k, u, u) - (double)u;
  ria_planes_cross(&job->s->planes, (ria_side)side, k, 0,
                   share_of(job, side, i, j) * drop * p->grid.dx * p->grid.dy);
}

/* A fixed cell keeps its value: what the step would have changed goes out through its side. */
static void hold(const df_job *job, int side, int k, R u, R *out, bool own) {
  const ria_planes *p = &job->s->planes;
  if (kind_of(job, side, k) != DF_FIXED) return;
  const double change = (double)*out - (double)u;
  if (own)
    ria_planes_cross(&job->s->planes, (ria_side)side, k, 0, -change * p->grid.dx * p->grid.dy);
  *out = u;
}

/* What the sides do to a row of a level that was worked out from `here`. */
static void finish_row(const df_job *job, int level, int j, const R *here, R *out) {
  const bool own = j >= job->j0 && j < job->j1;
  const int row = wrapped(j, job->ny), east = job->nx - 1;
  if (own) {
    count(job, level, RIA_WEST, row, here[0]);
    count(job, level, RIA_EAST, row, here[east]);
  }
  hold(job, RIA_WEST, row, here[0], &out[0], own);
  hold(job, RIA_EAST, row, here[east], &out[east], own);
  for (int side = RIA_SOUTH; side <= RIA_NORTH; side++) {
    if (row != (side == RIA_SOUTH ? 0 : job->ny - 1)) continue;
    for (int i = 0; i < job->nx; i++) {
      if (own) count(job, level, side, i, here[i]);
      hold(job, side, i, here[i], &out[i], own);
    }
  }
}

/* --- a row ------------------------------------------------------------------------------------ */

typedef struct faces {
  const R *x, *y, *y_next; /* of the row's west faces, south faces, and of the north ones */
} faces;

static R cell_at(const df_job *job, const faces *f, int i, R w, R e, const R *south, const R *here,
                 const R *north) {
  if (!f->x) return df_step(here[i], w, e, south[i], north[i], job->cx, job->cy);
  return df_step_faces(here[i], w, e, south[i], north[i], f->x[i], f->x[i + 1], f->y[i],
                       f->y_next[i], job->dt);
}

static void uniform_cells(int n, const R *RIA_RESTRICT south, const R *RIA_RESTRICT here,
                          const R *RIA_RESTRICT north, R cx, R cy, R *RIA_RESTRICT out) {
#pragma omp simd
  for (int i = 1; i < n - 1; i++)
    out[i] = df_step(here[i], here[i - 1], here[i + 1], south[i], north[i], cx, cy);
}

static void varied_cells(int n, const R *RIA_RESTRICT south, const R *RIA_RESTRICT here,
                         const R *RIA_RESTRICT north, const R *RIA_RESTRICT fx,
                         const R *RIA_RESTRICT fs, const R *RIA_RESTRICT fn, R dt,
                         R *RIA_RESTRICT out) {
#pragma omp simd
  for (int i = 1; i < n - 1; i++)
    out[i] = df_step_faces(here[i], here[i - 1], here[i + 1], south[i], north[i], fx[i], fx[i + 1],
                           fs[i], fn[i], dt);
}

static void give_row(int n, const R *RIA_RESTRICT source, R dt, R *RIA_RESTRICT out) {
#pragma omp simd
  for (int i = 0; i < n; i++) out[i] = df_give(out[i], source[i], dt);
}

/* Row j of level + 1 from three rows of level. */
static void step_row(const df_job *job, int level, int j) {
  const df *s = job->s;
  const int row = wrapped(j, job->ny), n = job->nx;
  const size_t at = ria_plane_at(&s->planes, 0, in_planes(job, j));
  const R *here = row_of(job, level, j);
  const bool streams = job->streams && level == job->pass->n - 1;
  R *out = streams ? job->last : row_of(job, level + 1, j);
  const R *south = row_beside(job, level, j, RIA_SOUTH);
  const R *north = row_beside(job, level, j, RIA_NORTH);
  if (job->ny == 1 && south == job->rim && north == job->rim) { /* one row: both are worked out */
    R *other = job->rim + s->planes.stride;
    for (int i = 0; i < n; i++) other[i] = outside_of(job, level, RIA_SOUTH, i, here[i], here[i]);
    south = other;
  }
  faces f = {NULL, NULL, NULL};
  if (s->face[0])
    f = (faces){(const R *)s->face[0] + at, (const R *)s->face[1] + at,
                (const R *)s->face[1] + at + s->planes.stride};
  if (f.x)
    varied_cells(n, south, here, north, f.x, f.y, f.y_next, job->dt, out);
  else
    uniform_cells(n, south, here, north, job->cx, job->cy, out);
  const R w = outside_of(job, level, RIA_WEST, row, here[0], here[n - 1]);
  const R e = outside_of(job, level, RIA_EAST, row, here[n - 1], here[0]);
  out[0] = cell_at(job, &f, 0, w, n > 1 ? here[1] : e, south, here, north);
  if (n > 1) out[n - 1] = cell_at(job, &f, n - 1, here[n - 2], e, south, here, north);
  if (s->source) give_row(n, (const R *)s->source + at, job->dt, out);
  finish_row(job, level, j, here, out);
  if (streams) ria_stream(row_of(job, level + 1, j), out, (size_t)n * sizeof(R));
}

/* --- a band ----------------------------------------------------------------------------------- */

static void step_band(df_job *job) {
  const int n = job->pass->n;
  if (job->j0 >= job->j1) return;
  for (int r = job->j0 - (n - 1); r < job->j1 + (n - 1); r++)
    for (int level = 0; level < n; level++) {
      const int j = r - level, reach = n - 1 - level;
      if (j < job->j0 - reach || j >= job->j1 + reach) continue;
      if (!job->s->sides.wrap_y && (j < 0 || j >= job->ny)) continue;
      step_row(job, level, j);
    }
}

/* A thread's part of a pass. */
static void take_part(df *s, const df_pass *pass, int thread, int threads) {
  const ria_grid *g = &s->planes.grid;
  const ria_part part = s->planes.part;
  const double d = s->param.diffusivity * pass->dt;
  R *rows = (R *)s->scratch[thread];
  df_job job = {.s = s,
                .pass = pass,
                .nx = g->nx,
                .ny = g->ny,
                .dt = (R)pass->dt,
                .cx = (R)(d / (g->dx * g->dx)),
                .cy = (R)(d / (g->dy * g->dy)),
                .j0 = part.j0 + (int)((int64_t)(part.j1 - part.j0) * thread / threads),
                .j1 = part.j0 + (int)((int64_t)(part.j1 - part.j0) * (thread + 1) / threads),
                .rim = rows + RIA_PLANE_PAD,
                .last = rows + 2 * s->planes.stride + RIA_PLANE_PAD,
                .streams = 2 * s->planes.size * sizeof(R) > RIA_STREAM_BYTES,
                .ring = rows + 3 * s->planes.stride};
  step_band(&job);
  if (job.streams) ria_stream_end();
  for (int k = 0; k < s->planes.n_track; k++)
    ria_planes_keep_rows(&s->planes, &s->planes.track[k], s->u[1 - s->now], job.j0, job.j1);
}

void RIA_K(df_run)(df *s, const ria_span *span, int64_t end) {
  df_pass pass = {0};
  bool go = false;
#pragma omp parallel num_threads(s->planes.threads)
  {
    const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
#pragma omp single
    s->barrier->threads = threads; /* as many as there are, not as were asked for */
    for (;;) {
      if (thread == 0) go = df_next_pass(s, span, end, &pass);
      ria_barrier_wait(s->barrier);
      if (!go) break;
      take_part(s, &pass, thread, threads);
      ria_barrier_wait(s->barrier);
    }
  }
}
