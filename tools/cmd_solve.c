#include "encodings/enc_bes_part.h"
#include "tools/command.h"
#include "tools/evidence.h"
#include "tools/launch.h"
#include "tools/model_arg.h"
#include "tools/together.h"
#include "tools/verdict.h"

#include <inttypes.h>

/* The first equation there is, to help with. */
static int complain_no_variable(const bes *b, bes_name want, const char *path, err *e)
{
    if (b->vertices == 0)
        return err_set(e, ERR_INPUT, "%s: there are no equations", path);
    return err_set(e, ERR_INPUT,
                   "%s: there is no variable X%" PRIu32 " in block B%" PRIu32
                   "; the first one is X%" PRIu32 "_%" PRIu32 ": see --variable",
                   path, want.variable, want.block, b->variable[0],
                   b->blocks[bes_block_of(b, 0)].number);
}

static int choose_root(vertex_id *root, const bes *b, bes_name want, const char *path,
                       err *e)
{
    *root = bes_find(b, want);
    return *root == VERTEX_NONE ? complain_no_variable(b, want, path, e) : 0;
}

static int read(bes *b, verdict *v, const char *path, tool *t, err *e)
{
    double start = clock_seconds();
    progress_begin(&t->clock, "reading", "bytes", 0);
    if (progress_tick(&t->clock, 0, e) == 0) bes_read(b, &t->m, path, &t->clock, e);
    progress_end(&t->clock);
    v->load = clock_seconds() - start;
    return (int)e->code;
}

static int encode(enc_bes **out, verdict *v, const bes *b, bes_name want,
                  const char *path, err *e)
{
    double start = clock_seconds();
    enc_bes_options o = { .root = 0 };
    if (choose_root(&o.root, b, want, path, e) == 0) enc_bes_open(out, b, &o, e);
    v->encode = clock_seconds() - start;
    return (int)e->code;
}

/* ---- several workers ----------------------------------------------------------------------- */

/* Every process has the whole system, and its workers have their parts of it. */
static int encode_parts(enc_bes_parts **out, graph_part ***part, verdict *v, const bes *b,
                        bes_name want, const together *x, err *e)
{
    double start = clock_seconds();
    uint32_t here = x->w.threads, first = launch_rank() * here;
    enc_bes_part_options o = { .workers = workers_count(&x->w) };
    *part = arena_get(&x->t->scratch, here * sizeof(graph_part *), e);
    if (*part && choose_root(&o.question.root, b, want, v->model, e) == 0)
        enc_bes_part_open(out, b, &o, e);
    if (workers_agree(&x->w, e) != 0) return (int)e->code;
    for (uint32_t i = 0; i < here; i++) (*part)[i] = enc_bes_part_of(*out, first + i);
    v->encode = clock_seconds() - start;
    return 0;
}

static int read_together(bes *b, verdict *v, const char *path, const together *x, err *e)
{
    if (together_check_file(x->t, path, x->w.ranks, e) == 0) read(b, v, path, x->t, e);
    return workers_agree(&x->w, e);
}

/* Rank 0 gives the reason, over the system as one worker would have it. */
static int tell_reason(verdict *v, const bes *b, bes_name want, enc_bes_parts *parts,
                       const mb_reason *r, together *x, const evidence_question *q,
                       err *e)
{
    enc_bes *whole = NULL;
    enc_bes_options o = { .root = 0 };
    if (choose_root(&o.root, b, want, v->model, e) == 0 &&
        enc_bes_open(&whole, b, &o, e) == 0)
        together_reason(x, r, enc_bes_graph(whole), enc_bes_part_wire, parts, q, v, e);
    enc_bes_close(whole);
    return (int)e->code;
}

static int reason_together(verdict *v, const bes *b, bes_name want, enc_bes_parts *parts,
                           together *x, const evidence_question *q, err *e)
{
    mb_reason *r = NULL;
    double start = clock_seconds();
    mb_reason_walk(&r, x->session, NULL, e);
    double walked = clock_seconds() - start;
    if (r && e->code == ERR_NONE) tell_reason(v, b, want, parts, r, x, q, e);
    v->diagnostic += walked;
    mb_reason_close(r);
    return workers_agree(&x->w, e);
}

