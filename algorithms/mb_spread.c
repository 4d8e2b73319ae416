/*
 * mb_spread - values go back to whoever waits for them.
 *
 * Own dependents take a value at once, others get a message.  A value that came passively is
 * told to other blocks alone: in its own, who waited for it became stable in the same moment.
 */
#include "algorithms/mb_inner.h"

static bool send_value(mb_worker *w, const mb_block *b, vertex_id y, worker_id to,
                       uint32_t ref, bool cross)
{
    uint32_t kind =
        cross ? mb_kind_further(w, MB_CROSS_EVALUATE) : mb_kind(b->number, MB_EVALUATE);
    uint32_t *message = comm_place(w->c, to, kind, w->evaluate_width);
    if (message == NULL) return false;
    message[0] = ref | (mb_value(w, y) ? MB_VALUE : 0);
    message[1] = mb_ref(w, y);
    return true;
}

static bool is_cross(const mb_worker *w, const mb_block *b, worker_id from, uint32_t ref)
{
    return w->blocks > 1 && !mb_block_has(b, mb_local_at(w, from, ref));
}

static bool send_answers(mb_worker *w, mb_block *b)
{
    for (; b->answers.count > 0; b->answers.count--) {
        const mb_request *r = &b->answers.at[b->answers.count - 1];
        if (!send_value(w, b, r->vertex, r->from, r->ref,
                        is_cross(w, b, r->from, r->ref)))
            return false;
    }
    vec_trim(w->m, &b->answers);
    return true;
}

/* Up the tree, a step at each worker. */
static bool send_up(mb_worker *w, mb_block *b, err *e)
{
    while (b->rising.count > 0 && e->code == ERR_NONE && !w->over) {
        mb_rise r = b->rising.at[b->rising.count - 1];
        if (r.at != w->part->self && !send_value(w, b, r.vertex, r.at, r.parent, false))
            return false;
        b->rising.count--;
        if (r.at == w->part->self)
            mb_apply(w, r.parent - w->part->origin, mb_value(w, r.vertex), r.at,
                     mb_ref(w, r.vertex), false, e);
    }
    return true;
}

static void tell_own(mb_worker *w, const mb_block *b, vertex_id y, err *e)
{
    bool passive = (w->col.status[y] & MB_PASSIVE) != 0;
    vertex_id x;
    while (e->code == ERR_NONE && !w->over && dependencies_take(&w->own, y, &x)) {
        bool cross = !mb_block_has(b, x);
        if (passive && !cross) continue;
        mb_apply(w, x, mb_value(w, y), w->part->self, mb_ref(w, y), cross, e);
    }
}

static bool tell_others(mb_worker *w, const mb_block *b, vertex_id y)
{
    bool passive = (w->col.status[y] & MB_PASSIVE) != 0;
    mb_caller x;
    while (mb_callers_look(&w->others, y, &x)) {
        bool cross = is_cross(w, b, x.worker, x.ref);
        if ((cross || !passive) && !send_value(w, b, y, x.worker, x.ref, cross))
            return false;
        mb_callers_drop(&w->others, y);
    }
    return true;
}

comm_step mb_spread(mb_worker *w, mb_block *b, uint32_t *budget, err *e)
{
    if (!send_answers(w, b) || !send_up(w, b, e)) return COMM_STEP_FULL;
    for (; *budget > 0 && b->told < b->fresh.count; --*budget) {
        vertex_id y = b->fresh.at[b->told];
        tell_own(w, b, y, e);
        if (e->code != ERR_NONE || w->over) return COMM_STEP_DONE;
        if (!tell_others(w, b, y)) return COMM_STEP_FULL;
        b->told++;
    }
    if (b->told < b->fresh.count) return COMM_STEP_BUSY;
    b->told = b->fresh.count = 0;
    vec_trim(w->m, &b->fresh);
    return COMM_STEP_BUSY;
}
