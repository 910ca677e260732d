/* forcing.c - methods of Sim: boundaries, spills, parameters that vary.
 *
 * No kind of boundary is named here: kinds and their values, with units, are read from the solver's
 * table. */
#include "py.h"

#include <ria/solver.h>
#include <stdio.h>
#include <string.h>

static const char *const side_names[] = {"west", "east", "south", "north", NULL};

/* --- boundaries ------------------------------------------------------------------------------- */

typedef struct edge {
  ria_boundary_desc d;
  PyObject *values, *tracers;
  bool from, to;
  const char *change; /* the name of one that is there */
  bool side_given;
} edge;

static const py_key edge_keys[] = {
    {"name", PY_TEXT, offsetof(edge, d.name), .dim = RIA_DIM_NONE},
    {"kind", PY_TEXT, offsetof(edge, d.kind), .dim = RIA_DIM_NONE},
    {"side", PY_CHOICE, offsetof(edge, d.side), .choices = side_names,
     .given = offsetof(edge, side_given)},
    {"from_", PY_POINT, offsetof(edge, d.from), .given = offsetof(edge, from)},
    {"to", PY_POINT, offsetof(edge, d.to), .given = offsetof(edge, to)},
    {"values", PY_OBJECT, offsetof(edge, values), .dim = RIA_DIM_NONE},
    {"tracers", PY_OBJECT, offsetof(edge, tracers), .dim = RIA_DIM_NONE},
    {"change", PY_TEXT, offsetof(edge, change), .dim = RIA_DIM_NONE},
    {.name = NULL}};

/* The value of a kind by name, of any kind where none is named. */
static const ria_boundary_value_info *value_info(const ria_solver *solver, const char *kind,
                                                 const char *name) {
  for (const ria_boundary_kind *k = solver->boundaries; k && k->name; k++)
    for (int v = 0; v < RIA_BOUNDARY_VALUES && k->values[v].name; v++)
      if ((!kind || strcmp(kind, k->name) == 0) && strcmp(k->values[v].name, name) == 0)
        return &k->values[v];
  return NULL;
}

/* [(at, value), ...]: at a share of the way along, or (x, y). */
static bool read_points(py_reader *r, const char *name, ria_dim dim, PyObject *list,
                        ria_boundary_desc *d) {
  const size_t n = (size_t)PyList_Size(list);
  ria_boundary_point *p = py_reader_alloc(r, d->n_points + n, sizeof *p);
  if (!p) return false;
  if (d->n_points) memcpy(p, d->points, d->n_points * sizeof *p);
  for (size_t k = 0; k < n; k++) {
    PyObject *pair = PyList_GetItem(list, (Py_ssize_t)k), *at = NULL, *value = NULL;
    ria_boundary_point *q = &p[d->n_points + k];
    double place[2];
    const py_key key = {.name = name, .type = PY_VALUE, .dim = dim},
                 place_key = {.name = name, .type = PY_POINT};
    if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "OO", &at, &value)) {
      PyErr_Clear();
      return py_fail(RIA_ERR_ARGUMENT, "boundary: %s: expected a list of (at, value)", name);
    }
    q->name = name;
    q->by_share = !PySequence_Check(at);
    if (q->by_share)
      q->share = PyFloat_AsDouble(at);
    else if (!py_read_one(r, &place_key, at, place))
      return false;
    if (PyErr_Occurred()) return false;
    q->x = q->by_share ? 0.0 : place[0];
    q->y = q->by_share ? 0.0 : place[1];
    if (!py_read_one(r, &key, value, &q->value)) return false;
  }
  d->points = p;
  d->n_points += n;
  return true;
}

