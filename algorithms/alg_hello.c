/*
 * hello - the smallest honest solver: copy it to begin your own.
 *
 * Idea       A fixed point is what is left when nothing changes any more.  Every vertex starts
 *            with the value of the block's sign (mu: false, nu: true); the vertices found so
 *            far are computed from their successors again and again, which finds new ones,
 *            until a whole round neither changes nor finds anything.
 * Invariant  A value changes at most once, away from that of the sign: operators are monotone.
 *            A value that changed because of one successor keeps it as choice, and that
 *            one had changed before: diagnostics do not go round in circles.
 * Cost       As many rounds as the block has vertices, in the worst case, and every edge in
 *            each of them: not R1.  What was visited is stable in the end (R3).
 * Source     S. C. Kleene, Introduction to Metamathematics, 1952, section 66.
 */
#include "algorithms/solvers.h"

#include "core/vec.h"

enum {
    NOW_TRUE = SOLUTION_OWN,
    ROOM = 16
}; /* our own bit of a status: the value so far */

typedef struct hello {
    run r;
    graph_block block;
    VEC(vertex_id) found; /* in this call */
} hello;

static int hello_open(void **self, const run *r, uint32_t block, err *e)
{
    hello *s = mem_get(r->m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->r = *r;
    s->block = r->blocks[block];
    *self = s;
    return 0;
}

static void hello_close(void *self)
{
    hello *s = self;
    vec_release(s->r.m, &s->found);
    mem_put(s->r.m, s, sizeof *s);
}

static int visit(hello *s, vertex_id v, err *e)
{
    if (!solution_visit(s->r.found, v)) return 0;
    if (s->block.sign == GRAPH_NU) s->r.found->status[v] |= NOW_TRUE;
    return vec_push(s->r.m, &s->found, v, e);
}

static int hello_ask(void *self, vertex_id v, err *e)
{
    hello *s = self;
    s->found.count = 0;
    return visit(s, v, e);
}

static bool value_now(const hello *s, vertex_id z)
{
    return solution_is_stable(s->r.found, z) ? solution_value(s->r.found, z)
                                             : (s->r.found->status[z] & NOW_TRUE) != 0;
}

/* The value of y from its successors, and which one decided it.  False: stop, because *need
   is needed or something failed. */
static bool compute(hello *s, vertex_id y, bool *value, vertex_id *need, err *e)
{
    vertex_id to[ROOM], decided = VERTEX_NONE;
    graph_row row = { .next = GRAPH_ROW_BEGIN };
    do {
        graph_expand(s->r.g, y, row.next, to, ROOM, &row);
        for (uint32_t i = 0; i < row.count && decided == VERTEX_NONE; i++) {
            vertex_id z = to[i];
            *need = z;
            if (z >= s->block.end && !solution_is_stable(s->r.found, z)) return false;
            s->r.found->edges++;
            if (z < s->block.end && visit(s, z, e) != 0) return false;
            if (value_now(s, z) == graph_absorbing(row.op)) decided = z;
        }
    } while (row.next != GRAPH_ROW_END && decided == VERTEX_NONE);
    *value = graph_absorbing(row.op) == (decided != VERTEX_NONE);
    if (*value != value_now(s, y) && s->r.found->choice && decided != VERTEX_NONE)
        s->r.found->choice[y] = decided + 1;
    return true;
}

static algorithm_step hello_go_on(void *self, vertex_id *need, err *e)
{
    hello *s = self;
    uint8_t *status = s->r.found->status;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < s->found.count; i++) { /* grows */
            vertex_id y = s->found.at[i];
            bool value;
            if (run_tick(&s->r, i, e) != 0) return ALGORITHM_FAILED;
            if (!compute(s, y, &value, need, e))
                return e->code == ERR_NONE ? ALGORITHM_NEED : ALGORITHM_FAILED;
            if (value != value_now(s, y)) {
                status[y] ^= NOW_TRUE;
                changed = true;
            }
        }
    }
    for (size_t i = 0; i < s->found.count; i++)
        solution_settle(s->r.found, s->found.at[i], value_now(s, s->found.at[i]));
    return ALGORITHM_DONE;
}

const algorithm alg_hello = {
    .name = "hello",
    .doc =
        "round by round until nothing changes, any plain block; slow, a template to copy",
    .open = hello_open,
    .ask = hello_ask,
    .go_on = hello_go_on,
    .close = hello_close,
};
