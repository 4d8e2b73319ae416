#include "tests/reason_mcl.h"

#include "encodings/enc_mcl_part.h"
#include "encodings/enc_mcl_rows.h"

#include <stdio.h>
#include <stdlib.h>

enum { RANKS_MAX = 16, WORKERS_MAX = 16, CAPACITY = 4096 };

/* The parts that are here. */
typedef struct world {
    const reason_mcl *c;
    distribution places;
    lts rows[RANKS_MAX];
    enc_mcl_parts *parts[RANKS_MAX];
    enc_mcl_rows *gather;
    graph_part *part[WORKERS_MAX];
    worker_id first, ranks; /* that are here */
} world;

static bool is_numbered(const world *w) { return w->c->wide == NULL; }

static int open_rank(world *w, worker_id i, err *e)
{
    const reason_mcl *c = w->c;
    enc_mcl_part_options o = { .ranks = c->ranks,
                               .threads = c->threads,
                               .rank = w->first + i,
                               .capacity = CAPACITY };
    if (is_numbered(w)) {
        w->rows[i] = reason_case_cut(c->q->g, &w->places, o.rank);
        o.rows = &w->rows[i];
        o.initial = distribution_place(&w->places, c->q->g->initial);
        o.unit = w->places.unit;
    } else {
        o.model = &c->wide->base;
    }
    if (enc_mcl_part_open(&w->parts[i], c->q->q, &o, e) != 0) return (int)e->code;
    for (worker_id t = 0; t < c->threads; t++)
        w->part[i * c->threads + t] = enc_mcl_part_of(w->parts[i], t);
    return 0;
}

static int open_world(world *w, const reason_mcl *c, err *e)
{
    bool all = c->rank < 0;
    *w = (world){ .c = c, .first = all ? 0 : (worker_id)c->rank };
    w->ranks = all ? c->ranks : 1;
    w->places = distribution_of(c->kind, c->ranks, c->threads, c->q->g->states);
    for (worker_id i = 0; i < w->ranks; i++)
        if (open_rank(w, i, e) != 0) return (int)e->code;
    return is_numbered(w) && !all
               ? enc_mcl_rows_open(&w->gather, w->parts[0], w->rows, &w->places, e)
               : 0;
}

static void close_world(world *w)
{
    enc_mcl_rows_close(w->gather);
    for (worker_id i = 0; i < w->ranks; i++) {
        enc_mcl_part_close(w->parts[i]);
        if (w->rows[i].m) reason_case_put(&w->rows[i]);
    }
}

static const char *check_over(const world *w, const mb_reason *r, const enc_mcl *whole,
                              random_stream *chance)
{
    enc_mcl_part_names names = { w->part[0], whole, &w->places };
    return reason_case_check(r, enc_mcl_graph(whole), enc_mcl_part_wire, &names,
                             w->c->right, w->c->q->m, chance);
}

/* Over the rows that were gathered: the same vertices as over the whole model. */
static const char *check_gathered(const world *w, const mb_reason *r,
                                  random_stream *chance)
{
    enc_mcl_options o = { .acyclic = false };
    const mcl_question *q = w->c->q;
    const model *s;
    enc_mcl *whole = NULL;
    err e = ERR_INIT;
    if (enc_mcl_rows_model(&s, w->gather, q->g->initial, &e) != 0 ||
        enc_mcl_open(&whole, q->q, s, &o, &e) != 0)
        return "the rows were not gathered";
    const char *wrong = check_over(w, r, whole, chance);
    enc_mcl_close(whole);
    return wrong;
}

static const char *run(const world *w, random_stream *chance)
{
    const reason_mcl *c = w->c;
    mb_reason_rows rows = { w->gather, ENC_MCL_ROWS_WORDS, enc_mcl_rows_next,
                            enc_mcl_rows_take };
    reason_case r = { .p = { w->part, w->ranks * c->threads, c->ranks },
                      .o = c->o,
                      .right = c->right,
                      .rows = w->gather ? &rows : NULL };
    mb_reason *reason;
    if (c->rank < 0) r.p.ranks = 1; /* that the net knows of */
    const char *wrong = reason_case_run(&r, &reason);
    if (wrong == NULL && reason) wrong = check_over(w, reason, c->q->x, chance);
    if (wrong == NULL && reason && w->gather) wrong = check_gathered(w, reason, chance);
    mb_reason_close(reason);
    return wrong;
}

const char *reason_mcl_run(const reason_mcl *c, random_stream *chance, bool *refused)
{
    static char what[400];
    world w;
    err e = ERR_INIT;
    const char *wrong = NULL;
    *refused = false;
    if (open_world(&w, c, &e) == 0) {
        *refused = mb_refuses(w.part[0]) != NULL;
        if (!*refused) wrong = run(&w, chance);
    }
    close_world(&w);
    if (e.code == ERR_NONE) return wrong;
    snprintf(what, sizeof what, "no parts: %.300s", e.text);
    return what;
}
