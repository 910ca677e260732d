/* cli_tide_files.c - what ria tide leaves behind: the set for a scenario, the table, a picture. */
#include "cli_tide.h"
#include <ria/output.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- text ------------------------------------------------------------------------------------- */

/* Write a file by a function: whole, or what was there stays. */
static int write_text(const tide_job *j, const char *path,
                      void (*write)(FILE *, const tide_job *)) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&text, &size);
  if (to) write(to, j);
  const bool made = to && !ferror(to);
  const bool whole = to && fclose(to) == 0 && made;
  if (!whole) cli_complain(j->o, "out of memory for %s", path);
  const int code = !whole ? EXIT_SCRIPT
                   : ria_text_write(j->ctx, path, text, size) == RIA_OK
                       ? EXIT_OK
                       : cli_tide_fail(j, RIA_ERR_OUTPUT);
  free(text);
  return code;
}

/* A comment's text: of others, in one line. */
static void put_line(FILE *to, const char *text) { cli_put_text(to, text, strcspn(text, "\r\n")); }

static void write_head(FILE *to, const tide_job *j, const char *comment) {
  char first[48], last[48];
  ria_format_date(j->date[0], j->zone, 0, first, sizeof first);
  ria_format_date(j->date[j->rows - 1], j->zone, 0, last, sizeof last);
  fprintf(to, "%s ", comment);
  put_line(to, j->o->file);
  fprintf(to, ", %s to %s, %zu samples: %.4f m RMS are left, %.2f %% explained\n", first, last,
          j->fit.used, j->fit.residual, 100.0 * j->fit.explained);
}

static void write_lua(FILE *to, const tide_job *j) {
  write_head(to, j, "--");
  fprintf(to, "return {\n  phases = \"greenwich\", nodal = \"%s\",\n  z0 = %.6f,\n",
          cli_nodal_names[j->nodal], j->fit.z0);
  for (size_t k = 0; k < j->fit.n; k++) {
    const ria_tide_fitted *c = &j->fit.c[k];
    const bool plain = c->name[0] > '9'; /* "2N2" is no name of Lua */
    fprintf(to, "  %s%s%s = { %.6f, %.4f }, -- +- %.4f m, %.2f deg\n", plain ? "" : "[\"", c->name,
            plain ? "" : "\"]", c->amplitude, c->phase, c->amplitude_error, c->phase_error);
  }
  fprintf(to, "}\n");
}

static void write_csv(FILE *to, const tide_job *j) {
  const char *nodal = cli_nodal_names[j->nodal];
  write_head(to, j, "#");
  fprintf(to, "# speed in deg/h, amplitude in m, phase in deg at Greenwich (UTC)\n"
              "constituent,speed,amplitude,phase,amplitude_error,phase_error,share,nodal\n");
  fprintf(to, "Z0,0,%.6f,0,%.6f,0,0,%s\n", j->fit.z0, j->fit.z0_error, nodal);
  for (size_t k = 0; k < j->fit.n; k++) {
    const ria_tide_fitted *c = &j->fit.c[k];
    fprintf(to, "%s,%.7f,%.6f,%.4f,%.6f,%.4f,%.6f,%s\n", c->name, c->speed, c->amplitude, c->phase,
            c->amplitude_error, c->phase_error, c->share, nodal);
  }
}

void cli_tide_json(const tide_job *j) {
  cli_json w = {stdout, true};
  json_open(&w, NULL, '{');
  json_text(&w, "file", j->o->file);
  json_text(&w, "column", j->column);
  json_text(&w, "nodal", cli_nodal_names[j->nodal]);
  json_number(&w, "samples", (double)j->fit.used);
  json_number(&w, "z0", j->fit.z0);
  json_number(&w, "z0_error", j->fit.z0_error);
  json_number(&w, "residual", j->fit.residual);
  json_number(&w, "explained", j->fit.explained);
  json_open(&w, "constituents", '[');
  for (size_t k = 0; k < j->fit.n; k++) {
    const ria_tide_fitted *c = &j->fit.c[k];
    json_open(&w, NULL, '{');
    json_text(&w, "name", c->name);
    json_number(&w, "speed", c->speed);
    json_number(&w, "amplitude", c->amplitude);
    json_number(&w, "amplitude_error", c->amplitude_error);
    json_number(&w, "phase", c->phase);
    json_number(&w, "phase_error", c->phase_error);
    json_number(&w, "share", c->share);
    json_close(&w, '}');
  }
  json_close(&w, ']');
  json_close(&w, '}');
  printf("\n");
}

/* --- the picture ------------------------------------------------------------------------------ */

static ria_status draw(const tide_job *j, const double *x, const double *residual) {
  char first[48], label[96], title[256];
  ria_format_date(j->date[0], j->zone, 0, first, sizeof first);
  snprintf(label, sizeof label, "days from %s", first);
  snprintf(title, sizeof title, "%s: %zu constituents, %.4f m RMS left", j->column, j->fit.n,
           j->fit.residual);
  const ria_plot_line over[] = {{.label = "record", .x = x, .y = j->level, .n = j->rows},
                                {.label = "fit", .x = x, .y = j->fitted, .n = j->rows}};
  const ria_plot_line under[] = {{.label = "record - fit", .x = x, .y = residual, .n = j->rows}};
  const ria_plot_panel panels[] = {
      {.title = "level", .ylabel = "m", .lines = over, .n_lines = 2},
      {.title = "residual", .ylabel = "m", .xlabel = label, .lines = under, .n_lines = 1}};
  return ria_plot(j->ctx, &(ria_plot_desc){.path = j->o->tide.picture,
                                           .title = title,
                                           .panels = panels,
                                           .n_panels = 2,
                                           .width = 1200});
}

static int write_picture(const tide_job *j) {
  double *x = calloc(2 * j->rows, sizeof *x), *residual = x + j->rows;
  if (!x) return cli_complain(j->o, "out of memory for a picture"), EXIT_SCRIPT;
  for (size_t i = 0; i < j->rows; i++) {
    x[i] = (j->date[i] - j->date[0]) / 86400.0;
    residual[i] = j->level[i] - j->fitted[i];
  }
  const ria_status status = draw(j, x, residual);
  free(x);
  return status == RIA_OK ? EXIT_OK : cli_tide_fail(j, status);
}

int cli_tide_write(const tide_job *j) {
  const cli_tide_options *t = &j->o->tide;
  int code = EXIT_OK;
  if (j->stored && (t->lua || t->csv || t->picture)) {
    cli_complain(j->o, "%s is a table of constituents: only --predict goes with it", j->o->file);
    return EXIT_USAGE;
  }
  if (t->lua) code = write_text(j, t->lua, write_lua);
  if (code == EXIT_OK && t->csv) code = write_text(j, t->csv, write_csv);
  if (code == EXIT_OK && t->picture) code = write_picture(j);
  return code;
}
