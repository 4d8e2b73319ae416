#include "core/ids.h"
#include "core/mem.h"

#include "tests/shadowed.h"

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MIB = 1 << 20 };

/* Sizes on both sides of every boundary: empty, page, huge threshold, huge page. */
static const size_t sizes[] = {
    0, 1, 1000, 4096, MIB - 1, MIB, MIB + 5000, 2 * MIB, 2 * MIB + 1,
};

static bool all_equal(const unsigned char *at, size_t bytes, unsigned char value)
{
    if (bytes == 0) return true;
    return at[0] == value && memcmp(at, at + 1, bytes - 1) == 0;
}

static void every_byte_is_counted_and_every_block_zero(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    void *block[COUNT_OF(sizes)];
    size_t sum = 0;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        block[i] = mem_get(&m, sizes[i], &e);
        CU_ASSERT_PTR_NOT_NULL_FATAL(block[i]);
        CU_ASSERT(all_equal(block[i], sizes[i], 0));
        CU_ASSERT_EQUAL(m.now, sum += sizes[i]);
    }
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        mem_put(&m, block[i], sizes[i]);
        CU_ASSERT_EQUAL(m.now, sum -= sizes[i]);
    }
    CU_ASSERT_EQUAL(m.now, 0);
    CU_ASSERT(m.peak > 0);
    CU_ASSERT_EQUAL(m.calls, COUNT_OF(sizes));
}

static void memory_used_before_comes_back_zero(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    for (size_t i = 0; i < COUNT_OF(sizes); i++)
        for (int round = 0; round < 3; round++) {
            unsigned char *block = mem_get(&m, sizes[i], &e);
            CU_ASSERT(all_equal(block, sizes[i], 0));
            memset(block, 0xa5, sizes[i]);
            mem_put(&m, block, sizes[i]);
        }
}

static void the_peak_is_the_largest_sum_ever_held(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    void *a = mem_get(&m, 3000, &e), *b = mem_get(&m, 2 * MIB, &e);
    mem_put(&m, b, 2 * MIB);
    b = mem_get(&m, MIB, &e);
    CU_ASSERT_EQUAL(m.now, 3000 + MIB);
    CU_ASSERT_EQUAL(m.peak, 3000 + 2 * MIB);
    mem_put(&m, a, 3000);
    mem_put(&m, b, MIB);
    CU_ASSERT_EQUAL(m.peak, 3000 + 2 * MIB);
}

