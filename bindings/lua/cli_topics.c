/* cli_topics.c - ria help TOPIC: what belongs to no single function or solver.
 *
 * Prose for the terminal, lines of at most 80 characters. The units are printed from the engine's
 * own tables, so that they cannot fall behind. */
#include "binding.h"
#include "cli.h"

#include <string.h>

static void print_animation(void) {
  puts("From frames to a film\n"
       "\n"
       "  sim:every(\"10 min\", ria.frame { field = \"level\" })\n"
       "\n"
       "writes <results>/frames/level/level_000000.png, level_000001.png, ... . All frames of a\n"
       "series have the same size, colours and range, so that a film does not flicker.\n"
       "\n"
       "  sim:film { \"level\", \"oil\", fps = 24 }           in the script: at once when the run "
       "ends\n"
       "\n"
       "  ria video out/NAME                             out/NAME/level.mp4 by ffmpeg or,\n"
       "                                                 without it, level.png, animated\n"
       "  ria video out/NAME --field level,oil --fps 24 --size 1080 --out film.webm\n"
       "\n"
       "A single picture of what a run saved, later and otherwise: ria render --help.\n"
       "\n"
       "By hand, ffmpeg (Debian: apt-get install ffmpeg) makes a film that every browser plays:\n"
       "\n"
       "  ffmpeg -framerate 12 -i out/NAME/frames/level/level_%06d.png \\\n"
       "         -vf \"pad=ceil(iw/2)*2:ceil(ih/2)*2\" -c:v libx264 -crf 20 -pix_fmt yuv420p \\\n"
       "         level.mp4\n"
       "\n"
       "  -framerate 12     pictures a second: 12 and a frame each 10 min show 2 h a second\n"
       "  -crf 20           quality: 18 better, 26 smaller\n"
       "  pad, yuv420p      even edges and the colours that all players know\n"
       "\n"
       "As an animated picture for a page or a mail:\n"
       "\n"
       "  ffmpeg -framerate 12 -i out/NAME/frames/level/level_%06d.png \\\n"
       "         -vf \"scale=800:-1,split[a][b];[a]palettegen[p];[b][p]paletteuse\" level.gif\n"
       "\n"
       "Keys of a frame (size, range, arrows, threshold): ria help ria.frame");
}

static void print_dates(void) {
  puts(
      "Times and dates\n"
      "\n"
      "  Every time is in seconds from the start of the run, or text with a unit:\n"
      "  90, \"90 s\", \"1:30\" (h:mm), \"1 h 30 min\", \"2.5 d\".\n"
      "\n"
      "  ria.sim { start = \"2026-07-14 00:00\", zone = \"+02:00\" } says once which date t = 0 "
      "is,\n"
      "  and the zone of all dates that say none themselves (UTC if it is left out). It stays the\n"
      "  same all the run: summer time neither begins nor ends. From then on every time may be a\n"
      "  date:\n"
      "\n"
      "    sim:at(\"2026-07-14 06:30\", action)\n"
      "    sim:every(\"1 h\", action, { from = \"2026-07-15\", to = \"2026-07-16 12:00\" })\n"
      "    sim:run \"2026-07-16\"                   ria run bay.lua --until \"2026-07-15 12:00\"\n"
      "    level = { {\"2026-07-14 00:00\", 0.3}, {\"2026-07-14 06:00\", 1.2} }\n"
      "    ria.series \"river.csv\"                 a first column of dates is read as it is\n"
      "    sim:date(), sim:time \"2026-07-15\"      the present as a date; a date in s\n"
      "    sim:sun(lon, lat)                      the sun's elevation and azimuth, now\n"
      "\n"
      "  Dates are YYYY-MM-DD, with hh:mm or hh:mm:ss behind it, and with a zone of their own if\n"
      "  you like: 2026-07-14T06:30:00+02:00, 2026-07-14T04:30Z. `zone` of ria.series is for a\n"
      "  file that is in another one. `epoch` is another name of `start`.\n"
      "\n"
      "  Frames show date and zone (clock = \"elapsed\": the time since the start), gauges.csv "
      "and\n"
      "  budget.csv have a second column `date` in ISO 8601, by the clocks of the zone, which\n"
      "  stands in run.json and in the row of units (units_row = true); stores count seconds from\n"
      "  the true instant. Events tell theirs: function(sim, event) print(event.date) end.\n"
      "  Without a start no file names a date, and none is made up.\n"
      "\n"
      "  In such a run phases of a tide are those at Greenwich, as tide tables have them, and the\n"
      "  moon's node is taken into account; without a start they are relative to t = 0. ria help\n"
      "  ria.tide has the keys phases and nodal; the summary says which holds.");
}

