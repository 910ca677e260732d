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
#include <sys/resource.h>
#include <sys/stat.h>
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

/* --- the plug-in ------------------------------------------------------------------------------ */

typedef int (*open_fn)(ria_comm **out, char *error, size_t size);

static void *load(const char *path, char *error, size_t size) {
  /* global: parts of some MPIs that are loaded later find the rest so */
  void *lib = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  const char *why = lib ? NULL : dlerror();
  if (lib) return lib;
  if (!why) why = "no reason was given";
  /* dlerror begins with the file that fails: another one is a library that this one needs */
  const bool itself = strncmp(why, path, strlen(path)) == 0;
  ria_format(error, size, "%s%s", why,
             itself ? ""
                    : "; `module load` the MPI that it was built with, or add its folder to "
                      "LD_LIBRARY_PATH");
  return NULL;
}

/* The file of the library that this code is in, or of the program, as it has a folder; or "". */
static void find_library(char *path, size_t size) {
  Dl_info info;
  if (dladdr((const void *)(uintptr_t)&ria_comm_launched, &info) && info.dli_fname &&
      strchr(info.dli_fname, '/'))
    ria_format(path, size, "%s", info.dli_fname);
}
static void find_program(char *path, size_t size) {
  const ssize_t n = readlink("/proc/self/exe", path, size - 1);
  path[n > 0 ? n : 0] = '\0';
}

/* The plug-in in the folder of a file, or in lib beside that; NULL: not there. */
static void *load_near(const char *file, char *error, size_t size) {
  static const char *const where[] = {"", "../lib/", "../lib64/"};
  const char *slash = strrchr(file, '/');
  char path[PATH_MAX + 64];
  for (size_t k = 0; slash && k < sizeof where / sizeof *where; k++) {
    ria_format(path, sizeof path, "%.*s%s" PLUGIN, (int)(slash + 1 - file), file, where[k]);
    if (access(path, R_OK) == 0) return load(path, error, size);
  }
  return NULL;
}

/* Beside the library, beside the program, where the system looks. */
static void *find_plugin(char *error, size_t size) {
  char file[2][PATH_MAX] = {"", ""};
  find_library(file[0], sizeof file[0]);
  find_program(file[1], sizeof file[1]);
  for (int k = 0; k < 2; k++) {
    void *lib = load_near(file[k], error, size);
    if (lib || *error) return lib;
  }
  return load(PLUGIN, error, size);
}

static ria_status fail_load(const char *why, char *error, size_t size) {
  ria_format(error, size,
             "this process was started as one of several, but " PLUGIN
             ", which joins them, cannot be loaded (%s): build ria where mpicc is found, or name "
             "the file in RIA_MPI; where each process is to run by itself, RIA_MPI=none",
             why);
  return RIA_ERR_DEVICE;
}

ria_status ria_comm_open(ria_comm **out, char *error, size_t error_size) {
  int rank, size;
  char why[512] = "";
  *out = NULL;
  if (!ria_comm_launched(&rank, &size)) return RIA_OK;
  const char *named = getenv("RIA_MPI");
  void *lib = named && *named ? load(named, why, sizeof why) : find_plugin(why, sizeof why);
  if (!lib) return fail_load(why, error, error_size);
  void *symbol = dlsym(lib, "ria_mpi_open");
  open_fn open;
  if (!symbol) return fail_load("it has no ria_mpi_open", error, error_size);
  memcpy(&open, &symbol, sizeof open);
  if (open(out, error, error_size) != 0) return RIA_ERR_DEVICE;
  if (size == 0 || (*out)->size == size) return RIA_OK;
  ria_format(
      error, error_size,
      "the launcher started %d processes, but MPI knows of %d: was ria's " PLUGIN
      " built with the launcher's MPI? (Slurm: srun --mpi=list, then srun --mpi=pmix); where "
      "each process is to run by itself, RIA_MPI=none",
      size, (*out)->size);
  (*out)->destroy(*out);
  *out = NULL;
  return RIA_ERR_DEVICE;
}
