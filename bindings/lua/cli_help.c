/* cli_help.c - ria help: commands, the functions of the language, solvers; all from the tables that
 * the reader and the engine themselves use. */
#include "binding.h"
#include "cli.h"
#include "cli_help.h"

#include <math.h>
#include <string.h>

static const cli_command_info command_helps[] = {
    {"run", "SCRIPT [NAME=VALUE ...]", "run a scenario"},
    {"check", "SCRIPT [NAME=VALUE ...]", "all that is wrong at once; how long the run will take"},
    {"info", "[SCRIPT [NAME=VALUE ...] | FILE | DIR]",
     "the contents of a scenario, raster or result, the kind of a file; or the engine"},
    {"params", "SCRIPT", "the parameters a script lets you override"},
    {"help", "[COMMAND | SOLVER | FUNCTION | TOPIC]",
     "this, and the reference of any word: `ria help ria.frame`"},
    {"bench", "[SUBJECT] [NAME=VALUE ...]", "measure the speed of a solver or a primitive here"},
    {"tide", "FILE.csv [OPTIONS]",
     "the constituents of a record of levels, or levels predicted from them"},
    {"new", "NAME [--like SCENARIO]", "write NAME.lua, a scenario to begin from"},
    {"render", "DIR --field NAME [OPTIONS]", "a picture of what a run saved, at any of its times"},
    {"video", "DIR [OPTIONS]", "a film of the frames of a run"},
    {"view", "DIR [DIR]",
     "serve the page of a run to a browser of this machine, with its fields; two runs compared"},
    {"export", "DIR --to KIND [OPTIONS]",
     "stored fields as netCDF, GeoTIFF, tables, or for ParaView"}};
enum { N_COMMANDS = sizeof command_helps / sizeof *command_helps };

const cli_command_info *cli_command_at(size_t k) {
  return k < N_COMMANDS ? &command_helps[k] : NULL;
}

/* --- keys of a table -------------------------------------------------------------------------- */

const char *cli_type_text(const rl_key *key) {
  if (key->shape) return key->shape;
  switch (key->type) {
  case RL_BOOL:
    return "true | false";
  case RL_INT:
    return "integer";
  case RL_NUMBER:
    return key->flags & RL_DATE ? "number | date" : "number";
  case RL_STRING:
    return "text";
  case RL_CHOICE:
    return "choice";
  case RL_VALUE:
    return "number | series";
  case RL_PAIR:
    return "{a, b}";
  case RL_NAMES:
    return "{name, ...}";
  case RL_TABLE:
    return "table";
  default:
    return "value";
  }
}

void cli_print_range(double min, double max, bool above, const char *unit) {
  bool low = isfinite(min), high = isfinite(max);
  if (min != max && low && high)
    printf(", %g .. %g", min, max);
  else if (min != max && low)
    printf(", %s %g", above ? ">" : ">=", min);
  else if (min != max && high)
    printf(", <= %g", max);
  if (unit && *unit) printf(" %s", unit);
}

void cli_print_key(const rl_key *key) {
  printf("  %-12s %s\n", *key->name ? key->name : "[list]", key->doc);
  printf("               %s", cli_type_text(key));
  cli_print_range(key->min, key->max, key->flags & RL_ABOVE_MIN, rl_key_unit(key));
  for (size_t k = 0; key->choices && key->choices[k]; k++)
    printf("%s\"%s\"", k ? " | " : ": ", key->choices[k]);
  printf("%s\n", key->flags & RL_REQUIRED ? "; required" : "");
}

static void print_function(const rl_function *f) {
  printf("%s %s%s%s\n  %s\n", f->name, f->signature, f->returns ? " -> " : "",
         f->returns ? f->returns : "", f->doc);
  if (!f->table) return;
  printf("\n");
  for (const rl_key *key = f->table->keys; key->name; key++) cli_print_key(key);
  if (f->table->list) cli_print_key(f->table->list);
}

/* "frame" of "ria.frame", "every" of "sim:every". */
static const char *last_part(const char *name) {
  const char *dot = strrchr(name, '.'), *colon = strrchr(name, ':');
  return (dot > colon ? dot : colon) + 1;
}

