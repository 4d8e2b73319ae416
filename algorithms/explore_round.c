/*
 * explore_round - what one worker does in the phases of a round; see explore.c.
 */
#include "algorithms/explore_parts.h"

#include <string.h>

/* ---- looking at a state ---------------------------------------------------------------------- */

int explore_moves(explore *x, explore_worker *w, explore_place p, err *e)
{
    if (model_moves_of(x->s, w->context, explore_key(x, p), &w->moves, e) != 0)
        return (int)e->code;
    model_moves_settle(&w->moves);
    return 0;
}

bool explore_count(const explore *x, explore_worker *w)
{
    const model_moves *o = &w->moves;
    bool found = o->count == 0 && x->o.stop_at_deadlock;
    w->tally.states++;
    w->tally.transitions += o->count;
    w->tally.deadlocks += o->count == 0;
    for (uint32_t i = 0; i < o->count; i++) {
        w->label_met[o->label[i]] = 1;
        found |= o->label[i] == x->o.stop_at_label;
    }
    return found;
}

/* ---- boxes ---------------------------------------------------------------------------------- */

void explore_box_release(const explore *x, explore_box *b)
{
    mem_put(x->m, b->key, (size_t)b->room * x->s->key_words * sizeof *b->key);
    mem_put(x->m, b->hash, b->room * sizeof *b->hash);
    mem_put(x->m, b->id, b->room * sizeof *b->id);
}

/* The numbers are the owner's to fill in later: nothing is lost with them. */
static int grow_box(const explore *x, explore_box *b, size_t want, err *e)
{
    size_t words = x->s->key_words, room = b->room == 0 ? 256 : b->room;
    while (room < want) room *= 2;
    if (room > UINT32_MAX) return err_set(e, ERR_LIMIT, "a state has 2^31 moves or more");
    explore_box more = { .count = b->count, .room = (uint32_t)room };
    more.key = mem_get_array(x->m, room * words, sizeof *b->key, e);
    more.hash = mem_get_array(x->m, room, sizeof *b->hash, e);
    more.id = mem_get_array(x->m, room, sizeof *b->id, e);
    if (e->code != ERR_NONE) {
        explore_box_release(x, &more);
        return (int)e->code;
    }
    if (b->count > 0) {
        memcpy(more.key, b->key, b->count * words * sizeof *b->key);
        memcpy(more.hash, b->hash, b->count * sizeof *b->hash);
    }
    explore_box_release(x, b);
    *b = more;
    return 0;
}

/* One owner: the whole row goes into one box. */
static int post_row(explore *x, explore_worker *w, err *e)
{
    const model_moves *o = &w->moves;
    explore_box *b = &w->box[0];
    if (b->room - b->count < o->count &&
        grow_box(x, b, (size_t)b->count + o->count, e) != 0)
        return (int)e->code;
    size_t words = x->s->key_words;
    if (o->count == 0) return 0;
    memcpy(b->key + b->count * words, o->key, o->count * words * sizeof *o->key);
    memcpy(b->hash + b->count, o->hash, o->count * sizeof *o->hash);
    b->count += o->count;
    return 0;
}

/* Most keys are short; for those a loop would cost more than the copy. */
static inline void copy_key(uint32_t *to, const uint32_t *from, uint32_t words)
{
    if (words == 1) *to = *from;
    else if (words == 2) memcpy(to, from, 2 * sizeof *to);
    else memcpy(to, from, words * sizeof *to);
}

static int post_moves(explore *x, explore_worker *w, err *e)
{
    const model_moves *o = &w->moves;
    uint32_t words = x->s->key_words;
    if (!x->own && vec_reserve(x->m, &w->owner, w->owner.count + o->count, e) != 0)
        return (int)e->code;
    for (uint32_t i = 0; i < o->count; i++) {
        worker_id owner = explore_owner(x, o->hash[i]);
        explore_box *b = &w->box[owner];
        if (b->count == b->room && grow_box(x, b, (size_t)b->count + 1, e) != 0)
            return (int)e->code;
        copy_key(b->key + (size_t)b->count * words, model_moves_key(o, i), words);
        b->hash[b->count++] = o->hash[i];
        if (!x->own) w->owner.at[w->owner.count++] = owner;
    }
    return 0;
}

static int note_row(explore *x, explore_worker *w, err *e)
{
    const model_moves *o = &w->moves;
    if (vec_push(x->m, &w->degree, o->count, e) != 0 ||
        vec_reserve(x->m, &w->label, w->label.count + o->count, e) != 0)
        return (int)e->code;
    if (o->count)
        memcpy(w->label.at + w->label.count, o->label, o->count * sizeof *o->label);
    w->label.count += o->count;
    return 0;
}

