#include "lang/plts.h"
#include "tests/sample_plts.h"

#include <CUnit/CUnit.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void the_same_lts_gives_the_same_bytes(void)
{
    scratch s = scratch_open();
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 200000, 300000, 300, 7), back;
    size_t bytes, again_bytes;
    plts_layout l;
    uint8_t *data = sample_plts_bytes(&s, &g, &bytes, &l);
    load_options o = { .m = &m };
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(plts_map(&back, scratch_path(&s, "bytes.plts"), &o, &e), 0);
    uint8_t *again = sample_plts_bytes(&s, &back, &again_bytes, &l);
    CU_ASSERT_EQUAL(bytes, again_bytes);
    CU_ASSERT_EQUAL(memcmp(data, again, bytes), 0);
    free(data);
    free(again);
    lts_close(&g);
    lts_close(&back);
    scratch_close(&s);
}

static void a_pipe_is_refused_before_anything_is_put(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample_lts_random(&m, 5, 5, 2, 1);
    lts_shape shape = sample_shape(&g);
    lts_sink *sink = NULL;
    CU_ASSERT_EQUAL(plts_sink_open(&sink, &m, "/dev/null", &shape, &e), ERR_INPUT);
    CU_ASSERT_PTR_NULL(sink);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void a_sink_that_is_not_committed_leaves_nothing(void)
{
    scratch s = scratch_open();
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g = sample_lts_random(&m, 100000, 1000000, 3, 1);
    lts_shape shape = sample_shape(&g);
    lts_sink *sink = NULL;
    CU_ASSERT_EQUAL(plts_sink_open(&sink, &m, scratch_path(&s, "x.plts"), &shape, &e), 0);
    CU_ASSERT_EQUAL(sample_put(&g, sink, &e), 0);
    lts_sink_close(sink);
    CU_ASSERT_EQUAL(scratch_count(&s), 0);
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&s);
}

static void memory_of_the_sink_does_not_grow_with_the_file(void)
{
    scratch s = scratch_open();
    size_t peak[2];
    for (int i = 0; i < 2; i++) {
        mem m = MEM_INIT, own = MEM_INIT;
        err e = ERR_INIT;
        lts g = sample_lts_random(&own, 10, i ? 3000000 : 300000, 3, 1);
        g.m = &m; /* the sink is on an account of its own */
        CU_ASSERT_EQUAL(sample_plts_write(&g, scratch_path(&s, "x.plts"), &e), 0);
        peak[i] = m.peak;
        g.m = &own;
        lts_close(&g);
    }
    CU_ASSERT(peak[1] - peak[0] < 200); /* 8 bytes per MiB */
    CU_ASSERT(peak[1] < (5u << 20));
    scratch_close(&s);
}

/* Write for ever; a child that is killed. */
static void put_until_killed(const char *path, int ready)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts_shape shape = { .states = 1,
                        .transitions = UINT32_MAX,
                        .labels = sample_labels(&m, 3) };
    lts_sink *sink = NULL;
    if (plts_sink_open(&sink, &m, path, &shape, &e) != 0) _exit(2);
    for (uint64_t i = 0; i < 2000000; i++)
        if (lts_sink_put(sink, 0, (label_id)(i % 3), 0, &e) != 0) _exit(3);
    if (write(ready, "x", 1) != 1) _exit(4);
    for (;;) pause();
}

static void a_killed_writer_leaves_the_old_file(void)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.plts");
    scratch_write(path, "old", 3);
    int ready[2];
    char c;
    CU_ASSERT_EQUAL_FATAL(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) put_until_killed(path, ready[1]);
    CU_ASSERT_EQUAL(read(ready[0], &c, 1), 1);
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    char *have = scratch_read(path, NULL);
    CU_ASSERT_STRING_EQUAL(have, "old");
    free(have);
    close(ready[0]);
    close(ready[1]);
    scratch_close(&s);
}

CU_TestInfo test_plts_sink[] = {
    { "the same LTS gives the same bytes", the_same_lts_gives_the_same_bytes },
    { "a pipe is refused before anything is put",
      a_pipe_is_refused_before_anything_is_put },
    { "a sink that is not committed leaves nothing",
      a_sink_that_is_not_committed_leaves_nothing },
    { "memory of the sink does not grow with the file",
      memory_of_the_sink_does_not_grow_with_the_file },
    { "a killed writer leaves the old file", a_killed_writer_leaves_the_old_file },
    CU_TEST_INFO_NULL
};
