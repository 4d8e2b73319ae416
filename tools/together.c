#include "tools/together.h"

#include "algorithms/algorithm.h"
#include "comm/comm_mpi.h"
#include "core/ids.h"
#include "core/suggest.h"
#include "models/lts_file.h"
#include "tools/launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = { "mb-dsolve", "dsolve" };

static bool is_ours(const char *asked)
{
    return strcmp(asked, names[0]) == 0 || strcmp(asked, names[1]) == 0;
}

static const char *const of_workers[] = { "bind",
                                          "counters",
                                          "launcher",
                                          "hosts",
                                          "mpiexec",
                                          "transport",
                                          "workers",
                                          "machine",
                                          "seed",
                                          "dtd",
                                          "distribution",
                                          "policy",
                                          "priority",
                                          "all-dependencies",
                                          "two-hops",
                                          "buffer",
                                          NULL };

/* One rank with one thread is what everybody has, also who says so. */
static bool asks_for_workers(const tool *t)
{
    const options *o = t->opts;
    return launch_is_inside() || options_given(o, "transport") ||
           options_unsigned(o, "ranks", 1) > 1 || options_unsigned(o, "threads", 1) > 1;
}

bool together_wanted(const tool *t)
{
    const char *asked = options_string(t->opts, "algorithm", "auto");
    if (is_ours(asked)) return true;
    return strcmp(asked, "auto") == 0 && asks_for_workers(t);
}

static int refuse_unknown(const char *asked, err *e)
{
    size_t count;
    const algorithm *const *all = algorithm_list(&count);
    suggest near = SUGGEST_INIT(asked);
    for (size_t i = 0; i < count; i++) suggest_consider(&near, all[i]->name);
    for (size_t i = 0; i < COUNT_OF(names); i++) suggest_consider(&near, names[i]);
    return suggest_refuse(&near, "no algorithm", "see bespoke list", e);
}

/* Of none is more than one. */
static int refuse_several(const tool *t, const char *why, err *e)
{
    static const char *const counts[] = { "ranks", "threads" };
    for (size_t i = 0; i < COUNT_OF(counts); i++)
        if (options_unsigned(t->opts, counts[i], 1) > 1)
            return err_set(e, ERR_USAGE, "--%s %s", counts[i], why);
    return 0;
}

int together_refuse(const tool *t, const char *asked, err *e)
{
    static const char *const of_sim[] = { "workers", "machine", "seed", NULL };
    bool is_auto = strcmp(asked, "auto") == 0;
    const char *why = "is for mb-dsolve; a sequential solver has one worker";
    if (!is_auto && algorithm_find(asked) == NULL) return refuse_unknown(asked, e);
    if (is_auto)
        why = "is for mb-dsolve; say --algorithm mb-dsolve, or how many --ranks or "
              "--threads";
    if (launch_is_inside())
        return err_set(e, ERR_USAGE,
                       "%s is sequential, and this is one of several ranks; expected "
                       "mb-dsolve",
                       asked);
    if (is_auto && options_refuse(t->opts, of_sim, "is for --transport sim", e) != 0)
        return (int)e->code;
    if (refuse_several(t, why, e) != 0) return (int)e->code;
    return options_refuse(t->opts, of_workers, why, e);
}

/* ---- options -------------------------------------------------------------------------------- */

typedef struct choice {
    const char *option;
    const char *const *values; /* the first is the default; then NULL */
} choice;

static int choose(const tool *t, const choice *c, uint32_t *out, err *e)
{
    const char *name = options_string(t->opts, c->option, c->values[0]);
    suggest near = SUGGEST_INIT(name);
    char what[64], list[64];
    for (*out = 0; c->values[*out]; ++*out) {
        if (strcmp(c->values[*out], name) == 0) return 0;
        suggest_consider(&near, c->values[*out]);
    }
    snprintf(what, sizeof what, "--%s: there is no", c->option);
    snprintf(list, sizeof list, "expected %s or %s", c->values[0], c->values[1]);
    return suggest_refuse(&near, what, list, e);
}

