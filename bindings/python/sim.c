/* sim.c - the type Sim: its life, moving it on, what happened. make.c makes one, fields.c has its
 * fields, forcing.c and output.c what drives it and what it leaves. */
#include "py.h"

#include <ria/solver.h>

PyObject *py_sim_type;

/* --- life ------------------------------------------------------------------------------------- */

bool py_sim_ready(const py_sim *self) {
  if (!self->sim || !self->host)
    return py_fail(RIA_ERR_ARGUMENT, "the simulation is closed, or was not made");
  return py_host_free(self->host);
}

py_sim *py_sim_adopt(PyObject *type, PyObject *script, py_host *host, ria_sim *sim) {
  py_sim *self = (py_sim *)PyType_GenericAlloc((PyTypeObject *)type, 0);
  if (!self) return NULL;
  self->script = Py_NewRef(script);
  self->host = host;
  self->sim = sim;
  self->callbacks = PyList_New(0);
  if (self->callbacks) return self;
  Py_DECREF(self);
  return NULL;
}

/* Everything it holds; a script's simulation stays the script's. */
static void let_go(py_sim *self) {
  if (self->script) {
    py_script_forget(self->script, self);
    self->sim = NULL;
    self->host = NULL;
  } else if (self->sim) {
    py_enter(&self->own);
    ria_sim *sim = self->sim;
    self->sim = NULL; /* what it calls on its way finds it closed */
    Py_BEGIN_ALLOW_THREADS ria_sim_destroy(&sim);
    Py_END_ALLOW_THREADS py_leave(&self->own);
  }
  py_host_close(&self->own);
  self->host = NULL;
  Py_CLEAR(self->script);
  Py_CLEAR(self->callbacks);
  Py_CLEAR(self->progress);
}

static int sim_traverse(PyObject *o, visitproc visit, void *arg) {
  py_sim *self = (py_sim *)o;
  Py_VISIT(Py_TYPE(o));
  Py_VISIT(self->script);
  Py_VISIT(self->callbacks);
  Py_VISIT(self->progress);
  return py_host_visit(&self->own, visit, arg);
}

static int sim_clear(PyObject *o) {
  let_go((py_sim *)o);
  return 0;
}

static void sim_dealloc(PyObject *o) {
  PyTypeObject *type = Py_TYPE(o);
  PyObject *thrown[3];
  PyObject_GC_UnTrack(o);
  PyErr_Fetch(&thrown[0], &thrown[1], &thrown[2]); /* it may be on its way while this dies */
  let_go((py_sim *)o);
  PyErr_Restore(thrown[0], thrown[1], thrown[2]);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(o);
  Py_DECREF(type);
}

static PyObject *sim_close(PyObject *o, PyObject *none) {
  (void)none;
  py_sim *self = (py_sim *)o;
  if (!self->sim) Py_RETURN_NONE;
  if (!py_host_free(self->host)) return NULL;
  if (self->host->depth)
    return py_fail(RIA_ERR_ARGUMENT, "the simulation cannot be closed while it is at work");
  if (self->script)
    return py_fail(RIA_ERR_ARGUMENT, "the simulation is its script's: close the script");
  ria_status status;
  PY_CALL(self->host, status, ria_sim_finish(self->sim));
  const bool well = py_ended_well(self->host, status);
  PyObject *thrown[3];
  PyErr_Fetch(&thrown[0], &thrown[1], &thrown[2]);
  let_go(self);
  PyErr_Restore(thrown[0], thrown[1], thrown[2]);
  return well ? Py_NewRef(Py_None) : NULL;
}

/* --- moving on -------------------------------------------------------------------------------- */

bool py_read_time(const py_sim *self, const char *what, const char *name, PyObject *o,
                  double *out) {
  const py_key key = {.name = name, .type = PY_TIME, .dim = RIA_DIM_TIME};
  py_reader r = {.what = what, .ctx = self->host->ctx, .sim = self->sim};
  return py_read_one(&r, &key, o, out);
}

static PyObject *time_now(py_sim *self, ria_status status) {
  return py_ended_well(self->host, status) ? PyFloat_FromDouble(ria_sim_time(self->sim)) : NULL;
}

static PyObject *sim_start(PyObject *o, PyObject *none) {
  (void)none;
  py_sim *self = (py_sim *)o;
  ria_status status;
  if (!py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_start(self->sim));
  return py_end(self->host, status);
}