static const rl_function *find_function(const char *word) {
  for (const rl_function *f = rl_language(); f->name; f++)
    if (strcmp(f->name, word) == 0) return f;
  for (const rl_function *f = rl_language(); f->name; f++)
    if (strcmp(last_part(f->name), word) == 0) return f;
  return NULL;
}

static void print_language(void) {
  for (const rl_function *f = rl_language(); f->name; f++) {
    char left[96];
    snprintf(left, sizeof left, "%s %s", f->name, f->signature);
    printf(strlen(left) > 40 ? "  %s\n  %40s %s\n" : "  %-40s %s%s\n", left,
           strlen(left) > 40 ? "" : f->doc, strlen(left) > 40 ? f->doc : "");
  }
}

/* --- solvers ---------------------------------------------------------------------------------- */

void cli_print_default(const ria_param_info *p) {
  if (p->type == RIA_CHOICE) {
    printf("%s", p->choices[(int)p->def]);
    for (size_t k = 0; p->choices[k]; k++) printf("%s%s", k ? " | " : ": ", p->choices[k]);
  } else if (p->type == RIA_BOOL) {
    printf("%s", p->def != 0.0 ? "true" : "false");
  } else {
    printf("%g", p->def);
    cli_print_range(p->min, p->max, false, p->unit);
  }
}

static void print_params(const ria_solver *solver) {
  printf("\nparameters (params = { name = value })\n");
  for (const ria_param_info *p = solver->params; p->name; p++) {
    printf("  %-14s %s\n                 ", p->name, p->doc);
    cli_print_default(p);
    printf("%s\n", p->type == RIA_VARYING ? ", or a series" : "");
  }
}

static void print_fields(const ria_solver *solver) {
  printf("\nfields (* may be set in init, + may have a maximum)\n");
  for (const ria_field_info *f = solver->fields; f->name; f++) {
    char name[64];
    bool each = f->flags & RIA_FIELD_PER_TRACER;
    snprintf(name, sizeof name, "%s%s%s", each ? "<tracer>" : "", each && *f->name ? "_" : "",
             f->name);
    const bool fixed = (f->flags & RIA_FIELD_INPUT) && (f->flags & RIA_FIELD_STATIC);
    printf("  %-14s %c%c %-8s %s%s\n", name, f->flags & RIA_FIELD_INPUT ? '*' : ' ',
           f->flags & RIA_FIELD_TRACK ? '+' : ' ', f->unit ? f->unit : "", f->doc,
           fixed ? "; not after the start of the run" : "");
  }
}

void cli_print_boundary_values(const ria_boundary_kind *b) {
  for (int k = 0; k < RIA_BOUNDARY_VALUES && b->values[k].name; k++) {
    const ria_boundary_value_info *v = &b->values[k];
    printf("    %-12s %s", v->name, v->unit);
    if (v->required)
      printf(", required\n");
    else if (isfinite(v->def))
      printf(", %g if left out\n", v->def);
    else
      printf(", may be left out\n");
  }
}

static void print_boundaries(const ria_solver *solver) {
  printf("\nkinds of boundary (boundary = { south = \"kind\" or { kind = ..., values } })\n");
  for (const ria_boundary_kind *b = solver->boundaries; b->name; b++) {
    printf("  %-14s %s%s\n", b->name, b->doc, b->carries ? "; brings tracers" : "");
    cli_print_boundary_values(b);
  }
}

/* Text in lines of at most 80 characters. */
static void print_wrapped(const char *text) {
  int column = 0;
  for (size_t n; *text; text += n) {
    n = strcspn(text, " ");
    if (column && column + 1 + (int)n > 80) {
      printf("\n");
      column = 0;
    }
    column += printf("%s%.*s", column ? " " : "", (int)n, text);
    n += strspn(text + n, " ");
  }
  printf("\n");
}

static void print_solver(const ria_solver *solver) {
  printf("%s - %s\n\n", solver->name, solver->summary);
  print_wrapped(solver->doc);
  print_params(solver);
  print_fields(solver);
  print_boundaries(solver);
  if (solver->max_tracers)
    printf("\nat most %d tracers\n", solver->max_tracers);
  else
    printf("\nno tracers\n");
}

static const ria_solver *find_solver(const char *word) {
  for (size_t k = 0; k < ria_solver_count(); k++)
    if (strcmp(ria_solver_at(k)->name, word) == 0) return ria_solver_at(k);
  return NULL;
}

