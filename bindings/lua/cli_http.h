/* cli_http.h - a folder over HTTP/1.1, to be read: what `ria view` serves. Private to the program.
 */
#ifndef RIA_CLI_HTTP_H
#define RIA_CLI_HTTP_H
#include <stddef.h>

enum { HTTP_TOKEN = 32 };

/* What is served: /<token>/<path> is a file of the folder. */
typedef struct http_site {
  char token[HTTP_TOKEN + 1]; /* hexadecimal; without it no address is anything */
  int port;
  int folder; /* a descriptor of the directory */
} http_site;

/* Random: 0, or errno. */
int http_token(char token[HTTP_TOKEN + 1]);
/* Answer what comes by one connection until it ends, or says nothing for a while; closes it. On any
 * thread. */
void http_serve(const http_site *site, int client);
/* The file of an address below the token, as it stands in a request ("maxima/oil.png", with %20 and
 * the like): its descriptor, and its size; -1 where it is none that may be read. No component may
 * be "..", hidden, or a symbolic link. *type: of its content. */
int http_open(int folder, const char *path, size_t n, long long *size, const char **type);

#endif
