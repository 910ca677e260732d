/* adi_part_step.h - the loops of a step of a part of the grid, for one precision: what adi_step.h
 * does in one go, cut where the parts meet (adi_parts.c). Included by adi_step.h.
 *
 * Before a step the part knows three rows of its neighbours on either side. It sweeps its own rows
 * along x, the first of two solutions also of a row beyond, and is then told the neighbours' rows
 * after the sweep. Of a y-sweep's columns each part builds and eliminates its own faces. With the
 * last two rows of the system it hands to the north what that needs to go on, and gets the solution
 * back from there; with those two it also solves for the two faces south of its own, which say what
 * the neighbour's last cell gives. All loops are those of a whole grid, over the same numbers.
 *
 * A column that closes upon itself has two right sides: its own, and that of a flux of 1 across the
 * seam between the north and the south. Parts solve for both, northwards and back southwards. With
 * the solution the last part also sends the row of the seam and its last face to the south. From
 * these and its own first face the first part finds the flux across the seam, and sends it north:
 * each part then adds so much of the second solution to the first. */
#include "adi_parts.h"

static stepping *stepping_of(adi *s) { return s->apart->stepping; }

/* What a thread has of rows j0 .. j1 - 1. */
static ria_part share_of(int j0, int j1, int thread, int threads) {
  return (ria_part){j0 + (int)((int64_t)(j1 - j0) * thread / threads),
                    j0 + (int)((int64_t)(j1 - j0) * (thread + 1) / threads)};
}

/* The rows of the part and so many beside them, inside of the grid unless it is a ring. */
static ria_part rows_and(const adi *s, int beside) {
  const ria_part own = s->planes.part;
  const int south = own.j0 - beside, north = own.j1 + beside, ny = s->planes.grid.ny;
  if (s->rings.y) return (ria_part){south, north};
  return (ria_part){south > 0 ? south : 0, north < ny ? north : ny};
}

/* --- along x ---------------------------------------------------------------------------------- */

static void sweep_rows(adi *s, const sweep_args *w, ria_part rows) {
  const int groups = (rows.j1 - rows.j0 + (int)LANES - 1) / (int)LANES;
  memset(s->found, 0, (size_t)s->planes.threads * sizeof *s->found);
#pragma omp parallel num_threads(s->planes.threads)
  {
    const int thread = omp_get_thread_num();
    const ria_part mine = share_of(0, groups, thread, omp_get_num_threads());
    adi_found found = {0};
    for (int g = mine.j0; g < mine.j1; g++)
      x_group(w, (R *)s->scratch[thread], rows.j0 + g * (int)LANES, rows.j1, &found);
    s->found[thread] = found;
  }
}

static void part_sweep_x(adi *s) {
  stepping *st = stepping_of(s);
  *st = (stepping){.now = s->apart->now,
                   .from = s->level_now,
                   .half = (s->level_now + 1) % 3,
                   .after = (s->level_now + 2) % 3};
  begin_sweep(s, ADI_X, st);
  if (s->viscosity) {
    const ria_part rows = rows_and(s, 2);
#pragma omp parallel for num_threads(s->planes.threads) schedule(static)
    for (int j = rows.j0; j < rows.j1; j++) eddies(s, j, j + 1, st->now.dt);
    adi_close(s, s->viscosity);
  }
  if (s->between) {
    sweep_rows(s, &st->sweep, rows_and(s, 1));
    second_solution(st);
  }
  sweep_rows(s, &st->sweep, s->planes.part);
}

/* --- along y ---------------------------------------------------------------------------------- */

static void part_begin_y(adi *s) { begin_sweep(s, ADI_Y, stepping_of(s)); }
static void part_second_y(adi *s) { second_solution(stepping_of(s)); }

/* The columns of a group: where they begin, how many, their lines. */
typedef struct group_at {
  int i0, n;
  R *up, *rhs, *ring;
} group_at;

