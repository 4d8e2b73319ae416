#include "core/mem.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* AddressSanitizer guards only what malloc hands out, so there everything does. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MEM_MALLOC_ONLY 1
#endif
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MEM_SHADOWED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define MEM_MALLOC_ONLY 1
#define MEM_SHADOWED    1
#elif defined(__SANITIZE_THREAD__)
#define MEM_SHADOWED 1
#endif
#ifndef MEM_MALLOC_ONLY
#define MEM_MALLOC_ONLY 0
#endif
#ifndef MEM_SHADOWED
#define MEM_SHADOWED 0 /* what is resident is ours, not a sanitizer's */
#endif

static bool is_huge(size_t bytes) { return !MEM_MALLOC_ONLY && bytes >= MEM_HUGE_FROM; }

static size_t whole_pages(size_t bytes)
{
    return (bytes + MEM_PAGE - 1) & ~(size_t)(MEM_PAGE - 1);
}

/* The memory was really there: only now it counts for the peak. */
static void raise_peak(mem *m, size_t now)
{
    size_t peak = atomic_load_explicit(&m->peak, memory_order_relaxed);
    while (now > peak && !atomic_compare_exchange_weak(&m->peak, &peak, now)) continue;
}

static double mib(size_t bytes) { return (double)bytes / (1 << 20); }

/* Enter `bytes` more into the account, `*sum` in all, or say why not. */
static int account(mem *m, size_t bytes, size_t *sum, err *e)
{
    size_t call = atomic_fetch_add(&m->calls, 1) + 1;
    if (call == m->fail_at)
        return err_set(e, ERR_LIMIT, "out of memory (as the test asked)");
    size_t now = atomic_fetch_add(&m->now, bytes) + bytes;
    if (m->limit != 0 && (now > m->limit || now < bytes)) {
        atomic_fetch_sub(&m->now, bytes);
        return err_set(e, ERR_LIMIT,
                       "memory limit of %.2f MiB reached: %.2f MiB in use, %.2f MiB more "
                       "wanted",
                       mib(m->limit), mib(now - bytes), mib(bytes));
    }
    *sum = now;
    return 0;
}

static void *fail(mem *m, size_t bytes, err *e)
{
    atomic_fetch_sub(&m->now, bytes);
    err_set(e, ERR_LIMIT, "out of memory: %.2f MiB more wanted", mib(bytes));
    return NULL;
}

