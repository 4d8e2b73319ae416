/*
 * solve_ratio - what solving costs beside a plain search of the same graph, in one process.
 *
 *     solve_ratio FILE [ROUNDS [ALGORITHM...]]
 *
 * Rounds are interleaved: the search, then every question with every solver, then again;
 * medians are printed, as seconds, as ratios to the search, and per vertex and edge.  Memory is
 * what the solver took beyond the model at its peak.
 */
#include "algorithms/resolution.h"
#include "bench/ratio.h"
#include "core/ids.h"
#include "encodings/enc_mcl.h"
#include "models/lts_file.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS_MAX = 99 };

static const struct {
    const char *name, *formula;
} questions[] = {
    { "deadlock free", "[ true* ] < true > true" },
    { "livelock", "< true* > < \"i\" > @" },
    { "livelock of another label", "< true* > < \"no such label\" > @" },
};

static const char *const usual[] = { "auto", "a4", "a2", "a1" };

/* One question with one solver: a row of the table. */
typedef struct row {
    const char *question, *algorithm;
    const graph *g;
    double seconds[ROUNDS_MAX];
    uint64_t vertices, edges;
    size_t bytes;
    bool refused;
} row;

static void stop(const err *e) { ratio_stop("solve_ratio", e); }

static void solve(row *r, mem *m, int round)
{
    log_sink log = LOG_INIT;
    resolution_options o = { .algorithm = r->algorithm, .log = &log };
    resolution *s = NULL;
    err e = ERR_INIT;
    bool value;
    size_t before = m->now;
    m->peak = before;
    double start = clock_seconds();
    r->refused = resolution_open(&s, m, r->g, &o, &e) == ERR_REFUSED;
    if (r->refused) return;
    if (e.code != ERR_NONE || resolution_solve(s, r->g->root, &value, &e) != 0) stop(&e);
    r->seconds[round] = clock_seconds() - start;
    r->vertices = resolution_solution(s)->seen;
    r->edges = resolution_solution(s)->edges;
    r->bytes = m->peak - before;
    resolution_close(s);
}

static const graph *encode(mem *m, const model *s, const char *text)
{
    mcl *f;
    mcl_equations *q;
    enc_mcl *x;
    err e = ERR_INIT;
    enc_mcl_options o = { .acyclic = false };
    if (mcl_parse(&f, m, text, NULL, &e) != 0 || mcl_equations_of(&q, m, f, &e) != 0 ||
        enc_mcl_open(&x, q, s, &o, &e) != 0)
        stop(&e);
    return enc_mcl_graph(x); /* lives as long as the program */
}

static void print(row *r, int rounds, double base)
{
    if (r->refused) return;
    double t = ratio_median(r->seconds, rounds);
    printf("%-26s %-7s %8.3f s %6.2f %7.1f ns/edge %6.1f bytes/vertex %10llu vertices\n",
           r->question, r->algorithm, t, t / base, t / (double)r->edges * 1e9,
           (double)r->bytes / (double)r->vertices, (unsigned long long)r->vertices);
}

int main(int argc, char **argv)
{
    mem m = MEM_INIT;
    log_sink log = LOG_INIT;
    err e = ERR_INIT;
    lts g;
    load_options o = { .m = &m, .log = &log, .copy = true };
    if (argc < 2) err_set(&e, ERR_USAGE, "usage: FILE [ROUNDS [ALGORITHM...]]");
    if (argc < 2 || lts_file_read(&g, argv[1], &o, &e) != 0) stop(&e);
    int rounds = argc > 2 ? atoi(argv[2]) : 5, count = 0;
    if (rounds < 1 || rounds > ROUNDS_MAX) rounds = 5;
    const char *const *names = argc > 3 ? (const char *const *)argv + 3 : usual;
    size_t name_count = argc > 3 ? (size_t)argc - 3 : COUNT_OF(usual);
    row *rows = calloc(COUNT_OF(questions) * name_count, sizeof *rows);
    double base[ROUNDS_MAX];
    model s = { .m = &m, .key_words = 1, .initial = &g.initial, .labels = g.labels };
    s.rows = &g;
    for (size_t q = 0; rows && q < COUNT_OF(questions); q++) {
        const graph *x = encode(&m, &s, questions[q].formula);
        for (size_t a = 0; a < name_count; a++)
            rows[count++] = (row){ questions[q].name, names[a], .g = x };
    }
    for (int round = 0; round < rounds; round++) {
        base[round] = ratio_search("solve_ratio", &g, clock_seconds);
        for (int i = 0; i < count; i++) solve(&rows[i], &m, round);
    }
    double plain = ratio_median(base, rounds);
    printf("%-26s %-7s %8.3f s %6.2f %7.1f ns/edge\n", "search", "", plain, 1.0,
           plain / (double)g.transitions * 1e9);
    for (int i = 0; i < count; i++) print(&rows[i], rounds, plain);
    return 0;
}
