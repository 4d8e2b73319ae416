/*
 * cmd_netbench.c - message rates, latency, detection delay; a machine file for the simulator.
 */
#include "comm/comm_machine.h"
#include "lang/output.h"
#include "tools/answer.h"
#include "tools/build_info.h"
#include "tools/launch.h"
#include "tools/netbench.h"
#include "tools/stats_json.h"
#include "tools/workers.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER_BYTES = 1 << 20, BUFFER_PER_WORKER = 64 << 10, SMALL_BATCH = 512 };
enum { SIZES = 3, RATES = NETBENCH_PATTERN_COUNT * SIZES, PROBES, DETECTORS_MOST = 16 };
enum { ROUNDS = 5 };

static const uint32_t sizes[SIZES] = { 16, 64, 1024 };
static const double default_seconds = 10;
static const double simulated =
    0.003; /* seconds of a simulated machine for one of ours */

typedef struct bench {
    tool *t;
    netbench net;
    workers w;
    comm_machine machine; /* that is simulated, or was measured */
    const char *output;
    double seconds;
    bool answers;               /* this is rank 0 */
    netbench_rate rate[PROBES]; /* the last: in batches of SMALL_BATCH bytes */
    comm_stats stats;           /* of the first rate */
    double latency_us, worst;   /* worst: deviation of the machine that was fitted */
    const dtd_class *const *detector;
    netbench_delay delay[DETECTORS_MOST];
    size_t detectors;
} bench;

/* ---- the command line --------------------------------------------------------------------- */

static int check_output(const bench *b, err *e)
{
    if (b->output == NULL) return 0;
    if (strcmp(b->output, "-") == 0)
        return err_set(e, ERR_USAGE, "--output -: stdout is for the answer");
    return output_check(&b->t->m, b->output, e);
}

static int set_up(bench *b, err *e)
{
    const options *o = b->t->opts;
    b->seconds = options_seconds(o, "seconds", default_seconds);
    b->output = options_string(o, "output", NULL);
    b->net.m = &b->t->m;
    b->detector = dtd_list(&b->detectors);
    bool threads = options_unsigned(o, "threads", 1) > 1;
    if (check_output(b, e) != 0 ||
        workers_open(&b->w, b->t, threads ? "threads" : "mpi", e) != 0)
        return (int)e->code;
    b->net.transport = b->w.transport;
    b->net.options = b->w.options;
    b->net.bind = b->w.bind;
    b->net.counters = b->w.counters;
    b->net.ranks = b->w.ranks;
    b->net.threads = b->w.threads;
    b->machine = b->w.machine;
    uint32_t count = workers_count(&b->w);
    b->answers = launch_rank() == 0;
    b->net.buffer_bytes = BUFFER_BYTES + (size_t)BUFFER_PER_WORKER * count;
    return 0;
}

/* ---- the work ----------------------------------------------------------------------------- */

/* What else runs on a machine comes and goes: everything is measured in turns, and the median
   counts.  In simulated time once is enough. */
static int rounds(const bench *b) { return b->w.is_sim ? 1 : ROUNDS; }

static void measure_rates(bench *b, double seconds, err *e)
{
    double seen[PROBES][ROUNDS];
    int n = rounds(b);
    for (int k = 0; k < n; k++)
        for (size_t i = 0; i < PROBES && e->code == ERR_NONE; i++) {
            netbench_measure_rate(&b->net, &b->rate[i], seconds / (PROBES * n), e);
            seen[i][k] = b->rate[i].per_second;
        }
    for (size_t i = 0; i < PROBES && e->code == ERR_NONE; i++)
        b->rate[i].per_second = netbench_median(seen[i], (size_t)n);
}

static void measure_latency(bench *b, double seconds, err *e)
{
    double seen[ROUNDS] = { 0 };
    int n = rounds(b);
    for (int k = 0; k < n && e->code == ERR_NONE; k++)
        netbench_measure_latency(&b->net, &seen[k], seconds / n, e);
    b->latency_us = netbench_median(seen, (size_t)n);
}

