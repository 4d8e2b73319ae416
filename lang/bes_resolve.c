/*
 * bes_resolve - the numbers in a system become places in its lists.
 *
 * Idea  Blocks are few: their numbers are sorted and searched.  Variables are many and mostly
 *       numbered densely: a hash table with open addressing, in which sixteen numbers in a
 *       row share a cache line.
 */
#include "core/hash.h"
#include "lang/bes_raw.h"

#include <stdio.h>
#include <stdlib.h>

/* Block numbers in ascending order, with their places. */
typedef struct numbered {
    uint32_t number, place;
} numbered;

typedef struct names {
    bes_raw *r;
    numbered *blocks;
    uint32_t *slot; /* equation + 1, 0 = free */
    size_t slots;   /* a power of two */
} names;

static int compare(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    if (x->number != y->number) return x->number < y->number ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

static int complain_twice(const bes_raw *r, size_t again, size_t first, const char *what,
                          err *e)
{
    size_t line, column;
    bes_lex l = bes_raw_at(r, again);
    bes_lex_position(&l, r->text + first, &line, &column);
    return bes_lex_complain(
        &l, r->text + again, e,
        "%s is defined a second time, first in line %zu, column %zu; expected it once",
        what, line, column);
}

static int complain_block_twice(const bes_raw *r, numbered first, numbered again, err *e)
{
    char what[32];
    snprintf(what, sizeof what, "block B%u", first.number);
    return complain_twice(r, r->block.at[again.place].offset,
                          r->block.at[first.place].offset, what, e);
}

static int sort_blocks(names *n, err *e)
{
    const bes_raw *r = n->r;
    uint32_t count = bes_raw_blocks(r);
    n->blocks = mem_get_array(r->m, count, sizeof *n->blocks, e);
    if (n->blocks == NULL) return (int)e->code;
    for (uint32_t i = 0; i < count; i++)
        n->blocks[i] = (numbered){ r->block.at[i].number, i };
    qsort(n->blocks, count, sizeof *n->blocks, compare);
    for (uint32_t i = 1; i < count; i++)
        if (n->blocks[i].number == n->blocks[i - 1].number)
            return complain_block_twice(r, n->blocks[i - 1], n->blocks[i], e);
    return 0;
}

/* The place of a block, or UINT32_MAX. */
static uint32_t find_block(const names *n, uint32_t number)
{
    uint32_t lo = 0, hi = bes_raw_blocks(n->r);
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (n->blocks[mid].number < number) lo = mid + 1;
        else hi = mid;
    }
    bool found = lo < bes_raw_blocks(n->r) && n->blocks[lo].number == number;
    return found ? n->blocks[lo].place : UINT32_MAX;
}

/* Where to find variable `x` of a block, or where it would stand: *slot is free then. */
static uint32_t *find_slot(const names *n, uint32_t block, uint32_t x)
{
    enum { ROW = 16 };
    const bes_raw *r = n->r;
    uint64_t key = (uint64_t)block << 32 | x, at = hash_word(key / ROW) * ROW + key % ROW;
    uint32_t begin = r->block.at[block].first, end = r->block.at[block + 1].first;
    for (;; at++) {
        uint32_t *slot = &n->slot[at & (n->slots - 1)], q = *slot - 1;
        if (*slot == 0) return slot;
        if (q >= begin && q < end && r->equation.at[q].variable == x) return slot;
    }
}

static int enter_equation(names *n, uint32_t block, uint32_t place, err *e)
{
    const bes_raw *r = n->r;
    const bes_raw_equation *q = &r->equation.at[place];
    uint32_t *slot = find_slot(n, block, q->variable);
    if (*slot == 0) {
        *slot = place + 1;
        return 0;
    }
    char what[48];
    snprintf(what, sizeof what, "X%u of block B%u", q->variable,
             r->block.at[block].number);
    return complain_twice(r, q->offset, r->equation.at[*slot - 1].offset, what, e);
}

static int enter_equations(names *n, err *e)
{
    const bes_raw *r = n->r;
    n->slots = 32;
    while (n->slots < 2 * r->equation.count) n->slots *= 2;
    n->slot = mem_get_array(r->m, n->slots, sizeof *n->slot, e);
    if (n->slot == NULL) return (int)e->code;
    for (uint32_t b = 0; b < bes_raw_blocks(r); b++)
        for (uint32_t q = r->block.at[b].first; q < r->block.at[b + 1].first; q++)
            if (enter_equation(n, b, q, e) != 0) return (int)e->code;
    return 0;
}

static int complain_undefined(const bes_raw *r, size_t operand, uint32_t block, err *e)
{
    bes_raw_operand o = r->operand.at[operand];
    bes_lex l = bes_raw_at(r, 0);
    const char *where = bes_raw_where(r, operand);
    if (block == UINT32_MAX)
        return bes_lex_complain(&l, where, e,
                                "X%u_%u is not defined: there is no block B%u; expected "
                                "an equation for it",
                                o.variable, o.block, o.block);
    return bes_lex_complain(&l, where, e,
                            "X%u_%u is not defined; expected an equation X%u = ... in "
                            "block B%u",
                            o.variable, o.block, o.variable, o.block);
}

static int resolve_operand(names *n, size_t i, uint32_t own, err *e)
{
    bes_raw *r = n->r;
    bes_raw_operand *o = &r->operand.at[i];
    if (o->block == BES_RAW_CONSTANT) return 0;
    uint32_t block = o->block == r->block.at[own].number ? own : find_block(n, o->block);
    uint32_t found = block == UINT32_MAX ? 0 : *find_slot(n, block, o->variable);
    if (found == 0) return complain_undefined(r, i, block, e);
    *o = (bes_raw_operand){ .variable = found - 1, .block = block };
    return 0;
}

static int resolve_operands(names *n, err *e)
{
    bes_raw *r = n->r;
    for (uint32_t b = 0; b < bes_raw_blocks(r); b++) {
        size_t end = bes_raw_first_operand(r, b + 1);
        for (size_t i = bes_raw_first_operand(r, b); i < end; i++)
            if (resolve_operand(n, i, b, e) != 0) return (int)e->code;
    }
    return 0;
}

int bes_resolve(bes_raw *r, err *e)
{
    names n = { .r = r };
    if (sort_blocks(&n, e) == 0 && enter_equations(&n, e) == 0) resolve_operands(&n, e);
    mem_put(r->m, n.blocks, bes_raw_blocks(r) * sizeof *n.blocks);
    mem_put(r->m, n.slot, n.slots * sizeof *n.slot);
    return (int)e->code;
}
