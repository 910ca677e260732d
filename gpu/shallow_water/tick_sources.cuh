/* tick_sources.cuh - sources between two steps, for one precision: the speeds that they ask for,
 * what they give. What each gives was worked out before (evaluate of tick_forcing.cuh).
 *
 * Hundreds of rivers take as long as a few: a thread has a cell, and gives it what comes there from
 * all sources, one after another (ria_gpu_source_cell). */

namespace {

__device__ __forceinline__ bool runs(const ria_gpu_source *q, double t, double dt) {
  return ria_source_runs(q->t_start, q->t_stop, t, dt);
}

/* Is a source of water running that this thread looks at, given a step of at most dt? */
__device__ __forceinline__ bool water_runs(const swg_forcing *f, double t, double dt) {
  bool any = false;
#pragma unroll 1
  for (int m = threadIdx.x; m < f->n_sources; m += SWG_TICK)
    any |= f->sources[m].quantity == 0 && runs(&f->sources[m], t, dt);
  return any;
}

/* As fast as sw_source_speed, or a little faster. */
__device__ __forceinline__ float source_speed_at_most(const sw_const_f32 *k, vec4 s, double rate,
                                                      double dt) {
  const float h = (float)s.h, flow = fabsf((float)s.qx) * k->rdx + fabsf((float)s.qy) * k->rdy;
  const float wave = ria_root_f32(k->g * (h + (float)(rate * dt))) * k->rsum;
  return 1.00001f * (wave + flow * ria_inv_f32(fmaxf(h, 1e-30f)));
}

/* Speeds that sources of water ask for, given a step of at most dt. flow: the flow's; what is no
 * faster does not count, unless the least does (sw_forced), and most sources ask for no more. */
__device__ __forceinline__ void source_speeds(const tick_args *args, double t, double dt,
                                              double flow, leader *lead) {
  const swg_args *a = &args->a;
  const swg_view *v = &a->v;
  const swg_forcing *f = &v->forcing;
  const float enough = flow >= v->least ? (float)flow : -1;
#pragma unroll 1
  for (int e = threadIdx.x; e < f->n_water_cells; e += SWG_TICK) {
    const ria_gpu_source_cell c = f->source_cell[e];
    if (c.tile < 0 || !runs(&f->sources[c.source], t, dt)) continue;
    const vec4 s = load4(a->old + c.at);
    const double rate = f->source_next[c.source] / v->area * c.weight;
    if (rate <= 0) continue;
    if (source_speed_at_most(&args->rough, s, rate, dt) <= enough) continue;
    note(lead,
         sw_source_speed((double)s.h, (double)s.qx, (double)s.qy, rate, dt, v->p.gravity,
                         v->p.dry_depth, v->p.cfl, args->rdx, args->rdy),
         c.at / v->stride * v->nx + c.at % v->stride, v->rim.first[RIA_SIDES] + c.place);
  }
}

/* What comes to a cell, the first of which in the list is number e. Returned is what it has taken,
 * m or kg/m^2, if it is counted here. */
__device__ __forceinline__ double give_cell(const swg_args *a, int e, double t, double dt) {
  const swg_view *v = &a->v;
  const swg_forcing *f = &v->forcing;
  vec4 *state = (vec4 *)a->old; /* the present is ours between two steps */
  const ria_gpu_source_cell c = f->source_cell[e];
  if (c.more < 0) return 0;
  R *value = c.quantity == 0   ? &state[c.at].h
             : c.quantity == 1 ? &state[c.at].hc
                               : (R *)a->old_more + (c.quantity - 2) * v->plane + c.at;
  double sum = 0;
  bool any = false;
#pragma unroll 1
  for (int k = e; k <= e + c.more; k++) {
    const ria_gpu_source_cell one = k == e ? c : f->source_cell[k];
    if (!runs(&f->sources[one.source], t, dt)) continue;
    any = true;
    sum += ria_source_give(value, f->source_gives[one.source] * one.weight, 0.0,
                           &f->source_owed[one.place]);
  }
  if (!any || c.tile < 0) return 0;
  /* where a tracer finds water the tile is known to be wet */
  if (c.quantity == 0 && *value > a->k.dry) ((uint8_t *)a->wet_old)[c.tile] = 1;
  v->same[c.tile] = 0;
  return sum;
}

/* What all sources give in the step. Sums are taken by groups of cells of one quantity, by warp,
 * then over warps: in a fixed order. */
__device__ __forceinline__ void apply_sources(const swg_args *a, double t, double dt,
                                              scratch *room) {
  const swg_view *v = &a->v;
  const swg_forcing *f = &v->forcing;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane < SW_QUANTITIES) room->given[lane][warp] = 0;
  __syncwarp();
#pragma unroll 1
  for (int e = threadIdx.x; e < f->n_source_cells; e += SWG_TICK) {
    const double sum = warp_sum(give_cell(a, e, t, dt));
    if (lane == 0) room->given[f->source_cell[e].quantity][warp] += sum;
  }
  __syncthreads();
  if (warp > v->nt) return;
  const double sum = warp_sum(room->given[warp][lane]);
  /* one thread: nobody waits for memory */
  if (lane == 0 && sum != 0) atomicAdd(&v->report->added[warp], sum * v->area);
}

} // namespace
