/*
 * gen_vlts - the family of VLTS surrogates, and the comparison of real files with the table.
 */
#include "algorithms/lts_facts.h"
#include "models/lts_file.h"
#include "tools/answer.h"
#include "tools/gen_family.h"
#include "tools/model_arg.h"
#include "vlts_bench/vlts_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *yes_no(bool b) { return b ? "yes" : "no"; }

/* ---- the list ---------------------------------------------------------------------------- */

static void print_instances(void)
{
    printf("%-17s %9s %11s %9s %6s %4s %4s %8s %8s %13s\n", "name", "states",
           "transitions", "tau", "labels", "min", "max", "deadlock", "livelock",
           "deterministic");
    for (size_t i = 0; i < MANIFEST_ROWS; i++) {
        const manifest_facts *f = &manifest[i].facts;
        printf("%-17s %9" PRIu64 " %11" PRIu64 " %9" PRIu64 " %6u %4u %4u %8s %8s %13s\n",
               manifest[i].name, f->states, f->transitions, f->tau_transitions, f->labels,
               f->branching_min, f->branching_max, yes_no(f->deadlock),
               yes_no(f->livelock), yes_no(f->deterministic));
    }
}

static json_t *facts_json(const char *name, const manifest_facts *f)
{
    return json_pack("{s:s, s:I, s:I, s:I, s:I, s:{s:I, s:I}, s:b, s:b, s:b}", "name",
                     name, "states", (json_int_t)f->states, "transitions",
                     (json_int_t)f->transitions, "tau_transitions",
                     (json_int_t)f->tau_transitions, "labels", (json_int_t)f->labels,
                     "branching", "min", (json_int_t)f->branching_min, "max",
                     (json_int_t)f->branching_max, "deadlock", f->deadlock, "livelock",
                     f->livelock, "deterministic", f->deterministic);
}

static int list_instances(tool *t, err *e)
{
    if (!options_given(t->opts, "json")) return print_instances(), 0;
    json_t *list = json_array();
    for (size_t i = 0; i < MANIFEST_ROWS; i++)
        json_array_append_new(list, facts_json(manifest[i].name, &manifest[i].facts));
    return answer_json(json_pack("{s:o}", "instances", list), e);
}

/* ---- checking a real file ------------------------------------------------------------------ */

static load_options plain_load(tool *t)
{
    return (load_options){ .m = &t->m, .log = &t->log, .clock = &t->clock };
}

/* The columns of the manifest as a file has them. */
static int facts_of(manifest_facts *out, bool *marked, tool *t, const char *path, err *e)
{
    lts g = { .m = &t->m };
    lts_facts f;
    load_options o = plain_load(t);
    progress_begin(&t->clock, path, "transitions", 0);
    if (lts_file_read(&g, path, &o, e) == 0 &&
        lts_facts_compute(&f, &g, &t->clock, e) == 0) {
        *marked = surrogate_is(g.labels);
        *out = (manifest_facts){ .states = g.states,
                                 .transitions = g.transitions,
                                 .tau_transitions = f.tau_transitions,
                                 .labels = label_table_count(g.labels),
                                 .branching_min = (uint32_t)f.branching_min,
                                 .branching_max = (uint32_t)f.branching_max,
                                 .deadlock = f.deadlock_states > 0,
                                 .livelock = f.livelock,
                                 .deterministic = f.deterministic };
    }
    lts_close(&g);
    progress_end(&t->clock);
    return (int)e->code;
}

static int check_file(tool *t, const manifest_row *row, const char *path, err *e)
{
    manifest_facts found;
    bool marked = false;
    char names[MANIFEST_DIFFERENCES_BYTES];
    if (facts_of(&found, &marked, t, path, e) != 0) return (int)e->code;
    unsigned different = manifest_compare(&row->facts, &found, names);
    if (different == 0 && !marked) {
        printf("%s\tok\n", row->name);
        return 0;
    }
    printf("%s\tdiffers\t%s%s%s\n", row->name, names, different && marked ? " " : "",
           marked ? "surrogate" : "");
    return err_set(e, ERR_INPUT, "%s is not the published %s; it differs in: %s%s%s",
                   path, row->name, names, different && marked ? ", " : "",
                   marked ? "it is a surrogate" : "");
}

/* ---- generating ---------------------------------------------------------------------------- */

static surrogate_options wishes_of(const options *o)
{
    surrogate_options w = SURROGATE_OPTIONS_INIT;
    w.scale = (uint64_t)(options_real(o, "scale", 1) * SURROGATE_SCALE_ONE + 0.5);
    w.seed = options_unsigned(o, "seed", w.seed);
    w.levels = options_unsigned(o, "levels", w.levels);
    w.deadlock_depth = options_unsigned(o, "deadlock-depth", w.deadlock_depth);
    return w;
}

typedef struct made {
    const char *path;
    bool generated; /* now; otherwise it was in the cache */
    double seconds;
} made;

static void depth_text(char out[40], const char *what, uint32_t depth)
{
    out[0] = '\0';
    if (depth != SURROGATE_NONE) snprintf(out, 40, ", first %s at level %u", what, depth);
}

