/* cli_view.c - ria view: the page of a run, or of two compared, served to a browser of this
 * machine.
 *
 * From the disk (file://) a page may read no files beside it, so it has pictures and curves;
 * served, it has the compressed fields too. One thread a connection, a bounded number of them;
 * whoever says nothing for a while is let go. */
#include "cli.h"
#include "cli_http.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int ended;
static void on_signal(int number) { ended = number; }

/* --- what is served --------------------------------------------------------------------------- */

static int open_folder(const cli_options *o, const char *path, int *folder) {
  struct stat st;
  *folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (*folder < 0) {
    cli_complain(o, "cannot open the folder '%s': %s", path, strerror(errno));
    return EXIT_INPUT;
  }
  if (fstatat(*folder, "index.html", &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
    return EXIT_OK;
  cli_complain(o,
               "'%s' has no page (index.html): give the directory of a run's results, as in `ria "
               "view out/bay`; runs before there were pages, or with page = false, have none",
               path);
  close(*folder);
  return EXIT_INPUT;
}

static int read_port(const cli_options *o, int *port) {
  char *end;
  *port = 0;
  if (!o->port) return EXIT_OK;
  const long n = strtol(o->port, &end, 10);
  if (*end || end == o->port || n < 1 || n > 65535) {
    cli_complain(o, "--port %s: expected a whole number, 1 .. 65535", o->port);
    return EXIT_USAGE;
  }
  *port = (int)n;
  return EXIT_OK;
}

/* Its descriptor; -1: the reason was told. */
static int open_socket(const cli_options *o, int port, http_site *site) {
  const int s = http_listen(&port);
  site->port = port;
  if (s < 0)
    cli_complain(o, "cannot listen at 127.0.0.1%s%s: %s", o->port ? ", port " : "",
                 o->port ? o->port : "", strerror(errno));
  return s;
}

/* --- a browser -------------------------------------------------------------------------------- */

static void be_browser(char *url, const sigset_t *open_signals) {
  const int null = open("/dev/null", O_RDWR);
  if (null >= 0) {
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
  }
  char *const argv[] = {(char *)"xdg-open", url, NULL};
  sigprocmask(SIG_SETMASK, open_signals, NULL);
  execvp(argv[0], argv);
  _exit(127);
}

/* xdg-open by the path; the child of a child, which nobody has to wait for. */
static void open_browser(const cli_options *o, char *url, const sigset_t *open_signals) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) {
    const pid_t grandchild = fork();
    if (grandchild == 0) be_browser(url, open_signals);
    _exit(grandchild < 0);
  }
  if (child < 0 || waitpid(child, &status, 0) < 0 || status)
    cli_complain(o, "xdg-open cannot be started: open the address by hand");
}

/* Whoever types at a terminal of a desktop wants to see it. */
bool cli_opens(const cli_options *o) {
  const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
  const bool desktop = (x && *x) || (wayland && *wayland);
  return o->open || (!o->no_open && desktop && isatty(STDOUT_FILENO));
}

void cli_open_browser(const cli_options *o, char *url) {
  sigset_t open;
  pthread_sigmask(SIG_BLOCK, NULL, &open);
  open_browser(o, url, &open);
}

/* --- serving ---------------------------------------------------------------------------------- */

static void catch_signals(sigset_t *open) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  sigset_t blocked;
  sigemptyset(&blocked);
  for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) {
    sigaction(signals[k], &(struct sigaction){.sa_handler = on_signal}, NULL);
    sigaddset(&blocked, signals[k]);
  }
  pthread_sigmask(SIG_BLOCK, &blocked, open);
  for (size_t k = 0; k < sizeof signals / sizeof *signals; k++) sigdelset(open, signals[k]);
}

int cli_site_begin(const cli_options *o, http_site *site, char *url, size_t size) {
  int port, code = read_port(o, &port);
  if (code != EXIT_OK) return -code;
  const int error = http_token(site->token);
  if (error) return cli_complain(o, "no random numbers: %s", strerror(error)), -EXIT_SCRIPT;
  const int listening = open_socket(o, port, site);
  if (listening < 0) return -EXIT_USAGE;
  snprintf(url, size, "http://127.0.0.1:%d/%s/", site->port, site->token);
  return listening;
}

int cli_site_wait(const cli_options *o, const http_site *site, int listening, char *url) {
  sigset_t open;
  catch_signals(&open); /* before anyone can know of it */
  if (url) printf("%s\n", url);
  fflush(stdout);
  if (url && cli_opens(o)) open_browser(o, url, &open);
  http_serve_all(site, listening, &ended, &open);
  close(listening);
  return ended;
}

/* What the page of two calls them: their folders, as they were given. */
static char *tell_folders(void *user) {
  const char *const *given = user;
  char *text = NULL;
  size_t n;
  cli_json j = {open_memstream(&text, &n), true};
  if (!j.to) return NULL;
  json_open(&j, NULL, '{');
  json_text(&j, "a", given[0]);
  json_text(&j, "b", given[1]);
  json_close(&j, '}');
  return fclose(j.to) == 0 ? text : NULL;
}

/* What is static outlives threads that the end of the program overtakes. */
static int open_second(const cli_options *o, http_site *site) {
  static http_pair pair;
  static const char *given[2];
  pair = (http_pair){cli_compare_html, cli_compare_html_size, {atomic_load(&site->folder), -1}};
  given[0] = o->file;
  given[1] = o->second;
  site->pair = &pair;
  site->served = tell_folders;
  site->user = (void *)given;
  return open_folder(o, o->second, &pair.folders[1]);
}

/* The site is static, as above. Ctrl-C is how it is meant to end. */
int cli_view(const cli_options *o) {
  static http_site site = {.folder = -1};
  char url[128];
  int folder, listening, code = open_folder(o, o->file, &folder);
  if (code != EXIT_OK) return code;
  atomic_store(&site.folder, folder);
  if (o->second) code = open_second(o, &site);
  if (code != EXIT_OK) return code;
  listening = cli_site_begin(o, &site, url, sizeof url);
  if (listening < 0) return -listening;
  const int end = cli_site_wait(o, &site, listening, url);
  return end == SIGINT ? EXIT_OK : 128 + end;
}
