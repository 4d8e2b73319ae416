/*
 * state_space - numbers for the states of a model as they are met.
 *
 * Idea       A row is what the model says of the stored key, its targets put into the store in
 *            order.  Recent rows are kept, by state number, so that several questions about
 *            a state cost one row.  A row that will be wanted soon is computed ahead: its moves
 *            wait with their hashes, and what the store knows of them is on its way.
 * Shares     A key's owner is chosen by its hash, mixed once more: the store of each worker
 *            uses the bits of the hash itself.  A kept row has the keys of its targets with it.
 * Invariant  States are met where a row is asked for, or where others ask, and nowhere else, so
 *            that numbers do not depend on what was fetched or forgotten.  A kept row is its own
 *            for ever: its targets were met and keep their numbers.
 * Cost       A row is computed once, and again when it is asked for after ROWS others; long
 *            rows are kept one at a time.
 */
#include "core/state_space.h"

#include "core/vertex_store.h"

#include <assert.h>
#include <string.h>

enum {
    ROWS = 1024,           /* that are kept */
    ROW_LONG = 4096,       /* transitions; a longer row is not kept with the others */
    KEYS_LONG = 1 << 14,   /* words of keys: the same for a row that has them with it */
    AHEAD = 32,            /* rows that are computed ahead */
    AHEAD_WORDS = 1 << 16, /* of keys: more are not kept when they have been used */
    MOVES = 1 << 20,       /* generated between two looks at the clock */
    MEET = 128             /* states of others that are met at a time */
};

/* A row, while `owner` is not 0 that of state owner - 1. */
typedef struct kept_row {
    uint64_t owner;
    uint32_t count, room;
    uint32_t *label, *target; /* owned; room each */
    uint32_t *key;            /* owned, of all targets; where states are shared */
    worker_id *worker;        /* owned; of every target, likewise */
} kept_row;

/* The moves of a state, not yet met. */
typedef struct ahead_row {
    uint64_t owner; /* as above */
    model_moves moves;
} ahead_row;

struct state_space {
    const model *s;
    mem *m;
    const lts *rows; /* of an explicit one; then nothing below is used but met */
    state_space_limits limits;
    state_space_share share;
    state_id met;
    vertex_store *store;
    void *context;
    kept_row kept[ROWS], long_row;
    const kept_row *last; /* that was asked for */
    uint32_t *met_key;    /* owned; scratch for MEET keys, where states are shared */
    ahead_row ahead[AHEAD];
    uint64_t moves; /* since the last look at the clock */
    err trouble;
};

static inline bool is_shared(const state_space *p) { return p->share.workers > 1; }

static inline worker_id owner_of(const state_space *p, uint64_t hash)
{
    return hash_spread(hash_word(hash), p->share.workers);
}

worker_id state_space_owner(const state_space *p, const uint32_t *key)
{
    return owner_of(p, vertex_store_hash(key, p->s->key_words));
}

void state_space_copy_key(const state_space *p, state_id s, uint32_t *into)
{
    memcpy(into, vertex_store_key(p->store, s), p->s->key_words * sizeof *into);
}

static size_t key_bytes(const state_space *p, size_t keys)
{
    return keys * p->s->key_words * sizeof(uint32_t);
}

/* ---- life ---------------------------------------------------------------------------------- */

static void release_row(state_space *p, kept_row *k)
{
    mem_put(p->m, k->key, key_bytes(p, k->room));
    mem_put(p->m, k->worker, k->room * sizeof *k->worker);
    mem_put(p->m, k->label, k->room * sizeof *k->label);
    mem_put(p->m, k->target, k->room * sizeof *k->target);
    *k = (kept_row){ .owner = 0 };
}

void state_space_close(state_space *p)
{
    if (p == NULL) return;
    mem *m = p->m;
    for (int i = 0; i < ROWS; i++) release_row(p, &p->kept[i]);
    release_row(p, &p->long_row);
    for (int i = 0; i < AHEAD; i++)
        if (p->ahead[i].moves.m) model_moves_release(&p->ahead[i].moves);
    mem_put(m, p->met_key, key_bytes(p, MEET));
    model_context_close(p->s, p->context);
    vertex_store_close(p->store);
    mem_put(m, p, sizeof *p);
}

static int open_store(state_space *p, err *e)
{
    const model *s = p->s;
    local_id first;
    for (int i = 0; i < AHEAD; i++) p->ahead[i].moves = MODEL_MOVES_INIT(s);
    if (model_context_open(s, &p->context, e) != 0 ||
        vertex_store_open(&p->store, p->m, s->key_words, VERTEX_STORE_MAX, e) != 0)
        return (int)e->code;
    if (is_shared(p)) p->met_key = mem_get(p->m, key_bytes(p, MEET), e);
    if (is_shared(p) && p->met_key == NULL) return (int)e->code;
    uint64_t hash = vertex_store_hash(s->initial, s->key_words);
    if (owner_of(p, hash) != p->share.self) return 0;
    p->met = 1;
    return vertex_store_put(p->store, s->initial, hash, &first, e);
}

