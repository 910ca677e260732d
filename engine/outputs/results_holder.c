/* outputs/results_holder.c - who has a results directory: the lines "ria <process> <host> <begun>"
 * of its journal.
 *
 * Where locks work they decide, and a line only tells who has them. On file systems without (flock
 * fails, or succeeds for everybody) the lines do, among processes of one machine: the first whose
 * process lives has the directory. Each that comes adds its line, then reads all. A process is the
 * one that wrote a line if it began when the line says so: numbers of processes come again. One
 * that lets go of the directory and lives on says "left". */
#include "outputs/results_lock.h"
#include "io/file.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* When a process began, by the kernel's ticks since it started; 0: not known. */
static unsigned long long begun_at(long pid) {
  char path[40], text[1024];
  snprintf(path, sizeof path, "/proc/%ld/stat", pid);
  FILE *f = fopen(path, "re");
  const size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  if (f) fclose(f);
  text[n] = '\0';
  const char *at = strrchr(text, ')'); /* a name may hold anything; behind it the third word */
  for (int word = 2; at && word < 22; word++) at = strchr(at + 1, ' ');
  return at ? strtoull(at, NULL, 10) : 0;
}

static void own_host(char host[RIA_HOST_MAX]) {
  if (gethostname(host, RIA_HOST_MAX - 1) != 0) host[0] = '\0';
  host[RIA_HOST_MAX - 1] = '\0';
}

void ria_results_line(const char *word, char line[RIA_HOLDER_LINE]) {
  char host[RIA_HOST_MAX];
  const long pid = (long)getpid();
  own_host(host);
  snprintf(line, RIA_HOLDER_LINE, "%s %ld %s %llu\n", word, pid, host[0] ? host : "-",
           begun_at(pid));
}

/* On a line of its own also after one that was cut off. */
static ria_status add_line(ria_results *r, const char *word, bool first) {
  char line[RIA_HOLDER_LINE + 1] = "\n";
  ria_results_line(word, line + !first);
  const int code = ria_fd_write(r->lock, line, strlen(line));
  return code ? ria_results_fail(r, code, "lock", LOCK_NAME) : RIA_OK;
}

ria_status ria_results_sign(ria_results *r, bool fresh) { return add_line(r, "ria", fresh); }

void ria_results_sign_off(ria_results *r) { (void)add_line(r, "left", false); }

/* --- reading ---------------------------------------------------------------------------------- */

static bool same(const ria_holder *a, const ria_holder *b) {
  return a->pid == b->pid && a->begun == b->begun && strcmp(a->host, b->host) == 0;
}

static bool read_line(const char *line, const char *word, ria_holder *h) {
  const size_t n = strlen(word);
  *h = (ria_holder){0};
  return strncmp(line, word, n) == 0 && line[n] == ' ' &&
         sscanf(line + n, " %ld %64s %llu", &h->pid, h->host, &h->begun) >= 1;
}

/* The next line; NULL: there is none. */
static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end + 1 : NULL;
}

/* Has it said so behind its line? */
static bool has_left(const char *line, const ria_holder *h) {
  ria_holder other;
  for (line = next_line(line); line; line = next_line(line))
    if (read_line(line, "left", &other) && same(&other, h)) return true;
  return false;
}

static bool lives(const ria_holder *h, const char *host) {
  if (h->pid <= 0 || strcmp(h->host, host) != 0) return false;
  if (kill((pid_t)h->pid, 0) != 0 && errno != EPERM) return false;
  const unsigned long long begun = begun_at(h->pid);
  return !begun || !h->begun || begun == h->begun;
}

bool ria_results_last(const ria_results *r, ria_holder *last) {
  char *text = NULL;
  size_t n;
  ria_holder h;
  *last = (ria_holder){0};
  if (ria_results_slurp(r, r->lock, LOCK_NAME, &text, &n) == RIA_OK)
    for (const char *line = text; line; line = next_line(line))
      if (read_line(line, "ria", &h)) *last = h;
  free(text);
  return last->pid != 0;
}

bool ria_results_first(const ria_results *r, ria_holder *first) {
  char *text = NULL, host[RIA_HOST_MAX] = "";
  size_t n;
  bool found = false;
  own_host(host);
  if (ria_results_slurp(r, r->lock, LOCK_NAME, &text, &n) == RIA_OK)
    for (const char *line = text; line && !found; line = next_line(line))
      found = read_line(line, "ria", first) && lives(first, host) && !has_left(line, first);
  free(text);
  return found;
}
