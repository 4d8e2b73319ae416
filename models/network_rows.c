/*
 * network_rows - the transitions of a component, sorted and found by (state, label).
 *
 * Idea       A row is sorted as words label * 2^32 + target, so equal ones meet, and cut
 *            into groups of one label.  The index has a slot for every pair (state,
 *            label) where that is not much more than there are groups, else it is a hash
 *            table, at most half full; the same instructions read both.
 * Invariant  In a full table no probe leaves the first slot.
 * Cost       Transitions times the logarithm of a row; 12 bytes per transition and 4 per
 *            state, and 32 to 64 per group where the index is needed.
 */
#include "models/network_rows.h"

#include <stdlib.h>
#include <string.h>

enum {
    FULL_FROM = 1 << 16, /* so many pairs are always few */
    FULL_SHARE = 4,      /* or so many per group */
    INSERTION_MAX = 24   /* rows up to here are sorted without a call */
};

void network_rows_close(network_rows *r)
{
    if (r->m == NULL) return;
    mem_put(r->m, r->text, r->label_room * sizeof *r->text);
    mem_put(r->m, r->enabled, r->label_room * sizeof *r->enabled);
    mem_put(r->m, r->trace, r->label_room * sizeof *r->trace);
    mem_put(r->m, r->row, ((size_t)r->states + 1) * sizeof *r->row);
    mem_put(r->m, r->group, ((size_t)r->groups + 1) * sizeof *r->group);
    mem_put(r->m, r->target, (size_t)r->targets * sizeof *r->target);
    if (r->slot) mem_put(r->m, r->slot, (size_t)(r->view.last + 1) * sizeof *r->slot);
    *r = (network_rows){ .m = NULL };
}

/* ---- labels ------------------------------------------------------------------------------ */

/* What is needed while rows are sorted. */
typedef struct sorting {
    const lts *g;
    uint32_t *local; /* per label of g: its local label */
    uint64_t *word;  /* a row */
    size_t longest;  /* row */
} sorting;

static void mark_used(const lts *g, uint32_t *local)
{
    for (uint64_t t = 0; t < g->transitions; t++) local[lts_label(g, t)] = 1;
}

/* Local numbers in the order of the labels of g; the first with a text gives it its
   number. */
static int number_labels(network_rows *r, sorting *s, const label_id *text, size_t texts,
                         err *e)
{
    uint32_t *of_text = mem_get_array(r->m, texts, sizeof *of_text, e);
    if (of_text == NULL) return (int)e->code;
    mark_used(s->g, s->local);
    for (label_id l = 0; l < label_table_count(s->g->labels); l++) {
        if (s->local[l] == 0) continue;
        uint32_t *number = &of_text[text[l]]; /* + 1 */
        if (*number == 0) {
            r->text[r->labels] = text[l];
            *number = ++r->labels;
        }
        s->local[l] = *number - 1;
    }
    mem_put(r->m, of_text, texts * sizeof *of_text);
    return 0;
}

/* ---- rows -------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void sort_words(uint64_t *word, size_t count)
{
    if (count > INSERTION_MAX) {
        qsort(word, count, sizeof *word, compare);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        uint64_t x = word[i];
        size_t k = i;
        for (; k > 0 && word[k - 1] > x; k--) word[k] = word[k - 1];
        word[k] = x;
    }
}

static void put_group(network_rows *r, state_id from, uint32_t label)
{
    r->group[r->groups++] = (network_group){ label, r->targets };
    r->enabled[label]++;
    r->trace[label] |= (uint64_t)1 << (from & 63);
}

static void sort_row(network_rows *r, const sorting *s, state_id from)
{
    uint64_t first = s->g->first[from];
    size_t count = (size_t)(s->g->first[from + 1] - first);
    for (size_t i = 0; i < count; i++)
        s->word[i] = (uint64_t)s->local[lts_label(s->g, first + i)] << 32 |
                     s->g->target[first + i];
    sort_words(s->word, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t now = s->word[i], before = i > 0 ? s->word[i - 1] : ~now;
        if (now >> 32 != before >> 32) put_group(r, from, (uint32_t)(now >> 32));
        if (now != before) r->target[r->targets++] = (state_id)now;
    }
}

static size_t longest_row(const lts *g)
{
    uint64_t most = 0;
    for (state_id s = 0; s < g->states; s++)
        if (g->first[s + 1] - g->first[s] > most) most = g->first[s + 1] - g->first[s];
    return (size_t)most;
}

static void sort_rows(network_rows *r, const sorting *s)
{
    for (state_id from = 0; from < s->g->states; from++) {
        sort_row(r, s, from);
        r->row[from + 1] = r->groups;
    }
    r->group[r->groups].first = r->targets;
}

/* Give back what the arrays, made for all transitions, have too much. */
static int trim(network_rows *r, size_t transitions, err *e)
{
    network_group *group = r->group;
    state_id *target = r->target;
    size_t groups = r->groups, targets = r->targets;
    r->groups = r->targets = (uint32_t)transitions;
    group = mem_resize(r->m, group, (transitions + 1) * sizeof *group,
                       (groups + 1) * sizeof *group, e);
    if (group == NULL) return (int)e->code;
    r->group = group;
    r->groups = (uint32_t)groups;
    target = mem_resize(r->m, target, transitions * sizeof *target,
                        targets * sizeof *target, e);
    if (target == NULL) return (int)e->code;
    r->target = target;
    r->targets = (uint32_t)targets;
    return 0;
}

