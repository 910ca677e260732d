/* outputs/snapshot.c - copies of fields for outputs, each state once.
 *
 * A frame of the depth, one of the level and a save of both, all at the same time, need depth and
 * level more than once. A snapshot is taken once for each field, precision, coarseness and state
 * and counted: jobs on any worker share it and only read it. The latest of each field stays in
 * `current`, with the pool as a user of its own, until another state is asked for; a static field
 * therefore is taken once in a run. What has no user left goes to `spare` and is used again for
 * anything of its size: memory that a device copies to is slow to make.
 *
 * Where the solver can fetch, taking only queues the copy and the steps go on. The first reader
 * waits for the copy and the others wait for that reader. An unread copy is awaited before its
 * buffer is reused. Elsewhere the values are read at once. */
#include "base/context.h"
#include "core/sim.h"
#include "base/text.h"
#include "io/file.h"
#include "base/grid.h"
#include "outputs/output.h"
#include <math.h>
#include <stdlib.h>

enum { COARSE_STRIP = 1024 }; /* columns that are averaged at once; RIA_COARSE_MAX fits in */

typedef enum snapshot_state { SNAPSHOT_QUEUED, SNAPSHOT_AWAITED, SNAPSHOT_THERE } snapshot_state;

struct ria_snapshot {
  ria_snapshot *next; /* in current or spare */
  ria_snapshot_pool *pool;
  const ria_sim *sim;
  void *values; /* [bytes] of backend->alloc_output */
  size_t bytes;
  const ria_sim_field *field;
  ria_real real;
  int coarse;
  bool packed; /* as `packing` says; what snapshots of values have is zero */
  ria_packing packing;
  int64_t steps; /* the state: both must match, unless the field is static */
  uint64_t edits;
  int users; /* this and what follows under the pool's lock */
  snapshot_state state;
  void *ticket;      /* while queued */
  ria_status status; /* of the copy, once it is there */
  char err[RIA_ERR_TEXT];
};

/* --- the pool --------------------------------------------------------------------------------- */

ria_status ria_snapshot_pool_init(ria_sim *sim) {
  ria_snapshot_pool *pool = &sim->outputs->pool;
  if (pool->ready) return RIA_OK;
  if (pthread_mutex_init(&pool->lock, NULL) != 0)
    return ria_fail(sim->ctx, RIA_ERR_MEMORY, "cannot make a lock for the outputs");
  if (pthread_cond_init(&pool->arrived, NULL) != 0) {
    pthread_mutex_destroy(&pool->lock);
    return ria_fail(sim->ctx, RIA_ERR_MEMORY, "cannot make a lock for the outputs");
  }
  pool->ready = true;
  return RIA_OK;
}

/* The copy of a snapshot that no one uses must not go on into memory that has another use. */
static void settle(ria_snapshot *s) {
  char ignored[RIA_ERR_TEXT];
  if (s->state == SNAPSHOT_QUEUED)
    (void)s->sim->ops->await(s->sim->self, s->ticket, ignored, sizeof ignored);
  s->state = SNAPSHOT_THERE;
}

void ria_snapshot_release(ria_snapshot *s) {
  if (!s) return;
  ria_snapshot_pool *pool = s->pool;
  pthread_mutex_lock(&pool->lock);
  bool last = --s->users == 0;
  pthread_mutex_unlock(&pool->lock);
  if (!last) return;
  settle(s);
  pthread_mutex_lock(&pool->lock);
  s->next = pool->spare;
  pool->spare = s;
  pthread_mutex_unlock(&pool->lock);
}

static void add_user(ria_snapshot *s) {
  pthread_mutex_lock(&s->pool->lock);
  s->users++;
  pthread_mutex_unlock(&s->pool->lock);
}

static void free_list(const ria_backend *b, ria_snapshot *s) {
  while (s) {
    ria_snapshot *next = s->next;
    settle(s);
    b->free_output(b, s->values);
    free(s);
    s = next;
  }
}