/* Map `bytes` on a 2 MiB boundary: map more, cut off both ends. */
static void *map_aligned(size_t bytes)
{
    size_t size = whole_pages(bytes), span = size + MEM_HUGE_PAGE;
    if (span < bytes) return NULL;
    char *raw =
        mmap(NULL, span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (raw == MAP_FAILED) return NULL;
    size_t head = (size_t)(-(uintptr_t)raw & (MEM_HUGE_PAGE - 1));
    if (head != 0) munmap(raw, head);
    if (span - head - size != 0) munmap(raw + head + size, span - head - size);
    madvise(raw + head, size,
            MADV_HUGEPAGE); /* a wish: without huge pages all still works */
    return raw + head;
}

void *mem_get(mem *m, size_t bytes, err *e)
{
    size_t sum;
    if (account(m, bytes, &sum, e) != 0) return NULL;
    void *block = is_huge(bytes) ? map_aligned(bytes) : calloc(1, bytes ? bytes : 1);
    if (block == NULL) return fail(m, bytes, e);
    raise_peak(m, sum);
    return block;
}

void *mem_get_array(mem *m, size_t count, size_t size, err *e)
{
    size_t bytes;
    if (!__builtin_mul_overflow(count, size, &bytes)) return mem_get(m, bytes, e);
    err_set(e, ERR_LIMIT, "out of memory: %zu items of %zu bytes wanted", count, size);
    return NULL;
}

void mem_put(mem *m, void *block, size_t bytes)
{
    if (block == NULL) return;
    assert(atomic_load(&m->now) >= bytes);
    atomic_fetch_sub(&m->now, bytes);
    if (is_huge(bytes)) munmap(block, whole_pages(bytes));
    else free(block);
}

/* Libraries below MPI (UCX) put functions of their own in the place of mremap, and theirs forget
   where to: so the kernel is asked itself. */
static void *move_pages_to(void *place, void *block, size_t old_size, size_t size)
{
    long at =
        syscall(SYS_mremap, block, old_size, size, MREMAP_MAYMOVE | MREMAP_FIXED, place);
    return at == -1 ? NULL : (void *)(uintptr_t)at;
}

/* Both sizes are huge: move the pages, not the bytes, and keep the 2 MiB boundary. */
static void *remap(void *block, size_t old_bytes, size_t bytes)
{
    size_t old_size = whole_pages(old_bytes), size = whole_pages(bytes);
    if (size <= old_size) {
        if (size < old_size) munmap((char *)block + size, old_size - size);
        return block;
    }
    void *place = map_aligned(bytes);
    if (place == NULL) return NULL;
    if (move_pages_to(place, block, old_size, size) != place)
        return NULL; /* `place` may be unmapped already, and be somebody else's by now */
    madvise(place, size, MADV_HUGEPAGE);
    return place;
}

static void clear_tail(void *block, size_t old_bytes, size_t bytes)
{
    if (bytes > old_bytes) memset((char *)block + old_bytes, 0, bytes - old_bytes);
}

static void *resize_by_copy(mem *m, void *block, size_t old_bytes, size_t bytes, err *e)
{
    void *copy = mem_get(m, bytes, e);
    if (copy == NULL) return NULL;
    memcpy(copy, block, old_bytes < bytes ? old_bytes : bytes);
    mem_put(m, block, old_bytes);
    return copy;
}

static void *resize_in_kind(void *block, size_t old_bytes, size_t bytes)
{
    if (is_huge(bytes)) {
        clear_tail(block, old_bytes, whole_pages(old_bytes)); /* left by a shrink */
        return remap(block, old_bytes, bytes);
    }
    void *moved = realloc(block, bytes ? bytes : 1);
    if (moved) clear_tail(moved, old_bytes, bytes);
    return moved;
}

void *mem_resize(mem *m, void *block, size_t old_bytes, size_t bytes, err *e)
{
    if (block == NULL) return mem_get(m, bytes, e);
    if (is_huge(old_bytes) != is_huge(bytes))
        return resize_by_copy(m, block, old_bytes, bytes, e);
    size_t more = bytes > old_bytes ? bytes - old_bytes : 0, sum;
    if (account(m, more, &sum, e) != 0) return NULL;
    void *moved = resize_in_kind(block, old_bytes, bytes);
    if (moved == NULL) return fail(m, more, e);
    raise_peak(m, sum);
    if (bytes < old_bytes) atomic_fetch_sub(&m->now, old_bytes - bytes);
    return moved;
}

/* ---- address space ----------------------------------------------------------------------- */

/* The part of a stretch behind its beginning: who is small stays small, and what the last
   huge page has too much is a small part. */
static void wish_for_huge_pages(char *block, size_t stretches, size_t bytes)
{
    enum { STRETCHES_MAX = 64 }; /* of many stretches most are met here and there */
    if (bytes < MEM_DENSE_FROM + (size_t)MEM_HUGE_PAGE || stretches > STRETCHES_MAX)
        return;
    for (size_t i = 0; i < stretches; i++) {
        uintptr_t begin = (uintptr_t)block + i * bytes + MEM_DENSE_FROM;
        uintptr_t end = (uintptr_t)block + (i + 1) * bytes;
        begin = whole_pages(begin);
        end &= ~(uintptr_t)(MEM_PAGE - 1);
        if (begin < end) madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    }
}

/* At least a page, so that there is something to give back. */
static size_t reserved_bytes(size_t stretches, size_t bytes)
{
    size_t all;
    if (__builtin_mul_overflow(stretches, bytes, &all) || all > SIZE_MAX / 2) return 0;
    return all ? whole_pages(all) : whole_pages(1);
}

void *mem_reserve(mem *m, size_t stretches, size_t bytes, bool dense, err *e)
{
    size_t all = reserved_bytes(stretches, bytes), sum;
    if (account(m, 0, &sum, e) != 0) return NULL;
    char *block = MAP_FAILED;
    if (all != 0)
        block = mmap(NULL, all, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED) {
        err_set(e, ERR_LIMIT, "out of address space: %zu times %.2f MiB wanted",
                stretches, mib(bytes));
        return NULL;
    }
    madvise(block, all, MADV_NOHUGEPAGE);
    if (dense) wish_for_huge_pages(block, stretches, bytes);
    return block;
}

void mem_unreserve(void *block, size_t stretches, size_t bytes)
{
    if (block) munmap(block, reserved_bytes(stretches, bytes));
}

int mem_charge(mem *m, size_t bytes, err *e)
{
    size_t sum;
    if (account(m, bytes, &sum, e) != 0) return (int)e->code;
    raise_peak(m, sum);
    return 0;
}

void mem_discharge(mem *m, size_t bytes)
{
    assert(atomic_load(&m->now) >= bytes);
    atomic_fetch_sub(&m->now, bytes);
}

uint64_t mem_resident_anonymous(void)
{
    FILE *f = fopen("/proc/self/status", "re");
    if (f == NULL) return 0;
    char line[128];
    unsigned long long kib = 0;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "RssAnon: %llu kB", &kib) == 1) break;
    fclose(f);
    return (uint64_t)kib * 1024;
}

int mem_check_resident(mem *m, err *e)
{
    enum { PARTS = 32, OTHERS = 16 << 20 }; /* what libraries and stacks may take */
    size_t now = atomic_load(&m->now), seen = atomic_load(&m->seen);
    if (m->limit == 0 || MEM_SHADOWED) return 0;
    if (now >= seen && now - seen < m->limit / PARTS) return 0;
    atomic_store(&m->seen, now);
    uint64_t resident = mem_resident_anonymous();
    if (resident <= m->limit + m->limit / 4 + OTHERS) return 0;
    return err_set(e, ERR_LIMIT, "memory limit of %.2f MiB passed: %.2f MiB are resident",
                   mib(m->limit), mib(resident));
}
