#include "tests/share_difference.h"

#include <string.h>

const char *const share_hidden[SHARE_HIDDEN] = { "tau", "silent" };

/* What differs, or NULL. */
static const char *compare_labels(const label_table *a, const label_table *b)
{
    if (label_table_count(a) != label_table_count(b)) return "the number of labels";
    if (label_table_hidden(a) != label_table_hidden(b)) return "the hidden label";
    for (label_id i = 0; i < label_table_count(a); i++) {
        size_t bytes, other;
        const char *text = label_table_text(a, i, &bytes);
        const char *same = label_table_text(b, i, &other);
        if (bytes != other || memcmp(text, same, bytes) != 0) return "a label";
    }
    for (size_t i = 0; i < SHARE_HIDDEN; i++)
        if (label_table_met(a, share_hidden[i]) != label_table_met(b, share_hidden[i]))
            return "a hidden name that occurs";
    return NULL;
}

static const char *compare_row(const lts_share *s, state_id n, const lts *g)
{
    state_id state = distribution_state(&s->places, s->rank * s->places.range + n);
    lts_row here = lts_row_of(&s->rows, n);
    if (state == STATE_NONE) return here.count == 0 ? NULL : "a row of no state";
    lts_row there = lts_row_of(g, state);
    if (here.count != there.count) return "the length of a row";
    for (uint32_t i = 0; i < here.count; i++) {
        if (here.target[i] != distribution_place(&s->places, there.target[i]))
            return "a target";
        if (lts_row_label(&here, i) != lts_row_label(&there, i))
            return "a label of a row";
    }
    return NULL;
}

/* Counted once more, over the whole. */
static lts_share_count count(const distribution *d, const lts *g, uint32_t rank, bool all)
{
    lts_share_count n = { 0 };
    for (state_id s = 0; s < g->states; s++)
        for (uint64_t t = g->first[s]; t < g->first[s + 1]; t++) {
            worker_id from = distribution_owner(d, distribution_place(d, s));
            worker_id to = distribution_owner(d, distribution_place(d, g->target[t]));
            if (!all && from / d->threads != rank) continue;
            n.transitions++;
            n.cross_workers += from != to;
            n.cross_ranks += from / d->threads != to / d->threads;
        }
    return n;
}

static bool same_counts(lts_share_count a, lts_share_count b)
{
    return a.transitions == b.transitions && a.cross_ranks == b.cross_ranks &&
           a.cross_workers == b.cross_workers;
}

const char *share_difference(const lts_share *s, const lts *g, uint32_t rank,
                             uint32_t ranks)
{
    const distribution *d = &s->places;
    state_id local = s->initial - rank * d->range;
    if (d->states != g->states || d->ranks != ranks) return "the places";
    if (s->rank != rank || s->rows.states != d->range) return "the range";
    if (s->initial != distribution_place(d, g->initial)) return "the initial state";
    if (s->rows.initial != (local < d->range ? local : STATE_NONE))
        return "the initial row";
    if (s->rows.label_bytes != g->label_bytes) return "the width of labels";
    for (state_id n = 0; n < s->rows.states; n++) {
        const char *why = compare_row(s, n, g);
        if (why) return why;
    }
    if (!same_counts(s->own, count(d, g, rank, false))) return "the own counts";
    if (!same_counts(s->all, count(d, g, rank, true))) return "all counts";
    return compare_labels(s->rows.labels, g->labels);
}
