/* all.c - every fuzzer in one program, to be carried to another machine: the name that it is
 * called by says which one it is (fuzz.csv, a link to fuzz.all). */
#include "targets.h"
#include <stdio.h>
#include <stdlib.h>

static target_fn *target;

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  const char *name = *argc > 0 ? strstr((*argv)[0], "fuzz.") : NULL;
  for (const char *next = name; next; next = strstr(next + 1, "fuzz.")) name = next;
  if (name) target = find(name + strlen("fuzz."));
  if (target) return 0;
  fprintf(stderr, "%s: no fuzzer of this name: call it by a link, fuzz.csv\n", (*argv)[0]);
  exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) { return target(data, n); }
