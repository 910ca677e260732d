/* cli_vocabulary.c - ria help --vocabulary: every word of scripts and solvers as one page of
 * Markdown. docs/vocabulary.md is this page; a test compares them. */
#include "binding.h"
#include "cli.h"
#include "cli_help.h"

#include <math.h>

/* Text in a cell of a table: a bar would end it. */
static void put_cell(const char *text) {
  for (; *text; text++) printf(*text == '|' ? "\\|" : *text == '<' ? "&lt;" : "%c", *text);
}

/* Text as it is typed. */
static void put_code(const char *text) {
  printf("`");
  for (; *text; text++) printf(*text == '|' ? "\\|" : "%c", *text);
  printf("`");
}

/* --- functions -------------------------------------------------------------------------------- */

static void print_key(const rl_key *key) {
  printf("| ");
  put_code(*key->name ? key->name : "[list]");
  printf(" | ");
  put_cell(cli_type_text(key));
  cli_print_range(key->min, key->max, key->flags & RL_ABOVE_MIN, rl_key_unit(key));
  for (size_t k = 0; key->choices && key->choices[k]; k++)
    printf("%s`\"%s\"`", k ? " \\| " : ": ", key->choices[k]);
  printf("%s | ", key->flags & RL_REQUIRED ? "; required" : "");
  put_cell(key->doc);
  printf(" |\n");
}

static void print_function(const rl_function *f) {
  printf("\n### `%s`\n\n`%s %s`%s%s: ", f->name, f->name, f->signature, f->returns ? " gives " : "",
         f->returns ? f->returns : "");
  for (const char *c = f->doc; *c; c++) printf(*c == '<' ? "&lt;" : "%c", *c);
  printf("\n");
  if (!f->table) return;
  printf("\n| key | value | meaning |\n|---|---|---|\n");
  for (const rl_key *key = f->table->keys; key->name; key++) print_key(key);
  if (f->table->list) print_key(f->table->list);
}

/* --- solvers ---------------------------------------------------------------------------------- */

static void print_params(const ria_solver *solver) {
  printf("\n| parameter | default, range, unit | meaning |\n|---|---|---|\n");
  for (const ria_param_info *p = solver->params; p->name; p++) {
    printf("| `%s` | ", p->name);
    if (p->type == RIA_CHOICE) {
      printf("%s", p->choices[(int)p->def]);
      for (size_t k = 0; p->choices[k]; k++) printf("%s%s", k ? " \\| " : ": ", p->choices[k]);
    } else {
      cli_print_default(p);
    }
    printf("%s | ", p->type == RIA_VARYING ? ", or a series" : "");
    put_cell(p->doc);
    printf(" |\n");
  }
}

static void print_fields(const ria_solver *solver) {
  printf("\n| field | unit | meaning |\n|---|---|---|\n");
  for (const ria_field_info *f = solver->fields; f->name; f++) {
    const bool each = f->flags & RIA_FIELD_PER_TRACER;
    printf("| `%s%s%s` | %s | ", each ? "<tracer>" : "", each && *f->name ? "_" : "", f->name,
           f->unit ? f->unit : "");
    put_cell(f->doc);
    printf("%s%s |\n", f->flags & RIA_FIELD_INPUT ? "; may be set" : "",
           f->flags & RIA_FIELD_TRACK ? "; may have a maximum" : "");
  }
}

static void print_boundaries(const ria_solver *solver) {
  printf("\n| boundary | values | meaning |\n|---|---|---|\n");
  for (const ria_boundary_kind *b = solver->boundaries; b->name; b++) {
    printf("| `%s` | ", b->name);
    for (int k = 0; k < RIA_BOUNDARY_VALUES && b->values[k].name; k++) {
      const ria_boundary_value_info *v = &b->values[k];
      printf("%s`%s` %s", k ? ", " : "", v->name, v->unit);
      if (!v->required && isfinite(v->def)) printf(" (%g if left out)", v->def);
      if (!v->required && !isfinite(v->def)) printf(" (may be left out)");
    }
    printf(" | ");
    put_cell(b->doc);
    printf("%s |\n", b->carries ? "; brings tracers" : "");
  }
}

static void print_commands(void) {
  const cli_command_info *c;
  printf("\n## Program\n");
  for (size_t k = 0; (c = cli_command_at(k)); k++) {
    printf("\n### `ria %s`\n\n```\n", c->name);
    cli_print_options(stdout, c->name);
    printf("```\n");
  }
}

void cli_print_vocabulary(void) {
  printf("# Vocabulary\n\n"
         "Every word of a scenario, with what it takes, its unit and one line; a key that may be "
         "left out says what holds then, or is off. Made by\n"
         "`ria help --vocabulary > docs/vocabulary.md` from the tables that read scenarios; "
         "[lua.md](lua.md) has the rules. Numbers are in the unit given, or text with a unit.\n"
         "\n## Functions\n");
  for (const rl_function *f = rl_language(); f->name; f++) print_function(f);
  printf("\n## Solvers\n");
  for (size_t k = 0; k < ria_solver_count(); k++) {
    const ria_solver *solver = ria_solver_at(k);
    printf("\n### `solver = \"%s\"`\n\n", solver->name);
    put_cell(solver->summary);
    printf("\n");
    print_params(solver);
    print_fields(solver);
    print_boundaries(solver);
  }
  print_commands();
}
