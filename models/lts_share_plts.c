/*
 * lts_share_plts - a .plts, of which each rank reads a range of states.
 *
 * With the distribution block that range is its share, and becomes the rows as it is.  Otherwise it is
 * read in stretches of a few megabytes, whose transitions are sent to their owners.
 */
#include "models/lts_share_job.h"

#include <string.h>

enum { STRETCH_BYTES = 4 << 20, SLICE_EDGES = 1 << 15 };

/* So many states that a stretch of them has about STRETCH_BYTES; or, of a large share, a part. */
static state_id stretch_of(const plts_range *whole, uint32_t ranks)
{
    enum { PARTS = 32 };
    if (whole->states == 0) return 1;
    uint64_t bytes = whole->states * sizeof(uint64_t) +
                     whole->transitions * (sizeof(state_id) + whole->label_bytes);
    uint64_t share = whole->states / ranks / PARTS;
    uint64_t step = (uint64_t)((double)STRETCH_BYTES / (double)bytes * whole->states);
    if (step < share) step = share;
    return step < 1 ? 1 : step > whole->states ? whole->states : (state_id)step;
}

/* The range becomes the rows, counted from their first one. */
static void take_range(lts_share_job *j, plts_range *r)
{
    lts *g = &j->out->rows;
    uint64_t before = r->first[0];
    for (state_id i = 0; i <= r->hi - r->lo; i++) r->first[i] -= before;
    g->states = r->hi - r->lo;
    g->transitions = r->first[g->states];
    g->first = r->first;
    g->target = r->target;
    g->label = r->label;
    g->label_bytes = r->label_bytes;
    label_table_close(r->labels); /* the rows have theirs */
    *r = (plts_range){ .m = r->m };
}

/* The last ranks may have numbers that are no states. */
static int add_empty_rows(lts *g, state_id states, err *e)
{
    size_t old = (size_t)g->states + 1, new = (size_t)states + 1;
    uint64_t *first =
        mem_resize(g->m, g->first, old * sizeof *first, new * sizeof *first, e);
    if (first == NULL) return (int)e->code;
    for (size_t i = old; i < new; i++) first[i] = g->transitions;
    g->first = first;
    g->states = states;
    return 0;
}

static int read_directly(lts_share_job *j, err *e)
{
    const distribution *d = &j->out->places;
    uint64_t lo = (uint64_t)j->rank * d->range, hi = lo + d->range;
    if (lo > d->states) lo = d->states;
    if (hi > d->states) hi = d->states;
    j->direct = true;
    if (plts_range_read(&j->part, j->path, (state_id)lo, (state_id)hi, &j->load, e) != 0)
        return (int)e->code;
    take_range(j, &j->part);
    if (add_empty_rows(&j->out->rows, d->range, e) != 0) return (int)e->code;
    lts_share_job_count(j);
    j->sent = j->out->own;
    return 0;
}

/* The range without a state tells the counts and has the labels. */
int lts_share_plts_open(lts_share_job *j, err *e)
{
    plts_range *r = &j->part;
    j->phase = LTS_SHARE_SEND;
    if (plts_range_read(r, j->path, 0, 0, &j->load, e) != 0) return (int)e->code;
    j->out->rows.labels = r->labels;
    r->labels = NULL;
    j->next = (state_id)((uint64_t)r->states * j->rank / j->ranks);
    j->end = (state_id)((uint64_t)r->states * (j->rank + 1) / j->ranks);
    j->step = stretch_of(r, j->ranks);
    j->direct = j->kind == DISTRIBUTION_BLOCK;
    progress_begin(j->load.clock, "reading", "states", j->end);
    lts_share_job_place(j, r->states, r->initial, r->transitions);
    plts_range_close(r);
    return j->kind == DISTRIBUTION_BLOCK ? read_directly(j, e) : 0;
}

void lts_share_plts_close(lts_share_job *j)
{
    if (j->part.m == NULL) return;
    progress_end(j->load.clock);
    plts_range_close(&j->part);
    lts_batch_release(&j->slice, j->load.m);
}

static int read_stretch(lts_share_job *j, err *e)
{
    state_id hi = j->end - j->next > j->step ? j->next + j->step : j->end;
    plts_range_close(&j->part);
    if (progress_tick(j->load.clock, j->next, e) != 0 ||
        plts_range_read(&j->part, j->path, j->next, hi, &j->load, e) != 0)
        return (int)e->code;
    j->next = hi;
    j->row = 0;
    j->edge = j->part.first[0];
    return 0;
}

static label_id label_of(const plts_range *r, uint64_t i)
{
    if (r->label_bytes == 1) return ((const uint8_t *)r->label)[i];
    if (r->label_bytes == 2) return ((const uint16_t *)r->label)[i];
    return ((const uint32_t *)r->label)[i];
}

/* Go on in the stretch until the slice is full. */
static void fill_slice(lts_share_job *j)
{
    const plts_range *r = &j->part;
    uint64_t base = r->first[0];
    lts_edge *edges = j->slice.edges.at;
    size_t count = 0;
    for (; j->row < r->hi - r->lo; j->row++)
        for (; j->edge < r->first[j->row + 1]; j->edge++) {
            uint64_t i = j->edge - base;
            if (count == SLICE_EDGES) goto full;
            edges[count++] = (lts_edge){ r->lo + j->row, r->target[i], label_of(r, i) };
        }
full:
    j->slice.edges.count = count;
}

size_t lts_share_plts_next(lts_share_job *j, err *e)
{
    if (j->direct || vec_reserve(j->load.m, &j->slice.edges, SLICE_EDGES, e) != 0)
        return 0;
    if (j->part.first) fill_slice(j);
    while (j->slice.edges.count == 0 && j->next < j->end) {
        if (read_stretch(j, e) != 0) return 0;
        fill_slice(j);
    }
    if (j->slice.edges.count == 0) return 0;
    return lts_share_job_translate(j, &j->slice, NULL, &j->sent, e) == 0;
}
