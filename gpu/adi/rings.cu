/* gpu/adi/rings.cu - periodic sides of the implicit solver on a GPU: what may be, and when cells
 * beyond them get what lies along the side across. */
#include "host.cuh"

ria_status adig_check_rings(const adig *s) {
  const ria_gpu_planes *p = &s->p;
  const int32_t *owner[RIA_SIDES] = {p->account.owner};
  if (!p->stretch) return RIA_OK;
  for (int side = 1; side < RIA_SIDES; side++)
    owner[side] = owner[side - 1] + ria_side_length(&p->grid, (ria_side)(side - 1));
  return water_check_rings(p->ctx, &p->grid, p->stretch, owner);
}

/* --- cells beyond them --------------------------------------------------------------------------
 *
 * Those of the planes that a sweep has made, and of what changes between two: others are as they
 * were. Rows beside a part are closed, too, when they are there. Of what the next sweep makes a
 * neighbour may store some at any time, so that is left alone. A part of a ring has rows beyond
 * the ends that it is told. echoes: where a low grid has one of these beside the part, too, only
 * the latter got what sources and layers gave. */

static ria_status wrap(adig *s, int n, void *const *plane, bool echoes) {
  adig_wrap w = {};
  if (s->p.ring && !s->rings.x && !echoes) return RIA_OK; /* all that lies beyond is told */
  w.v = s->p.v;
  w.rings = s->rings;
  w.beyond = adig_beyond(s);
  w.echoes = echoes;
  w.base = s->p.base;
  w.grid_rows = s->p.grid.ny;
  for (int k = 0; k < n; k++)
    if (plane[k]) w.plane[w.n++] = plane[k];
  A_TRY("closing periodic sides", s->kernel->wrap(&w, s->on));
  return RIA_OK;
}

static ria_status wrap_state(adig *s, bool echoes) {
  const int q = s->now.flux[ADI_Y];
  void *all[ADIG_WRAPPED] = {s->level[s->now.level], s->flux[ADI_X][s->now.flux[ADI_X]],
                             s->flux[ADI_Y][q], s->flux[ADI_Y][1 - q]};
  int n = 4;
  for (int m = 0; m < s->nt && echoes; m++) all[n++] = s->load[s->load_now][m];
  return adig_has_rings(s) ? wrap(s, n, all, echoes) : RIA_OK;
}

ria_status adig_wrap_state(adig *s) { return wrap_state(s, false); }

static bool is_rated(const adig *s) {
  bool rated = false;
  for (int side = 0; side < RIA_SIDES; side++) rated |= s->rated[side];
  return rated;
}

ria_status adig_wrap_swept(adig *s, int axis) {
  const int now = s->now.flux[axis];
  void *const all[] = {s->level[s->now.level], s->flux[axis][now], s->flux[axis][1 - now]};
  return adig_has_rings(s) ? wrap(s, is_rated(s) ? 3 : 2, all, false) : RIA_OK;
}

ria_status adig_wrap_given(adig *s) {
  return s->p.v.n_sources || adig_has_layers(s) || is_rated(s) ? wrap_state(s, s->p.ring) : RIA_OK;
}

ria_status adig_wrap_ground(adig *s) {
  void *const all[] = {s->bed, s->manning};
  return adig_has_rings(s) ? wrap(s, 2, all, false) : RIA_OK;
}

ria_status adig_wrap_plane(adig *s, void *plane) {
  return adig_has_rings(s) ? wrap(s, 1, &plane, false) : RIA_OK;
}

/* --- a pair that no longer is ----------------------------------------------------------------- */

/* Nothing but the cells of the grid is left in a plane; of a flux also the faces on the side where
 * lines along `axis` begin. axis < 0: of none. */
static ria_status clear_beyond(adig *s, void *plane, int axis) {
  const ria_gpu_planes *p = &s->p;
  const size_t real = p->real_size, pitch = p->v.stride * real, row = (size_t)(p->v.nx + 2) * real;
  if (!plane) return RIA_OK;
  char *west = (char *)plane + ria_gpu_at(&p->v, -1, 0) * real, *south = west - pitch;
  const size_t high = (size_t)p->v.ny;
  const size_t further = ria_gpu_whole(p) ? 0 : (size_t)p->ghost_rows - 1;
  cudaError_t e = cudaSuccess;
  if (further) { /* rows of a part beyond those next to its ends */
    e = cudaMemset2DAsync(south - further * pitch, pitch, 0, row, further, p->stream);
    if (e == cudaSuccess)
      e = cudaMemset2DAsync(west + (high + 1) * pitch, pitch, 0, row, further, p->stream);
  }
  if (e == cudaSuccess && axis != ADI_X)
    e = cudaMemset2DAsync(west, pitch, 0, real, high, p->stream);
  if (e == cudaSuccess) e = cudaMemset2DAsync(west + row - real, pitch, 0, real, high, p->stream);
  if (e == cudaSuccess && axis != ADI_Y) e = cudaMemsetAsync(south, 0, row, p->stream);
  if (e == cudaSuccess) e = cudaMemsetAsync(west + high * pitch, 0, row, p->stream);
  A_TRY("opening periodic sides", e);
  return RIA_OK;
}

void adig_expect_ring(adig *s, bool ring) { s->p.ring = ring && !ria_gpu_whole(&s->p); }

ria_status adig_set_rings(adig *s, water_rings rings) {
  const water_rings had = s->rings;
  if ((!had.x || rings.x) && (!had.y || rings.y)) {
    s->rings = rings;
    return RIA_OK;
  }
  void *const planes[] = {s->bed,      s->manning, s->level[0], s->level[1],
                          s->level[2], s->between, s->viscosity};
  for (void *plane : planes) RIA_TRY(clear_beyond(s, plane, -1));
  for (int axis = 0; axis < 2; axis++)
    for (int b = 0; b < 2; b++) RIA_TRY(clear_beyond(s, s->flux[axis][b], axis));
  s->rings = rings; /* cleared, or to be cleared the next time */
  return RIA_OK;
}
