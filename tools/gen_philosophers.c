/*
 * gen_philosophers - philosopher i sits between fork i, on the left, and fork i + 1 (modulo n).
 * Each takes the left fork, takes the right one, eats and puts them back in that order; the
 * left-handed one exchanges left and right.
 */
#include "tools/gen_networks.h"
#include "tools/gen_parts.h"

static void philosopher(gen_parts *p)
{
    gen_parts_begin(p, "philosopher");
    gen_parts_step(p, 0, 1, "TAKE_FIRST");
    gen_parts_step(p, 1, 2, "TAKE_SECOND");
    gen_parts_step(p, 2, 3, "EAT");
    gen_parts_step(p, 3, 4, "DROP_FIRST");
    gen_parts_step(p, 4, 0, "DROP_SECOND");
    gen_parts_end(p);
}

/* Held by the philosopher on one side or the other. */
static void fork_itself(gen_parts *p)
{
    gen_parts_begin(p, "fork");
    gen_parts_step(p, 0, 1, "TAKE_ONE");
    gen_parts_step(p, 0, 2, "TAKE_OTHER");
    gen_parts_step(p, 1, 0, "DROP_ONE");
    gen_parts_step(p, 2, 0, "DROP_OTHER");
    gen_parts_end(p);
}

static void seat(gen_parts *p, uint32_t i, uint32_t first, uint32_t second)
{
    gen_parts_text(
        p,
        "    total rename \"TAKE_FIRST\" -> \"TAKE !%u !%u\", \"TAKE_SECOND\" -> "
        "\"TAKE !%u !%u\", \"EAT\" -> \"EAT !%u\",\n"
        "        \"DROP_FIRST\" -> \"DROP !%u !%u\", \"DROP_SECOND\" -> "
        "\"DROP !%u !%u\"\n    in ",
        i, first, i, second, i, i, first, i, second);
    gen_parts_use(p, "philosopher");
    gen_parts_text(p, " end rename\n");
}

static void lay(gen_parts *p, uint32_t fork, uint32_t one, uint32_t other)
{
    gen_parts_text(p,
                   "    total rename \"TAKE_ONE\" -> \"TAKE !%u !%u\", \"TAKE_OTHER\" -> "
                   "\"TAKE !%u !%u\",\n"
                   "        \"DROP_ONE\" -> \"DROP !%u !%u\", \"DROP_OTHER\" -> "
                   "\"DROP !%u !%u\"\n    in ",
                   one, fork, other, fork, one, fork, other, fork);
    gen_parts_use(p, "fork");
    gen_parts_text(p, " end rename\n");
}

static void network(gen_parts *p, uint32_t n, bool free)
{
    gen_parts_text(p,
                   "(* %u dining philosophers%s: TAKE !philosopher !fork, EAT "
                   "!philosopher, DROP !philosopher !fork *)\npar\n",
                   n, free ? ", number 0 left-handed" : "");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t left = i, right = (i + 1) % n;
        bool mirrored = free && i == 0;
        if (i > 0) gen_parts_text(p, "||\n");
        seat(p, i, mirrored ? right : left, mirrored ? left : right);
    }
    gen_parts_text(p, "end par\n|[TAKE, DROP]|\npar\n");
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0) gen_parts_text(p, "||\n");
        lay(p, i, i, (i + n - 1) % n);
    }
    gen_parts_text(p, "end par\n");
}

static void properties(gen_parts *p, bool free)
{
    gen_parts_claim(p, "deadlock_free", free,
                    free ? "the left-handed one breaks the circle"
                         : "all may take their left fork, and wait for ever",
                    "DEADLOCK_FREE ()");
    gen_parts_claim(p, "exclusive", true,
                    "a fork that is taken stays taken until put back",
                    "AFTER_1_NO_2_UNTIL_3 (\"TAKE !0 !1\", 'TAKE ![0-9]* !1', "
                    "\"DROP !0 !1\")");
    gen_parts_claim(p, "eats_again", free, "philosopher 0 can always eat some day",
                    "ALWAYS_POSSIBLE (< \"EAT !0\" > true)");
    gen_parts_claim(p, "eats_fairly", free,
                    "one who has a fork eats at last, if chances are taken",
                    "AFTER_1_FAIRLY_2 (\"TAKE !1 !1\", \"EAT !1\")");
    gen_parts_claim(p, "eats_inevitably", false,
                    "philosopher 0 eats at last, however the others are favoured",
                    "INEVITABLE (\"EAT !0\")");
}

static void build(gen_parts *p)
{
    uint32_t n = gen_parts_number(p, "n");
    bool free = gen_parts_given(p, "deadlock-free");
    philosopher(p);
    fork_itself(p);
    network(p, n, free);
    properties(p, free);
}

static int run(tool *t, err *e) { return gen_parts_make(t, &gen_philosophers, build, e); }

const gen_family gen_philosophers = {
    .name = "philosophers",
    .doc = "dining philosophers, with or without a deadlock",
    .synopsis = "",
    .takes = (const gen_parameter[]){ { "output", 0, 0, 0 },
                                      { "n", 5, 2, 1000 },
                                      { "deadlock-free", 0, 0, 0 },
                                      { 0 } },
    .run = run,
};
