/* script.c - the type Script: a scenario in Lua that is run from Python, up to each sim:run and on.
 *
 * The script runs in a coroutine (ria_lua_pause). Where it says sim:run it pauses, and the
 * simulation is a Sim of Python's: to look at, to change, to move on as far as one likes. `next`
 * lets the run go to its end, and the script on to the following one.
 *
 * Ctrl-C: the engine asks between steps, Lua after so many instructions; both end the script as
 * `ria run` does, with closing outputs. Lua goes on raising until the script is left. */
#include "py.h"

#include <ria_lua.h>

#include <lauxlib.h>
#include <lualib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

enum { LOOK_EVERY = 20000 }; /* instructions of Lua */

typedef struct py_script {
  PyObject_HEAD lua_State *L; /* NULL = closed */
  py_host host;
  py_sim *sims;   /* those that Python has */
  ria_sim *last;  /* that it paused at; NULL = none, or it is closed */
  PyObject *held; /* list: those whose events call Python; the script may outlive their users */
  PyObject *keep; /* tuple of what the options point into */
  PyObject *type; /* of its simulations */
  const char **overrides;
  ria_lua_options options;
  ria_lua_pause pause;
  volatile sig_atomic_t stopping;
  bool begun, over;
} py_script;

static PyObject *script_type;

/* --- being stopped ---------------------------------------------------------------------------- */

static py_script *script_of(lua_State *L) { return *(py_script **)lua_getextraspace(L); }

static void look_for_signals(lua_State *L, lua_Debug *ar) {
  (void)ar;
  py_script *self = script_of(L);
  if (!self->stopping && py_check_signals(&self->host) != RIA_OK) self->stopping = 1;
  if (!self->stopping) return;
  lua_sethook(L, look_for_signals, LUA_MASKCOUNT, 1);
  luaL_error(L, "interrupted");
}

static ria_status on_progress(ria_sim *sim, const ria_progress_info *info, void *user) {
  (void)sim;
  (void)info;
  py_script *self = user;
  const ria_status status = py_check_signals(&self->host);
  if (status != RIA_OK) self->stopping = 1;
  return status;
}

/* --- its simulations -------------------------------------------------------------------------- */

/* The script, or its state, closes one. With Python's lock: another thread may be about to
 * interrupt it. */
static void on_closing(ria_sim *sim, ria_status status, void *user) {
  (void)status;
  py_script *self = user;
  PyGILState_STATE lock = PyGILState_Ensure();
  for (py_sim *s = self->sims; s; s = s->next)
    if (s->sim == sim) s->sim = NULL;
  if (self->last == sim) self->last = NULL;
  PyGILState_Release(lock);
}

bool py_script_hold(PyObject *script, py_sim *sim) {
  py_script *self = (py_script *)script;
  const int there = PySequence_Contains(self->held, (PyObject *)sim);
  return there > 0 || (there == 0 && PyList_Append(self->held, (PyObject *)sim) == 0);
}

void py_script_forget(PyObject *script, py_sim *sim) {
  for (py_sim **at = &((py_script *)script)->sims; *at; at = &(*at)->next)
    if (*at == sim) {
      *at = sim->next;
      return;
    }
}

/* The object of the last one; a script may run one several times. */
static PyObject *last_sim(py_script *self) {
  py_sim *s = self->sims;
  while (s && s->sim != self->last) s = s->next;
  if (s) {
    Py_INCREF((PyObject *)s);
  } else {
    s = py_sim_adopt(self->type, (PyObject *)self, &self->host, self->last);
    if (!s) return NULL;
    s->next = self->sims;
    self->sims = s;
  }
  s->solver = self->pause.solver;
  s->t_end = self->pause.t_end;
  return (PyObject *)s;
}

/* --- the state -------------------------------------------------------------------------------- */

/* As the standalone interpreter has it. */
static void set_arg(lua_State *L, const py_script *self) {
  lua_newtable(L);
  lua_pushstring(L, self->options.script);
  lua_rawseti(L, -2, 0);
  for (size_t k = 0; k < self->options.n_overrides; k++) {
    lua_pushstring(L, self->overrides[k]);
    lua_rawseti(L, -2, (lua_Integer)k + 1);
  }
  lua_setglobal(L, "arg");
}

