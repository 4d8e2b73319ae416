#include "core/lts.h"

#include <CUnit/CUnit.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* Three counts and a width, as a reader sets them before it allocates. */
static lts shaped(mem *m, state_id states, uint64_t transitions, unsigned label_bytes)
{
    return (lts){
        .m = m, .states = states, .transitions = transitions, .label_bytes = label_bytes
    };
}

static void memory_is_8_bytes_a_state_and_4_plus_width_a_transition(void)
{
    for (unsigned width = 1; width <= 4; width *= 2) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g = shaped(&m, 1000, 5000, width);
        CU_ASSERT_EQUAL(lts_allocate(&g, &e), 0);
        CU_ASSERT_EQUAL(m.now, 1001 * 8 + 5000 * (4 + width));
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

static void labels_come_back_in_every_width(void)
{
    static const struct {
        unsigned width;
        label_id largest;
    } rows[] = { { 1, 0xff }, { 2, 0xffff }, { 4, LABELS_MAX } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g = shaped(&m, 1, 3, rows[i].width);
        CU_ASSERT_EQUAL_FATAL(lts_allocate(&g, &e), 0);
        lts_set_label(&g, 1, rows[i].largest);
        CU_ASSERT_EQUAL(lts_label(&g, 0), 0); /* the neighbours are untouched */
        CU_ASSERT_EQUAL(lts_label(&g, 1), rows[i].largest);
        CU_ASSERT_EQUAL(lts_label(&g, 2), 0);
        lts_set_label(&g, 1, 5);
        CU_ASSERT_EQUAL(lts_label(&g, 1), 5);
        lts_close(&g);
    }
}

static void a_state_without_transitions_is_an_lts(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = shaped(&m, 1, 0, 1);
    CU_ASSERT_EQUAL(lts_allocate(&g, &e), 0);
    CU_ASSERT_EQUAL(g.first[0], 0);
    CU_ASSERT_EQUAL(g.first[1], 0);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void close_empties_and_may_be_repeated(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = shaped(&m, 10, 20, 2);
    lts_close(&g); /* counts set, nothing allocated */
    g = shaped(&m, 10, 20, 2);
    CU_ASSERT_EQUAL(lts_allocate(&g, &e), 0);
    CU_ASSERT_EQUAL(label_table_open(&g.labels, &m, &e), 0);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    CU_ASSERT(g.first == NULL && g.target == NULL && g.label == NULL && g.labels == NULL);
    CU_ASSERT(g.states == 0 && g.transitions == 0);
    CU_ASSERT_PTR_EQUAL(g.m, &m);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void)
{
    for (size_t n = 1; n <= 3; n++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        m.fail_at = n;
        lts g = shaped(&m, 10, 20, 1);
        CU_ASSERT_EQUAL(lts_allocate(&g, &e), ERR_LIMIT);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

static void counts_beyond_any_memory_are_refused(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = shaped(&m, 1, UINT64_MAX / 2, 1);
    CU_ASSERT_EQUAL(lts_allocate(&g, &e), ERR_LIMIT);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void close_unmaps_a_mapped_file(void)
{
    enum { BYTES = 1 << 16 };
    mem m = MEM_INIT;
    char *map =
        mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CU_ASSERT_PTR_NOT_EQUAL_FATAL(map, MAP_FAILED);
    lts g = shaped(&m, 2, 3, 1);
    g.map = map;
    g.map_bytes = BYTES;
    g.first = (uint64_t *)map;
    g.target = (state_id *)(map + 4096);
    g.label = map + 8192;
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    CU_ASSERT(msync(map, BYTES, MS_ASYNC) == -1 && errno == ENOMEM); /* it is gone */
}

CU_TestInfo test_lts[] = {
    { "memory is 8 bytes a state and 4 plus width a transition",
      memory_is_8_bytes_a_state_and_4_plus_width_a_transition },
    { "labels come back in every width", labels_come_back_in_every_width },
    { "a state without transitions is an LTS", a_state_without_transitions_is_an_lts },
    { "close empties and may be repeated", close_empties_and_may_be_repeated },
    { "every failing allocation is reported and leaks nothing",
      every_failing_allocation_is_reported_and_leaks_nothing },
    { "counts beyond any memory are refused", counts_beyond_any_memory_are_refused },
    { "close unmaps a mapped file", close_unmaps_a_mapped_file },
    CU_TEST_INFO_NULL
};
