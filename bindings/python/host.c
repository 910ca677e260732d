/* host.c - contexts, errors, and the way between two languages that both want to be in charge.
 *
 * What a callback throws waits in the host until the engine has come back, and is then thrown on
 * as it was: an event's ValueError is the caller's ValueError, Ctrl-C its KeyboardInterrupt. */
#include "py.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static PyObject *error_type; /* ria.Error */

bool py_open_errors(PyObject *module) {
  error_type = PyErr_NewExceptionWithDoc(
      "ria.Error",
      "What the engine refused or could not do: its whole message, and `status`, one of "
      "'argument', 'memory', 'input', 'output', 'numerical', 'device', 'callback', 'interrupted', "
      "'limit'.",
      PyExc_RuntimeError, NULL);
  return error_type && PyModule_AddObjectRef(module, "Error", error_type) == 0;
}

static PyObject *raise_error(ria_status status, const char *message) {
  PyObject *text = PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
  PyObject *error = text ? PyObject_CallFunctionObjArgs(error_type, text, NULL) : NULL;
  PyObject *word = error ? PyUnicode_FromString(ria_status_name(status)) : NULL;
  if (word && PyObject_SetAttrString(error, "status", word) == 0)
    PyErr_SetObject(error_type, error);
  Py_XDECREF(word);
  Py_XDECREF(error);
  Py_XDECREF(text);
  return NULL;
}

PyObject *py_fail(ria_status status, const char *format, ...) {
  char message[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  return raise_error(status, message);
}

/* --- contexts --------------------------------------------------------------------------------- */

static void log_line(void *user, const char *line) {
  py_host *host = user;
  PyGILState_STATE lock = PyGILState_Ensure();
  PyObject *said =
      host->log
          ? PyObject_CallFunction(host->log, "N",
                                  PyUnicode_DecodeUTF8(line, (Py_ssize_t)strlen(line), "replace"))
          : NULL;
  if (host->log && !said) py_keep_thrown(host);
  Py_XDECREF(said);
  PyGILState_Release(lock);
}

bool py_host_open(py_host *host, const py_context_options *options) {
  char why[512] = "";
  ria_context_desc desc = {.threads = options->threads,
                           .parts = options->parts,
                           .device = options->device,
                           .log = log_line,
                           .log_user = host,
                           .error = why,
                           .error_size = sizeof why};
  ria_status status;
  host->log = options->log == Py_None ? NULL : options->log;
  Py_XINCREF(host->log);
  PY_CALL(host, status, ria_context_create(&desc, &host->ctx));
  if (status == RIA_OK) return true;
  Py_CLEAR(host->log);
  return raise_error(status, why[0] ? why : ria_status_name(status));
}

void py_host_close(py_host *host) {
  ria_context_destroy(&host->ctx);
  Py_CLEAR(host->log);
  Py_CLEAR(host->type);
  Py_CLEAR(host->value);
  Py_CLEAR(host->trace);
}

int py_host_visit(py_host *host, visitproc visit, void *arg) {
  Py_VISIT(host->log);
  Py_VISIT(host->type);
  Py_VISIT(host->value);
  Py_VISIT(host->trace);
  return 0;
}

/* --- who is at work --------------------------------------------------------------------------- */

bool py_host_free(const py_host *host) {
  if (host->depth == 0 || pthread_equal(host->thread, pthread_self())) return true;
  return py_fail(RIA_ERR_ARGUMENT, "another thread is at work with this simulation");
}

void py_enter(py_host *host) {
  host->thread = pthread_self();
  host->depth++;
}

void py_leave(py_host *host) { host->depth--; }

/* --- exceptions on their way ------------------------------------------------------------------ */

void py_keep_thrown(py_host *host) {
  if (host->type)
    PyErr_Clear();
  else
    PyErr_Fetch(&host->type, &host->value, &host->trace);
}

ria_status py_check_signals(py_host *host) {
  PyGILState_STATE lock = PyGILState_Ensure();
  const bool thrown = PyErr_CheckSignals() != 0;
  if (thrown) py_keep_thrown(host);
  PyGILState_Release(lock);
  return thrown ? ria_fail(host->ctx, RIA_INTERRUPTED, "interrupted") : RIA_OK;
}

bool py_ended_well(py_host *host, ria_status status) {
  /* a callback that calls the engine in turn: its outer call throws */
  if (host->type && host->depth == 0) {
    PyErr_Restore(host->type, host->value, host->trace);
    host->type = host->value = host->trace = NULL;
    return false;
  }
  return status == RIA_OK || raise_error(status, ria_error(host->ctx));
}

PyObject *py_end(py_host *host, ria_status status) {
  return py_ended_well(host, status) ? Py_NewRef(Py_None) : NULL;
}
