/* cli_live.c - ria run --view: the page of a run, served while it goes on.
 *
 * Threads of the server never touch the run, nor Lua. They hand out what the thread of the run last
 * said of it, and leave a request where that thread finds it when progress is next told, between
 * two batches of steps. A change becomes a line of Lua, which is run there and entered into the
 * run's log (ria_lua_change). It happens at the next time that steps land on anyway, so a run that
 * has the log from its start (--changes) has the same bytes. */
#include "cli.h"
#include "cli_http.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WAIT = 60 /* s for the run to answer */ };

struct cli_live {
  const cli_options *o;
  http_site site;
  int listening;
  volatile int end; /* of the thread that listens */
  pthread_t thread;
  pthread_mutex_t lock; /* of all below */
  pthread_cond_t turned;
  char *stands; /* JSON of ria_sim_stands; NULL: not yet */
  ria_progress_info info;
  bool paused, over;
  int code;                 /* of a run that is over */
  bool asked, answered;     /* a request; it has been dealt with */
  const char *what, *query; /* of it */
  char answer[1024];        /* JSON */
};

/* --- what is told ----------------------------------------------------------------------------- */

static void tell_run(cli_json *j, const cli_live *live) {
  const ria_progress_info *i = &live->info;
  json_open(j, "live", '{');
  json_number(j, "t_end_s", i->t_end);
  json_number(j, "dt_s", i->dt);
  json_number(j, "wall_s", i->wall);
  json_number(j, "eta_s", i->eta);
  json_number(j, "rate", i->rate);
  json_number(j, "mass_error", i->mass_error);
  json_number(j, "paused", live->paused);
  json_number(j, "over", live->over);
  json_number(j, "code", live->code);
  json_number(j, "may_change", live->o->allow_change && !live->over);
  json_close(j, '}');
}

static char *served(void *user) {
  cli_live *live = user;
  char *text = NULL;
  size_t n;
  cli_json j = {open_memstream(&text, &n), true};
  if (!j.to) return NULL;
  pthread_mutex_lock(&live->lock);
  json_open(&j, NULL, '{');
  tell_run(&j, live);
  if (live->stands) fprintf(j.to, ",\"stands\":%s", live->stands);
  json_close(&j, '}');
  pthread_mutex_unlock(&live->lock);
  return fclose(j.to) == 0 ? text : NULL;
}

static void reply(char *to, size_t size, const char *why) {
  char *text = NULL;
  size_t n;
  cli_json j = {open_memstream(&text, &n), true};
  if (!j.to) return;
  json_open(&j, NULL, '{');
  json_number(&j, "ok", !why);
  if (why) json_text(&j, "why", why);
  json_close(&j, '}');
  if (fclose(j.to) == 0) snprintf(to, size, "%s", n < size ? text : "{\"ok\":0}");
  free(text);
}

/* --- requests: on threads of the server ------------------------------------------------------- */

/* Until the thread of the run has answered. */
static void ask_run(cli_live *live, const char *what, const char *query, char *to, size_t size) {
  struct timespec until;
  int late = 0;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += WAIT;
  while (live->asked && !live->over && !late)
    late = pthread_cond_timedwait(&live->turned, &live->lock, &until);
  if (late || live->over) {
    reply(to, size, live->over ? "the run is over" : "the run does not answer");
    return;
  }
  live->what = what;
  live->query = query;
  live->asked = true;
  live->answered = false;
  while (!live->answered && !live->over && !late)
    late = pthread_cond_timedwait(&live->turned, &live->lock, &until);
  if (live->answered)
    snprintf(to, size, "%s", live->answer);
  else
    reply(to, size, live->over ? "the run is over" : "the run does not answer");
  live->asked = false;
  pthread_cond_broadcast(&live->turned);
}

