/* where.c - on which line did the user write this key?
 *
 * Lua knows the line of a call but not of the entries of the table handed to it, and a scenario is
 * one call with a table of fifty lines. When an entry is wrong we read the text of the chunk again:
 * find the call on its line, the constructor that is its argument, and walk down the constructor
 * along the path to the entry. Where a part of the way is a variable we go on at the last
 * `name = {` or `name.key =` before it. Reading means splitting into tokens and counting nesting;
 * no value is evaluated. What cannot be found (a table that a function made) leaves the line of the
 * call, or of the last entry that was found. Only errors come here, so nothing is kept. */
#include "check.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TEXT = 1 << 24 };

typedef enum token { T_END, T_NAME, T_STRING, T_NUMBER, T_OTHER } token;

/* One token at a time: `at` is behind it, [text, text + len) is it (a string without its quotes).
 */
typedef struct scanner {
  const char *begin, *at, *end;
  int line;
  token type;
  const char *text;
  size_t len;
  int token_line;
} scanner;

static int look(const scanner *s, size_t k) {
  return (size_t)(s->end - s->at) > k ? (unsigned char)s->at[k] : -1;
}

/* Level of a long bracket that opens here, or -1. */
static int long_bracket(const scanner *s) {
  size_t k = 1;
  if (look(s, 0) != '[') return -1;
  while (look(s, k) == '=') k++;
  return look(s, k) == '[' ? (int)(k - 1) : -1;
}

static void skip_long_bracket(scanner *s, int level) {
  s->at += level + 2;
  s->text = s->at;
  for (; s->at < s->end; s->at++) {
    if (*s->at == '\n') s->line++;
    if (*s->at != ']') continue;
    int k = 1;
    while (look(s, (size_t)k) == '=') k++;
    if (k == level + 1 && look(s, (size_t)k) == ']') {
      s->len = (size_t)(s->at - s->text);
      s->at += level + 2;
      return;
    }
  }
  s->len = (size_t)(s->at - s->text);
}

static void skip_blank(scanner *s) {
  for (;;) {
    while (s->at < s->end && isspace((unsigned char)*s->at)) s->line += *s->at++ == '\n';
    if (look(s, 0) != '-' || look(s, 1) != '-') return;
    s->at += 2;
    int level = long_bracket(s);
    if (level >= 0)
      skip_long_bracket(s, level);
    else
      while (s->at < s->end && *s->at != '\n') s->at++;
  }
}

static void scan_string(scanner *s) {
  char quote = *s->at++;
  s->text = s->at;
  while (s->at < s->end && *s->at != quote) {
    if (*s->at == '\\' && s->at + 1 < s->end) s->at++;
    s->line += *s->at++ == '\n';
  }
  s->len = (size_t)(s->at - s->text);
  if (s->at < s->end) s->at++;
}

static token next(scanner *s) {
  skip_blank(s);
  s->token_line = s->line;
  s->text = s->at;
  int c = look(s, 0), level = long_bracket(s);
  if (c < 0) return s->type = T_END;
  if (c == '"' || c == '\'') {
    scan_string(s);
    return s->type = T_STRING;
  }
  if (level >= 0) {
    skip_long_bracket(s, level);
    return s->type = T_STRING;
  }
  bool name = isalpha(c) || c == '_', number = isdigit(c);
  if (name || number) {
    while (isalnum(look(s, 0)) || look(s, 0) == '_' || (number && look(s, 0) == '.')) s->at++;
    s->len = (size_t)(s->at - s->text);
    return s->type = name ? T_NAME : T_NUMBER;
  }
  /* of the two-character tokens only "==" could be taken for something else */
  s->at += c == '=' && look(s, 1) == '=' ? 2 : 1;
  s->len = (size_t)(s->at - s->text);
  return s->type = T_OTHER;
}

static bool is(const scanner *s, const char *text) {
  return (s->type == T_OTHER || s->type == T_NAME) && s->len == strlen(text) &&
         memcmp(s->text, text, s->len) == 0;
}

static bool same(const scanner *s, const char *key) {
  return key && s->len == strlen(key) && memcmp(s->text, key, s->len) == 0;
}

/* How a token changes the depth of nesting: brackets, and blocks inside functions. */
static int nesting(const scanner *s) {
  static const char *const open[] = {"{", "(", "[", "function", "if", "do", "repeat"};
  static const char *const close[] = {"}", ")", "]", "end", "until"};
  for (size_t k = 0; k < sizeof open / sizeof *open; k++)
    if (is(s, open[k])) return 1;
  for (size_t k = 0; k < sizeof close / sizeof *close; k++)
    if (is(s, close[k])) return -1;
  return 0;
}

/* From the present token to the separator or closing bracket that ends an entry or argument. */
static void skip_entry(scanner *s) {
  for (int depth = 0; s->type != T_END; next(s)) {
    int change = nesting(s);
    if (depth == 0 && (change < 0 || is(s, ",") || is(s, ";"))) return;
    depth += change;
  }
}

/* If an entry starts here as `key =` or `["key"] =`, step to its value and say which key. */
static bool entry_key(scanner *s, scanner *key) {
  scanner look_ahead = *s;
  bool bracket = is(s, "[");
  if (bracket) next(&look_ahead);
  *key = look_ahead;
  if (look_ahead.type != (bracket ? T_STRING : T_NAME)) return false;
  next(&look_ahead);
  if (bracket) {
    if (!is(&look_ahead, "]")) return false;
    next(&look_ahead);
  }
  if (!is(&look_ahead, "=")) return false;
  next(&look_ahead);
  *s = look_ahead;
  return true;
}

