/* cli_video.c - ria video: a film of the frames of a run. */
#include "cli.h"
#include <ria/film.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool take_fps(const cli_options *o, ria_film_desc *d) {
  char *end;
  if (!o->fps) return true;
  d->fps = strtod(o->fps, &end);
  if (end != o->fps && !*end && d->fps >= 0.1 && d->fps <= 120.0) return true;
  cli_complain(o, "--fps %s: expected frames a second, 0.1 .. 120", o->fps);
  return false;
}

static void tell(const cli_options *o, const ria_film_info *i) {
  if (o->json) {
    cli_json j = {.to = stdout, .first = true};
    json_open(&j, NULL, '{');
    json_text(&j, "film", i->path);
    json_number(&j, "frames", (double)i->frames);
    json_number(&j, "width", i->width);
    json_number(&j, "height", i->height);
    json_number(&j, "seconds", i->seconds);
    json_text(&j, "by", i->by_ffmpeg ? "ffmpeg" : "ria");
    json_close(&j, '}');
    printf("\n");
    return;
  }
  printf("  film      %s (%d x %d%s)\n  frames    %zu, %.3g s\n", i->path, i->width, i->height,
         i->by_ffmpeg ? "" : ", an animated PNG", i->frames, i->seconds);
}

static int video(const cli_options *o, ria_context *ctx, ria_film_info *info) {
  char room[2048];
  const char *series[RIA_FILM_SERIES];
  int one = 0;
  ria_film_desc d = {.dir = o->file, .series = series, .title = o->film_title, .path = o->out};
  if (o->field)
    d.n_series = cli_cut_list(o, "--field", o->field, room, sizeof room, series, RIA_FILM_SERIES);
  if (o->field && !d.n_series) return EXIT_USAGE;
  if (o->size && !cli_take_size(o, &one, &d.width, &d.height)) return EXIT_USAGE;
  if (one) d.height = one;
  if (!take_fps(o, &d)) return EXIT_USAGE;
  const ria_status s = ria_film(ctx, &d, info);
  if (s == RIA_OK)
    tell(o, info);
  else
    cli_complain(o, "%s", ria_error(ctx));
  return s == RIA_ERR_ARGUMENT ? EXIT_USAGE : cli_exit_code(s);
}

int cli_video(const cli_options *o) {
  ria_context *ctx = NULL;
  int code = cli_make_context(o, NULL, NULL, &ctx);
  ria_film_info *info = code == EXIT_OK ? calloc(1, sizeof *info) : NULL;
  if (code == EXIT_OK && !info) {
    cli_complain(o, "out of memory");
    code = EXIT_SCRIPT;
  }
  if (code == EXIT_OK) code = video(o, ctx, info);
  free(info);
  ria_context_destroy(&ctx);
  return code;
}