/* Shares of the time: two of three for rates, the rest for the latency and the detectors. */
static int measure(bench *b, err *e)
{
    double unit = (b->w.is_sim ? simulated : 1) * b->seconds / 3;
    uint32_t count = workers_count(&b->w);
    if (b->w.is_sim && count > 16) unit *= 16.0 / count;
    for (size_t i = 0; i < RATES; i++)
        b->rate[i] = (netbench_rate){ .pattern = (netbench_pattern)(i / SIZES),
                                      .bytes = sizes[i % SIZES],
                                      .stats = i == 0 ? &b->stats : NULL };
    b->rate[RATES] = (netbench_rate){ .pattern = NETBENCH_RING,
                                      .bytes = sizes[0],
                                      .batch_bytes = SMALL_BATCH };
    measure_rates(b, 2 * unit, e);
    double share = unit / (double)(b->detectors + 1);
    if (e->code == ERR_NONE) measure_latency(b, share, e);
    for (size_t i = 0; i < b->detectors && e->code == ERR_NONE; i++)
        netbench_measure_delay(&b->net, b->detector[i], &b->delay[i], share, e);
    return (int)e->code;
}

/* ---- the machine -------------------------------------------------------------------------- */

static int derive_machine(bench *b, err *e)
{
    comm_machine *m = &b->machine;
    comm_machine_default(m);
    m->gap_ns = 0; /* part of the overhead here */
    m->rank_workers = b->net.threads;
    m->node_cores = (uint64_t)omp_get_num_procs();
    m->node_workers = (uint64_t)b->net.ranks * b->net.threads;
    m->work_ps = 400;
    netbench_fit(&b->net, b->rate, PROBES, b->latency_us, m, &b->worst, e);
    m->latency_ns = m->local_latency_ns;
    return (int)e->code;
}

static int write_machine(bench *b, err *e)
{
    output *o = NULL;
    char text[2048];
    size_t n = 0;
    n += (size_t)snprintf(text, sizeof text,
                          "# measured by bespoke netbench, %s, %u ranks, "
                          "%u threads\n# simulated rates deviate by at most %.0f %%\n",
                          b->net.transport->name, b->net.ranks, b->net.threads,
                          100 * b->worst);
#define LINE(key, value, least, doc)                                            \
    n += (size_t)snprintf(text + n, sizeof text - n, "%-17s %llu # %s\n", #key, \
                          (unsigned long long)(b->machine.key), doc);
    COMM_MACHINE_KEYS(LINE)
#undef LINE
    if (output_open(&o, &b->t->m, b->output, e) == 0 && output_write(o, text, n, e) == 0)
        output_commit(o, e);
    output_close(o);
    return (int)e->code;
}

/* ---- the answer --------------------------------------------------------------------------- */

static json_t *rates_json(const bench *b)
{
    json_t *list = json_array();
    for (size_t i = 0; i < RATES; i++) {
        const netbench_rate *r = &b->rate[i];
        json_array_append_new(list, json_pack("{s:s, s:i, s:i, s:i, s:f}", "pattern",
                                              netbench_pattern_name(r->pattern), "bytes",
                                              (int)r->bytes, "ranks", (int)b->net.ranks,
                                              "threads", (int)b->net.threads,
                                              "messages_per_second", r->per_second));
    }
    return list;
}

static json_t *detectors_json(const bench *b)
{
    json_t *list = json_array();
    for (size_t i = 0; i < b->detectors; i++)
        json_array_append_new(list, json_pack("{s:s, s:f, s:f, s:I}", "name",
                                              b->detector[i]->name, "delay_us_median",
                                              b->delay[i].median_us, "control_messages",
                                              b->delay[i].letters, "detections",
                                              (json_int_t)b->delay[i].detections));
    return list;
}

static int print_json(const bench *b, err *e)
{
    return answer_json(json_pack("{s:s, s:i, s:i, s:o, s:f, s:o, s:o, s:f, s:s, s:s}",
                                 "transport", b->net.transport->name, "ranks",
                                 (int)b->net.ranks, "threads", (int)b->net.threads,
                                 "rates", rates_json(b), "latency_us", b->latency_us,
                                 "detectors", detectors_json(b), "counters",
                                 stats_json_counters(&b->stats, b->net.counters),
                                 "seconds", clock_seconds() - b->t->started, "version",
                                 build_info_version(), "commit", build_info_commit()),
                       e);
}

