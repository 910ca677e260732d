/* A checkpoint of a tiny run in which the input changes pieces (their data, names, types, lengths;
 * the sums are right again) or bytes of the file (they are not). What is taken goes on or ends with
 * an error; what a piece or a file has wrong is RIA_ERR_INPUT. The same bytes as a file too. */
#include "bytes.h"
#include "fuzz.h"
#include "io/pieces.h"
#include <ria/ria.h>

enum { PIECES = 128, ROOM = 1 << 15 };

typedef struct kept {
  char name[RIA_PIECE_NAME];
  ria_state_type type;
  size_t n;      /* values */
  uint8_t *data; /* of the checkpoint; never changed */
  size_t bytes;
} kept;

static kept piece[PIECES];
static int pieces;

static ria_status look(ria_sim *sim, const ria_event_info *info, void *user) {
  double v, whole[12];
  (void)info;
  (void)user;
  RIA_TRY(ria_sim_probe(sim, "level", 15, 15, &v));
  return ria_sim_get(sim, "level", whole);
}

/* With an event, a gauge, a tide and a spill: all that a record has. */
static ria_sim *make(ria_context *ctx) {
  const ria_tracer oil = {.name = "oil"};
  const ria_setting order = {"order", 1, NULL};
  const ria_sim_desc desc = {.solver = "shallow_water",
                             .grid = {4, 3, 10, 10, 0, 0, 0},
                             .params = &order,
                             .n_params = 1,
                             .tracers = &oil,
                             .n_tracers = 1};
  const ria_boundary_desc sea = {
      .kind = "level", .side = RIA_WEST, .values = {{"level", {0.5, NULL}}}};
  const ria_gauge_desc pier = {.name = "pier", .x = 5, .y = 5, .every = 0.3};
  const ria_spill_desc spill = {
      .tracer = "oil", .x = 15, .y = 15, .start = 0.5, .duration = 1, .mass = 2};
  const ria_action event = {.fn = look, .phase = RIA_PHASE_CALLBACK};
  ria_sim *sim = NULL;
  if (ria_sim_create(ctx, &desc, &sim) != RIA_OK ||
      ria_sim_set_constant(sim, "bed", -2) != RIA_OK ||
      ria_sim_set_constant(sim, "level", 0) != RIA_OK ||
      ria_boundary_add(sim, &sea, NULL) != RIA_OK || ria_sim_gauge(sim, &pier, NULL) != RIA_OK ||
      ria_sim_spill(sim, &spill, NULL) != RIA_OK ||
      ria_sim_every(sim, 0.4, 0.4, 0, &event, NULL) != RIA_OK || ria_sim_record(sim) != RIA_OK)
    fuzz_end(__FILE__, __LINE__, "a simulation", ctx);
  return sim;
}

static void read_pieces(ria_context *ctx, const char *path) {
  char err[256];
  ria_pieces_in in;
  FUZZ_DEMAND(ria_pieces_open(&in, ctx, path, err, sizeof err) == RIA_OK);
  FILE *f = in.file;
  const long head = (long)sizeof(ria_piece) + 16;
  for (long at = 16;; at = ftell(f)) {
    ria_piece p;
    if (fseek(f, at, SEEK_SET) != 0 || fread(&p, sizeof p, 1, f) != 1) abort();
    if (strcmp(p.name, "end") == 0) break;
    FUZZ_DEMAND(pieces < PIECES && p.bytes < ROOM);
    kept *k = &piece[pieces++];
    memcpy(k->name, p.name, sizeof k->name);
    k->type = (ria_state_type)p.type;
    k->bytes = (size_t)p.bytes;
    k->n = k->bytes / ria_state_size(k->type);
    k->data = malloc(k->bytes + 1);
    if (!k->data || fseek(f, at + head, SEEK_SET) != 0 ||
        fread(k->data, 1, k->bytes, f) != k->bytes || fseek(f, (long)(-p.bytes & 7), SEEK_CUR) != 0)
      abort();
  }
  ria_pieces_shut(&in);
}

static void prepare(ria_context *ctx, const char *path) {
  ria_sim *sim = make(ctx);
  FUZZ_DEMAND(ria_sim_run(sim, 2) == RIA_OK);
  if (ria_sim_checkpoint(sim, path) != RIA_OK) fuzz_end(__FILE__, __LINE__, "a checkpoint", ctx);
  ria_sim_destroy(&sim);
  read_pieces(ctx, path);
}

/* A truth value that is neither 0 nor 1. */
static bool is_no_bool(const kept *p, const uint8_t *data) {
  for (size_t k = 0; p->type == RIA_STATE_BOOL && k < p->bytes; k++)
    if (data[k] > 1) return true;
  return false;
}

/* The pieces with changes; a piece in three that are named is the record, the longest. True: one
 * of them cannot be taken. */
