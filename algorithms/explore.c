/*
 * explore - breadth-first search of a model by many workers, in rounds.
 *
 * Idea       A level of the search is cut into rounds, a round into shares, one per worker.  In
 *            a round every worker computes the moves of its share and puts each target into a
 *            box for its owner; then every owner takes its boxes, in the order of workers,
 *            and enters the targets into its store.  A share whose states have many moves
 *            ends early, so that boxes stay small.
 *            Where nobody asks for numbers a worker's share are states of its own.  Else
 *            shares follow each other in the order of numbers, and an owner meets new states in
 *            the order in which one worker alone would; the new ones of a box are known by
 *            having the numbers that follow.  How many each worker found gives the
 *            numbers of all, and every worker writes down those it found.
 * Invariant  Between rounds, `level_at` states of this level and all of those before were looked
 *            at, in order of numbers where they matter, and the states met are those they lead
 *            to: all counts are the same for any number of workers.
 * Cost       Every state is expanded once.  A key is written to a box and read once, in cache;
 *            the table's misses overlap.  Beside keys and table there are, where numbers
 *            matter and workers are several, 4 bytes per state and 8 per state of two levels; no
 *            parents: see explore_trace.c.  Small rounds are done by one thread, so that a
 *            deep, narrow model costs no barriers.
 */
#include "algorithms/explore_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { ALONE_STATES = 64 }; /* per worker: below that a round is small */

/* ---- life ---------------------------------------------------------------------------------- */

static int open_worker(explore *x, explore_worker *w, err *e)
{
    mem *m = x->m;
    w->moves = MODEL_MOVES_INIT(x->s);
    w->found = UINT64_MAX;
    w->box = mem_get_array(m, x->workers, sizeof *w->box, e);
    w->label_met = mem_get(m, label_table_count(x->s->labels), e);
    if (e->code != ERR_NONE ||
        vertex_store_open(&w->store, m, x->s->key_words, STATES_MAX, e) != 0)
        return (int)e->code;
    return model_context_open(x->s, &w->context, e);
}

int explore_open(explore **out, const model *s, const explore_options *o, err *e)
{
    explore *x = mem_get(s->m, sizeof *x, e);
    if (x == NULL) return (int)e->code;
    *x = (explore){ .s = s, .m = s->m, .o = *o, .workers = (worker_id)o->threads };
    x->numbered = o->keep || o->stop_at_deadlock || o->stop_at_label != LABEL_NONE;
    x->own = x->workers == 1 || !x->numbered;
    x->rows = (explore_rows){ .m = s->m };
    x->rows.label_bytes = label_table_width(label_table_count(s->labels));
    x->worker = mem_get_array(x->m, x->workers, sizeof *x->worker, e);
    for (worker_id w = 0; x->worker && e->code == ERR_NONE && w < x->workers; w++)
        open_worker(x, &x->worker[w], e);
    if (e->code == ERR_NONE) *out = x;
    else explore_close(x);
    return (int)e->code;
}

static void close_worker(explore *x, explore_worker *w)
{
    mem *m = x->m;
    for (worker_id o = 0; w->box && o < x->workers; o++)
        explore_box_release(x, &w->box[o]);
    mem_put(m, w->box, x->workers * sizeof *w->box);
    mem_put(m, w->label_met, label_table_count(x->s->labels));
    if (w->moves.m) model_moves_release(&w->moves);
    vec_release(m, &w->label);
    vec_release(m, &w->owner);
    vec_release(m, &w->id);
    vec_release(m, &w->degree);
    vec_release(m, &w->number);
    vec_release(m, &w->level);
    vertex_store_close(w->store);
    model_context_close(x->s, w->context);
}

void explore_close(explore *x)
{
    if (x == NULL) return;
    mem *m = x->m;
    for (worker_id w = 0; x->worker && w < x->workers; w++)
        close_worker(x, &x->worker[w]);
    mem_put(m, x->worker, x->workers * sizeof *x->worker);
    vec_release(m, &x->level);
    vec_release(m, &x->next);
    vec_release(m, &x->parent);
    explore_rows_release(&x->rows);
    mem_put(m, x, sizeof *x);
}

/* ---- workers ------------------------------------------------------------------------------- */

/* A phase of all workers that have a share, or (insert) of all.  0, or the code of the first
   that failed. */
