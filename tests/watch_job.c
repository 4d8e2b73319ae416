#include "tests/watch_job.h"

#include "comm/comm_sim.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

const char *const watch_job_figures[] = { "steps", "self", "constant", NULL };

typedef struct input_of {
    const watch_job *j;
    _Atomic uint64_t on_cpu[WATCH_JOB_CPUS];
} input_of;

typedef struct member {
    const watch_job *j;
    _Atomic uint64_t *on_cpu;
    uint64_t *figures;
    worker_id self;
    uint32_t steps;
} member;

static int open_member(void **self, comm *c, void *input, err *e)
{
    member *m = calloc(1, sizeof *m);
    *self = m;
    if (m == NULL) return err_set(e, ERR_SYSTEM, "out of memory");
    m->j = ((const input_of *)input)->j;
    m->on_cpu = ((input_of *)input)->on_cpu;
    m->self = comm_self(c);
    m->figures = comm_figures(c);
    m->figures[1] = m->self;
    m->figures[2] = 5;
    return 0;
}

static int handle(void *self, worker_id from, const void *at, size_t count, err *e)
{
    (void)self;
    (void)from;
    (void)at;
    (void)count;
    (void)e;
    return 0;
}

static void sleep_us(uint32_t us)
{
    struct timespec t = { us / 1000000, (long)(us % 1000000) * 1000 };
    if (us > 0) nanosleep(&t, NULL);
}

static comm_step step_member(void *self, comm *c, err *e)
{
    member *m = self;
    const watch_job *j = m->j;
    uint64_t message[2] = { m->self, m->steps };
    if (j->limit_at && m->steps == j->limit_at && m->self == j->limited) {
        err_set(e, ERR_LIMIT, "no memory in worker %u", m->self);
        return COMM_STEP_DONE;
    }
    if (j->steps && m->steps == j->steps) {
        m->on_cpu[sched_getcpu() % WATCH_JOB_CPUS]++;
        return COMM_STEP_DONE;
    }
    if (!comm_reserve(c, j->workers)) return COMM_STEP_FULL;
    for (worker_id w = 0; w < j->workers; w++) /* there is room: that was promised */
        (void)comm_send(c, w, w % 2, message, w % 2 ? 16 : 8);
    m->steps++;
    m->figures[0] = m->steps;
    sleep_us(j->slow_us);
    comm_work(c, 1);
    return COMM_STEP_BUSY;
}

static const comm_program members = { open_member, step_member, free };

static const comm_kind kinds[] = { { "even", 8, COMM_NO_CHANNEL, handle },
                                   { "odd", 16, COMM_NO_CHANNEL, handle } };

static void run(watch_result *r, const watch_job *j, comm_net *net, mem *m)
{
    uint32_t here = comm_net_here(net);
    input_of in = { .j = j };
    comm_report *reports = mem_get_array(m, here, sizeof *reports, &r->e);
    if (reports == NULL) abort();
    comm_run_watched(net, &members, &in, &j->watch, reports, &r->e);
    comm_stats_collect(&r->stats, net, reports);
    for (uint32_t i = 0; i < here; i++)
        if (reports[i].count.letters > r->letters_most)
            r->letters_most = reports[i].count.letters;
    for (int i = 0; i < WATCH_JOB_CPUS; i++) r->on_cpu[i] = in.on_cpu[i];
    const comm_transport *t = comm_net_class(net);
    if (t->reduce)
        t->reduce(comm_net_transport(net), COMM_REDUCE_SUM, r->on_cpu, WATCH_JOB_CPUS);
    if (t->spend) r->digest = comm_sim_result_of(comm_net_transport(net)).digest;
    mem_put(m, reports, here * sizeof *reports);
}

watch_result watch_job_run(const watch_job *j, const comm_transport *t)
{
    mem m = MEM_INIT;
    watch_result r = { .e = ERR_INIT };
    comm_net *net;
    comm_binding *bind;
    comm_bind_open(&bind, j->bind, &m, &r.e);
    comm_config c = { .workers = j->workers,
                      .ranks = j->ranks,
                      .kinds = kinds,
                      .kind_count = COUNT_OF(kinds),
                      .two_hops = j->two_hops,
                      .bind = bind };
    c.buffer_bytes = comm_plan_ample(&c);
    if (comm_net_open(&net, &c, t, j->options, &m, &r.e) == 0) run(&r, j, net, &m);
    comm_net_close(net);
    r.bound = comm_bind_count(bind);
    comm_bind_close(bind);
    r.left = m.now;
    return r;
}
