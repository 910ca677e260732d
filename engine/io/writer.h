/* io/writer.h - worker threads that encode, compress and write while the next steps run.
 *
 * Jobs wait in a queue that is bounded by bytes: when it is full, ria_writer_push blocks the
 * stepping thread until a worker has caught up, so that memory stays bounded however slow the disk
 * is. The first error of any job is kept; jobs that come after it are dropped unrun, and every
 * later push and flush returns it.
 *
 * push, flush and destroy belong to the context's host thread. Jobs run on workers and must not
 * touch a ria_context. */
#ifndef RIA_IO_WRITER_H
#define RIA_IO_WRITER_H
#include <ria/status.h>

typedef struct ria_writer ria_writer;

/* Does the work. On failure writes a message of at most errsize bytes, NUL included, to err. */
typedef ria_status (*ria_job_fn)(void *job, char *err, size_t errsize);
typedef ria_status (*ria_part_fn)(void *job, int part, char *err, size_t errsize);

/* threads >= 1; max_bytes bounds the sum of `bytes` of the jobs waiting or running. */
ria_status ria_writer_create(ria_context *ctx, int threads, size_t max_bytes, ria_writer **out);

/* Queue a job. The worker calls run(job), then drop(job) (which may be NULL). bytes: what the job
 * holds in memory. Blocks while the queue holds more than max_bytes; a single job always fits.
 * Ownership of the job passes in every case: on failure it has been dropped already. */
ria_status ria_writer_push(ria_writer *w, void *job, size_t bytes, ria_job_fn run,
                           void (*drop)(void *job));
/* The same, but jobs of one key run one at a time in the order of their pushes (rows of a CSV).
 * key: from ria_writer_key; 0 is the same as ria_writer_push. */
ria_status ria_writer_push_ordered(ria_writer *w, uint64_t key, void *job, size_t bytes,
                                   ria_job_fn run, void (*drop)(void *job));
/* A job in parts 0 .. parts - 1 that run in any order, side by side where workers are free, and
 * count as one: its bytes are held, and drop is called, when the last part is done. */
ria_status ria_writer_push_parts(ria_writer *w, void *job, size_t bytes, int parts, ria_part_fn run,
                                 void (*drop)(void *job));
/* The same as ria_writer_push, but the job runs after all that were pushed before it are done, and
 * those that are pushed after it wait until it has begun. What it holds in memory counts nowhere.
 */
ria_status ria_writer_push_behind(ria_writer *w, void *job, ria_job_fn run,
                                  void (*drop)(void *job));
/* A key that no one else of this writer has. Never 0. */
uint64_t ria_writer_key(ria_writer *w);

/* Wait until every job is done; the first error of any job so far. */
ria_status ria_writer_flush(ria_writer *w);
/* Waits for every job, ends the workers, sets *w to NULL; NULL is allowed. */
void ria_writer_destroy(ria_writer **w);

#endif
