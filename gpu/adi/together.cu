/* gpu/adi/together.cu - parts of a grid step together, on the GPUs of one process or of several
 * ranks (machine/crew.cuh): how they come together, and their spans. */
#include "together.cuh"
#include "machine/agree.cuh"

#include <stdlib.h>
#include <string.h>

static_assert((int)ADIG_ROWS <= (int)RIA_GPU_SETS, "sets of rows");

static void show(ria_gpu_planes *p, int set) { ((adig *)p)->shows = set; }

/* Where dt follows the flow the next round may need more parts of diffusion. */
static ria_status plan_round(adig_crew *c) {
  EACH_HERE(s, c) {
    RIA_TRY(ria_gpu_enter(&s->p));
    adig_plan_diffusion(s);
    if (s->parts) RIA_TRY(adig_send_report(s));
  }
  c->crew->phases = adig_n_phases(c);
  return ria_gpu_crew_gather(c->crew);
}

/* Without graphs: a round was launched. */
static ria_status over(void *user, bool *is) {
  adig_crew *c = (adig_crew *)user;
  *is = false;
  RIA_TRY(ria_gpu_crew_part(c->crew));
  EACH_HERE(s, c) {
    s->current = false;
    RIA_TRY(adig_enter(s));
    *is |= s->host->over || s->host->clock.failure;
  }
  RIA_TRY(ria_gpu_crew_check(c->crew));
  return *is ? RIA_OK : plan_round(c);
}

static const int *done(void *user) {
  return &adig_crew_first((const adig_crew *)user)->report->stops; /* an address of the device */
}

static cudaError_t load_kernels(const ria_gpu_planes *p) {
  return ((const adig *)p)->kernel->load();
}

static const ria_gpu_crew_calls calls = {.show = show,
                                         .queue = adig_queue_phase,
                                         .over = over,
                                         .steps = ADIG_ROUND,
                                         .sets = ADIG_ROWS,
                                         .whole = true,
                                         .by_host = true,
                                         .load = load_kernels,
                                         .done = done};

/* --- life ------------------------------------------------------------------------------------- */

/* All but the machine's crew. */
static void leave_crew(adig_crew *c) {
  for (int k = 0; c->part && k < c->n; k++) {
    if (!c->part[k]) continue;
    c->part[k]->on = c->part[k]->p.stream;
    c->part[k]->crew = NULL;
  }
  free(c->part);
  free(c);
}

static void free_crew(adig_crew *c) {
  if (!c) return;
  ria_gpu_crew *crew = c->crew;
  leave_crew(c);
  ria_gpu_crew_free(crew);
}

/* A crew that knows other neighbours: a ring of rows came or went. Nothing is queued. */
static ria_status drop_other_ring(adig *s) {
  if (!s->crew || s->crew->crew->ring == s->p.ring) return RIA_OK;
  ria_gpu_crew *crew = s->crew->crew;
  leave_crew(s->crew);
  return ria_gpu_crew_drop(crew);
}

void adig_crew_free(adig *s) {
  if (s->crew && adig_crew_first(s->crew) == s) free_crew(s->crew);
}

/* How columns lie on threads of this process' GPUs, and in which blocks parts begin. */
typedef struct card {
  int32_t m, segments, blocks;
  uint32_t begins;
} card;
static_assert((int)ADIG_BLOCKS <= 32, "a bit for each block");

static bool is_alike(const card *a, const card *b) {
  return a->m == b->m && a->segments == b->segments && a->blocks == b->blocks;
}

static ria_status fail_alike(const adig_crew *c) {
  return ria_fail(c->ctx, RIA_ERR_ARGUMENT,
                  "parts of adi on GPUs of different kinds, before and after compute capability "
                  "9.0: take those of one kind");
}

