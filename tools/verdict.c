#include "tools/verdict.h"

#include "core/ids.h"
#include "tools/answer.h"
#include "tools/build_info.h"
#include "tools/launch.h"
#include "tools/stats_json.h"
#include "tools/workers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const option_spec solve_specs[] = {
    { "algorithm", 0, OPTION_STRING, "NAME", 0, 0,
      "Solve every block with NAME; see bespoke list.  Default: auto, which chooses per "
      "block by its shape, and mb-dsolve where there are several workers." },
    { "exhaustive", 0, OPTION_FLAG, NULL, 0, 0,
      "Solve all that is reachable, also what the verdict does not need." },
    { "explain", 0, OPTION_FLAG, NULL, 0, 0,
      "Print on stderr the equation blocks, which solver each gets, and why." },
    { 0 },
};
const option_group options_solve = { "Solving", solve_specs };

/* ---- solving ------------------------------------------------------------------------------ */

/* "acyclic, pure", or "general". */
static void print_promise(unsigned promise, char *into, size_t bytes)
{
#define PROMISE_NAME(id, bit, name, doc) { bit, name },
    static const struct {
        unsigned bit;
        const char *name;
    } names[] = { GRAPH_PROMISES(PROMISE_NAME) };
#undef PROMISE_NAME
    size_t used = 0;
    snprintf(into, bytes, "general");
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (promise & names[i].bit)
            used += (size_t)snprintf(into + used, bytes - used, "%s%s", used ? ", " : "",
                                     names[i].name);
}

void verdict_explain(const tool *t, const graph *g, uint32_t k, const graph_block *b,
                     const char *solver, const char *why)
{
    char name[64], shape[128], size[32] = "";
    graph_name_block(g, k, name, sizeof name);
    print_promise(b->promise, shape, sizeof shape);
    if (b->end > b->begin)
        snprintf(size, sizeof size, "%" PRIu32 " vertices, ", b->end - b->begin);
    log_note(&t->log, "block %s: %s, %s%s; %s: %s", name, graph_kind_name(b), size, shape,
             solver, why);
}

static void explain(const tool *t, const resolution *r, const graph *g, bool choices)
{
    bool chosen = strcmp(options_string(t->opts, "algorithm", "auto"), "auto") == 0;
    for (uint32_t k = 0; k < g->block_count; k++)
        verdict_explain(t, g, k, resolution_block(r, k), resolution_solver(r, k)->name,
                        chosen ? resolution_reason(resolution_block(r, k), choices)
                               : "asked for");
}

static void take_counts(verdict *v, const resolution *r, const graph *g)
{
    const solution *s = resolution_solution(r);
    v->vertices = (int64_t)s->seen;
    v->edges = (int64_t)s->edges;
    v->blocks = g->block_count;
}

void verdict_sample(verdict *v)
{
    uint64_t now = mem_resident_anonymous();
    if (now > v->resident) v->resident = now;
}

int verdict_solve(verdict *v, tool *t, const graph *g, bool choices, resolution **out,
                  err *e)
{
    double start = clock_seconds();
    resolution_options o = { .algorithm = options_string(t->opts, "algorithm", "auto"),
                             .choices = choices,
                             .exhaustive = options_given(t->opts, "exhaustive"),
                             .clock = &t->clock,
                             .log = &t->log };
    *out = NULL;
    v->algorithm = o.algorithm;
    if (resolution_open(out, &t->m, g, &o, e) != 0) return (int)e->code;
    if (options_given(t->opts, "explain")) explain(t, *out, g, choices);
    progress_begin(&t->clock, "solving", "vertices", 0);
    v->known = resolution_solve(*out, g->root, &v->value, e) == 0;
    progress_end(&t->clock);
    v->solve = clock_seconds() - start;
    verdict_sample(v);
    take_counts(v, *out, g);
    return (int)e->code;
}

/* ---- the answer --------------------------------------------------------------------------- */

static json_t *count_or_null(int64_t n)
{
    return n < 0 ? json_null() : json_integer((json_int_t)n);
}

static json_t *seconds_or_null(double x) { return x < 0 ? json_null() : json_real(x); }

static json_t *truth_or_null(int b) { return b < 0 ? json_null() : json_boolean(b); }

static json_t *text_or_null(const char *text)
{
    return text ? answer_json_text(text) : json_null();
}

/* Sequential solvers have one rank and one thread, and send nothing. */
static json_t *setting(const verdict *v)
{
    const workers *w = v->workers;
    return json_pack("{s:o, s:s, s:o, s:o, s:o, s:i, s:i, s:o}", "verdict",
                     truth_or_null(v->known ? v->value : -1), "status",
                     v->known ? "ok" : "limit", "algorithm", text_or_null(v->algorithm),
                     "dtd", text_or_null(v->detector), "transport",
                     text_or_null(w ? w->transport->name : NULL), "ranks",
                     w ? (int)w->ranks : 1, "threads", w ? (int)w->threads : 1,
                     "distribution", text_or_null(v->distribution));
}

