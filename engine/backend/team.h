/* backend/team.h - OpenMP's threads, started early. Private. */
#ifndef RIA_BACKEND_TEAM_H
#define RIA_BACKEND_TEAM_H
#include <ria/status.h>

/* Start the threads that steps will run on, so that a system that has no room for them is an error
 * here and not the end of the process later. The calling thread is the one that steps. */
ria_status ria_team_start(ria_context *ctx, int threads);

#endif
