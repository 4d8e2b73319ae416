/*
 * vertex_store - keys one behind the other, and a table of pieces that split.
 *
 * Idea       The first bits of a hash choose a piece through a directory, further bits a bucket
 *            in it.  A bucket is one cache line: twelve tags of one byte, compared eight at a
 *            time in a word, and the numbers of twelve keys.  A piece that is full to 7/8 is
 *            split in two by the next bit of the hash; when a piece is as deep as the
 *            directory, the directory doubles.  While there is only one piece it doubles
 *            instead, so that small sets are small.
 * Invariant  A piece of depth d holds the keys whose hashes begin with the same d bits, and
 *            2^(D-d) entries of the directory, of depth D, lead to it.  Slots are filled from
 *            the bucket of the hash on, in order, and never emptied: the first free slot ends
 *            a search.
 * Cost       An insertion or a question waits for two lines: the bucket and the key.  Splitting
 *            hashes the keys of one piece again, once per doubling of the set and key; their
 *            misses overlap.  Keys never move but in the first chunk, which doubles until
 *            it is a chunk like the others.
 * Source     R. Fagin et al., Extendible hashing, ACM TODS 4 (1979).
 */
#include "core/vertex_store.h"

#include "core/vec.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

enum {
    SLOTS = 12,      /* of a bucket */
    BUCKETS_MIN = 4, /* of a piece */
    BUCKETS_MAX = 512,
    CHUNK_BYTES = MEM_HUGE_PAGE, /* of keys */
    FIRST_BYTES = 4096,          /* of keys, at first */
    NEAR = 6,                    /* how far ahead put_all looks */
    FAR = 14
};

typedef struct bucket {
    uint8_t tag[SLOTS]; /* 0 = free */
    uint32_t spare; /* of the first bucket of a piece: slots that are used in it; of the
                           second: its depth */
    local_id id[SLOTS]; /* valid where the tag is not 0 */
} bucket;
static_assert(sizeof(bucket) == 64, "a bucket is a cache line");

/* A piece is its buckets. */
typedef bucket *piece;

static inline uint32_t *used(piece p) { return &p[0].spare; }
static inline uint32_t *depth_of(piece p) { return &p[1].spare; }

/* Pieces of full size come from pools, which die with the store. */
enum {
    PIECE_BYTES = BUCKETS_MAX * sizeof(bucket),
    POOL_PIECES = MEM_HUGE_PAGE / PIECE_BYTES
};

typedef struct pool {
    char *at;
    size_t bytes;
} pool;

struct vertex_store {
    mem *m;
    uint32_t key_words;
    local_id count, most;
    unsigned chunk_bits;    /* log2 of keys per chunk */
    VEC(uint32_t *) chunks; /* of keys; the first one has room for `first_room` */
    size_t first_room;      /* keys */
    piece *directory;       /* owned; 2^depth entries */
    uint32_t depth;
    uint32_t buckets;   /* of every piece: BUCKETS_MAX once there are several */
    VEC(pool) pools;    /* while buckets < BUCKETS_MAX, the one piece is no pool's */
    size_t pool_used;   /* pieces taken from the last pool */
    size_t pool_pieces; /* in the last pool */
    piece scratch;      /* owned; a piece while it is split; NULL while there is one */
};

/* ---- keys ---------------------------------------------------------------------------------- */

static inline uint32_t *key_at(const vertex_store *s, local_id id)
{
    size_t in_chunk = id & ((1u << s->chunk_bits) - 1);
    return s->chunks.at[id >> s->chunk_bits] + in_chunk * s->key_words;
}

const uint32_t *vertex_store_key(const vertex_store *s, local_id id)
{
    return key_at(s, id);
}

local_id vertex_store_count(const vertex_store *s) { return s->count; }

static size_t key_bytes(const vertex_store *s, size_t keys)
{
    return keys * s->key_words * sizeof(uint32_t);
}

static size_t chunk_keys(const vertex_store *s) { return (size_t)1 << s->chunk_bits; }

static int grow_first(vertex_store *s, err *e)
{
    size_t keys = s->first_room ? 2 * s->first_room : FIRST_BYTES / key_bytes(s, 1);
    if (keys > chunk_keys(s)) keys = chunk_keys(s);
    if (s->chunks.count == 0 && vec_push(s->m, &s->chunks, NULL, e) != 0)
        return (int)e->code;
    uint32_t *moved = mem_resize(s->m, s->chunks.at[0], key_bytes(s, s->first_room),
                                 key_bytes(s, keys), e);
    if (moved == NULL) return (int)e->code;
    s->chunks.at[0] = moved;
    s->first_room = keys;
    return 0;
}