void ria_snapshot_pool_free(ria_sim *sim) {
  ria_snapshot_pool *pool = &sim->outputs->pool;
  if (!pool->ready) return;
  free_list(sim->backend, pool->current);
  free_list(sim->backend, pool->spare);
  pthread_cond_destroy(&pool->arrived);
  pthread_mutex_destroy(&pool->lock);
  *pool = (ria_snapshot_pool){0};
}

/* --- means over cells ------------------------------------------------------------------------- */

/* Four rows at a time: less to load and store. */
static void add_rows(float *restrict sum, const float *restrict v, size_t nx, int nj, int n) {
  int j = 0;
  for (; j + 4 <= nj; j += 4, v += 4 * nx) {
    const float *restrict v1 = v + nx, *restrict v2 = v1 + nx, *restrict v3 = v2 + nx;
    for (int i = 0; i < n; i++) sum[i] += (v[i] + v1[i]) + (v2[i] + v3[i]);
  }
  for (; j < nj; j++, v += nx)
    for (int i = 0; i < n; i++) sum[i] += v[i];
}

static bool some_missing(const float *sum, int n) {
  int missing = 0;
  for (int i = 0; i < n; i++) missing |= sum[i] != sum[i];
  return missing;
}

static void add_known(float *restrict sum, float *restrict count, const float *restrict v, int n) {
  for (int i = 0; i < n; i++) {
    sum[i] += v[i] == v[i] ? v[i] : 0.0f;
    count[i] += v[i] == v[i] ? 1.0f : 0.0f;
  }
}

/* Sums and counts of n columns of nj rows. Most often every cell has a value. */
static void add_columns(float *sum, float *count, const float *v, size_t nx, int nj, int n) {
  for (int i = 0; i < n; i++) {
    sum[i] = 0.0f;
    count[i] = (float)nj;
  }
  add_rows(sum, v, nx, nj, n);
  if (!some_missing(sum, n)) return;
  for (int i = 0; i < n; i++) sum[i] = count[i] = 0.0f;
  for (int j = 0; j < nj; j++) add_known(sum, count, v + (size_t)j * nx, n);
}

static float mean_of(const float *sum, const float *count, int n) {
  float s = 0.0f, c = 0.0f;
  for (int i = 0; i < n; i++) {
    s += sum[i];
    c += count[i];
  }
  return c > 0.0f ? s / c : NAN;
}

/* Means over nj rows and so many columns of each: [nj][nx] -> [ceil(nx / coarse)]. */
static void coarsen_row(const float *v, int nx, int nj, int coarse, float *out) {
  const int strip = COARSE_STRIP / coarse * coarse;
  float sum[COARSE_STRIP], count[COARSE_STRIP];
  for (int i0 = 0; i0 < nx; i0 += strip) {
    int n = nx - i0 < strip ? nx - i0 : strip;
    add_columns(sum, count, v + i0, (size_t)nx, nj, n);
    for (int i = 0; i < n; i += coarse)
      out[(i0 + i) / coarse] = mean_of(sum + i, count + i, n - i < coarse ? n - i : coarse);
  }
}

typedef struct coarse_visit {
  int nx, coarse, threads;
  float *dst; /* [ceil(ny / coarse)][ceil(nx / coarse)] */
} coarse_visit;

static void coarsen_rows(void *user, int j0, int nj, const void *rows) {
  const coarse_visit *c = user;
  const size_t width = (size_t)ria_coarse_cells(c->nx, c->coarse);
  const int n = ria_coarse_cells(nj, c->coarse);
#pragma omp parallel for num_threads(c->threads) schedule(static)
  for (int k = 0; k < n; k++) {
    const int first = k * c->coarse, left = nj - first;
    const float *from = (const float *)rows + (size_t)first * (size_t)c->nx;
    coarsen_row(from, c->nx, left < c->coarse ? left : c->coarse, c->coarse,
                c->dst + (size_t)(j0 / c->coarse + k) * width);
  }
}

ria_status ria_field_read_coarse(ria_sim *sim, const ria_sim_field *f, bool maximum, int coarse,
                                 float *dst) {
  if (coarse <= 1) return ria_field_read(sim, f, maximum, RIA_F32, dst);
  coarse_visit c = {sim->grid.nx, coarse, ria_context_threads(sim->ctx), dst};
  return ria_field_visit(sim, f, maximum, RIA_F32, coarse, coarsen_rows, &c);
}

