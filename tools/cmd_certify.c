#include "encodings/enc_bes.h"
#include "lang/cert.h"
#include "tools/command.h"
#include "tools/evidence.h"

#include <inttypes.h>
#include <string.h>

/* The system of the certificate: is it the one that was solved? */
static int check_model(const cert_header *h, const char *path, tool *t, err *e)
{
    uint64_t hash;
    if (cert_hash_file(&hash, &t->m, path, e) != 0) return (int)e->code;
    if (hash == h->model_hash) return 0;
    return err_set(
        e, ERR_INPUT,
        "%s has changed since the certificate was made; expected hash %016" PRIx64
        ", found %016" PRIx64,
        path, h->model_hash, hash);
}

static int certify_bes(verdict *v, const cert_header *h, const char *model,
                       const char *cert, tool *t, err *e)
{
    bes b = { .m = NULL };
    enc_bes *x = NULL;
    enc_bes_options o = { .root = 0 };
    bes_name want;
    uint64_t vertices = 0;
    double start = clock_seconds();
    if (!bes_name_parse(&want, h->property))
        return err_set(e, ERR_INPUT, "%s: the property '%.60s' is no variable", cert,
                       h->property);
    if (bes_read(&b, &t->m, model, &t->clock, e) == 0) {
        o.root = bes_find(&b, want);
        if (o.root == VERTEX_NONE)
            err_set(e, ERR_INPUT, "%s: there is no variable %s", model, h->property);
        else if (enc_bes_open(&x, &b, &o, e) == 0)
            evidence_certify_file(cert, enc_bes_graph(x), t, &vertices, e);
    }
    v->proof_vertices = (int64_t)vertices;
    v->certified = v->known = e->code == ERR_NONE;
    v->value = h->verdict;
    v->certify = clock_seconds() - start;
    enc_bes_close(x);
    bes_close(&b);
    return (int)e->code;
}

static int run_certify(tool *t, err *e)
{
    const char *cert = t->operand[0];
    cert_reader *r;
    verdict v = VERDICT_INIT;
    if (cert_reader_open(&r, &t->m, cert, e) != 0) return (int)e->code;
    const cert_header *h = cert_reader_header(r);
    const char *model = options_string(t->opts, "model", h->model);
    v.model = model;
    v.property = h->property;
    v.algorithm = "certify";
    if (strcmp(h->problem, "bes") != 0)
        err_set(e, ERR_INPUT,
                "%s: a certificate for a problem '%s', which is not known here", cert,
                h->problem);
    else if (check_model(h, model, t, e) == 0) certify_bes(&v, h, model, cert, t, e);
    verdict_print(&v, t, e);
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
        "must "
        "be the same, byte by byte.  A certificate that proves nothing is refused with "
        "status 2 and the reason.",
    .examples =
        (const command_example[]){
            { "bespoke solve --diagnostic x.cert system.bes",
              "solve, and keep the proof" },
            { "bespoke certify x.cert", "check it, today or on another machine" },
            { 0 },
        },
    .options =
        (const option_group *const[]){ &group, &options_json, &options_limit, NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = run_certify,
};
