/* targets.h - every fuzzer of targets.def, by name. */
#ifndef RIA_FUZZ_TARGETS_H
#define RIA_FUZZ_TARGETS_H
#include <stdint.h>
#include <string.h>

typedef int target_fn(const uint8_t *data, size_t n);

#define TARGET(name) target_fn fuzz_##name;
#include "targets.def"
#undef TARGET

static const struct {
  const char *name;
  target_fn *fn;
} targets[] = {
#define TARGET(name) {#name, fuzz_##name},
#include "targets.def"
#undef TARGET
};

static target_fn *find(const char *name) {
  for (size_t k = 0; k < sizeof targets / sizeof *targets; k++)
    if (strcmp(targets[k].name, name) == 0) return targets[k].fn;
  return NULL;
}
#endif
