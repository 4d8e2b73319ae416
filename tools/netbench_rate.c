/*
 * netbench_rate - every worker sends for some time, then all add up how much it was.
 */
#include "tools/netbench.h"

#include <stdlib.h>

enum { SLICE = 1024 };

/* Units of work, for a simulated machine: of a message that is drawn, written, handled. */
enum { DRAWING = 3, WRITING = 2, HANDLING = 1 };

#define NETBENCH_NAME(id, name) [NETBENCH_##id] = name,
static const char *const names[] = { NETBENCH_PATTERNS(NETBENCH_NAME) };
#undef NETBENCH_NAME

const char *netbench_pattern_name(netbench_pattern p) { return names[p]; }

static void run_net(const netbench *b, const comm_program *p, void *input, comm_net *net,
                    err *e)
{
    netbench_clock *k = input;
    comm_watch watch = { .counters = b->counters };
    uint32_t here = comm_net_here(net);
    comm_report *reports = mem_get_array(b->m, here, sizeof *reports, e);
    k->net = net;
    comm_run_watched(net, p, input, &watch, reports, e);
    if (k->stats) comm_stats_collect(k->stats, net, reports);
    mem_put(b->m, reports, here * sizeof *reports);
}

int netbench_run(const netbench *b, comm_config *config, const comm_program *p,
                 void *input, err *e)
{
    comm_net *net;
    config->workers = b->ranks * b->threads;
    config->ranks = b->ranks;
    config->buffer_bytes = b->buffer_bytes;
    config->bind = b->bind;
    if (comm_net_open(&net, config, b->transport, b->options, b->m, e) == 0)
        run_net(b, p, input, net, e);
    comm_net_close(net);
    return (int)e->code;
}

typedef struct input {
    netbench_clock clock; /* first */
    netbench_pattern pattern;
    uint32_t bytes;
    double per_second; /* out */
} input;

typedef struct member {
    input *in;
    comm *end;
    worker_id self;
    uint32_t workers;
    uint64_t dice, begun, sent, sum;
    bool over, adding, added;
} member;

static int open_member(void **self, comm *c, void *context, err *e)
{
    member *m = calloc(1, sizeof *m);
    *self = m;
    if (m == NULL) return err_set(e, ERR_LIMIT, "out of memory");
    m->in = context;
    m->end = c;
    m->self = comm_self(c);
    m->workers = comm_workers(c);
    m->dice = 88172645463325252u + m->self;
    m->begun = netbench_now(&m->in->clock, m->self);
    m->over = m->in->pattern == NETBENCH_TO_ONE && m->self == 0 && m->workers > 1;
    return 0;
}

static int add_up(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    member *m = self;
    const uint8_t *at = messages;
    uint64_t sum = 0, first;
    uint32_t bytes = m->in->bytes;
    (void)from;
    (void)e;
    for (size_t i = 0; i < count; i++, at += bytes) {
        memcpy(&first, at, sizeof first);
        sum += first;
    }
    m->sum += sum;
    comm_work(m->end, HANDLING * count);
    return 0;
}

static uint64_t draw(uint64_t dice)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    return dice ^ dice << 17;
}

static inline uint32_t send_uniform(member *m, comm *c, size_t bytes)
{
    uint64_t dice = m->dice;
    uint32_t n = 0, workers = m->workers;
    for (; n < SLICE; n++) {
        uint64_t next = draw(dice);
        uint8_t *at = comm_place(c, (worker_id)((next >> 32) * workers >> 32), 0, bytes);
        if (at == NULL) break;
        memcpy(at, &next, sizeof next);
        memset(at + sizeof next, 0, bytes - sizeof next);
        dice = next;
    }
    m->dice = dice;
    return n;
}

static inline uint32_t send_to(member *m, comm *c, worker_id to, size_t bytes)
{
    uint32_t n = 0;
    for (; n < SLICE; n++) {
        uint8_t *at = comm_place(c, to, 0, bytes);
        if (at == NULL) break;
        memcpy(at, &m->dice, sizeof m->dice);
        memset(at + sizeof m->dice, 0, bytes - sizeof m->dice);
    }
    return n;
}

static inline uint32_t send_sized(member *m, comm *c, size_t bytes)
{
    worker_id to = m->in->pattern == NETBENCH_RING ? (m->self + 1) % m->workers : 0;
    bool uniform = m->in->pattern == NETBENCH_UNIFORM;
    return uniform ? send_uniform(m, c, bytes) : send_to(m, c, to, bytes);
}

/* Small messages are written by a few instructions if their size is known here, as solvers know it. */
static uint32_t send_some(member *m, comm *c)
{
    switch (m->in->bytes) {
    case 16:
        return send_sized(m, c, 16);
    case 64:
        return send_sized(m, c, 64);
    default:
        return send_sized(m, c, m->in->bytes);
    }
}

/* All have stopped and all has arrived?  Then so many in so much time. */
static comm_step add_all(member *m, comm *c)
{
    uint64_t sum[COMM_SUMS_MAX] = { m->sent };
    if (!m->adding && !comm_drained(c)) return COMM_STEP_IDLE;
    if (!m->adding) comm_sum_begin(c, sum, 1);
    m->adding = true;
    if (!comm_sum_test(c, sum)) return COMM_STEP_IDLE;
    uint64_t ns = netbench_now(&m->in->clock, m->self) - m->begun;
    if (m->self == 0) m->in->per_second = (double)sum[0] * 1e9 / (double)(ns ? ns : 1);
    return COMM_STEP_DONE;
}

static uint32_t units(const member *m)
{
    return m->in->pattern == NETBENCH_UNIFORM ? DRAWING + WRITING : WRITING;
}

static comm_step step_member(void *self, comm *c, err *e)
{
    member *m = self;
    (void)e;
    if (m->over) return add_all(m, c);
    uint32_t n = send_some(m, c);
    m->sent += n;
    comm_work(c, n * units(m));
    m->over = netbench_now(&m->in->clock, m->self) - m->begun > m->in->clock.budget;
    return n == SLICE ? COMM_STEP_BUSY : COMM_STEP_FULL;
}

static const comm_program program = { open_member, step_member, free };

int netbench_measure_rate(const netbench *b, netbench_rate *r, double seconds, err *e)
{
    comm_kind kind = { "message", r->bytes, COMM_NO_CHANNEL, add_up };
    comm_config config = { .kinds = &kind,
                           .kind_count = 1,
                           .batch_bytes = r->batch_bytes };
    input in = { .clock.budget = (uint64_t)(seconds * 1e9),
                 .clock.stats = r->stats,
                 .pattern = r->pattern,
                 .bytes = r->bytes };
    netbench_run(b, &config, &program, &in, e);
    r->per_second = in.per_second;
    return (int)e->code;
}
