/*
 * cmd_explore.c - all states that a model can reach, or the way to the first of a kind.
 */
#include "core/suggest.h"
#include "lang/output.h"
#include "models/lts_file.h"
#include "tools/answer.h"
#include "tools/build_info.h"
#include "tools/command.h"
#include "tools/explored.h"
#include "tools/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* One run, with what the answer will say; seconds are negative where nothing was done. */
typedef struct exploration {
    tool *t;
    model_arg in;
    const char *output; /* -o, or NULL; likewise the next two */
    const char *trace_file;
    const char *stop_at;
    explore_options o;
    model *model;
    explore *search;
    bool ended;          /* the search, by itself: what was not found is not there */
    bool found;          /* what it should stop at */
    bool traced;         /* the next is known */
    explore_trace trace; /* the way there */
    double load, explore, write;
    uint64_t resident; /* most anonymous resident bytes at the end of a phase */
} exploration;

static void sample(exploration *x)
{
    uint64_t now = mem_resident_anonymous();
    if (now > x->resident) x->resident = now;
}

/* ---- the command line --------------------------------------------------------------- */

static int read_order(exploration *x, err *e)
{
    const char *name = options_string(x->t->opts, "order", "bfs");
    x->o.order = strcmp(name, "dfs") == 0 ? EXPLORE_DFS : EXPLORE_BFS;
    if (x->o.order == EXPLORE_BFS && strcmp(name, "bfs") != 0)
        return err_set(e, ERR_USAGE, "--order: '%.60s' is unknown; expected bfs or dfs",
                       name);
    if (x->o.order == EXPLORE_DFS && x->o.threads > 1)
        return err_set(e, ERR_USAGE,
                       "--order dfs is for one thread: a depth-first search follows one "
                       "path at a time");
    return 0;
}

/* Can it be written?  stdout is for the answer. */
static int check_file(const exploration *x, const char *option, const char *path, err *e)
{
    if (path == NULL) return 0;
    if (strcmp(path, "-") == 0)
        return err_set(e, ERR_USAGE,
                       "--%s -: stdout is for the answer; expected a file (bespoke "
                       "convert MODEL - writes to stdout)",
                       option);
    if (lts_file_check_suffix(path, e) != 0) return (int)e->code;
    return output_check(&x->t->m, path, e);
}

static int check_options(exploration *x, err *e)
{
    if (x->output && x->stop_at)
        return err_set(e, ERR_USAGE,
                       "--output writes all states and --stop-at may end before; "
                       "expected one of them");
    if (x->trace_file && x->stop_at == NULL)
        return err_set(e, ERR_USAGE, "--trace is for --stop-at");
    if (read_order(x, e) != 0) return (int)e->code;
    if (check_file(x, "output", x->output, e) != 0) return (int)e->code;
    return check_file(x, "trace", x->trace_file, e);
}

static void read_options(exploration *x)
{
    const options *o = x->t->opts;
    x->output = options_string(o, "output", NULL);
    x->trace_file = options_string(o, "trace", NULL);
    x->stop_at = options_string(o, "stop-at", NULL);
    x->o = explored_options(x->t);
    x->o.keep = x->output != NULL;
}

/* `deadlock`, a label, or a label between quotes, which may be called deadlock. */
static int read_stop(exploration *x, err *e)
{
    const char *text = x->stop_at;
    const label_table *labels = x->model->labels;
    if (text == NULL) return 0;
    x->o.stop_at_deadlock = strcmp(text, "deadlock") == 0;
    if (x->o.stop_at_deadlock) return 0;
    size_t bytes = strlen(text);
    bool quoted = bytes > 2 && text[0] == '"' && text[bytes - 1] == '"';
    x->o.stop_at_label = label_table_find(labels, text + quoted, bytes - 2 * quoted);
    if (x->o.stop_at_label != LABEL_NONE) return 0;
    suggest near = SUGGEST_INIT(text);
    suggest_consider(&near, "deadlock");
    for (label_id i = 0; i < label_table_count(labels); i++)
        suggest_consider(&near, label_table_text(labels, i, NULL));
    return suggest_refuse(&near, "--stop-at: the model has no label",
                          "expected a label or deadlock", e);
}

