/* cli_options.c - the command line: one table of options, which commands take which. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum option_id {
  O_HELP,
  O_QUIET,
  O_VERBOSE,
  O_JSON,
  O_DEVICE,
  O_THREADS,
  O_PARTS,
  O_OUT,
  O_OVERWRITE,
  O_UNTIL,
  O_CONTINUE,
  O_CONTINUE_CHANGED,
  O_CHECKPOINT,
  O_SET,
  O_STUBS,
  O_VOCABULARY,
  O_MAN,
  O_LIMITED,
  O_TRUSTED,
  O_NO_FORECAST,
  O_LIMIT,
  O_ALLOW,
  O_OVERLAY,
  O_FLAG,
  O_OPEN,
  O_TEXT
} option_id;

enum {
  C_RUN = 1,
  C_CHECK = 2,
  C_INFO = 4,
  C_PARAMS = 8,
  C_HELP = 16,
  C_BENCH = 32,
  C_TIDE = 64,
  C_NEW = 128,
  C_RENDER = 256,
  C_VIDEO = 512,
  C_VIEW = 1024,
  C_EXPORT = 2048,
  C_ALL = 4095
};
enum { C_STEPS = C_RUN | C_CHECK | C_BENCH };

static const struct option {
  option_id id;
  const char *name, *letter, *value; /* value: what it takes, or NULL */
  int commands;
  const char *doc;
  size_t at; /* O_TEXT, O_FLAG: offset in cli_options */
} options[] = {
    {O_SET, "--set", NULL, "NAME=VALUE", C_RUN | C_CHECK | C_INFO,
     .doc = "override a parameter; NAME=VALUE alone does the same"},
    {O_DEVICE, "--device", NULL, "auto|cpu|cuda[:N]", C_STEPS,
     .doc = "where the steps run; a GPU if left out and there is one; cuda:0-3 is several"},
    {O_THREADS, "--threads", NULL, "N", C_STEPS, .doc = "CPU threads; one per core if left out"},
    {O_PARTS, "--parts", NULL, "N", C_RUN | C_CHECK | C_BENCH,
     .doc = "step the grid in N parts: the same results, no faster on one device; of all ranks"},
    {O_OUT, "--out", NULL, "DIR", C_RUN, .doc = "where results go; out/<script> if left out"},
    {O_OVERWRITE, "--overwrite", NULL, NULL, C_RUN,
     .doc = "remove the results of an earlier run first"},
    {O_UNTIL, "--until", NULL, "T", C_RUN,
     .doc = "end no later than this time, as in \"2 d\", or date"},
    {O_CHECKPOINT, "--checkpoint-every", NULL, "T", C_RUN,
     .doc = "keep checkpoints, one each \"10 min\" of the clock and one at the end"},
    {O_CONTINUE, "--continue", NULL, NULL, C_RUN,
     .doc = "go on from the newest checkpoint: ria help checkpoints"},
    {O_CONTINUE_CHANGED, "--continue-changed", NULL, NULL, C_RUN,
     .doc = "the same, with a script or parameters that were changed"},
    {O_LIMITED, "--limited", NULL, NULL, C_RUN,
     .doc = "for scripts of others: see `ria help limits`"},
    {O_TRUSTED, "--trusted", NULL, NULL, C_CHECK | C_INFO | C_PARAMS,
     .doc = "without limits, as `ria run` is: see `ria help limits`"},
    {O_NO_FORECAST, "--no-forecast", NULL, NULL, C_CHECK,
     .doc = "without the steps that tell how long the run will take, and what it needs"},
    {O_ALLOW, "--allow", NULL, "DIR", C_RUN | C_CHECK | C_INFO | C_PARAMS,
     .doc = "a limited script may read below this folder, too; several times"},
    {O_LIMIT, "--limit", NULL, "NAME=N,...", C_RUN | C_CHECK | C_INFO | C_PARAMS,
     .doc = "instructions, memory, time, cells, frames, output: memory=2G,time=10m"},
    {O_STUBS, "--stubs", NULL, NULL, C_HELP, .doc = "print ria.d.lua for editors"},
    {O_VOCABULARY, "--vocabulary", NULL, NULL, C_HELP,
     .doc = "print every word with its unit and meaning, as Markdown"},
    {O_MAN, "--man", NULL, NULL, C_HELP, .doc = "print a manual page, of ria or of a command"},
    {O_TEXT, "--completion", NULL, "bash|zsh|fish", C_HELP, "print what completes words in a shell",
     offsetof(cli_options, completion)},
    {O_TEXT, "--column", NULL, "NAME|#N", C_TIDE,
     "of levels; the first of numbers behind the dates", offsetof(cli_options, tide.column)},
    {O_TEXT, "--constituents", NULL, "M2,S2,...", C_TIDE,
     "which; those that the record tells apart if left out",
     offsetof(cli_options, tide.constituents)},
    {O_TEXT, "--rayleigh", NULL, "CYCLES", C_TIDE,
     "by which two must part over the record; 1 if left out", offsetof(cli_options, tide.rayleigh)},
    {O_TEXT, "--nodal", NULL, "daily|mid|none", C_TIDE,
     "factors of the moon's node: of each date (if left out), of the middle of its year, none",
     offsetof(cli_options, tide.nodal)},
    {O_TEXT, "--zone", NULL, "+HH:MM", C_TIDE, "of dates that say none; UTC if left out",
     offsetof(cli_options, tide.zone)},
    {O_TEXT, "--start", NULL, "DATE", C_TIDE,
     "where the first column is in s, as a run's without dates", offsetof(cli_options, tide.start)},
    {O_TEXT, "--unit", NULL, "m|cm|mm|km", C_TIDE,
     "of the levels; as the file's row of units, or m", offsetof(cli_options, tide.unit)},
    {O_TEXT, "--missing", NULL, "VALUE", C_TIDE,
     "stands for a gap, beside cells that are empty or nan", offsetof(cli_options, tide.missing)},
    {O_TEXT, "--skip", NULL, "N", C_TIDE, "lines above the table",
     offsetof(cli_options, tide.skip)},
    {O_TEXT, "--lua", NULL, "FILE", C_TIDE, "write the set for ria.tide(dofile \"FILE\")",
     offsetof(cli_options, tide.lua)},
    {O_TEXT, "--csv", NULL, "FILE", C_TIDE, "write the table; tides.read and ria tide read it",
     offsetof(cli_options, tide.csv)},
    {O_TEXT, "--picture", NULL, "FILE.png", C_TIDE, "draw record, fit and residuals",
     offsetof(cli_options, tide.picture)},
    {O_TEXT, "--picture", NULL, "FILE.png", C_INFO,
     "draw the raster, or the bed of the scenario with its boundaries",
     offsetof(cli_options, picture)},
    {O_TEXT, "--predict", NULL, "FROM TO", C_TIDE,
     "print predicted levels as CSV instead of the table", offsetof(cli_options, tide.from)},
    {O_TEXT, "--every", NULL, "PERIOD", C_TIDE, "of predicted levels; \"10 min\" if left out",
     offsetof(cli_options, tide.every)},
    {O_TEXT, "--like", NULL, "SCENARIO", C_NEW, "which to begin from; bay if left out",
     offsetof(cli_options, like)},
    {O_TEXT, "--field", NULL, "NAME", C_RENDER, "the field to draw, one that was saved",
     offsetof(cli_options, field)},
    {O_TEXT, "--field", NULL, "NAME,...", C_VIDEO,
     "whose frames; several stand side by side; the first of the run if left out",
     offsetof(cli_options, field)},
    {O_TEXT, "--time", NULL, "T|DATE|last", C_RENDER, "\"6 h\", a date, first, last (if left out)",
     offsetof(cli_options, render.time)},
    {O_TEXT, "--times", NULL, "T,T,...", C_RENDER, "several, on one sheet with one range",
     offsetof(cli_options, render.times)},
    {O_TEXT, "--minus", NULL, "DIR", C_RENDER,
     "draw the difference: this run minus that one, at the same times",
     offsetof(cli_options, render.minus)},
    {O_TEXT, "--map", NULL, "NAME", C_RENDER, "colour map; the field's own if left out",
     offsetof(cli_options, render.map)},
    {O_TEXT, "--range", NULL, "MIN,MAX|auto", C_RENDER,
     "of colours; as in the run's frames if left out, auto: from the values",
     offsetof(cli_options, render.range)},
    {O_TEXT, "--scale", NULL, "linear|log", C_RENDER, "as in the run's frames if left out",
     offsetof(cli_options, render.scale)},
    {O_TEXT, "--threshold", NULL, "VALUE", C_RENDER, "what is below is drawn as clear water",
     offsetof(cli_options, render.threshold)},
    {O_TEXT, "--thinnest", NULL, "DEPTH", C_RENDER,
     "water below \"5 mm\" is drawn as land, where depth was saved",
     offsetof(cli_options, render.thinnest)},
    {O_TEXT, "--box", NULL, "X0,Y0,X1,Y1", C_RENDER, "only this part of the map, in m",
     offsetof(cli_options, render.box)},
    {O_TEXT, "--size", NULL, "W|WxH", C_RENDER, "pixels of the picture; 960 wide if left out",
     offsetof(cli_options, size)},
    {O_TEXT, "--size", NULL, "H|WxH", C_VIDEO, "pixels: 1080 high, or within WxH; as the frames",
     offsetof(cli_options, size)},
    {O_TEXT, "--dpi", NULL, "N", C_RENDER, "pixels an inch on paper: --size 2400 --dpi 300 is 8 in",
     offsetof(cli_options, render.dpi)},
    {O_TEXT, "--contours", NULL, "STEP|A,B,...", C_RENDER,
     "lines each STEP of the field's unit, or at these values",
     offsetof(cli_options, render.contours)},
    {O_OVERLAY, "--overlay", NULL, "FILE", C_RENDER,
     .doc = "lines, outlines, points of GeoJSON or CSV over the map; several times"},
    {O_TEXT, "--crs", NULL, "CRS", C_RENDER,
     "of overlays and --traces FILE, over what they say; model: the run's own",
     offsetof(cli_options, render.crs)},
    {O_TEXT, "--graticule", NULL, "DEGREES|auto", C_RENDER,
     "lines of longitude and latitude, where the run has a crs",
     offsetof(cli_options, render.graticule)},
    {O_FLAG, "--hillshade", NULL, NULL, C_RENDER,
     "the field in the light that falls on the bed below it, where bed was saved",
     offsetof(cli_options, render.hillshade)},
    {O_TEXT, "--ground", NULL, "NAME", C_RENDER,
     "colour map of land and clear water by height: topo, relief, where bed was saved",
     offsetof(cli_options, render.ground)},
    {O_FLAG, "--arrows", NULL, NULL, C_RENDER, "of velocity, where u and v were saved",
     offsetof(cli_options, render.arrows)},
    {O_TEXT, "--traces", NULL, "N|FILE", C_RENDER,
     "paths of N particles set out evenly, or at the points of GeoJSON or CSV",
     offsetof(cli_options, render.traces)},
    {O_TEXT, "--traces-from", NULL, "T|DATE|first", C_RENDER,
     "when they set out; the first time if left out; they end at --time",
     offsetof(cli_options, render.traces_from)},
    {O_TEXT, "--traces-over", NULL, "DURATION", C_RENDER,
     "\"3 h\" up to --time or, with --traces-from, from there on",
     offsetof(cli_options, render.traces_over)},
    {O_FLAG, "--plain", NULL, NULL, C_RENDER, "only the map", offsetof(cli_options, render.plain)},
    {O_TEXT, "--title", NULL, "TEXT", C_RENDER, "the run's if left out",
     offsetof(cli_options, render.title)},
    {O_TEXT, "--title", NULL, "TEXT", C_VIDEO, "in a band above the pictures",
     offsetof(cli_options, film_title)},
    {O_TEXT, "--fps", NULL, "N", C_VIDEO, "frames a second; 12 if left out",
     offsetof(cli_options, fps)},
    {O_OUT, "--out", NULL, "FILE.png", C_RENDER, .doc = "the picture; <field>.png if left out"},
    {O_OUT, "--out", NULL, "FILE", C_VIDEO,
     .doc = "the film, .mp4 or .webm by ffmpeg, .png or .apng without; DIR/<field>.mp4 (.png) if "
            "left out"},
    {O_FLAG, "--view", NULL, NULL, C_RUN,
     "serve the page of the run while it goes on, to browsers of this machine",
     offsetof(cli_options, view)},
    {O_FLAG, "--allow-change", NULL, NULL, C_RUN,
     "with --view: the page may spill and change boundaries, entered into DIR/changes.lua",
     offsetof(cli_options, allow_change)},
    {O_TEXT, "--changes", NULL, "FILE", C_RUN,
     "make the changes of an earlier run, its changes.lua, again", offsetof(cli_options, changes)},
    {O_TEXT, "--port", NULL, "N", C_VIEW | C_RUN, "of the address; a free one if left out",
     offsetof(cli_options, port)},
    {O_OPEN, "--open", NULL, NULL, C_VIEW | C_RUN,
     .doc = "open the address in a browser (xdg-open)"},
    {O_FLAG, "--no-open", NULL, NULL, C_VIEW | C_RUN,
     "only print it; at a terminal of a desktop the browser is opened without being asked for",
     offsetof(cli_options, no_open)},
    {O_TEXT, "--to", NULL, "KIND", C_EXPORT, "netcdf, vti (ParaView), geotiff, csv or xdmf",
     offsetof(cli_options, export.to)},
    {O_TEXT, "--field", NULL, "NAME,...", C_EXPORT, "fields; all that were saved if left out",
     offsetof(cli_options, export.field)},
    {O_TEXT, "--time", NULL, "T,...", C_EXPORT,
     "\"6 h\", a date, first or last; all times if left out, of a csv of cells the last",
     offsetof(cli_options, export.time)},
    {O_TEXT, "--store", NULL, "NAME", C_EXPORT, "of several: fields, maxima ...",
     offsetof(cli_options, export.store)},
    {O_TEXT, "--at", NULL, "X,Y", C_EXPORT, "csv: the values there in time; m on the map",
     offsetof(cli_options, export.at)},
    {O_TEXT, "--line", NULL, "X1,Y1,X2,Y2", C_EXPORT, "csv: the values along a line; m on the map",
     offsetof(cli_options, export.line)},
    {O_OUT, "--out", NULL, "PATH", C_EXPORT,
     .doc = "a file (.nc .pvd .tif .csv .xdmf) or a folder; DIR/export if left out"},
    {O_JSON, "--json", NULL, NULL,
     C_RUN | C_CHECK | C_INFO | C_PARAMS | C_BENCH | C_TIDE | C_RENDER | C_VIDEO | C_EXPORT,
     .doc = "print the outcome as JSON"},
    {O_QUIET, "--quiet", "-q", NULL, C_RUN | C_CHECK, .doc = "print errors only"},
    {O_VERBOSE, "--verbose", "-v", NULL, C_RUN | C_CHECK | C_INFO | C_PARAMS,
     .doc = "a traceback with errors"},
    {O_HELP, "--help", "-h", NULL, C_ALL, .doc = "this text"},
};
enum { N_OPTIONS = sizeof options / sizeof *options };

