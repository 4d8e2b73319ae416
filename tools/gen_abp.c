/*
 * gen_abp - the alternating bit protocol: messages with a bit over a channel that may lose
 * them, the bit back over another one.  The sender repeats its message, at any time, until the
 * bit comes back; the receiver answers every message and delivers those with a new bit.
 */
#include "tools/gen_networks.h"
#include "tools/gen_parts.h"

/* States: 0, 1: idle, next bit; 2 + 2 m + b: message m is on its way with bit b. */
static void sender(gen_parts *p, uint32_t messages)
{
    gen_parts_begin(p, "sender");
    for (uint32_t b = 0; b < 2; b++)
        for (uint32_t m = 0; m < messages; m++)
            gen_parts_step(p, b, 2 + 2 * m + b, "PUT !%u", m);
    for (uint32_t m = 0; m < messages; m++)
        for (uint32_t b = 0; b < 2; b++) {
            uint32_t s = 2 + 2 * m + b;
            gen_parts_step(p, s, s, "SEND !%u !%u", m, b);
            gen_parts_step(p, s, 1 - b, "ACK !%u", b);
            gen_parts_step(p, s, s, "ACK !%u", 1 - b);
        }
    gen_parts_end(p);
}

/* States: 0, 1: waits for that bit; 2, 3: answers with bit 0, 1; 4 + 2 m + b: delivers. */
static void receiver(gen_parts *p, uint32_t messages)
{
    gen_parts_begin(p, "receiver");
    for (uint32_t b = 0; b < 2; b++)
        for (uint32_t m = 0; m < messages; m++) {
            gen_parts_step(p, b, 4 + 2 * m + b, "RECEIVE !%u !%u", m, b);
            gen_parts_step(p, b, 2 + (1 - b), "RECEIVE !%u !%u", m, 1 - b);
        }
    for (uint32_t b = 0; b < 2; b++) gen_parts_step(p, 2 + b, 1 - b, "REPLY !%u", b);
    for (uint32_t m = 0; m < messages; m++)
        for (uint32_t b = 0; b < 2; b++)
            gen_parts_step(p, 4 + 2 * m + b, 2 + b, "GET !%u", m);
    gen_parts_end(p);
}

/* States: 0: empty; 1 + 2 m + b. */
static void data_channel(gen_parts *p, uint32_t messages)
{
    gen_parts_begin(p, "data");
    for (uint32_t m = 0; m < messages; m++)
        for (uint32_t b = 0; b < 2; b++)
            gen_parts_step(p, 0, 1 + 2 * m + b, "SEND !%u !%u", m, b);
    for (uint32_t m = 0; m < messages; m++)
        for (uint32_t b = 0; b < 2; b++) {
            gen_parts_step(p, 1 + 2 * m + b, 0, "RECEIVE !%u !%u", m, b);
            gen_parts_step(p, 1 + 2 * m + b, 0, "i");
        }
    gen_parts_end(p);
}

static void ack_channel(gen_parts *p)
{
    gen_parts_begin(p, "ack");
    for (uint32_t b = 0; b < 2; b++) gen_parts_step(p, 0, 1 + b, "REPLY !%u", b);
    for (uint32_t b = 0; b < 2; b++) {
        gen_parts_step(p, 1 + b, 0, "ACK !%u", b);
        gen_parts_step(p, 1 + b, 0, "i");
    }
    gen_parts_end(p);
}

static void network(gen_parts *p, uint32_t messages)
{
    gen_parts_text(p,
                   "(* the alternating bit protocol with %u messages *)\n"
                   "gate hide SEND, RECEIVE, REPLY, ACK in\n    (",
                   messages);
    gen_parts_use(p, "sender");
    gen_parts_text(p, " ||| ");
    gen_parts_use(p, "receiver");
    gen_parts_text(p, ")\n    |[SEND, RECEIVE, REPLY, ACK]|\n    (");
    gen_parts_use(p, "data");
    gen_parts_text(p, " ||| ");
    gen_parts_use(p, "ack");
    gen_parts_text(p, ")\nend hide\n");
}

static void properties(gen_parts *p)
{
    gen_parts_claim(p, "deadlock_free", true, "it never stops", "DEADLOCK_FREE ()");
    gen_parts_claim(p, "livelock_free", false, "all messages may be lost, for ever",
                    "LIVELOCK_FREE ()");
    gen_parts_claim(p, "no_creation", true, "nothing comes out that was not put in",
                    "NO_2_BEFORE_1 (\"PUT !0\", \"GET !0\")");
    gen_parts_claim(p, "alternates", true, "one message at a time",
                    "AFTER_1_NO_2_UNTIL_3 ('PUT.*', 'PUT.*', 'GET.*') and\n"
                    "AFTER_1_NO_2_UNTIL_3 ('GET.*', 'GET.*', 'PUT.*')");
    gen_parts_claim(p, "true_to_life", true, "what was put in comes out, nothing else",
                    "AFTER_1_NO_2_UNTIL_3 (\"PUT !0\", 'GET.*' and not \"GET !0\", "
                    "\"GET !0\")");
    gen_parts_claim(p, "delivered_fairly", true,
                    "what is put in comes out, if not all is lost for ever",
                    "AFTER_1_FAIRLY_2 (\"PUT !0\", \"GET !0\")");
    gen_parts_claim(p, "delivered", false, "what is put in comes out, whatever is lost",
                    "AFTER_1_INEVITABLE_2 (\"PUT !0\", \"GET !0\")");
}

static void build(gen_parts *p)
{
    uint32_t messages = gen_parts_number(p, "messages");
    sender(p, messages);
    receiver(p, messages);
    data_channel(p, messages);
    ack_channel(p);
    network(p, messages);
    properties(p);
}

static int run(tool *t, err *e) { return gen_parts_make(t, &gen_abp, build, e); }

const gen_family gen_abp = {
    .name = "abp",
    .doc = "the alternating bit protocol over channels that lose messages",
    .synopsis = "",
    .takes = (const gen_parameter[]){ { "output", 0, 0, 0 },
                                      { "messages", 2, 1, 10000 },
                                      { 0 } },
    .run = run,
};
