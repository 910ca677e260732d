/* gpu/machine/cuda.cu - the CUDA backend: finding a GPU that works, or saying plainly why there is
 * none.
 *
 * Everything that may be missing is asked for in order (driver, its version, a device, its number,
 * code for it), because CUDA's own error for most of these is one and the same. Nothing is kept
 * between calls: CUDA remembers what it has loaded. */
#include "cuda.h"

extern "C" {
#include "backend/cpu.h"
#include "backend/cuda.h"
#include "base/context.h"
#include "base/text.h"
}

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char instead[] = "; use the device 'cpu'";

/* The oldest driver, in CUDA's way of counting (1000 * major + 10 * minor): any of the runtime's
 * major version, but one that has conditional nodes in graphs. */
enum {
  DRIVER_OF_RUNTIME = CUDART_VERSION / 1000 * 1000,
  DRIVER_OF_GRAPHS = 12040,
  DRIVER_MIN = DRIVER_OF_RUNTIME > DRIVER_OF_GRAPHS ? DRIVER_OF_RUNTIME : DRIVER_OF_GRAPHS
};

/* --- errors ----------------------------------------------------------------------------------- */

ria_status ria_cuda_fail_text(char *text, size_t size, cudaError_t e, const char *doing) {
  cudaGetLastError(); /* or the next launch would seem to have failed */
  ria_format(text, size, "%s: %s", doing, cudaGetErrorString(e));
  return e == cudaErrorMemoryAllocation ? RIA_ERR_MEMORY : RIA_ERR_DEVICE;
}

ria_status ria_cuda_fail(ria_context *ctx, cudaError_t e, const char *doing) {
  char text[RIA_ERROR_MAX];
  ria_status s = ria_cuda_fail_text(text, sizeof text, e, doing);
  return ria_fail(ctx, s, "%s", text);
}

static void format_binary(size_t bytes, char *text, size_t size) {
  const double mib = (double)bytes / (1024.0 * 1024.0);
  if (mib < 1024.0)
    ria_format(text, size, "%.1f MiB", mib);
  else
    ria_format(text, size, "%.1f GiB", mib / 1024.0);
}

/* --- what there is ---------------------------------------------------------------------------- */

/* The number of GPUs; when it is 0, why. */
static int count_devices(char *why, size_t size) {
  int n = 0, driver = 0;
  cudaError_t e = cudaDriverGetVersion(&driver);
  if (e == cudaSuccess && driver > 0) e = cudaGetDeviceCount(&n);
  cudaGetLastError();
  if (driver == 0) {
    n = 0;
    ria_format(why, size, "no NVIDIA driver is loaded");
  } else if (e == cudaErrorInsufficientDriver || driver < DRIVER_MIN) {
    n = 0;
    ria_format(why, size, "the NVIDIA driver is too old: it supports CUDA %d.%d, needed is %d.%d",
               driver / 1000, driver % 1000 / 10, DRIVER_MIN / 1000, DRIVER_MIN % 1000 / 10);
  } else if (e == cudaErrorNoDevice || (e == cudaSuccess && n == 0)) {
    n = 0;
    ria_format(why, size, "there is no NVIDIA GPU that ria may use");
  } else if (e != cudaSuccess) {
    n = 0;
    ria_format(why, size, "%s", cudaGetErrorString(e));
  } else {
    why[0] = '\0';
  }
  return n;
}

int ria_cuda_device_count(void) {
  char why[256];
  return count_devices(why, sizeof why);
}

void ria_cuda_why_none(char *text, size_t size) { count_devices(text, size); }

static void describe_reach(int k, char *text, size_t size);

ria_status ria_cuda_device_describe(int k, char *text, size_t size) {
  cudaDeviceProp p;
  char memory[32];
  text[0] = '\0';
  if (k < 0 || k >= ria_cuda_device_count()) return RIA_ERR_DEVICE;
  if (cudaGetDeviceProperties(&p, k) != cudaSuccess) {
    cudaGetLastError();
    return RIA_ERR_DEVICE;
  }
  format_binary(p.totalGlobalMem, memory, sizeof memory);
  ria_format(text, size, "%s, %s, compute capability %d.%d", p.name, memory, p.major, p.minor);
  describe_reach(k, text, size);
  return RIA_OK;
}

