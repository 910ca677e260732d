/* CSV tables and series from them: separators, headers, times, gaps, and what is refused. */
#include "files.h"
#include <ria/csv.h>
#include <ria/series.h>
#include <stdlib.h>

static ria_context *ctx;

/* --- tables ----------------------------------------------------------------------------------- */

static ria_csv_table *read_text(const char *text) {
  ria_csv_table *t = NULL;
  CHECK_OK(ctx, ria_csv_table_read(ctx, files_put("a.csv", text), &t));
  return t;
}

/* Two columns "time" and "level" with (0, 1.5) and (60, -2). */
static void check_plain(const char *text) {
  ria_csv_table *t = read_text(text);
  const double *v;
  if (!t) {
    fprintf(stderr, "  in '%s'\n", text);
    return;
  }
  CHECK_INT(t->columns, 2);
  CHECK_INT(t->rows, 2);
  CHECK_TEXT(t->name[0], "time");
  if (CHECK_OK(ctx, ria_csv_table_column(ctx, t, "level", &v))) {
    CHECK_NEAR(v[0], 1.5, 0.0);
    CHECK_NEAR(v[1], -2.0, 0.0);
  }
  if (CHECK_OK(ctx, ria_csv_table_column(ctx, t, "#1", &v))) {
    CHECK_NEAR(v[0], 0.0, 0.0);
    CHECK_NEAR(v[1], 60.0, 0.0);
  }
  ria_csv_table_destroy(&t);
  CHECK(t == NULL);
}

static void separators(void) {
  check_plain("time,level\n0,1.5\n60,-2\n");
  check_plain("time;level\n0;1.5\n60;-2");
  check_plain("time\tlevel\n0\t1.5\n60\t-2\n");
  check_plain("time level\n0 1.5\n60 -2\n");
  check_plain("  time    level  \n  0     1.5\n 60    -2  \n");
  check_plain("time \t level\n0\t 1.5 \n 60\t-2\n");
  check_plain("time,level\r\n0,1.5\r\n60,-2\r\n");
  check_plain("time,level\r0,1.5\r60,-2\r");
  check_plain("\xef\xbb\xbftime,level\n0,1.5\n60,-2\n");
  check_plain(
      "# measured\n\n  # by hand\ntime,level\n# then\n0,1.5 # first\n\n60,-2#second\n# end");
  check_plain("\"time\",\"level\"\n\"0\",1.5\n60,\"-2\"\n");
  check_plain("\"time\" \"level\"\n0 1.5\n60 -2\n");
  check_plain(" \"time\" ; \"level\" \n 0 ; 1.5 \n60;-2\n");
  check_plain("time,level,\n0,1.5,\n60,-2,\n");
  check_plain("time,level\n0,1.5,\n60,-2\n");
}

static void names(void) {
  ria_csv_table *t = read_text("t,\"water, \"\"still\"\"\",\xc3\xb6\n0,1,2\n");
  const double *v;
  if (!t) return;
  CHECK_TEXT(t->name[1], "water, \"still\"");
  CHECK_OK(ctx, ria_csv_table_column(ctx, t, "water, \"still\"", &v));
  CHECK_OK(ctx, ria_csv_table_column(ctx, t, "\xc3\xb6", &v));
  CHECK_NEAR(v[0], 2.0, 0.0);
  ria_csv_table_destroy(&t);
}

/* Headers with blanks in their names, over columns that blanks or tabs separate. */
static void loose_headers(void) {
  ria_csv_table *t =
      read_text("time(s)     water surface(m)\r\n0.0E+00\t-1.19E-05\r\n5.0E-02\t2e-3\r\n");
  const double *v;
  if (t) {
    CHECK_TEXT(t->name[0], "time(s)");
    CHECK_TEXT(t->name[1], "water surface(m)");
    if (CHECK_OK(ctx, ria_csv_table_column(ctx, t, "#2", &v))) CHECK_NEAR(v[1], 2e-3, 0.0);
  }
  ria_csv_table_destroy(&t);
  t = read_text("time water level\n0 1.5\n60 -2\n");
  if (t) {
    CHECK_INT(t->columns, 2);
    CHECK_TEXT(t->name[0], "");
    CHECK_OK(ctx, ria_csv_table_column(ctx, t, "#2", &v));
    CHECK_STATUS(ctx, ria_csv_table_column(ctx, t, "", &v), RIA_ERR_INPUT);
    CHECK_HOLDS(ria_error(ctx), "there is no column ''; columns: #1, #2");
  }
  ria_csv_table_destroy(&t);
  t = read_text("0 1.5\n60 -2\n"); /* no header at all */
  if (t) CHECK_INT(t->rows, 2);
  ria_csv_table_destroy(&t);
}

