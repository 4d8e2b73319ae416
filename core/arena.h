/*
 * arena.h - memory that dies together: bump allocation from chunks, freed in one go.
 * One thread at a time.  Blocks are aligned to 16 bytes and, fresh from a chunk, zero;
 * after arena_restore the same bytes may be handed out again with their old content.
 */
#ifndef BESPOKE_ARENA_H
#define BESPOKE_ARENA_H

#include "core/mem.h"

typedef struct arena_chunk arena_chunk;

typedef struct arena {
    mem *m;             /* borrowed: the account the chunks are taken from */
    arena_chunk *top;   /* owned; the chunk being filled, older ones behind it */
    size_t chunk_bytes; /* size of an ordinary chunk; larger blocks get their own */
} arena;

typedef struct arena_mark {
    arena_chunk *top;
    size_t used;
} arena_mark;

#define ARENA_INIT(account, bytes) ((arena){ .m = (account), .chunk_bytes = (bytes) })

/** `bytes` bytes, or NULL with ERR_LIMIT. */
void *arena_get(arena *a, size_t bytes, err *e);

/** Free everything; the arena is empty and usable again. */
void arena_release(arena *a);

/** Remember a moment, and later free all that was taken since. */
arena_mark arena_save(const arena *a);
void arena_restore(arena *a, arena_mark mark);

#endif
