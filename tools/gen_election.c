/*
 * gen_election - a leader is elected in a ring.  Node i sends its number n - i to node i + 1
 * (modulo n); whoever gets a greater number than its own sends it on, a smaller one is
 * dropped, and whoever gets its own back is the leader.  The numbers descend along the
 * ring, the worst order: n (n + 1) / 2 messages.
 *
 * Source  Chang, Roberts: An improved algorithm for decentralized extrema-finding, 1979.
 */
#include "tools/gen_networks.h"
#include "tools/gen_parts.h"

/* States: 0: sends its number; 1: listens; 2: is the leader; 3: has said so; 3 + k: sends own + k
   on. */
static void node(gen_parts *p, uint32_t i, uint32_t n)
{
    uint32_t own = n - i;
    gen_parts_begin(p, "node_%u", i);
    gen_parts_step(p, 0, 1, "SEND !%u", own);
    for (uint32_t v = 1; v <= n; v++)
        gen_parts_step(p, 1, v < own ? 1 : v == own ? 2 : 3 + v - own, "RECEIVE !%u", v);
    gen_parts_step(p, 2, 3, "LEADER !%u", own);
    for (uint32_t v = own + 1; v <= n; v++)
        gen_parts_step(p, 3 + v - own, 1, "SEND !%u", v);
    gen_parts_end(p);
}

static void gates(gen_parts *p, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        gen_parts_text(p, "%sTO_%u, FROM_%u", i ? ", " : "", i, i);
}

/* Channel i is between node i and the next one. */
static void network(gen_parts *p, uint32_t n)
{
    gen_parts_text(p, "(* %u nodes in a ring elect a leader *)\ngate hide ", n);
    gates(p, n);
    gen_parts_text(p, " in\npar\n");
    for (uint32_t i = 0; i < n; i++) {
        gen_parts_text(p, "%s    gate rename SEND -> TO_%u, RECEIVE -> FROM_%u in ",
                       i ? "||\n" : "", i, (i + n - 1) % n);
        gen_parts_use(p, "node_%u", i);
        gen_parts_text(p, " end rename\n");
    }
    gen_parts_text(p, "end par\n|[");
    gates(p, n);
    gen_parts_text(p, "]|\npar\n");
    for (uint32_t i = 0; i < n; i++) {
        gen_parts_text(p, "%s    gate rename ACCEPT -> TO_%u, PASS -> FROM_%u in ",
                       i ? "||\n" : "", i, i);
        gen_parts_use(p, "channel");
        gen_parts_text(p, " end rename\n");
    }
    gen_parts_text(p, "end par\nend hide\n");
}

static void properties(gen_parts *p, uint32_t n)
{
    gen_parts_claim(p, "elected", true, "there is a leader at last",
                    "INEVITABLE ('LEADER.*')");
    gen_parts_claim(p, "one_leader", true, "there are never two",
                    "NEVER ('LEADER.*' . true* . 'LEADER.*')");
    gen_parts_claim(p, "greatest", true, "nobody else is elected",
                    "NEVER ('LEADER.*' and not \"LEADER !%u\")", n);
    gen_parts_claim(p, "livelock_free", true, "messages do not go round for ever",
                    "LIVELOCK_FREE ()");
    gen_parts_claim(p, "deadlock_free", false, "it ends after the election",
                    "DEADLOCK_FREE ()");
}

static void build(gen_parts *p)
{
    uint32_t n = gen_parts_number(p, "n");
    for (uint32_t i = 0; i < n; i++) node(p, i, n);
    gen_parts_queue(p, "channel", 1, 1, n);
    network(p, n);
    properties(p, n);
}

static int run(tool *t, err *e) { return gen_parts_make(t, &gen_election, build, e); }

const gen_family gen_election = {
    .name = "election",
    .doc = "leader election in a ring, by Chang and Roberts",
    .synopsis = "",
    .takes = (const gen_parameter[]){ { "output", 0, 0, 0 }, { "n", 4, 2, 100 }, { 0 } },
    .run = run,
};
