/*
 * comm_lane - filling batches and letting them go.
 *
 * Idea       A slot for each neighbour and kind; the first message opens a batch of the pool
 *            behind it, later ones are written there (comm_place does that inline).  A batch leaves when
 *            it is full and the next message comes, or on a flush, if its receiver's window
 *            is open.  Without a free batch the fullest open one leaves, and the caller is told FULL.
 * Invariant  free + open + away = all batches of the lane.  A slot for which messages are kept
 *            aside has no room: they are tried first whenever room may have come, in order, and
 *            within one such round a slot that has refused goes on refusing.
 * Cost       A message, a copy; a batch, a header and a post.
 */
#include "comm/comm_inner.h"

static comm_lane *lane_of(comm_end *c, comm_lane_id id) { return &c->lane[id]; }

static comm_hop hop_kind(const comm_end *c, comm_lane_id id)
{
    if (!c->config->two_hops) return COMM_DIRECT;
    return id == COMM_LANE_FIRST ? COMM_FIRST_HOP : COMM_LAST_HOP;
}

static uint32_t unit_of(const comm_end *c, uint32_t kind)
{
    uint32_t width = c->config->kinds[kind].width;
    return c->config->two_hops ? width + comm_wire_prefix(width) : width;
}

static uint32_t epoch_of(const comm_end *c, uint32_t kind)
{
    uint32_t channel = c->config->kinds[kind].channel;
    return channel == COMM_NO_CHANNEL ? 0 : dtd_epoch(c->detector, channel);
}

/* No room, at an address that is one. */
static void close_slot(comm_end *c, comm_slot *s) { s->next = s->end = (uint8_t *)c; }

void comm_lane_close_slots(comm_end *c)
{
    size_t kinds = c->config->kind_count, slots = c->plan.neighbours * kinds;
    for (size_t i = 0; i < slots; i++) close_slot(c, &c->lane[COMM_LANE_FIRST].slot[i]);
    for (size_t i = 0; i < slots && c->config->two_hops; i++)
        close_slot(c, &c->lane[COMM_LANE_PASSED].slot[i]);
    for (size_t i = 0; i < kinds; i++) close_slot(c, &c->face.slot[i]);
    if (c->config->two_hops)
        return; /* then comm_send finds no room and goes the slow way */
    c->face.slot = c->lane[COMM_LANE_FIRST].slot;
    c->face.stride = kinds;
}

static bool open_batch(comm_end *c, comm_lane *l, const comm_passage *p, uint32_t slot)
{
    comm_parcel *b = l->idle;
    if (b == NULL) return false;
    l->idle = b->next;
    l->open++;
    b->to = p->hop;
    b->epoch = p->epoch;
    b->slot = slot;
    l->behind[slot] = b;
    size_t unit = unit_of(c, p->kind), room = c->plan.batch_bytes - COMM_HEADER_BYTES;
    l->slot[slot].next = b->at + COMM_HEADER_BYTES;
    l->slot[slot].end = l->slot[slot].next + room / unit * unit;
    return true;
}

/* True: the batch behind a slot is on its way. */
static bool ship(comm_end *c, comm_lane *l, uint32_t slot)
{
    comm_parcel *b = l->behind[slot];
    uint32_t *under_way = &l->under_way[slot / c->config->kind_count];
    if (*under_way >= c->plan.window) return false;
    uint32_t kind = slot % c->config->kind_count;
    b->bytes = (uint32_t)(l->slot[slot].next - b->at);
    b->taken = 0;
    b->slot = COMM_NO_SLOT;
    comm_header h = { .kind = kind,
                      .unit = unit_of(c, kind),
                      .hop = hop_kind(c, b->lane),
                      .from = c->self,
                      .epoch = b->epoch };
    h.count = (b->bytes - COMM_HEADER_BYTES) / h.unit;
    comm_wire_pack(&h, b->at);
    l->behind[slot] = NULL;
    close_slot(c, &l->slot[slot]);
    l->open--;
    l->away++;
    (*under_way)++;
    c->count.batches++;
    c->count.bytes += b->bytes;
    c->t->post(c->transport, b);
    return true;
}

/* Make room for later: of the open batches the fullest that may leave does. */
static void ship_fullest(comm_end *c, comm_lane *l)
{
    uint32_t best = COMM_NO_SLOT;
    size_t most = 0;
    for (uint32_t i = 0; i < l->count && l->open > 0; i++) {
        uint32_t slot = l->all[i]->slot;
        if (slot == COMM_NO_SLOT) continue;
        if (l->under_way[slot / c->config->kind_count] >= c->plan.window) continue;
        size_t filled = (size_t)(l->slot[slot].next - l->all[i]->at);
        if (filled <= most) continue;
        most = filled;
        best = slot;
    }
    if (best != COMM_NO_SLOT) ship(c, l, best);
}

