/* tests/unit/world_file.c - the files beside plain frames by which a GIS places them: what stands
 * in them, for which coordinate systems they are there, and that overwriting removes them. */
#include "base/text.h"
#include "files.h"
#include "io/frame.h"
#include "io/world_file.h"
#include "toy.h"
#include <unistd.h>

static ria_context *ctx;

static bool there(const char *name) { return ria_file_exists(files_path(name)); }

/* --- what stands in them ---------------------------------------------------------------------- */

static void put(const ria_grid *grid, int width, const char *crs) {
  char err[RIA_ERR_TEXT];
  const ria_frame_input in = {.grid = *grid, .vmax = 1, .no_decor = true, .width = width};
  CHECK_INT(ria_world_files_put(&in, files_path("a_000000.png"), crs, err, sizeof err), RIA_OK);
}

static void places(void) {
  const ria_grid coarse = {30, 20, 100, 100, 512340.5, 4690000, 0},
                 fine = {1000, 500, 3, 2, -7, 0, 0};
  put(&coarse, 300, NULL); /* ten pixels a cell */
  CHECK_TEXT(files_get(files_path("a_000000.pgw")), "10\n0\n0\n-10\n512345.5\n4691995\n");
  put(&fine, 250, NULL); /* 250 x 84: the proportions, made even */
  CHECK_TEXT(files_get(files_path("a_000000.pgw")),
             "12\n0\n0\n-11.904761904761905\n-1\n994.047619047619\n");
  CHECK(!there("a_000000.prj") && !there("a_000000.png.aux.xml"));
}

/* Pixel (column, row) is at A column + C, E row + F: the corners are the grid's. */
static void corners(void) {
  const ria_grid g = {37, 23, 12.5, 10, 1234.25, -876.5, 0};
  double a, d, b, e, c, f;
  put(&g, 0, NULL);
  CHECK_INT(
      sscanf(files_get(files_path("a_000000.pgw")), "%lf%lf%lf%lf%lf%lf", &a, &d, &b, &e, &c, &f),
      6);
  const double columns = 960, rows = 478; /* 960 x 230 / 462.5, even */
  CHECK(b == 0 && d == 0);
  CHECK_NEAR(a * -0.5 + c, g.x0, 1e-9);
  CHECK_NEAR(a * (columns - 0.5) + c, g.x0 + g.nx * g.dx, 1e-9);
  CHECK_NEAR(e * -0.5 + f, g.y0 + g.ny * g.dy, 1e-9);
  CHECK_NEAR(e * (rows - 0.5) + f, g.y0, 1e-9);
}

/* Turned by 90 degrees: columns go north and rows east. */
static void turned(void) {
  const ria_grid g = {30, 20, 100, 100, 512340, 4690000, 90};
  put(&g, 300, NULL);
  CHECK_TEXT(files_get(files_path("a_000000.pgw")), "0\n10\n10\n0\n510345\n4690005\n");
}

static void systems(void) {
  const ria_grid g = {10, 10, 1, 1, 0, 0, 0};
  put(&g, 100, "EPSG:25829");
  CHECK_HOLDS(files_get(files_path("a_000000.prj")),
              "PROJCS[\"ETRS89 / UTM zone 29N\",GEOGCS[\"ETRS89\",");
  CHECK_TEXT(files_get(files_path("a_000000.png.aux.xml")),
             "<PAMDataset>\n  <SRS>EPSG:25829</SRS>\n</PAMDataset>\n");
  put(&g, 100, "LOCAL_CS[\"a<b&c\"]");
  CHECK_TEXT(files_get(files_path("a_000000.prj")), "LOCAL_CS[\"a<b&c\"]");
  CHECK_TEXT(files_get(files_path("a_000000.png.aux.xml")),
             "<PAMDataset>\n  <SRS>LOCAL_CS[\"a&lt;b&amp;c\"]</SRS>\n</PAMDataset>\n");
  CHECK(unlink(files_path("a_000000.prj")) == 0);
  put(&g, 100, "EPSG:3035"); /* a code that is not spelled out here */
  CHECK(!there("a_000000.prj"));
  CHECK_TEXT(files_get(files_path("a_000000.png.aux.xml")),
             "<PAMDataset>\n  <SRS>EPSG:3035</SRS>\n</PAMDataset>\n");
}

/* --- in a run --------------------------------------------------------------------------------- */

static const char *const endings[] = {"pgw", "prj", "png.aux.xml"};

static const char *system_of_runs = "EPSG:32629";

static ria_sim *drawing(const char *dir, const ria_frame_desc *frame) {
  ria_sim *sim = toy_sim(ctx, NULL, 0, files_path(dir));
  ria_action act;
  sim->overwrite = true;
  sim->crs = ria_strdup(system_of_runs);
  CHECK_OK(ctx, ria_frame_action(sim, frame, &act));
  CHECK_OK(ctx, ria_sim_every(sim, 1.0, 0.0, 0.0, &act, NULL));
  return sim;
}

static void run(const char *dir, const ria_frame_desc *frame) {
  ria_sim *sim = drawing(dir, frame);
  CHECK_OK(ctx, ria_sim_run(sim, 2.0));
  ria_sim_destroy(&sim);
}

static int count_beside(const char *stem) {
  char name[60];
  int n = 0;
  for (int k = 0; k < 3; k++) {
    snprintf(name, sizeof name, "%s.%s", stem, endings[k]);
    n += there(name);
  }
  return n;
}

static const ria_frame_desc plain = {.field = "level", .no_decor = true};
static const ria_frame_desc whole = {.field = "level"};
static const ria_frame_desc bare = {.field = "level", .no_decor = true, .no_world_file = true};

