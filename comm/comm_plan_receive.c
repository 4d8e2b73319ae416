/*
 * comm_plan_receive - how much of buffer_bytes is for what comes from other ranks.
 *
 * Idea       A rank has pre-posted room for `credits` batches of each lane and `letters` letters from
 *            every other rank, and nobody sends more than that before it is told that room is free
 *            again.  Its workers pay for it in equal shares: about a third of their bytes.
 * Invariant  The plan follows from the configuration alone, so all ranks make the same one.
 */
#include "comm/comm_inner.h"

enum { LETTERS_MOST = 8, ONE_IN = 3 };

typedef struct room {
    uint32_t others, threads, lanes;
} room;

static room room_of(const comm_config *c)
{
    return (room){ .others = c->ranks - 1,
                   .threads = c->workers / c->ranks,
                   .lanes = c->two_hops ? 2 : 1 };
}

/* The share of a worker. */
static size_t share_of(const room *r, uint32_t credits, uint32_t letters,
                       size_t batch_bytes)
{
    size_t pair = (size_t)credits * r->lanes * comm_plan_parcel_bytes(batch_bytes) +
                  letters * comm_plan_parcel_bytes(COMM_LETTER_BYTES);
    return (r->others * pair + r->threads - 1) / r->threads;
}

static size_t least_end(const comm_config *c)
{
    comm_config one = *c;
    one.ranks = 0;
    return comm_plan_least(&one);
}

static size_t largest_batch(const comm_config *c)
{
    size_t most = 0;
    for (worker_id w = 0; w < c->workers; w++) {
        comm_plan p;
        comm_plan_make(&p, c, w);
        if (p.batch_bytes > most) most = p.batch_bytes;
    }
    return most;
}

static uint32_t within(size_t x, uint32_t least, uint32_t most)
{
    return x < least ? least : x > most ? most : (uint32_t)x;
}

/* The largest batch of which there may be one per lane and rank. */
static size_t fit_batch(const room *r, size_t share, size_t batch, size_t least)
{
    while (batch > least && share_of(r, 1, 1, batch) > share) batch -= 64;
    return batch;
}

static void spread(comm_receive *r, const room *m, size_t share)
{
    size_t pair = share * m->threads / m->others;
    r->letters =
        within(pair / 4 / comm_plan_parcel_bytes(COMM_LETTER_BYTES), 1, LETTERS_MOST);
    size_t letters = r->letters * comm_plan_parcel_bytes(COMM_LETTER_BYTES);
    size_t batch = m->lanes * comm_plan_parcel_bytes(r->batch_bytes);
    r->credits =
        within(pair > letters ? (pair - letters) / batch : 0, 1, COMM_CREDITS_MAX);
    if (share_of(m, r->credits, r->letters, r->batch_bytes) > share)
        r->credits = r->letters = 1;
    r->share = share_of(m, r->credits, r->letters, r->batch_bytes);
}

size_t comm_plan_receive_share(const comm_config *c, size_t batch_bytes)
{
    if (c->ranks <= 1) return 0;
    room m = room_of(c);
    return share_of(&m, 1, 1, batch_bytes);
}

void comm_plan_receive(comm_receive *r, const comm_config *config)
{
    *r = (comm_receive){ 0 };
    if (config->ranks <= 1) return;
    room m = room_of(config);
    size_t least_batch = comm_plan_batch_least(config), end = least_end(config);
    size_t share = config->buffer_bytes / ONE_IN, least = share_of(&m, 1, 1, least_batch);
    if (config->buffer_bytes < end + least) return;
    if (share > config->buffer_bytes - end) share = config->buffer_bytes - end;
    if (share < least) share = least;
    comm_config rest = *config;
    rest.buffer_bytes -= share;
    r->batch_bytes = fit_batch(&m, share, largest_batch(&rest), least_batch);
    spread(r, &m, share);
}