static void cells(void) {
  ria_csv_table *t = read_text("time,a,b,remark\n2026-03-01T00:00:00Z,1,,dry\n"
                               "2026-03-01 00:10,nan,NA,\"wet, cold\"\n2026-03-01 00:20,3,4,-\n");
  const double *v;
  if (!t) return;
  CHECK(t->is_time[0] && !t->is_time[1]);
  CHECK_NEAR(t->value[0][1], 1772323800.0, 0.0);
  CHECK_INT(t->line[2], 4);
  CHECK_OK(ctx, ria_csv_table_column(ctx, t, "a", &v));
  CHECK_NEAR(v[1], NAN, 0.0);
  CHECK_OK(ctx, ria_csv_table_column(ctx, t, "b", &v));
  CHECK_NEAR(v[0], NAN, 0.0);
  CHECK_NEAR(v[1], NAN, 0.0);
  CHECK_NEAR(v[2], 4.0, 0.0);
  CHECK_STATUS(ctx, ria_csv_table_column(ctx, t, "remark", &v), RIA_ERR_INPUT);
  CHECK_HOLDS(ria_error(ctx), "a.csv:2: 'dry' in column 'remark': not a number");
  ria_csv_table_destroy(&t);
  t = read_text("time level\n2026-03-01 00:00:00 1\n2026-03-01 00:10 2\n2026-03-02 3\n");
  if (t) CHECK_NEAR(t->value[0][2], 1772409600.0, 0.0);
  ria_csv_table_destroy(&t);
}

static void packed_and_large(void) {
  enum { N = 30000 };
  char *text = malloc(N * 24);
  size_t used = (size_t)sprintf(text, "t,v\n");
  for (int k = 0; k < N; k++) used += (size_t)sprintf(text + used, "%d,%d.25\n", 60 * k, k);
  ria_csv_table *t = NULL;
  if (CHECK_OK(ctx, ria_csv_table_read(ctx, files_put_gzip("large.csv.gz", text), &t))) {
    CHECK_INT(t->rows, N);
    CHECK_NEAR(t->value[1][N - 1], N - 1 + 0.25, 0.0);
  }
  ria_csv_table_destroy(&t);
  free(text);
}

/* --- tables that are refused ------------------------------------------------------------------ */

#define MONTH "'2026-13-01' in column 't': the month must be 01 to 12"

/* The message begins with the path. `column` is then asked for; NULL: reading fails. */
static const struct {
  const char *text, *column, *message;
} malformed[] = {
    {"", NULL, ": the file is empty"},
    {"# nothing\n\n", NULL, ": the file is empty"},
    {"t,v\n", NULL, ": no rows follow the header"},
    {"t,v\n# none\n", NULL, ": no rows follow the header"},
    {"t,v\n0,1\n1\n", NULL, ":3: 1 cells where 2 columns are expected"},
    {"t,v\n0,1\n\n1,2,3\n", NULL, ":4: 3 cells where 2 columns are expected"},
    {"t v\n0 1\n1 2 3\n", NULL, ":3: 3 cells where 2 columns are expected"},
    {"t,v\n0,1,2\n", NULL, ":1: the header names 2 columns, the first row has 3"},
    {"t,v,w\n0,1\n", NULL, ":1: the header names 3 columns, the first row has 2"},
    {"\n t\n0 1\n", NULL, ":2: the header names 1 columns, the first row has 2"},
    {"t,\"v\n0,1\n", NULL, ":1: a quoted cell is not closed"},
    {"t,v\n0,\"1\n", NULL, ":2: a quoted cell is not closed"},
    {"t,v\n0,\"1\"2\n", NULL, ":2: '2' follows a closing quote"},
    {"t v\n0 \"1\"2\n", NULL, ":2: '2' follows a closing quote"},
    {"t,v\n0,1\n1,\x01\n", NULL, ":3: not a text file (byte 0x01)"},
    {"\x7f"
     "ELF",
     NULL, ":1: not a text file (byte 0x7f)"},
    {"t,level\n0,1\n", "lvel",
     ": there is no column 'lvel'; did you mean 'level'?; columns: t, level"},
    {"t,level\n0,1\n", "salt", ": there is no column 'salt'; columns: t, level"},
    {"t,level\n0,1\n", "#3", ": there is no column '#3'; columns: t, level"},
    {"t,level\n0,1\n", "#0", ": there is no column '#0'; columns: t, level"},
    {"t,level\n0,1\n", "#2x", ": there is no column '#2x'; columns: t, level"},
    {"t,level\n0,1\n", "#99999999999", ": there is no column '#99999999999'; columns: t, level"},
    {"t,v,v\n0,1,2\n", "v", ": columns 2 and 3 are both named 'v': choose by number, '#2'"},
    {"t,v\n0,one\n", "v", ":2: 'one' in column 'v': not a number"},
    {"t;v\n0;1\n1;2,5\n", "v",
     ":3: '2,5' in column 'v': not a number (it takes a decimal point, not a comma)"},
    {"date,time,v\n2026-03-01,06:30,1\n", "time",
     ":2: '06:30' in column 'time': not a number (a date and its time of day stand in one column: "
     "2026-07-14 06:30)"},
    {"t,v\n0,:\n", "v", ":2: ':' in column 'v': not a number"},
    {"t,v\n0,1e400\n", "v", ":2: '1e400' in column 'v': not a finite number"},
    {"t,v\n0,-inf\n", "v", ":2: '-inf' in column 'v': not a finite number"},
    {"t,v\n2026-13-01,1\n", "t", ":2: " MONTH},
    {"t,v\n2026-03-01,1\n3600,2\n", "t",
     ":3: '3600' in column 't': of another kind than the rows before (numbers and dates are "
     "mixed)"},
    {"t water v\n0 x\n", "#2", ":2: 'x' in column 2: not a number"},
};

