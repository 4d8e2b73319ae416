/*
 * network_table - from vectors to what a state's moves are found with.
 *
 * Idea       Each vector is turned so that its leader comes first, vectors are put in the
 *            order of their leaders by counting, and the components' states get fields of
 *            a key: first fit, widest first, no field across two words.
 * Invariant  A key's bits outside all fields are zero, so equal states have equal keys.
 * Cost       Linear, but for the fields: components times words.
 */
#include "models/network_table.h"

#include <stdlib.h>
#include <string.h>

void network_table_close(network_table *t)
{
    mem *m = t->m;
    if (m == NULL) return;
    for (size_t i = 0; i < t->files; i++) {
        mem_put(m, t->file[i].path, strlen(t->file[i].path) + 1);
        network_rows_close(&t->file[i].rows);
    }
    mem_put(m, t->file, t->files * sizeof *t->file);
    mem_put(m, t->field, t->components * sizeof *t->field);
    mem_put(m, t->leader, t->components * sizeof *t->leader);
    mem_put(m, t->vector, t->vectors * sizeof *t->vector);
    mem_put(m, t->part, t->parts * sizeof *t->part);
    mem_put(m, t->hint, t->led * sizeof *t->hint);
    mem_put(m, t->lead, (t->leads + 1) * sizeof *t->lead);
    mem_put(m, t->guard, t->guard_count * sizeof *t->guard);
    mem_put(m, t->guards, t->guards_count * sizeof *t->guards);
    mem_put(m, t->above, t->above_count * sizeof *t->above);
    mem_put(m, t->watched, (t->leads + 1) * sizeof *t->watched);
    mem_put(m, t->watch, (t->vectors - t->led) * sizeof *t->watch);
    mem_put(m, t->kin, (t->vectors - t->led) * sizeof *t->kin);
    label_table_close(t->labels);
    *t = (network_table){ .m = NULL };
}

/* ---- fields ------------------------------------------------------------------------------ */

static uint32_t bits_for(state_id states)
{
    return states <= 1 ? 0 : 32 - (uint32_t)__builtin_clz(states - 1);
}

/* Components in the order of their width, widest first: a counting sort. */
static void sort_by_width(const network_table *t, uint32_t *order)
{
    uint32_t next = 0;
    for (uint32_t bits = 33; bits-- > 0;)
        for (uint32_t i = 0; i < t->components; i++)
            if (bits_for(t->field[i].rows->states) == bits) order[next++] = i;
}

static int place(network_table *t, network_field *f, uint32_t *used, err *e)
{
    uint32_t bits = bits_for(f->rows->states), word = 0;
    while (word < MODEL_KEY_WORDS_MAX && used[word] + bits > 32) word++;
    if (word == MODEL_KEY_WORDS_MAX)
        return err_set(e, ERR_LIMIT,
                       "the components' states need more than %d words of 32 bits",
                       (int)MODEL_KEY_WORDS_MAX);
    f->word = word;
    f->shift = bits ? used[word] : 0;
    f->mask = bits ? UINT32_MAX >> (32 - bits) : 0;
    used[word] += bits;
    if (word + 1 > t->key_words) t->key_words = word + 1;
    return 0;
}

static int place_all(network_table *t, err *e)
{
    uint32_t used[MODEL_KEY_WORDS_MAX] = { 0 };
    uint32_t *order = mem_get_array(t->m, t->components, sizeof *order, e);
    if (order == NULL) return (int)e->code;
    sort_by_width(t, order);
    t->key_words = 1;
    for (uint32_t i = 0; i < t->components && e->code == ERR_NONE; i++)
        place(t, &t->field[order[i]], used, e);
    mem_put(t->m, order, t->components * sizeof *order);
    return (int)e->code;
}

/* ---- files and components ---------------------------------------------------------------- */

/* They stay where they are: fields point at their rows. */
static int take_files(network_table *t, network_compiler *c, err *e)
{
    t->file = mem_get_array(t->m, c->file.count, sizeof *t->file, e);
    if (t->file == NULL) return (int)e->code;
    t->files = c->file.count;
    memcpy(t->file, c->file.at, t->files * sizeof *t->file);
    c->file.count = 0; /* theirs no more */
    return 0;
}

static int make_fields(network_table *t, const network_compiler *c, err *e)
{
    uint64_t leads = 0;
    t->field = mem_get_array(t->m, c->component.count, sizeof *t->field, e);
    if (t->field == NULL) return (int)e->code;
    t->components = (uint32_t)c->component.count;
    for (uint32_t i = 0; i < t->components; i++) {
        t->field[i].rows = &t->file[c->component.at[i]].rows;
        t->field[i].leading = (uint32_t)leads;
        leads += t->field[i].rows->labels;
    }
    if (leads >= UINT32_MAX)
        return err_set(e, ERR_LIMIT, "the components have 2^32 labels or more in all");
    t->lead = mem_get_array(t->m, (size_t)leads + 1, sizeof *t->lead, e);
    if (t->lead == NULL) return (int)e->code;
    t->leads = (size_t)leads;
    return place_all(t, e);
}