/* ---- the work ------------------------------------------------------------------------ */

static int load(exploration *x, err *e)
{
    tool *t = x->t;
    double start = clock_seconds();
    progress_begin(&t->clock, "opening", "bytes", 0); /* the readers begin their own */
    if (progress_tick(&t->clock, 0, e) == 0) model_arg_open(&x->model, &x->in, t, e);
    progress_end(&t->clock);
    x->load = clock_seconds() - start;
    sample(x);
    if (e->code != ERR_NONE) return (int)e->code;
    if (explored_check_output(x->model, x->output, e) != 0) return (int)e->code;
    return explored_check_output(x->model, x->trace_file, e);
}

static int search(exploration *x, err *e)
{
    double start = clock_seconds();
    if (explore_open(&x->search, x->model, &x->o, e) == 0)
        explored_run(x->search, x->in.name, x->t, e);
    report_complete_limit(e, x->in.name, NULL);
    x->explore = clock_seconds() - start;
    sample(x);
    x->ended = e->code == ERR_NONE;
    x->found = x->search && explore_found(x->search);
    return (int)e->code;
}

static int write_states(exploration *x, err *e)
{
    lts g = { .m = &x->t->m };
    double start = clock_seconds();
    if (x->output == NULL) return 0;
    if (explore_take(x->search, &g, e) == 0) {
        sample(x);
        lts_file_write(&g, x->output, LTS_FILE_KEEP, &x->t->clock, e);
    }
    report_complete_limit(e, x->in.name, x->output);
    lts_close(&g);
    x->write = clock_seconds() - start;
    return (int)e->code;
}

static int put_trace(const exploration *x, lts_sink *sink, err *e)
{
    for (size_t i = 0; i < x->trace.count; i++)
        if (lts_sink_put(sink, (state_id)i, x->trace.at[i], (state_id)i + 1, e) != 0)
            return (int)e->code;
    return lts_sink_commit(sink, e);
}

/* As an LTS that is a path.  That its labels do not fit the format is not the search's fault. */
static int write_trace(exploration *x, err *e)
{
    lts_shape shape = { .states = (state_id)x->trace.count + 1,
                        .transitions = x->trace.count,
                        .labels = x->model->labels };
    lts_sink *sink = NULL;
    if (x->trace_file == NULL) return 0;
    if (lts_file_sink(&sink, &x->t->m, x->trace_file, &shape, e) == 0)
        put_trace(x, sink, e);
    lts_sink_close(sink);
    if (e->code == ERR_REFUSED) {
        log_warn(&x->t->log, "no trace written: %s", e->text);
        x->trace_file = NULL;
        *e = ERR_INIT;
    }
    return (int)e->code;
}

static int trace(exploration *x, err *e)
{
    tool *t = x->t;
    if (!x->found) return 0;
    progress_begin(&t->clock, "tracing", "states", 0);
    x->traced = explore_trace_of(x->search, &x->trace, e) == 0;
    progress_end(&t->clock);
    if (x->traced) write_trace(x, e);
    report_complete_limit(e, x->in.name, NULL);
    return (int)e->code;
}

/* ---- the answer ------------------------------------------------------------------------ */

static void tell_found(const exploration *x)
{
    const log_sink *l = &x->t->log;
    const char *what = x->o.stop_at_deadlock ? "a deadlock" : x->stop_at;
    if (x->stop_at == NULL) return;
    if (!x->found) log_note(l, "%s: %s cannot be reached", x->in.name, what);
    else
        log_note(l, "%s: %s after %zu step%s", x->in.name, what, x->trace.count,
                 x->trace.count == 1 ? "" : "s");
}

