/* py.h - what the files of the module share.
 *
 * Python meets the engine in three places: a host (a context, with who is at work in it and what a
 * callback has thrown), a simulation (of its own, or of a script's), and a reader, which makes the
 * engine's descriptions from keyword arguments by tables.
 *
 * Calls that may take long let go of Python's lock; callbacks take it again. The engine's contexts
 * belong to one thread at a time, so a call from a second one meanwhile is an error. */
#ifndef RIA_PY_H
#define RIA_PY_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <ria/ria.h>
#include <pthread.h>

/* --- host.c: contexts and errors -------------------------------------------------------------- */

typedef struct py_host {
  ria_context *ctx; /* NULL = closed */
  PyObject *log;    /* called with a line; NULL = silent */
  PyObject *type, *value,
      *trace;       /* what a callback has thrown, until the call that it is in ends */
  pthread_t thread; /* of the calls at work, */
  int depth;        /* which nest: a callback may call again */
} py_host;

/* What all contexts are made from; "log" is a function. False and an exception. */
typedef struct py_context_options {
  const char *device;
  int threads, parts;
  PyObject *log;
} py_context_options;
bool py_host_open(py_host *host, const py_context_options *options);
void py_host_close(py_host *host);
int py_host_visit(py_host *host, visitproc visit, void *arg);

/* May this thread call now? False and an exception. */
bool py_host_free(const py_host *host);
void py_enter(py_host *host);
void py_leave(py_host *host);
/* Keep what a callback has thrown; the first counts. With Python's lock. */
void py_keep_thrown(py_host *host);
/* Python's signal handlers get their chance. A callback's status: RIA_INTERRUPTED where one threw.
 */
ria_status py_check_signals(py_host *host);

/* The end of a call: None, or NULL with what a callback threw or else the engine's message. */
PyObject *py_end(py_host *host, ria_status status);
bool py_ended_well(py_host *host, ria_status status);
/* ria.Error; NULL. */
PyObject *py_fail(ria_status status, const char *format, ...) RIA_PRINTF(2, 3);
/* Adds ria.Error to the module. */
bool py_open_errors(PyObject *module);

/* A call that may take long, without Python's lock. */
#define PY_CALL(host, status, call)                                                                \
  do {                                                                                             \
    py_enter(host);                                                                                \
    Py_BEGIN_ALLOW_THREADS(status) = (call);                                                       \
    Py_END_ALLOW_THREADS py_leave(host);                                                           \
  } while (0)

/* --- read.c: descriptions from keyword arguments ---------------------------------------------- */

typedef enum py_type {
  PY_TEXT,   /* const char *; None = NULL */
  PY_NUMBER, /* double; text with a unit of `dim` */
  PY_TIME,   /* double; text, or a date where the run has a start */
  PY_AMOUNT, /* double in the unit that the reader's tracer has for `measure` */
  PY_INT,
  PY_BOOL,
  PY_CHOICE, /* int: index into `choices`, or what they stand for in `values` */
  PY_VALUE,  /* ria_value: as PY_NUMBER or PY_AMOUNT, or a series */
  PY_TEXTS,  /* const char *const *, and their number at `count` */
  PY_POINT,  /* double[2] */
  PY_OBJECT  /* PyObject *, borrowed */
} py_type;

typedef struct py_key {
  const char *name;
  py_type type;
  size_t offset;
  ria_dim dim;
  ria_measure measure;        /* RIA_OF_DIM: by dim */
  const char *const *choices; /* NULL-terminated */
  const int *values;          /* of the choices; NULL = their index */
  size_t count, given;        /* offsets of a size_t, and of a bool set where the key is there */
  bool required;
} py_key;

enum { PY_MADE = 64 };
typedef struct py_reader {
  const char *what; /* "spill": how messages begin */
  ria_context *ctx;
  ria_sim *sim;         /* for dates; NULL = times alone */
  const ria_unit *unit; /* of the tracer meant; NULL = kg/m^3 */
  ria_series *series[PY_MADE];
  void *block[PY_MADE];
  int n_series, n_blocks;
} py_reader;