static const struct command {
  const char *name;
  int bit;
} commands[] = {{"run", C_RUN},       {"check", C_CHECK}, {"info", C_INFO}, {"params", C_PARAMS},
                {"help", C_HELP},     {"bench", C_BENCH}, {"tide", C_TIDE}, {"new", C_NEW},
                {"render", C_RENDER}, {"video", C_VIDEO}, {"view", C_VIEW}, {"export", C_EXPORT}};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static int command_bit(const char *name) {
  for (size_t k = 0; k < N_COMMANDS; k++)
    if (strcmp(commands[k].name, name) == 0) return commands[k].bit;
  return 0;
}

void cli_complain(const cli_options *o, const char *fmt, ...) {
  va_list args;
  if (!cli_speaks()) {
    va_start(args, fmt);
    cli_ranks_keep(fmt, args);
    va_end(args);
    return;
  }
  fputs(o && o->color ? "\033[1mria:\033[0m " : "ria: ", stderr);
  va_start(args, fmt);
  vfprintf(stderr, fmt, args);
  va_end(args);
  fputc('\n', stderr);
}

int cli_exit_code(ria_status status) {
  switch (status) {
  case RIA_OK:
    return EXIT_OK;
  case RIA_ERR_INPUT:
    return EXIT_INPUT;
  case RIA_ERR_NUMERICAL:
    return EXIT_NUMERICAL;
  case RIA_ERR_DEVICE:
    return EXIT_DEVICE;
  case RIA_INTERRUPTED:
    return EXIT_INTERRUPTED;
  default:
    return EXIT_SCRIPT;
  }
}

