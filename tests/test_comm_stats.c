/*
 * test_comm_stats.c - what workers did, added up; and what is said of a run while it goes on.
 */
#include "comm/comm_sim.h"
#include "comm/comm_stats.h"
#include "tests/capture.h"
#include "tests/watch_job.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const comm_transport *transport(const char *name)
{
    return comm_transport_find(name);
}

static const uint32_t worker_counts[] = { 1, 2, 5, 22 };

/* ---- sums --------------------------------------------------------------------------------- */

static void sums_least_and_most_are_those_of_the_workers(void)
{
    static const char *const names[] = { "sim", "threads", "mpi" };
    for (size_t t = 0; t < COUNT_OF(names); t++)
        for (size_t i = 0; i < COUNT_OF(worker_counts); i++) {
            uint64_t p = worker_counts[i], steps = 30;
            watch_job j = { .workers = (uint32_t)p, .steps = 30, .two_hops = i % 2 };
            j.bind = COMM_BIND_NONE;
            watch_result r = watch_job_run(&j, transport(names[t]));
            const comm_stat *of = r.stats.of;
            CU_ASSERT(r.e.code == ERR_NONE && r.left == 0);
            CU_ASSERT(r.stats.workers == p && r.stats.kinds == 2);
            CU_ASSERT_EQUAL(comm_stats_sent(&r.stats, "even"), p * ((p + 1) / 2) * steps);
            CU_ASSERT_EQUAL(comm_stats_sent(&r.stats, "odd"), p * (p / 2) * steps);
            CU_ASSERT_EQUAL(comm_stats_sent(&r.stats, "none"), 0);
            for (uint32_t k = 0; k < 2; k++) {
                const comm_stat *x = &of[COMM_STATS_KINDS + k];
                CU_ASSERT(x->known == p && x->least == x->most && x->sum == p * x->most);
                CU_ASSERT(x->least_at == 0 && x->most_at == 0);
            }
            CU_ASSERT(of[COMM_STATS_BYTES].sum > 8 * p * p * steps);
            CU_ASSERT(of[COMM_STATS_FILL].sum > 0 && of[COMM_STATS_FILL].sum <= 10000);
            CU_ASSERT(of[COMM_STATS_FILL].least <= of[COMM_STATS_FILL].sum &&
                      of[COMM_STATS_FILL].sum <= of[COMM_STATS_FILL].most);
            CU_ASSERT(of[COMM_STATS_PAYLOAD].sum <= of[COMM_STATS_ROOM].sum);
            CU_ASSERT(p == 1 || of[COMM_STATS_CONTROL].sum >= 2 * (p - 1)); /* goodbye */
            CU_ASSERT((of[COMM_STATS_PASSED].sum > 0) == (j.two_hops && p > 3));
            CU_ASSERT_EQUAL(of[COMM_STATS_COUNTERS].known, 0); /* not asked for */
        }
}

/* Reports that are made up: each figure has its own worker. */
static void the_least_and_the_most_have_their_worker(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    comm_net *net;
    comm_stats s;
    comm_config c = { .workers = 4, .buffer_bytes = 1 << 20 };
    comm_report r[4] = { { .busy = 30 }, { .busy = 10 }, { .busy = 99 }, { .busy = 10 } };
    r[1].counters.known[COUNTERS_CYCLES] = r[2].counters.known[COUNTERS_CYCLES] = true;
    r[1].counters.value[COUNTERS_CYCLES] = 8;
    r[2].counters.value[COUNTERS_CYCLES] = 3;
    CU_ASSERT_EQUAL(comm_net_open(&net, &c, transport("sim"), NULL, &m, &e), 0);
    comm_stats_collect(&s, net, r);
    comm_net_close(net);
    const comm_stat *busy = &s.of[COMM_STATS_BUSY],
                    *cycles = &s.of[COMM_STATS_COUNTERS + COUNTERS_CYCLES];
    CU_ASSERT(busy->known == 4 && busy->sum == 149);
    CU_ASSERT(busy->least == 10 && busy->least_at == 1);
    CU_ASSERT(busy->most == 99 && busy->most_at == 2);
    CU_ASSERT(cycles->known == 2 && cycles->sum == 11);
    CU_ASSERT(cycles->least_at == 2 && cycles->most_at == 1);
    CU_ASSERT_EQUAL(s.of[COMM_STATS_BATCHES].known, 0); /* nobody has begun */
}

