#include "lang/bes.h"

#include "lang/bes_lex.h"

#include <string.h>

int bes_open(bes *out, mem *m, uint32_t blocks, vertex_id vertices, uint64_t operands,
             err *e)
{
    *out = (bes){ .m = m, .block_count = blocks, .vertices = vertices };
    out->operand_count = operands;
    out->blocks = mem_get_array(m, blocks, sizeof *out->blocks, e);
    if (out->blocks) out->variable = mem_get_array(m, vertices, sizeof *out->variable, e);
    if (out->variable) out->op = mem_get(m, vertices, e);
    if (out->op) out->first = mem_get_array(m, vertices + 1ull, sizeof *out->first, e);
    if (out->first) out->operand = mem_get_array(m, operands, sizeof *out->operand, e);
    if (out->operand == NULL) bes_close(out);
    return (int)e->code;
}

void bes_close(bes *b)
{
    if (b->m == NULL) return;
    mem_put(b->m, b->blocks, b->block_count * sizeof *b->blocks);
    mem_put(b->m, b->variable, b->vertices * sizeof *b->variable);
    mem_put(b->m, b->op, b->vertices);
    mem_put(b->m, b->first, (b->vertices + 1ull) * sizeof *b->first);
    mem_put(b->m, b->operand, b->operand_count * sizeof *b->operand);
    *b = (bes){ .m = b->m };
}

bool bes_name_parse(bes_name *out, const char *text)
{
    bes_lex l;
    err e = ERR_INIT;
    size_t bytes = strlen(text);
    if (bes_lex_begin(&l, "", text, bytes, 0, &e) != 0 || l.start != text) return false;
    bes_word word = l.word;
    *out = (bes_name){ l.number, word == BES_VARIABLE_OF ? l.of_number : 0 };
    return (word == BES_VARIABLE || word == BES_VARIABLE_OF) && l.at == l.end;
}

vertex_id bes_find(const bes *b, bes_name name)
{
    for (uint32_t i = 0; i < b->block_count; i++)
        for (vertex_id v = b->blocks[i].begin;
             b->blocks[i].number == name.block && v < b->blocks[i].end; v++)
            if (b->variable[v] == name.variable) return v;
    return VERTEX_NONE;
}

uint32_t bes_block_of(const bes *b, vertex_id v)
{
    uint32_t lo = 0, hi = b->block_count - 1;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (v < b->blocks[mid].end) hi = mid;
        else lo = mid + 1;
    }
    return lo;
}
