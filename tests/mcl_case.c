#include "tests/mcl_case.h"

#include "core/hash.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCOPE_MAX = 32 };

uint32_t mcl_random_below(mcl_random *r, uint32_t below)
{
    return (uint32_t)((hash_word(++r->state) >> 32) % below);
}

/* A formula being written, and the variables that may be used. */
typedef struct writer {
    mcl_random *random;
    char *text;
    size_t bytes, used;
    struct {
        unsigned name;
        bool odd;
        unsigned equs;
    } scope[SCOPE_MAX];
    unsigned bound;
} writer;

static void put(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(writer *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    size_t room = w->used < w->bytes ? w->bytes - w->used : 0;
    w->used += (size_t)vsnprintf(room ? w->text + w->used : NULL, room, format, args);
    va_end(args);
}

static unsigned pick(writer *w, unsigned below)
{
    return mcl_random_below(w->random, below);
}

static void put_action(writer *w, unsigned depth)
{
    static const char *const leaves[] = { "\"a\"",
                                          "\"b\"",
                                          "\"c\"",
                                          "\"i\"",
                                          "true",
                                          "false",
                                          "'[ab]'",
                                          "'SEND.*'",
                                          "'.*'",
                                          "\"SEND !1\"",
                                          "\"unknown\"",
                                          "'SEND' # ' ' # \"!1\"",
                                          "\"SE\" # \"ND !1\"",
                                          "not \"i\"",
                                          "'.'" };
    static const char *const operators[] = { "and", "or", "implies", "equ" };
    if (depth == 0 || pick(w, 3) > 0) {
        put(w, "%s", leaves[pick(w, sizeof leaves / sizeof *leaves)]);
    } else if (pick(w, 4) == 0) {
        put(w, "not (");
        put_action(w, depth - 1);
        put(w, ")");
    } else {
        put(w, "(");
        put_action(w, depth - 1);
        put(w, ") %s (", operators[pick(w, 4)]);
        put_action(w, depth - 1);
        put(w, ")");
    }
}

static void put_regular(writer *w, unsigned depth)
{
    if (depth == 0 || pick(w, 3) == 0) {
        if (pick(w, 12) == 0) put(w, "nil");
        else put_action(w, 1);
    } else if (pick(w, 2) == 0) {
        put(w, "(");
        put_regular(w, depth - 1);
        put(w, ")%c", "*+?*"[pick(w, 4)]);
    } else {
        put(w, "(");
        put_regular(w, depth - 1);
        put(w, ") %c (", ".|"[pick(w, 2)]);
        put_regular(w, depth - 1);
        put(w, ")");
    }
}

/* A variable that may stand here: the innermost of its name, right polarity; or a constant. */
static void put_variable(writer *w, bool odd, unsigned equs)
{
    for (unsigned tries = 0; tries < 4 && w->bound > 0; tries++) {
        unsigned name = w->scope[pick(w, w->bound)].name, i = w->bound;
        while (w->scope[--i].name != name) continue;
        if (w->scope[i].odd != odd || w->scope[i].equs != equs) continue;
        put(w, "X%u", name);
        return;
    }
    put(w, pick(w, 2) ? "true" : "false");
}

static void put_state(writer *w, unsigned depth, bool odd, unsigned equs);

static void put_fixed_point(writer *w, unsigned depth, bool odd, unsigned equs)
{
    unsigned name = pick(w, 6);
    w->scope[w->bound].name = name;
    w->scope[w->bound].odd = odd;
    w->scope[w->bound].equs = equs;
    w->bound++;
    put(w, "%s X%u . (", pick(w, 2) ? "mu" : "nu", name);
    put_state(w, depth, odd, equs);
    put(w, ")");
    w->bound--;
}

static void put_modality(writer *w, unsigned depth, bool odd, unsigned equs)
{
    bool diamond = pick(w, 2) == 0, loop = pick(w, 6) == 0;
    put(w, diamond ? "<" : "[");
    put_regular(w, 3);
    put(w, diamond ? "> " : "] ");
    if (loop) {
        put(w, diamond ? "@" : "-|");
    } else {
        put(w, "(");
        put_state(w, depth, odd, equs);
        put(w, ")");
    }
}

static void put_infix(writer *w, unsigned depth, bool odd, unsigned equs)
{
    static const char *const operators[] = { "and", "or", "implies", "and", "or", "equ" };
    unsigned op = pick(w, 6);
    put(w, "(");
    put_state(w, depth, op == 2 ? !odd : odd, equs + (op == 5));
    put(w, ") %s (", operators[op]);
    put_state(w, depth, odd, equs + (op == 5));
    put(w, ")");
}

static void put_state(writer *w, unsigned depth, bool odd, unsigned equs)
{
    unsigned what = depth == 0 ? 0 : pick(w, 10);
    if (what <= 1) put_variable(w, odd, equs);
    else if (what <= 3) put_fixed_point(w, depth - 1, odd, equs);
    else if (what <= 6) put_modality(w, depth - 1, odd, equs);
    else if (what <= 8) put_infix(w, depth - 1, odd, equs);
    else {
        put(w, "not (");
        put_state(w, depth - 1, !odd, equs);
        put(w, ")");
    }
}

void mcl_case_formula(mcl_random *r, char *into, size_t bytes)
{
    writer w;
    do {
        w = (writer){ .random = r, .text = into, .bytes = bytes };
        put_state(&w, 2 + pick(&w, 5), false, 0);
    } while (w.used >= bytes);
}

void mcl_case_lts(mcl_random *r, lts *out, mem *m, state_id states)
{
    static const char *const names[] = { "a", "b", "i", "c", "SEND !1" };
    err e = ERR_INIT;
    state_id n = 1 + mcl_random_below(r, states);
    *out = (lts){ .m = m, .states = n, .label_bytes = 1 };
    out->transitions = mcl_random_below(r, 3 * n + 1);
    label_id id;
    if (label_table_open(&out->labels, m, &e) != 0 || lts_allocate(out, &e) != 0) abort();
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (label_table_put(out->labels, names[i], strlen(names[i]), &id, &e) != 0)
            abort();
    for (uint64_t t = 0; t < out->transitions; t++) /* how many leave each state */
        out->first[1 + mcl_random_below(r, n)]++;
    for (state_id s = 0; s < n; s++) out->first[s + 1] += out->first[s];
    for (uint64_t t = 0; t < out->transitions; t++) {
        out->target[t] = mcl_random_below(r, n);
        lts_set_label(out, t, mcl_random_below(r, COUNT_OF(names)));
    }
}
