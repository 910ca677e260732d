/* base/state.c - items of a state (ria/state.h): their sizes, values of structs, arrays. */
#include <ria/state.h>
#include <stdint.h>

size_t ria_state_size(ria_state_type type) {
  static const size_t size[] = {
      [RIA_STATE_F64] = sizeof(double),  [RIA_STATE_F32] = sizeof(float),
      [RIA_STATE_I32] = sizeof(int32_t), [RIA_STATE_I64] = sizeof(int64_t),
      [RIA_STATE_BOOL] = sizeof(bool),   [RIA_STATE_TEXT] = sizeof(char)};
  return size[type];
}

size_t ria_state_bytes(const ria_state_item *item) {
  size_t bytes = ria_state_size(item->type);
  for (int k = 0; k < item->rank; k++) bytes *= item->shape[k];
  return bytes;
}

ria_status ria_state_members(const ria_state_walk *walk, const ria_state_member *members,
                             void *of) {
  for (const ria_state_member *m = members; m->name; m++) {
    const ria_state_item item = {.name = m->name,
                                 .type = m->type,
                                 .rank = m->n > 0,
                                 .shape = {m->n},
                                 .data = (char *)of + m->offset};
    RIA_TRY(walk->visit(walk->user, &item));
  }
  return RIA_OK;
}

ria_status ria_state_array(const ria_state_walk *walk, const char *name, ria_state_type type,
                           size_t rows, size_t n, void *data) {
  const ria_state_item item = {.name = name,
                               .type = type,
                               .rank = rows ? 2 : 1,
                               .shape = {rows ? rows : n, n},
                               .data = data};
  return walk->visit(walk->user, &item);
}
