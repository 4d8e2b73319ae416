/*
 * comm_mpi.h - the message passing library of the machine.
 * comm_mpi.c is the only file that includes <mpi.h>.
 */
#ifndef BESPOKE_COMM_MPI_H
#define BESPOKE_COMM_MPI_H

/* What we were compiled against, "MPICH" and "4.0.2"; local, needs no MPI at run time. */
const char *comm_mpi_library(void);
const char *comm_mpi_version(void);

#endif
