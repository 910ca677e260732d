/* mutant.c - RIA_MUTANT=K turns change K on. RIA_MUTANT=-1 with RIA_MUTANT_LOG=FILE adds to the
 * file, at the end of the process, the number of each change whose function was called. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

unsigned char ria_mutants[RIA_MUTANTS];
static unsigned char called[RIA_MUTANTS];

int ria_mutant_is_on(int k) {
  if (ria_mutants[k] == 1) return 1;
  called[k] = 1;
  return 0;
}

static __attribute__((constructor)) void begin(void) {
  const char *text = getenv("RIA_MUTANT");
  const int k = text ? atoi(text) : 0;
  if (k > 0 && k < RIA_MUTANTS) ria_mutants[k] = 1;
  for (int i = 0; k < 0 && i < RIA_MUTANTS; i++) ria_mutants[i] = 2;
}

static __attribute__((destructor)) void end(void) {
  const char *path = getenv("RIA_MUTANT_LOG");
  const int file = path ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
  char text[8 * RIA_MUTANTS];
  int n = 0;
  if (file < 0) return;
  for (int i = 0; i < RIA_MUTANTS; i++)
    if (called[i]) n += sprintf(text + n, "%d\n", i);
  if (write(file, text, (size_t)n) < 0) perror(path);
  close(file);
}
