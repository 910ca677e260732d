/* cli_render.c - ria render: a picture of what a run saved. */
#include "cli.h"
#include <ria/render.h>
#include <ria/units.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- what options say ------------------------------------------------------------------------- */

bool cli_take_size(const cli_options *o, int *one, int *width, int *height) {
  char *end;
  const long a = strtol(o->size, &end, 10);
  long b = 0;
  const bool two = *end == 'x' && end != o->size && strchr("123456789", end[1]) && end[1];
  if (two) b = strtol(end + 1, &end, 10);
  if (end == o->size || *end || a < 1 || a > 16384 || (two && (b < 1 || b > 16384))) {
    cli_complain(o, "--size %s: expected pixels, 1 .. 16384: 1080, or 1920x1080", o->size);
    return false;
  }
  *one = two ? 0 : (int)a;
  *width = two ? (int)a : 0;
  *height = (int)b;
  return true;
}

size_t cli_cut_list(const cli_options *o, const char *option, const char *text, char *room,
                    size_t size, const char **list, size_t most) {
  size_t n = 0;
  if (strlen(text) >= size) {
    cli_complain(o, "%s: the text is too long", option);
    return 0;
  }
  strcpy(room, text);
  for (char *at = room, *next; at; at = next) {
    next = strchr(at, ',');
    if (next) *next++ = '\0';
    at += strspn(at, " ");
    size_t end = strlen(at);
    while (end && at[end - 1] == ' ') at[--end] = '\0';
    if (!end || n == most) {
      cli_complain(o, end ? "%s %s: more than %zu are too many" : "%s %s: one of them is empty",
                   option, text, most);
      return 0;
    }
    list[n++] = at;
  }
  return n;
}

/* Numbers with commas between them; how many, 0: it is something else, which was told. */
static size_t take_numbers(const cli_options *o, const char *option, const char *text, double *out,
                           size_t least, size_t most, const char *expected) {
  char room[8192];
  const char *list[RIA_RENDER_CONTOURS];
  const size_t n = cli_cut_list(o, option, text, room, sizeof room, list, most);
  bool well = n >= least;
  for (size_t k = 0; k < n && well; k++) {
    char *end;
    out[k] = strtod(list[k], &end);
    well = end != list[k] && !*end && isfinite(out[k]);
  }
  if (n && !well) cli_complain(o, "%s %s: expected %s", option, text, expected);
  return well ? n : 0;
}

typedef struct render_room {
  char text[4096];
  const char *times[RIA_RENDER_TIMES];
  double contours[RIA_RENDER_CONTOURS];
  ria_shapes *shapes[CLI_LISTED], *points;
} render_room;

static bool take_times(const cli_options *o, render_room *room, ria_render_desc *d) {
  const cli_render_options *r = &o->render;
  if (r->time && r->times) {
    cli_complain(o, "--time is one, --times are several: give one of the two");
    return false;
  }
  d->times = room->times;
  if (r->time) room->times[d->n_times++] = r->time;
  if (!r->times) return true;
  d->n_times = cli_cut_list(o, "--times", r->times, room->text, sizeof room->text, room->times,
                            RIA_RENDER_TIMES);
  return d->n_times > 0;
}

static bool take_colours(const cli_options *o, ria_render_desc *d) {
  const cli_render_options *r = &o->render;
  double range[2] = {0.0, 0.0};
  d->map = r->map;
  d->own_range = r->range && strcmp(r->range, "auto") == 0;
  if (r->range && !d->own_range &&
      !take_numbers(o, "--range", r->range, range, 2, 2, "two numbers, --range=-1,1, or auto"))
    return false;
  d->min = range[0];
  d->max = range[1];
  if (r->range && !d->own_range && !(d->max > d->min)) {
    cli_complain(o, "--range %s: the first must be below the second", r->range);
    return false;
  }
  if (r->scale && strcmp(r->scale, "linear") != 0 && strcmp(r->scale, "log") != 0) {
    cli_complain(o, "--scale %s: expected linear or log", r->scale);
    return false;
  }
  if (r->scale) d->scale = strcmp(r->scale, "log") == 0 ? RIA_RENDER_LOG : RIA_RENDER_LINEAR;
  return !r->threshold ||
         take_numbers(o, "--threshold", r->threshold, &d->threshold, 1, 1, "a number") > 0;
}

