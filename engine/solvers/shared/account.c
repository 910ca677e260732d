/* account.c - the account of the sides on the host, for planes on every backend. */
#include <ria/planes.h>

#include "base/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the account ------------------------------------------------------------------------------ */

void ria_boundary_owners(const ria_boundary_set *set, const ria_grid *grid, int32_t *owner) {
  for (int side = 0; side < RIA_SIDES; side++) {
    const size_t n = (size_t)ria_side_length(grid, (ria_side)side);
    memcpy(owner, set->owner[side], n * sizeof *owner);
    owner += n;
  }
}

bool ria_account_init(ria_account *a, const ria_grid *grid, int n_quantities) {
  const size_t cells = 2 * ((size_t)grid->nx + (size_t)grid->ny), nq = (size_t)n_quantities;
  *a = (ria_account){.n_quantities = n_quantities, .cells = cells};
  a->owner = calloc(cells, sizeof *a->owner);
  a->crossed = calloc(cells * nq, sizeof *a->crossed);
  return a->owner && a->crossed;
}

void ria_account_free(ria_account *a) {
  free(a->owner);
  free(a->crossed);
  free(a->in);
  free(a->out);
  *a = (ria_account){0};
}

/* Enter what side cells counted into totals of the first n stretches. */
static void add_crossed(const ria_account *a, int n, double *in, double *out) {
  const size_t nq = (size_t)a->n_quantities;
  for (size_t k = 0; k < a->cells * nq; k++) {
    const int32_t owner = a->owner[k / nq];
    if (owner >= n) continue;
    in[(size_t)owner * nq + k % nq] += a->crossed[k].in;
    out[(size_t)owner * nq + k % nq] += a->crossed[k].out;
  }
}

void ria_account_fold(ria_account *a) {
  add_crossed(a, a->n, a->in, a->out);
  for (size_t k = 0; k < a->cells * (size_t)a->n_quantities; k++)
    a->crossed[k].in = a->crossed[k].out = 0;
}

bool ria_account_grow(ria_account *a, int n) {
  const size_t nq = (size_t)a->n_quantities, had = (size_t)a->n * nq;
  double **both[] = {&a->in, &a->out};
  for (int k = 0; k < 2; k++) {
    double *grown = realloc(*both[k], (size_t)n * nq * sizeof *grown);
    if (!grown) return false;
    for (size_t m = had; m < (size_t)n * nq; m++) grown[m] = 0;
    *both[k] = grown;
  }
  a->n = n;
  return true;
}

void ria_account_read(const ria_account *a, int n, double *in, double *out) {
  const size_t nq = (size_t)a->n_quantities, have = (size_t)a->n * nq;
  for (size_t k = 0; k < (size_t)n * nq; k++) {
    in[k] = k < have ? a->in[k] : 0;
    out[k] = k < have ? a->out[k] : 0;
  }
  add_crossed(a, n < a->n ? n : a->n, in, out);
}

/* --- the state -------------------------------------------------------------------------------- */

enum { CROSSED_MEMBERS = 5 };
static double *crossed_member(ria_crossed *c, int member) {
  double *const of[CROSSED_MEMBERS] = {&c->in, &c->out, &c->owed, &c->kept[0], &c->kept[1]};
  return of[member];
}

/* One of the numbers of ria_crossed, of all cells of a side. */
static ria_status crossed_state(ria_context *ctx, const ria_grid *grid, const ria_state_walk *walk,
                                ria_side side, ria_crossed *crossed, size_t nq, int member) {
  static const char *const what[CROSSED_MEMBERS] = {"in", "out", "owed", "kept", "kept2"};
  const size_t cells = (size_t)ria_side_length(grid, side);
  char name[48];
  double *v = malloc(cells * nq * sizeof *v);
  if (!v) return ria_fail_memory(ctx, "the state", cells * nq * sizeof *v);
  for (size_t k = 0; k < cells * nq; k++) v[k] = *crossed_member(&crossed[k], member);
  snprintf(name, sizeof name, "crossed.%s.%s", ria_side_name(side), what[member]);
  const bool south = side == RIA_SOUTH, north = side == RIA_NORTH;
  const ria_state_item item = {
      .name = name,
      .type = RIA_STATE_F64,
      .rank = 2,
      .shape = {cells, nq},
      .data = v,
      .cut = {.whole = cells, .row0 = north ? grid->ny - 1 : 0, .step = !south && !north}};
  const ria_status s = walk->visit(walk->user, &item);
  for (size_t k = 0; k < cells * nq && s == RIA_OK && walk->restores; k++)
    *crossed_member(&crossed[k], member) = v[k];
  free(v);
  return s;
}

ria_status ria_account_state(ria_context *ctx, const ria_grid *grid, const ria_state_walk *walk,
                             ria_account *a) {
  const size_t nq = (size_t)a->n_quantities, stretches = (size_t)a->n;
  ria_crossed *crossed = a->crossed;
  for (int side = 0; side < RIA_SIDES; side++) {
    const size_t cells = (size_t)ria_side_length(grid, (ria_side)side);
    for (int member = 0; member < CROSSED_MEMBERS; member++)
      RIA_TRY(crossed_state(ctx, grid, walk, (ria_side)side, crossed, nq, member));
    crossed += cells * nq;
  }
  RIA_TRY(ria_state_array(walk, "stretch_in", RIA_STATE_F64, stretches, nq, a->in));
  return ria_state_array(walk, "stretch_out", RIA_STATE_F64, stretches, nq, a->out);
}
