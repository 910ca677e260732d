/* io/pieces.h - a file of named arrays, each with its type, shape and check sums. Private.
 *
 *   "ria pieces 1\n" and three zero bytes
 *   for each piece: its head (ria_piece and the CRC-32 of the data), the CRC-32 of the head, the
 *     data in the byte order of the machine, padding to 8 bytes
 *   a last piece of the name "end" without data, whose shape[0] is how many came before
 *
 * It appears whole or not at all. A file that was cut off, or of which any byte is another, is an
 * error when it is read, and so is one of another machine's byte order. */
#ifndef RIA_IO_PIECES_H
#define RIA_IO_PIECES_H
#include <ria/state.h>
#include <stdio.h>

enum { RIA_PIECE_NAME = 64 };

typedef struct ria_piece {
  char name[RIA_PIECE_NAME]; /* ended by zeros */
  uint32_t type, rank;       /* ria_state_type */
  uint64_t shape[RIA_STATE_RANK];
  uint64_t bytes;
} ria_piece;

typedef struct ria_pieces_out {
  int fd;
  char *path, *temp; /* path NULL: it is closed */
  unsigned char *room;
  size_t filled; /* of it, not written yet */
  uint64_t n;
} ria_pieces_out;

/* A new file that will replace the one at path. */
ria_status ria_pieces_create(ria_pieces_out *o, const char *path, char *err, size_t errsize);
ria_status ria_pieces_put(ria_pieces_out *o, const ria_state_item *item, char *err, size_t errsize);
/* Put it in its place, on disk; s other than RIA_OK: leave no trace of it, and return s. */
ria_status ria_pieces_close(ria_pieces_out *o, ria_status s, char *err, size_t errsize);

typedef struct ria_pieces_in {
  FILE *file;
  char *path;
} ria_pieces_in;

/* Read all of it once: RIA_ERR_INPUT where anything is wrong. It stays open. */
ria_status ria_pieces_open(ria_pieces_in *in, ria_context *ctx, const char *path, char *err,
                           size_t errsize);
/* The piece of a name; RIA_ERR_INPUT where there is none. Its data follow. */
ria_status ria_pieces_find(ria_pieces_in *in, const char *name, ria_piece *out, char *err,
                           size_t errsize);
/* The k-th piece from 0 on, as above; false in *there past the last. */
ria_status ria_pieces_at(ria_pieces_in *in, uint64_t k, ria_piece *out, bool *there, char *err,
                         size_t errsize);
/* The data of the piece that was found last: all of its bytes. */
ria_status ria_pieces_read(ria_pieces_in *in, const ria_piece *p, void *data, char *err,
                           size_t errsize);
void ria_pieces_shut(ria_pieces_in *in);

#endif