static void act(void *user, const char *what, const char *query, char *to, size_t size) {
  cli_live *live = user;
  const bool pause = strcmp(what, "pause") == 0, resume = strcmp(what, "resume") == 0;
  const bool stop = strcmp(what, "stop") == 0;
  const bool change = strcmp(what, "spill") == 0 || strcmp(what, "boundary") == 0;
  pthread_mutex_lock(&live->lock);
  reply(to, size, NULL);
  if (pause || resume) {
    live->paused = pause;
    pthread_cond_broadcast(&live->turned);
  } else if (stop && !live->over) {
    live->paused = false;
    pthread_cond_broadcast(&live->turned);
    kill(getpid(), SIGINT); /* as Ctrl-C does */
  } else if (change && live->o->allow_change) {
    ask_run(live, what, query, to, size);
  } else {
    reply(to, size,
          change ? "the run takes no changes: start it with --allow-change"
          : stop ? "the run is over"
                 : "there is no such action");
  }
  pthread_mutex_unlock(&live->lock);
}

static void *listen_on(void *user) {
  cli_live *live = user;
  sigset_t none;
  sigfillset(&none);
  http_serve_all(&live->site, live->listening, &live->end, &none);
  return NULL;
}

/* --- changes: on the thread of the run -------------------------------------------------------- */

/* A value of the query as a number, in *out. */
static bool read_value(const char *query, const char *name, double *out) {
  char text[64], *end;
  if (!http_value(query, name, text, sizeof text)) return false;
  *out = strtod(text, &end);
  return end != text && !*end && isfinite(*out);
}

/* Names come from tables of the run: words, in quotes as Lua has them. */
static bool read_name(const char *query, const char *key, char *to, size_t size) {
  if (!http_value(query, key, to, size) || !to[0]) return false;
  for (const char *c = to; *c; c++)
    if ((unsigned char)*c < 32 || *c == 127) return false;
  return true;
}

static void quote(char *to, size_t size, const char *text) {
  size_t n = 0;
  for (const char *c = text; *c && n + 4 < size; c++) {
    if (*c == '"' || *c == '\\') to[n++] = '\\';
    to[n++] = *c;
  }
  to[n] = '\0';
}

static const char *write_spill(ria_sim *sim, const char *query, double t, char *line, size_t size) {
  static char why[256];
  char tracer[64], quoted[160];
  ria_ground ground;
  ria_spill_desc d = {.tracer = tracer, .start = t};
  if (!read_name(query, "tracer", tracer, sizeof tracer)) return "name the tracer";
  if (!read_value(query, "x", &d.x) || !read_value(query, "y", &d.y)) return "the place is missing";
  if (!read_value(query, "radius", &d.radius) || d.radius < 0.0) return "radius: expected m, >= 0";
  if (!read_value(query, "amount", &d.amount) || !(d.amount > 0.0)) return "amount: expected > 0";
  if (ria_sim_spill_ground(sim, &d, &ground, why, sizeof why) != RIA_OK)
    snprintf(why, sizeof why, "%s", ria_error(ria_sim_context(sim)));
  if (why[0]) return why;
  quote(quoted, sizeof quoted, tracer);
  snprintf(line, size,
           "sim:at(%.17g, ria.spill { tracer = \"%s\", x = %.17g, y = %.17g, radius = %.17g, "
           "amount = %.17g })",
           t, quoted, d.x, d.y, d.radius, d.amount);
  return NULL;
}

static const char *write_boundary(ria_sim *sim, const char *query, double t, char *line,
                                  size_t size) {
  char name[128], kind[64], name_in[300], kind_in[160];
  ria_boundary_id id;
  if (!read_name(query, "name", name, sizeof name)) return "name the boundary";
  if (!read_name(query, "kind", kind, sizeof kind)) return "name the kind";
  if (ria_boundary_find(sim, name, &id) != RIA_OK) return ria_error(ria_sim_context(sim));
  if (strcmp(kind, "open") != 0 && strcmp(kind, "wall") != 0) return "kind: open or wall";
  quote(name_in, sizeof name_in, name);
  quote(kind_in, sizeof kind_in, kind);
  snprintf(line, size, "sim:at(%.17g, function() sim:boundary(\"%s\", \"%s\") end)", t, name_in,
           kind_in);
  return NULL;
}

