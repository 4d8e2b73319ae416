/*
 * mb_reason - a proof that several workers have walked, over the whole graph again.
 *
 * Idea       Names are wire forms, in one store: of the vertices of the proof and of the successors
 *            that they keep, which are vertices of it too.  From the root of the whole graph on,
 *            names are looked up; a kept successor is the one in the row that has the name.
 * Cost       Twelve bytes and a wire form per vertex of the proof; each row of it once.
 */
#include "algorithms/mb_gather.h"

#include "core/graph_cursor.h"
#include "core/graph_part.h"
#include "core/vec.h"
#include "core/vertex_store.h"

#include <string.h>

/* What is known of a name, in mb_reason.kept. */
enum {
    ONLY_NAMED, /* a successor that is kept; nobody has told more by now */
    KEEPS_ALL,  /* a vertex of the proof */
    KEEPS       /* one: + the number of its name */
};

struct mb_reason {
    mem *m;
    vertex_store *names;
    VEC(uint32_t) kept; /* of every name */
    uint64_t count;
    uint32_t words;
    bool value;
};

/* ---- names --------------------------------------------------------------------------------- */

int mb_gather_open(mb_reason **out, mem *m, uint32_t words, bool value, err *e)
{
    mb_reason *r = mem_get(m, sizeof *r, e);
    if (r == NULL) return (int)e->code;
    r->m = m;
    r->words = words;
    r->value = value;
    if (vertex_store_open(&r->names, m, words, INT32_MAX, e) == 0) *out = r;
    else mb_reason_close(r);
    return (int)e->code;
}

void mb_reason_close(mb_reason *r)
{
    if (r == NULL) return;
    mem *m = r->m;
    vertex_store_close(r->names);
    vec_release(m, &r->kept);
    mem_put(m, r, sizeof *r);
}

uint64_t mb_reason_count(const mb_reason *r) { return r->count; }

static int number_of(mb_reason *r, const uint32_t *name, local_id *out, err *e)
{
    uint64_t hash = vertex_store_hash(name, r->words);
    if (vertex_store_put(r->names, name, hash, out, e) != 0) return (int)e->code;
    return *out < r->kept.count ? 0 : vec_push(r->m, &r->kept, ONLY_NAMED, e);
}

int mb_gather_put(mb_reason *r, const uint32_t *vertex, const uint32_t *choice, err *e)
{
    local_id v, z;
    if (number_of(r, vertex, &v, e) != 0) return (int)e->code;
    if (choice && number_of(r, choice, &z, e) != 0) return (int)e->code;
    if (r->kept.at[v] == ONLY_NAMED) r->count++;
    r->kept.at[v] = choice ? KEEPS + z : KEEPS_ALL;
    return 0;
}

/* ---- over the whole graph ------------------------------------------------------------------ */

typedef struct filling {
    const mb_reason *r;
    solution *s;
    mb_reason_wire *wire;
    const void *of;
    VEC(vertex_id) todo; /* met, in that order */
} filling;

static int meet(filling *f, vertex_id v, err *e)
{
    return solution_visit(f->s, v) ? vec_push(f->r->m, &f->todo, v, e) : 0;
}

/* What was told of a vertex. */
static uint32_t told(const filling *f, vertex_id v)
{
    uint32_t name[GRAPH_PART_WIRE_MAX];
    f->wire(f->of, v, name);
    local_id id =
        vertex_store_find(f->r->names, name, vertex_store_hash(name, f->r->words));
    return id == UINT32_MAX ? ONLY_NAMED : f->r->kept.at[id];
}

static vertex_id find_named(const filling *f, graph_cursor *row, local_id id)
{
    uint32_t name[GRAPH_PART_WIRE_MAX];
    for (vertex_id z; graph_cursor_next(row, &z);) {
        f->wire(f->of, z, name);
        if (memcmp(name, vertex_store_key(f->r->names, id), f->r->words * sizeof *name) ==
            0)
            return z;
    }
    return VERTEX_NONE;
}

static int disagree(const filling *f, vertex_id v, err *e)
{
    char name[120];
    if (graph_trouble(f->s->g, e) != 0) return (int)e->code;
    f->s->g->class->name_of(f->s->g, v, name, sizeof name);
    return err_set(e, ERR_SYSTEM, "what the workers told of %s does not fit the graph",
                   name);
}

static int fill_one(filling *f, vertex_id v, err *e)
{
    graph_cursor row;
    uint32_t kept = told(f, v);
    graph_cursor_open(&row, f->s->g, v);
    bool one = graph_absorbing(row.row.op) == f->r->value;
    if (kept == ONLY_NAMED || one != (kept >= KEEPS)) return disagree(f, v, e);
    if (one) {
        vertex_id z = find_named(f, &row, kept - KEEPS);
        if (z == VERTEX_NONE) return disagree(f, v, e);
        solution_choose(f->s, v, f->r->value, z);
        return meet(f, z, e);
    }
    solution_settle(f->s, v, f->r->value);
    for (vertex_id z; e->code == ERR_NONE && graph_cursor_next(&row, &z);) meet(f, z, e);
    return graph_trouble(f->s->g, e);
}

int mb_reason_fill(const mb_reason *r, solution *s, mb_reason_wire *wire, const void *of,
                   err *e)
{
    filling f = { .r = r, .s = s, .wire = wire, .of = of };
    meet(&f, s->g->root, e);
    for (size_t i = 0; e->code == ERR_NONE && i < f.todo.count; i++)
        if (graph_charge_look(&s->charge, s->g, s->m, f.todo.count, e) == 0)
            fill_one(&f, f.todo.at[i], e);
    vec_release(r->m, &f.todo);
    return (int)e->code;
}