static bool take_layout(const cli_options *o, ria_render_desc *d) {
  const cli_render_options *r = &o->render;
  int one = 0;
  double dpi = 0.0;
  if (o->size && !cli_take_size(o, &one, &d->width, &d->height)) return false;
  if (one) d->width = one;
  d->boxed = r->box != NULL;
  if (r->box && !take_numbers(o, "--box", r->box, d->box, 4, 4, "four numbers, X0,Y0,X1,Y1"))
    return false;
  if (r->dpi && !take_numbers(o, "--dpi", r->dpi, &dpi, 1, 1, "a number, 300")) return false;
  if (r->dpi && !(dpi >= 30.0 && dpi <= 2400.0)) {
    cli_complain(o, "--dpi %s: 30 .. 2400 are possible", r->dpi);
    return false;
  }
  d->dpi = (int)dpi;
  d->no_decor = r->plain;
  d->arrows = r->arrows;
  d->hillshade = r->hillshade;
  d->ground = r->ground;
  d->title = r->title;
  d->graticule = r->graticule != NULL;
  return !r->graticule || strcmp(r->graticule, "auto") == 0 ||
         take_numbers(o, "--graticule", r->graticule, &d->graticule_step, 1, 1,
                      "degrees, 0.1, or auto") > 0;
}

static bool take_contours(const cli_options *o, render_room *room, ria_render_desc *d) {
  const char *text = o->render.contours;
  if (!text) return true;
  const size_t n = take_numbers(o, "--contours", text, room->contours, 1, RIA_RENDER_CONTOURS,
                                "a step, or values that grow: 0.5, or 1,2,5");
  if (!n) return false;
  if (n == 1 && room->contours[0] > 0.0) {
    d->contour_step = room->contours[0];
    return true;
  }
  if (n == 1) {
    cli_complain(o, "--contours %s: a step is above 0; lines at values are two or more, 0,1", text);
    return false;
  }
  d->contours = room->contours;
  d->n_contours = n;
  return true;
}

static int take_thinnest(const cli_options *o, ria_context *ctx, ria_render_desc *d) {
  const char *text = o->render.thinnest;
  if (!text) return EXIT_OK;
  if (ria_parse_quantity(ctx, text, RIA_DIM_LENGTH, &d->thinnest) == RIA_OK) return EXIT_OK;
  cli_complain(o, "--thinnest: %s", ria_error(ctx));
  return EXIT_USAGE;
}

static int read_overlays(const cli_options *o, ria_context *ctx, render_room *room,
                         ria_render_desc *d) {
  const ria_shapes_layout layout = {.crs = o->render.crs};
  d->overlays = (const ria_shapes *const *)room->shapes;
  for (size_t k = 0; k < o->n_overlays; k++) {
    const ria_status s = ria_shapes_read(ctx, o->overlay[k], &layout, &room->shapes[k]);
    if (s != RIA_OK) {
      cli_complain(o, "--overlay: %s", ria_error(ctx));
      return cli_exit_code(s);
    }
    d->n_overlays++;
  }
  return EXIT_OK;
}

/* A number of particles, or the file of the points where they set out. */
static int take_traces(const cli_options *o, ria_context *ctx, render_room *room,
                       ria_render_desc *d) {
  const cli_render_options *r = &o->render;
  const ria_shapes_layout layout = {.crs = r->crs};
  if (!r->traces && (r->traces_from || r->traces_over)) {
    cli_complain(o, "%s: of which particles? --traces 200, or --traces points.geojson",
                 r->traces_from ? "--traces-from" : "--traces-over");
    return EXIT_USAGE;
  }
  if (!r->traces) return EXIT_OK;
  char *end;
  const double n = strtod(r->traces, &end);
  const bool number = end != r->traces && !*end;
  if (number && (!(n >= 1.0 && n <= RIA_RENDER_TRACES) || n != floor(n))) {
    cli_complain(o, "--traces %s: 1 .. %d particles are possible", r->traces, RIA_RENDER_TRACES);
    return EXIT_USAGE;
  }
  if (number) d->traces = (size_t)n;
  d->traces_from = r->traces_from;
  if (r->traces_over &&
      (ria_parse_quantity(ctx, r->traces_over, RIA_DIM_TIME, &d->traces_over) != RIA_OK ||
       !(d->traces_over > 0.0))) {
    cli_complain(o, "--traces-over %s: expected a time above 0, \"3 h\"", r->traces_over);
    return EXIT_USAGE;
  }
  const ria_status s = number ? RIA_OK : ria_shapes_read(ctx, r->traces, &layout, &room->points);
  if (s != RIA_OK) cli_complain(o, "--traces: %s", ria_error(ctx));
  d->trace_points = room->points;
  return s == RIA_OK ? EXIT_OK : cli_exit_code(s);
}

