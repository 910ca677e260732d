/* output.c - methods of Sim: events and what they do, gauges, sections.
 *
 * A function of Python's that an event calls is kept in the simulation's list, so that the garbage
 * collector sees through a simulation that its own events refer to. */
#include "py.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- functions as events ---------------------------------------------------------------------- */

typedef struct event {
  py_sim *sim;  /* lives longer than the events of its ria_sim */
  PyObject *fn; /* the simulation's list holds it */
} event;

static ria_status call_event(ria_sim *sim, const ria_event_info *info, void *user) {
  const event *e = user;
  py_host *host = e->sim->host;
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *said = PyObject_CallFunction(e->fn, "Od", (PyObject *)e->sim, info->t);
  const bool well = said != NULL, stops = said == Py_False;
  if (!well) py_keep_thrown(host);
  Py_XDECREF(said);
  PyGILState_Release(lock);
  if (stops) ria_sim_stop(sim);
  return well ? RIA_OK : ria_fail(host->ctx, RIA_ERR_CALLBACK, "an event's function has failed");
}

static bool function_action(py_sim *self, PyObject *fn, ria_action *out) {
  if (self->script && !py_script_hold(self->script, self)) return false;
  event *e = PyList_Append(self->callbacks, fn) == 0 ? malloc(sizeof *e) : NULL;
  if (!e) return PyErr_Occurred() ? false : (PyErr_NoMemory(), false);
  *e = (event){self, fn};
  *out = (ria_action){.fn = call_event, .user = e, .drop = free, .phase = RIA_PHASE_CALLBACK};
  return true;
}

/* --- frames and stores ------------------------------------------------------------------------ */

static const char *const scale_names[] = {"linear", "log", NULL};
#define AT(member) offsetof(ria_frame_desc, member)
typedef struct frame {
  ria_frame_desc d;
  double range[2];
  bool ranged;
} frame;
static const py_key frame_keys[] = {
    {"field", PY_TEXT, AT(field), .required = true},
    {"name", PY_TEXT, AT(name), .dim = RIA_DIM_NONE},
    {"map", PY_TEXT, AT(map), .dim = RIA_DIM_NONE},
    {"scale", PY_CHOICE, AT(scale), .choices = scale_names},
    {"range", PY_POINT, offsetof(frame, range), .given = offsetof(frame, ranged)},
    {"auto_range", PY_BOOL, AT(auto_range), .dim = RIA_DIM_NONE},
    {"threshold", PY_NUMBER, AT(threshold), .dim = RIA_DIM_NONE},
    {"width", PY_INT, AT(width), .dim = RIA_DIM_NONE},
    {"height", PY_INT, AT(height), .dim = RIA_DIM_NONE},
    {"title", PY_TEXT, AT(title), .dim = RIA_DIM_NONE},
    {"no_decor", PY_BOOL, AT(no_decor), .dim = RIA_DIM_NONE},
    {"arrows", PY_BOOL, AT(arrows), .dim = RIA_DIM_NONE},
    {"graticule", PY_BOOL, AT(graticule), .dim = RIA_DIM_NONE},
    {"thinnest", PY_NUMBER, AT(thinnest), .dim = RIA_DIM_LENGTH},
    {.name = NULL}};
#undef AT

static bool frame_action(py_sim *self, py_reader *r, PyObject *dict, ria_action *out) {
  frame f = {0};
  ria_status status;
  r->what = "frame";
  if (!py_read(r, frame_keys, dict, &f)) return false;
  f.d.min = f.range[0];
  f.d.max = f.range[1];
  PY_CALL(self->host, status, ria_frame_action(self->sim, &f.d, out));
  return py_ended_well(self->host, status);
}

#define AT(member) offsetof(ria_save_desc, member)
static const py_key save_keys[] = {
    {"fields", PY_TEXTS, AT(fields), .count = AT(n_fields), .required = true},
    {"name", PY_TEXT, AT(name), .dim = RIA_DIM_NONE},
    {"precision", PY_NUMBER, AT(precision), .dim = RIA_DIM_NONE},
    {"level", PY_INT, AT(level), .dim = RIA_DIM_NONE},
    {"tile", PY_INT, AT(tile), .dim = RIA_DIM_NONE},
    {.name = NULL}};
