/* gpu/machine/follow.cuh - a kernel that begins while the one before it in its stream ends: what
 * launching takes is hidden behind the last blocks of that one. Of compute capability 9.0; before,
 * and where a kernel is launched without it, nothing changes. */
#ifndef RIA_GPU_FOLLOW_CUH
#define RIA_GPU_FOLLOW_CUH
#include "cuda.h"

/* The first thing a kernel does that may be launched so: what the kernel before wrote is there
 * after it. */
static __device__ __forceinline__ void wait_for_kernel_before() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::);
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* The same in two: what comes after it may begin only where `let_next_begin` is reached by all
 * blocks, or they have ended. For kernels that wait for other GPUs in between. */
static __device__ __forceinline__ void wait_for_kernel_before_alone() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
static __device__ __forceinline__ void let_next_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::);
#endif
}

/* The attribute of such a launch. Only where ria_cuda_is_90: the kernel must wait. */
static inline cudaLaunchAttribute early_launch(void) {
  cudaLaunchAttribute a = {};
  a.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  a.val.programmaticStreamSerializationAllowed = 1;
  return a;
}

#endif