static void refusals(void) {
  char expected[1024];
  const double *v;
  for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
    const char *path = files_put("bad.csv", malformed[i].text), *column = malformed[i].column;
    ria_csv_table *t = NULL;
    snprintf(expected, sizeof expected, "%s%s", path, malformed[i].message);
    ria_status s = ria_csv_table_read(ctx, path, &t);
    if (s == RIA_OK && column) s = ria_csv_table_column(ctx, t, column, &v);
    CHECK_INT(s, RIA_ERR_INPUT);
    CHECK_TEXT(ria_error(ctx), expected);
    ria_csv_table_destroy(&t);
  }
  ria_csv_table *t = NULL;
  const char *path = files_path("none.csv");
  snprintf(expected, sizeof expected, "cannot open %s: No such file or directory", path);
  (void)CHECK_FAILS(ctx, ria_csv_table_read(ctx, path, &t), RIA_ERR_INPUT, expected);
  CHECK(t == NULL);
}

/* --- series ----------------------------------------------------------------------------------- */

static ria_series *series(const char *text, ria_csv_desc desc) {
  ria_series *s = NULL;
  desc.path = files_put("s.csv", text);
  CHECK_OK(ctx, ria_series_csv(ctx, &desc, &s));
  return s;
}

static void check_series(ria_series *s, double t, double v) {
  if (CHECK(s != NULL)) CHECK_NEAR(ria_series_at(s, t), v, 1e-14);
}

static void series_columns(void) {
  static const char text[] = "t,a,b\n0,1,10\n100,3,30\n";
  ria_series *s = series(text, (ria_csv_desc){0});
  check_series(s, 50.0, 2.0);
  ria_series_destroy(&s);
  s = series(text, (ria_csv_desc){.column = "b", .time_unit = 60.0});
  check_series(s, 3000.0, 20.0);
  ria_series_destroy(&s);
  s = series(text, (ria_csv_desc){.column = "#3", .interp = RIA_STEP, .scale = 2.0, .offset = 1.0});
  check_series(s, 99.0, 21.0);
  ria_series_destroy(&s);
}

static void series_dates(void) {
  static const char text[] = "time,q\n2026-03-01 00:00:00.1,1\n2026-03-01T01:00:00.1+00:00,3\n";
  double t0 = NAN, t1 = NAN;
  ria_series *s = series(text, (ria_csv_desc){.epoch = "2026-03-01"});
  if (s) ria_series_span(s, &t0, &t1);
  CHECK_NEAR(t0, 0.1, 0.0);
  CHECK_NEAR(t1, 3600.1, 0.0);
  ria_series_destroy(&s);
  s = series("t,v\n0,1\n10,2\n", (ria_csv_desc){.epoch = "2026-03-01 12:00"});
  check_series(s, 5.0, 1.5);
  ria_series_destroy(&s);
}

