#include "algorithms/certify.h"

#include "core/graph_column.h"
#include "core/graph_cursor.h"

struct certify {
    mem *m;
    const graph *g;
    bool value;
    uint32_t *rank;   /* per vertex number: 0 not in the proof, else its rank + 1 */
    uint8_t *checked; /* per vertex number: its row was looked at */
    uint64_t entered, looked_at;
    uint8_t *used;      /* per stretch: something was entered there; NULL: no stretches */
    uint32_t stretches; /* in which something was */
    graph_charge charge;
};

static size_t stretches_of(const graph *g)
{
    return g->met ? g->vertices / g->stride : 0;
}

int certify_open(certify **out, mem *m, const graph *g, bool value, err *e)
{
    certify *c = mem_get(m, sizeof *c, e);
    if (c == NULL) return (int)e->code;
    *c = (certify){ .m = m, .g = g, .value = value };
    c->rank =
        graph_column_open(g, m, g->vertices, sizeof *c->rank, GRAPH_COLUMN_SCATTERED, e);
    if (c->rank)
        c->checked = graph_column_open(g, m, g->vertices, sizeof *c->checked,
                                       GRAPH_COLUMN_SCATTERED, e);
    graph_charge_add(&c->charge, sizeof *c->rank);
    graph_charge_add(&c->charge, sizeof *c->checked);
    if (c->checked && g->met)
        c->used = mem_get_array(m, stretches_of(g), sizeof *c->used, e);
    if (e->code == ERR_NONE) *out = c;
    else certify_close(c);
    return (int)e->code;
}

void certify_close(certify *c)
{
    if (c == NULL) return;
    graph_column_close(c->g, c->m, c->rank, c->g->vertices, sizeof *c->rank);
    graph_column_close(c->g, c->m, c->checked, c->g->vertices, sizeof *c->checked);
    mem_put(c->m, c->used, stretches_of(c->g) * sizeof *c->used);
    graph_charge_close(&c->charge, c->m);
    mem_put(c->m, c, sizeof *c);
}

static int refuse(const certify *c, vertex_id v, const char *what, err *e)
{
    char name[128] = "?";
    if (graph_trouble(c->g, e) != 0)
        return (int)e->code; /* an empty row proves nothing */
    if (v < c->g->vertices && c->g->class->name_of)
        c->g->class->name_of(c->g, v, name, sizeof name);
    return err_set(e, ERR_REFUSED, "no proof: vertex %u (%s) %s", v, name, what);
}

/* Certificates are not believed: they may speak of stretches that no row has led to. */
static int charge(certify *c, vertex_id v, err *e)
{
    if (c->used == NULL) return 0;
    uint8_t *used = &c->used[v / c->g->stride];
    c->stretches += *used == 0;
    *used = 1;
    graph_use u = { c->stretches, c->entered };
    return graph_charge_is_due(&c->charge, c->g, u)
               ? graph_charge_to(&c->charge, c->g, c->m, u, e)
               : 0;
}

int certify_enter(certify *c, vertex_id v, uint32_t rank, err *e)
{
    if (v >= c->g->vertices) return refuse(c, v, "does not exist", e);
    if (rank >= UINT32_MAX - 1) return refuse(c, v, "has an impossible rank", e);
    if (c->rank[v] != 0) return refuse(c, v, "is there twice", e);
    c->rank[v] = rank + 1;
    c->entered++;
    return charge(c, v, e);
}

/* Of an edge within block b: do the ranks keep to the rule of v? */
static int check_ranks(const certify *c, const graph_block *b, vertex_id v, vertex_id to,
                       err *e)
{
    bool bad_outside = (b->sign == GRAPH_MU) == c->value, outer = graph_is_outer(b, v);
    if (outer == bad_outside && c->rank[to] >= c->rank[v])
        return refuse(c, v, "has a rank that does not fall towards a successor", e);
    if (!outer && bad_outside && c->rank[to] > c->rank[v])
        return refuse(c, v, "has a rank that rises towards a successor", e);
    return 0;
}

/* An edge of the proof leads to a vertex of it, and along the ranks. */
static int check_edge(const certify *c, vertex_id v, vertex_id to, err *e)
{
    if (to >= c->g->vertices || c->rank[to] == 0)
        return refuse(c, v, "needs a successor that is not in the proof", e);
    uint32_t block = graph_block_of(c->g, v);
    if (graph_block_of(c->g, to) != block) return 0;
    return check_ranks(c, &c->g->blocks[block], v, to, e);
}

static int check_vertex(certify *c, vertex_id v, vertex_id choice, err *e)
{
    if (v >= c->g->vertices || c->rank[v] == 0) return refuse(c, v, "was not entered", e);
    if (c->checked[v]) return refuse(c, v, "is there twice", e);
    c->checked[v] = 1;
    c->looked_at++;
    graph_cursor row;
    graph_cursor_open(&row, c->g, v);
    bool one = (row.row.op == GRAPH_OR) == c->value, met = false;
    for (vertex_id z; graph_cursor_next(&row, &z);) {
        if (z == choice) met = true;
        if (!one && check_edge(c, v, z, e) != 0) return (int)e->code;
    }
    if (!one)
        return choice == VERTEX_NONE ? 0 : refuse(c, v, "must keep all successors", e);
    if (!met) return refuse(c, v, "names a successor that it does not have", e);
    return check_edge(c, v, choice, e);
}

int certify_check(certify *c, vertex_id v, vertex_id choice, err *e)
{
    check_vertex(c, v, choice, e);
    return graph_trouble(c->g, e);
}

int certify_finish(certify *c, vertex_id root, err *e)
{
    if (root >= c->g->vertices || c->rank[root] == 0)
        return refuse(c, root, "is what was to be proved, but is not in the proof", e);
    if (c->looked_at != c->entered)
        return refuse(c, root, "has a proof that is not whole", e);
    return 0;
}
