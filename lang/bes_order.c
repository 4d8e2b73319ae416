/*
 * bes_order - blocks in an order in which no equation refers to an earlier block.
 *
 * Idea  Depth-first over the blocks, from the last of the file to the first; a block is put
 *       before all that was finished earlier.  A file that is in order already stays as it
 *       is.  A block that is met again while it is open closes a cycle.
 */
#include "lang/bes_raw.h"

#include <stdio.h>
#include <string.h>

enum { NEW, OPEN, FINISHED };

/* A block on the path of the search, and the operand where it will go on. */
typedef struct step {
    uint32_t block;
    size_t operand;
} step;

typedef struct ordering {
    const bes_raw *r;
    uint8_t *state;  /* per block */
    uint32_t *order; /* filled from its end */
    uint32_t free;   /* places of `order` still free */
    VEC(step) path;
} ordering;

/* "B0 -> B2 -> B0", the middle of a long one left out. */
static void print_cycle(const ordering *o, size_t from, char *into, size_t bytes)
{
    enum { SHOWN = 6 };
    size_t used = 0, count = o->path.count - from;
    for (size_t i = 0; i < count; i++) {
        bool hidden = count > 2 * SHOWN && i >= SHOWN && i < count - SHOWN;
        uint32_t number = o->r->block.at[o->path.at[from + i].block].number;
        if (hidden && i > SHOWN) continue;
        int n = hidden ? snprintf(into + used, bytes - used, "... -> ")
                       : snprintf(into + used, bytes - used, "B%u -> ", number);
        used += (size_t)n;
    }
    snprintf(into + used, bytes - used, "B%u",
             o->r->block.at[o->path.at[from].block].number);
}

/* The operand in hand refers to a block on the path. */
static int complain_cycle(const ordering *o, size_t operand, err *e)
{
    char cycle[256];
    uint32_t to = o->r->operand.at[operand].block;
    size_t from = 0;
    while (o->path.at[from].block != to) from++;
    print_cycle(o, from, cycle, sizeof cycle);
    bes_lex l = bes_raw_at(o->r, 0);
    return bes_lex_complain(&l, bes_raw_where(o->r, operand), e,
                            "blocks depend on each other in a cycle: %s; expected a "
                            "system without alternation",
                            cycle);
}

static int enter(ordering *o, uint32_t block, err *e)
{
    step s = { block, bes_raw_first_operand(o->r, block) };
    o->state[block] = OPEN;
    return vec_push(o->r->m, &o->path, s, e);
}

/* One operand of the top of the path, or its end. */
static int take_step(ordering *o, err *e)
{
    step *top = &o->path.at[o->path.count - 1];
    if (top->operand == bes_raw_first_operand(o->r, top->block + 1)) {
        o->state[top->block] = FINISHED;
        o->order[--o->free] = top->block;
        o->path.count--;
        return 0;
    }
    size_t operand = top->operand++;
    uint32_t to = o->r->operand.at[operand].block;
    if (to == BES_RAW_CONSTANT || to == top->block || o->state[to] == FINISHED) return 0;
    return o->state[to] == OPEN ? complain_cycle(o, operand, e) : enter(o, to, e);
}

int bes_order(const bes_raw *r, uint32_t *order, err *e)
{
    uint32_t count = bes_raw_blocks(r);
    ordering o = { .r = r, .order = order, .free = count };
    o.state = mem_get(r->m, count, e);
    for (uint32_t b = count; o.state && b > 0; b--) {
        if (o.state[b - 1] == NEW) enter(&o, b - 1, e);
        while (e->code == ERR_NONE && o.path.count > 0) take_step(&o, e);
        if (e->code != ERR_NONE) break;
    }
    mem_put(r->m, o.state, count);
    vec_release(r->m, &o.path);
    return (int)e->code;
}
