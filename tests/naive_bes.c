#include "tests/naive_bes.h"

static uint8_t right_side(const bes *b, vertex_id v, const uint8_t *value)
{
    unsigned all = 1, some = 0;
    for (uint64_t i = b->first[v]; i < b->first[v + 1]; i++) {
        all &= value[b->operand[i]];
        some |= value[b->operand[i]];
    }
    return (uint8_t)(b->op[v] == GRAPH_AND ? all : some);
}

static void solve_block(const bes *b, const bes_block *k, uint8_t *value)
{
    for (vertex_id v = k->begin; v < k->end; v++) value[v] = k->sign == GRAPH_NU;
    for (bool changed = true; changed;) {
        changed = false;
        for (vertex_id v = k->begin; v < k->end; v++) {
            uint8_t now = right_side(b, v, value);
            changed = changed || now != value[v];
            value[v] = now;
        }
    }
}

void naive_bes_solve(const bes *b, uint8_t *value)
{
    for (uint32_t k = b->block_count; k > 0; k--)
        solve_block(b, &b->blocks[k - 1], value);
}