static int expand_state(explore *x, worker_id number, uint64_t i, err *e)
{
    explore_worker *w = &x->worker[number];
    explore_place here = x->own ? (explore_place){ number, (local_id)i } : x->level.at[i];
    if (explore_moves(x, w, here, e) != 0) return (int)e->code;
    if (explore_count(x, w)) w->found = i;
    w->round_moves += w->moves.count;
    if (x->o.keep && note_row(x, w, e) != 0) return (int)e->code;
    return x->workers == 1 ? post_row(x, w, e) : post_moves(x, w, e);
}

/* ---- taking a box --------------------------------------------------------------------------- */

/* Where the numbers of a box's keys go: back to who asks for them. */
static local_id *numbers_of(const explore *x, explore_worker *own, const explore_box *b)
{
    if (!x->own || x->workers == 1) return b->id;
    return vec_reserve(x->m, &own->id, b->count, &own->e) == 0 ? own->id.at : NULL;
}

static void take_box(const explore *x, explore_worker *own, explore_box *b)
{
    local_id *id = numbers_of(x, own, b);
    b->fresh = vertex_store_count(own->store);
    if (id) vertex_store_put_all(own->store, b->key, b->hash, b->count, id, &own->e);
    b->met = vertex_store_count(own->store) - b->fresh;
}

/* ---- phase 1: expand ------------------------------------------------------------------------ */

static void begin_share(const explore *x, explore_worker *w)
{
    for (worker_id o = 0; o < x->workers; o++) w->box[o].count = w->box[o].met = 0;
    w->label.count = w->owner.count = w->degree.count = 0;
    w->round_moves = 0;
    w->looked_to = w->begin;
    w->before = w->tally;
    w->found = UINT64_MAX;
}

void explore_drop(explore *x, worker_id number)
{
    explore_worker *w = &x->worker[number];
    w->tally = w->before;
    begin_share(x, w);
}

void explore_expand(void *self, worker_id number)
{
    explore *x = self;
    explore_worker *w = &x->worker[number];
    begin_share(x, w);
    while (w->looked_to < w->end && w->found == UINT64_MAX &&
           w->round_moves < EXPLORE_MOVES_MAX)
        if (expand_state(x, number, w->looked_to++, &w->e) != 0) return;
    if (x->own)
        take_box(x, w, &w->box[number]); /* no order to keep: nobody is waited for */
}

/* ---- phase 2: insert ------------------------------------------------------------------------ */

void explore_insert(void *self, worker_id number)
{
    explore *x = self;
    explore_worker *own = &x->worker[number];
    for (worker_id from = 0; from < x->sharing && own->e.code == ERR_NONE; from++) {
        explore_box *b = &x->worker[from].box[number];
        bool taken = x->own && from == number;
        if (b->count > 0 && !taken) take_box(x, own, b);
    }
    size_t keys = vertex_store_count(own->store);
    if (x->own || own->e.code != ERR_NONE) return;
    if (vec_reserve(x->m, &own->number, keys, &own->e) == 0) own->number.count = keys;
}

/* ---- walking over the moves of the round again ------------------------------------------------ */

static void rewind_boxes(const explore *x, explore_worker *w)
{
    for (worker_id o = 0; o < x->workers; o++) w->box[o].at = 0;
}

/* Where the next move leads: the j-th of a box is the j-th move to its owner. */
static inline explore_place next_target(const explore *x, explore_worker *w, uint64_t i)
{
    worker_id owner = x->workers == 1 ? 0 : w->owner.at[i];
    explore_box *b = &w->box[owner];
    return (explore_place){ owner, b->id[b->at++] };
}

/* ---- phase 3: number ------------------------------------------------------------------------ */

void explore_number(void *self, worker_id number)
{
    explore *x = self;
    explore_worker *w = &x->worker[number];
    uint64_t state = w->state_base, next_begin = x->level_begin + x->level_size;
    rewind_boxes(x, w);
    for (uint64_t i = 0; i < w->round_moves; i++) {
        explore_place to = next_target(x, w, i);
        if (to.local != w->box[to.owner].fresh) continue; /* known, or met before */
        w->box[to.owner].fresh++;
        x->next.at[state - next_begin] = to;
        x->worker[to.owner].number.at[to.local] = (state_id)state;
        state++;
    }
}

/* ---- phase 4: rows -------------------------------------------------------------------------- */

void explore_write_rows(void *self, worker_id number)
{
    explore *x = self;
    explore_worker *w = &x->worker[number];
    rewind_boxes(x, w);
    for (uint64_t i = 0; i < w->round_moves; i++) {
        explore_place to = next_target(x, w, i);
        state_id state =
            x->workers == 1 ? to.local : x->worker[to.owner].number.at[to.local];
        explore_rows_put(&x->rows, w->move_base + i, w->label.at[i], state);
    }
}