static PyObject *sim_run(PyObject *o, PyObject *args) {
  py_sim *self = (py_sim *)o;
  PyObject *until;
  double t;
  ria_status status;
  if (!PyArg_ParseTuple(args, "O", &until) || !py_sim_ready(self) ||
      !py_read_time(self, "run", "t", until, &t))
    return NULL;
  PY_CALL(self->host, status, ria_sim_run(self->sim, t));
  return time_now(self, status);
}

static PyObject *sim_advance(PyObject *o, PyObject *args) {
  py_sim *self = (py_sim *)o;
  PyObject *by;
  double dt;
  ria_status status;
  const py_key key = {.name = "dt", .type = PY_NUMBER, .dim = RIA_DIM_TIME};
  if (!PyArg_ParseTuple(args, "O", &by) || !py_sim_ready(self)) return NULL;
  py_reader r = {.what = "advance", .ctx = self->host->ctx};
  if (!py_read_one(&r, &key, by, &dt)) return NULL;
  PY_CALL(self->host, status, ria_sim_advance(self->sim, dt));
  return time_now(self, status);
}

/* _seconds(time): as a number */
static PyObject *sim_seconds(PyObject *o, PyObject *args) {
  py_sim *self = (py_sim *)o;
  PyObject *time;
  double t;
  if (!PyArg_ParseTuple(args, "O", &time) || !py_sim_ready(self)) return NULL;
  return py_read_time(self, "a time", "t", time, &t) ? PyFloat_FromDouble(t) : NULL;
}

static PyObject *sim_step(PyObject *o, PyObject *args) {
  py_sim *self = (py_sim *)o;
  long long n = 1;
  ria_status status;
  if (!PyArg_ParseTuple(args, "|L", &n) || !py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_step(self->sim, n));
  return time_now(self, status);
}

static PyObject *sim_finish(PyObject *o, PyObject *none) {
  (void)none;
  py_sim *self = (py_sim *)o;
  ria_status status;
  if (!py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_finish(self->sim));
  return py_end(self->host, status);
}

static PyObject *sim_stop(PyObject *o, PyObject *none) {
  (void)none;
  py_sim *self = (py_sim *)o;
  if (!py_sim_ready(self)) return NULL;
  ria_sim_stop(self->sim);
  Py_RETURN_NONE;
}

/* Of all calls this one may come from another thread. */
static PyObject *sim_interrupt(PyObject *o, PyObject *none) {
  (void)none;
  py_sim *self = (py_sim *)o;
  if (self->sim) ria_sim_interrupt(self->sim);
  Py_RETURN_NONE;
}

/* --- what happened ---------------------------------------------------------------------------- */

static PyObject *sim_budget(PyObject *o, PyObject *none) {
  (void)none;
  enum { MOST = RIA_OWN_QUANTITIES + RIA_MAX_TRACERS };
  py_sim *self = (py_sim *)o;
  ria_budget_row row[MOST];
  size_t n = MOST;
  ria_status status;
  if (!py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_budget(self->sim, row, &n));
  PyObject *all = py_ended_well(self->host, status) ? PyDict_New() : NULL;
  for (size_t k = 0; all && k < n; k++) {
    const ria_budget_row *b = &row[k];
    PyObject *one = Py_BuildValue("{s:s,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d}", "unit", b->unit,
                                  "initial", b->initial, "stored", b->stored, "inflow", b->inflow,
                                  "outflow", b->outflow, "sources", b->sources, "decayed",
                                  b->decayed, "residual", b->residual, "relative", b->relative);
    if (!one || PyDict_SetItemString(all, b->name, one) != 0) Py_CLEAR(all);
    Py_XDECREF(one);
  }
  return all;
}

static PyObject *sim_summary(PyObject *o, PyObject *none) {
  (void)none;
  py_sim *self = (py_sim *)o;
  ria_summary s;
  ria_status status;
  if (!py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_summary(self->sim, &s));
  if (!py_ended_well(self->host, status)) return NULL;
  return Py_BuildValue("{s:L,s:d,s:d,s:d,s:d,s:d,s:d,s:s,s:s,s:i,s:s,s:s}", "steps",
                       (long long)s.steps, "time", s.time, "wall", s.wall, "cell_steps",
                       s.cell_steps, "dt_min", s.dt_min, "dt_min_time", s.dt_min_time, "dt_mean",
                       s.dt_mean, "dt_min_cause", s.dt_min_cause, "warning", s.warning, "threads",
                       s.threads, "device", s.device, "unreached", s.unreached);
}

static PyObject *sim_report(PyObject *o, PyObject *none) {
  (void)none;
  py_sim *self = (py_sim *)o;
  ria_status status;
  if (!py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_report(self->sim));
  return py_end(self->host, status);
}