/* Room for the next key. */
static int reserve_key(vertex_store *s, err *e)
{
    if (s->count >= s->most)
        return err_set(e, ERR_LIMIT, "more than %u states; expected no more", s->most);
    if (s->count < chunk_keys(s)) return s->count < s->first_room ? 0 : grow_first(s, e);
    if (s->count >> s->chunk_bits < s->chunks.count) return 0;
    uint32_t *chunk = mem_get(s->m, key_bytes(s, chunk_keys(s)), e);
    if (chunk == NULL) return (int)e->code;
    if (vec_push(s->m, &s->chunks, chunk, e) == 0) return 0;
    mem_put(s->m, chunk, key_bytes(s, chunk_keys(s)));
    return (int)e->code;
}

static void release_keys(vertex_store *s)
{
    for (size_t i = 0; i < s->chunks.count; i++)
        mem_put(s->m, s->chunks.at[i], key_bytes(s, i ? chunk_keys(s) : s->first_room));
    vec_release(s->m, &s->chunks);
}

static inline bool is_key(const vertex_store *s, local_id id, const uint32_t *key)
{
    const uint32_t *have = key_at(s, id);
    uint32_t differ = 0;
    for (uint32_t i = 0; i < s->key_words; i++) differ |= have[i] ^ key[i];
    return differ == 0;
}

/* ---- slots --------------------------------------------------------------------------------- */

#define EACH_BYTE UINT64_C(0x0101010101010101)
#define EACH_TOP  UINT64_C(0x8080808080808080)

static inline uint8_t tag_of(uint64_t hash) { return (uint8_t)(hash | 0x80); }

static inline uint32_t bucket_of(const vertex_store *s, uint64_t hash)
{
    return (uint32_t)(hash >> 8) & (s->buckets - 1);
}

static inline piece piece_of(const vertex_store *s, uint64_t hash)
{
    return s->directory[s->depth ? hash >> (64 - s->depth) : 0];
}

/* Tags 0 to 7, or 8 to 11, the first in the lowest byte, whatever the machine. */
static inline uint64_t load_tags(const bucket *b, unsigned half)
{
    uint64_t tags = 0;
    if (half == 0) memcpy(&tags, b->tag, 8);
    else memcpy(&tags, b->tag + 8, 4);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    tags = __builtin_bswap64(tags);
#endif
    return tags;
}

static inline uint64_t half_mask(unsigned half)
{
    return half == 0 ? EACH_TOP : EACH_TOP & UINT32_MAX;
}

/* The top bit of every byte that is 0; a tag has its top bit set, so this is exact. */
static inline uint64_t free_slots(const bucket *b, unsigned half)
{
    return ~load_tags(b, half) & half_mask(half);
}

/* The top bit of every byte that is the tag, and perhaps of one above it that is another tag:
   whoever looks compares the keys. */
static inline uint64_t slots_with(const bucket *b, unsigned half, uint8_t tag)
{
    uint64_t zero = load_tags(b, half) ^ (EACH_BYTE * tag);
    return (zero - EACH_BYTE) & ~zero & half_mask(half);
}

static inline uint32_t first_slot(uint64_t bits, unsigned half)
{
    return 8 * half + (uint32_t)__builtin_ctzll(bits) / 8;
}

/* The slot of the key: true; or the free one where it belongs. */
static inline bool look_up(const vertex_store *s, piece p, const uint32_t *key,
                           uint64_t hash, bucket **at, uint32_t *slot)
{
    uint32_t mask = s->buckets - 1;
    for (uint32_t n = bucket_of(s, hash);; n = (n + 1) & mask) {
        *at = &p[n];
        for (unsigned half = 0; half < 2; half++) {
            uint64_t hits = slots_with(*at, half, tag_of(hash));
            for (; hits; hits &= hits - 1) {
                *slot = first_slot(hits, half);
                if (is_key(s, (*at)->id[*slot], key)) return true;
            }
            uint64_t open = free_slots(*at, half);
            if (open == 0) continue;
            *slot = first_slot(open, half);
            return false;
        }
    }
}

static inline void fill_slot(piece p, bucket *at, uint32_t slot, uint64_t hash,
                             local_id id)
{
    at->tag[slot] = tag_of(hash);
    at->id[slot] = id;
    ++*used(p);
}

/* Enter a key that is not there. */
static void enter(const vertex_store *s, uint64_t hash, local_id id)
{
    piece p = piece_of(s, hash);
    uint32_t mask = s->buckets - 1;
    for (uint32_t n = bucket_of(s, hash);; n = (n + 1) & mask)
        for (unsigned half = 0; half < 2; half++) {
            uint64_t open = free_slots(&p[n], half);
            if (open == 0) continue;
            fill_slot(p, &p[n], first_slot(open, half), hash, id);
            return;
        }
}

