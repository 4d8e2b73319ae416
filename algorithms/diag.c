/*
 * diag - a proof tree of least height.
 *
 * Idea       Told for true vertices; false ones are dual.  In a mu-block a proof is a tree.
 *            Forwards, breadth-first from x, meet what a tree no higher than the one there is
 *            can contain, and remember who needs whom.  Backwards, in rounds: round 0 has
 *            the leaves, round j the vertices that the rounds before it prove and round
 *            j - 1 is needed for.  The round of x is the least height.
 *            Leaves are and-vertices without successors, and what is known to be true in
 *            blocks where cycles are harmless; the search does not enter those.  A vertex
 *            that is known to be false is passed over.
 * Invariant  An and-vertex waits for as many successors as are not proved, counted as often
 *            as they stand in its row; an or-vertex that has successors waits for the first.
 *            A vertex proved in round j keeps only vertices proved in rounds before j.  So
 *            within a block an old choice may lead to a new one, never a new one to an old
 *            one, and the choices make a proof at every moment.
 * Bound      A tree of height h lies within distance h of x, so that the height of a known
 *            one bounds the search.  It is found in the same way, from rows of which only
 *            what is kept is looked at.  The greatest distance of a vertex of the known
 *            tree would be too small a bound: a lower tree may reach farther.
 * Cost       Each edge once forwards and at most once backwards, and before that each edge of
 *            the known tree.  8 bytes per vertex number, 4 per vertex met, 4 per vertex
 *            proved, and about 5 per edge.
 * Source     R. Mateescu, CAESAR_SOLVE, figure 10; there, counters of vertices without
 *            successors are left open, and the bound is the greatest distance.
 */
#include "algorithms/diag.h"

#include "algorithms/dependencies.h"
#include "core/vec.h"

#include <assert.h>

enum { ROOM = 64 };

/* Of a vertex's pending: 0 not met, 1 proved, n + 1 waits for n, or one of these. */
#define NEVER  UINT32_MAX       /* cannot be proved */
#define QUEUED (UINT32_MAX - 1) /* its row was not looked at yet */
#define ANY    (UINT32_MAX - 2) /* waits for the first of its successors */

typedef struct diag {
    run r;
    bool value;
    bool known; /* look at the known tree only: of rows that need one, at the choice */
    uint32_t *pending;     /* per vertex number */
    dependencies needed;   /* per vertex number: who may be proved by it */
    VEC(vertex_id) queue;  /* met and to be expanded, in the order of distance */
    VEC(vertex_id) proved; /* in the order of rounds */
    graph_charge charge;
} diag;

static int diag_open(diag *d, const run *r, bool value, bool known, err *e)
{
    vertex_id vertices = r->g->vertices;
    *d = (diag){ .r = *r, .value = value, .known = known };
    graph_charge_add(&d->charge, sizeof *d->pending);
    graph_charge_add(&d->charge, sizeof *d->needed.head);
    d->pending = graph_column_open(r->g, r->m, vertices, sizeof *d->pending,
                                   GRAPH_COLUMN_DENSE, e);
    if (d->pending == NULL) return (int)e->code;
    return dependencies_open(&d->needed, r->m, r->g, vertices, e);
}

static void diag_close(diag *d)
{
    mem *m = d->r.m;
    graph_column_close(d->r.g, m, d->pending, d->r.g->vertices, sizeof *d->pending);
    graph_charge_close(&d->charge, m);
    dependencies_close(&d->needed);
    vec_release(m, &d->queue);
    vec_release(m, &d->proved);
}

/* Does v lie in a block where no cycle may be part of a proof? */
static bool is_tree(const graph *g, vertex_id v, bool value)
{
    const graph_block *b = &g->blocks[graph_block_of(g, v)];
    return !graph_is_nested(b) && (b->sign == GRAPH_MU) == value;
}

/* v is proved, by `because` or, VERTEX_NONE, by all its successors. */
static int prove(diag *d, vertex_id v, vertex_id because, err *e)
{
    solution *s = d->r.found;
    assert(!solution_is_stable(s, v) || solution_value(s, v) == d->value);
    d->pending[v] = 1;
    solution_visit(s, v);
    if (because == VERTEX_NONE) solution_settle(s, v, d->value);
    else solution_choose(s, v, d->value, because);
    return vec_push(d->r.m, &d->proved, v, e);
}

/* ---- forwards ---------------------------------------------------------------------------- */

static int meet(diag *d, vertex_id v, err *e)
{
    const solution *s = d->r.found;
    bool stable = solution_is_stable(s, v), tree = is_tree(d->r.g, v, d->value);
    d->pending[v] = NEVER;
    if (stable ? solution_value(s, v) != d->value : !tree) return 0;
    d->pending[v] = tree ? QUEUED : 1;
    return tree ? vec_push(d->r.m, &d->queue, v, e) : vec_push(d->r.m, &d->proved, v, e);
}

