#include "tools/evidence.h"

#include "algorithms/certify.h"
#include "algorithms/diag.h"
#include "algorithms/proof.h"
#include "lang/cert.h"
#include "lang/codec.h"
#include "lang/output.h"
#include "models/lts_file.h"
#include "models/sub_lts.h"
#include "tools/routes.h"

#include <string.h>
#include <sys/stat.h>

static const option_spec specs[] = {
    { "diagnostic", 0, OPTION_STRING, "FILE", 0, 0,
      "Write the reason for the verdict to FILE: a proof graph that bespoke certify "
      "checks (.cert); of a formula also the part of the model that decides (.aut, .dot, "
      ".plts), or the sequence if that is one (.seq).  All but .plts may have .gz, .zst "
      "or "
      ".bz2 behind." },
    { "certify", 0, OPTION_FLAG, NULL, 0, 0,
      "Check the reason with code that shares nothing with the solvers before "
      "answering." },
    { "shortest", 0, OPTION_FLAG, NULL, 0, 0,
      "Make the reason a tree of least depth, where it is a tree; with --json, height is "
      "its longest way.  Costs a second search." },
    { 0 },
};
const option_group options_evidence = { "Reasons", specs };

bool evidence_wanted(const tool *t)
{
    return options_given(t->opts, "certify") || options_given(t->opts, "diagnostic");
}

static bool is_certificate(const char *file)
{
    static const char suffix[] = ".cert";
    size_t stem, tail = strlen(suffix);
    codec_of_name(file, &stem);
    return stem >= tail && memcmp(file + stem - tail, suffix, tail) == 0;
}

/* Does the form that the suffix names exist, and fit the question? */
static int check_form(const char *file, bool lts_too, err *e)
{
    err unknown = ERR_INIT;
    bool is_stdout = strcmp(file, "-") == 0; /* which is for the answer alone */
    if (is_certificate(file)) return 0;
    if (lts_too && !is_stdout && lts_file_check_suffix(file, &unknown) == 0) return 0;
    return err_set(e, ERR_USAGE, "--diagnostic: '%.100s' must end in %s.cert", file,
                   lts_too ? ".aut, .dot, .seq, .plts or " : "");
}

int evidence_check_options(tool *t, bool lts_too, err *e)
{
    const char *file = options_string(t->opts, "diagnostic", NULL);
    if (options_given(t->opts, "shortest") && !evidence_wanted(t))
        return err_set(e, ERR_USAGE, "--shortest is for --diagnostic or --certify");
    if (file == NULL) return 0;
    if (check_form(file, lts_too, e) != 0) return (int)e->code;
    return output_check(&t->m, file, e);
}

/* --dump-bes, where there is such an option. */
static const char *dump_file(const tool *t)
{
    return options_accepts(t->opts, "dump-bes")
               ? options_string(t->opts, "dump-bes", NULL)
               : NULL;
}

int evidence_check_input(const tool *t, const char *path, err *e)
{
    const char *diagnostic = options_string(t->opts, "diagnostic", NULL);
    if (output_check_apart(diagnostic, path, e) != 0) return (int)e->code;
    return output_check_apart(dump_file(t), path, e);
}

static bool writes_certificate(const tool *t)
{
    const char *file = options_string(t->opts, "diagnostic", NULL);
    return file && is_certificate(file);
}

int evidence_check_model(uint64_t *hash, tool *t, const char *path, err *e)
{
    struct stat st;
    *hash = 0;
    if (evidence_check_input(t, path, e) != 0) return (int)e->code;
    if (!writes_certificate(t) || stat(path, &st) != 0) return 0;
    if (!S_ISREG(st.st_mode) || strcmp(path, "/dev/stdin") == 0)
        return err_set(
            e, ERR_USAGE,
            "--diagnostic %.100s needs a file to speak of, not a pipe or stdin",
            options_string(t->opts, "diagnostic", NULL));
    return cert_hash(hash, &t->m, &(cert_origin){ .files = &path, .file_count = 1 }, e);
}

int evidence_check_origin(uint64_t *hash, tool *t, const cert_origin *o, err *e)
{
    for (size_t i = 0; i < o->file_count; i++)
        if (evidence_check_input(t, o->files[i], e) != 0) return (int)e->code;
    return writes_certificate(t) ? cert_hash(hash, &t->m, o, e) : 0;
}

