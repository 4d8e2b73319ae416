#include "tests/mb_case.h"

#include "comm/comm_sim.h"
#include "encodings/enc_bes_part.h"

#include <stdio.h>
#include <stdlib.h>

static char what[400];

/* A value that is said to be known must be right, and its reason must give it. */
static const char *check_vertex(const mb_case *c, const enc_bes_parts *parts,
                                const mb_session *s, worker_id w, vertex_id local,
                                vertex_id share)
{
    vertex_id v = enc_bes_part_vertex(parts, w * share + local);
    if (v == VERTEX_NONE) return NULL;
    mb_known k = mb_knows(s, w, local);
    if (!k.visited || !k.stable) return NULL;
    snprintf(what, sizeof what, "vertex %u has value %d", v, (int)k.value);
    if (k.value != (c->right[v] != 0)) return what;
    if (!k.chosen || !c->choices) return NULL;
    vertex_id z = enc_bes_part_vertex(parts, k.worker * share + k.vertex);
    bool found = false;
    for (uint64_t i = c->b->first[v]; i < c->b->first[v + 1]; i++)
        found |= c->b->operand[i] == z;
    snprintf(what, sizeof what, "vertex %u chose %u, no successor of its value", v, z);
    return found && (c->right[z] != 0) == k.value ? NULL : what;
}

/* In a block asked for one vertex the others mean nothing when it has the other value. */
static bool means_something(const mb_case *c, const graph_part *p, vertex_id local)
{
    uint32_t k = graph_block_of(p->g, local);
    return c->exhaustive || !(p->g->blocks[k].promise & GRAPH_SINGLE_ENTRY);
}

static const char *check_values(const mb_case *c, enc_bes_parts *parts,
                                const mb_session *s)
{
    for (worker_id w = 0; w < c->workers; w++) {
        const graph_part *p = enc_bes_part_of(parts, w);
        for (vertex_id v = 0; v < p->share; v++) {
            if (!means_something(c, p, v)) continue;
            const char *wrong = check_vertex(c, parts, s, w, v, p->share);
            if (wrong) return wrong;
        }
    }
    return NULL;
}

static const char *check_result(const mb_case *c, const mb_result *r)
{
    if (r->value != (c->right[c->root] != 0)) return "the verdict is wrong";
    if (c->exhaustive && r->stable != r->vertices) return "a vertex has no value";
    return r->stable > r->vertices ? "more vertices are stable than were visited" : NULL;
}

static const char *solve(const mb_case *c, enc_bes_parts *parts, mem *m, mb_result *r)
{
    graph_part *part[64];
    err e = ERR_INIT;
    mb_session *s = NULL;
    comm_sim_options sim = { .seed = c->seed, .chaos = c->chaos, .turns_most = 5000000 };
    mb_options o = { .policy = c->policy,
                     .priority = c->priority,
                     .exhaustive = c->exhaustive,
                     .choices = c->choices,
                     .all_dependencies = c->all_dependencies,
                     .transport = comm_transport_find(c->transport),
                     .detector = dtd_find(c->detector),
                     .buffer_bytes = c->buffer_bytes,
                     .two_hops = c->two_hops,
                     .slice = c->slice,
                     .m = m };
    if (strcmp(c->transport, "sim") == 0) o.transport_options = &sim;
    for (worker_id w = 0; w < c->workers; w++) part[w] = enc_bes_part_of(parts, w);
    mb_problem p = { .part = part, .here = c->workers };
    const char *wrong = NULL;
    if (mb_open(&s, &p, &o, &e) == 0 && mb_run(s, r, &e) == 0) {
        wrong = check_result(c, r);
        if (wrong == NULL) wrong = check_values(c, parts, s);
    }
    mb_close(s);
    if (e.code == ERR_NONE) return wrong;
    snprintf(what, sizeof what, "%.300s", e.text);
    return what;
}

const char *mb_case_run(const mb_case *c, mb_result *out)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    mb_result r = { .vertices = 0 };
    enc_bes_parts *parts;
    enc_bes_part_options o = { .question.root = c->root,
                               .workers = c->workers,
                               .owner = c->owner };
    if (enc_bes_part_open(&parts, c->b, &o, &e) != 0) return "no parts";
    const char *wrong = solve(c, parts, &m, &r);
    enc_bes_part_close(parts);
    if (wrong == NULL && m.now != 0) wrong = "memory was not given back";
    if (out) *out = r;
    return wrong;
}