/* --- taking ----------------------------------------------------------------------------------- */

static bool is_present(const ria_sim *sim, const ria_snapshot *s) {
  if (sim->started && (s->field->info->flags & RIA_FIELD_STATIC)) return true;
  return s->steps == sim->at.steps && s->edits == sim->edits;
}

/* What is asked for. */
typedef struct snapshot_wish {
  const ria_sim_field *field;
  ria_real real;
  int coarse;
  const ria_packing *packing; /* NULL: values */
} snapshot_wish;

static bool is_wished(const ria_snapshot *s, const snapshot_wish *w) {
  if (s->field != w->field || s->real != w->real || s->coarse != w->coarse) return false;
  if (!w->packing) return !s->packed;
  return s->packed && s->packing.tile_x == w->packing->tile_x &&
         s->packing.tile_y == w->packing->tile_y && s->packing.precision == w->packing->precision;
}

/* Takes it out of `current` when it is of an earlier state. */
static ria_snapshot *find_present(ria_sim *sim, const snapshot_wish *w) {
  for (ria_snapshot **at = &sim->outputs->pool.current; *at; at = &(*at)->next) {
    ria_snapshot *s = *at;
    if (!is_wished(s, w)) continue;
    if (is_present(sim, s)) return s;
    *at = s->next;
    ria_snapshot_release(s);
    return NULL;
  }
  return NULL;
}

static ria_snapshot *take_spare(ria_snapshot_pool *pool, size_t bytes) {
  pthread_mutex_lock(&pool->lock);
  ria_snapshot **at = &pool->spare;
  while (*at && (*at)->bytes != bytes) at = &(*at)->next;
  ria_snapshot *s = *at;
  if (s) *at = s->next;
  pthread_mutex_unlock(&pool->lock);
  return s;
}

static ria_status make_fresh(ria_sim *sim, size_t bytes, ria_snapshot **out) {
  const ria_backend *b = sim->backend;
  ria_snapshot *s = malloc(sizeof *s);
  if (!s) return ria_fail_memory(sim->ctx, "a field for output", sizeof *s);
  ria_status status = b->alloc_output(sim->ctx, b, bytes, &s->values);
  if (status != RIA_OK) {
    free(s);
    return status;
  }
  s->bytes = bytes;
  *out = s;
  return RIA_OK;
}

static ria_status make_one(ria_sim *sim, const snapshot_wish *w, size_t bytes, ria_snapshot **out) {
  ria_snapshot_pool *pool = &sim->outputs->pool;
  ria_snapshot *s = take_spare(pool, bytes);
  if (!s) RIA_TRY(make_fresh(sim, bytes, &s));
  *s = (ria_snapshot){.pool = pool,
                      .sim = sim,
                      .values = s->values,
                      .bytes = bytes,
                      .field = w->field,
                      .real = w->real,
                      .coarse = w->coarse,
                      .steps = sim->at.steps,
                      .edits = sim->edits,
                      .users = 1,
                      .state = SNAPSHOT_THERE};
  if (w->packing) {
    s->packed = true;
    s->packing = *w->packing;
  }
  *out = s;
  return RIA_OK;
}

/* Packed ones leave `ticket` NULL when the device cannot now. A device knows nothing of cells that
 * are left out of the domain: then the host reads. */
static ria_status fill(ria_sim *sim, ria_snapshot *s) {
  const ria_sim_field *f = s->field;
  if (!sim->ops->fetch || sim->mask.out || f->rows) {
    if (s->coarse > 1) return ria_field_read_coarse(sim, f, false, s->coarse, s->values);
    return ria_field_read(sim, f, false, s->real, s->values);
  }
  if (s->packed)
    RIA_TRY(sim->ops->pack(sim->self, f->index, f->tracer, &s->packing, s->values, &s->ticket));
  else
    RIA_TRY(
        sim->ops->fetch(sim->self, f->index, f->tracer, s->coarse, s->real, s->values, &s->ticket));
  if (s->ticket) s->state = SNAPSHOT_QUEUED;
  return RIA_OK;
}

