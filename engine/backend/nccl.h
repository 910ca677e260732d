/* backend/nccl.h - NCCL, where it is found at run time: messages between GPUs of ranks that cannot
 * reach each other's memory. Private.
 *
 * Plain C, in every build: memory is on a device, streams are CUDA's (cudaStream_t), and both are
 * only handed on. Nothing here prints; a function that returns false has left the reason in
 * ria_nccl_why. */
#ifndef RIA_BACKEND_NCCL_H
#define RIA_BACKEND_NCCL_H
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ria_nccl ria_nccl;

enum { RIA_NCCL_ID = 128, RIA_NCCL_WHY = 160 };

/* A message to a rank, or from it. Between two ranks they keep their order. */
typedef struct ria_nccl_message {
  int peer;
  bool sends;
  void *data; /* of the device */
  size_t bytes;
} ria_nccl_message;

/* The library: the one that RIA_NCCL names, or libnccl.so.2 from where the system looks. NULL with
 * a reason in why[size], also for RIA_NCCL=none. It stays loaded until the process ends. */
ria_nccl *ria_nccl_load(char *why, size_t size);
/* "NCCL 2.28.3" */
const char *ria_nccl_name(const ria_nccl *n);
const char *ria_nccl_why(const ria_nccl *n);

/* One rank makes an id[RIA_NCCL_ID], and all start with it, at the same time. `choose` makes this
 * rank's device current to the thread that calls it, now and later. NCCL has no way to give up
 * while it waits for the others: after `seconds` this returns false, and leaves the thread that
 * waits behind. */
bool ria_nccl_make_id(ria_nccl *n, void *id);
bool ria_nccl_start(ria_nccl *n, const void *id, int ranks, int rank, bool (*choose)(void *user),
                    void *user, double seconds);

/* Queue messages that go together: none waits for another one. The first messages of a size
 * (within a factor of two) may have to wait for the other ranks, as ria_nccl_start does: for
 * `seconds` of that, or of ria_nccl_set_patience. Where that was in vain nothing more can be done
 * than to abort; ria_nccl_waited tells how long it was, else 0. */
void ria_nccl_set_patience(ria_nccl *n, double seconds);
double ria_nccl_waited(const ria_nccl *n);
bool ria_nccl_pass(ria_nccl *n, const ria_nccl_message *message, int count, void *stream);
/* Queue: each of these numbers becomes the greatest that a rank has there. */
bool ria_nccl_greatest(ria_nccl *n, unsigned long long *number, size_t count, void *stream);
/* The same: the sum of what ranks have there. */
bool ria_nccl_sum(ria_nccl *n, unsigned long long *number, size_t count, void *stream);
/* Has nothing gone wrong with what was queued? */
bool ria_nccl_is_well(ria_nccl *n);
/* What is queued ends, done or not; nothing can be queued any more. Like ria_nccl_close it waits
 * for ranks of the same host, but some seconds at most. False: it did not come to an end, and what
 * was queued may still be under way. */
bool ria_nccl_abort(ria_nccl *n);
/* When nothing is queued. NULL is nothing. */
void ria_nccl_close(ria_nccl *n);

#ifdef __cplusplus
}
#endif
#endif
