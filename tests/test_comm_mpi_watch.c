/*
 * test_comm_mpi_watch.c - what ranks say of themselves together, are ended by, and stand on.
 *
 *     mpiexec -n RANKS unit_mpi_watch THREADS
 *
 * The launcher must not bind ranks: they do that here themselves.
 */
#include "comm/comm_mpi.h"
#include "tests/capture.h"
#include "tests/watch_job.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct world {
    uint32_t rank, ranks, workers, threads;
    uint32_t cases, failed;
    const comm_transport *mpi;
} world;

static void check(world *x, bool right, const char *claim)
{
    x->cases++;
    if (right) return;
    x->failed++;
    printf("FAILED rank %u of %u, %u workers: %s\n", x->rank, x->ranks, x->workers,
           claim);
}

static watch_job job(const world *x)
{
    return (
        watch_job){ .workers = x->workers, .ranks = x->ranks, .bind = COMM_BIND_NONE };
}

static void figures_are_those_of_all_ranks_and_the_same_for_all(world *x)
{
    uint64_t p = x->workers;
    watch_job j = job(x);
    j.steps = 40;
    watch_result r = watch_job_run(&j, x->mpi);
    const comm_stat *even = &r.stats.of[COMM_STATS_KINDS],
                    *busy = &r.stats.of[COMM_STATS_BUSY],
                    *room = &r.stats.of[COMM_STATS_ROOM];
    check(x, r.e.code == ERR_NONE && r.left == 0, r.e.text);
    check(x, even->sum == 40 * p * ((p + 1) / 2) && even->known == p, "messages");
    check(x, even->least == even->most && even->least_at == 0, "the first of equal ones");
    check(x,
          busy->least > 0 && busy->least <= busy->sum / p && busy->most >= busy->sum / p,
          "busy: least, mean, most");
    check(x, busy->least_at < p && busy->most_at < p, "busy: who");
    check(x, p == 1 || busy->least_at != busy->most_at || busy->least == busy->most,
          "busy: two of them");
    check(x, room->sum >= r.stats.of[COMM_STATS_PAYLOAD].sum,
          "batches hold what they do");
}

static void a_limit_in_any_rank_ends_all(world *x)
{
    for (worker_id w = 0; w < x->workers; w++) {
        watch_job j = job(x);
        char text[64];
        j.limit_at = 20;
        j.limited = w;
        watch_result r = watch_job_run(&j, x->mpi);
        snprintf(text, sizeof text, "no memory in worker %u", w);
        check(x, r.e.code == ERR_LIMIT && strcmp(r.e.text, text) == 0, r.e.text);
        const comm_stat *even = &r.stats.of[COMM_STATS_KINDS];
        check(x, even->known == x->workers && even->sum >= 20 * ((x->workers + 1) / 2),
              "what was done is known");
        check(x, r.left == 0, "memory");
    }
}

/* The clock of another rank than the first does not count. */
static void the_time_of_rank_0_is_up(world *x)
{
    progress clock;
    watch_job j = job(x);
    progress_open(&clock, PROGRESS_OFF, x->rank == 0 ? 0.1 : 0.001);
    progress_begin(&clock, "walking", "steps", 0);
    j.watch.clock = &clock;
    watch_result r = watch_job_run(&j, x->mpi);
    check(x, r.e.code == ERR_LIMIT && strstr(r.e.text, "time limit of 0.1 s"), r.e.text);
    check(x, comm_stats_sent(&r.stats, "even") > 0, "what was done is known");
    j.steps = 10;
    progress_open(&clock, PROGRESS_OFF, x->rank == 0 ? 1000 : 0.001);
    r = watch_job_run(&j, x->mpi);
    check(x, r.e.code == ERR_NONE, r.e.text);
}

static bool has(const char *text, const char *name, uint64_t value)
{
    char wanted[64];
    snprintf(wanted, sizeof wanted, ", %s %llu, ", name, (unsigned long long)value);
    return strstr(text, wanted) != NULL;
}

