/*
 * explore_trace - how to come to where an exploration stopped.
 *
 * Idea       A breadth-first search keeps no parents: they would cost as much as half the
 *            table.  It keeps where each level begins in every store.  So the last step of a
 *            shortest way to a state of level d comes from a state of level d-1, which is
 *            found by expanding those again; then the same for it, up to the initial state.
 *            Of several, the one with the least number is taken: the way does not
 *            depend on the number of workers.
 * Cost       At most every state is expanded once more, by all workers; no memory.
 */
#include "algorithms/explore_parts.h"

#include <string.h>

/* The first move of the worker's buffer that leads to the key, or the count. */
static uint32_t move_to(const model_moves *o, const uint32_t *key, uint64_t hash)
{
    uint32_t i = 0;
    while (i < o->count &&
           (o->hash[i] != hash ||
            memcmp(model_moves_key(o, i), key, o->key_words * sizeof *key) != 0))
        i++;
    return i;
}

/* ---- along levels ----------------------------------------------------------------------------- */

typedef struct step_found {
    local_id local;
    label_id label;
    bool found;
    err e;
} step_found;

/* What is looked for, and what each worker found among its own states of the level. */
typedef struct way_back {
    explore *x;
    explore_place here;
    uint64_t level; /* of `here` */
    const uint32_t *key;
    uint64_t hash;
    step_found *by; /* per worker */
    explore_trace *out;
    err *e;
} way_back;

/* Among the worker's states of the level before, the first that leads to `here`. */
static void search_level(void *self, worker_id number)
{
    const way_back *b = self;
    explore_worker *w = &b->x->worker[number];
    step_found *f = &b->by[number];
    local_id s = b->level > 1 ? w->level.at[b->level - 2] : 0;
    local_id end = w->level.at[b->level - 1];
    for (*f = (step_found){ .found = false }; s < end && !f->found; s++) {
        if (explore_moves(b->x, w, (explore_place){ number, s }, &f->e) != 0) return;
        uint32_t i = move_to(&w->moves, b->key, b->hash);
        if (i == w->moves.count) continue;
        f->found = true;
        f->local = s;
        f->label = w->moves.label[i];
    }
}

/* The least number of those found: in one store numbers ascend. */
static int choose(way_back *b, label_id *label)
{
    const explore *x = b->x;
    state_id least = STATE_NONE;
    for (worker_id w = 0; w < x->workers; w++) {
        const step_found *f = &b->by[w];
        if (f->e.code != ERR_NONE) return err_set(b->e, f->e.code, "%s", f->e.text);
        if (!f->found) continue;
        state_id n = x->workers == 1 ? f->local : x->worker[w].number.at[f->local];
        if (n > least) continue;
        least = n;
        b->here = (explore_place){ w, f->local };
        *label = f->label;
    }
    if (least == STATE_NONE)
        return err_set(b->e, ERR_INPUT,
                       "the model does not give the same moves every time");
    b->level--;
    return 0;
}

static uint64_t level_of(const explore *x, explore_place p)
{
    uint64_t level = 0;
    while (x->worker[p.owner].level.at[level] <= p.local) level++;
    return level;
}

/* ---- along parents --------------------------------------------------------------------------- */

static int label_between(explore *x, local_id from, local_id to, label_id *label, err *e)
{
    explore_worker *w = &x->worker[0];
    if (explore_moves(x, w, (explore_place){ 0, from }, e) != 0) return (int)e->code;
    const uint32_t *key = vertex_store_key(w->store, to);
    uint32_t i = move_to(&w->moves, key, vertex_store_hash(key, x->s->key_words));
    if (i == w->moves.count)
        return err_set(e, ERR_INPUT, "the model does not give the same moves every time");
    *label = w->moves.label[i];
    return 0;
}

static int walk_parents(explore *x, explore_trace *out, err *e)
{
    for (local_id s = x->found_at.local; s != 0; s = x->parent.at[s]) {
        label_id label = LABEL_NONE;
        if (label_between(x, x->parent.at[s], s, &label, e) != 0 ||
            vec_push(x->m, out, label, e) != 0)
            return (int)e->code;
    }
    return 0;
}

static void walk_levels(crew *threads, void *self)
{
    way_back *b = self;
    const explore *x = b->x;
    label_id label = LABEL_NONE;
    while (b->level > 0 && b->e->code == ERR_NONE) {
        b->key = explore_key(x, b->here);
        b->hash = vertex_store_hash(b->key, x->s->key_words);
        crew_do(threads, search_level);
        if (choose(b, &label) == 0 && vec_push(x->m, b->out, label, b->e) == 0)
            progress_tick(x->o.clock, x->states, b->e);
    }
}

static int walk_back(explore *x, explore_trace *out, err *e)
{
    way_back b = { .x = x, .here = x->found_at, .out = out, .e = e };
    b.level = level_of(x, b.here);
    b.by = mem_get_array(x->m, x->workers, sizeof *b.by, e);
    if (b.by) crew_run((uint32_t)x->o.threads, x->workers, walk_levels, &b);
    mem_put(x->m, b.by, x->workers * sizeof *b.by);
    return (int)e->code;
}

int explore_trace_of(explore *x, explore_trace *out, err *e)
{
    if (x->o.order == EXPLORE_DFS) walk_parents(x, out, e);
    else walk_back(x, out, e);
    for (size_t i = 0, k = out->count; e->code == ERR_NONE && i + 1 < k; i++) {
        label_id swap = out->at[--k];
        out->at[k] = out->at[i];
        out->at[i] = swap;
    }
    if (e->code == ERR_NONE && x->o.stop_at_label != LABEL_NONE)
        vec_push(x->m, out, x->o.stop_at_label, e);
    return (int)e->code;
}