static bool read_values(py_reader *r, const ria_solver *solver, PyObject *dict,
                        ria_boundary_desc *d) {
  PyObject *name, *value;
  Py_ssize_t at = 0;
  int n = 0;
  if (dict && !PyDict_Check(dict))
    return py_fail(RIA_ERR_ARGUMENT, "boundary: values: expected a dict");
  while (dict && PyDict_Next(dict, &at, &name, &value)) {
    const char *word = py_text(r->what, "a value's name", name);
    if (!word) return false;
    const ria_boundary_value_info *info = value_info(solver, d->kind, word);
    const py_key key = {
        .name = word, .type = PY_VALUE, .dim = info ? (ria_dim)info->dim : RIA_DIM_NONE};
    if (PyList_Check(value)) {
      if (!read_points(r, word, key.dim, value, d)) return false;
      continue;
    }
    if (n == RIA_BOUNDARY_VALUES)
      return py_fail(RIA_ERR_ARGUMENT, "boundary: no kind takes as many values");
    d->values[n].name = word; /* the engine refuses those that the kind has not */
    if (!py_read_one(r, &key, value, &d->values[n++].value)) return false;
  }
  return true;
}

static bool read_inflow(py_sim *self, py_reader *r, PyObject *dict, ria_boundary_desc *d) {
  PyObject *name, *value;
  Py_ssize_t at = 0;
  if (dict && !PyDict_Check(dict))
    return py_fail(RIA_ERR_ARGUMENT, "boundary: tracers: expected a dict");
  while (dict && PyDict_Next(dict, &at, &name, &value)) {
    int index = 0;
    const char *word = py_text(r->what, "a tracer", name);
    if (!word) return false;
    r->unit = py_sim_unit(self, word, &index);
    if (!r->unit) return py_fail(RIA_ERR_ARGUMENT, "boundary: there is no tracer '%s'", word);
    const py_key key = {.name = word, .type = PY_VALUE, .measure = RIA_CONCENTRATION};
    if (!py_read_one(r, &key, value, &d->tracers[index])) return false;
    d->tracers_given |= 1u << index;
  }
  return true;
}

static bool add_edge(py_sim *self, py_reader *r, PyObject *kwargs) {
  edge e = {0};
  ria_boundary_id id;
  ria_status status;
  if (!py_read(r, edge_keys, kwargs, &e)) return false;
  if (e.from != e.to) return py_fail(RIA_ERR_ARGUMENT, "boundary: from_ and to go together");
  e.d.stretch = e.from;
  if (!e.change && !e.side_given && !e.from)
    return py_fail(RIA_ERR_ARGUMENT, "boundary: side is missing, or from_ and to");
  if (!read_values(r, self->solver, e.values, &e.d) || !read_inflow(self, r, e.tracers, &e.d))
    return false;
  if (e.change) {
    PY_CALL(self->host, status, ria_boundary_find(self->sim, e.change, &id));
    if (status == RIA_OK) PY_CALL(self->host, status, ria_boundary_change(self->sim, id, &e.d));
  } else {
    PY_CALL(self->host, status, ria_boundary_add(self->sim, &e.d, &id));
  }
  return py_ended_well(self->host, status);
}

PyObject *py_sim_boundary(py_sim *self, PyObject *args, PyObject *kwargs) {
  if (!PyArg_ParseTuple(args, "") || !py_sim_ready(self)) return NULL;
  py_reader r = {.what = "boundary", .ctx = self->host->ctx, .sim = self->sim};
  const bool well = add_edge(self, &r, kwargs);
  py_reader_free(&r);
  return well ? Py_NewRef(Py_None) : NULL;
}

PyObject *py_sim_boundary_flux(py_sim *self, PyObject *args) {
  const char *name, *quantity = NULL;
  double in = 0.0, out = 0.0;
  ria_boundary_id id;
  ria_status status;
  if (!PyArg_ParseTuple(args, "s|z", &name, &quantity) || !py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_boundary_find(self->sim, name, &id));
  if (status == RIA_OK)
    PY_CALL(self->host, status, ria_boundary_flux(self->sim, id, quantity, &in, &out));
  return py_ended_well(self->host, status) ? Py_BuildValue("(dd)", in, out) : NULL;
}

/* --- spills ----------------------------------------------------------------------------------- */

