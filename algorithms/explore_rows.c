/*
 * explore_rows - the rows of an exploration become an LTS.
 *
 * Rows of a breadth-first search are there in the order of state numbers and stay where they
 * are.  Those of another search are walked breadth-first once more and copied in that order.
 * Then labels are numbered in the order of first use: so the result depends on nothing but
 * the model.
 */
#include "algorithms/explore_rows.h"

#include <string.h>

int explore_rows_reserve(explore_rows *r, uint64_t states, uint64_t transitions, err *e)
{
    if (vec_reserve(r->m, &r->first, r->first.count + states + 1, e) != 0 ||
        vec_reserve(r->m, &r->target, r->target.count + transitions, e) != 0 ||
        vec_reserve(r->m, &r->label, (r->target.count + transitions) * r->label_bytes,
                    e) != 0)
        return (int)e->code;
    if (r->first.count == 0) r->first.at[r->first.count++] = 0;
    return 0;
}

void explore_rows_release(explore_rows *r)
{
    vec_release(r->m, &r->first);
    vec_release(r->m, &r->target);
    vec_release(r->m, &r->label);
    vec_release(r->m, &r->row);
}

static label_id label_at(const explore_rows *r, uint64_t t)
{
    if (r->label_bytes == 1) return r->label.at[t];
    if (r->label_bytes == 2) return ((const uint16_t *)r->label.at)[t];
    return ((const uint32_t *)r->label.at)[t];
}

/* ---- breadth-first ------------------------------------------------------------------------- */

typedef struct renumbering {
    explore_rows rows;   /* in the new order */
    state_id *number;    /* per old number: the new one + 1 */
    VEC(state_id) order; /* old numbers in the new order */
} renumbering;

static int meet(renumbering *n, state_id old, err *e)
{
    if (n->number[old] != 0) return 0;
    n->number[old] = (state_id)n->order.count + 1;
    return vec_push(n->rows.m, &n->order, old, e);
}

static int copy_row(renumbering *n, const explore_rows *from, state_id old, err *e)
{
    explore_rows *to = &n->rows;
    uint64_t t = from->first.at[from->row.at[old]];
    uint64_t end = from->first.at[from->row.at[old] + 1];
    if (explore_rows_reserve(to, 1, end - t, e) != 0) return (int)e->code;
    for (; t < end; t++) {
        if (meet(n, from->target.at[t], e) != 0) return (int)e->code;
        explore_rows_put(to, to->target.count++, label_at(from, t),
                         n->number[from->target.at[t]] - 1);
    }
    to->first.at[to->first.count++] = to->target.count;
    return 0;
}

/* The initial state is number 0 in any order. */
static int renumber(explore_rows *r, err *e)
{
    size_t states = r->row.count;
    renumbering n = { .rows = { .m = r->m, .label_bytes = r->label_bytes } };
    n.number = mem_get_array(r->m, states, sizeof *n.number, e);
    if (n.number) meet(&n, 0, e);
    for (size_t i = 0; i < n.order.count && e->code == ERR_NONE; i++)
        copy_row(&n, r, n.order.at[i], e);
    mem_put(r->m, n.number, states * sizeof *n.number);
    vec_release(r->m, &n.order);
    explore_rows_release(e->code == ERR_NONE ? r : &n.rows);
    if (e->code == ERR_NONE) *r = n.rows;
    return (int)e->code;
}

/* ---- labels -------------------------------------------------------------------------------- */

/* Number labels in order of first use; afterwards rename[l] is the new number + 1. */
static int number_labels(const explore_rows *r, const label_table *labels,
                         label_table *fresh, label_id *rename, err *e)
{
    for (uint64_t t = 0; t < r->target.count; t++) {
        label_id l = label_at(r, t);
        if (rename[l] != 0) continue;
        size_t bytes;
        const char *text = label_table_text(labels, l, &bytes);
        if (label_table_put(fresh, text, bytes, &rename[l], e) != 0) return (int)e->code;
        rename[l]++;
    }
    return 0;
}

/* From the front: new labels are no wider than the old ones they stand on. */
static void rename_labels(explore_rows *r, const label_id *rename, unsigned label_bytes)
{
    explore_rows to = *r;
    to.label_bytes = label_bytes;
    for (uint64_t t = 0; t < r->target.count; t++)
        explore_rows_put(&to, t, rename[label_at(r, t)] - 1, r->target.at[t]);
    r->label_bytes = label_bytes;
}

/* Blocks of exactly their size, as an LTS has them. */
static int give_away(explore_rows *r, lts *out, err *e)
{
    mem *m = r->m;
    out->states = (state_id)(r->first.count - 1);
    out->initial = 0;
    out->transitions = r->target.count;
    out->label_bytes = r->label_bytes;
    size_t first = r->first.count * sizeof *r->first.at;
    size_t target = r->target.count * sizeof *r->target.at;
    size_t label = r->target.count * r->label_bytes;
    uint64_t *a =
        mem_resize(m, r->first.at, r->first.room * sizeof *r->first.at, first, e);
    if (a) out->first = a, r->first.at = NULL, r->first.room = 0;
    state_id *b =
        a ? mem_resize(m, r->target.at, r->target.room * sizeof *r->target.at, target, e)
          : NULL;
    if (b) out->target = b, r->target.at = NULL, r->target.room = 0;
    void *c = b ? mem_resize(m, r->label.at, r->label.room, label, e) : NULL;
    if (c) out->label = c, r->label.at = NULL, r->label.room = 0;
    return (int)e->code;
}

int explore_rows_take(explore_rows *r, const label_table *labels, lts *out, err *e)
{
    size_t count = label_table_count(labels);
    *out = (lts){ .m = r->m };
    if (r->row.count > 0 && renumber(r, e) != 0) return (int)e->code;
    label_id *rename = mem_get_array(r->m, count, sizeof *rename, e);
    if (rename && label_table_open(&out->labels, r->m, e) == 0 &&
        number_labels(r, labels, out->labels, rename, e) == 0) {
        rename_labels(r, rename, label_table_width(label_table_count(out->labels)));
        give_away(r, out, e);
    }
    mem_put(r->m, rename, count * sizeof *rename);
    if (e->code != ERR_NONE) lts_close(out);
    return (int)e->code;
}
