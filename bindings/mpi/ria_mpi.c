/* ria_mpi.c - libria_mpi.so: a ria_comm of MPI.
 *
 * All waiting is done here, by asking again and again: at once at first, since most messages come
 * within microseconds, then with longer and longer pauses, so that ranks that wait for one that
 * draws a picture, or for a core, leave the cores to it. */
#include <ria/mpi.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG = 7161, ASKED_AT_ONCE = 1000, ASKED_YIELDING = 2000, PAUSE_MOST = 200000 /* ns */ };

typedef struct mpi_comm {
  MPI_Comm comm;
  bool ours; /* MPI was begun here, and ends here */
  char name[MPI_MAX_LIBRARY_VERSION_STRING];
} mpi_comm;

static MPI_Comm comm_of(const ria_comm *c) { return ((const mpi_comm *)c->user)->comm; }

static int fail(ria_comm *c, int code) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int n = 0;
  MPI_Error_string(code, text, &n);
  snprintf(c->error, sizeof c->error, "MPI: %s", text);
  return code ? code : -1;
}

/* --- waiting ---------------------------------------------------------------------------------- */

static int finish(ria_comm *c, MPI_Request *request) {
  struct timespec pause = {0, 1000};
  int done = 0;
  for (int asked = 0; !done; asked++) {
    const int code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS) return fail(c, code);
    if (done || asked < ASKED_AT_ONCE) continue;
    if (asked < ASKED_YIELDING) {
      sched_yield();
      continue;
    }
    nanosleep(&pause, NULL);
    if (pause.tv_nsec < PAUSE_MOST) pause.tv_nsec += pause.tv_nsec / 8;
  }
  return 0;
}

/* --- the functions of a ria_comm -------------------------------------------------------------- */

static int allgather(ria_comm *c, const void *mine, void *all, size_t bytes) {
  MPI_Request request;
  const int code =
      MPI_Iallgather(mine, (int)bytes, MPI_BYTE, all, (int)bytes, MPI_BYTE, comm_of(c), &request);
  return code == MPI_SUCCESS ? finish(c, &request) : fail(c, code);
}

/* Before the message begins: one that nobody waits for would go on in memory that is freed. */
static MPI_Request *new_request(ria_comm *c) {
  MPI_Request *made = malloc(sizeof *made);
  if (!made) snprintf(c->error, sizeof c->error, "out of memory for a message");
  return made;
}

static int begun(ria_comm *c, int code, MPI_Request *made, void **request) {
  if (code == MPI_SUCCESS) {
    *request = made;
    return 0;
  }
  free(made);
  return fail(c, code);
}

static int send(ria_comm *c, int to, const void *data, size_t bytes, void **request) {
  MPI_Request *made = new_request(c);
  if (!made) return -1;
  return begun(c, MPI_Isend(data, (int)bytes, MPI_BYTE, to, TAG, comm_of(c), made), made, request);
}

static int receive(ria_comm *c, int from, void *data, size_t bytes, void **request) {
  MPI_Request *made = new_request(c);
  if (!made) return -1;
  return begun(c, MPI_Irecv(data, (int)bytes, MPI_BYTE, from, TAG, comm_of(c), made), made,
               request);
}

static int wait(ria_comm *c, void **request) {
  MPI_Request *kept = *request;
  if (!kept) return 0;
  *request = NULL;
  const int code = finish(c, kept);
  free(kept);
  return code;
}

static void stop_all(ria_comm *c, int code) { MPI_Abort(comm_of(c), code); }

static void destroy(ria_comm *c) {
  mpi_comm *m = c->user;
  MPI_Comm_free(&m->comm);
  if (m->ours) MPI_Finalize();
  free(m);
  free(c);
}

/* --- making ----------------------------------------------------------------------------------- */

static int tell(char *error, size_t size, const char *text) {
  if (error && size) snprintf(error, size, "%s", text);
  return -1;
}

/* The first line, up to a comma: "Open MPI v4.1.4". */
static void take_name(mpi_comm *m) {
  int n = 0;
  MPI_Get_library_version(m->name, &n);
  m->name[strcspn(m->name, ",\n")] = '\0';
}

static void take_place(ria_comm *c, MPI_Comm comm) {
  MPI_Comm host;
  MPI_Comm_rank(comm, &c->rank);
  MPI_Comm_size(comm, &c->size);
  if (MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host) != MPI_SUCCESS)
    return;
  MPI_Comm_rank(host, &c->local_rank);
  MPI_Comm_size(host, &c->local_size);
  MPI_Comm_free(&host);
}

static int make(MPI_Comm comm, bool ours, ria_comm **out, char *error, size_t size) {
  ria_comm *c = calloc(1, sizeof *c);
  mpi_comm *m = calloc(1, sizeof *m);
  *out = NULL;
  if (!c || !m || MPI_Comm_dup(comm, &m->comm) != MPI_SUCCESS) {
    free(c);
    free(m);
    return tell(error, size, "MPI: the communicator cannot be copied");
  }
  MPI_Comm_set_errhandler(m->comm, MPI_ERRORS_RETURN);
  m->ours = ours;
  take_name(m);
  *c = (ria_comm){.name = m->name,
                  .user = m,
                  .allgather = allgather,
                  .send = send,
                  .receive = receive,
                  .wait = wait,
                  .abort = stop_all,
                  .destroy = destroy};
  take_place(c, m->comm);
  *out = c;
  return 0;
}

static int check_end(char *error, size_t size) {
  int ended = 0;
  MPI_Finalized(&ended);
  if (!ended) return 0;
  return tell(error, size,
              "MPI was ended in this process (MPI_Finalize), and does not begin again");
}

int ria_mpi_comm(MPI_Comm comm, ria_comm **out, char *error, size_t size) {
  int begun = 0, level = MPI_THREAD_SINGLE;
  *out = NULL;
  if (check_end(error, size) != 0) return -1;
  MPI_Initialized(&begun);
  if (!begun) return tell(error, size, "MPI was not begun: call MPI_Init_thread first");
  MPI_Query_thread(&level);
  if (level < MPI_THREAD_FUNNELED)
    return tell(error, size,
                "MPI was begun without threads: ria has some of its own, so begin it with "
                "MPI_Init_thread and MPI_THREAD_FUNNELED at least");
  return make(comm, false, out, error, size);
}

int ria_mpi_open(ria_comm **out, char *error, size_t size) {
  int begun = 0, level;
  *out = NULL;
  if (check_end(error, size) != 0) return -1;
  MPI_Initialized(&begun);
  if (begun) return ria_mpi_comm(MPI_COMM_WORLD, out, error, size);
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
    return tell(error, size, "MPI_Init_thread failed");
  if (level < MPI_THREAD_FUNNELED) {
    MPI_Finalize();
    return tell(error, size,
                "this MPI does not allow threads beside the one that calls it "
                "(MPI_THREAD_FUNNELED), and ria has some");
  }
  return make(MPI_COMM_WORLD, true, out, error, size);
}
