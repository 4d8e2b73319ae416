/*
 * test_comm_load.c - ten million messages: what detectors add to them, and what they leave in memory.
 *
 * Tokens are passed on to random workers until their lives are used up: every message follows from
 * another, so workers run out of work and wake again all the time, as those of a solver do.
 */
#include "comm/comm_run.h"
#include "core/hash.h"
#include "tests/shadowed.h"

#include <CUnit/CUnit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { TOKENS = 2000, SLICE = 256, LOOK_EVERY = 512 };
enum { LIVES = SHADOWED ? 1000 : 5000 }; /* ten million messages */

typedef struct token {
    uint64_t dice, lives;
} token;

typedef struct load {
    uint32_t workers, lives;
    const dtd_class *detector;
    const comm_transport *transport;
} load;

typedef struct figures {
    uint64_t messages, letters, peak, resident;
} figures;

typedef struct game {
    const load *l;
    _Atomic uint64_t resident; /* the most that was seen */
} game;

typedef struct player {
    game *g;
    uint32_t held, turns;
    bool over;
    token hand[TOKENS];
} player;

static int handle(void *self, worker_id from, const void *at, size_t count, err *e)
{
    player *p = self;
    (void)from;
    (void)e;
    memcpy(p->hand + p->held, at, count * sizeof *p->hand);
    p->held += (uint32_t)count;
    return 0;
}

static int announced(void *self, uint32_t channel, uint32_t epoch, err *e)
{
    player *p = self;
    (void)channel;
    (void)epoch;
    (void)e;
    p->over = true;
    return 0;
}

static int open_player(void **self, comm *c, void *input, err *e)
{
    player *p = calloc(1, sizeof *p);
    game *g = input;
    (void)e;
    p->g = g;
    for (uint32_t i = comm_self(c); i < TOKENS; i += g->l->workers)
        p->hand[p->held++] = (token){ hash_word(i), g->l->lives };
    *self = p;
    return 0;
}

static void look(player *p, comm *c)
{
    if (comm_self(c) != 0 || p->turns++ % LOOK_EVERY != 0) return;
    uint64_t now = mem_resident_anonymous();
    if (now > p->g->resident) p->g->resident = now;
}

static comm_step step(void *self, comm *c, err *e)
{
    player *p = self;
    (void)e;
    look(p, c);
    if (p->over) return COMM_STEP_DONE;
    for (uint32_t n = 0; n < SLICE && p->held > 0; n++, p->held--) {
        token t = p->hand[p->held - 1];
        if (t.lives-- == 0) continue;
        t.dice = hash_word(t.dice);
        if (comm_send(c, (worker_id)(t.dice % p->g->l->workers), 0, &t, sizeof t) ==
            COMM_FULL)
            return COMM_STEP_FULL;
        comm_work(c, 1);
    }
    comm_tell(c, 0, p->held == 0, true);
    return p->held > 0 ? COMM_STEP_BUSY : COMM_STEP_IDLE;
}

static const comm_program program = { open_player, step, free };

static figures run(const load *l)
{
    const comm_kind kind = { "token", sizeof(token), 0, handle };
    comm_config config = { .workers = l->workers,
                           .kinds = &kind,
                           .kind_count = 1,
                           .channels = 1,
                           .detector = l->detector,
                           .announced = announced,
                           .buffer_bytes = 1 << 18 };
    comm_report *reports = calloc(l->workers, sizeof *reports);
    mem m = MEM_INIT;
    err e = ERR_INIT;
    game g = { .l = l };
    figures f = { 0 };
    comm_net *net;
    if (comm_net_open(&net, &config, l->transport, NULL, &m, &e) == 0)
        comm_run(net, &program, &g, reports, &e);
    CU_ASSERT_EQUAL_FATAL(e.code, ERR_NONE);
    for (uint32_t w = 0; w < l->workers; w++) {
        f.messages += reports[w].count.received[0];
        f.letters += reports[w].count.letters;
    }
    comm_net_close(net);
    free(reports);
    CU_ASSERT_EQUAL(f.messages, (uint64_t)TOKENS * l->lives);
    CU_ASSERT_EQUAL(m.now, 0);
    f.peak = m.peak;
    f.resident = g.resident;
    return f;
}

/* With more threads than cores it is the other jobs of the machine that decide for how long a worker
   rests, so that the claim is weaker there.  Sanitizers are too slow for anything but the simulator. */
static void letters_are_fewer_than_one_in_a_thousand(void)
{
    static const struct {
        const char *transport;
        uint32_t workers, messages_per_letter;
    } rows[] = {
        { "sim", 2, 1000 },
        { "sim", 8, 1000 },
        { "threads", 2, 1000 },
        { "threads", 8, 200 },
    };
    size_t detectors;
    const dtd_class *const *all = dtd_list(&detectors);
    for (size_t d = 0; d < detectors; d++)
        for (size_t i = 0; i < (SHADOWED ? 2 : COUNT_OF(rows)); i++) {
            load l = { .workers = rows[i].workers,
                       .lives = LIVES,
                       .detector = all[d],
                       .transport = comm_transport_find(rows[i].transport) };
            figures f = run(&l);
            printf("\n    %-12s %-7s %u workers: %llu letters for %llu messages",
                   all[d]->name, l.transport->name, l.workers,
                   (unsigned long long)f.letters, (unsigned long long)f.messages);
            CU_ASSERT(f.letters > 0 &&
                      f.letters * rows[i].messages_per_letter < f.messages);
        }
    printf("\n  ");
}

static void memory_stays_when_messages_are_a_hundred_times_as_many(void)
{
    load l = { .workers = 4,
               .lives = LIVES / 100,
               .detector = dtd_find("four-counter"),
               .transport = comm_transport_find("threads") };
    run(&l); /* what libraries keep for threads is there now */
    figures few = run(&l);
    l.lives *= 100;
    figures many = run(&l);
    printf("%llu KiB on the account, %llu and %llu KiB resident ",
           (unsigned long long)few.peak >> 10, (unsigned long long)few.resident >> 10,
           (unsigned long long)many.resident >> 10);
    CU_ASSERT_EQUAL(few.peak, many.peak);
    CU_ASSERT(few.resident > 0);
    CU_ASSERT(SHADOWED || many.resident < few.resident + (1 << 20));
}

CU_TestInfo test_comm_load[] = {
    { "letters are fewer than one in a thousand messages",
      letters_are_fewer_than_one_in_a_thousand },
    { "memory stays when messages are a hundred times as many",
      memory_stays_when_messages_are_a_hundred_times_as_many },
    CU_TEST_INFO_NULL
};
