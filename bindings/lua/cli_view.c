/* cli_view.c - ria view: the page of a run, served to a browser of this machine.
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

enum { CLIENTS = 32, PATIENCE = 30 /* s */ };

static volatile sig_atomic_t ended;
static void on_signal(int number) { ended = number; }

typedef struct visit {
  const http_site *site;
  atomic_int *count;
  int client;
} visit;

static void *serve(void *user) {
  visit *v = user;
  http_serve(v->site, v->client);
  atomic_fetch_sub(v->count, 1);
  free(v);
  return NULL;
}

/* --- what is served --------------------------------------------------------------------------- */

static int open_folder(const cli_options *o, int *folder) {
  struct stat st;
  *folder = open(o->file, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (*folder < 0) {
    cli_complain(o, "cannot open the folder '%s': %s", o->file, strerror(errno));
    return EXIT_INPUT;
  }
  if (fstatat(*folder, "index.html", &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode))
    return EXIT_OK;
  cli_complain(o,
               "'%s' has no page (index.html): give the directory of a run's results, as in `ria "
               "view out/bay`; runs before there were pages, or with page = false, have none",
               o->file);
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

/* This machine alone; without a port of the user's one that is free. */
static int open_socket(const cli_options *o, int port, http_site *site) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  socklen_t n = sizeof at;
  const int yes = 1;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (s >= 0) setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (s >= 0 && bind(s, (struct sockaddr *)&at, sizeof at) == 0 && listen(s, CLIENTS) == 0 &&
      getsockname(s, (struct sockaddr *)&at, &n) == 0) {
    site->port = ntohs(at.sin_port);
    return s;
  }
  const int code = errno;
  if (s >= 0) close(s);
  cli_complain(o, "cannot listen at 127.0.0.1%s%s: %s", port ? ", port " : "", port ? o->port : "",
               strerror(code));
  return -1;
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

/* --- serving ---------------------------------------------------------------------------------- */

static void welcome(const http_site *site, atomic_int *count, int client) {
  const struct timeval patience = {.tv_sec = PATIENCE};
  pthread_t thread;
  visit *v = malloc(sizeof *v);
  setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  if (v && atomic_fetch_add(count, 1) < CLIENTS) {
    *v = (visit){site, count, client};
    if (pthread_create(&thread, NULL, serve, v) == 0) {
      pthread_detach(thread);
      return;
    }
  }
  if (v) atomic_fetch_sub(count, 1);
  free(v);
  close(client);
}

/* Signals come only while nothing else is done: blocked, here and in the threads, but for ppoll. */
static void serve_all(const http_site *site, int listening, const sigset_t *open) {
  static atomic_int count; /* outlives threads that the end of the program overtakes */
  struct pollfd ready = {.fd = listening, .events = POLLIN};
  while (!ended) {
    if (ppoll(&ready, 1, NULL, open) <= 0) continue;
    const int client = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (client >= 0) welcome(site, &count, client);
  }
}

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

/* The site is static for the same reason as the count. Ctrl-C is how it is meant to end. */
int cli_view(const cli_options *o) {
  static http_site site;
  char url[128];
  sigset_t open;
  int port, code = read_port(o, &port);
  if (code == EXIT_OK) code = open_folder(o, &site.folder);
  if (code != EXIT_OK) return code;
  const int error = http_token(site.token);
  if (error) return cli_complain(o, "no random numbers: %s", strerror(error)), EXIT_SCRIPT;
  const int listening = open_socket(o, port, &site);
  if (listening < 0) return EXIT_USAGE;
  catch_signals(&open);
  snprintf(url, sizeof url, "http://127.0.0.1:%d/%s/", site.port, site.token);
  printf("%s\n", url);
  fflush(stdout);
  if (o->open) open_browser(o, url, &open);
  serve_all(&site, listening, &open);
  close(listening);
  return ended == SIGINT ? EXIT_OK : 128 + ended;
}
