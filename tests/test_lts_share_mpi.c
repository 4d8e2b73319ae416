/*
 * test_lts_share_mpi.c - an LTS that several ranks have read is the one that one reads alone.
 *
 *     mpiexec -n RANKS unit_share_mpi
 *
 * All ranks draw the same cases; rank 0 writes the files, so they must share a machine.
 */
#include "comm/comm_mpi.h"
#include "core/random.h"
#include "models/lts_file.h"
#include "tests/naive_aut.h"
#include "tests/packed_file.h"
#include "tests/sample_lts.h"
#include "tests/scratch.h"
#include "tests/share_difference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct world {
    uint32_t rank, ranks;
    char dir[64];
    uint32_t cases, failed, texts;
    const comm_transport *mpi;
} world;

static const log_sink silent = { .level = LOG_QUIET };

static void check(world *x, bool right, const char *claim, const char *where)
{
    x->cases++;
    if (right) return;
    x->failed++;
    printf("FAILED rank %u of %u: %s: %.300s\n", x->rank, x->ranks, claim, where);
    fflush(stdout);
}

static void meet(void)
{
    err e = ERR_INIT;
    comm_mpi_agree(&e);
}

/* ---- one file, one way to read it ---------------------------------------------------------- */

/* Rank 0 makes a file of these bytes. */
static const char *put(world *x, const char *name, const void *data, size_t bytes)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", x->dir, name);
    meet();
    if (x->rank == 0) scratch_write(path, data, bytes);
    meet();
    return path;
}

/* All ranks must say the same as one that reads alone. */
static void check_way(world *x, const char *path, const lts_share_options *o,
                      const lts *alone, const err *wrong, const char *where)
{
    err e = ERR_INIT, told;
    lts_share s;
    lts_share_open(&s, path, o, &e);
    told = e;
    comm_mpi_agree(&told);
    check(x, told.code == e.code && strcmp(told.text, e.text) == 0,
          "the ranks do not agree", where);
    if (e.code != wrong->code || strcmp(e.text, wrong->text) != 0) {
        check(x, false, e.text[0] ? e.text : "it was accepted", where);
    } else if (e.code == ERR_NONE) {
        const char *why = share_difference(&s, alone, x->rank, x->ranks);
        check(x, why == NULL, why ? why : "", where);
    }
    lts_share_close(&s);
    check(x, o->load->m->now == 0, "memory is lost", where);
}

/* A file in every distribution, read with so many threads in blocks of so many bytes. */
static void check_file(world *x, const char *path, bool lenient, int threads,
                       size_t block_bytes, const char *where)
{
    mem m = MEM_INIT, own = MEM_INIT;
    load_options load = { .m = &own,
                          .hidden = share_hidden,
                          .hidden_count = SHARE_HIDDEN,
                          .lenient = lenient,
                          .threads = threads,
                          .block_bytes = block_bytes,
                          .log = &silent };
    load_options single = load;
    single.m = &m;
    err wrong = ERR_INIT;
    lts alone;
    lts_file_read(&alone, path, &single, &wrong);
    for (int kind = 0; kind < DISTRIBUTION_KIND_COUNT; kind++) {
        lts_share_options o = { .load = &load,
                                .kind = (distribution_kind)kind,
                                .ranks = x->ranks,
                                .threads = 1 + (uint32_t)(kind + threads) % 3,
                                .transport = x->mpi };
        char what[400];
        snprintf(what, sizeof what, "%s, %d threads, blocks of %zu, %s: %.250s",
                 distribution_name((distribution_kind)kind), threads, block_bytes,
                 strrchr(path, '.'), where);
        check_way(x, path, &o, &alone, &wrong, what);
    }
    lts_close(&alone);
}

static void check_text(world *x, const char *text, size_t bytes, bool lenient)
{
    static const struct {
        int threads;
        size_t block_bytes;
    } ways[] = { { 1, 0 }, { 1, 16 }, { 2, 40 }, { 3, 7 } };
    static const char *const names[] = { "x.aut", "x.aut.gz", "x.aut.zst", "x.aut.bz2" };
    packed_kind packers[] = { PACKED_PLAIN, PACKED_GZ + x->texts % 3 };
    x->texts++;
    for (size_t k = 0; k < COUNT_OF(packers); k++) {
        packed_kind kind = packers[k];
        size_t packed_size;
        char *packed = packed_bytes(kind, text, bytes, &packed_size);
        const char *path = put(x, names[kind], packed, packed_size);
        for (size_t i = 0; i < COUNT_OF(ways); i++)
            if (kind == PACKED_PLAIN || i == 1 + x->texts % 3)
                check_file(x, path, lenient, ways[i].threads, ways[i].block_bytes, text);
        free(packed);
    }
}

