/*
 * dtd_tree - sums up a tree, waves down and up it.
 *
 * Idea       A worker keeps a part for itself and one for each child: the child's latest sums over
 *            its subtree.  When all parts are passive and their sum is not what the parent
 *            knows, it reports the sum.  The root launches when all parts are passive, as
 *            much was received as sent, and someone has a need.  Confirm goes down; votes
 *            come up, each over a subtree, when all of it has voted; the decision goes down.
 * Invariant  A part is never younger than the subtree and never older than the last letter
 *            from it: reports and votes are entered on receipt, in the order in which they were
 *            sent.  Unless a report is owed, the parent's part for this subtree is `last`, or will
 *            be when all letters have arrived.  After an announcement both ends take the figures
 *            of the votes and no need for known, so only changes are reported.
 * Cost       A change at one worker: at most one report per ancestor.  A wave: three letters per
 *            edge of the tree.  Memory per channel: 24 bytes per child and 80.
 * Source     dtd_confirm.h.
 */
#include "dtd/dtd_tree.h"
#include "dtd/dtd_confirm.h"

typedef struct part {
    uint64_t sent, received;
    uint32_t active, need; /* active: not known to be passive */
} part;

typedef struct tree {
    dtd_phase phase;
    uint32_t missing; /* votes of this wave that have not come yet */
    uint32_t no;      /* some vote of this wave was no */
    uint32_t asked;   /* a wave is under way below */
    uint32_t owes;    /* the vote was no: a report is owed */
    uint64_t first;   /* root: received in all when the wave was launched */
    part last;        /* what the parent was told last */
    part of[];        /* this worker, then its children */
} tree;

static uint32_t children(uint32_t workers, worker_id self, uint32_t arity)
{
    uint64_t first = (uint64_t)self * arity + 1;
    if (first >= workers) return 0;
    return workers - first < arity ? (uint32_t)(workers - first) : arity;
}

size_t dtd_tree_channel_bytes(uint32_t workers, worker_id self, uint32_t arity)
{
    return sizeof(tree) + (1 + (size_t)children(workers, self, arity)) * sizeof(part);
}

/* One event: who is told, of which channel, and where its letters go. */
typedef struct event {
    dtd *d;
    tree *t;
    const dtd_figures *now;
    dtd_out *out;
    uint32_t arity, channel, children;
} event;

static event begin(dtd *d, uint32_t arity, uint32_t channel, const dtd_figures *now,
                   dtd_out *out)
{
    out->announced = false;
    return (event){ .d = d,
                    .t = dtd_record(d, channel),
                    .now = now,
                    .out = out,
                    .arity = arity,
                    .channel = channel,
                    .children = children(d->workers, d->self, arity) };
}

static dtd_message letter(const event *v, dtd_kind kind)
{
    return (
        dtd_message){ .kind = kind, .channel = v->channel, .epoch = v->t->phase.epoch };
}

static void tell_children(const event *v, dtd_kind kind)
{
    dtd_message m = letter(v, kind);
    for (uint32_t i = 0; i < v->children; i++)
        dtd_send(v->out, v->d->self * v->arity + 1 + i, &m);
}

static void tell_parent(const event *v, dtd_kind kind, const part *sum, bool yes)
{
    dtd_message m = letter(v, kind);
    m.sent = sum->sent;
    m.received = sum->received;
    m.flags = (yes ? DTD_YES : 0u) | (sum->need ? DTD_NEED : 0u);
    v->t->last = *sum;
    v->t->owes = !yes;
    dtd_send(v->out, (v->d->self - 1) / v->arity, &m);
}

static void note_own(const event *v)
{
    v->t->of[0] =
        (part){ v->now->sent, v->now->received, !v->now->passive, v->now->need };
}

static part sum_up(const event *v)
{
    part sum = v->t->of[0];
    for (uint32_t i = 1; i <= v->children; i++) {
        const part *p = &v->t->of[i];
        sum.sent += p->sent;
        sum.received += p->received;
        sum.active |= p->active;
        sum.need |= p->need;
    }
    return sum;
}

