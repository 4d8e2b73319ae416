/*
 * test_comm_mpi.c - what test_comm.c says of every transport, for ranks of MPI.
 *
 *     mpiexec -n RANKS unit_mpi THREADS
 *
 * All ranks draw the same cases.  What workers add to lies in a file that all ranks have mapped, so
 * they must share a machine, and an announcement that comes early is seen as it is between threads.
 */
#include "comm/comm_mpi.h"
#include "comm/comm_run.h"
#include "core/random.h"
#include "tests/comm_traffic.h"
#include "tests/comm_tree.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BOARD_BYTES = 4096, BOARDS = 2000 };

typedef struct world {
    uint32_t rank, ranks, workers;
    uint8_t *boards;
    uint32_t used, cases, failed;
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

static void *board(world *x)
{
    if (x->used == BOARDS) abort();
    return x->boards + (size_t)x->used++ * BOARD_BYTES;
}

/* ---- traffic ------------------------------------------------------------------------------ */

static void traffic_must_work(world *x, traffic *t)
{
    char what[300];
    t->ranks = x->ranks;
    t->workers = x->workers;
    t->board = board(x);
    traffic_result r = traffic_run(t, x->mpi, NULL);
    snprintf(
        what, sizeof what,
        "traffic: pattern %d, %u messages, %u kinds of %u.., detector %s, buffer %zu, "
        "reserve %u, hops %d, seed %llu: wrong %llu, received %llu; %.80s",
        (int)t->pattern, t->messages, t->kinds, t->widths[0],
        t->detector ? t->detector : "none", t->buffer_bytes, t->reserve,
        (int)t->two_hops + 1, (unsigned long long)t->seed, (unsigned long long)r.wrong,
        (unsigned long long)r.received, r.e.text);
    check(x,
          r.e.code == ERR_NONE && r.wrong == 0 &&
              r.received == (uint64_t)t->workers * t->messages,
          what);
}

static void every_message_arrives_once_and_in_order(world *x)
{
    static const char *const detectors[] = { NULL, "four-counter", "ring", "wave" };
    static const uint32_t widths[] = { 1, 2, 3, 7, 8, 16, 24, 100, 256, 1024 };
    random_stream chance = random_open(1, 0);
    for (int n = 0; n < 60; n++) {
        traffic t = { .pattern = (traffic_pattern)(n % TRAFFIC_PATTERNS),
                      .messages = n < 50 ? 1000 : 20000,
                      .kinds = 1 + (uint32_t)random_below(&chance, 4),
                      .detector = detectors[random_below(&chance, 4)],
                      .two_hops = random_below(&chance, 3) == 0,
                      .reserve = random_below(&chance, 2) == 0 ? 0 : 20,
                      .seed = random_next(&chance) };
        for (int k = 0; k < 4; k++)
            t.widths[k] = widths[random_below(&chance, COUNT_OF(widths))];
        static const size_t sizes[] = { 0, 1 << 16, 1 << 20 };
        t.buffer_bytes = sizes[random_below(&chance, COUNT_OF(sizes))];
        if (t.buffer_bytes == 1 << 16)
            t.kinds = 1; /* else too little for eight workers */
        if (t.buffer_bytes == 1 << 16) t.widths[0] = 16;
        traffic_must_work(x, &t);
    }
}

/* ---- detectors ---------------------------------------------------------------------------- */

static void every_detector_ends_every_forest_and_none_early(world *x)
{
    size_t detectors;
    const dtd_class *const *all = dtd_list(&detectors);
    random_stream chance = random_open(2, 0);
    for (uint32_t n = 0; n < 60; n++) {
        tree_case c = { .workers = x->workers,
                        .ranks = x->ranks,
                        .channels =
                            1 + (uint32_t)random_below(&chance, TREE_CHANNELS_MAX),
                        .epochs = 1 + (uint32_t)random_below(&chance, TREE_EPOCHS_MAX),
                        .size = (uint32_t)random_below(&chance, 40),
                        .detector = all[n % detectors],
                        .buffer_bytes = random_below(&chance, 2) == 0 ? 0 : 1 << 20,
                        .two_hops = random_below(&chance, 2) == 0,
                        .reserve = random_below(&chance, 2) == 0,
                        .seed = random_next(&chance),
                        .board = board(x) };
        tree_result r = tree_run(&c, x->mpi, NULL);
        char what[300];
        snprintf(what, sizeof what,
                 "forest: %s, %u channels, %u epochs, size %u, buffer %zu, hops %d, seed "
                 "%llu: wrong %llu; %.80s",
                 c.detector->name, c.channels, c.epochs, c.size, c.buffer_bytes,
                 (int)c.two_hops + 1, (unsigned long long)c.seed,
                 (unsigned long long)r.wrong, r.e.text);
        check(x, r.e.code == ERR_NONE && r.wrong == 0, what);
    }
}

/* ---- failures ----------------------------------------------------------------------------- */

/* Everybody sends for ever, until one has had enough, or all with an even number. */
enum { EVEN = UINT32_MAX };

typedef struct failing {
    worker_id who;
    uint32_t after, place; /* place: 0 open, 1 step, 2 handler */
} failing;

typedef struct victim {
    const failing *f;
    worker_id self;
    uint32_t workers, steps, to;
} victim;

static bool has_enough(victim *v, uint32_t place, err *e)
{
    bool mine = v->f->who == (worker_id)EVEN ? v->self % 2 == 0 : v->self == v->f->who;
    if (!mine || v->f->place != place || v->steps < v->f->after) return false;
    err_set(e, ERR_LIMIT, "worker %u has had enough", v->self);
    return true;
}

static int open_victim(void **self, comm *c, void *input, err *e)
{
    victim *v = calloc(1, sizeof *v);
    v->f = input;
    v->self = comm_self(c);
    v->workers = comm_workers(c);
    *self = v;
    return v->f->after == 0 && has_enough(v, 0, e) ? (int)e->code : 0;
}

static comm_step step_victim(void *self, comm *c, err *e)
{
    victim *v = self;
    v->steps++;
    if (has_enough(v, 1, e)) return COMM_STEP_DONE;
    for (int i = 0; i < 50; i++) {
        uint64_t message[2] = { v->steps, v->to };
        if (comm_send(c, v->to % v->workers, 0, message, sizeof message) == COMM_FULL)
            return COMM_STEP_FULL;
        v->to++;
    }
    return COMM_STEP_BUSY;
}

static int handle_victim(void *self, worker_id from, const void *at, size_t count, err *e)
{
    (void)from;
    (void)at;
    (void)count;
    return has_enough(self, 2, e) ? (int)e->code : 0;
}

static const comm_program victims = { open_victim, step_victim, free };

static comm_config victim_config(const world *x, const comm_kind *kind)
{
    return (comm_config){ .workers = x->workers,
                          .ranks = x->ranks,
                          .kinds = kind,
                          .kind_count = 1,
                          .buffer_bytes = 40000 + 4000 * x->workers };
}

static const comm_kind victim_kind = { "message", 16, COMM_NO_CHANNEL, handle_victim };

static void a_failure_of_one_ends_all(world *x)
{
    for (uint32_t n = 0; n < 30; n++) {
        failing f = { .who = n * 7 % x->workers, .after = n / 3 * n, .place = n % 3 };
        if (f.place == 0) f.after = 0;
        mem m = MEM_INIT;
        err e = ERR_INIT;
        comm_net *net;
        comm_config config = victim_config(x, &victim_kind);
        if (comm_net_open(&net, &config, x->mpi, NULL, &m, &e) == 0)
            comm_run(net, &victims, &f, NULL, &e);
        comm_net_close(net);
        char wanted[80], what[300];
        snprintf(wanted, sizeof wanted, "worker %u has had enough", f.who);
        snprintf(what, sizeof what,
                 "failure %u in place %u: code %d, %.80s, %zu bytes left", n, f.place,
                 (int)e.code, e.text, (size_t)m.now);
        check(x, e.code == ERR_LIMIT && strcmp(e.text, wanted) == 0 && m.now == 0, what);
    }
}

/* Each of them tells all others, and with the least memory there is one letter at a time for a rank:
   who has left must take what comes for it, or the rest would never hear. */
static void failures_of_many_end_all(world *x)
{
    for (uint32_t n = 0; n < 20; n++) {
        failing f = { .who = (worker_id)EVEN, .after = n, .place = 1 };
        mem m = MEM_INIT;
        err e = ERR_INIT;
        comm_net *net;
        comm_config config = victim_config(x, &victim_kind);
        if (n % 2 == 0) config.buffer_bytes = comm_plan_least(&config);
        if (comm_net_open(&net, &config, x->mpi, NULL, &m, &e) == 0)
            comm_run(net, &victims, &f, NULL, &e);
        comm_net_close(net);
        check(x, e.code == ERR_LIMIT && strstr(e.text, "has had enough") && m.now == 0,
              e.text);
    }
}

/* The n-th allocation of one rank fails: all ranks say so, nothing is left. */
static void memory_that_one_lacks_is_a_failure_of_all(world *x)
{
    bool failed = true;
    for (uint32_t n = 1; failed && n < 100; n++) {
        failing f = { .who = x->workers - 1, .after = 3, .place = 1 };
        mem m = MEM_INIT;
        err e = ERR_INIT;
        comm_net *net;
        comm_config config = victim_config(x, &victim_kind);
        if (x->rank == n % x->ranks) m.fail_at = n;
        if (comm_net_open(&net, &config, x->mpi, NULL, &m, &e) == 0)
            comm_run(net, &victims, &f, NULL, &e);
        comm_net_close(net);
        failed = strstr(e.text, "as the test asked") != NULL;
        check(x, e.code == ERR_LIMIT && m.now == 0, "out of memory");
        check(x, failed || n > 4, "several allocations were tried");
    }
    check(x, !failed, "in the end there was enough");
}

static void too_little_memory_is_refused(world *x)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    comm_net *net;
    comm_config config = victim_config(x, &victim_kind);
    config.buffer_bytes = comm_plan_least(&config) - 1;
    comm_net_open(&net, &config, x->mpi, NULL, &m, &e);
    check(x, e.code == ERR_USAGE && net == NULL && m.now == 0, e.text);
    comm_net_close(net);
}

