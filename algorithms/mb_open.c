/*
 * mb_open - columns, logs and queues of the workers of a rank, and the run.
 *
 * Memory     A byte per vertex always; four for its parent or choice; twelve where dependencies are
 *            kept (pending, and a head in each log) besides the logs.  Columns are touched as
 *            vertices are visited; nothing else is taken before it is used.
 * Sharing    The threads of a rank have one set of columns for a numbered part: each touches its own
 *            units, which are whole lines of memory.
 */
#include "algorithms/mb_inner.h"

#include "comm/comm_sim.h"

#include <string.h>

/* ---- what is accepted ----------------------------------------------------------------------- */

const char *mb_refuses(const graph_part *p)
{
    const graph *g = p->g;
    for (uint32_t k = 0; k < g->block_count; k++)
        if (graph_is_nested(&g->blocks[k]))
            return "fixed points within each other, as < R > @ makes them";
    if (g->block_count > MB_BLOCKS_MAX) return "more than 120 blocks";
    uint64_t links = graph_part_is_numbered(p) ? (uint64_t)p->share * p->ranks : p->share;
    return links >= MB_VALUE ? "more than 2^31 - 1 numbers of vertices" : NULL;
}

/* One operator, so that only one value travels, and one vertex that is asked for. */
static bool has_parents(const graph_block *b, const mb_options *o)
{
    unsigned one = GRAPH_PURE | GRAPH_SINGLE_ENTRY;
    one |= b->sign == GRAPH_NU ? GRAPH_CONJUNCTIVE : GRAPH_DISJUNCTIVE;
    return (b->promise & one) == one && !o->exhaustive && !o->all_dependencies;
}

/* The root's block, when nobody asks why: the first to know tells the root. */
static bool is_direct(const graph_block *b, uint32_t number, const mb_options *o)
{
    return number == 0 && !o->choices && has_parents(b, o);
}

/* ---- columns -------------------------------------------------------------------------------- */

typedef struct need {
    bool dependencies, choice, chooser;
} need;

static need need_of(const mb_session *s)
{
    const graph_part *p = s->p.part[0];
    const graph *g = p->g;
    need n = { .dependencies = g->block_count > 1, .choice = s->o.choices };
    for (uint32_t k = 0; k < g->block_count; k++) {
        bool parents = has_parents(&g->blocks[k], &s->o);
        n.choice |= parents && !is_direct(&g->blocks[k], k, &s->o);
        n.dependencies |= !parents;
    }
    n.chooser = n.choice && !graph_part_is_numbered(p);
    return n;
}

typedef struct column {
    void **at;
    size_t item;
    bool wanted;
} column;

enum { COLUMNS = 6 };

static void list_columns(column *list, mb_columns *c, need n)
{
    const column all[COLUMNS] = {
        { (void **)&c->status, sizeof *c->status, true },
        { (void **)&c->pending, sizeof *c->pending, n.dependencies },
        { (void **)&c->waiting, sizeof *c->waiting, n.dependencies },
        { (void **)&c->calling, sizeof *c->calling, n.dependencies },
        { (void **)&c->choice, sizeof *c->choice, n.choice },
        { (void **)&c->chooser, sizeof *c->chooser, n.chooser },
    };
    memcpy(list, all, sizeof all);
}

static int open_columns(mb_columns *c, mb_session *s, const graph_part *p,
                        graph_charge *charge, err *e)
{
    column list[COLUMNS];
    list_columns(list, c, need_of(s));
    for (int i = 0; i < COLUMNS && e->code == ERR_NONE; i++) {
        if (!list[i].wanted) continue;
        *list[i].at =
            graph_column_open(p->g, s->m, p->share, list[i].item, GRAPH_COLUMN_DENSE, e);
        if (charge) graph_charge_add(charge, list[i].item);
    }
    return (int)e->code;
}

static void close_columns(mb_columns *c, mb_session *s, const graph_part *p)
{
    column list[COLUMNS];
    list_columns(list, c, need_of(s));
    for (int i = 0; i < COLUMNS; i++)
        graph_column_close(p->g, s->m, *list[i].at, p->share, list[i].item);
}

/* ---- workers -------------------------------------------------------------------------------- */

static int open_blocks(mb_worker *w, const mb_options *o, err *e)
{
    const graph *g = w->g;
    w->block = mem_get_array(w->m, g->block_count, sizeof *w->block, e);
    if (w->block == NULL) return (int)e->code;
    w->blocks = g->block_count;
    for (uint32_t k = 0; k < w->blocks; k++) {
        mb_block *b = &w->block[k];
        b->number = k;
        b->of = g->blocks[k];
        b->init = b->of.sign == GRAPH_NU;
        b->parents = has_parents(&b->of, o);
        b->direct = is_direct(&b->of, k, o);
        b->once = (b->of.promise & GRAPH_SINGLE_ENTRY) && !o->exhaustive;
        b->entry = VERTEX_NONE;
    }
    return 0;
}

