#include "tests/net_case.h"

#include "core/ids.h"
#include "tests/scratch.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a language calls things; lists end in NULL. */
typedef struct tongue {
    const char *head, *hidden;
    const char *gate[8];
    const char *label[16]; /* of components, as AUT text */
    const char *name[8];   /* whole labels, as names in the network */
    bool lotos, ccs, csp, merge;
} tongue;

static const tongue tongues[] = {
    { .head = "",
      .hidden = "i",
      .gate = { "A", "B", "C", "exit" },
      .label = { "A", "B", "C", "\"A !1\"", "\"A !2\"", "\"B !1\"", "\"C !1\"", "i",
                 "exit" },
      .name = { "A", "B", "\"A !1\"", "\"B !1\"" },
      .lotos = true },
    { .head = "behaviour",
      .hidden = "I",
      .gate = { "A", "b", "C" },
      .label = { "A", "B", "a", "\"A !1\"", "\"a !1\"", "\"B !x\"", "\"B !X\"", "i",
                 "exit", "\"Exit\"" },
      .name = { "A", "B", "\"A !1\"", "\"B !X\"" },
      .lotos = true },
    { .head = "ccs behaviour",
      .hidden = "t",
      .gate = { "A", "B", "C" },
      .label = { "A", "\"'A\"", "B", "\"'B\"", "\"A !1\"", "\"'A !1\"", "t", "a" },
      .name = { "A", "B", "\"A !1\"", "\"'A\"" },
      .ccs = true },
    { .head = "csp behaviour",
      .hidden = "T",
      .gate = { "A", "B", "C" },
      .label = { "A", "B", "C", "\"A !1\"", "\"B !1\"", "t", "delta" },
      .name = { "A", "B", "\"A !1\"", "C" },
      .csp = true },
    { .head = "mcrl behaviour comm a | b = c, a | a = d, b | c = tau end comm",
      .hidden = "tau",
      .gate = { "a", "b", "c", "d" },
      .label = { "a", "b", "c", "\"a(1)\"", "\"b(1)\"", "\"b(2)\"", "\"c(1)\"", "tau" },
      .name = { "a", "b", "\"a(1)\"", "\"b(1)\"" },
      .merge = true },
};

typedef struct maker {
    net_case *c;
    random_stream *r;
    const tongue *t;
} maker;

static bool chance(maker *m, unsigned of_100) { return random_below(m->r, 100) < of_100; }

static size_t below(maker *m, size_t bound) { return (size_t)random_below(m->r, bound); }

