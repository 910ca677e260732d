/* io/wkt.c - well-known text as a tree of keywords. */
#include "io/wkt.h"
#include "base/text.h"

#include <ctype.h>
#include <string.h>

typedef struct reader {
  const char *at;
  ria_wkt *out;
} reader;

static void skip_blanks(reader *r) {
  while (isspace((unsigned char)*r->at)) r->at++;
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* A text in quotes, in which "" is one quote. */
static const char *read_quoted(reader *r, ria_wkt_node *to) {
  char *dst = to->text[0] ? to->second : to->text;
  const size_t room = to->text[0] ? sizeof to->second : sizeof to->text;
  size_t n = 0;
  for (r->at++; *r->at; r->at++) {
    if (*r->at == '"' && *++r->at != '"') {
      dst[n] = '\0';
      return NULL;
    }
    if (n + 1 < room) dst[n++] = *r->at;
  }
  return "a text has no closing quote";
}

static void read_word(reader *r, char *word, size_t room) {
  size_t n = 0;
  for (; is_word(*r->at); r->at++)
    if (n + 1 < room) word[n++] = (char)toupper((unsigned char)*r->at);
  word[n] = '\0';
  skip_blanks(r);
}

static const char *read_item(reader *r, int parent, int *opened) {
  ria_wkt_node *in = &r->out->node[parent];
  double value;
  char word[24];
  if (*r->at == '"') return read_quoted(r, in);
  if (*r->at == '+') r->at++;
  if (ria_read_number(r->at, &r->at, &value)) {
    if (in->numbers < RIA_WKT_NUMBERS) in->number[in->numbers++] = value;
    return NULL;
  }
  if (!is_word(*r->at)) return "a text, a number or a keyword is expected";
  read_word(r, word, sizeof word);
  if (*r->at != '[' && *r->at != '(') return NULL; /* a word such as EAST */
  if (r->out->n == RIA_WKT_NODES) return "it has too many parts";
  r->at++;
  *opened = r->out->n++;
  r->out->node[*opened] = (ria_wkt_node){.parent = parent};
  memcpy(r->out->node[*opened].keyword, word, sizeof word);
  return NULL;
}

const char *ria_wkt_parse(const char *text, ria_wkt *out) {
  reader r = {.at = text, .out = out};
  ria_wkt_node *root = &out->node[0];
  *root = (ria_wkt_node){.parent = -1};
  out->n = 1;
  skip_blanks(&r);
  read_word(&r, root->keyword, sizeof root->keyword);
  if (!root->keyword[0] || (*r.at != '[' && *r.at != '(')) return "it begins with no keyword and [";
  r.at++;
  for (int in = 0;;) {
    int opened = -1;
    skip_blanks(&r);
    const char *wrong = read_item(&r, in, &opened);
    if (wrong) return wrong;
    if (opened >= 0) {
      in = opened;
      continue;
    }
    for (skip_blanks(&r); in >= 0 && (*r.at == ']' || *r.at == ')'); skip_blanks(&r)) {
      r.at++;
      in = out->node[in].parent;
    }
    if (in < 0) return *r.at ? "something follows its end" : NULL;
    if (*r.at++ != ',') return "a comma or a closing bracket is expected";
  }
}

bool ria_wkt_is(const ria_wkt *w, int node, const char *keywords) {
  const char *word = w->node[node].keyword;
  const size_t n = strlen(word);
  for (const char *at = keywords; at; at = strchr(at, '|')) {
    if (*at == '|') at++;
    if (strncmp(at, word, n) == 0 && (at[n] == '|' || at[n] == '\0')) return true;
  }
  return false;
}

int ria_wkt_child(const ria_wkt *w, int node, const char *keywords) {
  for (int k = node + 1; node >= 0 && k < w->n; k++)
    if (w->node[k].parent == node && ria_wkt_is(w, k, keywords)) return k;
  return -1;
}
