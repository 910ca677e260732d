/* base/ranks.c - the ranks of a run: meetings, and messages between two meetings.
 *
 * The rules of a meeting. Packets that call must be equal in what they do, and in the chain of what
 * was done before. Where some serve, all but rank 0 do. A packet with a status, of whatever act,
 * tells a failure: its words follow, and every rank that called or served returns them. Those that
 * end wait for the others to end, those that leave for them to leave; meanwhile they answer every
 * meeting, so that each of the others learns that it has no one to do it with.
 *
 * So that no two kinds of meeting are taken for each other all begin with a packet, those too that
 * are held before a rank has a context, or where it gets none (ria_comm_agree). */
#include "base/ranks.h"
#include "base/context.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CALLS_ALONE = RIA_MEET_RANKS, A_FILE, AGREES };

/* Of a call its arguments: its words tell of it. */
static const char a_call[] = "call";

/* --- life ------------------------------------------------------------------------------------- */

/* The others may wait for this rank for ever, so all end; said here, since a host may let rank 0
 * alone speak. */
static void end_all(ria_comm *c, const char *who, const char *why) {
  fprintf(stderr, "ria: %s%s\n", who, why);
  fflush(stderr);
  c->abort(c, 1);
}

/* Before the ranks have met: the others come to an exchange. */
static ria_status fail_to_make(ria_context *ctx, ria_comm *c, size_t bytes) {
  char who[32];
  ria_format(who, sizeof who, "rank %d: ", c->rank);
  ria_ranks_free(ctx);
  const ria_status s = ria_fail_memory(ctx, "the words of ranks", bytes);
  end_all(c, who, ctx->error);
  return s;
}

ria_status ria_ranks_make(ria_context *ctx, ria_comm *comm) {
  if (!comm || comm->size <= 1) return RIA_OK;
  const size_t n = (size_t)comm->size;
  ria_ranks *r = calloc(1, sizeof *r);
  if (r) {
    *r = (ria_ranks){.comm = comm, .origin = -1};
    r->all = calloc(n, sizeof *r->all);
    r->texts = calloc(n, RIA_ERROR_MAX);
    r->request = calloc(2 * n, sizeof *r->request);
    r->place = calloc(n, sizeof *r->place);
  }
  ctx->ranks = r;
  if (r && r->all && r->texts && r->request && r->place) return RIA_OK;
  return fail_to_make(ctx, comm, n * RIA_ERROR_MAX);
}

void ria_ranks_free(ria_context *ctx) {
  ria_ranks *r = ctx->ranks;
  if (!r) return;
  free(r->all);
  free(r->texts);
  free(r->request);
  free(r->place);
  free(r);
  ctx->ranks = NULL;
}

int ria_context_rank(const ria_context *ctx) { return ctx->ranks ? ctx->ranks->comm->rank : 0; }
int ria_context_ranks(const ria_context *ctx) { return ctx->ranks ? ctx->ranks->comm->size : 1; }

/* --- what is done ----------------------------------------------------------------------------- */

