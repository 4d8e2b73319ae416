/*
 * comm_run - see comm_run.h.
 *
 * The end       A worker that is done and drained joins a sum.  When the sum is there, all were
 *               done and all that was sent had been consumed: nobody sends any more, and nothing
 *               is under way.  With two hops, only the first hop is over then; a second sum
 *               does the same for the second.
 * A failure     The worker aborts the net and leaves; the others leave when they hear of it.  A limit
 *               is one of these: time is looked at by worker 0 alone.
 *               A signal that was kept (comm_halt.h) is one, noticed by the clock.
 * Figures       Rank 0 alone knows whether a line is drawn, so all begin by hearing how often it
 *               wants figures.  Simulated workers send none: worker 0 looks at all of them.
 */
#include "comm/comm_run.h"

#include "comm/comm_halt.h"

#include <stdio.h>

/* What a step has told is acted upon by the next poll: one quiet turn is not yet rest. */
enum { TURNS_PER_FLUSH = 16, QUIET_TURNS = 3, HALT_LOOK_NS = 50 * 1000 * 1000 };
enum { TURNS_PER_LOOK = 64 }; /* at the clock, of a worker whose own is virtual */

static const uint64_t second = 1000000000, look_ns = 5000000;

typedef struct player {
    void *self;
    comm *end;
    comm_report report;
    counters counters;
    uint64_t left;         /* when its last turn ended; 0: it had none */
    uint64_t looked;       /* at the clock of the watch */
    uint32_t turns, quiet; /* quiet: turns since something moved */
    bool open, done, adding, counts;
    uint32_t goodbyes; /* sums that have ended */
    uint64_t look;     /* for a signal, when the clock says so */
    bool over;
    bool failed, told; /* told: by another worker */
    err e;
    char apart[64]; /* from the next one, whose thread is another */
} player;

typedef struct run {
    const comm_program *program;
    const comm_transport *t;
    void *transport, *input;
    uint32_t goodbyes;
    worker_id first; /* of this rank */
    uint32_t here;
    const comm_watch *watch; /* or NULL */
    progress *clock;         /* in the rank of worker 0, if there is one */
    uint64_t period;         /* of figures; 0: none are sent */
    bool counts, is_virtual;
    player *player; /* of each worker here */
} run;

static uint64_t now(const run *r, const player *p)
{
    return r->t->clock(r->transport, comm_self(p->end));
}

static comm_turn end(player *p)
{
    p->over = true;
    comm_leave(p->end);
    if (p->counts) p->report.counters = counters_stop(&p->counters);
    return COMM_TURN_OVER;
}

static comm_turn fail(player *p)
{
    p->failed = true;
    p->told = comm_aborted(p->end);
    comm_abort(p->end);
    return end(p);
}