static int each(explore *x, crew_step *phase, err *e)
{
    worker_id members = phase == explore_insert ? x->workers : x->sharing;
    if (x->alone)
        for (worker_id w = 0; w < members; w++) phase(x, w);
    else crew_do(x->threads, phase);
    for (worker_id w = 0; w < members; w++)
        if (x->worker[w].e.code != ERR_NONE)
            return err_set(e, x->worker[w].e.code, "%s", x->worker[w].e.text);
    return 0;
}

/* ---- counts -------------------------------------------------------------------------------- */

static void count(explore *x)
{
    explore_counts *c = &x->counts;
    uint64_t looked_at = 0;
    c->states = x->states;
    c->transitions = c->deadlock_states = 0;
    for (worker_id w = 0; w < x->workers; w++) {
        c->transitions += x->worker[w].tally.transitions;
        c->deadlock_states += x->worker[w].tally.deadlocks;
        looked_at += x->worker[w].tally.states;
    }
    c->frontier = c->states - looked_at;
}

static void count_labels(explore *x)
{
    x->counts.labels = 0;
    for (label_id l = 0; l < label_table_count(x->s->labels); l++) {
        bool met = false;
        for (worker_id w = 0; w < x->workers; w++) met |= x->worker[w].label_met[l] != 0;
        x->counts.labels += met;
    }
}

const explore_counts *explore_counted(const explore *x) { return &x->counts; }

bool explore_found(const explore *x) { return x->found; }

static void describe(const void *self, char *into, size_t bytes)
{
    const explore *x = self;
    snprintf(into, bytes, "frontier %" PRIu64 ", depth %" PRIu64 ", %.0f MiB",
             x->counts.frontier, x->counts.depth, (double)x->m->now / (1 << 20));
}

/* ---- rounds -------------------------------------------------------------------------------- */

/* How many states a worker gets, so that a round has about the right number of moves. */
static uint64_t share_of(const explore *x)
{
    uint64_t looked_at = x->counts.states - x->counts.frontier + 1;
    uint64_t degree = x->counts.transitions / looked_at + 1;
    uint64_t share = EXPLORE_MOVES / degree + 1;
    if (x->o.max_states == 0) return share;
    uint64_t left = x->o.max_states > x->states ? x->o.max_states - x->states : 0;
    uint64_t careful = left / (degree * x->workers) + 1; /* near the bound, slowly */
    return careful < share ? careful : share;
}

/* Every worker goes on with its own states of the level. */
static void deal_own(explore *x, uint64_t share)
{
    x->sharing = x->workers;
    for (worker_id w = 0; w < x->workers; w++) {
        explore_worker *k = &x->worker[w];
        uint64_t last = k->level.at[k->level.count - 1];
        k->begin = k->looked_to;
        k->end = k->begin + share < last ? k->begin + share : last;
    }
}

/* The next states of the level in order, to one worker after the other; few, to one. */
static void deal_in_order(explore *x, uint64_t left, uint64_t share)
{
    x->sharing = x->alone ? 1 : x->workers;
    if (left < share * x->sharing) share = (left + x->sharing - 1) / x->sharing;
    uint64_t at = x->level_at;
    for (worker_id w = 0; w < x->sharing; w++) {
        x->worker[w].begin = at;
        at = at + share < x->level_size ? at + share : x->level_size;
        x->worker[w].end = at;
    }
}

static void deal_shares(explore *x)
{
    uint64_t left = x->level_size - x->level_at;
    x->alone = left < (uint64_t)ALONE_STATES * x->workers;
    if (x->own) deal_own(x, share_of(x));
    else deal_in_order(x, left, share_of(x));
}

/* Shares behind the first that ended early are forgotten: in order, the round ends there.  Of
   its own states each worker may look at as many as it can. */
static void end_round(explore *x)
{
    bool ended = false;
    for (worker_id w = 0; w < x->sharing; w++) {
        explore_worker *k = &x->worker[w];
        if (ended && !x->own) explore_drop(x, w);
        x->level_at += k->looked_to - k->begin;
        ended |= k->looked_to < k->end || k->found != UINT64_MAX;
    }
}

/* New states and moves of the round get their numbers, worker by worker. */
static int number_states(explore *x, err *e)
{
    uint64_t states = x->states;
    uint64_t moves = x->rows.first.count ? x->rows.first.at[x->rows.first.count - 1] : 0;
    for (worker_id w = 0; w < x->sharing; w++) {
        explore_worker *k = &x->worker[w];
        k->state_base = states;
        k->move_base = moves;
        moves += k->round_moves;
        for (worker_id o = 0; o < x->workers; o++) states += k->box[o].met;
    }
    if (states > STATES_MAX) return err_set(e, ERR_LIMIT, "more than 2^32 - 2 states");
    if (!x->own) {
        size_t old = x->next.count;
        if (vec_reserve(x->m, &x->next, old + (states - x->states), e) != 0)
            return (int)e->code;
        x->next.count = old + (states - x->states);
        if (each(x, explore_number, e) != 0) return (int)e->code;
    }
    x->states = states;
    return 0;
}

