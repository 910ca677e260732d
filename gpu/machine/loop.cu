/* gpu/machine/loop.cu - graphs of steps: recorded, replayed, forgotten. */
#include "loop.cuh"

void ria_loop_init(ria_loop *l, ria_context *ctx, const ria_cuda_backend *backend,
                   cudaStream_t stream, ria_queue_round queue, void *self) {
  *l = {};
  l->ctx = ctx;
  l->backend = backend;
  l->stream = stream;
  l->queue = queue;
  l->self = self;
}

void ria_loop_stale(ria_loop *l) {
  for (int k = 0; k < RIA_LOOP_PLACES; k++) {
    if (l->graph[k]) cudaGraphExecDestroy(l->graph[k]);
    l->graph[k] = NULL;
  }
  l->next = NULL;
}

/* A node whose body is repeated while the condition holds. */
static cudaError_t add_while(cudaGraph_t graph, cudaGraphConditionalHandle handle,
                             cudaGraph_t *body) {
  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = cudaGraphCondTypeWhile;
  params.conditional.size = 1;
  cudaGraphNode_t node;
#if CUDART_VERSION >= 13000
  const cudaError_t e = cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params);
#else
  const cudaError_t e = cudaGraphAddNode(&node, graph, NULL, 0, &params);
#endif
  if (e == cudaSuccess) *body = params.conditional.phGraph_out[0];
  return e;
}

/* The stream is given back whatever happens. A failure of the solver has left its message. */
static cudaError_t record_round(ria_loop *l, cudaGraph_t body, ria_round *round,
                                ria_status *status) {
  const cudaError_t e = cudaStreamBeginCaptureToGraph(l->stream, body, NULL, NULL, 0,
                                                      cudaStreamCaptureModeThreadLocal);
  if (e != cudaSuccess) return e;
  *status = l->queue(l->self, round);
  return cudaStreamEndCapture(l->stream, &body);
}

static cudaError_t record_loop(ria_loop *l, cudaGraph_t graph, cudaGraphExec_t *out,
                               ria_status *status) {
  ria_round round = {true, 0, false};
  cudaGraph_t body = NULL;
  cudaError_t e =
      cudaGraphConditionalHandleCreate(&round.handle, graph, 1, cudaGraphCondAssignDefault);
  if (e == cudaSuccess) e = add_while(graph, round.handle, &body);
  if (e == cudaSuccess) e = record_round(l, body, &round, status);
  return e == cudaSuccess && *status == RIA_OK ? cudaGraphInstantiate(out, graph, 0) : e;
}

static ria_status record(ria_loop *l, cudaGraphExec_t *out) {
  ria_status status = RIA_OK;
  cudaGraph_t graph;
  RIA_CUDA(l->ctx, "making a graph of steps", cudaGraphCreate(&graph, 0));
  const cudaError_t e = record_loop(l, graph, out, &status);
  cudaGraphDestroy(graph);
  if (e == cudaSuccess && status == RIA_OK) return RIA_OK;
  *out = NULL;
  if (status == RIA_OK) return ria_cuda_fail(l->ctx, e, "making a graph of steps");
  cudaGetLastError(); /* that the recording was cut short is known */
  return status;
}

ria_status ria_loop_ready(ria_loop *l, int place, bool replays) {
  l->next = NULL;
  if (!replays || !l->backend->graphs) return RIA_OK;
  if (!l->graph[place]) RIA_TRY(record(l, &l->graph[place]));
  l->next = l->graph[place];
  return RIA_OK;
}

ria_status ria_loop_run(ria_loop *l) {
  ria_round launched = {false, 0, false};
  if (l->next) {
    RIA_CUDA(l->ctx, "a time step", cudaGraphLaunch(l->next, l->stream));
    return RIA_OK;
  }
  while (!launched.over) RIA_TRY(l->queue(l->self, &launched));
  return RIA_OK;
}
