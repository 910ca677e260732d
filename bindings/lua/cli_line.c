/* cli_line.c - a command line in one form, by which ranks of MPI see whether all were asked for the
 * same. Options come in the order of their table, parameters in that of their names. Of what is
 * given several times the last counts; lists (--limit, --allow, --overlay) keep all. What may
 * differ between ranks is left out: how many threads, and the numbers of GPUs. */
#include "cli_options.h"

#include <stdlib.h>
#include <string.h>

static bool is_list(const cli_option *p) {
  return p->id == O_LIMIT || p->id == O_ALLOW || p->id == O_OVERLAY;
}

static bool is_own(const cli_option *p) { return p->id == O_THREADS; }

/* As a shell takes it. */
static void put_value(FILE *to, const cli_given *g) {
  const bool device = g->option->id == O_DEVICE;
  const int n = (int)(device ? strcspn(g->value, ":") : strlen(g->value));
  const char *quote = strpbrk(g->value, " \t\"") ? "'" : "";
  fprintf(to, " %s%.*s%s", quote, n, g->value, quote);
}

/* --- options ---------------------------------------------------------------------------------- */

/* Of the same option the one that was given first. */
static int by_option(const void *left, const void *right) {
  const cli_given *a = *(const cli_given *const *)left, *b = *(const cli_given *const *)right;
  if (a->option != b->option) return a->option < b->option ? -1 : 1;
  return a < b ? -1 : a > b;
}

static bool put_options(FILE *to, const cli_options *o) {
  const cli_given **g = malloc((o->n_given + 1) * sizeof *g);
  if (!g) return false;
  for (size_t k = 0; k < o->n_given; k++) g[k] = &o->given[k];
  qsort(g, o->n_given, sizeof *g, by_option);
  for (size_t k = 0; k < o->n_given; k++) {
    const cli_option *p = g[k]->option;
    const bool again = k + 1 < o->n_given && g[k + 1]->option == p && !is_list(p);
    if (again || is_own(p) || p->id == O_SET) continue; /* O_SET: a parameter */
    fprintf(to, " %s", p->name);
    if (g[k]->value) put_value(to, g[k]);
  }
  free(g);
  return true;
}

/* --- parameters ------------------------------------------------------------------------------- */

static int compare_names(const char *a, const char *b) {
  const size_t na = strcspn(a, "="), nb = strcspn(b, "=");
  const int order = memcmp(a, b, na < nb ? na : nb);
  return order ? order : na < nb ? -1 : na > nb;
}

static int by_name(const void *left, const void *right) {
  const char *const *a = *(const char *const *const *)left;
  const char *const *b = *(const char *const *const *)right;
  const int order = compare_names(*a, *b);
  return order ? order : a < b ? -1 : a > b;
}

static bool put_parameters(FILE *to, const cli_options *o) {
  const char *const **p = malloc((o->n_overrides + 1) * sizeof *p);
  if (!p) return false;
  for (size_t k = 0; k < o->n_overrides; k++) p[k] = &o->overrides[k];
  qsort(p, o->n_overrides, sizeof *p, by_name);
  for (size_t k = 0; k < o->n_overrides; k++)
    if (k + 1 == o->n_overrides || compare_names(*p[k], *p[k + 1]) != 0) fprintf(to, " %s", *p[k]);
  free(p);
  return true;
}

/* --- all -------------------------------------------------------------------------------------- */

char *cli_line(const cli_options *o) {
  char *text = NULL;
  size_t size;
  FILE *to = open_memstream(&text, &size);
  if (!to) return NULL;
  const char *const words[] = {o->file, o->second, o->tide.to};
  fprintf(to, "ria %s", o->command);
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (words[k]) fprintf(to, " %s", words[k]);
  const bool all = put_options(to, o) && put_parameters(to, o);
  if (fclose(to) == 0 && all) return text;
  free(text);
  return NULL;
}
