/*
 * dtd_ring - a token counts messages; a second one freezes.
 *
 * Idea       The token goes from worker 0 through 1, 2, ... back to 0.  A worker lets it pass
 *            when it is passive, adds its figures, and blackens it if it has received anything since
 *            the token last left.  A white token with as much received as sent finds the channel
 *            quiet.  Then the freezing token goes round: who is passive freezes, adds what
 *            it sent and passes it on; who is not says no to worker 0 and the token is gone.
 *            The decision goes round last; an abort stops where nobody is frozen.
 *            Between rounds the token rests.  A worker whose figures have changed since it
 *            let the token pass, whose need is new, or who said no, tells worker 0 when it is
 *            passive, once.  Worker 0 sends the token when it was told so, or when it came back
 *            black, and someone has a need.
 * Invariant  Where only messages wake, a white token with equal counts means the end (EWD 998),
 *            and the freezing round never fails.  Where requests wake too it may, and
 *            dtd_confirm.h says why nothing is announced early: the first round is older.
 * Progress   Let the channel be quiet and needed, and the token rest.  If the last round was
 *            black or the need is new, worker 0 sends the token or is about to be told.  If its
 *            counts differed, they are equal by now, so someone's figures changed after the
 *            token left, and it tells.  If a freezing round failed, either someone said no, and
 *            tells, or someone's figures changed after the token left, and it tells.
 * Cost       A round is `workers` letters, one after the other.  An announcement takes three
 *            rounds, mostly with a black one before; each further round has a change as its
 *            cause, and so has each report.  Memory per channel: 80 bytes.
 * Source     E. W. Dijkstra, EWD 998 (1987), after S. Safra; the ring of E. W. Dijkstra,
 *            W. H. J. Feijen, A. J. M. van Gasteren, Inf. Proc. Letters 16 (1983), 217-219.
 */
#include "dtd/dtd_confirm.h"

enum { RESTING, PROBING, FREEZING };     /* what worker 0 has under way */
enum { TOLD_CHANGE = 1, TOLD_NEED = 2 }; /* what worker 0 knows since the token left */

typedef struct ring {
    dtd_phase phase;
    uint64_t seen_sent, seen_received; /* when the token left */
    uint32_t told;
    uint32_t owes;        /* said no */
    uint32_t held;        /* the token is here: */
    uint32_t token_flags; /*   DTD_BLACK, DTD_NEED */
    uint64_t token_sent, token_received;
    uint32_t under_way; /* from here on worker 0 alone */
    uint32_t wanted;    /* a round would find something new */
    uint32_t needy;     /* someone has a need, as far as is known */
    uint32_t unused;    /* no hole in the block */
    uint64_t first;     /* received in all in the first round */
} ring;

typedef struct event {
    dtd *d;
    ring *r;
    const dtd_figures *now;
    dtd_out *out;
    uint32_t channel;
} event;

static size_t channel_bytes(uint32_t workers, worker_id self)
{
    (void)workers;
    (void)self;
    return sizeof(ring);
}

static event begin(dtd *d, uint32_t channel, const dtd_figures *now, dtd_out *out)
{
    out->announced = false;
    return (event){
        .d = d, .r = dtd_record(d, channel), .now = now, .out = out, .channel = channel
    };
}

static worker_id next(const dtd *d) { return (d->self + 1) % d->workers; }

static dtd_message letter(const event *v, dtd_kind kind)
{
    return (
        dtd_message){ .kind = kind, .channel = v->channel, .epoch = v->r->phase.epoch };
}

static void tell(const event *v, worker_id to, dtd_kind kind, uint32_t flags)
{
    dtd_message m = letter(v, kind);
    m.flags = flags;
    dtd_send(v->out, to, &m);
}

/* A decision goes as far as the last worker. */
static void hand_on(const event *v, dtd_kind kind)
{
    if (next(v->d) != 0) tell(v, next(v->d), kind, 0);
}

static void end_epoch(const event *v)
{
    ring *r = v->r;
    hand_on(v, DTD_ANNOUNCE);
    dtd_end_epoch(&r->phase, v->out);
    r->told = r->owes = r->held = r->token_flags = 0;
    r->under_way = r->wanted = r->needy = 0;
    r->token_sent = r->token_received = r->first = 0;
}

/* The token leaves with these sums. */
static void send_token(const event *v, uint64_t sent, uint64_t received, uint32_t flags)
{
    ring *r = v->r;
    dtd_message m = letter(v, DTD_TOKEN);
    m.sent = sent;
    m.received = received;
    m.flags = flags;
    r->seen_sent = v->now->sent;
    r->seen_received = v->now->received;
    r->told = v->now->need ? TOLD_NEED : 0;
    r->owes = 0;
    dtd_send(v->out, next(v->d), &m);
}

