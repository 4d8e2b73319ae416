/*
 * surrogate_write - the transitions of a surrogate, as a stream.
 * Idea       States are visited in the order of their numbers.  `next` is the least number
 *            not found yet: a tree transition leads to it and it moves on, every other one
 *            leads below it.  So a breadth-first search finds the states in the order of
 *            their numbers, and the levels are those of the plan.
 *            Other targets are mostly among the states found last, the neighbours of the
 *            state's own children: 13 of 16 within a level's width of `next`, denser near
 *            it (the cube of a random number); 2 of 16 within four widths; 1 anywhere.
 *            A hidden transition leads to a higher number; from the level of the first
 *            livelock on, one in 512 goes back, but never above that level.
 * Invariant  No state has the same label and target twice.  Cycles of hidden transitions lie
 *            in levels livelock_depth and deeper, or nowhere.
 * Cost       Per transition: four random words, a look at the others of its state, and the
 *            sink.  Memory for one state, the labels and the plan.
 */
#include "vlts_bench/label_dice.h"
#include "vlts_bench/surrogate_slots.h"

#include <assert.h>
#include <stdio.h>

enum { BACK_ONE_IN = 512, TICK_STATES = 1 << 12 };

typedef struct writer {
    surrogate_slots x;
    label_dice dice;
    mem *m;          /* borrowed */
    lts_sink *sink;  /* borrowed */
    label_id *label; /* owned; of the slots of the state at hand, branching_max */
    uint64_t *key;   /* owned; label and target of its transitions so far */
    uint32_t keys;   /*   */
    uint32_t most;   /* branching_max */
    label_id
        visible;    /* number of the first visible label: 0, or 1 behind the hidden one */
    bool distinct;  /* no label twice at a state */
    state_id width; /* states of the level at hand */
    state_id up,
        down; /* hidden transitions of the state so far, to higher and lower ones */
    uint64_t written; /* transitions so far */
} writer;

static int open_writer(writer *w, const surrogate_plan *p, lts_sink *sink, err *e)
{
    const manifest_facts *f = &p->sum.facts;
    *w = (writer){ .m = p->m, .sink = sink, .most = f->branching_max };
    w->visible = f->tau_transitions > 0;
    w->distinct = f->deterministic;
    if (surrogate_slots_open(&w->x, p, e) != 0) return (int)e->code;
    if (label_dice_open(&w->dice, p->m, p->visible, f->transitions - f->tau_transitions,
                        e) != 0)
        return (int)e->code;
    w->label = mem_get_array(w->m, w->most, sizeof *w->label, e);
    if (w->label) w->key = mem_get_array(w->m, w->most, sizeof *w->key, e);
    return (int)e->code;
}

static void close_writer(writer *w)
{
    mem_put(w->m, w->key, w->most * sizeof *w->key);
    mem_put(w->m, w->label, w->most * sizeof *w->label);
    if (w->dice.m) label_dice_close(&w->dice);
    surrogate_slots_close(&w->x);
}

/* Labels that are due come first, so that the thrown ones can keep clear of them. */
static void choose_distinct(writer *w, uint32_t degree)
{
    for (uint32_t j = 0; j < degree; j++) {
        w->label[j] = w->x.slot[j] & SLOT_TAU ? 0 : LABEL_DICE_NONE;
        if (w->x.slot[j] & SLOT_TAU) continue;
        uint32_t due = label_dice_due(&w->dice);
        if (due == LABEL_DICE_NONE) continue;
        label_dice_take(&w->dice, due);
        w->label[j] = w->visible + due;
    }
    for (uint32_t j = 0; j < degree; j++) {
        if (w->label[j] != LABEL_DICE_NONE) continue;
        uint32_t label = label_dice_throw_new(&w->dice, &w->x.chance);
        label_dice_take(&w->dice, label);
        w->label[j] = w->visible + label;
    }
    for (uint32_t j = 0; j < degree; j++)
        if (!(w->x.slot[j] & SLOT_TAU))
            label_dice_give_back(&w->dice, w->label[j] - w->visible);
}

static void choose_any(writer *w, uint32_t degree)
{
    uint32_t first = LABEL_DICE_NONE; /* visible slot, for a pair */
    bool first_due = false;
    for (uint32_t j = 0; j < degree; j++) {
        w->label[j] = 0;
        if (w->x.slot[j] & SLOT_TAU) continue;
        uint32_t due = label_dice_due(&w->dice);
        bool is_due = due != LABEL_DICE_NONE;
        w->label[j] =
            w->visible + (is_due ? due : label_dice_throw(&w->dice, &w->x.chance));
        if (!w->x.repeat) continue;
        if (first == LABEL_DICE_NONE) {
            first = j;
            first_due = is_due;
            continue;
        }
        assert(!(first_due && is_due)); /* they are due two apart at least */
        if (is_due) w->label[first] = w->label[j];
        else w->label[j] = w->label[first];
        w->x.repeat = false;
    }
}