/* ---- vectors ----------------------------------------------------------------------------- */

/* Is a's label enabled in a smaller share of its states than b's? */
static bool seldomer(const network_table *t, const network_part *a, const network_part *b)
{
    const network_rows *x = t->field[a->component].rows, *y = t->field[b->component].rows;
    return (uint64_t)x->enabled[a->label] * y->states <
           (uint64_t)y->enabled[b->label] * x->states;
}

/* The seldomest first, among equals the lower component. */
static void sort_parts(const network_table *t, network_part *part, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        network_part x = part[i];
        uint32_t k = i;
        for (; k > 0 && seldomer(t, &x, &part[k - 1]); k--) part[k] = part[k - 1];
        part[k] = x;
    }
}

static size_t lead_of(const network_table *t, const network_part *p)
{
    return (size_t)t->field[p->component].leading + p->label;
}

/* A copy of a vector with its parts sorted.  `parts` has counted up to here. */
static network_vector copy_vector(network_table *t, const network_compiler *c,
                                  const network_vector *v)
{
    network_vector to = *v;
    to.first = (uint32_t)t->parts;
    memcpy(t->part + t->parts, c->part.at + v->first, v->parts * sizeof *t->part);
    sort_parts(t, t->part + t->parts, v->parts);
    t->parts += v->parts;
    if (v->parts > t->most_parts) t->most_parts = v->parts;
    return to;
}

static size_t count_parts(const network_set *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) count += s->at[i].parts;
    return count;
}

/* Vectors in the order of their leaders, by counting; label numbers are the table's own
   from here. */
static int order_vectors(network_table *t, const network_compiler *c, err *e)
{
    network_vector *copy = mem_get_array(t->m, t->led, sizeof *copy, e);
    if (copy == NULL) return (int)e->code;
    for (uint32_t i = 0; i < t->led; i++) {
        copy[i] = copy_vector(t, c, &c->root.at[i]);
        t->lead[lead_of(t, &t->part[copy[i].first]) + 1]++;
    }
    for (size_t k = 0; k < t->leads; k++) t->lead[k + 1] += t->lead[k];
    for (uint32_t i = 0; i < t->led; i++) {
        size_t k = lead_of(t, &t->part[copy[i].first]);
        t->vector[t->lead[k]++] = copy[i];
    }
    memmove(t->lead + 1, t->lead, t->leads * sizeof *t->lead);
    t->lead[0] = 0;
    mem_put(t->m, copy, t->led * sizeof *copy);
    return 0;
}

static int make_vectors(network_table *t, const network_compiler *c, err *e)
{
    size_t parts = count_parts(&c->root) + count_parts(&c->blocker);
    size_t vectors = c->root.count + c->blocker.count;
    t->vector = mem_get_array(t->m, vectors, sizeof *t->vector, e);
    if (t->vector == NULL) return (int)e->code;
    t->vectors = (uint32_t)vectors;
    t->led = (uint32_t)c->root.count;
    t->part = mem_get_array(t->m, parts, sizeof *t->part, e);
    if (t->part == NULL || order_vectors(t, c, e) != 0) {
        t->parts = parts;
        return (int)e->code;
    }
    for (size_t i = 0; i < c->blocker.count; i++)
        t->vector[t->led + i] = copy_vector(t, c, &c->blocker.at[i]);
    return 0;
}

/* ---- guards ------------------------------------------------------------------------------ */

static void *copy_array(mem *m, const void *from, size_t count, size_t size, err *e)
{
    void *to = mem_get_array(m, count, size, e);
    if (to && count > 0) memcpy(to, from, count * size);
    return to;
}

static int make_guards(network_table *t, const network_compiler *c, err *e)
{
    mem *m = t->m;
    t->guard = copy_array(m, c->guard.at, c->guard.count, sizeof *t->guard, e);
    t->guard_count = c->guard.count;
    t->guards = copy_array(m, c->guards.at, c->guards.count, sizeof *t->guards, e);
    t->guards_count = c->guards.count;
    t->above = copy_array(m, c->above.at, c->above.count, sizeof *t->above, e);
    t->above_count = c->above.count;
    return (int)e->code;
}