static ria_status measure(const adig_crew *c, card *mine) {
  const adig *first = adig_crew_first(c);
  *mine = {};
  EACH_HERE(s, c) {
    card of = {};
    s->kernel->layout(s->p.grid.ny, s->p.grid.nx, s->most_blocks, &of.m, &of.segments, &of.blocks);
    if (s != first && !is_alike(&of, mine)) return fail_alike(c);
    if (of.blocks > ADIG_BLOCKS)
      return ria_fail(c->ctx, RIA_ERR_ARGUMENT,
                      "a grid of %d rows is too high for parts of adi on GPUs: take one part "
                      "(--parts 1)",
                      s->p.grid.ny);
    const int block = of.m * of.segments, at = s->p.part.j0;
    of.begins = mine->begins | (at % block ? 1u << at / block : 0);
    *mine = of;
  }
  return RIA_OK;
}

/* Which blocks of a column lie in several parts. */
static void find_slots(adig_crew *c, uint32_t begins) {
  for (int b = 0; b < c->blocks; b++) {
    c->slot[b] = -1;
    if (!(begins >> b & 1)) continue;
    c->slot[b] = (int8_t)c->n_slots;
    c->block_of[c->n_slots++] = (int8_t)b;
  }
}

/* What is said of columns lies behind what cells of discharges hold. */
static void lay_out(adig_crew *c) {
  const adig *s = adig_crew_first(c);
  const size_t nx = (size_t)s->p.grid.nx, real = s->p.real_size;
  const size_t cells = (size_t)s->beside.rivers.first[1];
  if (cells > c->rim_cells) c->rim_cells = 2 * cells;
  c->ends_at = 3 * c->rim_cells * sizeof(double);
  c->seam_at = c->ends_at + 6 * (size_t)c->blocks * nx * real;
  c->pieces_at = c->seam_at + ADIG_SEAM * nx * real;
  const size_t pieces = 7 * (size_t)c->n_slots * (size_t)c->segments * nx * real;
  c->edges_at = adig_up_to_8(c->pieces_at + pieces);
  c->list_bytes = c->edges_at + adig_up_to_8(EDGE_FORWARD * nx * real) +
                  adig_up_to_8(EDGE_BACK * nx * real) + adig_up_to_8(nx * real);
}

/* Of the parts of all ranks. */
static ria_status shape(adig_crew *c, ria_status here) {
  card all[RIA_GPU_LANES];
  const int n = c->crew->ranks ? c->crew->n_lanes : 1;
  bool can = true;
  if (here == RIA_OK) here = measure(c, &all[0]);
  RIA_TRY(ria_gpu_agree(c->ctx, "columns of adi lie on threads", here, &can));
  const card mine = all[0];
  if (c->crew->ranks) RIA_TRY(ria_gpu_ranks_tell(c->ctx, &mine, all, sizeof mine));
  uint32_t begins = 0;
  for (int k = 0; k < n; k++) {
    if (!is_alike(&all[k], &all[0])) return fail_alike(c);
    begins |= all[k].begins;
  }
  c->m = mine.m, c->segments = mine.segments, c->blocks = mine.blocks;
  find_slots(c, begins);
  return RIA_OK;
}

static ria_status take_parts(adig_crew *c, void *const *part, int n) {
  c->n = c->crew->n;
  c->part = (adig **)calloc((size_t)c->n, sizeof *c->part);
  if (!c->part) return ria_gpu_no_memory((const ria_gpu_planes *)part[0], "the parts");
  for (int k = 0; k < n; k++) c->part[c->crew->first + k] = (adig *)part[k];
  return RIA_OK;
}

static ria_status make_crew(void *const *part, int n) {
  adig *one = (adig *)part[0];
  adig_crew *c = (adig_crew *)calloc(1, sizeof *c);
  if (!c) return ria_gpu_no_memory(&one->p, "the parts");
  c->ctx = one->p.ctx;
  ria_status status = ria_gpu_crew_make((ria_gpu_planes *const *)part, n, &calls, c, &c->crew);
  if (status == RIA_OK && !c->crew)
    status = ria_fail(c->ctx, RIA_ERR_ARGUMENT,
                      "adi cannot step parts of this grid together as they lie: take fewer "
                      "(--parts), or --device cpu");
  if (status == RIA_OK) status = shape(c, take_parts(c, part, n));
  if (status != RIA_OK) {
    free_crew(c);
    return status;
  }
  EACH_HERE(s, c) s->crew = c;
  return RIA_OK;
}

