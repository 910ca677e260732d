/* io/ffmpeg.c - the program ffmpeg, where it is found.
 *
 * What it writes to standard error goes to a file without a name and is read when it has ended: by
 * a pipe it could wait for us while we wait for it. */
#include "io/ffmpeg.h"
#include "base/context.h"
#include "base/text.h"
#include "io/access.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

struct ria_ffmpeg {
  pid_t pid;
  int fd;        /* its standard input */
  FILE *said;    /* its standard output and error */
  size_t bytes;  /* of a picture */
  bool masked;   /* SIGPIPE is held back, as */
  sigset_t mask; /* it was before */
};

bool ria_ffmpeg_find(ria_context *ctx, char *path, size_t size) {
  const char *at = getenv("PATH");
  struct stat st;
  if (ria_is_limited(ctx)) return false;
  for (; at && *at; at += *at == ':') {
    const size_t n = strcspn(at, ":");
    const int length = snprintf(path, size, "%.*s%sffmpeg", (int)n, at, n ? "/" : "./");
    at += n;
    if (length > 0 && (size_t)length < size && stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
        access(path, X_OK) == 0)
      return true;
  }
  return false;
}

/* --- its pipe --------------------------------------------------------------------------------- */

static void hold_sigpipe(ria_ffmpeg *f) {
  sigset_t pipe;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  f->masked = pthread_sigmask(SIG_BLOCK, &pipe, &f->mask) == 0;
}

static void let_sigpipe(const ria_ffmpeg *f) {
  sigset_t pipe;
  const struct timespec now = {0};
  if (!f->masked) return;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  if (!sigismember(&f->mask, SIGPIPE))
    while (sigtimedwait(&pipe, NULL, &now) < 0 && errno == EINTR) continue;
  (void)pthread_sigmask(SIG_SETMASK, &f->mask, NULL);
}

/* --- starting --------------------------------------------------------------------------------- */

enum { ARGUMENTS = 40, NUMBER = 64 };

typedef struct arguments {
  char *arg[ARGUMENTS];
  int n;
  char size[NUMBER], rate[NUMBER], out[4096];
} arguments;

static void add(arguments *a, const char *const *list) {
  for (; *list; list++) a->arg[a->n++] = (char *)(uintptr_t)*list; /* it only reads them */
  a->arg[a->n] = NULL;
}

static bool list_arguments(arguments *a, const char *program, const char *out, bool webm, int width,
                           int height, double fps) {
  a->n = 0;
  snprintf(a->size, sizeof a->size, "%dx%d", width, height);
  ria_format(a->rate, sizeof a->rate, "%.6g", fps);
  /* so that no name is taken for an option or for a protocol */
  const int n = snprintf(a->out, sizeof a->out, "file:%s", out);
  add(a, (const char *const[]){program,
                               "-y",
                               "-hide_banner",
                               "-loglevel",
                               "error",
                               "-f",
                               "rawvideo",
                               "-pixel_format",
                               "rgb24",
                               "-video_size",
                               a->size,
                               "-framerate",
                               a->rate,
                               "-i",
                               "pipe:0",
                               "-an",
                               "-vf",
                               "scale=out_color_matrix=bt709:out_range=tv",
                               "-pix_fmt",
                               "yuv420p",
                               "-colorspace",
                               "bt709",
                               NULL});
  if (webm)
    add(a, (const char *const[]){"-c:v", "libvpx-vp9", "-crf", "30", "-b:v", "0", "-f", "webm",
                                 a->out, NULL});
  else
    add(a, (const char *const[]){"-c:v", "libx264", "-crf", "18", "-movflags", "+faststart", "-f",
                                 "mp4", a->out, NULL});
  return n > 0 && (size_t)n < sizeof a->out;
}

/* Its standard input is `in`; 0, or errno. */
static int spawn(ria_ffmpeg *f, const arguments *a, int in) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t how;
  int code = posix_spawn_file_actions_init(&files);
  if (code) return code;
  code = posix_spawnattr_init(&how);
  if (code) {
    posix_spawn_file_actions_destroy(&files);
    return code;
  }
  posix_spawn_file_actions_adddup2(&files, in, 0);
  posix_spawn_file_actions_adddup2(&files, fileno(f->said), 1);
  posix_spawn_file_actions_adddup2(&files, fileno(f->said), 2);
  if (f->masked) {
    posix_spawnattr_setsigmask(&how, &f->mask);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK);
  }
  code = posix_spawn(&f->pid, a->arg[0], &files, &how, a->arg, environ);
  posix_spawnattr_destroy(&how);
  posix_spawn_file_actions_destroy(&files);
  return code;
}