/* Without an epoch they wait for the simulation that takes them. */
static void series_left_dated(void) {
  static const char text[] = "time,seen,q\n1970-01-01 01:00,1970-01-02,1\n1970-01-01 02:00,,3\n";
  ria_series *s = series(text, (ria_csv_desc){0}); /* the column behind the dates */
  check_series(s, 5400.0, 2.0);
  CHECK(s && ria_series_has_dates(s) && ria_series_is_local(s));
  ria_series_destroy(&s);
  s = series(text, (ria_csv_desc){.zone = "+00:30"});
  check_series(s, 3600.0, 2.0);
  CHECK(s && ria_series_has_dates(s) && !ria_series_is_local(s));
  ria_series_destroy(&s);
  s = series(text, (ria_csv_desc){.zone = "+00:30", .epoch = "1970-01-01T00:00"});
  check_series(s, 5400.0, 2.0);
  CHECK(s && !ria_series_has_dates(s));
  ria_series_destroy(&s);
}

static void series_gaps(void) {
  ria_series *s = series("t,v\n0,nan\n1,\n2,2\n3,\n6,6\n7,NA\n", (ria_csv_desc){.fill_gaps = true});
  double t0 = NAN, t1 = NAN;
  check_series(s, 4.5, 4.5);
  if (s) ria_series_span(s, &t0, &t1);
  CHECK_NEAR(t0, 2.0, 0.0);
  CHECK_NEAR(t1, 6.0, 0.0);
  ria_series_destroy(&s);
}

static const struct {
  const char *text;
  ria_csv_desc desc;
  ria_status status;
  const char *message;
} refused_series[] = {
    {"t,v\n0,1\n2,2\n1,3\n",
     {0},
     RIA_ERR_INPUT,
     ":4: the time is before that of line 3; times must increase"},
    {"t,v\n0,1\n\n2,2\n2,3\n",
     {0},
     RIA_ERR_INPUT,
     ":5: the time is the same as that of line 4; times must increase"},
    {"t,v\n0,1\n,2\n", {0}, RIA_ERR_INPUT, ":3: the time is missing"},
    {"t,v\n0,1\n,2\n", {.fill_gaps = true}, RIA_ERR_INPUT, ":3: the time is missing"},
    {"t,v\n0,1\n1,\n",
     {0},
     RIA_ERR_INPUT,
     ":3: gap in column 'v' (fill_gaps = true bridges gaps from the values around them)"},
    {"0 1\n1 nan\n",
     {0},
     RIA_ERR_INPUT,
     ":2: gap in column 2 (fill_gaps = true bridges gaps from the values around them)"},
    {"t,v\n0,\n1,nan\n",
     {.fill_gaps = true},
     RIA_ERR_INPUT,
     ": column 'v' has no values, only gaps"},
    {"t\n0\n",
     {0},
     RIA_ERR_INPUT,
     ": it has one column; a time and a value are needed, separated by , ; tab or blanks"},
    {"t,v\n0,1\n", {.column = "w"}, RIA_ERR_INPUT, ": there is no column 'w'; columns: t, v"},
    {"t,v\n2026-03-01,1\n2026-03-02T00:00Z,2\n",
     {0},
     RIA_ERR_INPUT,
     ": some of its dates say their zone and others do not: write it for all, or zone = \"UTC\" if "
     "that is meant"},
    {"t,v\n2026-03-01,1\n2026-03-02T00:00Z,2\n",
     {.zone = "+01:00"},
     RIA_ERR_INPUT,
     ": some of its dates say their zone and others do not: write it for all"},
    {"t,v\n0,1\n",
     {.zone = "+01:00"},
     RIA_ERR_ARGUMENT,
     ": its times are no dates: zone does not apply"},
    {"t,v\n2026-03-01,1\n",
     {.epoch = "2026-03-01", .time_unit = 60},
     RIA_ERR_ARGUMENT,
     ": its times are dates: time_unit does not apply to them"},
    {"t,v\n0,1\n",
     {.time_unit = -1},
     RIA_ERR_ARGUMENT,
     ": time_unit must be greater than 0 s, not -1"},
    {"t,v\n0,2026-03-01\n", {0}, RIA_ERR_INPUT, ": the column of values holds dates"},
    {"t,v\nnoon,1\n", {0}, RIA_ERR_INPUT, ":2: 'noon' in column 't': not a number"},
    {"t,v\n14.07.2026 06:30,1\n15.07.2026 06:30,2\n",
     {0},
     RIA_ERR_INPUT,
     ":2: '14.07.2026 06:30' in column 't': not a number (a date is YYYY-MM-DD, with hh:mm or "
     "hh:mm:ss behind it)"},
};

