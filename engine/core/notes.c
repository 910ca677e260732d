/* core/notes.c - data of a name in checkpoints: the host's own, and those of stores. */
#include "base/array.h"
#include "base/context.h"
#include "core/keeping.h"
#include "io/file.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX "Note."
enum { NAME_MOST = 32 };

ria_status ria_keeping_make(ria_sim *sim, ria_keeping **out) {
  if (!sim->keeping) sim->keeping = calloc(1, sizeof *sim->keeping);
  if (out) *out = sim->keeping;
  return sim->keeping ? RIA_OK : ria_fail_memory(sim->ctx, "checkpoints", sizeof *sim->keeping);
}

static void free_notes(ria_notes *notes) {
  for (size_t k = 0; k < notes->n; k++) free(notes->of[k].data);
  free(notes->of);
  *notes = (ria_notes){0};
}

void ria_keeping_free(ria_sim *sim) {
  ria_keeping *k = sim->keeping;
  if (!k) return;
  free_notes(&k->notes);
  free_notes(&k->noted);
  for (size_t i = 0; i < k->n_rooms; i++) sim->backend->free_output(sim->backend, k->room[i].data);
  free(k->room);
  free(k->from);
  free(k->continued);
  free(k);
  sim->keeping = NULL;
}

static ria_note *find(const ria_notes *notes, const char *piece) {
  for (size_t k = 0; k < notes->n; k++)
    if (strcmp(notes->of[k].name, piece) == 0) return &notes->of[k];
  return NULL;
}

/* Takes the data in every case. */
static ria_status put(ria_sim *sim, ria_notes *notes, const char *piece, unsigned char *data,
                      size_t bytes) {
  ria_note *note = find(notes, piece);
  ria_status s = RIA_OK;
  if (!note)
    s = ria_grow(sim->ctx, "a note", &notes->of, &notes->room, notes->n + 1, sizeof *notes->of);
  if (s != RIA_OK) {
    free(data);
    return s;
  }
  if (!note) {
    note = &notes->of[notes->n++];
    *note = (ria_note){0};
    snprintf(note->name, sizeof note->name, "%s", piece);
  }
  free(note->data);
  note->data = data;
  note->bytes = bytes;
  return RIA_OK;
}

static void drop(ria_notes *notes, const char *piece) {
  ria_note *note = find(notes, piece);
  if (!note) return;
  free(note->data);
  *note = notes->of[--notes->n];
}

static ria_status name_of(ria_sim *sim, const char *name, char piece[RIA_PIECE_NAME]) {
  const size_t n = name ? strlen(name) : 0;
  bool good = n > 0 && n <= NAME_MOST;
  for (size_t k = 0; good && k < n; k++)
    good = isalnum((unsigned char)name[k]) || strchr("_-.", name[k]);
  if (!good)
    return ria_fail(sim->ctx, RIA_ERR_ARGUMENT,
                    "the name '%s' of a note may hold letters, digits, _ - and ., up to %d",
                    name ? name : "", NAME_MOST);
  snprintf(piece, RIA_PIECE_NAME, PREFIX "%s", name);
  return RIA_OK;
}

ria_status ria_sim_note(ria_sim *sim, const char *name, const void *data, size_t bytes) {
  char piece[RIA_PIECE_NAME];
  ria_keeping *k;
  RIA_TRY(name_of(sim, name, piece));
  RIA_TRY(ria_keeping_make(sim, &k));
  if (!data) {
    drop(&k->notes, piece);
    return RIA_OK;
  }
  unsigned char *copy = malloc(bytes + 1);
  if (!copy) return ria_fail_memory(sim->ctx, "a note", bytes);
  memcpy(copy, data, bytes);
  copy[bytes] = 0;
  return put(sim, &k->notes, piece, copy, bytes);
}

const void *ria_noted_piece(const ria_sim *sim, const char *piece, size_t *bytes) {
  const ria_note *note = sim->keeping ? find(&sim->keeping->noted, piece) : NULL;
  if (bytes) *bytes = note ? note->bytes : 0;
  return note ? note->data : NULL;
}

