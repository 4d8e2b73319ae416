#include "tests/reason_case.h"

#include "algorithms/certify.h"
#include "algorithms/proof.h"

#include <stdio.h>
#include <stdlib.h>

static char what[400];

/* ---- workers ------------------------------------------------------------------------------- */

mb_options reason_case_options(random_stream *chance, mem *m)
{
    size_t detectors;
    const dtd_class *const *all = dtd_list(&detectors);
    return (mb_options){ .exhaustive = random_below(chance, 4) == 0,
                         .choices = true,
                         .all_dependencies = random_below(chance, 2) == 0,
                         .two_hops = random_below(chance, 4) == 0,
                         .policy = (mb_policy)random_below(chance, 2),
                         .priority = (mb_priority)random_below(chance, 2),
                         .detector = all[random_below(chance, detectors)],
                         .slice = (uint32_t)random_below(chance, 3),
                         .m = m };
}

const char *reason_case_run(const reason_case *c, mb_reason **out)
{
    mb_session *s = NULL;
    mb_result result;
    err e = ERR_INIT;
    const char *wrong = NULL;
    *out = NULL;
    if (mb_open(&s, &c->p, &c->o, &e) == 0 && mb_run(s, &result, &e) == 0) {
        if (result.value != c->right) wrong = "the verdict is wrong";
        else mb_reason_walk(out, s, c->rows, &e);
    }
    mb_close(s);
    if (e.code == ERR_NONE) return wrong;
    snprintf(what, sizeof what, "%.300s", e.text);
    return what;
}

/* ---- the checker --------------------------------------------------------------------------- */

/* What is told instead of the proof. */
typedef enum { TRUTH, OTHER_VALUE, VERTEX_LEFT_OUT, CHOICE_LOST, MUTANTS } mutant;

static int certify_as(const proof *p, const graph *g, mutant kind, size_t at, err *e)
{
    certify *k;
    if (certify_open(&k, p->m, g, p->value != (kind == OTHER_VALUE), e) != 0) abort();
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < p->vertices.count && e->code == ERR_NONE; i++) {
            const proof_vertex *v = &p->vertices.at[i];
            bool mutated = i == at;
            if (mutated && kind == VERTEX_LEFT_OUT) continue;
            bool lost = mutated && kind == CHOICE_LOST;
            if (pass == 0) certify_enter(k, v->vertex, v->rank, e);
            else certify_check(k, v->vertex, lost ? VERTEX_NONE : v->choice, e);
        }
    if (e->code == ERR_NONE) certify_finish(k, g->root, e);
    certify_close(k);
    return (int)e->code;
}

static const char *check_mutants(const proof *p, const graph *g, random_stream *chance)
{
    for (mutant kind = OTHER_VALUE; kind < MUTANTS; kind++) {
        err e = ERR_INIT;
        size_t at = random_below(chance, p->vertices.count);
        if (kind == CHOICE_LOST && p->vertices.at[at].choice == VERTEX_NONE) continue;
        if (certify_as(p, g, kind, at, &e) == ERR_REFUSED) continue;
        snprintf(what, sizeof what, "a mutant is certified: kind %d at %zu", (int)kind,
                 at);
        return what;
    }
    return NULL;
}

/* Nothing but the proof was told. */
static const char *check_size(const mb_reason *r, const proof *p)
{
    snprintf(what, sizeof what, "%llu vertices were told, the proof has %zu",
             (unsigned long long)mb_reason_count(r), p->vertices.count);
    return mb_reason_count(r) == p->vertices.count ? NULL : what;
}

const char *reason_case_check(const mb_reason *r, const graph *g, mb_reason_wire *wire,
                              const void *of, bool right, mem *m, random_stream *chance)
{
    solution s = { .m = NULL };
    proof p = { .m = NULL };
    err e = ERR_INIT;
    const char *wrong = NULL;
    if (solution_open(&s, m, g, true, &e) == 0 &&
        mb_reason_fill(r, &s, wire, of, &e) == 0 &&
        proof_open(&p, m, g, &s, g->root, &e) == 0 &&
        certify_as(&p, g, TRUTH, SIZE_MAX, &e) == 0) {
        if (p.value != right) wrong = "the proof is of another value";
        if (wrong == NULL) wrong = check_size(r, &p);
        if (wrong == NULL) wrong = check_mutants(&p, g, chance);
    }
    proof_close(&p);
    solution_close(&s);
    if (e.code == ERR_NONE) return wrong;
    snprintf(what, sizeof what, "no certificate: %.300s", e.text);
    return what;
}

/* ---- rows of a rank ------------------------------------------------------------------------ */

static uint64_t begin_row(const lts *g, const distribution *d, state_id place)
{
    state_id s = distribution_state(d, place);
    return s == STATE_NONE ? 0 : g->first[s];
}

static uint64_t end_row(const lts *g, const distribution *d, state_id place)
{
    state_id s = distribution_state(d, place);
    return s == STATE_NONE ? 0 : g->first[s + 1];
}

lts reason_case_cut(const lts *g, const distribution *places, uint32_t rank)
{
    state_id begin = rank * places->range;
    lts out = { .m = g->m, .states = places->range };
    err e = ERR_INIT;
    uint64_t n = 0;
    for (state_id i = 0; i < out.states; i++)
        out.transitions +=
            end_row(g, places, begin + i) - begin_row(g, places, begin + i);
    out.labels = g->labels;
    out.label_bytes = g->label_bytes;
    if (lts_allocate(&out, &e) != 0) abort();
    for (state_id i = 0; i < out.states; i++) {
        out.first[i] = n;
        uint64_t end = end_row(g, places, begin + i);
        for (uint64_t t = begin_row(g, places, begin + i); t < end; t++, n++) {
            out.target[n] = distribution_place(places, g->target[t]);
            lts_set_label(&out, n, lts_label(g, t));
        }
    }
    out.first[out.states] = n;
    return out;
}

void reason_case_put(lts *rows)
{
    rows->labels = NULL;
    lts_close(rows);
}
