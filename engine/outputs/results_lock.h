/* outputs/results_lock.h - what results_dir.c and results_lock.c share. Private to them. */
#ifndef RIA_OUTPUTS_RESULTS_LOCK_H
#define RIA_OUTPUTS_RESULTS_LOCK_H
#include "outputs/results_dir.h"
#include <sys/stat.h>

#define LOCK_NAME ".ria-lock"

struct ria_results {
  ria_context *ctx;
  ria_results *next; /* of the context's */
  bool hold;         /* of no simulation: those of the context have the directory before it */
  bool ended;        /* its simulation is gone: only what it wrote is remembered */
  dev_t dev;         /* the directory's place */
  ino_t ino;
  char *out;
  int dir, lock;
  off_t before;     /* bytes of the journal when it was locked */
  bool unlocked;    /* its file system has no locks */
  bool held;        /* the journal is this run's */
  bool had_earlier; /* there is something to clear */
  ria_results_list earlier;
  char *continued; /* of the run.json that was there: what the array of that name holds */
  uint64_t told;   /* run.json as it was written last: its text's hash, and bytes */
  size_t n_told;
  int reserve; /* -1 = none */
  char *reserve_name;
};

ria_status ria_results_fail(const ria_results *r, int code, const char *what, const char *name);
ria_status ria_results_foreign(const ria_results *r, const char *name);
/* All of a file of the directory, NUL-terminated and malloc'ed; a zero byte, as a power cut leaves
 * them, reads as the end of a line. */
ria_status ria_results_slurp(const ria_results *r, int fd, const char *name, char **text,
                             size_t *n);

/* The lock, or nothing of it. */
ria_status ria_results_take_lock(ria_results *r);
/* A new journal in the place of the one that is locked: nobody comes in between. */
ria_status ria_results_new_journal(ria_results *r);
/* A journal of a dead run that was not taken over stays as it was. */
void ria_results_drop_lock(ria_results *r, bool closed);

/* --- results_holder.c */
enum { RIA_HOST_MAX = 65, RIA_HOLDER_LINE = 160 };

/* A process that has, or had, the directory. */
typedef struct ria_holder {
  long pid;
  char host[RIA_HOST_MAX];
  unsigned long long begun; /* tells it from others of its number; 0: not known */
} ria_holder;

/* The line of this process; word: "ria", "left". */
void ria_results_line(const char *word, char line[RIA_HOLDER_LINE]);
/* It into the journal, as its first line or not. */
ria_status ria_results_sign(ria_results *r, bool fresh);
/* It has let go, and lives on. */
void ria_results_sign_off(ria_results *r);
/* Who came last; false: nobody. */
bool ria_results_last(const ria_results *r, ria_holder *last);
/* The first that lives on this machine and has not let go; false: none does. */
bool ria_results_first(const ria_results *r, ria_holder *first);

#endif
