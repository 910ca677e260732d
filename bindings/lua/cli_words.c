/* cli_words.c - ria help WORD, where the word is no function but a key, a choice, a parameter, a
 * kind of boundary or a field: every place that has it. Where none has, those that speak of it. */
#include "binding.h"
#include "cli.h"
#include "cli_help.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static bool has_choice(const rl_key *key, const char *word) {
  for (size_t k = 0; key->choices && key->choices[k]; k++)
    if (strcmp(key->choices[k], word) == 0) return true;
  return false;
}

/* Is the word in the text, as a whole, in letters of either case? */
static bool speaks_of(const char *text, const char *word) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const size_t n = strlen(word);
  for (const char *at = text; n && at && (at = strcasestr(at, word)); at++)
    if ((at == text || !strchr(letters, at[-1])) && (!at[n] || !strchr(letters, at[n])))
      return true;
  return false;
}

static bool is_meant(const rl_key *key, const char *word, bool exact) {
  if (!exact) return key->doc && speaks_of(key->doc, word);
  return strcmp(key->name, word) == 0 || has_choice(key, word);
}

static int print_function_words(const rl_function *f, const char *word, bool exact) {
  int n = 0;
  if (!exact && speaks_of(f->doc, word)) {
    printf("%s %s\n  %s\n", f->name, f->signature, f->doc);
    n++;
  }
  for (const rl_key *key = f->table ? f->table->keys : NULL; key && key->name; key++) {
    if (!is_meant(key, word, exact)) continue;
    printf("%s: a key of `ria help %s`\n", key->name, f->name);
    cli_print_key(key);
    n++;
  }
  return n;
}

static int print_kind(const ria_solver *solver, const ria_boundary_kind *b, const char *word) {
  int n = strcmp(b->name, word) == 0;
  for (int k = 0; k < RIA_BOUNDARY_VALUES && b->values[k].name; k++)
    n += strcmp(b->values[k].name, word) == 0;
  if (!n) return 0;
  printf("%s: a kind of boundary of `ria help %s`\n  %s\n", b->name, solver->name, b->doc);
  cli_print_boundary_values(b);
  return 1;
}

static int print_solver_words(const ria_solver *solver, const char *word) {
  int n = 0;
  for (const ria_boundary_kind *b = solver->boundaries; b && b->name; b++)
    n += print_kind(solver, b, word);
  for (const ria_param_info *p = solver->params; p && p->name; p++) {
    if (strcmp(p->name, word) != 0) continue;
    printf("%s: a parameter of `ria help %s`\n  %s\n  ", word, solver->name, p->doc);
    cli_print_default(p);
    printf("%s\n", p->type == RIA_VARYING ? ", or a series" : "");
    n++;
  }
  for (const ria_field_info *f = solver->fields; f && f->name; f++) {
    if (strcmp(f->name, word) != 0) continue;
    printf("%s: a field of `ria help %s`\n  %s, %s\n", word, solver->name, f->unit ? f->unit : "",
           f->doc);
    n++;
  }
  return n;
}

/* --- all of them, for words that are misspelt ------------------------------------------------- */

static void take_name(cli_names *names, const char *name) {
  if (name && *name && names->n < CLI_NAMES) names->at[names->n++] = name;
}

static void take_solver_words(cli_names *names, const ria_solver *solver) {
  for (const ria_boundary_kind *b = solver->boundaries; b && b->name; b++) {
    take_name(names, b->name);
    for (int k = 0; k < RIA_BOUNDARY_VALUES; k++) take_name(names, b->values[k].name);
  }
  for (const ria_param_info *p = solver->params; p && p->name; p++) take_name(names, p->name);
  for (const ria_field_info *f = solver->fields; f && f->name; f++) take_name(names, f->name);
}

void cli_take_words(cli_names *names) {
  for (size_t k = 0; k < ria_solver_count(); k++) take_solver_words(names, ria_solver_at(k));
  for (const rl_function *f = rl_language(); f->name; f++)
    for (const rl_key *key = f->table ? f->table->keys : NULL; key && key->name; key++) {
      take_name(names, key->name);
      for (size_t k = 0; key->choices && key->choices[k]; k++) take_name(names, key->choices[k]);
    }
}

const char *cli_spelt(const cli_names *names, const char *word) {
  for (size_t k = 0; k < names->n; k++)
    if (strcasecmp(names->at[k], word) == 0) return names->at[k];
  return NULL;
}

/* --- for cli_help.c --------------------------------------------------------------------------- */

bool cli_print_word(const char *word) {
  int n = 0;
  if (!*word) return false; /* the name of tracers in a table of fields */
  for (size_t k = 0; k < ria_solver_count(); k++) n += print_solver_words(ria_solver_at(k), word);
  for (const rl_function *f = rl_language(); f->name; f++) n += print_function_words(f, word, true);
  return n > 0;
}

bool cli_print_mentions(const char *word) {
  int n = 0;
  for (const rl_function *f = rl_language(); f->name; f++)
    n += print_function_words(f, word, false);
  return n > 0;
}
