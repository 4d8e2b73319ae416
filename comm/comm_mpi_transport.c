/*
 * comm_mpi_transport - ranks with T workers each: by pointer inside a rank, else MPI_Isend.
 *
 * Idea       Any worker that polls moves what there is to move for all workers of its rank, under a
 *            lock that nobody waits for.  A parcel is sent from where it lies, behind an envelope,
 *            into a receive that was posted before.  Of each lane a rank has `credits` receives
 *            for every other rank, from whatever source, the oldest looked at first: one
 *            MPI_Testany per poll, however many ranks there are.
 * Credits    A sent parcel has one, with a number, until the receiver has given its copy back and
 *            posted the receive again; then the number is told, as a bit, in the envelope of
 *            whatever goes that way next or, if nothing does, in an envelope alone.  So MPI never
 *            has a parcel for which no receive is posted, and of envelopes alone at most one
 *            per credit.  A parcel without a credit waits in its sender's memory.
 * Invariant  Credits are free, under way, or told and waiting for MPI to let the parcel go.
 *            Receives of a lane match in the order of posting, hence parcels arrive in order.
 *            Lanes have credits of their own, so none waits for another here.  Letters share theirs
 *            among the workers of a rank: reports, which alone may be held for long, go
 *            to lower ranks, where in the end worker 0 holds none.
 * The end    When its workers are over, a rank gives back unread whatever still arrives, and meets
 *            the others in a barrier when all that it has sent was given back: then nothing
 *            is under way anywhere.
 * Cost       A batch, an Isend, an Irecv and its part of a Testany; half an envelope.
 */
#include <mpi.h>

#include "comm/comm_mpi_inner.h"
#include "core/backoff.h"

enum { AT_FROM = 0, AT_TO = 4, AT_CREDIT = 8, AT_TOLD = 12 }; /* in an envelope */
enum { MOVES = 64 };                                          /* of one poll, at most */

/* ---- receives ----------------------------------------------------------------------------- */

void comm_mpi_post(comm_mpi_net *t, uint32_t which, comm_parcel *p)
{
    comm_mpi_inlet *in = &t->inlet[which];
    uint32_t at = (in->first + in->count) % in->room;
    MPI_Request *r = in->count == 0 ? &t->head[which] : &in->request[at];
    in->slot[at] = p;
    in->count++;
    MPI_OK(MPI_Irecv(p->at - COMM_ENVELOPE_BYTES, (int)(COMM_ENVELOPE_BYTES + in->bytes),
                     MPI_BYTE, MPI_ANY_SOURCE, (int)which, t->world, r));
}

comm_parcel *comm_mpi_first(comm_mpi_net *t, uint32_t which)
{
    comm_mpi_inlet *in = &t->inlet[which];
    comm_parcel *p = in->slot[in->first];
    in->first = (in->first + 1) % in->room;
    in->count--;
    t->head[which] = in->count > 0 ? in->request[in->first] : MPI_REQUEST_NULL;
    return p;
}

/* ---- credits ------------------------------------------------------------------------------ */

static void list_peer(comm_mpi_net *t, comm_mpi_peer *p)
{
    if (p->listed) return;
    p->listed = true;
    p->next = t->busy;
    t->busy = p;
}

/* MPI has let go of these parcels, or will soon: then they go home. */
static void retire(comm_mpi_net *t, comm_mpi_route *r)
{
    for (uint32_t left = r->spent; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(left);
        int done;
        MPI_OK(MPI_Test(&r->credit[i].request, &done, MPI_STATUS_IGNORE));
        if (!done) continue;
        comm_parcel *p = r->credit[i].parcel;
        r->spent &= ~(1u << i);
        r->free |= 1u << i;
        t->under_way--;
        comm_box_push(comm_boxes_of(&t->boxes, p->from, COMM_BOX_BACK), p);
    }
}

static void read_told(comm_mpi_net *t, comm_mpi_peer *from, const uint8_t *envelope)
{
    for (uint32_t lane = 0; lane < COMM_LANE_COUNT; lane++) {
        uint32_t told = (uint32_t)comm_wire_get(envelope + AT_TOLD + 4 * lane, 4);
        comm_mpi_route *r = &from->lane[lane];
        if (t->credits[lane] < 32) told &= (1u << t->credits[lane]) - 1;
        if (told == 0) continue;
        r->spent |= told;
        retire(t, r);
        if (r->spent || r->queue.first) list_peer(t, from);
    }
}

static void write_told(comm_mpi_peer *to, uint8_t *envelope)
{
    for (uint32_t lane = 0; lane < COMM_LANE_COUNT; lane++) {
        comm_wire_put(envelope + AT_TOLD + 4 * lane, to->owed[lane], 4);
        to->owed[lane] = 0;
    }
}

static bool owes(const comm_mpi_peer *p)
{
    return (p->owed[COMM_LANE_LETTERS] | p->owed[COMM_LANE_PASSED] |
            p->owed[COMM_LANE_FIRST]) != 0;
}

