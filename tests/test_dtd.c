/*
 * Detectors in seeded worlds: never early, always at last, epochs in step, letters with a cause.
 * BESPOKE_TEST_SEED is the first seed, BESPOKE_TEST_CASES how many, BESPOKE_TEST_TRACE shows letters.
 */
#include "core/random.h"
#include "dtd/dtd.h"
#include "tests/dtd_tiny.h"
#include "tests/dtd_world.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef BESPOKE_TEST_CHAIN /* all is slow */
enum { SCHEDULES = 4000 };
#else
enum { SCHEDULES = 100000 }; /* per detector */
#endif

static uint64_t from_environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

static void print_tally(const char *name, const dtd_tally *t)
{
    double ends = (double)(t->announcements ? t->announcements : 1);
    printf(
        "\n    %s: %llu runs, %.0f steps each, %llu announcements of %.1f letters in "
        "%.1f "
        "envelopes, at most %.1f per worker and cause; %llu thawed, %llu reopened, %llu "
        "advanced, %llu put off",
        name, (unsigned long long)t->runs, (double)t->steps / (double)t->runs,
        (unsigned long long)t->announcements, (double)t->letters / ends,
        (double)t->envelopes / ends, t->most, (unsigned long long)t->thawed,
        (unsigned long long)t->reopened, (unsigned long long)t->advanced,
        (unsigned long long)t->put_off);
}

static void run_worlds(const char *name)
{
    const dtd_class *c = dtd_find(name);
    dtd_world *w = dtd_world_open();
    CU_ASSERT_PTR_NOT_NULL_FATAL(c);
    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    uint64_t seed = from_environment("BESPOKE_TEST_SEED", 1),
             end = seed + from_environment("BESPOKE_TEST_CASES", SCHEDULES);
    dtd_tally tally = { 0 };
    const char *wrong = NULL;
    for (; seed < end && wrong == NULL; seed++) {
        dtd_shape s = dtd_world_shape(seed);
        s.trace = getenv("BESPOKE_TEST_TRACE") != NULL;
        wrong = dtd_world_run(w, c, &s, &tally);
        if (wrong) dtd_world_print(&s, name, wrong);
    }
    CU_ASSERT_PTR_NULL(wrong);
    print_tally(name, &tally);
    dtd_world_close(w);
}

static void four_counter_is_right(void) { run_worlds("four-counter"); }
static void ring_is_right(void) { run_worlds("ring"); }
static void wave_is_right(void) { run_worlds("wave"); }

/* EWD 998: no request wakes anybody, so a white round that counts right has found the end. */
static void colours_are_right(void)
{
    const dtd_class *c = dtd_find("ring");
    dtd_world *w = dtd_world_open();
    dtd_tally tally = { 0 };
    CU_ASSERT_PTR_NOT_NULL_FATAL(w);
    for (uint64_t seed = 1; seed <= SCHEDULES / 10; seed++) {
        dtd_shape s = dtd_world_shape(seed);
        s.requests = false;
        s.exact = true;
        CU_ASSERT_PTR_NULL(dtd_world_run(w, c, &s, &tally));
    }
    dtd_world_close(w);
}

/* --- all interleavings of tiny worlds ---------------------------------------------------- */

extern const dtd_class dtd_chain; /* a wave on a chain: dtd_mutants.cmake */

static void explore_all(const dtd_class *c, const char *name)
{
    size_t count, states, all = 0;
    const dtd_tiny_script *scripts = dtd_tiny_scripts(&count);
    for (size_t i = 0; i < count; i++) {
        const char *wrong = dtd_tiny_explore(&scripts[i], c, 400000, &states);
        if (wrong) printf("\n%s: '%s': %s\n", name, scripts[i].name, wrong);
        CU_ASSERT_PTR_NULL(wrong);
        all += states;
    }
    printf("\n    %s: %zu worlds, %zu states", name, count, all);
}

static void tiny_worlds_are_right(void)
{
    size_t count;
    const dtd_class *const *all = dtd_list(&count);
    for (size_t i = 0; i < count; i++) explore_all(all[i], all[i]->name);
    explore_all(&dtd_chain, "wave on a chain");
}

/* --- the wire, and who sends nonsense ---------------------------------------------------- */

static dtd_message draw_message(random_stream *r, uint32_t channels)
{
    return (dtd_message){ .kind = (uint32_t)random_below(r, DTD_KIND_COUNT),
                          .flags = (uint32_t)random_below(r, DTD_FLAGS + 1),
                          .channel = (uint32_t)random_below(r, channels),
                          .epoch = (uint32_t)random_next(r),
                          .sent = random_next(r),
                          .received = random_next(r) };
}

