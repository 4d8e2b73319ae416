#include "core/lts_assembly.h"

#include "core/lts_build.h"

#include <sched.h>
#include <stdlib.h>

/* The rows, if they can be had; what a header promises may be more than there is memory. */
static void allocate_rows(lts_assembly *a, state_id states, uint64_t transitions)
{
    err unwilling = ERR_INIT;
    a->g.states = states;
    a->g.transitions = a->room = transitions;
    a->g.label_bytes = 1;
    a->direct = lts_allocate(&a->g, &unwilling) == 0;
}

int lts_assembly_open(lts_assembly *a, mem *m, state_id states, uint64_t transitions,
                      err *e)
{
    *a = (lts_assembly){ .g = { .m = m } };
    if (label_table_open(&a->g.labels, m, e) != 0) return (int)e->code;
    if (states != 0) allocate_rows(a, states, transitions);
    return 0;
}

void lts_assembly_close(lts_assembly *a)
{
    if (a->g.m) lts_close(&a->g);
}

void lts_store_release(lts_store *s, mem *m)
{
    arena_release(&s->memory);
    vec_release(m, &s->parts);
}

/* ---- a batch's turn ------------------------------------------------------------------ */

static void wait_until_placed(const lts_assembly *a)
{
    while (atomic_load(&a->placed) != a->turns) sched_yield();
}

/* More labels than the column holds: everybody finishes, then it is copied, wider. */
static int widen_labels(lts_assembly *a, unsigned bytes, err *e)
{
    lts wider = a->g;
    wider.label_bytes = bytes;
    wider.label = mem_get_array(a->g.m, a->room, bytes, e);
    if (wider.label == NULL) return (int)e->code;
    wait_until_placed(a);
    for (uint64_t t = 0; t < a->direct_count; t++)
        lts_set_label(&wider, t, lts_label(&a->g, t));
    mem_put(a->g.m, a->g.label, a->room * a->g.label_bytes);
    a->g = wider;
    return 0;
}

static bool continues_rows(const lts_assembly *a, const lts_batch *b)
{
    size_t count = b->edges.count;
    if (!a->direct || a->room - a->direct_count < count) return false;
    return count == 0 || ((uint64_t)b->edges.at[0].from + 1 >= a->rows && b->ascends);
}

int lts_assembly_turn(lts_assembly *a, lts_ticket *out, uint64_t order,
                      const lts_batch *b, err *e)
{
    size_t count = b->edges.count;
    a->direct = continues_rows(a, b);
    *out = (lts_ticket){ order, a->direct, a->count, a->rows };
    a->count += count;
    if (!a->direct) return 0;
    unsigned bytes = label_table_width(label_table_count(a->g.labels));
    if (bytes > a->g.label_bytes && widen_labels(a, bytes, e) != 0) return (int)e->code;
    a->direct_count += count;
    if (count > 0) a->rows = (uint64_t)b->edges.at[count - 1].from + 1;
    a->turns++;
    return 0;
}

/* ---- placing it ---------------------------------------------------------------------- */

static void place_targets_and_rows(lts *g, const lts_ticket *t, const lts_batch *b)
{
    uint64_t rows = t->rows;
    for (size_t i = 0; i < b->edges.count; i++) {
        g->target[t->base + i] = b->edges.at[i].to;
        while (rows <= b->edges.at[i].from) g->first[rows++] = t->base + i;
    }
}

static void place_labels(lts *g, uint64_t base, const lts_batch *b,
                         const label_id *rename)
{
    if (g->label_bytes == 1) {
        uint8_t *label = (uint8_t *)g->label + base;
        for (size_t i = 0; i < b->edges.count; i++)
            label[i] = (uint8_t)rename[b->edges.at[i].label];
        return;
    }
    for (size_t i = 0; i < b->edges.count; i++)
        lts_set_label(g, base + i, rename[b->edges.at[i].label]);
}

int lts_assembly_place(lts_assembly *a, const lts_ticket *t, lts_batch *b,
                       const label_id *rename, lts_store *s, err *e)
{
    if (!t->direct) {
        lts_part part = { .order = t->order };
        if (lts_part_make(&part, b, rename, a->g.m, &s->memory, e) != 0)
            return (int)e->code;
        return vec_push(a->g.m, &s->parts, part, e);
    }
    place_targets_and_rows(&a->g, t, b);
    place_labels(&a->g, t->base, b, rename);
    b->edges.count = 0;
    atomic_fetch_add(&a->placed, 1);
    return 0;
}

/* ---- the end ------------------------------------------------------------------------- */

typedef VEC(lts_part) part_list;

static int by_order(const void *a, const void *b)
{
    uint64_t x = ((const lts_part *)a)->order, y = ((const lts_part *)b)->order;
    return (x > y) - (x < y);
}

/* The rows filled so far, as parts that precede all others. */
static int list_rows(lts_assembly *a, state_id *from, part_list *into, err *e)
{
    enum { PIECE = 1 << 24 };
    const lts *g = &a->g;
    for (uint64_t s = 0; s < a->rows; s++) {
        uint64_t end = s + 1 < a->rows ? g->first[s + 1] : a->direct_count;
        for (uint64_t t = g->first[s]; t < end; t++) from[t] = (state_id)s;
    }
    for (uint64_t t = 0; t < a->direct_count; t += PIECE) {
        uint64_t rest = a->direct_count - t;
        lts_part part = { .count = (uint32_t)(rest < PIECE ? rest : PIECE),
                          .label_bytes = g->label_bytes,
                          .from = from + t,
                          .to = g->target + t,
                          .label = (char *)g->label + t * g->label_bytes };
        if (vec_push(g->m, into, part, e) != 0) return (int)e->code;
    }
    return 0;
}

static int list_parts(const lts_store *stores, size_t count, mem *m, part_list *into,
                      err *e)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < stores[i].parts.count; k++)
            if (vec_push(m, into, stores[i].parts.at[k], e) != 0) return (int)e->code;
    return 0;
}

/* Out of order: what is in the rows and all parts are merged into a fresh LTS. */
static int merge(lts_assembly *a, lts *out, const lts_store *stores, size_t store_count,
                 int threads, err *e)
{
    mem *m = a->g.m;
    part_list all = { 0 };
    state_id *from = mem_get_array(m, a->direct_count, sizeof *from, e);
    if (from && list_rows(a, from, &all, e) == 0) {
        size_t before = all.count;
        if (list_parts(stores, store_count, m, &all, e) == 0) {
            if (all.count > before)
                qsort(all.at + before, all.count - before, sizeof *all.at, by_order);
            lts_build(out, all.at, all.count, threads, e);
        }
    }
    mem_put(m, from, a->direct_count * sizeof *from);
    vec_release(m, &all);
    return (int)e->code;
}

/* Rows that were never begun are empty. */
static void finish_rows(lts_assembly *a)
{
    for (uint64_t s = a->rows; s <= a->g.states; s++) a->g.first[s] = a->g.transitions;
}

int lts_assembly_finish(lts_assembly *a, lts *out, state_id states, state_id initial,
                        const lts_store *stores, size_t store_count, int threads, err *e)
{
    if (a->direct && a->direct_count == a->room) {
        finish_rows(a);
        *out = a->g;
        out->initial = initial;
        a->g = (lts){ .m = NULL };
        return 0;
    }
    *out = (lts){ .m = a->g.m, .states = states, .initial = initial };
    out->labels = a->g.labels;
    a->g.labels = NULL;
    if (a->direct_count == 0) lts_close(&a->g); /* rows that were never used */
    return merge(a, out, stores, store_count, threads, e);
}