static void end_epoch(const event *v)
{
    tell_children(v, DTD_ANNOUNCE);
    dtd_end_epoch(&v->t->phase, v->out);
    for (uint32_t i = 0; i <= v->children; i++) v->t->of[i].need = 0;
    v->t->last.need = 0;
}

static void ask_below(const event *v)
{
    tree *t = v->t;
    t->asked = 1;
    t->missing = v->children;
    t->no = !dtd_vote(&t->phase, v->now);
    tell_children(v, DTD_CONFIRM);
}

/* The root, when nothing is under way; true: it has asked. */
static bool launch(const event *v)
{
    part sum = sum_up(v);
    if (v->t->asked || sum.active || !sum.need || sum.sent != sum.received) return false;
    v->t->first = sum.received;
    ask_below(v);
    return true;
}

static void abort_wave(const event *v)
{
    dtd_thaw(&v->t->phase);
    tell_children(v, DTD_ABORT);
}

static void decide(const event *v)
{
    if (dtd_confirmed(!v->t->no, sum_up(v).sent, v->t->first)) end_epoch(v);
    else abort_wave(v);
}

static void report(const event *v)
{
    part sum = sum_up(v);
    const part *last = &v->t->last;
    if (sum.active) return;
    if (!v->t->owes && sum.sent == last->sent && sum.received == last->received &&
        sum.need == last->need)
        return;
    tell_parent(v, DTD_REPORT, &sum, true);
}

/* All of this subtree has voted. */
static void close_vote(const event *v)
{
    part sum = sum_up(v);
    v->t->asked = 0;
    if (v->d->self == 0) decide(v);
    else tell_parent(v, DTD_VOTE, &sum, !v->t->no);
}

/* Do what the parts allow now. */
static void go_on(const event *v)
{
    if (v->t->asked && v->t->missing == 0) close_vote(v);
    if (v->out->announced) return; /* the figures at hand are of the epoch that ended */
    if (v->d->self != 0) report(v);
    else if (launch(v) && v->t->missing == 0) close_vote(v); /* a worker alone */
}

static void enter(const event *v, worker_id from, const dtd_message *m)
{
    uint64_t child = (uint64_t)from - (uint64_t)v->d->self * v->arity; /* from 1 */
    if (child < 1 || child > v->children) return;
    bool yes = (m->flags & DTD_YES) != 0;
    v->t->of[child] = (part){ m->sent, m->received, !yes, (m->flags & DTD_NEED) != 0 };
    if (m->kind != DTD_VOTE || !v->t->asked) return;
    v->t->missing--;
    if (!yes) v->t->no = 1;
}

static void take(const event *v, worker_id from, const dtd_message *m)
{
    if (m->epoch != v->t->phase.epoch) return; /* of an epoch that is over */
    if (m->kind == DTD_REPORT || m->kind == DTD_VOTE) enter(v, from, m);
    else if (m->kind == DTD_CONFIRM) ask_below(v);
    else if (m->kind == DTD_ANNOUNCE) end_epoch(v);
    else if (m->kind == DTD_ABORT) abort_wave(v);
}

void dtd_tree_state(dtd *d, uint32_t arity, uint32_t channel, const dtd_figures *now,
                    dtd_out *out)
{
    event v = begin(d, arity, channel, now, out);
    note_own(&v);
    go_on(&v);
}

void dtd_tree_message(dtd *d, uint32_t arity, worker_id from, const dtd_message *m,
                      const dtd_figures *now, dtd_out *out)
{
    event v = begin(d, arity, m->channel, now, out);
    note_own(&v);
    if (m->epoch == v.t->phase.epoch + 1) end_epoch(&v); /* a child is ahead */
    take(&v, from, m);
    go_on(&v);
}

void dtd_tree_ahead(dtd *d, uint32_t arity, uint32_t channel, dtd_out *out)
{
    event v = begin(d, arity, channel, NULL, out);
    end_epoch(&v);
}