/* --- what was drawn --------------------------------------------------------------------------- */

static void tell(const cli_options *o, const ria_render_desc *d, const ria_render_info *i) {
  if (o->json) {
    cli_json j = {.to = stdout, .first = true};
    json_open(&j, NULL, '{');
    json_text(&j, "picture", d->path);
    json_text(&j, "field", d->field);
    json_number(&j, "width", i->width);
    json_number(&j, "height", i->height);
    json_number(&j, "pictures", (double)i->pictures);
    json_text(&j, "first", i->first);
    json_text(&j, "last", i->last);
    json_number(&j, "min", i->min);
    json_number(&j, "max", i->max);
    json_number(&j, "least", i->least);
    json_number(&j, "most", i->most);
    if (i->traces) {
      json_open(&j, "traces", '{');
      json_number(&j, "particles", (double)i->traces);
      json_number(&j, "aground", (double)i->aground);
      json_number(&j, "left", (double)i->left);
      json_text(&j, "first", i->traces_first);
      json_text(&j, "last", i->traces_last);
      json_close(&j, '}');
    }
    json_close(&j, '}');
    printf("\n");
    return;
  }
  printf("  picture   %s (%d x %d)\n  field     %s%s%s", d->path, i->width, i->height, d->field,
         d->minus ? " minus that of " : "", d->minus ? d->minus : "");
  if (*i->first) printf(i->pictures > 1 ? " from %s to %s" : " at %s", i->first, i->last);
  printf("\n  values    %g to %g, colours from %g to %g\n", i->least, i->most, i->min, i->max);
  if (i->traces)
    printf("  traces    %zu particles from %s to %s; %zu got to dry ground, %zu left the domain\n",
           i->traces, i->traces_first, i->traces_last, i->aground, i->left);
}

static int render(const cli_options *o, ria_context *ctx, render_room *room) {
  ria_render_desc d = {.from = o->file, .field = o->field, .minus = o->render.minus};
  ria_render_info info;
  char path[512];
  snprintf(path, sizeof path, "%.500s.png", o->field ? o->field : "");
  d.path = o->out ? o->out : path;
  if (!take_times(o, room, &d) || !take_colours(o, &d) || !take_layout(o, &d) ||
      !take_contours(o, room, &d))
    return EXIT_USAGE;
  int code = take_thinnest(o, ctx, &d);
  if (code == EXIT_OK) code = read_overlays(o, ctx, room, &d);
  if (code == EXIT_OK) code = take_traces(o, ctx, room, &d);
  if (code != EXIT_OK) return code;
  const ria_status s = ria_render(ctx, &d, &info);
  if (s != RIA_OK) {
    cli_complain(o, "%s", ria_error(ctx));
    return s == RIA_ERR_ARGUMENT ? EXIT_USAGE : cli_exit_code(s);
  }
  tell(o, &d, &info);
  return EXIT_OK;
}

int cli_render(const cli_options *o) {
  ria_context *ctx = NULL;
  int code = cli_make_context(o, NULL, NULL, &ctx);
  render_room *room = code == EXIT_OK ? calloc(1, sizeof *room) : NULL;
  if (code == EXIT_OK && !room) {
    cli_complain(o, "out of memory");
    code = EXIT_SCRIPT;
  }
  if (code == EXIT_OK) code = render(o, ctx, room);
  for (size_t k = 0; room && k < o->n_overlays; k++) ria_shapes_destroy(&room->shapes[k]);
  if (room) ria_shapes_destroy(&room->points);
  free(room);
  ria_context_destroy(&ctx);
  return code;
}
