#include "tools/asking.h"

#include "core/suggest.h"
#include "encodings/bes_of_graph.h"
#include "lang/codec.h"
#include "lang/mcl_action.h"
#include "lang/output.h"
#include "tools/together.h"
#include "vlts_bench/surrogate.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const option_spec specs[] = {
    { "library-path", 0, OPTION_LIST, "DIR", 0, 0,
      "Look for libraries of macros in DIR too; may be given several times." },
    { "acyclic", 0, OPTION_FLAG, NULL, 0, 0,
      "The model has no cycles, it is a trace or a tree: solve with less memory.  The "
      "verdict is right even if that is wrong." },
    { "dump-bes", 0, OPTION_STRING, "FILE", 0, 0,
      "Write the Boolean equation system that is solved to FILE (.bes, also compressed): "
      "all equations that can be reached, the question being X0_0.  Not of < R > @ and "
      "[ R ] -| with a repetition in R, which such a system cannot say." },
    { 0 },
};
const option_group options_formula = { "Formula", specs };

/* ---- parts -------------------------------------------------------------------------------- */

int question_parse(question *q, tool *t, const question_source *from, err *e)
{
    mcl_options o = { .log = &t->log, .one_text = from->one_text };
    if (options_accepts(t->opts, "library-path"))
        o.library_path_count = options_list(t->opts, "library-path", &o.library_paths);
    if (from->file) mcl_read(&q->formula, &t->m, from->file, &o, e);
    else mcl_parse(&q->formula, &t->m, from->text, &o, e);
    if (e->code != ERR_NONE) return (int)e->code;
    return mcl_equations_of(&q->equations, &t->m, q->formula, e);
}

int question_encode(question *q, const enc_mcl_options *o, err *e)
{
    return enc_mcl_open(&q->encoding, q->equations, q->model, o, e);
}

void question_close(question *q)
{
    enc_mcl_close(q->encoding);
    mcl_equations_close(q->equations);
    mcl_close(q->formula);
    model_close(q->model);
}

/* ---- labels that do not occur ---------------------------------------------------------------- */

/* A label that the name may have been meant to be: other letters, or no offers, or near. */
static const char *near_label(const label_table *labels, const mcl_node *n)
{
    enum { LOOKED_AT = 10000 };
    suggest near = SUGGEST_INIT(n->text);
    label_id hidden = label_table_hidden(labels);
    if (strcasecmp(n->text, "tau") == 0 && hidden != LABEL_NONE) return LABEL_HIDDEN_NAME;
    for (label_id i = 0; i < label_table_count(labels) && i < LOOKED_AT; i++) {
        size_t bytes;
        const char *text = label_table_text(labels, i, &bytes);
        bool begins = bytes >= n->bytes && strncasecmp(text, n->text, n->bytes) == 0;
        if (begins && (text[n->bytes] == '\0' || text[n->bytes] == ' ')) return text;
        suggest_consider(&near, text);
    }
    return near.best;
}

/* A name in the formula that is not one of the model is a slip of the pen, as a rule. */
static void warn_of_string(const question *q, const mcl_node *n, const char *name)
{
    if (mcl_action_label(q->model->labels, n) != LABEL_NONE) return;
    const char *near = near_label(q->model->labels, n);
    if (near)
        mcl_warn(q->formula, n, "no label of %s is \"%s\"; did you mean \"%s\"?", name,
                 n->text, near);
    else mcl_warn(q->formula, n, "no label of %s is \"%s\"", name, n->text);
}

static void warn_of_strings(const question *q, const mcl_node *n, const char *name)
{
    if (n == NULL) return;
    if (n->kind == MCL_STRING && strcmp(n->text, LABEL_HIDDEN_NAME) != 0)
        warn_of_string(q, n, name);
    warn_of_strings(q, n->left, name);
    warn_of_strings(q, n->right, name);
}

void question_warn(const question *q, const char *name)
{
    for (uint32_t i = 0; i < q->equations->action_count; i++) {
        const mcl_node *n = q->equations->actions[i];
        warn_of_strings(q, n, name);
        if (n->kind == MCL_REGEXP && enc_mcl_labels(q->encoding, i) == 0)
            mcl_warn(q->formula, n, "no label of %s matches '%s'", name, n->text);
    }
}

/* ---- a command --------------------------------------------------------------------------------- */

static int parse(asking *a, const question_source *from, err *e)
{
    double start = clock_seconds();
    if (from->file && (together_check_file(a->t, from->file, 0, e) != 0 ||
                       evidence_check_input(a->t, from->file, e) != 0))
        return (int)e->code;
    question_parse(&a->q, a->t, from, e);
    a->v.encode = clock_seconds() - start;
    return (int)e->code;
}

void asking_facts(verdict *v, const model *s)
{
    v->labels = label_table_count(s->labels);
    v->surrogate = surrogate_is(s->labels);
    if (s->rows == NULL) return; /* nobody knows */
    v->states = s->rows->states;
    v->transitions = (int64_t)s->rows->transitions;
}