#undef AT

static bool save_action(py_sim *self, py_reader *r, PyObject *dict, ria_action *out) {
  ria_save_desc d = {0};
  ria_status status;
  r->what = "save";
  if (!py_read(r, save_keys, dict, &d)) return false;
  PY_CALL(self->host, status, ria_save_action(self->sim, &d, out));
  return py_ended_well(self->host, status);
}

/* A function of (sim, t), or ("frame" or "save", {...}). */
static bool read_action(py_sim *self, PyObject *o, ria_action *out) {
  if (PyCallable_Check(o)) return function_action(self, o, out);
  const char *kind = NULL;
  PyObject *dict = NULL;
  if (!PyTuple_Check(o) || !PyArg_ParseTuple(o, "sO", &kind, &dict) ||
      (strcmp(kind, "frame") != 0 && strcmp(kind, "save") != 0)) {
    PyErr_Clear();
    return py_fail(RIA_ERR_ARGUMENT, "expected a function of (sim, t), or ria.frame or ria.save");
  }
  py_reader r = {.ctx = self->host->ctx, .sim = self->sim};
  const bool well = strcmp(kind, "frame") == 0 ? frame_action(self, &r, dict, out)
                                               : save_action(self, &r, dict, out);
  py_reader_free(&r);
  return well;
}

/* What was not taken has to be dropped here. */
static PyObject *scheduled(py_sim *self, ria_status status, const ria_action *action,
                           ria_handle handle) {
  if (status != RIA_OK && action->drop) action->drop(action->user);
  return py_ended_well(self->host, status) ? PyLong_FromLongLong(handle) : NULL;
}

PyObject *py_sim_at(py_sim *self, PyObject *args) {
  PyObject *when, *what;
  double t;
  ria_action action;
  ria_handle handle = 0;
  ria_status status;
  if (!PyArg_ParseTuple(args, "OO", &when, &what) || !py_sim_ready(self)) return NULL;
  if (!py_read_time(self, "at", "t", when, &t) || !read_action(self, what, &action)) return NULL;
  PY_CALL(self->host, status, ria_sim_at(self->sim, t, &action, &handle));
  return scheduled(self, status, &action, handle);
}

/* _every(period, action, start, stop); None = from now on, for ever */
PyObject *py_sim_every(py_sim *self, PyObject *args) {
  PyObject *every, *what, *first, *last;
  double period, start = -1.0, stop = 0.0;
  ria_action action;
  ria_handle handle = 0;
  ria_status status;
  if (!PyArg_ParseTuple(args, "OOOO", &every, &what, &first, &last) || !py_sim_ready(self))
    return NULL;
  if (!py_read_time(self, "every", "period", every, &period)) return NULL;
  if (first != Py_None && !py_read_time(self, "every", "start", first, &start)) return NULL;
  if (last != Py_None && !py_read_time(self, "every", "stop", last, &stop)) return NULL;
  if (!read_action(self, what, &action)) return NULL;
  PY_CALL(self->host, status, ria_sim_every(self->sim, period, start, stop, &action, &handle));
  return scheduled(self, status, &action, handle);
}

PyObject *py_sim_cancel(py_sim *self, PyObject *args) {
  long long handle;
  ria_status status;
  if (!PyArg_ParseTuple(args, "L", &handle) || !py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_cancel(self->sim, handle));
  return py_end(self->host, status);
}

/* --- gauges and sections ---------------------------------------------------------------------- */

#define AT(member) offsetof(ria_gauge_desc, member)
static const py_key gauge_keys[] = {
    {"name", PY_TEXT, AT(name), .required = true},
    {"x", PY_NUMBER, AT(x), .dim = RIA_DIM_LENGTH, .required = true},
    {"y", PY_NUMBER, AT(y), .dim = RIA_DIM_LENGTH, .required = true},
    {"every", PY_NUMBER, AT(every), .dim = RIA_DIM_TIME, .required = true},
    {"fields", PY_TEXTS, AT(fields), .count = AT(n_fields)},
    {"exact", PY_BOOL, AT(exact), .dim = RIA_DIM_NONE},
    {.name = NULL}};
