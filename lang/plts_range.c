/*
 * plts_range - some states of a .plts, read alone.
 *
 * Idea   FIRST is the index: the entries lo .. hi say which part of the two other arrays is
 *        wanted.  Each wanted part is read with the whole pieces that hold it, because
 *        pieces are what can be verified; the rim that is not wanted is dropped.
 * Cost   The bytes of the range, at most two pieces more per array, and all labels.
 */
#include "lang/plts.h"
#include "lang/plts_file.h"

#include <string.h>

/* A part of one section: bytes from .. from + bytes - 1 of it. */
typedef struct part {
    plts_section_id section;
    uint64_t from, bytes;
    char *into;
} part;

/* Verify one piece in `scratch` and copy what the part wants of it. */
static int read_piece(const plts_file *f, const part *want, uint64_t piece, char *scratch,
                      err *e)
{
    plts_piece p = plts_layout_piece(&f->at, piece);
    if (plts_file_read(f, p.offset, scratch, (size_t)p.bytes, e) != 0 ||
        plts_file_check(f, piece, scratch, e) != 0)
        return (int)e->code;
    uint64_t end = want->from + want->bytes, p_end = p.start + p.bytes;
    uint64_t lo = want->from > p.start ? want->from : p.start;
    uint64_t hi = end < p_end ? end : p_end;
    memcpy(want->into + (lo - want->from), scratch + (lo - p.start), (size_t)(hi - lo));
    return 0;
}

static int read_part(const plts_file *f, const part *want, char *scratch, err *e)
{
    if (want->bytes == 0) return 0;
    uint64_t base = f->at.section[want->section].piece;
    uint64_t piece = base + want->from / PLTS_PIECE;
    uint64_t last = base + (want->from + want->bytes - 1) / PLTS_PIECE;
    for (; piece <= last; piece++)
        if (read_piece(f, want, piece, scratch, e) != 0) return (int)e->code;
    return 0;
}

static uint64_t range_transitions(const plts_range *r)
{
    return r->first ? r->first[r->hi - r->lo] - r->first[0] : 0;
}

/* Do the rows ascend, and stay inside the whole? */
static bool rows_fit(const plts_range *r, const uint64_t *first)
{
    size_t last = r->hi - r->lo;
    bool ok = first[last] <= r->transitions;
    for (size_t i = 0; i < last; i++) ok &= first[i] <= first[i + 1];
    if (r->lo == 0) ok &= first[0] == 0;
    if (r->hi == r->states) ok &= first[last] == r->transitions;
    return ok;
}

static int read_rows(plts_range *r, const plts_file *f, char *scratch, err *e)
{
    size_t count = (size_t)(r->hi - r->lo) + 1;
    uint64_t *first = mem_get_array(r->m, count, sizeof *first, e);
    if (first == NULL) return (int)e->code;
    part rows = { PLTS_FIRST, r->lo * sizeof *first, count * sizeof *first,
                  (char *)first };
    if (read_part(f, &rows, scratch, e) == 0 && rows_fit(r, first)) {
        r->first = first;
        return 0;
    }
    mem_put(r->m, first, count * sizeof *first);
    return err_set(e, ERR_INPUT,
                   "%s: damaged: the rows of the FIRST section do not add up", f->path);
}

static int read_arrays(plts_range *r, const plts_file *f, char *scratch, err *e)
{
    uint64_t from = r->first[0], count = range_transitions(r);
    r->target = mem_get_array(r->m, count, sizeof *r->target, e);
    if (r->target) r->label = mem_get_array(r->m, count, r->label_bytes, e);
    if (r->label == NULL) return (int)e->code;
    part targets = { PLTS_TARGET, from * sizeof *r->target, count * sizeof *r->target,
                     (char *)r->target };
    part labels = { PLTS_LABEL, from * r->label_bytes, count * r->label_bytes,
                    (char *)r->label };
    if (read_part(f, &targets, scratch, e) != 0) return (int)e->code;
    return read_part(f, &labels, scratch, e);
}

static int check_bounds(const plts_file *f, state_id lo, state_id hi, err *e)
{
    if (lo <= hi && hi <= f->at.states) return 0;
    return err_set(e, ERR_INPUT, "%s: has %u states, the range %u to %u was wanted",
                   f->path, (unsigned)f->at.states, lo, hi);
}

static int read_range(plts_range *r, plts_file *f, err *e)
{
    char *scratch = mem_get(r->m, PLTS_PIECE, e);
    if (scratch == NULL) return (int)e->code;
    if (read_rows(r, f, scratch, e) == 0 && read_arrays(r, f, scratch, e) == 0 &&
        plts_file_rename(f, &r->label, range_transitions(r), &r->label_bytes, 1, e) == 0)
        r->labels = plts_file_take_labels(f);
    mem_put(r->m, scratch, PLTS_PIECE);
    return (int)e->code;
}

int plts_range_read(plts_range *out, const char *path, state_id lo, state_id hi,
                    const load_options *o, err *e)
{
    plts_file f;
    plts_range r = { .m = o->m, .lo = lo, .hi = hi };
    if (plts_file_open(&f, path, o, e) == 0 && check_bounds(&f, lo, hi, e) == 0) {
        r.states = (state_id)f.at.states;
        r.initial = (state_id)f.at.initial;
        r.transitions = f.at.transitions;
        r.label_bytes = f.at.label_bytes;
        read_range(&r, &f, e);
    }
    plts_file_close(&f);
    if (e->code != ERR_NONE) plts_range_close(&r);
    *out = r;
    return (int)e->code;
}

void plts_range_close(plts_range *r)
{
    uint64_t count = range_transitions(r);
    label_table_close(r->labels);
    mem_put(r->m, r->label, count * r->label_bytes);
    mem_put(r->m, r->target, count * sizeof *r->target);
    mem_put(r->m, r->first, ((size_t)(r->hi - r->lo) + 1) * sizeof *r->first);
    *r = (plts_range){ .m = r->m };
}
