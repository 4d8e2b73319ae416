/*
 * network_moves - what a network can do in a state; the hot loop of an exploration.
 *
 * Idea       As network_table.h says: components lead, the others are looked up.  First a
 *            hint per vector says, without a branch that could be guessed wrong, which
 *            vectors are worth a lookup; these are gathered, then looked at.  Guards are
 *            decided at most once per state, when somebody asks.
 * Invariant  seen[g] belongs to this state iff its upper bits are the serial number of
 *            the state.
 * Cost       No allocation but for the caller's buffer; per component its field, per
 *            label that is enabled the vectors that it leads, per vector a lookup until
 *            one fails.
 */
#include "models/network_table.h"

#include <string.h>

/* A participant's targets, and which one is next. */
typedef struct pick {
    const network_field *field;
    const state_id *target;
    uint32_t count, next;
} pick;

/* A vector that might be possible, led by a group of a component. */
typedef struct candidate {
    uint32_t vector, component, group;
} candidate;

enum { CANDIDATES = 128 };

#define NONE UINT32_MAX

typedef struct context {
    candidate candidate[CANDIDATES];
    uint64_t serial;
    const uint32_t *key; /* of the state */
    pick *pick;          /* per participant of a vector */
    uint64_t *seen;      /* per guard: serial * 2 + 1 if it holds back */
    uint64_t gathered;   /* the serial number that `head` is of */
    uint32_t *head;      /* per first blocker of a span: one that can, or NONE */
    uint32_t *next;      /* per blocker that can: another one of its span */
    uint32_t *touched;   /* which of `head` are not NONE */
    uint32_t touched_count;
} context;

/* Where a participant goes, or NULL. */
static inline const network_slot *find(const network_field *f, const uint32_t *key,
                                       uint32_t label)
{
    return network_view_find(&f->view, network_field_get(f, key), label);
}

void network_moves_close(const network_table *t, mem *m, void *self)
{
    context *x = self;
    if (x == NULL) return;
    mem_put(m, x->pick, t->most_parts * sizeof *x->pick);
    mem_put(m, x->seen, t->guards_count * sizeof *x->seen);
    size_t blockers = t->vectors - t->led;
    mem_put(m, x->head, blockers * sizeof *x->head);
    mem_put(m, x->next, blockers * sizeof *x->next);
    mem_put(m, x->touched, blockers * sizeof *x->touched);
    mem_put(m, x, sizeof *x);
}

int network_moves_open(const network_table *t, mem *m, void **out, err *e)
{
    context *x = mem_get(m, sizeof *x, e);
    if (x == NULL) return (int)e->code;
    x->pick = mem_get_array(m, t->most_parts, sizeof *x->pick, e);
    x->seen = mem_get_array(m, t->guards_count, sizeof *x->seen, e);
    size_t blockers = t->vectors - t->led;
    x->head = mem_get_array(m, blockers, sizeof *x->head, e);
    x->next = mem_get_array(m, blockers, sizeof *x->next, e);
    x->touched = mem_get_array(m, blockers, sizeof *x->touched, e);
    for (size_t b = 0; x->head && b < blockers; b++) x->head[b] = NONE;
    if (e->code == ERR_NONE) *out = x;
    else network_moves_close(t, m, x);
    return (int)e->code;
}

/* ---- guards ------------------------------------------------------------------------------ */

static bool held_back(const network_table *t, context *x, const network_vector *v);

static bool others_can(const network_table *t, const context *x, const network_vector *v)
{
    for (uint32_t i = 1; i < v->parts; i++) {
        network_part p = t->part[v->first + i];
        if (find(&t->field[p.component], x->key, p.label) == NULL) return false;
    }
    return true;
}

static void enter(const network_table *t, context *x, uint32_t blocker)
{
    uint32_t *head = &x->head[t->kin[blocker]];
    if (*head == NONE) x->touched[x->touched_count++] = t->kin[blocker];
    x->next[blocker] = *head;
    *head = blocker;
}

/* Chain, per span, the blockers whose components can, in this state. */
static void gather(const network_table *t, context *x)
{
    while (x->touched_count > 0) x->head[x->touched[--x->touched_count]] = NONE;
    x->gathered = x->serial;
    for (uint32_t i = 0; i < t->components; i++) {
        const network_field *f = &t->field[i];
        state_id s = network_field_get(f, x->key);
        for (uint32_t k = f->view.row[s], end = f->view.row[s + 1]; k < end; k++) {
            const uint32_t *of = &t->watched[f->leading + f->view.group[k].label];
            for (uint32_t w = of[0]; w < of[1]; w++)
                if (others_can(t, x, &t->vector[t->led + t->watch[w]]))
                    enter(t, x, t->watch[w]);
        }
    }
}

static bool some_enabled(const network_table *t, context *x, network_span of)
{
    if (of.count == 0) return false;
    if (x->gathered != x->serial) gather(t, x);
    for (uint32_t b = x->head[of.first]; b != NONE; b = x->next[b])
        if (!held_back(t, x, &t->vector[t->led + b])) return true;
    return false;
}

/* Is one of the guard's vectors enabled?  Guards name vectors of their own subtree alone,
   so this goes no deeper than the tree. */
static bool holds(const network_table *t, context *x, uint32_t guard)
{
    uint64_t *seen = &x->seen[guard];
    if (*seen >> 1 == x->serial) return *seen & 1;
    network_span g = t->guards[guard];
    bool some = false;
    for (uint32_t i = 0; i < g.count && !some; i++)
        some = some_enabled(t, x, t->above[g.first + i]);
    *seen = x->serial << 1 | some;
    return some;
}

