/*
 * launch.h - several ranks: those that mpiexec or srun has started, or ours, by mpiexec.
 *
 * A command that takes options_ranks does
 *     launch_join(t, &ranks, e)      before it reads or computes much
 *     ...                            comm_net_open, comm_run: all ranks fail alike there
 *     launch_leave(t)                whatever came of it
 * and then rank 0 alone answers.  What fails in one rank before launch_join returns fails in all.
 * After that a failure that only one rank has goes to the others by comm_mpi_agree, which all
 * call; one that reaches the end of the command between join and leave ends the run on all
 * ranks at once, with this rank's message.  tool.c calls the rest.
 */
#ifndef BESPOKE_LAUNCH_H
#define BESPOKE_LAUNCH_H

#include "tools/command.h"

/* --ranks --threads --bind --counters --launcher --hosts --mpiexec. */
extern const option_group options_ranks;

/* Was this process started by mpiexec, srun or the like?  Its number there, 0 if not. */
bool launch_is_inside(void);
uint32_t launch_rank(void);

/** Have as many ranks as --ranks says, each with a run of this command line.  Outside, with more than
    one, this process starts mpiexec, waits for the ranks and exits with the status of rank 0, or
    4 and a message if a rank dies or a signal ends the run: the call returns only to say why
    nothing was started.  Inside, MPI is started and what was given counts.  *ranks is how many
    there are.  0, ERR_USAGE (another number was started), or ERR_SYSTEM. */
int launch_join(tool *t, uint32_t *ranks, err *e);

/** What fails from now on concerns this rank alone.  Local; also without ranks, and twice. */
void launch_leave(tool *t);

/* ---- for tool.c --------------------------------------------------------------------------- */

/* The command line is parsed, there is one thread: a rank gets its keeper (launch_keeper.h). */
int launch_begin(tool *t, err *e);

/* The command has ended, with or without a failure. */
void launch_end(tool *t, err *e);

/* The last thing of all: wait for the other ranks, and end MPI; returns what to exit with. */
int launch_status(const tool *t, int status);

#endif
