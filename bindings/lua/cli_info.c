/* cli_info.c - ria info: what is in a scenario, a raster or a directory of results; and where the
 * results of a run lie. */
#include "cli.h"
#include <ria/solver.h>

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* --- results ------------------------------------------------------------------------------------
 */

static int compare_entries(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int visible(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static int count_frames(const char *dir) {
  int n = 0;
  DIR *d = opendir(dir);
  if (!d) return 0;
  for (struct dirent *e; (e = readdir(d)) != NULL;) n += ends_with(e->d_name, ".png");
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
      fprintf(to, "%sframes/%s (%d)", *comma, list[k]->d_name, count_frames(sub));
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
  fprintf(to, "results in %s", out);
  print_frames(to, out, &comma);
  for (int k = 0; k < n; k++) {
    if (strcmp(list[k]->d_name, "frames") != 0) {
      fprintf(to, "%s%s", comma, list[k]->d_name);
      comma = ", ";
    }
    free(list[k]);
  }
  free(list);
  fputc('\n', to);
}

/* --- a scenario ---------------------------------------------------------------------------------
 */

static void print_grid(FILE *to, const ria_grid *g) {
  fprintf(to, "  grid      %d x %d cells of %g x %g m, x %g .. %g, y %g .. %g m\n", g->nx, g->ny,
          g->dx, g->dy, g->x0, g->x0 + g->nx * g->dx, g->y0, g->y0 + g->ny * g->dy);
}

static void describe_sim(FILE *to, ria_sim *sim) {
  ria_field_entry f;
  ria_stats s;
  ria_budget_row rows[1 + RIA_MAX_TRACERS];
  size_t n = sizeof rows / sizeof *rows;
  print_grid(to, ria_sim_grid(sim));
  for (size_t i = 0; ria_sim_field_list(sim, i, &f); i++)
    if (f.can_set && ria_sim_stats(sim, f.name, &s) == RIA_OK && s.n > 0)
      fprintf(to, "  %-9s %g .. %g %s, mean %g, in %lld cells\n", f.name, s.min, s.max, f.unit,
              s.mean, (long long)s.n);
  if (ria_sim_budget(sim, rows, &n) != RIA_OK) return;
  for (size_t k = 0; k < n; k++)
    fprintf(to, "  stored    %g %s of %s\n", rows[k].stored, rows[k].unit, rows[k].name);
}

/* --- a raster -----------------------------------------------------------------------------------
 */

static void describe_raster(FILE *to, const ria_raster *r) {
  size_t n = (size_t)r->grid.nx * (size_t)r->grid.ny, valid = 0;
  double min = INFINITY, max = -INFINITY;
  for (size_t k = 0; k < n; k++) {
    if (isnan(r->data[k])) continue;
    min = fmin(min, r->data[k]);
    max = fmax(max, r->data[k]);
    valid++;
  }
  print_grid(to, &r->grid);
  fprintf(to, "  values    %g .. %g, %zu of %zu cells without data\n", min, max, n - valid, n);
  fprintf(to, "  crs       %.60s\n", r->crs ? r->crs : "none");
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
  } else {
    fprintf(stderr, "%s\n", ria_error(ctx));
  }
  ria_raster_destroy(&r);
  ria_context_destroy(&ctx);
  return cli_exit_code(status);
}

/* --- results and the engine ---------------------------------------------------------------------
 */

static int info_results(const cli_options *o) {
  char path[PATH_MAX], buffer[4096];
  snprintf(path, sizeof path, "%s/run.json", o->file);
  FILE *f = fopen(path, "r");
  if (!f) {
    cli_complain(o, "%s: %s: not a directory of results", path, strerror(errno));
    return EXIT_INPUT;
  }
  if (!o->json) cli_print_results(stdout, o->file);
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;) fwrite(buffer, 1, n, stdout);
  fclose(f);
  return EXIT_OK;
}

static void print_devices(void) {
  ria_device_info d;
  for (size_t k = 0; ria_device_list(k, &d); k++)
    printf("  %-9s %-8s %s%s\n", k ? "" : "devices", d.name,
           d.there ? "" : "none: ", d.description);
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
  if (stat(o->file, &st) == 0 && S_ISDIR(st.st_mode)) return info_results(o);
  if (ends_with(o->file, ".asc") || ends_with(o->file, ".asc.gz")) return info_raster(o);
  return cli_check_with(o, describe_sim);
}