/* --- memory ----------------------------------------------------------------------------------- */

/* The context's GPU that is current to this thread; its first if none is. */
static const ria_cuda_backend *current(const ria_context *ctx) {
  const ria_cuda_backend *first = ria_cuda_of(ria_context_backend(ctx)), *b = first;
  int device = -1;
  if (cudaGetDevice(&device) != cudaSuccess) cudaGetLastError();
  while (b && b->device != device) b = b->next;
  return b ? b : first;
}

static ria_status fail_device_memory(ria_context *ctx, size_t bytes, const char *what) {
  const ria_cuda_backend *b = current(ctx);
  char needed[32], free_text[32], total_text[32];
  size_t free_bytes = 0, total = 0;
  cudaGetLastError();
  cudaMemGetInfo(&free_bytes, &total);
  format_binary(bytes, needed, sizeof needed);
  format_binary(free_bytes, free_text, sizeof free_text);
  format_binary(total, total_text, sizeof total_text);
  const int model = (int)strcspn(b->description, ",");
  return ria_fail(ctx, RIA_ERR_MEMORY,
                  "out of GPU memory: %s needs %s, %s of %s are free on %s (%.*s)", what, needed,
                  free_text, total_text, b->name, model, b->description);
}

ria_status ria_cuda_alloc(ria_context *ctx, size_t bytes, const char *what, void **out) {
  void *p = NULL;
  *out = NULL;
  RIA_CUDA(ctx, what, ria_cuda_use(&current(ctx)->base));
  cudaError_t e = cudaMalloc(&p, bytes ? bytes : 1);
  if (e == cudaErrorMemoryAllocation) return fail_device_memory(ctx, bytes, what);
  if (e == cudaSuccess) e = cudaMemset(p, 0, bytes);
  if (e == cudaSuccess) e = cudaStreamSynchronize(cudaStreamLegacy); /* other streams do not wait */
  if (e != cudaSuccess) {
    cudaFree(p);
    return ria_cuda_fail(ctx, e, what);
  }
  *out = p;
  return RIA_OK;
}

/* Pinned memory is copied to without a detour and without holding up the host. */
static ria_status alloc_pinned(ria_context *ctx, const ria_backend *b, size_t bytes, void **out) {
  *out = NULL;
  RIA_CUDA(ctx, "memory for outputs", ria_cuda_use(b));
  const cudaError_t e = cudaHostAlloc(out, bytes ? bytes : 1, cudaHostAllocPortable);
  if (e == cudaSuccess) return RIA_OK;
  *out = NULL;
  if (e != cudaErrorMemoryAllocation) return ria_cuda_fail(ctx, e, "memory for outputs");
  cudaGetLastError();
  return ria_fail_memory(ctx, "an output, pinned,", bytes);
}

static void free_pinned(const ria_backend *b, void *p) {
  if (p && ria_cuda_use(b) == cudaSuccess) cudaFreeHost(p);
}

static ria_status copy_on_device(ria_context *ctx, const ria_backend *b, void *to, const void *from,
                                 size_t bytes) {
  const cudaStream_t stream = ria_cuda_of(b)->stream;
  RIA_CUDA(ctx, "copying rows", ria_cuda_use(b));
  RIA_CUDA(ctx, "copying rows", cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream));
  RIA_CUDA(ctx, "copying rows", cudaStreamSynchronize(stream));
  return RIA_OK;
}

/* --- the backend ------------------------------------------------------------------------------ */

/* Compiled for the same GPUs as every other kernel: where this one is there, all are. */
static __global__ void probe() {}

bool ria_cuda_is_90(void) {
  cudaFuncAttributes of;
  if (cudaFuncGetAttributes(&of, probe) == cudaSuccess) return of.ptxVersion >= 90;
  cudaGetLastError();
  return false;
}

/* --- loading ---------------------------------------------------------------------------------- */

