/*
 * All states of a tiny world, breadth first: their keys in a row, numbered by a table of hashes.
 */
#include "tests/dtd_tiny.h"

#include "core/hash.h"

#include <stdlib.h>
#include <string.h>

typedef struct search {
    uint8_t *keys;
    uint32_t *slot; /* number of a state + 1, 0 = free */
    size_t bytes, count, most, mask, moves;
    const char *wrong;
} search;

static void meet(search *s, const uint8_t *key)
{
    size_t i = hash_bytes(key, s->bytes) & s->mask;
    for (; s->slot[i] != 0; i = (i + 1) & s->mask)
        if (memcmp(s->keys + (s->slot[i] - 1) * s->bytes, key, s->bytes) == 0) return;
    if (s->count == s->most) {
        s->wrong = "too many states";
        return;
    }
    memcpy(s->keys + s->count * s->bytes, key, s->bytes);
    s->slot[i] = (uint32_t)++s->count;
}

static void meet_move(void *self, dtd_tiny_label label, const uint8_t *key)
{
    search *s = self;
    s->moves++;
    if (label == DTD_TINY_EARLY || label == DTD_TINY_LATE || label == DTD_TINY_OVERFLOW)
        s->wrong = dtd_tiny_label_name(label);
    else if (label != DTD_TINY_DONE) meet(s, key);
}

const char *dtd_tiny_explore(const dtd_tiny_script *script, const dtd_class *c,
                             size_t most, size_t *states)
{
    uint8_t first[DTD_TINY_KEY], key[DTD_TINY_KEY];
    search s = { .bytes = dtd_tiny_begin(script, c, first), .most = most, .mask = 1 };
    while (s.mask < 2 * most) s.mask *= 2;
    s.keys = malloc(most * s.bytes);
    s.slot = calloc(s.mask, sizeof *s.slot);
    s.mask--;
    if (s.keys == NULL || s.slot == NULL) abort();
    meet(&s, first);
    for (size_t i = 0; i < s.count && s.wrong == NULL; i++) {
        s.moves = 0;
        memcpy(key, s.keys + i * s.bytes, s.bytes);
        dtd_tiny_moves(script, c, key, meet_move, &s);
        if (s.moves == 0) s.wrong = "deadlock";
    }
    *states = s.count;
    free(s.keys);
    free(s.slot);
    return s.wrong;
}