/* ---- texts --------------------------------------------------------------------------------- */

static void dialects(world *x)
{
    static const char *const texts[] = {
        "des (0,2,2)\n(0,a,1)\n(1,b,0)\n",
        "des (0,2,2)\r\n(0,a,1)\r\n(1,\"b\",0)",
        "\n \n\t\r\ndes (0,1,2)\n\n\n(0,a,1)\n \n\n",
        "des (0,1,2)\n(0,a,1)\n\x04",
        "des (0,0,1)",
        "des (0,0,5)\n",
        "des (2,4,3)\n(2,a,0)\n(0,b,2)\n(2,c,1)\n(0,a,1)\n",
        "des (0,3,2)\n(0,a,1)\n(0,a,1)\n(0,a,1)\n",
        "des (0,3,2)\n(0,\"S !\"x\" !\"y\"\",1)\n(1, \"a, b\" , 0)\n(0,\" c \",0)\n",
        "des (0,2,2)\n(0,\"\",1)\n(0, \"\\\", 1)\n",
        "des (0,5,2)\n(0,tau,1)\n(0,\"i\",1)\n(0,\"tau\",1)\n(0,TAU,1)\n(1,b,0)\n",
        "des (0,6,3)\n(0,b,1)\n(0,c,1)\n(0,a,1)\n(0,c,1)\n(1,silent,0)\n(2,d,0)\n",
        "des (6,7,7)\n(6,a,0)\n(5,b,1)\n(4,a,2)\n(3,c,3)\n(2,a,4)\n(1,b,5)\n(0,d,6)\n",
        "des (0,1,9)\n(0,a,1)\n",
    };
    static const char *const lax[] = {
        "des (0,?,?)          \n(0,a,4)\n",
        "des (7,?,2)\n(0,a,1)\n",
        "des (0,99,3)\n(0,a,1)\n(1,b,2)\n",
        "des (0,0,1)\n(0,a,1)\n(5,a,1)\n",
        "des (0,0,0)\n",
        "des (0,99999999999,3)\n(0,a,1)\n",
        "des (0,2,9)\n(0,silent,1)\n(4,a,2)\n",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int lenient = 0; lenient < 2; lenient++)
            check_text(x, texts[i], strlen(texts[i]), lenient);
    for (size_t i = 0; i < COUNT_OF(lax); i++)
        check_text(x, lax[i], strlen(lax[i]), true);
}

