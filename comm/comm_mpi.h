/*
 * comm_mpi.h - the message passing library of the machine.
 * comm_mpi*.c are the only files that include <mpi.h>; the transport "mpi" is theirs too.
 */
#ifndef BESPOKE_COMM_MPI_H
#define BESPOKE_COMM_MPI_H

#include "core/err.h"

#include <stdbool.h>
#include <stdint.h>

/* What we were compiled against, "MPICH" and "4.0.2"; local, needs no MPI at run time. */
const char *comm_mpi_library(void);
const char *comm_mpi_version(void);

/** Begin and end the use of MPI in this process, once, by all ranks together; takes tens of
    milliseconds, so a run in one process does without.  0, or ERR_SYSTEM. */
int comm_mpi_start(err *e);
void comm_mpi_stop(void);

/* Between start and stop.  Local, at any time. */
bool comm_mpi_is_started(void);

/** Wait until all ranks call this, and let others run meanwhile. */
void comm_mpi_meet(void);

/** Tell the failure as this rank's and end the run, on all ranks. */
_Noreturn void comm_mpi_abort(const err *e);

/* Of all ranks that were started together; between start and stop. */
uint32_t comm_mpi_rank(void);
uint32_t comm_mpi_ranks(void);

/** The failure of one rank becomes that of all, who call this together.  0, or the code. */
int comm_mpi_agree(err *e);

/** Numbers added up over all ranks, who call this together. */
void comm_mpi_sum(uint64_t *x, uint32_t count);
uint64_t comm_mpi_least(uint64_t x);

#endif