bool cli_option_at(const char *command, size_t k, cli_option_info *out) {
  const int bit = command_bit(command);
  for (const struct option *p = options; p < options + N_OPTIONS; p++) {
    if (!(p->commands & bit) || k-- > 0) continue;
    *out = (cli_option_info){p->name, p->letter, p->value, p->doc};
    return true;
  }
  return false;
}

void cli_print_options(FILE *to, const char *command) {
  cli_option_info p;
  for (size_t k = 0; cli_option_at(command, k, &p); k++) {
    char left[64];
    snprintf(left, sizeof left, "%s%s%s%s%s", p.letter ? p.letter : "", p.letter ? ", " : "",
             p.name, p.value ? " " : "", p.value ? p.value : "");
    fprintf(to, "  %-28s %s\n", left, p.doc);
  }
}

/* --- parsing ---------------------------------------------------------------------------------- */

static bool is_override(const char *text) {
  const char *equals = strchr(text, '=');
  return text[0] != '-' && equals && equals > text && !memchr(text, '/', (size_t)(equals - text));
}

static int unknown_option(const cli_options *o, const char *word, int bit) {
  const char *names[N_OPTIONS];
  for (size_t k = 0; k < N_OPTIONS; k++)
    names[k] = options[k].commands & bit ? options[k].name : NULL;
  const char *near = ria_nearest(word, names, N_OPTIONS);
  if (near)
    cli_complain(o, "unknown option '%s': did you mean '%s'?", word, near);
  else
    cli_complain(o, "unknown option '%s': see `ria %s --help`", word, o->command);
  return EXIT_USAGE;
}