static group_at group_of(const adi *s, int g) {
  const size_t faces = (size_t)ria_planes_rows(&s->planes) + 2;
  const int i0 = g * (int)COLUMNS, left = s->planes.grid.nx - i0;
  R *lines = (R *)s->apart->lines + (size_t)g * 2 * faces * COLUMNS;
  return (group_at){.i0 = i0,
                    .n = left < (int)COLUMNS ? left : (int)COLUMNS,
                    .up = lines,
                    .rhs = lines + faces * COLUMNS,
                    .ring = s->rings.y ? (R *)s->apart->ring + (size_t)g * faces * COLUMNS : NULL};
}

/* What came from the north along a ring, or begins there. */
static ring_south *turned_of(const adi *s, int g) { return (ring_south *)s->apart->turned + g; }

static column_group lines_of(const group_at *at) {
  column_group c;
  c.up = at->up;
  c.rhs = at->rhs;
  c.ring = at->ring;
  c.seam = NULL;
  return c;
}

/* given: the two last faces of the neighbour; out: of this part. */
static void group_north(const adi *s, const sweep_args *w, int g, const R *given, R *out) {
  const group_at at = group_of(s, g);
  const size_t two = 2 * COLUMNS, last = (kept_faces(s) - 2) * COLUMNS;
  R *const lines[] = {at.up, at.rhs, at.ring};
  column_group c = lines_of(&at);
  if (s->rings.y) c.seam = turned_of(s, g)->seam;
  for (size_t k = 0; k < (s->rings.y ? 3 : 2); k++) {
    if (given) memcpy(lines[k], given + k * two, two * sizeof(R));
    if (!given && s->planes.part.j0 > 0) memset(lines[k], 0, two * sizeof(R));
  }
  y_forward(w, &c, at.i0, at.n);
  for (size_t k = 0; k < (s->rings.y ? 3 : 2); k++)
    memcpy(out + k * two, lines[k] + last, two * sizeof(R));
}

/* given: the solution at the first face of the neighbour; out: of this part. */
static void group_south(const adi *s, const sweep_args *w, int g, const R *given, R *out) {
  const group_at at = group_of(s, g);
  const ria_part own = s->planes.part;
  R x[COLUMNS] = {0};
  column_group c;
  c.up = at.up;
  c.rhs = at.rhs;
  if (given) memcpy(x, given, sizeof x);
  if (given && !w->between)
    memcpy(w->u_new + adi_at(s, at.i0, own.j1), x, (size_t)at.n * sizeof(R));
  y_back(w, &c, at.i0, at.n, own.j1, own.j0 + 1, x);
  memcpy(out, x, sizeof x);
  y_back(w, &c, at.i0, at.n, own.j0, first_face(s), x);
}

/* given, out: a ring_south. */
static void group_ring_south(const adi *s, int g, const R *given, R *out) {
  const group_at at = group_of(s, g);
  const column_group c = lines_of(&at);
  y_ring_south(s, &c, at.n, (const ring_south *)given, turned_of(s, g), (ring_south *)out);
}

/* given, out: a ring_north. */
static void group_ring_north(const adi *s, const sweep_args *w, int g, const R *given, R *out) {
  const group_at at = group_of(s, g);
  const column_group c = lines_of(&at);
  *(ring_north *)out = y_ring_north(w, &c, at.i0, at.n, turned_of(s, g), (const ring_north *)given);
}

static void part_finish_y(adi *s) {
  const sweep_args *w = &stepping_of(s)->sweep;
  memset(s->found, 0, (size_t)s->planes.threads * sizeof *s->found);
#pragma omp parallel num_threads(s->planes.threads)
  {
    const int thread = omp_get_thread_num();
    const ria_part mine = share_of(0, s->apart->groups, thread, omp_get_num_threads());
    adi_found found = {0};
    column_group c;
    for (int g = mine.j0; g < mine.j1; g++) {
      const group_at at = group_of(s, g);
      y_finish(w, &c, at.i0, at.n, &found);
    }
    s->found[thread] = found;
  }
}