static int choose_detector(together *x, err *e)
{
    const char *name = options_string(x->t->opts, "dtd", "four-counter");
    suggest near = SUGGEST_INIT(name);
    size_t count;
    const dtd_class *const *all = dtd_list(&count);
    x->o.detector = dtd_find(name);
    if (x->o.detector) return 0;
    for (size_t i = 0; i < count; i++) suggest_consider(&near, all[i]->name);
    return suggest_refuse(&near, "--dtd: there is no detector",
                          "expected four-counter, ring or wave", e);
}

static int read_options(together *x, err *e)
{
    static const char *const policies[] = { "batch", "eager", NULL };
    static const char *const priorities[] = { "last", "first", NULL };
    const options *o = x->t->opts;
    uint32_t policy, priority;
    const choice of_policy = { "policy", policies },
                 of_priority = { "priority", priorities };
    if (choose(x->t, &of_policy, &policy, e) != 0 ||
        choose(x->t, &of_priority, &priority, e) != 0 || choose_detector(x, e) != 0 ||
        distribution_find(&x->kind, options_string(o, "distribution", "locality"), e) !=
            0)
        return (int)e->code;
    x->o.policy = (mb_policy)policy;
    x->o.priority = (mb_priority)priority;
    x->o.exhaustive = options_given(o, "exhaustive");
    x->o.all_dependencies = options_given(o, "all-dependencies");
    x->o.two_hops = options_given(o, "two-hops");
    x->o.buffer_bytes = options_size(o, "buffer", 0);
    return 0;
}

/* Also what is stopped before it solves tells how it was to be solved. */
static void enter_setting(const together *x, verdict *v)
{
    if (!is_ours(v->algorithm)) v->algorithm = names[0];
    v->workers = &x->w;
    v->detector = x->o.detector->name;
}

int together_check_file(const tool *t, const char *path, uint32_t ranks, err *e)
{
    if (ranks == 0)
        ranks = launch_is_inside() ? 2 : (uint32_t)options_unsigned(t->opts, "ranks", 1);
    if (ranks == 1 || !lts_file_is_pipe(path)) return 0;
    return err_set(e, ERR_INPUT,
                   "%s: a pipe can be read by one rank only; expected a file", path);
}

int together_open(together *x, tool *t, verdict *v, err *e)
{
    *x = (together){ .t = t };
    x->o.m = &t->m;
    x->o.clock = &t->clock;
    if (read_options(x, e) != 0 || workers_open(&x->w, t, "threads", e) != 0)
        return (int)e->code;
    x->o.transport = x->w.transport;
    x->o.transport_options = x->w.options;
    x->o.bind = x->w.bind;
    x->o.counters = x->w.counters;
    x->peak = arena_get(&t->scratch, x->w.ranks * sizeof *x->peak, e);
    if (workers_agree(&x->w, e) == 0) enter_setting(x, v);
    return (int)e->code;
}

/* What each rank had at its peak, told to all. */
static void gather_peaks(together *x, verdict *v)
{
    memset(x->peak, 0, x->w.ranks * sizeof *x->peak);
    x->peak[launch_rank()] = v->resident ? v->resident : x->t->m.peak;
    if (x->w.ranks > 1) comm_mpi_sum(x->peak, x->w.ranks);
    v->peak = x->peak;
}

void together_close(together *x, verdict *v)
{
    if (v->workers) gather_peaks(x, v);
    workers_close(&x->w, x->t);
}

void together_release(together *x)
{
    mb_close(x->session);
    x->session = NULL;
}

/* ---- solving -------------------------------------------------------------------------------- */

static int check_blocks(const together *x, const graph_part *p, err *e)
{
    const char *name = options_string(x->t->opts, "algorithm", names[0]);
    const char *why = mb_refuses(p);
    if (why)
        return err_set(e, ERR_REFUSED, "%s does not accept %s",
                       is_ours(name) ? name : names[0], why);
    if (strcmp(name, names[1]) != 0 || p->g->block_count == 1) return 0;
    return err_set(e, ERR_REFUSED,
                   "dsolve does not accept several blocks (there are %" PRIu32
                   "); mb-dsolve does",
                   p->g->block_count);
}

