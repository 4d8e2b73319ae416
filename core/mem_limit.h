/*
 * mem_limit.h - how much memory this process may use: the machine's, the control group's
 * (version 1 and 2, of every enclosing group) and the Slurm job's, whichever is least.
 */
#ifndef BESPOKE_MEM_LIMIT_H
#define BESPOKE_MEM_LIMIT_H

#include <stddef.h>

/* In bytes; 0 when nothing is known. */
size_t mem_limit_find(void);

#endif
