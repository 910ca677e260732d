/* cli_http.h - a folder over HTTP/1.1, to be read: what `ria view` serves. Private to the program.
 */
#ifndef RIA_CLI_HTTP_H
#define RIA_CLI_HTTP_H
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { HTTP_TOKEN = 32 };

/* Two folders and a page about both: /<token>/ is the page, a/<path> and b/<path> are their files.
 */
typedef struct http_pair {
  const unsigned char *page;
  size_t size;
  int folders[2]; /* descriptors */
} http_pair;

/* What is served: /<token>/<path> is a file of the folder. */
typedef struct http_site {
  char token[HTTP_TOKEN + 1]; /* hexadecimal; without it no address is anything */
  int port;
  atomic_int folder;     /* a descriptor of the directory; -1: it is not there yet */
  const http_pair *pair; /* in its place; NULL: there is none */
  /* The JSON of "served.json", for the caller to free, and what POST "act/<what>?<query>" answers:
   * JSON in `to`; NULL: nothing is changed. On any thread. */
  char *(*served)(void *user);
  void (*act)(void *user, const char *what, const char *query, char *to, size_t size);
  void *user;
} http_site;

/* Random: 0, or errno. */
int http_token(char token[HTTP_TOKEN + 1]);
/* Answer what comes by one connection until it ends, or says nothing for a while; closes it. On any
 * thread. */
void http_serve(const http_site *site, int client);
/* "a=x%20y&b=..." : the value of a name, decoded; false where there is none, or no room. */
bool http_value(const char *query, const char *name, char *to, size_t room);
/* This machine alone, at the port or (0) one that is free; -1 with errno. Its port goes to *port.
 */
int http_listen(int *port);
/* Answer whoever comes until *end is not 0, in threads; signals come only while it waits, where
 * `open` is the mask then. */
void http_serve_all(const http_site *site, int listening, const volatile int *end,
                    const sigset_t *open);
/* The file of an address below the token, as it stands in a request ("maxima/oil.png", with %20 and
 * the like): its descriptor, and its size; -1 where it is none that may be read. No component may
 * be "..", hidden, or a symbolic link. *type: of its content. */
int http_open(int folder, const char *path, size_t n, long long *size, const char **type);

/* engine/page, joined for two runs (bindings/lua/CMakeLists.txt). */
extern const unsigned char cli_compare_html[];
extern const size_t cli_compare_html_size;

/* cli_view.c, for the program: a site at the port that the options ask for. What listens, or -code;
 * the address goes to url. */
struct cli_options;
int cli_site_begin(const struct cli_options *o, http_site *site, char *url, size_t size);
/* Serve until a signal comes, which is returned; where cli_opens says so a browser is opened (url
 * NULL: not). */
int cli_site_wait(const struct cli_options *o, const http_site *site, int listening, char *url);
/* Whether a browser is to be opened: --open, or typed at a terminal of a desktop. */
bool cli_opens(const struct cli_options *o);
/* xdg-open by the path. */
void cli_open_browser(const struct cli_options *o, char *url);

#endif
