/*
 * comm_mpi_inner.h - what the comm_mpi*.c share; they have included <mpi.h>.
 */
#ifndef BESPOKE_COMM_MPI_INNER_H
#define BESPOKE_COMM_MPI_INNER_H

#ifndef MPI_VERSION
#error "include <mpi.h> first"
#endif

#include "comm/comm_boxes.h"
#include "comm/comm_inner.h"

/* Every call is checked.  One that fails is the machine's failure: the run ends, on all ranks. */
#define MPI_OK(call) comm_mpi_check((call), #call)
void comm_mpi_check(int code, const char *call);

/* Wait for a request without keeping others from running: a blocking wait with more ranks than
   cores was seen to last for minutes. */
void comm_mpi_wait(MPI_Request *r);

int comm_mpi_agree_in(MPI_Comm world, err *e);

/* Numbers of all ranks become one; nobody is kept from running. */
void comm_mpi_reduce_in(MPI_Comm world, comm_reduction how, uint64_t *x, uint32_t count);

/* How many ranks share this place, and which of them this one is. */
typedef struct comm_mpi_neighbours {
    uint32_t ranks, rank;
} comm_mpi_neighbours;
comm_mpi_neighbours comm_mpi_neighbours_of(MPI_Comm world, uint64_t place);

/* ---- the transport ------------------------------------------------------------------------ */

/* An inlet for each lane, and one for credits alone. */
enum { COMM_MPI_TOLD = COMM_LANE_COUNT, COMM_MPI_INLETS };

/* A credit, and the parcel that has it. */
typedef struct comm_mpi_sending {
    comm_parcel *parcel;
    MPI_Request request;
} comm_mpi_sending;

/* To a rank, on a lane. */
typedef struct comm_mpi_route {
    comm_mpi_sending *credit;
    uint32_t free, spent; /* a bit for each; spent: told, and MPI still has the parcel */
    comm_list queue;
} comm_mpi_route;

typedef struct comm_mpi_peer {
    struct comm_mpi_peer *next; /* of those with whom something is to be done */
    bool listed;
    comm_mpi_route lane[COMM_LANE_COUNT];
    uint32_t owed[COMM_LANE_COUNT]; /* credits to be told */
    uint8_t letter[COMM_ENVELOPE_BYTES];
    MPI_Request telling; /* of that letter */
} comm_mpi_peer;

/* Receives of one kind, in the order of posting, in a ring; the request of the first is in `head`. */
typedef struct comm_mpi_inlet {
    comm_parcel **slot;
    MPI_Request *request;
    uint32_t first, count, room;
    size_t bytes; /* behind the envelope */
} comm_mpi_inlet;

typedef struct comm_mpi_net {
    comm_boxes boxes; /* of the workers here */
    alignas(64) atomic_flag moving;
    comm_box out, freed; /* for other ranks; copies that were given back */
    mem *m;
    MPI_Comm world;
    uint32_t rank, ranks;
    uint32_t credits[COMM_LANE_COUNT]; /* of a pair of ranks */
    comm_mpi_peer *peer;               /* by rank */
    comm_mpi_peer *busy;
    comm_mpi_inlet inlet[COMM_MPI_INLETS];
    MPI_Request head[COMM_MPI_INLETS];
    uint32_t under_way;    /* parcels that wait or are sent, until they are back */
    comm_mpi_sending *all; /* the tables, each in a block of its own */
    comm_parcel **slots;
    MPI_Request *requests;
    uint8_t *block;
    size_t all_count, slot_count, block_bytes;
    void *raw; /* in which this lies, on a line */
} comm_mpi_net;

/* Post a receive, and take the first that was posted. */
void comm_mpi_post(comm_mpi_net *t, uint32_t which, comm_parcel *p);
comm_parcel *comm_mpi_first(comm_mpi_net *t, uint32_t which);

/* The transport's (comm_mpi_open.c). */
int comm_mpi_open(void **self, const comm_config *config, const comm_receive *r,
                  const void *options, mem *m, err *e);
void comm_mpi_close(void *self);

#endif