/* Half of a lane's credits wait to be told. */
static bool owes_much(const comm_mpi_net *t, const comm_mpi_peer *p)
{
    for (uint32_t lane = 0; lane < COMM_LANE_COUNT; lane++)
        if (p->owed[lane] &&
            2 * (uint32_t)__builtin_popcount(p->owed[lane]) >= t->credits[lane])
            return true;
    return false;
}

static bool is_telling(comm_mpi_peer *p)
{
    int done;
    MPI_OK(MPI_Test(&p->telling, &done, MPI_STATUS_IGNORE));
    return !done;
}

static void tell(comm_mpi_net *t, comm_mpi_peer *p)
{
    if (is_telling(p)) return;
    memset(p->letter, 0, sizeof p->letter);
    write_told(p, p->letter);
    MPI_OK(MPI_Isend(p->letter, sizeof p->letter, MPI_BYTE, (int)(p - t->peer),
                     COMM_MPI_TOLD, t->world, &p->telling));
}

/* ---- moving ------------------------------------------------------------------------------- */

static void send(comm_mpi_net *t, comm_mpi_peer *to, comm_mpi_route *r, comm_parcel *p)
{
    uint32_t i = (uint32_t)__builtin_ctz(r->free);
    uint8_t *envelope = p->at - COMM_ENVELOPE_BYTES;
    r->free &= ~(1u << i);
    r->credit[i].parcel = p;
    memset(envelope, 0, COMM_ENVELOPE_BYTES);
    comm_wire_put(envelope + AT_FROM, p->from, 4);
    comm_wire_put(envelope + AT_TO, p->to, 4);
    comm_wire_put(envelope + AT_CREDIT, i, 4);
    write_told(to, envelope);
    MPI_OK(MPI_Isend(envelope, (int)(COMM_ENVELOPE_BYTES + p->bytes), MPI_BYTE,
                     (int)(to - t->peer), (int)p->lane, t->world, &r->credit[i].request));
}

static void take_posted(comm_mpi_net *t)
{
    for (comm_parcel *p = comm_box_take(&t->out); p; p = comm_box_take(&t->out)) {
        comm_mpi_peer *to = &t->peer[p->to / t->boxes.count];
        comm_list_put(&to->lane[p->lane].queue, p);
        list_peer(t, to);
        t->under_way++;
    }
}

static void take_freed(comm_mpi_net *t)
{
    for (comm_parcel *p = comm_box_take(&t->freed); p; p = comm_box_take(&t->freed)) {
        comm_mpi_peer *to = &t->peer[p->from / t->boxes.count];
        to->owed[p->lane] |= 1u << p->slot;
        comm_mpi_post(t, (uint32_t)p->lane, p);
        list_peer(t, to);
    }
}

/* Nothing of an envelope is used that has not been compared with what there is. */
static void check_envelope(const comm_mpi_net *t, const comm_parcel *p, int source)
{
    if (p->from / t->boxes.count == (uint32_t)source &&
        p->from / t->boxes.count < t->ranks && comm_boxes_here(&t->boxes, p->to) &&
        p->slot < t->credits[p->lane])
        return;
    comm_mpi_check(MPI_ERR_OTHER, "damaged envelope");
}

static void deliver(comm_mpi_net *t, uint32_t which, comm_parcel *p,
                    const MPI_Status *status)
{
    int bytes;
    const uint8_t *envelope = p->at - COMM_ENVELOPE_BYTES;
    MPI_OK(MPI_Get_count(status, MPI_BYTE, &bytes));
    if (bytes < COMM_ENVELOPE_BYTES) comm_mpi_check(MPI_ERR_TRUNCATE, "torn envelope");
    read_told(t, &t->peer[status->MPI_SOURCE], envelope);
    if (which == COMM_MPI_TOLD) {
        comm_mpi_post(t, which, p);
        return;
    }
    p->from = (worker_id)comm_wire_get(envelope + AT_FROM, 4);
    p->to = (worker_id)comm_wire_get(envelope + AT_TO, 4);
    p->slot = (uint32_t)comm_wire_get(envelope + AT_CREDIT, 4);
    p->bytes = (uint32_t)bytes - COMM_ENVELOPE_BYTES;
    p->taken = 0;
    p->lane = (comm_lane_id)which;
    check_envelope(t, p, status->MPI_SOURCE);
    comm_box_push(comm_boxes_of(&t->boxes, p->to, which), p);
}

/* How many came. */
static uint32_t receive(comm_mpi_net *t)
{
    for (uint32_t n = 0; n < MOVES; n++) {
        int which, done;
        MPI_Status status;
        MPI_OK(MPI_Testany(COMM_MPI_INLETS, t->head, &which, &done, &status));
        if (!done || which == MPI_UNDEFINED) return n;
        deliver(t, (uint32_t)which, comm_mpi_first(t, (uint32_t)which), &status);
    }
    return MOVES;
}