cudaError_t ria_cuda_driver(const char *name, void **out) {
  *out = NULL;
#if CUDART_VERSION >= 13000
  cudaDriverEntryPointQueryResult result;
  const cudaError_t e =
      cudaGetDriverEntryPointByVersion(name, out, 12040, cudaEnableDefault, &result);
#else
  const cudaError_t e = cudaGetDriverEntryPoint(name, out, cudaEnableDefault);
#endif
  return e != cudaSuccess || *out ? e : cudaErrorNotSupported;
}

/* The runtime lists no kernels; the driver does. Its errors have the runtime's numbers. */
typedef struct loader {
  int (*module_of)(void **module, cudaFunction_t f);
  int (*count)(unsigned *n, void *module);
  int (*list)(cudaFunction_t *all, unsigned n, void *module);
  int (*load)(cudaFunction_t f);
} loader;

static cudaError_t find_loader(loader *l) {
  cudaError_t e = ria_cuda_driver("cuFuncGetModule", (void **)&l->module_of);
  if (e == cudaSuccess) e = ria_cuda_driver("cuModuleGetFunctionCount", (void **)&l->count);
  if (e == cudaSuccess) e = ria_cuda_driver("cuModuleEnumerateFunctions", (void **)&l->list);
  return e == cudaSuccess ? ria_cuda_driver("cuFuncLoad", (void **)&l->load) : e;
}

static int load_all(const loader *l, void *module, unsigned n) {
  cudaFunction_t *all = (cudaFunction_t *)calloc(n, sizeof *all);
  if (!all) return cudaErrorMemoryAllocation;
  int e = l->list(all, n, module);
  for (unsigned k = 0; k < n && !e; k++) e = l->load(all[k]);
  free(all);
  return e;
}

cudaError_t ria_cuda_load(const void *kernel) {
  loader l;
  cudaFunction_t f;
  void *module;
  unsigned n = 0;
  cudaError_t e = find_loader(&l);
  if (e == cudaSuccess) e = cudaGetFuncBySymbol(&f, kernel);
  if (e == cudaSuccess) e = (cudaError_t)l.module_of(&module, f);
  if (e == cudaSuccess) e = (cudaError_t)l.count(&n, module);
  return e == cudaSuccess ? (cudaError_t)load_all(&l, module, n) : e;
}

static ria_status fail_number(ria_context *ctx, int n) {
  if (n == 1) return ria_fail(ctx, RIA_ERR_DEVICE, "there is one GPU, cuda:0");
  return ria_fail(ctx, RIA_ERR_DEVICE, "there are %d GPUs, cuda:0 to cuda:%d", n, n - 1);
}

static ria_status fail_code(ria_context *ctx, const ria_cuda_backend *b) {
  cudaDeviceProp p;
  const cudaError_t e = cudaGetDeviceProperties(&p, b->device);
  if (e != cudaSuccess) return ria_cuda_fail(ctx, e, b->name);
  return ria_fail(ctx, RIA_ERR_DEVICE,
                  "%s has compute capability %d.%d, ria was built for %s: build with "
                  "-DRIA_CUDA_ARCH=%d%d, or use the device 'cpu'",
                  p.name, p.major, p.minor, RIA_CUDA_TARGETS, p.major, p.minor);
}

/* Start the device and see that our code runs on it. */
static ria_status try_device(ria_context *ctx, const ria_cuda_backend *b) {
  cudaFuncAttributes attributes;
  cudaError_t e = ria_cuda_use(&b->base);
  if (e == cudaSuccess) e = cudaFuncGetAttributes(&attributes, probe);
  if (e == cudaSuccess) return RIA_OK;
  cudaGetLastError();
  if (e == cudaErrorNoKernelImageForDevice || e == cudaErrorInvalidDeviceFunction)
    return fail_code(ctx, b);
  return ria_fail(ctx, RIA_ERR_DEVICE, "%s: %s%s", b->description, cudaGetErrorString(e), instead);
}

/* Of several GPUs: they have as much each. */
static double device_memory(const ria_backend *b) {
  double least = INFINITY;
  int n = 0;
  for (const ria_cuda_backend *one = ria_cuda_of(b); one; one = one->next, n++) {
    size_t free_bytes = 0, total = 0;
    if (ria_cuda_use(&one->base) == cudaSuccess &&
        cudaMemGetInfo(&free_bytes, &total) == cudaSuccess)
      least = fmin(least, (double)free_bytes);
    else
      cudaGetLastError();
  }
  return least * n;
}