static void mistakes(world *x)
{
    static const char *const texts[] = {
        "",
        "\n \n",
        "hello\n",
        "\n\n  dex (0,1,2)\n",
        "des (0,1,2)x\n",
        "des (0,?,2)\n(0,a,1)\n",
        "des (0,0,0)\n",
        "des (2,0,2)\n",
        "des (0,2,2)\n(0,a,1)\n",
        "des (0,1,2)\n(0,a,1)\n(1,b,0)\n",
        "des (0,99999999999,2)\n(0,a,1)\n",
        "des (0,4,2)\n(0,a,1)\n(1,b,0)\n(1,c,0)\n(1,d,2)\n",
        "des (0,4,2)\n(0,a,1)\n(1,b,0\n(1,c,0)\n(1,d,2)\n",
        "des (0,4,2)\n\n(0,a,1)\n\n\n(1,b,0)\nx(1,c,0)\n(1,d,2)\n",
        "des (0,4,2)\n(0,a,7)\n(1,b,8)\n(1,c,9)\n(1,d,2)\n",
        "des (0,5,2)\n(0,b,1)\n(0,c,1)\n(0,d,1)\n(0,\"h\x01i\",1)\n(0,a,1)\n",
        "des (0,3,2)\n(0,\"a,1)\n(0,b,1)\n(0,c,1)\n",
        "des (0,3,2)\n(0,a,1)\n(0,b,1)\n(0,c,1) 1/2\n",
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        for (int lenient = 0; lenient < 2; lenient++)
            check_text(x, texts[i], strlen(texts[i]), lenient);
}

/* Labels longer than a piece of a message, met first in different ranges. */
static void long_labels(world *x)
{
    static const size_t lengths[] = { 59, 60, 61, 119, 120, 121, 5000 };
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    fprintf(f, "des (0, %zu, 2)\n", 3 * COUNT_OF(lengths));
    for (size_t i = 0; i < 3 * COUNT_OF(lengths); i++) {
        fprintf(f, "(%zu, \"%zu ", i % 2, i / 2);
        for (size_t k = 0; k < lengths[i % COUNT_OF(lengths)]; k++)
            fputc('a' + (int)(k % 26), f);
        fprintf(f, "\", 0)\n");
    }
    fclose(f);
    check_text(x, text, bytes, false);
    free(text);
}

/* In all three orders, some with more labels than a byte can tell. */
static void random_files(world *x)
{
    for (uint64_t seed = 0; seed < 24; seed++) {
        random_stream r = random_open(seed, 5);
        size_t bytes, labels = seed % 4 == 3 ? 300 : 12;
        naive_lts n = naive_random(1 + random_below(&r, seed % 3 ? 300 : 40),
                                   random_below(&r, seed % 3 ? 2000 : 100), labels,
                                   (naive_order)(seed % NAIVE_ORDERS), seed);
        char *text = naive_aut_write(&n, seed % 2 ? &r : NULL, &bytes);
        const char *path = put(x, "random.aut", text, bytes);
        check_file(x, path, seed % 5 == 0, 1 + (int)(seed % 3), 200, "random");
        check_file(x, path, false, 2, 0, "random");
        char *packed = packed_bytes(PACKED_GZ, text, bytes, &bytes);
        path = put(x, "random.aut.gz", packed, bytes);
        check_file(x, path, false, 2, 500, "random");
        free(packed);
        free(text);
        naive_close(&n);
    }
}

/* ---- .plts --------------------------------------------------------------------------------- */

static const char *write_as(world *x, const lts *g, const char *name)
{
    static char path[128];
    err e = ERR_INIT;
    snprintf(path, sizeof path, "%s/%s", x->dir, name);
    meet();
    if (x->rank == 0) lts_file_write(g, path, LTS_FILE_KEEP, NULL, &e);
    check(x, e.code == ERR_NONE, "a file was written", e.text);
    meet();
    return path;
}

static void binary_files(world *x)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        mem m = MEM_INIT;
        random_stream r = random_open(seed, 6);
        state_id states = 1 + (state_id)random_below(&r, seed % 3 ? 3000 : 8);
        lts g = sample_lts_random(&m, states, random_below(&r, 20000),
                                  (label_id)(5 + 400 * (seed % 2)), seed);
        check_file(x, write_as(x, &g, "random.plts"), false, 1, 0, "random");
        lts_close(&g);
    }
    mem m = MEM_INIT; /* some stretches */
    lts g = sample_lts_random(&m, 400000, 1500000, 300, 1);
    check_file(x, write_as(x, &g, "large.plts"), false, 2, 0, "large");
    check_file(x, write_as(x, &g, "large.aut"), false, 2, 0, "large");
    lts_close(&g);
}

/* A .plts with a byte turned over: all ranks fail alike, if any does; what was not read is fine. */
static void damaged_files(world *x)
{
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 2000, 9000, 8, 3);
    const char *whole = write_as(x, &g, "whole.plts");
    size_t bytes;
    char *data = scratch_read(whole, &bytes);
    lts_close(&g);
    for (size_t at = 3; at < bytes; at += bytes / 40) {
        data[at] ^= 1;
        const char *path = put(x, "damaged.plts", data, bytes);
        mem own = MEM_INIT;
        err e = ERR_INIT, alone = ERR_INIT;
        load_options load = { .m = &own, .threads = 1, .log = &silent };
        lts_file_read(&g, path, &load, &alone);
        lts_close(&g);
        lts_share_options o = { .load = &load,
                                .kind = (distribution_kind)(at % 3),
                                .ranks = x->ranks,
                                .transport = x->mpi };
        lts_share s;
        lts_share_open(&s, path, &o, &e);
        check(x, e.code == alone.code, "damage", e.text);
        lts_share_close(&s);
        check(x, own.now == 0, "memory is lost", "damage");
        data[at] ^= 1;
    }
    free(data);
}

/* ---- memory -------------------------------------------------------------------------------- */

