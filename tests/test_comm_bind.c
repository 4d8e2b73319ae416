/*
 * test_comm_bind.c - who gets which core: planned on machines that are made up, done on this one.
 */
#include "comm/comm_bind.h"
#include "comm/comm_run.h"
#include "core/ids.h"

#include <CUnit/CUnit.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two nodes, two cores each, two hardware threads per core, numbered by the system as usual: first all
   first ones. */
static comm_bind_cpu two_by_two[] = { { 0, 0, 0, 0 }, { 4, 0, 0, 1 }, { 1, 1, 0, 0 },
                                      { 5, 1, 0, 1 }, { 2, 2, 1, 0 }, { 6, 2, 1, 1 },
                                      { 3, 3, 1, 0 }, { 7, 3, 1, 1 } };
static const comm_bind_machine made_up = { two_by_two, 8, 4, 2 };

/* What every worker gets: "0,4 1,5 ..." by the system's numbers, "-" for nothing. */
static const char *plan(const comm_bind_machine *m, comm_bind_mode mode, uint32_t workers,
                        char text[400])
{
    size_t n = 0;
    for (uint32_t w = 0; w < workers; w++) {
        bool any = false;
        for (uint32_t i = 0; i < m->cpus; i++) {
            if (!comm_bind_gives(m, mode, workers, w, i)) continue;
            n += (size_t)snprintf(text + n, 400 - n, "%s%u",
                                  any ? ","
                                  : w ? " "
                                      : "",
                                  m->cpu[i].os);
            any = true;
        }
        if (!any) n += (size_t)snprintf(text + n, 400 - n, "%s-", w ? " " : "");
    }
    return text;
}

