/* unit.writer: jobs run, in order where asked for, within the bound, and failure never hangs. */
#include "io/writer.h"
#include "test.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { JOBS = 2000, KEYS = 3 };

/* What all jobs of a test share. */
typedef struct board {
  pthread_mutex_t lock;
  pthread_cond_t opened;
  bool gate;             /* shut: jobs wait at the start */
  int run, dropped;      /* counts */
  int running, most;     /* at once */
  size_t held, held_max; /* bytes of jobs not dropped */
  int next[KEYS + 1];    /* the number that the next job of each key must have */
  int out_of_order;
} board;

typedef struct job {
  board *on;
  int number, key;
  size_t bytes;
  const char *fails; /* its message, or NULL */
} job;

static void nap(long us) { nanosleep(&(struct timespec){.tv_nsec = us * 1000}, NULL); }

static ria_status job_run(void *data, char *err, size_t errsize) {
  job *j = data;
  board *b = j->on;
  pthread_mutex_lock(&b->lock);
  while (!b->gate) pthread_cond_wait(&b->opened, &b->lock);
  b->run++;
  b->running++;
  if (b->running > b->most) b->most = b->running;
  if (j->key && b->next[j->key]++ != j->number) b->out_of_order++;
  pthread_mutex_unlock(&b->lock);
  if (j->number % 97 == 0) nap(200);
  pthread_mutex_lock(&b->lock);
  b->running--;
  pthread_mutex_unlock(&b->lock);
  if (!j->fails) return RIA_OK;
  snprintf(err, errsize, "%s", j->fails);
  return RIA_ERR_OUTPUT;
}

static void job_drop(void *data) {
  job *j = data;
  pthread_mutex_lock(&j->on->lock);
  j->on->dropped++;
  j->on->held -= j->bytes;
  pthread_mutex_unlock(&j->on->lock);
  free(j);
}

static job *job_make(board *b, int number, int key, size_t bytes, const char *fails) {
  job *j = malloc(sizeof *j);
  if (!j) abort();
  *j = (job){.on = b, .number = number, .key = key, .bytes = bytes, .fails = fails};
  pthread_mutex_lock(&b->lock);
  b->held += bytes;
  if (b->held > b->held_max) b->held_max = b->held;
  pthread_mutex_unlock(&b->lock);
  return j;
}

static board board_make(bool open) {
  return (board){
      .lock = PTHREAD_MUTEX_INITIALIZER, .opened = PTHREAD_COND_INITIALIZER, .gate = open};
}

static void board_open(board *b) {
  pthread_mutex_lock(&b->lock);
  b->gate = true;
  pthread_cond_broadcast(&b->opened);
  pthread_mutex_unlock(&b->lock);
}

static void all_jobs_run(ria_context *ctx, int threads) {
  board b = board_make(true);
  ria_writer *w;
  CHECK_OK(ctx, ria_writer_create(ctx, threads, 1000, &w));
  for (int k = 0; k < JOBS; k++)
    CHECK_OK(ctx, ria_writer_push(w, job_make(&b, k, 0, 10, NULL), 10, job_run, job_drop));
  CHECK_OK(ctx, ria_writer_flush(w));
  CHECK_INT(b.run, JOBS);
  CHECK_INT(b.dropped, JOBS);
  CHECK_OK(ctx, ria_writer_flush(w));
  ria_writer_destroy(&w);
  CHECK(w == NULL);
  ria_writer_destroy(&w);
}

static void keys_keep_order(ria_context *ctx) {
  board b = board_make(true);
  ria_writer *w;
  uint64_t key[KEYS + 1] = {0};
  int number[KEYS + 1] = {0};
  CHECK_OK(ctx, ria_writer_create(ctx, 4, 300, &w));
  for (int k = 1; k <= KEYS; k++) {
    key[k] = ria_writer_key(w);
    CHECK(key[k] != 0 && key[k] != key[k - 1]);
  }
  for (int k = 0; k < JOBS; k++) {
    int which = k % (KEYS + 1);
    job *j = job_make(&b, number[which]++, which, 10, NULL);
    CHECK_OK(ctx, ria_writer_push_ordered(w, key[which], j, 10, job_run, job_drop));
  }
  ria_writer_destroy(&w); /* waits */
  CHECK_INT(b.run, JOBS);
  CHECK_INT(b.dropped, JOBS);
  CHECK_INT(b.out_of_order, 0);
  CHECK(b.most <= 4);
}

enum { ROUNDS = 12, EACH = 40 };

typedef struct look {
  board *rounds; /* of the jobs before it, then of those after */
  int before, after;
} look;

static int count_of(board *b, const int *count) {
  pthread_mutex_lock(&b->lock);
  const int n = *count;
  pthread_mutex_unlock(&b->lock);
  return n;
}

static ria_status look_run(void *data, char *err, size_t errsize) {
  look *l = data;
  (void)err, (void)errsize;
  l->after = count_of(&l->rounds[1], &l->rounds[1].run);
  l->before = count_of(&l->rounds[0], &l->rounds[0].dropped);
  return RIA_OK;
}