/* Of a model whose states are computed it is known how many were met, and no more. */
static json_t *about_model(const verdict *v)
{
    json_t *about = json_pack(
        "{s:o, s:o, s:o, s:o, s:o}", "name", text_or_null(v->model), "states",
        count_or_null(v->states), "transitions", count_or_null(v->transitions), "labels",
        count_or_null(v->labels), "surrogate", truth_or_null(v->surrogate));
    if (about && v->states_met >= 0)
        json_object_set_new(about, "states_met", json_integer(v->states_met));
    return about;
}

static json_t *problem(const verdict *v)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "model", about_model(v),
                     "property", text_or_null(v->property), "vertices",
                     count_or_null(v->vertices), "edges", count_or_null(v->edges),
                     "blocks", count_or_null(v->blocks), "cross_edges",
                     count_or_null(v->cross_edges));
}

/* Kinds that this solver does not have are 0. */
static json_t *messages(const verdict *v)
{
    if (v->stats == NULL) return json_null();
    json_t *x = stats_json_messages(v->stats);
    if (json_object_get(x, "colour") == NULL)
        json_object_set_new(x, "colour", json_integer(0));
    return x;
}

static json_t *costs(const verdict *v, const tool *t)
{
    uint64_t accounted = t->m.peak, own = v->resident ? v->resident : accounted, sum = 0;
    uint32_t ranks = v->peak ? v->workers->ranks : 1;
    json_t *each = json_array();
    for (uint32_t i = 0; i < ranks; i++) {
        uint64_t peak = v->peak ? v->peak[i] : own;
        sum += peak;
        json_array_append_new(each, json_integer((json_int_t)peak));
    }
    return json_pack(
        "{s:{s:o, s:o, s:o, s:o, s:o, s:o, s:f}, s:{s:o, s:I, s:I}, s:o, s:o}", "seconds",
        "load", seconds_or_null(v->load), "encode", seconds_or_null(v->encode), "solve",
        seconds_or_null(v->solve), "simulated", seconds_or_null(v->simulated),
        "diagnostic", seconds_or_null(v->diagnostic), "certify",
        seconds_or_null(v->certify), "total", clock_seconds() - t->started,
        "memory_bytes", "peak_per_rank", each, "peak_total", (json_int_t)sum, "accounted",
        (json_int_t)accounted, "messages", messages(v), "counters",
        v->stats ? stats_json_counters(v->stats, v->workers->counters) : json_null());
}

static json_t *proof(const verdict *v)
{
    if (v->proof_vertices < 0) return json_pack("{s:n}", "diagnostic");
    return json_pack("{s:{s:o, s:o, s:o, s:b}}", "diagnostic", "vertices",
                     count_or_null(v->proof_vertices), "depth",
                     count_or_null(v->proof_depth), "height",
                     count_or_null(v->proof_height), "certified", (int)v->certified);
}

/* Labels taken as hidden, if there are any. */
static json_t *hidden(const verdict *v)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < v->hidden_count; i++)
        json_array_append_new(list, answer_json_text(v->hidden[i]));
    if (v->hidden_count > 0) return json_pack("{s:o}", "hidden", list);
    json_decref(list);
    return json_object();
}

static json_t *origin(const verdict *v)
{
    bool drawn = v->workers && v->workers->sim.chaos;
    return json_pack("{s:o, s:s, s:s}", "seed",
                     drawn ? json_integer((json_int_t)v->workers->sim.seed) : json_null(),
                     "version", build_info_version(), "commit", build_info_commit());
}

static int print_json(const verdict *v, const tool *t, err *e)
{
    json_t *part[] = {
        setting(v), problem(v), hidden(v), costs(v, t), proof(v), origin(v)
    };
    json_t *all = json_object();
    bool whole = all != NULL;
    for (size_t i = 0; i < COUNT_OF(part); i++) {
        whole = whole && part[i] && json_object_update(all, part[i]) == 0;
        json_decref(part[i]);
    }
    if (whole) return answer_json(all, e);
    json_decref(all);
    return answer_json(NULL, e);
}

static void tell_how_far(const verdict *v, const tool *t)
{
    if (v->vertices < 0) return;
    log_note(&t->log, "so far %" PRId64 " vertices and %" PRId64 " edges, %.3f s",
             v->vertices, v->edges, v->solve);
    if (v->states_met >= 0)
        log_note(&t->log, "so far %" PRId64 " states of the model", v->states_met);
}

int verdict_print(const verdict *found, tool *t, err *e)
{
    verdict v = *found;
    err lost = ERR_INIT;
    if (e->code != ERR_NONE && v.known) {
        log_note(&t->log, "the verdict was %s", v.value ? "TRUE" : "FALSE");
        v.known = false;
    }
    if (e->code != ERR_NONE && e->code != ERR_LIMIT) return (int)e->code;
    t->is_false = v.known && !v.value;
    if (launch_rank() > 0) return (int)e->code; /* rank 0 speaks for all */
    if (options_given(t->opts, "json")) print_json(&v, t, &lost);
    else if (v.known) puts(v.value ? "TRUE" : "FALSE");
    else tell_how_far(&v, t);
    if (e->code == ERR_NONE) *e = lost;
    return (int)e->code;
}