/* --- tracers ---------------------------------------------------------------------------------- */

static void part_carry(adi *s, int level) {
  const ria_part own = s->planes.part;
#pragma omp parallel num_threads(s->planes.threads)
  {
    const int thread = omp_get_thread_num();
    const ria_part mine = share_of(own.j0, own.j1, thread, omp_get_num_threads());
    carry(s, (R *)s->scratch[thread], (const R *)s->level[level], mine.j0, mine.j1);
  }
}

static void part_mix(adi *s, double dt) {
  const ria_part own = s->planes.part;
#pragma omp parallel num_threads(s->planes.threads)
  {
    const int thread = omp_get_thread_num();
    const ria_part mine = share_of(own.j0, own.j1, thread, omp_get_num_threads());
    mix_part(s, (R *)s->scratch[thread], (const R *)s->level[s->level_now], mine.j0, mine.j1, dt);
  }
}

static void part_mix_x(adi *s) {
#pragma omp parallel num_threads(s->planes.threads)
  {
    const int thread = omp_get_thread_num();
    mix(s, (R *)s->scratch[thread], (const R *)s->level[s->level_now], ADI_X, s->apart->now.dt,
        thread, omp_get_num_threads());
  }
}

static mix_lines columns_of(const adi *s) {
  return mix_lines_of(s, (const R *)s->level[s->level_now], ADI_Y, s->apart->tracer,
                      s->apart->now.dt);
}

static void mix_north(const adi *s, int g, const R *given, R *out) {
  const group_at at = group_of(s, g);
  const mix_lines w = columns_of(s);
  mix_edge e = {{0}, {0}, {0}, {0}};
  if (given) memcpy(&e, given, sizeof e);
  mix_forward(&w, adi_at(s, at.i0, s->planes.part.j0), at.n, &e, at.up, at.rhs);
  memcpy(out, &e, sizeof e);
}

static void mix_south(const adi *s, int g, const R *given, R *out) {
  const group_at at = group_of(s, g);
  const mix_lines w = columns_of(s);
  R above[COLUMNS] = {0};
  if (given) memcpy(above, given, sizeof above);
  mix_back(&w, adi_at(s, at.i0, s->planes.part.j0), at.n, above, at.up, at.rhs);
  memcpy(out, above, sizeof above);
}

/* Along a ring; given, out: a mix_ring, a ring_south, a ring_north. */
static void mix_ring_north(const adi *s, int g, const R *given, R *out) {
  const group_at at = group_of(s, g);
  const mix_lines w = columns_of(s);
  const mix_ring r = mix_ring_forward(&w, adi_at(s, at.i0, s->planes.part.j0), at.n,
                                      (const mix_ring *)given, at.up, at.rhs, at.ring);
  if (s->planes.part.j1 == s->planes.grid.ny) *turned_of(s, g) = mix_ring_end(&w, at.n, &r);
  memcpy(out, &r, sizeof r);
}

static void mix_ring_south(const adi *s, int g, const R *given, R *out) {
  const group_at at = group_of(s, g);
  const mix_lines w = columns_of(s);
  ring_south *turned = turned_of(s, g);
  if (given) *turned = *(const ring_south *)given;
  mix_ring_back(&w, at.n, at.up, at.rhs, at.ring, !given, turned);
  ring_south on = *turned;
  on.north = ring_face_at(at.rhs, at.ring, 0);
  memcpy(out, &on, sizeof on);
}

static void mix_ring_seam(const adi *s, int g, const R *given, R *out) {
  const group_at at = group_of(s, g);
  const mix_lines w = columns_of(s);
  const ring_south *turned = turned_of(s, g);
  const ring_face first = mix_ring_first(&w, turned, at.rhs, at.ring);
  const ring_north seam = given ? *(const ring_north *)given : ring_turn(turned, &first, at.n);
  mix_ring_put(&w, adi_at(s, at.i0, s->planes.part.j0), at.n, seam.crosses, &turned->north, at.rhs,
               at.ring);
  memcpy(out, &seam, sizeof seam);
}

