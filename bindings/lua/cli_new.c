/* cli_new.c - ria new: a scenario to begin from, a copy of one that is installed with its name put
 * into its comments. Nothing is ever overwritten. */
#include "cli.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char first_model[] = "bay"; /* where no other is asked for */

/* --- what there is ---------------------------------------------------------------------------- */

static int is_scenario(const struct dirent *entry) {
  return entry->d_name[0] != '.' && cli_ends_with(entry->d_name, ".lua");
}

size_t cli_scenarios(char ***names) {
  struct dirent **list = NULL;
  char folder[PATH_MAX];
  *names = NULL;
  cli_own_scenarios(folder, sizeof folder);
  const int n = scandir(folder, &list, is_scenario, alphasort);
  char **out = n > 0 ? calloc((size_t)n, sizeof *out) : NULL;
  size_t found = 0;
  for (int k = 0; k < n; k++) {
    char *name = out ? strndup(list[k]->d_name, strlen(list[k]->d_name) - 4) : NULL;
    if (name) out[found++] = name;
    free(list[k]);
  }
  free(list);
  *names = out;
  return found;
}

void cli_scenarios_free(char **names, size_t n) {
  for (size_t k = 0; k < n; k++) free(names[k]);
  free(names);
}

static int unknown_model(const cli_options *o, const char *model) {
  char **names, folder[PATH_MAX];
  const size_t n = cli_scenarios(&names);
  const char *near = ria_nearest(model, (const char *const *)names, n);
  cli_own_scenarios(folder, sizeof folder);
  if (near)
    cli_complain(o, "there is no scenario '%s': did you mean '%s'?", model, near);
  else if (n)
    cli_complain(o, "there is no scenario '%s': those in %s are there, as %s", model, folder,
                 names[0]);
  else
    cli_complain(o, "no scenarios are installed in %s", folder);
  cli_scenarios_free(names, n);
  return n ? EXIT_USAGE : EXIT_INPUT;
}

/* --- names ------------------------------------------------------------------------------------ */

/* Its results get the name, and its comments: no blanks, no line breaks. */
static bool is_good_name(const char *name) {
  const unsigned char *c = (const unsigned char *)name;
  if (!isalnum(*c) && *c < 0x80) return false;
  for (; *c; c++)
    if (!isalnum(*c) && *c < 0x80 && !strchr("_-.", *c)) return false;
  return true;
}

/* "coast/bay.lua" of "coast/bay" or of "coast/bay.lua", and "bay"; EXIT_OK, or the reason was
 * printed. */
static int take_name(const cli_options *o, char path[PATH_MAX], char base[NAME_MAX + 1]) {
  const char *slash = strrchr(o->file, '/'), *last = slash ? slash + 1 : o->file;
  const size_t n = strlen(last) - (cli_ends_with(last, ".lua") ? 4 : 0);
  const bool fits = n < NAME_MAX - 4 && strlen(o->file) < PATH_MAX - 5;
  if (fits) snprintf(base, NAME_MAX + 1, "%.*s", (int)n, last);
  if (!fits || !is_good_name(base)) {
    cli_complain(o,
                 "ria new %s: expected a name of letters, digits, _, - and ., as in `ria new bay`",
                 o->file);
    return EXIT_USAGE;
  }
  snprintf(path, PATH_MAX, "%.*s%s.lua", (int)(last - o->file), o->file, base);
  return EXIT_OK;
}

/* --- the copy --------------------------------------------------------------------------------- */

static bool in_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '/' || c == '-';
}

/* How many characters at `at`, in `line`, name the model: "scenarios/bay.lua", "bay.lua",
 * "out/bay". */
static size_t names_model(const char *line, const char *at, const char *model, bool *result) {
  char forms[3][NAME_MAX + 32];
  if (at > line && in_word(at[-1])) return 0;
  snprintf(forms[0], sizeof forms[0], "scenarios/%s.lua", model);
  snprintf(forms[1], sizeof forms[1], "%s.lua", model);
  snprintf(forms[2], sizeof forms[2], "out/%s", model);
  for (int k = 0; k < 3; k++) {
    const size_t n = strlen(forms[k]);
    *result = k == 2;
    if (strncmp(at, forms[k], n) == 0 && !(in_word(at[n]) && at[n] != '/')) return n;
  }
  return 0;
}

/* In comments that fill their line the model's name becomes the new one. */
static void copy_line(FILE *to, const char *line, const char *model, const char *base) {
  const char *text = line + strspn(line, " ");
  const bool comment = strncmp(text, "--", 2) == 0;
  for (const char *c = line; *c;) {
    bool result = false;
    const size_t n = comment ? names_model(line, c, model, &result) : 0;
    if (n)
      fprintf(to, result ? "out/%s" : "%s.lua", base);
    else
      fputc(*c, to);
    c += n ? n : 1;
  }
}

static bool copy_all(FILE *from, FILE *to, const char *model, const char *base) {
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, from) >= 0) copy_line(to, line, model, base);
  free(line);
  return !ferror(from) && !ferror(to);
}

/* A file that was not there before, or NULL and errno. */
static FILE *create(const char *path) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
  if (fd >= 0 && !to) close(fd);
  return to;
}

static int write_copy(const cli_options *o, FILE *from, const char *path, const char *model,
                      const char *base) {
  FILE *to = create(path);
  if (!to && errno == EEXIST) {
    cli_complain(o, "%s is there already, and is left as it is: give another name", path);
    return EXIT_USAGE;
  }
  if (!to) return cli_complain(o, "%s cannot be written: %s", path, strerror(errno)), EXIT_SCRIPT;
  errno = 0;
  bool whole = copy_all(from, to, model, base);
  whole = fclose(to) == 0 && whole;
  if (whole) return EXIT_OK;
  cli_complain(o, "%s cannot be written: %s", path, errno ? strerror(errno) : "an error");
  unlink(path); /* what is there is ours, and half of it */
  return EXIT_SCRIPT;
}

int cli_new(const cli_options *o) {
  const char *model = o->like ? o->like : first_model;
  char folder[PATH_MAX], source[PATH_MAX + NAME_MAX + 8], path[PATH_MAX], base[NAME_MAX + 1];
  const int code = take_name(o, path, base);
  if (code != EXIT_OK) return code;
  cli_own_scenarios(folder, sizeof folder);
  snprintf(source, sizeof source, "%s/%.*s.lua", folder, NAME_MAX, model);
  FILE *from = strchr(model, '/') ? NULL : fopen(source, "re");
  if (!from) return unknown_model(o, model);
  const int ended = write_copy(o, from, path, model, base);
  fclose(from);
  if (ended == EXIT_OK) printf("%s: a scenario like %s; `ria run %s` runs it\n", path, model, path);
  return ended;
}