static void series_refusals(void) {
  char expected[1024];
  for (size_t i = 0; i < sizeof refused_series / sizeof *refused_series; i++) {
    ria_series *s = NULL;
    ria_csv_desc desc = refused_series[i].desc;
    desc.path = files_put("s.csv", refused_series[i].text);
    snprintf(expected, sizeof expected, "%s%s", desc.path, refused_series[i].message);
    (void)CHECK_FAILS(ctx, ria_series_csv(ctx, &desc, &s), refused_series[i].status, expected);
    CHECK(s == NULL);
  }
  ria_series *s = NULL;
  ria_csv_desc desc = {.path = files_put("s.csv", "t,v\n0,1\n"), .epoch = "yesterday"};
  (void)CHECK_FAILS(ctx, ria_series_csv(ctx, &desc, &s), RIA_ERR_ARGUMENT,
                    "epoch 'yesterday': a date is YYYY-MM-DD, with hh:mm or hh:mm:ss behind it");
  desc.path = NULL;
  (void)CHECK_FAILS(ctx, ria_series_csv(ctx, &desc, &s), RIA_ERR_ARGUMENT,
                    "a series from CSV needs the file's path");
}

/* --- damaged files ---------------------------------------------------------------------------- */

static int survive(const char *name, const char *text, size_t n) {
  ria_series *s = NULL;
  ria_csv_desc desc = {.path = files_put_bytes(name, text, n), .epoch = "2026-03-01"};
  ria_status status = ria_series_csv(ctx, &desc, &s);
  CHECK((status == RIA_OK) == (s != NULL));
  if (status != RIA_OK) CHECK_HOLDS(ria_error(ctx), name);
  ria_series_destroy(&s);
  return status == RIA_OK;
}

static void damaged(void) {
  enum { ROUNDS = 3000, ROOM = 512 };
  static const char *const seeds[] = {
      "time,level,remark\n0,1.5,a\n60,-2,\"b, c\"\n120,3e-3,\n",
      "# tab\ntime\tlevel\r\n2026-03-01T00:00:00Z\t1\r\n2026-03-01T01:00:00.5Z\t2\r\n",
      "time(s)    water surface(m)\n0 1\n0.5 2\n1.0 3\n"};
  uint64_t state = 42;
  char text[ROOM];
  int read = 0;
  for (int k = 0; k < ROUNDS && test_failures == 0; k++) {
    const char *seed = seeds[k % 3];
    memcpy(text, seed, strlen(seed));
    read += survive("damaged.csv", text, files_damage(&state, text, strlen(seed), ROOM));
  }
  CHECK(read > ROUNDS / 20 && read < ROUNDS);
}

/* --- layout ----------------------------------------------------------------------------------- */

static ria_csv_table *read_as(const char *text, ria_csv_layout layout) {
  ria_csv_table *t = NULL;
  CHECK_OK(ctx, ria_csv_table_read_with(ctx, files_put("a.csv", text), &layout, &t));
  return t;
}

static void refuse_layout(const char *text, ria_csv_layout layout, ria_status status,
                          const char *why) {
  ria_csv_table *t = NULL;
  CHECK_STATUS(ctx, ria_csv_table_read_with(ctx, files_put("a.csv", text), &layout, &t), status);
  CHECK_HOLDS(ria_error(ctx), why);
  CHECK(t == NULL);
}

