/*
 * launch_parent.h - the process that starts mpiexec, stays, and answers for all ranks.
 *
 * mpiexec is its child, in a process group of its own, with stdout and stderr piped.  stdout passes
 * byte for byte but for what the MPI runtime says of itself when something went wrong; stderr
 * passes but for that and for what keepers tell (launch_keeper.h).  stdin is inherited, which
 * gives it to rank 0, unless it is a terminal: mpiexec does not read those from the background.
 */
#ifndef BESPOKE_LAUNCH_PARENT_H
#define BESPOKE_LAUNCH_PARENT_H

#include "tools/command.h"

/** Run mpiexec with these words until it has ended and no process of it is left here; returns the exit
    status.  SIGTERM, SIGINT and SIGHUP end everything within some seconds.  Tells what went wrong;
    `e` is set only if nothing was started. */
int launch_parent_run(tool *t, char **words, err *e);

#endif
