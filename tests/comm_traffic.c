#include "tests/comm_traffic.h"

#include "comm/comm_sim.h"
#include "core/hash.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the rule ----------------------------------------------------------------------------- */

static uint64_t dice(const traffic *t, worker_id from, uint32_t i)
{
    return hash_word(t->seed ^ hash_word((uint64_t)from << 32 | i));
}

static worker_id goes_to(const traffic *t, worker_id from, uint32_t i)
{
    switch (t->pattern) {
    case TRAFFIC_TO_ONE:
        return 0;
    case TRAFFIC_SELF:
        return from;
    case TRAFFIC_RING:
        return (from + 1) % t->workers;
    case TRAFFIC_BURSTS:
        return (worker_id)(dice(t, from, i / 50) % t->workers);
    default:
        return (worker_id)(dice(t, from, i) % t->workers);
    }
}

static uint32_t kind_of(const traffic *t, worker_id from, uint32_t i)
{
    return (uint32_t)((dice(t, from, i) >> 40) % t->kinds);
}

static void write_message(const traffic *t, worker_id from, uint32_t i, uint8_t *at,
                          uint32_t width)
{
    uint64_t x = dice(t, from, i);
    for (uint32_t b = 0; b < width; b++)
        at[b] = (uint8_t)(x >> (8 * (b % 8))) ^ (uint8_t)b;
}

/* ---- a worker ----------------------------------------------------------------------------- */

typedef struct job {
    const traffic *t;
    comm_kind kinds[4];
    traffic_board *board;
} job;

typedef struct member {
    job *j;
    worker_id self;
    uint32_t next;      /* message to send */
    uint32_t *expected; /* by sender and kind: where to look for the next one */
    bool over;
} member;

/* The next message from `from` of this kind for this worker, at or after `i`; `messages` if
   there is none. */
static uint32_t look(const member *m, worker_id from, uint32_t kind, uint32_t i)
{
    const traffic *t = m->j->t;
    while (i < t->messages &&
           (goes_to(t, from, i) != m->self || kind_of(t, from, i) != kind))
        i++;
    return i;
}

static int handle(void *self, worker_id from, uint32_t kind, const uint8_t *at,
                  size_t count)
{
    member *m = self;
    const traffic *t = m->j->t;
    uint32_t width = t->widths[kind];
    uint8_t wanted[COMM_WIDTH_MAX];
    if (width % 8 == 0) m->j->board->wrong += (uintptr_t)at % 8 != 0;
    for (size_t n = 0; n < count; n++, at += width) {
        uint32_t *next = &m->expected[from * t->kinds + kind];
        uint32_t i = look(m, from, kind, *next);
        write_message(t, from, i, wanted, width);
        if (i >= t->messages || memcmp(wanted, at, width) != 0) m->j->board->wrong++;
        *next = i + 1;
    }
    m->j->board->received += count;
    return 0;
}

#define HANDLER(k)                                                                      \
    static int handle_##k(void *self, worker_id from, const void *at, size_t n, err *e) \
    {                                                                                   \
        (void)e;                                                                        \
        return handle(self, from, k, at, n);                                            \
    }
HANDLER(0)
HANDLER(1)
HANDLER(2)
HANDLER(3)
static comm_handler *const handlers[] = { handle_0, handle_1, handle_2, handle_3 };

static int announced(void *self, uint32_t channel, uint32_t epoch, err *e)
{
    member *m = self;
    (void)e;
    if (channel != 0 || epoch != 0) m->j->board->wrong++;
    m->over = true;
    return 0;
}

static int open_member(void **self, comm *c, void *input, err *e)
{
    member *m = calloc(1, sizeof *m);
    (void)e;
    m->j = input;
    m->self = comm_self(c);
    m->expected = calloc((size_t)m->j->t->workers * 4, sizeof *m->expected);
    *self = m;
    return 0;
}

/* Up to 64 messages; false: there was no room. */
static bool send_some(member *m, comm *c)
{
    const traffic *t = m->j->t;
    uint8_t message[COMM_WIDTH_MAX];
    uint32_t slice = t->reserve ? t->reserve : 64;
    if (t->reserve && !comm_reserve(c, t->reserve)) return false;
    for (uint32_t n = 0; n < slice && m->next < t->messages; n++, m->next++) {
        uint32_t kind = kind_of(t, m->self, m->next), width = t->widths[kind];
        write_message(t, m->self, m->next, message, width);
        comm_work(c, 1);
        if (comm_send(c, goes_to(t, m->self, m->next), kind, message, width) == COMM_SENT)
            continue;
        if (t->reserve) m->j->board->wrong++; /* a promise was broken */
        return false;
    }
    return true;
}

