/*
 * gen_fifo - a pipeline of n queues; what is between two of them is hidden.
 */
#include "tools/gen_networks.h"
#include "tools/gen_parts.h"

/* States of a queue: the words of up to `capacity` messages. */
static double contents(uint32_t capacity, uint32_t messages)
{
    double sum = 1;
    for (uint32_t i = 0; i < capacity; i++) sum = 1 + messages * sum;
    return sum;
}

static void gate(gen_parts *p, uint32_t i, uint32_t n)
{
    if (i == 0) gen_parts_text(p, "PUT");
    else if (i == n) gen_parts_text(p, "GET");
    else gen_parts_text(p, "LINK_%u", i);
}

static void queue(gen_parts *p, uint32_t i, uint32_t n)
{
    gen_parts_text(p, "    gate rename ACCEPT -> ");
    gate(p, i, n);
    gen_parts_text(p, ", PASS -> ");
    gate(p, i + 1, n);
    gen_parts_text(p, " in ");
    gen_parts_use(p, "queue");
    gen_parts_text(p, " end rename\n");
}

static void network(gen_parts *p, uint32_t n)
{
    gen_parts_text(p, "(* %u queues in a row *)\n", n);
    for (uint32_t i = 1; i < n; i++)
        gen_parts_text(p, "%sLINK_%u%s", i == 1 ? "gate hide " : ", ", i,
                       i + 1 == n ? " in\n" : "");
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0) gen_parts_text(p, "|[LINK_%u]|\n", i);
        queue(p, i, n);
    }
    if (n > 1) gen_parts_text(p, "end hide\n");
}

static void properties(gen_parts *p, uint32_t messages)
{
    gen_parts_claim(p, "deadlock_free", true, "it never stops", "DEADLOCK_FREE ()");
    gen_parts_claim(p, "livelock_free", true, "messages do not move for ever",
                    "LIVELOCK_FREE ()");
    gen_parts_claim(p, "no_creation", true, "nothing comes out that was not put in",
                    "NO_2_BEFORE_1 (\"PUT !0\", \"GET !0\")");
    gen_parts_claim(p, "no_duplication", true, "what was put in once comes out once",
                    "macro NO (A) = (not (A))* end_macro\n"
                    "[ NO (\"PUT !0\") . \"PUT !0\" . NO (\"PUT !0\") . \"GET !0\"\n"
                    "  . NO (\"PUT !0\") . \"GET !0\" ] false");
    gen_parts_claim(p, "in_order", true, "the first that is put in comes out first",
                    "[ (not 'PUT.*')* . \"PUT !0\" . (not 'GET.*')* . "
                    "('GET.*' and not \"GET !0\") ] false");
    gen_parts_claim(p, "delivered", true, "what is put in comes out at last",
                    "AFTER_1_INEVITABLE_2 (\"PUT !0\", \"GET !0\")");
    gen_parts_claim(p, "zero_comes", messages == 1, "message 0 comes out at last",
                    "INEVITABLE (\"GET !0\")");
}

static void build(gen_parts *p)
{
    uint32_t n = gen_parts_number(p, "n"), messages = gen_parts_number(p, "messages"),
             capacity = gen_parts_number(p, "capacity");
    if (gen_parts_too_large(p, contents(capacity, messages), "a queue",
                            "lower --messages or --capacity") ||
        gen_parts_too_wide(p, n, contents(capacity, messages), "queues",
                           "so lower --n, --messages or --capacity"))
        return;
    gen_parts_queue(p, "queue", capacity, 0, messages);
    network(p, n);
    properties(p, messages);
}

static int run(tool *t, err *e) { return gen_parts_make(t, &gen_fifo, build, e); }

const gen_family gen_fifo = {
    .name = "fifo",
    .doc = "a pipeline of queues",
    .synopsis = "",
    .takes = (const gen_parameter[]){ { "output", 0, 0, 0 },
                                      { "n", 4, 1, 1000 },
                                      { "messages", 2, 1, 1000000 },
                                      { "capacity", 1, 1, 1000 },
                                      { 0 } },
    .run = run,
};