static void the_times_of_a_worker_are_all_of_its_time(void)
{
    watch_job j = { .workers = 2, .steps = 20, .slow_us = 1000, .bind = COMM_BIND_NONE };
    double before = clock_seconds();
    watch_result r = watch_job_run(&j, transport("threads"));
    double seconds = clock_seconds() - before, sum = 0;
    for (uint32_t i = COMM_STATS_BUSY; i <= COMM_STATS_IDLE; i++)
        sum += (double)r.stats.of[i].sum * 1e-9;
    CU_ASSERT(r.stats.of[COMM_STATS_BUSY].least >= 20 * 1000 * 1000);
    CU_ASSERT(sum >= 0.04 && sum <= 2 * seconds);
}

static void counters_of_threads_are_added_up(void)
{
    watch_job j = { .workers = 2, .steps = 20, .slow_us = 2000, .bind = COMM_BIND_NONE };
    j.watch.counters = true;
    watch_result r = watch_job_run(&j, transport("threads"));
    const comm_stat *x = &r.stats.of[COMM_STATS_COUNTERS + COUNTERS_SWITCHES];
    CU_ASSERT(x->known == 2 && x->least >= 10 && x->sum >= 20);
    r = watch_job_run(&j, transport("sim"));
    CU_ASSERT_EQUAL(r.stats.of[COMM_STATS_COUNTERS + COUNTERS_SWITCHES].known, 0);
}

static void the_table_has_a_line_for_what_was_done(void)
{
    watch_job j = { .workers = 3, .steps = 7, .bind = COMM_BIND_NONE };
    char text[8192] = "";
    watch_result r = watch_job_run(&j, transport("threads"));
    FILE *f = fmemopen(text, sizeof text, "w");
    comm_stats_print(&r.stats, f);
    fclose(f);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "messages: even"));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, " 42 ")); /* 3 workers, 7 steps, to 2 of them */
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "batches are filled"));
    CU_ASSERT_PTR_NULL(strstr(text, "page faults"));
    CU_ASSERT_PTR_NULL(strstr(text, "messages passed on"));
}

/* ---- limits ------------------------------------------------------------------------------- */

static void a_limit_ends_all_and_what_was_done_is_known(void)
{
    static const char *const names[] = { "sim", "threads", "mpi" };
    for (size_t t = 0; t < COUNT_OF(names); t++)
        for (size_t i = 0; i < COUNT_OF(worker_counts); i++) {
            uint32_t p = worker_counts[i];
            watch_job j = { .workers = p, .limit_at = 9, .limited = p / 2 };
            j.bind = COMM_BIND_NONE;
            watch_result r = watch_job_run(&j, transport(names[t]));
            const comm_stat *even = &r.stats.of[COMM_STATS_KINDS];
            CU_ASSERT(r.e.code == ERR_LIMIT && strstr(r.e.text, "no memory in worker"));
            CU_ASSERT_EQUAL(even->known, p);
            CU_ASSERT(even->sum >= 9 * ((p + 1) / 2) && r.left == 0);
            CU_ASSERT(r.stats.of[COMM_STATS_BUSY].sum > 0);
        }
}

static void when_the_time_is_up_all_end_and_what_was_done_is_known(void)
{
    static const char *const names[] = { "sim", "threads", "mpi" };
    for (size_t t = 0; t < COUNT_OF(names); t++)
        for (size_t i = 0; i < COUNT_OF(worker_counts); i++) {
            progress clock;
            watch_job j = { .workers = worker_counts[i], .bind = COMM_BIND_NONE };
            progress_open(&clock, PROGRESS_OFF, 0.05);
            progress_begin(&clock, "walking", "steps", 0);
            j.watch.clock = &clock;
            watch_result r = watch_job_run(&j, transport(names[t]));
            CU_ASSERT(r.e.code == ERR_LIMIT && strstr(r.e.text, "time limit of 0.05 s"));
            CU_ASSERT(comm_stats_sent(&r.stats, "even") > 0 && r.left == 0);
            CU_ASSERT_EQUAL(r.stats.of[COMM_STATS_BUSY].known, worker_counts[i]);
            CU_ASSERT(clock_seconds() - clock.deadline < 5);
        }
}

/* ---- figures ------------------------------------------------------------------------------ */

/* What stands behind a word in the last line that has it, or -1. */
static double figure_in(const char *text, const char *word)
{
    double found = -1;
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        char *end;
        found = strtod(at + strlen(word), &end);
        if (strncmp(end, " M", 2) == 0) found *= 1e6;
    }
    return found;
}

