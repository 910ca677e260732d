/* unit.csv: tables that grow, numbers that read back, whole lines whatever happens. */
#include "io/csv.h"
#include "io/file.h"
#include "test.h"

#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

static char dir[64] = "/tmp/ria-csv-XXXXXX";
static char path[128];

static char *slurp(const char *name) {
  FILE *f = fopen(name, "rb");
  char *text = calloc(1, 1 << 20);
  if (!f || !text) abort();
  text[fread(text, 1, (1 << 20) - 1, f)] = '\0';
  fclose(f);
  return text;
}

static void number(double v, const char *expected) {
  char text[32];
  int n = ria_format_double(v, text);
  CHECK_TEXT(text, expected);
  CHECK_INT(n, strlen(expected));
}

static void numbers(void) {
  number(0.0, "0");
  number(0.1, "0.1");
  number(-2.5, "-2.5");
  number(604800.0, "604800");
  number(1234567.25, "1234567.25");
  number(12345678.125, "12345678.125");
  number(1.0 / 3.0, "0.3333333333333333");
  number(0.1 + 0.2, "0.30000000000000004");
  number((double)0.1f, "0.1");
  number((double)(1.0f / 3.0f), "0.33333334");
  number(1e300, "1e+300");
  number(5e-324, "4.94065645841247e-324");
  number((double)INFINITY, "inf");
  number(-(double)INFINITY, "-inf");
  number((double)NAN, "");
}

static void numbers_read_back(void) {
  uint64_t bits = 88172645463325252u;
  for (int k = 0; k < 20000; k++) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    double v;
    memcpy(&v, &bits, sizeof v);
    if (isnan(v) || isinf(v)) continue;
    char text[32];
    CHECK(ria_format_double(v, text) <= 24);
    if (!CHECK(strtod(text, NULL) == v)) fprintf(stderr, "  %s for %a\n", text, v);
  }
}

static void table(ria_context *ctx, ria_writer *w) {
  const char *const columns[] = {"time_s", "harbour, inner \"A\"", "level"};
  ria_csv *c;
  CHECK_OK(ctx, ria_csv_create(ctx, w, path, columns, NULL, 3, NULL, &c));
  char *text = slurp(path);
  CHECK_TEXT(text, "time_s,\"harbour, inner \"\"A\"\"\",level\n");
  free(text);
  const double rows[] = {0, 1.5, -1, 60, (double)NAN, 0.25};
  CHECK_OK(ctx, ria_csv_append(c, rows, 2));
  CHECK_OK(ctx, ria_csv_append(c, rows, 0));
  CHECK_OK(ctx, ria_csv_append(c, rows, 1));
  ria_csv_destroy(&c);
  CHECK(c == NULL);
  text = slurp(path);
  CHECK_TEXT(text, "time_s,\"harbour, inner \"\"A\"\"\",level\n0,1.5,-1\n60,,0.25\n0,1.5,-1\n");
  free(text);
}

static void units_row(ria_context *ctx, ria_writer *w) {
  const char *const columns[] = {"time_s", "load"}, *const units[] = {"s", "g, dry"};
  const double row[] = {0, 1.5};
  ria_csv *c;
  CHECK_OK(ctx, ria_csv_create(ctx, w, path, columns, units, 2, NULL, &c));
  CHECK_OK(ctx, ria_csv_append(c, row, 1));
  ria_csv_destroy(&c);
  char *text = slurp(path);
  CHECK_TEXT(text, "time_s,load\ns,\"g, dry\"\n0,1.5\n");
  free(text);
}

static void rows_keep_their_order(ria_context *ctx, ria_writer *w) {
  const char *const columns[] = {"k", "k2"};
  ria_csv *c;
  CHECK_OK(ctx, ria_csv_create(ctx, w, path, columns, NULL, 2, NULL, &c));
  for (int k = 0; k < 1000; k++) {
    const double row[] = {k, 2.0 * k};
    CHECK_OK(ctx, ria_csv_append(c, row, 1));
  }
  ria_csv_destroy(&c);
  char *text = slurp(path), *line = strchr(text, '\n') + 1;
  for (int k = 0; k < 1000; k++) {
    int a = -1, b = -1, n = 0;
    if (!CHECK(sscanf(line, "%d,%d\n%n", &a, &b, &n) == 2 && a == k && b == 2 * k)) break;
    line += n;
  }
  CHECK_TEXT(line, "");
  free(text);
}

/* The point stays a point in a host that writes commas. */
static void locale_does_not_matter(void) {
  const char *const comma[] = {"de_DE.UTF-8", "es_ES.UTF-8", "fr_FR.UTF-8", "de_DE"};
  for (size_t k = 0; k < sizeof comma / sizeof *comma; k++)
    if (setlocale(LC_ALL, comma[k])) break;
  number(0.5, "0.5");
  number(1.0 / 3.0, "0.3333333333333333");
  setlocale(LC_ALL, "C");
}

static void a_full_disk_cuts_back_to_whole_lines(ria_context *ctx) {
  const char *const columns[] = {"a", "b"};
  ria_writer *w;
  ria_csv *c;
  double rows[2000];
  for (int k = 0; k < 2000; k++) rows[k] = 1.0 / (k + 3.0);
  CHECK_OK(ctx, ria_writer_create(ctx, 1, 1 << 20, &w));
  CHECK_OK(ctx, ria_csv_create(ctx, w, path, columns, NULL, 2, NULL, &c));
  CHECK_OK(ctx, ria_csv_append(c, rows, 10));
  CHECK_OK(ctx, ria_writer_flush(w));
  char *before = slurp(path);

  struct rlimit limit, small = {.rlim_cur = 4096};
  getrlimit(RLIMIT_FSIZE, &limit);
  small.rlim_max = limit.rlim_max;
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  (void)ria_csv_append(c, rows, 1000);
  ria_status s = ria_writer_flush(w);
  setrlimit(RLIMIT_FSIZE, &limit);

  CHECK_INT(s, RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "cannot append to '");
  CHECK_HOLDS(ria_error(ctx), "File too large");
  char *after = slurp(path);
  CHECK_TEXT(after, before);
  free(before);
  free(after);
  ria_csv_destroy(&c);
  ria_writer_destroy(&w);
}

static void cannot_be_made(ria_context *ctx, ria_writer *w) {
  const char *const columns[] = {"a"};
  ria_csv *c;
  CHECK_STATUS(ctx, ria_csv_create(ctx, w, "/nowhere/at/all.csv", columns, NULL, 1, NULL, &c),
               RIA_ERR_OUTPUT);
  CHECK_TEXT(ria_error(ctx), "cannot write '/nowhere/at/all.csv': No such file or directory");
  CHECK(c == NULL);
  ria_csv_destroy(&c);
}

int main(void) {
  ria_context *ctx;
  ria_writer *w;
  if (!CHECK(mkdtemp(dir) != NULL)) return TEST_END();
  snprintf(path, sizeof path, "%s/t.csv", dir);
  if (!CHECK(ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx) == RIA_OK))
    return TEST_END();
  numbers();
  numbers_read_back();
  locale_does_not_matter();
  CHECK_OK(ctx, ria_writer_create(ctx, 3, 1 << 20, &w));
  table(ctx, w);
  units_row(ctx, w);
  rows_keep_their_order(ctx, w);
  cannot_be_made(ctx, w);
  ria_writer_destroy(&w);
  a_full_disk_cuts_back_to_whole_lines(ctx);
  ria_context_destroy(&ctx);
  char err[RIA_ERR_TEXT];
  CHECK_INT(ria_tree_remove(dir, err, sizeof err), RIA_OK);
  return TEST_END();
}