static void print_units(void) {
  char text[256];
  puts("Quantities and their units\n"
       "\n"
       "  A number is in SI. Text has a number and a unit: \"30 min\", \"12 t\", \"0.5 kg/s\".\n"
       "  \"m3\" and \"m^3\" are the same; units are case-sensitive; the decimal sign is a "
       "point.\n");
  for (int dim = RIA_DIM_NONE; dim <= RIA_DIM_DENSITY; dim++) {
    ria_dim_describe((ria_dim)dim, text, sizeof text);
    printf("  %s\n", text);
  }
  puts("\n"
       "Units of a tracer (tracers = { dye = { unit = \"mg/l\" } })\n"
       "\n"
       "  kg/m^3, g/m^3, mg/l, ug/l, ... any mass over any volume      amounts in kg\n"
       "  cfu/100 ml, MPN/100 ml, cells/l, count(algae)/l              in the thing counted\n"
       "  Bq/l, mol/m^3, with prefixes                                 in Bq, mol\n"
       "  K, degC; psu; %, g/kg; 1                                     in K m^3, psu m^3, ...\n"
       "\n"
       "  A plain number for a concentration is in the tracer's own unit.\n"
       "\n"
       "  A time may be a sum, \"1 d 6 h\", or a clock, \"1:30:00\" (h:mm:ss).\n"
       "  The unit of a key: ria help ria.spill; of a parameter: ria help SOLVER");
}

static void print_checkpoints(void) {
  puts("Runs that go on after they were ended\n"
       "\n"
       "  ria run bay.lua --checkpoint-every \"10 min\"   by the clock; or, before the run,\n"
       "    sim:checkpoint { every = \"6 h\", keep = 2 }  by simulated time\n"
       "  ria run bay.lua --continue                    whatever ended it: kill -9, a\n"
       "                                                signal, a power cut, --until\n"
       "\n"
       "  Checkpoints are <results>/checkpoints/000001.ria and on; the newest two stay.\n"
       "  One more is taken where a run ends, or is ended by SIGINT, SIGTERM or SIGHUP.\n"
       "  They shorten no step and change no bit.\n"
       "\n"
       "  With --continue the script runs again from its beginning. Up to the newest\n"
       "  checkpoint that is whole no step is taken: events, conditions and functions\n"
       "  run at their times and get the answers that they got then, so variables of\n"
       "  the script, cancelled events and spills half released come to stand where\n"
       "  they stood. From there on the run goes on, and in the end all files are those\n"
       "  of a run that was not ended, but for the checkpoints, and for run.json's wall\n"
       "  times and its list `continued`. What the script prints, and writes by itself,\n"
       "  it does again.\n"
       "\n"
       "  A changed script or module, or other parameters, are refused by name;\n"
       "  --continue-changed goes on as far as both do the same up to the checkpoint (a\n"
       "  longer run, another event after it). A run ended by --until goes on to its\n"
       "  own end. Without a checkpoint the run starts from its beginning, and says so.\n"
       "  Each simulation has checkpoints of its own; one that was over is not stepped\n"
       "  again.\n"
       "\n"
       "  What a script must not do: use os.time, os.clock, sim:summary().wall or\n"
       "  addresses (tostring of a table) for what the run does; read files that\n"
       "  change, or that it writes itself in the same run; seed math.random by the\n"
       "  clock. math.random begins with seed 1, and pairs goes through names in order,\n"
       "  under lua5.4 too from require \"ria\" on. What differs is an error where it\n"
       "  shows. Whole fields that are read (sim:field) are kept, packed: past 256 MiB\n"
       "  in all no more checkpoints are taken; sim:stats and sim:probe need little.\n"
       "\n"
       "  sim:restarted() is the time of the checkpoint, from there on, else nil: for\n"
       "  what is printed, not for what the run does. Under lua5.4: ria.sim { resume =\n"
       "  true }. From C: ria/checkpoint.h. Under mpirun alike: the next\n"
       "  run may have other ranks, or --parts N, or be one process.");
}

static void print_limits(void) {
  puts("Scripts of others\n"
       "\n"
       "  ria run --limited x.lua --allow data --limit memory=2G,time=10m --out results\n"
       "\n"
       "  A limited script has no os, io, debug, package, no bytecode and no __gc. It reads files\n"
       "  below its own folder and each --allow DIR, writes below --out, and follows no symbolic\n"
       "  link there. GDAL is not called, and PROJ for codes (EPSG:25829) alone. --limit or\n"
       "  --allow alone mean --limited, too. ria check, info and params of a script are always\n"
       "  limited; --trusted is for a script of yours that needs more there.\n"
       "\n"
       "  --limit         of a run   of a check   exit status when it is reached\n"
       "  (a file, or what is not there)          21\n"
       "  instructions    1e11       1e12         22   of Lua\n"
       "  memory          4G         10T          23   bytes: k, M, G, T\n"
       "  time            1h         1h           24   wall time: s, m, h, d\n"
       "  cells           1e8        1e10         25   of a grid or a raster\n"
       "  frames          1e4        1e4          26   pictures\n"
       "  output          10G        10G          27   bytes written, and printed\n"
       "\n"
       "  An error by a bound goes through every pcall. Results are closed, and run.json says\n"
       "  \"limit\". A function in C that does not come back (string.find with a pattern that\n"
       "  backtracks) ends the program 5 s after the time; results stay as they are then.\n"
       "  From C: ria/limit.h, and `limited` of ria_lua_options.");
}

