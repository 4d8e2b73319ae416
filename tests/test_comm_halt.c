/*
 * test_comm_halt.c - a signal that is kept is noticed, by whoever asks and by a run of ranks.
 */
#include "comm/comm_halt.h"
#include "comm/comm_run.h"

#include <CUnit/CUnit.h>
#include <string.h>
#include <time.h>

static const int numbers[] = { SIGTERM, SIGINT, SIGHUP };
enum { NUMBERS = sizeof numbers / sizeof *numbers };

typedef struct kept {
    struct sigaction was[NUMBERS];
    sigset_t mask;
} kept;

/* As somebody may have us run who ignores some of them. */
static kept begin(void)
{
    kept k;
    for (int i = 0; i < NUMBERS; i++) {
        struct sigaction plain = { .sa_handler = SIG_DFL };
        sigaction(numbers[i], &plain, &k.was[i]);
    }
    sigset_t set = comm_halt_signals();
    pthread_sigmask(SIG_BLOCK, &set, &k.mask);
    return k;
}

static void end(const kept *k)
{
    static const struct timespec at_once = { 0 };
    sigset_t set = comm_halt_signals();
    while (sigtimedwait(&set, NULL, &at_once) > 0) {}
    for (int i = 0; i < NUMBERS; i++) sigaction(numbers[i], &k->was[i], NULL);
    pthread_sigmask(SIG_SETMASK, &k->mask, NULL);
}

static void each_is_noticed_by_its_name(void)
{
    for (int i = 0; i < NUMBERS; i++) {
        err e = ERR_INIT;
        kept k = begin();
        CU_ASSERT_EQUAL(comm_halt_check(&e), 0);
        raise(numbers[i]);
        CU_ASSERT_EQUAL(comm_halt_check(&e), ERR_SYSTEM);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, comm_halt_name(numbers[i])));
        end(&k);
    }
    CU_ASSERT_PTR_NULL(comm_halt_name(SIGUSR1));
}

static void what_is_ignored_stays_so(void)
{
    kept k = begin();
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    sigaction(SIGHUP, &ignore, NULL);
    sigset_t set = comm_halt_signals();
    CU_ASSERT(sigismember(&set, SIGTERM));
    CU_ASSERT(!sigismember(&set, SIGHUP));
    end(&k);
}

static int open_idle(void **self, comm *c, void *input, err *e)
{
    (void)c;
    (void)e;
    *self = input;
    return 0;
}

static comm_step step_for_ever(void *self, comm *c, err *e)
{
    (void)c;
    (void)e;
    if (++*(unsigned *)self == 3) raise(SIGTERM);
    return COMM_STEP_IDLE;
}

static void close_idle(void *self) { (void)self; }

static const comm_program for_ever = { open_idle, step_for_ever, close_idle };

static void a_run_of_ranks_ends(void)
{
    err e = ERR_INIT;
    mem m = MEM_INIT;
    unsigned steps = 0;
    comm_config config = { .workers = 1, .buffer_bytes = 1 << 20 };
    comm_net *n = NULL;
    CU_ASSERT_EQUAL_FATAL(
        comm_net_open(&n, &config, comm_transport_find("mpi"), NULL, &m, &e), 0);
    kept k = begin();
    CU_ASSERT_EQUAL(comm_run(n, &for_ever, &steps, NULL, &e), ERR_SYSTEM);
    CU_ASSERT_STRING_EQUAL(e.text, "ended by SIGTERM");
    end(&k);
    comm_net_close(n);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_comm_halt[] = { { "each is noticed by its name",
                                   each_is_noticed_by_its_name },
                                 { "what is ignored stays so", what_is_ignored_stays_so },
                                 { "a run of ranks ends", a_run_of_ranks_ends },
                                 CU_TEST_INFO_NULL };
