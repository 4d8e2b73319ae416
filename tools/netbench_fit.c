/*
 * netbench_fit - the machine whose simulation comes nearest to what was measured.
 *
 * Idea       The simulator itself says what a machine does with each pattern, so no formula has to
 *            know how turns, windows and batches work together.  One key after the other is made larger
 *            and smaller by a factor, and stays where the deviation fell; when nothing helps any more
 *            the factor becomes its root.
 * Deviation  The sum of squares of the logarithms of simulated over measured: of every rate and of the
 *            latency, so that twice as fast is as wrong as twice as slow.
 * Cost       Some hundred evaluations of MESSAGES messages per worker and pattern; those workers beyond
 *            WORKERS_FULL share the work of so many.
 */
#include "comm/comm_sim.h"
#include "tools/netbench.h"

#include <math.h>

enum { MESSAGES = 16 << 10, WORKERS_FULL = 8, SWEEPS_MOST = 60 };

static const double first_factor = 3, last_factor = 1.04, latency_seconds = 20e-6;

typedef struct fit {
    netbench net; /* simulated */
    comm_sim_options sim;
    comm_machine machine;
    const netbench_rate *rate;
    size_t rates;
    double latency_us, worst; /* worst: the largest deviation of one, as a share */
} fit;

static double deviation_of(fit *f, double simulated, double measured)
{
    if (measured <= 0 || simulated <= 0) return 0;
    double share = fabs(simulated / measured - 1), x = log(simulated / measured);
    if (share > f->worst) f->worst = share;
    return x * x;
}

static double seconds_for(const fit *f, const netbench_rate *r)
{
    uint32_t workers = f->net.threads,
             full = workers < WORKERS_FULL ? workers : WORKERS_FULL;
    return (double)MESSAGES * full / (r->per_second > 0 ? r->per_second : 1e9);
}

static double deviation(fit *f, err *e)
{
    double sum = 0, us = 0;
    f->worst = 0;
    for (size_t i = 0; i < f->rates && e->code == ERR_NONE; i++) {
        netbench_rate r = f->rate[i];
        netbench_measure_rate(&f->net, &r, seconds_for(f, &f->rate[i]), e);
        sum += deviation_of(f, r.per_second, f->rate[i].per_second);
    }
    if (e->code == ERR_NONE) netbench_measure_latency(&f->net, &us, latency_seconds, e);
    return sum + deviation_of(f, us, f->latency_us);
}

static uint64_t scaled(uint64_t value, double factor)
{
    double x = (double)value * factor + (factor > 1 ? 1 : 0);
    return x < 1 ? 0 : x > COMM_MACHINE_MOST ? COMM_MACHINE_MOST : (uint64_t)x;
}

/* True: this key is better now. */
static bool try_key(fit *f, uint64_t *key, uint64_t least, double factor, double *best,
                    err *e)
{
    uint64_t before = *key, tried = scaled(before, factor);
    if (tried == before || tried < least) return false;
    *key = tried;
    double d = deviation(f, e);
    bool better = d < 0.999 * *best;
    if (better) *best = d;
    else *key = before;
    return better;
}

static bool sweep(fit *f, double factor, double *best, err *e)
{
    comm_machine *m = &f->machine;
    uint64_t *const keys[] = { &m->work_ps,         &m->copy_ps, &m->overhead_ns,
                               &m->pointer_ns,      &m->byte_ps, &m->step_ns,
                               &m->local_latency_ns };
    bool better = false;
    for (size_t i = 0; i < COUNT_OF(keys) && e->code == ERR_NONE; i++) {
        uint64_t least = keys[i] == &m->step_ns;
        better |= try_key(f, keys[i], least, factor, best, e) ||
                  try_key(f, keys[i], least, 1 / factor, best, e);
    }
    return better;
}

int netbench_fit(const netbench *measured, const netbench_rate *rate, size_t rates,
                 double latency_us, comm_machine *machine, double *worst, err *e)
{
    fit f = { .net = *measured,
              .machine = *machine,
              .rate = rate,
              .rates = rates,
              .latency_us = latency_us };
    f.sim.machine = &f.machine;
    f.net.transport = comm_transport_find("sim");
    f.net.options = &f.sim;
    f.net.threads *= f.net.ranks;
    f.net.ranks = 1;
    double best = deviation(&f, e), factor = first_factor;
    for (int n = 0; n < SWEEPS_MOST && factor > last_factor && e->code == ERR_NONE; n++)
        if (!sweep(&f, factor, &best, e)) factor = sqrt(factor);
    deviation(&f, e);
    *worst = f.worst;
    *machine = f.machine;
    return (int)e->code;
}
