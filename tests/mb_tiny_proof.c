#include "tests/mb_tiny_proof.h"

#include "algorithms/mb_inner.h"

enum { MOST = 64 };

const char *mb_tiny_proof_values(const mb_tiny_proof *p, const mb_session *s)
{
    for (worker_id w = 0; w < p->workers; w++)
        for (vertex_id v = 0; v < s->worker[w].part->share; v++) {
            vertex_id x = enc_bes_part_vertex(p->parts, mb_ref(&s->worker[w], v));
            if (x != VERTEX_NONE && mb_is_stable(&s->worker[w], v) &&
                mb_value(&s->worker[w], v) != (p->right[x] != 0))
                return "a stable value is wrong";
        }
    return NULL;
}

static vertex_link share(const mb_session *s) { return s->worker[0].part->share; }

static mb_known knows(const mb_tiny_proof *p, const mb_session *s, vertex_id x)
{
    vertex_link at = enc_bes_part_link(p->parts, x);
    return p->family->knows(s, at / share(s), at % share(s));
}

/* ---- a diagnostic --------------------------------------------------------------------------- */

typedef struct walk {
    const mb_tiny_proof *p;
    const mb_session *s;
    bool value;           /* the root's; all in the diagnostic have it */
    uint8_t colour[MOST]; /* 1: on the path, 2: done */
    const char *wrong;
} walk;

static void visit(walk *w, vertex_id x);

static bool same_block(const walk *w, vertex_id x, vertex_id z)
{
    return bes_block_of(w->p->b, x) == bes_block_of(w->p->b, z);
}

/* An example has no cycle in a least fixed point, a counterexample none in a greatest. */
static bool may_cycle(const walk *w, vertex_id x)
{
    return (w->p->b->blocks[bes_block_of(w->p->b, x)].sign == GRAPH_NU) == w->value;
}

static void follow(walk *w, vertex_id x, vertex_id z)
{
    mb_known k = knows(w->p, w->s, z);
    if (!k.visited || !k.stable) w->wrong = "diagnostic: a vertex without a value";
    else if (k.value != w->value) w->wrong = "diagnostic: a successor of the other value";
    else if (w->colour[z] == 1 && same_block(w, x, z) && !may_cycle(w, x))
        w->wrong = "diagnostic: a cycle where there must be none";
    else visit(w, z);
}

static void follow_chosen(walk *w, vertex_id x, const mb_known *k)
{
    const bes *b = w->p->b;
    vertex_id z = enc_bes_part_vertex(w->p->parts, k->worker * share(w->s) + k->vertex);
    for (uint64_t i = b->first[x]; i < b->first[x + 1]; i++)
        if (b->operand[i] == z) {
            follow(w, x, z);
            return;
        }
    w->wrong = "diagnostic: who was chosen is no successor";
}

static void follow_passive(walk *w, vertex_id x)
{
    const bes *b = w->p->b;
    for (uint64_t i = b->first[x]; i < b->first[x + 1]; i++) {
        vertex_id z = b->operand[i];
        mb_known k = knows(w->p, w->s, z);
        if (!same_block(w, x, z) || !k.visited || !k.stable || k.value != w->value)
            continue;
        follow(w, x, z);
        return;
    }
    w->wrong = "diagnostic: no successor in the block has the passive value";
}

static void visit(walk *w, vertex_id x)
{
    const bes *b = w->p->b;
    mb_known k = knows(w->p, w->s, x);
    bool absorbing = w->value == (b->op[x] == GRAPH_OR);
    if (w->colour[x] || w->wrong) return;
    w->colour[x] = 1;
    if (absorbing && k.chosen) follow_chosen(w, x, &k);
    else if (absorbing && k.passive) follow_passive(w, x);
    else if (absorbing) w->wrong = "diagnostic: an absorbing value without a reason";
    for (uint64_t i = b->first[x]; !absorbing && i < b->first[x + 1]; i++)
        follow(w, x, b->operand[i]);
    w->colour[x] = 2;
}

/* ---- figures -------------------------------------------------------------------------------- */

static const char *check_figures(const mb_tiny_proof *p, const mb_session *s)
{
    bool reached[MOST] = { true };
    uint64_t vertices = 1, edges = 0;
    vertex_id queue[MOST] = { 0 };
    for (uint64_t at = 0; at < vertices; at++)
        for (uint64_t i = p->b->first[queue[at]]; i < p->b->first[queue[at] + 1]; i++) {
            vertex_id z = p->b->operand[i];
            edges++;
            if (!reached[z]) queue[vertices++] = z;
            reached[z] = true;
        }
    uint64_t seen = 0, stable = 0, asked = 0;
    for (uint32_t i = 0; i < s->p.here; i++) {
        seen += s->worker[i].seen;
        stable += s->worker[i].stable;
        asked += s->worker[i].edges;
    }
    if (seen != vertices) return "not all that is reachable was visited";
    if (stable != vertices) return "a vertex has no value";
    return asked != edges ? "the number of edges is wrong" : NULL;
}

static bool verdict_of(const mb_session *s)
{
    bool value = false;
    for (uint32_t i = 0; i < s->p.here; i++) {
        const mb_worker *x = &s->worker[i];
        value |= x->root != VERTEX_NONE && (x->col.status[x->root] & MB_TRUE) != 0;
    }
    return value;
}

const char *mb_tiny_proof_end(const mb_tiny_proof *p, const mb_session *s)
{
    walk w = { .p = p, .s = s, .value = p->right[0] != 0 };
    if (verdict_of(s) != w.value) return "the verdict is wrong";
    if (p->exhaustive) w.wrong = check_figures(p, s);
    if (w.wrong == NULL) visit(&w, 0);
    return w.wrong;
}
