/* base/memory.h - how much memory this process may still take. */
#ifndef RIA_BASE_MEMORY_H
#define RIA_BASE_MEMORY_H

/* Bytes, from the system's own account, the limits of the process and of its control group; swap
 * space counts. INFINITY where none of them can be read. */
double ria_memory_available(void);

#endif
