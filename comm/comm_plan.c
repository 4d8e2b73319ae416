/*
 * comm_plan - how the memory of an end is shared out, and who is whose neighbour.
 *
 * Idea       Tables first (a slot per neighbour and kind), then letters, then what is kept
 *            aside; the rest is batches.  A batch is as large as lets every neighbour have
 *            one open per kind and two under way; if that is less than is worth a header, there
 *            are fewer batches than slots, and open ones are shipped early to make room.
 * Two hops   Workers stand in a grid, row by row, about as many columns as rows.  A message goes
 *            along the row and then along the column; where the last row is too short for that,
 *            along the column first.  Neighbours are a row and a column: about 2 sqrt(P).
 * Cost       Direct, P * kinds slots and batches; two hops, twice the copying, 2 * 2 sqrt(P) * kinds.
 */
#include "comm/comm_inner.h"

/* With its envelope the largest batch still is one cell of the shared memory between processes (8,256
   bytes in UCX); what is larger is announced and fetched, which was slower by half here. */
enum { LINE = 64, BATCH_LEAST = 512, BATCH_MOST = 8 << 10, BATCH_AMPLE = 4096 };

static size_t lines(size_t bytes) { return (bytes + LINE - 1) / LINE * LINE; }

/* Memory being shared out; without a base it is only measured. */
typedef struct carver {
    uint8_t *base;
    size_t used;
} carver;

static void *carve(carver *k, size_t bytes)
{
    void *at = k->base ? k->base + k->used : NULL;
    k->used += lines(bytes);
    return at;
}

static uint32_t lane_count(const comm_config *c) { return c->two_hops ? 2 : 1; }

static uint32_t widest(const comm_config *c)
{
    uint32_t most = 1;
    for (uint32_t k = 0; k < c->kind_count; k++)
        if (c->kinds[k].width > most) most = c->kinds[k].width;
    return most;
}

/* What an event may send.  A detector keeps a record of whomever it writes to, so a
   worker with a small record writes to few. */
static uint32_t letters_event(const comm_config *c, worker_id self)
{
    if (c->channels == 0) return 0;
    size_t most = dtd_letters_max(c->workers);
    size_t few = c->detector->channel_bytes(c->workers, self) / 8 + 2;
    return (uint32_t)(few < most ? few : most);
}

static void lay_out_lane(comm_lane *l, const comm_plan *p, const comm_config *c,
                         uint32_t batches, carver *k)
{
    size_t slots = (size_t)p->neighbours * c->kind_count;
    l->slot = carve(k, slots * sizeof *l->slot);
    l->behind = carve(k, slots * sizeof *l->behind);
    l->under_way = carve(k, p->neighbours * sizeof *l->under_way);
    l->all = carve(k, batches * sizeof *l->all);
}

/* All but the batches. */
static void lay_out_tables(comm_end *end, const comm_plan *p, const comm_config *c,
                           worker_id self, carver *k)
{
    lay_out_lane(&end->lane[COMM_LANE_FIRST], p, c, p->batches, k);
    if (c->two_hops)
        lay_out_lane(&end->lane[COMM_LANE_PASSED], p, c, p->passed_batches, k);
    end->face.slot = carve(k, c->kind_count * sizeof *end->face.slot);
    end->face.sent = carve(k, c->kind_count * sizeof *end->face.sent);
    end->count.received = carve(k, c->kind_count * sizeof *end->count.received);
    end->channel = carve(k, c->channels * sizeof *end->channel);
    if (c->channels > 0)
        end->detector = carve(k, dtd_bytes(c->detector, c->workers, self, c->channels));
    end->written = carve(k, p->letters_event * sizeof *end->written);
    end->aside.at = carve(k, end->aside.room * end->aside.entry);
}

size_t comm_plan_parcel_bytes(size_t payload)
{
    return lines(sizeof(comm_parcel) + COMM_ENVELOPE_BYTES) + lines(payload);
}

static comm_parcel *lay_out_parcel(comm_lane *l, size_t payload, worker_id self,
                                   carver *k)
{
    comm_parcel *p = carve(k, sizeof *p + COMM_ENVELOPE_BYTES);
    *p = (comm_parcel){ .next = l->idle,
                        .from = self,
                        .slot = COMM_NO_SLOT,
                        .at = carve(k, payload),
                        .lane = COMM_LANE_LETTERS };
    l->idle = p;
    return p;
}

static void lay_out_batches(comm_lane *l, comm_lane_id id, const comm_plan *p,
                            uint32_t count, worker_id self, carver *k)
{
    for (uint32_t i = 0; i < count; i++) {
        comm_parcel *b = lay_out_parcel(l, p->batch_bytes, self, k);
        b->lane = id;
        l->all[i] = b;
    }
    l->count = count;
}

static void size_aside(comm_aside *a, const comm_config *c)
{
    a->room = c->reserve ? c->reserve : COMM_RESERVE_DEFAULT;
    a->entry = 8 + (widest(c) + 7u) / 8 * 8;
}

comm_end *comm_plan_lay_out(const comm_plan *p, const comm_config *config, worker_id self,
                            uint8_t *block)
{
    carver k = { .base = block };
    comm_end *end = carve(&k, sizeof *end);
    end->self = self;
    end->config = config;
    end->plan = *p;
    size_aside(&end->aside, config);
    lay_out_tables(end, p, config, self, &k);
    for (uint32_t i = 0; i < p->letters; i++)
        lay_out_parcel(&end->lane[COMM_LANE_LETTERS], COMM_LETTER_BYTES, self, &k);
    lay_out_batches(&end->lane[COMM_LANE_FIRST], COMM_LANE_FIRST, p, p->batches, self,
                    &k);
    lay_out_batches(&end->lane[COMM_LANE_PASSED], COMM_LANE_PASSED, p, p->passed_batches,
                    self, &k);
    assert(k.used == p->bytes && k.used <= config->buffer_bytes);
    return end;
}

