/*
 * enc_mcl_rows - the rows of some states, gathered.
 */
#include "encodings/enc_mcl_rows.h"

#include "core/lts_build.h"

enum { CHUNK = 1 << 16 };

struct enc_mcl_rows {
    mem *m;
    enc_mcl_parts *parts;
    const distribution *places;
    label_table *labels;
    uint8_t *told;   /* owned; per state of the rank: its row was given */
    lts_batch taken; /* owned */
    arena memory;    /* owned */
    lts all;         /* owned, but for its labels */
    model whole;     /* of them */
};

int enc_mcl_rows_open(enc_mcl_rows **out, enc_mcl_parts *parts, const lts *rows,
                      const distribution *places, err *e)
{
    enc_mcl_rows *x = mem_get(rows->m, sizeof *x, e);
    if (x == NULL) return (int)e->code;
    x->m = rows->m;
    x->parts = parts;
    x->places = places;
    x->labels = rows->labels;
    x->memory = ARENA_INIT(x->m, CHUNK);
    x->told = mem_get_array(x->m, places->range, sizeof *x->told, e);
    if (e->code == ERR_NONE) *out = x;
    else enc_mcl_rows_close(x);
    return (int)e->code;
}

void enc_mcl_rows_close(enc_mcl_rows *x)
{
    if (x == NULL) return;
    mem *m = x->m;
    mem_put(m, x->told, x->places->range * sizeof *x->told);
    lts_batch_release(&x->taken, m);
    arena_release(&x->memory);
    x->all.labels = NULL;
    if (x->all.m) lts_close(&x->all);
    mem_put(m, x, sizeof *x);
}

/* ---- owners -------------------------------------------------------------------------------- */

bool enc_mcl_rows_next(void *rows, uint32_t here, vertex_id v, uint32_t i,
                       uint32_t *record)
{
    enc_mcl_rows *x = rows;
    const enc_mcl *encoding = enc_mcl_part_encoding(x->parts, here);
    const graph_part *p = enc_mcl_part_of(x->parts, here);
    state_id s = enc_mcl_state(encoding, v), place = p->self / p->threads * p->stride + s;
    lts_row row = state_space_row(enc_mcl_space(encoding), s);
    if (i == 0 && x->told[s]) return false;
    x->told[s] = 1;
    if (i >= row.count) return false;
    /* a target is a link of position 0 where there are several ranks, else a number */
    vertex_link to = row.target[i];
    uint32_t rank = p->ranks == 1 ? 0 : to / p->share;
    record[0] = distribution_state(x->places, place);
    record[1] = lts_row_label(&row, i);
    record[2] = distribution_state(x->places, rank * p->stride + (to - rank * p->share));
    return true;
}

/* ---- who takes them ------------------------------------------------------------------------ */

int enc_mcl_rows_take(void *rows, const uint32_t *record, err *e)
{
    enc_mcl_rows *x = rows;
    lts_edge edge = { .from = record[0], .to = record[2], .label = record[1] };
    if (edge.from >= x->places->states || edge.to >= x->places->states ||
        edge.label >= label_table_count(x->labels))
        return err_set(e, ERR_SYSTEM, "damaged message: a transition of state %u",
                       edge.from);
    return vec_push(x->m, &x->taken.edges, edge, e);
}

static int build(enc_mcl_rows *x, const label_id *same, err *e)
{
    lts_part part;
    if (x->taken.edges.count > UINT32_MAX)
        return err_set(e, ERR_LIMIT, "the reason has more than 2^32 - 1 transitions");
    lts_batch_seal(&x->taken);
    if (lts_part_make(&part, &x->taken, same, x->m, &x->memory, e) != 0)
        return (int)e->code;
    lts_batch_release(&x->taken, x->m);
    lts_build(&x->all, &part, 1, 1, e);
    arena_release(&x->memory);
    x->memory = ARENA_INIT(x->m, CHUNK);
    return (int)e->code;
}

int enc_mcl_rows_model(const model **out, enc_mcl_rows *x, state_id initial, err *e)
{
    size_t labels = label_table_count(x->labels);
    label_id *same = mem_get_array(x->m, labels + 1, sizeof *same, e);
    if (same == NULL) return (int)e->code;
    for (label_id l = 0; l < labels; l++) same[l] = l;
    x->all = (lts){ .m = x->m, .states = x->places->states, .initial = initial };
    x->all.labels = x->labels;
    if (build(x, same, e) == 0) {
        x->whole =
            (model){ .m = x->m, .key_words = 1, .labels = x->labels, .rows = &x->all };
        *out = &x->whole;
    }
    mem_put(x->m, same, (labels + 1) * sizeof *same);
    return (int)e->code;
}
