#include "vlts_bench/label_dice.h"

#include <assert.h>

enum { BITS_LEAST = 10, BITS_MOST = 18, FACES_PER_LABEL_BITS = 4, THROWS = 3 };

static size_t used_words(const label_dice *d) { return (size_t)d->labels / 64 + 1; }

static unsigned bits_for(uint32_t labels)
{
    unsigned bits = BITS_LEAST;
    while (bits < BITS_MOST && labels >> (bits - FACES_PER_LABEL_BITS)) bits++;
    return bits;
}

static uint64_t weight(uint32_t label) { return (UINT64_C(1) << 32) / (label + 4); }

/* Each label gets the faces between its shares of the sums before and after it. */
static void paint_faces(label_dice *d)
{
    uint32_t thrown = d->labels > 1 ? d->labels - 1 : 1;
    uint64_t all = 0, upto = 0, faces = UINT64_C(1) << d->bits, face = 0;
    for (uint32_t j = 0; j < thrown; j++) all += weight(j);
    for (uint32_t j = 0; j < thrown; j++) {
        upto += weight(j);
        uint64_t end = (uint64_t)((unsigned __int128)upto * faces / all);
        while (face < end) d->face[face++] = j;
    }
    assert(face == faces);
}

int label_dice_open(label_dice *d, mem *m, uint32_t labels, uint64_t transitions, err *e)
{
    assert(labels > 0 && labels <= transitions);
    *d = (label_dice){ .m = m, .labels = labels, .bits = bits_for(labels) };
    d->span =
        transitions / 4 < 2 * (uint64_t)labels ? 2 * (uint64_t)labels : transitions / 4;
    if (d->span > transitions) d->span = transitions;
    d->face = mem_get_array(m, (size_t)1 << d->bits, sizeof *d->face, e);
    if (d->face) d->used = mem_get_array(m, used_words(d), sizeof *d->used, e);
    if (d->used) paint_faces(d);
    else label_dice_close(d);
    return (int)e->code;
}

void label_dice_close(label_dice *d)
{
    mem_put(d->m, d->face, ((size_t)1 << d->bits) * sizeof *d->face);
    mem_put(d->m, d->used, used_words(d) * sizeof *d->used);
    *d = (label_dice){ .m = d->m };
}

static bool is_used(const label_dice *d, uint32_t label)
{
    return d->used[label / 64] >> (label % 64) & 1;
}

/* The first free label from `from` on, below `end`; or `end`. */
static uint32_t next_free(const label_dice *d, uint32_t from, uint32_t end)
{
    while (from < end) {
        uint64_t vacant = ~d->used[from / 64] >> (from % 64);
        if (vacant != 0) {
            uint32_t label = from + (uint32_t)__builtin_ctzll(vacant);
            return label < end ? label : end;
        }
        from = (from / 64 + 1) * 64;
    }
    return end;
}

uint32_t label_dice_throw_new(const label_dice *d, random_stream *chance)
{
    for (int i = 0; i < THROWS; i++) {
        uint32_t label = label_dice_throw(d, chance);
        if (!is_used(d, label)) return label;
    }
    uint32_t mark = d->labels - 1;
    if (mark == 0) return 0;
    uint32_t from = (uint32_t)random_below(chance, mark);
    uint32_t label = next_free(d, from, mark);
    if (label == mark) label = next_free(d, 0, mark);
    assert(!is_used(d, label));
    return label;
}