static void layouts(void) {
  ria_csv_table *t = read_as("Port authority, gauge 7\n\nt;level\n[s];[m]\n0;1.5\n60;-2\n",
                             (ria_csv_layout){.skip = 2, .units = true});
  if (t) {
    CHECK_INT(t->rows, 2);
    CHECK_TEXT(t->name[1], "level");
    CHECK_TEXT(t->unit[0], "[s]");
    CHECK_TEXT(t->unit[1], "[m]");
    CHECK_NEAR(t->value[1][1], -2.0, 0.0);
    CHECK_INT(t->line[1], 6);
  }
  ria_csv_table_destroy(&t);
  t = read_as("1990,1991\ns,m\n0,1.5\n",
              (ria_csv_layout){.units = true}); /* names that are numbers */
  if (t) {
    CHECK_TEXT(t->name[0], "1990");
    CHECK_TEXT(t->unit[1], "m");
    CHECK_INT(t->rows, 1);
  }
  ria_csv_table_destroy(&t);
  t = read_as("north,1\nsouth,2\n", (ria_csv_layout){.no_header = true});
  if (t) {
    CHECK_INT(t->rows, 2);
    CHECK_TEXT(t->name[0], "");
    CHECK_TEXT(t->text[0][0], "north");
    CHECK(t->text[1] == NULL);
    CHECK_TEXT(t->unit[1], "");
  }
  ria_csv_table_destroy(&t);
  refuse_layout("t,v\n0,1\n", (ria_csv_layout){.skip = 5}, RIA_ERR_INPUT,
                "a.csv: it has 2 lines, skip is 5");
  refuse_layout("t,v\n0,1\n", (ria_csv_layout){.skip = 2}, RIA_ERR_INPUT,
                "a.csv: the file is empty after the lines that are skipped");
  refuse_layout("t,v\n0,1\n", (ria_csv_layout){.skip = -1}, RIA_ERR_ARGUMENT,
                "a.csv: skip is -1 lines: it must be 0 or more");
  refuse_layout("t,v\n0,1\n", (ria_csv_layout){.no_header = true, .units = true}, RIA_ERR_ARGUMENT,
                "a.csv: a row of units follows the header: there is none without a header");
  refuse_layout("t,v\ns,m,x\n0,1\n", (ria_csv_layout){.units = true}, RIA_ERR_INPUT,
                "a.csv: the row of units has 3 cells, the first row 2");
  refuse_layout("t,v\ns,m\n", (ria_csv_layout){.units = true}, RIA_ERR_INPUT,
                "a.csv: no rows follow the header");
}

/* Only the row below a header, if it is words alone, may be units. */
static void words_that_are_no_units(void) {
  static const char *const texts[] = {"t,v\n0,m\n1,2\n", "t,v\n0,1\ns,m\n1,2\n",
                                      "t,v\n0,1\n1,m\n2,3\n", "station,v\nNorth,-\nS,2\n"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    ria_csv_table *t = read_text(texts[k]);
    if (!t) continue;
    CHECK(!t->first_row_is_words);
    CHECK_STATUS(ctx, ria_csv_table_check(ctx, t, 1), RIA_ERR_INPUT);
    CHECK(!strstr(ria_error(ctx), "units = true"));
    ria_csv_table_destroy(&t);
  }
  ria_csv_table *t = read_text("place,kind\na,b\nc,d\n"); /* a table of words */
  if (t) CHECK(!t->first_row_is_words);
  ria_csv_table_destroy(&t);
}

/* A column is of text when it has no number at all; a row of text among numbers is an error. */
static void text_columns(void) {
  ria_csv_table *t = read_text("t,v,remark,empty\n0,,\"say \"\"so\"\"\",\n1,2,,nan\n2,3,dry,\n");
  if (!t) return;
  CHECK(t->text[0] == NULL && t->text[1] == NULL && t->text[3] == NULL);
  CHECK_TEXT(t->text[2][0], "say \"so\"");
  CHECK_TEXT(t->text[2][1], "");
  CHECK_TEXT(t->text[2][2], "dry");
  for (size_t c = 0; c < 4; c++) CHECK_OK(ctx, ria_csv_table_check(ctx, t, c));
  ria_csv_table_destroy(&t);
  t = read_text("t,v\ns,m\n0,1\n1,2\n");
  if (!t) return;
  CHECK(t->text[1] == NULL);
  CHECK_STATUS(ctx, ria_csv_table_check(ctx, t, 1), RIA_ERR_INPUT);
  CHECK(t->first_row_is_words);
  CHECK_HOLDS(ria_error(ctx), "a.csv:2: 'm' in column 'v': not a number; if this line holds the "
                              "units of the columns, write units = true");
  ria_csv_table_destroy(&t);
  words_that_are_no_units();
}

int main(void) {
  CHECK(ria_context_create(&(ria_context_desc){.threads = 1, .device = "cpu"}, &ctx) == RIA_OK);
  files_begin();
  separators();
  layouts();
  text_columns();
  names();
  loose_headers();
  cells();
  packed_and_large();
  refusals();
  series_columns();
  series_dates();
  series_left_dated();
  series_gaps();
  series_refusals();
  damaged();
  files_end();
  ria_context_destroy(&ctx);
  return TEST_END();
}
