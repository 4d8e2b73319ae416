#include "core/vec.h"

#include <stdbool.h>
#include <string.h>

int vec_reserve_bytes(mem *m, void *at, size_t *room, size_t want, size_t item, err *e)
{
    if (want <= *room) return 0;
    /* Large blocks are moved page by page, not copied, and need not double. */
    bool moves = *room > MEM_HUGE_FROM / item;
    size_t wider = *room < 8 ? 8 : *room + (moves ? *room / 4 : *room), bytes;
    if (wider < want) wider = want;
    if (__builtin_mul_overflow(wider, item, &bytes))
        return err_set(e, ERR_LIMIT, "out of memory: %zu items of %zu bytes", want, item);
    void *block; /* `at` points to a pointer of the item's type: copied, not cast */
    memcpy(&block, at, sizeof block);
    block = mem_resize(m, block, *room * item, bytes, e);
    if (block == NULL) return (int)e->code;
    memcpy(at, &block, sizeof block);
    *room = wider;
    return 0;
}

/* A quarter; the blocks are large before and after, so pages are given back, none moved. */
void vec_trim_bytes(mem *m, void *at, size_t *room, size_t item)
{
    size_t narrower = *room - *room / 4;
    err e = ERR_INIT;
    void *block;
    memcpy(&block, at, sizeof block);
    block = mem_resize(m, block, *room * item, narrower * item, &e);
    if (block == NULL) return; /* then it stays */
    memcpy(at, &block, sizeof block);
    *room = narrower;
}