static int solve_together(verdict *v, const char *path, bes_name want, tool *t, err *e)
{
    bes b = { .m = NULL };
    together x = { .t = t };
    enc_bes_parts *parts = NULL;
    graph_part **part;
    bool reason = evidence_wanted(t);
    evidence_question q = { .problem = "bes", .model = path, .property = v->property };
    if (evidence_check_model(&q.model_hash, t, path, e) != 0) return (int)e->code;
    if (together_open(&x, t, v, e) == 0 && read_together(&b, v, path, &x, e) == 0 &&
        encode_parts(&parts, &part, v, &b, want, &x, e) == 0 &&
        together_solve(&x, part, reason, v, e) == 0 && reason)
        reason_together(v, &b, want, parts, &x, &q, e);
    together_close(&x, v);
    verdict_print(v, t, e);
    together_release(&x);
    enc_bes_part_close(parts);
    bes_close(&b);
    return (int)e->code;
}

/* ---- one ------------------------------------------------------------------------------------ */

static int solve(verdict *v, const char *path, bes_name want, tool *t, err *e)
{
    bes b = { .m = NULL };
    enc_bes *x = NULL;
    resolution *r = NULL;
    evidence_question q = { .problem = "bes", .model = path, .property = v->property };
    if (evidence_check_model(&q.model_hash, t, path, e) != 0) return (int)e->code;
    bool reason = evidence_wanted(t);
    if (read(&b, v, path, t, e) == 0 && encode(&x, v, &b, want, path, e) == 0 &&
        verdict_solve(v, t, enc_bes_graph(x), reason, &r, e) == 0 && reason)
        evidence_make(v, t, resolution_run(r), &q, e);
    resolution_close(r);
    enc_bes_close(x);
    bes_close(&b);
    return (int)e->code;
}

static int run_solve(tool *t, err *e)
{
    model_arg in;
    bes_name want;
    verdict v = VERDICT_INIT;
    const char *name = options_string(t->opts, "variable", "X0_0");
    v.algorithm = options_string(t->opts, "algorithm", "auto");
    v.property = name;
    if (!bes_name_parse(&want, name))
        return err_set(e, ERR_USAGE,
                       "--variable: '%.60s' is not a variable such as X3_1 or X3", name);
    if (evidence_check_options(t, false, e) != 0) return (int)e->code;
    if (model_arg_resolve(&in, t, t->operand[0], e) != 0) return (int)e->code;
    v.model = in.name;
    if (together_wanted(t)) return solve_together(&v, in.path, want, t, e);
    if (together_refuse(t, v.algorithm, e) == 0) solve(&v, in.path, want, t, e);
    return verdict_print(&v, t, e);
}

static const option_spec specs[] = {
    { "variable", 0, OPTION_STRING, "NAME", 0, 0,
      "The variable to solve: X3_1 is variable 3 of block B1, X3 that of B0.  Default: "
      "X0_0." },
    { 0 },
};
static const option_group group = { "Question", specs };

const command cmd_solve = {
    .name = "solve",
    .doc = "the value of a variable of a Boolean equation system",
    .synopsis = "FILE.bes [OPTION]...",
    .description =
        "Reads a system of Boolean equations and prints TRUE or FALSE, the value of one "
        "variable; the exit status is 0 or 1.  Only what the variable depends on is "
        "looked at.  The file may be compressed; - is stdin.  It looks like this:\n"
        "\n"
        "  (* X0 of B0 holds if X1 does, and X0 of B1 *)\n"
        "  block nu B0 is\n"
        "      X0 = X1 and X0_1\n"
        "      X1 = X0 or X1\n"
        "  end block\n"
        "  block mu B1 is\n"
        "      X0 = X1 or X2   X1 = false   X2 = X0\n"
        "  end block\n"
        "\n"
        "A block is a least (mu) or a greatest (nu) fixed point.  X3 is variable 3 of "
        "the "
        "same block, X3_1 that of block B1.  An equation has `or` or `and`, not both, "
        "between true, false and variables.  Blocks must not depend on each other in a "
        "cycle.  `unique` and `mode N` behind a block's name are accepted; they change "
        "nothing.\n"
        "\n"
        "With --json there is one object: verdict, status (ok or limit), algorithm, "
        "model, "
        "property (the variable), vertices visited, edges looked at, blocks, seconds, "
        "memory_bytes and more; what does not apply is null.",
    .examples =
        (const command_example[]){
            { "bespoke solve system.bes", "the value of X0 of block B0" },
            { "bespoke solve --variable X3_1 --explain system.bes.gz",
              "another variable, and how it is solved" },
            { "bespoke solve --algorithm a2 --json system.bes", "for a script" },
            { "bespoke solve --diagnostic why.cert system.bes",
              "keep the proof, for bespoke certify" },
            { 0 },
        },
    .options = (const option_group *const[]){ &group, &options_solve, &options_together,
                                              &options_ranks, &options_transport,
                                              &options_evidence, &options_json,
                                              &options_limit, NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = run_solve,
};
