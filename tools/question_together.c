/*
 * question_together - a formula asked of a model by several workers.
 *
 * The same steps as of one, each by all ranks together, who fail alike.  Rank 0 alone gives the
 * reason: it is told the vertices of the proof, and the rows that these need where no rank has all.
 */
#include "encodings/enc_mcl_rows.h"
#include "models/model_file.h"
#include "tools/asking.h"
#include "tools/launch.h"
#include "tools/shared_model.h"

static void take_shared_facts(verdict *v, const shared_model *s)
{
    asking_facts(v, s->model);
    if (s->model->rows == NULL) return;
    v->states = s->share.places.states;
    v->transitions = (int64_t)s->share.all.transitions;
}

static int load_together(asking *a, shared_model *s, const together *x, err *e)
{
    double start = clock_seconds();
    a->v.model = a->in.name;
    progress_begin(&a->t->clock, "opening", "bytes", 0);
    progress_tick(&a->t->clock, 0, e); /* time may be up for some ranks alone */
    if (workers_agree(&x->w, e) == 0) shared_model_open(s, &a->in, x, e);
    progress_end(&a->t->clock);
    if (e->code != ERR_NONE) return (int)e->code;
    a->v.load = clock_seconds() - start;
    verdict_sample(&a->v);
    take_shared_facts(&a->v, s);
    asking_origin(a, s->model, e);
    return workers_agree(&x->w, e);
}

static int encode_together(asking *a, shared_model *s, const together *x, err *e)
{
    double start = clock_seconds();
    bool acyclic = options_given(a->t->opts, "acyclic");
    if (shared_model_encode(s, a->q.equations, acyclic, x, e) != 0) return (int)e->code;
    a->v.encode += clock_seconds() - start;
    question part = { .formula = a->q.formula,
                      .equations = a->q.equations,
                      .model = s->model,
                      .encoding =
                          (enc_mcl *)(uintptr_t)enc_mcl_part_encoding(s->parts, 0) };
    if (launch_rank() == 0) question_warn(&part, a->in.name);
    if (options_given(a->t->opts, "explain") && launch_rank() == 0)
        mcl_equations_print(a->q.equations, stderr);
    return 0;
}

/* ---- the reason ------------------------------------------------------------------------------ */

/* The rows of vertices of the proof, where no rank has the whole model. */
typedef struct gathering {
    enc_mcl_rows *rows; /* NULL: the model of this rank is whole */
    mb_reason_rows records;
} gathering;

static int open_gathering(gathering *g, const shared_model *s, const together *x, err *e)
{
    *g = (gathering){ .rows = NULL };
    if (s->model->rows == NULL || x->w.ranks == 1) return 0;
    enc_mcl_rows_open(&g->rows, s->parts, s->model->rows, &s->share.places, e);
    g->records = (mb_reason_rows){ g->rows, ENC_MCL_ROWS_WORDS, enc_mcl_rows_next,
                                   enc_mcl_rows_take };
    return workers_agree(&x->w, e);
}

/* The model as far as rank 0 needs it. */
static const model *model_of(const gathering *g, const shared_model *s, err *e)
{
    const model *m = s->model;
    if (g->rows)
        enc_mcl_rows_model(&m, g->rows,
                           distribution_state(&s->share.places, s->share.initial), e);
    return m;
}

/* On rank 0: the whole question, as one worker would have it, with what was found. */
static int tell_reason(asking *a, together *x, const shared_model *s, const gathering *g,
                       const mb_reason *r, err *e)
{
    enc_mcl *whole = NULL;
    enc_mcl_options o = { .acyclic = options_given(a->t->opts, "acyclic"),
                          .clock = &a->t->clock };
    const model *m = model_of(g, s, e);
    if (e->code != ERR_NONE || enc_mcl_open(&whole, a->q.equations, m, &o, e) != 0)
        return (int)e->code;
    evidence_question q = asking_evidence(a, whole, s->model->labels);
    enc_mcl_part_names names = { s->part[0], whole, g->rows ? &s->share.places : NULL };
    together_reason(x, r, enc_mcl_graph(whole), enc_mcl_part_wire, &names, &q, &a->v, e);
    enc_mcl_close(whole);
    return (int)e->code;
}

static int reason_together(asking *a, together *x, const shared_model *s, err *e)
{
    gathering g;
    mb_reason *r = NULL;
    double start = clock_seconds();
    if (open_gathering(&g, s, x, e) == 0)
        mb_reason_walk(&r, x->session, g.rows ? &g.records : NULL, e);
    double walked = clock_seconds() - start;
    if (r && e->code == ERR_NONE) tell_reason(a, x, s, &g, r, e);
    a->v.diagnostic += walked;
    mb_reason_close(r);
    enc_mcl_rows_close(g.rows);
    return workers_agree(&x->w, e);
}

/* ---------------------------------------------------------------------------------------------- */

/* Only rows of the proof are told to rank 0, so it cannot look for another one. */
static int check_together(const asking *a, const together *x, err *e)
{
    static const char *const alone[] = { "dump-bes", NULL };
    static const char *const whole[] = { "shortest", NULL };
    if (options_refuse(a->t->opts, alone, "is for one worker", e) != 0)
        return (int)e->code;
    if (x->w.ranks == 1 || model_file_is_implicit(a->in.path)) return 0;
    return options_refuse(a->t->opts, whole, "is for one rank, which has the whole model",
                          e);
}

int question_together(asking *a, err *e)
{
    together x = { .t = a->t };
    shared_model s = { .model = NULL };
    bool reason = evidence_wanted(a->t);
    if (together_open(&x, a->t, &a->v, e) == 0 && check_together(a, &x, e) == 0 &&
        load_together(a, &s, &x, e) == 0 && encode_together(a, &s, &x, e) == 0 &&
        together_solve(&x, s.part, reason, &a->v, e) == 0 && reason)
        reason_together(a, &x, &s, e);
    together_close(&x, &a->v);
    verdict_print(&a->v, a->t, e);
    together_release(&x);
    shared_model_close(&s);
    return (int)e->code;
}