/* The engine's modules, those beside the script, then Lua's own. */
static void set_path(lua_State *L, const char *own, const char *script) {
  const char *slash = strrchr(script, '/');
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "path");
  lua_pushfstring(L, "%s/?.lua;%s/?.lua;%s", own,
                  slash ? lua_pushlstring(L, script, (size_t)(slash - script) + (slash == script))
                        : ".",
                  lua_tostring(L, -1));
  lua_setfield(L, 1, "path");
  lua_settop(L, 0);
}

/* Called protected, with the script and where modules are: leaves nothing but the coroutine ready
 * to run. */
static int open_state(lua_State *L) {
  py_script *self = lua_touserdata(L, 1);
  const char *own = lua_touserdata(L, 2);
  lua_settop(L, 0);
  luaL_openlibs(L);
  ria_lua_repeatable(L);
  set_path(L, own, self->options.script);
  set_arg(L, self);
  self->pause.thread = lua_newthread(L);
  self->options.pause = &self->pause;
  ria_lua_configure(L, &self->options);
  luaL_requiref(L, "ria", luaopen_ria, 0);
  lua_getfield(L, -1, "params");
  lua_setglobal(L, "params");
  lua_pop(L, 1);
  luaL_ref(L, LUA_REGISTRYINDEX); /* the coroutine stays */
  if (luaL_loadfilex(self->pause.thread, self->options.script, "t") != LUA_OK) {
    lua_xmove(self->pause.thread, L, 1);
    lua_error(L);
  }
  return 0;
}

typedef struct opened {
  const char *script, *out, *device, *modules, *until_date, *start;
  double until;
  bool overwrite;
  int threads, parts;
  PyObject *log, *overrides, *type;
} opened;

static const py_key keys[] = {
    {"script", PY_TEXT, offsetof(opened, script), .required = true},
    {"out", PY_TEXT, offsetof(opened, out), .dim = RIA_DIM_NONE},
    {"overwrite", PY_BOOL, offsetof(opened, overwrite), .dim = RIA_DIM_NONE},
    {"overrides", PY_OBJECT, offsetof(opened, overrides), .dim = RIA_DIM_NONE},
    {"device", PY_TEXT, offsetof(opened, device), .dim = RIA_DIM_NONE},
    {"threads", PY_INT, offsetof(opened, threads), .dim = RIA_DIM_NONE},
    {"parts", PY_INT, offsetof(opened, parts), .dim = RIA_DIM_NONE},
    {"until", PY_NUMBER, offsetof(opened, until), .dim = RIA_DIM_TIME},
    {"until_date", PY_TEXT, offsetof(opened, until_date), .dim = RIA_DIM_NONE},
    {"log", PY_OBJECT, offsetof(opened, log), .dim = RIA_DIM_NONE},
    {"modules", PY_TEXT, offsetof(opened, modules), .required = true},
    {"type", PY_OBJECT, offsetof(opened, type), .required = true},
    {.name = NULL}};

static bool set_options(py_script *self, const opened *a) {
  const Py_ssize_t n = a->overrides ? PyList_Size(a->overrides) : 0;
  self->overrides = n < 0 ? NULL : calloc((size_t)n + 1, sizeof *self->overrides);
  if (!self->overrides) return PyErr_Occurred() ? false : (PyErr_NoMemory(), false);
  for (Py_ssize_t k = 0; k < n; k++)
    if (!(self->overrides[k] = py_text("Script", "overrides", PyList_GetItem(a->overrides, k))))
      return false;
  self->options = (ria_lua_options){.ctx = self->host.ctx,
                                    .script = a->script,
                                    .out = a->out,
                                    .overwrite = a->overwrite,
                                    .overrides = self->overrides,
                                    .n_overrides = (size_t)n,
                                    .until = a->until,
                                    .until_date = a->until_date,
                                    .interval = 0.1,
                                    .progress = on_progress,
                                    .user = self,
                                    .report = self->host.log != NULL,
                                    .closing = on_closing,
                                    .stopping = &self->stopping};
  return true;
}

/* The message on top of the stack, as ria.Error or what a callback threw. NULL. */
static PyObject *fail_by(py_script *self, lua_State *from) {
  const ria_status status = self->stopping ? RIA_INTERRUPTED : ria_lua_error_status(from, -1);
  const char *message = luaL_tolstring(from, -1, NULL);
  if (self->host.type) return py_end(&self->host, status);
  return py_fail(status, "%s", message);
}

