/*
 * mb_step - a worker's slice of work, what it tells its detector, and the end.
 *
 * The order     Values first, of the first block that has some; then the last block that has unexpanded
 *               vertices (or the first: an option).  Blocks behind are answered sooner that way, and a
 *               value that is known may save an expansion.
 * Telling       A block is passive here when nothing of it is left to expand or to tell and no answer of
 *               another block is awaited.  That is told only when nothing at all is left: most
 *               reports would be withdrawn by the next message.
 * The end       The owner of a stable root tells all others to stop.  Messages that still come are
 *               dropped, but an epoch that ends even then settles its vertices: a diagnostic rests on them.
 *               Round a ring an announcement may be slower than the sum by which all take leave, so
 *               they add up which epochs have ended until all have ended the same.
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

/* Worker 0, who makes all announcements, has made more. */
static bool lags(const mb_worker *w) { return ended(w) >> 32 < w->announced >> 32; }

static comm_step finish(mb_worker *w)
{
    uint64_t x[COMM_SUMS_MAX] = { ended(w), w->part->self == 0 ? ended(w) : 0 };
    withdraw(w);
    if (!stop_others(w)) return COMM_STEP_FULL;
    if (lags(w)) return COMM_STEP_IDLE;
    if (!w->adding) comm_sum_begin(w->c, x, 2);
    w->adding = true;
    if (!comm_sum_test(w->c, x)) return COMM_STEP_IDLE;
    w->adding = false;
    w->announced = x[1];
    return x[0] == w->part->workers * x[1] ? COMM_STEP_DONE : COMM_STEP_IDLE;
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

/* What the line of progress shows. */
static void show(const mb_worker *w)
{
    uint64_t *figures = comm_figures(w->c), front = 0;
    for (uint32_t k = 0; k < w->blocks; k++)
        front += w->block[k].search.tail - w->block[k].search.head;
    figures[0] = w->seen;
    figures[1] = front;
    figures[2] = w->stable;
}

static int look_round(mb_worker *w, err *e)
{
    if (graph_trouble(w->g, e) != 0 ||
        graph_charge_look(&w->charge, w->g, w->m, GRAPH_ITEMS_ANY, e) != 0)
        return (int)e->code;
    if (w->g->met && mem_check_resident(w->m, e) != 0) return (int)e->code;
    show(w);
    return 0;
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
