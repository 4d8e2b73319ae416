#include "tests/nested_case.h"

#include "core/random.h"

/* ---- a graph ----------------------------------------------------------------------------- */

static void expand(const graph *g, vertex_id v, graph_place place, vertex_id *buffer,
                   uint32_t room, graph_row *out)
{
    const nested_case *c = (const nested_case *)g;
    *out = (graph_row){ .op = c->op[v], .next = GRAPH_ROW_END };
    for (uint32_t i = place; i < c->degree[v]; i++) {
        if (out->count == room) {
            out->next = i;
            return;
        }
        buffer[out->count++] = c->to[v][i];
    }
}

static const graph_class nested_class = { .name = "nested", .expand = expand };

static bool chance(random_stream *r, uint64_t percent)
{
    return random_below(r, 100) < percent;
}

/* The kind of a block whose range is known. */
static void make_block(graph_block *b, random_stream *r)
{
    bool nested = chance(r, 65);
    b->sign = chance(r, 50) ? GRAPH_NU : GRAPH_MU;
    b->promise = chance(r, 30)   ? GRAPH_GENERAL
                 : chance(r, 50) ? GRAPH_DISJUNCTIVE
                                 : GRAPH_CONJUNCTIVE;
    if (nested) {
        b->promise = b->sign == GRAPH_NU ? GRAPH_DISJUNCTIVE : GRAPH_CONJUNCTIVE;
        b->outer_end = b->begin + (vertex_id)random_below(r, b->end - b->begin) + 1;
        if (b->begin > 0 && chance(r, 10)) b->outer_end = b->begin; /* none is outer */
    }
    if (b->promise != GRAPH_GENERAL && chance(r, 60)) b->promise |= GRAPH_PURE;
}

/* Has the vertex the operator that its block promises to be the other one? */
static bool is_other(const graph_block *b, graph_op op)
{
    return (b->promise & GRAPH_DISJUNCTIVE && op == GRAPH_AND) ||
           (b->promise & GRAPH_CONJUNCTIVE && op == GRAPH_OR);
}

static void make_vertex(nested_case *c, const graph_block *b, vertex_id v,
                        random_stream *r)
{
    bool pure = b->promise & GRAPH_PURE;
    c->op[v] = chance(r, 50) ? GRAPH_OR : GRAPH_AND;
    if (is_other(b, c->op[v]) && chance(r, pure ? 80 : 40))
        c->op[v] = c->op[v] == GRAPH_OR ? GRAPH_AND : GRAPH_OR;
    bool other = is_other(b, c->op[v]), inside = false;
    uint64_t degree = chance(r, 10) ? 0 : 1 + random_below(r, NESTED_DEGREE);
    if (other && pure) degree = 0;
    for (uint64_t i = 0; i < degree; i++) {
        bool stay = b->end == c->base.vertices || chance(r, 85);
        if (stay && other && inside) continue;
        inside |= stay;
        vertex_id from = stay ? b->begin : b->end, to = stay ? b->end : c->base.vertices;
        c->to[v][c->degree[v]++] = from + (vertex_id)random_below(r, to - from);
    }
}

void nested_case_make(nested_case *c, uint64_t seed, vertex_id most)
{
    random_stream r = random_open(seed, 0);
    *c = (nested_case){ .base = { .class = &nested_class } };
    c->base.blocks = c->blocks;
    c->base.vertices = 1 + (vertex_id)random_below(&r, most);
    vertex_id begin = 0;
    while (begin < c->base.vertices) {
        graph_block *b = &c->blocks[c->base.block_count++];
        vertex_id rest = c->base.vertices - begin;
        bool last = c->base.block_count == NESTED_BLOCKS || chance(&r, 30);
        b->begin = begin;
        begin += last ? rest : 1 + (vertex_id)random_below(&r, rest);
        b->end = begin;
        make_block(b, &r);
    }
    c->base.root = (vertex_id)random_below(&r, c->blocks[0].end);
    for (uint32_t k = 0; k < c->base.block_count; k++)
        for (vertex_id v = c->blocks[k].begin; v < c->blocks[k].end; v++)
            make_vertex(c, &c->blocks[k], v, &r);
}

/* ---- its values ---------------------------------------------------------------------------- */

static uint8_t right_side(const nested_case *c, vertex_id v)
{
    unsigned all = 1, some = 0;
    for (uint32_t i = 0; i < c->degree[v]; i++) {
        all &= c->right[c->to[v][i]];
        some |= c->right[c->to[v][i]];
    }
    return (uint8_t)(c->op[v] == GRAPH_AND ? all : some);
}

static void set(nested_case *c, vertex_id begin, vertex_id end, bool value)
{
    for (vertex_id v = begin; v < end; v++) c->right[v] = value;
}

/* Every vertex once; has one changed? */
static bool improve(nested_case *c, vertex_id begin, vertex_id end)
{
    bool changed = false;
    for (vertex_id v = begin; v < end; v++) {
        uint8_t now = right_side(c, v);
        changed = changed || now != c->right[v];
        c->right[v] = now;
    }
    return changed;
}

static void solve_block(nested_case *c, const graph_block *b)
{
    vertex_id outer_end = b->outer_end ? b->outer_end : b->end;
    set(c, b->begin, outer_end, b->sign == GRAPH_NU);
    do {
        set(c, outer_end, b->end, b->sign == GRAPH_MU);
        while (improve(c, outer_end, b->end)) {}
    } while (improve(c, b->begin, outer_end));
}

void nested_case_solve(nested_case *c)
{
    for (uint32_t k = c->base.block_count; k > 0; k--) solve_block(c, &c->blocks[k - 1]);
}
