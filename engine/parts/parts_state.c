/* parts/parts_state.c - the state of a grid in parts, as one solver that has the whole grid names
 * it: the same items with the same bytes, wherever the cuts are. So it goes on in any number of
 * parts.
 *
 * What parts have between them is put together by rows (ria_state_cut), what is alike in all is
 * told by the part that has the cell of the smallest step: words of that cell are its own. Saving,
 * all items are put together before the first is visited, as parts tell theirs one after another:
 * host memory holds the state once more. Restoring, the first part fetches each item, and the
 * others take their rows of it. */
#include "parts/parts.h"

#include "base/context.h"
#include "base/text.h"
#include "parts/state_ranks.h"
#include <ria/comm.h>

#include <stdlib.h>
#include <string.h>

/* An item of the whole grid; its data is its own. Where ranks have parts elsewhere, of this
 * process's rows at first: memory that is not written to is not there. */
typedef struct whole_item {
  char name[64];
  ria_state_item item;
  ria_state_cut cut; /* of a part's item; `row` its own */
} whole_item;

typedef struct whole_state {
  const ria_held *held; /* whose items are visited */
  const ria_held *from; /* who had them; NULL: they come from outside */
  ria_account *account;
  const ria_state_walk *walk;
  int ny;
  int next;                  /* the item that all ranks come to next */
  int row;                   /* of the cell of the smallest step; -1: none */
  const ria_held_part *part; /* whose items are visited */
  bool tells;                /* what is alike in all */
  int n, room;
  whole_item *of; /* [n] */
} whole_state;

/* --- one item --------------------------------------------------------------------------------- */

/* An item as [outer][places][inner bytes]. */
typedef struct layout {
  size_t outer, places, inner;
} layout;

static layout layout_of(const ria_state_item *item) {
  layout l = {1, item->shape[item->cut.dim], ria_state_size(item->type)};
  for (int k = 0; k < item->cut.dim; k++) l.outer *= item->shape[k];
  for (int k = item->cut.dim + 1; k < item->rank; k++) l.inner *= item->shape[k];
  return l;
}

/* The row of the grid that a place in the whole is of. */
static int row_of(const whole_state *w, const ria_state_cut *cut, size_t place) {
  const int64_t row = cut->row ? cut->row[place] : cut->row0 + (int64_t)place * cut->step;
  return row < 0 ? 0 : row >= w->ny ? w->ny - 1 : (int)row;
}

/* Between a part's item and the whole's. Saving, a part tells its own rows alone; beyond the ends
 * of the grid places go round. */
static void copy_places(const whole_state *w, const ria_state_item *item, ria_state_item *whole) {
  const layout part = layout_of(item), all = layout_of(whole);
  const ria_state_cut *cut = &item->cut;
  for (size_t k = 0; k < part.places; k++) {
    const int64_t at = cut->first + (int64_t)k, n = (int64_t)cut->whole;
    const size_t place = (size_t)((at % n + n) % n);
    const int row = row_of(w, cut, place);
    const bool own = (int64_t)place == at && row >= w->part->rows.j0 && row < w->part->rows.j1;
    for (size_t o = 0; o < part.outer && (own || w->walk->restores); o++) {
      char *here = (char *)item->data + (o * part.places + k) * part.inner;
      char *there = (char *)whole->data + (o * all.places + place) * all.inner;
      memcpy(w->walk->restores ? here : there, w->walk->restores ? there : here, part.inner);
    }
  }
}

static ria_status copy_item(const whole_state *w, const ria_state_item *item,
                            ria_state_item *whole) {
  const size_t bytes = ria_state_bytes(item);
  if (item->cut.whole > 0) {
    copy_places(w, item, whole);
    return RIA_OK;
  }
  if (bytes != ria_state_bytes(whole))
    return ria_fail(w->held->ctx, RIA_ERR_ARGUMENT,
                    "item '%s' of the state has %zu bytes in one part of the grid and %zu in "
                    "another: a fault of the solver",
                    item->name, ria_state_bytes(whole), bytes);
  if (bytes && w->walk->restores) memcpy(item->data, whole->data, bytes);
  if (bytes && !w->walk->restores && w->tells) memcpy(whole->data, item->data, bytes);
  return RIA_OK;
}

