/*
 * comm_sim - a network and its workers in virtual time.
 *
 * Idea       Each worker has a clock.  The one that wakes first has a turn; what it posts is due
 *            at its neighbour's later: overhead of the core, gap and bytes of the wire, latency.
 *            Inside a rank a batch costs its core less and the wire nothing.  To give a batch back
 *            costs nothing but time: the news goes with what is sent anyway.
 *            A worker that rests sleeps until something is due.  If all sleep and nothing is
 *            under way, nobody will ever move again: a deadlock, and it is said.
 *            With chaos, the seed draws a kind of weather: how much a parcel may be late, whether the
 *            network lets go in bursts only, which workers are slow and how much.
 * Invariant  Between two workers a lane stays in order: a parcel is never due before the one
 *            posted before it.  Everything is whole numbers and depends on the seed alone.
 * Cost       log P for a turn, log n for a parcel among n under way; 16 bytes per pair of workers
 *            and lane with chaos.
 * Source     A. Alexandrov, M. Ionescu, K. Schauser, C. Scheiman, LogGP, SPAA 1995, 95-105.
 */
#include "comm/comm_sim.h"

#include "comm/comm_sim_queue.h"
#include "core/hash.h"
#include "core/random.h"

#define ASLEEP UINT64_MAX

enum { BACK = COMM_LANE_COUNT, QUEUES = COMM_LANE_COUNT + 1 };

typedef struct worker {
    uint64_t clock;    /* now, in its own time */
    uint64_t wire;     /* when its wire is free again */
    uint64_t wake;     /* of its next turn, or ASLEEP */
    uint64_t alarm;    /* when it wants one, or ASLEEP */
    uint64_t slowness; /* 1: as the machine */
    comm_parcel *due[QUEUES];
    bool over;
} worker;

typedef struct weather {
    uint64_t late_most; /* nanoseconds */
    uint64_t burst;     /* arrivals only at multiples of it; 0: always */
} weather;

typedef struct sim {
    mem *m;
    uint32_t workers;
    comm_machine machine;
    worker *worker;
    uint64_t *core;    /* when it is free; cores per node */
    uint64_t *last;    /* with chaos: the last due time by lane, from, to */
    worker_id *winner; /* a tree over the workers: the one that wakes first */
    random_stream chance;
    weather weather;
    uint64_t posted, turns_most;
    comm_sim_result result;
} sim;

/* ---- open and close ----------------------------------------------------------------------- */

static uint32_t leaves(uint32_t workers)
{
    uint32_t n = 1;
    while (n < workers) n *= 2;
    return n;
}

static size_t cores(const sim *s)
{
    size_t nodes = (s->workers + s->machine.node_workers - 1) / s->machine.node_workers;
    return nodes * s->machine.node_cores;
}

static size_t pairs(const sim *s) { return (size_t)QUEUES * s->workers * s->workers; }

static void sim_close(void *self)
{
    sim *s = self;
    mem_put(s->m, s->worker, s->workers * sizeof *s->worker);
    mem_put(s->m, s->core, cores(s) * sizeof *s->core);
    mem_put(s->m, s->last, pairs(s) * sizeof *s->last);
    mem_put(s->m, s->winner, 2 * (size_t)leaves(s->workers) * sizeof *s->winner);
    mem_put(s->m, s, sizeof *s);
}

static void draw_weather(sim *s)
{
    static const uint64_t late[] = { 0, 1, 10, 1000 }, burst[] = { 0, 0, 100 };
    uint64_t unit = s->machine.latency_ns + 1;
    s->weather.late_most = unit * late[random_below(&s->chance, COUNT_OF(late))];
    s->weather.burst = unit * burst[random_below(&s->chance, COUNT_OF(burst))];
    if (random_below(&s->chance, 2) == 0) return;
    for (uint32_t w = 0; w < s->workers; w++)
        if (random_below(&s->chance, 4) == 0)
            s->worker[w].slowness = 1 + random_below(&s->chance, 100);
}

static void begin(sim *s, const comm_sim_options *o)
{
    s->turns_most = o && o->turns_most ? o->turns_most : UINT64_MAX;
    s->chance = random_open(o ? o->seed : 0, 0);
    for (uint32_t w = 0; w < s->workers; w++) {
        s->worker[w].slowness = 1;
        s->worker[w].alarm = ASLEEP;
    }
    if (s->last) draw_weather(s);
}

