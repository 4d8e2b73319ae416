/*
 * comm_letters - detectors, sums and aborts: small parcels on a lane of their own.
 *
 * Idea       An event of a detector happens only when all letters it might cause have room.  Sums and
 *            aborts are states that are looked at in every poll and go on when they can.
 * Invariant  Half of the room is kept from spontaneous letters and from reports, which may be as many
 *            as there are changes, and figures.  What else is written answers a wave or a sum, of which
 *            a neighbour has a bounded number unconsumed; so a letter that is not a report never
 *            waits for long, and reports go towards worker 0, which writes none.
 * Thrift     Who runs out of work for a moment again and again would report it each time, and with
 *            little work for many workers that is a letter for every few messages.  So a worker
 *            tells the first changes of an epoch at once, and one for every MESSAGES_PER_TELL; what is
 *            more waits until the figures have been the same for a while, which doubles from
 *            PATIENCE_LEAST_NS on, PATIENCE_DOUBLES times at most: that much later is the end noticed
 *            at worst.
 * Cost       A poll without letters: a look at each passive channel.
 */
#include "comm/comm_inner.h"

enum { DETECTOR, SUM_UP, SUM_DOWN, ABORT, FIGURES, LETTER_TYPES }; /* the first byte */
enum { AT_TYPE = 0, AT_BODY = 8 };
enum { TOLD_AT_ONCE = 4, MESSAGES_PER_TELL = 16384 };
enum { PATIENCE_LEAST_NS = 1000, PATIENCE_DOUBLES = 10 };

/* An abort always has room. */
static uint32_t letter_room(const comm_end *c)
{
    return c->plan.letters - c->lane[COMM_LANE_LETTERS].away - (COMM_TREE_ARITY + 1);
}

static uint8_t *write_letter(comm_parcel *p, uint8_t type, uint32_t body_bytes)
{
    memset(p->at, 0, AT_BODY);
    p->at[AT_TYPE] = type;
    p->bytes = AT_BODY + body_bytes;
    return p->at + AT_BODY;
}

static comm_parcel *begin_letter(comm_end *c, worker_id to)
{
    comm_lane *l = &c->lane[COMM_LANE_LETTERS];
    comm_parcel *p = l->idle;
    assert(p);
    l->idle = p->next;
    l->away++;
    p->to = to;
    c->count.letters++;
    return p;
}

/* ---- detectors ---------------------------------------------------------------------------- */

static uint32_t kept_from_reports(const comm_end *c) { return c->plan.letters / 2; }

static void post_written(comm_end *c, const dtd_out *out)
{
    for (size_t i = 0; i < out->count; i++) {
        comm_parcel *p = begin_letter(c, out->at[i].to);
        dtd_pack(&out->at[i].message, write_letter(p, DETECTOR, DTD_WIRE_BYTES));
        c->t->post(c->transport, p);
    }
}

static uint64_t messages(const comm_channel *h) { return h->now.sent + h->now.received; }

/* After an event: its letters, and perhaps an epoch that has ended.  0, or -1. */
static int settle(comm_end *c, uint32_t channel, const dtd_out *out, err *e)
{
    post_written(c, out);
    if (!out->announced) return 0;
    comm_channel *h = &c->channel[channel];
    h->now.passive = h->now.need = false;
    h->unsure = true;
    h->tells = 0;
    h->before = messages(h);
    if (c->config->announced == NULL) return 0;
    uint32_t ended = dtd_epoch(c->detector, channel) - 1;
    return c->config->announced(c->user, channel, ended, e) == 0 ? 0 : -1;
}

static dtd_out paper(comm_end *c)
{
    return (dtd_out){ .at = c->written, .room = c->plan.letters_event };
}

static void count_sent(comm_end *c, uint32_t channel)
{
    uint64_t sent = 0;
    bool all = c->config->whole && channel == c->config->channels - 1;
    for (uint32_t k = 0; k < c->config->kind_count; k++)
        if (all || c->config->kinds[k].channel == channel) sent += c->face.sent[k];
    c->channel[channel].now.sent = sent;
}

int comm_letters_ahead(comm_end *c, uint32_t channel, err *e)
{
    if (letter_room(c) < c->plan.letters_event) return 0;
    dtd_out out = paper(c);
    c->config->detector->ahead(c->detector, channel, &out);
    return settle(c, channel, &out, e) == 0 ? 1 : -1;
}

static bool differ(const dtd_figures *a, const dtd_figures *b)
{
    return a->sent != b->sent || a->received != b->received || a->need != b->need;
}

static bool has_changed(const comm_channel *h)
{
    return h->unsure || differ(&h->now, &h->told) || !h->told.passive;
}

static uint64_t patience(const comm_channel *h)
{
    uint64_t allowed = TOLD_AT_ONCE + (messages(h) - h->before) / MESSAGES_PER_TELL;
    if (h->tells < allowed) return 0;
    uint64_t more = h->tells - allowed;
    return (uint64_t)PATIENCE_LEAST_NS
           << (more < PATIENCE_DOUBLES ? more : PATIENCE_DOUBLES);
}