static void the_limit_can_be_filled_and_not_exceeded(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    m.limit = 3 * MIB;
    void *a = mem_get(&m, 2 * MIB, &e), *b = mem_get(&m, MIB, &e);
    CU_ASSERT(a && b); /* exactly full */
    CU_ASSERT_PTR_NULL(mem_get(&m, 1, &e));
    CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "3.00 MiB")); /* it names the limit */
    CU_ASSERT_EQUAL(m.now, 3 * MIB);
    CU_ASSERT_EQUAL(m.peak, 3 * MIB);
    mem_put(&m, b, MIB);
    e = ERR_INIT;
    b = mem_get(&m, MIB, &e);
    CU_ASSERT_PTR_NOT_NULL(b); /* room again */
    mem_put(&m, a, 2 * MIB);
    mem_put(&m, b, MIB);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void a_refused_resize_leaves_the_block_and_the_account(void)
{
    static const struct {
        size_t from, to;
    } rows[] = { { 100, 5000 }, { 100, 2 * MIB }, { MIB, 2 * MIB } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        m.limit = rows[i].from + 10;
        unsigned char *block = mem_get(&m, rows[i].from, &e);
        memset(block, 0x5a, rows[i].from);
        CU_ASSERT_PTR_NULL(mem_resize(&m, block, rows[i].from, rows[i].to, &e));
        CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
        CU_ASSERT_EQUAL(m.now, rows[i].from);
        CU_ASSERT_EQUAL(m.peak, rows[i].from);
        CU_ASSERT(all_equal(block, rows[i].from, 0x5a));
        mem_put(&m, block, rows[i].from);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

static void what_no_machine_has_is_refused_with_or_without_a_limit(void)
{
    static const size_t wanted[] = { SIZE_MAX, SIZE_MAX - 5000, SIZE_MAX / 2 };
    for (size_t i = 0; i < COUNT_OF(wanted); i++)
        for (size_t limit = 0; limit <= 100 * MIB; limit += 100 * MIB) {
            mem m = MEM_INIT;
            err e = ERR_INIT;
            m.limit = limit;
            void *some = mem_get(&m, 1000, &e);
            CU_ASSERT_PTR_NULL(mem_get(&m, wanted[i], &e));
            CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
            CU_ASSERT_PTR_NULL(mem_resize(&m, some, 1000, wanted[i], &e));
            CU_ASSERT_EQUAL(m.now, 1000);
            CU_ASSERT_EQUAL(m.peak, 1000);
            mem_put(&m, some, 1000);
        }
}

static void an_array_whose_size_overflows_is_refused(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    CU_ASSERT_PTR_NULL(mem_get_array(&m, SIZE_MAX / 4 + 1, 8, &e));
    CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
    CU_ASSERT_EQUAL(m.now, 0);
    e = ERR_INIT;
    void *block = mem_get_array(&m, 12, 8, &e);
    CU_ASSERT_PTR_NOT_NULL(block);
    CU_ASSERT_EQUAL(m.now, 96);
    mem_put(&m, block, 96);
}

static void the_call_chosen_by_a_test_fails_and_only_that_one(void)
{
    for (size_t chosen = 1; chosen <= 4; chosen++) {
        mem m = MEM_INIT;
        m.fail_at = chosen;
        for (size_t call = 1; call <= 4; call++) {
            err e = ERR_INIT;
            void *block =
                call % 2 ? mem_get(&m, 10, &e) : mem_resize(&m, NULL, 0, 10, &e);
            CU_ASSERT_EQUAL(block == NULL, call == chosen);
            CU_ASSERT_EQUAL(e.code, call == chosen ? ERR_LIMIT : ERR_NONE);
            mem_put(&m, block, 10);
        }
        CU_ASSERT_EQUAL(m.calls, 4);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

static void put_accepts_null(void)
{
    mem m = MEM_INIT;
    mem_put(&m, NULL, 12345);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* Resize a block whose bytes are all `value` and check what must be true afterwards. */
static unsigned char *checked_resize(mem *m, unsigned char *block, size_t from, size_t to,
                                     unsigned char value)
{
    err e = ERR_INIT;
    memset(block, value, from);
    block = mem_resize(m, block, from, to, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(block);
    CU_ASSERT_EQUAL(m->now, to);
    CU_ASSERT(all_equal(block, from < to ? from : to, value));
    if (to > from) CU_ASSERT(all_equal(block + from, to - from, 0));
    return block;
}

/* All chains a -> b -> c: among them shrink then grow, which must not show old bytes. */
static void resize_keeps_old_bytes_and_zeroes_new_ones(void)
{
    size_t n = COUNT_OF(sizes);
    for (size_t chain = 0; chain < n * n * n; chain++) {
        size_t a = sizes[chain % n], b = sizes[chain / n % n], c = sizes[chain / n / n];
        mem m = MEM_INIT;
        err e = ERR_INIT;
        unsigned char *block = mem_get(&m, a, &e);
        CU_ASSERT_PTR_NOT_NULL_FATAL(block);
        block = checked_resize(&m, block, a, b, 0x11);
        block = checked_resize(&m, block, b, c, 0x22);
        mem_put(&m, block, c);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

static void blocks_are_aligned_for_any_type(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    for (size_t bytes = 16; bytes <= 4 * MIB; bytes *= 2) {
        void *block = mem_get(&m, bytes, &e);
        CU_ASSERT_EQUAL((uintptr_t)block % 16, 0);
        mem_put(&m, block, bytes);
    }
}

/* Under AddressSanitizer everything comes from malloc (mem.c says why). */
#if defined(__SANITIZE_ADDRESS__)
#define MALLOC_ONLY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MALLOC_ONLY 1
#endif
#endif

#ifndef MALLOC_ONLY
static void large_blocks_lie_on_huge_page_boundaries_also_after_growing(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    size_t bytes = MEM_HUGE_FROM;
    void *block = mem_get(&m, bytes, &e);
    for (; bytes <= 16 * MIB; bytes += 3 * MIB + 123) {
        CU_ASSERT_EQUAL((uintptr_t)block % MEM_HUGE_PAGE, 0);
        block = mem_resize(&m, block, bytes, bytes + 3 * MIB + 123, &e);
        CU_ASSERT_PTR_NOT_NULL_FATAL(block);
    }
    mem_put(&m, block, bytes);
    CU_ASSERT_EQUAL(m.now, 0);
}
#endif

static void many_threads_share_an_account_that_stays_exact(void)
{
    mem m = MEM_INIT;
    m.limit = 64 * 1000; /* four threads of 100 blocks do not fit: some calls fail */
    size_t held = 0, refused = 0;
#pragma omp parallel for num_threads(4) reduction(+ : held, refused)
    for (int thread = 0; thread < 4; thread++) {
        void *block[100];
        for (size_t i = 0; i < COUNT_OF(block); i++) {
            err e = ERR_INIT;
            block[i] = mem_get(&m, 1000, &e);
            held += block[i] != NULL;
            refused += e.code == ERR_LIMIT;
        }
        for (size_t i = 0; i < COUNT_OF(block); i++) mem_put(&m, block[i], 1000);
    }
    CU_ASSERT_EQUAL(held + refused, 400);
    CU_ASSERT_EQUAL(m.calls, 400);
    CU_ASSERT(m.peak <= m.limit);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void resident_memory_grows_by_what_is_touched(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    uint64_t before = mem_resident_anonymous();
    CU_ASSERT(before > 0);
    void *block = mem_get(&m, 32 * MIB, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(block);
    memset(block, 1, 32 * MIB);
    CU_ASSERT(mem_resident_anonymous() >= before + 30 * MIB);
    mem_put(&m, block, 32 * MIB);
}

static void what_is_resident_beyond_the_limit_is_noticed(void)
{
    mem others = MEM_INIT, m = { .limit = 64 * MIB };
    err e = ERR_INIT;
    if (SHADOWED) return; /* nobody looks there */
    CU_ASSERT_EQUAL_FATAL(mem_charge(&m, 4 * MIB, &e), 0);
    CU_ASSERT_EQUAL(mem_check_resident(&m, &e), 0);
    char *block = mem_get(&others, 128 * MIB, &e); /* by somebody who does not count */
    CU_ASSERT_PTR_NOT_NULL_FATAL(block);
    memset(block, 1, 128 * MIB);
    CU_ASSERT_EQUAL(mem_check_resident(&m, &e), 0); /* it was looked at just now */
    CU_ASSERT_EQUAL_FATAL(mem_charge(&m, 4 * MIB, &e), 0);
    CU_ASSERT_EQUAL(mem_check_resident(&m, &e), ERR_LIMIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "memory limit of 64.00 MiB passed"));
    e = ERR_INIT;
    m.limit = 0;
    CU_ASSERT_EQUAL(mem_check_resident(&m, &e), 0);
    mem_put(&others, block, 128 * MIB);
    mem_discharge(&m, 8 * MIB);
}

CU_TestInfo test_mem[] = {
    { "every byte is counted and every block zero",
      every_byte_is_counted_and_every_block_zero },
    { "memory used before comes back zero", memory_used_before_comes_back_zero },
    { "the peak is the largest sum ever held", the_peak_is_the_largest_sum_ever_held },
    { "the limit can be filled and not exceeded",
      the_limit_can_be_filled_and_not_exceeded },
    { "a refused resize leaves the block and the account",
      a_refused_resize_leaves_the_block_and_the_account },
    { "what no machine has is refused with or without a limit",
      what_no_machine_has_is_refused_with_or_without_a_limit },
    { "an array whose size overflows is refused",
      an_array_whose_size_overflows_is_refused },
    { "the call chosen by a test fails and only that one",
      the_call_chosen_by_a_test_fails_and_only_that_one },
    { "put accepts NULL", put_accepts_null },
    { "resize keeps old bytes and zeroes new ones",
      resize_keeps_old_bytes_and_zeroes_new_ones },
    { "blocks are aligned for any type", blocks_are_aligned_for_any_type },
#ifndef MALLOC_ONLY
    { "large blocks lie on huge page boundaries also after growing",
      large_blocks_lie_on_huge_page_boundaries_also_after_growing },
#endif
    { "many threads share an account that stays exact",
      many_threads_share_an_account_that_stays_exact },
    { "resident memory grows by what is touched",
      resident_memory_grows_by_what_is_touched },
    { "what is resident beyond the limit is noticed",
      what_is_resident_beyond_the_limit_is_noticed },
    CU_TEST_INFO_NULL
};
