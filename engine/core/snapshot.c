/* core/snapshot.c - copies of fields for outputs, each state once.
 *
 * A frame of the depth, one of the level and a save of both, all at the same time, need depth and
 * level more than once. A snapshot is read once for each field, precision and state and counted:
 * jobs on any worker share it and only read it. The latest of each field stays in `current`, with
 * the pool as a user of its own, until another state is asked for; a static field therefore is read
 * once in a run. What has no user left goes to `spare` and is used again, so that memory is faulted
 * in once and not at every output. */
#include "core/context.h"
#include "core/sim.h"
#include <stdlib.h>

struct ria_snapshot {
  ria_snapshot *next; /* in current or spare */
  ria_snapshot_pool *pool;
  const ria_sim_field *field;
  ria_real real;
  int64_t steps; /* the state: both must match, unless the field is static */
  uint64_t edits;
  int users;
  double values[]; /* [ny][nx] of real */
};

void *ria_snapshot_values(ria_snapshot *s) { return s->values; }

ria_status ria_snapshot_pool_init(ria_sim *sim) {
  ria_snapshot_pool *pool = &sim->outputs.pool;
  if (pool->ready) return RIA_OK;
  if (pthread_mutex_init(&pool->lock, NULL) != 0)
    return ria_fail(sim->ctx, RIA_ERR_MEMORY, "cannot make a lock for the outputs");
  pool->ready = true;
  return RIA_OK;
}

void ria_snapshot_release(ria_snapshot *s) {
  if (!s) return;
  ria_snapshot_pool *pool = s->pool;
  pthread_mutex_lock(&pool->lock);
  if (--s->users == 0) {
    s->next = pool->spare;
    pool->spare = s;
  }
  pthread_mutex_unlock(&pool->lock);
}

void ria_snapshot_release_values(void *values) {
  if (values)
    ria_snapshot_release((void *)((char *)values - offsetof(struct ria_snapshot, values)));
}

static void add_user(ria_snapshot *s) {
  pthread_mutex_lock(&s->pool->lock);
  s->users++;
  pthread_mutex_unlock(&s->pool->lock);
}

static bool is_present(const ria_sim *sim, const ria_snapshot *s) {
  if (sim->started && (s->field->info->flags & RIA_FIELD_STATIC)) return true;
  return s->steps == sim->at.steps && s->edits == sim->edits;
}

/* Takes it out of `current` when it is of an earlier state. */
static ria_snapshot *find_present(ria_sim *sim, const ria_sim_field *f, ria_real real) {
  for (ria_snapshot **at = &sim->outputs.pool.current; *at; at = &(*at)->next) {
    ria_snapshot *s = *at;
    if (s->field != f || s->real != real) continue;
    if (is_present(sim, s)) return s;
    *at = s->next;
    ria_snapshot_release(s);
    return NULL;
  }
  return NULL;
}

static ria_snapshot *take_spare(ria_snapshot_pool *pool, ria_real real) {
  pthread_mutex_lock(&pool->lock);
  ria_snapshot **at = &pool->spare;
  while (*at && (*at)->real != real) at = &(*at)->next;
  ria_snapshot *s = *at;
  if (s) *at = s->next;
  pthread_mutex_unlock(&pool->lock);
  return s;
}

static ria_status make_one(ria_sim *sim, ria_real real, ria_snapshot **out) {
  ria_snapshot_pool *pool = &sim->outputs.pool;
  ria_snapshot *s = take_spare(pool, real);
  if (!s) {
    size_t bytes = sizeof *s + ria_grid_cells(&sim->grid) * ria_real_size(real);
    s = malloc(bytes);
    if (!s) return ria_fail_memory(sim->ctx, "a field for output", bytes);
  }
  *s = (ria_snapshot){.pool = pool, .real = real, .users = 1};
  *out = s;
  return RIA_OK;
}

ria_status ria_snapshot_take(ria_sim *sim, const ria_sim_field *f, ria_real real,
                             ria_snapshot **out) {
  ria_snapshot *s = find_present(sim, f, real);
  if (!s) {
    RIA_TRY(make_one(sim, real, &s));
    s->field = f;
    s->steps = sim->at.steps;
    s->edits = sim->edits;
    ria_status status = ria_field_read(sim, f, false, real, s->values);
    if (status != RIA_OK) {
      ria_snapshot_release(s);
      return status;
    }
    s->next = sim->outputs.pool.current;
    sim->outputs.pool.current = s;
  }
  add_user(s);
  *out = s;
  return RIA_OK;
}

static void free_list(ria_snapshot *s) {
  while (s) {
    ria_snapshot *next = s->next;
    free(s);
    s = next;
  }
}

void ria_snapshot_pool_free(ria_sim *sim) {
  ria_snapshot_pool *pool = &sim->outputs.pool;
  if (!pool->ready) return;
  free_list(pool->current);
  free_list(pool->spare);
  pthread_mutex_destroy(&pool->lock);
  *pool = (ria_snapshot_pool){0};
}
