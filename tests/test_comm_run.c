/*
 * test_comm_run.c - the loop: sums, failures, the end, and where the time went.
 */
#include "comm/comm_run.h"
#include "comm/comm_sim.h"

#include <CUnit/CUnit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

typedef enum { FAIL_NOWHERE, FAIL_OPEN, FAIL_STEP, FAIL_HANDLER, FAIL_PLACES } fail_place;

typedef struct job {
    uint32_t workers;
    fail_place place;
    worker_id who;
    uint32_t when; /* step */
    bool for_ever; /* the others never end by themselves */
    _Atomic uint64_t wrong, handled, closed;
} job;

typedef struct member {
    job *j;
    worker_id self;
    uint32_t steps, sums;
    bool adding;
} member;

enum { SUMS = 6 };

static int handle(void *self, worker_id from, const void *at, size_t count, err *e)
{
    member *m = self;
    (void)from;
    (void)at;
    m->j->handled += count;
    if (m->j->place == FAIL_HANDLER && m->self == m->j->who)
        return err_set(e, ERR_LIMIT, "no memory in the handler");
    return 0;
}

static int open_member(void **self, comm *c, void *input, err *e)
{
    member *m = calloc(1, sizeof *m);
    *self = m;
    m->j = input;
    m->self = comm_self(c);
    if (m->j->place == FAIL_OPEN && m->self == m->j->who)
        return err_set(e, ERR_LIMIT, "no memory to begin");
    return 0;
}

static void close_member(void *self)
{
    member *m = self;
    if (m) m->j->closed++;
    free(m);
}

/* What all workers put into sum number i. */
static uint64_t part(worker_id w, uint32_t i) { return (uint64_t)w * w + 7 * i + 1; }

static void check_sum(member *m, const uint64_t *sum)
{
    uint64_t wanted = 0;
    for (worker_id w = 0; w < m->j->workers; w++) wanted += part(w, m->sums);
    if (sum[0] != wanted || sum[1] != m->j->workers || sum[2] != 0) m->j->wrong++;
}

/* Sums one after the other, each worker at its own pace. */
static comm_step step_sums(void *self, comm *c, err *e)
{
    member *m = self;
    uint64_t sum[COMM_SUMS_MAX];
    (void)e;
    if (m->adding && comm_sum_test(c, sum)) {
        check_sum(m, sum);
        m->adding = false;
        m->sums++;
    }
    if (m->sums == SUMS) return COMM_STEP_DONE;
    if (!m->adding && ++m->steps % (1 + m->self % 3) == 0) {
        comm_sum_begin(c, (uint64_t[]){ part(m->self, m->sums), 1 }, 2);
        m->adding = true;
        return COMM_STEP_BUSY;
    }
    return m->adding ? COMM_STEP_IDLE : COMM_STEP_BUSY;
}

/* A message to everybody in each step; something fails, or it ends after 20. */
static comm_step step_talk(void *self, comm *c, err *e)
{
    member *m = self;
    uint64_t x = m->steps;
    if (m->j->place == FAIL_STEP && m->self == m->j->who && m->steps == m->j->when)
        err_set(e, ERR_INPUT, "wrong input in step %u", m->steps);
    if (m->steps == 20) return m->j->for_ever ? COMM_STEP_IDLE : COMM_STEP_DONE;
    if (!comm_reserve(c, m->j->workers)) return COMM_STEP_FULL;
    m->steps++;
    for (worker_id w = 0; w < m->j->workers; w++)
        if (comm_send(c, w, 0, &x, sizeof x) != COMM_SENT) m->j->wrong++;
    return COMM_STEP_BUSY;
}

static const comm_program sums = { open_member, step_sums, close_member };
static const comm_program talk = { open_member, step_talk, close_member };

