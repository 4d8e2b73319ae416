#include "algorithms/resolution.h"

#include "algorithms/solvers.h"
#include "core/graph_cursor.h"
#include "core/ids.h"
#include "core/vec.h"

#include <assert.h>
#include <string.h>

/* A block: its solver and, once it has been asked for something, an instance of it. */
typedef struct section {
    const algorithm *solver;
    void *self; /* owned; NULL until first asked */
} section;

struct resolution {
    run r;
    solution found;
    const log_sink *log;
    bool exhaustive;
    graph_block *blocks;   /* owned; as the solvers see them */
    section *sections;     /* owned; one per block */
    VEC(uint32_t) calling; /* blocks at work, each waiting for the next */
};

int run_look_round(const run *r, err *e)
{
    if (graph_trouble(r->g, e) != 0 ||
        graph_charge_look(&r->found->charge, r->g, r->m, GRAPH_ITEMS_ANY, e) != 0)
        return (int)e->code;
    if (r->g->met && mem_check_resident(r->m, e) != 0) return (int)e->code;
    return progress_tick(r->clock, r->found->seen, e);
}

/* ---- which solver ---------------------------------------------------------------------- */

typedef struct preference {
    const algorithm *solver;
    bool diagnostic; /* only when a diagnostic is wanted */
    const char *reason;
} preference;

/* The first that does not refuse. */
static const preference preferences[] = {
    { &alg_a4_bfs, false, "one operator, asked for one vertex: a plain search" },
    { &alg_a3, false, "no cycles: no dependencies need be kept" },
    { &alg_a4, false, "disjunctive or conjunctive: components, no dependencies" },
    { &alg_a2, true,
      "general, and a diagnostic is wanted: breadth-first keeps it short" },
    { &alg_a1, false, "general: depth-first visits only what can matter" },
};

/* NULL: a general block of nested fixed points, which nobody accepts. */
static const preference *prefer(const graph_block *b, bool choices)
{
    for (size_t i = 0; i < COUNT_OF(preferences); i++) {
        const preference *p = &preferences[i];
        if (algorithm_refuses(p->solver, b) == NULL && (choices || !p->diagnostic))
            return p;
    }
    return NULL;
}

const char *resolution_reason(const graph_block *b, bool choices)
{
    const preference *p = prefer(b, choices);
    assert(p); /* it was chosen before */
    return p->reason;
}

static int choose_best(resolution *r, uint32_t block, err *e)
{
    const graph_block *b = &r->blocks[block];
    const preference *p = prefer(b, r->found.choice != NULL);
    if (p) {
        r->sections[block].solver = p->solver;
        return 0;
    }
    char where[64];
    graph_name_block(r->r.g, block, where, sizeof where);
    return err_set(e, ERR_REFUSED,
                   "no algorithm accepts fixed points within each other unless they are "
                   "%s (block %s)",
                   b->sign == GRAPH_NU ? "greatest outside and disjunctive"
                                       : "least outside and conjunctive",
                   where);
}

static int choose_solver(resolution *r, uint32_t block, const char *name, err *e)
{
    if (strcmp(name, "auto") == 0) return choose_best(r, block, e);
    const algorithm *a = algorithm_find(name);
    if (a == NULL)
        return err_set(e, ERR_USAGE, "no algorithm '%s'; see bespoke list", name);
    const char *why = algorithm_refuses(a, &r->blocks[block]);
    if (why) {
        char where[64];
        graph_name_block(r->r.g, block, where, sizeof where);
        return err_set(e, ERR_REFUSED, "%s does not accept %s (block %s)", name, why,
                       where);
    }
    r->sections[block].solver = a;
    return 0;
}

/* Whoever wants everything solved asks for every vertex: no block has a single entry. */
static int take_blocks(resolution *r, err *e)
{
    const graph *g = r->r.g;
    r->r.blocks = r->blocks = mem_get_array(r->r.m, g->block_count, sizeof *r->blocks, e);
    for (uint32_t b = 0; r->blocks && b < g->block_count; b++) {
        r->blocks[b] = g->blocks[b];
        if (r->exhaustive) r->blocks[b].promise &= ~(unsigned)GRAPH_SINGLE_ENTRY;
    }
    return (int)e->code;
}

int resolution_open(resolution **out, mem *m, const graph *g, const resolution_options *o,
                    err *e)
{
    resolution *r = mem_get(m, sizeof *r, e);
    if (r == NULL) return (int)e->code;
    r->r = (run){ .m = m, .g = g, .found = &r->found, .clock = o->clock };
    r->log = o->log;
    r->exhaustive = o->exhaustive;
    r->sections = mem_get_array(m, g->block_count, sizeof *r->sections, e);
    if (r->sections && take_blocks(r, e) == 0)
        solution_open(&r->found, m, g, o->choices, e);
    for (uint32_t b = 0; e->code == ERR_NONE && b < g->block_count; b++)
        choose_solver(r, b, o->algorithm, e);
    if (e->code == ERR_NONE) *out = r;
    else resolution_close(r);
    return (int)e->code;
}

static void close_section(section *s)
{
    if (s->self) s->solver->close(s->self);
    s->self = NULL;
}