/* The n-th allocation of one rank fails: all say so, or do without, and nothing is lost. */
static void memory_that_one_lacks_is_a_failure_of_all(world *x)
{
    static const char text[] = "des (0,4,3)\n(0,a,1)\n(1,b,0)\n(2,\"c d\",0)\n(2,i,1)\n";
    static const char *const names[] = { "little.aut", "little.aut.gz", "little.plts" };
    for (size_t f = 0; f < COUNT_OF(names); f++) {
        mem m = MEM_INIT;
        lts g = sample_lts_random(&m, 20, 60, 5, 1);
        size_t bytes = sizeof text - 1;
        char *packed =
            packed_bytes(f == 1 ? PACKED_GZ : PACKED_PLAIN, text, bytes, &bytes);
        const char *path =
            f == 2 ? write_as(x, &g, names[f]) : put(x, names[f], packed, bytes);
        uint32_t failed = 0;
        for (uint32_t n = 1; n < 90; n++) {
            mem own = MEM_INIT;
            err e = ERR_INIT, told;
            if (x->rank == n % x->ranks) own.fail_at = n / x->ranks + 1;
            load_options load = { .m = &own, .threads = 2, .log = &silent };
            lts_share_options o = { .load = &load,
                                    .kind = (distribution_kind)(n % 3),
                                    .ranks = x->ranks,
                                    .transport = x->mpi };
            lts_share s;
            lts_share_open(&s, path, &o, &e);
            lts_share_close(&s);
            told = e;
            comm_mpi_agree(&told);
            check(x, told.code == e.code, "the ranks do not agree", e.text);
            check(x, e.code == ERR_NONE || e.code == ERR_LIMIT, "a failure", e.text);
            check(x, own.now == 0, "memory is lost", names[f]);
            failed += e.code != ERR_NONE;
        }
        check(x, failed > 3, "several allocations were tried", names[f]);
        free(packed);
        lts_close(&g);
    }
}

/* May have so much, and `o->kind` is set; true: it is there. */
static bool fits(world *x, const char *path, lts_share_options *o, const lts *g,
                 size_t limit)
{
    mem own = MEM_INIT;
    err e = ERR_INIT;
    lts_share s;
    load_options load = {
        .m = &own, .threads = 1, .copy = true, .hidden_count = 0, .log = &silent
    };
    own.limit = limit;
    o->load = &load;
    lts_share_open(&s, path, o, &e);
    check(x, e.code == ERR_NONE || e.code == ERR_LIMIT, e.text, path);
    check(x, s.rows.transitions < g->transitions / x->ranks * 11 / 10 + 1,
          "a rank has more than its share", path);
    if (x->rank == 0 && e.code == ERR_NONE)
        printf("%s, %s, %u ranks: share %.2f MiB, peak %.2f MiB\n",
               strrchr(path, '/') + 1, distribution_name(o->kind), x->ranks,
               (double)(8 * (size_t)s.rows.states + 5 * s.rows.transitions) / (1 << 20),
               (double)own.peak / (1 << 20));
    lts_share_close(&s);
    check(x, own.now == 0, "memory is lost", path);
    return e.code == ERR_NONE;
}

/* 28 MB, of which no rank may have more than two thirds: three have room for it, one has not. */
static void a_graph_larger_than_the_memory_of_one_rank_is_loaded(world *x)
{
    static const struct {
        const char *name;
        distribution_kind kind;
    } ways[] = {
        { "much.plts", DISTRIBUTION_HASH },    { "much.plts", DISTRIBUTION_BLOCK },
        { "much.aut", DISTRIBUTION_HASH },     { "much.aut", DISTRIBUTION_BLOCK },
        { "much.aut", DISTRIBUTION_LOCALITY }, { "much.aut.gz", DISTRIBUTION_HASH }
    };
    mem m = MEM_INIT;
    lts g = sample_lts_random(&m, 1000000, 4000000, 100, 1);
    size_t whole = 8 * (size_t)g.states + 5 * g.transitions, limit = whole / 3 * 2;
    const char *path = NULL;
    for (size_t i = 0; i < COUNT_OF(ways); i++) {
        lts_share_options o = { .kind = ways[i].kind,
                                .ranks = x->ranks,
                                .transport = x->mpi };
        if (i == 0 || strcmp(ways[i].name, ways[i - 1].name) != 0)
            path = write_as(x, &g, ways[i].name);
        if (x->ranks != 2)
            check(x, fits(x, path, &o, &g, limit) == (x->ranks > 2), "two thirds", path);
        bool last = x->rank == x->ranks - 1; /* lacks memory, and all hear of it */
        check(x, !fits(x, path, &o, &g, last ? limit / 6 : whole), "a sixth", path);
    }
    lts_close(&g);
}

