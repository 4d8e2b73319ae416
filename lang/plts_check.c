/*
 * plts_check - what makes a .plts trustworthy: checksums and content, piece by piece.
 *
 * Idea       One pass: a block of a piece is hashed and its numbers are compared with their
 *            bounds while it is in the cache.  All threads take pieces.
 * Invariant  After every piece was checked and the rows join at the pieces' ends, no index
 *            in the file can lead outside the arrays, whoever wrote it.
 * Cost       Reading the memory once.
 */
#include "core/hash.h"
#include "lang/plts.h"
#include "lang/plts_file.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>

enum { BLOCK = 32 * 1024 }; /* fits the first cache, divides PLTS_PIECE */

/* Is one of the numbers `limit` or more?  No branch inside: the loops become vectors. */
#define NONE_REACHES(name, type)                                               \
    static bool name(const type *at, size_t count, uint64_t limit)             \
    {                                                                          \
        type most = 0;                                                         \
        for (size_t i = 0; i < count; i++) most = at[i] > most ? at[i] : most; \
        return count == 0 || most < limit;                                     \
    }
NONE_REACHES(none_reaches_8, uint8_t)
NONE_REACHES(none_reaches_16, uint16_t)
NONE_REACHES(none_reaches_32, uint32_t)

static bool ascend(const uint64_t *at, size_t count)
{
    bool down = false;
    for (size_t i = 1; i < count; i++) down |= at[i] < at[i - 1];
    return !down;
}

static bool labels_fit(const plts_layout *l, const void *data, size_t bytes)
{
    if (l->label_bytes == 1) return none_reaches_8(data, bytes, l->labels);
    if (l->label_bytes == 2) return none_reaches_16(data, bytes / 2, l->labels);
    return none_reaches_32(data, bytes / 4, l->labels);
}

/* Are the numbers of this block possible?  `joint` = 8 bytes before it belong to it. */
static bool content_fits(const plts_layout *l, plts_section_id section, const void *data,
                         size_t bytes, size_t joint)
{
    switch (section) {
    case PLTS_FIRST:
        return ascend((const uint64_t *)data - joint, bytes / sizeof(uint64_t) + joint);
    case PLTS_TARGET:
        return none_reaches_32(data, bytes / sizeof(state_id), l->states);
    case PLTS_LABEL:
        return labels_fit(l, data, bytes);
    default:
        return true; /* NAMES are looked at one by one */
    }
}

static const char *const bad_content[] = {
    [PLTS_FIRST] = "has a row that ends before it begins",
    [PLTS_TARGET] = "has a target that is no state",
    [PLTS_LABEL] = "has a label without a name",
    [PLTS_NAMES] = "",
};

int plts_file_check(const plts_file *f, uint64_t piece, const void *data, err *e)
{
    plts_piece p = plts_layout_piece(&f->at, piece);
    XXH64_state_t sum;
    XXH64_reset(&sum, 0);
    bool fits = true;
    for (size_t done = 0, bytes; done < p.bytes; done += bytes) {
        bytes = p.bytes - done < BLOCK ? (size_t)p.bytes - done : BLOCK;
        const char *block = (const char *)data + done;
        XXH64_update(&sum, block, bytes);
        fits &= content_fits(&f->at, p.section, block, bytes, done > 0);
    }
    const char *name = plts_section_name(p.section);
    if (XXH64_digest(&sum) != f->sums[piece])
        return err_set(e, ERR_INPUT,
                       "%s: damaged: the %s section does not match its checksum (bytes "
                       "%" PRIu64 " to %" PRIu64 " of the file)",
                       f->path, name, p.offset, p.offset + p.bytes - 1);
    if (fits) return 0;
    return err_set(e, ERR_INPUT, "%s: damaged: the %s section %s", f->path, name,
                   bad_content[p.section]);
}

int plts_file_check_rows(const plts_file *f, const uint64_t *first, err *e)
{
    const size_t step = PLTS_PIECE / sizeof *first;
    bool ok = first[0] == 0 && first[f->at.states] == f->at.transitions;
    for (size_t i = step; i <= f->at.states; i += step) ok &= first[i - 1] <= first[i];
    if (ok) return 0;
    return err_set(e, ERR_INPUT,
                   "%s: damaged: the rows of the FIRST section do not add up to the "
                   "transitions",
                   f->path);
}

/* The failure of the first piece that has one, whichever thread found it. */
typedef struct failure {
    _Atomic uint64_t piece; /* UINT64_MAX = none */
    err what;               /* guarded by the critical section */
} failure;

static void note_failure(failure *first, uint64_t piece, const err *what)
{
#pragma omp critical(plts_failure)
    if (piece < atomic_load(&first->piece)) {
        atomic_store(&first->piece, piece);
        first->what = *what;
    }
}

int plts_file_each(const plts_file *f, const load_options *o,
                   int (*each)(void *context, uint64_t piece, err *e), void *context,
                   err *e)
{
    failure first = { .piece = UINT64_MAX, .what = ERR_INIT };
    uint64_t count = f->at.section[PLTS_NAMES].piece;
    _Atomic uint64_t bytes = 0;
    char what[PROGRESS_WHAT_BYTES];
    snprintf(what, sizeof what, "reading %s", f->path);
    progress_begin(o->clock, what, "bytes", count * PLTS_PIECE);
#pragma omp parallel for schedule(dynamic, 1) num_threads(load_options_threads(o))
    for (uint64_t piece = 0; piece < count; piece++) {
        if (piece > atomic_load_explicit(&first.piece, memory_order_relaxed)) continue;
        err mine = ERR_INIT;
        if (each(context, piece, &mine) != 0 ||
            progress_tick(o->clock, atomic_fetch_add(&bytes, PLTS_PIECE), &mine) != 0)
            note_failure(&first, piece, &mine);
    }
    progress_end(o->clock);
    if (first.what.code == ERR_NONE) return 0;
    return err_set(e, first.what.code, "%s", first.what.text);
}
