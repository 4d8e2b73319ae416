/*
 * netbench_delay - one message that wanders: how long it takes, and how soon its end is noticed.
 *
 * A walk      The worker whose turn it is sends a wanderer; each that gets it sends it to another, until
 *             its steps are used up.  Where that happens the end is noted, and when the epoch is
 *             announced there, the delay: two times of one clock.
 * The end     When the time is over, whose turn it is sends a stop to everybody instead.
 */
#include "tools/netbench.h"

#include <stdlib.h>

enum { STEPS = 8, ROUNDS_LEAST = 10, SAMPLES_MOST = 4096 };
enum { WANDERER, STOP, SAMPLE };

typedef struct note {
    uint64_t what, value; /* WANDERER: steps left; SAMPLE: nanoseconds */
} note;

typedef struct input {
    netbench_clock clock;        /* first */
    double sample[SAMPLES_MOST]; /* the latest, in microseconds */
    size_t samples;
    uint64_t letters, rounds; /* of all workers */
} input;

typedef struct member {
    input *in;
    worker_id self;
    uint32_t workers;
    uint64_t dice, begun, left,
        ended;       /* steps of the wanderer here; when it ended here */
    uint64_t sample; /* to be told */
    uint32_t epoch;
    worker_id told;      /* workers that have got the stop from here */
    bool has, has_ended; /* a wanderer */
    bool stop, last;     /* to tell, was told */
    bool over, adding;
} member;

static bool is_turn_of(const member *m, uint32_t epoch)
{
    return epoch % m->workers == m->self;
}

static uint64_t now(const member *m) { return netbench_now(&m->in->clock, m->self); }

/* A new walk, or the last word. */
static void set_out(member *m)
{
    m->stop = m->epoch >= ROUNDS_LEAST && now(m) - m->begun > m->in->clock.budget;
    m->has = !m->stop;
    m->left = STEPS;
}

static int open_member(void **self, comm *c, void *context, err *e)
{
    member *m = calloc(1, sizeof *m);
    *self = m;
    if (m == NULL) return err_set(e, ERR_LIMIT, "out of memory");
    m->in = context;
    m->self = comm_self(c);
    m->workers = comm_workers(c);
    m->dice = 1 + m->self;
    m->begun = now(m);
    if (is_turn_of(m, 0)) set_out(m);
    return 0;
}

static void keep_sample(input *in, uint64_t ns)
{
    in->sample[in->samples++ % SAMPLES_MOST] = (double)ns / 1000;
}

static int handle(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    member *m = self;
    const note *x = messages;
    (void)from;
    (void)e;
    for (size_t i = 0; i < count; i++) {
        if (x[i].what == SAMPLE) keep_sample(m->in, x[i].value);
        if (x[i].what == STOP) m->last = true;
        if (x[i].what != WANDERER) continue;
        m->has = true;
        m->left = x[i].value;
    }
    return 0;
}

static int announced(void *self, uint32_t channel, uint32_t epoch, err *e)
{
    member *m = self;
    (void)channel;
    (void)e;
    if (m->has_ended) m->sample = now(m) - m->ended;
    m->has_ended = false;
    m->over = m->last;
    m->epoch = epoch + 1;
    if (!m->over && is_turn_of(m, m->epoch)) set_out(m);
    return 0;
}

static bool write_note(comm *c, worker_id to, uint32_t kind, uint64_t what,
                       uint64_t value)
{
    note n = { what, value };
    return comm_send(c, to, kind, &n, sizeof n) == COMM_SENT;
}

/* The wanderer goes on, or ends here. */
static void walk(member *m, comm *c)
{
    if (m->left == 0) {
        m->ended = now(m);
        m->has_ended = true;
        m->has = false;
        return;
    }
    m->dice = m->dice * 6364136223846793005u + 1442695040888963407u;
    worker_id to = (worker_id)((m->dice >> 33) % m->workers);
    m->has = !write_note(c, to, 0, WANDERER, m->left - 1);
}