static int keep_rows(explore *x, err *e)
{
    uint64_t states = 0, moves = 0;
    for (worker_id w = 0; w < x->sharing; w++) {
        states += x->worker[w].degree.count;
        moves += x->worker[w].round_moves;
    }
    if (explore_rows_reserve(&x->rows, states, moves, e) != 0) return (int)e->code;
    uint64_t row = x->rows.first.at[x->rows.first.count - 1];
    for (worker_id w = 0; w < x->sharing; w++)
        for (size_t i = 0; i < x->worker[w].degree.count; i++) {
            row += x->worker[w].degree.at[i];
            x->rows.first.at[x->rows.first.count++] = row;
        }
    x->rows.target.count += moves;
    return each(x, explore_write_rows, e);
}

/* Did a worker find what to stop at?  The last one whose share counts. */
static void look_for_end(explore *x)
{
    for (worker_id w = 0; w < x->sharing; w++) {
        uint64_t at = x->worker[w].found;
        if (at == UINT64_MAX) continue;
        x->found = true;
        x->found_at = x->own ? (explore_place){ w, (local_id)at } : x->level.at[at];
    }
}

static int round_of(explore *x, err *e)
{
    deal_shares(x);
    if (each(x, explore_expand, e) != 0) return (int)e->code;
    end_round(x);
    if (each(x, explore_insert, e) != 0) return (int)e->code;
    if (number_states(x, e) != 0) return (int)e->code;
    if (x->o.keep && keep_rows(x, e) != 0) return (int)e->code;
    look_for_end(x);
    count(x);
    if (x->o.max_states && x->states > x->o.max_states)
        return err_set(e, ERR_LIMIT, "more than %" PRIu64 " states (--max-states)",
                       x->o.max_states);
    return progress_tick(x->o.clock, x->states, e);
}

/* ---- levels -------------------------------------------------------------------------------- */

static int begin(explore *x, err *e)
{
    local_id id;
    uint64_t hash = vertex_store_hash(x->s->initial, x->s->key_words);
    explore_place first = { explore_owner(x, hash), 0 };
    explore_worker *w = &x->worker[first.owner];
    if (vertex_store_put(w->store, x->s->initial, hash, &id, e) != 0 ||
        explore_rows_reserve(&x->rows, 0, 0, e) != 0)
        return (int)e->code;
    if (!x->own && (vec_push(x->m, &x->next, first, e) != 0 ||
                    vec_push(x->m, &w->number, 0, e) != 0))
        return (int)e->code;
    x->states = 1;
    x->level_size = 0;
    return 0;
}

/* What was met in this level is the next one; false when that is nothing. */
static bool next_level(explore *x, err *e)
{
    x->level_begin += x->level_size;
    x->level_size = x->states - x->level_begin;
    x->level_at = 0;
    explore_places done = x->level;
    x->level = x->next;
    x->next = done;
    x->next.count = 0;
    for (worker_id w = 0; w < x->workers && x->level_size > 0; w++) {
        explore_worker *k = &x->worker[w];
        if (vec_push(x->m, &k->level, vertex_store_count(k->store), e) != 0) return false;
    }
    return x->level_size > 0;
}

static void breadth_first(crew *threads, void *self)
{
    explore *x = self;
    err *e = &x->e;
    x->threads = threads;
    if (begin(x, e) != 0) return;
    for (uint64_t depth = 0; next_level(x, e); depth++) {
        x->counts.depth = depth;
        while (e->code == ERR_NONE && !x->found && x->level_at < x->level_size)
            round_of(x, e);
        if (e->code != ERR_NONE || x->found) break;
    }
}

int explore_run(explore *x, err *e)
{
    if (x->o.clock) progress_detail(x->o.clock, describe, x);
    if (x->o.order == EXPLORE_DFS) explore_depth_first(x, e);
    else crew_run(x->workers, breadth_first, x);
    if (x->e.code != ERR_NONE) err_set(e, x->e.code, "%s", x->e.text);
    count(x);
    count_labels(x);
    return (int)e->code;
}

int explore_take(explore *x, lts *out, err *e)
{
    return explore_rows_take(&x->rows, x->s->labels, out, e);
}