static void print_howto(void) {
  puts("What to type\n"
       "\n"
       "  begin                      ria new bay; ria check bay.lua; ria run bay.lua\n"
       "  see it                     open out/bay/index.html, or: ria view out/bay\n"
       "\n"
       "  when was it worst at a gauge? after sim:run in the script (or in gauges.csv):\n"
       "    local t, c = sim:history(\"harbour\", \"oil\")\n"
       "    local worst = 1\n"
       "    for k = 2, #c do if c[k] > c[worst] then worst = k end end\n"
       "    print(c[worst], t[worst] / 3600)\n"
       "\n"
       "  a film                     ria video out/bay --field oil; or in the script, before\n"
       "                             sim:run: sim:film { \"oil\" }\n"
       "  the maximum in QGIS        in ria.sim: maxima = { \"oil\" }; after the run:\n"
       "                             ria export out/bay --to geotiff --store maxima\n"
       "  any field, any time        in the script: sim:every(\"1 h\", ria.save { \"level\" }); "
       "then\n"
       "                             ria export out/bay --to geotiff --time \"6 h\"\n"
       "  again with another river   ria params bay.lua lists what may be changed;\n"
       "                             ria run bay.lua river=80 --out out/flood\n"
       "                             (ria help ria.params: declare it in the script)\n"
       "  compare two runs           ria view out/bay out/flood; as a picture:\n"
       "                             ria render out/flood --field level --minus out/bay\n"
       "  go on after an end         ria run bay.lua --checkpoint-every \"10 min\", and then\n"
       "                             ria run bay.lua --continue\n"
       "\n"
       "  The manual has these and more, with what they print: docs/manual, installed as\n"
       "  share/doc/ria/manual.html.");
}

static void print_tides(void) {
  puts(
      "Tides\n"
      "\n"
      "  south = ria.tide { M2 = { 1.12, 78 }, S2 = { 0.39, 107 } }      m, degrees\n"
      "  south = ria.tide { { at = 0, M2 = ... }, { at = 1, M2 = ... } }  along a boundary\n"
      "  south = ria.tide { path = \"bay.bca\" }                           or a CSV\n"
      "  south = ria.tide { model = { M2 = \"m2_fes.nc\" } }               maps of a tidal "
      "model\n"
      "\n"
      "  In a run with a start phases are those at Greenwich, time UTC, as tide tables have\n"
      "  them; phases = \"local\" or \"relative\" says otherwise, nodal = \"daily\", \"mid\" or\n"
      "  \"none\" which factors of the moon's node hold (ria help ria.tide). The summary tells.\n"
      "  XTide's M1 is 20.3 degrees ahead of ria's all year; to have it, take nodal = \"mid\" and\n"
      "  20.3 from its phase. docs/lua.md says why.\n"
      "\n"
      "  local tides = require \"ria.tides\" works on sets of constituents:\n"
      "    tides.fit { dates =, values = }      analysis of a record, with errors; the same as\n"
      "                                         ria.tide_fit\n"
      "    tides.predict(set, dates)            levels; the same as ria.tide_predict\n"
      "    tides.read \"harbour.csv\"             the set that `ria tide --csv` wrote\n"
      "    tides.scale(set, 0.9)                all amplitudes times a factor\n"
      "    tides.delay(set, seconds)            the same tide, later\n"
      "    tides.between(a, b, 0.3)             between two places, 0 is a, 1 is b\n"
      "    tides.level(set, t)                  of phases relative to t = 0\n"
      "    tides.spring_neap(set)               amplitude at springs, at neaps\n"
      "\n"
      "  ria tide harbour.csv                   analysis of a record from the command line\n"
      "  sim:fit { \"M2\", \"S2\" }                amplitude and phase in every cell of a run\n"
      "  ria.tide_state(\"M2\", \"2026-07-14\")   speed, v, f and u at a date");
}

static const struct topic {
  const char *name, *doc;
  void (*print)(void);
} topics[] = {
    {"animation", "from frames to a film: ria video, ffmpeg", print_animation},
    {"checkpoints", "runs that go on after they were ended", print_checkpoints},
    {"dates", "times, dates, the start of a run and its zone", print_dates},
    {"howto", "frequent tasks: what to type", print_howto},
    {"limits", "scripts of others: what they may reach, and how much of it", print_limits},
    {"tides", "constituents and their phases; what ria.tides does with them", print_tides},
    {"units", "every unit that text may carry", print_units}};
enum { N_TOPICS = sizeof topics / sizeof *topics };

const char *cli_topic(size_t k, const char **doc) {
  if (k >= N_TOPICS) return NULL;
  *doc = topics[k].doc;
  return topics[k].name;
}

bool cli_print_topic(const char *name) {
  for (size_t k = 0; k < N_TOPICS; k++) {
    if (strcmp(topics[k].name, name) != 0) continue;
    topics[k].print();
    return true;
  }
  return false;
}