static uint32_t most_used(const vertex_store *s) { return s->buckets * SLOTS / 8 * 7; }

/* ---- pieces -------------------------------------------------------------------------------- */

static int add_pool(vertex_store *s, err *e)
{
    size_t pieces = s->pool_pieces == 0 ? 1 : 2 * s->pool_pieces;
    if (pieces > POOL_PIECES) pieces = POOL_PIECES;
    pool fresh = { .bytes = pieces * PIECE_BYTES };
    fresh.at = mem_get(s->m, fresh.bytes, e);
    if (fresh.at == NULL) return (int)e->code;
    if (vec_push(s->m, &s->pools, fresh, e) != 0) {
        mem_put(s->m, fresh.at, fresh.bytes);
        return (int)e->code;
    }
    s->pool_used = 0;
    s->pool_pieces = pieces;
    return 0;
}

static piece new_piece(vertex_store *s, err *e)
{
    if (s->pool_used == s->pool_pieces && add_pool(s, e) != 0) return NULL;
    return (piece)(s->pools.at[s->pools.count - 1].at + s->pool_used++ * PIECE_BYTES);
}

/* Enter all keys of `from`, which may be spoilt, anew: each into the piece its hash leads to
   now. */
static void deal_out(vertex_store *s, bucket *from, uint32_t buckets)
{
    enum { AHEAD = 16 };
    local_id *id = (local_id *)from;
    uint32_t count = 0;
    for (uint32_t n = 0; n < buckets; n++) {
        bucket b = from[n]; /* what is collected stands before it */
        for (uint32_t i = 0; i < SLOTS && b.tag[i] != 0; i++) id[count++] = b.id[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i + AHEAD < count) __builtin_prefetch(key_at(s, id[i + AHEAD]));
        enter(s, vertex_store_hash(key_at(s, id[i]), s->key_words), id[i]);
    }
}

static int double_directory(vertex_store *s, err *e)
{
    size_t entries = (size_t)1 << s->depth;
    piece *wider = mem_get_array(s->m, 2 * entries, sizeof *wider, e);
    if (wider == NULL) return (int)e->code;
    for (size_t i = 0; i < 2 * entries; i++) wider[i] = s->directory[i / 2];
    mem_put(s->m, s->directory, entries * sizeof *wider);
    s->directory = wider;
    s->depth++;
    return 0;
}

static int split(vertex_store *s, uint64_t hash, err *e)
{
    piece left = piece_of(s, hash);
    if (*depth_of(left) == s->depth && double_directory(s, e) != 0) return (int)e->code;
    piece right = new_piece(s, e);
    if (right == NULL) return (int)e->code;
    uint32_t depth = *depth_of(left) + 1;
    memcpy(s->scratch, left, PIECE_BYTES);
    memset(left, 0, PIECE_BYTES);
    *depth_of(left) = *depth_of(right) = depth;
    size_t half = (size_t)1 << (s->depth - depth); /* entries for each of the two */
    size_t begin = (hash >> (64 - s->depth)) / (2 * half) * (2 * half);
    for (size_t i = begin + half; i < begin + 2 * half; i++) s->directory[i] = right;
    deal_out(s, s->scratch, BUCKETS_MAX);
    return 0;
}

/* The only piece becomes twice as large; at full size it is one of a pool. */
static int double_piece(vertex_store *s, err *e)
{
    piece old = s->directory[0], wider;
    uint32_t buckets = s->buckets;
    if (2 * buckets < BUCKETS_MAX) {
        wider = mem_get_array(s->m, 2 * buckets, sizeof(bucket), e);
    } else {
        if (s->scratch == NULL) s->scratch = mem_get(s->m, PIECE_BYTES, e);
        wider = s->scratch ? new_piece(s, e) : NULL;
    }
    if (wider == NULL) return (int)e->code;
    s->directory[0] = wider;
    s->buckets = 2 * buckets;
    deal_out(s, old, buckets);
    mem_put(s->m, old, buckets * sizeof(bucket));
    return 0;
}

static int make_room(vertex_store *s, uint64_t hash, err *e)
{
    if (s->buckets < BUCKETS_MAX) return double_piece(s, e);
    do { /* all keys of a piece may begin with the same bits */
        if (*depth_of(piece_of(s, hash)) >= 40)
            return err_set(e, ERR_LIMIT, "too many keys with nearly the same hash");
        if (split(s, hash, e) != 0) return (int)e->code;
    } while (*used(piece_of(s, hash)) >= most_used(s));
    return 0;
}