/* Eight bytes at a time: fields are hashed too. */
uint64_t ria_hash(uint64_t h, const void *data, size_t bytes) {
  const unsigned char *at = data;
  for (; bytes >= 8; at += 8, bytes -= 8) {
    uint64_t v;
    memcpy(&v, at, 8);
    h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  for (; bytes > 0; at++, bytes--) h = (h ^ *at) * UINT64_C(0x100000001b3);
  return h ^ h >> 32;
}

static uint64_t hash_text(uint64_t h, const char *text) { return ria_hash(h, text, strlen(text)); }

void ria_ranks_note(ria_context *ctx, const char *what, const void *data, size_t bytes) {
  ria_ranks *r = ctx->ranks;
  if (!r || r->rooted || r->left || r->lost) return;
  r->chain = ria_hash(hash_text(r->chain, what), data, bytes);
  if (r->n_notes < RIA_RANK_NOTES_KEPT) {
    ria_format(r->note[r->n_notes].what, sizeof r->note[0].what, "%s", what);
    r->note[r->n_notes++].chain = r->chain;
  }
  if (r->n_calls > 0) r->call[r->n_calls - 1].chain = r->chain;
}

ria_packet ria_ranks_call(int op, const void *data, size_t bytes) {
  return (ria_packet){
      .act = RIA_RANK_CALLS, .op = op, .hash = ria_hash((uint64_t)op + 1, data, bytes)};
}

/* --- messages --------------------------------------------------------------------------------- */

static ria_status give_up(ria_context *ctx, ria_status s, const char *who) {
  ria_ranks *r = ctx->ranks;
  const bool before = r->lost;
  r->lost = true;
  if (!before) end_all(r->comm, who, ctx->error);
  return s;
}

ria_status ria_ranks_lost(ria_context *ctx) {
  const ria_comm *c = ctx->ranks->comm;
  const ria_status s = ria_fail(ctx, RIA_ERR_DEVICE, "rank %d cannot reach the others any more: %s",
                                c->rank, c->error[0] ? c->error : "no reason was given");
  return give_up(ctx, s, "");
}

ria_status ria_ranks_give_up(ria_context *ctx, ria_status s) {
  char who[32];
  ria_format(who, sizeof who, "rank %d: ", ctx->ranks->comm->rank);
  return give_up(ctx, s, who);
}

ria_status ria_ranks_allgather(ria_context *ctx, const void *mine, void *all, size_t bytes) {
  ria_comm *c = ctx->ranks->comm;
  return c->allgather(c, mine, all, bytes) == 0 ? RIA_OK : ria_ranks_lost(ctx);
}

/* In pieces that a message can hold, one after another. */
static int pass(ria_comm *c, int peer, bool sends, char *data, size_t bytes) {
  int code = 0;
  for (size_t at = 0, n; code == 0 && at < bytes; at += n) {
    void *request = NULL;
    n = bytes - at < RIA_COMM_MOST ? bytes - at : RIA_COMM_MOST;
    code = sends ? c->send(c, peer, data + at, n, &request)
                 : c->receive(c, peer, data + at, n, &request);
    if (code == 0) code = c->wait(c, &request);
  }
  return code;
}

ria_status ria_ranks_pass(ria_context *ctx, int peer, bool sends, void *data, size_t bytes) {
  return pass(ctx->ranks->comm, peer, sends, data, bytes) == 0 ? RIA_OK : ria_ranks_lost(ctx);
}

ria_status ria_ranks_spread(ria_context *ctx, void *data, size_t bytes) {
  ria_comm *c = ctx->ranks->comm;
  int code = 0;
  for (int k = 1; k < c->size && c->rank == 0 && code == 0; k++)
    code = pass(c, k, true, data, bytes);
  if (c->rank > 0) code = pass(c, 0, false, data, bytes);
  return code == 0 ? RIA_OK : ria_ranks_lost(ctx);
}

static int to_root(ria_comm *c, const void *mine, char *data, const size_t *offset) {
  int code = 0;
  if (c->rank > 0)
    return pass(c, 0, true, (char *)(uintptr_t)mine, offset[c->rank + 1] - offset[c->rank]);
  for (int k = 1; k < c->size && code == 0; k++)
    code = pass(c, k, false, data + offset[k], offset[k + 1] - offset[k]);
  return code;
}

static size_t piece(size_t bytes, size_t at) {
  const size_t left = at < bytes ? bytes - at : 0;
  return left < RIA_COMM_MOST ? left : RIA_COMM_MOST;
}

static int swap(ria_comm *c, int to, const char *out, size_t goes, int from, char *in,
                size_t comes) {
  int code = 0;
  for (size_t at = 0; code == 0 && (at < goes || at < comes); at += RIA_COMM_MOST) {
    const size_t a = piece(goes, at), b = piece(comes, at);
    void *request[2] = {NULL, NULL};
    if (b > 0) code = c->receive(c, from, in + at, b, &request[0]);
    if (a > 0 && code == 0) code = c->send(c, to, out + at, a, &request[1]);
    for (int k = 0; k < 2 && code == 0; k++) code = c->wait(c, &request[k]);
  }
  return code;
}

ria_status ria_ranks_swap(ria_context *ctx, int to, const void *out, size_t goes, int from,
                          void *in, size_t comes) {
  return swap(ctx->ranks->comm, to, out, goes, from, in, comes) == 0 ? RIA_OK : ria_ranks_lost(ctx);
}

/* A ring: in each of size - 1 turns every rank passes on the block that it got last. */
static int to_all(ria_comm *c, char *data, const size_t *offset) {
  const int n = c->size, to = (c->rank + 1) % n, from = (c->rank + n - 1) % n;
  int code = 0;
  for (int turn = 0; turn + 1 < n && code == 0; turn++) {
    const int out = (c->rank - turn + n) % n, in = (out + n - 1) % n;
    code = swap(c, to, data + offset[out], offset[out + 1] - offset[out], from, data + offset[in],
                offset[in + 1] - offset[in]);
  }
  return code;
}

ria_status ria_ranks_gather(ria_context *ctx, const void *mine, char *data, const size_t *offset) {
  ria_ranks *r = ctx->ranks;
  ria_comm *c = r->comm;
  const size_t bytes = offset[c->rank + 1] - offset[c->rank];
  if (data && bytes > 0 && mine != data + offset[c->rank])
    memcpy(data + offset[c->rank], mine, bytes);
  const int code = r->served ? to_root(c, mine, data, offset) : to_all(c, data, offset);
  return code == 0 ? RIA_OK : ria_ranks_lost(ctx);
}

/* --- meetings --------------------------------------------------------------------------------- */

static char *text_of(const ria_ranks *r, int rank) {
  return r->texts + (size_t)rank * RIA_ERROR_MAX;
}

/* Before words that a rank heard of another: they have that one's number. */
enum { HEARD = '\1' };

/* Of a failure its words, else what is done. */
static ria_status tell_words(ria_context *ctx, const ria_packet *mine, const char *what) {
  char text[RIA_ERROR_MAX] = "";
  const bool fails = mine->status != RIA_OK;
  const bool heard = fails && hash_text(0, ctx->error) == ctx->ranks->heard;
  text[0] = HEARD;
  ria_format(text + heard, sizeof text - heard, "%s", fails ? ctx->error : what);
  return ria_ranks_allgather(ctx, text, ctx->ranks->texts, sizeof text);
}

/* One that has a reason of its own, where there is one. */
static int first_failure(const ria_ranks *r) {
  int first = -1;
  for (int k = r->comm->size - 1; k >= 0; k--) {
    if (r->all[k].status == RIA_OK) continue;
    if (first < 0 || !r->all[k].follows || r->all[first].follows) first = k;
  }
  return first;
}

void ria_ranks_fail_with_others(ria_context *ctx) {
  ctx->ranks->follows = hash_text(0, ctx->error);
}

static bool all_act(const ria_ranks *r, ria_rank_act act) {
  for (int k = 0; k < r->comm->size; k++)
    if (r->all[k].act != (int32_t)act) return false;
  return true;
}

/* Rank 0 calls, or is done, and the others serve. */
static bool is_served(const ria_ranks *r) {
  if (r->all[0].act != RIA_RANK_CALLS && r->all[0].act != RIA_RANK_DONE) return false;
  for (int k = 1; k < r->comm->size; k++)
    if (r->all[k].act != RIA_RANK_SERVES) return false;
  return true;
}

/* The first rank that does not do what rank 0 does; 0: all do. */
static int first_other(const ria_ranks *r) {
  for (int k = 1; k < r->comm->size; k++)
    if (r->all[k].act != r->all[0].act || r->all[k].op != r->all[0].op ||
        r->all[k].hash != r->all[0].hash)
      return k;
  return 0;
}

/* All learn of the failure of the first rank that has one. One with a failure of its own keeps it.
 * A rank that is well again has caught its failure: another one is the first then. */
static ria_status hear_failure(ria_context *ctx, const ria_packet *mine, int failed) {
  ria_ranks *r = ctx->ranks;
  const char *text = text_of(r, failed);
  if (r->origin < 0 || r->all[r->origin].status == RIA_OK) r->origin = failed;
  const bool own = mine->status != RIA_OK && (!mine->follows || r->all[failed].follows);
  if (own) return (ria_status)mine->status;
  const ria_status s = (ria_status)r->all[failed].status;
  if (text[0] == HEARD)
    ria_fail(ctx, s, "%s", text + 1);
  else
    ria_fail(ctx, s, "rank %d: %s", failed, text);
  r->heard = hash_text(0, ctx->error);
  return s;
}

/* The chain after each of what is kept. */
typedef struct chains {
  uint64_t n, chain[RIA_RANK_NOTES_KEPT];
} chains;

static chains chains_of_calls(const ria_ranks *r) {
  chains c = {.n = (uint64_t)r->n_calls};
  for (int k = 0; k < r->n_calls; k++) c.chain[k] = r->call[k].chain;
  return c;
}

static chains chains_of_notes(const ria_ranks *r) {
  chains c = {.n = (uint64_t)r->n_notes};
  for (int k = 0; k < r->n_notes; k++) c.chain[k] = r->note[k].chain;
  return c;
}

/* The first in which rank 0 and another one differ. */
static ria_status first_apart(ria_context *ctx, chains mine, int other, size_t *k) {
  ria_ranks *r = ctx->ranks;
  chains a, b;
  RIA_TRY(ria_ranks_allgather(ctx, &mine, r->texts, sizeof mine));
  memcpy(&a, r->texts, sizeof a);
  memcpy(&b, r->texts + (size_t)other * sizeof b, sizeof b);
  *k = 0;
  while (*k < a.n && *k < b.n && a.chain[*k] == b.chain[*k]) ++*k;
  return RIA_OK;
}

enum { SHOWN = 400 }; /* bytes of each, at most */

/* Of two texts that both may be long: from where on to show them, so that a message has room for
 * what differs. A word is not cut. */
static size_t alike_up_to(const char *a, const char *b) {
  size_t n = 0, word = 0;
  if (strlen(a) <= SHOWN && strlen(b) <= SHOWN) return 0;
  for (; a[n] && a[n] == b[n]; n++)
    if (a[n] == ' ') word = n;
  return word;
}

static ria_status hear_difference(ria_context *ctx, const ria_packet *mine, const char *what,
                                  int other) {
  ria_ranks *r = ctx->ranks;
  size_t k, note;
  RIA_TRY(first_apart(ctx, chains_of_calls(r), other, &k));
  RIA_TRY(first_apart(ctx, chains_of_notes(r), other, &note));
  RIA_TRY(tell_words(ctx, mine, k < (size_t)r->n_calls ? r->call[k].text : what));
  const char *a = text_of(r, 0), *b = text_of(r, other);
  const char *of = note < (size_t)r->n_notes ? r->note[note].what : a_call;
  const bool alike = strcmp(a, b) == 0, named = alike && strcmp(of, a_call) != 0;
  const size_t from = alike ? 0 : alike_up_to(a, b);
  const char *cut = from > 0 ? "..." : "";
  return ria_fail(ctx, RIA_ERR_ARGUMENT,
                  "the ranks do not do the same: rank 0: %s%.*s; rank %d: %s%.*s%s%s%s: every rank "
                  "makes the same calls, in the same order, with the same values",
                  cut, SHOWN, a + from, other, cut, SHOWN, b + from,
                  alike ? ", with other values" : "", named ? " of " : "", named ? of : "");
}

/* What r->all means for a rank that is not at its end. */
static ria_status judge(ria_context *ctx, const ria_packet *mine, const char *what) {
  ria_ranks *r = ctx->ranks;
  const int failed = first_failure(r);
  r->served = failed < 0 && is_served(r);
  if (r->served) return RIA_OK;
  const int other = first_other(r);
  if (failed < 0 && other == 0) {
    r->n_calls = r->n_notes = 0;
    return RIA_OK;
  }
  for (int k = 0; k < r->comm->size; k++)
    if (r->all[k].act == RIA_RANK_LEAVES) r->left = true;
  if (failed < 0) return hear_difference(ctx, mine, what, other);
  RIA_TRY(tell_words(ctx, mine, what));
  return hear_failure(ctx, mine, failed);
}

static ria_status fail_alone(ria_context *ctx, const ria_packet *mine) {
  if (mine->status != RIA_OK) return (ria_status)mine->status;
  return ria_fail(ctx, RIA_ERR_DEVICE, "the other ranks have ended");
}

static ria_status meet_once(ria_context *ctx, ria_packet *mine, const char *what) {
  ria_ranks *r = ctx->ranks;
  mine->follows = mine->status != RIA_OK && hash_text(0, ctx->error) == r->follows;
  RIA_TRY(ria_ranks_allgather(ctx, mine, r->all, sizeof *mine));
  return judge(ctx, mine, what);
}

ria_status ria_ranks_meet(ria_context *ctx, ria_packet *mine, const char *what) {
  ria_ranks *r = ctx->ranks;
  if (r->left || r->lost) return fail_alone(ctx, mine);
  if (r->rooted && r->unserved != RIA_OK) return r->unserved;
  if (mine->status == RIA_OK) mine->status = r->late;
  r->late = RIA_OK;
  if (mine->act == RIA_RANK_CALLS) mine->hash = ria_hash(mine->hash, &r->chain, sizeof r->chain);
  const ria_status s = meet_once(ctx, mine, what);
  if (r->rooted) r->unserved = s;
  return s;
}

ria_status ria_ranks_end(ria_context *ctx, ria_status s) {
  ria_ranks *r = ctx->ranks;
  if (!r) return s;
  r->served = false;
  do {
    if (r->left || r->lost) return s;
    ria_packet mine = {.act = RIA_RANK_ENDS, .status = s};
    s = meet_once(ctx, &mine, "the end of a run");
  } while (!all_act(r, RIA_RANK_ENDS));
  return s;
}

/* --- files ------------------------------------------------------------------------------------ */

bool ria_ranks_write(const ria_context *ctx) { return !ctx || ria_ranks_root(ctx->ranks); }

ria_status ria_ranks_wrote(ria_context *ctx, ria_status s) {
  if (!ctx || !ctx->ranks) return s;
  ria_packet mine = ria_ranks_call(A_FILE, NULL, 0);
  mine.status = (int32_t)s;
  return ria_ranks_meet(ctx, &mine, "a file is written");
}

/* --- for hosts -------------------------------------------------------------------------------- */

/* The code of the rank that failed first; where none did, the first that is not 0. All end where a
 * signal came to one: its number is in the greatest. */
static int code_for_all(const ria_ranks *r) {
  int code = r->origin >= 0 ? r->all[r->origin].arg[0] : 0;
  for (int k = 0; k < r->comm->size && code == 0; k++) code = r->all[k].arg[0];
  for (int k = 0; k < r->comm->size && code >= 128; k++)
    if (r->all[k].arg[0] > code) code = r->all[k].arg[0];
  return code;
}

/* This rank has failed with s: it answers every meeting so, until all come here or leave. The code
 * for all. */
static int fail_with_all(ria_context *ctx, const char *at, ria_status s, int code) {
  ria_ranks *r = ctx->ranks;
  do {
    const int first = r->origin >= 0 ? r->all[r->origin].arg[0] : 0;
    code = first ? first : code;
    ria_packet mine = {.act = RIA_RANK_LEAVES, .status = (int32_t)s, .arg = {code}};
    s = meet_once(ctx, &mine, at);
  } while (!r->lost && !all_act(r, RIA_RANK_LEAVES));
  return code_for_all(r);
}

int ria_comm_agree(ria_comm *comm, const char *at, ria_status status, int code, char *why,
                   size_t why_size) {
  if (!comm || comm->size <= 1) return status == RIA_OK ? 0 : code;
  ria_context draft = {0};
  ria_status s = ria_ranks_make(&draft, comm);
  if (s != RIA_OK) return 1; /* all are ended */
  ria_packet mine = ria_ranks_call(AGREES, at, strlen(at));
  if (status != RIA_OK)
    s = ria_fail(&draft, status, "%s", why);
  else
    s = ria_ranks_meet(&draft, &mine, at);
  code = s == RIA_OK ? 0 : fail_with_all(&draft, at, s, code ? code : 1);
  if (s != RIA_OK) ria_format(why, why_size, "%s", draft.error);
  ria_ranks_free(&draft);
  return code;
}

/* The calls that are kept are compared before there are too many of them. */
ria_status ria_context_calls(ria_context *ctx, const char *what, uint64_t number) {
  ria_ranks *r = ctx->ranks;
  if (!r || r->rooted || r->left || r->lost) return RIA_OK;
  if (r->n_calls == RIA_RANK_CALLS_KEPT) {
    ria_packet mine = ria_ranks_call(CALLS_ALONE, NULL, 0);
    RIA_TRY(ria_ranks_meet(ctx, &mine, what));
    r->n_calls = r->n_notes = 0;
  }
  ria_format(r->call[r->n_calls].text, sizeof r->call[0].text, "%s", what);
  r->n_calls++;
  ria_ranks_note(ctx, a_call, &number, sizeof number);
  return RIA_OK;
}

bool ria_context_ended(ria_context *ctx, ria_status status, const char *message) {
  ria_ranks *r = ctx->ranks;
  if (!r) return false;
  if (status != RIA_OK) ria_fail(ctx, status, "%s", message ? message : "");
  return ria_ranks_end(ctx, status) != RIA_OK && status == RIA_OK;
}

int ria_context_leave(ria_context *ctx, int code) {
  ria_ranks *r = ctx->ranks;
  if (!r) return code;
  r->served = false;
  do {
    if (r->lost) return code;
    ria_packet mine = {.act = RIA_RANK_LEAVES, .arg = {code}};
    (void)meet_once(ctx, &mine, "the end of the program");
  } while (!all_act(r, RIA_RANK_LEAVES));
  r->lost = true;
  return code_for_all(r);
}
