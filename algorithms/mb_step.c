/*
 * mb_step - a worker's slice of work, what it tells its detector, and the end.
 *
 * The order     Values first, of the first block that has some; then the last block that has unexpanded
 *               vertices (or the first: an option).  Blocks behind are answered sooner that way, and a
 *               value that is known may save an expansion.
 * Telling       A block is passive here when nothing of it is left to expand or to tell and no answer of
 *               another block is awaited.  That is told only when nothing at all is left: most
 *               reports would be withdrawn by the next message.
 * The end       The owner of a stable root tells all others to stop.  Each then adds what it has
 *               counted to a sum; when all have, they are done.  Messages that still come are dropped,
 *               but an epoch that ends even then settles its vertices: a diagnostic rests on them.
 *               An announcement may be slower than a sum, so the last sum is repeated until all
 *               workers have ended the same epochs.
 */
#include "algorithms/mb_inner.h"

#include "core/hash.h"

enum { SLICE = 256, LOOK_ROUND = 16 };

/* ---- work ---------------------------------------------------------------------------------- */

static mb_block *with_values(const mb_worker *w)
{
    for (uint32_t k = 0; k < w->blocks; k++)
        if (mb_has_values(&w->block[k])) return &w->block[k];
    return NULL;
}

static mb_block *with_vertices(const mb_worker *w)
{
    bool last = w->session->o.priority == MB_LAST_FIRST;
    for (uint32_t i = 0; i < w->blocks; i++) {
        mb_block *b = &w->block[last ? w->blocks - 1 - i : i];
        if (!frontier_is_empty(&b->search)) return b;
    }
    return NULL;
}

/* Requests that were put off and need not wait any more: when a wave has failed, or (batch) once in
   an epoch.  True: something was taken up. */
static bool take_up(mb_worker *w, err *e)
{
    bool any = false;
    for (uint32_t k = 0; k < w->blocks; k++) {
        mb_block *b = &w->block[k];
        bool batch = w->session->o.policy == MB_BATCH;
        if (b->put_off.count == 0 || comm_frozen(w->c, k) || (batch && b->taken))
            continue;
        b->taken = true;
        mb_release(w, b, true, e);
        any = true;
    }
    return any;
}

static comm_step work(mb_worker *w, err *e)
{
    uint32_t budget = w->session->o.slice ? w->session->o.slice : SLICE;
    comm_step did = COMM_STEP_BUSY;
    while (budget > 0 && did == COMM_STEP_BUSY && e->code == ERR_NONE && !w->over) {
        mb_block *values = with_values(w), *vertices = values ? NULL : with_vertices(w);
        if (values) did = mb_spread(w, values, &budget, e);
        else if (vertices) did = mb_expand(w, vertices, &budget, e);
        else if (!take_up(w, e)) return COMM_STEP_IDLE;
    }
    return did;
}

/* ---- detectors ----------------------------------------------------------------------------- */

static bool is_passive(const mb_block *b)
{
    return frontier_is_empty(&b->search) && !mb_has_values(b) && b->expected == 0;
}

static bool has_need(const mb_worker *w, const mb_block *b)
{
    bool root = w->root != VERTEX_NONE && mb_block_has(b, w->root);
    return b->wanted > 0 || b->put_off.count > 0 || (root && !mb_is_stable(w, w->root));
}

/* Of the whole run, when everything is to be solved. */
static void tell_whole(mb_worker *w, bool idle)
{
    for (uint32_t k = 0; k < w->blocks && idle; k++)
        idle = is_passive(&w->block[k]) && w->block[k].put_off.count == 0;
    bool need = w->root != VERTEX_NONE && mb_is_stable(w, w->root);
    comm_tell(w->c, w->blocks, idle, need);
}

static void tell(mb_worker *w, bool idle)
{
    for (uint32_t k = 0; k < w->blocks; k++) {
        const mb_block *b = &w->block[k];
        bool passive = is_passive(b);
        if (idle || !passive) comm_tell(w->c, k, passive, has_need(w, b));
    }
    if (w->exhaustive) tell_whole(w, idle);
}

/* Nothing moves any more: no block has an open question for another one, so all have ended. */
static int end_all(mb_worker *w, err *e)
{
    w->over = true;
    for (uint32_t k = 0; k < w->blocks && e->code == ERR_NONE; k++)
        mb_end_epoch(w, &w->block[k], e);
    return (int)e->code;
}

int mb_announced(void *self, uint32_t channel, uint32_t epoch, err *e)
{
    mb_worker *w = self;
    (void)epoch;
    if (channel == w->blocks) return end_all(w, e);
    mb_block *b = &w->block[channel];
    if (mb_end_epoch(w, b, e) == 0 && !w->over)
        mb_release(w, b, w->session->o.policy == MB_EAGER, e);
    return (int)e->code;
}

/* ---- the end ------------------------------------------------------------------------------- */

/* Who drops messages is not passive, whatever it has told before: no block ends by mistake. */
static void withdraw(const mb_worker *w)
{
    for (uint32_t k = 0; k < w->blocks; k++) comm_tell(w->c, k, false, false);
}

