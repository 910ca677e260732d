/* outputs/page_tables.c - the tables of a run on its page: as text, every n-th row of a large one.
 */
#include "base/context.h"
#include "outputs/page.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 4 << 20 }; /* bytes of a table: some 50 000 rows of four gauges */

/* Rows as they come. Row -1 is the header, row 0 the first below it; the last is always taken. */
typedef struct thinning {
  ria_buffer out, row;
  int64_t every, at;
  bool quoted; /* a line break between quotes ends no row */
  bool left;   /* row holds the last one, which was not taken */
} thinning;

static void take_char(thinning *t, char c) {
  if (t->left) t->row.n = 0;
  t->left = false;
  ria_buffer_add(&t->row, &c, 1);
  if (c == '"') t->quoted = !t->quoted;
  if (c != '\n' || t->quoted) return;
  t->left = t->at >= 0 && t->at % t->every != 0;
  if (!t->left) {
    ria_buffer_add(&t->out, t->row.data, t->row.n);
    t->row.n = 0;
  }
  t->at++;
}

static ria_status read_rows(ria_sim *sim, int fd, const char *name, thinning *t) {
  char text[1 << 14];
  ssize_t n;
  while ((n = read(fd, text, sizeof text)) != 0) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      return ria_fail(sim->ctx, RIA_ERR_OUTPUT, "cannot read '%s' for the page: %s", name,
                      strerror(errno));
    for (ssize_t k = 0; k < n; k++) take_char(t, text[k]);
  }
  if (t->left) ria_buffer_add(&t->out, t->row.data, t->row.n);
  ria_buffer_add(&t->out, "", 1);
  return t->out.failed || t->row.failed ? ria_fail_memory(sim->ctx, "the page", t->out.room)
                                        : RIA_OK;
}

static ria_status write_table(ria_sim *sim, ria_json *j, const char *name) {
  struct stat st;
  int fd;
  RIA_TRY(ria_results_open(sim->outputs->results, name, &fd));
  const off_t size = fstat(fd, &st) == 0 ? st.st_size : 0;
  thinning t = {.every = 1 + (int64_t)size / MOST, .at = -1};
  const ria_status s = read_rows(sim, fd, name, &t);
  close(fd);
  if (s == RIA_OK) {
    ria_json_open(j, name, '{');
    ria_json_integer(j, "every", t.every);
    ria_json_text(j, "text", t.out.data);
    ria_json_close(j);
  }
  ria_buffer_free(&t.out);
  ria_buffer_free(&t.row);
  return s;
}

static ria_status write_tables(ria_sim *sim, ria_json *j, const ria_results_list *list) {
  ria_json_open(j, "csv", '{');
  for (size_t i = 0; i < list->n; i++) {
    const ria_result *r = &list->item[i];
    if ((r->kind == RIA_RESULT_GAUGES || r->kind == RIA_RESULT_BUDGET) && r->made)
      RIA_TRY(write_table(sim, j, r->name));
  }
  ria_json_close(j);
  return RIA_OK;
}

ria_status ria_page_tables(ria_sim *sim, ria_json *j) {
  ria_results_list list;
  RIA_TRY(ria_outputs_list(sim, &list));
  const ria_status s = write_tables(sim, j, &list);
  ria_results_list_free(&list);
  return s;
}
