#include "tests/mb_case.h"

#include "comm/comm_mpi.h"
#include "comm/comm_sim.h"
#include "encodings/enc_bes_part.h"

#include <stdio.h>
#include <stdlib.h>

static char what[400];

/* The workers of this rank. */
static worker_id here(const mb_case *c) { return c->workers / (c->ranks ? c->ranks : 1); }
static worker_id first(const mb_case *c)
{
    return c->ranks > 1 ? comm_mpi_rank() * here(c) : 0;
}

/* A value that is said to be known must be right, and its reason must give it. */
static const char *check_vertex(const mb_case *c, const enc_bes_parts *parts,
                                const mb_session *s, worker_id w, vertex_id local,
                                vertex_id share)
{
    vertex_id v = enc_bes_part_vertex(parts, w * share + local);
    if (v == VERTEX_NONE) return NULL;
    mb_known k = mb_knows(s, w - first(c), local);
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
    for (worker_id w = first(c); w < first(c) + here(c); w++) {
        const graph_part *p = enc_bes_part_of(parts, w);
        for (vertex_id v = 0; v < p->share; v++) {
            if (!means_something(c, p, v)) continue;
            const char *wrong = check_vertex(c, parts, s, w, v, p->share);
            if (wrong) return wrong;
        }
    }
    return NULL;
}

/* All that can be reached from the root. */
static void count_reachable(const mb_case *c, uint64_t *vertices, uint64_t *edges)
{
    const bes *b = c->b;
    uint8_t *seen = calloc(b->vertices, 1);
    vertex_id *queue = malloc(b->vertices * sizeof *queue);
    if (seen == NULL || queue == NULL) abort();
    *vertices = *edges = 0;
    seen[c->root] = 1;
    queue[(*vertices)++] = c->root;
    for (uint64_t at = 0; at < *vertices; at++)
        for (uint64_t i = b->first[queue[at]]; i < b->first[queue[at] + 1]; i++) {
            vertex_id z = b->operand[i];
            if (!seen[z]) queue[(*vertices)++] = z;
            seen[z] = 1;
            ++*edges;
        }
    free(seen);
    free(queue);
}

static const char *check_result(const mb_case *c, const mb_result *r)
{
    uint64_t vertices, edges;
    if (r->value != (c->right[c->root] != 0)) return "the verdict is wrong";
    if (r->stable > r->vertices) return "more vertices are stable than were visited";
    if (!c->exhaustive) return NULL;
    count_reachable(c, &vertices, &edges);
    if (r->stable != r->vertices) return "a vertex has no value";
    if (r->vertices != vertices) return "not all that is reachable was visited";
    return r->edges != edges ? "the number of edges is wrong" : NULL;
}

static const char *run(const mb_case *c, enc_bes_parts *parts, mem *m, mb_options *o,
                       mb_result *r, err *e)
{
    mb_session *s = NULL;
    graph_part *part[64];
    const char *wrong = NULL;
    for (worker_id w = 0; w < here(c); w++)
        part[w] = enc_bes_part_of(parts, first(c) + w);
    mb_problem p = { .part = part, .here = here(c), .ranks = c->ranks };
    m->fail_at = c->fail_at;
    if (mb_open(&s, &p, o, e) == 0 && mb_run(s, r, e) == 0) {
        wrong = check_result(c, r);
        if (wrong == NULL) wrong = check_values(c, parts, s);
    }
    mb_close(s);
    if (wrong == NULL && m->now != 0) wrong = "memory was not given back";
    return wrong;
}

/* What is refused says how much is enough. */
static size_t least_buffers(const mb_case *c, enc_bes_parts *parts, mb_options o)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    mb_result r;
    size_t least = 0;
    mb_case any = *c;
    o.buffer_bytes = 1;
    o.m = &m;
    any.fail_at = 0;
    run(&any, parts, &m, &o, &r, &e);
    const char *text = strstr(e.text, "messages; ");
    if (text == NULL) text = strstr(e.text, "ranks; ");
    if (text == NULL || sscanf(strstr(text, "; "), "; %zu are enough", &least) != 1)
        abort();
    return least;
}

static const char *solve(const mb_case *c, enc_bes_parts *parts, mem *m, mb_result *r)
{
    err e = ERR_INIT;
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
    if (o.buffer_bytes == MB_CASE_LEAST) o.buffer_bytes = least_buffers(c, parts, o);
    const char *wrong = run(c, parts, m, &o, r, &e);
    if (wrong) return wrong;
    if (c->fail_at && (e.code == ERR_NONE || e.code == ERR_LIMIT))
        return e.code == ERR_NONE ? "nothing failed" : NULL;
    if (e.code == ERR_NONE) return NULL;
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
    if (out) *out = r;
    return wrong;
}

void mb_case_report(const mb_case *c, const char *file, const char *wrong)
{
    err e = ERR_INIT;
    printf("\nroot %u, %u workers, owners %s, %s, %s, exhaustive %d, choices %d, all %d, "
           "policy %d, priority %d, buffer %zu, slice %u, hops %d, chaos %d, seed %llu, "
           "fail at %zu: %s\n",
           c->root, c->workers, c->owner ? "given" : "by hash", c->transport, c->detector,
           c->exhaustive, c->choices, c->all_dependencies, (int)c->policy,
           (int)c->priority, c->buffer_bytes, c->slice, c->two_hops + 1, c->chaos,
           (unsigned long long)c->seed, c->fail_at, wrong);
    if (c->b->vertices > 100000) return;
    if (bes_write(c->b, file, NULL, &e) == 0) printf("the system is in %s\n", file);
    else printf("%s\n", e.text);
}
