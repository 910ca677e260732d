/* tests/unit/by_threads.h - ranks that are threads of a test: each has a context of its own, and a
 * ria_comm that passes messages through memory. So what ranks do is tested without MPI.
 *
 *   static void work(ria_comm *comm, void *user) { ... }
 *   ranks_run(3, work, &user); */
#ifndef RIA_TEST_BY_THREADS_H
#define RIA_TEST_BY_THREADS_H
#include "test.h"
#include <ria/comm.h>

#include <pthread.h>
#include <stdlib.h>

enum { RANKS_MOST = 8 };

typedef struct letter {
  struct letter *next;
  size_t bytes;
  char data[];
} letter;

typedef struct town {
  int size;
  pthread_mutex_t lock;
  pthread_cond_t change;
  letter *box[RANKS_MOST][RANKS_MOST]; /* [to][from], the oldest first */
  const void *said[RANKS_MOST];
  size_t bytes[RANKS_MOST]; /* of what was said */
  int arrived, turn;
} town;

typedef struct awaited {
  int from; /* -1: was sent */
  void *data;
  size_t bytes;
} awaited;

static town *town_of(const ria_comm *c) { return c->user; }

/* Called with the lock held. */
static void town_meet(town *t) {
  const int turn = t->turn;
  if (++t->arrived == t->size) {
    t->arrived = 0;
    t->turn++;
    pthread_cond_broadcast(&t->change);
  }
  while (t->turn == turn) pthread_cond_wait(&t->change, &t->lock);
}

static int town_allgather(ria_comm *c, const void *mine, void *all, size_t bytes) {
  town *t = town_of(c);
  pthread_mutex_lock(&t->lock);
  t->said[c->rank] = mine;
  t->bytes[c->rank] = bytes;
  town_meet(t);
  bool alike = true;
  for (int k = 0; k < t->size; k++) alike &= t->bytes[k] == bytes;
  for (int k = 0; k < t->size && alike; k++)
    memcpy((char *)all + (size_t)k * bytes, t->said[k], bytes);
  town_meet(t);
  pthread_mutex_unlock(&t->lock);
  return CHECK(alike) ? 0 : -1; /* one meeting is taken for another */
}

static awaited *town_request(int from, void *data, size_t bytes) {
  awaited *a = malloc(sizeof *a);
  *a = (awaited){from, data, bytes};
  return a;
}

static int town_send(ria_comm *c, int to, const void *data, size_t bytes, void **request) {
  town *t = town_of(c);
  letter *made = malloc(sizeof *made + bytes), **end;
  made->next = NULL;
  made->bytes = bytes;
  memcpy(made->data, data, bytes);
  pthread_mutex_lock(&t->lock);
  for (end = &t->box[to][c->rank]; *end;) end = &(*end)->next;
  *end = made;
  pthread_cond_broadcast(&t->change);
  pthread_mutex_unlock(&t->lock);
  *request = town_request(-1, NULL, 0);
  return 0;
}

static int town_receive(ria_comm *c, int from, void *data, size_t bytes, void **request) {
  (void)c;
  *request = town_request(from, data, bytes);
  return 0;
}

static int town_wait(ria_comm *c, void **request) {
  town *t = town_of(c);
  awaited *a = *request;
  *request = NULL;
  if (!a) return 0;
  if (a->from >= 0) {
    pthread_mutex_lock(&t->lock);
    letter **box = &t->box[c->rank][a->from];
    while (!*box) pthread_cond_wait(&t->change, &t->lock);
    letter *got = *box;
    *box = got->next;
    pthread_mutex_unlock(&t->lock);
    CHECK_INT(got->bytes, a->bytes);
    memcpy(a->data, got->data, got->bytes < a->bytes ? got->bytes : a->bytes);
    free(got);
  }
  free(a);
  return 0;
}

static void town_abort(ria_comm *c, int code) {
  fprintf(stderr, "rank %d ends all: %s\n", c->rank, c->error);
  exit(code);
}

typedef struct citizen {
  ria_comm comm;
  void (*work)(ria_comm *comm, void *user);
  void *user;
} citizen;

static void *citizen_run(void *self) {
  citizen *s = self;
  s->work(&s->comm, s->user);
  return NULL;
}

/* work on so many threads at once, with a rank each. */
static void ranks_run(int n, void (*work)(ria_comm *comm, void *user), void *user) {
  town t = {.size = n};
  citizen all[RANKS_MOST];
  pthread_t thread[RANKS_MOST];
  pthread_mutex_init(&t.lock, NULL);
  pthread_cond_init(&t.change, NULL);
  for (int k = 0; k < n; k++) {
    all[k] = (citizen){{.rank = k,
                        .size = n,
                        .local_rank = k,
                        .local_size = n,
                        .name = "threads",
                        .user = &t,
                        .allgather = town_allgather,
                        .send = town_send,
                        .receive = town_receive,
                        .wait = town_wait,
                        .abort = town_abort},
                       work,
                       user};
    pthread_create(&thread[k], NULL, citizen_run, &all[k]);
  }
  for (int k = 0; k < n; k++) pthread_join(thread[k], NULL);
  for (int to = 0; to < n; to++)
    for (int from = 0; from < n; from++) CHECK(!t.box[to][from]); /* all were read */
  pthread_cond_destroy(&t.change);
  pthread_mutex_destroy(&t.lock);
}

#endif