static void memory_is_the_parameter_whatever_the_traffic(world *x)
{
    for (int p = 0; p < TRAFFIC_PATTERNS; p++) {
        size_t peak[2];
        for (int many = 0; many < 2; many++) {
            traffic t = { .pattern = (traffic_pattern)p,
                          .workers = x->workers,
                          .ranks = x->ranks,
                          .messages = many ? 20000 : 200,
                          .kinds = 2,
                          .widths = { 16, 64 },
                          .detector = "four-counter",
                          .buffer_bytes = 100000,
                          .seed = 3,
                          .board = board(x) };
            traffic_result r = traffic_run(&t, x->mpi, NULL);
            check(x, r.e.code == ERR_NONE && r.wrong == 0, r.e.text);
            peak[many] = r.peak;
        }
        check(x, peak[0] == peak[1], "memory grew with the traffic");
    }
}

/* ------------------------------------------------------------------------------------------- */

/* Rank 0 makes the file, all map it, nobody needs its name any more. */
static void open_boards(world *x, err *e)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/bespoke-boards.%d", (int)getppid());
    int flags = O_RDWR | (x->rank == 0 ? O_CREAT | O_TRUNC : 0), fd = -1;
    for (int turn = 0; turn < 2; turn++) { /* rank 0 first */
        if ((x->rank == 0) == (turn == 0)) fd = open(path, flags, 0600);
        if (x->rank == 0 && ftruncate(fd, (off_t)BOARD_BYTES * BOARDS) != 0)
            err_set(e, ERR_SYSTEM, "%s: %m", path);
        comm_mpi_agree(e);
    }
    if (fd < 0) err_set(e, ERR_SYSTEM, "%s: %m", path);
    else
        x->boards = mmap(NULL, (size_t)BOARD_BYTES * BOARDS, PROT_READ | PROT_WRITE,
                         MAP_SHARED, fd, 0);
    if (x->boards == MAP_FAILED) err_set(e, ERR_SYSTEM, "mmap: %m");
    if (x->rank == 0) unlink(path);
    if (fd >= 0) close(fd);
    comm_mpi_agree(e);
}