/* What went through stretches is of the whole grid: parts fold cells of their own alone. */
static double *stretches_of(const whole_state *w, const char *name) {
  return !strcmp(name, "stretch_in")    ? w->account->in
         : !strcmp(name, "stretch_out") ? w->account->out
                                        : NULL;
}

/* --- all items -------------------------------------------------------------------------------- */

static whole_item *find(const whole_state *w, const char *name) {
  for (int k = 0; k < w->n; k++)
    if (strcmp(w->of[k].name, name) == 0) return &w->of[k];
  return NULL;
}

static const int32_t *copy_rows(const ria_state_cut *cut) {
  int32_t *row = malloc((cut->whole + 1) * sizeof *row);
  if (row) memcpy(row, cut->row, cut->whole * sizeof *row);
  return row;
}

/* Room for the whole of an item. */
static ria_status add(whole_state *w, const ria_state_item *item, whole_item **out) {
  if (w->n == w->room) {
    const int room = 2 * w->room + 16;
    whole_item *grown = realloc(w->of, (size_t)room * sizeof *grown);
    if (!grown) return ria_fail_memory(w->held->ctx, "the state", (size_t)room * sizeof *grown);
    w->of = grown;
    w->room = room;
  }
  whole_item *to = &w->of[w->n];
  *to = (whole_item){.item = *item};
  ria_format(to->name, sizeof to->name, "%s", item->name);
  if (item->cut.whole > 0) to->item.shape[item->cut.dim] = item->cut.whole;
  to->item.cut = (ria_state_cut){.dim = item->cut.dim};
  to->cut = item->cut;
  to->cut.row = NULL;
  const size_t bytes = ria_state_bytes(&to->item);
  to->item.data = calloc(bytes + 1, 1);
  if (to->item.data && item->cut.row) to->cut.row = copy_rows(&item->cut);
  w->n++;
  if (!to->item.data || (item->cut.row && !to->cut.row))
    return ria_fail_memory(w->held->ctx, "the state", bytes);
  *out = to;
  return RIA_OK;
}

/* The names of items lie beside them, in memory that moves as the list grows. */
static ria_status visit_outside(const whole_state *w, whole_item *of) {
  const size_t bytes = ria_state_bytes(&of->item);
  double *stretches = stretches_of(w, of->name);
  of->item.name = of->name;
  if (stretches && bytes && !w->walk->restores) memcpy(of->item.data, stretches, bytes);
  RIA_TRY(w->walk->visit(w->walk->user, &of->item));
  if (stretches && bytes && w->walk->restores) memcpy(stretches, of->item.data, bytes);
  return RIA_OK;
}

/* --- between ranks ---------------------------------------------------------------------------- */

/* From the ranks that had it: places that lie elsewhere, or what one of them tells. */
static ria_status fetch(const whole_state *w, whole_item *of, ria_places mine) {
  const ria_held *from = w->from;
  if (!from->reach) return RIA_OK;
  if (of->cut.whole == 0)
    return ria_spread_alike(from, of->name, of->item.data, ria_state_bytes(&of->item), w->row);
  const layout l = layout_of(&of->item);
  const ria_spread_item item = {of->name, of->item.data, l.outer, l.places,
                                l.inner,  of->cut,       w->ny};
  return ria_spread_places(from, &item, mine);
}

/* A rank with fewer parts than others goes through the items as they do, and needs nothing. */
static ria_status fetch_up_to(whole_state *w, const whole_item *end) {
  while (w->next < w->n && &w->of[w->next] != end)
    RIA_TRY(fetch(w, &w->of[w->next++], (ria_places){0, 0}));
  return RIA_OK;
}

/* A part takes an item over from parts that had it. */
static ria_status take_item(whole_state *w, const ria_state_item *item) {
  whole_item *of = find(w, item->name);
  if (!of)
    return ria_fail(w->held->ctx, RIA_ERR_ARGUMENT,
                    "item '%s' of the state is none that parts had: a fault of the solver",
                    item->name);
  RIA_TRY(fetch_up_to(w, of));
  const int64_t places = item->cut.whole > 0 ? (int64_t)layout_of(item).places : 0;
  RIA_TRY(fetch(w, of, (ria_places){item->cut.first, places}));
  w->next = (int)(of - w->of) + 1;
  return copy_item(w, item, &of->item);
}

