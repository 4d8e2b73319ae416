#include "tests/sample_lts.h"

#include "core/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int ok)
{
    if (!ok) abort();
}

static lts with_room(mem *m, state_id states, uint64_t transitions, label_id labels)
{
    err e = ERR_INIT;
    lts g = { .m = m,
              .states = states,
              .transitions = transitions,
              .label_bytes = label_table_width(labels) };
    must(lts_allocate(&g, &e) == 0 && label_table_open(&g.labels, m, &e) == 0);
    return g;
}

static label_id put_label(label_table *t, const char *text)
{
    err e = ERR_INIT;
    label_id id = 0;
    must(label_table_put(t, text, strlen(text), &id, &e) == 0);
    return id;
}

/* first[s] so far counts the transitions of s - 1; make it where s begins. */
static void sum_rows(lts *g)
{
    for (state_id s = 0; s < g->states; s++) g->first[s + 1] += g->first[s];
}

lts sample_lts(mem *m, state_id states, state_id initial, const sample_edge *edges,
               size_t count)
{
    lts g = with_room(m, states, count, (label_id)count);
    g.initial = initial;
    for (size_t i = 0; i < count; i++) {
        g.first[edges[i].from + 1]++;
        g.target[i] = edges[i].to;
        lts_set_label(&g, i, put_label(g.labels, edges[i].label));
    }
    sum_rows(&g);
    return g;
}

static void odd_label(char *out, size_t room, label_id i)
{
    static const char *const forms[] = { "L%u",  "SEND !%u", "A !\"x\" !%u", "%u, \"",
                                         " %u ", "\"%u\"",   "g_%u",         "\\%u\\" };
    if (i == 1) snprintf(out, room, "i");
    else snprintf(out, room, forms[i % COUNT_OF(forms)], i);
}

lts sample_lts_random(mem *m, state_id states, uint64_t transitions, label_id labels,
                      uint64_t seed)
{
    random_stream r = random_open(seed, 0);
    lts g = with_room(m, states, transitions, labels);
    char text[32];
    for (label_id i = 0; i < labels; i++) {
        odd_label(text, sizeof text, i);
        put_label(g.labels, text);
    }
    g.initial = (state_id)random_below(&r, states);
    for (uint64_t t = 0; t < transitions; t++) {
        g.first[random_below(&r, states) + 1]++;
        g.target[t] = (state_id)random_below(&r, states);
        lts_set_label(&g, t, (label_id)random_below(&r, labels));
    }
    sum_rows(&g);
    return g;
}

label_table *sample_labels(mem *m, label_id count)
{
    err e = ERR_INIT;
    label_table *t = NULL;
    char text[16];
    must(label_table_open(&t, m, &e) == 0);
    for (label_id i = 0; i < count; i++) {
        snprintf(text, sizeof text, "L%u", i);
        put_label(t, text);
    }
    return t;
}

static bool same_labels(const label_table *a, const label_table *b)
{
    if (label_table_count(a) != label_table_count(b) ||
        label_table_hidden(a) != label_table_hidden(b))
        return false;
    for (label_id i = 0; i < label_table_count(a); i++) {
        size_t a_bytes, b_bytes;
        const char *a_text = label_table_text(a, i, &a_bytes);
        const char *b_text = label_table_text(b, i, &b_bytes);
        if (a_bytes != b_bytes || memcmp(a_text, b_text, a_bytes) != 0) return false;
    }
    return true;
}

bool sample_equal(const lts *a, const lts *b)
{
    if (a->states != b->states || a->transitions != b->transitions ||
        a->initial != b->initial || !same_labels(a->labels, b->labels))
        return false;
    for (uint64_t s = 0; s <= a->states; s++)
        if (a->first[s] != b->first[s]) return false;
    for (uint64_t t = 0; t < a->transitions; t++)
        if (a->target[t] != b->target[t] || lts_label(a, t) != lts_label(b, t))
            return false;
    return true;
}

lts_shape sample_shape(const lts *g)
{
    return (lts_shape){ .states = g->states,
                        .initial = g->initial,
                        .transitions = g->transitions,
                        .labels = g->labels };
}

int sample_put(const lts *g, lts_sink *sink, err *e)
{
    for (state_id s = 0; s < g->states; s++)
        for (uint64_t t = g->first[s]; t < g->first[s + 1]; t++)
            if (lts_sink_put(sink, s, lts_label(g, t), g->target[t], e) != 0)
                return (int)e->code;
    return 0;
}