static void print_list(const bench *b)
{
    printf("transport        %s, %u ranks, %u threads each\n", b->net.transport->name,
           b->net.ranks, b->net.threads);
    for (size_t i = 0; i < RATES; i++)
        printf("%-16s %4u bytes %10.2f million messages per second\n",
               netbench_pattern_name(b->rate[i].pattern), b->rate[i].bytes,
               b->rate[i].per_second / 1e6);
    printf("latency          %.2f us\n", b->latency_us);
    for (size_t i = 0; i < b->detectors; i++)
        printf("%-16s an end is noticed after %.1f us, with %.1f letters\n",
               b->detector[i]->name, b->delay[i].median_us, b->delay[i].letters);
}

/* With -v. */
static void print_stats(const bench *b)
{
    log_detail(&b->t->log, "uniform, %u bytes, %u workers", sizes[0], b->stats.workers);
    if (b->t->log.level >= LOG_VERBOSE) comm_stats_print(&b->stats, stderr);
}

static void answer(bench *b, err *e)
{
    if (!b->answers || e->code != ERR_NONE) return;
    if (b->output) {
        if (b->w.is_sim || derive_machine(b, e) == 0) write_machine(b, e);
    }
    if (e->code != ERR_NONE) return;
    print_stats(b);
    if (options_given(b->t->opts, "json")) print_json(b, e);
    else print_list(b);
}

static int run(tool *t, err *e)
{
    bench b = { .t = t };
    if (set_up(&b, e) == 0) {
        measure(&b, e);
        workers_close(&b.w, t);
        answer(&b, e);
    } else {
        workers_close(&b.w, t);
    }
    return (int)e->code;
}

/* ---- the manual --------------------------------------------------------------------------- */

static const option_spec specs[] = {
    { "seconds", 0, OPTION_SECONDS, "SECONDS", 0, 0, "Take about so long; default 10." },
    { "output", 'o', OPTION_STRING, "FILE", 0, 0,
      "Write a file that describes this machine to the simulator." },
    { 0 },
};
static const option_group group = { "What to measure", specs };

const command cmd_netbench = {
    .name = "netbench",
    .doc = "measure message rates, latency and how soon an end is noticed",
    .synopsis = "[OPTION]...",
    .description =
        "Sends messages between workers, through the same batches and handlers as "
        "solvers "
        "do, and prints how many arrive per second in all, by pattern (uniform, "
        "all-to-one, ring) and size; the time from one worker to another, with nothing "
        "else to do; and for each detector of termination the time from the end of the "
        "work until a worker hears of it, with the letters that this takes.  Workers are "
        "threads of this process, ranks started here by mpiexec or around us by mpiexec "
        "or "
        "srun, or simulated.  With -v it tells for uniform messages of 16 bytes what the "
        "workers did and where their time went: the sum, the least, the most, and "
        "whose.\n"
        "\n"
        "With --json the answer is one object:\n"
        "\n"
        "  transport, ranks, threads\n"
        "  rates             list of {pattern, bytes, ranks, threads,\n"
        "                    messages_per_second}\n"
        "  latency_us        median, one way\n"
        "  detectors         list of {name, delay_us_median, control_messages,\n"
        "                    detections}; control messages are for one detection\n"
        "  counters          null, or with --counters {name: value or null} of all\n"
        "                    workers, for uniform messages of 16 bytes\n"
        "  seconds, version, commit",
    .examples =
        (const command_example[]){
            { "bespoke netbench --ranks 4", "four ranks on this machine" },
            { "bespoke netbench --threads 4", "four threads" },
            { "srun -n 64 bespoke netbench -o cluster.machine",
              "a job of Slurm; keep what was measured" },
            { "bespoke netbench --transport sim --workers 512 --machine cluster.machine",
              "the same machine with 512 workers, simulated" },
            { 0 },
        },
    .options = (const option_group *const[]){ &group, &options_ranks, &options_transport,
                                              &options_json, NULL },
    .operands_min = 0,
    .operands_max = 0,
    .run = run,
};
