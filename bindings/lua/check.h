/* check.h - reading what users write: strict tables, quantities, errors at the user's line.
 *
 * Each function of the language has a table of rl_key: the names it knows, their types, units and
 * ranges. The same tables drive the reader, the "did you mean", `ria help` and the editor stubs. */
#ifndef RIA_LUA_CHECK_H
#define RIA_LUA_CHECK_H
#include <lauxlib.h>
#include <lua.h>
#include <ria/ria.h>

/* Where in the user's text a function of ours was called. */
typedef struct rl_site {
  const char *fn;     /* as users write it: "ria.sim", "sim:every" */
  int arg;            /* which argument holds the table, from 1 */
  int line;           /* of the call; 0 = unknown */
  const char *source; /* as lua_Debug.source: kept alive by the running chunk or by a holder */
  size_t source_len;
  char chunk[LUA_IDSIZE];
  ria_sim *sim; /* whose times dates are; NULL: not known, dates are only checked */
} rl_site;

/* The way from that table to the entry in question, innermost last; lives on the C stack. */
typedef struct rl_path {
  const struct rl_path *up;
  const char *key; /* NULL: a place in a list */
  lua_Integer index;
} rl_path;

typedef enum rl_type {
  RL_ANY,    /* looked at by the caller; out is not written */
  RL_BOOL,   /* bool */
  RL_INT,    /* int */
  RL_NUMBER, /* double: a number in SI, or text with a unit of `dim` */
  RL_STRING, /* const char *, owned by Lua */
  RL_CHOICE, /* int: index into choices */
  RL_VALUE,  /* ria_value: RL_NUMBER, a series, or a table of {t, v} */
  RL_PAIR,   /* double[2]: { a, b } */
  RL_NAMES,  /* rl_names: { "a", "b" } or one name */
  RL_TABLE   /* must be a table; looked at by the caller */
} rl_type;

typedef struct rl_names {
  const char *const *at;
  size_t n;
} rl_names;

enum {
  RL_REQUIRED = 1,
  RL_ABOVE_MIN = 2, /* the minimum itself is not allowed */
  RL_DATE = 4,      /* a time of the run, which may be a date */
  RL_LON = 8,       /* degrees of longitude, as charts write them: "8°45'W" */
  RL_LAT = 16       /* of latitude */
};

typedef struct rl_key {
  const char *name;
  rl_type type;
  int dim; /* ria_dim */
  size_t offset;
  unsigned flags;
  double min, max;            /* no range when equal */
  const char *const *choices; /* NULL-terminated */
  const char *shape; /* for help, where the type alone does not tell: "number | function(x, y)" */
  const char *doc;
  ria_measure measure;  /* of a tracer: text is read by its unit, not by dim */
  const ria_unit *unit; /* the tracer's; NULL = not known yet, any unit of a tracer will do */
  int curve; /* ria_dim of the first number of points that are not values in time; 0 = time */
} rl_key;

/* The keys of one function: up to the first without a name. list: what its list part may hold, with
 * name "" (NULL = no list part). */
typedef struct rl_table_info {
  const rl_key *keys;
  const rl_key *list;
  /* The table that an unknown key belongs into ("params"), NULL if none does; may be NULL. */
  const char *(*belongs)(const char *key);
} rl_table_info;

/* Fill `site` from the Lua code that called the running C function. */
void rl_here(lua_State *L, const char *fn, int arg, rl_site *site);
/* Raise "chunk:line: fn: message", the line being that of the entry the path leads to. */
_Noreturn void rl_fail(lua_State *L, const rl_site *site, const rl_path *path, const char *fmt, ...)
    RIA_PRINTF(4, 5);
/* Raise the context's message for a status other than RIA_OK. */
void rl_try(lua_State *L, const rl_site *site, const rl_path *path, ria_status status);
/* The same where the message is at a stored "chunk:line:" already or needs none. */
_Noreturn void rl_raise(lua_State *L, ria_status status, const char *message);

/* Raise "unknown key": the nearest of names[n] is suggested, all are listed if there are few. */
_Noreturn void rl_unknown(lua_State *L, const rl_site *site, const rl_path *path, const char *what,
                          const char *word, const char *const *names, size_t n);
/* Raise it unless word is one of the known names. */
void rl_check_name(lua_State *L, const char *word, rl_names known, const char *what,
                   const rl_site *site, const rl_path *path);
/* In a loop of lua_next over `table`: the entry's name; without one `form` is what to write. */
const char *rl_entry_name(lua_State *L, const rl_site *site, const rl_path *table,
                          const char *form);
/* Raise "x = VALUE: expected WHAT" for the value at idx. */
_Noreturn void rl_type_error(lua_State *L, const rl_site *site, const rl_path *path, int idx,
                             const char *expected);

/* Read one value at idx as `key` says. May push values that keep what out points to alive. */
void rl_read(lua_State *L, int idx, const rl_key *key, const rl_site *site, const rl_path *path,
             void *out);
/* Read the table at idx into the struct at out. Every key must be known, every required one there.
 * Returns which keys were given, bit i for keys[i]. Pushes values as rl_read does. */
uint64_t rl_read_table(lua_State *L, int idx, const rl_table_info *info, const rl_site *site,
                       const rl_path *path, void *out);
/* The unit of a key's numbers, as messages have it: "" where there is none or it is not known. */
const char *rl_key_unit(const rl_key *key);
/* Shorthands for arguments of methods. */
double rl_quantity(lua_State *L, int idx, ria_dim dim, const rl_site *site, const char *name);
const char *rl_string(lua_State *L, int idx, const rl_site *site, const char *name);

/* "params.manning", "tracers[2].decay"; "" for no path. Pushes the text. */
const char *rl_push_path(lua_State *L, const rl_path *path);
/* How a value reads in a message: 3, 'text', a function. Pushes the text. */
const char *rl_push_shown(lua_State *L, int idx);
/* "0 .. 0.5 s/m^(1/3)", ">= 0 s", "" : how a range reads. Pushes the text. */
const char *rl_push_range(lua_State *L, double min, double max, bool above, const char *unit);

/* "nan", "inf" or "-inf": C's own words for these differ. */
const char *rl_not_finite(double value);

/* An array of n names, pushed, that keeps them: other code may change the table that they are from.
 */
const char **rl_new_names(lua_State *L, size_t n);
/* The k-th of the array at idx is the text on top, which is popped. */
void rl_set_name(lua_State *L, int idx, size_t k);

/* where.c: the line on which the user wrote the entry that path leads to, or the call's line. */
int rl_find_line(const rl_site *site, const rl_path *path);

#endif
