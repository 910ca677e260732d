/* run/run.h - making simulations and stepping them: what this folder and tests share. Private. */
#ifndef RIA_RUN_RUN_H
#define RIA_RUN_RUN_H
#include "core/sim.h"

/* A solver's operations, with those that it left NULL: see ria_solver_ops. */
ria_solver_ops ria_solver_ops_whole(const ria_solver_ops *o, ria_backend_kind kind);

/* As ria_sim_create, with a solver that need not be in the registry. */
ria_status ria_sim_create_with(ria_context *ctx, const ria_solver *solver, const ria_sim_desc *desc,
                               ria_sim **out);

/* The solver's state, new: of the whole grid, or of the parts that the context asks for. */
ria_status ria_sim_make_state(ria_sim *sim);

/* Fails when the simulation is running already: `what` as in "cannot <what> from inside ...". */
ria_status ria_sim_idle(ria_sim *sim, const char *what);

/* Bytes of the solver's arrays on its device, at least; 0: not known. */
double ria_sim_arrays(const ria_sim *sim);

/* Visit the solver's state, or restore it in a simulation that was made alike and started. Forcing
 * that changed is handed over before, as it would be before the next step. After a failed restore
 * the simulation can only be destroyed. Of the engine's own there is `prepared` alone: events,
 * ledger, releases and gauges are not in it. */
ria_status ria_sim_state(ria_sim *sim, const ria_state_walk *walk);

/* checkpoint.c */
void ria_checkpoint_free(ria_sim *sim);

/* Between batches: a grid in parts is cut where work asks for it. */
ria_status ria_sim_balance(ria_sim *sim);

/* --- batch.c */
/* What the solver must know before it steps is handed over: forcing, and what fields changed. */
ria_status ria_batch_ready(ria_sim *sim);
/* Queue steps of the run under way, as far as t_stop at most. On a device they go on when this
 * returns; on the CPU they are done. */
ria_status ria_batch_queue(ria_sim *sim, double t_stop);
/* Wait for them; then outputs between steps take what they want. */
ria_status ria_batch_wait(ria_sim *sim);

/* Where a solver runs in a context, and its loops there: on the context's device; on the CPU where
 * the solver has no loops for a GPU that was chosen automatically. Asked for by name, that GPU is
 * an error. */
ria_status ria_choose_backend(ria_context *ctx, const ria_solver *solver,
                              const ria_backend **backend, const ria_solver_ops **ops);

#endif