#undef AT

PyObject *py_sim_gauge(py_sim *self, PyObject *args, PyObject *kwargs) {
  ria_gauge_desc d = {0};
  ria_handle handle = 0;
  ria_status status = RIA_OK;
  if (!PyArg_ParseTuple(args, "") || !py_sim_ready(self)) return NULL;
  py_reader r = {.what = "gauge", .ctx = self->host->ctx, .sim = self->sim};
  const bool read = py_read(&r, gauge_keys, kwargs, &d);
  if (read) PY_CALL(self->host, status, ria_sim_gauge(self->sim, &d, &handle));
  py_reader_free(&r);
  return read && py_ended_well(self->host, status) ? PyLong_FromLongLong(handle) : NULL;
}

typedef struct section {
  ria_section_desc d;
  PyObject *line;
} section;
static const py_key section_keys[] = {
    {"name", PY_TEXT, offsetof(section, d.name), .required = true},
    {"line", PY_OBJECT, offsetof(section, line), .required = true},
    {"every", PY_NUMBER, offsetof(section, d.every), .dim = RIA_DIM_TIME, .required = true},
    {"exact", PY_BOOL, offsetof(section, d.exact), .dim = RIA_DIM_NONE},
    {.name = NULL}};

/* One line of positions [(x, y), ...], in the model's own coordinates. */
static bool read_line(py_reader *r, PyObject *list, ria_shapes **out) {
  if (!PyList_Check(list))
    return py_fail(RIA_ERR_ARGUMENT, "%s: line: expected a list of (x, y)", r->what);
  const size_t n = (size_t)PyList_Size(list);
  double *x = py_reader_alloc(r, n, sizeof *x), *y = py_reader_alloc(r, n, sizeof *y),
         *z = py_reader_alloc(r, n, sizeof *z);
  const py_key key = {.name = "line", .type = PY_POINT};
  if (!x || !y || !z) return false;
  for (size_t k = 0; k < n; k++) {
    double at[2];
    if (!py_read_one(r, &key, PyList_GetItem(list, (Py_ssize_t)k), at)) return false;
    x[k] = at[0];
    y[k] = at[1];
    z[k] = NAN;
  }
  const size_t first[2] = {0, n};
  const int polygon = 0;
  const ria_shape shape = {
      .kind = RIA_LINES, .n_parts = 1, .first = first, .polygon = &polygon, .x = x, .y = y, .z = z};
  const ria_status status = ria_shapes_make(r->ctx, &shape, 1, NULL, out);
  return status == RIA_OK || py_fail(status, "%s", ria_error(r->ctx));
}

PyObject *py_sim_section(py_sim *self, PyObject *args, PyObject *kwargs) {
  section s = {0};
  ria_shapes *line = NULL;
  ria_handle handle = 0;
  ria_status status = RIA_OK;
  if (!PyArg_ParseTuple(args, "") || !py_sim_ready(self)) return NULL;
  py_reader r = {.what = "section", .ctx = self->host->ctx, .sim = self->sim};
  const bool read = py_read(&r, section_keys, kwargs, &s) && read_line(&r, s.line, &line);
  s.d.line = line;
  if (read) PY_CALL(self->host, status, ria_sim_section(self->sim, &s.d, &handle));
  ria_shapes_destroy(&line);
  py_reader_free(&r);
  return read && py_ended_well(self->host, status) ? PyLong_FromLongLong(handle) : NULL;
}

/* Two bytes objects of doubles. The engine's own rows move when there are more: they are copied. */
PyObject *py_sim_gauge_history(py_sim *self, PyObject *args) {
  const char *gauge, *field;
  const double *t = NULL, *v = NULL;
  size_t n = 0;
  ria_status status;
  if (!PyArg_ParseTuple(args, "ss", &gauge, &field) || !py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_gauge_history(self->sim, gauge, field, &t, &v, &n));
  if (!py_ended_well(self->host, status)) return NULL;
  const Py_ssize_t bytes = (Py_ssize_t)(n * sizeof(double));
  return Py_BuildValue("(y#y#)", n ? (const char *)t : "", bytes, n ? (const char *)v : "", bytes);
}