/* --- a span ----------------------------------------------------------------------------------- */

/* Nothing is queued, and all ranks can go on. */
static ria_status make_ready(adig_crew *c) {
  const adig *first = adig_crew_first(c);
  bool stale = false, tracks = false, can = true;
  EACH_HERE(s, c) {
    adig_plan_diffusion(s);
    stale |= s->stale;
    tracks |= s->p.n_track > 0;
    s->stale = false;
  }
  lay_out(c);
  if (stale) ria_gpu_crew_stale(c->crew);
  RIA_TRY(ria_gpu_crew_lists(c->crew, c->list_bytes / sizeof(double) + 1));
  c->crew->phases = adig_n_phases(c);
  c->crew->by_phases = tracks || (first->parts && !(first->rules.dt > 0));
  const int turn = (int)(first->host->clock.steps % ADIG_ROUND);
  return ria_gpu_agree(c->ctx, "a span of adi is ready", ria_gpu_crew_ready(c->crew, turn), &can);
}

/* By NCCL rounds stop for more parts of diffusion too. */
static ria_status run(adig_crew *c) {
  const bool stalls = c->crew->begin > 0 && adig_crew_first(c)->p.backend->stalls; /* a test */
  bool is_over = true;
  do {
    RIA_TRY(ria_gpu_crew_run(c->crew));
    if (stalls) break;
    if (c->crew->nccl && adig_crew_first(c)->parts) RIA_TRY(over(c, &is_over));
  } while (!is_over);
  return RIA_OK;
}

static ria_status launch(adig_crew *c) {
  EACH_HERE(s, c) {
    RIA_TRY(ria_gpu_enter(&s->p));
    s->on = s->p.stream;
    RIA_TRY(adig_wrap_ground(s));
    RIA_TRY(adig_wrap_state(s));
    RIA_TRY(adig_send_report(s));
  }
  RIA_TRY(ria_gpu_crew_gather(c->crew));
  return run(c);
}

/* Go on with the span that the hosts' clocks have. */
static ria_status go(adig_crew *c) {
  const ria_status status = launch(c);
  if (status != RIA_OK) ria_gpu_crew_break(c->crew, status);
  RIA_TRY(status);
  return ria_gpu_crew_part(c->crew);
}

ria_status adig_crew_check(const adig_crew *c) { return c ? ria_gpu_crew_check(c->crew) : RIA_OK; }

static ria_status enter_all(void *const *part, int n) {
  for (int k = 0; k < n; k++) RIA_TRY(adig_enter((adig *)part[k]));
  return RIA_OK;
}

/* --- a level that runs away ------------------------------------------------------------------- */

/* What rows of parts here store, and what went through stretches, through[parts of all][n]. */
static ria_status sum_up(const adig_crew *c, ria_row_totals *rows, double *through, size_t n) {
  ria_row_totals *of = rows + adig_crew_first(c)->p.grid.ny;
  EACH_HERE(s, c) {
    double *in = through + (size_t)here_ * n;
    RIA_TRY(ria_gpu_planes_row_totals(s, of));
    for (int j = 0; j < s->p.end - s->p.begin; j++) rows[s->p.part.j0 + j] = of[j];
    RIA_TRY(ria_gpu_planes_fluxes(s, s->p.v.n_stretch, in, in + n / 2));
  }
  return RIA_OK;
}