int state_space_open(state_space **out, const model *s, const state_space_limits *limits,
                     err *e)
{
    return state_space_open_share(out, s, limits, &(state_space_share){ .workers = 1 },
                                  e);
}

int state_space_open_share(state_space **out, const model *s,
                           const state_space_limits *limits,
                           const state_space_share *share, err *e)
{
    state_space *p = mem_get(s->m, sizeof *p, e);
    if (p == NULL) return (int)e->code;
    p->s = s, p->m = s->m, p->rows = s->rows, p->limits = *limits, p->share = *share;
    if (p->rows) p->met = p->rows->states;
    else open_store(p, e);
    if (e->code == ERR_NONE) *out = p;
    else state_space_close(p);
    return (int)e->code;
}

state_id state_space_initial(const state_space *p)
{
    return p->rows ? p->rows->initial : 0;
}

const state_id *state_space_met(const state_space *p) { return &p->met; }

const err *state_space_trouble(const state_space *p) { return &p->trouble; }

void state_space_print(const state_space *p, state_id s, char *into, size_t bytes)
{
    const uint32_t *key = p->rows ? &s : vertex_store_key(p->store, s);
    p->s->class->print(p->s, p->context, key, into, bytes);
}

/* Room for a row; what was there is lost. */
static int reserve_row(state_space *p, kept_row *k, uint32_t count, err *e)
{
    if (count <= k->room) return 0;
    release_row(p, k);
    k->label = mem_get_array(p->m, count, sizeof *k->label, e);
    k->target = mem_get_array(p->m, count, sizeof *k->target, e);
    if (is_shared(p)) {
        k->key = mem_get(p->m, key_bytes(p, count), e);
        k->worker = mem_get_array(p->m, count, sizeof *k->worker, e);
    }
    k->room = count;
    if (e->code != ERR_NONE) release_row(p, k);
    return (int)e->code;
}

/* ---- moves --------------------------------------------------------------------------------- */

static ahead_row *ahead_of(state_space *p, state_id s) { return &p->ahead[s % AHEAD]; }

