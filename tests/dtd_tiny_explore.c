/*
 * All states of a tiny world, breadth first: their keys in a row, numbered by a table of hashes.
 * Then states without a move into them are taken away, again and again; what is left goes round.
 */
#include "tests/dtd_tiny.h"

#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    uint8_t *keys;
    uint32_t *slot;  /* number of a state + 1, 0 = free */
    uint32_t *into;  /* moves into it that were not taken away */
    uint32_t *ready; /* states without any, to be taken away */
    size_t bytes, count, most, mask, moves, ready_count;
    const char *wrong;
} search;

/* The slot of a key, or the free one where it belongs. */
static size_t look_up(const search *s, const uint8_t *key)
{
    size_t i = hash_bytes(key, s->bytes) & s->mask;
    while (s->slot[i] != 0 &&
           memcmp(s->keys + (s->slot[i] - 1) * s->bytes, key, s->bytes) != 0)
        i = (i + 1) & s->mask;
    return i;
}

static void meet(search *s, const uint8_t *key)
{
    size_t i = look_up(s, key);
    if (s->slot[i] == 0 && s->count == s->most) {
        s->wrong = "too many states";
        return;
    }
    if (s->slot[i] == 0) {
        memcpy(s->keys + s->count * s->bytes, key, s->bytes);
        s->slot[i] = (uint32_t)++s->count;
    }
    s->into[s->slot[i] - 1]++;
}

static void meet_move(void *self, dtd_tiny_label label, const uint8_t *key)
{
    search *s = self;
    s->moves++;
    if (label == DTD_TINY_EARLY || label == DTD_TINY_LATE || label == DTD_TINY_OVERFLOW)
        s->wrong = dtd_tiny_label_name(label);
    else if (label != DTD_TINY_DONE) meet(s, key);
}

static void drop_move(void *self, dtd_tiny_label label, const uint8_t *key)
{
    search *s = self;
    if (label == DTD_TINY_DONE) return;
    uint32_t n = s->slot[look_up(s, key)] - 1;
    if (--s->into[n] == 0) s->ready[s->ready_count++] = n;
}

/* A copy: what is met may lie where the key does. */
static void moves_of(search *s, const dtd_tiny_script *script, const dtd_class *c,
                     size_t n, dtd_tiny_emit *emit)
{
    uint8_t key[DTD_TINY_KEY];
    memcpy(key, s->keys + n * s->bytes, s->bytes);
    dtd_tiny_moves(script, c, key, emit, s);
}

static void search_all(search *s, const dtd_tiny_script *script, const dtd_class *c)
{
    for (size_t i = 0; i < s->count && s->wrong == NULL; i++) {
        s->moves = 0;
        moves_of(s, script, c, i, meet_move);
        if (s->moves == 0) s->wrong = "deadlock";
    }
    if (s->wrong) return;
    s->into[0]--;
    if (s->into[0] == 0) s->ready[s->ready_count++] = 0;
    for (size_t i = 0; i < s->ready_count; i++)
        moves_of(s, script, c, s->ready[i], drop_move);
    if (s->ready_count < s->count) s->wrong = "goes round for ever";
}

const char *dtd_tiny_explore(const dtd_tiny_script *script, const dtd_class *c,
                             size_t most, size_t *states)
{
    uint8_t first[DTD_TINY_KEY];
    search s = { .bytes = dtd_tiny_begin(script, c, first), .most = most, .mask = 1 };
    while (s.mask < 2 * most) s.mask *= 2;
    s.keys = malloc(most * s.bytes);
    s.slot = calloc(s.mask, sizeof *s.slot);
    s.into = calloc(most, sizeof *s.into);
    s.ready = calloc(most, sizeof *s.ready);
    s.mask--;
    if (!s.keys || !s.slot || !s.into || !s.ready) abort();
    meet(&s, first);
    search_all(&s, script, c);
    *states = s.count;
    free(s.keys);
    free(s.slot);
    free(s.into);
    free(s.ready);
    return s.wrong;
}
