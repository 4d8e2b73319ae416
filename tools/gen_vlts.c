/*
 * gen_vlts - the family of VLTS surrogates, and the comparison of real files with the table.
 */
#include "tools/gen_vlts.h"
#include "algorithms/lts_facts.h"
#include "models/lts_file.h"
#include "tools/answer.h"
#include "tools/model_arg.h"
#include "tools/report.h"
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
    report_complete_limit(e, path, path);
    return (int)e->code;
}

/* Columns in words; the others are words. */
static const char *words_of(const char *column)
{
    if (strcmp(column, "tau_transitions") == 0) return "hidden transitions";
    if (strcmp(column, "branching_min") == 0) return "least branching";
    if (strcmp(column, "branching_max") == 0) return "greatest branching";
    return column;
}

/* Take the next of names divided by blanks: the rest moves on, NULL at the end. */
static const char *next_name(char **rest)
{
    char *name = strsep(rest, " ");
    return name && name[0] ? name : NULL;
}

enum { WORDS_BYTES = 240 };

/* The columns in words, divided by commas. */
static void put_words(char out[WORDS_BYTES], const char *columns)
{
    char copy[MANIFEST_DIFFERENCES_BYTES], *rest = copy;
    snprintf(copy, sizeof copy, "%s", columns);
    size_t used = 0;
    out[0] = '\0';
    for (const char *name; (name = next_name(&rest)) != NULL && used < WORDS_BYTES;)
        used += (size_t)snprintf(out + used, WORDS_BYTES - used, "%s%s", used ? ", " : "",
                                 words_of(name));
}

/* How a file compares with its row. */
typedef struct comparison {
    const char *name, *path;
    bool known;                               /* the file could be read; then: */
    bool marked;                              /* it is a surrogate */
    char columns[MANIFEST_DIFFERENCES_BYTES]; /* that differ, divided by blanks */
} comparison;

static json_t *columns_json(const comparison *c)
{
    char copy[MANIFEST_DIFFERENCES_BYTES], *rest = copy;
    json_t *list = json_array();
    memcpy(copy, c->columns, sizeof copy);
    for (const char *name; (name = next_name(&rest)) != NULL;)
        json_array_append_new(list, json_string(name));
    if (c->marked) json_array_append_new(list, json_string("surrogate"));
    return list;
}

static bool is_equal(const comparison *c) { return !c->marked && c->columns[0] == '\0'; }

static int comparison_json(const comparison *c, err *e)
{
    return answer_json(json_pack("{s:s, s:o, s:s, s:o, s:o}", "name", c->name, "file",
                                 answer_json_text(c->path), "status",
                                 c->known ? "ok" : "limit", "equal",
                                 c->known ? json_boolean(is_equal(c)) : json_null(),
                                 "differs", c->known ? columns_json(c) : json_null()),
                       e);
}

static void print_comparison(const comparison *c)
{
    if (is_equal(c)) printf("%s\tok\n", c->name);
    else
        printf("%s\tdiffers\t%s%s%s\n", c->name, c->columns,
               c->columns[0] && c->marked ? " " : "", c->marked ? "surrogate" : "");
}

static void tell_differences(const tool *t, const comparison *c)
{
    char words[WORDS_BYTES];
    put_words(words, c->columns);
    if (c->marked)
        log_note(&t->log, "%s is a surrogate of this tool, not the published %s", c->path,
                 c->name);
    if (words[0])
        log_note(&t->log, "%s is not the published %s; it differs in: %s", c->path,
                 c->name, words);
}