static err run(const comm_program *p, job *j, const comm_transport *t, uint64_t seed,
               comm_report *reports)
{
    static const comm_kind kind = { "talk", 8, COMM_NO_CHANNEL, handle };
    comm_sim_options o = { .seed = seed, .chaos = true };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    comm_net *net;
    comm_config c = { .workers = j->workers, .kinds = &kind, .kind_count = 1 };
    c.two_hops = seed % 2 == 0;
    c.buffer_bytes = j->workers > 8 ? comm_plan_ample(&c) : comm_plan_least(&c);
    if (comm_net_open(&net, &c, t, &o, &m, &e) == 0) comm_run(net, p, j, reports, &e);
    for (uint32_t w = 0; reports && w < j->workers; w++) { /* they live in the net */
        if (reports[w].count.sent[0] != 20 * j->workers) j->wrong++;
        if (reports[w].count.received[0] != 20 * j->workers) j->wrong++;
    }
    comm_net_close(net);
    CU_ASSERT_EQUAL(m.now, 0);
    return e;
}

static const uint32_t worker_counts[] = { 1, 2, 3, 5, 8, 64 };

static void sums_are_right_and_in_order(void)
{
    size_t count;
    const comm_transport *const *all = comm_transport_list(&count);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < COUNT_OF(worker_counts); i++)
            for (uint64_t seed = 1; seed <= 5; seed++) {
                job j = { .workers = worker_counts[i] };
                err e = run(&sums, &j, all[k], seed, NULL);
                CU_ASSERT(e.code == ERR_NONE && j.wrong == 0 && j.closed == j.workers);
            }
}

static const char *text_of(fail_place p)
{
    return p == FAIL_OPEN   ? "no memory to begin"
           : p == FAIL_STEP ? "wrong input in step"
                            : "no memory in the handler";
}

static void a_failure_anywhere_ends_all_with_its_words(void)
{
    size_t count;
    const comm_transport *const *all = comm_transport_list(&count);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < COUNT_OF(worker_counts); i++)
            for (fail_place p = FAIL_OPEN; p < FAIL_PLACES; p++)
                for (uint64_t seed = 1; seed <= 6; seed++) {
                    job j = { .workers = worker_counts[i],
                              .place = p,
                              .who = (worker_id)(seed * 7 % worker_counts[i]),
                              .when = (uint32_t)seed * 4 % 20,
                              .for_ever = true };
                    err e = run(&talk, &j, all[k], seed, NULL);
                    bool right = e.code == (p == FAIL_STEP ? ERR_INPUT : ERR_LIMIT) &&
                                 strstr(e.text, text_of(p)) && j.wrong == 0;
                    CU_ASSERT(right);
                    if (!right)
                        printf("\n  %s, %u workers, place %d, seed %d: %s", all[k]->name,
                               j.workers, (int)p, (int)seed, e.text);
                }
}

static void all_is_consumed_before_the_end_and_counted(void)
{
    size_t count;
    const comm_transport *const *all = comm_transport_list(&count);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < COUNT_OF(worker_counts); i++)
            for (uint64_t seed = 1; seed <= 6; seed++) {
                job j = { .workers = worker_counts[i] };
                comm_report *reports = calloc(j.workers, sizeof *reports);
                err e = run(&talk, &j, all[k], seed, reports);
                CU_ASSERT(e.code == ERR_NONE && j.wrong == 0);
                CU_ASSERT_EQUAL(j.handled, 20 * (uint64_t)j.workers * j.workers);
                CU_ASSERT(reports[0].polling > 0 && reports[0].count.bytes > 0);
                free(reports);
            }
}

static void a_run_without_an_end_is_a_failure_in_the_simulator(void)
{
    job j = { .workers = 5, .for_ever = true };
    err e = run(&talk, &j, comm_transport_find("sim"), 3, NULL);
    CU_ASSERT_EQUAL(e.code, ERR_SYSTEM);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "nobody can move: 5 of 5"));
}

CU_TestInfo test_comm_run[] = { { "sums are right and in order",
                                  sums_are_right_and_in_order },
                                { "a failure anywhere ends all, with its words",
                                  a_failure_anywhere_ends_all_with_its_words },
                                { "all is consumed before the end, and counted",
                                  all_is_consumed_before_the_end_and_counted },
                                { "a run without an end is a failure in the simulator",
                                  a_run_without_an_end_is_a_failure_in_the_simulator },
                                CU_TEST_INFO_NULL };
