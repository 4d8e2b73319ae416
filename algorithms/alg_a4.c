/*
 * a4 - depth-first resolution of a disjunctive or conjunctive block, by components.
 *
 * Idea       Told for disjunctive blocks; conjunctive ones are dual.  Every vertex is an or,
 *            or an and with one successor in the block: if its other successors, all in
 *            later blocks, are true, it follows that one, so they are looked at first.
 *            Then a vertex is true exactly when it reaches a true one, or a cycle that is
 *            good: in a nu-block every cycle, in a mu-block none, in a nested one (buchi)
 *            a cycle with an outer vertex.  Components are found on the way.
 * Invariant  An open vertex is on the trail or among the `left` ones, whose component is not
 *            complete: those reach a vertex of the trail.  low[v] is the least number of an
 *            open vertex that v is known to reach.
 *            So as soon as anything is true, all of the trail and all that is left is, and
 *            the call ends.  No explored cycle is good before that, so what is completed is
 *            false.
 *            A vertex that was left keeps as choice the successor its low came from:
 *            followed, these lead to the trail without going round in a circle.
 * Nested     Let f be the last outer vertex of the trail.  An edge from the top to an open z
 *            closes a cycle through an outer vertex exactly if low[z] <= number of f.
 *            If: the vertex of number low[z] is on the trail, not above f, or was left before
 *            f was found and reaches the trail below f; the trail leads through f to z.
 *            Only if: take the first edge that closes a cycle through an outer vertex g of
 *            the trail.  Its z is not younger than g, for g reaches all that are open and
 *            younger, and a way back would have closed a cycle before.
 *            So one number, `bound`, tells good cycles from others in every kind of block.
 *            An outer vertex is a component of its own until the call ends, so there are no
 *            roots with marks to be merged, and a solver of its own would be this one again.
 *            Choices from z lead to the trail at f or below: the one cycle of choices that
 *            arises goes through f.
 * Cost       Each edge once (R1), R2 and R3 hold.  No dependencies: 5 bytes per vertex, 4 if
 *            left, 9 on the trail and 4 more if outer, 4 for a choice.
 * Source     R. Mateescu, CAESAR_SOLVE, figure 8; components after D. Pearce, Information
 *            Processing Letters 116 (2016), 47-52; good cycles at once after J.-M.
 *            Couvreur, FM'99, LNCS 1708, 253-271.
 */
#include "algorithms/solvers.h"
#include "algorithms/trail.h"

/* The solver's own bits of a status. */
enum {
    NOT_ROOT = SOLUTION_OWN,          /* it reaches an open vertex below it */
    FOLLOWS = SOLUTION_OWN << 1,      /* of an and: it has a successor in the block, */
    OTHERS_KNOWN = SOLUTION_OWN << 2, /*   and all others are known to be true */
};

typedef struct a4 {
    run r;
    graph_block block;
    graph_op op;     /* or in a disjunctive block */
    bool absorbs;    /* the value that one successor is enough for: true in it */
    uint32_t *low;   /* per vertex of the block */
    uint32_t number; /* of the vertices found so far in this call */
    trail path;
    VEC(vertex_id) left; /* see the invariant */
    uint32_t bound;      /* an edge to an open vertex of lower low closes a good cycle */
    VEC(uint32_t) earlier; /* bounds: one for each outer vertex of the trail */
} a4;

/* Of a nested block cycles through outer vertices must be good. */
static const char *nested_refuses(const graph_block *b)
{
    if (b->sign == GRAPH_NU)
        return b->promise & GRAPH_DISJUNCTIVE ? NULL
                                              : "buchi blocks that are not disjunctive";
    return b->promise & GRAPH_CONJUNCTIVE ? NULL
                                          : "cobuchi blocks that are not conjunctive";
}

static const char *a4_refuses(const graph_block *b)
{
    if (graph_is_nested(b)) return nested_refuses(b);
    return b->promise & (GRAPH_DISJUNCTIVE | GRAPH_CONJUNCTIVE)
               ? NULL
               : "blocks that are neither disjunctive nor conjunctive";
}

