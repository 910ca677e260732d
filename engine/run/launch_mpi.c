/* run/launch_mpi.c - by what the processes of a launcher are joined.
 *
 * libria links no MPI: its binary interfaces differ from one to the next. libria_mpi.so, which
 * does, is loaded when a launcher has left its marks in the environment. */
#include "base/context.h"
#include "base/text.h"
#include "run/launch.h"
#include <ria/comm.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PLUGIN "libria_mpi.so"

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
  if (dladdr((const void *)(uintptr_t)&ria_comm_open, &info) && info.dli_fname &&
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

static void *open_plugin(char *why, size_t size) {
  const char *named = getenv("RIA_MPI");
  return named && *named ? load(named, why, size) : find_plugin(why, size);
}

bool ria_comm_plugin(char *text, size_t size) {
  enum { LONG = 8192 }; /* as no MPI's is longer */
  char why[512] = "", name[LONG + 1] = "";
  int (*version)(char *name, int *length), n = 0;
  const char *named = getenv("RIA_MPI");
  if (named && strcmp(named, "none") == 0) {
    ria_format(text, size, "RIA_MPI is none");
    return false;
  }
  void *lib = open_plugin(why, sizeof why), *symbol = lib ? dlsym(lib, "ria_mpi_open") : NULL;
  Dl_info info;
  if (!symbol || !dladdr(symbol, &info)) {
    const bool missing = strncmp(why, PLUGIN ":", strlen(PLUGIN ":")) == 0;
    ria_format(text, size, "%s%s", lib ? "it has no ria_mpi_open" : why,
               missing ? "; build ria where mpicc is found (Debian: libopenmpi-dev openmpi-bin)"
                       : "");
    return false;
  }
  symbol = dlsym(lib, "MPI_Get_library_version"); /* may be called before MPI begins */
  memcpy(&version, &symbol, sizeof version);
  if (symbol && version(name, &n) == 0) name[strcspn(name, ",\n")] = '\0';
  char *path = realpath(info.dli_fname, NULL);
  ria_format(text, size, "%s%s%s", name, *name ? ", by " : "", path ? path : info.dli_fname);
  free(path);
  return true;
}

/* --- MPI begins once ---------------------------------------------------------------------------
 * A shell script that a rank runs may have two programs that begin MPI, one after the other. The
 * second is ended by MPI, with words that help nobody. So the first leaves a mark in the folder
 * that the launcher keeps for the job, and removes with it. Where there is no such folder MPI
 * speaks. */

static bool find_mark(int rank, char *path, size_t size) {
  const char *folder = getenv("PMIX_SERVER_TMPDIR"), *of = getenv("PMIX_NAMESPACE");
  if (!folder || !*folder || !of || !*of || strchr(of, '/')) return false;
  ria_format(path, size, "%s/ria-%s-%d", folder, of, rank);
  return true;
}

static ria_status check_first(int rank, char *error, size_t size) {
  char path[PATH_MAX];
  long pid = 0;
  FILE *f = find_mark(rank, path, sizeof path) ? fopen(path, "re") : NULL;
  const bool other = f && fscanf(f, "%ld", &pid) == 1 && pid != (long)getpid();
  if (f) fclose(f);
  if (!other) return RIA_OK;
  ria_format(error, size,
             "MPI has been begun by an earlier program of this rank (process %ld), and begins once "
             "in what a launcher started: give each run an mpirun of its own (mpirun -n 2 ria run "
             "a.lua; mpirun -n 2 ria run b.lua), or make both simulations in one script",
             pid);
  return RIA_ERR_DEVICE;
}

static void leave_mark(int rank) {
  char path[PATH_MAX];
  if (!find_mark(rank, path, sizeof path)) return;
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return;
  dprintf(fd, "%ld\n", (long)getpid());
  close(fd);
}

/* --- joining ---------------------------------------------------------------------------------- */

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
  RIA_TRY(check_first(rank, error, error_size));
  void *lib = open_plugin(why, sizeof why);
  if (!lib) return fail_load(why, error, error_size);
  void *symbol = dlsym(lib, "ria_mpi_open");
  open_fn open;
  if (!symbol) return fail_load("it has no ria_mpi_open", error, error_size);
  memcpy(&open, &symbol, sizeof open);
  if (open(out, error, error_size) != 0) return RIA_ERR_DEVICE;
  leave_mark(rank);
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
