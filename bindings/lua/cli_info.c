/* cli_info.c - ria info: what is in a scenario, a raster, a table or a directory of results; what
 * other files are; and where the results of a run lie. */
#include "cli.h"
#include <ria/boundary.h>
#include <ria/crs.h>
#include <ria/csv.h>
#include <ria/solver.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- text that others wrote ------------------------------------------------------------------- */

/* A terminal obeys control characters, and titles and names of files are anyone's: they are shown
 * as JSON writes them. Of UTF-8, C2 80 to C2 9F are control characters too. */
void cli_put_text(FILE *to, const char *text, size_t n) {
  for (size_t k = 0; k < n; k++) {
    const unsigned char c = (unsigned char)text[k],
                        next = k + 1 < n ? (unsigned char)text[k + 1] : 0;
    if (c == 0xC2 && next >= 0x80 && next < 0xA0) {
      fprintf(to, "\\u%04x", next);
      k++;
    } else if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) {
      fprintf(to, "\\u%04x", c);
    } else {
      fputc(c, to);
    }
  }
}

static void put_name(FILE *to, const char *name) { cli_put_text(to, name, strlen(name)); }

/* --- results ---------------------------------------------------------------------------------- */

static int compare_entries(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int count_frames(const char *dir) {
  int n = 0;
  DIR *d = opendir(dir);
  if (!d) return 0;
  for (struct dirent *e; (e = readdir(d)) != NULL;) n += cli_ends_with(e->d_name, ".png");
  closedir(d);
  return n;
}

/* "frames/oil (48)", ... */
static void print_frames(FILE *to, const char *out, const char **comma) {
  char dir[PATH_MAX], sub[PATH_MAX];
  struct dirent **list = NULL;
  snprintf(dir, sizeof dir, "%s/frames", out);
  int n = scandir(dir, &list, visible, compare_entries);
  for (int k = 0; k < n; k++) {
    if ((size_t)snprintf(sub, sizeof sub, "%s/%s", dir, list[k]->d_name) < sizeof sub) {
      fprintf(to, "%sframes/", *comma);
      put_name(to, list[k]->d_name);
      fprintf(to, " (%d)", count_frames(sub));
      *comma = ", ";
    }
    free(list[k]);
  }
  free(list);
}

void cli_print_results(FILE *to, const char *out) {
  struct dirent **list = NULL;
  const char *comma = ": ";
  int n = scandir(out, &list, visible, compare_entries);
  if (n < 0) return;
  fputs("results in ", to);
  put_name(to, out);
  print_frames(to, out, &comma);
  for (int k = 0; k < n; k++) {
    if (strcmp(list[k]->d_name, "frames") != 0) {
      fputs(comma, to);
      put_name(to, list[k]->d_name);
      comma = ", ";
    }
    free(list[k]);
  }
  free(list);
  fputc('\n', to);
}

/* --- a scenario ------------------------------------------------------------------------------- */

/* A turned one by its corners, in turn. */
static void print_turned(FILE *to, const ria_grid *g, const char *unit) {
  fprintf(to, "  grid      %d x %d cells of %g x %g %s, turned by %g deg about (%.10g, %.10g)\n",
          g->nx, g->ny, g->dx, g->dy, unit, g->angle, g->x0, g->y0);
  fputs("            corners", to);
  for (int k = 0; k < 4; k++) {
    double x = g->x0 + (k == 1 || k == 2 ? g->nx * g->dx : 0.0);
    double y = g->y0 + (k >= 2 ? g->ny * g->dy : 0.0);
    ria_grid_to_map(g, &x, &y);
    fprintf(to, "%s (%.10g, %.10g)", k ? "," : "", x, y);
  }
  fputc('\n', to);
}

static void print_grid(FILE *to, const ria_grid *g, const char *unit) {
  if (g->angle != 0.0) {
    print_turned(to, g, unit);
    return;
  }
  fprintf(to, "  grid      %d x %d cells of %g x %g %s, x %g .. %g, y %g .. %g %s\n", g->nx, g->ny,
          g->dx, g->dy, unit, g->x0, g->x0 + g->nx * g->dx, g->y0, g->y0 + g->ny * g->dy, unit);
}

/* How a ground came about: the lines below the first stand below it. */
static void print_about(FILE *to, const char *about) {
  const char *head = "ground";
  while (about && *about) {
    const size_t n = strcspn(about, "\n");
    fprintf(to, "  %-9s ", head);
    cli_put_text(to, about, n);
    fputc('\n', to);
    head = "";
    about += n;
    about += *about == '\n';
  }
}

static void print_boundaries(FILE *to, const ria_sim *sim) {
  ria_boundary_entry b;
  for (size_t i = 0; ria_boundary_list(sim, i, &b); i++)
    fprintf(to, "  boundary  %s: %s, %d %s of the %s side, (%.10g, %.10g) .. (%.10g, %.10g) m\n",
            b.name, b.kind, b.edges, b.edges == 1 ? "edge" : "edges", ria_side_name(b.side),
            b.from[0], b.from[1], b.to[0], b.to[1]);
}

static void print_sim(FILE *to, ria_sim *sim) {
  ria_field_entry f;
  ria_stats s;
  ria_budget_row rows[1 + RIA_MAX_TRACERS];
  size_t n = sizeof rows / sizeof *rows;
  print_grid(to, ria_sim_grid(sim), "m");
  print_about(to, ria_sim_ground(sim));
  for (size_t i = 0; ria_sim_field_list(sim, i, &f); i++)
    if (f.can_set && ria_sim_stats(sim, f.name, &s) == RIA_OK && s.n > 0)
      fprintf(to, "  %-9s %g .. %g %s, mean %g, in %lld cells\n", f.name, s.min, s.max, f.unit,
              s.mean, (long long)s.n);
  print_boundaries(to, sim);
  if (ria_sim_budget(sim, rows, &n) != RIA_OK) return;
  for (size_t k = 0; k < n; k++)
    fprintf(to, "  stored    %g %s of %s\n", rows[k].stored, rows[k].unit, rows[k].name);
}

static int describe_sim(const cli_options *o, ria_sim *sim) {
  print_sim(stdout, sim);
  return o->picture ? cli_draw_bed(o, sim) : EXIT_OK;
}

/* --- a raster --------------------------------------------------------------------------------- */

static bool in_degrees(const ria_raster *r) {
  ria_crs *crs = NULL;
  const bool degrees =
      r->crs && ria_crs_create(NULL, r->crs, &crs) == RIA_OK && ria_crs_in_degrees(crs);
  ria_crs_destroy(&crs);
  return degrees;
}

static void describe_raster(FILE *to, const ria_raster *r) {
  size_t n = (size_t)r->grid.nx * (size_t)r->grid.ny, valid = 0;
  double min = INFINITY, max = -INFINITY;
  for (size_t k = 0; k < n; k++) {
    if (isnan(r->data[k])) continue;
    min = fmin(min, r->data[k]);
    max = fmax(max, r->data[k]);
    valid++;
  }
  print_grid(to, &r->grid, in_degrees(r) ? "deg" : "m");
  print_about(to, r->about);
  fputs("  values    ", to);
  if (valid)
    fprintf(to, "%g .. %g, ", min, max);
  else
    fputs("none, ", to);
  fprintf(to, "%zu of %zu cells without data\n", n - valid, n);
  if (r->unit) {
    fputs("  unit      ", to);
    cli_put_text(to, r->unit, strlen(r->unit));
    fputc('\n', to);
  }
  const char *crs = r->crs ? r->crs : "none";
  fputs("  crs       ", to);
  cli_put_text(to, crs, strlen(crs));
  fputc('\n', to);
}

static int info_raster(const cli_options *o) {
  ria_context *ctx = NULL;
  ria_raster *r = NULL;
  int code = cli_make_context(o, NULL, NULL, &ctx);
  if (code != EXIT_OK) return code;
  ria_status status = ria_raster_read(ctx, o->file, &r);
  if (status == RIA_OK) {
    printf("%s\n", o->file);
    describe_raster(stdout, r);
    if (o->picture) code = cli_draw_raster(o, ctx, r, "elevation");
  } else {
    fprintf(stderr, "%s\n", ria_error(ctx));
    code = cli_exit_code(status);
  }
  ria_raster_destroy(&r);
  ria_context_destroy(&ctx);
  return code;
}

/* --- results and the engine ------------------------------------------------------------------- */

enum { RUN_JSON_MAX = 16 << 20 }; /* more than any run writes */

/* run.json, if it is a regular file: a FIFO would make us wait, a link may lead to a device. NULL
 * with errno. */
static FILE *open_run_json(const char *path) {
  struct stat st;
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return NULL;
  const bool regular = fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
  FILE *f = regular ? fdopen(fd, "r") : NULL;
  const int code = regular ? errno : EINVAL;
  if (!f) close(fd);
  errno = code;
  return f;
}

static int info_results(const cli_options *o) {
  char path[PATH_MAX], buffer[4096];
  snprintf(path, sizeof path, "%s/run.json", o->file);
  FILE *f = open_run_json(path);
  if (!f) {
    const int code = errno;
    const bool other = code == EINVAL || code == ENOENT || code == ENOTDIR;
    cli_complain(o, "%s: %s%s", path, code == EINVAL ? "not a regular file" : strerror(code),
                 other ? ": not a directory of results" : "");
    return code == ENOMEM ? cli_exit_code(RIA_ERR_MEMORY) : EXIT_INPUT;
  }
  if (!o->json) cli_print_results(stdout, o->file);
  size_t total = 0;
  for (size_t n; total < RUN_JSON_MAX && (n = fread(buffer, 1, sizeof buffer, f)) > 0; total += n) {
    if (n > 1 && buffer[n - 1] == '\302' && fseek(f, -1, SEEK_CUR) == 0)
      n--; /* two bytes, one C1 */
    cli_put_text(stdout, buffer, n);
  }
  fclose(f);
  if (total < RUN_JSON_MAX) return EXIT_OK;
  cli_complain(o, "%s: larger than any that ria writes: the rest is not shown", path);
  return EXIT_INPUT;
}

/* --- other files ------------------------------------------------------------------------------ */

/* A store by itself, or a directory of something else. */
static int info_directory(const cli_options *o) {
  static const char *const marks[] = {".zgroup", ".zarray", "zarr.json"};
  char path[PATH_MAX];
  struct stat st;
  snprintf(path, sizeof path, "%s/run.json", o->file);
  if (lstat(path, &st) == 0) return info_results(o);
  for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
    snprintf(path, sizeof path, "%s/%s", o->file, marks[k]);
    if (lstat(path, &st) != 0) continue;
    printf("%s: a Zarr store%s: in Python, xarray.open_zarr(\"%s\")\n", o->file,
           strcmp(marks[k], ".zarray") == 0 ? ", of one array" : "", o->file);
    return EXIT_OK;
  }
  return info_results(o); /* says that it is none */
}