static int sim_open(void **self, const comm_config *config, const comm_receive *r,
                    const void *options, mem *m, err *e)
{
    (void)r;
    uint32_t workers = config->workers;
    const comm_sim_options *o = options;
    sim *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->m = m;
    s->workers = workers;
    comm_machine_default(&s->machine);
    if (o && o->machine) s->machine = *o->machine;
    s->worker = mem_get_array(m, workers, sizeof *s->worker, e);
    if (s->worker) s->core = mem_get_array(m, cores(s), sizeof *s->core, e);
    if (s->core && o && o->chaos)
        s->last = mem_get_array(m, pairs(s), sizeof *s->last, e);
    if (e->code == ERR_NONE)
        s->winner = mem_get_array(m, 2 * (size_t)leaves(workers), sizeof *s->winner, e);
    if (e->code == ERR_NONE) {
        begin(s, o);
        *self = s;
    } else sim_close(s);
    return (int)e->code;
}

/* ---- who wakes first ---------------------------------------------------------------------- */

static uint64_t wake_of(const sim *s, worker_id w)
{
    return w < s->workers ? s->worker[w].wake : ASLEEP;
}

static void play_match(sim *s, uint32_t node)
{
    worker_id a = s->winner[2 * node], b = s->winner[2 * node + 1];
    s->winner[node] = wake_of(s, b) < wake_of(s, a) ? b : a;
}

static void set_wake(sim *s, worker_id w, uint64_t wake)
{
    s->worker[w].wake = wake;
    for (uint32_t node = (leaves(s->workers) + w) / 2; node >= 1; node /= 2)
        play_match(s, node);
}

static void wake_all(sim *s)
{
    uint32_t n = leaves(s->workers);
    for (uint32_t w = 0; w < n; w++) s->winner[n + w] = w;
    for (uint32_t w = 0; w < s->workers; w++) s->worker[w].wake = 0;
    for (uint32_t node = n - 1; node >= 1; node--) play_match(s, node);
}

/* ---- the network -------------------------------------------------------------------------- */

static void advance(sim *s, worker_id w, uint64_t ns)
{
    s->worker[w].clock += ns * s->worker[w].slowness;
}

static bool share_memory(const sim *s, worker_id a, worker_id b)
{
    return a / s->machine.rank_workers == b / s->machine.rank_workers;
}

static uint64_t latency(const sim *s, worker_id a, worker_id b)
{
    const comm_machine *m = &s->machine;
    if (a == b) return 0;
    return a / m->node_workers == b / m->node_workers ? m->local_latency_ns
                                                      : m->latency_ns;
}

/* A parcel that leaves the wire at `t` may be late, but not before the one before it. */
static uint64_t weather_on(sim *s, uint64_t t, size_t pair)
{
    if (s->last == NULL) return t;
    t += s->weather.late_most ? random_next(&s->chance) % s->weather.late_most : 0;
    if (s->weather.burst) t = (t / s->weather.burst + 1) * s->weather.burst;
    if (t < s->last[pair]) t = s->last[pair];
    s->last[pair] = t;
    return t;
}

static void remember(sim *s, const comm_parcel *p, worker_id to, uint32_t queue)
{
    uint64_t facts[5] = { s->result.digest, p->due, (uint64_t)p->from << 32 | to, queue,
                          queue == BACK ? 0 : hash_file(p->at, p->bytes) };
    uint8_t wire[sizeof facts];
    for (size_t i = 0; i < sizeof wire; i++)
        wire[i] = (uint8_t)(facts[i / 8] >> (8 * (i % 8)));
    s->result.digest = hash_file(wire, sizeof wire);
}

/* A worker has sent or received a batch, and written or read `copies` of it. */
static void charge(sim *s, worker_id w, bool by_pointer, uint64_t bytes, uint64_t copies)
{
    const comm_machine *m = &s->machine;
    advance(s, w,
            (by_pointer ? m->pointer_ns : m->overhead_ns) +
                copies * bytes * m->copy_ps / 1000);
}

/* It leaves at `t`. */
static void carry(sim *s, comm_parcel *p, worker_id from, worker_id to, uint32_t queue,
                  uint64_t t)
{
    size_t pair = ((size_t)queue * s->workers + from) * s->workers + to;
    p->due = weather_on(s, t + latency(s, from, to), pair);
    p->order = s->posted++;
    remember(s, p, to, queue);
    comm_sim_queue_put(&s->worker[to].due[queue], p);
    if (!s->worker[to].over && p->due < s->worker[to].wake) set_wake(s, to, p->due);
}

static comm_parcel *receive(sim *s, worker_id me, uint32_t queue)
{
    worker *w = &s->worker[me];
    if (w->due[queue] == NULL || w->due[queue]->due > w->clock) return NULL;
    return comm_sim_queue_take(&w->due[queue]);
}

