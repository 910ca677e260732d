/* read.c - from keyword arguments to the engine's descriptions, by tables.
 *
 * As everywhere in ria nothing is ignored: an unknown key, a wrong type, a unit that is none is an
 * error that names the key, and where one is near, what was meant. Numbers are SI; text carries its
 * unit. */
#include "py.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *py_reader_alloc(py_reader *r, size_t n, size_t size) {
  void *p = r->n_blocks < PY_MADE ? calloc(n + 1, size) : NULL;
  if (p)
    r->block[r->n_blocks++] = p;
  else
    PyErr_NoMemory();
  return p;
}

void py_reader_free(py_reader *r) {
  while (r->n_series) ria_series_destroy(&r->series[--r->n_series]);
  while (r->n_blocks) free(r->block[--r->n_blocks]);
}

const char *py_text(const char *what, const char *key, PyObject *o) {
  if (PyUnicode_Check(o)) {
    Py_ssize_t n;
    const char *text = PyUnicode_AsUTF8AndSize(o, &n);
    if (!text || strlen(text) == (size_t)n) return text;
  }
  py_fail(RIA_ERR_ARGUMENT, "%s: %s: expected text", what, key);
  return NULL;
}

static bool wrong(const py_reader *r, const char *key, const char *expected, PyObject *o) {
  char shown[200] = "?";
  PyObject *text = PyObject_Repr(o);
  PyObject *bytes = text ? PyUnicode_AsUTF8String(text) : NULL;
  if (bytes) snprintf(shown, sizeof shown, "%s", PyBytes_AsString(bytes));
  PyErr_Clear();
  Py_XDECREF(bytes);
  Py_XDECREF(text);
  py_fail(RIA_ERR_ARGUMENT, "%s: %s: expected %s, got %s", r->what, key, expected, shown);
  return false;
}

static bool from_engine(const py_reader *r, const char *key, ria_status status) {
  if (status == RIA_OK) return true;
  char why[900];
  snprintf(why, sizeof why, "%s", ria_error(r->ctx));
  return py_fail(status, "%s: %s: %s", r->what, key, why);
}

/* --- one value -------------------------------------------------------------------------------- */

static bool is_number(PyObject *o) {
  return !PyBool_Check(o) && !PyUnicode_Check(o) && PyNumber_Check(o);
}

static bool read_number(py_reader *r, const py_key *key, PyObject *o, double *out) {
  if (is_number(o)) {
    *out = PyFloat_AsDouble(o);
    if (!PyErr_Occurred()) return true;
    PyErr_Clear();
    return wrong(r, key->name, "a number", o);
  }
  if (!PyUnicode_Check(o)) return wrong(r, key->name, "a number, or text with a unit", o);
  const char *text = py_text(r->what, key->name, o);
  if (!text) return false;
  if (key->type == PY_TIME && r->sim)
    return from_engine(r, key->name, ria_sim_parse_time(r->sim, text, out));
  if (key->measure != RIA_OF_DIM)
    return from_engine(r, key->name, ria_unit_parse(r->ctx, r->unit, key->measure, text, out));
  return from_engine(r, key->name, ria_parse_quantity(r->ctx, text, key->dim, out));
}

static bool read_int(py_reader *r, const py_key *key, PyObject *o, int *out) {
  const long n = is_number(o) ? PyLong_AsLong(o) : -1;
  const bool bad =
      !is_number(o) || (n == -1 && PyErr_Occurred()) || n > 2147483647L || n < -2147483647L;
  PyErr_Clear();
  if (bad) return wrong(r, key->name, "a whole number", o);
  *out = (int)n;
  return true;
}

static size_t count(const char *const *names) {
  size_t n = 0;
  while (names[n]) n++;
  return n;
}

