#include "tools/explored.h"

#include "lang/output.h"
#include "tools/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const option_spec specs[] = {
    { "threads", 0, OPTION_UNSIGNED, "N", 1, 1 << 20,
      "Explore with N threads; default 1.  The answer and what is written do not depend "
      "on N." },
    { "max-states", 0, OPTION_UNSIGNED, "N", 1, 0,
      "Stop with status 3 when there are more than N states." },
    { 0 },
};
const option_group options_explore = { "Exploring", specs };

explore_options explored_options(tool *t)
{
    return (explore_options){ .threads = model_arg_threads(t, "threads", 1),
                              .stop_at_label = LABEL_NONE,
                              .max_states = options_unsigned(t->opts, "max-states", 0),
                              .clock = &t->clock };
}

int explored_run(explore *x, const char *name, tool *t, err *e)
{
    char what[PROGRESS_WHAT_BYTES];
    snprintf(what, sizeof what, "exploring %s", name);
    progress_begin(&t->clock, what, "states", 0);
    explore_run(x, e);
    progress_end(&t->clock);
    return (int)e->code;
}

int explored_check_output(const model *s, const char *path, err *e)
{
    for (size_t i = 0; i < s->file_count; i++)
        if (output_check_apart(path, s->files[i], e) != 0) return (int)e->code;
    return 0;
}

static void tell_how_far(const tool *t, const explore *x)
{
    const explore_counts *n = explore_counted(x);
    log_note(&t->log,
             "so far %" PRIu64 " states, %" PRIu64
             " of them to be looked at, and %" PRIu64 " transitions",
             n->states, n->frontier, n->transitions);
}

static int explore_all(explored *to, const model_arg *a, tool *t, err *e)
{
    explore *x = NULL;
    explore_options o = explored_options(t);
    o.keep = true;
    if (explore_open(&x, to->model, &o, e) == 0 && explored_run(x, a->name, t, e) == 0 &&
        explore_take(x, &to->own, e) == 0)
        to->rows = &to->own;
    report_complete_limit(e, a->name, NULL);
    if (e->code == ERR_LIMIT && x) tell_how_far(t, x);
    explore_close(x);
    return (int)e->code;
}

int explored_open(explored *x, const model_arg *a, const char *writes, tool *t, err *e)
{
    *x = (explored){ .own.m = &t->m };
    if (model_arg_open(&x->model, a, t, e) != 0) return (int)e->code;
    x->rows = x->model->rows;
    if (x->rows) return 0; /* it may be written over itself */
    if (writes && explored_check_output(x->model, writes, e) != 0) return (int)e->code;
    if (writes && strcmp(writes, "-") != 0 && output_check(&t->m, writes, e) != 0)
        return (int)e->code;
    return explore_all(x, a, t, e);
}

void explored_close(explored *x)
{
    lts_close(&x->own);
    model_close(x->model);
    *x = EXPLORED_INIT;
}
