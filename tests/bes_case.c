#include "tests/bes_case.h"

#include "algorithms/resolution.h"
#include "encodings/enc_bes.h"

#include <string.h>

/* Edges of the vertices that were visited; and is everything known right? */
static const char *check_values(const bes_case *c, const solution *s, uint64_t *edges)
{
    *edges = 0;
    for (vertex_id v = 0; v < c->b->vertices; v++) {
        if (s->status[v] & SOLUTION_SEEN) *edges += c->b->first[v + 1] - c->b->first[v];
        if (solution_is_stable(s, v) && solution_value(s, v) != c->right[v])
            return "a vertex that is stable has the wrong value";
        if (solution_is_stable(s, v) && !(s->status[v] & SOLUTION_SEEN))
            return "a vertex is stable and was not visited";
    }
    return NULL;
}

/* R3, of blocks that may be asked again. */
static const char *check_stable(const resolution *r, const graph *g)
{
    const solution *s = resolution_solution(r);
    for (uint32_t k = 0; k < g->block_count; k++)
        for (vertex_id v = g->blocks[k].begin; v < g->blocks[k].end; v++)
            if (!(resolution_block(r, k)->promise & GRAPH_SINGLE_ENTRY) &&
                s->status[v] & SOLUTION_SEEN && !solution_is_stable(s, v))
                return "R3: a vertex was visited and is not stable";
    return NULL;
}

/* R1: every explored edge at most once forwards and once backwards. */
static const char *check_edges(const bes_case *c, const solution *s, uint64_t explored)
{
    if (strcmp(c->algorithm, "hello") == 0) return NULL; /* promises nothing */
    if (c->exhaustive && s->edges != explored) return "not all edges were counted";
    if (s->edges > explored) return "R1: an edge was looked at twice";
    return s->back > s->edges ? "R1: an edge was followed back twice" : NULL;
}

static const char *check(const bes_case *c, const resolution *r, const graph *g)
{
    uint64_t explored;
    const solution *s = resolution_solution(r);
    const char *wrong = check_values(c, s, &explored);
    if (wrong == NULL) wrong = check_stable(r, g);
    return wrong ? wrong : check_edges(c, s, explored);
}

static const char *ask(const bes_case *c, resolution *r, const graph *g, vertex_id v)
{
    bool value;
    err e = ERR_INIT;
    if (resolution_solve(r, v, &value, &e) != 0) return "solving failed";
    if (!solution_is_stable(resolution_solution(r), v)) return "the answer is not stable";
    return value != c->right[v] ? "the verdict is wrong" : check(c, r, g);
}

/* Is v in one of the graph's blocks?  The others are not reached from the root. */
static bool is_in(const graph *g, vertex_id v)
{
    const graph_block *k = &g->blocks[graph_block_of(g, v)];
    return v >= k->begin && v < k->end;
}

static const char *solve(const bes_case *c, mem *m, const graph *g, bool *solved)
{
    log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = c->algorithm,
                             .choices = c->choices,
                             .exhaustive = c->exhaustive,
                             .log = &quiet };
    resolution *r = NULL;
    err e = ERR_INIT;
    *solved = resolution_open(&r, m, g, &o, &e) == 0;
    if (!*solved) return e.code == ERR_REFUSED ? NULL : "the resolution did not open";
    const char *wrong = ask(c, r, g, c->root);
    for (vertex_id v = c->b->vertices; c->all && !wrong && v > 0; v--)
        if (is_in(g, v - 1)) wrong = ask(c, r, g, v - 1);
    resolution_close(r);
    return wrong;
}

const char *bes_case_run(const bes_case *c, mem *m, bool *solved)
{
    enc_bes *x = NULL;
    err e = ERR_INIT;
    enc_bes_options o = { .root = c->root, .any_vertex = c->all };
    *solved = false;
    if (enc_bes_open(&x, c->b, &o, &e) != 0) return "encoding failed";
    const char *wrong = solve(c, m, enc_bes_graph(x), solved);
    enc_bes_close(x);
    return wrong;
}