static graph_op operator_of(const graph_block *b)
{
    bool is_or =
        graph_is_nested(b) ? b->sign == GRAPH_NU : (b->promise & GRAPH_DISJUNCTIVE) != 0;
    return is_or ? GRAPH_OR : GRAPH_AND;
}

static void a4_close(void *self)
{
    a4 *s = self;
    mem *m = s->r.m;
    graph_column_close(s->r.g, m, s->low, s->block.end - s->block.begin, sizeof *s->low);
    trail_close(&s->path);
    vec_release(m, &s->left);
    vec_release(m, &s->earlier);
    mem_put(m, s, sizeof *s);
}

static int a4_open(void **self, const run *r, uint32_t block, err *e)
{
    a4 *s = mem_get(r->m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->r = *r;
    s->block = r->blocks[block];
    s->op = operator_of(&s->block);
    s->absorbs = graph_absorbing(s->op);
    solution_note_block(r->found, 1);
    s->low = graph_column_open(r->g, r->m, s->block.end - s->block.begin, sizeof *s->low,
                               GRAPH_COLUMN_DENSE, e);
    trail_columns fetched = { r->found->status, s->low, s->block.begin, s->block.end };
    trail_open(&s->path, r->m, r->g, fetched);
    if (s->low == NULL) a4_close(s);
    else *self = s;
    return (int)e->code;
}

static uint32_t *low_of(a4 *s, vertex_id v) { return &s->low[v - s->block.begin]; }

static bool is_outer(const a4 *s, vertex_id v)
{
    return graph_is_nested(&s->block) && graph_is_outer(&s->block, v);
}

static int visit(a4 *s, vertex_id v, err *e)
{
    solution_visit(s->r.found, v);
    *low_of(s, v) = s->number++;
    if (is_outer(s, v)) {
        if (vec_push(s->r.m, &s->earlier, s->bound, e) != 0) return (int)e->code;
        s->bound = s->number;
    }
    return trail_push(&s->path, v, e);
}

/* y has gone from the trail. */
static void forget(a4 *s, vertex_id y)
{
    if (is_outer(s, y)) s->bound = s->earlier.at[--s->earlier.count];
}

/* y goes from the trail; the search goes on below it. */
static void leave(a4 *s, vertex_id y)
{
    trail_pop(&s->path);
    forget(s, y);
}

static int a4_ask(void *self, vertex_id v, err *e)
{
    a4 *s = self;
    bool all_good = s->absorbs == (s->block.sign == GRAPH_NU);
    s->number = 0;
    s->bound = all_good && !graph_is_nested(&s->block) ? UINT32_MAX : 0;
    return visit(s, v, e);
}

/* y has the absorbing value because of z: so have the trail and all that was left. */
static void absorb_all(a4 *s, vertex_id z)
{
    while (!trail_is_empty(&s->path)) {
        vertex_id y = trail_top(&s->path);
        solution_choose(s->r.found, y, s->absorbs, z);
        trail_drop(&s->path);
        forget(s, y);
        z = y;
    }
    for (size_t i = 0; i < s->left.count; i++)
        solution_settle(s->r.found, s->left.at[i], s->absorbs);
    s->left.count = 0;
}

/* The row of y is seen to its end without anything absorbing. */
static int finish(a4 *s, vertex_id y, err *e)
{
    leave(s, y);
    if (s->r.found->status[y] & NOT_ROOT) return vec_push(s->r.m, &s->left, y, e);
    while (s->left.count > 0) { /* the component of y */
        vertex_id v = s->left.at[s->left.count - 1];
        if (*low_of(s, v) < *low_of(s, y)) break;
        solution_settle(s->r.found, v, !s->absorbs);
        s->left.count--;
    }
    solution_settle(s->r.found, y, !s->absorbs);
    return 0;
}

/* y reaches what the open vertex z reaches. */
static void lower(a4 *s, vertex_id y, vertex_id z)
{
    if (*low_of(s, z) >= *low_of(s, y)) return;
    *low_of(s, y) = *low_of(s, z);
    s->r.found->status[y] |= NOT_ROOT;
    if (s->r.found->choice) s->r.found->choice[y] = z + 1;
}

typedef enum { LOOK_FINE, LOOK_NEED, LOOK_SETTLED, LOOK_ABSORBED } look;

/*
 * A vertex of the other operator: look at its successors in later blocks before any in this
 * one.  Without a successor in this block it is settled either way.
 */
static look look_at_others(a4 *s, vertex_id y, vertex_id *need)
{
    uint8_t *status = &s->r.found->status[y];
    for (vertex_id z; trail_look(&s->path, &z); trail_advance(&s->path)) {
        if (z < s->block.end) {
            *status |= FOLLOWS;
            continue;
        }
        if (!solution_is_stable(s->r.found, z)) {
            *need = z;
            return LOOK_NEED;
        }
        s->r.found->edges++;
        if (solution_value(s->r.found, z) != s->absorbs) {
            solution_choose(s->r.found, y, !s->absorbs, z);
            leave(s, y);
            return LOOK_SETTLED;
        }
    }
    *status |= OTHERS_KNOWN;
    trail_rewind(&s->path);
    if (*status & FOLLOWS) return LOOK_FINE;
    solution_settle(s->r.found, y, s->absorbs);
    leave(s, y);
    absorb_all(s, y);
    return LOOK_ABSORBED;
}

/* One step with successor z of y, whose value is known or which is in the block. */
static look take_step(a4 *s, vertex_id y, vertex_id z, err *e)
{
    solution *found = s->r.found;
    bool other = trail_load(&s->path) != s->op, stable = solution_is_stable(found, z);
    if (!stable && !(found->status[z] & SOLUTION_SEEN)) {
        visit(s, z, e); /* and look at z again when the search comes back */
        return LOOK_FINE;
    }
    trail_advance(&s->path);
    if (other && z >= s->block.end) return LOOK_FINE; /* looked at before */
    found->edges++;
    if (stable ? solution_value(found, z) == s->absorbs : *low_of(s, z) < s->bound) {
        absorb_all(s, z);
        return LOOK_ABSORBED;
    }
    if (!stable) lower(s, y, z);
    if (!stable || !other) return LOOK_FINE;
    solution_choose(found, y, !s->absorbs, z); /* it follows z */
    leave(s, y);
    return LOOK_SETTLED;
}

/* What to do with the top of the trail. */
static look look_at_top(a4 *s, vertex_id *need, err *e)
{
    vertex_id y = trail_top(&s->path), z;
    bool other = trail_load(&s->path) != s->op;
    if (other && !(s->r.found->status[y] & OTHERS_KNOWN))
        return look_at_others(s, y, need);
    if (!trail_look(&s->path, &z)) {
        finish(s, y, e);
        return LOOK_SETTLED;
    }
    if (z < s->block.end || solution_is_stable(s->r.found, z))
        return take_step(s, y, z, e);
    *need = z;
    return LOOK_NEED;
}

static algorithm_step a4_go_on(void *self, vertex_id *need, err *e)
{
    a4 *s = self;
    for (uint64_t step = 0; !trail_is_empty(&s->path); step++) {
        if (run_tick(&s->r, step, e) != 0) return ALGORITHM_FAILED;
        if (look_at_top(s, need, e) == LOOK_NEED) return ALGORITHM_NEED;
        if (e->code != ERR_NONE) return ALGORITHM_FAILED;
    }
    return ALGORITHM_DONE;
}

const algorithm alg_a4 = {
    .name = "a4",
    .doc = "depth-first, disjunctive or conjunctive blocks, < R > @ too, little memory",
    .refuses = a4_refuses,
    .nested = true,
    .open = a4_open,
    .ask = a4_ask,
    .go_on = a4_go_on,
    .close = a4_close,
};