static bool write_changed(bytes *b, const char *path) {
  static uint8_t data[2 * ROOM];
  char err[256], name[16];
  ria_pieces_out out;
  uint8_t change[PIECES] = {0};
  bool wrong = false;
  for (unsigned k = bytes_below(b, 4); k > 0; k--)
    change[bytes_rare(b, 3) ? 1 : bytes_one(b) % (unsigned)pieces] =
        (uint8_t)(1 + bytes_below(b, 5));
  FUZZ_DEMAND(ria_pieces_create(&out, path, err, sizeof err) == RIA_OK);
  for (int k = 0; k < pieces; k++) {
    const kept *p = &piece[k];
    ria_state_item item = {
        .name = p->name, .type = p->type, .rank = 1, .shape = {p->n}, .data = data};
    const size_t each = ria_state_size(p->type);
    memset(data, 0, sizeof data);
    memcpy(data, p->data, p->bytes);
    if (change[k] == 1) { /* bytes of it; at times far behind */
      const size_t at = (bytes_one(b) * 256 + bytes_one(b)) % (p->bytes ? p->bytes : 1);
      bytes_take(b, data + at, 1 + bytes_below(b, 8));
      wrong |= is_no_bool(p, data);
    } else if (change[k] == 2) { /* shorter or longer */
      item.shape[0] = (p->n + bytes_one(b)) % (p->n + 16);
      if (item.shape[0] * each > sizeof data) item.shape[0] = 0;
    } else if (change[k] == 3) {
      item.type = (ria_state_type)bytes_below(b, 6);
    } else if (change[k] == 4) {
      item.name = bytes_text(b, name, sizeof name);
    } else if (change[k] == 5) {
      continue;
    }
    FUZZ_DEMAND(ria_pieces_put(&out, &item, err, sizeof err) == RIA_OK);
  }
  FUZZ_DEMAND(ria_pieces_close(&out, RIA_OK, err, sizeof err) == RIA_OK);
  return wrong;
}

/* Bytes of the file, which its sums tell. */
static bool damage(bytes *b, const char *path) {
  const unsigned how = bytes_below(b, 4);
  const int fd = open(path, O_RDWR | O_CLOEXEC);
  struct stat st;
  uint8_t was;
  if (fd < 0 || fstat(fd, &st) != 0) abort();
  const off_t at = (off_t)(bytes_one(b) * 256 + bytes_one(b)) % st.st_size;
  const uint8_t bit = (uint8_t)(1u << bytes_below(b, 8));
  if (how == 1 && ftruncate(fd, at) != 0) abort();
  if (how == 2) {
    if (pread(fd, &was, 1, at) != 1) abort();
    was ^= bit;
    if (pwrite(fd, &was, 1, at) != 1) abort();
  }
  close(fd);
  return how == 1 || how == 2;
}

static void restore(ria_context *ctx, const char *path, bool damaged, bool changed, bool wrong) {
  enum { GOES_WRONG = FUZZ_INPUT | FUZZ_ARGUMENT | 1u << RIA_ERR_NUMERICAL | 1u << RIA_ERR_MEMORY };
  ria_sim *sim = make(ctx);
  ria_status s = fuzz_status(ctx, ria_sim_restore(sim, path), FUZZ_INPUT | 1u << RIA_ERR_MEMORY);
  FUZZ_DEMAND(!damaged || s != RIA_OK);
  FUZZ_DEMAND(damaged || changed || s == RIA_OK);
  if (s == RIA_OK) s = fuzz_status(ctx, ria_sim_run(sim, 2), GOES_WRONG);
  if (s == RIA_OK) s = fuzz_status(ctx, ria_sim_checkpoint(sim, path), GOES_WRONG);
  if (s == RIA_OK) s = fuzz_status(ctx, ria_sim_step(sim, 10), GOES_WRONG);
  FUZZ_DEMAND(!wrong || s != RIA_OK);
  if (!damaged && !changed && s != RIA_OK) fuzz_end(__FILE__, __LINE__, "goes on", ctx);
  ria_sim_destroy(&sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
  bytes b = {data, data + n};
  char dir[64], path[80];
  ria_context *ctx = fuzz_context((int)bytes_below(&b, 3));
  fuzz_dir(dir);
  snprintf(path, sizeof path, "%s/checkpoint", dir);
  if (!pieces) prepare(ctx, path);
  if (bytes_rare(&b, 8)) {
    fuzz_put(dir, "checkpoint", b.at, (size_t)(b.end - b.at));
    restore(ctx, path, true, true, false);
  } else {
    const bool changed = !bytes_over(&b);
    const bool wrong = write_changed(&b, path);
    restore(ctx, path, damage(&b, path), changed, wrong);
  }
  ria_context_destroy(&ctx);
  fuzz_dir_remove(dir);
  return 0;
}