/* Worker 0, passive: send the token if that may lead to an announcement. */
static void start(const event *v)
{
    ring *r = v->r;
    if (r->under_way != RESTING || !r->wanted || !r->needy) return;
    r->under_way = PROBING;
    r->wanted = 0;
    r->needy = v->now->need;
    send_token(v, 0, 0, 0);
}

static void freeze(const event *v, uint64_t first)
{
    v->r->first = first;
    v->r->under_way = FREEZING;
    dtd_vote(&v->r->phase, v->now);
    tell(v, next(v->d), DTD_CONFIRM, 0);
}

static void thaw(const event *v)
{
    dtd_thaw(&v->r->phase);
    hand_on(v, DTD_ABORT);
}

/* Worker 0, passive: the token is back, with all figures and colours in it. */
static void judge(const event *v, uint64_t sent, uint64_t received, uint32_t flags)
{
    ring *r = v->r;
    r->under_way = RESTING;
    if (flags & DTD_NEED) r->needy = 1;
    if (flags & DTD_BLACK) r->wanted = 1;
    else if (sent == received && r->needy) freeze(v, received);
}

static void let_pass(const event *v)
{
    ring *r = v->r;
    uint64_t sent = r->token_sent + v->now->sent,
             received = r->token_received + v->now->received;
    uint32_t flags = r->token_flags | (v->now->need ? DTD_NEED : 0u) |
                     (v->now->received != r->seen_received ? DTD_BLACK : 0u);
    r->held = r->token_flags = 0;
    r->token_sent = r->token_received = 0;
    if (v->d->self != 0) send_token(v, sent, received, flags);
    else judge(v, sent, received, flags);
}

static void learn(ring *r, bool need)
{
    r->wanted = 1;
    if (need) r->needy = 1;
}

/* What changed since the token left is told to worker 0, once. */
static void report(const event *v)
{
    ring *r = v->r;
    bool changed =
        r->owes || v->now->sent != r->seen_sent || v->now->received != r->seen_received;
    uint32_t known = (changed ? TOLD_CHANGE : 0u) | (v->now->need ? TOLD_NEED : 0u);
    if ((known & ~r->told) == 0) return;
    r->told |= known;
    if (v->d->self == 0) learn(r, v->now->need);
    else tell(v, 0, DTD_REPORT, v->now->need ? DTD_NEED : 0u);
}

static void go_on(const event *v)
{
    if (v->out->announced || !v->now->passive) return;
    if (v->r->held) let_pass(v);
    report(v);
    if (v->d->self == 0) start(v);
}

/* The freezing token at a worker other than 0. */
static void vote(const event *v, const dtd_message *m)
{
    if (dtd_vote(&v->r->phase, v->now)) {
        dtd_message on = *m;
        on.sent += v->now->sent;
        dtd_send(v->out, next(v->d), &on);
        return;
    }
    v->r->owes = 1;
    tell(v, 0, DTD_VOTE, 0);
}

/* Worker 0: the freezing token is back, or someone said no. */
static void decide(const event *v, bool all_yes, uint64_t sent)
{
    ring *r = v->r;
    if (dtd_confirmed(all_yes, sent + v->now->sent, r->first)) {
        end_epoch(v);
        return;
    }
    r->under_way = RESTING; /* whoever was not quiet will tell */
    thaw(v);
}

static void take_token(const event *v, const dtd_message *m)
{
    v->r->held = 1;
    v->r->token_flags = m->flags;
    v->r->token_sent = m->sent;
    v->r->token_received = m->received;
}

static void take(const event *v, const dtd_message *m)
{
    bool head = v->d->self == 0;
    if (m->epoch != v->r->phase.epoch) return; /* of an epoch that is over */
    if (m->kind == DTD_TOKEN) take_token(v, m);
    else if (m->kind == DTD_REPORT && head) learn(v->r, (m->flags & DTD_NEED) != 0);
    else if (m->kind == DTD_CONFIRM && !head) vote(v, m);
    else if (m->kind == DTD_CONFIRM) decide(v, true, m->sent);
    else if (m->kind == DTD_VOTE && head) decide(v, false, 0);
    else if (m->kind == DTD_ANNOUNCE) end_epoch(v);
    else if (m->kind == DTD_ABORT && v->r->phase.frozen) thaw(v);
}

static void state(dtd *d, uint32_t channel, const dtd_figures *now, dtd_out *out)
{
    event v = begin(d, channel, now, out);
    go_on(&v);
}

static void message(dtd *d, worker_id from, const dtd_message *m, const dtd_figures *now,
                    dtd_out *out)
{
    event v = begin(d, m->channel, now, out);
    (void)from;
    take(&v, m);
    go_on(&v);
}

static void ahead(dtd *d, uint32_t channel, dtd_out *out)
{
    event v = begin(d, channel, NULL, out);
    end_epoch(&v);
}

const dtd_class dtd_ring = {
    .name = "ring",
    .doc = "a token counts messages round a ring, a second one freezes",
    .channel_bytes = channel_bytes,
    .state = state,
    .message = message,
    .ahead = ahead,
};
