#include "algorithms/propagation.h"

int propagation_open(propagation *p, const run *r, uint32_t block, err *e)
{
    *p = (propagation){ .r = *r, .block = r->blocks[block] };
    uint32_t vertices = p->block.end - p->block.begin;
    p->one_call = (p->block.promise & GRAPH_SINGLE_ENTRY) != 0;
    solution_note_block(r->found, 2);
    p->pending = graph_column_open(r->g, r->m, vertices, sizeof *p->pending,
                                   GRAPH_COLUMN_DENSE, e);
    if (p->pending == NULL) return (int)e->code;
    return dependencies_open(&p->waiting, r->m, r->g, vertices, e);
}

void propagation_close(propagation *p)
{
    if (p->r.m == NULL) return;
    uint32_t vertices = p->block.end - p->block.begin;
    graph_column_close(p->r.g, p->r.m, p->pending, vertices, sizeof *p->pending);
    dependencies_close(&p->waiting);
    vec_release(p->r.m, &p->fresh);
    vec_release(p->r.m, &p->visited);
    *p = (propagation){ .pending = NULL };
}

static bool absorbing_for(const propagation *p, vertex_id y)
{
    return !(p->r.found->status[y] & PROPAGATION_AND);
}

static int settle_neutral(propagation *p, vertex_id y, err *e)
{
    solution_settle(p->r.found, y, !absorbing_for(p, y));
    return vec_push(p->r.m, &p->fresh, y, e);
}

int propagation_apply(propagation *p, vertex_id y, vertex_id z, err *e)
{
    bool value = solution_value(p->r.found, z);
    if (value != absorbing_for(p, y) || solution_is_stable(p->r.found, y)) return 0;
    solution_choose(p->r.found, y, value, z);
    return vec_push(p->r.m, &p->fresh, y, e);
}

int propagation_row_done(propagation *p, vertex_id y, err *e)
{
    p->r.found->status[y] |= PROPAGATION_ROW_DONE;
    if (p->pending[y - p->block.begin] > 0 || solution_is_stable(p->r.found, y)) return 0;
    return settle_neutral(p, y, e);
}

/* y waited for z, which has a value now. */
static int tell(propagation *p, vertex_id y, vertex_id z, err *e)
{
    p->r.found->back++;
    if (solution_is_stable(p->r.found, y)) return 0;
    if (solution_value(p->r.found, z) == absorbing_for(p, y))
        return propagation_apply(p, y, z, e);
    bool last = --p->pending[y - p->block.begin] == 0;
    bool complete = (p->r.found->status[y] & PROPAGATION_ROW_DONE) != 0;
    return last && complete ? settle_neutral(p, y, e) : 0;
}

int propagation_tell_all(propagation *p, err *e)
{
    vertex_id begin = p->block.begin;
    for (size_t i = 0; i < p->fresh.count; i++) { /* grows; in the order of settling */
        vertex_id z = p->fresh.at[i];
        uint32_t who;
        while (dependencies_take(&p->waiting, z - begin, &who))
            if (tell(p, begin + who, z, e) != 0) return (int)e->code;
    }
    p->fresh.count = 0;
    return 0;
}

void propagation_finish(propagation *p)
{
    solution *found = p->r.found;
    if (p->one_call) solution_settle_seen(found, &p->block);
    for (size_t i = 0; i < p->visited.count; i++)
        if (!solution_is_stable(found, p->visited.at[i]))
            solution_settle(found, p->visited.at[i], p->block.sign == GRAPH_NU);
    p->visited.count = 0;
}