static PyObject *sim_param(PyObject *o, PyObject *args) {
  py_sim *self = (py_sim *)o;
  const char *name;
  double value = 0.0;
  ria_status status;
  if (!PyArg_ParseTuple(args, "s", &name) || !py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_param(self->sim, name, &value));
  return py_ended_well(self->host, status) ? PyFloat_FromDouble(value) : NULL;
}

/* date(t = now): text, or None of a run without a start */
static PyObject *sim_date(PyObject *o, PyObject *args) {
  py_sim *self = (py_sim *)o;
  char text[48];
  if (!py_sim_ready(self)) return NULL;
  double t = ria_sim_time(self->sim);
  if (!PyArg_ParseTuple(args, "|d", &t)) return NULL;
  if (!ria_sim_date(self->sim, t, text, sizeof text)) Py_RETURN_NONE;
  return PyUnicode_FromString(text);
}

/* --- properties ------------------------------------------------------------------------------- */

static PyObject *get_time(PyObject *o, void *closure) {
  (void)closure;
  py_sim *self = (py_sim *)o;
  return py_sim_ready(self) ? PyFloat_FromDouble(ria_sim_time(self->sim)) : NULL;
}

static PyObject *get_steps(PyObject *o, void *closure) {
  (void)closure;
  py_sim *self = (py_sim *)o;
  return py_sim_ready(self) ? PyLong_FromLongLong(ria_sim_steps(self->sim)) : NULL;
}

static PyObject *get_t_end(PyObject *o, void *closure) {
  (void)closure;
  py_sim *self = (py_sim *)o;
  if (!self->script) Py_RETURN_NONE;
  return PyFloat_FromDouble(self->t_end);
}

static PyObject *get_grid(PyObject *o, void *closure) {
  (void)closure;
  py_sim *self = (py_sim *)o;
  if (!py_sim_ready(self)) return NULL;
  const ria_grid *g = ria_sim_grid(self->sim);
  return Py_BuildValue("{s:i,s:i,s:d,s:d,s:d,s:d,s:d}", "nx", g->nx, "ny", g->ny, "dx", g->dx, "dy",
                       g->dy, "x0", g->x0, "y0", g->y0, "angle", g->angle);
}

static PyObject *text_or_none(const char *text) {
  if (!text) Py_RETURN_NONE;
  return PyUnicode_FromString(text);
}

static PyObject *get_crs(PyObject *o, void *closure) {
  (void)closure;
  py_sim *self = (py_sim *)o;
  return py_sim_ready(self) ? text_or_none(ria_sim_crs(self->sim)) : NULL;
}

static PyObject *get_out(PyObject *o, void *closure) {
  (void)closure;
  py_sim *self = (py_sim *)o;
  return py_sim_ready(self) ? text_or_none(ria_sim_out(self->sim)) : NULL;
}

static PyObject *get_device(PyObject *o, void *closure) {
  (void)closure;
  py_sim *self = (py_sim *)o;
  return py_sim_ready(self) ? PyUnicode_FromString(ria_context_device(self->host->ctx)) : NULL;
}

static PyObject *get_closed(PyObject *o, void *closure) {
  (void)closure;
  return PyBool_FromLong(((py_sim *)o)->sim == NULL);
}

static PyObject *get_progress(PyObject *o, void *closure) {
  (void)closure;
  PyObject *p = ((py_sim *)o)->progress;
  return Py_NewRef(p ? p : Py_None);
}

static int set_progress(PyObject *o, PyObject *value, void *closure) {
  (void)closure;
  py_sim *self = (py_sim *)o;
  PyObject *old = self->progress;
  self->progress = !value || value == Py_None ? NULL : Py_NewRef(value);
  Py_XDECREF(old);
  return 0;
}

/* --- the type --------------------------------------------------------------------------------- */

