#include "core/arena.h"

#include <stdalign.h>

struct arena_chunk {
    arena_chunk *older;
    size_t used, room; /* bytes of `data` */
    alignas(16) unsigned char data[];
};

static int add_chunk(arena *a, size_t at_least, err *e)
{
    size_t room =
        a->chunk_bytes > sizeof(arena_chunk) ? a->chunk_bytes - sizeof(arena_chunk) : 0;
    if (room < at_least) room = at_least;
    arena_chunk *c = mem_get(a->m, sizeof *c + room, e);
    if (c == NULL) return (int)e->code;
    c->older = a->top;
    c->room = room;
    a->top = c;
    return 0;
}

void *arena_get(arena *a, size_t bytes, err *e)
{
    size_t size = (bytes + 15) & ~(size_t)15;
    if (size < bytes || size > SIZE_MAX / 2) {
        err_set(e, ERR_LIMIT, "out of memory: %zu bytes wanted", bytes);
        return NULL;
    }
    if (a->top == NULL || a->top->room - a->top->used < size)
        if (add_chunk(a, size, e) != 0) return NULL;
    void *block = a->top->data + a->top->used;
    a->top->used += size;
    return block;
}

arena_mark arena_save(const arena *a)
{
    return (arena_mark){ a->top, a->top ? a->top->used : 0 };
}

void arena_restore(arena *a, arena_mark mark)
{
    while (a->top != mark.top) {
        arena_chunk *c = a->top;
        a->top = c->older;
        mem_put(a->m, c, sizeof *c + c->room);
    }
    if (a->top) a->top->used = mark.used;
}

void arena_release(arena *a) { arena_restore(a, (arena_mark){ NULL, 0 }); }
