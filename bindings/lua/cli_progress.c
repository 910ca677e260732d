/* cli_progress.c - how a run is going, on stderr: one line that is redrawn on a terminal, a plain
 * line a minute otherwise; and where its first frame is, as soon as it can be looked at. */
#include "cli.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

void cli_wipe_progress(cli_progress *p) {
  if (p->shown) fputs("\r\033[K", stderr);
  p->shown = false;
}

/* How many seconds of water a second of computing is worth. */
static double speedup(const ria_progress_info *info) {
  return info->wall > 0.0 ? info->t / info->wall : 0.0;
}

static void describe(const ria_progress_info *info, char *line, size_t size) {
  char now[48], end[48] = "", left[48] = "";
  ria_format_duration(floor(info->t), now, sizeof now);
  int n = snprintf(line, size, "t = %s", now);
  if (isfinite(info->t_end) && info->t_end > 0.0) {
    ria_format_duration(info->t_end, end, sizeof end);
    n += snprintf(line + n, size - (size_t)n, " of %s (%.0f %%)", end,
                  100.0 * info->t / info->t_end);
  }
  n += snprintf(line + n, size - (size_t)n, ", %.0f x real time, %.1f Mcell/s, dt %.3g s",
                speedup(info), info->rate / 1e6, info->dt);
  if (isfinite(info->eta) && info->eta > 0.0) {
    ria_format_duration(ceil(info->eta), left, sizeof left);
    n += snprintf(line + n, size - (size_t)n, ", %s left", left);
  }
  snprintf(line + n, size - (size_t)n, ", mass error %.1e", info->mass_error);
}

/* Columns that fit on the terminal without wrapping. */
static int columns(void) {
  struct winsize size;
  bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20;
  return known ? size.ws_col - 1 : 79;
}

void cli_show_first_frame(const char *path, void *user) {
  cli_progress *p = user;
  cli_wipe_progress(p);
  fprintf(stderr, "first frame: %s\n", path);
}

/* Where lines add up, one a minute will do. */
static bool line_due(cli_progress *p) {
  const double minute = 60.0;
  struct timespec clock;
  clock_gettime(CLOCK_MONOTONIC, &clock);
  const double now = (double)clock.tv_sec + 1e-9 * (double)clock.tv_nsec;
  if (p->told == 0.0) p->told = now;
  if (now - p->told < minute) return false;
  p->told = now;
  return true;
}

ria_status cli_show_progress(ria_sim *sim, const ria_progress_info *info, void *user) {
  cli_progress *p = user;
  char line[256];
  (void)sim;
  if (p->options->tty || line_due(p)) {
    describe(info, line, sizeof line);
    if (p->options->tty)
      fprintf(stderr, "\r\033[K%.*s", columns(), line);
    else
      fprintf(stderr, "%s\n", line);
    p->shown = p->options->tty;
  }
  fflush(stderr);
  return RIA_OK;
}
