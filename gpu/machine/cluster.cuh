/* gpu/machine/cluster.cuh - blocks of a cluster: each other's shared memory, and where they meet.
 *
 * Clusters are of compute capability 9.0; elsewhere there are none (ria_cuda_cluster), and nothing
 * of this is called. */
#ifndef RIA_GPU_CLUSTER_CUH
#define RIA_GPU_CLUSTER_CUH
#include "cuda.h"
#include <cooperative_groups.h>

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
/* Where block `rank` of the cluster has what this block has at p. */
template <typename T> static __device__ __forceinline__ T *cluster_room(T *p, int rank) {
  return cooperative_groups::this_cluster().map_shared_rank(p, rank);
}
static __device__ __forceinline__ void cluster_sync() { cooperative_groups::this_cluster().sync(); }
/* Blocks may write into each other's memory once all have begun: say so first ... */
static __device__ __forceinline__ void cluster_begin() {
  asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::);
}
/* ... and wait for the others before. */
static __device__ __forceinline__ void cluster_begun() {
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}
#else
template <typename T> static __device__ __forceinline__ T *cluster_room(T *p, int) { return p; }
static __device__ __forceinline__ void cluster_sync() { __trap(); }
static __device__ __forceinline__ void cluster_begin() { __trap(); }
static __device__ __forceinline__ void cluster_begun() { __trap(); }
#endif
#endif
