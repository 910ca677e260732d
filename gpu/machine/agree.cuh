/* gpu/machine/agree.cuh - what ranks agree about before parts step together.
 *
 * A rank that is short of memory may give a way up, and go on to what comes after it, while the
 * others are still at what came before. So each agreement is of a kind of its own, in words: where
 * ranks are at two, all of them fail, with both (base/ranks.h). */
#ifndef RIA_GPU_AGREE_CUH
#define RIA_GPU_AGREE_CUH
#include "cuda.h"

/* *can becomes what all ranks can; the failure of one is returned on all. Alone: `here`, and *can
 * stays. what: the same words on all ranks, of this agreement alone. */
ria_status ria_gpu_agree(ria_context *ctx, const char *what, ria_status here, bool *can);

#endif