typedef struct shown {
    watch_result r;
    double seconds;
    char text[65536]; /* lines are redrawn in one */
} shown;

/* About half a second, drawn five times a second. */
static void run_shown(shown *s, const char *name, uint32_t workers, progress_mode mode,
                      uint64_t period_ns)
{
    bool sim = strcmp(name, "sim") == 0;
    progress clock;
    capture c;
    watch_job j = { .workers = workers, .steps = 200, .bind = COMM_BIND_NONE };
    j.slow_us = sim ? 2500 / workers : 2500;
    j.watch = (comm_watch){ .clock = &clock,
                            .figures = watch_job_figures,
                            .period_ns = period_ns };
    capture_begin(&c);
    progress_open(&clock, mode, 1000);
    clock.terminal = true;
    progress_begin(&clock, "walking", "steps", 0);
    s->r = watch_job_run(&j, transport(name));
    s->seconds = clock_seconds() - clock.started;
    progress_end(&clock);
    strcpy(s->text, capture_end(&c));
}

static const struct {
    const char *name;
    uint32_t workers;
} shows[] = { { "threads", 1 }, { "threads", 22 }, { "mpi", 5 }, { "sim", 5 } };

static void figures_of_all_workers_reach_the_line(void)
{
    shown *s = malloc(sizeof *s);
    for (size_t i = 0; i < COUNT_OF(shows); i++) {
        double p = shows[i].workers;
        run_shown(s, shows[i].name, shows[i].workers, PROGRESS_ON, 20000000);
        CU_ASSERT_EQUAL(s->r.e.code, ERR_NONE);
        CU_ASSERT_EQUAL(figure_in(s->text, "self "), p * (p - 1) / 2);
        CU_ASSERT_EQUAL(figure_in(s->text, "constant "), 5 * p);
        double sent = figure_in(s->text, "messages ");
        CU_ASSERT(sent >= 20 * p && sent <= 200 * p * p);
    }
    free(s);
}

static void figures_cost_a_letter_in_a_period_and_nothing_unless_drawn(void)
{
    enum { GOODBYE = 1 + COMM_TREE_ARITY };
    shown *s = malloc(sizeof *s);
    run_shown(s, "threads", 7, PROGRESS_ON, 20000000);
    CU_ASSERT(s->r.letters_most >= 5);
    CU_ASSERT(s->r.letters_most <= GOODBYE + 1 + (uint64_t)(s->seconds / 0.02));
    run_shown(s, "threads", 7, PROGRESS_ON, 0); /* half a second */
    CU_ASSERT(s->r.letters_most <= GOODBYE + 1 + (uint64_t)(s->seconds / 0.5));
    run_shown(s, "threads", 7, PROGRESS_OFF, 20000000);
    CU_ASSERT(s->r.letters_most <= GOODBYE);
    CU_ASSERT_STRING_EQUAL(s->text, "");
    free(s);
}

static void a_simulation_that_is_watched_is_the_same(void)
{
    shown *s = malloc(sizeof *s);
    run_shown(s, "sim", 6, PROGRESS_ON, 1000);
    uint64_t watched = s->r.digest;
    CU_ASSERT_PTR_NOT_NULL(strstr(s->text, "walking"));
    run_shown(s, "sim", 6, PROGRESS_OFF, 0);
    CU_ASSERT(watched != 0 && s->r.digest == watched);
    free(s);
}

CU_TestInfo test_comm_stats[] = {
    { "sums, least and most are those of the workers",
      sums_least_and_most_are_those_of_the_workers },
    { "the least and the most have their worker",
      the_least_and_the_most_have_their_worker },
    { "the times of a worker are all of its time",
      the_times_of_a_worker_are_all_of_its_time },
    { "counters of threads are added up", counters_of_threads_are_added_up },
    { "the table has a line for what was done", the_table_has_a_line_for_what_was_done },
    { "a limit ends all and what was done is known",
      a_limit_ends_all_and_what_was_done_is_known },
    { "when the time is up all end and what was done is known",
      when_the_time_is_up_all_end_and_what_was_done_is_known },
    { "figures of all workers reach the line", figures_of_all_workers_reach_the_line },
    { "figures cost a letter in a period and nothing unless drawn",
      figures_cost_a_letter_in_a_period_and_nothing_unless_drawn },
    { "a simulation that is watched is the same",
      a_simulation_that_is_watched_is_the_same },
    CU_TEST_INFO_NULL
};