static void sim_post(void *self, comm_parcel *p)
{
    sim *s = self;
    worker *w = &s->worker[p->from];
    bool by_pointer = share_memory(s, p->from, p->to);
    charge(s, p->from, by_pointer, p->bytes, by_pointer ? 1 : 2);
    uint64_t leaves = w->clock;
    if (!by_pointer) {
        if (w->wire < w->clock) w->wire = w->clock;
        w->wire += s->machine.gap_ns + p->bytes * s->machine.byte_ps / 1000;
        leaves = w->wire;
    }
    carry(s, p, p->from, p->to, (uint32_t)p->lane, leaves);
}

static comm_parcel *sim_arrived(void *self, worker_id me, comm_lane_id lane)
{
    sim *s = self;
    comm_parcel *p = receive(s, me, (uint32_t)lane);
    if (p == NULL) return NULL;
    bool by_pointer = share_memory(s, p->from, me);
    charge(s, me, by_pointer, p->bytes, by_pointer ? 0 : 1);
    return p;
}

static void sim_give_back(void *self, comm_parcel *p)
{
    sim *s = self;
    carry(s, p, p->to, p->from, BACK, s->worker[p->to].clock);
}

static comm_parcel *sim_returned(void *self, worker_id me)
{
    return receive(self, me, BACK);
}

/* ---- time --------------------------------------------------------------------------------- */

static uint64_t sim_clock(void *self, worker_id me)
{
    const sim *s = self;
    return s->worker[me].clock;
}

static void sim_spend(void *self, worker_id me, uint64_t units)
{
    sim *s = self;
    advance(s, me, units * s->machine.work_ps / 1000);
}

static uint64_t *free_core(sim *s, worker_id w)
{
    size_t cores_here = s->machine.node_cores;
    uint64_t *first = s->core + w / s->machine.node_workers * cores_here, *best = first;
    if (s->machine.node_workers <= cores_here) return first + w % s->machine.node_workers;
    for (size_t i = 1; i < cores_here; i++)
        if (first[i] < *best) best = first + i;
    return best;
}

static void sim_wake(void *self, worker_id me, uint64_t ns)
{
    sim *s = self;
    if (ns < s->worker[me].alarm) s->worker[me].alarm = ns;
}

static uint64_t next_due(const sim *s, worker_id w)
{
    uint64_t due = s->worker[w].alarm;
    for (int q = 0; q < QUEUES; q++) {
        const comm_parcel *p = s->worker[w].due[q];
        if (p && p->due < due) due = p->due;
    }
    return due;
}

/* Who rests has taken all that had arrived, so only what comes later can wake it, or the time that
   it has named. */
static uint64_t next_turn(const sim *s, worker_id w, comm_turn t)
{
    uint64_t due = next_due(s, w), clock = s->worker[w].clock;
    return t == COMM_TURN_WORKED || due < clock ? clock : due;
}

/* One turn.  What arrives while it has it is there for the next one. */
static comm_turn give_turn(sim *s, worker_id id, comm_turn_of *turn, void *run)
{
    worker *w = &s->worker[id];
    uint64_t *core = free_core(s, id);
    if (w->clock < w->wake) w->clock = w->wake;
    if (w->clock < *core) w->clock = *core;
    w->alarm = ASLEEP;
    comm_turn t = turn(run, id);
    advance(s, id, s->machine.step_ns);
    *core = w->clock;
    s->result.turns++;
    if (w->clock > s->result.time_ns) s->result.time_ns = w->clock;
    return t;
}

static int sim_drive(void *self, comm_turn_of *turn, void *run, err *e)
{
    sim *s = self;
    wake_all(s);
    for (uint32_t left = s->workers; left > 0;) {
        worker_id w = s->winner[1];
        if (wake_of(s, w) == ASLEEP)
            return err_set(e, ERR_SYSTEM,
                           "nobody can move: %u of %u workers wait for ever", left,
                           s->workers);
        if (s->result.turns >= s->turns_most)
            return err_set(e, ERR_LIMIT, "no end after %llu turns",
                           (unsigned long long)s->turns_most);
        comm_turn t = give_turn(s, w, turn, run);
        s->worker[w].over = t == COMM_TURN_OVER;
        left -= s->worker[w].over;
        set_wake(s, w, s->worker[w].over ? ASLEEP : next_turn(s, w, t));
    }
    return 0;
}

comm_sim_result comm_sim_result_of(const void *self)
{
    const sim *s = self;
    return s->result;
}

const comm_transport comm_sim = {
    .name = "sim",
    .doc = "virtual workers in one thread, driven by a seed",
    .open = sim_open,
    .close = sim_close,
    .post = sim_post,
    .arrived = sim_arrived,
    .give_back = sim_give_back,
    .returned = sim_returned,
    .clock = sim_clock,
    .spend = sim_spend,
    .wake = sim_wake,
    .drive = sim_drive,
};