static int check_file(tool *t, const manifest_row *row, const char *path, err *e)
{
    bool json = options_given(t->opts, "json");
    manifest_facts found;
    comparison c = { .name = row->name, .path = path };
    c.known = facts_of(&found, &c.marked, t, path, e) == 0;
    if (c.known) manifest_compare(&row->facts, &found, c.columns);
    err lost = ERR_INIT;
    if (json && (c.known || e->code == ERR_LIMIT)) comparison_json(&c, &lost);
    if (!c.known) return (int)e->code;
    if (!json) print_comparison(&c);
    if (!is_equal(&c)) tell_differences(t, &c);
    t->is_false = !is_equal(&c);
    if (lost.code != ERR_NONE) *e = lost;
    return (int)e->code;
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
    model_arg_tell_surrogate(t, s->name, x->generated, x->seconds);
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
    char names[MANIFEST_DIFFERENCES_BYTES], words[WORDS_BYTES];
    f.states = row->facts.states;
    f.transitions = row->facts.transitions;
    f.tau_transitions = row->facts.tau_transitions;
    if (manifest_compare(&row->facts, &f, names) == 0) return;
    put_words(words, names);
    log_note(&t->log, "at this size there is no room for what is published of %s: %s",
             row->name, words);
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
        "{s:o, s:s, s:b, s:f, s:I, s:I, s:I, s:o, s:o, s:b, s:{s:f}}", "file",
        answer_json_text(x->path), "status", "ok", "surrogate", 1, "scale",
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

/* At a limit nothing was made: the same keys, all but the wishes null. */
static int answer_limit(const tool *t, const char *name, const surrogate_options *w,
                        err *e)
{
    static const char *const unknown[] = {
        "states",   "transitions",    "tau_transitions", "labels",
        "deadlock", "livelock",       "deterministic",   "unreachable_states",
        "levels",   "deadlock_depth", "livelock_depth"
    };
    json_t *all =
        json_pack("{s:s, s:n, s:s, s:b, s:f, s:I, s:{s:n, s:n}, s:b, s:{s:f}}", "name",
                  name, "file", "status", "limit", "surrogate", 1, "scale",
                  (double)w->scale / (double)SURROGATE_SCALE_ONE, "seed",
                  (json_int_t)w->seed, "branching", "min", "max", "generated", 0,
                  "seconds", "total", clock_seconds() - t->started);
    for (size_t i = 0; i < COUNT_OF(unknown); i++)
        json_object_set_new(all, unknown[i], json_null());
    return answer_json(all, e);
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

static int generate(tool *t, const manifest_row *row, const surrogate_options *wishes,
                    err *e)
{
    surrogate_plan *p;
    if (surrogate_plan_open(&p, &t->m, row, wishes, e) != 0) return (int)e->code;
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

static int generate_or_tell_limit(tool *t, const manifest_row *row, err *e)
{
    surrogate_options wishes = wishes_of(t->opts);
    if (wishes.scale == 0)
        return err_set(e, ERR_USAGE, "--scale: too small; expected at least 1e-9");
    if (generate(t, row, &wishes, e) == ERR_LIMIT) {
        err lost = ERR_INIT;
        report_complete_limit(e, row->name, NULL);
        if (options_given(t->opts, "json")) answer_limit(t, row->name, &wishes, &lost);
        if (lost.code != ERR_NONE) *e = lost;
    }
    return (int)e->code;
}

static int check_output(const tool *t, err *e)
{
    const char *out = options_string(t->opts, "output", NULL);
    if (out == NULL) return 0;
    if (options_given(t->opts, "cache"))
        return err_set(e, ERR_USAGE, "--cache is for models without --output");
    if (strcmp(out, "-") == 0 && options_given(t->opts, "json"))
        return err_set(e, ERR_USAGE, "--output - and --json: stdout has room for one");
    return lts_file_check_suffix(out, e);
}

static const option_spec specs[] = {
    { "scale", 0, OPTION_REAL, "F", 0, 1000,
      "Multiply the numbers of states, transitions and hidden transitions by F, "
      "at least 1e-9 and at most 1000; default 1.  Nine decimals count." },
    { "levels", 0, OPTION_UNSIGNED, "N", 1, 0,
      "Exactly N levels of a breadth-first search; default: four times the cube root of "
      "the states over the square root of the branching, as in real instances." },
    { "deadlock-depth", 0, OPTION_UNSIGNED, "D", 0, 0,
      "The level of the first deadlock; default: two thirds down.  Also for cycles: "
      "default there is no deadlock." },
    { "cache", 0, OPTION_STRING, "DIR", 0, 0,
      "Keep generated models in DIR; default: $BESPOKE_CACHE, $XDG_CACHE_HOME/bespoke or "
      "~/.cache/bespoke." },
    { "check", 0, OPTION_STRING, "FILE", 0, 0,
      "Generate nothing; compare the real FILE with what is published about NAME.  "
      "Prints "
      "NAME and ok, or NAME, differs and the columns, divided by tabs; status 1 when it "
      "differs.  With --json: an object {name, file, status, equal, differs: "
      "[column]}." },
    { 0 },
};
const option_group gen_vlts_options = { "Surrogates (vlts)", specs };

static int run(tool *t, err *e)
{
    static const char *const making[] = { "output",         "seed",  "scale", "levels",
                                          "deadlock-depth", "cache", NULL };
    const char *real = options_string(t->opts, "check", NULL);
    const manifest_row *row = model_arg_vlts(t->operand[1], e);
    if (row == NULL) return (int)e->code;
    if (real &&
        options_refuse(t->opts, making,
                       "is for generating, and --check generates nothing", e) != 0)
        return (int)e->code;
    if (real) return check_file(t, row, real, e);
    return check_output(t, e) == 0 ? generate_or_tell_limit(t, row, e) : (int)e->code;
}

const gen_family gen_vlts = {
    .name = "vlts",
    .doc = "a surrogate of an instance of the VLTS benchmark suite",
    .synopsis = "NAME",
    .takes = (const gen_parameter[]){ { "output", 0, 0, 0 },
                                      { "seed", 0, 0, 0 },
                                      { "scale", 0, 0, 0 },
                                      { "levels", 0, 0, 0 },
                                      { "deadlock-depth", 0, 0, 0 },
                                      { "cache", 0, 0, 0 },
                                      { "check", 0, 0, 0 },
                                      { 0 } },
    .lists = list_instances,
    .run = run,
};
