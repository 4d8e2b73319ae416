/*
 * gen_peterson - mutual exclusion of n processes by Peterson's filter; two of them are his
 * classic algorithm.
 *
 * Process i, to enter, goes through the levels l = 1 .. n - 1:
 *
 *     level[i] := l;  last[l] := i;
 *     wait until last[l] /= i, or level[k] < l for all k /= i
 *
 * and sets level[i] := 0 when it leaves.  Every reading and writing of a register is a step of
 * its own; a waiting process reads last[l], then one level after the other, and begins again
 * when one of them is too high.
 *
 * Source  Peterson: Myths about the mutual exclusion problem, 1981.
 */
#include "tools/gen_networks.h"
#include "tools/gen_parts.h"

/* States: 0: elsewhere; then per level n + 2 (writes level, writes last, reads last, reads n - 1
   levels); then enters, leaves, writes level 0. */
static state_id at_level(uint32_t l, uint32_t n) { return 1 + (l - 1) * (n + 2); }

static void wait_for_levels(gen_parts *p, uint32_t i, uint32_t l, uint32_t n)
{
    state_id again = at_level(l, n) + 2, s = again + 1;
    for (uint32_t k = 0; k < n; k++) {
        if (k == i) continue;
        for (uint32_t v = 0; v < n; v++)
            gen_parts_step(p, s, v >= l ? again : s + 1, "GET_LEVEL !%u !%u", k, v);
        s++;
    }
}

static void process(gen_parts *p, uint32_t i, uint32_t n)
{
    state_id end = at_level(n, n);
    gen_parts_begin(p, "process_%u", i);
    gen_parts_step(p, 0, 1, "TRY !%u", i);
    for (uint32_t l = 1; l < n; l++) {
        state_id s = at_level(l, n);
        gen_parts_step(p, s, s + 1, "SET_LEVEL !%u !%u", i, l);
        gen_parts_step(p, s + 1, s + 2, "SET_LAST !%u !%u", l, i);
        for (uint32_t v = 0; v < n; v++)
            gen_parts_step(p, s + 2, v == i ? s + 3 : at_level(l + 1, n),
                           "GET_LAST !%u !%u", l, v);
        wait_for_levels(p, i, l, n);
    }
    gen_parts_step(p, end, end + 1, "ENTER !%u", i);
    gen_parts_step(p, end + 1, end + 2, "LEAVE !%u", i);
    gen_parts_step(p, end + 2, 0, "SET_LEVEL !%u !0", i);
    gen_parts_end(p);
}

/* A variable of values 0 .. n - 1, at first 0. */
static void variable(gen_parts *p, uint32_t n)
{
    gen_parts_begin(p, "register");
    for (uint32_t v = 0; v < n; v++) {
        for (uint32_t w = 0; w < n; w++) gen_parts_step(p, v, w, "SET !%u", w);
        gen_parts_step(p, v, v, "GET !%u", v);
    }
    gen_parts_end(p);
}

static void place(gen_parts *p, const char *name, uint32_t index)
{
    gen_parts_text(p,
                   "    total rename \"SET !\\(.*\\)\" -> \"SET_%s !%u !\\1\", "
                   "\"GET !\\(.*\\)\" -> \"GET_%s !%u !\\1\" in ",
                   name, index, name, index);
    gen_parts_use(p, "register");
    gen_parts_text(p, " end rename\n");
}

static void network(gen_parts *p, uint32_t n)
{
    static const char gates[] = "SET_LEVEL, GET_LEVEL, SET_LAST, GET_LAST";
    gen_parts_text(p, "(* Peterson's filter for %u processes *)\ngate hide %s in\npar\n",
                   n, gates);
    for (uint32_t i = 0; i < n; i++) {
        gen_parts_text(p, i ? "||\n    " : "    ");
        gen_parts_use(p, "process_%u", i);
        gen_parts_text(p, "\n");
    }
    gen_parts_text(p, "end par\n|[%s]|\npar\n", gates);
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0) gen_parts_text(p, "||\n");
        place(p, "LEVEL", i);
    }
    for (uint32_t l = 1; l < n; l++) {
        gen_parts_text(p, "||\n");
        place(p, "LAST", l);
    }
    gen_parts_text(p, "end par\nend hide\n");
}

static void properties(gen_parts *p)
{
    gen_parts_claim(p, "exclusive", true, "one at a time",
                    "AFTER_1_NO_2_UNTIL_3 ('ENTER.*', 'ENTER.*', 'LEAVE.*')");
    gen_parts_claim(p, "deadlock_free", true, "it never stops", "DEADLOCK_FREE ()");
    gen_parts_claim(p, "livelock_free", false, "who waits reads for ever",
                    "LIVELOCK_FREE ()");
    gen_parts_claim(p, "asks_first", true, "nobody enters without asking",
                    "NO_2_BEFORE_1 (\"TRY !0\", \"ENTER !0\")");
    gen_parts_claim(p, "enters_fairly", true, "who tries enters, if all go on",
                    "AFTER_1_FAIRLY_2 (\"TRY !0\", \"ENTER !0\")");
    gen_parts_claim(p, "enters_inevitably", false,
                    "who tries enters, however the others are favoured",
                    "AFTER_1_INEVITABLE_2 (\"TRY !0\", \"ENTER !0\")");
}

static void build(gen_parts *p)
{
    uint32_t n = gen_parts_number(p, "n");
    for (uint32_t i = 0; i < n; i++) process(p, i, n);
    variable(p, n);
    network(p, n);
    properties(p);
}

static int run(tool *t, err *e) { return gen_parts_make(t, &gen_peterson, build, e); }

const gen_family gen_peterson = {
    .name = "peterson",
    .doc = "mutual exclusion, by Peterson",
    .synopsis = "",
    .takes = (const gen_parameter[]){ { "output", 0, 0, 0 }, { "n", 2, 2, 16 }, { 0 } },
    .run = run,
};
