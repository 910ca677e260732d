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
       "series have the same size, colours and range, so that a film does not flicker. ffmpeg\n"
       "(Debian: apt-get install ffmpeg) makes a film that every browser plays:\n"
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
  puts("Times and dates\n"
       "\n"
       "  Every time is in seconds from the start of the run, or text with a unit:\n"
       "  90, \"90 s\", \"1:30\" (h:mm), \"1 h 30 min\", \"2.5 d\".\n"
       "\n"
       "  ria.sim { epoch = \"2026-07-14 06:30:00\" } says which calendar time t = 0 is, in UTC.\n"
       "  Stores then carry dates (without it plain seconds, and no date is made up), and a table\n"
       "  of measured values with a column of dates is read against them:\n"
       "\n"
       "    ria.series { path = \"river.csv\", column = \"flow\", epoch = \"2026-07-14 06:30\" }\n"
       "\n"
       "  Dates are YYYY-MM-DD, with hh:mm or hh:mm:ss behind it, in a column of a CSV file also\n"
       "  with a zone: 2026-07-14T06:30:00+02:00. Without a zone they are UTC.\n"
       "\n"
       "  sim:at, sim:every and sim:run take times from the start, not dates. For a date:\n"
       "\n"
       "    sim:at(\"1 d 6 h 30 min\", action)     epoch 2026-07-13: 2026-07-14 06:30\n"
       "\n"
       "  Phases of a tide are relative to t = 0: ria help ria.tide");
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

static const struct topic {
  const char *name, *doc;
  void (*print)(void);
} topics[] = {{"animation", "from frames to a film with ffmpeg", print_animation},
              {"dates", "times, dates and the epoch", print_dates},
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