static void wire_keeps_a_message(void)
{
    random_stream r = random_open(1, 0);
    err e = ERR_INIT;
    for (int i = 0; i < 1000; i++) {
        uint8_t wire[DTD_WIRE_BYTES];
        dtd_message m = draw_message(&r, 7), back;
        dtd_pack(&m, wire);
        CU_ASSERT_EQUAL_FATAL(dtd_unpack(&back, wire, sizeof wire, 7, &e), 0);
        CU_ASSERT(m.kind == back.kind && m.flags == back.flags && m.epoch == back.epoch &&
                  m.channel == back.channel && m.sent == back.sent &&
                  m.received == back.received);
    }
    dtd_message one = { .sent = 0x0807060504030201u };
    uint8_t wire[DTD_WIRE_BYTES];
    dtd_pack(&one, wire);
    for (int i = 0; i < 8; i++) CU_ASSERT_EQUAL(wire[12 + i], i + 1);
}

static void wire_is_checked(void)
{
    static const struct {
        size_t bytes;
        uint32_t kind, flags, channel;
    } bad[] = { { 27, 0, 0, 0 },   { 29, 0, 0, 0 },
                { 0, 0, 0, 0 },    { 28, DTD_KIND_COUNT, 0, 0 },
                { 28, 0, 8, 0 },   { 28, 0, 0, 3 },
                { 28, 256, 0, 0 }, { 28, 0, 256, 0 } };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        uint8_t wire[DTD_WIRE_BYTES + 1] = { 0 };
        err e = ERR_INIT;
        dtd_message m = { .kind = bad[i].kind,
                          .flags = bad[i].flags,
                          .channel = bad[i].channel };
        dtd_pack(&m, wire);
        CU_ASSERT_EQUAL(dtd_unpack(&m, wire, bad[i].bytes, 3, &e), ERR_SYSTEM);
        CU_ASSERT(e.text[0] != 0);
    }
}

/* Whatever comes, an event sends no more letters than announced, and only to workers. */
static void nonsense_is_survived(void)
{
    enum { P = 5, K = 2, LETTERS = 2 * P + 2 };
    random_stream r = random_open(2, 0);
    size_t count;
    const dtd_class *const *all = dtd_list(&count);
    uint64_t block[256];
    CU_ASSERT_EQUAL_FATAL(dtd_letters_max(P), LETTERS);
    for (size_t i = 0; i < 200000; i++) {
        const dtd_class *c = all[i / 1000 % count];
        worker_id self = (worker_id)(i / 3000 % P);
        dtd *d = (dtd *)(void *)block;
        CU_ASSERT_FATAL(dtd_bytes(c, P, self, K) <= sizeof block);
        if (i % 1000 == 0) dtd_begin(c, block, P, self, K);
        dtd_letter room[LETTERS];
        dtd_out out = { .at = room, .room = LETTERS };
        dtd_message m = draw_message(&r, K);
        m.epoch = dtd_epoch(d, m.channel) + (uint32_t)random_below(&r, 3) - 1;
        m.sent %= 4, m.received %= 4;
        dtd_figures now = { random_below(&r, 3), random_below(&r, 3),
                            random_below(&r, 4) > 0, random_below(&r, 2) > 0 };
        c->message(d, (worker_id)random_below(&r, P), &m, &now, &out);
        for (size_t n = 0; n < out.count; n++) CU_ASSERT_FATAL(room[n].to < P);
    }
}

static void names_are_found(void)
{
    size_t count;
    const dtd_class *const *all = dtd_list(&count);
    CU_ASSERT_EQUAL(count, 3);
    for (size_t i = 0; i < count; i++)
        CU_ASSERT_PTR_EQUAL(dtd_find(all[i]->name), all[i]);
    CU_ASSERT_PTR_NULL(dtd_find("credit"));
}

CU_TestInfo test_dtd[] = {
    { "names are found", names_are_found },
    { "the wire keeps a message", wire_keeps_a_message },
    { "the wire is checked", wire_is_checked },
    { "nonsense is survived", nonsense_is_survived },
    { "all interleavings of tiny worlds are right", tiny_worlds_are_right },
    { "four-counter: never early, always at last", four_counter_is_right },
    { "ring: never early, always at last", ring_is_right },
    { "wave: never early, always at last", wave_is_right },
    { "ring: woken by messages alone, the second round never fails", colours_are_right },
    CU_TEST_INFO_NULL,
};
