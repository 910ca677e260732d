/* make.c - ria.Simulation(nx = 100, ...): a context and a simulation from keyword arguments. */
#include "py.h"

#include <ria/solver.h>

enum { SIGNALS_EVERY_MS = 100 };

typedef struct make {
  ria_sim_desc d;
  py_context_options context;
  PyObject *params, *tracers;
} make;

static const char *const precisions[] = {"double", "single", NULL};
static const char *const outsides[] = {"error", "wall", NULL};
static const char *const clocks[] = {"date", "elapsed", NULL};
static const py_key make_keys[] = {
    {"solver", PY_TEXT, offsetof(make, d.solver), .dim = RIA_DIM_NONE},
    {"nx", PY_INT, offsetof(make, d.grid.nx), .required = true},
    {"ny", PY_INT, offsetof(make, d.grid.ny), .required = true},
    {"dx", PY_NUMBER, offsetof(make, d.grid.dx), .dim = RIA_DIM_LENGTH, .required = true},
    {"dy", PY_NUMBER, offsetof(make, d.grid.dy), .dim = RIA_DIM_LENGTH},
    {"x0", PY_NUMBER, offsetof(make, d.grid.x0), .dim = RIA_DIM_LENGTH},
    {"y0", PY_NUMBER, offsetof(make, d.grid.y0), .dim = RIA_DIM_LENGTH},
    {"angle", PY_NUMBER, offsetof(make, d.grid.angle), .dim = RIA_DIM_ANGLE},
    {"precision", PY_CHOICE, offsetof(make, d.precision), .choices = precisions},
    {"title", PY_TEXT, offsetof(make, d.title), .dim = RIA_DIM_NONE},
    {"crs", PY_TEXT, offsetof(make, d.crs), .dim = RIA_DIM_NONE},
    {"out", PY_TEXT, offsetof(make, d.out), .dim = RIA_DIM_NONE},
    {"overwrite", PY_BOOL, offsetof(make, d.overwrite), .dim = RIA_DIM_NONE},
    {"outside", PY_CHOICE, offsetof(make, d.outside), .choices = outsides},
    {"units_row", PY_BOOL, offsetof(make, d.units_row), .dim = RIA_DIM_NONE},
    {"start", PY_TEXT, offsetof(make, d.start), .dim = RIA_DIM_NONE},
    {"zone", PY_TEXT, offsetof(make, d.zone), .dim = RIA_DIM_NONE},
    {"clock", PY_CHOICE, offsetof(make, d.clock), .choices = clocks},
    {"no_page", PY_BOOL, offsetof(make, d.no_page), .dim = RIA_DIM_NONE},
    {"params", PY_OBJECT, offsetof(make, params), .dim = RIA_DIM_NONE},
    {"tracers", PY_OBJECT, offsetof(make, tracers), .dim = RIA_DIM_NONE},
    {"device", PY_TEXT, offsetof(make, context.device), .dim = RIA_DIM_NONE},
    {"threads", PY_INT, offsetof(make, context.threads), .dim = RIA_DIM_NONE},
    {"parts", PY_INT, offsetof(make, context.parts), .dim = RIA_DIM_NONE},
    {"log", PY_OBJECT, offsetof(make, context.log), .dim = RIA_DIM_NONE},
    {.name = NULL}};

/* params = {"manning": 0.03, "viscosity": "2 m2/s", "coriolis": True} */
static bool read_params(py_reader *r, PyObject *dict, ria_sim_desc *d) {
  PyObject *name, *value;
  Py_ssize_t at = 0;
  if (!dict) return true;
  if (!PyDict_Check(dict)) return py_fail(RIA_ERR_ARGUMENT, "params: expected a dict");
  ria_setting *s = py_reader_alloc(r, (size_t)PyDict_Size(dict), sizeof *s);
  r->what = "params";
  for (size_t k = 0; s && PyDict_Next(dict, &at, &name, &value); k++) {
    if (!(s[k].name = py_text("params", "a name", name))) return false;
    const bool text = PyUnicode_Check(value);
    const py_key key = {.name = s[k].name,
                        .type = text ? PY_TEXT : PY_NUMBER,
                        .offset =
                            text ? offsetof(ria_setting, text) : offsetof(ria_setting, number)};
    if (PyBool_Check(value))
      s[k].text = value == Py_True ? "yes" : "no";
    else if (!py_read_one(r, &key, value, &s[k]))
      return false;
    d->n_params = k + 1;
  }
  d->params = s;
  return s != NULL;
}