/* The option that `word` is, as --name, --name=value or -n; *value = what follows '=' or NULL. */
static const struct option *find_option(const char *word, int bit, const char **value) {
  size_t n = strcspn(word, "=");
  *value = word[n] ? word + n + 1 : NULL;
  for (size_t k = 0; k < N_OPTIONS; k++) {
    const struct option *p = &options[k];
    bool named = strlen(p->name) == n && strncmp(p->name, word, n) == 0;
    bool lettered = p->letter && strcmp(p->letter, word) == 0;
    if ((named || lettered) && p->commands & bit) return p;
  }
  return NULL;
}

static int take_number(const cli_options *o, const char *option, const char *text, int *out) {
  char *end;
  long n = strtol(text, &end, 10);
  if (*end || end == text || n < 1 || n > 4096) {
    cli_complain(o, "%s %s: expected a whole number, 1 .. 4096", option, text);
    return EXIT_USAGE;
  }
  *out = (int)n;
  return EXIT_OK;
}

static bool is_bare_number(const char *text) {
  char *end;
  strtod(text, &end);
  return end != text && !*end;
}

static int take_time(const cli_options *o, const char *option, const char *text, double *out) {
  ria_context *ctx = NULL;
  if (is_bare_number(text)) {
    cli_complain(o, "%s %s: write the unit too, as in \"%s h\"", option, text, text);
    return EXIT_USAGE;
  }
  ria_status status = ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx);
  if (status == RIA_OK) status = ria_parse_quantity(ctx, text, RIA_DIM_TIME, out);
  bool good = status == RIA_OK && *out > 0.0;
  if (!good)
    cli_complain(o, "%s %s: %s", option, text, status ? ria_error(ctx) : "expected a time after 0");
  ria_context_destroy(&ctx);
  return good ? EXIT_OK : EXIT_USAGE;
}