/* After all before it; those after it may begin when it has. */
static void goes_behind(ria_context *ctx, int threads) {
  board b[ROUNDS + 1];
  look l[ROUNDS];
  ria_writer *w;
  CHECK_OK(ctx, ria_writer_create(ctx, threads, 400, &w));
  const uint64_t key = ria_writer_key(w);
  for (int r = 0; r <= ROUNDS; r++) b[r] = board_make(true);
  for (int r = 0; r < ROUNDS; r++) {
    for (int k = 0; k < EACH; k++) {
      job *j = job_make(&b[r], k % 2 ? 97 : 1, 0, 10, NULL);
      CHECK_OK(ctx, ria_writer_push_ordered(w, k % 4 ? 0 : key, j, 10, job_run, job_drop));
    }
    l[r] = (look){.rounds = &b[r]};
    CHECK_OK(ctx, ria_writer_push_behind(w, &l[r], look_run, NULL));
  }
  CHECK_OK(ctx, ria_writer_flush(w));
  for (int r = 0; r < ROUNDS; r++) {
    CHECK_INT(l[r].before, EACH);
    CHECK_INT(b[r].run, EACH);
    if (threads == 1) CHECK_INT(l[r].after, 0);
  }
  (void)ria_writer_push(w, job_make(&b[ROUNDS], 1, 0, 1, "disk full"), 1, job_run, job_drop);
  l[0].before = -1;
  (void)ria_writer_push_behind(w, &l[0], look_run, NULL);
  CHECK_STATUS(ctx, ria_writer_flush(w), RIA_ERR_OUTPUT);
  CHECK_INT(l[0].before, -1); /* nothing runs behind what failed */
  ria_error_clear(ctx);
  ria_writer_destroy(&w);
}

/* The pusher waits for room; what is held never exceeds the bound by more than the job in hand. */
static void bytes_are_bounded(ria_context *ctx) {
  board b = board_make(true);
  ria_writer *w;
  CHECK_OK(ctx, ria_writer_create(ctx, 2, 100, &w));
  for (int k = 0; k < 500; k++)
    CHECK_OK(ctx, ria_writer_push(w, job_make(&b, k, 0, 30, NULL), 30, job_run, job_drop));
  CHECK(b.held_max <= 100 + 30);
  /* one job larger than the bound fits when it is alone */
  CHECK_OK(ctx, ria_writer_push(w, job_make(&b, 1, 0, 999, NULL), 999, job_run, job_drop));
  CHECK_OK(ctx, ria_writer_push(w, job_make(&b, 1, 0, 1, NULL), 1, job_run, job_drop));
  CHECK_OK(ctx, ria_writer_flush(w));
  CHECK_INT(b.run, 502);
  CHECK_INT(b.held, 0);
  ria_writer_destroy(&w);
}

static void first_error_is_kept(ria_context *ctx) {
  board b = board_make(true);
  ria_writer *w;
  CHECK_OK(ctx, ria_writer_create(ctx, 1, 1 << 20, &w));
  CHECK_OK(ctx, ria_writer_push(w, job_make(&b, 1, 0, 1, NULL), 1, job_run, job_drop));
  CHECK_OK(ctx, ria_writer_flush(w));
  /* the first may fail before the others are pushed, so their status is not looked at */
  (void)ria_writer_push(w, job_make(&b, 1, 0, 1, "disk full"), 1, job_run, job_drop);
  (void)ria_writer_push(w, job_make(&b, 1, 0, 1, "later"), 1, job_run, job_drop);
  (void)ria_writer_push(w, job_make(&b, 1, 0, 1, NULL), 1, job_run, job_drop);
  CHECK_STATUS(ctx, ria_writer_flush(w), RIA_ERR_OUTPUT);
  CHECK_TEXT(ria_error(ctx), "disk full");
  CHECK_INT(b.run, 2);     /* those after the failure did not run */
  CHECK_INT(b.dropped, 4); /* but were dropped */
  ria_error_clear(ctx);
  ria_status late = ria_writer_push(w, job_make(&b, 1, 0, 1, NULL), 1, job_run, job_drop);
  CHECK_STATUS(ctx, late, RIA_ERR_OUTPUT);
  CHECK_TEXT(ria_error(ctx), "disk full");
  CHECK_INT(b.dropped, 5);
  CHECK_STATUS(ctx, ria_writer_flush(w), RIA_ERR_OUTPUT);
  ria_writer_destroy(&w);
}

typedef struct opener {
  board *b;
} opener;

static void *open_later(void *data) {
  nap(20000);
  board_open(((opener *)data)->b);
  return NULL;
}