/* What an implicit model was made from is known when it is open. */
int asking_origin(asking *a, const model *s, err *e)
{
    cert_origin o = { .files = s->files, .file_count = s->file_count };
    o.argument_count = options_list(a->t->opts, "model-arg", &o.arguments);
    return s->rows ? 0 : evidence_check_origin(&a->model_hash, a->t, &o, e);
}

static int load(asking *a, err *e)
{
    double start = clock_seconds();
    a->v.model = a->in.name;
    progress_begin(&a->t->clock, "opening", "bytes", 0); /* the readers begin their own */
    if (progress_tick(&a->t->clock, 0, e) == 0)
        model_arg_open(&a->q.model, &a->in, a->t, e);
    progress_end(&a->t->clock);
    if (e->code != ERR_NONE) return (int)e->code;
    a->v.load = clock_seconds() - start;
    verdict_sample(&a->v);
    asking_facts(&a->v, a->q.model);
    return asking_origin(a, a->q.model, e);
}

static int encode(asking *a, err *e)
{
    double start = clock_seconds();
    enc_mcl_options o = { .acyclic = options_given(a->t->opts, "acyclic"),
                          .clock = &a->t->clock };
    if (question_encode(&a->q, &o, e) != 0) return (int)e->code;
    a->v.encode += clock_seconds() - start;
    question_warn(&a->q, a->in.name);
    if (options_given(a->t->opts, "explain")) mcl_equations_print(a->q.equations, stderr);
    return 0;
}

static int check_dump(tool *t, err *e)
{
    const char *path = options_string(t->opts, "dump-bes", NULL);
    size_t stem, tail = strlen(".bes");
    if (path == NULL) return 0;
    codec_of_name(path, &stem);
    if (stem < tail || memcmp(path + stem - tail, ".bes", tail) != 0)
        return err_set(e, ERR_USAGE,
                       "--dump-bes: '%.100s' must end in .bes, .bes.gz, .bes.zst or "
                       ".bes.bz2",
                       path);
    return output_check(&t->m, path, e);
}

/* That there is no way to write it is not the verdict's fault. */
static int dump(asking *a, err *e)
{
    const char *path = options_string(a->t->opts, "dump-bes", NULL);
    progress *clock = &a->t->clock;
    bes b;
    if (path == NULL) return 0;
    progress_begin(clock, "writing", "vertices", 0);
    if (bes_of_graph(&b, &a->t->m, enc_mcl_graph(a->q.encoding), clock, e) == 0) {
        bes_write(&b, path, clock, e);
        bes_close(&b);
    }
    progress_end(clock);
    if (e->code == ERR_REFUSED) {
        log_warn(&a->t->log, "no equations written: %s", e->text);
        *e = ERR_INIT;
    }
    return (int)e->code;
}

evidence_question asking_evidence(const asking *a, const enc_mcl *encoding,
                                  const label_table *labels)
{
    evidence_question q = { .problem = "mcl", .model = a->in.path };
    q.model_hash = a->model_hash;
    q.property = mcl_expanded(a->q.formula, NULL);
    q.hidden = a->v.hidden;
    q.hidden_count = a->v.hidden_count;
    q.encoding = encoding;
    q.labels = labels;
    q.argument_count = options_list(a->t->opts, "model-arg", &q.arguments);
    return q;
}

static int solve(asking *a, err *e)
{
    const graph *g = enc_mcl_graph(a->q.encoding);
    bool reason = evidence_wanted(a->t);
    resolution *r = NULL;
    evidence_question q = asking_evidence(a, a->q.encoding, a->q.model->labels);
    if (verdict_solve(&a->v, a->t, g, reason, &r, e) == 0 && reason)
        evidence_make(&a->v, a->t, resolution_run(r), &q, e);
    if (g->met) a->v.states_met = *g->met;
    resolution_close(r);
    return (int)e->code;
}

static int run_alone(asking *a, err *e)
{
    if (together_refuse(a->t, a->v.algorithm, e) == 0 && load(a, e) == 0 &&
        encode(a, e) == 0 && dump(a, e) == 0)
        solve(a, e);
    return verdict_print(&a->v, a->t, e);
}

int question_run(tool *t, const question_source *from, const char *property, err *e)
{
    asking a = { .t = t, .v = VERDICT_INIT };
    a.v.property = property;
    a.v.algorithm = options_string(t->opts, "algorithm", "auto");
    a.v.hidden_count = options_list(t->opts, "hidden", &a.v.hidden);
    if (evidence_check_options(t, true, e) == 0 && check_dump(t, e) == 0 &&
        parse(&a, from, e) == 0 && model_arg_resolve(&a.in, t, t->operand[0], e) == 0 &&
        evidence_check_model(&a.model_hash, t, a.in.path, e) == 0) {
        if (together_wanted(t)) question_together(&a, e);
        else run_alone(&a, e);
    }
    question_close(&a.q);
    return (int)e->code;
}