static int allocate(network_rows *r, const lts *g, err *e)
{
    size_t n = (size_t)g->transitions;
    r->label_room = label_table_count(g->labels);
    r->text = mem_get_array(r->m, r->label_room, sizeof *r->text, e);
    r->enabled = mem_get_array(r->m, r->label_room, sizeof *r->enabled, e);
    r->trace = mem_get_array(r->m, r->label_room, sizeof *r->trace, e);
    r->row = mem_get_array(r->m, (size_t)g->states + 1, sizeof *r->row, e);
    r->groups = r->targets = (uint32_t)n; /* so large are the arrays */
    r->group = mem_get_array(r->m, n + 1, sizeof *r->group, e);
    r->target = mem_get_array(r->m, n, sizeof *r->target, e);
    return (int)e->code;
}

static int fill(network_rows *r, sorting *s, const label_id *text, size_t texts, err *e)
{
    if (number_labels(r, s, text, texts, e) != 0) return (int)e->code;
    r->groups = r->targets = 0;
    sort_rows(r, s);
    if (trim(r, (size_t)s->g->transitions, e) != 0) return (int)e->code;
    r->view = (network_view){
        .row = r->row, .group = r->group, .target = r->target, .labels = r->labels
    };
    return 0;
}

int network_rows_open(network_rows *out, const lts *g, const label_id *text, size_t texts,
                      err *e)
{
    mem *m = g->m;
    *out = (network_rows){ .m = m, .states = g->states, .initial = g->initial };
    if (g->transitions >= UINT32_MAX)
        return err_set(e, ERR_LIMIT, "a component has 2^32 transitions or more");
    sorting s = { .g = g, .longest = longest_row(g) };
    size_t labels = label_table_count(g->labels);
    s.local = mem_get_array(m, labels, sizeof *s.local, e);
    s.word = mem_get_array(m, s.longest, sizeof *s.word, e);
    if (e->code == ERR_NONE && allocate(out, g, e) == 0) fill(out, &s, text, texts, e);
    mem_put(m, s.local, labels * sizeof *s.local);
    mem_put(m, s.word, s.longest * sizeof *s.word);
    if (e->code != ERR_NONE) network_rows_close(out);
    return (int)e->code;
}

/* ---- the index --------------------------------------------------------------------------- */

static void choose_slots(network_rows *r)
{
    uint64_t pairs = (uint64_t)r->states * r->labels;
    unsigned bits = 1;
    r->view.last = pairs > 0 ? pairs - 1 : 0;
    r->view.factor = 1;
    r->view.shift = 0;
    if (pairs <= FULL_FROM || pairs / FULL_SHARE <= r->groups) return;
    while ((uint64_t)1 << bits < 2 * (uint64_t)r->groups) bits++;
    r->view.last = ((uint64_t)1 << bits) - 1;
    r->view.factor =
        0x9e3779b97f4a7c15u; /* 2^64 / golden ratio: neighbours go far apart */
    r->view.shift = 64 - bits;
}

static void put_slot(network_rows *r, state_id s, const network_group *k)
{
    const network_view *v = &r->view;
    uint64_t i = (((uint64_t)s * v->labels + k->label) * v->factor) >> v->shift;
    while (r->slot[i].count > 0) i = (i + 1) & v->last;
    r->slot[i] = (network_slot){ s, k->label, k->first, k[1].first - k->first };
}

int network_rows_index(network_rows *r, err *e)
{
    if (r->slot) return 0;
    choose_slots(r);
    r->slot = mem_get_array(r->m, (size_t)r->view.last + 1, sizeof *r->slot, e);
    if (r->slot == NULL) return (int)e->code;
    r->view.slot = r->slot;
    for (state_id s = 0; s < r->states; s++)
        for (uint32_t k = r->row[s]; k < r->row[s + 1]; k++) put_slot(r, s, &r->group[k]);
    return 0;
}
