#include "core/ids.h"
#include "encodings/enc_bes.h"
#include "lang/cert.h"
#include "models/model_file.h"
#include "tools/command.h"
#include "tools/evidence.h"
#include "tools/question.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* The system of the certificate: is it the one that was solved? */
static int check_model(const cert_header *h, const cert_origin *o, tool *t, err *e)
{
    uint64_t hash;
    err why = ERR_INIT;
    if (cert_hash(&hash, &t->m, o, &why) != 0)
        return err_set(e, why.code,
                       "the model of the certificate: %s; --model FILE says where it is",
                       why.text);
    if (hash == h->model_hash) return 0;
    return err_set(e, ERR_INPUT,
                   "%s is another file than the one certified, or has changed; expected "
                   "hash %016" PRIx64 ", found %016" PRIx64
                   " (--model FILE names another)",
                   o->files[0], h->model_hash, hash);
}

static cert_origin origin_of(const cert_header *h, const char *const *files, size_t count)
{
    return (cert_origin){ files, count, h->arguments, h->argument_count };
}

/* Its files are known only when it is open; reading them does no harm. */
static bool is_made_of_files(const char *path)
{
    return model_file_is_implicit(path) && !model_file_is_program(path);
}

/* Before anything is read of it. */
static int check_file(const cert_header *h, const char *path, tool *t, err *e)
{
    cert_origin o = origin_of(h, &path, 1);
    if (model_file_is_program(path) && !options_given(t->opts, "model"))
        return err_set(e, ERR_USAGE,
                       "the model of the certificate is a program, %s, which would be "
                       "run; --model %s says that you trust it",
                       path, path);
    return is_made_of_files(path) ? 0 : check_model(h, &o, t, e);
}

static int open_model(model **out, const cert_header *h, const char *path, tool *t,
                      err *e)
{
    model_file_options o = { .load = { .m = &t->m,
                                       .log = &t->log,
                                       .clock = &t->clock,
                                       .lenient = true, /* the bytes are those solved */
                                       .hidden = h->hidden,
                                       .hidden_count = h->hidden_count },
                             .arguments = h->arguments,
                             .argument_count = h->argument_count };
    if (model_file_open(out, path, &o, e) != 0 || !is_made_of_files(path))
        return (int)e->code;
    cert_origin all = origin_of(h, (*out)->files, (*out)->file_count);
    return check_model(h, &all, t, e);
}

/* What is certified, by what. */
typedef struct claim {
    const cert_header *h;
    const char *cert, *model; /* files */
    verdict v;
} claim;

static int certify_bes(claim *c, tool *t, err *e)
{
    const cert_header *h = c->h;
    bes b = { .m = NULL };
    enc_bes *x = NULL;
    enc_bes_options o = { .root = 0 };
    bes_name want;
    if (!bes_name_parse(&want, h->property))
        return err_set(e, ERR_INPUT, "%s: the property '%.60s' is no variable", c->cert,
                       h->property);
    if (bes_read(&b, &t->m, c->model, &t->clock, e) == 0) {
        o.root = bes_find(&b, want);
        if (o.root == VERTEX_NONE)
            err_set(e, ERR_INPUT, "%s: there is no variable %s", c->model, h->property);
        else if (enc_bes_open(&x, &b, &o, e) == 0) {
            evidence_claim to = { c->cert, h, enc_bes_graph(x), NULL };
            evidence_certify_file(&c->v, &to, t, e);
        }
    }
    enc_bes_close(x);
    bes_close(&b);
    return (int)e->code;
}

static int certify_mcl(claim *c, tool *t, err *e)
{
    question q = { .model = NULL };
    question_source from = { .text = c->h->property, .one_text = true };
    enc_mcl_options o = { .clock = &t->clock };
    if (question_parse(&q, t, &from, e) == 0 &&
        open_model(&q.model, c->h, c->model, t, e) == 0 &&
        question_encode(&q, &o, e) == 0) {
        evidence_claim to = { c->cert, c->h, enc_mcl_graph(q.encoding), q.encoding };
        evidence_certify_file(&c->v, &to, t, e);
    }
    question_close(&q);
    return (int)e->code;
}

static const struct {
    const char *problem;
    int (*certify)(claim *c, tool *t, err *e);
} problems[] = { { "bes", certify_bes }, { "mcl", certify_mcl } };