/* Has it been like this for long enough to be told?  If not, it wants a turn when it has. */
static bool has_settled(comm_end *c, comm_channel *h)
{
    uint64_t wait = patience(h);
    if (wait == 0) return true;
    uint64_t now = c->t->clock(c->transport, c->self);
    if (differ(&h->now, &h->seen)) h->since = now;
    h->seen = h->now;
    if (now - h->since >= wait) return true;
    if (c->t->wake) c->t->wake(c->transport, c->self, h->since + wait);
    return false;
}

/* Tell the detector of channels that are passive and not as it knows them. */
static int64_t tell_states(comm_end *c, err *e)
{
    int64_t told = 0;
    for (uint32_t i = 0; i < c->config->channels; i++) {
        comm_channel *h = &c->channel[i];
        if (!h->now.passive) continue;
        count_sent(c, i);
        if (!has_changed(h) || !has_settled(c, h)) continue;
        if (letter_room(c) < kept_from_reports(c) + c->plan.letters_event) return told;
        dtd_out out = paper(c);
        h->told = h->now;
        h->unsure = false;
        h->tells++;
        c->config->detector->state(c->detector, i, &h->now, &out);
        if (settle(c, i, &out, e) != 0) return -1;
        told++;
    }
    return told;
}

/* 1, 0 without room, or -1. */
static int take_detector(comm_end *c, const comm_parcel *p, err *e)
{
    dtd_message m;
    if (dtd_unpack(&m, p->at + AT_BODY, p->bytes - AT_BODY, c->config->channels, e) != 0)
        return -1;
    uint32_t keep = m.kind == DTD_REPORT && c->self != 0 ? kept_from_reports(c) : 0;
    if (letter_room(c) < keep + c->plan.letters_event) return 0;
    comm_channel *h = &c->channel[m.channel];
    count_sent(c, m.channel);
    dtd_out out = paper(c);
    c->config->detector->message(c->detector, p->from, &m, &h->now, &out);
    return settle(c, m.channel, &out, e) == 0 ? 1 : -1;
}

void comm_tell(comm *face, uint32_t channel, bool passive, bool need)
{
    comm_end *c = comm_inside(face);
    comm_channel *h = &c->channel[channel];
    if (!passive) h->told.passive = false;
    h->now.passive = passive;
    h->now.need = need;
}

uint32_t comm_epoch(const comm *c, uint32_t channel)
{
    return dtd_epoch(comm_inside_const(c)->detector, channel);
}

bool comm_frozen(const comm *c, uint32_t channel)
{
    return dtd_frozen(comm_inside_const(c)->detector, channel);
}

/* ---- sums --------------------------------------------------------------------------------- */

uint32_t comm_letters_children(const comm_end *c)
{
    uint64_t first = (uint64_t)c->self * COMM_TREE_ARITY + 1;
    if (first >= c->config->workers) return 0;
    uint64_t left = c->config->workers - first;
    return left < COMM_TREE_ARITY ? (uint32_t)left : COMM_TREE_ARITY;
}

static void post_numbers(comm_end *c, worker_id to, uint8_t type, const uint64_t *x,
                         uint32_t count)
{
    comm_parcel *p = begin_letter(c, to);
    uint8_t *body = write_letter(p, type, 8 * count);
    for (uint32_t i = 0; i < count; i++) comm_wire_put(body + 8 * i, x[i], 8);
    c->t->post(c->transport, p);
}

/* 0, or -1: there are not `count` of them. */
static int read_numbers(const comm_parcel *p, uint64_t *x, uint32_t count, err *e)
{
    if (p->bytes != AT_BODY + 8 * count) {
        err_set(e, ERR_SYSTEM, "numbers of %u bytes from worker %u", p->bytes, p->from);
        return -1;
    }
    for (uint32_t i = 0; i < count; i++) x[i] = comm_wire_get(p->at + AT_BODY + 8 * i, 8);
    return 0;
}

static worker_id parent(const comm_end *c) { return (c->self - 1) / COMM_TREE_ARITY; }

static worker_id child(const comm_end *c, uint32_t i)
{
    return c->self * COMM_TREE_ARITY + 1 + i;
}

static void add_part(comm_adding *s, const uint64_t *x)
{
    for (int i = 0; i < COMM_SUMS_MAX; i++) s->part[i] += x[i];
}

static void have_result(comm_adding *s, const uint64_t *x)
{
    memcpy(s->result, x, sizeof s->result);
    s->arrived = s->to_hand_on = true;
}

/* My part and those of all below are there: up with them. */
static void close_part(comm_end *c)
{
    comm_adding *s = &c->sum;
    if (c->self == 0) have_result(s, s->part);
    else post_numbers(c, parent(c), SUM_UP, s->part, COMM_SUMS_MAX);
    memset(s->part, 0, sizeof s->part);
    s->missing = comm_letters_children(c);
    s->up = true;
}