static uint64_t key_of(label_id label, state_id target)
{
    return (uint64_t)label << 32 | target;
}

static bool is_taken(const writer *w, uint64_t key)
{
    bool found = false;
    for (uint32_t i = 0; i < w->keys; i++) found |= w->key[i] == key;
    return found;
}

/* How far below the states found last a target lies, less than `span`. */
static state_id draw_distance(writer *w, state_id span)
{
    uint64_t r = random_next(&w->x.chance), u = r >> 32, reach = w->width;
    unsigned kind = r & 15;
    if (kind < 13) u = (((u * u) >> 32) * u) >> 32;
    else reach = kind < 15 ? 4 * reach : span;
    if (reach > span) reach = span;
    return (state_id)((u * reach) >> 32);
}

/* From `t` downward, and round, the first target in low .. high-1 not yet taken. */
static state_id free_target(const writer *w, label_id label, state_id t, state_id low,
                            state_id high)
{
    if (w->distinct) return t;
    while (is_taken(w, key_of(label, t))) t = t > low ? t - 1 : high - 1;
    return t;
}

static state_id tau_target(writer *w, state_id s)
{
    surrogate_slots *x = &w->x;
    state_id higher = x->next - s - 1, lower = x->forward ? 0 : s - x->plan->free_from;
    bool back = w->down < lower && random_below(&x->chance, BACK_ONE_IN) == 0;
    if (w->up == higher) back = true;
    if (back) {
        assert(w->down < lower);
        w->down++;
        state_id t = x->plan->free_from + (state_id)random_below(&x->chance, lower);
        return free_target(w, 0, t, x->plan->free_from, s);
    }
    w->up++;
    return free_target(w, 0, x->next - 1 - draw_distance(w, higher), s + 1, x->next);
}

/* Any state found so far; where a label has been to all of them, the next label. */
static state_id visible_target(writer *w, label_id *label)
{
    state_id next = w->x.next, t = next - 1 - draw_distance(w, next);
    if (w->distinct) return t;
    for (uint32_t tries = 0; is_taken(w, key_of(*label, t)); tries++) {
        t = t > 0 ? t - 1 : next - 1;
        if (tries % next != next - 1) continue;
        *label = *label + 1 < w->visible + w->dice.labels ? *label + 1 : w->visible;
    }
    return t;
}

static int put(writer *w, state_id s, uint32_t j, err *e)
{
    unsigned slot = w->x.slot[j];
    label_id label = w->label[j];
    state_id target;
    if (slot & SLOT_TREE) {
        target = w->x.next++;
        w->up += (slot & SLOT_TAU) != 0;
    } else if (slot & SLOT_LOOP) {
        target = s;
    } else if (slot & SLOT_TAU) {
        target = tau_target(w, s);
    } else {
        target = visible_target(w, &label);
    }
    w->key[w->keys++] = key_of(label, target);
    return lts_sink_put(w->sink, s, label, target, e);
}

/* Where targets are scarce, a state's new states come first: the others may choose them. */
static int write_state(writer *w, state_id s, uint32_t degree, err *e)
{
    bool scarce = w->x.next - s - 1 < degree;
    w->keys = 0;
    w->up = w->down = 0;
    if (w->distinct) choose_distinct(w, degree);
    else choose_any(w, degree);
    for (uint32_t j = 0; j < degree && scarce; j++)
        if (w->x.slot[j] & SLOT_TREE && put(w, s, j, e) != 0) return (int)e->code;
    for (uint32_t j = 0; j < degree; j++)
        if (!(scarce && w->x.slot[j] & SLOT_TREE) && put(w, s, j, e) != 0)
            return (int)e->code;
    w->written += degree;
    return 0;
}

static int write_level(writer *w, uint32_t level, progress *clock, err *e)
{
    surrogate_slots_enter(&w->x, level);
    w->width = w->x.end - w->x.first;
    for (state_id s = w->x.first; s < w->x.end; s++) {
        uint32_t degree = surrogate_slots_draw(&w->x, s);
        if (degree > 0 && write_state(w, s, degree, e) != 0) return (int)e->code;
        if (s % TICK_STATES == 0 && progress_tick(clock, w->written, e) != 0)
            return (int)e->code;
    }
    return 0;
}

int surrogate_write(const surrogate_plan *p, lts_sink *sink, progress *clock, err *e)
{
    writer w;
    if (open_writer(&w, p, sink, e) == 0) {
        char what[PROGRESS_WHAT_BYTES];
        snprintf(what, sizeof what, "generating %s", p->sum.name);
        progress_begin(clock, what, "transitions", p->sum.facts.transitions);
        for (uint32_t l = 0; l < p->sum.levels && e->code == ERR_NONE; l++)
            write_level(&w, l, clock, e);
        progress_end(clock);
        assert(e->code != ERR_NONE ||
               (w.written == p->sum.facts.transitions && w.x.next == p->sum.reachable &&
                w.dice.due == w.dice.labels));
    }
    close_writer(&w);
    return (int)e->code;
}