static void enter_counts(together *x, const mb_result *r, const graph_part *p, verdict *v)
{
    v->vertices = (int64_t)r->vertices;
    v->edges = (int64_t)r->edges;
    v->cross_edges = (int64_t)r->cross_edges;
    if (!graph_part_is_numbered(p)) v->states_met = (int64_t)r->states_met;
    if (x->w.is_sim) v->simulated = (double)r->virtual_ns / 1e9;
    v->blocks = p->g->block_count;
    v->stats = mb_stats(x->session);
    v->distribution = graph_part_is_numbered(p) ? distribution_name(x->kind) : "hash";
}

/* How many vertices a block has is known of its part here at most. */
static void explain(const together *x, const graph_part *p, const verdict *v)
{
    bool asked = is_ours(options_string(x->t->opts, "algorithm", "auto"));
    char why[64] = "asked for";
    if (!asked)
        snprintf(why, sizeof why, "there are %" PRIu32 " workers", workers_count(&x->w));
    for (uint32_t k = 0; k < p->g->block_count && launch_rank() == 0; k++) {
        graph_block b = p->g->blocks[k];
        b.end = b.begin;
        verdict_explain(x->t, p->g, k, &b, v->algorithm, why);
    }
}

int together_solve(together *x, graph_part *const *part, bool choices, verdict *v, err *e)
{
    double start = clock_seconds();
    mb_problem p = { .part = part, .here = x->w.threads, .ranks = x->w.ranks };
    mb_result r = { .value = false };
    x->o.choices = choices;
    if (e->code == ERR_NONE && check_blocks(x, part[0], e) == 0)
        mb_open(&x->session, &p, &x->o, e);
    if (workers_agree(&x->w, e) != 0) return (int)e->code;
    if (options_given(x->t->opts, "explain")) explain(x, part[0], v);
    progress_begin(&x->t->clock, "solving", "vertices", 0);
    v->known = mb_run(x->session, &r, e) == 0;
    progress_end(&x->t->clock);
    v->value = r.value;
    v->solve = clock_seconds() - start;
    verdict_sample(v);
    enter_counts(x, &r, part[0], v);
    if (x->t->log.level == LOG_VERBOSE) comm_stats_print(v->stats, stderr);
    return (int)e->code;
}

int together_reason(together *x, const mb_reason *r, const graph *g, mb_reason_wire *wire,
                    const void *of, const evidence_question *q, verdict *v, err *e)
{
    tool *t = x->t;
    solution found = { .m = NULL };
    run view = {
        .m = &t->m, .g = g, .blocks = g->blocks, .found = &found, .clock = &t->clock
    };
    if (solution_open(&found, &t->m, g, true, e) == 0 &&
        mb_reason_fill(r, &found, wire, of, e) == 0)
        evidence_make(v, t, &view, q, e);
    solution_close(&found);
    return (int)e->code;
}

static const option_spec specs[] = {
    { "dtd", 0, OPTION_STRING, "NAME", 0, 0,
      "How the end of a block is detected: four-counter (default), ring, wave; see "
      "bespoke list." },
    { "distribution", 0, OPTION_STRING, "NAME", 0, 0,
      "Who owns the states of an LTS: locality (default), hash, block.  Those of a "
      "network or a plug-in are always hashed." },
    { "policy", 0, OPTION_STRING, "NAME", 0, 0,
      "When a block that is at work takes requests of others for new vertices: batch, "
      "once "
      "between two of its ends (default), or eager, at once." },
    { "priority", 0, OPTION_STRING, "NAME", 0, 0,
      "Which block is expanded first: the last one (default) or the first." },
    { "all-dependencies", 0, OPTION_FLAG, NULL, 0, 0,
      "Keep all dependencies, also where one parent per vertex would do." },
    { "two-hops", 0, OPTION_FLAG, NULL, 0, 0,
      "Send over a grid of workers: buffers grow with the root of their number." },
    { "buffer", 0, OPTION_SIZE, "SIZE", 0, 0,
      "Buffers of each worker for all its messages; default: ample." },
    { 0 },
};
const option_group options_together = { "Several workers (mb-dsolve)", specs };
