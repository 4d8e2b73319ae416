/*
 * gen_brp - the bounded retransmission protocol: a file of P packets over channels that may
 * lose them; a packet is sent at most R + 1 times.
 *
 * A frame is SEND !first !last !bit.  What a channel loses it admits by TIMEOUT, so the sender
 * never sends again too early.  The user hears CONF !OK, !NOK or, when the last packet was not
 * confirmed, !DK (don't know); the other user IND !FIRST, !INC, !OK, or !NOK when a file ends
 * too early.  After a failure SYNC tells the receiver, as a timer of its own would.
 *
 * Source  Helmink, Sellink, Vaandrager: Proof-checking a data link protocol, 1994.
 */
#include "tools/gen_networks.h"
#include "tools/gen_parts.h"

/* ---- the sender ---------------------------------------------------------------------------- */

/* States: 0, 1: idle, next bit; 2, 3: confirms with that next bit; 4: gives up in the middle;
   5: gives up at the last packet; 6: tells the receiver; then two per attempt. */
enum { CONFIRM = 2, GIVE_UP = 4, DO_NOT_KNOW = 5, RESTART = 6, ATTEMPTS = 7 };

typedef struct file_size {
    uint32_t packets, retries;
} file_size;

/* Packet i, sent `tried` times, with bit b: about to be sent; one more: waits. */
static state_id attempt(file_size f, uint32_t i, uint32_t tried, uint32_t b)
{
    return ATTEMPTS + 2 * (2 * (i * (f.retries + 1) + tried) + b);
}

static void sender_waits(gen_parts *p, file_size f, uint32_t i, uint32_t tried,
                         uint32_t b)
{
    state_id s = attempt(f, i, tried, b);
    bool last = i + 1 == f.packets;
    gen_parts_step(p, s, s + 1, "SEND !%d !%d !%u", i == 0, last, b);
    gen_parts_step(p, s + 1, last ? CONFIRM + 1 - b : attempt(f, i + 1, 0, 1 - b), "ACK");
    if (tried < f.retries)
        gen_parts_step(p, s + 1, attempt(f, i, tried + 1, b), "TIMEOUT");
    else gen_parts_step(p, s + 1, last ? DO_NOT_KNOW : GIVE_UP, "TIMEOUT");
}

static void sender(gen_parts *p, file_size f)
{
    gen_parts_begin(p, "sender");
    for (uint32_t b = 0; b < 2; b++) gen_parts_step(p, b, attempt(f, 0, 0, b), "REQ");
    for (uint32_t b = 0; b < 2; b++) gen_parts_step(p, CONFIRM + b, b, "CONF !OK");
    gen_parts_step(p, GIVE_UP, RESTART, "CONF !NOK");
    gen_parts_step(p, DO_NOT_KNOW, RESTART, "CONF !DK");
    gen_parts_step(p, RESTART, 0, "SYNC");
    for (uint32_t i = 0; i < f.packets; i++)
        for (uint32_t tried = 0; tried <= f.retries; tried++)
            for (uint32_t b = 0; b < 2; b++) sender_waits(p, f, i, tried, b);
    gen_parts_end(p);
}

/* ---- the receiver -------------------------------------------------------------------------- */

/* States: 0: before a file, any bit will do; 1: tells the user that the file ends too early;
   then four per purpose: 2 middle + b, where middle: more of the file is to come. */
enum { ANY = 0, TOO_EARLY = 1, EXPECT = 2, ANSWER = 6, INDICATE = 10 };

/* The kinds of frames: 2 first + last. */
static bool is_frame(uint32_t kind, uint32_t packets)
{
    bool first = kind >= 2, last = kind % 2 == 1;
    return packets == 1 ? first && last
                        : (!first || !last) && (packets > 2 || first || last);
}

static void receive(gen_parts *p, state_id from, state_id to, uint32_t kind, uint32_t b)
{
    gen_parts_step(p, from, to, "RECEIVE !%u !%u !%u", kind / 2, kind % 2, b);
}

/* A new frame is indicated, one that came before is answered again. */
static void receiver_expects(gen_parts *p, uint32_t packets, uint32_t middle, uint32_t b)
{
    state_id s = EXPECT + 2 * middle + b;
    for (uint32_t kind = 0; kind < 4; kind++) {
        if (!is_frame(kind, packets)) continue;
        receive(p, s, INDICATE + 2 * kind + b, kind, b);
        receive(p, s, ANSWER + 2 * middle + 1 - b, kind, 1 - b);
    }
    gen_parts_step(p, s, middle ? TOO_EARLY : ANY, "SYNC");
}