static const char *make_change(const cli_live *live, lua_State *L, ria_sim *sim) {
  char line[1024];
  const double t = ria_sim_next_stop(sim);
  if (!(t < live->info.t_end))
    return "nothing is to happen before the end of the run, so steps land on no time at which this "
           "could be repeated: a frame or a save would do";
  const char *why = strcmp(live->what, "spill") == 0
                        ? write_spill(sim, live->query, t, line, sizeof line)
                        : write_boundary(sim, live->query, t, line, sizeof line);
  if (why) return why;
  return ria_lua_change(L, sim, line) == RIA_OK ? NULL : ria_error(ria_sim_context(sim));
}

static void answer(cli_live *live, lua_State *L, ria_sim *sim) {
  if (!live->asked || live->answered) return;
  reply(live->answer, sizeof live->answer, make_change(live, L, sim));
  ria_error_clear(ria_sim_context(sim));
  live->answered = true;
  pthread_cond_broadcast(&live->turned);
}

/* --- a run ------------------------------------------------------------------------------------ */

static ria_status keep_stands(cli_live *live, ria_sim *sim) {
  char *now;
  RIA_TRY(ria_sim_stands(sim, &now));
  free(live->stands);
  live->stands = now;
  return RIA_OK;
}

/* Whoever waits is woken now and then: a signal ends the run, also one that is paused. */
static void wait_while_paused(cli_live *live, lua_State *L, ria_sim *sim) {
  while (live->paused && !cli_stopping) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    (void)pthread_cond_timedwait(&live->turned, &live->lock, &until);
    const bool asked = live->asked && !live->answered;
    answer(live, L, sim);
    if (asked) (void)keep_stands(live, sim);
  }
}

ria_status cli_live_tell(cli_live *live, lua_State *L, ria_sim *sim,
                         const ria_progress_info *info) {
  const char *out = ria_sim_out(sim);
  pthread_mutex_lock(&live->lock);
  live->info = *info;
  if (out && atomic_load(&live->site.folder) < 0)
    atomic_store(&live->site.folder, open(out, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  answer(live, L, sim);
  const ria_status s = keep_stands(live, sim);
  if (s == RIA_OK) wait_while_paused(live, L, sim);
  pthread_mutex_unlock(&live->lock);
  return s;
}

int cli_live_begin(const cli_options *o, cli_live **out) {
  char url[128];
  sigset_t all, before;
  *out = NULL;
  if (!o->view || !cli_speaks()) return EXIT_OK;
  cli_live *live = calloc(1, sizeof *live);
  if (!live) return cli_complain(o, "out of memory"), EXIT_SCRIPT;
  *live = (cli_live){.o = o,
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .turned = PTHREAD_COND_INITIALIZER,
                     .site = {.folder = -1, .served = served, .act = act}};
  live->site.user = live;
  live->listening = cli_site_begin(o, &live->site, url, sizeof url);
  const int code = live->listening < 0 ? -live->listening : EXIT_OK;
  if (code != EXIT_OK) return free(live), code;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  const int error = pthread_create(&live->thread, NULL, listen_on, live);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error) {
    cli_complain(o, "the page cannot be served: %s", strerror(error));
    close(live->listening);
    return free(live), EXIT_SCRIPT;
  }
  printf("%s\n", url);
  fflush(stdout);
  if (cli_opens(o)) cli_open_browser(o, url);
  *out = live;
  return EXIT_OK;
}

/* What threads of the server may still look at is not freed: it stays here until the program ends,
 * which is now. */
static cli_live *lasting;

void cli_live_end(cli_live *live, int code) {
  if (!live) return;
  lasting = live;
  pthread_mutex_lock(&live->lock);
  live->over = true;
  live->paused = false;
  live->code = code;
  pthread_cond_broadcast(&live->turned);
  pthread_mutex_unlock(&live->lock);
  const bool page = atomic_load(&live->site.folder) >= 0;
  live->end = 1;
  pthread_join(live->thread, NULL);
  if (cli_stopping > 0 || !page) return;
  fprintf(stderr, "the run is over; its page is served until Ctrl-C\n");
  (void)cli_site_wait(lasting->o, &lasting->site, lasting->listening, NULL);
}