const void *ria_sim_noted(const ria_sim *sim, const char *name, size_t *bytes) {
  char piece[RIA_PIECE_NAME];
  const size_t n = strlen(name);
  if (bytes) *bytes = 0;
  if (n > NAME_MOST) return NULL;
  snprintf(piece, sizeof piece, PREFIX "%s", name);
  return ria_noted_piece(sim, piece, bytes);
}

ria_status ria_notes_save(ria_sim *sim, const ria_state_walk *walk) {
  const ria_keeping *k = sim->keeping;
  for (size_t i = 0; k && i < k->notes.n; i++) {
    const ria_note *note = &k->notes.of[i];
    RIA_TRY(walk->visit(walk->user, &(ria_state_item){note->name, RIA_STATE_TEXT, .rank = 1,
                                                      .shape = {note->bytes}, note->data}));
  }
  return RIA_OK;
}

static bool is_kept(const char *piece) {
  return strncmp(piece, PREFIX, strlen(PREFIX)) == 0 || strncmp(piece, "Store.", 6) == 0;
}

ria_status ria_notes_read(ria_sim *sim, ria_pieces_in *in) {
  char err[RIA_ERR_TEXT];
  ria_keeping *keeping;
  RIA_TRY(ria_keeping_make(sim, &keeping));
  free_notes(&keeping->noted);
  bool there = true;
  for (uint64_t k = 0; there; k++) {
    ria_piece p;
    ria_status s = ria_pieces_at(in, k, &p, &there, err, sizeof err);
    if (s != RIA_OK) return ria_fail(sim->ctx, s, "checkpoint: %s", err);
    p.name[sizeof p.name - 1] = 0;
    if (!there || !is_kept(p.name)) continue;
    unsigned char *data = calloc(1, (size_t)p.bytes + 1);
    if (!data) return ria_fail_memory(sim->ctx, "a note", (size_t)p.bytes);
    s = ria_pieces_read(in, &p, data, err, sizeof err);
    if (s != RIA_OK) {
      free(data);
      return ria_fail(sim->ctx, s, "checkpoint: %s", err);
    }
    RIA_TRY(put(sim, &keeping->noted, p.name, data, (size_t)p.bytes));
  }
  return RIA_OK;
}

/* --- for other ranks -------------------------------------------------------------------------- */

typedef struct note_head {
  char name[RIA_PIECE_NAME];
  uint64_t bytes;
} note_head;

ria_status ria_notes_pack(ria_sim *sim, void **out, size_t *n) {
  const ria_notes *notes = &sim->keeping->noted;
  *n = 0;
  for (size_t k = 0; k < notes->n; k++) *n += sizeof(note_head) + notes->of[k].bytes;
  char *to = *out = malloc(*n + 1);
  if (!to) return ria_fail_memory(sim->ctx, "notes", *n);
  for (size_t k = 0; k < notes->n; k++) {
    const ria_note *note = &notes->of[k];
    note_head head;
    memcpy(head.name, note->name, sizeof head.name);
    head.bytes = note->bytes;
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, note->data, note->bytes);
    to += sizeof head + note->bytes;
  }
  return RIA_OK;
}

ria_status ria_notes_take(ria_sim *sim, const void *packed, size_t n) {
  const char *from = packed, *end = from + n;
  ria_keeping *keeping;
  note_head head;
  RIA_TRY(ria_keeping_make(sim, &keeping));
  free_notes(&keeping->noted);
  for (; from < end; from += sizeof head + head.bytes) {
    memcpy(&head, from, sizeof head);
    unsigned char *data = calloc(1, (size_t)head.bytes + 1);
    if (!data) return ria_fail_memory(sim->ctx, "a note", (size_t)head.bytes);
    memcpy(data, from + sizeof head, (size_t)head.bytes);
    RIA_TRY(put(sim, &keeping->noted, head.name, data, (size_t)head.bytes));
  }
  return RIA_OK;
}