void resolution_close(resolution *r)
{
    if (r == NULL) return;
    mem *m = r->r.m;
    for (uint32_t b = 0; r->sections && b < r->r.g->block_count; b++)
        close_section(&r->sections[b]);
    mem_put(m, r->sections, r->r.g->block_count * sizeof *r->sections);
    mem_put(m, r->blocks, r->r.g->block_count * sizeof *r->blocks);
    solution_close(&r->found);
    vec_release(m, &r->calling);
    mem_put(m, r, sizeof *r);
}

const graph_block *resolution_block(const resolution *r, uint32_t block)
{
    return &r->blocks[block];
}

const solution *resolution_solution(const resolution *r) { return &r->found; }

const run *resolution_run(const resolution *r) { return &r->r; }

const algorithm *resolution_solver(const resolution *r, uint32_t block)
{
    return r->sections[block].solver;
}

/* ---- blocks calling blocks --------------------------------------------------------------- */

/* Ask the block of v for its value. */
static int call(resolution *r, vertex_id v, err *e)
{
    uint32_t block = graph_block_of(r->r.g, v);
    section *s = &r->sections[block];
    assert(s->self == NULL || !(r->blocks[block].promise & GRAPH_SINGLE_ENTRY));
    if (s->self == NULL && s->solver->open(&s->self, &r->r, block, e) != 0)
        return (int)e->code;
    if (vec_push(r->r.m, &r->calling, block, e) != 0) return (int)e->code;
    return s->solver->ask(s->self, v, e);
}

/* A block was not what the encoding promised: begin again with a general solver. */
static int start_over(resolution *r, uint32_t block, vertex_id v, err *e)
{
    char where[64];
    graph_name_block(r->r.g, block, where, sizeof where);
    log_warn(r->log, "block %s has a cycle, though it was said to have none; a1 goes on",
             where);
    close_section(&r->sections[block]);
    r->sections[block].solver = &alg_a1;
    r->calling.count--;
    return call(r, v, e);
}

static int solve_one(resolution *r, vertex_id v, err *e)
{
    VEC(vertex_id) asked = { 0 }; /* of each block in `calling` */
    vertex_id want = v;
    bool enter = !solution_is_stable(&r->found, v);
    while (e->code == ERR_NONE && (enter || r->calling.count > 0)) {
        if (enter && (vec_push(r->r.m, &asked, want, e) != 0 || call(r, want, e) != 0))
            break;
        uint32_t block = r->calling.at[r->calling.count - 1];
        section *s = &r->sections[block];
        algorithm_step step = s->solver->go_on(s->self, &want, e);
        enter = step == ALGORITHM_NEED;
        if (step == ALGORITHM_DONE) r->calling.count--, asked.count--;
        if (step == ALGORITHM_CYCLE) start_over(r, block, asked.at[asked.count - 1], e);
    }
    vec_release(r->r.m, &asked);
    return (int)e->code;
}

/* ---- everything that is reachable ---------------------------------------------------------- */

typedef struct sweep {
    uint8_t *met;         /* per vertex */
    VEC(vertex_id) queue; /* met; solved and looked at from its beginning */
    uint64_t edges;
    graph_charge charge;
} sweep;

static int meet(sweep *w, mem *m, vertex_id v, err *e)
{
    if (w->met[v]) return 0;
    w->met[v] = 1;
    return vec_push(m, &w->queue, v, e);
}

static int meet_successors(sweep *w, const run *r, vertex_id v, err *e)
{
    graph_cursor row;
    graph_cursor_open(&row, r->g, v);
    for (vertex_id z; graph_cursor_next(&row, &z); w->edges++)
        if (meet(w, r->m, z, e) != 0) return (int)e->code;
    return 0;
}

/* Solve all that v reaches; the edges counted are then those there are. */
static int solve_reachable(resolution *r, vertex_id v, err *e)
{
    const graph *g = r->r.g;
    sweep w = { .met =
                    graph_column_open(g, r->r.m, g->vertices, 1, GRAPH_COLUMN_DENSE, e) };
    graph_charge_add(&w.charge, sizeof *w.met);
    if (w.met) meet(&w, r->r.m, v, e);
    for (size_t i = 0; e->code == ERR_NONE && i < w.queue.count; i++)
        if (run_tick(&r->r, i, e) == 0 &&
            graph_charge_look(&w.charge, g, r->r.m, GRAPH_ITEMS_ANY, e) == 0 &&
            solve_one(r, w.queue.at[i], e) == 0)
            meet_successors(&w, &r->r, w.queue.at[i], e);
    if (e->code == ERR_NONE) r->found.edges = w.edges;
    graph_column_close(g, r->r.m, w.met, g->vertices, 1);
    graph_charge_close(&w.charge, r->r.m);
    vec_release(r->r.m, &w.queue);
    return (int)e->code;
}

int resolution_solve(resolution *r, vertex_id v, bool *value, err *e)
{
    if (solve_one(r, v, e) == 0 && r->exhaustive) solve_reachable(r, v, e);
    graph_trouble(r->r.g, e); /* values are those of what was left then */
    *value = e->code == ERR_NONE && solution_value(&r->found, v);
    return (int)e->code;
}