/* --- several GPUs ----------------------------------------------------------------------------- */

static const ria_backend *of_part(const ria_backend *b, int k, int n) {
  const ria_cuda_backend *one = ria_cuda_of(b);
  int devices = 0;
  for (const ria_cuda_backend *c = one; c; c = c->next) devices++;
  for (int64_t at = (int64_t)k * devices / n; at > 0; at--) one = one->next;
  return &one->base;
}

void ria_cuda_backend_join(ria_backend *b, ria_backend *more, const char *name) {
  ria_cuda_backend *first = reinterpret_cast<ria_cuda_backend *>(b), *last = first;
  while (last->next) last = last->next;
  last->next = reinterpret_cast<ria_cuda_backend *>(more);
  ria_format(first->title, sizeof first->title, "%s", name);
  b->name = first->title;
  b->of_part = of_part;
}

/* ", reaches the memory of cuda:1, cuda:2", where there are others. */
static void describe_reach(int k, char *text, size_t size) {
  const int n = ria_cuda_device_count();
  const char *before = "; reaches the memory of";
  for (int m = 0; m < n; m++) {
    int can = 0;
    if (m == k || cudaDeviceCanAccessPeer(&can, k, m) != cudaSuccess || !can) continue;
    ria_append(text, size, "%s cuda:%d", before, m);
    before = ",";
  }
  cudaGetLastError();
}

/* The fastest of a few device copies, s; 0 when something failed. */
static double copy_seconds(void *to, const void *from, size_t bytes) {
  cudaEvent_t begin = NULL, end = NULL;
  float best = 0.0f, ms = 0.0f;
  bool well = cudaEventCreate(&begin) == cudaSuccess && cudaEventCreate(&end) == cudaSuccess;
  for (int pass = 0; well && pass < 12; pass++) {
    well = cudaEventRecord(begin) == cudaSuccess &&
           cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice) == cudaSuccess &&
           cudaEventRecord(end) == cudaSuccess && cudaEventSynchronize(end) == cudaSuccess &&
           cudaEventElapsedTime(&ms, begin, end) == cudaSuccess;
    if (pass == 0 || ms < best) best = ms;
  }
  if (begin) cudaEventDestroy(begin);
  if (end) cudaEventDestroy(end);
  return well ? 1e-3 * (double)best : 0.0;
}

static ria_status device_bandwidth(ria_context *ctx, const ria_backend *b, double *out) {
  const size_t bytes = (size_t)2 << 30;
  void *from = NULL, *to = NULL;
  RIA_CUDA(ctx, "choosing the device", ria_cuda_use(b));
  RIA_TRY(ria_cuda_alloc(ctx, bytes, "a copy", &from));
  ria_status s = ria_cuda_alloc(ctx, bytes, "a copy", &to);
  const double seconds = s == RIA_OK ? copy_seconds(to, from, bytes) : 0.0;
  cudaFree(from);
  cudaFree(to);
  if (s == RIA_OK && !(seconds > 0.0))
    s = ria_cuda_fail(ctx, cudaGetLastError(), "measuring a copy");
  *out = seconds > 0.0 ? 2.0 * (double)bytes / seconds : 0.0;
  return s;
}

static bool switched_on(const char *variable) {
  const char *value = getenv(variable);
  return !value || (strcmp(value, "off") != 0 && strcmp(value, "0") != 0);
}

/* A launch returns when its kernel has ended: none may wait for one that is launched after it. */
static bool launches_block() {
  const char *value = getenv("CUDA_LAUNCH_BLOCKING");
  return value && *value && strcmp(value, "0") != 0;
}

/* Long beside any step, short beside a night. RIA_CUDA_STALLS=S: so many seconds, and they pass in
 * vain: for a test of what is said then. */
static double patience(bool *stalls) {
  const char *value = getenv("RIA_CUDA_STALLS");
  const double seconds = value ? atof(value) : 0.0;
  *stalls = seconds > 0.0;
  return *stalls ? seconds : 20.0;
}

