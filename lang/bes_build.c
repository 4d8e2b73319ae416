#include "lang/bes_raw.h"

/* What is built, and where each block of the lists has gone. */
typedef struct build {
    bes *b;
    const bes_raw *r;
    vertex_id *begin; /* per block of the lists: its first vertex */
} build;

/* Does a constant among its operands decide an equation, and how?  -1: none does. */
static int decided(const bes_raw *r, const bes_raw_equation *q)
{
    bool absorbing = graph_absorbing(q->op), undecided = false;
    for (size_t i = q[0].first; i < q[1].first; i++) {
        const bes_raw_operand *o = &r->operand.at[i];
        if (o->block != BES_RAW_CONSTANT) undecided = true;
        else if ((o->variable != 0) == absorbing) return absorbing;
    }
    return undecided ? -1 : !absorbing;
}

/* How many operands are left of an equation: constants go. */
static uint64_t count_operands(const bes_raw *r, const bes_raw_equation *q)
{
    uint64_t n = 0;
    if (decided(r, q) >= 0) return 0;
    for (size_t i = q[0].first; i < q[1].first; i++)
        n += r->operand.at[i].block != BES_RAW_CONSTANT;
    return n;
}

/* The operator for equations of one operand: that of the others in the block, when they
   agree; or in a mu-block and and in a nu-block when there are no others. */
static graph_op choose_operator(const bes_raw *r, uint32_t block)
{
    bool has[2] = { false, false };
    const bes_raw_equation *q = r->equation.at;
    for (uint32_t i = r->block.at[block].first; i < r->block.at[block + 1].first; i++)
        if (count_operands(r, &q[i]) > 1) has[q[i].op] = true;
    if (has[GRAPH_OR] != has[GRAPH_AND]) return has[GRAPH_OR] ? GRAPH_OR : GRAPH_AND;
    return r->block.at[block].sign == GRAPH_MU ? GRAPH_OR : GRAPH_AND;
}

static vertex_id vertex_of(const build *x, const bes_raw_operand *o)
{
    return x->begin[o->block] + (o->variable - x->r->block.at[o->block].first);
}

/* Vertex v from an equation. */
static void put_equation(build *x, vertex_id v, const bes_raw_equation *q, graph_op one)
{
    bes *b = x->b;
    int constant = decided(x->r, q);
    uint64_t n = b->first[v];
    b->variable[v] = q->variable;
    for (size_t i = q[0].first; constant < 0 && i < q[1].first; i++)
        if (x->r->operand.at[i].block != BES_RAW_CONSTANT)
            b->operand[n++] = vertex_of(x, &x->r->operand.at[i]);
    graph_op op = n - b->first[v] == 1 ? one : q->op;
    if (constant >= 0) op = constant ? GRAPH_AND : GRAPH_OR;
    b->op[v] = (uint8_t)op;
    b->first[v + 1] = n;
}

static void put_block(build *x, bes_block *to, uint32_t from)
{
    const bes_raw_block *raw = &x->r->block.at[from];
    graph_op one = choose_operator(x->r, from);
    *to = (bes_block){ .sign = raw->sign,
                       .unique = raw->unique,
                       .number = raw->number,
                       .mode = raw->mode,
                       .begin = x->begin[from],
                       .end = x->begin[from] + (raw[1].first - raw[0].first) };
    for (vertex_id v = to->begin; v < to->end; v++)
        put_equation(x, v, &x->r->equation.at[raw->first + (v - to->begin)], one);
}

static void place_blocks(build *x, const uint32_t *order)
{
    vertex_id begin = 0;
    for (uint32_t i = 0; i < bes_raw_blocks(x->r); i++) {
        const bes_raw_block *raw = &x->r->block.at[order[i]];
        x->begin[order[i]] = begin;
        begin += raw[1].first - raw[0].first;
    }
}

int bes_build(bes *out, const bes_raw *r, const uint32_t *order, err *e)
{
    uint64_t operands = 0;
    uint32_t blocks = bes_raw_blocks(r), equations = bes_raw_equations(r);
    for (uint32_t i = 0; i < equations; i++)
        operands += count_operands(r, &r->equation.at[i]);
    build x = { .b = out, .r = r };
    x.begin = mem_get_array(r->m, blocks, sizeof *x.begin, e);
    if (x.begin && bes_open(out, r->m, blocks, equations, operands, e) == 0) {
        place_blocks(&x, order);
        for (uint32_t i = 0; i < blocks; i++) put_block(&x, &out->blocks[i], order[i]);
    }
    mem_put(r->m, x.begin, blocks * sizeof *x.begin);
    return (int)e->code;
}