/* What can be done with a peer now; true: there may be more later. */
static bool tend(comm_mpi_net *t, comm_mpi_peer *p, bool quiet)
{
    bool more = false;
    for (uint32_t lane = 0; lane < COMM_LANE_COUNT; lane++) {
        comm_mpi_route *r = &p->lane[lane];
        if (r->spent) retire(t, r);
        while (r->free && r->queue.first) send(t, p, r, comm_list_take(&r->queue));
        more |= r->spent != 0;
    }
    if (owes(p) && (quiet || owes_much(t, p))) tell(t, p);
    return more || owes(p);
}

static void tend_all(comm_mpi_net *t, bool quiet)
{
    comm_mpi_peer *p = t->busy, *next;
    for (t->busy = NULL; p; p = next) {
        next = p->next;
        p->listed = false;
        if (tend(t, p, quiet)) list_peer(t, p);
    }
}

static void move(comm_mpi_net *t)
{
    take_freed(t);
    take_posted(t);
    tend_all(t, receive(t) == 0);
}

static void mpi_progress(void *self, worker_id me)
{
    comm_mpi_net *t = self;
    (void)me;
    if (t->ranks <= 1 ||
        atomic_flag_test_and_set_explicit(&t->moving, memory_order_acquire))
        return;
    move(t);
    atomic_flag_clear_explicit(&t->moving, memory_order_release);
}

/* ---- the end ------------------------------------------------------------------------------ */

static void mpi_give_back(void *self, comm_parcel *p);

static void drop_arrived(comm_mpi_net *t)
{
    for (uint32_t i = 0; i < t->boxes.count; i++)
        for (uint32_t lane = 0; lane < COMM_LANE_COUNT; lane++) {
            comm_box *b = comm_boxes_of(&t->boxes, t->boxes.first + i, lane);
            for (comm_parcel *p = comm_box_take(b); p; p = comm_box_take(b))
                mpi_give_back(t, p);
        }
}

/* Nothing is under way from here, and all credits were told. */
static bool is_clear(comm_mpi_net *t)
{
    if (t->under_way > 0 || t->busy != NULL) return false;
    for (uint32_t r = 0; r < t->ranks; r++)
        if (is_telling(&t->peer[r])) return false;
    return true;
}

static void part(comm_mpi_net *t)
{
    MPI_Request met = MPI_REQUEST_NULL;
    bool waits = false;
    backoff b = { .waits = BACKOFF_SPINS };
    for (int done = 0; !done; backoff_wait(&b)) {
        drop_arrived(t);
        move(t);
        if (!waits && is_clear(t)) {
            MPI_OK(MPI_Ibarrier(t->world, &met));
            waits = true;
        }
        if (waits) MPI_OK(MPI_Test(&met, &done, MPI_STATUS_IGNORE));
    }
}

static int mpi_drive(void *self, comm_turn_of *turn, void *run, err *e)
{
    comm_mpi_net *t = self;
    (void)e;
    comm_boxes_drive(&t->boxes, turn, run);
    if (t->ranks > 1) part(t);
    return 0;
}

/* ------------------------------------------------------------------------------------------- */

static void mpi_post(void *self, comm_parcel *p)
{
    comm_mpi_net *t = self;
    bool here = comm_boxes_here(&t->boxes, p->to);
    comm_box_push(here ? comm_boxes_of(&t->boxes, p->to, (uint32_t)p->lane) : &t->out, p);
}

static comm_parcel *mpi_arrived(void *self, worker_id me, comm_lane_id lane)
{
    const comm_mpi_net *t = self;
    return comm_box_take(comm_boxes_of(&t->boxes, me, (uint32_t)lane));
}

static void mpi_give_back(void *self, comm_parcel *p)
{
    comm_mpi_net *t = self;
    bool here = comm_boxes_here(&t->boxes, p->from);
    comm_box_push(here ? comm_boxes_of(&t->boxes, p->from, COMM_BOX_BACK) : &t->freed, p);
}

static comm_parcel *mpi_returned(void *self, worker_id me)
{
    const comm_mpi_net *t = self;
    return comm_box_take(comm_boxes_of(&t->boxes, me, COMM_BOX_BACK));
}

static uint32_t mpi_rank(const void *self) { return ((const comm_mpi_net *)self)->rank; }

static int mpi_agree(void *self, err *e)
{
    comm_mpi_net *t = self;
    return t->ranks > 1 ? comm_mpi_agree_in(t->world, e) : (int)e->code;
}

static void mpi_reduce(void *self, comm_reduction how, uint64_t *x, uint32_t count)
{
    const comm_mpi_net *t = self;
    if (t->ranks > 1) comm_mpi_reduce_in(t->world, how, x, count);
}

const comm_transport comm_mpi = {
    .name = "mpi",
    .doc = "ranks of MPI, each with threads",
    .open = comm_mpi_open,
    .close = comm_mpi_close,
    .post = mpi_post,
    .arrived = mpi_arrived,
    .give_back = mpi_give_back,
    .returned = mpi_returned,
    .clock = comm_boxes_clock,
    .progress = mpi_progress,
    .drive = mpi_drive,
    .rank = mpi_rank,
    .agree = mpi_agree,
    .reduce = mpi_reduce,
};