static int64_t go_on_adding(comm_end *c)
{
    comm_adding *s = &c->sum;
    int64_t moved = 0;
    if (s->begun && !s->up && s->missing == 0 && letter_room(c) > 0) {
        close_part(c);
        moved++;
    }
    if (s->to_hand_on && letter_room(c) >= comm_letters_children(c)) {
        for (uint32_t i = 0; i < comm_letters_children(c); i++)
            post_numbers(c, child(c, i), SUM_DOWN, s->result, COMM_SUMS_MAX);
        s->to_hand_on = false;
        moved++;
    }
    return moved;
}

void comm_sum_begin(comm *face, const uint64_t *values, uint32_t count)
{
    comm_end *c = comm_inside(face);
    assert(!c->sum.begun && count <= COMM_SUMS_MAX);
    uint64_t mine[COMM_SUMS_MAX] = { 0 };
    memcpy(mine, values, count * sizeof *mine);
    add_part(&c->sum, mine);
    c->sum.begun = true;
    c->sum.up = false;
}

bool comm_sum_test(comm *face, uint64_t *values)
{
    comm_adding *s = &comm_inside(face)->sum;
    if (!s->begun || !s->arrived || s->to_hand_on) return false;
    memcpy(values, s->result, sizeof s->result);
    s->begun = s->arrived = false;
    return true;
}

static int take_numbers(comm_end *c, const comm_parcel *p, uint8_t type, err *e)
{
    uint64_t x[COMM_SUMS_MAX];
    if (read_numbers(p, x, COMM_SUMS_MAX, e) != 0) return -1;
    if (type == SUM_DOWN) have_result(&c->sum, x);
    else {
        add_part(&c->sum, x);
        c->sum.missing--;
    }
    return 1;
}

/* ---- figures ------------------------------------------------------------------------------ */

bool comm_letters_show(comm_end *c, const uint64_t *x)
{
    if (letter_room(c) <= kept_from_reports(c)) return false;
    post_numbers(c, parent(c), FIGURES, x, COMM_FIGURES_COUNT);
    return true;
}

static int take_figures(comm_end *c, const comm_parcel *p, err *e)
{
    uint64_t x[COMM_FIGURES_COUNT];
    if (read_numbers(p, x, COMM_FIGURES_COUNT, e) != 0) return -1;
    uint32_t i = p->from - child(c, 0);
    if (i >= comm_letters_children(c)) {
        err_set(e, ERR_SYSTEM, "figures of worker %u, which is not below", p->from);
        return -1;
    }
    comm_figures_take(&c->face, i, x);
    return 1;
}

/* ---- abort -------------------------------------------------------------------------------- */

void comm_abort(comm *face)
{
    comm_end *c = comm_inside(face);
    c->aborted = true;
    comm_letters_flood_abort(c);
}

bool comm_aborted(const comm *c) { return comm_inside_const(c)->aborted; }

/* To all neighbours in the tree, once; they do the same. */
void comm_letters_flood_abort(comm_end *c)
{
    if (c->abort_told) return;
    for (uint32_t i = 0; i < comm_letters_children(c); i++)
        post_numbers(c, child(c, i), ABORT, c->sum.result, COMM_SUMS_MAX);
    if (c->self != 0) post_numbers(c, parent(c), ABORT, c->sum.result, COMM_SUMS_MAX);
    c->abort_told = true;
}

/* ------------------------------------------------------------------------------------------- */

void comm_letters_begin(comm_end *c)
{
    const comm_config *f = c->config;
    c->sum.missing = comm_letters_children(c);
    for (uint32_t i = 0; i < f->channels; i++) c->channel[i].unsure = true;
    if (f->channels > 0)
        c->detector =
            dtd_begin(f->detector, c->detector, f->workers, c->self, f->channels);
}

static int take_letter(comm_end *c, const comm_parcel *p, err *e)
{
    uint8_t type = p->bytes > AT_BODY ? p->at[AT_TYPE] : LETTER_TYPES;
    if (type == DETECTOR && c->config->channels > 0) return take_detector(c, p, e);
    if (type == SUM_UP || type == SUM_DOWN) return take_numbers(c, p, type, e);
    if (type == FIGURES) return take_figures(c, p, e);
    if (type == ABORT) {
        c->aborted = true;
        return 1;
    }
    err_set(e, ERR_SYSTEM, "damaged letter from worker %u: %u bytes, type %u", p->from,
            p->bytes, type);
    return -1;
}

static int64_t take_letters(comm_end *c, err *e)
{
    int64_t moved = 0;
    comm_list *held = &c->held[COMM_LANE_LETTERS];
    comm_poll_arrived(c, COMM_LANE_LETTERS);
    for (comm_parcel *p = held->first; p; p = held->first) {
        int done = take_letter(c, p, e);
        if (done < 0) return -1;
        if (done == 0) return moved;
        comm_list_take(held);
        c->t->give_back(c->transport, p);
        moved++;
    }
    return moved;
}

int64_t comm_letters_poll(comm_end *c, err *e)
{
    int64_t moved = take_letters(c, e);
    if (c->aborted) {
        comm_letters_flood_abort(c);
        err_set(e, ERR_SYSTEM, "worker %u: the run was ended by another worker", c->self);
        return -1;
    }
    int64_t told = moved < 0 ? -1 : tell_states(c, e);
    return told < 0 ? -1 : moved + told + go_on_adding(c);
}
