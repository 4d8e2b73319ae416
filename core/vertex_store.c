/*
 * vertex_store - keys one behind the other, and a table of pieces that split.
 *
 * Idea       The first bits of a hash choose a piece through a directory, further bits a group
 *            of eight slots in it.  A slot has a tag of one byte, so that eight are compared
 *            in one word, and the number of a key.  A piece that is full to 7/8 is split in
 *            two by the next bit of the hash; when a piece is as deep as the directory, the
 *            directory doubles.  While there is only one piece it doubles instead, so that
 *            small sets are small.
 * Invariant  A piece of depth d holds the keys whose hashes begin with the same d bits, and
 *            2^(D-d) entries of the directory, of depth D, lead to it.  Slots are filled from
 *            the group of the hash on, and never emptied: the first free slot ends a search.
 * Cost       Five bytes per slot.  Splitting hashes the keys of one piece again, once per
 *            doubling of the set and key; their misses overlap.  Keys never move but in the first
 *            chunk, which doubles until it is a chunk like the others.
 * Source     R. Fagin et al., Extendible hashing, ACM TODS 4 (1979).
 */
#include "core/vertex_store.h"

#include "core/vec.h"

#include <assert.h>
#include <stdbool.h>

#include <string.h>

enum {
    GROUP = 8, /* slots compared at once */
    SLOTS_MIN = 64,
    SLOTS_MAX = 4096,            /* of a piece */
    POOL_PIECES = 64,            /* taken from the account at once, later */
    CHUNK_BYTES = MEM_HUGE_PAGE, /* of keys */
    FIRST_BYTES = 4096,          /* of keys, at first */
    NEAR = 6,
    FAR = 14 /* how far ahead put_all looks */
};

typedef struct piece {
    uint32_t *id;  /* per slot; valid where the tag is not 0 */
    uint8_t *tag;  /* per slot: 0 = free */
    uint32_t used; /* slots */
    uint32_t depth;
} piece;

/* Pieces of full size come from pools, which die with the store. */
typedef struct pool {
    char *at;
    size_t bytes;
} pool;