/* And those of other ranks. */
static ria_status gather_sums(const adig_crew *c, ria_row_totals *rows, double *through, size_t n) {
  const ria_gpu_crew *w = c->crew;
  size_t row[(int)RIA_GPU_LANES + 1], part[(int)RIA_GPU_LANES + 1];
  for (int k = 0; k < w->n_lanes; k++) {
    row[k] = (size_t)w->lane[k].row * sizeof *rows;
    part[k] = (size_t)w->lane[k].first * n * sizeof *through;
  }
  row[w->n_lanes] = (size_t)adig_crew_first(c)->p.grid.ny * sizeof *rows;
  part[w->n_lanes] = (size_t)c->n * n * sizeof *through;
  RIA_TRY(ria_gpu_ranks_gather(c->ctx, rows, row));
  return ria_gpu_ranks_gather(c->ctx, through, part);
}

static ria_status judge_by_sums(const adig_crew *c, ria_row_totals *rows, double *through, size_t n,
                                ria_status here) {
  const ria_grid *g = &adig_crew_first(c)->p.grid;
  bool can = true;
  if (here == RIA_OK) here = sum_up(c, rows, through, n);
  RIA_TRY(ria_gpu_agree(c->ctx, "a level of adi is judged", here, &can));
  if (c->crew->ranks) RIA_TRY(gather_sums(c, rows, through, n));
  for (int k = 1; k < c->n; k++) /* part by part */
    for (size_t q = 0; q < n; q++) through[q] += through[(size_t)k * n + q];
  const double stored = ria_sum_rows(g, rows, g->ny).stored;
  EACH_HERE(s, c) adig_judge_by(s, stored, through, through + n / 2);
  return RIA_OK;
}

static ria_status judge_all(const adig_crew *c) {
  const ria_gpu_planes *p = &adig_crew_first(c)->p;
  const size_t ny = (size_t)p->grid.ny, nq = (size_t)p->v.n_quantities;
  const size_t n = 2 * (size_t)p->v.n_stretch * nq; /* in and out */
  double *through = (double *)malloc(((size_t)c->n * n + 1) * sizeof *through);
  ria_row_totals *rows = (ria_row_totals *)calloc((1 + nq) * ny, sizeof *rows);
  const ria_status status =
      judge_by_sums(c, rows, through, n, through && rows ? RIA_OK : ria_gpu_no_memory(p, "a sum"));
  free(through);
  free(rows);
  return status;
}

static ria_status enter_crew(const adig_crew *c) {
  EACH_HERE(s, c) RIA_TRY(adig_enter(s));
  return RIA_OK;
}

ria_status adig_settle(adig_crew *c) {
  const adi_clock *clock = &adig_crew_first(c)->host->clock;
  RIA_TRY(enter_crew(c));
  while (clock->high && !clock->failure) {
    RIA_TRY(judge_all(c));
    if (clock->failure) break;
    RIA_TRY(make_ready(c));
    RIA_TRY(go(c));
    RIA_TRY(enter_crew(c));
    RIA_TRY(ria_gpu_crew_check(c->crew));
  }
  return RIA_OK;
}

/* --- of ria_solver_ops ------------------------------------------------------------------------ */

static ria_status check_prepared(const adig_crew *c) {
  EACH_HERE(s, c) {
    if (s->p.ready) continue;
    return ria_fail(c->ctx, RIA_ERR_DEVICE, "parts of adi on GPUs were not prepared");
  }
  return RIA_OK;
}

/* What a span left to be judged, when memory ran out for that, goes on in a crew that knows the
 * neighbours there are now. */
ria_status adig_together(void *const *part, int n, const ria_span *span, bool *queued) {
  adig *one = (adig *)part[0];
  const adi_clock *clock = &one->host->clock;
  *queued = true;
  RIA_TRY(adig_crew_check(one->crew));
  RIA_TRY(enter_all(part, n));
  if (clock->failure) return RIA_OK;
  RIA_TRY(drop_other_ring(one));
  if (!one->crew) RIA_TRY(make_crew(part, n));
  adig_crew *c = one->crew;
  RIA_TRY(check_prepared(c));
  RIA_TRY(adig_settle(c));
  if (clock->failure) return RIA_OK;
  RIA_TRY(make_ready(c));
  EACH_HERE(s, c) adi_begin_span(&s->host->clock, span);
  return go(c);
}
