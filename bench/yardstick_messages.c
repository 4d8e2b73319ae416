/*
 * yardstick_messages - what MPI allows, for ratios: 16-byte messages to random ranks in batches, and
 * nothing else.
 *
 *     mpiexec -n P yardstick_messages MESSAGES [BATCH_BYTES]      prints: million messages per second
 *
 * Each rank sends MESSAGES messages.  There is no flow control beyond a limit on sends under way,
 * no header, no handler and no detector: a batch of no bytes is the last of its sender, and who has
 * got that from everybody is done.  The rate is of all ranks, from a common start to the last end.
 */
#include <mpi.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { RECEIVES = 16, SENDS = 16, BATCH_BYTES = 32 << 10, POLL_EVERY = 1024 };

typedef struct message {
    uint64_t a, b;
} message;

typedef struct flight { /* a buffer and what MPI does with it */
    message *at;
    MPI_Request request;
} flight;

typedef struct yard {
    int rank, ranks, room;
    flight in[RECEIVES], *out; /* out: SENDS and one per rank */
    int *open, *free, first, idle, ended;
    int *filled; /* by rank: messages in the batch that is open */
    uint64_t sum;
} yard;

static void post(yard *y, flight *f)
{
    MPI_Irecv(f->at, y->room * (int)sizeof(message), MPI_BYTE, MPI_ANY_SOURCE, 0,
              MPI_COMM_WORLD, &f->request);
}

static void open_yard(yard *y, int batch_bytes)
{
    int buffers;
    MPI_Comm_rank(MPI_COMM_WORLD, &y->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &y->ranks);
    buffers = SENDS + y->ranks;
    y->room = batch_bytes / (int)sizeof(message);
    y->out = calloc((size_t)buffers, sizeof *y->out);
    y->open = calloc((size_t)y->ranks, sizeof *y->open);
    y->filled = calloc((size_t)y->ranks, sizeof *y->filled);
    y->free = calloc((size_t)buffers, sizeof *y->free);
    for (int i = 0; i < RECEIVES; i++) {
        y->in[i].at = malloc((size_t)batch_bytes);
        post(y, &y->in[i]);
    }
    for (int i = 0; i < buffers; i++) {
        y->out[i] = (flight){ malloc((size_t)batch_bytes), MPI_REQUEST_NULL };
        if (i < y->ranks) y->open[i] = i;
        else y->free[y->idle++] = i;
    }
}

/* True: a batch has come. */
static int receive(yard *y)
{
    flight *f = &y->in[y->first];
    int done, bytes;
    MPI_Status status;
    MPI_Test(&f->request, &done, &status);
    if (!done) return 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    y->ended += bytes == 0;
    for (int i = 0; i < bytes / (int)sizeof(message); i++) y->sum += f->at[i].a;
    post(y, f);
    y->first = (y->first + 1) % RECEIVES;
    return 1;
}

static void take_back(yard *y)
{
    for (int i = 0; i < SENDS + y->ranks; i++) {
        int done;
        if (y->out[i].request == MPI_REQUEST_NULL) continue;
        MPI_Test(&y->out[i].request, &done, MPI_STATUS_IGNORE);
        if (done) y->free[y->idle++] = i;
    }
}

static void ship(yard *y, int to)
{
    flight *f = &y->out[y->open[to]];
    MPI_Isend(f->at, y->filled[to] * (int)sizeof(message), MPI_BYTE, to, 0,
              MPI_COMM_WORLD, &f->request);
    for (take_back(y); y->idle == 0; take_back(y))
        if (!receive(y)) sched_yield();
    y->open[to] = y->free[--y->idle];
    y->filled[to] = 0;
}

static void send_all(yard *y, uint64_t messages)
{
    uint64_t dice = 0x9e3779b97f4a7c15u + (uint64_t)y->rank;
    for (uint64_t i = 0; i < messages; i++) {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        int to = (int)((dice >> 32) * (uint64_t)y->ranks >> 32);
        y->out[y->open[to]].at[y->filled[to]++] = (message){ dice, i };
        if (y->filled[to] == y->room) ship(y, to);
        if (i % POLL_EVERY == 0) receive(y);
    }
    for (int to = 0; to < y->ranks; to++) {
        if (y->filled[to] > 0) ship(y, to);
        ship(y, to); /* of no bytes */
    }
    while (y->ended < y->ranks)
        if (!receive(y)) sched_yield();
}

static void close_yard(yard *y)
{
    for (int i = 0; i < RECEIVES; i++) {
        MPI_Cancel(&y->in[i].request);
        MPI_Wait(&y->in[i].request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < SENDS + y->ranks; i++)
        MPI_Wait(&y->out[i].request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    yard y = { 0 };
    double seconds, longest;
    uint64_t messages = argc > 1 ? strtoull(argv[1], NULL, 10) : 10000000;
    MPI_Init(&argc, &argv);
    open_yard(&y, argc > 2 ? atoi(argv[2]) : BATCH_BYTES);
    MPI_Barrier(MPI_COMM_WORLD);
    seconds = MPI_Wtime();
    send_all(&y, messages);
    seconds = MPI_Wtime() - seconds;
    close_yard(&y);
    MPI_Reduce(&seconds, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (y.rank == 0) printf("%.1f\n", (double)messages * y.ranks / longest / 1e6);
    MPI_Finalize();
    return y.sum == 42; /* the messages are read */
}
