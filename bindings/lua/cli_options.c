/* cli_options.c - the command line: one table of options, which commands take which. */
#include "cli_options.h"

#include <string.h>

static const cli_option options[] = {
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

static const struct {
  const char *name;
  int bit;
} commands[] = {{"run", C_RUN},       {"check", C_CHECK}, {"info", C_INFO}, {"params", C_PARAMS},
                {"help", C_HELP},     {"bench", C_BENCH}, {"tide", C_TIDE}, {"new", C_NEW},
                {"render", C_RENDER}, {"video", C_VIDEO}, {"view", C_VIEW}, {"export", C_EXPORT}};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

int cli_command_bit(const char *name) {
  for (size_t k = 0; k < N_COMMANDS; k++)
    if (strcmp(commands[k].name, name) == 0) return commands[k].bit;
  return 0;
}

bool cli_option_at(const char *command, size_t k, cli_option_info *out) {
  const int bit = cli_command_bit(command);
  for (const cli_option *p = options; p < options + N_OPTIONS; p++) {
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

/* --- by name ---------------------------------------------------------------------------------- */

const cli_option *cli_find_option(const char *word, int bit, const char **value) {
  size_t n = strcspn(word, "=");
  *value = word[n] ? word + n + 1 : NULL;
  for (size_t k = 0; k < N_OPTIONS; k++) {
    const cli_option *p = &options[k];
    bool named = strlen(p->name) == n && strncmp(p->name, word, n) == 0;
    bool lettered = p->letter && strcmp(p->letter, word) == 0;
    if ((named || lettered) && p->commands & bit) return p;
  }
  return NULL;
}

int cli_unknown_option(const cli_options *o, const char *word, int bit) {
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

int cli_unknown_command(const cli_options *o, const char *word) {
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