static void run_all(world *x)
{
    static void (*const tests[])(world *) = {
        every_message_arrives_once_and_in_order,
        every_detector_ends_every_forest_and_none_early,
        a_failure_of_one_ends_all,
        failures_of_many_end_all,
        memory_that_one_lacks_is_a_failure_of_all,
        too_little_memory_is_refused,
        memory_is_the_parameter_whatever_the_traffic,
    };
    for (size_t i = 0; i < COUNT_OF(tests); i++) {
        uint32_t before = x->cases;
        tests[i](x);
        if (x->rank == 0) printf("part %zu: %u cases\n", i + 1, x->cases - before);
        fflush(stdout);
    }
}

int main(int argc, char **argv)
{
    err e = ERR_INIT;
    world x = { .mpi = comm_transport_find("mpi") };
    if (comm_mpi_start(&e) != 0) return 2;
    x.rank = comm_mpi_rank();
    x.ranks = comm_mpi_ranks();
    x.workers = x.ranks * (uint32_t)(argc > 1 ? atoi(argv[1]) : 1);
    open_boards(&x, &e);
    if (e.code == ERR_NONE) run_all(&x);
    else fprintf(stderr, "%s\n", e.text);
    if (x.failed > 0 || x.rank == 0)
        printf("rank %u: %u cases, %u failed\n", x.rank, x.cases, x.failed);
    if (x.boards) munmap(x.boards, (size_t)BOARD_BYTES * BOARDS);
    comm_mpi_stop();
    return x.failed > 0 || x.cases == 0;
}