/* Read a dict (NULL: empty) by a table that ends with a key without a name. Unknown keys are
 * errors. Text stays the dict's. False and an exception. */
bool py_read(py_reader *r, const py_key *keys, PyObject *dict, void *out);
/* One value by itself. */
bool py_read_one(py_reader *r, const py_key *key, PyObject *o, void *out);
/* Memory that goes with the reader; zeroed. NULL and an exception. */
void *py_reader_alloc(py_reader *r, size_t n, size_t size);
void py_reader_free(py_reader *r);
/* Text of a str. NULL and an exception. */
const char *py_text(const char *what, const char *key, PyObject *o);

/* --- sim.c ------------------------------------------------------------------------------------ */

typedef struct py_sim {
  PyObject_HEAD ria_sim *sim; /* NULL = closed, or not made yet */
  const ria_solver *solver;
  py_host own, *host;  /* its own, or its script's */
  PyObject *script;    /* that it is of; NULL = none */
  struct py_sim *next; /* of the script's */
  PyObject *callbacks; /* list: what the simulation may call */
  PyObject *progress;  /* called now and then; NULL = none */
  double t_end;        /* a script's: how far it will run */
} py_sim;

extern PyObject *py_sim_type; /* set once, when the module is made */
bool py_open_sim(PyObject *module);
/* Open, and free for this thread? False and an exception. */
bool py_sim_ready(const py_sim *self);
/* A simulation of a script's: a new object of the class `type`. */
py_sim *py_sim_adopt(PyObject *type, PyObject *script, py_host *host, ria_sim *sim);
bool py_read_time(const py_sim *self, const char *what, const char *key, PyObject *o, double *out);

/* make.c: __init__ */
int py_sim_init(PyObject *o, PyObject *args, PyObject *kwargs);

/* fields.c: methods. */
PyObject *py_sim_get_into(PyObject *o, PyObject *args);
PyObject *py_sim_set_from(PyObject *o, PyObject *args);
PyObject *py_sim_track_maximum(PyObject *o, PyObject *args);
PyObject *py_sim_probe(PyObject *o, PyObject *args);
PyObject *py_sim_stats(PyObject *o, PyObject *args);
PyObject *py_sim_fields(PyObject *o, PyObject *none);
/* The unit of a tracer by name; NULL = it is none. */
const ria_unit *py_sim_unit(const py_sim *self, const char *tracer, int *index);

/* forcing.c, output.c: methods. */
PyObject *py_sim_boundary(py_sim *self, PyObject *args, PyObject *kwargs);
PyObject *py_sim_boundary_flux(py_sim *self, PyObject *args);
PyObject *py_sim_spill(py_sim *self, PyObject *args, PyObject *kwargs);
PyObject *py_sim_released(py_sim *self, PyObject *args);
PyObject *py_sim_vary(py_sim *self, PyObject *args);
PyObject *py_sim_at(py_sim *self, PyObject *args);
PyObject *py_sim_every(py_sim *self, PyObject *args);
PyObject *py_sim_cancel(py_sim *self, PyObject *args);
PyObject *py_sim_gauge(py_sim *self, PyObject *args, PyObject *kwargs);
PyObject *py_sim_section(py_sim *self, PyObject *args, PyObject *kwargs);
PyObject *py_sim_gauge_history(py_sim *self, PyObject *args);

/* --- script.c --------------------------------------------------------------------------------- */

bool py_open_script(PyObject *module);
/* A simulation of it goes: it is in no list any more. */
void py_script_forget(PyObject *script, py_sim *sim);
/* Keep one whose events call Python as long as the script is open. False and an exception. */
bool py_script_hold(PyObject *script, py_sim *sim);

#endif
