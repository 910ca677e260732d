/* backend/cuda_none.c - the CUDA backend of a build without CUDA: it is not there, and says so. */
#include "backend/cuda.h"

#include "base/text.h"

#ifndef RIA_HAVE_CUDA

static const char why[] = "ria was built without CUDA";

ria_status ria_cuda_backend_create(ria_context *ctx, int device, int threads, ria_backend **out) {
  (void)device;
  (void)threads;
  *out = NULL;
  return ria_fail(ctx, RIA_ERR_DEVICE, "%s; use the device 'cpu'", why);
}

void ria_cuda_backend_join(ria_backend *b, ria_backend *more, const char *name) {
  (void)b, (void)more, (void)name;
}

int ria_cuda_device_count(void) { return 0; }

void ria_cuda_why_none(char *text, size_t size) { ria_format(text, size, "%s", why); }

ria_status ria_cuda_device_describe(int k, char *text, size_t size) {
  (void)k;
  ria_format(text, size, "%s", "");
  return RIA_ERR_DEVICE;
}

#endif