#define AT(member) offsetof(ria_spill_desc, member)
static const py_key spill_keys[] = {
    {"name", PY_TEXT, AT(name), .dim = RIA_DIM_NONE},
    {"tracer", PY_TEXT, AT(tracer), .dim = RIA_DIM_NONE},
    {"x", PY_NUMBER, AT(x), .dim = RIA_DIM_LENGTH, .required = true},
    {"y", PY_NUMBER, AT(y), .dim = RIA_DIM_LENGTH, .required = true},
    {"radius", PY_NUMBER, AT(radius), .dim = RIA_DIM_LENGTH},
    {"start", PY_TIME, AT(start), .dim = RIA_DIM_TIME},
    {"duration", PY_NUMBER, AT(duration), .dim = RIA_DIM_TIME},
    {"mass", PY_NUMBER, AT(mass), .dim = RIA_DIM_MASS},
    {"amount", PY_AMOUNT, AT(amount), .measure = RIA_AMOUNT},
    {"rate", PY_VALUE, AT(rate), .measure = RIA_AMOUNT_RATE, .given = AT(has_rate)},
    {"volume", PY_NUMBER, AT(volume), .dim = RIA_DIM_VOLUME},
    {"density", PY_NUMBER, AT(density), .dim = RIA_DIM_DENSITY},
    {"flow", PY_VALUE, AT(flow), .dim = RIA_DIM_FLOW, .given = AT(has_flow)},
    {"conc", PY_VALUE, AT(conc), .measure = RIA_CONCENTRATION},
    {.name = NULL}};
#undef AT

PyObject *py_sim_spill(py_sim *self, PyObject *args, PyObject *kwargs) {
  ria_handle handle = 0;
  ria_status status = RIA_OK;
  if (!PyArg_ParseTuple(args, "") || !py_sim_ready(self)) return NULL;
  py_reader r = {.what = "spill", .ctx = self->host->ctx, .sim = self->sim};
  ria_spill_desc d = {.start = ria_sim_time(self->sim)};
  PyObject *tracer = kwargs ? PyDict_GetItemString(kwargs, "tracer") : NULL;
  if (tracer && PyUnicode_Check(tracer)) {
    const char *word = py_text("spill", "tracer", tracer);
    r.unit = word ? py_sim_unit(self, word, NULL) : NULL;
  }
  const bool read = !PyErr_Occurred() && py_read(&r, spill_keys, kwargs, &d);
  if (read) PY_CALL(self->host, status, ria_sim_spill(self->sim, &d, &handle));
  py_reader_free(&r);
  if (!read || !py_ended_well(self->host, status)) return NULL;
  return PyLong_FromLongLong(handle);
}

PyObject *py_sim_released(py_sim *self, PyObject *args) {
  long long handle;
  double amount = 0.0;
  ria_status status;
  if (!PyArg_ParseTuple(args, "L", &handle) || !py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_spill_released(self->sim, handle, &amount));
  return py_ended_well(self->host, status) ? PyFloat_FromDouble(amount) : NULL;
}

/* --- parameters ------------------------------------------------------------------------------- */

PyObject *py_sim_vary(py_sim *self, PyObject *args) {
  const char *name;
  PyObject *o;
  ria_value value = {0};
  ria_status status = RIA_OK;
  if (!PyArg_ParseTuple(args, "sO", &name, &o) || !py_sim_ready(self)) return NULL;
  py_reader r = {.what = "vary", .ctx = self->host->ctx, .sim = self->sim};
  py_key key = {.name = name, .type = PY_VALUE};
  for (const ria_param_info *p = self->solver->params; p->name; p++)
    if (strcmp(p->name, name) == 0) key.dim = (ria_dim)p->dim;
  const bool read = py_read_one(&r, &key, o, &value);
  if (read) PY_CALL(self->host, status, ria_sim_vary(self->sim, name, &value));
  py_reader_free(&r);
  return read ? py_end(self->host, status) : NULL;
}