/* Successor z of y; who cannot be proved is waited for in vain, without a dependency. */
static int need(diag *d, vertex_id y, vertex_id z, err *e)
{
    if (d->pending[z] == 0 && meet(d, z, e) != 0) return (int)e->code;
    return d->pending[z] == NEVER ? 0 : dependencies_add(&d->needed, &z, 1, 0, y, e);
}

/* What y needs of the stretch that is there. */
static int need_stretch(diag *d, vertex_id y, const vertex_id *stretch, uint32_t count,
                        bool one, err *e)
{
    vertex_id kept = d->r.found->choice[y];
    if (d->known && one) return kept ? need(d, y, kept - 1, e) : 0;
    for (uint32_t i = 0; i < count; i++)
        if (need(d, y, stretch[i], e) != 0) return (int)e->code;
    return 0;
}

/* Look at the row of y.  If it is `last`, at the greatest distance, it may only be a leaf. */
static int expand(diag *d, vertex_id y, bool last, err *e)
{
    vertex_id stretch[ROOM];
    uint32_t count = 0;
    bool one, enough;
    graph_row row = { .next = GRAPH_ROW_BEGIN };
    do {
        graph_expand(d->r.g, y, row.next, stretch, ROOM, &row);
        count += row.count;
        one = graph_absorbing(row.op) == d->value;
        enough = count > 0 && (last || (d->known && one));
        if (!last && need_stretch(d, y, stretch, row.count, one, e) != 0)
            return (int)e->code;
    } while (row.next != GRAPH_ROW_END && !enough);
    if (count == 0 && !one) return prove(d, y, VERTEX_NONE, e);
    d->pending[y] = last || count == 0 ? NEVER : one ? ANY : count + 1;
    return 0;
}

static int tick(diag *d, size_t i, err *e)
{
    if (graph_charge_look(&d->charge, d->r.g, d->r.m, GRAPH_ITEMS_ANY, e) != 0)
        return (int)e->code;
    return run_tick(&d->r, i, e);
}

static int search_forwards(diag *d, vertex_id x, uint32_t height, err *e)
{
    uint32_t distance = 0;
    if (meet(d, x, e) != 0) return (int)e->code;
    for (size_t i = 0, level_end = 1; i < d->queue.count; i++) {
        if (i == level_end) {
            distance++;
            level_end = d->queue.count;
        }
        if (tick(d, i, e) != 0 || expand(d, d->queue.at[i], distance == height, e) != 0)
            return (int)e->code;
    }
    return 0;
}

/* ---- backwards --------------------------------------------------------------------------- */

/* z is proved: tell those that need it. */
static int tell(diag *d, vertex_id z, err *e)
{
    vertex_id y;
    while (dependencies_take(&d->needed, z, &y)) {
        bool any = d->pending[y] == ANY;
        if (!any && (d->pending[y] == 1 || --d->pending[y] > 1)) continue;
        if (prove(d, y, any ? z : VERTEX_NONE, e) != 0) return (int)e->code;
    }
    return 0;
}

static int search_backwards(diag *d, vertex_id x, uint32_t *height, err *e)
{
    size_t i = 0;
    *height = 0;
    for (size_t round_end = d->proved.count; d->pending[x] != 1; i++) {
        if (i == d->proved.count)
            return graph_trouble(d->r.g, e) != 0
                       ? (int)e->code
                       : err_set(e, ERR_SYSTEM, "the solver's choices are no proof");
        if (i == round_end) {
            ++*height;
            round_end = d->proved.count;
        }
        if (run_tick(&d->r, i, e) != 0 || tell(d, d->proved.at[i], e) != 0)
            return (int)e->code;
    }
    if (i > 0) ++*height;
    return 0;
}

/* ------------------------------------------------------------------------------------------ */

/* The least height of x within `height`, or that of the known tree. */
static int find_height(const run *r, vertex_id x, bool known, uint32_t height,
                       uint32_t *found, err *e)
{
    diag d;
    if (diag_open(&d, r, solution_value(r->found, x), known, e) == 0 &&
        search_forwards(&d, x, height, e) == 0)
        search_backwards(&d, x, found, e);
    diag_close(&d);
    return graph_trouble(r->g, e);
}

int diag_shorten(const run *r, vertex_id x, diag_result *out, err *e)
{
    assert(r->found->choice && solution_is_stable(r->found, x));
    *out = (diag_result){ .tree = is_tree(r->g, x, solution_value(r->found, x)) };
    if (!out->tree || find_height(r, x, true, UINT32_MAX, &out->before, e) != 0)
        return (int)e->code;
    return find_height(r, x, false, out->before, &out->height, e);
}