static ria_status read_reach(ria_context *ctx, ria_cuda_reach *reach) {
  const char *value = getenv("RIA_CUDA_REACH");
  *reach = RIA_REACH_ANY;
  if (!value || !*value) return RIA_OK;
  *reach = RIA_REACH_IPC;
  if (strcmp(value, "ipc") == 0) return RIA_OK;
  *reach = RIA_REACH_NCCL;
  if (strcmp(value, "nccl") == 0) return RIA_OK;
  *reach = RIA_REACH_HOST;
  if (strcmp(value, "host") == 0) return RIA_OK;
  return ria_fail(ctx, RIA_ERR_ARGUMENT, "RIA_CUDA_REACH is '%s': expected ipc, nccl or host",
                  value);
}

static void cuda_destroy(ria_backend *b) {
  ria_backend *next = ria_cuda_of(b)->next ? &ria_cuda_of(b)->next->base : NULL;
  if (next) cuda_destroy(next);
  const cudaStream_t stream = ria_cuda_of(b)->stream;
  if (stream && ria_cuda_use(b) == cudaSuccess) cudaStreamDestroy(stream);
  free(b);
}

/* A GPU is one for all processes that see it, whatever they call it. */
static uint64_t identity_of(int device) {
  cudaDeviceProp p;
  uint64_t id[2] = {0, 0};
  if (cudaGetDeviceProperties(&p, device) == cudaSuccess)
    memcpy(id, &p.uuid, sizeof id);
  else
    cudaGetLastError();
  return (id[0] ^ (id[1] << 1 | id[1] >> 63)) | 1;
}

/* Everything but the name and the description, which are beside it. */
static ria_backend table(int threads) {
  ria_backend b = ria_cpu_backend(threads);
  b.kind = RIA_BACKEND_CUDA;
  b.alloc_output = alloc_pinned;
  b.free_output = free_pinned;
  b.copy = copy_on_device;
  b.destroy = cuda_destroy;
  b.bandwidth = device_bandwidth;
  b.memory = device_memory;
  return b;
}

static ria_status create(ria_context *ctx, int device, int threads, ria_backend **out) {
  ria_cuda_backend *b = static_cast<ria_cuda_backend *>(calloc(1, sizeof *b));
  if (!b) return ria_fail_memory(ctx, "the CUDA backend", sizeof *b);
  b->base = table(threads);
  b->base.name = b->name;
  b->base.description = b->description;
  b->base.id = identity_of(device);
  b->device = device;
  b->graphs = switched_on("RIA_CUDA_GRAPHS");
  b->skip_dry = switched_on("RIA_CUDA_SKIP_DRY");
  b->short_ways = switched_on("RIA_CUDA_SHORT_WAYS");
  b->pack = switched_on("RIA_CUDA_PACK");
  b->together = switched_on("RIA_CUDA_TOGETHER") && !launches_block();
  b->peers = switched_on("RIA_CUDA_PEERS");
  b->patience = patience(&b->stalls);
  ria_format(b->name, sizeof b->name, "cuda:%d", device);
  ria_cuda_device_describe(device, b->description, sizeof b->description);
  ria_status s = read_reach(ctx, &b->reach);
  if (s == RIA_OK) s = try_device(ctx, b);
  if (s == RIA_OK) {
    const cudaError_t e = cudaStreamCreateWithFlags(&b->stream, cudaStreamNonBlocking);
    if (e != cudaSuccess) s = ria_cuda_fail(ctx, e, b->description);
  }
  if (s != RIA_OK) {
    free(b);
    return s;
  }
  *out = &b->base;
  return RIA_OK;
}

ria_status ria_cuda_backend_create(ria_context *ctx, int device, int threads, ria_backend **out) {
  char why[256];
  *out = NULL;
  const int n = count_devices(why, sizeof why);
  if (n == 0) return ria_fail(ctx, RIA_ERR_DEVICE, "%s%s", why, instead);
  if (device >= n) return fail_number(ctx, n);
  if (device >= 0) return create(ctx, device, threads, out);
  ria_status s = RIA_ERR_DEVICE;
  for (int k = 0; k < n && s != RIA_OK; k++) s = create(ctx, k, threads, out);
  return s;
}