struct vertex_store {
    mem *m;
    uint32_t key_words;
    local_id count;
    unsigned chunk_bits;    /* log2 of keys per chunk */
    VEC(uint32_t *) chunks; /* of keys; the first one has room for `first_room` */
    size_t first_room;      /* keys */
    piece **directory;      /* owned; 2^depth entries */
    uint32_t depth;
    uint32_t slots; /* of every piece: SLOTS_MAX once there are several */
    piece small;    /* the only piece, while there is one */
    VEC(pool) pools;
    size_t pool_used;   /* pieces taken from the last pool */
    size_t pool_pieces; /* in the last pool */
    char *scratch;      /* owned; a piece while it is split */
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
    if (s->count < chunk_keys(s)) return s->count < s->first_room ? 0 : grow_first(s, e);
    if (s->count >> s->chunk_bits < s->chunks.count) return 0;
    if (s->count == VERTEX_STORE_MAX)
        return err_set(e, ERR_LIMIT, "more than 2^32 - 2 states");
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

static inline uint32_t group_of(const vertex_store *s, uint64_t hash)
{
    return (uint32_t)(hash >> 8) & (s->slots / GROUP - 1);
}

static inline piece *piece_of(const vertex_store *s, uint64_t hash)
{
    return s->directory[s->depth ? hash >> (64 - s->depth) : 0];
}

static inline uint64_t load_tags(const piece *p, uint32_t group)
{
    uint64_t tags;
    memcpy(&tags, p->tag + (size_t)group * GROUP, sizeof tags);
    return tags;
}

/* The top bit of every byte that is 0; a tag has its top bit set, so this is exact. */
static inline uint64_t free_slots(uint64_t tags) { return ~tags & EACH_TOP; }

/* The top bit of every byte that is the tag, and perhaps of one above it that is another tag:
   whoever looks compares the keys. */
static inline uint64_t slots_with(uint64_t tags, uint8_t tag)
{
    uint64_t zero = tags ^ (EACH_BYTE * tag);
    return (zero - EACH_BYTE) & ~zero & EACH_TOP;
}

/* Bytes of a word are counted from its low end, whatever the machine. */
static inline uint32_t first_slot(uint64_t bits, uint32_t group)
{
    uint32_t byte = (uint32_t)__builtin_ctzll(bits) / 8;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    byte = GROUP - 1 - byte;
#endif
    return group * GROUP + byte;
}

/* The slot of the key, or the free one where it belongs. */
static inline bool look_up(const vertex_store *s, const piece *p, const uint32_t *key,
                           uint64_t hash, uint32_t *slot)
{
    uint32_t group = group_of(s, hash), mask = s->slots / GROUP - 1;
    for (;; group = (group + 1) & mask) {
        uint64_t tags = load_tags(p, group);
        for (uint64_t hits = slots_with(tags, tag_of(hash)); hits; hits &= hits - 1) {
            *slot = first_slot(hits, group);
            if (is_key(s, p->id[*slot], key)) return true;
        }
        if (free_slots(tags)) {
            *slot = first_slot(free_slots(tags), group);
            return false;
        }
    }
}

/* Where a key belongs that is not there. */
static inline uint32_t free_slot(const vertex_store *s, const piece *p, uint64_t hash)
{
    uint32_t group = group_of(s, hash), mask = s->slots / GROUP - 1;
    uint64_t open = free_slots(load_tags(p, group));
    for (; open == 0; open = free_slots(load_tags(p, group))) group = (group + 1) & mask;
    return first_slot(open, group);
}

static inline void fill_slot(piece *p, uint32_t slot, uint64_t hash, local_id id)
{
    p->tag[slot] = tag_of(hash);
    p->id[slot] = id;
    p->used++;
}

static uint32_t most_used(const vertex_store *s) { return s->slots / 8 * 7; }

/* ---- pieces -------------------------------------------------------------------------------- */

static size_t slot_bytes(uint32_t slots) { return slots * (sizeof(uint32_t) + 1); }

/* A piece in a pool: its head, then its slots. */
enum { HEAD_BYTES = 64, PIECE_BYTES = HEAD_BYTES + SLOTS_MAX * 5 };
static_assert(sizeof(piece) <= HEAD_BYTES, "the head of a piece is one line");

static int add_pool(vertex_store *s, err *e)
{
    size_t pieces = s->pool_pieces < POOL_PIECES ? 2 * s->pool_pieces + 1 : POOL_PIECES;
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

static piece *new_piece(vertex_store *s, uint32_t depth, err *e)
{
    if (s->pool_used == s->pool_pieces && add_pool(s, e) != 0) return NULL;
    char *at = s->pools.at[s->pools.count - 1].at + s->pool_used++ * PIECE_BYTES;
    piece *p = (piece *)at;
    *p = (piece){ .id = (uint32_t *)(at + HEAD_BYTES), .depth = depth };
    p->tag = (uint8_t *)(p->id + SLOTS_MAX);
    return p;
}

/* Enter all keys of `from`, whose slots may be spoilt, anew: each into the piece its hash leads
   to now. */
static void deal_out(vertex_store *s, const piece *from, uint32_t slots)
{
    enum { AHEAD = 16 };
    local_id *id = from->id;
    uint32_t count = 0;
    for (uint32_t i = 0; i < slots; i++)
        if (from->tag[i] != 0) id[count++] = id[i];
    for (uint32_t i = 0; i < count; i++) {
        if (i + AHEAD < count) __builtin_prefetch(key_at(s, id[i + AHEAD]));
        uint64_t hash = vertex_store_hash(key_at(s, id[i]), s->key_words);
        piece *to = piece_of(s, hash);
        fill_slot(to, free_slot(s, to, hash), hash, id[i]);
    }
}

/* Move the slots of a piece to the scratch memory and make it empty. */
static piece set_aside(vertex_store *s, piece *p)
{
    piece old = *p;
    old.id = (uint32_t *)s->scratch;
    old.tag = (uint8_t *)(old.id + s->slots);
    memcpy(old.id, p->id, s->slots * sizeof *p->id);
    memcpy(old.tag, p->tag, s->slots);
    memset(p->tag, 0, s->slots);
    p->used = 0;
    return old;
}

static int double_directory(vertex_store *s, err *e)
{
    size_t entries = (size_t)1 << s->depth;
    piece **wider = mem_get_array(s->m, 2 * entries, sizeof *wider, e);
    if (wider == NULL) return (int)e->code;
    for (size_t i = 0; i < 2 * entries; i++) wider[i] = s->directory[i / 2];
    mem_put(s->m, s->directory, entries * sizeof *wider);
    s->directory = wider;
    s->depth++;
    return 0;
}

static int split(vertex_store *s, uint64_t hash, err *e)
{
    piece *p = piece_of(s, hash);
    if (p->depth == s->depth && double_directory(s, e) != 0) return (int)e->code;
    piece *right = new_piece(s, p->depth + 1, e);
    if (right == NULL) return (int)e->code;
    p->depth++;
    unsigned below = s->depth - p->depth; /* entries per half: 2^below */
    size_t begin = (hash >> (64 - s->depth)) >> (below + 1) << (below + 1);
    for (size_t i = 0; i < (size_t)1 << below; i++)
        s->directory[begin + ((size_t)1 << below) + i] = right;
    piece old = set_aside(s, p);
    deal_out(s, &old, s->slots);
    return 0;
}

/* The only piece becomes twice as large; at full size it moves into a pool. */
static int double_piece(vertex_store *s, err *e)
{
    piece old = s->small;
    uint32_t slots = s->slots, more = 2 * slots;
    piece *to = &s->small;
    if (more == SLOTS_MAX) {
        s->scratch = mem_get(s->m, slot_bytes(SLOTS_MAX), e);
        to = s->scratch ? new_piece(s, 0, e) : NULL;
        if (to == NULL) return (int)e->code;
    } else {
        uint32_t *id = mem_get(s->m, slot_bytes(more), e);
        if (id == NULL) return (int)e->code;
        *to = (piece){ .id = id, .tag = (uint8_t *)(id + more) };
    }
    s->directory[0] = to;
    s->slots = more;
    deal_out(s, &old, slots);
    mem_put(s->m, old.id, slot_bytes(slots));
    if (to != &s->small) s->small = (piece){ .id = NULL };
    return 0;
}

static int make_room(vertex_store *s, uint64_t hash, err *e)
{
    if (s->slots < SLOTS_MAX) return double_piece(s, e);
    do { /* all keys of a piece may begin with the same bits */
        if (piece_of(s, hash)->depth >= 40)
            return err_set(e, ERR_LIMIT, "too many keys with nearly the same hash");
        if (split(s, hash, e) != 0) return (int)e->code;
    } while (piece_of(s, hash)->used >= most_used(s));
    return 0;
}

/* ---- life ---------------------------------------------------------------------------------- */

static unsigned log2_below(size_t n) { return 63 - (unsigned)__builtin_clzll(n); }

int vertex_store_open(vertex_store **out, mem *m, uint32_t key_words, err *e)
{
    vertex_store *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    *s = (vertex_store){ .m = m, .key_words = key_words, .slots = SLOTS_MIN };
    s->chunk_bits = log2_below(CHUNK_BYTES / key_bytes(s, 1));
    s->directory = mem_get_array(m, 1, sizeof *s->directory, e);
    if (s->directory) s->small.id = mem_get(m, slot_bytes(SLOTS_MIN), e);
    if (e->code != ERR_NONE) {
        vertex_store_close(s);
        return (int)e->code;
    }
    s->small.tag = (uint8_t *)(s->small.id + SLOTS_MIN);
    s->directory[0] = &s->small;
    *out = s;
    return 0;
}

void vertex_store_close(vertex_store *s)
{
    if (s == NULL) return;
    mem *m = s->m;
    release_keys(s);
    mem_put(m, s->small.id, slot_bytes(s->slots));
    for (size_t i = 0; i < s->pools.count; i++)
        mem_put(m, s->pools.at[i].at, s->pools.at[i].bytes);
    vec_release(m, &s->pools);
    mem_put(m, s->scratch, slot_bytes(SLOTS_MAX));
    mem_put(m, s->directory, ((size_t)1 << s->depth) * sizeof *s->directory);
    mem_put(m, s, sizeof *s);
}

/* ---- asking and inserting ------------------------------------------------------------------ */

local_id vertex_store_find(const vertex_store *s, const uint32_t *key, uint64_t hash)
{
    uint32_t slot;
    const piece *p = piece_of(s, hash);
    return look_up(s, p, key, hash, &slot) ? p->id[slot] : UINT32_MAX;
}

static inline int put(vertex_store *s, const uint32_t *key, uint64_t hash, local_id *out,
                      err *e)
{
    uint32_t slot;
    piece *p = piece_of(s, hash);
    if (look_up(s, p, key, hash, &slot)) {
        *out = p->id[slot];
        return 0;
    }
    if (p->used >= most_used(s)) {
        if (make_room(s, hash, e) != 0) return (int)e->code;
        p = piece_of(s, hash);
        slot = free_slot(s, p, hash);
    }
    if (reserve_key(s, e) != 0) return (int)e->code;
    *out = s->count;
    uint32_t *own = key_at(s, s->count++);
    for (uint32_t i = 0; i < s->key_words; i++) own[i] = key[i];
    fill_slot(p, slot, hash, *out);
    return 0;
}

int vertex_store_put(vertex_store *s, const uint32_t *key, uint64_t hash, local_id *out,
                     err *e)
{
    return put(s, key, hash, out, e);
}

void vertex_store_fetch(const vertex_store *s, uint64_t hash)
{
    const piece *p = piece_of(s, hash);
    uint32_t group = group_of(s, hash);
    __builtin_prefetch(p->tag + (size_t)group * GROUP);
    __builtin_prefetch(p->id + (size_t)group * GROUP);
}

/* The tags are there by now: fetch the key that is probably the one. */
static inline void fetch_key(const vertex_store *s, uint64_t hash)
{
    const piece *p = piece_of(s, hash);
    uint32_t group = group_of(s, hash);
    uint64_t hits = slots_with(load_tags(p, group), tag_of(hash));
    if (hits == 0) return;
    __builtin_prefetch(key_at(s, p->id[first_slot(hits, group)]));
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