/* 0, or errno; then there is nothing to end. */
static int start(ria_ffmpeg *f, const arguments *a) {
  int ends[2];
  f->said = tmpfile();
  if (!f->said) return errno;
  (void)fcntl(fileno(f->said), F_SETFD, FD_CLOEXEC);
  if (pipe2(ends, O_CLOEXEC) != 0) {
    const int code = errno;
    fclose(f->said);
    return code;
  }
  hold_sigpipe(f);
  const int code = spawn(f, a, ends[0]);
  close(ends[0]);
  f->fd = ends[1];
  if (!code) return 0;
  close(f->fd);
  fclose(f->said);
  let_sigpipe(f);
  return code;
}

ria_status ria_ffmpeg_start(ria_context *ctx, const char *program, const char *out, bool webm,
                            int width, int height, double fps, ria_ffmpeg **f) {
  char err[RIA_ERR_TEXT];
  arguments *a = calloc(1, sizeof *a);
  *f = calloc(1, sizeof **f);
  ria_status s = a && *f ? RIA_OK : ria_fail_memory(ctx, "a film", sizeof *a + sizeof **f);
  if (s == RIA_OK && !list_arguments(a, program, out, webm, width, height, fps))
    s = ria_fail(ctx, RIA_ERR_OUTPUT, "the name of the film is too long");
  const int code = s == RIA_OK ? start(*f, a) : 0;
  if (code) {
    ria_error_errno(code, err, sizeof err, "cannot start", program);
    s = ria_fail(ctx, RIA_ERR_OUTPUT, "%s", err);
  }
  free(a);
  if (s == RIA_OK) {
    (*f)->bytes = 3 * (size_t)width * (size_t)height;
    return RIA_OK;
  }
  free(*f);
  *f = NULL;
  return s;
}

/* --- pictures --------------------------------------------------------------------------------- */

ria_status ria_ffmpeg_add(ria_context *ctx, ria_ffmpeg *f, const uint8_t *rgb) {
  char err[RIA_ERR_TEXT];
  const int code = ria_fd_write(f->fd, rgb, f->bytes);
  if (!code) return RIA_OK;
  if (code == EPIPE) return ria_fail(ctx, RIA_ERR_OUTPUT, "ffmpeg takes no more pictures");
  ria_error_errno(code, err, sizeof err, "cannot write to", "ffmpeg");
  return ria_fail(ctx, RIA_ERR_OUTPUT, "%s", err);
}

/* The last of what it said, lines joined. */
static void read_said(FILE *said, char *text, size_t size) {
  long end = fseek(said, 0, SEEK_END) == 0 ? ftell(said) : 0;
  const long most = (long)size - 1;
  (void)fseek(said, end > most ? end - most : 0, SEEK_SET);
  size_t n = fread(text, 1, size - 1, said);
  while (n && (unsigned char)text[n - 1] <= ' ') n--;
  text[n] = '\0';
  for (char *c = text; *c; c++)
    if ((unsigned char)*c < ' ' || *c == 127) *c = *c == '\n' ? ';' : ' ';
}

ria_status ria_ffmpeg_end(ria_context *ctx, ria_ffmpeg **f, bool whole) {
  char said[400], how[64];
  int status = 0;
  ria_ffmpeg *g = *f;
  close(g->fd);
  if (!whole) kill(g->pid, SIGTERM);
  while (waitpid(g->pid, &status, 0) < 0 && errno == EINTR) continue;
  read_said(g->said, said, sizeof said);
  fclose(g->said);
  let_sigpipe(g);
  free(g);
  *f = NULL;
  if (!whole || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) return RIA_OK;
  if (WIFSIGNALED(status))
    snprintf(how, sizeof how, "signal %d ended it", WTERMSIG(status));
  else
    snprintf(how, sizeof how, "exit code %d", WEXITSTATUS(status));
  return ria_fail(ctx, RIA_ERR_OUTPUT, "ffmpeg made no film (%s)%s%s", how, *said ? ": " : "",
                  said);
}
