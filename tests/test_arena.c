#include "core/arena.h"

#include <CUnit/CUnit.h>
#include <string.h>

static void blocks_are_aligned_zero_and_apart(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    arena a = ARENA_INIT(&m, 4096);
    unsigned char *block[200];
    for (size_t i = 0; i < 200; i++) {
        block[i] = arena_get(&a, i, &e);
        CU_ASSERT_PTR_NOT_NULL_FATAL(block[i]);
        CU_ASSERT_EQUAL((uintptr_t)block[i] % 16, 0);
        for (size_t k = 0; k < i; k++) CU_ASSERT_EQUAL(block[i][k], 0);
        memset(block[i], (int)i, i);
    }
    size_t wrong = 0; /* nobody wrote into another's block */
    for (size_t i = 0; i < 200; i++)
        for (size_t k = 0; k < i; k++) wrong += block[i][k] != i;
    CU_ASSERT_EQUAL(wrong, 0);
    arena_release(&a);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void small_blocks_share_a_chunk(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    arena a = ARENA_INIT(&m, 1 << 16);
    for (int i = 0; i < 1000; i++) arena_get(&a, 32, &e);
    CU_ASSERT_EQUAL(m.calls, 1);
    CU_ASSERT_EQUAL(m.now, 1 << 16);
    arena_release(&a);
}

static void a_block_larger_than_a_chunk_gets_its_own(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    arena a = ARENA_INIT(&m, 256);
    char *block = arena_get(&a, 3 << 20, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(block);
    memset(block, 1, 3 << 20);
    CU_ASSERT_PTR_NOT_NULL(arena_get(&a, 16, &e));
    CU_ASSERT(m.now >= (3 << 20) + 256);
    arena_release(&a);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void restore_gives_back_what_came_after_the_mark(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    arena a = ARENA_INIT(&m, 1024);
    char *kept = arena_get(&a, 100, &e);
    memset(kept, 'k', 100);
    arena_mark mark = arena_save(&a);
    size_t before = m.now;
    char *first = arena_get(&a, 50, &e);
    for (int i = 0; i < 100; i++) arena_get(&a, 300, &e);
    CU_ASSERT(m.now > before);
    arena_restore(&a, mark);
    CU_ASSERT_EQUAL(m.now, before);
    CU_ASSERT_PTR_EQUAL(arena_get(&a, 50, &e), first); /* the place is free again */
    for (int i = 0; i < 100; i++) CU_ASSERT_EQUAL(kept[i], 'k');
    arena_release(&a);
}

static void marks_nest(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    arena a = ARENA_INIT(&m, 512);
    arena_mark mark[20];
    size_t now[20];
    for (int depth = 0; depth < 20; depth++) {
        mark[depth] = arena_save(&a);
        now[depth] = m.now;
        arena_get(&a, 200, &e);
    }
    for (int depth = 19; depth >= 0; depth--) {
        arena_restore(&a, mark[depth]);
        CU_ASSERT_EQUAL(m.now, now[depth]);
    }
    CU_ASSERT_EQUAL(m.now, 0); /* the first mark was of the empty arena */
}

static void a_failure_leaves_the_arena_usable(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    arena a = ARENA_INIT(&m, 1024);
    m.limit = 1500;
    char *kept = arena_get(&a, 500, &e);
    CU_ASSERT_PTR_NOT_NULL_FATAL(kept);
    CU_ASSERT_PTR_NULL(arena_get(&a, 600, &e));
    CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
    e = ERR_INIT;
    CU_ASSERT_PTR_NOT_NULL(arena_get(&a, 100, &e)); /* it still fits the chunk */
    CU_ASSERT_PTR_NULL(arena_get(&a, SIZE_MAX - 3, &e));
    CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
    arena_release(&a);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void a_released_arena_is_empty_and_usable(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    arena a = ARENA_INIT(&m, 1024);
    arena_release(&a);
    arena_get(&a, 10, &e);
    arena_release(&a);
    CU_ASSERT_EQUAL(m.now, 0);
    CU_ASSERT_PTR_NOT_NULL(arena_get(&a, 10, &e));
    arena_release(&a);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_arena[] = {
    { "blocks are aligned, zero and apart", blocks_are_aligned_zero_and_apart },
    { "small blocks share a chunk", small_blocks_share_a_chunk },
    { "a block larger than a chunk gets its own",
      a_block_larger_than_a_chunk_gets_its_own },
    { "restore gives back what came after the mark",
      restore_gives_back_what_came_after_the_mark },
    { "marks nest", marks_nest },
    { "a failure leaves the arena usable", a_failure_leaves_the_arena_usable },
    { "a released arena is empty and usable", a_released_arena_is_empty_and_usable },
    CU_TEST_INFO_NULL
};