static void put(maker *m, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(maker *m, const char *format, ...)
{
    va_list list;
    size_t room = NET_CASE_BYTES - m->c->used;
    va_start(list, format);
    int bytes = vsnprintf(m->c->text + m->c->used, room, format, list);
    va_end(list);
    if (bytes < 0 || (size_t)bytes >= room) abort();
    m->c->used += (size_t)bytes;
}

static const char *one_of(maker *m, const char *const *list)
{
    size_t count = 0;
    while (list[count]) count++;
    return list[below(m, count)];
}

/* ---- names ------------------------------------------------------------------------------- */

/* How an operator calls labels: by gates, or by patterns for whole labels or parts. */
typedef enum { GATES, WHOLE, PIECES } manner;

static void put_name(maker *m, manner how)
{
    static const char *const pieces[] = { "1", "\"A\"", "\"[AB]\"", "b", "\" !\"", NULL };
    if (how == GATES) put(m, "%s", one_of(m, m->t->gate));
    else if (how == WHOLE && chance(m, 20)) put(m, "\"[A-Za-z].*1.*\"");
    else if (how == WHOLE) put(m, "%s", one_of(m, m->t->name));
    else {
        const char *x = one_of(m, pieces);
        put(m, *x == '1' ? "\"1\"" : "%s", x);
    }
}

/* What something becomes: a gate, or hidden. */
static const char *result(maker *m)
{
    return chance(m, 15) ? m->t->hidden : one_of(m, m->t->gate);
}

static void put_names(maker *m, manner how)
{
    for (size_t n = below(m, 2) + 1; n > 0; n--) {
        put_name(m, how);
        if (n > 1) put(m, ", ");
    }
}

static manner put_mode(maker *m)
{
    static const char *const words[] = { "gate", "total", "partial" };
    manner how = (manner)below(m, 3);
    put(m, "%s ", words[how]);
    return how;
}

/* ---- operators --------------------------------------------------------------------------- */

static void put_tree(maker *m, size_t lo, size_t hi, int depth);

static void put_inner(maker *m, size_t lo, size_t hi, int depth)
{
    put(m, "(");
    put_tree(m, lo, hi, depth - 1);
    put(m, ")");
}

static void put_set(maker *m, const char *word)
{
    manner how = put_mode(m);
    put(m, "%s %s", word, chance(m, 30) ? "all but " : "");
    put_names(m, how);
}

static void put_prio(maker *m)
{
    manner how = put_mode(m);
    put(m, "prio");
    for (size_t rules = 1 + below(m, 2); rules > 0; rules--)
        for (size_t sets = 2 + below(m, 2); sets > 0; sets--) {
            put(m, " %s", chance(m, 25) ? "all but " : "");
            put_name(m, how);
            put(m, sets > 1 ? " >" : "\n");
        }
}

static void put_rename(maker *m)
{
    static const char *const modes[] = { "gate", "total", "single", "multiple" };
    size_t mode = below(m, COUNT_OF(modes));
    manner how = mode == 0 ? GATES : mode == 1 ? WHOLE : PIECES;
    put(m, "%s rename ", modes[mode]);
    for (size_t n = 1 + below(m, 2); n > 0; n--) {
        if (how == WHOLE && chance(m, 30)) put(m, "\"A !\\([12]\\)\" -> \"C !\\1\\1\"");
        else {
            put_name(m, how);
            put(m, " -> %s", result(m));
        }
        if (n > 1) put(m, ", ");
    }
}

static void put_unary(maker *m, size_t lo, size_t hi, int depth)
{
    static const char *const words[] = { "hide", "cut", "rename", "prio" };
    size_t which = below(m, COUNT_OF(words));
    if (which < 2) put_set(m, words[which]);
    else if (which == 2) put_rename(m);
    else put_prio(m);
    put(m, " in\n");
    put_tree(m, lo, hi, depth - 1);
    put(m, "\nend %s", words[which]);
}

/* What stands behind an operand, in CCS and CSP. */
static void put_postfix(maker *m, size_t lo, size_t hi, int depth)
{
    put_inner(m, lo, hi, depth);
    if (chance(m, 50)) {
        put(m, " \\ {");
        put_names(m, GATES);
        put(m, "}");
        return;
    }
    const char *from = one_of(m, m->t->gate), *to = result(m);
    if (m->t->ccs) put(m, " [%s / %s]", to, from);
    else put(m, " [[%s <- %s]]", from, to);
}

static void put_infix(maker *m)
{
    if (m->t->ccs || (m->t->head[0] == '\0' && chance(m, 20))) put(m, " | ");
    else if (m->t->merge) put(m, " || ");
    else if (m->t->csp && chance(m, 50)) {
        put(m, " [|{");
        put_names(m, GATES);
        put(m, "}|] ");
    } else if (m->t->csp) {
        put(m, " [{");
        put_names(m, GATES);
        put(m, "}||{");
        put_names(m, GATES);
        put(m, "}] ");
    } else if (chance(m, 60)) {
        put(m, " |[");
        put_names(m, GATES);
        put(m, "]| ");
    } else put(m, chance(m, 50) ? " || " : " ||| ");
}

/* "A, B#2" of different names and degrees. */
static void put_interface(maker *m, bool by_label)
{
    const char *const *list = by_label ? m->t->name : m->t->gate;
    bool first = true;
    for (size_t k = 0; k < 3; k++)
        for (int degree = -1; degree <= 3; degree++) {
            if (!chance(m, degree < 0 ? 30 : 12) && !(first && k == 2 && degree == 3))
                continue;
            put(m, "%s%s", first ? "" : ", ", list[k]);
            if (degree >= 0) put(m, "#%d", degree);
            first = false;
        }
}

static void put_vectors(maker *m, bool by_label, size_t operands)
{
    const char *const *list = by_label ? m->t->name : m->t->gate;
    for (size_t n = 1 + below(m, 4); n > 0; n--) {
        size_t busy = below(m, operands); /* one is, at least */
        for (size_t i = 0; i < operands; i++) {
            bool idle = i != busy && chance(m, 40);
            put(m, "%s%s", i ? " * " : "", idle ? "_" : one_of(m, list));
        }
        put(m, " -> %s%s", chance(m, 15) ? m->t->hidden : one_of(m, list),
            n > 1 ? ",\n" : "\n");
    }
}

/* Cut lo .. hi into `operands` pieces, none empty. */
static void put_operands(maker *m, size_t lo, size_t hi, size_t operands, int depth,
                         bool local, bool by_label)
{
    for (size_t k = operands; k > 0; k--) {
        size_t spare = hi - lo - k, take = k == 1 ? hi - lo : 1 + below(m, spare + 1);
        if (local && chance(m, 60)) {
            put_interface(m, by_label);
            put(m, " -> ");
        }
        put_inner(m, lo, lo + take, depth);
        if (k > 1) put(m, "\n|| ");
        lo += take;
    }
}

static void put_par(maker *m, size_t lo, size_t hi, int depth)
{
    bool by_label = chance(m, 40), vectors = chance(m, 35), local = false;
    size_t operands = 2 + below(m, hi - lo - 1);
    put(m, "%s par ", by_label ? "label" : "gate");
    if (vectors) {
        put(m, "using ");
        put_vectors(m, by_label, operands);
        put(m, "in ");
    } else if (chance(m, 15)) {
        put(m, "all in ");
    } else {
        local = chance(m, 60);
        if (!local || chance(m, 40)) {
            put_interface(m, by_label);
            put(m, " in ");
        }
    }
    put_operands(m, lo, hi, operands, depth, local, by_label);
    put(m, "\nend par");
}

static void put_tree(maker *m, size_t lo, size_t hi, int depth)
{
    bool postfix = m->t->ccs || m->t->csp;
    if (depth > 0 && chance(m, 35)) {
        if (postfix && chance(m, 40)) put_postfix(m, lo, hi, depth);
        else put_unary(m, lo, hi, depth);
    } else if (hi - lo == 1) {
        put(m, "\"c%zu.aut\"", lo);
    } else if (chance(m, 45)) {
        size_t mid = lo + 1 + below(m, hi - lo - 1);
        put_inner(m, lo, mid, depth);
        put_infix(m);
        put_inner(m, mid, hi, depth);
    } else {
        put_par(m, lo, hi, depth);
    }
}

/* ---- components -------------------------------------------------------------------------- */

static void make_part(maker *m, char *into, size_t room)
{
    size_t states = 1 + below(m, 4), edges = below(m, 3 * states + 1);
    int used =
        snprintf(into, room, "des (%zu, %zu, %zu)\n", below(m, states), edges, states);
    for (size_t k = 0; k < edges; k++)
        used += snprintf(into + used, room - (size_t)used, "(%zu, %s, %zu)\n",
                         below(m, states), one_of(m, m->t->label), below(m, states));
}

net_case net_case_random(random_stream *r)
{
    net_case c = { .used = 0 };
    maker m = { .c = &c, .r = r, .t = &tongues[random_below(r, COUNT_OF(tongues))] };
    c.parts = 2 + below(&m, NET_CASE_PARTS - 1);
    for (size_t i = 0; i < c.parts; i++) make_part(&m, c.part[i], sizeof c.part[i]);
    put(&m, "%s\n", m.t->head);
    put_tree(&m, 0, c.parts, 4);
    put(&m, "\n");
    return c;
}

void net_case_write(const net_case *c, const char *folder)
{
    char path[256];
    for (size_t i = 0; i < c->parts; i++) {
        snprintf(path, sizeof path, "%s/c%zu.aut", folder, i);
        scratch_write(path, c->part[i], strlen(c->part[i]));
    }
    snprintf(path, sizeof path, "%s/net.exp", folder);
    scratch_write(path, c->text, c->used);
}

void net_case_dump(const net_case *c)
{
    printf("\n---- net.exp\n%s", c->text);
    for (size_t i = 0; i < c->parts; i++) printf("---- c%zu.aut\n%s", i, c->part[i]);
}