#define WITH_KEYS METH_VARARGS | METH_KEYWORDS
static PyMethodDef methods[] = {
    {"start", sim_start, METH_NOARGS, "Check everything, open outputs, fire the events at t = 0."},
    {"_seconds", sim_seconds, METH_VARARGS, NULL},
    {"_run", sim_run, METH_VARARGS, NULL},
    {"advance", sim_advance, METH_VARARGS,
     "advance(dt): on by dt (s, or \"10 min\"), landing exactly. Returns the time."},
    {"step", sim_step, METH_VARARGS, "step(n = 1): take n steps. Returns the time."},
    {"finish", sim_finish, METH_NOARGS, "Write closing outputs and wait for them."},
    {"stop", sim_stop, METH_NOARGS, "End the run at the present event; for callbacks."},
    {"interrupt", sim_interrupt, METH_NOARGS, "Ask a run to end after its step; from any thread."},
    {"close", sim_close, METH_NOARGS, "Finish and free everything; further calls are errors."},
    {"get_into", py_sim_get_into, METH_VARARGS,
     "get_into(name, array, maximum = False): copy a field straight into an array of float64 "
     "[ny][nx]."},
    {"set_from", py_sim_set_from, METH_VARARGS, "set_from(name, array or float)"},
    {"track_maximum", py_sim_track_maximum, METH_VARARGS,
     "track_maximum(name): keep its maximum from now on."},
    {"probe", py_sim_probe, METH_VARARGS, "probe(name, x, y): the value in the cell there."},
    {"stats", py_sim_stats, METH_VARARGS,
     "stats(name): min, max, sum, mean, and where; cells are (j, i)."},
    {"fields", py_sim_fields, METH_NOARGS,
     "All fields: name -> unit, doc, can_set, can_track, fixed, tracer."},
    {"budget", sim_budget, METH_NOARGS, "The account of water and of every tracer."},
    {"summary", sim_summary, METH_NOARGS, "Steps, times, the smallest dt and its cause, warnings."},
    {"report", sim_report, METH_NOARGS, "Summary and budget as people read them, to the log."},
    {"param", sim_param, METH_VARARGS, "param(name): a parameter of the solver as a number."},
    {"date", sim_date, METH_VARARGS, "date(t = now): by the run's calendar, or None."},
    {"_boundary", (PyCFunction)(void (*)(void))py_sim_boundary, WITH_KEYS, NULL},
    {"boundary_flux", (PyCFunction)py_sim_boundary_flux, METH_VARARGS,
     "boundary_flux(name, quantity = None): (in, out) since the start."},
    {"spill", (PyCFunction)(void (*)(void))py_sim_spill, WITH_KEYS,
     "spill(tracer, x, y, radius, mass | amount | rate | volume, density | flow, conc, start, "
     "duration, name): returns a handle."},
    {"released", (PyCFunction)py_sim_released, METH_VARARGS,
     "released(handle): so far by that spill."},
    {"vary", (PyCFunction)py_sim_vary, METH_VARARGS, "vary(param, value or series)"},
    {"_at", (PyCFunction)py_sim_at, METH_VARARGS, NULL},
    {"_every", (PyCFunction)py_sim_every, METH_VARARGS, NULL},
    {"cancel", (PyCFunction)py_sim_cancel, METH_VARARGS,
     "cancel(handle): an event, a spill, a gauge or an output."},
    {"gauge", (PyCFunction)(void (*)(void))py_sim_gauge, WITH_KEYS,
     "gauge(name, x, y, every, fields = None, exact = False)"},
    {"section", (PyCFunction)(void (*)(void))py_sim_section, WITH_KEYS,
     "section(name, line = [(x, y), ...], every, exact = False)"},
    {"_gauge_history", (PyCFunction)py_sim_gauge_history, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {
    {"time", get_time, NULL, "s from the start of the run", NULL},
    {"steps", get_steps, NULL, "taken so far", NULL},
    {"t_end", get_t_end, NULL, "of a script's: how far it will run, s; else None", NULL},
    {"grid", get_grid, NULL, "nx, ny, dx, dy, x0, y0, angle", NULL},
    {"crs", get_crs, NULL, "EPSG:n or WKT, or None", NULL},
    {"out", get_out, NULL, "the results directory, or None", NULL},
    {"device", get_device, NULL, "cpu, cuda:0 ...", NULL},
    {"closed", get_closed, NULL, "is it closed?", NULL},
    {"progress", get_progress, set_progress, "called some ten times a second with a dict", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {{Py_tp_init, py_sim_init},
                              {Py_tp_new, PyType_GenericNew},
                              {Py_tp_dealloc, sim_dealloc},
                              {Py_tp_traverse, sim_traverse},
                              {Py_tp_clear, sim_clear},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {Py_tp_doc, "A simulation; ria.Simulation adds numpy."},
                              {0, NULL}};
static PyType_Spec spec = {"ria._ria.Sim", sizeof(py_sim), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};

bool py_open_sim(PyObject *module) {
  py_sim_type = PyType_FromSpec(&spec);
  return py_sim_type && PyModule_AddObjectRef(module, "Sim", py_sim_type) == 0;
}