static comm_step step_member(void *self, comm *c, err *e)
{
    member *m = self;
    (void)e;
    if (m->over) return COMM_STEP_DONE;
    bool room = send_some(m, c), all = m->next == m->j->t->messages;
    if (m->j->t->detector) comm_tell(c, 0, all, true);
    if (!room) return COMM_STEP_FULL;
    if (!all) return COMM_STEP_BUSY;
    return m->j->t->detector ? COMM_STEP_IDLE : COMM_STEP_DONE;
}

/* All that was meant for this worker has come. */
static void close_member(void *self)
{
    member *m = self;
    if (m == NULL) return;
    const traffic *t = m->j->t;
    for (worker_id from = 0; from < t->workers; from++)
        for (uint32_t k = 0; k < t->kinds; k++)
            if (look(m, from, k, m->expected[from * t->kinds + k]) != t->messages)
                m->j->board->wrong++;
    free(m->expected);
    free(m);
}

static const comm_program program = { .open = open_member,
                                      .step = step_member,
                                      .close = close_member };

/* ------------------------------------------------------------------------------------------- */

static void note(traffic_result *r, const comm_report *reports, uint32_t workers)
{
    for (uint32_t w = 0; w < workers; w++) {
        r->full += reports[w].count.full;
        r->aside += reports[w].count.aside;
        r->passed += reports[w].count.passed;
        r->batches += reports[w].count.batches;
    }
}

/* What a net takes beside the ends, learnt from one with the smallest ends there are. */
static size_t net_overhead(const traffic *t, const comm_transport *transport,
                           const void *options)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    comm_net *net;
    comm_config none = { .workers = t->workers, .ranks = t->ranks };
    none.buffer_bytes = comm_plan_least(&none);
    comm_net_open(&net, &none, transport, options, &m, &e);
    size_t bytes = m.now - (net ? comm_net_here(net) : 0) * none.buffer_bytes;
    comm_net_close(net);
    return bytes;
}

static void run_net(const traffic *t, const comm_config *config, job *j,
                    traffic_result *r, const comm_transport *transport,
                    const void *options)
{
    mem m = MEM_INIT;
    comm_net *net;
    comm_report *reports = calloc(t->workers, sizeof *reports);
    if (comm_net_open(&net, config, transport, options, &m, &r->e) == 0) {
        r->buffers = m.now - net_overhead(t, transport, options);
        comm_run(net, &program, j, reports, &r->e);
        note(r, reports, comm_net_here(net));
        r->received = j->board->received;
        r->wrong = j->board->wrong;
        if (strcmp(transport->name, "sim") == 0) {
            comm_sim_result s = comm_sim_result_of(comm_net_transport(net));
            r->digest = s.digest;
            r->time_ns = s.time_ns;
        }
    }
    comm_net_close(net);
    free(reports);
    r->peak = m.peak;
    r->wrong += m.now; /* nothing may be left on the account */
}

traffic_result traffic_run(const traffic *t, const comm_transport *transport,
                           const void *options)
{
    traffic_result r = { .e = ERR_INIT };
    traffic_board own = { 0 };
    job j = { .t = t, .board = t->board ? t->board : &own };
    for (uint32_t k = 0; k < t->kinds; k++)
        j.kinds[k] = (comm_kind){ .name = "traffic",
                                  .width = t->widths[k],
                                  .channel = t->detector ? 0 : COMM_NO_CHANNEL,
                                  .handle = handlers[k] };
    comm_config config = { .workers = t->workers,
                           .ranks = t->ranks,
                           .kinds = j.kinds,
                           .kind_count = t->kinds,
                           .channels = t->detector ? 1 : 0,
                           .detector = t->detector ? dtd_find(t->detector) : NULL,
                           .announced = announced,
                           .buffer_bytes = t->buffer_bytes,
                           .batch_bytes = t->batch_bytes,
                           .reserve = t->reserve,
                           .two_hops = t->two_hops };
    if (t->buffer_bytes == 0) config.buffer_bytes = comm_plan_least(&config);
    for (worker_id w = 0; w < t->workers; w++) {
        comm_plan plan;
        comm_plan_make(&plan, &config, w);
        if (plan.window > r.window) r.window = plan.window;
    }
    run_net(t, &config, &j, &r, transport, options);
    return r;
}
