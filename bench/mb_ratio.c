/*
 * mb_ratio - MB-DSOLVE over threads beside a plain search and the sequential solvers, in one process.
 *
 *     mb_ratio FILE [ROUNDS [THREADS...]]
 *
 * Rounds are interleaved: the search, then each question with each solver, then again; medians
 * are printed, as ratios to the search, and the time that processors worked, which a busy machine
 * disturbs less.  Memory is what was taken beyond the model at the peak.
 */
#include "algorithms/mb.h"
#include "algorithms/resolution.h"
#include "bench/ratio.h"
#include "core/distribution.h"
#include "encodings/enc_mcl_part.h"
#include "models/lts_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROUNDS_MAX = 99, ROWS_MAX = 64, THREADS_MAX = 64 };

static const struct {
    const char *name, *formula;
} questions[] = {
    { "deadlock free", "[ true* ] < true > true" },
    { "no livelock", "< true* > < \"no such label\" > @" },
};

typedef struct row {
    const char *question, *what;
    const char *sequential; /* the solver, or NULL: */
    worker_id threads;
    bool dependencies;
    mcl_equations *equations;
    enc_mcl *encoding;
    double seconds[ROUNDS_MAX], worked[ROUNDS_MAX];
    uint64_t vertices, edges, messages, letters;
    size_t bytes;
} row;

typedef struct bench {
    mem m;
    lts g;
    model s;
    row rows[ROWS_MAX];
    int count, rounds;
    distribution_kind kind;
} bench;

static void stop(const err *e) { ratio_stop("mb_ratio", e); }

static double worked(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void solve_alone(bench *b, row *r, int round)
{
    log_sink log = LOG_INIT;
    resolution_options o = { .algorithm = r->sequential, .log = &log };
    resolution *s = NULL;
    err e = ERR_INIT;
    bool value;
    double start = clock_seconds(), work = worked();
    const graph *g = enc_mcl_graph(r->encoding);
    if (resolution_open(&s, &b->m, g, &o, &e) != 0 ||
        resolution_solve(s, g->root, &value, &e) != 0)
        stop(&e);
    r->seconds[round] = clock_seconds() - start;
    r->worked[round] = worked() - work;
    r->vertices = resolution_solution(s)->seen;
    r->edges = resolution_solution(s)->edges;
    resolution_close(s);
}

static void solve_together(bench *b, row *r, int round)
{
    err e = ERR_INIT;
    enc_mcl_parts *parts;
    graph_part *part[THREADS_MAX];
    mb_session *s;
    mb_result found;
    distribution d = distribution_of(b->kind, 1, r->threads, b->g.states);
    enc_mcl_part_options po = { .ranks = 1,
                                .threads = r->threads,
                                .rows = &b->g,
                                .initial = b->g.initial,
                                .unit = d.unit };
    if (enc_mcl_part_open(&parts, r->equations, &po, &e) != 0) stop(&e);
    for (worker_id w = 0; w < r->threads; w++) part[w] = enc_mcl_part_of(parts, w);
    mb_problem p = { .part = part, .here = r->threads, .ranks = 1 };
    mb_options o = { .transport = comm_transport_find("threads"),
                     .detector = dtd_find("four-counter"),
                     .all_dependencies = r->dependencies,
                     .m = &b->m };
    double start = clock_seconds(), work = worked();
    if (mb_open(&s, &p, &o, &e) != 0 || mb_run(s, &found, &e) != 0) stop(&e);
    r->seconds[round] = clock_seconds() - start;
    r->worked[round] = worked() - work;
    r->vertices = found.vertices;
    r->edges = found.edges;
    const comm_stats *did = mb_stats(s);
    r->messages = comm_stats_sent(did, "expand") + comm_stats_sent(did, "evaluate");
    r->letters = did->of[COMM_STATS_CONTROL].sum;
    if (getenv("MB_REPORT")) comm_stats_print(did, stderr);
    mb_close(s);
    enc_mcl_part_close(parts);
}

static void run_row(bench *b, row *r, int round)
{
    size_t before = b->m.now;
    b->m.peak = before;
    if (r->sequential) solve_alone(b, r, round);
    else solve_together(b, r, round);
    r->bytes = b->m.peak - before;
}

static void print(row *r, int rounds, double base)
{
    double t = ratio_median(r->seconds, rounds);
    printf("%-14s %-12s %2u %8.3f s %6.2f (work %.2f) %6.1f ns/edge %6.1f bytes/vertex "
           "%10llu vertices, "
           "%10llu messages, %llu letters\n",
           r->question, r->what, r->threads, t, t / base,
           ratio_median(r->worked, rounds) / base, t / (double)r->edges * 1e9,
           (double)r->bytes / (double)r->vertices, (unsigned long long)r->vertices,
           (unsigned long long)r->messages, (unsigned long long)r->letters);
}

static void plan_question(bench *b, size_t q, char **threads, int thread_count)
{
    mcl *f;
    err e = ERR_INIT;
    enc_mcl_options o = { .acyclic = false };
    row first = { .question = questions[q].name };
    if (mcl_parse(&f, &b->m, questions[q].formula, NULL, &e) != 0 ||
        mcl_equations_of(&first.equations, &b->m, f, &e) != 0 ||
        enc_mcl_open(&first.encoding, first.equations, &b->s, &o, &e) != 0)
        stop(&e);
    static const char *const alone[] = { "auto", "a2" };
    for (size_t i = 0; i < 2; i++) {
        row r = first;
        r.what = r.sequential = alone[i];
        r.threads = 1;
        b->rows[b->count++] = r;
    }
    for (int i = 0; i < 2 * thread_count; i++) {
        row r = first;
        r.dependencies = i >= thread_count;
        r.what = r.dependencies ? "dependencies" : "parents";
        r.threads = (worker_id)atoi(threads[i % thread_count]);
        b->rows[b->count++] = r;
    }
}

int main(int argc, char **argv)
{
    static char *usual[] = { "1", "2", "8" };
    static bench b = { .m = MEM_INIT };
    log_sink log = LOG_INIT;
    err e = ERR_INIT;
    load_options o = { .m = &b.m, .log = &log, .copy = true };
    if (argc < 2) err_set(&e, ERR_USAGE, "usage: FILE [ROUNDS [THREADS...]]");
    if (argc < 2 || lts_file_read(&b.g, argv[1], &o, &e) != 0) stop(&e);
    b.rounds = argc > 2 ? atoi(argv[2]) : 5;
    const char *kind = getenv("MB_DISTRIBUTION");
    if (distribution_find(&b.kind, kind ? kind : "locality", &e) != 0) stop(&e);
    char **threads = argc > 3 ? argv + 3 : usual;
    b.s = (model){ .m = &b.m,
                   .key_words = 1,
                   .initial = &b.g.initial,
                   .labels = b.g.labels,
                   .rows = &b.g };
    for (size_t q = 0; q < COUNT_OF(questions); q++)
        plan_question(&b, q, threads, argc > 3 ? argc - 3 : 3);
    double base[ROUNDS_MAX];
    for (int round = 0; round < b.rounds; round++) {
        base[round] = ratio_search("mb_ratio", &b.g, worked);
        for (int i = 0; i < b.count; i++) run_row(&b, &b.rows[i], round);
    }
    double plain = ratio_median(base, b.rounds);
    printf("%-14s %-12s  1 %8.3f s %6.2f %6.1f ns/edge\n", "search", "", plain, 1.0,
           plain / (double)b.g.transitions * 1e9);
    for (int i = 0; i < b.count; i++) print(&b.rows[i], b.rounds, plain);
    return 0;
}