static const py_key tracer_keys[] = {
    {"unit", PY_TEXT, offsetof(ria_tracer, unit), .dim = RIA_DIM_NONE},
    {"decay", PY_NUMBER, offsetof(ria_tracer, decay), .dim = RIA_DIM_RATE},
    {"diffusion", PY_NUMBER, offsetof(ria_tracer, diffusion), .dim = RIA_DIM_DIFFUSIVITY},
    {.name = NULL}};

/* tracers = {"oil": {"diffusion": 1}} */
static bool read_tracers(py_reader *r, PyObject *dict, ria_sim_desc *d) {
  PyObject *name, *value;
  Py_ssize_t at = 0;
  if (!dict) return true;
  if (!PyDict_Check(dict)) return py_fail(RIA_ERR_ARGUMENT, "tracers: expected a dict of dicts");
  ria_tracer *t = py_reader_alloc(r, (size_t)PyDict_Size(dict), sizeof *t);
  for (size_t k = 0; t && PyDict_Next(dict, &at, &name, &value); k++) {
    if (!(t[k].name = r->what = py_text("tracers", "a name", name))) return false;
    if (!py_read(r, tracer_keys, value, &t[k])) return false;
    d->n_tracers = k + 1;
  }
  d->tracers = t;
  return t != NULL;
}

static ria_status on_progress(ria_sim *sim, const ria_progress_info *info, void *user) {
  (void)sim;
  py_sim *self = user;
  if (py_check_signals(self->host) != RIA_OK) return RIA_INTERRUPTED;
  if (!self->progress) return RIA_OK;
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *said = PyObject_CallFunction(
      self->progress, "{s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:L}", "t", info->t, "t_end", info->t_end, "dt",
      info->dt, "wall", info->wall, "eta", info->eta, "rate", info->rate, "mass_error",
      info->mass_error, "steps", (long long)info->steps);
  if (!said) py_keep_thrown(self->host);
  Py_XDECREF(said);
  PyGILState_Release(lock);
  return said ? RIA_OK : ria_fail(self->host->ctx, RIA_ERR_CALLBACK, "progress has failed");
}

static bool make_it(py_sim *self, py_reader *r, PyObject *kwargs) {
  make m = {0};
  ria_status status;
  if (!py_read(r, make_keys, kwargs, &m) || !py_host_open(&self->own, &m.context)) return false;
  self->host = &self->own;
  ria_context_destroy(&r->ctx);
  r->ctx = self->own.ctx;
  if (!read_params(r, m.params, &m.d) || !read_tracers(r, m.tracers, &m.d)) return false;
  if (m.d.grid.dy == 0.0) m.d.grid.dy = m.d.grid.dx;
  status = ria_solver_find(self->host->ctx, m.d.solver, &self->solver);
  if (status == RIA_OK)
    PY_CALL(self->host, status, ria_sim_create(self->host->ctx, &m.d, &self->sim));
  if (status == RIA_OK)
    status = ria_sim_on_progress(self->sim, 1e-3 * SIGNALS_EVERY_MS, on_progress, self);
  return py_ended_well(self->host, status);
}

int py_sim_init(PyObject *o, PyObject *args, PyObject *kwargs) {
  py_sim *self = (py_sim *)o;
  py_reader r = {.what = "Simulation"};
  if (self->host || PyTuple_Size(args) > 0) {
    py_fail(RIA_ERR_ARGUMENT, self->host ? "the simulation is made already"
                                         : "Simulation: all arguments have names: nx = 100, ...");
    return -1;
  }
  self->callbacks = PyList_New(0);
  /* units are read before there is a context with the device that was asked for */
  if (!self->callbacks ||
      ria_context_create(&(ria_context_desc){.device = "cpu", .threads = 1, .writers = 1},
                         &r.ctx) != RIA_OK) {
    if (!PyErr_Occurred()) PyErr_NoMemory();
    return -1;
  }
  const bool well = make_it(self, &r, kwargs);
  if (r.ctx != self->own.ctx) ria_context_destroy(&r.ctx);
  py_reader_free(&r);
  if (!well) py_host_close(&self->own);
  if (!well) self->host = NULL;
  return well ? 0 : -1;
}
