/*
 * comm_run - see comm_run.h.
 *
 * The end       A worker that is done and drained joins a sum.  When the sum is there, all were
 *               done and all that was sent had been consumed: nobody sends any more, and nothing
 *               is under way.  With two hops, only the first hop is over then; a second sum
 *               does the same for the second.
 * A failure     The worker aborts the net and leaves; the others leave when they hear of it.
 *               A signal that was kept (comm_halt.h) is one, noticed by the clock.
 */
#include "comm/comm_run.h"

#include "comm/comm_halt.h"

/* What a step has told is acted upon by the next poll: one quiet turn is not yet rest. */
enum { TURNS_PER_FLUSH = 16, QUIET_TURNS = 3, HALT_LOOK_NS = 50 * 1000 * 1000 };

typedef struct player {
    void *self;
    comm *end;
    comm_report report;
    uint32_t turns, quiet; /* quiet: turns since something moved */
    bool open, done, adding;
    uint32_t goodbyes; /* sums that have ended */
    uint64_t look;     /* for a signal, when the clock says so */
    bool failed, told; /* told: by another worker */
    err e;
} player;

typedef struct run {
    const comm_program *program;
    const comm_transport *t;
    void *transport, *input;
    uint32_t goodbyes;
    worker_id first; /* of this rank */
    player *player;  /* of each worker here */
} run;

static uint64_t now(const run *r, const player *p)
{
    return r->t->clock(r->transport, comm_self(p->end));
}

static comm_turn fail(player *p)
{
    p->failed = true;
    p->told = comm_aborted(p->end);
    comm_abort(p->end);
    comm_leave(p->end);
    return COMM_TURN_OVER;
}

static comm_step step(run *r, player *p)
{
    if (p->done) return COMM_STEP_DONE;
    if (!p->open) {
        p->open = true;
        if (r->program->open(&p->self, p->end, r->input, &p->e) != 0)
            return COMM_STEP_DONE;
        comm_bind(p->end, p->self);
    }
    comm_step s = r->program->step(p->self, p->end, &p->e);
    if (r->t->spend) r->t->spend(r->transport, comm_self(p->end), p->end->work);
    p->end->work = 0;
    p->done = s == COMM_STEP_DONE;
    return s;
}

/* Done: drain, then wait for the others; true when all are through. */
static bool leave(const run *r, player *p)
{
    uint64_t sum[COMM_SUMS_MAX] = { 1 };
    if (!p->adding && comm_drained(p->end)) {
        comm_sum_begin(p->end, sum, 1);
        p->adding = true;
    }
    if (!p->adding || !comm_sum_test(p->end, sum)) return false;
    p->adding = false;
    return ++p->goodbyes == r->goodbyes;
}

static void charge(comm_report *report, comm_step s, uint64_t polling, uint64_t stepping)
{
    report->polling += polling;
    if (s == COMM_STEP_BUSY) report->busy += stepping;
    else if (s == COMM_STEP_FULL) report->stalled += stepping;
    else report->idle += stepping;
}

/* Who is stalled goes on filling what it can for a turn: full batches travel better. */
static bool wants_flush(player *p, comm_step s)
{
    if (++p->turns % TURNS_PER_FLUSH == 0) return true;
    return s == COMM_STEP_IDLE || s == COMM_STEP_DONE ||
           (s == COMM_STEP_FULL && p->quiet > 0);
}

/* Only ranks keep signals; a process alone ends by them. */
static int check_halt(const run *r, player *p, uint64_t time)
{
    if (r->t->agree == NULL || time < p->look) return 0;
    p->look = time + HALT_LOOK_NS;
    return comm_halt_check(&p->e);
}

static comm_turn turn(void *context, worker_id w)
{
    run *r = context;
    player *p = &r->player[w - r->first];
    uint64_t t0 = now(r, p);
    int64_t moved = p->open ? comm_poll(p->end, &p->e) : 0;
    if (moved < 0) return fail(p);
    uint64_t t1 = now(r, p);
    if (check_halt(r, p, t1) != 0) return fail(p);
    comm_step s = step(r, p);
    if (p->e.code != ERR_NONE) return fail(p);
    charge(&p->report, s, t1 - t0, now(r, p) - t1);
    uint64_t shipped = comm_count_of(p->end).batches;
    if (wants_flush(p, s)) comm_flush(p->end);
    if (s == COMM_STEP_DONE && leave(r, p)) return comm_leave(p->end), COMM_TURN_OVER;
    if (moved > 0 || s == COMM_STEP_BUSY || comm_count_of(p->end).batches != shipped)
        p->quiet = 0;
    else if (p->quiet < QUIET_TURNS) p->quiet++;
    return p->quiet < QUIET_TURNS ? COMM_TURN_WORKED : COMM_TURN_IDLE;
}

/* The failure of this rank that was not another's; and when all have told theirs, the first. */
static int drive(run *r, uint32_t here, err *e)
{
    r->t->drive(r->transport, turn, r, e);
    const player *own = NULL, *told = NULL;
    for (uint32_t i = 0; i < here; i++) {
        const player *p = &r->player[i];
        if (p->failed && p->told) told = p;
        else if (p->failed && own == NULL) own = p;
    }
    if (own) err_set(e, own->e.code, "%s", own->e.text);
    if (r->t->agree) r->t->agree(r->transport, e);
    if (e->code == ERR_NONE && told) err_set(e, told->e.code, "%s", told->e.text);
    return (int)e->code;
}

int comm_run(comm_net *n, const comm_program *program, void *input, comm_report *reports,
             err *e)
{
    uint32_t here = comm_net_here(n);
    mem *m = comm_net_mem(n);
    run r = { .program = program,
              .t = comm_net_class(n),
              .transport = comm_net_transport(n),
              .input = input,
              .goodbyes = comm_net_hops(n),
              .first = comm_net_first(n),
              .player = mem_get_array(m, here, sizeof(player), e) };
    if (r.t->agree) r.t->agree(r.transport, e);
    if (e->code != ERR_NONE) {
        mem_put(m, r.player, here * sizeof(player));
        return (int)e->code;
    }
    for (uint32_t i = 0; i < here; i++) r.player[i].end = comm_net_end(n, r.first + i);
    drive(&r, here, e);
    for (uint32_t i = 0; i < here; i++) {
        program->close(r.player[i].self);
        if (reports == NULL) continue;
        reports[i] = r.player[i].report;
        reports[i].count = comm_count_of(r.player[i].end);
    }
    mem_put(m, r.player, here * sizeof(player));
    return (int)e->code;
}
