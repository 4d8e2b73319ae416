#include "tests/mcl_question.h"

#include "algorithms/certify.h"
#include "algorithms/proof.h"
#include "algorithms/resolution.h"
#include "tests/naive_mcl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int ask(mcl_question *c, const char *text, const model *s,
               const enc_mcl_options *o, err *e)
{
    if (mcl_parse(&c->f, c->m, text, NULL, e) != 0) return (int)e->code;
    if (mcl_equations_of(&c->q, c->m, c->f, e) != 0) return (int)e->code;
    return enc_mcl_open(&c->x, c->q, s, o, e);
}

int mcl_question_open(mcl_question *c, mem *m, const char *text, const lts *g,
                      bool acyclic, err *e)
{
    *c = (mcl_question){ .m = m, .g = g, .rows = wide_model_explicit(g) };
    return ask(c, text, &c->rows, &(enc_mcl_options){ .acyclic = acyclic }, e);
}

int mcl_question_open_wide(mcl_question *c, mem *m, const char *text, const wide_model *w,
                           const enc_mcl_options *o, err *e)
{
    *c = (mcl_question){ .m = m, .g = w->g, .wide = true };
    return ask(c, text, &w->base, o, e);
}

void mcl_question_close(mcl_question *c)
{
    enc_mcl_close(c->x);
    mcl_equations_close(c->q);
    mcl_close(c->f);
}

bool mcl_question_meaning(const mcl_question *c)
{
    return (naive_mcl_tree(c->f, c->g) >> c->g->initial) & 1;
}

/* ---- the part of the model that decides ---------------------------------------------------- */

/* A state of the question in the LTS: wide models print which it is. */
static state_id state_in(const mcl_question *c, state_id s)
{
    char text[32];
    unsigned number;
    if (!c->wide) return s;
    state_space_print(enc_mcl_space(c->x), s, text, sizeof text);
    if (sscanf(text, "<%u>", &number) != 1) abort();
    return number;
}

typedef struct keeping {
    const mcl_question *c;
    uint8_t *kept; /* per transition of the LTS */
} keeping;

static int keep(void *self, const enc_mcl_transition *t, err *e)
{
    const keeping *k = self;
    const lts *g = k->c->g;
    state_id from = state_in(k->c, t->from), to = state_in(k->c, t->to);
    (void)e;
    for (uint64_t i = g->first[from]; i < g->first[from + 1]; i++)
        if (lts_label(g, i) == t->label && g->target[i] == to) k->kept[i] = 1;
    return 0;
}

/* The model with the kept transitions only; they keep their order, states their numbers. */
static lts part_of(const lts *g, const uint8_t *kept)
{
    lts sub = { .m = g->m, .states = g->states, .initial = g->initial };
    err e = ERR_INIT;
    uint64_t n = 0;
    for (uint64_t t = 0; t < g->transitions; t++) sub.transitions += kept[t];
    sub.label_bytes = g->label_bytes;
    if (lts_allocate(&sub, &e) != 0) abort();
    for (state_id s = 0; s < sub.states; s++) {
        sub.first[s] = n;
        for (uint64_t t = g->first[s]; t < g->first[s + 1]; t++)
            if (kept[t]) {
                sub.target[n] = g->target[t];
                lts_set_label(&sub, n++, lts_label(g, t));
            }
    }
    sub.first[sub.states] = n;
    return sub;
}

static bool value_on_part(const mcl_question *c, const proof *p)
{
    err e = ERR_INIT;
    uint8_t *kept = calloc(c->g->transitions + 1, 1);
    if (kept == NULL) abort();
    for (size_t i = 0; i < p->vertices.count; i++)
        enc_mcl_support(c->x, p->vertices.at[i].vertex, p->vertices.at[i].choice,
                        p->value, keep, &(keeping){ c, kept }, &e);
    lts sub = part_of(c->g, kept);
    sub.labels = c->g->labels;
    bool holds = (naive_mcl_tree(c->f, &sub) >> sub.initial) & 1;
    sub.labels = NULL;
    lts_close(&sub);
    free(kept);
    return holds;
}

/* ---- reasons ------------------------------------------------------------------------------- */

static bool is_certified(const mcl_question *c, const proof *p)
{
    err e = ERR_INIT;
    certify *k;
    const graph *g = enc_mcl_graph(c->x);
    if (certify_open(&k, c->m, g, p->value, &e) != 0) abort();
    for (size_t i = 0; i < p->vertices.count && e.code == ERR_NONE; i++)
        certify_enter(k, p->vertices.at[i].vertex, p->vertices.at[i].rank, &e);
    for (size_t i = 0; i < p->vertices.count && e.code == ERR_NONE; i++)
        certify_check(k, p->vertices.at[i].vertex, p->vertices.at[i].choice, &e);
    if (e.code == ERR_NONE) certify_finish(k, g->root, &e);
    certify_close(k);
    if (e.code != ERR_NONE) printf("\n%s", e.text);
    return e.code == ERR_NONE;
}

static const char *check_reason(const mcl_question *c, const solution *s, bool right)
{
    err e = ERR_INIT;
    proof p;
    const graph *g = enc_mcl_graph(c->x);
    const char *wrong = NULL;
    if (proof_open(&p, c->m, g, s, g->root, &e) != 0) return "there is no proof";
    if (p.value != right) wrong = "the proof is of another value";
    else if (!is_certified(c, &p)) wrong = "the proof is not certified";
    else if (c->g->states <= NAIVE_STATES_MAX && value_on_part(c, &p) != right)
        wrong = "the formula has another value on its diagnostic";
    proof_close(&p);
    return wrong;
}

/* ---- solving ------------------------------------------------------------------------------- */

const char *mcl_question_try(const mcl_question *c, const char *solver, bool choices,
                             bool right, uint64_t *solved)
{
    static const log_sink quiet = { .level = LOG_QUIET };
    resolution_options o = { .algorithm = solver, .choices = choices, .log = &quiet };
    resolution *r = NULL;
    err e = ERR_INIT;
    bool value;
    const graph *g = enc_mcl_graph(c->x);
    const char *wrong = NULL;
    if (resolution_open(&r, c->m, g, &o, &e) != 0)
        return e.code == ERR_REFUSED && strcmp(solver, "auto") != 0 ? NULL
                                                                    : "did not open";
    if (resolution_solve(r, g->root, &value, &e) != 0) wrong = "solving failed";
    else if (value != right) wrong = "the verdict is wrong";
    else if (choices) wrong = check_reason(c, resolution_solution(r), right);
    resolution_close(r);
    ++*solved;
    return wrong;
}

const char *mcl_question_try_all(const mcl_question *c, bool right, mcl_question_tally *t)
{
    size_t count;
    const algorithm *const *all = algorithm_list(&count);
    for (size_t i = 0; i <= count; i++)
        for (int choices = 0; choices < 2; choices++) {
            const char *name = i < count ? all[i]->name : "auto";
            uint64_t before = t->solved[i];
            const char *wrong = mcl_question_try(c, name, choices, right, &t->solved[i]);
            if (choices) t->diagnostics += t->solved[i] - before;
            if (wrong == NULL) continue;
            printf("\n%s%s: ", name, choices ? " with choices" : "");
            return wrong;
        }
    return NULL;
}
