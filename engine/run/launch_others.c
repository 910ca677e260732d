/* run/launch_others.c - the other processes of a launcher, as far as this host shows them: for the
 * words of one that waits for them. MPI itself does not tell who has not begun it.
 *
 * Processes of Linux's /proc that have a rank of the same job in their environment. A rank may be
 * several of them, a shell and what it runs. */
#include "base/text.h"
#include "run/launch.h"
#include <ria/comm.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RANKS_SEEN = 4096, NAME = 16, ENVIRONMENT = 1 << 20 };

/* What is alike in processes of one job, as far as they have it. */
static const char *const job[] = {"PMIX_NAMESPACE", "SLURM_JOB_ID", "SLURM_STEP_ID"};

typedef struct seen {
  bool there, same; /* a process of this rank; one that is this program */
  char name[NAME];  /* of the other program */
} seen;

/* --- one process ------------------------------------------------------------------------------ */

static char *read_environment(long pid, size_t *n) {
  char path[64], *text = malloc(ENVIRONMENT);
  ria_format(path, sizeof path, "/proc/%ld/environ", pid);
  FILE *f = text ? fopen(path, "r") : NULL;
  *n = f ? fread(text, 1, ENVIRONMENT - 1, f) : 0;
  if (f) fclose(f);
  if (*n) text[*n] = '\0';
  if (*n) return text;
  free(text);
  return NULL;
}

/* NULL: it does not have it. */
static const char *value_of(const char *text, size_t n, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = text; at < text + n; at += strlen(at) + 1)
    if (strncmp(at, name, length) == 0 && at[length] == '=') return at + length + 1;
  return NULL;
}

static bool is_of_job(const char *text, size_t n) {
  for (size_t k = 0; k < sizeof job / sizeof *job; k++) {
    const char *own = getenv(job[k]), *other = value_of(text, n, job[k]);
    if (own && (!other || strcmp(own, other) != 0)) return false;
  }
  return true;
}

/* Without a mark another job's processes look like ours. */
static bool job_is_marked(void) {
  for (size_t k = 0; k < sizeof job / sizeof *job; k++)
    if (getenv(job[k])) return true;
  return false;
}

static bool is_same_program(long pid) {
  char path[64];
  struct stat own, other;
  ria_format(path, sizeof path, "/proc/%ld/exe", pid);
  return stat("/proc/self/exe", &own) == 0 && stat(path, &other) == 0 &&
         own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

static void read_name(long pid, char name[NAME]) {
  char path[64];
  ria_format(path, sizeof path, "/proc/%ld/comm", pid);
  FILE *f = fopen(path, "r");
  if (f && fgets(name, NAME, f)) name[strcspn(name, "\n")] = '\0';
  if (f) fclose(f);
}

/* What runs last tells more than the shell that waits for it. */
static void see(long pid, const char *rank_name, seen *of, int size) {
  size_t n;
  char *text = read_environment(pid, &n);
  const char *value = text ? value_of(text, n, rank_name) : NULL;
  const int rank = value && is_of_job(text, n) ? atoi(value) : -1;
  free(text);
  if (rank < 0 || rank >= size || of[rank].same) return;
  of[rank].there = true;
  of[rank].same = is_same_program(pid);
  read_name(pid, of[rank].name);
}

static void see_all(const char *rank_name, seen *of, int size) {
  DIR *dir = opendir("/proc");
  for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
    const long pid = atol(e->d_name);
    if (pid > 0) see(pid, rank_name, of, size);
  }
  if (dir) closedir(dir);
}

/* --- in words --------------------------------------------------------------------------------- */

static bool is_alike(const seen *a, const seen *b) {
  return a->there == b->there && a->same == b->same && strcmp(a->name, b->name) == 0;
}

static void tell(const seen *of, int first, int last, char *text, size_t size) {
  const char *comma = *text ? ", " : "";
  if (of[first].same) return;
  if (first == last)
    ria_append(text, size, "%srank %d ", comma, first);
  else
    ria_append(text, size, "%sranks %d to %d ", comma, first, last);
  if (of[first].there)
    ria_append(text, size, first == last ? "is another program (%s)" : "are another program (%s)",
               of[first].name);
  else
    ria_append(text, size,
               first == last ? "has ended, or is on another host"
                             : "have ended, or are on other hosts");
}

static int tell_all(const seen *of, int n, char *text, size_t size) {
  int lowest = -1;
  for (int first = 0, last; first < n; first = last + 1) {
    for (last = first; last + 1 < n && is_alike(&of[first], &of[last + 1]);) last++;
    tell(of, first, last, text, size);
    if (lowest < 0 && of[first].same) lowest = first;
  }
  return lowest;
}

int ria_comm_others(char *text, size_t text_size) {
  int rank, size;
  char none[1];
  const char *name = ria_launcher_rank(&rank, &size);
  if (!text_size) text = none, text_size = sizeof none;
  *text = '\0';
  if (!name || size < 1 || !job_is_marked()) return rank;
  if (size > RANKS_SEEN) size = RANKS_SEEN;
  seen *of = calloc((size_t)size, sizeof *of);
  if (!of) return rank;
  see_all(name, of, size);
  const int lowest = tell_all(of, size, text, text_size);
  free(of);
  return lowest < 0 ? rank : lowest;
}