/* Of a kind that GDAL reads, where it is found. */
static bool info_by_gdal(const cli_options *o, const char *name) {
  ria_context *ctx = NULL;
  ria_raster *r = NULL;
  if (cli_make_context(o, NULL, NULL, &ctx) != EXIT_OK) return false;
  if (ria_raster_read(ctx, o->file, &r) == RIA_OK) {
    printf("%s: %s\n", o->file, name);
    describe_raster(stdout, r);
    if (o->picture) (void)cli_draw_raster(o, ctx, r, "elevation");
  } else {
    fprintf(stderr, "%s\n", ria_error(ctx));
  }
  const bool told = r != NULL;
  ria_raster_destroy(&r);
  ria_context_destroy(&ctx);
  return told;
}

static int info_foreign(const cli_options *o, const char *name, bool raster) {
  if (raster) return info_by_gdal(o, name) ? EXIT_OK : EXIT_INPUT;
  printf("%s: %s\n", o->file, name);
  return EXIT_OK;
}

static void put_table(const char *file, const ria_csv_table *t, bool units) {
  printf("%s: a table of %zu row%s (ria.csv, or ria.series for a value in time%s)\n  columns   ",
         file, t->rows, t->rows == 1 ? "" : "s", units ? ", with units = true" : "");
  for (size_t k = 0; k < t->columns; k++) {
    fputs(k ? ", " : "", stdout);
    put_name(stdout, t->name[k]);
    if (!t->unit[k][0]) continue;
    fputs(" [", stdout);
    put_name(stdout, t->unit[k]);
    fputs("]", stdout);
  }
  printf("\n");
}