static ria_status visit_part(void *user, const ria_state_item *item) {
  whole_state *w = user;
  if (w->walk->restores && w->from) return take_item(w, item);
  whole_item *whole = find(w, item->name);
  if (!whole) {
    RIA_TRY(add(w, item, &whole));
    if (w->walk->restores) RIA_TRY(visit_outside(w, whole));
  }
  return copy_item(w, item, &whole->item);
}

static ria_status visit_parts(whole_state *w) {
  const ria_held *h = w->held;
  ria_progress at;
  RIA_TRY(h->ops->progress(h->part[0].self, &at));
  if (!w->walk->restores) w->row = at.dt_min_j;
  for (int k = 0; k < h->count; k++) {
    w->part = &h->part[k];
    w->next = 0;
    w->tells = k == 0 || (at.dt_min_j >= w->part->rows.j0 && at.dt_min_j < w->part->rows.j1);
    const ria_state_walk part = {.restores = w->walk->restores, .visit = visit_part, .user = w};
    RIA_TRY(h->ops->state(w->part->self, &part));
    if (w->walk->restores && w->from) RIA_TRY(fetch_up_to(w, NULL));
  }
  return RIA_OK;
}

static void drop_item(whole_item *of) {
  free(of->item.data);
  free((void *)(uintptr_t)of->cut.row);
  of->item.data = NULL;
  of->cut.row = NULL;
}

static void drop(whole_state *w) {
  for (int k = 0; k < w->n; k++) drop_item(&w->of[k]);
  free(w->of);
}

/* With ranks each gets an item whole, one at a time. */
static ria_status tell_item(whole_state *w, whole_item *of) {
  RIA_TRY(fetch(w, of, (ria_places){0, (int64_t)of->cut.whole}));
  RIA_TRY(visit_outside(w, of));
  drop_item(of);
  return RIA_OK;
}

ria_status ria_parts_state(const ria_held *h, const ria_grid *grid, ria_account *account,
                           const ria_state_walk *walk) {
  whole_state w = {.held = h,
                   .from = walk->restores ? NULL : h,
                   .account = account,
                   .walk = walk,
                   .ny = grid->ny};
  ria_status status = visit_parts(&w);
  if (h->reach && !walk->restores) status = ria_parts_all_well(h, status);
  for (int k = 0; k < w.n && status == RIA_OK && !walk->restores; k++)
    status = tell_item(&w, &w.of[k]);
  drop(&w);
  return status;
}

/* --- to other parts --------------------------------------------------------------------------- */

/* Parts that this rank has more of than another one: that goes along without any. */
static ria_status go_along(whole_state *w, int parts) {
  for (int k = w->held->count; k < parts; k++) {
    w->next = 0;
    RIA_TRY(fetch_up_to(w, NULL));
  }
  return RIA_OK;
}

static int most_parts(const ria_held *h) {
  const int ranks = h->reach ? ria_context_ranks(h->ctx) : 1;
  return (h->n + ranks - 1) / ranks;
}

ria_status ria_parts_hand_over(const ria_held *from, ria_account *had, const ria_held *to,
                               ria_account *has, const ria_grid *grid) {
  const ria_state_walk save = {.restores = false}, restore = {.restores = true};
  whole_state w = {.held = from, .account = had, .walk = &save, .ny = grid->ny};
  ria_status status = visit_parts(&w);
  if (from->reach) status = ria_parts_all_well(from, status);
  if (status == RIA_OK) {
    w.held = to;
    w.from = from;
    w.account = has;
    w.walk = &restore;
    status = visit_parts(&w);
  }
  if (status == RIA_OK) status = go_along(&w, most_parts(to));
  drop(&w);
  if (status != RIA_OK) return status;
  const size_t bytes = (size_t)had->n * (size_t)had->n_quantities * sizeof *had->in;
  if (bytes) memcpy(has->in, had->in, bytes);
  if (bytes) memcpy(has->out, had->out, bytes);
  return RIA_OK;
}