static void tell(const tool *t, const surrogate_summary *s, const made *x)
{
    const manifest_facts *f = &s->facts;
    char dead[40], live[40];
    depth_text(dead, "deadlock", s->deadlock_depth);
    depth_text(live, "livelock", s->livelock_depth);
    log_note(&t->log, "%s: a surrogate, not the real instance; %s in %.2f s", s->name,
             x->generated ? "generated" : "found in the cache", x->seconds);
    log_note(&t->log,
             "%" PRIu64 " states (%" PRIu64 " unreachable), %" PRIu64
             " transitions (%" PRIu64 " hidden), %u labels, branching %u to %u",
             f->states, f->states - s->reachable, f->transitions, f->tau_transitions,
             f->labels, f->branching_min, f->branching_max);
    log_note(&t->log, "deadlock %s, livelock %s, deterministic %s; %u levels%s%s",
             yes_no(f->deadlock), yes_no(f->livelock), yes_no(f->deterministic),
             s->levels, dead, live);
}

/* What --scale changed beside the numbers it multiplies. */
static void tell_changes(const tool *t, const manifest_row *row,
                         const surrogate_summary *s)
{
    manifest_facts f = s->facts;
    char names[MANIFEST_DIFFERENCES_BYTES];
    f.states = row->facts.states;
    f.transitions = row->facts.transitions;
    f.tau_transitions = row->facts.tau_transitions;
    if (manifest_compare(&row->facts, &f, names) > 0)
        log_note(&t->log, "at this size there is no room for the row's %s", names);
}

static json_t *depth_json(uint32_t depth)
{
    return depth == SURROGATE_NONE ? json_null() : json_integer(depth);
}

static int answer(const tool *t, const surrogate_summary *s, const made *x, err *e)
{
    if (!options_given(t->opts, "json")) {
        if (!options_given(t->opts, "output")) puts(x->path);
        return 0;
    }
    json_t *all = facts_json(s->name, &s->facts);
    json_t *more = json_pack(
        "{s:o, s:b, s:f, s:I, s:I, s:I, s:o, s:o, s:b, s:{s:f}}", "file",
        answer_json_text(x->path), "surrogate", 1, "scale",
        (double)s->scale / (double)SURROGATE_SCALE_ONE, "seed", (json_int_t)s->seed,
        "unreachable_states", (json_int_t)(s->facts.states - s->reachable), "levels",
        (json_int_t)s->levels, "deadlock_depth", depth_json(s->deadlock_depth),
        "livelock_depth", depth_json(s->livelock_depth), "generated", x->generated,
        "seconds", "total", x->seconds);
    bool whole = all && more && json_object_update(all, more) == 0;
    json_decref(more);
    if (whole) return answer_json(all, e);
    json_decref(all);
    return answer_json(NULL, e);
}

/* To the file that was named, or to the cache. */
static int make(made *x, tool *t, const surrogate_plan *p, err *e)
{
    load_options o = plain_load(t);
    *x = (made){ .path = options_string(t->opts, "output", NULL), .generated = true };
    if (x->path) return surrogate_save(p, x->path, &t->clock, e);
    const char *folder =
        vlts_cache_folder(&t->scratch, options_string(t->opts, "cache", NULL), e);
    if (folder == NULL) return (int)e->code;
    return vlts_cache_fetch(&x->path, &x->generated, &t->scratch, folder, p, &o, e);
}

static int generate(tool *t, const manifest_row *row, err *e)
{
    surrogate_plan *p;
    surrogate_options wishes = wishes_of(t->opts);
    if (wishes.scale == 0)
        return err_set(e, ERR_USAGE, "--scale: too small; expected at least 1e-9");
    if (surrogate_plan_open(&p, &t->m, row, &wishes, e) != 0) return (int)e->code;
    const surrogate_summary *s = surrogate_plan_summary(p);
    made x;
    if (make(&x, t, p, e) == 0) {
        x.seconds = clock_seconds() - t->started;
        tell(t, s, &x);
        tell_changes(t, row, s);
        answer(t, s, &x, e);
    }
    surrogate_plan_close(p);
    return (int)e->code;
}

static int run(tool *t, err *e)
{
    const char *out = options_string(t->opts, "output", NULL);
    const char *real = options_string(t->opts, "check", NULL);
    if (t->operands < 2) return list_instances(t, e);
    const manifest_row *row = model_arg_vlts(t->operand[1], e);
    if (row == NULL) return (int)e->code;
    if (real) return check_file(t, row, real, e);
    if (out && options_given(t->opts, "cache"))
        return err_set(e, ERR_USAGE, "--cache is for models without --output");
    if (out && lts_file_check_suffix(out, e) != 0) return (int)e->code;
    return generate(t, row, e);
}

const gen_family gen_vlts = {
    .name = "vlts",
    .doc = "a surrogate of an instance of the VLTS benchmark suite",
    .synopsis = "NAME",
    .run = run,
};
