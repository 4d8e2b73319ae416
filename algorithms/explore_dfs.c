/*
 * explore_dfs - the newest state first.
 *
 * Idea       A stack of states that were met and not looked at.  The top is looked at and its
 *            new successors go on the stack, the last one first, so that the search goes on with
 *            the first of them: it dives, and what is deep is found early.
 * Invariant  parent[s] < s for every state but the initial one: the depth of all follows from
 *            one walk in order, and a path to any state is there without another search.
 * Cost       Four bytes per state more than breadth-first, for parents.
 */
#include "algorithms/explore_parts.h"

#include <inttypes.h>

typedef VEC(local_id) id_stack;

static int keep_row(explore *x, state_id s, const local_id *id, err *e)
{
    const model_moves *o = &x->worker[0].moves;
    explore_rows *r = &x->rows;
    if (explore_rows_reserve(r, 1, o->count, e) != 0) return (int)e->code;
    for (uint32_t i = 0; i < o->count; i++)
        explore_rows_put(r, r->target.count++, o->label[i], id[i]);
    if (vec_reserve(x->m, &r->row, x->states, e) != 0) return (int)e->code;
    r->row.count = x->states;
    r->row.at[s] = (state_id)(r->first.count - 1);
    r->first.at[r->first.count++] = r->target.count;
    return 0;
}

/* The new ones among the targets go on the stack. */
static int push_new(explore *x, id_stack *todo, local_id from, err *e)
{
    const model_moves *o = &x->worker[0].moves;
    local_id next = (local_id)x->states, end = vertex_store_count(x->worker[0].store);
    if (vec_reserve(x->m, &x->parent, end, e) != 0 ||
        vec_reserve(x->m, todo, todo->count + o->count, e) != 0)
        return (int)e->code;
    for (local_id s = next; s < end; s++) x->parent.at[s] = from;
    for (local_id s = end; s > next; s--) todo->at[todo->count++] = s - 1;
    x->parent.count = x->states = end;
    return 0;
}

static int look_at(explore *x, id_stack *todo, id_stack *target, local_id s, err *e)
{
    explore_worker *w = &x->worker[0];
    explore_place here = { 0, s };
    if (explore_moves(x, w, here, e) != 0) return (int)e->code;
    if (explore_count(x, w)) {
        x->found = true;
        x->found_at = here;
        return 0;
    }
    const model_moves *o = &w->moves;
    if (vec_reserve(x->m, target, o->count, e) != 0 ||
        vertex_store_put_all(w->store, o->key, o->hash, o->count, target->at, e) != 0 ||
        push_new(x, todo, s, e) != 0)
        return (int)e->code;
    return x->o.keep ? keep_row(x, s, target->at, e) : 0;
}

/* The longest way along parents, which come before their children. */
static uint64_t deepest(explore *x, err *e)
{
    size_t states = x->parent.count;
    uint32_t *depth = mem_get_array(x->m, states, sizeof *depth, e);
    uint64_t most = 0;
    for (size_t s = 1; depth && s < states; s++) {
        depth[s] = depth[x->parent.at[s]] + 1;
        if (depth[s] > most) most = depth[s];
    }
    mem_put(x->m, depth, states * sizeof *depth);
    return most;
}

static int begin(explore *x, id_stack *todo, err *e)
{
    local_id id;
    uint64_t hash = vertex_store_hash(x->s->initial, x->s->key_words);
    if (vertex_store_put(x->worker[0].store, x->s->initial, hash, &id, e) != 0 ||
        vec_push(x->m, &x->parent, 0, e) != 0)
        return (int)e->code;
    x->states = 1;
    return vec_push(x->m, todo, 0, e);
}

int explore_depth_first(explore *x, err *e)
{
    enum { TICK = 1 << 12 };
    id_stack todo = { 0 }, target = { 0 };
    begin(x, &todo, e);
    for (uint64_t n = 1; e->code == ERR_NONE && todo.count > 0 && !x->found; n++) {
        look_at(x, &todo, &target, todo.at[--todo.count], e);
        x->counts.frontier = todo.count;
        if (x->o.max_states && x->states > x->o.max_states)
            err_set(e, ERR_LIMIT, "more than %" PRIu64 " states (--max-states)",
                    x->o.max_states);
        if (n % TICK == 0) progress_tick(x->o.clock, x->states, e);
    }
    err lost = ERR_INIT; /* without memory for it the depth is not known */
    x->counts.depth = deepest(x, &lost);
    vec_release(x->m, &todo);
    vec_release(x->m, &target);
    return (int)e->code;
}
