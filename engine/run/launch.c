/* run/launch.c - was this process started as one of several: by the marks that a launcher of MPI
 * leaves in the environment. */
#include "base/text.h"
#include "run/launch.h"
#include <ria/comm.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- launchers -------------------------------------------------------------------------------- */

/* srun sets SLURM_STEP_NUM_TASKS for what it starts; the batch script itself has the job's numbers
 * alone and is no rank. */
static const struct launcher {
  const char *rank, *size;
} launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                 {"PMI_RANK", "PMI_SIZE"},
                 {"PMIX_RANK", "SLURM_STEP_NUM_TASKS"},
                 {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};

static bool number_of(const char *name, int *out) {
  const char *text = getenv(name);
  char *end = NULL;
  const long n = text && *text ? strtol(text, &end, 10) : -1;
  if (n < 0 || n > INT_MAX || !end || *end) return false;
  *out = (int)n;
  return true;
}

/* NULL: this process is alone. */
static const struct launcher *find_launcher(int *rank, int *size) {
  const char *named = getenv("RIA_MPI");
  const bool alone = named && strcmp(named, "none") == 0;
  for (size_t k = 0; !alone && k < sizeof launchers / sizeof *launchers; k++) {
    const bool sized = number_of(launchers[k].size, size);
    if (!sized) *size = 0;
    if (!number_of(launchers[k].rank, rank)) continue;
    if (!sized && strncmp(launchers[k].rank, "SLURM", 5) == 0) continue;
    if (*size == 1) break;
    return &launchers[k];
  }
  *rank = 0;
  *size = 1;
  return NULL;
}

const char *ria_launcher_rank(int *rank, int *size) {
  const struct launcher *l = find_launcher(rank, size);
  return l ? l->rank : NULL;
}

bool ria_comm_launched(int *rank, int *size) { return find_launcher(rank, size) != NULL; }

static bool names(const char *entry, const char *variable) {
  const size_t n = strlen(variable);
  return strncmp(entry, variable, n) == 0 && entry[n] == '=';
}

/* A launcher gives a rank to what it starts, and has none of that sort itself. It may have one of
 * another: in a Slurm job mpirun has the SLURM_PROCID of the batch script. */
static bool parent_has(const char *variable) {
  char path[64], *entry = NULL;
  size_t room = 0;
  bool has = false;
  ria_format(path, sizeof path, "/proc/%ld/environ", (long)getppid());
  FILE *f = fopen(path, "r");
  if (!f) return false;
  while (!has && getdelim(&entry, &room, '\0', f) > 0) has = names(entry, variable);
  free(entry);
  fclose(f);
  return has;
}

/* A shell may have become this program (exec; bash does so with the last command of bash -c): then
 * the launcher is the parent. The process still counts the children that the shell waited for, and
 * bash leaves the name of the program in `_`. */
static bool was_a_shell(void) {
  struct rusage children;
  struct stat named, self;
  const char *name = getenv("_");
  if (getrusage(RUSAGE_CHILDREN, &children) == 0 && children.ru_minflt > 0) return true;
  return name && stat(name, &named) == 0 && stat("/proc/self/exe", &self) == 0 &&
         named.st_dev == self.st_dev && named.st_ino == self.st_ino;
}

bool ria_comm_within_rank(void) {
  int rank, size;
  const struct launcher *own = find_launcher(&rank, &size);
  return own && (parent_has(own->rank) || was_a_shell());
}