static comm_step step(run *r, player *p)
{
    if (p->done) return COMM_STEP_DONE;
    if (!p->open) {
        p->open = true;
        p->counts = r->counts;
        if (p->counts) counters_start(&p->counters);
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

/* ---- what is shown ------------------------------------------------------------------------ */

static uint64_t total(const run *r, uint32_t figure)
{
    uint64_t sum = 0;
    if (!r->is_virtual) return comm_figures_below(r->player[0].end, figure);
    for (uint32_t i = 0; i < r->here; i++)
        sum += comm_figures_of(r->player[i].end, figure);
    return sum;
}

/* ", frontier 1200" or ", messages 3.1 M" */
static size_t say(char *into, size_t bytes, const char *name, uint64_t x)
{
    static const char between[] = ", ";
    int n = x < 100000 ? snprintf(into, bytes, "%s%s %u", between, name, (unsigned)x)
            : x < 10000000000u
                ? snprintf(into, bytes, "%s%s %.1f M", between, name, (double)x * 1e-6)
                : snprintf(into, bytes, "%s%s %.1f G", between, name, (double)x * 1e-9);
    return n < 0 ? 0 : (size_t)n < bytes ? (size_t)n : bytes - 1;
}

/* Behind what is done, in the line of the phase. */
static void say_figures(const void *self, char *into, size_t bytes)
{
    const run *r = self;
    char text[COMM_FIGURES_COUNT * 64];
    size_t n = 0;
    for (uint32_t i = 1; r->watch->figures && r->watch->figures[i]; i++)
        n += say(text + n, sizeof text - n, r->watch->figures[i], total(r, i));
    say(text + n, sizeof text - n, "messages", total(r, COMM_FIGURES_SENT));
    snprintf(into, bytes, "%s", text + 2); /* without the first comma */
}

static bool is_time(const run *r, player *p, uint64_t now)
{
    if (r->is_virtual) return p->turns % TURNS_PER_LOOK == 0;
    if (now - p->looked < look_ns) return false;
    p->looked = now;
    return true;
}

/* Figures go towards worker 0, who draws them and knows when the time is up. */
static void watch(const run *r, player *p, uint64_t now)
{
    if (comm_self(p->end) == 0) {
        if (r->clock && is_time(r, p, now)) progress_tick(r->clock, total(r, 0), &p->e);
    } else if (r->period > 0) comm_figures_tell(p->end, now, r->period);
}

/* How often rank 0 wants figures, for all ranks; 0: never. */
static uint64_t agree_on_period(const run *r, const comm_watch *w)
{
    uint64_t period = UINT64_MAX;
    if (r->first == 0 && w && w->clock && w->clock->show)
        period = w->period_ns         ? w->period_ns
                 : w->clock->terminal ? second / 2
                                      : 2 * second;
    if (r->t->reduce) r->t->reduce(r->transport, COMM_REDUCE_LEAST, &period, 1);
    return period == UINT64_MAX || r->is_virtual ? 0 : period;
}

static void begin_watch(run *r, const comm_watch *w)
{
    r->watch = w;
    r->is_virtual = r->t->spend != NULL;
    r->period = agree_on_period(r, w);
    r->counts = w && w->counters && !r->is_virtual;
    if (r->counts) counters_prepare();
    if (w == NULL || w->clock == NULL || r->first != 0) return;
    r->clock = w->clock;
    progress_detail(r->clock, say_figures, r);
}

static void end_watch(const run *r) { progress_detail(r->clock, NULL, NULL); }

/* ------------------------------------------------------------------------------------------- */

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
    if (p->over) return comm_leave(p->end), COMM_TURN_OVER;
    uint64_t t0 = now(r, p);
    if (p->left) p->report.idle += t0 - p->left;
    int64_t moved = p->open ? comm_poll(p->end, &p->e) : 0;
    if (moved < 0) return fail(p);
    uint64_t t1 = now(r, p);
    watch(r, p, t1);
    if (p->e.code == ERR_NONE) check_halt(r, p, t1);
    comm_step s = p->e.code == ERR_NONE ? step(r, p) : COMM_STEP_DONE;
    if (p->e.code != ERR_NONE) return fail(p);
    uint64_t shipped = comm_count_of(p->end).batches;
    if (wants_flush(p, s)) comm_flush(p->end);
    p->left = now(r, p);
    charge(&p->report, s, t1 - t0, p->left - t1);
    if (s == COMM_STEP_DONE && leave(r, p)) return end(p);
    if (moved > 0 || s == COMM_STEP_BUSY || comm_count_of(p->end).batches != shipped)
        p->quiet = 0;
    else if (p->quiet < QUIET_TURNS) p->quiet++;
    return p->quiet < QUIET_TURNS ? COMM_TURN_WORKED : COMM_TURN_IDLE;
}

/* The failure of this rank that was not another's; and when all have told theirs, the first. */
static int drive(run *r, err *e)
{
    r->t->drive(r->transport, turn, r, e);
    const player *own = NULL, *told = NULL;
    for (uint32_t i = 0; i < r->here; i++) {
        const player *p = &r->player[i];
        if (p->failed && p->told) told = p;
        else if (p->failed && own == NULL) own = p;
    }
    if (own) err_set(e, own->e.code, "%s", own->e.text);
    if (r->t->agree) r->t->agree(r->transport, e);
    if (e->code == ERR_NONE && told) err_set(e, told->e.code, "%s", told->e.text);
    return (int)e->code;
}

static void report(run *r, const comm_program *program, comm_report *reports)
{
    for (uint32_t i = 0; i < r->here; i++) {
        program->close(r->player[i].self);
        if (reports == NULL) continue;
        reports[i] = r->player[i].report;
        reports[i].count = comm_count_of(r->player[i].end);
    }
}

int comm_run(comm_net *n, const comm_program *program, void *input, comm_report *reports,
             err *e)
{
    return comm_run_watched(n, program, input, NULL, reports, e);
}

int comm_run_watched(comm_net *n, const comm_program *program, void *input,
                     const comm_watch *w, comm_report *reports, err *e)
{
    mem *m = comm_net_mem(n);
    run r = { .program = program,
              .t = comm_net_class(n),
              .transport = comm_net_transport(n),
              .input = input,
              .goodbyes = comm_net_hops(n),
              .first = comm_net_first(n),
              .here = comm_net_here(n) };
    if (reports) memset(reports, 0, r.here * sizeof *reports);
    r.player = mem_get_array(m, r.here, sizeof(player), e);
    if (r.t->agree) r.t->agree(r.transport, e);
    if (e->code == ERR_NONE) {
        for (uint32_t i = 0; i < r.here; i++)
            r.player[i].end = comm_net_end(n, r.first + i);
        begin_watch(&r, w);
        drive(&r, e);
        end_watch(&r);
        report(&r, program, reports);
    }
    mem_put(m, r.player, r.here * sizeof(player));
    return (int)e->code;
}