static void tell_stop(member *m, comm *c)
{
    while (m->told < m->workers && write_note(c, m->told, 0, STOP, 0)) m->told++;
    m->stop = m->told < m->workers;
}

static comm_step add_all(member *m, comm *c)
{
    uint64_t sum[COMM_SUMS_MAX] = { comm_count_of(c).letters };
    if (!m->adding) comm_sum_begin(c, sum, 1);
    m->adding = true;
    if (!comm_sum_test(c, sum)) return COMM_STEP_IDLE;
    if (m->self == 0) {
        m->in->letters = sum[0];
        m->in->rounds = m->epoch;
    }
    return COMM_STEP_DONE;
}

static comm_step step_member(void *self, comm *c, err *e)
{
    member *m = self;
    (void)e;
    if (m->sample && write_note(c, 0, 1, SAMPLE, m->sample)) m->sample = 0;
    if (m->over && m->sample == 0) return add_all(m, c);
    if (m->has) walk(m, c);
    if (m->stop) tell_stop(m, c);
    comm_work(c, 1);
    comm_tell(c, 0, !m->has && !m->stop, true);
    return m->has || m->stop ? COMM_STEP_FULL : COMM_STEP_IDLE;
}

static const comm_program walkers = { open_member, step_member, free };

static double median(input *in)
{
    return netbench_median(in->sample,
                           in->samples < SAMPLES_MOST ? in->samples : SAMPLES_MOST);
}

int netbench_measure_delay(const netbench *b, const dtd_class *detector,
                           netbench_delay *out, double seconds, err *e)
{
    const comm_kind kinds[] = { { "wanderer", sizeof(note), 0, handle },
                                { "sample", sizeof(note), COMM_NO_CHANNEL, handle } };
    comm_config config = { .kinds = kinds,
                           .kind_count = COUNT_OF(kinds),
                           .channels = 1,
                           .detector = detector,
                           .announced = announced };
    input in = { .clock.budget = (uint64_t)(seconds * 1e9) };
    netbench_run(b, &config, &walkers, &in, e);
    *out = (netbench_delay){ .median_us = median(&in), .detections = in.rounds };
    if (in.rounds) out->letters = (double)in.letters / (double)in.rounds;
    return (int)e->code;
}

/* ---- to and fro --------------------------------------------------------------------------- */

/* The first worker asks, the last one answers; `left` says that it is the last time. */
static comm_step step_echo(void *self, comm *c, err *e)
{
    member *m = self;
    bool asks = m->self == 0;
    worker_id other = asks ? m->workers - 1 : 0;
    (void)e;
    if (m->over) return COMM_STEP_DONE;
    if (!m->has) return COMM_STEP_IDLE;
    if (asks && m->ended) keep_sample(m->in, now(m) - m->ended);
    if (asks) m->ended = now(m);
    bool tired = m->ended - m->begun > m->in->clock.budget;
    bool last = asks ? tired && m->in->samples >= ROUNDS_LEAST : m->left == 0;
    m->has = !write_note(c, other, 0, WANDERER, last ? 0 : 1);
    m->over = last && !m->has;
    return m->has ? COMM_STEP_FULL : COMM_STEP_IDLE;
}

static int open_echo(void **self, comm *c, void *context, err *e)
{
    if (open_member(self, c, context, e) != 0) return (int)e->code;
    member *m = *self;
    m->has = m->self == 0;
    m->over = m->self != 0 && m->self != m->workers - 1;
    return 0;
}

static const comm_program echoes = { open_echo, step_echo, free };

int netbench_measure_latency(const netbench *b, double *us, double seconds, err *e)
{
    const comm_kind kind = { "echo", sizeof(note), COMM_NO_CHANNEL, handle };
    comm_config config = { .kinds = &kind, .kind_count = 1 };
    input in = { .clock.budget = (uint64_t)(seconds * 1e9) };
    netbench_run(b, &config, &echoes, &in, e);
    *us = median(&in) / 2;
    return (int)e->code;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double netbench_median(double *x, size_t count)
{
    if (count == 0) return 0;
    qsort(x, count, sizeof *x, compare);
    return x[count / 2];
}
