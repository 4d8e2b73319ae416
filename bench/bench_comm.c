/*
 * bench_comm.c - 16-byte messages to random workers, each added up by a handler.
 */
#include "bench/bench_comm.h"

#include "comm/comm_run.h"

#include <stdio.h>
#include <stdlib.h>

enum { MESSAGES = 4000000, SLICE = 1024, BUFFER_BYTES = 1 << 20 };

typedef struct message {
    uint64_t a, b;
} message;

typedef struct job {
    uint32_t workers;
    bool two_hops;
} job;

typedef struct member {
    uint64_t dice, sum, left;
    uint32_t workers;
} member;

static int add_up(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    member *m = self;
    const message *x = messages;
    uint64_t sum = 0;
    (void)from;
    (void)e;
    for (size_t i = 0; i < count; i++) sum += x[i].a;
    m->sum += sum;
    return 0;
}

static int open_member(void **self, comm *c, void *input, err *e)
{
    const job *j = input;
    member *m = calloc(1, sizeof *m);
    (void)e;
    m->workers = j->workers;
    m->dice = 88172645463325252u + comm_self(c);
    m->left = MESSAGES;
    *self = m;
    return 0;
}

static uint64_t draw(uint64_t dice)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    return dice ^ dice << 17;
}

/* The dice are thrown again where a message found no room: all is in registers. */
static comm_step step(void *self, comm *c, err *e)
{
    member *m = self;
    uint64_t dice = m->dice, left = m->left, stop = left > SLICE ? left - SLICE : 0;
    bool full = false;
    (void)e;
    for (; left > stop; left--) {
        uint64_t next = draw(dice);
        worker_id to = (worker_id)(((next >> 32) * m->workers) >> 32);
        message *x = comm_place(c, to, 0, sizeof *x);
        full = x == NULL;
        if (full) break;
        *x = (message){ next, left };
        dice = next;
    }
    m->dice = dice;
    m->left = left;
    return full ? COMM_STEP_FULL : left > 0 ? COMM_STEP_BUSY : COMM_STEP_DONE;
}

static const comm_program program = { .open = open_member, .step = step, .close = free };

static uint64_t run(void *self)
{
    static const comm_kind kind = { "sum", sizeof(message), COMM_NO_CHANNEL, add_up };
    const job *j = self;
    mem m = MEM_INIT;
    err e = ERR_INIT;
    comm_net *net;
    comm_config config = { .workers = j->workers,
                           .kinds = &kind,
                           .kind_count = 1,
                           .buffer_bytes = BUFFER_BYTES,
                           .two_hops = j->two_hops };
    if (comm_net_open(&net, &config, comm_transport_find("threads"), NULL, &m, &e) == 0)
        comm_run(net, &program, self, NULL, &e);
    comm_net_close(net);
    if (e.code != ERR_NONE) {
        fprintf(stderr, "bench: %s\n", e.text);
        abort();
    }
    return (uint64_t)MESSAGES * j->workers;
}

static void *open_job(uint32_t workers, bool two_hops)
{
    job *j = malloc(sizeof *j);
    *j = (job){ workers, two_hops };
    return j;
}

static void *open_one(void) { return open_job(1, false); }

static void *open_two(void) { return open_job(2, false); }

static void *open_hops(void) { return open_job(2, true); }

const bench_case bench_comm_one = {
    .name = "comm/1", .item = "message", .open = open_one, .run = run, .close = free
};
const bench_case bench_comm_two = {
    .name = "comm/2", .item = "message", .open = open_two, .run = run, .close = free
};
const bench_case bench_comm_two_hops = { .name = "comm/2/two hops",
                                         .item = "message",
                                         .open = open_hops,
                                         .run = run,
                                         .close = free };
