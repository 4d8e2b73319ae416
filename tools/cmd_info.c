#include "tools/command.h"
#include "tools/explored.h"
#include "tools/info_print.h"
#include "tools/report.h"
#include "vlts_bench/surrogate.h"

#include <stdio.h>
#include <string.h>

/* What is known as soon as the model is loaded. */
static void take_shape(info *x, const lts *g)
{
    x->states = g->states;
    x->initial = g->initial;
    x->transitions = g->transitions;
    x->labels = label_table_count(g->labels);
    x->surrogate = surrogate_is(g->labels);
    x->resident = mem_resident_anonymous();
    x->loaded = true;
}

/* Load, or open and explore, and analyse; what was learned before a failure stays in `x`. */
static void learn(info *x, tool *t, err *e)
{
    explored g = EXPLORED_INIT;
    double start = clock_seconds();
    progress_begin(&t->clock, "opening", "bytes", 0); /* the readers begin their own */
    if (progress_tick(&t->clock, 0, e) == 0 &&
        explored_open(&g, &x->model, NULL, t, e) == 0) {
        x->load_seconds = clock_seconds() - start;
        x->kind = g.model->rows ? NULL : g.model->class->name;
        take_shape(x, g.rows);
        x->analysed = lts_facts_compute(&x->facts, g.rows, &t->clock, e) == 0;
        report_complete_limit(e, x->model.name, NULL);
    }
    explored_close(&g);
    progress_end(&t->clock);
}

static info_status status_of(const err *e)
{
    if (e->code == ERR_NONE) return INFO_OK;
    return e->code == ERR_LIMIT ? INFO_LIMIT : INFO_ERROR;
}

/* A table for people, with room for the names; its heading waits for the first row. */
typedef struct table {
    int width;
    bool begun;
} table;

static int print(const info *x, tool *t, table *rows, err *e)
{
    if (options_given(t->opts, "json")) return info_print_json(x, e);
    if (x->status == INFO_ERROR) return 0; /* nothing is known: stderr says why */
    if (t->operands == 1) return info_print_list(x), 0;
    if (!rows->begun) info_print_heading(rows->width);
    rows->begun = true;
    info_print_row(x, rows->width);
    return 0;
}

/* One model: the answer on stdout also after a failure, as far as it is known. */
static int describe(tool *t, const char *text, table *rows, err *e)
{
    info x = { .loaded = false };
    double start = clock_seconds();
    t->m.peak = t->m.now; /* of this model, not of the one before */
    if (model_arg_resolve(&x.model, t, text, e) == 0) learn(&x, t, e);
    x.status = status_of(e);
    x.total_seconds = clock_seconds() - start;
    x.peak = t->m.peak;
    err lost = ERR_INIT;
    if (print(&x, t, rows, &lost) != 0 && e->code == ERR_NONE) *e = lost;
    return (int)e->code;
}

static int name_width(const tool *t)
{
    size_t width = strlen("model");
    for (size_t i = 0; i < t->operands; i++) {
        const char *slash = strrchr(t->operand[i], '/');
        size_t length = strlen(slash ? slash + 1 : t->operand[i]);
        if (length > width) width = length;
    }
    return (int)(width < 40 ? width : 40);
}

/* Several models: each failure is told at once and the others go on; the worst counts. */
static int run(tool *t, err *e)
{
    table rows = { .width = name_width(t) };
    if (t->operands == 1) return describe(t, t->operand[0], &rows, e);
    size_t failed = 0, limited = 0;
    err_code worst = ERR_NONE;
    for (size_t i = 0; i < t->operands; i++) {
        err one = ERR_INIT;
        if (describe(t, t->operand[i], &rows, &one) == 0) continue;
        report_failure(&t->log, &one);
        failed++;
        limited += one.code == ERR_LIMIT;
        if (err_exit_status(one.code) > err_exit_status(worst)) worst = one.code;
    }
    if (failed == 0) return 0;
    return err_set(e, worst, "%zu of %zu models could not be described%s", failed,
                   t->operands, limited ? " in full" : "");
}

const command cmd_info = {
    .name = "info",
    .doc = "count states and transitions; find deadlocks and livelocks",
    .synopsis = "MODEL... [OPTION]...",
    .description =
        "Loads each MODEL, or explores it if it is a network or a plug-in, and prints "
        "what it is: numbers of states, transitions, hidden "
        "(tau) transitions and labels; branching, the number of transitions of a state; "
        "deadlock states, which have none; whether a livelock, a cycle of hidden "
        "transitions, can be reached; whether it is deterministic, that is no state has "
        "two successors under one label; states that cannot be reached; levels of a "
        "breadth-first search; and whether it is a surrogate made by bespoke gen.\n"
        "\n"
        "One model is printed as a list, several as a table.  With --json there is one "
        "object on one line per model, also for one that could not be read:\n"
        "\n"
        "  name, file            short name; the file that was read\n"
        "  status                ok, limit or error: then what is not known is null\n"
        "                        and stderr says why\n"
        "  states, transitions, tau_transitions, labels, initial\n"
        "  branching             {average, min, max}\n"
        "  deadlock_states, deadlock_states_reachable, unreachable_states, levels\n"
        "  livelock, deterministic, surrogate\n"
        "  seconds               {load, total}\n"
        "  memory_bytes          {peak_per_rank, peak_total, resident_after_load}\n"
        "\n"
        "Duplicate transitions of an LTS count as often as they are written; what is "
        "explored has none.  The hidden label counts as a label when it occurs.  Of what "
        "is explored, load is the time for that too.",
    .examples =
        (const command_example[]){
            { "bespoke info buffer.aut.gz", "one model, as a list" },
            { "bespoke info --json --hidden tau mcrl2.aut | jq .deadlock_states",
              "a file of mCRL2, for a script" },
            { "bespoke info --threads 8 network.exp", "a network, explored first" },
            { "bespoke info --timeout 60 --memory-limit 2G *.plts",
              "a table, with limits" },
            { 0 },
        },
    .options = (const option_group *const[]){ &options_json, &options_load,
                                              &options_explore, &options_limit, NULL },
    .operands_min = 1,
    .operands_max = SIZE_MAX,
    .run = run,
};