/* Rank 0 alone wants to see a line; the others hear of it. */
static void rank_0_draws_what_all_are_doing(world *x, progress_mode others)
{
    progress clock;
    capture c;
    uint64_t p = x->workers;
    watch_job j = job(x);
    j.steps = 200;
    j.slow_us = 2500;
    j.watch = (comm_watch){ .clock = &clock,
                            .figures = watch_job_figures,
                            .period_ns = 20000000 };
    capture_begin(&c);
    progress_open(&clock, x->rank == 0 ? PROGRESS_ON : others, 0);
    clock.terminal = true;
    progress_begin(&clock, "walking", "steps", 0);
    watch_result r = watch_job_run(&j, x->mpi);
    uint64_t periods = (uint64_t)((clock_seconds() - clock.started) / 0.02);
    progress_end(&clock);
    const char *text = capture_end(&c);
    check(x, r.e.code == ERR_NONE, r.e.text);
    check(x, r.letters_most <= COMM_TREE_ARITY + 2 + periods, "a letter per period");
    if (x->rank == 0) check(x, has(text, "self", p * (p - 1) / 2), text);
    if (x->rank == 0) check(x, has(text, "constant", 5 * p), text);
    if (x->rank > 0) check(x, *text == '\0', text);
}

static void nobody_sends_figures_that_nobody_wants(world *x)
{
    progress clock;
    watch_job j = job(x);
    j.steps = 50;
    j.slow_us = 1000;
    j.watch = (comm_watch){ .clock = &clock, .period_ns = 1000000 };
    progress_open(&clock, x->rank == 0 ? PROGRESS_OFF : PROGRESS_ON, 0);
    clock.terminal = true;
    watch_result r = watch_job_run(&j, x->mpi);
    check(x, r.e.code == ERR_NONE && r.letters_most <= COMM_TREE_ARITY + 1, "no letters");
}

/* ---- places ------------------------------------------------------------------------------- */

static bool is_alone_everywhere(const watch_result *r)
{
    for (int i = 0; i < WATCH_JOB_CPUS; i++)
        if (r->on_cpu[i] > 1) return false;
    return true;
}

/* A rank that was given one cpu shares it with those that were given the same. */
static void ranks_share_what_they_were_given(world *x)
{
    cpu_set_t all, one;
    CPU_ZERO(&all);
    sched_getaffinity(0, sizeof all, &all);
    uint32_t cpus = (uint32_t)CPU_COUNT(&all), mine = x->rank % cpus, sharing;
    watch_job j = job(x);
    j.steps = 5;
    j.bind = COMM_BIND_CORE;
    watch_result r = watch_job_run(&j, x->mpi);
    bool fits = comm_bind_has_hwloc() && x->workers <= cpus;
    check(x, r.bound == (fits ? x->threads : 0), "all have the same cpus");
    check(x, !fits || is_alone_everywhere(&r), "none has another's");
    CPU_ZERO(&one);
    for (uint32_t cpu = 0, n = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &all) && n++ == mine) CPU_SET(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    sharing = (x->ranks - mine + cpus - 1) / cpus * x->threads;
    r = watch_job_run(&j, x->mpi);
    sched_setaffinity(0, sizeof all, &all);
    fits = comm_bind_has_hwloc() && sharing <= 1;
    check(x, r.bound == (fits ? x->threads : 0), "each has one cpu");
    check(x,
          x->workers > cpus || !comm_bind_has_hwloc() || x->threads > 1 ||
              is_alone_everywhere(&r),
          "and that alone");
    check(x, r.e.code == ERR_NONE, r.e.text);
}

int main(int argc, char **argv)
{
    err e = ERR_INIT;
    world x = { .mpi = comm_transport_find("mpi") };
    if (comm_mpi_start(&e) != 0) return 2;
    x.rank = comm_mpi_rank();
    x.ranks = comm_mpi_ranks();
    x.threads = (uint32_t)(argc > 1 ? atoi(argv[1]) : 1);
    x.workers = x.ranks * x.threads;
    ranks_share_what_they_were_given(&x);
    figures_are_those_of_all_ranks_and_the_same_for_all(&x);
    a_limit_in_any_rank_ends_all(&x);
    the_time_of_rank_0_is_up(&x);
    rank_0_draws_what_all_are_doing(&x, PROGRESS_ON);
    rank_0_draws_what_all_are_doing(&x, PROGRESS_OFF);
    nobody_sends_figures_that_nobody_wants(&x);
    if (x.failed > 0 || x.rank == 0)
        printf("rank %u: %u cases, %u failed\n", x.rank, x.cases, x.failed);
    comm_mpi_stop();
    return x.failed > 0 || x.cases == 0;
}
