#include "tests/sample_plts.h"

#include "core/hash.h"
#include "core/ids.h"
#include "lang/plts.h"

#include <CUnit/CUnit.h>
#include <string.h>

int sample_plts_write(const lts *g, const char *path, err *e)
{
    lts_shape shape = sample_shape(g);
    lts_sink *sink = NULL;
    if (plts_sink_open(&sink, g->m, path, &shape, e) == 0 && sample_put(g, sink, e) == 0)
        lts_sink_commit(sink, e);
    lts_sink_close(sink);
    return (int)e->code;
}

uint8_t *sample_plts_bytes(scratch *s, const lts *g, size_t *bytes, plts_layout *l)
{
    err e = ERR_INIT;
    const char *path = scratch_path(s, "bytes.plts");
    CU_ASSERT_EQUAL_FATAL(sample_plts_write(g, path, &e), 0);
    uint8_t *data = (uint8_t *)scratch_read(path, bytes);
    CU_ASSERT_EQUAL_FATAL(
        plts_layout_decode(l, data, PLTS_HEADER_BYTES, *bytes, path, &e), 0);
    return data;
}

void sample_plts_sign(uint8_t *data, const plts_layout *l)
{
    plts_layout mine = *l;
    uint64_t *sums = (uint64_t *)(void *)(data + l->section[PLTS_SUMS].offset);
    for (uint64_t p = 0; p < l->pieces; p++) {
        plts_piece piece = plts_layout_piece(l, p);
        sums[p] = hash_file(data + piece.offset, piece.bytes);
    }
    for (unsigned i = 0; i < PLTS_SUMS; i++)
        mine.section[i].sum =
            hash_file(sums + l->section[i].piece,
                      (l->section[i + 1].piece - l->section[i].piece) * 8);
    mine.section[PLTS_SUMS].sum = hash_file(sums, l->pieces * 8);
    for (unsigned i = 0; i < PLTS_SECTION_COUNT; i++)
        memcpy(data + 64 + 24 * i + 16, &mine.section[i].sum, 8);
    uint64_t sum = hash_file(data, 248);
    memcpy(data + 248, &sum, 8);
}

/* The whole as a range, which must meet the same fate. */
static void load_as_range(const char *path, const lts *want, int rc)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    load_options o = { .m = &m };
    plts_range r;
    CU_ASSERT_EQUAL(plts_range_read(&r, path, 0, want->states, &o, &e), rc);
    plts_range_close(&r);
    CU_ASSERT_EQUAL(m.now, 0);
}

int sample_plts_load(const char *path, const lts *want, err *e)
{
    static int (*const loaders[])(lts *, const char *, const load_options *,
                                  err *) = { plts_map, plts_read };
    for (size_t k = 0; k < COUNT_OF(loaders); k++) {
        mem m = MEM_INIT;
        err mine = ERR_INIT;
        load_options o = { .m = &m, .threads = 1 };
        lts g;
        int rc = loaders[k](&g, path, &o, &mine);
        if (rc == 0) CU_ASSERT(sample_equal(&g, want));
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
        if (k == 0) *e = mine;
        CU_ASSERT_EQUAL(rc, (int)e->code);
    }
    if (want) load_as_range(path, want, (int)e->code);
    return (int)e->code;
}
