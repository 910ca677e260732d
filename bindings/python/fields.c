/* fields.c - the fields of a simulation: what there are, whole ones in and out, points, extremes.
 *
 * Fields are copied between the engine and memory of the caller's (the buffer protocol: numpy
 * arrays of doubles), once and straight: there is no array between. The engine's own state has
 * ghost cells around it, is in single precision or on a GPU, and changes places from step to step,
 * so there is none of it to show. */
#include "py.h"

#include <string.h>

/* Memory of [ny][nx] doubles that an object shares. */
static bool share(py_sim *self, PyObject *o, bool writable, Py_buffer *view) {
  const ria_grid *g = ria_sim_grid(self->sim);
  if (PyObject_GetBuffer(o, view,
                         PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0)) != 0)
    return false;
  const bool fits = view->len == (Py_ssize_t)sizeof(double) * g->nx * g->ny && view->format &&
                    strcmp(view->format, "d") == 0;
  if (fits) return true;
  py_fail(RIA_ERR_ARGUMENT,
          "expected %d x %d doubles (float64), row by row from the south, got %zd bytes of '%s'",
          g->ny, g->nx, view->len, view->format ? view->format : "B");
  PyBuffer_Release(view);
  return false;
}

/* get_into(name, buffer, maximum = False) */
PyObject *py_sim_get_into(PyObject *o, PyObject *args) {
  py_sim *self = (py_sim *)o;
  const char *name;
  PyObject *to;
  int maximum = 0;
  Py_buffer view;
  ria_status status;
  if (!PyArg_ParseTuple(args, "sO|p", &name, &to, &maximum) || !py_sim_ready(self) ||
      !share(self, to, true, &view))
    return NULL;
  PY_CALL(self->host, status,
          maximum ? ria_sim_get_maximum(self->sim, name, view.buf)
                  : ria_sim_get(self->sim, name, view.buf));
  PyBuffer_Release(&view);
  return py_end(self->host, status);
}

/* set_from(name, buffer or number) */
PyObject *py_sim_set_from(PyObject *o, PyObject *args) {
  py_sim *self = (py_sim *)o;
  const char *name;
  PyObject *from;
  Py_buffer view;
  ria_status status;
  if (!PyArg_ParseTuple(args, "sO", &name, &from) || !py_sim_ready(self)) return NULL;
  if (PyFloat_Check(from)) {
    const double value = PyFloat_AsDouble(from);
    PY_CALL(self->host, status, ria_sim_set_constant(self->sim, name, value));
    return py_end(self->host, status);
  }
  if (!share(self, from, false, &view)) return NULL;
  PY_CALL(self->host, status, ria_sim_set(self->sim, name, view.buf));
  PyBuffer_Release(&view);
  return py_end(self->host, status);
}

PyObject *py_sim_track_maximum(PyObject *o, PyObject *args) {
  py_sim *self = (py_sim *)o;
  const char *name;
  ria_status status;
  if (!PyArg_ParseTuple(args, "s", &name) || !py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_track_maximum(self->sim, name));
  return py_end(self->host, status);
}

PyObject *py_sim_probe(PyObject *o, PyObject *args) {
  py_sim *self = (py_sim *)o;
  const char *name;
  double x, y, value = 0.0;
  ria_status status;
  if (!PyArg_ParseTuple(args, "sdd", &name, &x, &y) || !py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_probe(self->sim, name, x, y, &value));
  return py_ended_well(self->host, status) ? PyFloat_FromDouble(value) : NULL;
}

PyObject *py_sim_stats(PyObject *o, PyObject *args) {
  py_sim *self = (py_sim *)o;
  const char *name;
  ria_stats s;
  ria_status status;
  if (!PyArg_ParseTuple(args, "s", &name) || !py_sim_ready(self)) return NULL;
  PY_CALL(self->host, status, ria_sim_stats(self->sim, name, &s));
  if (!py_ended_well(self->host, status)) return NULL;
  return Py_BuildValue("{s:d,s:d,s:d,s:d,s:(ii),s:(ii),s:L}", "min", s.min, "max", s.max, "sum",
                       s.sum, "mean", s.mean, "min_cell", s.min_j, s.min_i, "max_cell", s.max_j,
                       s.max_i, "n", (long long)s.n);
}

PyObject *py_sim_fields(PyObject *o, PyObject *none) {
  (void)none;
  py_sim *self = (py_sim *)o;
  if (!py_sim_ready(self)) return NULL;
  PyObject *all = PyDict_New();
  ria_field_entry e;
  for (size_t k = 0; all && ria_sim_field_list(self->sim, k, &e); k++) {
    const ria_unit *unit = e.tracer < 0 ? NULL : ria_sim_unit(self->sim, e.tracer);
    const size_t n = strlen(e.name);
    const bool load = unit && n > 5 && strcmp(e.name + n - 5, "_load") == 0;
    PyObject *one =
        Py_BuildValue("{s:s,s:s,s:s,s:O,s:O,s:O,s:i}", "unit", e.unit, "doc", e.doc, "cf_unit",
                      unit ? load ? unit->cf_load : unit->cf : e.unit, "can_set",
                      e.can_set ? Py_True : Py_False, "can_track", e.can_track ? Py_True : Py_False,
                      "fixed", e.fixed ? Py_True : Py_False, "tracer", e.tracer);
    if (!one || PyDict_SetItemString(all, e.name, one) != 0) Py_CLEAR(all);
    Py_XDECREF(one);
  }
  return all;
}

const ria_unit *py_sim_unit(const py_sim *self, const char *tracer, int *index) {
  ria_field_entry e;
  for (size_t k = 0; tracer && ria_sim_field_list(self->sim, k, &e); k++) {
    if (e.tracer < 0 || strcmp(e.name, tracer) != 0) continue;
    if (index) *index = e.tracer;
    return ria_sim_unit(self->sim, e.tracer);
  }
  return NULL;
}