static bool open_script(py_script *self, PyObject *kwargs) {
  opened a = {0};
  py_reader r = {.what = "Script"};
  const py_context_options plain = {.device = "cpu", .threads = 1};
  py_host units = {0}; /* to read `until` by, before the device is known */
  if (!py_host_open(&units, &plain)) return false;
  r.ctx = units.ctx;
  const bool read = py_read(&r, keys, kwargs, &a);
  py_host_close(&units);
  if (!read ||
      !py_host_open(&self->host, &(py_context_options){a.device, a.threads, a.parts, a.log}))
    return false;
  if (!set_options(self, &a)) return false;
  self->held = PyList_New(0);
  if (!self->held) return false;
  self->type = Py_NewRef(a.type);
  self->keep = Py_NewRef(kwargs);
  self->L = luaL_newstate();
  if (!self->L) return PyErr_NoMemory(), false;
  *(py_script **)lua_getextraspace(self->L) = self; /* coroutines get a copy */
  lua_sethook(self->L, look_for_signals, LUA_MASKCOUNT, LOOK_EVERY);
  lua_pushcfunction(self->L, open_state);
  lua_pushlightuserdata(self->L, self);
  lua_pushlightuserdata(self->L, (void *)a.modules);
  py_enter(&self->host);
  int rc;
  Py_BEGIN_ALLOW_THREADS rc = lua_pcall(self->L, 2, 0, 0);
  Py_END_ALLOW_THREADS py_leave(&self->host);
  return rc == LUA_OK || fail_by(self, self->L);
}

/* --- life ------------------------------------------------------------------------------------- */

/* Close all it has made; RIA_OK, or the status of the first that could not be finished. */
static ria_status close_state(py_script *self) {
  ria_status status = RIA_OK;
  if (self->L) {
    lua_State *L = self->L;
    py_enter(&self->host);
    Py_BEGIN_ALLOW_THREADS lua_sethook(L, NULL, 0, 0);
    status = ria_lua_close_sims(L);
    lua_close(L);
    Py_END_ALLOW_THREADS py_leave(&self->host);
    self->L = NULL;
  }
  for (py_sim *s = self->sims; s; s = s->next) s->sim = NULL;
  self->last = NULL;
  self->over = true;
  return status;
}

static void let_go(py_script *self) {
  close_state(self);
  py_host_close(&self->host);
  free(self->overrides);
  self->overrides = NULL;
  Py_CLEAR(self->held);
  Py_CLEAR(self->keep);
  Py_CLEAR(self->type);
}

static int script_init(PyObject *o, PyObject *args, PyObject *kwargs) {
  py_script *self = (py_script *)o;
  if (self->host.ctx || PyTuple_Size(args) > 0 || !kwargs) {
    py_fail(RIA_ERR_ARGUMENT, "Script: arguments have names, and it is made once");
    return -1;
  }
  if (open_script(self, kwargs)) return 0;
  PyObject *thrown[3];
  PyErr_Fetch(&thrown[0], &thrown[1], &thrown[2]);
  let_go(self);
  PyErr_Restore(thrown[0], thrown[1], thrown[2]);
  return -1;
}

static int script_traverse(PyObject *o, visitproc visit, void *arg) {
  py_script *self = (py_script *)o;
  Py_VISIT(Py_TYPE(o));
  Py_VISIT(self->held);
  Py_VISIT(self->keep);
  Py_VISIT(self->type);
  return py_host_visit(&self->host, visit, arg);
}

static int script_clear(PyObject *o) {
  let_go((py_script *)o);
  return 0;
}

static void script_dealloc(PyObject *o) {
  PyTypeObject *type = Py_TYPE(o);
  PyObject *thrown[3];
  PyObject_GC_UnTrack(o);
  PyErr_Fetch(&thrown[0], &thrown[1], &thrown[2]);
  let_go((py_script *)o);
  PyErr_Restore(thrown[0], thrown[1], thrown[2]);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(o);
  Py_DECREF(type);
}

/* --- going on --------------------------------------------------------------------------------- */

static bool ready(py_script *self) {
  if (!self->L) return py_fail(RIA_ERR_ARGUMENT, "the script is closed");
  if (self->host.depth) return py_fail(RIA_ERR_ARGUMENT, "the script is at work");
  return true;
}

/* The end of the script: outputs of what it ran are on disk. */
static bool finish(py_script *self) {
  const char *unused = ria_lua_unused_override(self->L);
  self->over = true;
  if (unused)
    return py_fail(RIA_ERR_ARGUMENT, "'%s' was given, but %s declares no parameters (ria.params)",
                   unused, self->options.script);
  for (py_sim *s = self->sims; s; s = s->next) {
    ria_status status = RIA_OK;
    if (s->sim) PY_CALL(&self->host, status, ria_sim_finish(s->sim));
    if (!py_ended_well(&self->host, status)) return false;
  }
  return true;
}