static void beside_plain_frames(void) {
  run("a", &plain);
  CHECK_INT(count_beside("a/frames/level/level_000000"), 3);
  CHECK_INT(count_beside("a/frames/level/level_000002"), 3);
  CHECK_HOLDS(files_get(files_path("a/run.json")),
              "\"name\": \"level\",\n        \"count\": 3,\n        \"world_files\": [\n          "
              "\".pgw\",\n          "
              "\".prj\",\n          \".png.aux.xml\"\n        ]\n");
  run("a", &whole); /* removes them, and makes none */
  CHECK_INT(count_beside("a/frames/level/level_000000"), 0);
  CHECK_INT(count_beside("a/frames/level/level_000002"), 0);
  CHECK(there("a/frames/level/level_000002.png"));
  CHECK(!strstr(files_get(files_path("a/run.json")), "world"));
  run("a", &bare);
  CHECK_INT(count_beside("a/frames/level/level_000000"), 0);
}

/* Those that somebody made beside frames without any are theirs: they stay, and are in the way of a
 * run that would write over them. */
static void of_the_user(void) {
  char expected[700];
  run("b", &whole);
  files_put("b/frames/level/level_000001.pgw", "mine");
  run("b", &whole);
  CHECK_TEXT(files_get(files_path("b/frames/level/level_000001.pgw")), "mine");
  ria_sim *sim = drawing("b", &plain);
  snprintf(expected, sizeof expected,
           "directory '%s/b' holds files that no run of ria made and this one would write over: "
           "'frames/level/level_000001.pgw': move them, or choose another directory",
           files_dir);
  CHECK_FAILS(ctx, ria_sim_run(sim, 2.0), RIA_ERR_OUTPUT, expected);
  ria_sim_destroy(&sim);
  CHECK_TEXT(files_get(files_path("b/frames/level/level_000001.pgw")), "mine");
}

/* Only the endings that the run wrote are its own: local metres have no .prj. */
static void of_the_user_beside_ours(void) {
  char expected[700];
  system_of_runs = NULL;
  run("d", &plain);
  CHECK_INT(count_beside("d/frames/level/level_000001"), 1);
  files_put("d/frames/level/level_000001.prj", "mine");
  files_put("d/frames/level/level_000001.png.aux.xml", "mine");
  run("d", &plain);
  CHECK_TEXT(files_get(files_path("d/frames/level/level_000001.prj")), "mine");
  run("d", &whole);
  CHECK(!there("d/frames/level/level_000001.pgw"));
  CHECK_TEXT(files_get(files_path("d/frames/level/level_000001.prj")), "mine");
  CHECK_TEXT(files_get(files_path("d/frames/level/level_000001.png.aux.xml")), "mine");
  system_of_runs = "EPSG:3035"; /* no .prj, as it is not spelled out */
  CHECK(remove(files_path("d/frames/level/level_000001.png.aux.xml")) == 0);
  run("d", &plain);
  CHECK_TEXT(files_get(files_path("d/frames/level/level_000001.prj")), "mine");
  system_of_runs = "EPSG:32629";
  ria_sim *sim = drawing("d", &plain);
  snprintf(expected, sizeof expected,
           "directory '%s/d' holds files that no run of ria made and this one would write over: "
           "'frames/level/level_000001.prj': move them, or choose another directory",
           files_dir);
  CHECK_FAILS(ctx, ria_sim_run(sim, 2.0), RIA_ERR_OUTPUT, expected);
  ria_sim_destroy(&sim);
}

/* Plain frames that are added to a name: before its first frame run.json is told, after it it is
 * too late. */
static void added_late(void) {
  ria_action act;
  ria_sim *sim = drawing("c", &whole);
  CHECK_OK(ctx, ria_sim_start(sim));
  CHECK(!strstr(files_get(files_path("c/run.json")), "world"));
  const ria_frame_desc other = {.field = "oil", .no_decor = true};
  CHECK_OK(ctx, ria_frame_action(sim, &(ria_frame_desc){.field = "oil"}, &act));
  CHECK_OK(ctx, ria_sim_at(sim, 1.0, &act, NULL));
  CHECK_OK(ctx, ria_frame_action(sim, &other, &act));
  CHECK_OK(ctx, ria_sim_at(sim, 1.5, &act, NULL));
  CHECK_OK(ctx, ria_sim_advance(sim, 1.0));
  ria_frame_desc asked = plain;
  asked.world_file = true;
  CHECK_FAILS(ctx, ria_frame_action(sim, &asked, &act), RIA_ERR_ARGUMENT,
              "frames named 'level' have been made without world files: write name = "
              "\"level_plain\", or world_file = false");
  CHECK_OK(ctx, ria_frame_action(sim, &plain, &act)); /* by default: without */
  CHECK_OK(ctx, ria_sim_at(sim, 1.25, &act, NULL));
  CHECK_OK(ctx, ria_frame_action(sim, &bare, &act));
  CHECK_OK(ctx, ria_sim_run(sim, 2.0));
  ria_sim_destroy(&sim);
  CHECK_INT(count_beside("c/frames/level/level_000002"), 0);
  CHECK_INT(count_beside("c/frames/oil/oil_000000"), 0);
  CHECK_INT(count_beside("c/frames/oil/oil_000001"), 3);
}

int main(void) {
  files_begin();
  CHECK_OK(NULL, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  places();
  corners();
  turned();
  systems();
  beside_plain_frames();
  of_the_user();
  of_the_user_beside_ours();
  added_late();
  ria_context_destroy(&ctx);
  files_end();
  return TEST_END();
}