/* The proof in memory goes through the checker like any other. */
static int certify_proof(const proof *p, const graph *g, err *e)
{
    certify *c;
    if (certify_open(&c, p->m, g, p->value, e) != 0) return (int)e->code;
    for (size_t i = 0; i < p->vertices.count && e->code == ERR_NONE; i++)
        certify_enter(c, p->vertices.at[i].vertex, p->vertices.at[i].rank, e);
    for (size_t i = 0; i < p->vertices.count && e->code == ERR_NONE; i++)
        certify_check(c, p->vertices.at[i].vertex, p->vertices.at[i].choice, e);
    if (e->code == ERR_NONE) certify_finish(c, g->root, e);
    certify_close(c);
    if (e->code != ERR_REFUSED) return (int)e->code;
    err deep = *e;
    *e = ERR_INIT;
    return err_set(e, ERR_SYSTEM, "the solver's verdict cannot be certified: %s",
                   deep.text);
}

/* Vertices as they are, or (`r` not NULL) by the routes to their states. */
static int put_vertices(cert_writer *w, const proof *p, const routes *r, err *e)
{
    for (size_t i = 0; i < p->vertices.count && e->code == ERR_NONE; i++) {
        const proof_vertex *v = &p->vertices.at[i];
        cert_vertex c = { v->vertex, v->choice, v->rank };
        if (r) c.vertex = routes_vertex(r, v->vertex);
        if (r && v->choice != VERTEX_NONE) c.choice = routes_vertex(r, v->choice);
        cert_writer_put(w, &c, e);
    }
    return (int)e->code;
}

static int write_certificate(const proof *p, const char *path, cert_header *h,
                             const routes *r, err *e)
{
    cert_writer *w = NULL;
    if (r) {
        h->states = (uint32_t)r->state.count;
        h->state = r->way.at;
    }
    if (cert_writer_open(&w, p->m, path, h, e) == 0 && put_vertices(w, p, r, e) == 0)
        cert_writer_commit(w, e);
    cert_writer_close(w);
    return (int)e->code;
}

static int write_proof(const proof *p, const char *path, const evidence_question *q,
                       err *e)
{
    cert_header h = { .verdict = p->value,
                      .vertices = p->vertices.count,
                      .model_hash = q->model_hash,
                      .model = q->model,
                      .property = q->property,
                      .hidden = q->hidden,
                      .hidden_count = q->hidden_count };
    routes r = { .m = NULL };
    strncpy(h.problem, q->problem, sizeof h.problem - 1);
    h.arguments = q->arguments;
    h.argument_count = q->argument_count;
    bool by_routes = q->encoding && routes_needed(q->encoding);
    if (!by_routes) return write_certificate(p, path, &h, NULL, e);
    if (routes_of_proof(&r, p->m, q->encoding, p, e) == 0)
        write_certificate(p, path, &h, &r, e);
    routes_close(&r);
    return (int)e->code;
}

static int keep_transition(void *part, const enc_mcl_transition *t, err *e)
{
    sub_lts_edge edge = { t->from, t->place, t->label, t->to };
    return sub_lts_add(part, &edge, e);
}

/* The part of the model that the proof rests on.  That it has another form than was asked for
   is not the verdict's fault. */
static int write_part(const proof *p, const char *path, const evidence_question *q,
                      const tool *t, err *e)
{
    sub_lts part =
        SUB_LTS_INIT(p->m, state_space_initial(enc_mcl_space(q->encoding)), q->labels);
    for (size_t i = 0; i < p->vertices.count && e->code == ERR_NONE; i++)
        enc_mcl_support(q->encoding, p->vertices.at[i].vertex, p->vertices.at[i].choice,
                        p->value, keep_transition, &part, e);
    if (e->code == ERR_NONE) sub_lts_write(&part, path, e);
    sub_lts_release(&part);
    if (e->code == ERR_REFUSED) {
        log_warn(&t->log, "no diagnostic written: %s", e->text);
        *e = ERR_INIT;
    }
    return (int)e->code;
}

static int shorten(verdict *v, tool *t, const run *r, err *e)
{
    diag_result found;
    progress_begin(&t->clock, "shortening", "vertices", 0);
    diag_shorten(r, r->g->root, &found, e);
    progress_end(&t->clock);
    if (e->code != ERR_NONE) return (int)e->code;
    if (found.tree) v->proof_height = found.height;
    else log_note(&t->log, "--shortest: the reason is no tree; it stays as it is");
    return 0;
}