static int find_in_value(scanner *s, const rl_path *const *step, size_t n);

/* The present token is the '{' of a constructor: the line of the entry that step[0..n) leads to, or
 * of the last part of it that is found; 0 if not even the first is. */
static int find_in_table(scanner *s, const rl_path *const *step, size_t n) {
  lua_Integer index = 0;
  next(s);
  while (s->type != T_END && !is(s, "}")) {
    scanner key;
    int line = s->token_line;
    bool named = entry_key(s, &key);
    if (!named) index++;
    if (named ? same(&key, step[0]->key) : !step[0]->key && index == step[0]->index) {
      int inner = n > 1 ? find_in_value(s, step + 1, n - 1) : 0;
      return inner ? inner : line;
    }
    skip_entry(s);
    if (is(s, ",") || is(s, ";")) next(s);
  }
  return 0;
}

/* Behind `name =`: the constructor that stands there, perhaps after `other or`, on the same line.
 */
static int find_in_assignment(scanner s, const rl_path *const *step, size_t n) {
  int line = s.token_line;
  bool starts = true; /* a value may start here */
  for (next(&s); s.token_line == line && s.type != T_END; next(&s)) {
    if (starts && is(&s, "{")) return find_in_table(&s, step, n);
    starts = is(&s, "or") || is(&s, "and");
  }
  return 0;
}

/* Behind `name.`: `key = value` with the key that is looked for. */
static int find_in_member(scanner s, const rl_path *const *step, size_t n) {
  next(&s);
  int line = s.token_line;
  if (s.type != T_NAME || !same(&s, step[0]->key)) return 0;
  next(&s);
  if (!is(&s, "=")) return 0;
  int inner = n > 1 ? find_in_assignment(s, step + 1, n - 1) : 0;
  return inner ? inner : line;
}

/* The last place before `use` where the variable that it names got the entry. */
static int find_in_variable(const scanner *use, const rl_path *const *step, size_t n) {
  scanner s = {.begin = use->begin, .at = use->begin, .end = use->text, .line = 1};
  int found = 0;
  while (next(&s) != T_END) {
    if (s.type != T_NAME || s.len != use->len || memcmp(s.text, use->text, s.len) != 0) continue;
    scanner after = s;
    next(&after);
    int line = is(&after, "=")   ? find_in_assignment(after, step, n)
               : is(&after, ".") ? find_in_member(after, step, n)
                                 : 0;
    if (line) found = line;
  }
  return found;
}

/* The present token starts a value: a constructor, or a variable that holds one. */
static int find_in_value(scanner *s, const rl_path *const *step, size_t n) {
  if (is(s, "{")) return find_in_table(s, step, n);
  scanner after = *s;
  next(&after);
  bool alone = is(&after, ",") || is(&after, ";") || is(&after, "}") || is(&after, ")");
  return s->type == T_NAME && alone ? find_in_variable(s, step, n) : 0;
}

/* The present token is the function's name in a call: go to its argument. */
static bool find_argument(scanner *s, int arg) {
  next(s);
  if (is(s, "{")) return arg == 1;
  if (!is(s, "(")) return false;
  next(s);
  for (int k = 1; k < arg; k++) {
    skip_entry(s);
    if (!is(s, ",")) return false;
    next(s);
  }
  return true;
}

static int find_in_text(const char *text, size_t n, const rl_site *site, const rl_path *const *step,
                        size_t n_steps) {
  const char *name = strpbrk(site->fn, ".:") ? strpbrk(site->fn, ".:") + 1 : site->fn;
  scanner s = {.begin = text, .at = text, .end = text + n, .line = 1};
  if (n && *text == '#') /* a script's "#!" line */
    while (s.at < s.end && *s.at != '\n') s.at++;
  /* a call's line is that of its name or of its argument, as the release of Lua has it; of several
   * calls about there the nearest is meant */
  int found = 0, nearest = 3;
  while (next(&s) != T_END && s.token_line <= site->line + 2) {
    const int away = abs(s.token_line - site->line);
    if (away >= nearest || s.type != T_NAME || !same(&s, name)) continue;
    scanner call = s;
    const int line = find_argument(&call, site->arg) ? find_in_value(&call, step, n_steps) : 0;
    if (!line) continue;
    found = line;
    nearest = away;
  }
  return found;
}

/* The whole of a file, or NULL. The caller frees it. */
static char *read_text(const char *path, size_t *n) {
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  if (!f) return NULL;
  if (fseek(f, 0, SEEK_END) == 0) {
    long size = ftell(f);
    rewind(f);
    if (size > 0 && size < MAX_TEXT && (text = malloc((size_t)size)) != NULL)
      *n = fread(text, 1, (size_t)size, f);
  }
  fclose(f);
  return text;
}

int rl_find_line(const rl_site *site, const rl_path *path) {
  enum { MAX_STEPS = 8 };
  const rl_path *step[MAX_STEPS];
  size_t n_steps = 0, first = MAX_STEPS;
  for (; path && n_steps < MAX_STEPS; path = path->up, n_steps++) step[--first] = path;
  if (!n_steps || site->line <= 0 || !site->source) return site->line;

  int line = 0;
  if (site->source[0] == '@') {
    size_t n = 0;
    char *text = read_text(site->source + 1, &n);
    if (text) line = find_in_text(text, n, site, step + first, n_steps);
    free(text);
  } else if (site->source[0] != '=') {
    line = find_in_text(site->source, site->source_len, site, step + first, n_steps);
  }
  return line ? line : site->line;
}