/* A table: its columns, with their units where a row below the header looks like units. */
static int info_table(const cli_options *o) {
  ria_context *ctx = NULL;
  ria_csv_table *t = NULL;
  int code = cli_make_context(o, NULL, NULL, &ctx);
  if (code != EXIT_OK) return code;
  ria_status status = ria_csv_table_read(ctx, o->file, &t);
  const bool units = status == RIA_OK && t->first_row_is_words;
  if (units) {
    ria_csv_table_destroy(&t);
    status = ria_csv_table_read_with(ctx, o->file, &(ria_csv_layout){.units = true}, &t);
  }
  if (status == RIA_OK) {
    put_table(o->file, t, units);
  } else {
    fprintf(stderr, "%s\n", ria_error(ctx));
  }
  ria_csv_table_destroy(&t);
  ria_context_destroy(&ctx);
  return cli_exit_code(status);
}

static int info_file(const cli_options *o) {
  const char *name;
  bool raster;
  switch (cli_kind_of(o->file, &name, &raster)) {
  case CLI_UNREADABLE:
    cli_complain(o, "cannot open %s: %s", o->file,
                 errno == EINVAL ? "not a regular file" : strerror(errno));
    return EXIT_INPUT;
  case CLI_RASTER:
    return info_raster(o);
  case CLI_TABLE:
    return info_table(o);
  case CLI_FOREIGN:
    return info_foreign(o, name, raster);
  default:
    return cli_check_with(o, describe_sim);
  }
}

