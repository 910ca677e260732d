/* io/pieces.c - see pieces.h. */
#include "io/pieces.h"
#include "io/access.h"
#include "io/file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const char magic[16] = "ria pieces 1\n";
enum { BYTE_ORDER_MARK = 0x01020304 };

typedef struct head {
  ria_piece piece;
  uint32_t order, data_sum;
  uint32_t zero, sum; /* of all before it */
} head;

static uint32_t sum_of(const void *data, uint64_t bytes) {
  return (uint32_t)crc32_z(crc32_z(0, NULL, 0), data, (size_t)bytes);
}

static uint32_t sum_of_head(const head *h) { return sum_of(h, offsetof(head, sum)); }

static size_t padding(uint64_t bytes) { return (size_t)(-bytes & 7); }

/* --- writing ---------------------------------------------------------------------------------- */

enum { ROOM = 1 << 16 };

static ria_status tell_write(const ria_pieces_out *o, int code, char *err, size_t errsize) {
  return code ? ria_error_errno(code, err, errsize, "cannot write", o->path) : RIA_OK;
}

static int flush(ria_pieces_out *o) {
  const int code = ria_fd_write(o->fd, o->room, o->filled);
  o->filled = 0;
  return code;
}

/* Small pieces by way of the room, large ones past it. */
static ria_status write_bytes(ria_pieces_out *o, const void *data, size_t n, char *err,
                              size_t errsize) {
  int code = n > ROOM - o->filled ? flush(o) : 0;
  if (!code && n > ROOM) {
    code = ria_fd_write(o->fd, data, n);
  } else if (!code && n) {
    memcpy(o->room + o->filled, data, n);
    o->filled += n;
  }
  return tell_write(o, code, err, errsize);
}

static void let_go(ria_pieces_out *o) {
  if (o->fd >= 0) close(o->fd);
  free(o->path);
  free(o->temp);
  free(o->room);
  *o = (ria_pieces_out){.fd = -1};
}

ria_status ria_pieces_create(ria_pieces_out *o, const char *path, char *err, size_t errsize) {
  *o = (ria_pieces_out){.fd = -1, .path = strdup(path), .room = malloc(ROOM)};
  errno = ENOMEM;
  if (o->path && o->room) o->fd = ria_temp_open(path, &o->temp);
  if (o->fd >= 0) return write_bytes(o, magic, sizeof magic, err, errsize);
  const ria_status s = ria_error_errno(errno, err, errsize, "cannot write", path);
  let_go(o);
  return s;
}

static ria_status put(ria_pieces_out *o, const ria_piece *p, const void *data, char *err,
                      size_t errsize) {
  static const char zeros[8];
  head h;
  memset(&h, 0, sizeof h);
  h.piece = *p;
  h.order = BYTE_ORDER_MARK;
  h.data_sum = sum_of(data, p->bytes);
  h.sum = sum_of_head(&h);
  RIA_TRY(write_bytes(o, &h, sizeof h, err, errsize));
  RIA_TRY(write_bytes(o, data, (size_t)p->bytes, err, errsize));
  return write_bytes(o, zeros, padding(p->bytes), err, errsize);
}

ria_status ria_pieces_put(ria_pieces_out *o, const ria_state_item *item, char *err,
                          size_t errsize) {
  ria_piece p = {.type = item->type, .rank = (uint32_t)item->rank, .bytes = ria_state_bytes(item)};
  const size_t n = strlen(item->name);
  if (n >= sizeof p.name)
    return ria_error_text(RIA_ERR_OUTPUT, err, errsize, "'%s' is too long a name for a piece of %s",
                          item->name, o->path);
  memcpy(p.name, item->name, n);
  for (int k = 0; k < item->rank; k++) p.shape[k] = item->shape[k];
  o->n++;
  return put(o, &p, item->data, err, errsize);
}

/* Whole only if closing it went well too. */
static int close_whole(ria_pieces_out *o) {
  int code = flush(o);
  if (!code) code = ria_fd_sync(o->fd);
  if (close(o->fd) != 0 && !code && errno != EINTR) code = errno;
  o->fd = -1;
  if (!code && rename(o->temp, o->path) != 0) code = errno;
  return code;
}

static ria_status finish(ria_pieces_out *o, char *err, size_t errsize) {
  const ria_piece end = {.name = "end", .shape = {o->n}};
  RIA_TRY(put(o, &end, NULL, err, errsize));
  RIA_TRY(tell_write(o, close_whole(o), err, errsize));
  ria_parent_sync(o->path);
  return RIA_OK;
}

ria_status ria_pieces_close(ria_pieces_out *o, ria_status s, char *err, size_t errsize) {
  if (!o->path) return s;
  if (s == RIA_OK) s = finish(o, err, errsize);
  if (s != RIA_OK) unlink(o->temp);
  let_go(o);
  return s;
}

/* --- reading ---------------------------------------------------------------------------------- */

static ria_status fail_read(const ria_pieces_in *in, const char *why, char *err, size_t errsize) {
  return ria_error_text(RIA_ERR_INPUT, err, errsize, "'%s' %s", in->path, why);
}

