/*
 * vec.h - a growable array of one type, on an account of memory.
 *
 *     VEC(state_id) todo = { 0 };
 *     if (vec_push(m, &todo, s, e) != 0) return e->code;
 *     vec_release(m, &todo);
 *
 * `at[0 .. count-1]` are the items; `room` is what fits without growing.
 */
#ifndef BESPOKE_VEC_H
#define BESPOKE_VEC_H

#include "core/mem.h"

#define VEC(type)           \
    struct {                \
        type *at;           \
        size_t count, room; \
    }

/** Make room for `want` items in all; grows by a share, so that n pushes cost n.  0, or
    ERR_LIMIT. */
#define vec_reserve(m, v, want, e) \
    ((want) <= (v)->room           \
         ? (int)ERR_NONE           \
         : vec_reserve_bytes((m), &(v)->at, &(v)->room, (want), sizeof *(v)->at, (e)))

/** Append one item.  0, or ERR_LIMIT. */
#define vec_push(m, v, item, e)                      \
    (vec_reserve((m), (v), (v)->count + 1, (e)) != 0 \
         ? (int)(e)->code                            \
         : ((v)->at[(v)->count++] = (item), (int)ERR_NONE))

enum { VEC_TRIM_FROM = 4 * MEM_HUGE_FROM };

/** Give back memory of an array of VEC_TRIM_FROM bytes or more of which less than half is used. */
#define vec_trim(m, v)                                                         \
    ((v)->count < (v)->room / 2 && (v)->room > VEC_TRIM_FROM / sizeof *(v)->at \
         ? vec_trim_bytes((m), &(v)->at, &(v)->room, sizeof *(v)->at)          \
         : (void)0)

/** Free the array; the vec is empty and usable again. */
#define vec_release(m, v)                                                                \
    (mem_put((m), (v)->at, (v)->room * sizeof *(v)->at), (v)->at = NULL, (v)->count = 0, \
     (v)->room = 0, (void)0)

int vec_reserve_bytes(mem *m, void *at, size_t *room, size_t want, size_t item, err *e);
void vec_trim_bytes(mem *m, void *at, size_t *room, size_t item);

#endif