int evidence_make(verdict *v, tool *t, const run *r, const evidence_question *q, err *e)
{
    proof p;
    const graph *g = r->g;
    const char *file = options_string(t->opts, "diagnostic", NULL);
    double start = clock_seconds();
    if (options_given(t->opts, "shortest") && shorten(v, t, r, e) != 0)
        return (int)e->code;
    if (proof_open(&p, &t->m, g, r->found, g->root, e) != 0) return (int)e->code;
    v->proof_vertices = (int64_t)p.vertices.count;
    v->proof_depth = p.depth;
    v->diagnostic = clock_seconds() - start;
    if (options_given(t->opts, "certify")) {
        v->certified = certify_proof(&p, g, e) == 0;
        v->certify = clock_seconds() - start - v->diagnostic;
    }
    if (e->code == ERR_NONE && file) {
        if (is_certificate(file)) write_proof(&p, file, q, e);
        else write_part(&p, file, q, t, e);
    }
    verdict_sample(v);
    proof_close(&p);
    return (int)e->code;
}

static bool are_texts(const char *const *a, size_t a_count, const char *const *b,
                      size_t b_count)
{
    size_t i = 0;
    while (i < a_count && i < b_count && strcmp(a[i], b[i]) == 0) i++;
    return i == a_count && i == b_count;
}

static bool are_states(const cert_header *a, const cert_header *b)
{
    if (a->states != b->states) return false;
    return a->states < 2 ||
           memcmp(a->state, b->state, (a->states - 1) * sizeof *a->state) == 0;
}

/* Is this the certificate whose header was read first? */
static bool is_header(const cert_header *a, const cert_header *b)
{
    return a->verdict == b->verdict && a->vertices == b->vertices &&
           a->model_hash == b->model_hash && strcmp(a->property, b->property) == 0 &&
           strcmp(a->problem, b->problem) == 0 && are_states(a, b) &&
           are_texts(a->hidden, a->hidden_count, b->hidden, b->hidden_count) &&
           are_texts(a->arguments, a->argument_count, b->arguments, b->argument_count);
}

/* A vertex of the certificate becomes one of the graph. */
static int find_vertex(const routes *r, cert_vertex *v, err *e)
{
    vertex_id said = v->vertex;
    if (routes_find(r, v->vertex, &v->vertex) &&
        (v->choice == VERTEX_NONE || routes_find(r, v->choice, &v->choice)))
        return 0;
    return err_set(e, ERR_REFUSED, "no proof: vertex %u or its successor does not exist",
                   said);
}

/* One pass over a certificate: enter its vertices, or check their rows. */
static int pass(certify *k, const evidence_claim *c, const routes *r, mem *m, bool check,
                err *e)
{
    cert_reader *in;
    cert_vertex v;
    if (cert_reader_open(&in, m, c->path, e) != 0) return (int)e->code;
    if (!is_header(c->h, cert_reader_header(in)))
        err_set(e, ERR_INPUT, "%s: has changed while it was read", c->path);
    while (e->code == ERR_NONE && cert_reader_next(in, &v, e)) {
        if (r && find_vertex(r, &v, e) != 0) break;
        if (check) certify_check(k, v.vertex, v.choice, e);
        else certify_enter(k, v.vertex, v.rank, e);
    }
    cert_reader_close(in);
    return (int)e->code;
}

/* States are listed where the model's have no numbers, and only there. */
static int check_states(const evidence_claim *c, err *e)
{
    bool needed = c->encoding && routes_needed(c->encoding);
    if (needed == (c->h->states > 0)) return 0;
    return err_set(e, ERR_INPUT, "%s: the certificate lists %s states; expected %s",
                   c->path, needed ? "no" : "its",
                   needed ? "the ways to them" : "the numbers that the model gives them");
}

int evidence_certify_file(verdict *v, const evidence_claim *c, tool *t, err *e)
{
    certify *k = NULL;
    routes r = { .m = NULL };
    const routes *by = c->h->states > 0 ? &r : NULL;
    if (check_states(c, e) == 0 && certify_open(&k, &t->m, c->g, c->h->verdict, e) == 0 &&
        (by == NULL || routes_follow(&r, &t->m, c->encoding, c->h, e) == 0) &&
        pass(k, c, by, &t->m, false, e) == 0 && pass(k, c, by, &t->m, true, e) == 0)
        certify_finish(k, c->g->root, e);
    verdict_sample(v);
    certify_close(k);
    routes_close(&r);
    return (int)e->code;
}