static bool stop_others(mb_worker *w)
{
    bool mine = w->root != VERTEX_NONE && !w->exhaustive;
    const uint8_t stop = 1;
    for (; mine && w->stopped < w->part->workers; w->stopped++)
        if (w->stopped != w->part->self &&
            comm_send(w->c, w->stopped, mb_kind_further(w, MB_STOP), &stop,
                      sizeof stop) == COMM_FULL)
            return false;
    return true;
}

static uint64_t sent_of(const mb_worker *w, uint32_t what)
{
    comm_count n = comm_count_of(w->c);
    uint64_t sum = 0;
    for (uint32_t k = 0; k < w->blocks; k++) sum += n.sent[mb_kind(k, what)];
    return w->blocks > 1 ? sum + n.sent[mb_kind_further(w, what)] : sum;
}

/* Which epochs have ended here: how many, and below that a hash of which. */
static uint64_t ended(const mb_worker *w)
{
    uint64_t count = 0, which = 0;
    for (uint32_t k = 0; k < w->blocks; k++) {
        count += comm_epoch(w->c, k);
        which += hash_word(k + UINT64_C(1)) * comm_epoch(w->c, k);
    }
    return count << 32 | (uint32_t)which;
}

/* Worker 0 has announced more. */
static bool lags(const mb_worker *w) { return ended(w) >> 32 < w->announced >> 32; }

enum { SUMS = 3 };

static void own_part(const mb_worker *w, uint32_t nth, uint64_t *x)
{
    comm_count n = comm_count_of(w->c);
    bool value = w->root != VERTEX_NONE && mb_value(w, w->root);
    const uint64_t part[SUMS][COMM_SUMS_MAX] = {
        { w->seen, w->edges, w->cross_edges, value },
        { w->stable, sent_of(w, MB_EXPAND), sent_of(w, MB_EVALUATE), n.letters },
        { n.batches, n.bytes, ended(w), w->part->self == 0 ? ended(w) : 0 },
    };
    memcpy(x, part[nth], sizeof part[nth]);
}

static void take_sum(mb_result *r, uint32_t nth, const uint64_t *x)
{
    if (nth == 0) {
        r->vertices = x[0], r->edges = x[1], r->cross_edges = x[2], r->value = x[3] != 0;
    } else if (nth == 1) {
        r->stable = x[0], r->expand = x[1], r->evaluate = x[2], r->letters = x[3];
    } else {
        r->batches = x[0], r->bytes = x[1];
    }
}

/* Announcements come from worker 0, which had made all that matter when it added its part. */
static bool is_last(mb_worker *w, const uint64_t *x)
{
    if (w->finish < SUMS - 1) return false;
    w->announced = x[3];
    return x[2] == w->part->workers * x[3];
}

/* The first worker here notes what all have. */
static comm_step finish(mb_worker *w)
{
    uint64_t x[COMM_SUMS_MAX];
    mb_session *s = w->session;
    withdraw(w);
    if (!stop_others(w)) return COMM_STEP_FULL;
    if (lags(w)) return COMM_STEP_IDLE;
    if (!w->adding) {
        own_part(w, w->finish, x);
        comm_sum_begin(w->c, x, COMM_SUMS_MAX);
        w->adding = true;
    }
    if (!comm_sum_test(w->c, x)) return COMM_STEP_IDLE;
    w->adding = false;
    if (w == s->worker) take_sum(&s->result, w->finish, x);
    if (!is_last(w, x)) {
        if (w->finish < SUMS - 1) w->finish++;
        return COMM_STEP_IDLE;
    }
    if (w == s->worker) s->complete = true;
    return COMM_STEP_DONE;
}

/* ---- the program --------------------------------------------------------------------------- */

static int start(mb_worker *w, err *e)
{
    mb_block *b = w->block;
    if (w->root == VERTEX_NONE) return 0;
    b->entry = w->root;
    return mb_visit(w, b, w->root, e);
}

static int open_worker(void **self, comm *c, void *input, err *e)
{
    mb_session *s = input;
    mb_worker *w = &s->worker[comm_self(c) - s->worker->part->self];
    *self = w;
    w->c = c;
    return start(w, e);
}

static int look_round(mb_worker *w, err *e)
{
    if (graph_trouble(w->g, e) != 0 ||
        graph_charge_look(&w->charge, w->g, w->m, GRAPH_ITEMS_ANY, e) != 0)
        return (int)e->code;
    if (w->part->self == 0) return progress_tick(w->session->o.clock, w->seen, e);
    return progress_check(w->session->o.clock, e);
}

static comm_step step(void *self, comm *c, err *e)
{
    mb_worker *w = self;
    if (w->over) return finish(w);
    if (w->steps++ % LOOK_ROUND == 0 && look_round(w, e) != 0) return COMM_STEP_DONE;
    uint64_t before = w->edges;
    comm_step did = work(w, e);
    comm_work(c, w->edges - before);
    if (e->code != ERR_NONE) return COMM_STEP_DONE;
    if (w->over) return COMM_STEP_BUSY;
    tell(w, did == COMM_STEP_IDLE);
    return did;
}

static void close_worker(void *self) { (void)self; /* the session's */ }

const comm_program mb_program = { open_worker, step, close_worker };