/* Blockers in the order of their leaders, by counting. */
static void order_blockers(network_table *t)
{
    uint32_t blockers = t->vectors - t->led;
    const network_vector *v = t->vector + t->led;
    for (uint32_t b = 0; b < blockers; b++)
        t->watched[lead_of(t, &t->part[v[b].first]) + 1]++;
    for (size_t k = 0; k < t->leads; k++) t->watched[k + 1] += t->watched[k];
    for (uint32_t b = 0; b < blockers; b++)
        t->watch[t->watched[lead_of(t, &t->part[v[b].first])]++] = b;
    memmove(t->watched + 1, t->watched, t->leads * sizeof *t->watched);
    t->watched[0] = 0;
}

/* Spans are equal or apart; those that were met begin with themselves. */
static void find_kin(network_table *t)
{
    for (size_t i = 0; i < t->above_count; i++) {
        network_span s = t->above[i];
        if (s.count > 0 && t->kin[s.first + s.count - 1] == s.first) continue;
        for (uint32_t k = 0; k < s.count; k++) t->kin[s.first + k] = s.first;
    }
}

static int watch_blockers(network_table *t, err *e)
{
    uint32_t blockers = t->vectors - t->led;
    t->watched = mem_get_array(t->m, t->leads + 1, sizeof *t->watched, e);
    t->watch = mem_get_array(t->m, blockers, sizeof *t->watch, e);
    t->kin = mem_get_array(t->m, blockers, sizeof *t->kin, e);
    if (e->code != ERR_NONE) return (int)e->code;
    order_blockers(t);
    find_kin(t);
    return 0;
}

/* ---- labels ------------------------------------------------------------------------------ */

/* The labels of vectors get numbers of their own. */
static int renumber(network_table *t, const network_compiler *c, err *e)
{
    for (uint32_t i = 0; i < t->led; i++) {
        size_t bytes;
        const char *text = label_table_text(c->labels, t->vector[i].label, &bytes);
        if (label_table_put(t->labels, text, bytes, &t->vector[i].label, e) != 0)
            return (int)e->code;
    }
    return 0;
}

/* Hidden names of the command line that some component has are met here, too. */
static int make_labels(network_table *t, const network_compiler *c, err *e)
{
    label_id hidden;
    const load_options *o = c->options;
    if (label_table_open(&t->labels, t->m, e) != 0 ||
        load_options_hide(o, t->labels, e) != 0 || renumber(t, c, e) != 0)
        return (int)e->code;
    for (size_t i = 0; i < o->hidden_count; i++)
        if (c->met[i] && label_table_put(t->labels, o->hidden[i], strlen(o->hidden[i]),
                                         &hidden, e) != 0)
            return (int)e->code;
    return 0;
}

/* ---- all of it --------------------------------------------------------------------------- */

/* Files whose labels are looked up need an index. */
static int make_indexes(network_table *t, err *e)
{
    for (uint32_t i = 0; i < t->vectors; i++) {
        const network_vector *v = &t->vector[i];
        for (uint32_t k = 1; k < v->parts; k++) { /* leaders go through rows */
            uint32_t component = t->part[v->first + k].component;
            if (network_rows_index(t->field[component].rows, e) != 0) return (int)e->code;
        }
    }
    return 0;
}

static network_hint hint_of(const network_table *t, const network_vector *v)
{
    if (v->parts == 1) return (network_hint){ .trace = UINT64_MAX };
    network_part p = t->part[v->first + 1];
    const network_field *f = &t->field[p.component];
    return (network_hint){ .trace = f->rows->trace[p.label],
                           .mask = f->mask & 63,
                           .word = (uint16_t)f->word,
                           .shift = (uint16_t)f->shift };
}

static int make_hints(network_table *t, err *e)
{
    t->hint = mem_get_array(t->m, t->led, sizeof *t->hint, e);
    for (uint32_t i = 0; t->hint && i < t->led; i++)
        t->hint[i] = hint_of(t, &t->vector[i]);
    return (int)e->code;
}

/* Who leads something, and what exploring looks at. */
static int list_leaders(network_table *t, err *e)
{
    t->leader = mem_get_array(t->m, t->components, sizeof *t->leader, e);
    if (t->leader == NULL) return (int)e->code;
    for (uint32_t i = 0; i < t->components; i++) {
        network_field *f = &t->field[i];
        f->view = f->rows->view;
        const uint32_t *lead = &t->lead[f->leading];
        if (lead[f->rows->labels] > lead[0]) t->leader[t->leaders++] = i;
    }
    return 0;
}

int network_table_open(network_table *t, network_compiler *c, err *e)
{
    *t = (network_table){ .m = c->m };
    if (take_files(t, c, e) != 0 || make_fields(t, c, e) != 0 ||
        make_vectors(t, c, e) != 0 || make_guards(t, c, e) != 0 ||
        watch_blockers(t, e) != 0 || make_indexes(t, e) != 0 || make_hints(t, e) != 0 ||
        list_leaders(t, e) != 0)
        return (int)e->code;
    return make_labels(t, c, e);
}