/* --- topics ----------------------------------------------------------------------------------- */

static const cli_command_info *find_command(const char *word) {
  for (size_t k = 0; k < N_COMMANDS; k++)
    if (strcmp(command_helps[k].name, word) == 0) return &command_helps[k];
  return NULL;
}

static void print_subjects(FILE *to) {
  const char *name, *summary;
  fprintf(to, "\nsolvers and primitives to measure\n");
  for (size_t k = 0; (name = ria_bench_subject(k, &summary)); k++)
    fprintf(to, "  %-14s %s\n", name, summary);
  fprintf(
      to, "  %-14s %s\n", "accuracy",
      "error against seconds, of exact flows at both orders: case=vortex|thacker|\n"
      "                 stoker|square, scale=TIMES the cells, precision=double|single, order=1|2");
  fprintf(
      to, "  %-14s %s\n", "scaling",
      "how much faster several devices are than one: GPUs (--device cuda:0-3; all if left\n"
      "                 out), threads of the CPU with a part each (--device cpu --threads N), or\n"
      "                 ranks (mpirun -n N). case=SOLVER|CASE|SOLVER/CASE, size=CELLS[,CELLS...]\n"
      "                 along a side, each=CELLS|no: a square for each device, seconds=S a row "
      "(1),\n"
      "                 points=FILE: no measuring, the formula fitted to these points");
}

static void print_exports(FILE *to) {
  fprintf(to,
          "\nDIR: the results of a run, or a store (fields.zarr). A file for each store:\n"
          "  netcdf   fields.nc by the CF conventions: QGIS, Panoply, xarray, GDAL\n"
          "  vti      fields.pvd, and an image each time in fields/: ParaView\n"
          "  geotiff  fields/level_20260714T060000Z.tif, one a field and time; without a start of\n"
          "           the run level_0021600s.tif\n"
          "  csv      fields.csv: x, y and the fields of each cell at one time; with --at X,Y the\n"
          "           history of a cell, with --line the cells along a line\n"
          "  xdmf     fields.xdmf and fields.bin\n"
          "Values are those of the store, in its precision; nan (in csv nothing) where dry. On a\n"
          "turned grid u and v run along the grid's axes. A file that is there is replaced.\n"
          "\n"
          "  ria export out/bay --to geotiff --field level --time \"6 h\" --out level.tif\n"
          "  ria export out/bay --to geotiff --store maxima\n"
          "  ria export out/bay --to csv --field level,oil --at 14000,11000\n");
}

void cli_print_notes(FILE *to, const char *command) {
  if (strcmp(command, "run") == 0)
    fprintf(
        to,
        "\nexit codes: 0 ok, 1 script or run, 2 command line, 3 input file, 4 numerical failure,\n"
        "5 no such device, 21 to 27 a limit (ria help limits); 128 and the number of a signal\n"
        "that ended it: 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP, 141 SIGPIPE, 153 SIGXFSZ. Ctrl-C\n"
        "once: the step is finished and results are closed; a second time it quits at once.\n");
  if (strcmp(command, "check") == 0)
    fprintf(
        to,
        "\nAll that is wrong is told at once, each at its line. Where nothing is, the steps of "
        "about\n"
        "a second are taken and say how long the run will take here, and what memory and disk it\n"
        "needs: the lower figure as measured at the start; the upper one for a flow that becomes\n"
        "faster or spreads (twice the time), pictures three times as large, and stores that do "
        "not\n"
        "compress at all. A warning where memory or disk is short, or of a run over a day; "
        "nothing\n"
        "is refused. In the JSON: \"forecast\". Not of a grid in ranks of MPI.\n");
  if (strcmp(command, "export") == 0) print_exports(to);
  if (strcmp(command, "view") == 0)
    fprintf(
        to,
        "\nThe address is printed; it holds for this machine and until Ctrl-C. Opened from the "
        "disk\n"
        "index.html shows all results, of saved fields up to 100 MB, thinned out if they are\n"
        "more; served, all of them: any field at any time, values under the pointer, histories\n"
        "of cells, profiles, arrows and particles of the flow. Nothing but files of DIR is read,\n"
        "no hidden ones, and no links are followed.\n"
        "\n"
        "Of two runs, `ria view out/bay out/flood`, a page shows the same field of both in step,\n"
        "in the same colours and range, and the difference; histories and profiles of both;\n"
        "their pictures side by side; and what differs: parameters, boundaries, spills, script.\n");
  if (strcmp(command, "bench") == 0) print_subjects(to);
  if (strcmp(command, "bench") == 0)
    fprintf(
        to,
        "\n  case=NAME (all), n=CELLS along a side, steps=N, seconds=S to measure for (5),\n"
        "  precision=32|64, tracers=N, output=yes|raw: once more with a frame and a save (raw:\n"
        "  not compressed) every 50 steps, checkpoint=yes: with one every 1000 steps, or N,\n"
        "  written to $TMPDIR. 'a step' is the fastest of four turns, 'sustained'\n"
        "  the mean of all. Times hold for a machine that does nothing else.\n");
}