static void print_devices(void) {
  ria_device_info d;
  for (size_t k = 0; ria_device_list(k, &d); k++)
    printf("  %-9s %-8s %s%s\n", k ? "" : "devices", d.name,
           d.there ? "" : "none: ", d.description);
}

/* Which rank gets which GPU with --device cuda. All ranks come here. */
static void print_places(void) {
  ria_context *ctx = NULL;
  const ria_context_desc desc = {.threads = 1, .comm = cli_comm(), .device = "cuda"};
  (void)ria_context_create(&desc, &ctx); /* all tell each other, and rank 0 what it knows */
  for (int k = 0; ctx && k < ria_context_ranks(ctx); k++) {
    const char *name = ria_context_device_of(ctx, k);
    printf("  %-9s rank %d on %s\n", "", k, *name ? name : "none: it cannot start there");
  }
  ria_context_destroy(&ctx);
}

static void print_plugin(void) {
  char text[PATH_MAX + 256];
  const bool can = ria_comm_plugin(text, sizeof text);
  printf("  ranks     %s%s\n", can ? "mpirun -n N ria run ...: " : "none: ", text);
}

/* Of a launcher of MPI, or what there would be. */
static void print_ranks(void) {
  const ria_comm *c = cli_comm();
  if (!c) {
    print_plugin();
    return;
  }
  printf("  ranks     %d, of which %d on this host (%s)\n", c->size,
         c->local_size ? c->local_size : c->size, c->name);
  print_places();
}

/* Does any solver have loops for a GPU? Then those that have none are worth a word. */
static bool with_cuda(void) {
  for (size_t k = 0; k < ria_solver_count(); k++)
    if (ria_solver_at(k)->cuda) return true;
  return false;
}

static int info_engine(void) {
  printf("ria %s\n", ria_version());
  print_devices();
  print_ranks();
  printf("  solvers  ");
  for (size_t k = 0; k < ria_solver_count(); k++) {
    const ria_solver *solver = ria_solver_at(k);
    printf(" %s%s", solver->name, with_cuda() && !solver->cuda ? " (on the CPU)" : "");
  }
  printf("\n  maps     ");
  for (const char *const *map = ria_colormap_names(); *map; map++) printf(" %s", *map);
  printf("\n");
  return EXIT_OK;
}

int cli_info(const cli_options *o) {
  struct stat st;
  if (!o->file) return info_engine();
  if (strcmp(o->file, "-") == 0) return cli_check_with(o, describe_sim);
  if (stat(o->file, &st) == 0 && S_ISDIR(st.st_mode)) return info_directory(o);
  return info_file(o);
}