/* Which time it is the start of each run tells. */
static int take_date(cli_options *o, const char *text) {
  ria_context *ctx = NULL;
  double t;
  ria_status status = ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx);
  if (status == RIA_OK) status = ria_parse_date(ctx, text, 0.0, &t);
  if (status != RIA_OK) cli_complain(o, "--until: %s", ria_error(ctx));
  ria_context_destroy(&ctx);
  o->until_date = text;
  return status == RIA_OK ? EXIT_OK : EXIT_USAGE;
}

/* The value of an option is not the next option: in `--out --overwrite` a directory is missing. */
static int refuse_option_as_value(const cli_options *o, const struct option *p, const char *value,
                                  int bit) {
  const char *rest = NULL;
  if (value[0] != '-' || !(value[1] == '-' || find_option(value, bit, &rest))) return EXIT_OK;
  cli_complain(o, "%s needs %s, and '%s' is an option: if it is meant, write %s=%s%s", p->name,
               p->value, value, p->name, p->id == O_OUT ? "./" : "", value);
  return EXIT_USAGE;
}

static int add_listed(const cli_options *o, const char *option, const char *value,
                      const char *list[CLI_LISTED], size_t *n) {
  if (*n == CLI_LISTED)
    return cli_complain(o, "%s is given more than %d times", option, CLI_LISTED), EXIT_USAGE;
  list[(*n)++] = value;
  return EXIT_OK;
}

