#include "vlts_bench/surrogate.h"

#include "models/lts_file.h"
#include "vlts_bench/surrogate_plan.h"

#include <stdio.h>
#include <string.h>

static int put_label(label_table *t, const char *text, err *e)
{
    label_id id;
    return label_table_put(t, text, strlen(text), &id, e);
}

static int put_labels(label_table *t, const surrogate_plan *p, err *e)
{
    if (p->sum.facts.tau_transitions > 0 && put_label(t, LABEL_HIDDEN_NAME, e) != 0)
        return (int)e->code;
    for (uint32_t j = 0; j + 1 < p->visible; j++) {
        char text[16];
        snprintf(text, sizeof text, "ACT%u", j);
        if (put_label(t, text, e) != 0) return (int)e->code;
    }
    return put_label(t, SURROGATE_LABEL, e);
}

int surrogate_labels(label_table **out, const surrogate_plan *p, err *e)
{
    label_table *t;
    if (label_table_open(&t, p->m, e) != 0) return (int)e->code;
    if (put_labels(t, p, e) == 0) *out = t;
    else label_table_close(t);
    return (int)e->code;
}

lts_shape surrogate_shape(const surrogate_plan *p, const label_table *labels)
{
    return (lts_shape){ .states = (state_id)p->sum.facts.states,
                        .initial = 0,
                        .transitions = p->sum.facts.transitions,
                        .labels = labels };
}

int surrogate_save(const surrogate_plan *p, const char *path, progress *clock, err *e)
{
    label_table *labels = NULL;
    lts_sink *sink = NULL;
    if (surrogate_labels(&labels, p, e) != 0) return (int)e->code;
    lts_shape shape = surrogate_shape(p, labels);
    if (lts_file_sink(&sink, p->m, path, &shape, e) == 0 &&
        surrogate_write(p, sink, clock, e) == 0)
        lts_sink_commit(sink, e);
    lts_sink_close(sink);
    label_table_close(labels);
    return (int)e->code;
}

bool surrogate_is(const label_table *labels)
{
    return label_table_find(labels, SURROGATE_LABEL, strlen(SURROGATE_LABEL)) !=
           LABEL_NONE;
}
