/*
 * verdict.h - what the commands that answer TRUE or FALSE share: options, solving, the answer.
 *
 *     verdict v = VERDICT_INIT;
 *     v.model = in.name;
 *     ... load and encode, entering the seconds ...
 *     verdict_solve(&v, t, g, choices, &r, e);
 *     ... a diagnostic, from r ...
 *     resolution_close(r);
 *     return verdict_print(&v, t, e);      also when a limit was reached: e says so
 */
#ifndef BESPOKE_VERDICT_H
#define BESPOKE_VERDICT_H

#include "algorithms/resolution.h"
#include "tools/command.h"

/* --algorithm --exhaustive --explain: of every command that solves. */
extern const option_group options_solve;

/* What is not known is negative or NULL; it becomes null in JSON. */
typedef struct verdict {
    bool known, value;
    const char *algorithm;     /* as asked for */
    const char *model;         /* its name; borrowed, as the next */
    const char *property;      /* the formula or the like */
    const char *const *hidden; /* labels taken as hidden; borrowed */
    size_t hidden_count;
    int64_t states, transitions, labels; /* of the model */
    int64_t states_met;                  /* of a model whose states are computed */
    int surrogate;                       /* 0, 1 or negative */
    int64_t vertices, edges, blocks;     /* visited; looked at; of the graph */
    double load, encode, solve;          /* seconds */
    double diagnostic, certify;          /* seconds */
    double simulated;                    /* seconds of the machine that was simulated */
    int64_t proof_vertices, proof_depth; /* of the diagnostic */
    int64_t proof_height;                /* of the lowest tree, if that is what it is */
    bool certified;                      /* of the diagnostic */
    uint64_t resident;                   /* see verdict_sample */
    /* Of several workers; NULL: there was one, and nothing was sent. */
    const struct workers *workers;
    const struct comm_stats *stats;
    const char *detector, *distribution;
    int64_t cross_edges;  /* that led to another worker */
    const uint64_t *peak; /* bytes of each rank; NULL: `resident` is this rank's */
} verdict;

#define VERDICT_INIT                  \
    ((verdict){ .states = -1,         \
                .transitions = -1,    \
                .labels = -1,         \
                .states_met = -1,     \
                .surrogate = -1,      \
                .vertices = -1,       \
                .edges = -1,          \
                .cross_edges = -1,    \
                .blocks = -1,         \
                .load = -1,           \
                .encode = -1,         \
                .solve = -1,          \
                .simulated = -1,      \
                .diagnostic = -1,     \
                .certify = -1,        \
                .proof_vertices = -1, \
                .proof_depth = -1,    \
                .proof_height = -1 })

/* At the end of a phase, before its memory is given back: the most anonymous resident memory
   seen at such moments is what the answer tells. */
void verdict_sample(verdict *v);

/**
 * Solve the root of `g` as the options say (--explain prints to stderr what is done) and enter
 * value, counts and seconds; `choices`: a diagnostic will be asked for.  `*out` is then the
 * open resolution, to be closed by the caller, or NULL.
 * 0, ERR_USAGE, ERR_REFUSED, ERR_LIMIT; at a limit the counts so far are entered.
 */
int verdict_solve(verdict *v, tool *t, const graph *g, bool choices, resolution **out,
                  err *e);

/* One line of --explain, on stderr: block k and who solves it; `b` without vertices: nobody knows
   how many there are. */
void verdict_explain(const tool *t, const graph *g, uint32_t k, const graph_block *b,
                     const char *solver, const char *why);

/**
 * The answer on stdout: the verdict, or with --json one object.  At a limit (e says so) there
 * is none, and people are told on stderr how far it came; after any other failure stdout
 * stays empty.  A verdict that was found before the failure is told on stderr.  FALSE makes
 * the exit status 1.  Returns e->code.
 */
int verdict_print(const verdict *found, tool *t, err *e);

#endif
