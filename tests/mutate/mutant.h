/* mutant.h - which change of this build is on: included before every file of the copy that
 * mutate.py builds. A changed function asks at its start. */
#ifndef RIA_MUTANT_H
#define RIA_MUTANT_H
#ifdef __cplusplus
extern "C" {
#endif
enum { RIA_MUTANTS = 1024 };
/* 0: off, 1: this one is on, 2: where it could be on is to be told. */
extern __attribute__((visibility("default"))) unsigned char ria_mutants[RIA_MUTANTS];
__attribute__((visibility("default"))) int ria_mutant_is_on(int k);
#ifdef __cplusplus
}
#endif
#define RIA_MUTANT(k) (__builtin_expect(ria_mutants[k], 0) && ria_mutant_is_on(k))
#endif
