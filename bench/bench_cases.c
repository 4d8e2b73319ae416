#include "algorithms/search.h"
#include "bench/bench.h"
#include "bench/bench_comm.h"
#include "bench/bench_input.h"
#include "bench/bench_network.h"
#include "core/lts_build.h"
#include "core/random.h"
#include "models/lts_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What most benchmarks keep between rounds. */
typedef struct bench_state {
    mem m;
    log_sink log;
    lts g;         /* the input as an LTS, where one is needed */
    char path[80]; /* the input as a file, where one is needed */
    arena memory;
    lts_part *parts; /* the input as parts, where they are needed */
    size_t part_count;
    random_stream chance;
} bench_state;

static void *give_up(bench_state *b, const err *e)
{
    fprintf(stderr, "bench: %s\n", e->text);
    free(b);
    return NULL;
}

static bench_state *fresh(void)
{
    bench_state *b = calloc(1, sizeof *b);
    if (b == NULL) abort();
    b->log = LOG_INIT;
    b->chance = random_open(1, 2);
    return b;
}

static void close_state(void *self)
{
    bench_state *b = self;
    if (b->g.m) lts_close(&b->g);
    if (b->path[0]) unlink(b->path);
    if (b->memory.m) arena_release(&b->memory);
    free(b->parts);
    free(b);
}

static void check(const err *e)
{
    if (e->code == ERR_NONE) return;
    fprintf(stderr, "bench: %s\n", e->text);
    exit(1);
}

/* ---- reading and writing files ------------------------------------------------------- */

static void *open_aut(bool shuffled)
{
    bench_state *b = fresh();
    err e = ERR_INIT;
    return bench_input_aut(b->path, shuffled, &b->m, &e) == 0 ? b : give_up(b, &e);
}

static void *open_ascending(void) { return open_aut(false); }

static void *open_shuffled(void) { return open_aut(true); }

static uint64_t run_read(void *self)
{
    bench_state *b = self;
    err e = ERR_INIT;
    lts g;
    load_options o = { .m = &b->m, .log = &b->log };
    lts_file_read(&g, b->path, &o, &e);
    check(&e);
    uint64_t items = g.transitions;
    lts_close(&g);
    return items;
}

static void *open_lts(void)
{
    bench_state *b = fresh();
    err e = ERR_INIT;
    return bench_input_lts(&b->g, &b->m, &e) == 0 ? b : give_up(b, &e);
}

static uint64_t write_as(bench_state *b, const char *suffix)
{
    err e = ERR_INIT;
    snprintf(b->path, sizeof b->path, "/tmp/bespoke-bench-%d%s", (int)getpid(), suffix);
    lts_file_write(&b->g, b->path, LTS_FILE_KEEP, NULL, &e);
    check(&e);
    return b->g.transitions;
}

static uint64_t run_write_aut(void *self) { return write_as(self, ".aut"); }

static uint64_t run_write_plts(void *self) { return write_as(self, ".plts"); }

static void *open_plts(void)
{
    bench_state *b = open_lts();
    if (b) write_as(b, ".plts");
    return b;
}

/* ---- parts to rows ------------------------------------------------------------------- */

enum { PART = 1 << 14 };

/* The transitions in parts of PART, in the order of the rows or at random. */
static void *open_parts(bool shuffled)
{
    bench_state *b = open_lts();
    if (b == NULL) return NULL;
    err e = ERR_INIT;
    lts_batch batch = { 0 };
    label_id rename[BENCH_LABELS];
    for (label_id l = 0; l < BENCH_LABELS; l++) rename[l] = l;
    b->memory = ARENA_INIT(&b->m, 16 << 20);
    b->parts = calloc(b->g.transitions / PART + 1, sizeof *b->parts);
    for (uint64_t t = 0; t < b->g.transitions; t++) {
        state_id from = shuffled ? (state_id)random_below(&b->chance, b->g.states)
                                 : (state_id)(t * b->g.states / b->g.transitions);
        lts_edge edge = { from, b->g.target[t], lts_label(&b->g, t) };
        vec_push(&b->m, &batch.edges, edge, &e);
        if (batch.edges.count < PART && t + 1 < b->g.transitions) continue;
        lts_batch_seal(&batch);
        b->parts[b->part_count].order = b->part_count;
        lts_part_make(&b->parts[b->part_count++], &batch, rename, &b->m, &b->memory, &e);
    }
    lts_batch_release(&batch, &b->m);
    check(&e);
    return b;
}

static void *open_parts_ascending(void) { return open_parts(false); }

static void *open_parts_shuffled(void) { return open_parts(true); }

static uint64_t run_build(void *self)
{
    bench_state *b = self;
    err e = ERR_INIT;
    load_options all = { .threads = 0 };
    lts g = { .m = &b->m, .states = b->g.states, .labels = b->g.labels };
    lts_build(&g, b->parts, b->part_count, load_options_threads(&all), &e);
    check(&e);
    g.labels = NULL; /* borrowed from the input */
    lts_close(&g);
    return b->g.transitions;
}

/* ---- labels and search --------------------------------------------------------------- */

static uint64_t run_labels(void *self)
{
    enum { LOOKUPS = 1000000 };
    bench_state *b = self;
    uint64_t sum = 0;
    for (int i = 0; i < LOOKUPS; i++) {
        size_t bytes;
        label_id l = (label_id)random_below(&b->chance, BENCH_LABELS);
        const char *text = label_table_text(b->g.labels, l, &bytes);
        sum += label_table_find(b->g.labels, text, bytes) == l;
    }
    if (sum != LOOKUPS) abort();
    return LOOKUPS;
}

static uint64_t run_search(void *self)
{
    bench_state *b = self;
    err e = ERR_INIT;
    search s;
    search_run(&s, &b->g, NULL, &e);
    check(&e);
    search_close(&s);
    return b->g.transitions;
}

/* -------------------------------------------------------------------------------------- */

#define CASE(id, text, what, open_, run_)           \
    static const bench_case id = { .name = (text),  \
                                   .item = (what),  \
                                   .open = (open_), \
                                   .run = (run_),   \
                                   .close = close_state }

CASE(read_ascending, "aut_read/ascending", "transition", open_ascending, run_read);
CASE(read_shuffled, "aut_read/shuffled", "transition", open_shuffled, run_read);
CASE(read_plts, "plts_read", "transition", open_plts, run_read);
CASE(write_aut, "aut_write", "transition", open_lts, run_write_aut);
CASE(write_plts, "plts_write", "transition", open_lts, run_write_plts);
CASE(build_ascending, "lts_build/ascending", "transition", open_parts_ascending,
     run_build);
CASE(build_shuffled, "lts_build/shuffled", "transition", open_parts_shuffled, run_build);
CASE(find_label, "label_table_find", "lookup", open_lts, run_labels);
CASE(search_all, "search", "transition", open_lts, run_search);

const bench_case *const bench_cases[] = {
    &read_ascending,  &read_shuffled,  &read_plts,           &write_aut,  &write_plts,
    &build_ascending, &build_shuffled, &find_label,          &search_all, &bench_network,
    &bench_comm_one,  &bench_comm_two, &bench_comm_two_hops,
};
const size_t bench_case_count = COUNT_OF(bench_cases);