/* ---- sizes -------------------------------------------------------------------------------- */

static size_t fixed_bytes(const comm_plan *p, const comm_config *c, worker_id self)
{
    carver k = { 0 };
    comm_end end = { 0 };
    carve(&k, sizeof end);
    size_aside(&end.aside, c);
    lay_out_tables(&end, p, c, self, &k);
    return k.used + p->letters * comm_plan_parcel_bytes(COMM_LETTER_BYTES);
}

/* Bytes with so many batches per lane. */
static size_t bytes_with(comm_plan *p, const comm_config *c, worker_id self,
                         size_t batches, size_t batch_bytes)
{
    p->batches = (uint32_t)batches;
    p->passed_batches = c->two_hops ? p->batches : 0;
    return fixed_bytes(p, c, self) +
           batches * lane_count(c) * comm_plan_parcel_bytes(batch_bytes);
}

size_t comm_plan_batch_least(const comm_config *c)
{
    return lines(COMM_HEADER_BYTES + widest(c) + 16);
}

/* The batch's size, for so many bytes of batches and tables that grow with them. */
static size_t choose_batch(const comm_plan *p, const comm_config *c, size_t rest)
{
    size_t least = comm_plan_batch_least(c), lanes = lane_count(c);
    size_t share = rest / (lanes * p->neighbours * (c->kind_count + 2));
    size_t wish = c->batch_bytes     ? c->batch_bytes
                  : share > LINE * 2 ? share - LINE * 2
                                     : 0;
    if (!c->batch_bytes && wish < BATCH_LEAST) wish = BATCH_LEAST;
    if (!c->batch_bytes && wish > BATCH_MOST) wish = BATCH_MOST;
    if (2 * lanes * (comm_plan_parcel_bytes(wish) + LINE) > rest) /* two at least */
        wish = rest / (2 * lanes) > 4 * LINE ? rest / (2 * lanes) - 4 * LINE : 0;
    wish = wish / LINE * LINE;
    return wish < least ? least : wish;
}

static void choose_neighbours(comm_plan *p, const comm_config *c)
{
    uint32_t n = c->workers;
    p->neighbours = n;
    if (!c->two_hops) return;
    p->columns = 1;
    while ((uint64_t)p->columns * p->columns < n) p->columns++;
    p->neighbours = p->columns + (n + p->columns - 1) / p->columns;
}

static void choose_window(comm_plan *p)
{
    uint32_t most = p->batches - p->batches / 4;
    p->window = 2 * p->batches / p->neighbours;
    if (p->window > most) p->window = most;
    if (p->window == 0) p->window = 1;
}

void comm_plan_make(comm_plan *p, const comm_config *c, worker_id self)
{
    *p = (comm_plan){ .letters_event = letters_event(c, self) };
    choose_neighbours(p, c);
    p->letters = 2 * p->letters_event * (c->channels + 1) + 4 * (COMM_TREE_ARITY + 1);
    p->least = bytes_with(p, c, self, 2, comm_plan_batch_least(c));
    size_t ample = c->batch_bytes ? c->batch_bytes : BATCH_AMPLE;
    p->ample = bytes_with(p, c, self, (size_t)p->neighbours * (c->kind_count + 1), ample);
    size_t fixed = bytes_with(p, c, self, 0, 0);
    p->batches = p->passed_batches = 0;
    if (c->buffer_bytes < p->least) return;
    size_t rest = c->buffer_bytes - fixed;
    p->batch_bytes = choose_batch(p, c, rest);
    size_t count = rest / (lane_count(c) * (comm_plan_parcel_bytes(p->batch_bytes) + 8));
    while (bytes_with(p, c, self, count, p->batch_bytes) > c->buffer_bytes) count--;
    p->bytes = bytes_with(p, c, self, count, p->batch_bytes);
    choose_window(p);
}

size_t comm_plan_least(const comm_config *config)
{
    size_t most = 0;
    for (worker_id w = 0; w < config->workers; w++) {
        comm_plan p;
        comm_plan_make(&p, config, w);
        if (p.least > most) most = p.least;
    }
    return most + comm_plan_receive_share(config, comm_plan_batch_least(config));
}

size_t comm_plan_ample(const comm_config *config)
{
    size_t most = 0;
    for (worker_id w = 0; w < config->workers; w++) {
        comm_plan p;
        comm_plan_make(&p, config, w);
        if (p.ample > most) most = p.ample;
    }
    size_t batch = config->batch_bytes ? config->batch_bytes : BATCH_AMPLE;
    return most + 2 * comm_plan_receive_share(config, batch);
}

/* ---- the way ------------------------------------------------------------------------------ */

worker_id comm_plan_hop(const comm_plan *p, uint32_t workers, worker_id self,
                        worker_id to)
{
    if (p->columns == 0) return to;
    uint32_t row = self / p->columns, column = self % p->columns;
    uint32_t to_row = to / p->columns, to_column = to % p->columns;
    if (row == to_row || column == to_column) return to;
    worker_id corner = row * p->columns + to_column;
    return corner < workers ? corner : to_row * p->columns + column;
}

uint32_t comm_plan_neighbour(const comm_plan *p, worker_id self, worker_id w)
{
    if (p->columns == 0) return w;
    return self / p->columns == w / p->columns ? w % p->columns
                                               : p->columns + w / p->columns;
}