static int certify_problem(claim *c, tool *t, err *e)
{
    for (size_t i = 0; i < COUNT_OF(problems); i++)
        if (strcmp(problems[i].problem, c->h->problem) == 0)
            return problems[i].certify(c, t, e);
    return err_set(e, ERR_INPUT,
                   "%s: a certificate for a problem '%s', which is not known here",
                   c->cert, c->h->problem);
}

/* On one line: what macros have left behind is white space mostly.  What is cut ends in "...". */
static void squeeze(const char *text, char *into, size_t bytes)
{
    size_t n = 0;
    bool gap = false;
    for (; *text && n + 5 < bytes; text++) {
        bool blank = isspace((unsigned char)*text) != 0;
        if (!blank && gap && n > 0) into[n++] = ' ';
        if (!blank) into[n++] = *text;
        gap = blank;
    }
    strcpy(into + n, *text ? "..." : "");
}

/* What is certified is for people to judge. */
static void tell_claim(const claim *c, const tool *t)
{
    char property[4096];
    squeeze(c->h->property, property, sizeof property);
    log_note(&t->log, "certified: %s of %s is %s", property, c->model,
             c->h->verdict ? "TRUE" : "FALSE");
    for (size_t i = 0; i < c->h->hidden_count; i++)
        log_note(&t->log, "certified with the label %s hidden", c->h->hidden[i]);
    for (size_t i = 0; i < c->h->argument_count; i++)
        log_note(&t->log, "certified with the model told %s", c->h->arguments[i]);
}

static int check_is_file(const char *path, err *e)
{
    struct stat st;
    if (stat(path, &st) != 0 || S_ISREG(st.st_mode)) return 0; /* its reader says why */
    return err_set(
        e, ERR_INPUT,
        "%s: a certificate is read more than once; expected a file, not a pipe "
        "or a folder",
        path);
}

static int run_certify(tool *t, err *e)
{
    cert_reader *r;
    double start = clock_seconds();
    if (check_is_file(t->operand[0], e) != 0 ||
        cert_reader_open(&r, &t->m, t->operand[0], e) != 0)
        return (int)e->code;
    const cert_header *h = cert_reader_header(r);
    claim c = { .h = h, .cert = t->operand[0], .v = VERDICT_INIT };
    c.model = options_string(t->opts, "model", h->model);
    c.v.model = c.model;
    c.v.property = h->property;
    c.v.algorithm = "certify";
    c.v.hidden = h->hidden;
    c.v.hidden_count = h->hidden_count;
    if (check_file(h, c.model, t, e) == 0 && certify_problem(&c, t, e) == 0)
        tell_claim(&c, t);
    c.v.proof_vertices = (int64_t)h->vertices;
    c.v.certified = c.v.known = e->code == ERR_NONE;
    c.v.value = h->verdict;
    c.v.certify = clock_seconds() - start;
    verdict_print(&c.v, t, e);
    cert_reader_close(r);
    return (int)e->code;
}

static const option_spec specs[] = {
    { "model", 0, OPTION_STRING, "FILE", 0, 0,
      "Where the model is now.  Default: where it was when the certificate was made." },
    { 0 },
};
static const option_group group = { "Model", specs };

const command cmd_certify = {
    .name = "certify",
    .doc = "check a verdict from its proof graph",
    .synopsis = "FILE.cert [OPTION]...",
    .description =
        "Checks a certificate that another command wrote with --diagnostic FILE.cert, "
        "and "
        "prints the verdict it proves: TRUE (status 0) or FALSE (status 1).  The check "
        "shares no code with the solvers: every vertex of the proof is compared with its "
        "equation, and where cycles would prove nothing, ranks must fall.  The model "
        "must be the same by its hash, that of all its files and arguments; the proof is "
        "checked against what is in it now.  A plug-in is run for that, so it must be "
        "named with --model.  "
        "stderr tells what was proved of what.  A certificate that proves nothing is "
        "refused with "
        "status 2 and the reason.",
    .examples =
        (const command_example[]){
            { "bespoke solve --diagnostic x.cert system.bes",
              "solve, and keep the proof" },
            { "bespoke certify x.cert", "check it, today or on another machine" },
            { "bespoke deadlock --diagnostic d.cert small.aut && bespoke certify d.cert",
              "the same of a model" },
            { 0 },
        },
    .options =
        (const option_group *const[]){ &group, &options_json, &options_limit, NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = run_certify,
};
