/*
 * bes_random - a random system of a given shape, in two passes over one random stream.
 *
 * Idea  An equation has 0 .. 2 * degree operands.  Most of them are in its own block, one in
 *       OUTSIDE in any later one.  Where the shape allows only one operand inside, the
 *       others go outside, or away when there is no later block; in an acyclic block they
 *       are variables of larger number.  The first pass counts, the second one fills in.
 */
#include "lang/bes_random.h"

#include "core/random.h"

enum { OUTSIDE = 4 };

#define BES_SHAPE_NAME(id, name, doc) name,
#define BES_SHAPE_DOC(id, name, doc)  doc,

const char *bes_shape_name(bes_shape s)
{
    static const char *const names[] = { BES_SHAPES(BES_SHAPE_NAME) };
    return names[s];
}

const char *bes_shape_doc(bes_shape s)
{
    static const char *const docs[] = { BES_SHAPES(BES_SHAPE_DOC) };
    return docs[s];
}

typedef struct generator {
    const bes_random_options *o;
    random_stream chance; /* both passes draw the same */
    bes *b;               /* NULL while counting */
    uint64_t operands;    /* so far */
    uint32_t most;        /* operands of an equation */
    bes_block block;      /* whose equations are made */
} generator;

/* 0 .. below-1 */
static uint32_t draw_below(generator *g, uint32_t below)
{
    return (uint32_t)random_below(&g->chance, below);
}

static bool draw_share(generator *g, double share)
{
    return (double)(random_next(&g->chance) >> 11) * 0x1p-53 < share;
}

static void put(generator *g, vertex_id z)
{
    if (g->b) g->b->operand[g->operands] = z;
    g->operands++;
}

/* An operand of a later block, if there is one. */
static void put_outside(generator *g)
{
    vertex_id left = g->o->variables - g->block.end;
    if (left > 0) put(g, g->block.end + draw_below(g, left));
}

/* An operand of v in the block; in an acyclic one behind v. */
static void put_inside(generator *g, vertex_id v)
{
    vertex_id from = g->o->shape == BES_SHAPE_ACYCLIC ? v + 1 : g->block.begin;
    if (from < g->block.end) put(g, from + draw_below(g, g->block.end - from));
}

/* May an equation of this operator have only one operand inside? */
static bool is_narrow(const generator *g, graph_op op)
{
    return g->o->shape ==
           (op == GRAPH_AND ? BES_SHAPE_DISJUNCTIVE : BES_SHAPE_CONJUNCTIVE);
}

static void make_equation(generator *g, vertex_id v)
{
    graph_op op = draw_share(g, g->o->and_share) ? GRAPH_AND : GRAPH_OR;
    uint32_t count = draw_below(g, g->most + 1), inside = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool outside = draw_below(g, OUTSIDE) == 0;
        if (outside || (inside > 0 && is_narrow(g, op))) {
            put_outside(g);
        } else {
            put_inside(g, v);
            inside++;
        }
    }
    if (g->b == NULL) return;
    g->b->op[v] = (uint8_t)op;
    g->b->variable[v] = v - g->block.begin;
    g->b->first[v + 1] = g->operands;
}

static void make_block(generator *g, uint32_t k)
{
    uint32_t rest = g->o->variables % g->o->blocks, size = g->o->variables / g->o->blocks;
    g->block = (bes_block){ .number = k, .begin = g->block.end };
    g->block.end = g->block.begin + size + (k < rest);
    g->block.sign = draw_share(g, 0.5) ? GRAPH_MU : GRAPH_NU;
    for (vertex_id v = g->block.begin; v < g->block.end; v++) make_equation(g, v);
    if (g->b) g->b->blocks[k] = g->block;
}

/* One pass; with b == NULL only the operands are counted. */
static uint64_t make_all(const bes_random_options *o, bes *b)
{
    generator g = { .o = o, .chance = random_open(o->seed, 0), .b = b };
    g.most = (uint32_t)(2 * o->degree + 0.5);
    for (uint32_t k = 0; k < o->blocks; k++) make_block(&g, k);
    return g.operands;
}

int bes_random(bes *out, mem *m, const bes_random_options *o, err *e)
{
    uint64_t operands = make_all(o, NULL);
    if (bes_open(out, m, o->blocks, o->variables, operands, e) != 0) return (int)e->code;
    make_all(o, out);
    return 0;
}
