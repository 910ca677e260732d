/* cli_http.c - a folder over HTTP/1.1, to be read; of a run that goes on, to be acted on.
 *
 * GET and HEAD of regular files, and POST where the site has `act`, one request after the other on
 * a connection. A path is opened component by component without following links, so nothing outside
 * the folder is reached however an address is written. A request must name this machine in Host: a
 * page of some other site that has its own name lead here (DNS rebinding) gets nothing, and does
 * not know the token either. */
#include "cli_http.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CLIENTS = 32, PATIENCE = 30 /* s */ };
enum { REQUEST_MOST = 8192, PATH_MOST = 1024, BLOCK = 1 << 16 };

int http_token(char token[HTTP_TOKEN + 1]) {
  unsigned char bytes[HTTP_TOKEN / 2];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return errno ? errno : EIO;
  for (size_t k = 0; k < sizeof bytes; k++) snprintf(token + 2 * k, 3, "%02x", bytes[k]);
  return 0;
}

/* --- files ------------------------------------------------------------------------------------ */

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  c = (char)tolower((unsigned char)c);
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* %20 and the like; false where that is no text of a path. */
static bool decode(const char *from, size_t n, bool path, char *to, size_t room) {
  size_t at = 0;
  for (size_t k = 0; k < n; k++) {
    int c = (unsigned char)from[k];
    if (c == '%') {
      if (k + 2 >= n || hex(from[k + 1]) < 0 || hex(from[k + 2]) < 0) return false;
      c = hex(from[k + 1]) * 16 + hex(from[k + 2]);
      k += 2;
      if (c == '/' && path) return false; /* it would part what the address did not */
    }
    if (c == 0 || at + 1 >= room) return false;
    to[at++] = (char)c;
  }
  to[at] = '\0';
  return true;
}

/* Not hidden, but for the metadata of a store. */
static bool may_be_named(const char *name) {
  static const char *const metadata[] = {".zarray", ".zattrs", ".zgroup", ".zmetadata"};
  if (name[0] && name[0] != '.') return true;
  for (size_t k = 0; k < sizeof metadata / sizeof *metadata; k++)
    if (strcmp(name, metadata[k]) == 0) return true;
  return false;
}

static const char *type_of(const char *name) {
  static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                         {".js", "text/javascript; charset=utf-8"},
                                         {".json", "application/json"},
                                         {".csv", "text/csv; charset=utf-8"},
                                         {".png", "image/png"}};
  const char *end = strrchr(name, '.');
  for (size_t k = 0; end && k < sizeof types / sizeof *types; k++)
    if (strcmp(end, types[k][0]) == 0) return types[k][1];
  return "application/octet-stream";
}

/* The directory or file `name` of a directory, which is closed. */
static int step(int dir, const char *name, bool last) {
  const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (last ? 0 : O_DIRECTORY);
  const int fd = may_be_named(name) ? openat(dir, name, flags) : -1;
  close(dir);
  return fd;
}

int http_open(int folder, const char *path, size_t n, long long *size, const char **type) {
  char text[PATH_MOST], *name = text;
  struct stat st;
  if (!decode(path, n, true, text, sizeof text)) return -1;
  if (!text[0]) strcpy(text, "index.html");
  int fd = fcntl(folder, F_DUPFD_CLOEXEC, 0);
  for (char *slash; fd >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
    *slash = '\0';
    fd = step(fd, name, false);
  }
  if (fd >= 0) fd = step(fd, name, true);
  if (fd < 0) return -1;
  if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
    close(fd);
    return -1;
  }
  *size = (long long)st.st_size;
  *type = type_of(name);
  return fd;
}

bool http_value(const char *query, const char *name, char *to, size_t room) {
  const size_t length = strlen(name);
  for (const char *at = query; *at; at += *at == '&') {
    const size_t n = strcspn(at, "&");
    if (n > length && at[length] == '=' && strncmp(at, name, length) == 0)
      return decode(at + length + 1, n - length - 1, false, to, room);
    at += n;
  }
  return false;
}

