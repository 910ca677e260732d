/* The clock of both devices, transition by transition: steps land on the end of a span, a step that
 * would reach a watched time is put off and leaves no trace, a bad step does not count, a step that
 * is too short ends the run, and the shortest step is explained. */
#include "test.h"

#include "solvers/shallow_water/shallow_water_clock_k.h"

#include <float.h>

static const sw_pace pace = {.cfl = 0.5, .dt_max = 0, .dt_min = 1e-3, .mix = 0};

static sw_clock clock_of(double t_stop, double t_watch, int64_t max_steps) {
  sw_clock c = {.dt_min = DBL_MAX, .speed_cell = -1};
  const ria_span span = {.t_stop = t_stop, .t_watch = t_watch, .max_steps = max_steps};
  sw_begin_span(&c, &span);
  return c;
}

/* Choose and take steps of a state whose speed is constant, until the span is over. */
static int run(sw_clock *c, double speed) {
  int steps = 0;
  for (; !sw_is_over(c); steps++) {
    sw_know(c, speed, 7);
    sw_take_dt(c, &pace, sw_stable_step(c, &pace, c->speed));
    if (c->done) break;
    sw_settle(c, 0);
  }
  return steps;
}

static void lands(void) {
  sw_clock c = clock_of(1.0, HUGE_VAL, 100);
  CHECK_INT(run(&c, 4.0), 8);
  CHECK(c.t == 1.0);
  c = clock_of(1.05, HUGE_VAL, 100);
  CHECK_INT(run(&c, 4.0), 9); /* the last two share what is left */
  CHECK(c.t == 1.05);         /* to the bit */
  CHECK_NEAR(c.dt, 0.0875, 1e-15);
  c = clock_of(1.0, HUGE_VAL, 3);
  CHECK_INT(run(&c, 4.0), 3);
  CHECK_INT(c.steps, 3);
  CHECK(c.t == 0.375);
  c = clock_of(2.0, HUGE_VAL, 5);
  CHECK_INT(run(&c, 0.0), 1); /* nothing limits it */
  CHECK(c.t == 2.0);
}

static void put_off(void) {
  sw_clock c = clock_of(10.0, 0.3, 100);
  CHECK_INT(run(&c, 4.0), 2);
  CHECK(c.done && c.failure == SW_WELL);
  CHECK(c.t == 0.25);
  sw_know(&c, 2.5, 7); /* the step to come would be of 0.2 s: it has not been taken */
  c.done = 0;
  CHECK(!sw_take_dt(&c, &pace, sw_stable_step(&c, &pace, c.speed)));
  CHECK(c.done);
  CHECK(c.dt == 0.125);
}

static void fails(void) {
  sw_clock c = clock_of(10.0, HUGE_VAL, 100);
  sw_know(&c, 5.0, 7);
  sw_take_dt(&c, &pace, 0.1);
  sw_settle(&c, 1);
  CHECK_INT(c.failure, SW_BAD);
  CHECK(c.done && c.t == 0 && c.steps == 0);
  const ria_span again = {.t_stop = 20, .t_watch = HUGE_VAL, .max_steps = 5};
  sw_begin_span(&c, &again);
  CHECK(sw_is_over(&c)); /* for good */

  c = clock_of(10.0, HUGE_VAL, 100);
  CHECK_INT(run(&c, 1000.0), 0);
  CHECK_INT(c.failure, SW_SHORT);
  CHECK_NEAR(c.dt_min, 5e-4, 1e-18);
  c = clock_of(10.0, HUGE_VAL, 100);
  const sw_pace any = {.cfl = 0.5};
  sw_take_dt(&c, &any, sw_stable_step(&c, &any, HUGE_VAL)); /* dt = 0 is never a step */
  CHECK_INT(c.failure, SW_SHORT);
}

/* Of steps that are equally short the first is the one to be explained. */
static void shortest(void) {
  sw_clock c = clock_of(10.0, HUGE_VAL, 100);
  CHECK(sw_take_dt(&c, &pace, 0.25));
  sw_settle(&c, 0);
  CHECK(!sw_take_dt(&c, &pace, 0.25));
  sw_settle(&c, 0);
  CHECK(sw_take_dt(&c, &pace, 0.125));
}

