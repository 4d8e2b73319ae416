/*
 * gen_cycles - n cycles of k steps, each on its own: k^n states, n k^n transitions.
 *
 * With a deadlock at distance D, all together may STOP where the local states add up to D - 1,
 * in one way: every cycle is at the quotient of D - 1 and n, the first ones, as many as the
 * remainder says, are a step further.  A step adds 1 to the sum or starts a cycle anew, so
 * that state is D - 1 steps away, and STOP leads to the one state more that there is.
 */
#include "tools/gen_networks.h"
#include "tools/gen_parts.h"

enum { NEVER = UINT32_MAX };

/* Where in its cycle component i stops. */
static uint32_t stop_of(uint32_t i, uint32_t n, uint32_t depth)
{
    return depth == 0 ? NEVER : (depth - 1) / n + (i < (depth - 1) % n);
}

static void cycle(gen_parts *p, uint32_t length, uint32_t stop)
{
    if (stop == NEVER) gen_parts_begin(p, "cycle");
    else gen_parts_begin(p, "cycle_%u", stop);
    for (uint32_t i = 0; i < length; i++) {
        gen_parts_step(p, i, (i + 1) % length, "STEP");
        if (i == stop) gen_parts_step(p, i, length, "STOP");
    }
    gen_parts_end(p);
}

static void network(gen_parts *p, uint32_t n, uint32_t length, uint32_t depth)
{
    gen_parts_text(p, "(* %u cycles of %u steps *)\npar%s\n", n, length,
                   depth ? " STOP in" : "");
    for (uint32_t i = 0; i < n; i++) {
        uint32_t stop = stop_of(i, n, depth);
        if (i > 0) gen_parts_text(p, "||\n");
        gen_parts_text(p, "    total rename \"STEP\" -> \"STEP !%u\" in ", i);
        if (stop == NEVER) gen_parts_use(p, "cycle");
        else gen_parts_use(p, "cycle_%u", stop);
        gen_parts_text(p, " end rename\n");
    }
    gen_parts_text(p, "end par\n");
}

static void properties(gen_parts *p, uint32_t depth)
{
    gen_parts_claim(p, "deadlock_free", depth == 0,
                    depth ? "all may stop together" : "nobody ever stops",
                    "DEADLOCK_FREE ()");
    gen_parts_claim(p, "livelock_free", true, "nothing is hidden", "LIVELOCK_FREE ()");
    gen_parts_claim(p, "steps_again", depth == 0, "cycle 0 can always step some day",
                    "ALWAYS_POSSIBLE (< \"STEP !0\" > true)");
    gen_parts_claim(p, "steps_inevitably", false,
                    "cycle 0 steps at last, however the others are favoured",
                    "INEVITABLE (\"STEP !0\")");
}

static uint32_t depth_of(gen_parts *p, uint32_t n, uint32_t length)
{
    uint64_t most = (uint64_t)n * (length - 1) + 1;
    if (!gen_parts_given(p, "deadlock-depth")) return 0;
    uint32_t depth = gen_parts_number(p, "deadlock-depth");
    if (depth > most)
        gen_parts_refuse(p,
                         "--deadlock-depth: %u is out of range; expected 1 to %" PRIu64
                         ", for no state of %u cycles of %u steps is further away",
                         depth, most, n, length);
    return depth;
}

static void build(gen_parts *p)
{
    uint32_t n = gen_parts_number(p, "n"), length = gen_parts_number(p, "length"),
             depth = depth_of(p, n, length), last = stop_of(n - 1, n, depth);
    if (gen_parts_too_wide(p, n, length + (depth > 0), "cycles",
                           "so lower --n or --length"))
        return;
    cycle(p, length, last);
    if (stop_of(0, n, depth) != last) cycle(p, length, stop_of(0, n, depth));
    network(p, n, length, depth);
    properties(p, depth);
}

static int run(tool *t, err *e) { return gen_parts_make(t, &gen_cycles, build, e); }

const gen_family gen_cycles = {
    .name = "cycles",
    .doc = "cycles side by side: a size as you like, a deadlock as deep as you like",
    .synopsis = "",
    .takes = (const gen_parameter[]){ { "output", 0, 0, 0 },
                                      { "n", 4, 2, 1000 },
                                      { "length", 10, 2, 100000 },
                                      { "deadlock-depth", 0, 1, 100000000 },
                                      { 0 } },
    .run = run,
};
