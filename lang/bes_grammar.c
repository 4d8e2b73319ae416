#include "lang/bes_raw.h"

enum { TICK = 1 << 16 };

static int accept_word(bes_lex *l, bes_word word, const char *expected, err *e)
{
    if (l->word != word) return bes_lex_unexpected(l, expected, e);
    return bes_lex_next(l, e);
}

/* Atom = "true" | "false" | "X"nat | "X"nat"_"nat */
static int parse_atom(bes_raw *r, bes_lex *l, uint32_t own_block, err *e)
{
    bes_raw_operand o = { .variable = l->number, .block = own_block };
    if (l->word == BES_VARIABLE_OF) o.block = l->of_number;
    else if (l->word == BES_TRUE || l->word == BES_FALSE)
        o = (bes_raw_operand){ l->word == BES_TRUE, BES_RAW_CONSTANT };
    else if (l->word != BES_VARIABLE)
        return bes_lex_unexpected(l, "'true', 'false', or a variable like X3 or X3_1", e);
    if (vec_push(r->m, &r->operand, o, e) != 0) return (int)e->code;
    return bes_lex_next(l, e);
}

static int complain_mixed(const bes_lex *l, bes_word first, err *e)
{
    const char *was = first == BES_OR ? "or" : "and";
    return bes_lex_complain(
        l, l->start, e,
        "'%s' in an equation with '%s'; expected '%s': give the other "
        "part a variable of its own",
        first == BES_OR ? "and" : "or", was, was);
}

/* Atom { "or" Atom } | Atom { "and" Atom } */
static int parse_right_side(bes_raw *r, bes_lex *l, uint32_t own_block, err *e)
{
    if (parse_atom(r, l, own_block, e) != 0) return (int)e->code;
    bes_word op = l->word;
    while (l->word == BES_OR || l->word == BES_AND) {
        if (l->word != op) return complain_mixed(l, op, e);
        if (bes_lex_next(l, e) != 0 || parse_atom(r, l, own_block, e) != 0)
            return (int)e->code;
    }
    r->equation.at[r->equation.count - 1].op = op == BES_AND ? GRAPH_AND : GRAPH_OR;
    return 0;
}

static int begin_equation(bes_raw *r, const bes_lex *l, err *e)
{
    if (r->equation.count >= VERTICES_MAX)
        return bes_lex_complain(
            l, l->start, e, "one equation too many; expected at most %u", VERTICES_MAX);
    if (r->equation.count % TICK == 0 &&
        progress_tick(r->clock, (uint64_t)(l->at - l->text), e) != 0)
        return (int)e->code;
    bes_raw_equation q = { .offset = (size_t)(l->start - l->text),
                           .first = r->operand.count,
                           .variable = l->number };
    return vec_push(r->m, &r->equation, q, e);
}

/* Eq = "X"nat "=" ... */
static int parse_equation(bes_raw *r, bes_lex *l, uint32_t own_block, err *e)
{
    if (begin_equation(r, l, e) != 0 || bes_lex_next(l, e) != 0) return (int)e->code;
    if (accept_word(l, BES_EQUALS, "'='", e) != 0) return (int)e->code;
    return parse_right_side(r, l, own_block, e);
}

/* "mu" | "nu" */
static int parse_sign(bes_raw_block *b, bes_lex *l, err *e)
{
    if (l->word != BES_MU && l->word != BES_NU)
        return bes_lex_unexpected(l, "'mu' or 'nu'", e);
    b->sign = l->word == BES_MU ? GRAPH_MU : GRAPH_NU;
    return bes_lex_next(l, e);
}

/* "block" ("mu"|"nu") "B"nat [ "unique" ] [ "mode" nat ] "is" */
static int parse_heading(bes_raw_block *b, bes_lex *l, err *e)
{
    if (accept_word(l, BES_BLOCK, "'block'", e) != 0) return (int)e->code;
    if (parse_sign(b, l, e) != 0) return (int)e->code;
    b->offset = (size_t)(l->start - l->text);
    b->number = l->number;
    if (accept_word(l, BES_BLOCK_NAME, "a block's name like B0", e) != 0)
        return (int)e->code;
    b->unique = l->word == BES_UNIQUE;
    if (b->unique && bes_lex_next(l, e) != 0) return (int)e->code;
    if (l->word != BES_MODE)
        return accept_word(l, BES_IS,
                           b->unique ? "'mode' or 'is'" : "'unique', 'mode' or 'is'", e);
    if (bes_lex_next(l, e) != 0) return (int)e->code;
    b->mode = l->number;
    if (accept_word(l, BES_NUMBER, "the number of the mode", e) != 0) return (int)e->code;
    return accept_word(l, BES_IS, "'is'", e);
}

/* Block = heading { Eq } "end" "block" */
static int parse_block(bes_raw *r, bes_lex *l, err *e)
{
    bes_raw_block b = { .first = (uint32_t)r->equation.count };
    if (parse_heading(&b, l, e) != 0 || vec_push(r->m, &r->block, b, e) != 0)
        return (int)e->code;
    while (l->word == BES_VARIABLE)
        if (parse_equation(r, l, b.number, e) != 0) return (int)e->code;
    bool empty = b.first == r->equation.count;
    if (accept_word(l, BES_END,
                    empty ? "an equation, X3 = ..., or 'end'"
                          : "'or', 'and', an equation or 'end'",
                    e) != 0)
        return (int)e->code;
    return accept_word(l, BES_BLOCK, "'block' after 'end'", e);
}

/* The entries behind the last ones. */
static int end_lists(bes_raw *r, err *e)
{
    bes_raw_block b = { .first = (uint32_t)r->equation.count };
    bes_raw_equation q = { .first = r->operand.count };
    if (vec_push(r->m, &r->block, b, e) != 0) return (int)e->code;
    return vec_push(r->m, &r->equation, q, e);
}

int bes_grammar(bes_raw *r, err *e)
{
    bes_lex l;
    if (bes_lex_begin(&l, r->name, r->text, r->bytes, 0, e) != 0) return (int)e->code;
    do {
        if (parse_block(r, &l, e) != 0) return (int)e->code;
    } while (l.word != BES_END_OF_TEXT);
    return end_lists(r, e);
}

bes_lex bes_raw_at(const bes_raw *r, size_t offset)
{
    bes_lex l;
    err e = ERR_INIT;
    bes_lex_begin(&l, r->name, r->text, r->bytes, offset, &e);
    return l;
}

/* The equation of an operand. */
static size_t equation_of(const bes_raw *r, size_t operand)
{
    size_t lo = 0, hi = bes_raw_equations(r) - 1;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (operand < r->equation.at[mid + 1].first) hi = mid;
        else lo = mid + 1;
    }
    return lo;
}

const char *bes_raw_where(const bes_raw *r, size_t operand)
{
    const bes_raw_equation *q = &r->equation.at[equation_of(r, operand)];
    bes_lex l = bes_raw_at(r, q->offset);
    err e = ERR_INIT; /* these words have been read before */
    for (size_t words = 2 * (operand - q->first) + 2; words > 0; words--)
        bes_lex_next(&l, &e);
    return l.start;
}
