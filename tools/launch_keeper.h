/*
 * launch_keeper.h - the process that stays beside a rank to tell how it ended.
 *
 * A runtime knows that a process of its own has died but not always which one was first: those that
 * it killed in consequence look the same.  So a rank is the child of its keeper, who learns of
 * its end before the runtime does.  What it says is a marked line for the process that has started
 * mpiexec (launch_parent.h), or, where there is none, for a person.
 */
#ifndef BESPOKE_LAUNCH_KEEPER_H
#define BESPOKE_LAUNCH_KEEPER_H

#include "core/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LAUNCH_HOST_BYTES = 128 };

/* A rank's process has ended, by a signal or by exiting with a status. */
typedef struct launch_fate {
    uint32_t rank;
    int pid, number; /* of the signal, or the status */
    bool signalled;
    uint64_t time; /* nanoseconds since 1970 */
    char host[LAUNCH_HOST_BYTES];
} launch_fate;

/* "rank 2 (pid 77 on node7) was killed by signal 9; the run is over". */
void launch_fate_text(const launch_fate *end, char *text, size_t bytes);

/* What keepers tell, behind the mark: one of these lines. */
#define LAUNCH_TELLS_BEGIN  "B %u %d %d %127s"         /* rank, pid, the keeper's, host */
#define LAUNCH_TELLS_END    "E %u %d %d %d %llu %127s" /* launch_fate, in order */
#define LAUNCH_TELLS_STATUS "S %d"                     /* of rank 0, in good order */

/** Split this process into a rank, where the call returns, and its keeper.  The rank keeps
    SIGTERM and SIGINT for comm_run (comm_halt.h); if that has not ended it two seconds later, they
    do.  `told`: there is a parent for marked lines.  0, or ERR_SYSTEM. */
int launch_keeper_begin(uint32_t rank, bool told, err *e);

/** The rank has said and done all, and will exit with this status, if MPI_Finalize lets it: it gets some
    seconds for that.  A rank that exits without a word has died. */
void launch_keeper_done(int status);

#endif