static int apply_option(cli_options *o, const struct option *p, const char *value,
                        const char **overrides) {
  switch (p->id) {
  case O_HELP:
    o->help = true;
    break;
  case O_QUIET:
    o->quiet = true;
    break;
  case O_VERBOSE:
    o->verbose = true;
    break;
  case O_JSON:
    o->json = true;
    break;
  case O_STUBS:
    o->stubs = true;
    break;
  case O_VOCABULARY:
    o->vocabulary = true;
    break;
  case O_MAN:
    o->man = true;
    break;
  case O_OVERWRITE:
    o->overwrite = true;
    break;
  case O_LIMITED:
    o->limited = true;
    break;
  case O_NO_FORECAST:
    o->no_forecast = true;
    break;
  case O_TRUSTED:
    o->trusted = true;
    break;
  case O_OPEN:
    o->open = true;
    break;
  case O_LIMIT:
    return add_listed(o, p->name, value, o->limits, &o->n_limits);
  case O_ALLOW:
    return add_listed(o, p->name, value, o->allow, &o->n_allow);
  case O_DEVICE:
    o->device = value;
    break;
  case O_OUT:
    o->out = value;
    break;
  case O_THREADS:
    return take_number(o, p->name, value, &o->threads);
  case O_PARTS:
    return take_number(o, p->name, value, &o->parts);
  case O_OVERLAY:
    return add_listed(o, p->name, value, o->overlay, &o->n_overlays);
  case O_FLAG:
    *(bool *)((char *)o + p->at) = true;
    break;
  case O_TEXT:
    *(const char **)((char *)o + p->at) = value;
    break;
  case O_UNTIL:
    return ria_is_date(value) ? take_date(o, value) : take_time(o, p->name, value, &o->until);
  case O_CHECKPOINT:
    return take_time(o, p->name, value, &o->checkpoint_every);
  case O_CONTINUE:
    if (o->resume == RIA_LUA_FRESH) o->resume = RIA_LUA_RESUME;
    break;
  case O_CONTINUE_CHANGED:
    o->resume = RIA_LUA_RESUME_CHANGED;
    break;
  case O_SET:
    if (!is_override(value)) {
      cli_complain(o, "--set %s: expected NAME=VALUE", value);
      return EXIT_USAGE;
    }
    overrides[o->n_overrides++] = value;
    break;
  }
  return EXIT_OK;
}

static int take_second(cli_options *o, const char *word) {
  if (!o->second) {
    o->second = word;
    return EXIT_OK;
  }
  cli_complain(o,
               "'%s' is one argument too many: ria view takes the results of one run, or of two to "
               "compare: ria view %s %s",
               word, o->file, o->second);
  return EXIT_USAGE;
}