/* next(): on to where a simulation is about to run, which is returned; None at the end. */
static PyObject *script_next(PyObject *o, PyObject *none) {
  (void)none;
  py_script *self = (py_script *)o;
  int rc, n = 0;
  if (!ready(self)) return NULL;
  if (self->over) Py_RETURN_NONE;
  self->begun = true;
  self->pause.sim = NULL;
  py_enter(&self->host);
  Py_BEGIN_ALLOW_THREADS rc = lua_resume(self->pause.thread, self->L, 0, &n);
  fflush(stdout); /* what the script printed */
  Py_END_ALLOW_THREADS py_leave(&self->host);
  if (rc == LUA_YIELD && self->pause.sim) {
    self->last = self->pause.sim;
    return last_sim(self);
  }
  if (rc == LUA_OK) return finish(self) ? Py_NewRef(Py_None) : NULL;
  self->over = true;
  if (rc == LUA_YIELD)
    return py_fail(RIA_ERR_CALLBACK, "%s: it yields outside of a coroutine", self->options.script);
  return fail_by(self, self->pause.thread);
}

static PyObject *script_close(PyObject *o, PyObject *none) {
  (void)none;
  py_script *self = (py_script *)o;
  if (!self->L) Py_RETURN_NONE;
  if (!ready(self)) return NULL;
  const ria_status status = close_state(self);
  const bool well = py_ended_well(&self->host, status);
  PyObject *thrown[3];
  PyErr_Fetch(&thrown[0], &thrown[1], &thrown[2]);
  let_go(self);
  PyErr_Restore(thrown[0], thrown[1], thrown[2]);
  return well ? Py_NewRef(Py_None) : NULL;
}

/* params(): what ria.params has declared */
static PyObject *script_params(PyObject *o, PyObject *none) {
  (void)none;
  py_script *self = (py_script *)o;
  ria_lua_param p;
  if (!ready(self)) return NULL;
  PyObject *all = PyDict_New();
  for (size_t k = 0; all && ria_lua_param_at(self->L, k, &p); k++) {
    PyObject *one = Py_BuildValue("{s:s,s:s,s:s,s:s,s:s,s:s}", "value", p.value, "default", p.def,
                                  "type", p.type, "unit", p.unit, "range", p.range, "help", p.help);
    if (!one || PyDict_SetItemString(all, p.name, one) != 0) Py_CLEAR(all);
    Py_XDECREF(one);
  }
  return all;
}

static PyObject *get_last(PyObject *o, void *closure) {
  (void)closure;
  py_script *self = (py_script *)o;
  if (!self->last) Py_RETURN_NONE;
  return last_sim(self);
}

static PyObject *get_over(PyObject *o, void *closure) {
  (void)closure;
  return PyBool_FromLong(((py_script *)o)->over);
}

static PyMethodDef methods[] = {
    {"next", script_next, METH_NOARGS,
     "Let the present run go to its end, and the script on to the next sim:run; its simulation, or "
     "None at the end."},
    {"params", script_params, METH_NOARGS,
     "What the script has declared: name -> value, default, unit, ..."},
    {"close", script_close, METH_NOARGS, "Close the script and its simulations."},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef properties[] = {
    {"last", get_last, NULL, "the simulation that it paused at last, or None", NULL},
    {"over", get_over, NULL, "has it come to its end?", NULL},
    {NULL, NULL, NULL, NULL, NULL}};
static PyType_Slot slots[] = {{Py_tp_init, script_init},
                              {Py_tp_new, PyType_GenericNew},
                              {Py_tp_dealloc, script_dealloc},
                              {Py_tp_traverse, script_traverse},
                              {Py_tp_clear, script_clear},
                              {Py_tp_methods, methods},
                              {Py_tp_getset, properties},
                              {Py_tp_doc, "A scenario in Lua; ria.Script is for users."},
                              {0, NULL}};
static PyType_Spec spec = {"ria._ria.Script", sizeof(py_script), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};

bool py_open_script(PyObject *module) {
  script_type = PyType_FromSpec(&spec);
  return script_type && PyModule_AddObjectRef(module, "Script", script_type) == 0;
}