/* --- answers ---------------------------------------------------------------------------------- */

typedef struct request {
  char text[REQUEST_MOST + 1];
  size_t n;
} request;

static bool send_all(int to, const char *data, size_t n) {
  while (n) {
    const ssize_t sent = send(to, data, n, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    data += sent;
    n -= (size_t)sent;
  }
  return true;
}

/* Nothing of a page may come from elsewhere, or be put into a page of elsewhere. */
static const char fixed[] =
    "Cache-Control: no-cache\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Content-Security-Policy: default-src 'none'; script-src 'self' 'unsafe-inline'; style-src "
    "'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action "
    "'none'; frame-ancestors 'none'\r\n";

static bool send_head(int to, const char *status, const char *type, long long size, bool keep,
                      const char *more) {
  char head[1024];
  const int n = snprintf(head, sizeof head,
                         "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %lld\r\n%s%s"
                         "Connection: %s\r\n\r\n",
                         status, type, size, fixed, more, keep ? "keep-alive" : "close");
  return n > 0 && (size_t)n < sizeof head && send_all(to, head, (size_t)n);
}

static bool refuse(int to, const char *status, bool keep, bool body) {
  char text[64];
  const int n = snprintf(text, sizeof text, "%s\n", status);
  const char *more = strncmp(status, "405", 3) == 0 ? "Allow: GET, HEAD\r\n" : "";
  return send_head(to, status, "text/plain; charset=utf-8", n, keep, more) &&
         (!body || send_all(to, text, (size_t)n)) && keep;
}

/* As many bytes as the head said: a file that shrank meanwhile ends the connection. */
static bool send_file(int to, int fd, long long size) {
  char *block = malloc(BLOCK);
  bool good = block != NULL;
  while (good && size > 0) {
    const size_t want = size < BLOCK ? (size_t)size : BLOCK;
    const ssize_t n = read(fd, block, want);
    if (n < 0 && errno == EINTR) continue;
    good = n > 0 && send_all(to, block, (size_t)n);
    size -= n;
  }
  free(block);
  return good;
}

/* --- requests --------------------------------------------------------------------------------- */

/* The value of a header, in `to`; false where there is none. */
static bool header(const char *head, const char *name, char *to, size_t room) {
  const size_t length = strlen(name);
  for (const char *line = strstr(head, "\r\n"); line; line = strstr(line, "\r\n")) {
    line += 2;
    if (strncasecmp(line, name, length) != 0 || line[length] != ':') continue;
    const char *value = line + length + 1 + strspn(line + length + 1, " \t");
    const size_t n = strcspn(value, "\r\n");
    if (n >= room) return false;
    memcpy(to, value, n);
    to[n] = '\0';
    return true;
  }
  return false;
}

static bool is_here(const http_site *site, const char *head) {
  char host[64], ours[64];
  if (!header(head, "Host", host, sizeof host)) return false;
  static const char *const names[] = {"127.0.0.1", "localhost"};
  for (size_t k = 0; k < 2; k++) {
    snprintf(ours, sizeof ours, "%s:%d", names[k], site->port);
    if (strcasecmp(host, ours) == 0) return true;
  }
  return false;
}

/* Takes as long whatever is wrong. */
static bool has_token(const http_site *site, const char *path, size_t n) {
  if (n < HTTP_TOKEN + 2 || path[0] != '/' || path[HTTP_TOKEN + 1] != '/') return false;
  unsigned char differ = 0;
  for (size_t k = 0; k < HTTP_TOKEN; k++) differ |= (unsigned char)(path[k + 1] ^ site->token[k]);
  return differ == 0;
}

static bool send_bytes(int to, const char *type, const char *bytes, size_t n, bool keep,
                       bool body) {
  return send_head(to, "200 OK", type, (long long)n, keep, "") &&
         (!body || send_all(to, bytes, n)) && keep;
}

static bool send_text(int to, const char *type, const char *text, bool keep, bool body) {
  return send_bytes(to, type, text, strlen(text), keep, body);
}

/* Until there is a folder. */
static const char starting[] =
    "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><meta http-equiv=\"refresh\" "
    "content=\"1\"><link rel=\"icon\" href=\"data:,\"><title>ria</title><p>The run is being "
    "prepared; its page comes with its first step.</p></html>\n";

/* What is no file: *done. */
static bool send_made(const http_site *site, int client, const char *rest, size_t n, bool keep,
                      bool body, bool *done) {
  static const char html[] = "text/html; charset=utf-8";
  const http_pair *pair = site->pair;
  const bool told = n == 11 && strncmp(rest, "served.json", n) == 0;
  *done = told || (n == 0 && (pair || atomic_load(&site->folder) < 0));
  if (!*done) return keep;
  if (!told && pair)
    return send_bytes(client, html, (const char *)pair->page, pair->size, keep, body);
  if (!told) return send_text(client, html, starting, keep, body);
  char *json = site->served ? site->served(site->user) : NULL;
  const bool good = send_text(client, "application/json", json ? json : "{}", keep, body);
  free(json);
  return good;
}

/* The folder of a path, whose a/ or b/ is taken off where there are two; -1: it is in none. */
static int folder_of(const http_site *site, const char **path, size_t *n) {
  if (!site->pair) return atomic_load(&site->folder);
  const char *at = *path;
  if (*n < 2 || at[1] != '/' || (at[0] != 'a' && at[0] != 'b')) return -1;
  *path += 2;
  *n -= 2;
  return site->pair->folders[at[0] == 'b'];
}

static bool send_path(const http_site *site, int client, const char *path, size_t n, bool keep,
                      bool body) {
  long long size;
  const char *type;
  const size_t query = strcspn(path, "?# ");
  if (query < n) n = query;
  if (!has_token(site, path, n)) return refuse(client, "404 Not Found", keep, body);
  const char *rest = path + HTTP_TOKEN + 2;
  bool done;
  n -= HTTP_TOKEN + 2;
  const bool made = send_made(site, client, rest, n, keep, body, &done);
  if (done) return made;
  const int folder = folder_of(site, &rest, &n);
  const int fd = folder < 0 ? -1 : http_open(folder, rest, n, &size, &type);
  if (fd < 0) return refuse(client, "404 Not Found", keep, body);
  bool good = send_head(client, "200 OK", type, size, keep, "");
  if (good && body) good = send_file(client, fd, size);
  close(fd);
  return good && keep;
}

/* A browser says where a page comes from that acts: from nowhere else than here. */
static bool is_ours(const http_site *site, const char *head) {
  char origin[64], ours[64];
  if (!header(head, "Origin", origin, sizeof origin)) return strstr(head, "\r\nOrigin:") == NULL;
  static const char *const names[] = {"127.0.0.1", "localhost"};
  for (size_t k = 0; k < 2; k++) {
    snprintf(ours, sizeof ours, "http://%s:%d", names[k], site->port);
    if (strcmp(origin, ours) == 0) return true;
  }
  return false;
}

/* POST /<token>/act/<what>?<query> */
static bool act(const http_site *site, int client, const char *path, size_t n, bool keep) {
  char what[16], query[1024], answer[1024];
  const size_t length = strcspn(path, "?# "), begin = HTTP_TOKEN + 2 + 4;
  const char *asked = length < n && path[length] == '?' ? path + length + 1 : "";
  const size_t most = asked[0] ? n - length - 1 : 0;
  if (!has_token(site, path, length < n ? length : n) || length <= begin ||
      strncmp(path + begin - 4, "act/", 4) != 0 || length - begin >= sizeof what)
    return refuse(client, "404 Not Found", keep, true);
  if (most >= sizeof query) return refuse(client, "400 Bad Request", false, true);
  snprintf(what, sizeof what, "%.*s", (int)(length - begin), path + begin);
  snprintf(query, sizeof query, "%.*s", (int)most, asked);
  site->act(site->user, what, query, answer, sizeof answer);
  return send_text(client, "application/json", answer, keep, true);
}

/* One request, its head NUL-terminated. True: another may follow. */
static bool answer(const http_site *site, int client, const char *head) {
  char value[64];
  const size_t line = strcspn(head, "\r\n");
  const char *path = memchr(head, ' ', line);
  const char *version = path ? memchr(path + 1, ' ', line - (size_t)(path + 1 - head)) : NULL;
  if (!version || strncmp(version + 1, "HTTP/1.", 7) != 0)
    return refuse(client, "400 Bad Request", false, true);
  path++;
  const bool get = strncmp(head, "GET ", 4) == 0, just_head = strncmp(head, "HEAD ", 5) == 0;
  const bool post = site->act && strncmp(head, "POST ", 5) == 0;
  if (!get && !just_head && !post) return refuse(client, "405 Method Not Allowed", false, true);
  if (!is_here(site, head) || (post && !is_ours(site, head)))
    return refuse(client, "403 Forbidden", false, !just_head);
  if (header(head, "Transfer-Encoding", value, sizeof value) ||
      (header(head, "Content-Length", value, sizeof value) && strcmp(value, "0") != 0))
    return refuse(client, "400 Bad Request", false, get); /* its body would be the next request */
  bool keep = version[8] == '1';
  if (header(head, "Connection", value, sizeof value) && strcasecmp(value, "close") == 0)
    keep = false;
  if (post) return act(site, client, path, (size_t)(version - path), keep);
  return send_path(site, client, path, (size_t)(version - path), keep, get);
}

/* Up to the empty line: where the next one begins; 0: none came, -1: too long. */
static long read_head(request *r, int client) {
  for (;;) {
    r->text[r->n] = '\0';
    const char *end = strstr(r->text, "\r\n\r\n");
    if (end) return (long)(end - r->text) + 4;
    if (r->n == REQUEST_MOST) return -1;
    const ssize_t n = recv(client, r->text + r->n, REQUEST_MOST - r->n, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    if (memchr(r->text + r->n, 0, (size_t)n)) return -1;
    r->n += (size_t)n;
  }
}

void http_serve(const http_site *site, int client) {
  request *r = calloc(1, sizeof *r);
  long n = 0;
  while (r && (n = read_head(r, client)) > 0) {
    r->text[n - 2] = '\0'; /* the last header keeps its end of line */
    if (!answer(site, client, r->text)) break;
    r->n -= (size_t)n;
    memmove(r->text, r->text + n, r->n);
  }
  if (n < 0) refuse(client, "431 Request Header Fields Too Large", false, true);
  free(r);
  shutdown(client, SHUT_WR);
  close(client);
}

/* --- connections ------------------------------------------------------------------------------ */

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

int http_listen(int *port) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)*port)};
  socklen_t n = sizeof at;
  const int yes = 1;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int s = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (s >= 0) setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (s >= 0 && bind(s, (struct sockaddr *)&at, sizeof at) == 0 && listen(s, CLIENTS) == 0 &&
      getsockname(s, (struct sockaddr *)&at, &n) == 0) {
    *port = ntohs(at.sin_port);
    return s;
  }
  const int code = errno;
  if (s >= 0) close(s);
  errno = code;
  return -1;
}

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
void http_serve_all(const http_site *site, int listening, const volatile int *end,
                    const sigset_t *open) {
  static atomic_int count; /* outlives threads that the end of the program overtakes */
  struct pollfd ready = {.fd = listening, .events = POLLIN};
  while (!*end) {
    if (ppoll(&ready, 1, &(struct timespec){.tv_sec = 1}, open) <= 0) continue;
    const int client = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (client >= 0) welcome(site, &count, client);
  }
}