static void print_list(const exploration *x, bool limit)
{
    const explore_counts *n = x->search ? explore_counted(x->search) : NULL;
    printf("model            %s\n", x->in.name);
    if (limit) printf("status           limit reached\n");
    if (n == NULL) return;
    printf("kind             %s\n", x->model->class->name);
    printf("states           %" PRIu64, n->states);
    if (n->frontier > 0) printf(", %" PRIu64 " not looked at", n->frontier);
    printf("\ntransitions      %" PRIu64 "\n", n->transitions);
    printf("labels           %" PRIu64 "\n", n->labels);
    printf("deadlock states  %" PRIu64 "\n", n->deadlock_states);
    printf("depth            %" PRIu64 "\n", n->depth);
    printf("explored in      %.3f s\n", x->explore);
    printf("memory           %.1f MiB at most\n", (double)x->resident / (1 << 20));
    if (x->trace_file && x->traced) return;
    for (size_t i = 0; i < x->trace.count; i++)
        printf("\"%s\"\n", label_table_text(x->model->labels, x->trace.at[i], NULL));
}

static json_t *text_or_null(const char *text)
{
    return text ? answer_json_text(text) : json_null();
}

static json_t *seconds_or_null(double s) { return s < 0 ? json_null() : json_real(s); }

static json_t *counts_json(const exploration *x)
{
    const explore_counts *n = x->search ? explore_counted(x->search) : NULL;
    if (n == NULL)
        return json_pack("{s:n, s:n, s:n, s:n, s:n, s:n}", "states", "transitions",
                         "labels", "depth", "deadlock_states", "frontier");
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I}", "states", (json_int_t)n->states,
                     "transitions", (json_int_t)n->transitions, "labels",
                     (json_int_t)n->labels, "depth", (json_int_t)n->depth,
                     "deadlock_states", (json_int_t)n->deadlock_states, "frontier",
                     (json_int_t)n->frontier);
}

static json_t *setting_json(const exploration *x, bool limit)
{
    return json_pack("{s:o, s:o, s:o, s:s, s:s, s:i}", "name", text_or_null(x->in.name),
                     "file", text_or_null(x->in.path), "kind",
                     text_or_null(x->model ? x->model->class->name : NULL), "status",
                     limit ? "limit" : "ok", "order",
                     x->o.order == EXPLORE_DFS ? "dfs" : "bfs", "threads", x->o.threads);
}

static json_t *trace_labels(const exploration *x)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < x->trace.count; i++) {
        const char *text = label_table_text(x->model->labels, x->trace.at[i], NULL);
        json_array_append_new(list, answer_json_text(text));
    }
    return list;
}

static json_t *found_json(const exploration *x)
{
    bool listed = x->traced && x->trace_file == NULL;
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "stop_at", text_or_null(x->stop_at),
                     "found",
                     x->stop_at && x->ended ? json_boolean(x->found) : json_null(),
                     "trace", listed ? trace_labels(x) : json_null(), "trace_length",
                     x->traced ? json_integer((json_int_t)x->trace.count) : json_null(),
                     "trace_file", text_or_null(x->traced ? x->trace_file : NULL));
}

static json_t *costs_json(const exploration *x)
{
    json_int_t accounted = (json_int_t)x->t->m.peak;
    json_int_t peak = x->resident ? (json_int_t)x->resident : accounted;
    return json_pack("{s:{s:o, s:o, s:o, s:f}, s:{s:[I], s:I, s:I}, s:s, s:s}", "seconds",
                     "load", seconds_or_null(x->load), "explore",
                     seconds_or_null(x->explore), "write", seconds_or_null(x->write),
                     "total", clock_seconds() - x->t->started, "memory_bytes",
                     "peak_per_rank", peak, "peak_total", peak, "accounted", accounted,
                     "version", build_info_version(), "commit", build_info_commit());
}

