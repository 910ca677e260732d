/* gpu/adi/set.cu - what is set on the GPU's implicit solver: boundaries and sources, fields,
 * releases. These change the arguments of steps, so recorded steps are marked stale. */
#include "host.cuh"

#include <stdlib.h>
#include <string.h>

/* Of the account that is on the device, and was just fetched from there. */
static ria_status forget(adig *s) {
  ria_gpu_planes *p = &s->p;
  const ria_account *a = &p->account;
  if (!adi_forget(&p->account, p->stretch)) return RIA_OK;
  A_TRY("setting the boundary",
        ria_gpu_to_device(p, p->v.crossed, a->crossed,
                          a->cells * (size_t)a->n_quantities * sizeof *a->crossed));
  return ria_gpu_planes_wait(p);
}

ria_status adig_force(void *self, const ria_forcing_set *set) {
  adig *s = (adig *)self;
  const adig_beside had = s->beside;
  const bool was_ring = s->p.ring;
  const water_rings rings = water_rings_of(&set->boundary, &s->p.grid);
  RIA_TRY(adig_enter(s));
  adig_expect_ring(s, rings.y);
  ria_status status = adig_list_layers(s, set);
  if (status == RIA_OK) status = adig_force_rivers(s, set); /* waits for what is queued */
  adig_drop_layers(s);
  if (status != RIA_OK) {
    s->beside = had;
    adig_expect_ring(s, was_ring);
    return status;
  }
  adig_stale(s);
  RIA_TRY(forget(s));
  s->forced[0] = s->forced[1] = s->carried_in = false;
  s->driven = s->host->clock.driven = adi_is_driven(set);
  memcpy(s->wind, set->varying, sizeof s->wind);
  adi_given_forcing(&s->given, &s->p.grid, set);
  for (int side = 0; side < RIA_SIDES; side++) {
    s->walls[side] = true;
    s->rated[side] = false;
    /* Of the whole west and east: beyond the north of a ring lie the grid's first rows. */
    const int back = side <= RIA_EAST ? s->p.base : 0;
    for (int k = s->p.v.first[side] - back; k < s->p.v.first[side + 1]; k++) {
      const int kind = s->p.stretch[s->p.account.owner[k]].kind;
      const int axis = side == RIA_WEST || side == RIA_EAST ? ADI_X : ADI_Y;
      if (water_side_has_level(kind) || kind == SIDE_DISCHARGE) s->forced[axis] = true;
      if (kind == SIDE_RADIATE) s->forced[ADI_Y] = true; /* what it keeps is found there */
      if (kind == SIDE_RATING)                           /* what the sweep across needs, too */
        s->rated[side] = s->forced[ADI_X] = s->forced[ADI_Y] = true;
      if (kind != SIDE_WALL && kind != SIDE_PERIODIC) s->carried_in = true, s->walls[side] = false;
    }
  }
  return adig_set_rings(s, rings);
}

static cudaError_t set_faces(adig *s, int axis, const double *cells, int factor) {
  const adig_state a = adig_state_of(s, s->place);
  const int now = s->now.flux[axis];
  return s->kernel->set_faces(&a, axis, cells, factor, s->flux[axis][now], s->flux[axis][1 - now],
                              s->p.stream);
}

static ria_status need_manning(adig *s) {
  if (s->manning) return RIA_OK;
  RIA_TRY(ria_gpu_plane_alloc(&s->p, "the roughness", &s->manning));
  adig_stale(s);
  return RIA_OK;
}

ria_status adig_set_field(void *self, int field, int tracer, double *values) {
  adig *s = (adig *)self;
  if (field == WATER_MANNING) RIA_TRY(need_manning(s));
  const adig_state a = adig_state_of(s, s->place);
  const bool water = field == WATER_LEVEL || field == WATER_DEPTH;
  void *load = tracer >= 0 ? s->load[s->load_now][tracer] : NULL;
  cudaError_t e = s->kernel->set_cells(&a, field, load, values, s->p.stream);
  if (e == cudaSuccess && (water || field == WATER_QX || field == WATER_U))
    e = set_faces(s, ADI_X, values, water);
  if (e == cudaSuccess && (water || field == WATER_QY || field == WATER_V))
    e = set_faces(s, ADI_Y, values, water);
  A_TRY("setting a field", e);
  return RIA_OK;
}

ria_status adig_write(void *self, int field, int tracer, const double *src) {
  adig *s = (adig *)self;
  RIA_TRY(ria_gpu_planes_write(s, field, tracer, src));
  adi_given_field(&s->given, &s->par, &s->p.grid, field, src);
  s->water_set = s->water_set || adi_moves_water(field);
  return RIA_OK;
}

ria_status adig_add(void *self, int quantity, int n, const int32_t *cell, const double *amount) {
  adig *s = (adig *)self;
  s->water_set = s->water_set || (n > 0 && quantity == 0);
  return ria_gpu_planes_add(s, quantity, n, cell, amount);
}