static bool read_choice(py_reader *r, const py_key *key, PyObject *o, int *out) {
  const char *word = py_text(r->what, key->name, o);
  if (!word) return false;
  char all[400] = "";
  for (size_t k = 0; key->choices[k]; k++) {
    if (strcmp(key->choices[k], word) == 0) {
      *out = key->values ? key->values[k] : (int)k;
      return true;
    }
    const size_t n = strlen(all);
    snprintf(all + n, sizeof all - n, "%s%s", k ? ", " : "", key->choices[k]);
  }
  const char *near = ria_nearest(word, key->choices, count(key->choices));
  py_fail(RIA_ERR_ARGUMENT, "%s: %s: '%s' is not one of %s%s%s%s", r->what, key->name, word, all,
          near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
  return false;
}

static bool read_texts(py_reader *r, const py_key *key, PyObject *o, void *out) {
  if (!PyList_Check(o) && !PyTuple_Check(o)) return wrong(r, key->name, "a list of text", o);
  const Py_ssize_t n = PySequence_Size(o);
  const char **texts = n < 0 ? NULL : py_reader_alloc(r, (size_t)n, sizeof *texts);
  if (!texts) return false;
  for (Py_ssize_t k = 0; k < n; k++) {
    PyObject *item = PySequence_GetItem(o, k);
    texts[k] = item ? py_text(r->what, key->name, item) : NULL;
    Py_XDECREF(item); /* the list keeps it */
    if (!texts[k]) return false;
  }
  *(const char *const **)((char *)out + key->offset) = texts;
  *(size_t *)((char *)out + key->count) = (size_t)n;
  return true;
}

static bool read_point(py_reader *r, const py_key *key, PyObject *o, double out[2]) {
  if (PyUnicode_Check(o) || !PySequence_Check(o) || PySequence_Size(o) != 2)
    return wrong(r, key->name, "(x, y)", o);
  const py_key part = {.name = key->name, .type = PY_NUMBER, .dim = RIA_DIM_LENGTH};
  bool well = true;
  for (int k = 0; well && k < 2; k++) {
    PyObject *item = PySequence_GetItem(o, k);
    well = item && read_number(r, &part, item, &out[k]);
    Py_XDECREF(item);
  }
  return well;
}

/* --- series ----------------------------------------------------------------------------------- */

static const char *const interp_names[] = {"linear", "step", NULL};
static const char *const phases_names[] = {"auto", "greenwich", "local", "relative", NULL};
static const char *const nodal_names[] = {"daily", "mid", "none", NULL};

typedef struct table_desc {
  ria_table_desc d;
  PyObject *t, *v;
} table_desc;
static const py_key table_keys[] = {
    {"t", PY_OBJECT, offsetof(table_desc, t), .required = true},
    {"v", PY_OBJECT, offsetof(table_desc, v), .required = true},
    {"interp", PY_CHOICE, offsetof(table_desc, d.interp), .choices = interp_names},
    {"hold", PY_BOOL, offsetof(table_desc, d.hold), .dim = RIA_DIM_NONE},
    {"ramp", PY_NUMBER, offsetof(table_desc, d.ramp), .dim = RIA_DIM_TIME},
    {"scale", PY_NUMBER, offsetof(table_desc, d.scale), .dim = RIA_DIM_NONE},
    {"offset", PY_NUMBER, offsetof(table_desc, d.offset), .dim = RIA_DIM_NONE},
    {"dates", PY_BOOL, offsetof(table_desc, d.dates), .dim = RIA_DIM_NONE},
    {"local", PY_BOOL, offsetof(table_desc, d.local), .dim = RIA_DIM_NONE},
    {.name = NULL}};

typedef struct tide_desc {
  ria_tide_desc d;
  PyObject *constituents;
} tide_desc;
static const py_key tide_keys[] = {
    {"constituents", PY_OBJECT, offsetof(tide_desc, constituents), .required = true},
    {"z0", PY_NUMBER, offsetof(tide_desc, d.z0), .dim = RIA_DIM_LENGTH},
    {"ramp", PY_NUMBER, offsetof(tide_desc, d.ramp), .dim = RIA_DIM_TIME},
    {"phases", PY_CHOICE, offsetof(tide_desc, d.phases), .choices = phases_names},
    {"nodal", PY_CHOICE, offsetof(tide_desc, d.nodal), .choices = nodal_names},
    {.name = NULL}};

static const py_key csv_keys[] = {
    {"path", PY_TEXT, offsetof(ria_csv_desc, path), .required = true},
    {"column", PY_TEXT, offsetof(ria_csv_desc, column), .dim = RIA_DIM_NONE},
    {"epoch", PY_TEXT, offsetof(ria_csv_desc, epoch), .dim = RIA_DIM_NONE},
    {"zone", PY_TEXT, offsetof(ria_csv_desc, zone), .dim = RIA_DIM_NONE},
    {"unit", PY_TEXT, offsetof(ria_csv_desc, unit), .dim = RIA_DIM_NONE},
    {"fill_gaps", PY_BOOL, offsetof(ria_csv_desc, fill_gaps), .dim = RIA_DIM_NONE},
    {"time_unit", PY_NUMBER, offsetof(ria_csv_desc, time_unit), .dim = RIA_DIM_TIME},
    {"interp", PY_CHOICE, offsetof(ria_csv_desc, interp), .choices = interp_names},
    {"hold", PY_BOOL, offsetof(ria_csv_desc, hold), .dim = RIA_DIM_NONE},
    {"ramp", PY_NUMBER, offsetof(ria_csv_desc, ramp), .dim = RIA_DIM_TIME},
    {"scale", PY_NUMBER, offsetof(ria_csv_desc, scale), .dim = RIA_DIM_NONE},
    {"offset", PY_NUMBER, offsetof(ria_csv_desc, offset), .dim = RIA_DIM_NONE},
    {.name = NULL}};

static bool keep_series(py_reader *r, const char *key, ria_status status, ria_series **made) {
  if (!from_engine(r, key, status)) return false;
  r->series[r->n_series++] = *made;
  return true;
}

/* Doubles of a sequence. */
static double *read_numbers(py_reader *r, const char *key, PyObject *o, size_t *n) {
  const py_key item_key = {.name = key, .type = PY_NUMBER};
  if (PyUnicode_Check(o) || !PySequence_Check(o))
    return wrong(r, key, "a list of numbers", o), NULL;
  const Py_ssize_t size = PySequence_Size(o);
  double *v = size < 0 ? NULL : py_reader_alloc(r, (size_t)size, sizeof *v);
  for (Py_ssize_t k = 0; v && k < size; k++) {
    PyObject *item = PySequence_GetItem(o, k);
    if (!item || !read_number(r, &item_key, item, &v[k])) v = NULL;
    Py_XDECREF(item);
  }
  *n = (size_t)size;
  return v;
}

static bool read_table(py_reader *r, const char *key, PyObject *dict) {
  table_desc a = {0};
  size_t n_v = 0;
  ria_series *made = NULL;
  if (!py_read(r, table_keys, dict, &a)) return false;
  if (!(a.d.t = read_numbers(r, key, a.t, &a.d.n)) || !(a.d.v = read_numbers(r, key, a.v, &n_v)))
    return false;
  if (n_v != a.d.n)
    return py_fail(RIA_ERR_ARGUMENT, "%s: %s: %zu times and %zu values", r->what, key, a.d.n, n_v);
  return keep_series(r, key, ria_series_table(r->ctx, &a.d, &made), &made);
}

/* constituents: {"M2": (1.12, 78)}; a number as the name is a speed in deg/h. */
static bool read_tide(py_reader *r, const char *key, PyObject *dict) {
  tide_desc a = {0};
  PyObject *name, *pair;
  Py_ssize_t at = 0;
  ria_series *made = NULL;
  if (!py_read(r, tide_keys, dict, &a)) return false;
  if (!PyDict_Check(a.constituents))
    return wrong(r, key, "constituents {name: (amplitude, phase)}", a.constituents);
  ria_constituent *c = py_reader_alloc(r, (size_t)PyDict_Size(a.constituents), sizeof *c);
  for (size_t k = 0; c && PyDict_Next(a.constituents, &at, &name, &pair); k++) {
    double two[2];
    const py_key pair_key = {.name = key}, speed = {.name = key, .dim = RIA_DIM_ANGULAR_SPEED};
    if (PyUnicode_Check(name) ? !(c[k].name = py_text(r->what, key, name))
                              : !read_number(r, &speed, name, &c[k].speed))
      return false;
    if (PyUnicode_Check(pair) || !PySequence_Check(pair) || PySequence_Size(pair) != 2)
      return wrong(r, key, "(amplitude, phase) of each constituent", pair);
    if (!read_point(r, &pair_key, pair, two)) return false;
    c[k].amplitude = two[0];
    c[k].phase = two[1];
    a.d.n = k + 1;
  }
  a.d.constituents = c;
  return c && keep_series(r, key, ria_series_tide(r->ctx, &a.d, &made), &made);
}

static bool read_csv(py_reader *r, const char *key, PyObject *dict) {
  ria_csv_desc d = {0};
  ria_series *made = NULL;
  if (!py_read(r, csv_keys, dict, &d)) return false;
  return keep_series(r, key, ria_series_csv(r->ctx, &d, &made), &made);
}

/* ria.series, ria.tide and ria.csv of the Python side are tuples ("table", {...}). */
static bool read_value(py_reader *r, const py_key *key, PyObject *o, ria_value *out) {
  if (!PyTuple_Check(o)) return read_number(r, key, o, &out->constant);
  PyObject *kind = PyTuple_Size(o) == 2 ? PyTuple_GetItem(o, 0) : NULL;
  const char *word = kind && PyUnicode_Check(kind) ? py_text(r->what, key->name, kind) : NULL;
  bool (*const read)(py_reader *, const char *, PyObject *) =
      !word                        ? NULL
      : strcmp(word, "table") == 0 ? read_table
      : strcmp(word, "tide") == 0  ? read_tide
      : strcmp(word, "csv") == 0   ? read_csv
                                   : NULL;
  if (!read || r->n_series == PY_MADE)
    return wrong(r, key->name, "a number, text with a unit, or a series", o);
  const bool well = read(r, key->name, PyTuple_GetItem(o, 1));
  if (well) out->series = r->series[r->n_series - 1];
  return well;
}

/* --- all of a description --------------------------------------------------------------------- */

bool py_read_one(py_reader *r, const py_key *key, PyObject *o, void *out) {
  char *at = (char *)out + key->offset;
  switch (key->type) {
  case PY_TEXT:
    return (*(const char **)at = py_text(r->what, key->name, o)) != NULL;
  case PY_NUMBER:
  case PY_TIME:
  case PY_AMOUNT:
    return read_number(r, key, o, (double *)at);
  case PY_INT:
    return read_int(r, key, o, (int *)at);
  case PY_BOOL: {
    const int yes = PyObject_IsTrue(o);
    *(bool *)at = yes > 0;
    return yes >= 0;
  }
  case PY_CHOICE:
    return read_choice(r, key, o, (int *)at);
  case PY_VALUE:
    return read_value(r, key, o, (ria_value *)at);
  case PY_TEXTS:
    return read_texts(r, key, o, out);
  case PY_POINT:
    return read_point(r, key, o, (double *)at);
  case PY_OBJECT:
    *(PyObject **)at = o;
    return true;
  }
  return false;
}

/* A dict's keys are all in the table. */
static bool check_keys(const py_reader *r, const py_key *keys, PyObject *dict) {
  enum { MOST = 64 };
  const char *names[MOST];
  size_t n = 0;
  PyObject *name, *value;
  Py_ssize_t at = 0;
  for (; keys[n].name && n < MOST; n++) names[n] = keys[n].name;
  while (PyDict_Next(dict, &at, &name, &value)) {
    const char *word = py_text(r->what, "a key", name);
    size_t k = 0;
    if (!word) return false;
    while (k < n && strcmp(names[k], word) != 0) k++;
    if (k < n) continue;
    const char *near = ria_nearest(word, names, n);
    return py_fail(RIA_ERR_ARGUMENT, "%s: unknown key '%s'%s%s%s", r->what, word,
                   near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "");
  }
  return true;
}

bool py_read(py_reader *r, const py_key *keys, PyObject *dict, void *out) {
  if (dict && !PyDict_Check(dict)) return wrong(r, "its keys", "a dict", dict);
  if (dict && !check_keys(r, keys, dict)) return false;
  for (const py_key *key = keys; key->name; key++) {
    PyObject *o = dict ? PyDict_GetItemString(dict, key->name) : NULL;
    if (!o || o == Py_None) {
      if (key->required) return py_fail(RIA_ERR_ARGUMENT, "%s: %s is missing", r->what, key->name);
      continue;
    }
    if (!py_read_one(r, key, o, out)) return false;
    if (key->given) *(bool *)((char *)out + key->given) = true;
  }
  return true;
}