static int print_json(const exploration *x, bool limit, err *e)
{
    json_t *part[] = { setting_json(x, limit), counts_json(x), found_json(x),
                       costs_json(x) };
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

/* At a limit what is known is the answer; after any other failure there is none. */
static void print(const exploration *x, err *e)
{
    err lost = ERR_INIT;
    bool limit = e->code == ERR_LIMIT;
    if (e->code != ERR_NONE && !limit) return;
    if (options_given(x->t->opts, "json")) print_json(x, limit, &lost);
    else print_list(x, limit);
    if (e->code == ERR_NONE) tell_found(x);
    if (e->code == ERR_NONE) *e = lost;
}

static int run(tool *t, err *e)
{
    exploration x = { .t = t, .load = -1, .explore = -1, .write = -1 };
    read_options(&x);
    if (check_options(&x, e) != 0 || model_arg_resolve(&x.in, t, t->operand[0], e) != 0)
        return (int)e->code;
    if (load(&x, e) == 0 && read_stop(&x, e) == 0 && search(&x, e) == 0 &&
        trace(&x, e) == 0)
        write_states(&x, e);
    print(&x, e);
    explore_close(x.search);
    vec_release(&t->m, &x.trace);
    model_close(x.model);
    return (int)e->code;
}

/* ---- the manual ------------------------------------------------------------------------ */

static const option_spec specs[] = {
    { "output", 'o', OPTION_STRING, "OUT", 0, 0,
      "Write all states and transitions to OUT: .aut, .plts, .dot, also compressed, as "
      "for bespoke convert." },
    { "order", 0, OPTION_STRING, "ORDER", 0, 0,
      "bfs, breadth-first, which is the default and finds shortest traces; or dfs, "
      "depth-first, by one thread, whose depth is the longest path it went." },
    { "stop-at", 0, OPTION_STRING, "WHAT", 0, 0,
      "Stop at the first deadlock (the word deadlock), or at the first transition with "
      "the label WHAT, and tell the way there; in double quotes WHAT is always a "
      "label." },
    { "trace", 0, OPTION_STRING, "FILE", 0, 0,
      "Write the way to what was found to FILE (.seq, .aut, .dot, .plts) and not to "
      "stdout." },
    { 0 },
};
static const option_group group = { "What to do", specs };

const command cmd_explore = {
    .name = "explore",
    .doc = "count, write or search all states that a model can reach",
    .synopsis = "MODEL [OPTION]...",
    .description =
        "Computes all states that can be reached from the initial one and prints how "
        "many there are, how many transitions, labels that occur and deadlocks, and the "
        "depth: the greatest distance from the initial state.  States are numbered as a "
        "breadth-first search meets them, whatever the order and the number of threads; "
        "transitions are a set.\n"
        "\n"
        "With --stop-at the search ends early and the labels on the way to what it found "
        "are printed after the list, one per line; the status is 0 whether it found "
        "something or not.  At a limit the status is 3 and the answer is what is known "
        "so "
        "far.  With --json the answer is one object:\n"
        "\n"
        "  name, file, kind      short name; the file that was read; what it is\n"
        "  status                ok or limit\n"
        "  order, threads        as asked for\n"
        "  states, transitions, labels, depth, deadlock_states\n"
        "  frontier              states that were met but not looked at\n"
        "  stop_at, found        as asked for; true or false, null if not known\n"
        "  trace, trace_length, trace_file\n"
        "                        the labels, unless they are in a file\n"
        "  seconds               {load, explore, write, total}\n"
        "  memory_bytes          {peak_per_rank, peak_total, accounted}\n"
        "  version, commit",
    .examples =
        (const command_example[]){
            { "bespoke explore network.exp", "how large is it?" },
            { "bespoke explore --threads 8 network.exp -o states.aut.zst",
              "write it down, with eight threads" },
            { "bespoke explore network.exp --stop-at deadlock --trace way.seq",
              "a shortest way to a deadlock" },
            { "bespoke explore ./ring.so --model-arg 20 --max-states 1000000",
              "a plug-in, with a limit" },
            { 0 },
        },
    .options = (const option_group *const[]){ &group, &options_explore, &options_json,
                                              &options_load, &options_limit, NULL },
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
