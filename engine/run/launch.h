/* run/launch.h - what a launcher of MPI left in the environment. Private. */
#ifndef RIA_RUN_LAUNCH_H
#define RIA_RUN_LAUNCH_H

/* The variable that has this process's rank, "PMIX_RANK"; NULL: it is alone. *size 0: not told. */
const char *ria_launcher_rank(int *rank, int *size);

#endif