static int take_word(cli_options *o, const char *word, int bit, const char **overrides) {
  bool takes = bit == C_BENCH || (o->file && bit & (C_RUN | C_CHECK | C_INFO));
  if (takes && is_override(word)) {
    overrides[o->n_overrides++] = word;
    return EXIT_OK;
  }
  if (o->tide.from && !o->tide.to) { /* --predict FROM TO */
    o->tide.to = word;
    return EXIT_OK;
  }
  if (o->file && bit == C_VIEW) return take_second(o, word);
  if (o->file) {
    cli_complain(o, "'%s' is one argument too many: `ria %s --help` shows what it takes", word,
                 o->command);
    return EXIT_USAGE;
  }
  o->file = word;
  return EXIT_OK;
}

static int unknown_command(const cli_options *o, const char *word) {
  const char *names[N_COMMANDS];
  size_t n = strlen(word);
  for (size_t k = 0; k < N_COMMANDS; k++) names[k] = commands[k].name;
  const char *near = ria_nearest(word, names, N_COMMANDS);
  if (n > 4 && strcmp(word + n - 4, ".lua") == 0)
    cli_complain(o, "unknown command '%s': did you mean `ria run %s`?", word, word);
  else if (near)
    cli_complain(o, "unknown command '%s': did you mean '%s'?", word, near);
  else {
    char list[256] = "";
    for (size_t k = 0, at = 0; k < N_COMMANDS && at < sizeof list; k++)
      at += (size_t)snprintf(list + at, sizeof list - at, "%s%s", k ? ", " : "", commands[k].name);
    cli_complain(o, "unknown command '%s': one of %s", word, list);
  }
  return EXIT_USAGE;
}

static void look_at_terminal(cli_options *o) {
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  o->tty = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
  o->color = o->tty && !(no_color && *no_color);
}

/* Options that say opposite things. */
static int check_together(const cli_options *o) {
  if (o->allow_change && !o->view)
    return cli_complain(o, "--allow-change goes with --view"), EXIT_USAGE;
  if ((o->port || o->open || o->no_open) && !o->view && strcmp(o->command, "run") == 0)
    return cli_complain(o, "%s goes with --view",
                        o->port   ? "--port"
                        : o->open ? "--open"
                                  : "--no-open"),
           EXIT_USAGE;
  if (o->allow_change && (o->resume != RIA_LUA_FRESH || o->changes))
    return cli_complain(o, "--allow-change goes without --continue and --changes"), EXIT_USAGE;
  if (o->allow_change && cli_comm())
    return cli_complain(o, "--allow-change is for a run in one process"), EXIT_USAGE;
  if (o->resume == RIA_LUA_FRESH || !o->overwrite) return EXIT_OK;
  cli_complain(o, "--continue goes on with the results that are there, and --overwrite removes "
                  "them: give one of the two");
  return EXIT_USAGE;
}

int cli_parse(int argc, char **argv, cli_options *o) {
  *o = (cli_options){.command = argc > 1 ? argv[1] : "help", .argv = argv, .argc = argc};
  look_at_terminal(o);
  const char **overrides = calloc((size_t)argc + 1, sizeof *overrides);
  if (!overrides) return cli_complain(o, "out of memory"), EXIT_SCRIPT;
  o->overrides = overrides;
  int bit = command_bit(o->command);
  if (!bit) return unknown_command(o, o->command);
  if (!(bit & C_STEPS)) o->device = "cpu"; /* a GPU need not wake up for these */
  for (int k = 2; k < argc; k++) {
    const char *value = NULL;
    int code = EXIT_OK;
    if (argv[k][0] != '-' || !argv[k][1]) {
      code = take_word(o, argv[k], bit, overrides);
    } else {
      const struct option *p = find_option(argv[k], bit, &value);
      if (!p) return unknown_option(o, argv[k], bit);
      if (p->value && !value && k + 1 < argc) {
        value = argv[++k];
        code = refuse_option_as_value(o, p, value, bit);
        if (code != EXIT_OK) return code;
      }
      if (p->value && !value) return cli_complain(o, "%s needs %s", p->name, p->value), EXIT_USAGE;
      if (!p->value && value) return cli_complain(o, "%s takes no value", p->name), EXIT_USAGE;
      code = apply_option(o, p, value, overrides);
    }
    if (code != EXIT_OK) return code;
  }
  const int code = check_together(o);
  return code == EXIT_OK ? cli_limit_check(o) : code;
}
