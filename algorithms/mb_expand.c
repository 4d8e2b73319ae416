/*
 * mb_expand - vertices of a block ask their successors.
 *
 * Idea       Breadth-first, a row at a time, with the rows of the next vertices computed ahead and
 *            what is known of their own successors on its way.  Requests go to owners as they
 *            stand in the row; open successors of one's own are entered together.
 * Invariant  Where a buffer is full the place in the row is kept; every edge before it was
 *            asked once, none behind it.
 * Cost       An edge to an own vertex, a byte of status and, with dependencies, a word of log;
 *            one to another worker, a message of two words.
 */
#include "algorithms/mb_inner.h"

typedef enum { EDGE_OPEN, EDGE_DONE, EDGE_FULL } edge;

static inline void fetch_own(const mb_worker *w, const frontier_row *r)
{
    vertex_id origin = w->part->origin, share = w->part->share;
    for (uint32_t i = 0; i < r->row.count; i++) {
        vertex_id z = r->to[i] - origin;
        if (z >= share) continue;
        __builtin_prefetch(&w->col.status[z], 1);
        if (w->col.waiting) __builtin_prefetch(&w->col.waiting[z], 1);
    }
}

static inline frontier_row *load(const mb_worker *w, frontier *f)
{
    frontier_fetch_rows(f, w->g);
    for (frontier_row *r; (r = frontier_look_ahead(f, w->g));) fetch_own(w, r);
    return &f->ring[f->head % FRONTIER_RING];
}

/* ---- one edge ------------------------------------------------------------------------------- */

static inline bool send_request(mb_worker *w, const mb_place *at, uint32_t kind,
                                uint32_t ref, vertex_link to)
{
    uint32_t *message = comm_place(w->c, at->owner, kind, w->expand_width);
    if (message == NULL) return false;
    message[0] = ref;
    if (w->numbered) message[1] = to;
    else w->part->class->pack(w->part, to, message + 1);
    w->cross_edges++;
    return true;
}

/* To a vertex of a later block. */
static edge ask_cross(mb_worker *w, mb_block *b, vertex_id y, const mb_place *at,
                      vertex_link to, err *e)
{
    bool mine = at->owner == w->part->self;
    if (!mine &&
        !send_request(w, at, mb_kind_further(w, MB_CROSS_EXPAND), mb_ref(w, y), to))
        return EDGE_FULL;
    b->expected++;
    if (!mb_is_stable(w, y)) w->col.pending[y]++;
    if (!mine) return EDGE_DONE;
    mb_request r = { mb_ref(w, y), w->part->self, at->local };
    mb_ask(w, mb_block_of(w, at->local), &r, e);
    return EDGE_DONE;
}

/* To an own vertex of the block, which keeps one parent. */
static edge find_own(mb_worker *w, mb_block *b, vertex_id y, vertex_id z, err *e)
{
    uint8_t status = w->col.status[z];
    if (!(status & MB_SEEN)) {
        w->col.choice[z] = mb_ref(w, y);
        if (w->col.chooser) w->col.chooser[z] = (uint16_t)w->part->self;
        mb_visit(w, b, z, e);
    } else if (status & MB_STABLE && mb_value(w, z) != b->init) {
        mb_apply(w, y, mb_value(w, z), w->part->self, mb_ref(w, z), false, e);
    }
    return EDGE_DONE;
}

/* To one with dependencies: open if y must be entered as one. */
static edge ask_own(mb_worker *w, mb_block *b, vertex_id y, vertex_id z, err *e)
{
    uint8_t status = w->col.status[z];
    if (!(status & MB_SEEN)) mb_visit(w, b, z, e);
    if (!(status & MB_STABLE)) return mb_is_stable(w, y) ? EDGE_DONE : EDGE_OPEN;
    bool value = (status & MB_TRUE) != 0;
    if (value == mb_absorbing(w, y)) /* a neutral one is not waited for */
        mb_apply(w, y, value, w->part->self, mb_ref(w, z), false, e);
    return EDGE_DONE;
}

static edge ask_inner(mb_worker *w, mb_block *b, vertex_id y, const mb_place *at,
                      vertex_link to, err *e)
{
    if (at->owner == w->part->self)
        return b->parents ? find_own(w, b, y, at->local, e)
                          : ask_own(w, b, y, at->local, e);
    if (!send_request(w, at, mb_kind(b->number, MB_EXPAND), mb_ref(w, y), to))
        return EDGE_FULL;
    if (!b->parents && !mb_is_stable(w, y)) w->col.pending[y]++;
    return EDGE_DONE;
}

/* ---- a row ---------------------------------------------------------------------------------- */

static int enter_dependencies(mb_worker *w, vertex_id y, const vertex_id *open,
                              uint32_t count, err *e)
{
    if (count == 0 || mb_is_stable(w, y)) return (int)e->code;
    w->col.pending[y] += count;
    return dependencies_add(&w->own, open, count, 0, y, e);
}

/* The stretch that is loaded, from where it was left; true: to its end, or y needs no more. */
static bool ask_stretch(mb_worker *w, mb_block *b, vertex_id y, const frontier_row *r,
                        err *e)
{
    frontier *f = &b->search;
    vertex_id open[FRONTIER_ROOM];
    uint32_t opens = 0, begin = f->at, end = r->row.count;
    bool full = false;
    for (; f->at < end && !full && e->code == ERR_NONE && !w->over; f->at += !full) {
        if (mb_is_stable(w, y) && !w->exhaustive) break;
        mb_place at = mb_place_of(w, r->to[f->at]);
        bool inner = mb_block_has(b, at.local);
        b->row_inner |= inner;
        edge did = inner ? ask_inner(w, b, y, &at, r->to[f->at], e)
                         : ask_cross(w, b, y, &at, r->to[f->at], e);
        if (did == EDGE_OPEN) open[opens++] = at.local;
        full = did == EDGE_FULL;
    }
    w->edges += f->at - begin;
    enter_dependencies(w, y, open, opens, e);
    return !full;
}

static void begin_row(mb_worker *w, mb_block *b, vertex_id y, const frontier_row *r)
{
    if (b->row_begun) return;
    b->row_begun = true;
    b->row_inner = false;
    if (r->row.op == GRAPH_AND) w->col.status[y] |= MB_AND;
}

/* True: the row is done. */
static bool ask_row(mb_worker *w, mb_block *b, vertex_id y, err *e)
{
    frontier_row *r = load(w, &b->search);
    begin_row(w, b, y, r);
    do {
        if (!ask_stretch(w, b, y, r, e)) return false;
        if (e->code != ERR_NONE || w->over) return true;
        if (mb_is_stable(w, y) && !w->exhaustive) return true;
    } while (frontier_more(&b->search, w->g));
    if (!b->parents || !b->row_inner) mb_complete(w, b, y, e);
    return true;
}

comm_step mb_expand(mb_worker *w, mb_block *b, uint32_t *budget, err *e)
{
    frontier *f = &b->search;
    for (; *budget > 0 && !frontier_is_empty(f) && !mb_has_values(b); --*budget) {
        vertex_id y = frontier_get(f, f->head);
        if (frontier_reserve(f, w->m, e) != 0) return COMM_STEP_DONE;
        if (!ask_row(w, b, y, e)) return COMM_STEP_FULL;
        if (e->code != ERR_NONE || w->over) return COMM_STEP_DONE;
        b->row_begun = false;
        frontier_advance(f);
    }
    return COMM_STEP_BUSY;
}
