#include "comm/comm_mpi.h"

#include <mpi.h>

#define TEXT_OF(x)      #x
#define TEXT(x)         TEXT_OF(x)
#define DOTTED(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

/* Every implementation names itself in a macro; the others are known by the standard's. */
#if defined(MVAPICH2_VERSION)
#define LIBRARY "MVAPICH2"
#define VERSION MVAPICH2_VERSION
#elif defined(I_MPI_VERSION)
#define LIBRARY "Intel MPI"
#define VERSION I_MPI_VERSION
#elif defined(MPICH_VERSION)
#define LIBRARY "MPICH"
#define VERSION MPICH_VERSION
#elif defined(OMPI_MAJOR_VERSION)
#define LIBRARY "Open MPI"
#define VERSION DOTTED(OMPI_MAJOR_VERSION, OMPI_MINOR_VERSION, OMPI_RELEASE_VERSION)
#else
#define LIBRARY "MPI"
#define VERSION "standard " TEXT(MPI_VERSION) "." TEXT(MPI_SUBVERSION)
#endif

const char *comm_mpi_library(void) { return LIBRARY; }

const char *comm_mpi_version(void) { return VERSION; }