static bool make_room(comm_end *c, comm_lane *l, const comm_passage *p, uint32_t slot)
{
    if (l->behind[slot] && !ship(c, l, slot)) return false;
    if (open_batch(c, l, p, slot)) return true;
    ship_fullest(c, l);
    return false;
}

uint8_t *comm_lane_place(comm_end *c, comm_lane_id id, const comm_passage *p)
{
    comm_lane *l = lane_of(c, id);
    uint32_t slot =
        comm_plan_neighbour(&c->plan, c->self, p->hop) * c->config->kind_count + p->kind;
    comm_slot *s = &l->slot[slot];
    size_t unit = unit_of(c, p->kind), width = c->config->kinds[p->kind].width;
    if ((size_t)(s->end - s->next) < unit && !make_room(c, l, p, slot)) return NULL;
    assert(l->behind[slot]->epoch == p->epoch); /* an epoch ends when all is received */
    if (unit > width) {
        memset(s->next, 0, unit - width);
        comm_wire_put(s->next, p->tag, 4);
    }
    s->next += unit;
    return s->next - width;
}

void comm_lane_flush(comm_end *c, comm_lane_id id)
{
    comm_lane *l = lane_of(c, id);
    for (uint32_t i = 0; i < l->count && l->open > 0; i++)
        if (l->all[i]->slot != COMM_NO_SLOT) ship(c, l, l->all[i]->slot);
}

void comm_lane_back(comm_end *c, comm_parcel *p)
{
    comm_lane *l = lane_of(c, p->lane);
    if (p->lane != COMM_LANE_LETTERS)
        l->under_way[comm_plan_neighbour(&c->plan, c->self, p->to)]--;
    p->next = l->idle;
    l->idle = p;
    l->away--;
}

/* ---- sending ------------------------------------------------------------------------------ */

static uint8_t *place_first(comm_end *c, worker_id to, uint32_t kind)
{
    comm_passage p = { .hop = comm_plan_hop(&c->plan, c->config->workers, c->self, to),
                       .tag = to,
                       .kind = kind,
                       .epoch = epoch_of(c, kind) };
    return comm_lane_place(c, COMM_LANE_FIRST, &p);
}

static uint8_t *place_aside(comm_end *c, worker_id to, uint32_t kind)
{
    comm_aside *a = &c->aside;
    if (a->count >= a->limit) return NULL;
    uint8_t *at = a->at + a->count++ * a->entry;
    memcpy(at, &kind, 4);
    memcpy(at + 4, &to, 4);
    c->count.aside++;
    return at + 8;
}

void *comm_place_slowly(comm *face, worker_id to, uint32_t kind, size_t width)
{
    comm_end *c = comm_inside(face);
    assert(to < c->config->workers && kind < c->config->kind_count &&
           width == c->config->kinds[kind].width);
    (void)width;
    uint8_t *at = place_first(c, to, kind);
    if (at == NULL) at = place_aside(c, to, kind);
    if (at == NULL) c->count.full++;
    else c->face.sent[kind]++;
    return at;
}

void comm_lane_retry_aside(comm_end *c)
{
    comm_aside *a = &c->aside;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        uint8_t *at = a->at + i * a->entry;
        uint32_t kind, to;
        memcpy(&kind, at, 4);
        memcpy(&to, at + 4, 4);
        uint8_t *place = place_first(c, to, kind);
        if (place) memcpy(place, at + 8, c->config->kinds[kind].width);
        else if (kept++ != i) memcpy(a->at + (kept - 1) * a->entry, at, a->entry);
    }
    a->count = kept;
    a->limit = kept; /* a promise does not outlive a poll */
}

bool comm_reserve(comm *face, uint32_t messages)
{
    comm_aside *a = &comm_inside(face)->aside;
    assert(messages <= a->room);
    if (messages > a->room - a->count) return false;
    a->limit = a->count + messages;
    return true;
}

void comm_flush(comm *face)
{
    comm_end *c = comm_inside(face);
    comm_lane_flush(c, COMM_LANE_FIRST);
    comm_lane_flush(c, COMM_LANE_PASSED);
}

bool comm_drained(const comm *face)
{
    const comm_end *c = comm_inside_const(face);
    const comm_lane *first = &c->lane[COMM_LANE_FIRST],
                    *passed = &c->lane[COMM_LANE_PASSED];
    return first->open + first->away + passed->open + passed->away + c->aside.count ==
               0 &&
           c->held[COMM_LANE_FIRST].first == NULL &&
           c->held[COMM_LANE_PASSED].first == NULL;
}