static void workers_are_spread_over_cores_and_siblings_come_last(void)
{
    static const struct {
        comm_bind_mode mode;
        uint32_t workers;
        const char *plan;
    } rows[] = {
        { COMM_BIND_CORE, 1, "0,4" },
        { COMM_BIND_CORE, 2, "0,4 2,6" },
        { COMM_BIND_CORE, 3, "0,4 1,5 2,6" },
        { COMM_BIND_CORE, 4, "0,4 1,5 2,6 3,7" },
        { COMM_BIND_CORE, 5, "0 1 2 3 4" },
        { COMM_BIND_CORE, 8, "0 1 2 3 4 5 6 7" },
        { COMM_BIND_CORE, 9, "- - - - - - - - -" },
        { COMM_BIND_NUMA, 1, "0,4,1,5" },
        { COMM_BIND_NUMA, 2, "0,4,1,5 2,6,3,7" },
        { COMM_BIND_NUMA, 6, "0,4,1,5 0,4,1,5 0,4,1,5 2,6,3,7 2,6,3,7 2,6,3,7" },
        { COMM_BIND_NUMA, 9, "- - - - - - - - -" },
        { COMM_BIND_NONE, 2, "- -" },
        { COMM_BIND_AUTO, 4, "0,4 1,5 2,6 3,7" },
        { COMM_BIND_AUTO, 5, "- - - - -" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[400];
        plan(&made_up, rows[i].mode, rows[i].workers, text);
        CU_ASSERT_STRING_EQUAL(text, rows[i].plan);
        if (strcmp(text, rows[i].plan) != 0)
            printf("\n  %s, %u workers: %s", comm_bind_name(rows[i].mode),
                   rows[i].workers, text);
    }
}

/* Cores with one thread beside cores with two, of which a job was given a part. */
static void cores_may_differ(void)
{
    comm_bind_cpu cpu[] = {
        { 3, 0, 0, 0 }, { 8, 1, 1, 0 }, { 9, 1, 1, 1 }, { 10, 2, 1, 0 }
    };
    comm_bind_machine m = { cpu, 4, 3, 2 };
    char text[400];
    CU_ASSERT_STRING_EQUAL(plan(&m, COMM_BIND_CORE, 3, text), "3 8,9 10");
    CU_ASSERT_STRING_EQUAL(plan(&m, COMM_BIND_CORE, 4, text), "3 8 10 9");
    CU_ASSERT_STRING_EQUAL(plan(&m, COMM_BIND_NUMA, 3, text), "3 8,9,10 8,9,10");
}

static void modes_have_names(void)
{
    for (comm_bind_mode b = COMM_BIND_AUTO; b < COMM_BIND_MODE_COUNT; b++)
        CU_ASSERT_EQUAL(comm_bind_find(comm_bind_name(b)), b);
    CU_ASSERT_EQUAL(comm_bind_find("cores"), COMM_BIND_MODE_COUNT);
}

/* ---- as hwloc sees machines --------------------------------------------------------------- */

static void synthetic_machines_are_read(void)
{
    static const struct {
        const char *text;
        uint32_t cpus, cores, nodes, workers;
        const char *plan;
    } rows[] = {
        { "core:4 pu:1", 4, 4, 1, 2, "0 2" },
        { "pack:2 [numa] core:2 pu:2", 8, 4, 2, 4, "0,1 2,3 4,5 6,7" },
        { "pack:2 [numa] core:2 pu:2", 8, 4, 2, 6, "0 2 4 6 1 3" },
        { "pack:2 core:2 pu:1", 4, 4, 1, 5, "- - - - -" },
        { "pack:4 [numa] l3:2 core:4 pu:2", 64, 32, 4, 2, "0,1 32,33" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        char text[400];
        comm_binding *b;
        CU_ASSERT_EQUAL(
            comm_bind_open_synthetic(&b, COMM_BIND_CORE, rows[i].text, &m, &e), 0);
        CU_ASSERT_EQUAL(comm_bind_prepare(b, rows[i].workers, &e), 0);
        const comm_bind_machine *k = comm_bind_machine_of(b);
        if (comm_bind_has_hwloc()) {
            CU_ASSERT(k->cpus == rows[i].cpus && k->cores == rows[i].cores &&
                      k->nodes == rows[i].nodes);
            plan(k, COMM_BIND_CORE, rows[i].workers, text);
            CU_ASSERT_STRING_EQUAL(text, rows[i].plan);
        }
        if (!comm_bind_has_hwloc()) CU_ASSERT_EQUAL(k->cpus, 0);
        CU_ASSERT_PTR_NULL(comm_bind_enter(b, 0)); /* it is not this machine */
        comm_bind_close(b);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

static void a_refusal_is_told_once_and_only_for_what_was_asked_for(void)
{
    for (comm_bind_mode mode = COMM_BIND_AUTO; mode < COMM_BIND_MODE_COUNT; mode++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        comm_binding *b;
        comm_bind_open_synthetic(&b, mode, "core:2 pu:2", &m, &e);
        CU_ASSERT_EQUAL(comm_bind_prepare(b, 5, &e), 0);
        CU_ASSERT_EQUAL(comm_bind_prepare(b, 5, &e), 0);
        const char *text = comm_bind_refusal(b);
        const char *wanted = comm_bind_has_hwloc() ? "5 of them share 4 hardware threads"
                                                   : "without hwloc";
        bool asked = mode != COMM_BIND_AUTO && mode != COMM_BIND_NONE;
        CU_ASSERT((text != NULL) == asked);
        if (text) CU_ASSERT_PTR_NOT_NULL(strstr(text, wanted));
        CU_ASSERT_PTR_NULL(comm_bind_refusal(b));
        comm_bind_close(b);
    }
    CU_ASSERT_PTR_NULL(comm_bind_refusal(NULL));
}

static void what_hwloc_does_not_take_is_refused(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    comm_binding *b;
    comm_bind_open_synthetic(&b, COMM_BIND_CORE, "core:nonsense", &m, &e);
    comm_bind_prepare(b, 1, &e);
    CU_ASSERT_EQUAL(e.code, comm_bind_has_hwloc() ? ERR_USAGE : ERR_NONE);
    comm_bind_close(b);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* ---- on this machine ---------------------------------------------------------------------- */

static int cpus_now(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

typedef struct seen {
    int cpus[64]; /* that each worker's thread might use in its step */
} seen;

static int open_seer(void **self, comm *c, void *input, err *e)
{
    (void)c;
    (void)e;
    *self = input;
    return 0;
}

static comm_step step_seer(void *self, comm *c, err *e)
{
    seen *s = self;
    (void)e;
    s->cpus[comm_self(c)] = cpus_now();
    return COMM_STEP_DONE;
}

static void close_seer(void *self) { (void)self; }

static seen run_bound(comm_binding *b, uint32_t workers, const char *transport)
{
    static const comm_program seers = { open_seer, step_seer, close_seer };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    seen s = { { 0 } };
    comm_net *net;
    comm_config c = { .workers = workers, .buffer_bytes = 1 << 20, .bind = b };
    if (comm_net_open(&net, &c, comm_transport_find(transport), NULL, &m, &e) == 0)
        comm_run(net, &seers, &s, NULL, &e);
    comm_net_close(net);
    CU_ASSERT_EQUAL(e.code, ERR_NONE);
    CU_ASSERT_EQUAL(m.now, 0);
    return s;
}

static void a_run_is_bound_and_leaves_no_trace(void)
{
    static const char *const transports[] = { "threads", "mpi" };
    int before = cpus_now();
    uint32_t cpus = (uint32_t)omp_get_num_procs();
    for (size_t i = 0; i < COUNT_OF(transports); i++)
        for (uint32_t workers = 1; workers <= 2 * cpus && workers <= 64; workers++) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            comm_binding *b;
            comm_bind_open(&b, COMM_BIND_CORE, &m, &e);
            seen s = run_bound(b, workers, transports[i]);
            const comm_bind_machine *k = comm_bind_machine_of(b);
            bool binds = comm_bind_has_hwloc() && workers <= k->cpus;
            CU_ASSERT_EQUAL(comm_bind_count(b), binds ? workers : 0);
            for (uint32_t w = 0; w < workers; w++) {
                int wanted = 0;
                for (uint32_t h = 0; h < k->cpus; h++)
                    wanted += comm_bind_gives(k, COMM_BIND_CORE, workers, w, h);
                CU_ASSERT_EQUAL(s.cpus[w], binds ? wanted : before);
            }
            CU_ASSERT((comm_bind_refusal(b) == NULL) == binds);
            comm_bind_close(b);
            CU_ASSERT_EQUAL(cpus_now(), before);
        }
    seen after = run_bound(NULL, cpus, "threads"); /* the same threads, free again */
    for (uint32_t w = 0; w < cpus && w < 64; w++) CU_ASSERT_EQUAL(after.cpus[w], before);
}

static void by_itself_it_binds_where_there_is_a_core_for_each(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    uint32_t cpus = (uint32_t)omp_get_num_procs();
    comm_binding *b;
    comm_bind_open(&b, COMM_BIND_AUTO, &m, &e);
    run_bound(b, 1, "threads"); /* alone: free */
    run_bound(b, cpus + 1, "threads");
    CU_ASSERT_EQUAL(comm_bind_count(b), 0);
    CU_ASSERT_PTR_NULL(comm_bind_machine_of(b)->cpu); /* nobody has looked */
    uint32_t cores = 0;
    if (cpus > 1 && cpus <= 64) {
        run_bound(b, cpus, "threads");
        cores = comm_bind_machine_of(b)->cores;
        CU_ASSERT_EQUAL(comm_bind_count(b), cores == cpus ? cpus : 0);
    }
    CU_ASSERT_PTR_NULL(comm_bind_refusal(b));
    comm_bind_close(b);
}

CU_TestInfo test_comm_bind[] = {
    { "workers are spread over cores and siblings come last",
      workers_are_spread_over_cores_and_siblings_come_last },
    { "cores may differ", cores_may_differ },
    { "modes have names", modes_have_names },
    { "synthetic machines are read", synthetic_machines_are_read },
    { "a refusal is told once and only for what was asked for",
      a_refusal_is_told_once_and_only_for_what_was_asked_for },
    { "what hwloc does not take is refused", what_hwloc_does_not_take_is_refused },
    { "a run is bound and leaves no trace", a_run_is_bound_and_leaves_no_trace },
    { "by itself it binds where there is a core for each",
      by_itself_it_binds_where_there_is_a_core_for_each },
    CU_TEST_INFO_NULL
};
