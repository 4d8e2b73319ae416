/*
 * Patterns over labels against a matcher that knows nothing but their definition, and
 * renaming.
 */
#include "core/ids.h"
#include "core/random.h"
#include "lang/label_rules.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a naive matcher ---------------------------------------------------------------------- */

/* Items: one character, '.' or a set, perhaps with a star; \( and \) may stand between. */
typedef struct item {
    char set[8]; /* the characters that belong */
    bool star, group_begins, group_ends;
} item;

enum { ITEMS_MAX = 6, TEXT_MAX = 200 };

typedef struct expression {
    item at[ITEMS_MAX];
    size_t count;
    bool group;
    char text[TEXT_MAX];
} expression;

static const char alphabet[] = "aBb! ";

/* Where a match that begins at `at` may end: all ends, tried the longest star first. */
typedef struct attempt {
    const expression *x;
    const char *label;
    size_t bytes;
    size_t wanted_end; /* only such matches count; SIZE_MAX: look for the longest */
    size_t longest;    /* plus 1; 0: none */
    size_t group[2];   /* of the first match with the wanted end */
    bool found;
} attempt;

static void try(attempt *t, size_t i, size_t at, size_t begin, size_t end)
{
    if (t->found) return;
    if (i == t->x->count) {
        if (at + 1 > t->longest) t->longest = at + 1;
        if (at != t->wanted_end) return;
        t->found = true;
        t->group[0] = begin;
        t->group[1] = end;
        return;
    }
    const item *x = &t->x->at[i];
    if (x->group_begins) begin = at;
    size_t most = 0;
    while (at + most < t->bytes && strchr(x->set, t->label[at + most]) &&
           (x->star || most == 0))
        most++;
    for (size_t n = most + 1; n-- > (x->star ? 0u : 1u);)
        try(t, i + 1, at + n, begin, x->group_ends ? at + n : end);
}

/* The leftmost longest match from `from` on. */
static bool naive_find(const expression *x, const char *label, size_t bytes, size_t from,
                       size_t match[2], size_t group[2])
{
    for (size_t at = from; at <= bytes; at++) {
        attempt t = { .x = x, .label = label, .bytes = bytes, .wanted_end = SIZE_MAX };
        try(&t, 0, at, 0, 0);
        if (t.longest == 0) continue;
        t.wanted_end = t.longest - 1;
        try(&t, 0, at, 0, 0);
        match[0] = at;
        match[1] = t.longest - 1;
        group[0] = t.group[0];
        group[1] = t.group[1];
        return true;
    }
    return false;
}

static bool naive_total(const expression *x, const char *label, size_t bytes,
                        size_t group[2])
{
    attempt t = { .x = x, .label = label, .bytes = bytes, .wanted_end = bytes };
    try(&t, 0, 0, 0, 0);
    memcpy(group, t.group, sizeof t.group);
    return t.found;
}

static size_t naive_gate(const char *label) { return strcspn(label, "!?( \t"); }

/* ---- random expressions and labels --------------------------------------------------------- */

static void random_item(random_stream *r, item *x)
{
    char c = alphabet[random_below(r, sizeof alphabet - 1)];
    *x = (item){ .set = { c } };
    if (random_below(r, 8) == 0) strcpy(x->set, alphabet);
    else if (random_below(r, 8) == 0) strcpy(x->set, "ab");
    x->star = random_below(r, 5) == 0;
}

static void write_expression(expression *x)
{
    char *p = x->text;
    for (size_t i = 0; i < x->count; i++) {
        const item *y = &x->at[i];
        if (y->group_begins) p += sprintf(p, "\\(");
        if (strcmp(y->set, alphabet) == 0) p += sprintf(p, ".");
        else if (y->set[1]) p += sprintf(p, "[%s]", y->set);
        else p += sprintf(p, "%c", y->set[0]);
        if (y->star) p += sprintf(p, "*");
        if (y->group_ends) p += sprintf(p, "\\)");
    }
    *p = '\0';
}

static expression random_expression(random_stream *r, bool group)
{
    expression x = { .count = 1 + (size_t)random_below(r, ITEMS_MAX - 1),
                     .group = group };
    for (size_t i = 0; i < x.count; i++) random_item(r, &x.at[i]);
    if (group) {
        size_t from = (size_t)random_below(r, x.count);
        x.at[from].group_begins = true;
        x.at[from + (size_t)random_below(r, x.count - from)].group_ends = true;
    }
    write_expression(&x);
    return x;
}