/* *out is NULL when it is to be packed and cannot now. */
static ria_status take(ria_sim *sim, const snapshot_wish *w, size_t bytes, ria_snapshot **out) {
  ria_snapshot *s = find_present(sim, w);
  *out = NULL;
  if (!s) {
    RIA_TRY(make_one(sim, w, bytes, &s));
    ria_status status = fill(sim, s);
    if (status != RIA_OK || (s->packed && !s->ticket)) {
      ria_snapshot_release(s);
      return status;
    }
    s->next = sim->outputs->pool.current;
    sim->outputs->pool.current = s;
  }
  add_user(s);
  *out = s;
  return RIA_OK;
}

ria_status ria_snapshot_take(ria_sim *sim, const ria_sim_field *f, ria_real real, int coarse,
                             ria_snapshot **out) {
  const ria_grid *g = &sim->grid;
  const size_t bytes = (size_t)ria_coarse_cells(g->nx, coarse) *
                       (size_t)ria_coarse_cells(g->ny, coarse) * ria_real_size(real);
  return take(sim, &(snapshot_wish){f, real, coarse, NULL}, bytes, out);
}

ria_status ria_snapshot_take_packed(ria_sim *sim, const ria_sim_field *f,
                                    const ria_packing *packing, ria_snapshot **out) {
  const ria_solver_ops *ops = sim->ops;
  const bool packs = ops->pack_bytes && !sim->mask.out && !f->rows;
  const size_t bytes = packs ? ops->pack_bytes(sim->self, packing) : 0;
  *out = NULL;
  if (bytes) RIA_TRY(take(sim, &(snapshot_wish){f, packing->real, 1, packing}, bytes, out));
  return *out ? RIA_OK : ria_snapshot_take(sim, f, packing->real, 1, out);
}

/* --- reading ---------------------------------------------------------------------------------- */

/* Wait for the copy, alone. Called and left with the lock held. */
static void await_copy(ria_snapshot *s) {
  char err[RIA_ERR_TEXT] = "";
  s->state = SNAPSHOT_AWAITED;
  pthread_mutex_unlock(&s->pool->lock);
  ria_status status = s->sim->ops->await(s->sim->self, s->ticket, err, sizeof err);
  pthread_mutex_lock(&s->pool->lock);
  s->status = status;
  ria_format(s->err, sizeof s->err, "%s", err[0] ? err : "a field could not be copied for output");
  s->state = SNAPSHOT_THERE;
  pthread_cond_broadcast(&s->pool->arrived);
}

static ria_status settled(ria_snapshot *s, char *err, size_t errsize) {
  pthread_mutex_lock(&s->pool->lock);
  if (s->state == SNAPSHOT_QUEUED) await_copy(s);
  while (s->state != SNAPSHOT_THERE) pthread_cond_wait(&s->pool->arrived, &s->pool->lock);
  pthread_mutex_unlock(&s->pool->lock);
  return s->status == RIA_OK ? RIA_OK : ria_error_text(s->status, err, errsize, "%s", s->err);
}

/* `s->values` is set before the snapshot is shared and never changes. */
ria_status ria_snapshot_values(ria_snapshot *s, const void **values, char *err, size_t errsize) {
  *values = s->values;
  return settled(s, err, errsize);
}

static size_t tiles_of(const ria_grid *g, const ria_packing *p) {
  return (size_t)ria_coarse_cells(g->nx, p->tile_x) * (size_t)ria_coarse_cells(g->ny, p->tile_y);
}

ria_status ria_snapshot_content(ria_snapshot *s, ria_zarr_content *content, char *err,
                                size_t errsize) {
  *content = (ria_zarr_content){.values = s->values};
  if (s->packed) {
    const uint64_t *end = s->values;
    const size_t tiles = tiles_of(&s->sim->grid, &s->packing);
    *content = (ria_zarr_content){.end = end, .streams = (const unsigned char *)(end + tiles)};
  }
  return settled(s, err, errsize);
}