static void receiver(gen_parts *p, uint32_t packets)
{
    static const char *const told[] = { "INC", "OK", "FIRST", "OK" };
    gen_parts_begin(p, "receiver");
    for (uint32_t kind = 2; kind < 4; kind++)
        for (uint32_t b = 0; b < 2 && is_frame(kind, packets); b++)
            receive(p, ANY, INDICATE + 2 * kind + b, kind, b);
    gen_parts_step(p, ANY, ANY, "SYNC");
    gen_parts_step(p, TOO_EARLY, ANY, "IND !NOK");
    for (uint32_t middle = 0; middle < 2; middle++)
        for (uint32_t b = 0; b < 2; b++) receiver_expects(p, packets, middle, b);
    for (uint32_t middle = 0; middle < 2; middle++)
        for (uint32_t b = 0; b < 2; b++)
            gen_parts_step(p, ANSWER + 2 * middle + b, EXPECT + 2 * middle + 1 - b,
                           "REPLY");
    for (uint32_t kind = 0; kind < 4; kind++)
        for (uint32_t b = 0; b < 2 && is_frame(kind, packets); b++)
            gen_parts_step(p, INDICATE + 2 * kind + b, ANSWER + 2 * (1 - kind % 2) + b,
                           "IND !%s", told[kind]);
    gen_parts_end(p);
}

/* ---- the channels -------------------------------------------------------------------------- */

/* States: 0: empty; 1: lost; 2 + 2 kind + b: a frame. */
static void data_channel(gen_parts *p, uint32_t packets)
{
    gen_parts_begin(p, "data");
    for (uint32_t kind = 0; kind < 4; kind++)
        for (uint32_t b = 0; b < 2 && is_frame(kind, packets); b++)
            gen_parts_step(p, 0, 2 + 2 * kind + b, "SEND !%u !%u !%u", kind / 2, kind % 2,
                           b);
    gen_parts_step(p, 1, 0, "TIMEOUT");
    for (uint32_t kind = 0; kind < 4; kind++)
        for (uint32_t b = 0; b < 2 && is_frame(kind, packets); b++) {
            receive(p, 2 + 2 * kind + b, 0, kind, b);
            gen_parts_step(p, 2 + 2 * kind + b, 1, "i");
        }
    gen_parts_end(p);
}

static void ack_channel(gen_parts *p)
{
    gen_parts_begin(p, "ack");
    gen_parts_step(p, 0, 2, "REPLY");
    gen_parts_step(p, 1, 0, "TIMEOUT");
    gen_parts_step(p, 2, 0, "ACK");
    gen_parts_step(p, 2, 1, "i");
    gen_parts_end(p);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void network(gen_parts *p, file_size f)
{
    gen_parts_text(p,
                   "(* the bounded retransmission protocol: %u packets, %u retries *)\n"
                   "gate hide SEND, RECEIVE, REPLY, ACK, TIMEOUT, SYNC in\n    (",
                   f.packets, f.retries);
    gen_parts_use(p, "sender");
    gen_parts_text(p, " |[SYNC]| ");
    gen_parts_use(p, "receiver");
    gen_parts_text(p, ")\n    |[SEND, RECEIVE, REPLY, ACK, TIMEOUT]|\n    (");
    gen_parts_use(p, "data");
    gen_parts_text(p, " ||| ");
    gen_parts_use(p, "ack");
    gen_parts_text(p, ")\nend hide\n");
}

static void properties(gen_parts *p)
{
    gen_parts_claim(p, "deadlock_free", true, "it never stops", "DEADLOCK_FREE ()");
    gen_parts_claim(p, "livelock_free", true, "retries are bounded", "LIVELOCK_FREE ()");
    gen_parts_claim(p, "confirmed", true,
                    "every request is confirmed, in one way or another",
                    "AFTER_1_INEVITABLE_2 (\"REQ\", 'CONF.*')");
    gen_parts_claim(p, "ok_is_ok", true, "OK means that the last packet arrived",
                    "AFTER_1_NO_2_UNTIL_3 (\"REQ\", \"CONF !OK\", \"IND !OK\")");
    gen_parts_claim(p, "nok_is_nok", true,
                    "NOK means that the last packet did not arrive",
                    "NEVER (\"IND !OK\" . (not 'CONF.*')* . \"CONF !NOK\")");
    gen_parts_claim(p, "dk_after_all", true, "don't know: and yet it may have arrived",
                    "SOME (\"IND !OK\" . (not 'CONF.*')* . \"CONF !DK\")");
    gen_parts_claim(p, "succeeds", false, "every request succeeds",
                    "AFTER_1_INEVITABLE_2 (\"REQ\", \"CONF !OK\")");
}

static void build(gen_parts *p)
{
    file_size f = { gen_parts_number(p, "packets"), gen_parts_number(p, "retries") };
    double states = 4.0 * f.packets * (f.retries + 1.0) + ATTEMPTS;
    if (gen_parts_too_large(p, states, "the sender", "lower --packets or --retries"))
        return;
    sender(p, f);
    receiver(p, f.packets);
    data_channel(p, f.packets);
    ack_channel(p);
    network(p, f);
    properties(p);
}

static int run(tool *t, err *e) { return gen_parts_make(t, &gen_brp, build, e); }

const gen_family gen_brp = {
    .name = "brp",
    .doc = "the bounded retransmission protocol",
    .synopsis = "",
    .takes = (const gen_parameter[]){ { "output", 0, 0, 0 },
                                      { "packets", 3, 1, 100000 },
                                      { "retries", 2, 0, 100000 },
                                      { 0 } },
    .run = run,
};
