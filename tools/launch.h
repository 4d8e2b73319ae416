/*
 * launch.h - several ranks: those that mpiexec or srun has started, or ours, by mpiexec.
 *
 * Nothing here touches MPI but launch_join and launch_leave.
 */
#ifndef BESPOKE_LAUNCH_H
#define BESPOKE_LAUNCH_H

#include "tools/command.h"

/* --ranks --threads --bind --counters --launcher --hosts. */
extern const option_group options_ranks;

/* Was this process started by mpiexec, srun or the like?  Its number there, 0 if not. */
bool launch_is_inside(void);
uint32_t launch_rank(void);

/** Have as many ranks as --ranks says, each with a run of this command line: outside, with more than
    one, this process becomes mpiexec and the call returns only to say why not; inside, MPI is
    started and what was given counts.  *ranks is how many there are.  0, ERR_USAGE (another
    number was started), or ERR_SYSTEM. */
int launch_join(tool *t, uint32_t *ranks, err *e);
void launch_leave(void);

#endif