/* The root's reference: its link, or its number where it lives. */
static uint32_t root_ref_of(const graph_part *p)
{
    if (!graph_part_is_numbered(p)) return p->g->root;
    return p->root_owner / p->threads * p->share + p->g->root;
}

/* Numbers of a position begin with a whole unit, so that of them all the bits are the same. */
static mb_home home_of(const graph_part *p)
{
    mb_home h = { .origin = p->origin, .share = p->share, .mask = 0 };
    if (!graph_part_is_numbered(p) || p->threads == 1) return h;
    bool powers = (p->unit & (p->unit - 1)) == 0 && (p->threads & (p->threads - 1)) == 0;
    bool whole = p->stride == p->share || p->stride % (p->unit * p->threads) == 0;
    h.thread = p->self % p->threads;
    if (!powers || !whole) h.hard = p;
    h.mask = p->threads - 1;
    while (1u << h.shift < p->unit) h.shift++;
    return h;
}

static int open_worker(mb_worker *w, mb_session *s, const graph_part *p, err *e)
{
    w->session = s;
    w->part = p;
    w->g = p->g;
    w->m = s->m;
    w->numbered = graph_part_is_numbered(p);
    w->home = home_of(p);
    w->exhaustive = s->o.exhaustive;
    w->root = p->root_owner == p->self ? p->g->root : VERTEX_NONE;
    w->root_ref = root_ref_of(p);
    w->evaluate_width = 2 * sizeof(uint32_t);
    if (s->share) w->col = s->shared;
    else open_columns(&w->col, s, p, &w->charge, e);
    w->own = (dependencies){ .m = s->m, .head = w->col.waiting, .count = 1 };
    if (e->code == ERR_NONE && w->col.waiting) dependencies_grow(&w->own, 0, e);
    if (e->code == ERR_NONE) mb_callers_open(&w->others, s->m, w->col.calling, e);
    return e->code == ERR_NONE ? open_blocks(w, &s->o, e) : (int)e->code;
}

static void close_block(mb_block *b, mem *m)
{
    frontier_release(&b->search, m);
    vec_release(m, &b->visited);
    vec_release(m, &b->fresh);
    vec_release(m, &b->rising);
    vec_release(m, &b->answers);
    vec_release(m, &b->put_off);
}

static void close_worker(mb_worker *w, mb_session *s)
{
    if (w->session == NULL) return;
    for (uint32_t k = 0; w->block && k < w->blocks; k++) close_block(&w->block[k], s->m);
    mem_put(s->m, w->block, w->blocks * sizeof *w->block);
    mem_put(s->m, w->own.log, w->own.room * sizeof *w->own.log);
    mb_callers_close(&w->others);
    if (!s->share) close_columns(&w->col, s, w->part);
    graph_charge_close(&w->charge, s->m);
}

/* ---- messages ------------------------------------------------------------------------------- */

static int declare(mb_session *s, err *e)
{
    const graph_part *p = s->p.part[0];
    uint32_t blocks = p->g->block_count, at = 0;
    uint32_t expand = (uint32_t)sizeof(uint32_t) * (1 + p->wire_words), evaluate = 8;
    s->kinds = MB_PER_BLOCK * blocks + (blocks > 1 ? MB_FURTHER : 1);
    s->kind = mem_get_array(s->m, s->kinds, sizeof *s->kind, e);
    if (s->kind == NULL) return (int)e->code;
    for (uint32_t k = 0; k < blocks; k++) {
        bool direct = is_direct(&p->g->blocks[k], k, &s->o);
        s->kind[at++] = direct
                            ? (comm_kind){ "expand", expand - (uint32_t)sizeof(uint32_t),
                                           k, mb_on_find }
                            : (comm_kind){ "expand", expand, k, mb_on_expand };
        s->kind[at++] = (comm_kind){ "evaluate", evaluate, k, mb_on_evaluate };
    }
    if (blocks > 1) {
        s->kind[at++] =
            (comm_kind){ "expand", expand, COMM_NO_CHANNEL, mb_on_cross_expand };
        s->kind[at++] =
            (comm_kind){ "evaluate", evaluate, COMM_NO_CHANNEL, mb_on_cross_evaluate };
    }
    s->kind[at] = (comm_kind){ "stop", 1, COMM_NO_CHANNEL, mb_on_stop };
    return 0;
}

static comm_config configure(const mb_session *s)
{
    const graph_part *p = s->p.part[0];
    comm_config c = { .workers = p->workers,
                      .ranks = s->p.ranks,
                      .kinds = s->kind,
                      .kind_count = s->kinds,
                      .channels = p->g->block_count + (s->o.exhaustive ? 1 : 0),
                      .whole = s->o.exhaustive,
                      .detector = s->o.detector,
                      .bind = s->o.bind,
                      .announced = mb_announced,
                      .buffer_bytes = s->o.buffer_bytes,
                      .two_hops = s->o.two_hops };
    if (c.buffer_bytes == 0) c.buffer_bytes = comm_plan_ample(&c);
    return c;
}