/* The moves of a state and their hashes; what the store knows of them is fetched. */
static int generate(state_space *p, state_id s, err *e)
{
    ahead_row *a = ahead_of(p, s);
    const uint32_t *key = vertex_store_key(p->store, s);
    a->owner = 0; /* nobody is put into the store here, so the key stays where it is */
    if (p->moves >= MOVES && progress_check(p->limits.clock, e) != 0) return (int)e->code;
    if (p->moves >= MOVES) p->moves = 0;
    if (model_moves_of(p->s, p->context, key, &a->moves, e) != 0) return (int)e->code;
    p->moves += a->moves.count;
    model_moves_settle(&a->moves);
    for (uint32_t i = 0; i < a->moves.count; i++)
        if (!is_shared(p) || owner_of(p, a->moves.hash[i]) == p->share.self)
            vertex_store_fetch(p->store, a->moves.hash[i]);
    a->owner = s + UINT64_C(1);
    return 0;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* Are there too many states by now? */
static int check_states(const state_space *p, err *e)
{
    if (vertex_store_count(p->store) <= p->limits.states) return 0;
    return err_set(e, ERR_LIMIT,
                   "more than %u states; expected no more for this "
                   "question in this memory",
                   p->limits.states);
}

static int check_limits(const state_space *p, const kept_row *k, err *e)
{
    if (k->count > p->limits.transitions)
        return err_set(
            e, ERR_LIMIT,
            "a state has %u transitions; expected at most %u for this question", k->count,
            p->limits.transitions);
    return check_states(p, e);
}

/* Of the targets of a row only our own are met: their keys move to the front, their numbers from
   there to their places. */
static int meet_own(state_space *p, model_moves *o, kept_row *k, err *e)
{
    uint32_t own = 0, words = o->key_words;
    if (o->count > 0) memcpy(k->key, o->key, key_bytes(p, o->count));
    for (uint32_t i = 0; i < o->count; i++) {
        k->worker[i] = owner_of(p, o->hash[i]);
        if (k->worker[i] != p->share.self) continue;
        o->hash[own] = o->hash[i];
        memcpy(o->key + (size_t)own++ * words, k->key + (size_t)i * words,
               key_bytes(p, 1));
    }
    if (vertex_store_put_all(p->store, o->key, o->hash, own, k->target, e) != 0)
        return (int)e->code;
    for (uint32_t i = o->count; i-- > 0;)
        k->target[i] =
            k->worker[i] == p->share.self ? k->target[--own] : p->share.elsewhere + i;
    return 0;
}

static int meet_all(state_space *p, model_moves *o, kept_row *k, err *e)
{
    return vertex_store_put_all(p->store, o->key, o->hash, o->count, k->target, e);
}

/* From moves, which are spoilt, to a row; the states it leads to are met. */
static int meet(state_space *p, ahead_row *a, kept_row *k, err *e)
{
    model_moves *o = &a->moves;
    k->owner = 0;
    if (reserve_row(p, k, o->count, e) != 0) return (int)e->code;
    k->count = o->count;
    if (o->count > 0) memcpy(k->label, o->label, o->count * sizeof *k->label);
    if ((is_shared(p) ? meet_own(p, o, k, e) : meet_all(p, o, k, e)) != 0 ||
        check_limits(p, k, e) != 0)
        return (int)e->code;
    p->met = vertex_store_count(p->store);
    k->owner = a->owner;
    return 0;
}

static bool is_long(const state_space *p, const model_moves *o)
{
    if (is_shared(p) && (size_t)o->count * o->key_words > KEYS_LONG) return true;
    return o->count > ROW_LONG;
}

static kept_row *compute(state_space *p, state_id s)
{
    ahead_row *a = ahead_of(p, s);
    err *e = &p->trouble;
    if (a->owner != s + UINT64_C(1) && generate(p, s, e) != 0) return NULL;
    kept_row *k = is_long(p, &a->moves) ? &p->long_row : &p->kept[s % ROWS];
    int code = meet(p, a, k, e);
    a->owner = 0;
    if ((size_t)a->moves.room * a->moves.key_words > AHEAD_WORDS)
        model_moves_release(&a->moves);
    return code == 0 ? k : NULL;
}

static kept_row *find_row(state_space *p, state_id s)
{
    kept_row *k = &p->kept[s % ROWS];
    if (k->owner == s + UINT64_C(1)) return k;
    return p->long_row.owner == s + UINT64_C(1) ? &p->long_row : NULL;
}

lts_row state_space_row(state_space *p, state_id s)
{
    if (p->rows) return lts_row_of(p->rows, s);
    kept_row *k = p->trouble.code == ERR_NONE ? find_row(p, s) : NULL;
    if (k == NULL && p->trouble.code == ERR_NONE) k = compute(p, s);
    p->last = k;
    if (k == NULL) return (lts_row){ .label_bytes = sizeof(label_id) };
    return (lts_row){ k->target, k->label, sizeof(label_id), k->count };
}

const uint32_t *state_space_target_key(const state_space *p, uint32_t i)
{
    assert(i < p->last->count);
    return p->last->key + (size_t)i * p->s->key_words;
}

worker_id state_space_target_owner(const state_space *p, uint32_t i)
{
    assert(i < p->last->count);
    return p->last->worker[i];
}

/* What fails here fails again, aloud, when the row is asked for. */
void state_space_fetch(state_space *p, state_id s, int stage)
{
    if (p->rows || p->trouble.code != ERR_NONE || find_row(p, s)) return;
    if (stage == 0) {
        __builtin_prefetch(vertex_store_key(p->store, s));
        return;
    }
    err ignored;
    ignored.code = ERR_NONE; /* its text is long, and written when there is one */
    if (ahead_of(p, s)->owner != s + UINT64_C(1)) generate(p, s, &ignored);
}

/* ---- states of others ---------------------------------------------------------------------- */

/* At most MEET of them. */
static int meet_some(state_space *p, const char *keys, size_t stride, uint32_t count,
                     state_id *out, err *e)
{
    uint64_t hash[MEET];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *key = p->met_key + (size_t)i * p->s->key_words;
        memcpy(key, keys + i * stride, key_bytes(p, 1));
        hash[i] = vertex_store_hash(key, p->s->key_words);
        if (owner_of(p, hash[i]) != p->share.self)
            return err_set(e, ERR_SYSTEM,
                           "worker %u was sent a state of worker %u: damaged on its "
                           "way, or not the same program everywhere",
                           p->share.self, owner_of(p, hash[i]));
    }
    return vertex_store_put_all(p->store, p->met_key, hash, count, out, e);
}

int state_space_meet(state_space *p, const void *keys, size_t stride, uint32_t count,
                     state_id *out, err *e)
{
    const char *at = keys;
    assert(is_shared(p) || count == 0);
    for (uint32_t done = 0; done < count; done += MEET) {
        uint32_t some = count - done < MEET ? count - done : MEET;
        if (meet_some(p, at + done * stride, stride, some, out + done, e) != 0 ||
            check_states(p, e) != 0)
            return (int)e->code;
        p->met = vertex_store_count(p->store);
    }
    return 0;
}