static void random_label(random_stream *r, char *into)
{
    size_t n = (size_t)random_below(r, 7);
    for (size_t i = 0; i < n; i++)
        into[i] = alphabet[random_below(r, sizeof alphabet - 1)];
    into[n] = '\0';
}

/* ---- sets ---------------------------------------------------------------------------------- */

static bool naive_has(const expression *x, size_t count, label_mode mode,
                      const char *label)
{
    size_t match[2], group[2], gate = naive_gate(label), bytes = strlen(label);
    for (size_t i = 0; i < count; i++)
        if (mode == LABEL_PARTIAL
                ? naive_find(&x[i], label, bytes, 0, match, group)
                : naive_total(&x[i], label, mode == LABEL_GATE ? gate : bytes, group))
            return true;
    return false;
}

static void sets_are_as_defined(void)
{
    enum { SETS = 3000, LABELS = 20, PATTERNS = 12 };
    size_t inside = 0;
    for (uint64_t seed = 0; seed < SETS; seed++) {
        random_stream r = random_open(seed, 1);
        mem m = MEM_INIT;
        err e = ERR_INIT;
        label_set *s;
        expression x[PATTERNS];
        label_mode mode = (label_mode)random_below(&r, 3);
        bool all_but = random_below(&r, 2) == 1;
        size_t count = (size_t)random_below(&r, PATTERNS);
        CU_ASSERT_EQUAL_FATAL(label_set_open(&s, &m, mode, all_but, &e), 0);
        for (size_t i = 0; i < count; i++) {
            x[i] = random_expression(&r, random_below(&r, 4) == 0);
            CU_ASSERT_EQUAL(label_set_add(s, x[i].text, strlen(x[i].text), false, &e), 0);
        }
        for (size_t i = 0; i < LABELS; i++) {
            char label[8];
            random_label(&r, label);
            bool expected = naive_has(x, count, mode, label) != all_but;
            bool found = label_set_has(s, label, strlen(label));
            inside += expected;
            if (expected == found) continue;
            printf("\n  seed %llu: mode %d, label '%s', patterns",
                   (unsigned long long)seed, (int)mode, label);
            for (size_t k = 0; k < count; k++) printf(" '%s'", x[k].text);
            CU_FAIL("a set differs from its definition");
        }
        label_set_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    CU_ASSERT(inside > SETS * LABELS / 5 && inside < SETS * LABELS * 4 / 5);
}

static void thousands_of_names_are_found(void)
{
    enum { NAMES = 25000 };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    label_set *s;
    CU_ASSERT_EQUAL_FATAL(label_set_open(&s, &m, LABEL_TOTAL, false, &e), 0);
    for (unsigned i = 0; i < NAMES; i++) {
        char name[32];
        int bytes = snprintf(name, sizeof name, "SEND !%u \\.", 2 * i);
        CU_ASSERT_EQUAL_FATAL(label_set_add(s, name, (size_t)bytes, false, &e), 0);
    }
    for (unsigned i = 0; i < 2 * NAMES; i++) {
        char name[32];
        int bytes = snprintf(name, sizeof name, "SEND !%u .", i);
        CU_ASSERT_EQUAL_FATAL(label_set_has(s, name, (size_t)bytes), i % 2 == 0);
    }
    label_set_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void case_is_ignored_where_asked(void)
{
    static const struct {
        const char *pattern, *label;
        label_mode mode;
        bool fold, expected;
    } rows[] = {
        { "send", "SEND !1", LABEL_GATE, true, true },
        { "send", "SEND !1", LABEL_GATE, false, false },
        { "SEND", "send", LABEL_GATE, true, true },
        { "s.nd !\\(a\\)", "SEND !A", LABEL_TOTAL, true, true },
        { "s.nd !\\(a\\)", "SEND !A", LABEL_TOTAL, false, false },
        { "nd", "SEND !A", LABEL_PARTIAL, true, true },
        { "nd", "SEND !A", LABEL_PARTIAL, false, false },
        { "[[:lower:]]", "SEND", LABEL_PARTIAL, true, true },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        label_set *s;
        CU_ASSERT_EQUAL_FATAL(label_set_open(&s, &m, rows[i].mode, false, &e), 0);
        CU_ASSERT_EQUAL(
            label_set_add(s, rows[i].pattern, strlen(rows[i].pattern), rows[i].fold, &e),
            0);
        bool found = label_set_has(s, rows[i].label, strlen(rows[i].label));
        if (found != rows[i].expected) printf("\n  row %zu", i);
        CU_ASSERT_EQUAL(found, rows[i].expected);
        label_set_close(s);
    }
}

static void a_gate_ends_where_offers_begin(void)
{
    static const struct {
        const char *label;
        size_t gate;
        bool offers;
    } rows[] = { { "SEND !1", 4, true },  { "SEND", 4, false },    { "", 0, false },
                 { "SEND!1", 4, true },   { "SEND?1", 4, true },   { "F(1)", 1, true },
                 { "A\tB", 1, true },     { "!1", 0, true },       { "A.B", 3, false },
                 { "A[ !]*", 2, false },  { "\\(A\\)", 1, false }, { "A[", 2, false },
                 { "[AB]* !.*", 5, true } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        size_t bytes = strlen(rows[i].label);
        if (rows[i].label[0] != '\\' && strchr(rows[i].label, '[') == NULL)
            CU_ASSERT_EQUAL(label_gate(rows[i].label, bytes), rows[i].gate);
        bool offers = label_pattern_has_offers(rows[i].label, bytes);
        if (offers != rows[i].offers) printf("\n  %s", rows[i].label);
        CU_ASSERT_EQUAL(offers, rows[i].offers);
    }
}

/* ---- renaming ------------------------------------------------------------------------------ */

/* `to` is <RULE&>, with the group behind a backslash where there is one. */
static void naive_replace(char **p, const expression *x, size_t rule, const char *label,
                          const size_t match[2], const size_t group[2])
{
    *p += sprintf(*p, "<%zu%.*s", rule, (int)(match[1] - match[0]), label + match[0]);
    if (x->group)
        *p += sprintf(*p, "\\%.*s", (int)(group[1] - group[0]), label + group[0]);
    *p += sprintf(*p, ">");
}

static bool naive_first(const expression *x, label_mode mode, const char *label,
                        size_t match[2], size_t group[2])
{
    size_t bytes = mode == LABEL_GATE ? naive_gate(label) : strlen(label);
    if (mode == LABEL_SINGLE || mode == LABEL_MULTIPLE)
        return naive_find(x, label, bytes, 0, match, group);
    match[0] = 0;
    match[1] = bytes;
    return naive_total(x, label, bytes, group);
}

static void naive_rename(const expression *x, size_t count, label_mode mode,
                         const char *label, char *p)
{
    size_t match[2] = { 0, 0 }, group[2], bytes = strlen(label), i = 0, done = 0;
    while (i < count && !naive_first(&x[i], mode, label, match, group)) i++;
    if (i == count) {
        strcpy(p, label);
        return;
    }
    size_t from = 0, last_end = SIZE_MAX;
    do {
        p += sprintf(p, "%.*s", (int)(match[0] - done), label + done);
        if (match[0] != match[1] || match[0] != last_end)
            naive_replace(&p, &x[i], i, label, match, group);
        done = last_end = match[1];
        from = match[1] + (match[0] == match[1]);
    } while (mode == LABEL_MULTIPLE && from <= bytes &&
             naive_find(&x[i], label, bytes, from, match, group));
    strcpy(p, label + done);
}

static void renaming_is_as_defined(void)
{
    enum { MAPS = 4000, LABELS = 15, RULES = 5 };
    static const label_mode modes[] = { LABEL_TOTAL, LABEL_GATE, LABEL_SINGLE,
                                        LABEL_MULTIPLE };
    size_t changed = 0;
    for (uint64_t seed = 0; seed < MAPS; seed++) {
        random_stream r = random_open(seed, 2);
        mem m = MEM_INIT;
        err e = ERR_INIT;
        label_map *s;
        expression x[RULES];
        label_mode mode = modes[random_below(&r, 4)];
        size_t count = (size_t)random_below(&r, RULES) + 1;
        arena a = ARENA_INIT(&m, 1 << 12);
        CU_ASSERT_EQUAL_FATAL(label_map_open(&s, &m, mode, &e), 0);
        for (size_t i = 0; i < count; i++) {
            char to[16];
            x[i] = random_expression(&r, random_below(&r, 2) == 0);
            snprintf(to, sizeof to, x[i].group ? "<%zu&\\\\\\1>" : "<%zu&>", i);
            CU_ASSERT_EQUAL(
                label_map_add(s, x[i].text, strlen(x[i].text), to, strlen(to), false, &e),
                0);
        }
        for (size_t i = 0; i < LABELS; i++) {
            char label[8], expected[TEXT_MAX];
            const char *found;
            size_t bytes;
            random_label(&r, label);
            naive_rename(x, count, mode, label, expected);
            CU_ASSERT_EQUAL(
                label_map_apply(s, &a, label, strlen(label), &found, &bytes, &e), 0);
            changed += strcmp(expected, label) != 0;
            CU_ASSERT_EQUAL(bytes, strlen(found));
            if (strcmp(found, expected) == 0) continue;
            printf("\n  seed %llu: mode %d, label '%s', expected '%s', found '%s', from",
                   (unsigned long long)seed, (int)mode, label, expected, found);
            for (size_t k = 0; k < count; k++) printf(" '%s'", x[k].text);
            CU_FAIL("a renaming differs from its definition");
        }
        label_map_close(s);
        arena_release(&a);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    CU_ASSERT(changed > MAPS * LABELS / 5);
}

static void renaming_examples(void)
{
    static const struct {
        label_mode mode;
        const char *from, *to, *label, *expected;
    } rows[] = {
        { LABEL_TOTAL, "PUT !\\([A-Z]*\\) !\\([A-Z]*\\)", "PUT !\\2 !\\1", "PUT !A !B",
          "PUT !B !A" },
        { LABEL_TOTAL, "PUT", "GET", "PUT !1", "PUT !1" },
        { LABEL_GATE, "PUT", "GET", "PUT !PUT", "GET !PUT" },
        { LABEL_GATE, "P.*", "&&", "PUT !1", "PUTPUT !1" },
        { LABEL_SINGLE, "PUT", "GET", "PUT !PUT", "GET !PUT" },
        { LABEL_MULTIPLE, "PUT", "GET", "PUT !PUT", "GET !GET" },
        { LABEL_MULTIPLE, "A", "AA", "AAB", "AAAAB" },
        { LABEL_MULTIPLE, "^A", "B", "AAA", "BAA" },
        { LABEL_MULTIPLE, "x*", "-", "abc", "-a-b-c-" },
        { LABEL_MULTIPLE, "a*", "-", "baaac", "-b-c-" },
        { LABEL_SINGLE, "!.*$", "", "PUT !1", "PUT " },
        { LABEL_TOTAL, "A", "\\&\\\\", "A", "&\\" },
        { LABEL_TOTAL, "A\\.B", "x", "A.B", "x" },
        { LABEL_TOTAL, "A\\.B", "x", "AxB", "AxB" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        label_map *s;
        arena a = ARENA_INIT(&m, 1 << 10);
        const char *found = "";
        size_t bytes;
        CU_ASSERT_EQUAL_FATAL(label_map_open(&s, &m, rows[i].mode, &e), 0);
        CU_ASSERT_EQUAL(label_map_add(s, rows[i].from, strlen(rows[i].from), rows[i].to,
                                      strlen(rows[i].to), false, &e),
                        0);
        CU_ASSERT_EQUAL(label_map_apply(s, &a, rows[i].label, strlen(rows[i].label),
                                        &found, &bytes, &e),
                        0);
        if (strcmp(found, rows[i].expected) != 0)
            printf("\n  row %zu: found '%s', expected '%s'", i, found, rows[i].expected);
        CU_ASSERT_STRING_EQUAL(found, rows[i].expected);
        label_map_close(s);
        arena_release(&a);
    }
}

CU_TestInfo test_label_rules[] = {
    { "sets are as defined", sets_are_as_defined },
    { "thousands of names are found", thousands_of_names_are_found },
    { "case is ignored where asked", case_is_ignored_where_asked },
    { "a gate ends where offers begin", a_gate_ends_where_offers_begin },
    { "renaming is as defined", renaming_is_as_defined },
    { "renaming: examples", renaming_examples },
    CU_TEST_INFO_NULL
};
