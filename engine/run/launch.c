/* run/launch.c - was this process started as one of several, and by what they are joined then.
 *
 * libria links no MPI: its binary interfaces differ from one to the next. libria_mpi.so, which
 * does, is loaded when a launcher has left its marks in the environment. */
#include "base/context.h"
#include "base/text.h"
#include <ria/comm.h>

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLUGIN "libria_mpi.so"

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

bool ria_comm_launched(int *rank, int *size) {
  for (size_t k = 0; k < sizeof launchers / sizeof *launchers; k++) {
    const bool sized = number_of(launchers[k].size, size);
    if (!sized) *size = 0;
    if (!number_of(launchers[k].rank, rank)) continue;
    if (!sized && strncmp(launchers[k].rank, "SLURM", 5) == 0) continue;
    return *size != 1;
  }
  *rank = 0;
  *size = 1;
  return false;
}

/* --- the plug-in ------------------------------------------------------------------------------ */

typedef int (*open_fn)(ria_comm **out, char *error, size_t size);

static void *load(const char *path, char *error, size_t size) {
  /* global: parts of some MPIs that are loaded later find the rest so */
  void *lib = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  const char *why = lib ? NULL : dlerror();
  if (!lib) ria_format(error, size, "%s", why ? why : "no reason was given");
  return lib;
}

/* Beside the file that this code is in, and in lib beside its folder. */
static void *load_near(char *error, size_t size) {
  static const char *const where[] = {"", "../lib/", "../lib64/"};
  char own[PATH_MAX], path[PATH_MAX + 64];
  Dl_info info;
  const ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
  for (int exe = 0; exe < 2; exe++) {
    if (exe && n <= 0) break;
    if (exe)
      own[n] = '\0';
    else if (dladdr((const void *)(uintptr_t)&ria_comm_launched, &info) && info.dli_fname)
      ria_format(own, sizeof own, "%s", info.dli_fname);
    else
      continue;
    char *slash = strrchr(own, '/');
    if (!slash) continue;
    slash[1] = '\0';
    for (size_t k = 0; k < sizeof where / sizeof *where; k++) {
      ria_format(path, sizeof path, "%s%s" PLUGIN, own, where[k]);
      if (access(path, R_OK) == 0) return load(path, error, size);
    }
  }
  return load(PLUGIN, error, size);
}

static ria_status fail_load(const char *why, char *error, size_t size) {
  ria_format(error, size,
             "this process was started as one of several, but " PLUGIN
             ", which joins them, cannot be loaded (%s): build ria where mpicc is found, or name "
             "the file in RIA_MPI; or start one process alone",
             why);
  return RIA_ERR_DEVICE;
}

ria_status ria_comm_open(ria_comm **out, char *error, size_t error_size) {
  int rank, size;
  char why[512] = "";
  *out = NULL;
  if (!ria_comm_launched(&rank, &size)) return RIA_OK;
  const char *named = getenv("RIA_MPI");
  void *lib = named && *named ? load(named, why, sizeof why) : load_near(why, sizeof why);
  if (!lib) return fail_load(why, error, error_size);
  void *symbol = dlsym(lib, "ria_mpi_open");
  open_fn open;
  if (!symbol) return fail_load("it has no ria_mpi_open", error, error_size);
  memcpy(&open, &symbol, sizeof open);
  if (open(out, error, error_size) != 0) return RIA_ERR_DEVICE;
  if (size == 0 || (*out)->size == size) return RIA_OK;
  ria_format(error, error_size,
             "the launcher started %d processes, but MPI knows of %d: was ria's " PLUGIN
             " built with the launcher's MPI? (Slurm: srun --mpi=list, then srun --mpi=pmix)",
             size, (*out)->size);
  (*out)->destroy(*out);
  *out = NULL;
  return RIA_ERR_DEVICE;
}