static ria_status next_head(ria_pieces_in *in, head *h, char *err, size_t errsize) {
  if (fread(h, 1, sizeof *h, in->file) != sizeof *h)
    return fail_read(in, "was cut off", err, errsize);
  if (sum_of_head(h) != h->sum)
    return fail_read(in, "is damaged, or of another kind of machine", err, errsize);
  if (h->order != BYTE_ORDER_MARK)
    return fail_read(in, "is of a machine of another byte order", err, errsize);
  return RIA_OK;
}

/* The data of a piece, a part at a time, against its check sum. */
static ria_status check_data(ria_pieces_in *in, const head *h, char *err, size_t errsize) {
  static const size_t part = (size_t)1 << 20;
  unsigned char *room = malloc(part);
  if (!room) return ria_error_text(RIA_ERR_MEMORY, err, errsize, "out of memory");
  uLong sum = crc32_z(0, NULL, 0);
  uint64_t left = h->piece.bytes;
  bool whole = true;
  while (whole && left) {
    const size_t n = left < part ? (size_t)left : part;
    whole = fread(room, 1, n, in->file) == n;
    sum = crc32_z(sum, room, n);
    left -= n;
  }
  const size_t pad = padding(h->piece.bytes);
  whole = whole && fread(room, 1, pad, in->file) == pad;
  for (size_t k = 0; whole && k < pad; k++) sum ^= room[k]; /* zeros */
  free(room);
  if (!whole) return fail_read(in, "was cut off", err, errsize);
  return sum == h->data_sum ? RIA_OK : fail_read(in, "is damaged", err, errsize);
}

static ria_status check_all(ria_pieces_in *in, char *err, size_t errsize) {
  char begins[sizeof magic];
  if (fread(begins, 1, sizeof begins, in->file) != sizeof begins ||
      memcmp(begins, magic, sizeof magic) != 0)
    return fail_read(in, "is no checkpoint of this version of ria", err, errsize);
  for (uint64_t n = 0;; n++) {
    head h;
    RIA_TRY(next_head(in, &h, err, errsize));
    RIA_TRY(check_data(in, &h, err, errsize));
    if (strcmp(h.piece.name, "end") != 0) continue;
    if (h.piece.shape[0] != n || h.piece.bytes || fgetc(in->file) != EOF)
      return fail_read(in, "is damaged", err, errsize);
    return RIA_OK;
  }
}

ria_status ria_pieces_open(ria_pieces_in *in, ria_context *ctx, const char *path, char *err,
                           size_t errsize) {
  int fd;
  *in = (ria_pieces_in){.path = strdup(path)};
  if (ria_read_open(ctx, path, 0, &fd) != RIA_OK) {
    ria_pieces_shut(in);
    return ria_error_text(RIA_ERR_LIMIT, err, errsize, "%s", ria_error(ctx));
  }
  in->file = in->path && fd >= 0 ? fdopen(fd, "rb") : NULL;
  if (!in->file && fd >= 0) close(fd);
  if (!in->path) errno = ENOMEM;
  if (!in->file) {
    const ria_status s = ria_error_errno(errno, err, errsize, "cannot open", path);
    ria_pieces_shut(in);
    return s == RIA_ERR_OUTPUT ? RIA_ERR_INPUT : s;
  }
  const ria_status s = check_all(in, err, errsize);
  if (s != RIA_OK) ria_pieces_shut(in);
  return s;
}

/* The first piece of a name, or the k-th where that is NULL. */
static ria_status walk_to(ria_pieces_in *in, const char *name, uint64_t k, ria_piece *out,
                          bool *there, char *err, size_t errsize) {
  head h;
  if (fseeko(in->file, (off_t)sizeof magic, SEEK_SET) != 0)
    return fail_read(in, "cannot be read", err, errsize);
  for (uint64_t n = 0;; n++) {
    RIA_TRY(next_head(in, &h, err, errsize));
    *there = strcmp(h.piece.name, "end") != 0;
    if (!*there || (name ? strcmp(h.piece.name, name) == 0 : n == k)) break;
    const uint64_t skip = h.piece.bytes + padding(h.piece.bytes);
    if (fseeko(in->file, (off_t)skip, SEEK_CUR) != 0)
      return fail_read(in, "cannot be read", err, errsize);
  }
  *out = h.piece;
  return RIA_OK;
}

ria_status ria_pieces_find(ria_pieces_in *in, const char *name, ria_piece *out, char *err,
                           size_t errsize) {
  bool there;
  RIA_TRY(walk_to(in, name, 0, out, &there, err, errsize));
  if (there) return RIA_OK;
  return ria_error_text(RIA_ERR_INPUT, err, errsize, "'%s' has no '%s': it is of another run",
                        in->path, name);
}

ria_status ria_pieces_at(ria_pieces_in *in, uint64_t k, ria_piece *out, bool *there, char *err,
                         size_t errsize) {
  return walk_to(in, NULL, k, out, there, err, errsize);
}

ria_status ria_pieces_read(ria_pieces_in *in, const ria_piece *p, void *data, char *err,
                           size_t errsize) {
  if (fread(data, 1, (size_t)p->bytes, in->file) == p->bytes) return RIA_OK;
  return fail_read(in, "was cut off while it was read", err, errsize);
}

void ria_pieces_shut(ria_pieces_in *in) {
  if (in->file) fclose(in->file);
  free(in->path);
  *in = (ria_pieces_in){0};
}
