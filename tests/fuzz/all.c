/* all.c - every fuzzer in one program, to be carried to another machine: the name that it is
 * called by says which one it is (fuzz.csv, a link to fuzz.all). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int target_fn(const uint8_t *data, size_t n);

#define TARGET(name) target_fn fuzz_##name;
#include "targets.def"
#undef TARGET

static const struct {
  const char *name;
  target_fn *fn;
} targets[] = {
#define TARGET(name) {"fuzz." #name, fuzz_##name},
#include "targets.def"
#undef TARGET
};
static target_fn *target;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const char *slash = strrchr((*argv)[0], '/'), *name = slash ? slash + 1 : (*argv)[0];
  for (size_t k = 0; *argc > 0 && k < sizeof targets / sizeof *targets; k++)
    if (strcmp(targets[k].name, name) == 0) target = targets[k].fn;
  if (target) return 0;
  fprintf(stderr, "%s: no fuzzer of this name: call it by a link, fuzz.csv\n", name);
  exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) { return target(data, n); }
