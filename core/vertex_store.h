/*
 * vertex_store.h - a set of keys of one width, numbered densely in the order of insertion.
 *
 * A key is 1 to 256 words of 32 bits.  One worker at a time inserts; while nobody does, any
 * number may read.  Keys stand one behind the other; beside them there is a table of 6.1 to
 * 12.2 bytes per key.  It grows piece by piece: no insertion moves more than one piece, so
 * nobody waits for long.
 *
 * Memory is what an insertion waits for, so whoever has many keys hashes them all, lets
 * the table fetch, and inserts later; vertex_store_put_all does that.
 */
#ifndef BESPOKE_VERTEX_STORE_H
#define BESPOKE_VERTEX_STORE_H

#include "core/hash.h"
#include "core/ids.h"
#include "core/mem.h"

#define VERTEX_STORE_MAX (UINT32_MAX - 1) /* keys */

typedef struct vertex_store vertex_store;

/** An empty set of keys of `key_words` words, for at most `most` of them.  0 or ERR_LIMIT. */
int vertex_store_open(vertex_store **out, mem *m, uint32_t key_words, local_id most,
                      err *e);
void vertex_store_close(vertex_store *s);

/** How many keys there are: also the number that the next new one gets. */
local_id vertex_store_count(const vertex_store *s);

/** The key with a number; it may move when another is inserted. */
const uint32_t *vertex_store_key(const vertex_store *s, local_id id);

/* The hash that all calls below want. */
static inline uint64_t vertex_store_hash(const uint32_t *key, uint32_t key_words)
{
    return hash_bytes(key, key_words * sizeof *key);
}

/** Soon a key with this hash will be asked for or inserted. */
void vertex_store_fetch(const vertex_store *s, uint64_t hash);

/** The number of a key, or UINT32_MAX. */
local_id vertex_store_find(const vertex_store *s, const uint32_t *key, uint64_t hash);

/** The number of a key, which is copied if it is new: then the number is the count before.
    0; ERR_LIMIT: memory, or as many keys are there as may be. */
int vertex_store_put(vertex_store *s, const uint32_t *key, uint64_t hash, local_id *out,
                     err *e);

/** The same for `count` keys one behind the other, in order, overlapping their misses. */
int vertex_store_put_all(vertex_store *s, const uint32_t *keys, const uint64_t *hashes,
                         uint32_t count, local_id *out, err *e);

#endif
