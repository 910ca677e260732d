/* tests/unit/room.c - a grid that cannot fit is refused before anything is allocated: on the host,
 * and on a device, whose backend tells how much is free there. */
#include "base/context.h"
#include "toy.h"

static double device_has; /* bytes */
static int made;

static double fake_memory(const ria_backend *b) {
  CHECK(b->kind == RIA_BACKEND_CUDA);
  return device_has;
}

static ria_status counted_create(const ria_solver_setup *setup, void **self) {
  made++;
  return toy_create(setup, self);
}

static int device_planes(int n_tracers) { return 5 + 3 * n_tracers; }

/* The toy, which tells what it holds on the CPU and, on a device, what device_planes says. */
typedef struct fake {
  ria_solver solver;
  ria_solver_ops cpu, cuda;
} fake;

static void fake_init(fake *f) {
  f->solver = toy_solver;
  f->cpu = f->cuda = toy_ops;
  f->cpu.create = f->cuda.create = counted_create;
  f->cuda.planes = device_planes;
  f->solver.planes = 4;
  f->solver.planes_per_tracer = 1;
  f->solver.cpu = &f->cpu;
  f->solver.cuda = &f->cuda;
}

static ria_status try_to_make(ria_context *ctx, const fake *f, int nx, size_t tracers,
                              ria_real precision) {
  const ria_tracer tracer = {.name = "oil"};
  ria_sim *sim = NULL;
  made = 0;
  const ria_status s = ria_sim_create_with(ctx, &f->solver,
                                           &(ria_sim_desc){.grid = {nx, 1000, 10, 10, 0, 0, 0},
                                                           .precision = precision,
                                                           .tracers = &tracer,
                                                           .n_tracers = tracers},
                                           &sim);
  CHECK_INT(made, s == RIA_OK);
  ria_sim_destroy(&sim);
  return s;
}

static void on_host(ria_context *ctx) {
  fake f;
  char want[256];
  const int nx = 2000000; /* more cells are refused whatever there is */
  const double cells = 2e9;
  fake_init(&f);
  f.solver.planes = 1000000;
  const double need = cells * (1000001 * 8.0 + 8) / 1e9;
  CHECK_STATUS(ctx, try_to_make(ctx, &f, nx, 1, RIA_F64), RIA_ERR_MEMORY);
  snprintf(want, sizeof want,
           "grid: 2000000 x 1000 = 2e+09 cells with tracers need about %.3g GB of memory, ", need);
  if (!CHECK(strncmp(ria_error(ctx), want, strlen(want)) == 0))
    fprintf(stderr, "%s\n", ria_error(ctx));
  CHECK(strstr(ria_error(ctx), " GB are free: larger cells, or single precision, need less"));

  /* 500 parts of two rows have two rows of neighbours each */
  ctx->parts = 500;
  CHECK_STATUS(ctx, try_to_make(ctx, &f, nx, 1, RIA_F64), RIA_ERR_MEMORY);
  snprintf(want, sizeof want,
           "grid: 2000000 x 1000 = 2e+09 cells with tracers need about %.3g GB of memory, ",
           2 * need);
  if (!CHECK(strncmp(ria_error(ctx), want, strlen(want)) == 0))
    fprintf(stderr, "%s\n", ria_error(ctx));
  ctx->parts = 1;
}

/* The context's backend as if it were a device's, with so many bytes free. */
static void pretend(ria_context *ctx, double bytes) {
  device_has = bytes;
  ctx->backend->kind = RIA_BACKEND_CUDA;
  ctx->backend->name = "cuda:0";
  ctx->backend->memory = fake_memory;
}

static void on_device(ria_context *ctx) {
  const ria_backend before = *ctx->backend;
  fake f;
  fake_init(&f);
  /* 100 x 1000 cells in 5 + 3 arrays of 8 bytes, and one of doubles: 7.2 MB */
  pretend(ctx, 7.2e6);
  CHECK_OK(ctx, try_to_make(ctx, &f, 100, 1, RIA_F64));
  pretend(ctx, 7.2e6 - 1);
  CHECK_STATUS(ctx, try_to_make(ctx, &f, 100, 1, RIA_F64), RIA_ERR_MEMORY);
  pretend(ctx, 4.8e6); /* without a tracer, 4 bytes a number: 2.8 MB */
  CHECK_OK(ctx, try_to_make(ctx, &f, 100, 0, RIA_F64));
  pretend(ctx, 2.8e6);
  CHECK_OK(ctx, try_to_make(ctx, &f, 100, 0, RIA_F32));
  pretend(ctx, 2.8e6 - 1);
  CHECK_STATUS(ctx, try_to_make(ctx, &f, 100, 0, RIA_F32), RIA_ERR_MEMORY);
  pretend(ctx, INFINITY); /* not known */
  CHECK_OK(ctx, try_to_make(ctx, &f, 100, 1, RIA_F64));
  pretend(ctx, 0);
  f.cuda.planes = NULL; /* nor what the solver needs */
  CHECK_OK(ctx, try_to_make(ctx, &f, 100, 1, RIA_F64));
  *ctx->backend = before;
}

/* How much is needed and there, and what to do. */
static void words(ria_context *ctx) {
  const ria_backend before = *ctx->backend;
  fake f;
  fake_init(&f);
  pretend(ctx, 2.5e6);
  CHECK_STATUS(ctx, try_to_make(ctx, &f, 100, 1, RIA_F64), RIA_ERR_MEMORY);
  const char start[] =
      "grid: 100 x 1000 = 1e+05 cells with tracers need about 0.0072 GB of memory on cuda:0, "
      "0.0025 GB are free there: larger cells, or single precision, need less; the device 'cpu' "
      "has ";
  if (!CHECK(strncmp(ria_error(ctx), start, sizeof start - 1) == 0))
    fprintf(stderr, "%s\n", ria_error(ctx));
  f.solver.cpu = NULL; /* it has no loops there */
  CHECK_FAILS(ctx, try_to_make(ctx, &f, 100, 0, RIA_F32), RIA_ERR_MEMORY,
              "grid: 100 x 1000 = 1e+05 cells need about 0.0028 GB of memory on cuda:0, 0.0025 GB "
              "are free there: larger cells need less");
  f.solver.cpu = &f.cpu; /* or would not fit there either */
  f.solver.planes = 1000000000;
  CHECK_FAILS(ctx, try_to_make(ctx, &f, 100, 0, RIA_F32), RIA_ERR_MEMORY,
              "grid: 100 x 1000 = 1e+05 cells need about 0.0028 GB of memory on cuda:0, 0.0025 GB "
              "are free there: larger cells need less");
  *ctx->backend = before;
}

int main(void) {
  ria_context *ctx = NULL;
  CHECK_OK(ctx, ria_context_create(&(ria_context_desc){.device = "cpu"}, &ctx));
  on_host(ctx);
  on_device(ctx);
  words(ctx);
  ria_context_destroy(&ctx);
  return TEST_END();
}
