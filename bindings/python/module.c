/* module.c - the extension ria._ria: what the package in ria/ is built upon. */
#include "py.h"

#include <ria/solver.h>

static PyObject *devices(PyObject *module, PyObject *none) {
  (void)module;
  (void)none;
  ria_device_info info;
  PyObject *all = PyDict_New();
  for (size_t k = 0; all && ria_device_list(k, &info); k++) {
    PyObject *one = Py_BuildValue("{s:s,s:O}", "description", info.description, "there",
                                  info.there ? Py_True : Py_False);
    if (!one || PyDict_SetItemString(all, info.name, one) != 0) Py_CLEAR(all);
    Py_XDECREF(one);
  }
  return all;
}

static PyObject *solvers(PyObject *module, PyObject *none) {
  (void)module;
  (void)none;
  PyObject *all = PyDict_New();
  for (size_t k = 0; all && k < ria_solver_count(); k++) {
    PyObject *one = PyUnicode_FromString(ria_solver_at(k)->summary);
    if (!one || PyDict_SetItemString(all, ria_solver_at(k)->name, one) != 0) Py_CLEAR(all);
    Py_XDECREF(one);
  }
  return all;
}

/* date(text, zone): s since 1970 */
static PyObject *date(PyObject *module, PyObject *args) {
  (void)module;
  const char *text, *zone_text = NULL;
  double zone = 0.0, t = 0.0;
  py_host host = {0};
  if (!PyArg_ParseTuple(args, "s|z", &text, &zone_text)) return NULL;
  if (!py_host_open(&host, &(py_context_options){.device = "cpu", .threads = 1})) return NULL;
  ria_status status = zone_text ? ria_parse_zone(host.ctx, zone_text, &zone) : RIA_OK;
  if (status == RIA_OK) status = ria_parse_date(host.ctx, text, zone, &t);
  PyObject *out = py_ended_well(&host, status) ? PyFloat_FromDouble(t) : NULL;
  py_host_close(&host);
  return out;
}

static PyMethodDef functions[] = {
    {"devices", devices, METH_NOARGS, "devices(): name -> description, and whether it is there"},
    {"solvers", solvers, METH_NOARGS, "solvers(): name -> what it is for"},
    {"date", date, METH_VARARGS, "date(text, zone = None): seconds since 1970-01-01 00:00:00 UTC"},
    {NULL, NULL, 0, NULL}};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "ria._ria", "The engine.", -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__ria(void) {
  PyObject *module = PyModule_Create(&definition);
  if (module && py_open_errors(module) && py_open_sim(module) && py_open_script(module) &&
      PyModule_AddStringConstant(module, "version", ria_version()) == 0)
    return module;
  Py_XDECREF(module);
  return NULL;
}