/* ---- life ----------------------------------------------------------------------------------- */

int mb_open(mb_session **out, const mb_problem *p, const mb_options *o, err *e)
{
    const char *why = mb_refuses(p->part[0]);
    if (why) return err_set(e, ERR_REFUSED, "mb-dsolve does not accept %s", why);
    mb_session *s = mem_get(o->m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->m = o->m;
    s->o = *o;
    s->p = *p;
    s->share = graph_part_is_numbered(p->part[0]) && p->part[0]->threads > 1;
    if (declare(s, e) == 0)
        s->worker = mem_get_array(s->m, p->here, sizeof *s->worker, e);
    if (s->worker) s->report = mem_get_array(s->m, p->here, sizeof *s->report, e);
    if (s->report && s->share) open_columns(&s->shared, s, p->part[0], NULL, e);
    for (uint32_t i = 0; s->report && i < p->here && e->code == ERR_NONE; i++)
        open_worker(&s->worker[i], s, p->part[i], e);
    if (e->code == ERR_NONE) *out = s;
    else mb_close(s);
    return (int)e->code;
}

void mb_close(mb_session *s)
{
    if (s == NULL) return;
    for (uint32_t i = 0; s->worker && i < s->p.here; i++) close_worker(&s->worker[i], s);
    if (s->share) close_columns(&s->shared, s, s->p.part[0]);
    mem_put(s->m, s->worker, s->p.here * sizeof *s->worker);
    mem_put(s->m, s->report, s->p.here * sizeof *s->report);
    mem_put(s->m, s->kind, s->kinds * sizeof *s->kind);
    mem_put(s->m, s, sizeof *s);
}

/* What all workers have counted, however the run ended. */
static void sum_up(mb_session *s, comm_net *net, mb_result *out)
{
    enum { SEEN, EDGES, CROSS, STABLE, VALUE, MET, COUNTS };
    uint64_t x[COUNTS] = { 0 };
    const comm_transport *t = comm_net_class(net);
    for (uint32_t i = 0; i < s->p.here; i++) {
        const mb_worker *w = &s->worker[i];
        x[SEEN] += w->seen;
        x[EDGES] += w->edges;
        x[CROSS] += w->cross_edges;
        x[STABLE] += w->stable;
        x[MET] += w->g->met ? *w->g->met : 0;
        x[VALUE] += w->root != VERTEX_NONE && mb_value(w, w->root);
    }
    if (t->reduce) t->reduce(comm_net_transport(net), COMM_REDUCE_SUM, x, COUNTS);
    *out = (mb_result){ .value = x[VALUE] > 0,
                        .vertices = x[SEEN],
                        .edges = x[EDGES],
                        .cross_edges = x[CROSS],
                        .stable = x[STABLE],
                        .states_met = x[MET] };
    s->value = out->value;
}

int mb_run(mb_session *s, mb_result *out, err *e)
{
    static const char *const figures[] = { "vertices", "frontier", "stable", NULL };
    comm_net *net = NULL;
    comm_config config = configure(s);
    comm_watch watch = { .clock = s->o.clock,
                         .figures = figures,
                         .counters = s->o.counters };
    *out = (mb_result){ .vertices = 0 };
    if (comm_net_open(&net, &config, s->o.transport, s->o.transport_options, s->m, e) !=
        0)
        return (int)e->code;
    comm_run_watched(net, &mb_program, s, &watch, s->report, e);
    comm_stats_collect(&s->stats, net, s->report);
    sum_up(s, net, out);
    if (strcmp(comm_net_class(net)->name, "sim") == 0)
        out->virtual_ns = comm_sim_result_of(comm_net_transport(net)).time_ns;
    comm_net_close(net);
    return (int)e->code;
}

const comm_stats *mb_stats(const mb_session *s) { return &s->stats; }

/* ---- what became known ---------------------------------------------------------------------- */

static worker_id owner_of(const mb_worker *w, vertex_id v)
{
    if (w->col.chooser) return w->col.chooser[v];
    return mb_place_of(w, w->col.choice[v]).owner;
}

mb_known mb_knows(const mb_session *s, uint32_t here, vertex_id v)
{
    const mb_worker *w = &s->worker[here];
    const mb_block *b = mb_block_of(w, v);
    uint8_t status = w->col.status[v];
    mb_known k = { .visited = (status & MB_SEEN) != 0,
                   .stable = (status & MB_STABLE) != 0,
                   .value = (status & MB_TRUE) != 0,
                   .chosen = (status & MB_CHOSEN) != 0 && w->col.choice != NULL,
                   .passive = (status & MB_PASSIVE) != 0 };
    if (k.visited && !k.stable && b->closed)
        k.stable = k.passive = true, k.value = b->init;
    if (k.chosen) {
        k.worker = owner_of(w, v);
        k.vertex = mb_local_at(w, k.worker, w->col.choice[v]);
    }
    return k;
}