static bool held_back(const network_table *t, context *x, const network_vector *v)
{
    for (uint32_t i = 0; i < v->guards; i++)
        if (holds(t, x, t->guard[v->guard + i])) return true;
    return false;
}

/* ---- moves ------------------------------------------------------------------------------- */

/* A move more, as yet to the same state. */
static inline uint32_t *add_copy(const uint32_t *key, label_id label, model_moves *out,
                                 err *e)
{
    uint32_t *to = model_moves_add(out, label, e), words = out->key_words;
    if (to == NULL) return NULL;
    if (words > 4) return memcpy(to, key, words * sizeof *to);
    to[0] = key[0]; /* few words are copied in less time than a call takes */
    if (words > 1) to[1] = key[1];
    if (words > 2) to[2] = key[2];
    if (words > 3) to[3] = key[3];
    return to;
}

/* All moves of one participant. */
static inline int move_alone(const pick *p, const uint32_t *key, label_id label,
                             model_moves *out, err *e)
{
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t *to = add_copy(key, label, out, e);
        if (to == NULL) return (int)e->code;
        network_field_set(p->field, to, p->target[i]);
    }
    return 0;
}

/* All moves of two. */
static inline int move_both(const pick *p, const uint32_t *key, label_id label,
                            model_moves *out, err *e)
{
    for (uint32_t i = 0; i < p[0].count; i++)
        for (uint32_t k = 0; k < p[1].count; k++) {
            uint32_t *to = add_copy(key, label, out, e);
            if (to == NULL) return (int)e->code;
            network_field_set(p[0].field, to, p[0].target[i]);
            network_field_set(p[1].field, to, p[1].target[k]);
        }
    return 0;
}

/* The next choice of targets, the last participant's fastest. */
static bool next_choice(pick *p, uint32_t parts)
{
    for (uint32_t i = parts; i-- > 0;) {
        if (++p[i].next < p[i].count) return true;
        p[i].next = 0;
    }
    return false;
}

/* Every choice of targets. */
static int move_together(pick *p, uint32_t parts, const uint32_t *key, label_id label,
                         model_moves *out, err *e)
{
    do {
        uint32_t *to = add_copy(key, label, out, e);
        if (to == NULL) return (int)e->code;
        for (uint32_t i = 0; i < parts; i++)
            network_field_set(p[i].field, to, p[i].target[p[i].next]);
    } while (next_choice(p, parts));
    return 0;
}

/* The participants behind the leader: false when one cannot. */
static inline bool find_others(const network_table *t, context *x,
                               const network_vector *v)
{
    for (uint32_t i = 1; i < v->parts; i++) {
        network_part p = t->part[v->first + i];
        const network_field *f = &t->field[p.component];
        const network_slot *s = find(f, x->key, p.label);
        if (s == NULL) return false;
        x->pick[i] = (pick){ f, f->view.target + s->first, s->count, 0 };
    }
    return true;
}

static inline int move_vector(const network_table *t, context *x, const network_vector *v,
                              model_moves *out, err *e)
{
    if (!find_others(t, x, v)) return 0;
    if (v->guards > 0 && held_back(t, x, v)) return 0;
    if (v->parts == 1) return move_alone(x->pick, x->key, v->label, out, e);
    if (v->parts == 2) return move_both(x->pick, x->key, v->label, out, e);
    x->pick->next = 0;
    return move_together(x->pick, v->parts, x->key, v->label, out, e);
}

/* The moves of the first `count` candidates. */
static int move_candidates(const network_table *t, context *x, uint32_t count,
                           model_moves *out, err *e)
{
    for (uint32_t i = 0; i < count; i++) {
        candidate c = x->candidate[i];
        const network_field *f = &t->field[c.component];
        const network_group *g = &f->view.group[c.group];
        x->pick[0] = (pick){ f, f->view.target + g->first, g[1].first - g->first, 0 };
        if (move_vector(t, x, &t->vector[c.vector], out, e) != 0) return (int)e->code;
    }
    return 0;
}

/* Gather what a component may lead in its state; there are `count` candidates already. */
static inline int lead(const network_table *t, context *x, uint32_t component,
                       uint32_t *count, model_moves *out, err *e)
{
    const network_field *f = &t->field[component];
    state_id s = network_field_get(f, x->key);
    uint32_t n = *count;
    for (uint32_t k = f->view.row[s], end = f->view.row[s + 1]; k < end; k++) {
        const uint32_t *of = &t->lead[f->leading + f->view.group[k].label];
        for (uint32_t v = of[0]; v < of[1]; v++) {
            x->candidate[n] = (candidate){ v, component, k };
            n += network_hint_may(&t->hint[v], x->key);
            if (n < CANDIDATES) continue;
            if (move_candidates(t, x, n, out, e) != 0) return (int)e->code;
            n = 0;
        }
    }
    *count = n;
    return 0;
}

int network_moves(const network_table *t, void *self, const uint32_t *key,
                  model_moves *out, err *e)
{
    context *x = self;
    uint32_t count = 0;
    x->serial++;
    x->key = key;
    for (uint32_t i = 0; i < t->leaders; i++)
        if (lead(t, x, t->leader[i], &count, out, e) != 0) return (int)e->code;
    return move_candidates(t, x, count, out, e);
}