static void print_command(const cli_command_info *c) {
  printf("ria %s %s\n  %s\n\n", c->name, c->arguments, c->doc);
  cli_print_options(stdout, c->name);
  cli_print_notes(stdout, c->name);
}

static void print_overview(void) {
  printf("ria %s - water that moves and what it carries\n\n", ria_version());
  for (size_t k = 0; k < N_COMMANDS; k++)
    printf("  ria %-6s %-38s %s\n", command_helps[k].name, command_helps[k].arguments,
           command_helps[k].doc);
  printf("\nsolvers (ria help NAME)\n");
  for (size_t k = 0; k < ria_solver_count(); k++)
    printf("  %-14s %s\n", ria_solver_at(k)->name, ria_solver_at(k)->summary);
  printf("\ntopics (ria help NAME)\n");
  const char *topic, *doc;
  for (size_t k = 0; (topic = cli_topic(k, &doc)); k++) printf("  %-14s %s\n", topic, doc);
  printf("\nthe language of scenarios (ria help NAME: its keys, units and ranges)\n");
  print_language();
}

/* What has a page of its own. */
static void take_subjects(cli_names *names) {
  const char *topic, *doc;
  for (size_t k = 0; (topic = cli_topic(k, &doc)); k++) names->at[names->n++] = topic;
  for (size_t k = 0; k < N_COMMANDS; k++) names->at[names->n++] = command_helps[k].name;
  for (size_t k = 0; k < ria_solver_count(); k++) names->at[names->n++] = ria_solver_at(k)->name;
  for (const rl_function *f = rl_language(); f->name && names->n + 1 < CLI_NAMES; f++) {
    names->at[names->n++] = f->name;
    names->at[names->n++] = last_part(f->name);
  }
}

static bool print_page(const char *word) {
  const cli_command_info *command = find_command(word);
  const ria_solver *solver = find_solver(word);
  const rl_function *function = find_function(word);
  if (command)
    print_command(command);
  else if (solver)
    print_solver(solver);
  else if (function)
    print_function(function);
  else
    return cli_print_topic(word) || cli_print_word(word);
  return true;
}

/* In letters of another case, misspelt, or spoken of: a misspelt key or field comes last, since
 * there are so many of them that most words are near to one. */
static int print_nearest(const cli_options *o) {
  static cli_names names; /* too large for a stack */
  names.n = 0;
  take_subjects(&names);
  const char *near = ria_nearest(o->file, names.at, names.n);
  cli_take_words(&names);
  const char *spelt = cli_spelt(&names, o->file);
  if (spelt && print_page(spelt)) return EXIT_OK;
  if (!near && cli_print_mentions(o->file)) return EXIT_OK;
  if (!near) near = ria_nearest(o->file, names.at, names.n);
  if (near)
    cli_complain(o, "no help on '%s': did you mean '%s'?", o->file, near);
  else
    cli_complain(o, "no help on '%s': `ria help` lists all topics", o->file);
  return EXIT_USAGE;
}

int cli_help(const cli_options *o) {
  if (o->stubs) {
    cli_print_stubs(stdout);
    return EXIT_OK;
  }
  if (o->vocabulary) {
    cli_print_vocabulary();
    return EXIT_OK;
  }
  if (o->man) return cli_man(o, o->file);
  if (o->completion) return cli_complete(o, o->completion);
  if (!o->file) {
    print_overview();
    return EXIT_OK;
  }
  return print_page(o->file) ? EXIT_OK : print_nearest(o);
}
