/* Results directories on file systems without locks: whoever signed the journal first and lives has
 * the directory. Locks fail here, or are granted to everybody, as the linker puts what is below in
 * front of flock (see tests/CMakeLists.txt). What locks do: results_lock.c. */
#include "files.h"
#include "toy.h"
#include <errno.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int __real_flock(int fd, int how);
int __wrap_flock(int fd, int how);

enum { GRANTED = -1 };
static int answer; /* of flock: 0, the real one; GRANTED; else it fails with this code */

int __wrap_flock(int fd, int how) {
  if (!answer) return __real_flock(fd, how);
  if (answer == GRANTED) return 0;
  errno = answer;
  return -1;
}

static ria_context *ctx;
static char said[4096]; /* what the log got */

static void hear(void *user, const char *line) {
  (void)user;
  snprintf(said + strlen(said), sizeof said - strlen(said), "%s\n", line);
}

static ria_context *context(void) {
  ria_context *c = NULL;
  CHECK_OK(NULL,
           ria_context_create(&(ria_context_desc){.device = "cpu", .threads = 1, .log = hear}, &c));
  return c;
}

static ria_sim *sim_in(ria_context *c, const char *name, bool overwrite) {
  ria_sim *sim = NULL;
  const ria_sim_desc desc = {
      .grid = {6, 4, 10.0, 10.0, 0.0, 0.0, 0}, .out = files_path(name), .overwrite = overwrite};
  if (!CHECK_OK(c, ria_sim_create_with(c, &toy_solver, &desc, &sim))) exit(1);
  CHECK_OK(c, ria_sim_set_constant(sim, "bed", -1));
  return sim;
}

static const char *journal(const char *name) {
  static char text[2048];
  char path[64];
  snprintf(path, sizeof path, "%s/.ria-lock", name);
  FILE *f = fopen(files_path(path), "r");
  const size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
  text[n] = '\0';
  if (f) fclose(f);
  return text;
}

/* Another process that has the directory from now on: hold[1] is closed to end it. */
static pid_t holder(const char *name, int hold[2]) {
  int ready[2];
  char byte = 0;
  CHECK(pipe(hold) == 0 && pipe(ready) == 0);
  const pid_t pid = fork();
  if (pid == 0) {
    ria_context *c = context();
    ria_sim *sim = sim_in(c, name, false);
    close(hold[1]);
    const ria_status s = ria_sim_start(sim);
    if (write(ready[1], "r", 1) == 1) (void)!read(hold[0], &byte, 1);
    _exit(s == RIA_OK ? 0 : 1); /* as one that was killed */
  }
  close(hold[0]);
  CHECK(read(ready[0], &byte, 1) == 1);
  close(ready[0]);
  close(ready[1]);
  return pid;
}

/* The second is refused while the first lives, by its number, and signs off; then it has the
 * directory, may use it again and leaves nothing of the journal behind. */
static void taken(int code, const char *name) {
  int hold[2], status = 1;
  char expected[80];
  answer = code;
  said[0] = '\0';
  const pid_t pid = holder(name, hold);
  snprintf(expected, sizeof expected, "is in use by another run (process %ld on ", (long)pid);
  ria_sim *sim = sim_in(ctx, name, true);
  CHECK_STATUS(ctx, ria_sim_start(sim), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), expected);
  ria_sim_destroy(&sim);
  snprintf(expected, sizeof expected, "left %ld ", (long)getpid());
  CHECK_HOLDS(journal(name), expected);
  close(hold[1]);
  CHECK(waitpid(pid, &status, 0) == pid && status == 0);
  CHECK_TEXT(said, "");
  sim = sim_in(ctx, name, true);
  CHECK_OK(ctx, ria_sim_run(sim, 2));
  CHECK_HOLDS(said,
              "lies on a file system without locks: nothing keeps runs of other machines out");
  ria_sim_destroy(&sim);
  sim = sim_in(ctx, name, true);
  CHECK_OK(ctx, ria_sim_run(sim, 1));
  ria_sim_destroy(&sim);
  CHECK_TEXT(journal(name), "");
  answer = 0;
}

/* Of those that signed: who is dead, on another machine, has left, or is another process of the
 * same number. */
static void nobody(void) {
  char host[65] = "", text[400];
  CHECK(gethostname(host, sizeof host - 1) == 0);
  answer = ENOLCK;
  CHECK(mkdir(files_path("nobody"), 0777) == 0);
  snprintf(text, sizeof text,
           "ria 1 elsewhere 5\nria 1 %s 1234567890123\nria 4194303 %s 0\nria 1 %s 0\nleft 1 %s 0\n"
           "ria nonsense\nria",
           host, host, host, host);
  files_put("nobody/.ria-lock", text);
  ria_sim *sim = sim_in(ctx, "nobody", false);
  CHECK_OK(ctx, ria_sim_run(sim, 1));
  ria_sim_destroy(&sim);
  CHECK(mkdir(files_path("somebody"), 0777) == 0);
  snprintf(text, sizeof text, "ria 1 %s 0\nleft 1 elsewhere 0\nleft 2 %s 0\n", host, host);
  files_put("somebody/.ria-lock", text);
  sim = sim_in(ctx, "somebody", false);
  CHECK_STATUS(ctx, ria_sim_start(sim), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "is in use by another run (process 1 on ");
  ria_sim_destroy(&sim);
  answer = 0;
}

static void fails(void) {
  answer = EIO;
  ria_sim *sim = sim_in(ctx, "fails", false);
  CHECK_STATUS(ctx, ria_sim_start(sim), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "cannot lock '");
  CHECK_HOLDS(ria_error(ctx), strerror(EIO));
  ria_sim_destroy(&sim);
  answer = EWOULDBLOCK; /* and nobody has signed */
  sim = sim_in(ctx, "fails", false);
  CHECK_STATUS(ctx, ria_sim_start(sim), RIA_ERR_OUTPUT);
  CHECK_HOLDS(ria_error(ctx), "is in use by another run: wait for its end, or choose another dir");
  ria_sim_destroy(&sim);
  answer = 0;
}

int main(void) {
  files_begin();
  ctx = context();
  taken(ENOLCK, "none");
  taken(ENOSYS, "unknown");
  taken(EOPNOTSUPP, "unsupported");
  taken(EINVAL, "invalid");
  taken(GRANTED, "granted");
  nobody();
  fails();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