static void chooses(void) {
  sw_clock c = clock_of(10.0, HUGE_VAL, 100);
  const sw_pace mixed = {.cfl = 0.5, .dt_max = 0.2, .dt_min = 0, .mix = 3};
  sw_know(&c, 2.0, 7);
  CHECK_NEAR(sw_stable_step(&c, &mixed, c.speed), 0.1, 1e-15);
  sw_pace slow = mixed;
  slow.mix = 0.1;
  CHECK_NEAR(sw_stable_step(&c, &slow, 0.0), 0.2, 1e-15); /* dt_max */
  slow.relaxed = 7.9;                                     /* of layers, where nothing is faster */
  CHECK_NEAR(sw_stable_step(&c, &slow, 2.0), 0.0625, 1e-15);
  CHECK_NEAR(sw_stable_step(&c, &slow, 9.9), 0.05, 1e-15);
  CHECK_NEAR(sw_longest_step(&c, &mixed), 0.1, 1e-15);
  c.t = 9.95;
  CHECK_NEAR(sw_longest_step(&c, &mixed), 0.05, 1e-12);
  CHECK(sw_decisive(&c, sw_forced(1.0, 3, 0, 4.0)) == 2.0);
  CHECK(sw_decisive(&c, sw_forced(1.0, 3, 1, 4.0)) == 4.0); /* it may wet the domain */
  CHECK(sw_decisive(&c, sw_forced(6.0, 3, 1, 4.0)) == 6.0);
}

/* Eddies have the room that cfl leaves; beyond it they count, those of the last step too, and of a
 * tracer that they spread faster. */
static const sw_pace stirred = {
    .cfl = 0.5, .stirs = 1, .eddy = 1, .schmidt = 0.5, .spread = 2, .bears = 0.75};
static void stirs(void) {
  sw_clock c = clock_of(10.0, HUGE_VAL, 100);
  CHECK_NEAR(sw_stable_step(&c, &stirred, 9.0), 0.5 / 9, 1e-15);
  CHECK_NEAR(sw_stable_step(&c, &stirred, 8.0), 0.0625, 1e-15);
  CHECK_NEAR(sw_stable_step(&c, &stirred, 6.0), 0.075, 1e-15);
  c.eddy = 2;
  CHECK_NEAR(sw_stable_step(&c, &stirred, 3.0), 0.05, 1e-15);
  sw_pace slow = stirred;
  slow.schmidt = 10;
  CHECK_NEAR(sw_stable_step(&c, &slow, 3.0), 0.75 / 9, 1e-15);
  slow.diffusion = 3;
  CHECK_NEAR(sw_stable_step(&c, &slow, 3.0), 0.75 / 9.6, 1e-15);
  sw_reason why = {0};
  sw_know(&c, 11.0, 7);
  sw_why(&c, &stirred, sw_forced(0, -1, 0, 0), &why);
  CHECK_INT(why.limit, SW_LIMIT_EDDIES);
  CHECK_NEAR(why.eddies, 1 - 0.75 * 11 / (0.5 * 23), 1e-15);
  sw_know(&c, 13.0, 7);
  sw_why(&c, &stirred, sw_forced(0, -1, 0, 0), &why);
  CHECK_INT(why.limit, SW_LIMIT_FLOW);
  CHECK_NEAR(why.eddies, 1 - 0.75 * 13 / (0.5 * 25), 1e-15);
  c.eddy = 0;
  sw_why(&c, &stirred, sw_forced(0, -1, 0, 0), &why);
  CHECK(why.eddies == 0);
}

static sw_reason reason(double speed, int32_t cell, sw_fastest forced) {
  sw_clock c = clock_of(10.0, HUGE_VAL, 100);
  sw_reason why = {0};
  c.t = 4;
  sw_know(&c, speed, cell);
  sw_why(&c, &pace, forced, &why);
  CHECK(why.t == 4);
  return why;
}

static void explains(void) {
  sw_reason why = reason(2.0, 7, sw_forced(1.0, 3, 1, 0.5));
  CHECK_INT(why.limit, SW_LIMIT_FLOW);
  CHECK_INT(why.cell, 7);
  sw_flow_there(&why, 4.0, 6.0, 8.0, 9.0);
  CHECK(why.depth == 4.0 && why.speed == 2.5 && why.celerity == 6.0);
  why = reason(2.0, 7, sw_forced(3.0, 3, 1, 0.5));
  CHECK_INT(why.limit, SW_LIMIT_FORCING);
  CHECK_INT(why.cell, 3);
  why = reason(0.0, -1, sw_forced(0.0, -1, 1, 0.5)); /* dry: at the pace of what may come */
  CHECK_INT(why.limit, SW_LIMIT_OTHER);
  CHECK_INT(why.cell, 0);
  sw_clock c = clock_of(10.0, HUGE_VAL, 100);
  sw_pace layers = pace;
  layers.relaxed = 4.0;
  sw_know(&c, 2.0, 7);
  sw_why(&c, &layers, sw_forced(3.0, 3, 1, 0.5), &why); /* layers ask for more, and have no cell */
  CHECK_INT(why.limit, SW_LIMIT_OTHER);
  CHECK_INT(why.cell, 0);
  sw_know(&c, 5.0, 7);
  sw_why(&c, &layers, sw_forced(3.0, 3, 1, 0.5), &why);
  CHECK_INT(why.limit, SW_LIMIT_FLOW);
  CHECK_INT(why.cell, 7);
}

int main(void) {
  lands();
  put_off();
  fails();
  shortest();
  chooses();
  stirs();
  explains();
  return TEST_END();
}