/* ---- life ---------------------------------------------------------------------------------- */

static unsigned log2_below(size_t n) { return 63 - (unsigned)__builtin_clzll(n); }

int vertex_store_open(vertex_store **out, mem *m, uint32_t key_words, local_id most,
                      err *e)
{
    vertex_store *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    *s = (vertex_store){ .m = m, .key_words = key_words, .most = most };
    s->buckets = BUCKETS_MIN;
    s->chunk_bits = log2_below(CHUNK_BYTES / key_bytes(s, 1));
    s->directory = mem_get_array(m, 1, sizeof *s->directory, e);
    if (s->directory) s->directory[0] = mem_get_array(m, BUCKETS_MIN, sizeof(bucket), e);
    if (e->code == ERR_NONE) *out = s;
    else vertex_store_close(s);
    return (int)e->code;
}

void vertex_store_close(vertex_store *s)
{
    if (s == NULL) return;
    mem *m = s->m;
    release_keys(s);
    if (s->directory && s->buckets < BUCKETS_MAX)
        mem_put(m, s->directory[0], s->buckets * sizeof(bucket));
    for (size_t i = 0; i < s->pools.count; i++)
        mem_put(m, s->pools.at[i].at, s->pools.at[i].bytes);
    vec_release(m, &s->pools);
    mem_put(m, s->scratch, PIECE_BYTES);
    mem_put(m, s->directory, ((size_t)1 << s->depth) * sizeof *s->directory);
    mem_put(m, s, sizeof *s);
}

/* ---- asking and inserting ------------------------------------------------------------------ */

local_id vertex_store_find(const vertex_store *s, const uint32_t *key, uint64_t hash)
{
    bucket *at;
    uint32_t slot;
    return look_up(s, piece_of(s, hash), key, hash, &at, &slot) ? at->id[slot]
                                                                : UINT32_MAX;
}

/* The key is new: copy it and give it the next number. */
static int add(vertex_store *s, const uint32_t *key, uint64_t hash, bucket *at,
               uint32_t slot, err *e)
{
    if (reserve_key(s, e) != 0) return (int)e->code;
    uint32_t *own = key_at(s, s->count);
    for (uint32_t i = 0; i < s->key_words; i++) own[i] = key[i];
    piece p = piece_of(s, hash);
    if (*used(p) < most_used(s)) {
        fill_slot(p, at, slot, hash, s->count++);
        return 0;
    }
    if (make_room(s, hash, e) != 0) return (int)e->code;
    enter(s, hash, s->count++);
    return 0;
}

static inline int put(vertex_store *s, const uint32_t *key, uint64_t hash, local_id *out,
                      err *e)
{
    bucket *at;
    uint32_t slot;
    if (look_up(s, piece_of(s, hash), key, hash, &at, &slot)) {
        *out = at->id[slot];
        return 0;
    }
    *out = s->count;
    return add(s, key, hash, at, slot, e);
}

int vertex_store_put(vertex_store *s, const uint32_t *key, uint64_t hash, local_id *out,
                     err *e)
{
    return put(s, key, hash, out, e);
}

void vertex_store_fetch(const vertex_store *s, uint64_t hash)
{
    __builtin_prefetch(&piece_of(s, hash)[bucket_of(s, hash)]);
}

/* The bucket is there by now: fetch the key that is probably the one. */
static inline void fetch_key(const vertex_store *s, uint64_t hash)
{
    const bucket *b = &piece_of(s, hash)[bucket_of(s, hash)];
    uint64_t low = slots_with(b, 0, tag_of(hash)), high = slots_with(b, 1, tag_of(hash));
    if (low) __builtin_prefetch(key_at(s, b->id[first_slot(low, 0)]));
    else if (high) __builtin_prefetch(key_at(s, b->id[first_slot(high, 1)]));
}

int vertex_store_put_all(vertex_store *s, const uint32_t *keys, const uint64_t *hashes,
                         uint32_t count, local_id *out, err *e)
{
    for (uint32_t i = 0; i < count && i < FAR; i++) vertex_store_fetch(s, hashes[i]);
    for (uint32_t i = 0; i < count && i < NEAR; i++) fetch_key(s, hashes[i]);
    for (uint32_t i = 0; i < count; i++) {
        if (i + FAR < count) vertex_store_fetch(s, hashes[i + FAR]);
        if (i + NEAR < count) fetch_key(s, hashes[i + NEAR]);
        if (put(s, keys + (size_t)i * s->key_words, hashes[i], &out[i], e) != 0)
            return (int)e->code;
    }
    return 0;
}