/* The queue is full of ordered jobs behind one that fails while the pusher waits for room. */
static void failure_frees_a_waiting_pusher(ria_context *ctx) {
  board b = board_make(false);
  ria_writer *w;
  pthread_t thread;
  opener o = {.b = &b};
  CHECK_OK(ctx, ria_writer_create(ctx, 3, 100, &w));
  uint64_t key = ria_writer_key(w);
  CHECK(pthread_create(&thread, NULL, open_later, &o) == 0);
  int refused = 0;
  for (int k = 0; k < 50; k++) {
    job *j = job_make(&b, k, 1, 40, k == 0 ? "no space" : NULL);
    refused += ria_writer_push_ordered(w, key, j, 40, job_run, job_drop) != RIA_OK;
  }
  CHECK(refused >= 46);
  CHECK_STATUS(ctx, ria_writer_flush(w), RIA_ERR_OUTPUT);
  CHECK_TEXT(ria_error(ctx), "no space");
  CHECK_INT(b.run, 1);
  CHECK_INT(b.dropped, 50);
  pthread_join(thread, NULL);
  ria_writer_destroy(&w);
}

static void destroy_waits(ria_context *ctx) {
  board b = board_make(false);
  ria_writer *w;
  pthread_t thread;
  opener o = {.b = &b};
  CHECK_OK(ctx, ria_writer_create(ctx, 2, 1 << 20, &w));
  for (int k = 0; k < 10; k++)
    CHECK_OK(ctx, ria_writer_push(w, job_make(&b, k, 0, 1, NULL), 1, job_run, job_drop));
  CHECK(pthread_create(&thread, NULL, open_later, &o) == 0);
  ria_writer_destroy(&w);
  CHECK_INT(b.run, 10);
  CHECK_INT(b.dropped, 10);
  pthread_join(thread, NULL);
}

static ria_status silent_failure(void *data, char *err, size_t errsize) {
  (void)data;
  (void)err;
  (void)errsize;
  return RIA_ERR_MEMORY;
}

static void a_job_may_have_nothing_to_drop_or_say(ria_context *ctx) {
  ria_writer *w;
  CHECK_OK(ctx, ria_writer_create(ctx, 0, 0, &w)); /* one thread, one job at a time */
  CHECK_OK(ctx, ria_writer_push(w, NULL, 0, silent_failure, NULL));
  CHECK_STATUS(ctx, ria_writer_flush(w), RIA_ERR_MEMORY);
  CHECK_TEXT(ria_error(ctx), "an output job failed without saying why");
  ria_writer_destroy(&w);
}

/* Parts count as one job: each runs once, the last one done drops it. */
static ria_status part_run(void *data, int part, char *err, size_t errsize) {
  job *j = data;
  board *b = j->on;
  pthread_mutex_lock(&b->lock);
  b->run++;
  b->next[0] += part;
  b->running++;
  if (b->running > b->most) b->most = b->running;
  pthread_mutex_unlock(&b->lock);
  nap(part % 5 ? 20 : 300);
  pthread_mutex_lock(&b->lock);
  b->running--;
  pthread_mutex_unlock(&b->lock);
  if (!j->fails || part != 3) return RIA_OK;
  snprintf(err, errsize, "%s", j->fails);
  return RIA_ERR_OUTPUT;
}

static void parts_run_side_by_side(ria_context *ctx) {
  enum { BLOCKS = 20, PARTS = 30 };
  board b = board_make(true);
  ria_writer *w;
  CHECK_OK(ctx, ria_writer_create(ctx, 4, 250, &w));
  for (int k = 0; k < BLOCKS; k++)
    CHECK_OK(ctx, ria_writer_push_parts(w, job_make(&b, k, 0, 100, NULL), 100, PARTS, part_run,
                                        job_drop));
  CHECK_OK(ctx, ria_writer_flush(w));
  CHECK_INT(b.run, BLOCKS * PARTS);
  CHECK_INT(b.next[0], BLOCKS * (PARTS * (PARTS - 1) / 2));
  CHECK_INT(b.dropped, BLOCKS);
  CHECK(b.most >= 2 && b.most <= 4 && b.held_max <= 300); /* two that fit and the one that waits */
  CHECK_INT(b.held, 0);
  ria_writer_destroy(&w);
}

/* Parts after the one that failed are not worth doing. */
static void a_part_fails(ria_context *ctx) {
  board b = board_make(true);
  ria_writer *w;
  CHECK_OK(ctx, ria_writer_create(ctx, 1, 250, &w));
  CHECK_OK(ctx, ria_writer_push_parts(w, job_make(&b, 0, 0, 100, "part 3"), 100, 30, part_run,
                                      job_drop));
  CHECK_FAILS(ctx, ria_writer_flush(w), RIA_ERR_OUTPUT, "part 3");
  CHECK_INT(b.dropped, 1);
  CHECK_INT(b.run, 4);
  ria_writer_destroy(&w);
}

int main(void) {
  ria_context *ctx;
  if (!CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK))
    return TEST_END();
  for (int threads = 1; threads <= 4; threads++) all_jobs_run(ctx, threads);
  for (int k = 0; k < 5; k++) {
    goes_behind(ctx, 1);
    goes_behind(ctx, 4);
    keys_keep_order(ctx);
    bytes_are_bounded(ctx);
    first_error_is_kept(ctx);
    failure_frees_a_waiting_pusher(ctx);
    destroy_waits(ctx);
    parts_run_side_by_side(ctx);
    a_part_fails(ctx);
  }
  a_job_may_have_nothing_to_drop_or_say(ctx);
  ria_context_destroy(&ctx);
  return TEST_END();
}
