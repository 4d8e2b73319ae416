#include "comm/comm_wire.h"
#include "core/random.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

static int handle(void *self, worker_id from, const void *at, size_t count, err *e)
{
    (void)self;
    (void)from;
    (void)at;
    (void)count;
    (void)e;
    return 0;
}

static const comm_kind kinds[] = { { "a", 16, COMM_NO_CHANNEL, handle },
                                   { "b", 3, COMM_NO_CHANNEL, handle } };
static const comm_config direct = { .workers = 9, .kinds = kinds, .kind_count = 2 };
static const comm_config routed = {
    .workers = 9, .kinds = kinds, .kind_count = 2, .two_hops = true
};

static void what_is_packed_is_unpacked(void)
{
    static const struct {
        comm_header h;
        const comm_config *c;
    } rows[] = {
        { { .kind = 0, .unit = 16, .count = 1, .from = 3, .epoch = 0 }, &direct },
        { { .kind = 1, .unit = 3, .count = 1000000, .from = 8, .epoch = UINT32_MAX },
          &direct },
        { { .kind = 0, .unit = 32, .count = 7, .from = 1, .hop = COMM_FIRST_HOP },
          &routed },
        { { .kind = 1, .unit = 7, .count = 7, .from = 1, .hop = COMM_LAST_HOP },
          &routed },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const comm_header *h = &rows[i].h;
        comm_header back;
        uint8_t wire[COMM_HEADER_BYTES];
        err e = ERR_INIT;
        comm_wire_pack(h, wire);
        size_t bytes = COMM_HEADER_BYTES + (size_t)h->count * h->unit;
        CU_ASSERT_EQUAL_FATAL(
            comm_wire_unpack(&back, wire, bytes, h->from, rows[i].c, &e), 0);
        CU_ASSERT(back.kind == h->kind && back.unit == h->unit &&
                  back.count == h->count && back.from == h->from &&
                  back.epoch == h->epoch && back.hop == h->hop);
    }
}

/* Headers with a right check sum that promise what is not there. */
static void what_does_not_fit_is_refused(void)
{
    static const struct {
        const char *what;
        comm_header h;
        size_t bytes;
        worker_id from;
    } rows[] = {
        { "unknown kind", { .kind = 2, .unit = 16, .count = 1, .from = 3 }, 48, 3 },
        { "other width", { .kind = 0, .unit = 8, .count = 2, .from = 3 }, 48, 3 },
        { "no message", { .kind = 0, .unit = 16, .count = 0, .from = 3 }, 32, 3 },
        { "one too many", { .kind = 0, .unit = 16, .count = 2, .from = 3 }, 48, 3 },
        { "one too few", { .kind = 0, .unit = 16, .count = 1, .from = 3 }, 64, 3 },
        { "torn", { .kind = 0, .unit = 16, .count = 1, .from = 3 }, 47, 3 },
        { "no header", { .kind = 0, .unit = 16, .count = 1, .from = 3 }, 31, 3 },
        { "nothing", { .kind = 0, .unit = 16, .count = 1, .from = 3 }, 0, 3 },
        { "another sender", { .kind = 0, .unit = 16, .count = 1, .from = 3 }, 48, 4 },
        { "routed",
          { .kind = 0, .unit = 32, .count = 1, .from = 3, .hop = COMM_LAST_HOP },
          64,
          3 },
        { "a count that wraps",
          { .kind = 0, .unit = 16, .count = 0x10000001, .from = 3 },
          48,
          3 },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        comm_header back;
        uint8_t wire[COMM_HEADER_BYTES];
        err e = ERR_INIT;
        comm_wire_pack(&rows[i].h, wire);
        int code =
            comm_wire_unpack(&back, wire, rows[i].bytes, rows[i].from, &direct, &e);
        CU_ASSERT_EQUAL(code, ERR_SYSTEM);
        if (code == 0) printf("\n  accepted: %s", rows[i].what);
    }
}

static void every_bit_of_the_header_is_guarded(void)
{
    comm_header h = { .kind = 0, .unit = 16, .count = 3, .from = 2, .epoch = 5 }, back;
    for (int bit = 0; bit < 8 * COMM_HEADER_BYTES; bit++) {
        uint8_t wire[COMM_HEADER_BYTES];
        err e = ERR_INIT;
        comm_wire_pack(&h, wire);
        wire[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CU_ASSERT_EQUAL(comm_wire_unpack(&back, wire, 80, 2, &direct, &e), ERR_SYSTEM);
    }
}

CU_TestInfo test_comm_wire[] = {
    { "what is packed is unpacked", what_is_packed_is_unpacked },
    { "what does not fit is refused", what_does_not_fit_is_refused },
    { "every bit of the header is guarded", every_bit_of_the_header_is_guarded },
    CU_TEST_INFO_NULL
};