/* ---- other files --------------------------------------------------------------------------- */

static void what_cannot_be_read_is_refused_by_all(world *x)
{
    static const char *const names[] = { "nowhere.aut", "nowhere.plts", "nowhere.bcg",
                                         "x.dot", "x.xyz" };
    put(x, "x.dot", "digraph {}\n", 11);
    put(x, "x.xyz", "something\n", 10);
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", x->dir, names[i]);
        check_file(x, path, false, 1, 0, names[i]);
    }
    if (x->ranks == 1) return;
    char path[128];
    mem own = MEM_INIT;
    err e = ERR_INIT;
    snprintf(path, sizeof path, "%s/pipe.aut", x->dir);
    if (x->rank == 0 && mkfifo(path, 0600) != 0) abort();
    meet();
    load_options load = { .m = &own, .log = &silent };
    lts_share_options o = { .load = &load, .ranks = x->ranks, .transport = x->mpi };
    lts_share s;
    lts_share_open(&s, path, &o, &e);
    check(x, e.code == ERR_INPUT && strstr(e.text, "a pipe can be read by one rank only"),
          "a pipe was not refused", e.text);
    lts_share_close(&s);
}

/* A bcg_io that copies what it is given, AUT text, as CADP's would translate it. */
static void a_bcg_is_translated_by_every_rank(world *x)
{
    static const char tool[] = "#!/bin/sh\ncp \"$1\" \"$2\"\n";
    static const char *const texts[] = { "des (0,2,3)\n(0,a,2)\n(1,b,0)\n",
                                         "des (0,2,2)\n(0,a,1)\n(1,b,2)\n" };
    char path[128], search[4096];
    const char *old = getenv("PATH");
    snprintf(path, sizeof path, "%s", put(x, "bcg_io", tool, sizeof tool - 1));
    if (x->rank == 0 && chmod(path, 0700) != 0) abort();
    snprintf(search, sizeof search, "%s:%s", x->dir, old);
    setenv("PATH", search, 1);
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        const char *bcg = put(x, "x.bcg", texts[i], strlen(texts[i]));
        check_file(x, bcg, i == 0, 1, 0, texts[i]);
    }
    meet();
}

/* -------------------------------------------------------------------------------------------- */

static void run_all(world *x)
{
    static void (*const tests[])(world *) = {
        dialects,
        mistakes,
        long_labels,
        random_files,
        binary_files,
        damaged_files,
        what_cannot_be_read_is_refused_by_all,
        a_bcg_is_translated_by_every_rank,
        memory_that_one_lacks_is_a_failure_of_all,
        a_graph_larger_than_the_memory_of_one_rank_is_loaded,
    };
    for (size_t i = 0; i < COUNT_OF(tests); i++) {
        uint32_t before = x->cases;
        tests[i](x);
        if (x->rank == 0) printf("part %zu: %u cases\n", i + 1, x->cases - before);
        fflush(stdout);
    }
}

int main(void)
{
    err e = ERR_INIT;
    world x = { .mpi = comm_transport_find("mpi") };
    if (comm_mpi_start(&e) != 0) return 2;
    x.rank = comm_mpi_rank();
    x.ranks = comm_mpi_ranks();
    snprintf(x.dir, sizeof x.dir, "/tmp/bespoke-share.%d", (int)getppid());
    if (x.rank == 0 && mkdir(x.dir, 0700) != 0) err_set(&e, ERR_SYSTEM, "mkdir: %m");
    if (comm_mpi_agree(&e) == 0) run_all(&x);
    else fprintf(stderr, "%s\n", e.text);
    if (x.failed > 0 || x.rank == 0)
        printf("rank %u: %u cases, %u failed\n", x.rank, x.cases, x.failed);
    meet();
    char remove[100];
    snprintf(remove, sizeof remove, "rm -r %s", x.dir);
    if (x.rank == 0 && e.code == ERR_NONE && system(remove) != 0) x.failed++;
    comm_mpi_stop();
    return x.failed > 0 || x.cases == 0;
}
