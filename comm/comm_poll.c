/*
 * comm_poll - what has arrived is handled, or passed on.
 *
 * Idea       Letters first: they are few and others wait for them.  Then batches in the order of
 *            arrival.  A batch whose next message cannot go on, as there is no room to pass it on,
 *            or none to write that its epoch has begun, is held with all that follow it on
 *            its lane; it goes on at the next poll.
 * Invariant  Batches passed on (the second hop) wait for letters alone, and those for receivers
 *            alone; batches on their first hop wait for the second hop.  No cycle.
 */
#include "comm/comm_inner.h"

enum { GOES_ON = 1, IS_HELD = 0, HAS_FAILED = -1 };

void comm_poll_arrived(comm_end *c, comm_lane_id lane)
{
    for (comm_parcel *p = c->t->arrived(c->transport, c->self, lane); p;
         p = c->t->arrived(c->transport, c->self, lane))
        comm_list_put(&c->held[lane], p);
}

static void received(comm_end *c, uint32_t kind, uint64_t count)
{
    uint32_t channel = c->config->kinds[kind].channel;
    c->count.received[kind] += count;
    if (channel != COMM_NO_CHANNEL) c->channel[channel].now.received += count;
    if (c->config->whole) c->channel[c->config->channels - 1].now.received += count;
}

/* Whoever has got a message is active until it says otherwise. */
static void wake(comm_end *c, uint32_t channel)
{
    if (channel != COMM_NO_CHANNEL) c->channel[channel].now.passive = false;
    if (c->config->whole) c->channel[c->config->channels - 1].now.passive = false;
}

/* Messages of the next epoch begin it; of any other but ours they are a mistake. */
static int enter_epoch(comm_end *c, const comm_header *h, err *e)
{
    uint32_t channel = c->config->kinds[h->kind].channel;
    if (channel == COMM_NO_CHANNEL) return GOES_ON;
    uint32_t epoch = dtd_epoch(c->detector, channel);
    if (h->epoch == epoch + 1) return comm_letters_ahead(c, channel, e);
    if (h->epoch == epoch) return GOES_ON;
    err_set(e, ERR_SYSTEM, "worker %u: a message of epoch %u in epoch %u of channel %u",
            c->self, h->epoch, epoch, channel);
    return HAS_FAILED;
}

static int deliver(comm_end *c, const comm_header *h, worker_id from, const uint8_t *at,
                   uint32_t count, err *e)
{
    const comm_kind *k = &c->config->kinds[h->kind];
    int entered = enter_epoch(c, h, e);
    if (entered != GOES_ON) return entered;
    wake(c, k->channel);
    if (k->handle(c->user, from, at, count, e) != 0) return HAS_FAILED;
    received(c, h->kind, count);
    return GOES_ON;
}

static int pass_on(comm_end *c, const comm_header *h, worker_id to, const uint8_t *at)
{
    comm_passage p = { .hop = to, .tag = h->from, .kind = h->kind, .epoch = h->epoch };
    uint8_t *place = comm_lane_place(c, COMM_LANE_PASSED, &p);
    if (place == NULL) return IS_HELD;
    memcpy(place, at, c->config->kinds[h->kind].width);
    c->count.passed++;
    return GOES_ON;
}

/* Routed messages, one by one. */
static int handle_routed(comm_end *c, comm_parcel *p, const comm_header *h, err *e)
{
    uint32_t prefix = h->unit - c->config->kinds[h->kind].width;
    for (; p->taken < h->count; p->taken++) {
        const uint8_t *unit = p->at + COMM_HEADER_BYTES + (size_t)p->taken * h->unit;
        worker_id tag = (worker_id)comm_wire_get(unit, 4);
        int done = HAS_FAILED;
        if (tag >= c->config->workers)
            err_set(e, ERR_SYSTEM, "damaged batch from worker %u: worker %u", h->from,
                    tag);
        else if (h->hop == COMM_LAST_HOP) done = deliver(c, h, tag, unit + prefix, 1, e);
        else if (tag == c->self) done = deliver(c, h, h->from, unit + prefix, 1, e);
        else done = pass_on(c, h, tag, unit + prefix);
        if (done != GOES_ON) return done;
    }
    return GOES_ON;
}

static int handle_batch(comm_end *c, comm_parcel *p, err *e)
{
    comm_header h;
    if (comm_wire_unpack(&h, p->at, p->bytes, p->from, c->config, e) != 0)
        return HAS_FAILED;
    if (h.hop != COMM_DIRECT) return handle_routed(c, p, &h, e);
    return deliver(c, &h, h.from, p->at + COMM_HEADER_BYTES, h.count, e);
}

/* Everything that has arrived on a lane, up to what must be held.  How many, or -1. */
static int64_t poll_lane(comm_end *c, comm_lane_id lane, err *e)
{
    int64_t moved = 0;
    comm_poll_arrived(c, lane);
    for (comm_parcel *p = c->held[lane].first; p; p = c->held[lane].first) {
        uint32_t before = p->taken;
        int done = handle_batch(c, p, e);
        if (done == HAS_FAILED) return -1;
        if (done == IS_HELD) return moved + (p->taken > before);
        comm_list_take(&c->held[lane]);
        c->t->give_back(c->transport, p);
        moved++;
    }
    return moved;
}

static int64_t take_back(comm_end *c)
{
    int64_t moved = 0;
    for (comm_parcel *p = c->t->returned(c->transport, c->self); p;
         p = c->t->returned(c->transport, c->self)) {
        comm_lane_back(c, p);
        moved++;
    }
    comm_lane_retry_aside(c);
    return moved;
}

void comm_leave(comm *face)
{
    comm_end *c = comm_inside(face);
    for (comm_lane_id lane = 0; lane < COMM_LANE_COUNT; lane++) {
        comm_poll_arrived(c, lane);
        for (comm_parcel *p = comm_list_take(&c->held[lane]); p;
             p = comm_list_take(&c->held[lane]))
            c->t->give_back(c->transport, p);
    }
}

int64_t comm_poll(comm *face, err *e)
{
    comm_end *c = comm_inside(face);
    if (c->t->progress) c->t->progress(c->transport, c->self);
    int64_t moved = take_back(c);
    int64_t letters = comm_letters_poll(c, e);
    if (letters < 0) return -1;
    moved += letters;
    for (comm_lane_id lane = COMM_LANE_PASSED; lane < COMM_LANE_COUNT; lane++) {
        if (lane == COMM_LANE_PASSED && !c->config->two_hops) continue;
        int64_t n = poll_lane(c, lane, e);
        if (n < 0) return -1;
        moved += n;
    }
    return moved;
}
