/*
 * comm_mpi - the library itself: start, stop, and waiting that lets others run.
 *
 * Thread level  SERIALIZED: any worker that polls may move messages for its siblings, under a lock
 *               that nobody waits for.  With FUNNELED all would wait for the slice of one thread;
 *               MULTIPLE makes every call take a lock of MPI's own.
 */
#include <mpi.h>

#include "comm/comm_mpi.h"
#include "comm/comm_mpi_inner.h"
#include "core/backoff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ABORT_AFTER_MS = 200 };

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

void comm_mpi_check(int code, const char *call)
{
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING + 1] = "unknown error";
    int bytes = 0, size = (int)strcspn(call, "(");
    if (MPI_Error_string(code, text, &bytes) != MPI_SUCCESS) bytes = 0;
    err e = ERR_INIT;
    err_set(&e, ERR_SYSTEM, "%.*s: %s", size, call, text);
    comm_mpi_abort(&e);
}

/* A call that fails may mean that another rank has died.  Then the runtime ends us first, and
   that death is what is told. */
void comm_mpi_abort(const err *e)
{
    struct timespec t = { .tv_nsec = ABORT_AFTER_MS * 1000000 };
    nanosleep(&t, NULL);
    fprintf(stderr, "bespoke: rank %u: %s\n", comm_mpi_rank(), e->text);
    MPI_Abort(MPI_COMM_WORLD, err_exit_status(ERR_SYSTEM));
    abort(); /* not reached */
}

void comm_mpi_wait(MPI_Request *r)
{
    backoff b = { .waits = BACKOFF_SPINS };
    for (int done = 0;; backoff_wait(&b)) {
        MPI_OK(MPI_Test(r, &done, MPI_STATUS_IGNORE));
        if (done) return;
    }
}

static void meet(MPI_Comm world)
{
    MPI_Request r;
    MPI_OK(MPI_Ibarrier(world, &r));
    comm_mpi_wait(&r);
}

bool comm_mpi_is_started(void)
{
    int begun = 0, over = 0;
    return MPI_Initialized(&begun) == MPI_SUCCESS && begun &&
           MPI_Finalized(&over) == MPI_SUCCESS && !over;
}

int comm_mpi_start(err *e)
{
    int given = MPI_THREAD_SINGLE;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &given) != MPI_SUCCESS)
        return err_set(e, ERR_SYSTEM, "%s %s does not start", LIBRARY, VERSION);
    MPI_OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    return 0;
}

void comm_mpi_meet(void) { meet(MPI_COMM_WORLD); }

void comm_mpi_stop(void)
{
    meet(MPI_COMM_WORLD); /* MPI_Finalize waits for all, and not gently */
    MPI_OK(MPI_Finalize());
}

uint32_t comm_mpi_rank(void)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return (uint32_t)rank;
}

uint32_t comm_mpi_ranks(void)
{
    int ranks = 0;
    MPI_OK(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    return (uint32_t)ranks;
}

/* The failure of the first rank that has one is sent to all. */
int comm_mpi_agree_in(MPI_Comm world, err *e)
{
    int rank, ranks, mine, first;
    MPI_Request r;
    MPI_OK(MPI_Comm_rank(world, &rank));
    MPI_OK(MPI_Comm_size(world, &ranks));
    mine = e->code == ERR_NONE ? ranks : rank;
    MPI_OK(MPI_Iallreduce(&mine, &first, 1, MPI_INT, MPI_MIN, world, &r));
    comm_mpi_wait(&r);
    if (first == ranks) return 0;
    err told = *e;
    MPI_OK(MPI_Ibcast(&told, (int)sizeof told, MPI_BYTE, first, world, &r));
    comm_mpi_wait(&r);
    *e = told;
    return (int)e->code;
}

void comm_mpi_sum(uint64_t *x, uint32_t count)
{
    comm_mpi_reduce_in(MPI_COMM_WORLD, COMM_REDUCE_SUM, x, count);
}

uint64_t comm_mpi_least(uint64_t x)
{
    comm_mpi_reduce_in(MPI_COMM_WORLD, COMM_REDUCE_LEAST, &x, 1);
    return x;
}

int comm_mpi_agree(err *e) { return comm_mpi_agree_in(MPI_COMM_WORLD, e); }

/* Libraries were seen to compare unsigned numbers as if they had a sign (MPICH 4.0, Open MPI 4.1), so
   they get what has one and the same order. */
static void turn_sign(uint64_t *x, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) x[i] ^= (uint64_t)1 << 63;
}

void comm_mpi_reduce_in(MPI_Comm world, comm_reduction how, uint64_t *x, uint32_t count)
{
    MPI_Request r;
    bool least = how == COMM_REDUCE_LEAST;
    if (least) turn_sign(x, count);
    MPI_OK(MPI_Iallreduce(MPI_IN_PLACE, x, (int)count, least ? MPI_INT64_T : MPI_UINT64_T,
                          least ? MPI_MIN : MPI_SUM, world, &r));
    comm_mpi_wait(&r);
    if (least) turn_sign(x, count);
}

comm_mpi_neighbours comm_mpi_neighbours_of(MPI_Comm world, uint64_t place)
{
    int ranks, rank;
    MPI_Request r;
    comm_mpi_neighbours same = { 0 };
    MPI_OK(MPI_Comm_size(world, &ranks));
    MPI_OK(MPI_Comm_rank(world, &rank));
    uint64_t *all = malloc((size_t)ranks * sizeof *all);
    if (all == NULL) comm_mpi_check(MPI_ERR_NO_MEM, "malloc");
    MPI_OK(MPI_Iallgather(&place, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, world, &r));
    comm_mpi_wait(&r);
    for (int i = 0; i < ranks; i++) {
        same.ranks += all[i] == place;
        same.rank += all[i] == place && i < rank;
    }
    free(all);
    return same;
}
