#include "core/vec.h"

#include <CUnit/CUnit.h>

typedef struct triple {
    uint64_t a, b, c;
} triple;

static void pushed_items_stay_in_order_through_growth(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    VEC(uint64_t) v = { 0 };
    for (uint64_t i = 0; i < 300000; i++) /* past the huge-page threshold */
        CU_ASSERT_EQUAL_FATAL(vec_push(&m, &v, i * i, &e), 0);
    CU_ASSERT_EQUAL(v.count, 300000);
    CU_ASSERT(v.room >= v.count);
    CU_ASSERT_EQUAL(m.now, v.room * sizeof(uint64_t));
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < v.count; i++) wrong += v.at[i] != i * i;
    CU_ASSERT_EQUAL(wrong, 0);
    vec_release(&m, &v);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void growth_of_a_short_one_at_least_doubles(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    VEC(char) v = { 0 };
    size_t grown = 0, room = 0;
    for (int i = 0; i < 100000; i++) {
        vec_push(&m, &v, 'x', &e);
        if (v.room == room) continue;
        CU_ASSERT(v.room >= 2 * room);
        room = v.room;
        grown++;
    }
    CU_ASSERT(grown <= 15);
    CU_ASSERT_EQUAL(m.calls, grown);
    vec_release(&m, &v);
}

static void items_of_any_size_are_kept(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    VEC(triple) v = { 0 };
    for (uint64_t i = 0; i < 1000; i++)
        CU_ASSERT_EQUAL(vec_push(&m, &v, ((triple){ i, 2 * i, 3 * i }), &e), 0);
    CU_ASSERT_EQUAL(v.at[999].a, 999);
    CU_ASSERT_EQUAL(v.at[500].b, 1000);
    CU_ASSERT_EQUAL(v.at[1].c, 3);
    vec_release(&m, &v);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void reserved_room_is_zero_and_needs_no_further_call(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    VEC(int) v = { 0 };
    CU_ASSERT_EQUAL(vec_reserve(&m, &v, 1000, &e), 0);
    CU_ASSERT(v.room >= 1000);
    CU_ASSERT_EQUAL(v.count, 0);
    CU_ASSERT_EQUAL(v.at[999], 0);
    size_t calls = m.calls;
    for (int i = 0; i < 1000; i++) vec_push(&m, &v, i, &e);
    CU_ASSERT_EQUAL(vec_reserve(&m, &v, 10, &e), 0);
    CU_ASSERT_EQUAL(m.calls, calls);
    vec_release(&m, &v);
}

static void a_failed_push_leaves_the_items(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    VEC(uint32_t) v = { 0 };
    m.limit = 100;
    uint32_t pushed = 0;
    while (pushed < 1000 && vec_push(&m, &v, pushed, &e) == 0) pushed++;
    CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
    CU_ASSERT_EQUAL(v.count, pushed);
    CU_ASSERT(pushed >= 8 && pushed <= 25);
    for (uint32_t i = 0; i < pushed; i++) CU_ASSERT_EQUAL(v.at[i], i);
    vec_release(&m, &v);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void a_reserve_whose_size_overflows_is_refused(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    VEC(uint64_t) v = { 0 };
    CU_ASSERT_EQUAL(vec_reserve(&m, &v, SIZE_MAX / 4, &e), ERR_LIMIT);
    CU_ASSERT_EQUAL(v.room, 0);
    CU_ASSERT_PTR_NULL(v.at);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void a_released_vec_is_empty_and_usable(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    VEC(char) v = { 0 };
    vec_release(&m, &v);
    vec_push(&m, &v, 'a', &e);
    vec_release(&m, &v);
    CU_ASSERT(v.at == NULL && v.count == 0 && v.room == 0);
    CU_ASSERT_EQUAL(vec_push(&m, &v, 'b', &e), 0);
    CU_ASSERT_EQUAL(v.at[0], 'b');
    vec_release(&m, &v);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void a_long_vec_that_became_short_gives_memory_back(void)
{
    enum { LONG = 6 * MEM_HUGE_FROM };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    VEC(uint32_t) v = { 0 };
    for (uint32_t i = 0; i < LONG; i++) CU_ASSERT_EQUAL_FATAL(vec_push(&m, &v, i, &e), 0);
    CU_ASSERT(m.now < LONG * sizeof *v.at / 4 * 5 + MEM_HUGE_FROM);
    while (v.count > 100) {
        v.count--;
        vec_trim(&m, &v);
        CU_ASSERT_FATAL(v.count <= v.room && m.now == v.room * sizeof *v.at);
    }
    CU_ASSERT(m.now <= VEC_TRIM_FROM);
    for (uint32_t i = 0; i < v.count; i++) CU_ASSERT_EQUAL_FATAL(v.at[i], i);
    for (uint32_t i = 100; i < LONG; i++)
        CU_ASSERT_EQUAL_FATAL(vec_push(&m, &v, i, &e), 0);
    for (uint32_t i = 0; i < LONG; i++) CU_ASSERT_EQUAL_FATAL(v.at[i], i);
    vec_release(&m, &v);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_vec[] = {
    { "a long vec that became short gives memory back",
      a_long_vec_that_became_short_gives_memory_back },
    { "pushed items stay in order through growth",
      pushed_items_stay_in_order_through_growth },
    { "growth of a short one at least doubles", growth_of_a_short_one_at_least_doubles },
    { "items of any size are kept", items_of_any_size_are_kept },
    { "reserved room is zero and needs no further call",
      reserved_room_is_zero_and_needs_no_further_call },
    { "a failed push leaves the items", a_failed_push_leaves_the_items },
    { "a reserve whose size overflows is refused",
      a_reserve_whose_size_overflows_is_refused },
    { "a released vec is empty and usable", a_released_vec_is_empty_and_usable },
    CU_TEST_INFO_NULL
};