/* --- a block of columns ----------------------------------------------------------------------- */

static int part_relayed(const adi *s) {
  const bool ring = s->rings.y;
  size_t bytes;
  switch (s->planes.waits) {
  case ADI_NORTH:
    return ring ? 6 : 4;
  case ADI_MIX_NORTH:
    bytes = ring ? sizeof(mix_ring) : sizeof(mix_edge);
    break;
  case ADI_SEAM:
  case ADI_MIX_SEAM:
    bytes = sizeof(ring_north);
    break;
  default:
    bytes = ring ? sizeof(ring_south) : COLUMNS * sizeof(R);
  }
  return (int)(bytes / (COLUMNS * sizeof(R)));
}

/* A group on its way, along lines that end or along a ring. */
static void pass_group(const adi *s, const sweep_args *w, int g, const R *given, R *out) {
  switch (s->planes.waits) {
  case ADI_NORTH:
    group_north(s, w, g, given, out);
    break;
  case ADI_SOUTH:
    if (s->rings.y)
      group_ring_south(s, g, given, out);
    else
      group_south(s, w, g, given, out);
    break;
  case ADI_SEAM:
    group_ring_north(s, w, g, given, out);
    break;
  case ADI_MIX_NORTH:
    if (s->rings.y)
      mix_ring_north(s, g, given, out);
    else
      mix_north(s, g, given, out);
    break;
  case ADI_MIX_SOUTH:
    if (s->rings.y)
      mix_ring_south(s, g, given, out);
    else
      mix_south(s, g, given, out);
    break;
  default:
    mix_ring_seam(s, g, given, out);
  }
}

static void part_relay(adi *s, int block, const void *in) {
  const adi_part *p = s->apart;
  const sweep_args *w = &stepping_of(s)->sweep;
  const int from = block * p->groups_of_block,
            to = from + p->groups_of_block < p->groups ? from + p->groups_of_block : p->groups;
  const size_t each = (size_t)part_relayed(s) * COLUMNS;
#pragma omp parallel for num_threads(s->planes.threads) schedule(static)
  for (int g = from; g < to; g++) {
    const R *given = in ? (const R *)in + (size_t)(g - from) * each : NULL;
    pass_group(s, w, g, given, (R *)p->sent + (size_t)g * each);
  }
}

/* --- after a step ----------------------------------------------------------------------------- */

static void part_follow(adi *s) {
  const ria_part own = s->planes.part;
#pragma omp parallel num_threads(s->planes.threads)
  {
    const ria_part mine = share_of(own.j0, own.j1, omp_get_thread_num(), omp_get_num_threads());
    decay(s, mine.j0, mine.j1, s->apart->now.dt);
    for (int j = mine.j0; j < mine.j1 && s->planes.n_track; j++) keep_maxima(s, j);
  }
}

static adi_seen part_look(adi *s) {
  const ria_part own = s->planes.part;
  adi_seen all = adi_seen_none();
  for (int k = 0; k < s->planes.threads; k++) s->seen[k] = all;
#pragma omp parallel num_threads(s->planes.threads)
  {
    const int thread = omp_get_thread_num();
    const ria_part mine = share_of(own.j0, own.j1, thread, omp_get_num_threads());
    s->seen[thread] = look_at_rows(s, mine.j0, mine.j1);
  }
  for (int k = 0; k < s->planes.threads; k++) adi_see(&all, &s->seen[k]);
  return all;
}

const adi_part_loops RIA_K(adi_part) = {.stepping = sizeof(stepping),
                                        .sweep_x = part_sweep_x,
                                        .begin_y = part_begin_y,
                                        .second_y = part_second_y,
                                        .finish_y = part_finish_y,
                                        .carry = part_carry,
                                        .mix = part_mix,
                                        .mix_x = part_mix_x,
                                        .follow = part_follow,
                                        .look = part_look,
                                        .relayed = part_relayed,
                                        .relay = part_relay};
