/*
 * mem.h - all large memory of a run: huge pages, counted to the byte, under a limit.
 *
 * A `mem` is an account.  Everything taken from it is given back with its size, so that
 * `now` is exact and a leak shows as `now != 0` at the end.  Blocks of MEM_HUGE_FROM bytes
 * and more lie on 2 MiB boundaries and ask for huge pages (a plain search is twice as
 * fast on them); smaller ones come from malloc.  All memory is zero when it is handed out.
 *
 * Any thread may call; the counts are atomic, nothing else is shared.
 */
#ifndef BESPOKE_MEM_H
#define BESPOKE_MEM_H

#include "core/err.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MEM_PAGE = 1 << 12,
    MEM_HUGE_FROM = 1 << 20,
    MEM_HUGE_PAGE = 1 << 21,
    MEM_DENSE_FROM =
        1 << 23 /* bytes of a dense stretch before huge pages are wished for */
};

typedef struct mem {
    _Atomic size_t now;   /* bytes taken and not given back */
    _Atomic size_t peak;  /* largest `now` so far */
    _Atomic size_t calls; /* that took or wanted memory, so far */
    _Atomic size_t seen;  /* `now` when resident memory was last looked at */
    size_t limit;         /* `now` never exceeds it; 0 = no limit */
    size_t fail_at;       /* tests: the call with this number, from 1, fails; 0 = none */
} mem;

#define MEM_INIT ((mem){ .limit = 0 })

/**
 * Take `bytes` zeroed bytes.  Never NULL for bytes == 0 either.
 * Returns NULL and sets ERR_LIMIT when the limit or the machine is exhausted.
 */
void *mem_get(mem *m, size_t bytes, err *e);

/** The same for `count` items of `size` bytes, with the product checked. */
void *mem_get_array(mem *m, size_t count, size_t size, err *e);

/**
 * Change a block's size, moving it if need be; new bytes are zero.
 * On failure the old block stays as it was and NULL is returned.
 */
void *mem_resize(mem *m, void *block, size_t old_bytes, size_t bytes, err *e);

/** Give back a block of `bytes` bytes; NULL is accepted. */
void mem_put(mem *m, void *block, size_t bytes);

/* ---- columns of which only parts are used -------------------------------------------------

   Address space costs nothing until it is written to, so a column may be as long as numbers
   can be; what is written to is counted by whoever knows how much that is. */

/**
 * `stretches` stretches of `bytes` zeroed bytes, one behind the other, each used from its
 * beginning on, not accounted.  A byte that is written to costs its page.  `dense`: huge pages
 * are wished for behind the first MEM_DENSE_FROM bytes of a stretch, unless there are many
 * stretches; else they are declined, for a byte here and there would take 2 MiB.
 * Returns NULL and sets ERR_LIMIT when there is no such address space.
 */
void *mem_reserve(mem *m, size_t stretches, size_t bytes, bool dense, err *e);

/** Give it back; NULL is accepted. */
void mem_unreserve(void *block, size_t stretches, size_t bytes);

/** Count bytes that were not taken from here.  0, or ERR_LIMIT. */
int mem_charge(mem *m, size_t bytes, err *e);
void mem_discharge(mem *m, size_t bytes);

/* Anonymous resident memory of this process in bytes (RssAnon), 0 when unknown. */
uint64_t mem_resident_anonymous(void);

/**
 * A second net: is much more resident than the limit allows?  Looked at when the account has
 * grown by a part of the limit since the last time, so it may be asked often.
 * 0, or ERR_LIMIT.
 */
int mem_check_resident(mem *m, err *e);

#endif
