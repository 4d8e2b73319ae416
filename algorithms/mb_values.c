/*
 * mb_values - what is known of own vertices, and how it becomes known.
 *
 * Invariant  pending[x] is the number of answers that x awaits; while it is not stable, each edge
 *            that was looked at and whose successor was open then is counted once.  x becomes
 *            neutral when its row is complete and nothing is pending, not before: answers to
 *            the first edges may come while buffers are full.
 *            Who is stable and has dependents, or a parent to tell, is in `fresh` or `rising` once.
 */
#include "algorithms/mb_inner.h"

int mb_visit(mb_worker *w, mb_block *b, vertex_id v, err *e)
{
    w->col.status[v] |= MB_SEEN;
    w->seen++;
    if (frontier_reserve(&b->search, w->m, e) != 0) return (int)e->code;
    frontier_put(&b->search, v);
    return b->once ? 0 : vec_push(w->m, &b->visited, v, e);
}

static bool has_dependents(const mb_worker *w, vertex_id v)
{
    return w->col.waiting && (w->col.waiting[v] | w->col.calling[v]) != 0;
}

/* In a block with parents nobody is told but the parent, and only of the value that absorbs there;
   those in other blocks wait for the entry alone. */
static int rise(mb_worker *w, mb_block *b, vertex_id v, err *e)
{
    mb_rise r = { v, 0, w->part->root_owner };
    if (b->direct) r.parent = w->root_ref;
    else r.parent = w->col.choice[v];
    if (b->direct) return vec_push(w->m, &b->rising, r, e);
    if (w->col.chooser) r.at = w->col.chooser[v];
    else r.at = mb_place_of(w, r.parent).owner;
    return vec_push(w->m, &b->rising, r, e);
}

/* To be told to whoever waits.  Before the choice is written, which may be where the parent was. */
static int spread(mb_worker *w, mb_block *b, vertex_id v, err *e)
{
    if (b->parents && v != b->entry)
        return mb_value(w, v) == b->init ? 0 : rise(w, b, v, e);
    return has_dependents(w, v) ? vec_push(w->m, &b->fresh, v, e) : 0;
}

static int settle(mb_worker *w, mb_block *b, vertex_id v, bool value, uint8_t how, err *e)
{
    uint8_t *status = &w->col.status[v];
    if (*status & MB_WANTED) b->wanted--;
    *status = (uint8_t)((*status & ~MB_WANTED) | MB_STABLE | how | (value ? MB_TRUE : 0));
    w->stable++;
    if (v == w->root && !w->exhaustive) w->over = true;
    return spread(w, b, v, e);
}

static int settle_neutral(mb_worker *w, mb_block *b, vertex_id v, err *e)
{
    return settle(w, b, v, !mb_absorbing(w, b, v), 0, e);
}

static int absorb(mb_worker *w, mb_block *b, vertex_id x, bool value, worker_id by,
                  uint32_t ref, err *e)
{
    if (settle(w, b, x, value, MB_CHOSEN, e) != 0) return (int)e->code;
    if (w->col.choice) w->col.choice[x] = ref;
    if (w->col.chooser) w->col.chooser[x] = (uint16_t)by;
    return 0;
}

int mb_apply(mb_worker *w, vertex_id x, bool value, worker_id by, uint32_t ref,
             bool cross, err *e)
{
    mb_block *b = mb_block_of(w, x);
    if (cross) b->expected--;
    if (mb_is_stable(w, x)) return 0;
    if (value == mb_absorbing(w, b, x)) return absorb(w, b, x, value, by, ref, e);
    if (--w->col.pending[x] > 0 || !(w->col.status[x] & MB_COMPLETE)) return 0;
    return settle_neutral(w, b, x, e);
}

int mb_complete(mb_worker *w, mb_block *b, vertex_id x, err *e)
{
    w->col.status[x] |= MB_COMPLETE;
    if (mb_is_stable(w, x) || (w->col.pending && w->col.pending[x] > 0)) return 0;
    return settle_neutral(w, b, x, e);
}

/* ---- requests of other blocks -------------------------------------------------------------- */

static int add_dependent(mb_worker *w, const mb_request *r, err *e)
{
    mb_caller who = { r->from, r->ref };
    if (r->from != w->part->self) return mb_callers_add(&w->others, r->vertex, who, e);
    return dependencies_add(&w->own, &r->vertex, 1, 0, r->ref - w->part->origin, e);
}

static int answer(mb_worker *w, mb_block *b, const mb_request *r, err *e)
{
    if (r->from != w->part->self) return vec_push(w->m, &b->answers, *r, e);
    return mb_apply(w, r->ref - w->part->origin, mb_value(w, r->vertex), r->from,
                    mb_ref(w, r->vertex), true, e);
}

static bool accepts(const mb_worker *w, const mb_block *b)
{
    return w->session->o.policy == MB_EAGER && !comm_frozen(w->c, b->number);
}

/* `accept`: also if the vertex is new. */
static int ask(mb_worker *w, mb_block *b, const mb_request *r, bool accept, err *e)
{
    uint8_t *status = &w->col.status[r->vertex];
    if (*status & MB_STABLE) return answer(w, b, r, e);
    if (!(*status & MB_SEEN)) {
        if (!accept) return vec_push(w->m, &b->put_off, *r, e);
        if (mb_visit(w, b, r->vertex, e) != 0) return (int)e->code;
        if (b->once) b->entry = r->vertex;
    }
    if (!(*status & MB_WANTED)) b->wanted++;
    *status |= MB_WANTED;
    return add_dependent(w, r, e);
}

int mb_ask(mb_worker *w, mb_block *b, const mb_request *r, err *e)
{
    return ask(w, b, r, accepts(w, b), e);
}

/* Own requesters that have become stable meanwhile want no answer. */
static int take_up(mb_worker *w, mb_block *b, const mb_request *r, bool accept, err *e)
{
    vertex_id x = r->ref - w->part->origin;
    if (r->from != w->part->self || w->exhaustive || !mb_is_stable(w, x))
        return ask(w, b, r, accept, e);
    mb_block_of(w, x)->expected--;
    return 0;
}

/* What cannot be taken is put off again, in order. */
int mb_release(mb_worker *w, mb_block *b, bool accept, err *e)
{
    mb_request *list = b->put_off.at;
    size_t count = b->put_off.count, room = b->put_off.room;
    b->put_off.at = NULL;
    b->put_off.count = b->put_off.room = 0;
    for (size_t i = 0; i < count && e->code == ERR_NONE; i++)
        take_up(w, b, &list[i], accept, e);
    mem_put(w->m, list, room * sizeof *list);
    return (int)e->code;
}

/* ---- the end of an epoch ------------------------------------------------------------------- */

static int settle_passively(mb_worker *w, mb_block *b, vertex_id v, err *e)
{
    if (mb_is_stable(w, v)) return 0;
    return settle(w, b, v, b->init, MB_PASSIVE, e);
}

int mb_end_epoch(mb_worker *w, mb_block *b, err *e)
{
    if (b->once) {
        b->closed = true; /* what was visited has its value without being told */
        if (b->entry != VERTEX_NONE) settle_passively(w, b, b->entry, e);
    }
    for (; b->settled < b->visited.count && e->code == ERR_NONE; b->settled++)
        settle_passively(w, b, b->visited.at[b->settled], e);
    b->taken = false;
    return (int)e->code;
}
