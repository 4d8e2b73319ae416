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
    const mb_home home = w->home;
    for (uint32_t i = 0; i < r->row.count; i++) {
        vertex_id z = r->to[i] - home.origin;
        if (!mb_is_home(&home, z)) continue;
        __builtin_prefetch(&w->col.status[z], 1);
        if (w->col.waiting) __builtin_prefetch(&w->col.waiting[z], 1);
    }
}

/* Links of a keyed part are those of the row that was expanded last, so none is computed ahead, and
   after a pause the stretch is expanded again; its model keeps recent rows. */
static frontier_row *load_keyed(const mb_worker *w, const mb_block *b, frontier *f)
{
    frontier_row *r = &f->ring[f->head % FRONTIER_RING];
    graph_expand(w->g, frontier_get(f, f->head), b->place, r->to, FRONTIER_ROOM, &r->row);
    f->ahead = f->head + 1;
    return r;
}

/* What will be written of the vertex some places behind. */
static inline void fetch_later(const mb_worker *w, const mb_block *b, const frontier *f)
{
    if (f->tail - f->head <= FRONTIER_FETCH_ROW) return;
    vertex_id y = frontier_get(f, f->head + FRONTIER_FETCH_ROW);
    __builtin_prefetch(&w->col.status[y]);
    if (!b->parents) __builtin_prefetch(&w->col.pending[y], 1);
}

static inline frontier_row *load(const mb_worker *w, mb_block *b)
{
    frontier *f = &b->search;
    frontier_fetch_rows(f, w->g);
    fetch_later(w, b, f);
    if (!w->numbered) return load_keyed(w, b, f);
    for (frontier_row *r; (r = frontier_look_ahead(f, w->g));) fetch_own(w, r);
    return &f->ring[f->head % FRONTIER_RING];
}

/* ---- one edge ------------------------------------------------------------------------------- */

/* `lead`: 1, and a reference goes before it, or 0. */
static inline bool send_request(mb_worker *w, const mb_place *at, uint32_t kind,
                                uint32_t lead, uint32_t ref, vertex_link to)
{
    uint32_t words = lead + w->part->wire_words;
    uint32_t *message = comm_place(w->c, at->owner, kind, words * sizeof *message);
    if (message == NULL) return false;
    if (lead) message[0] = ref;
    if (w->numbered) message[lead] = to;
    else w->part->class->pack(w->part, to, message + lead);
    w->cross_edges++;
    return true;
}

/* To a vertex of a later block. */
static edge ask_cross(mb_worker *w, mb_block *b, vertex_id y, const mb_place *at,
                      vertex_link to, err *e)
{
    bool mine = at->owner == w->part->self;
    if (!mine &&
        !send_request(w, at, mb_kind_further(w, MB_CROSS_EXPAND), 1, mb_ref(w, y), to))
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
        if (!b->direct) w->col.choice[z] = mb_ref(w, y);
        if (!b->direct && w->col.chooser) w->col.chooser[z] = (uint16_t)w->part->self;
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
    if (value == mb_absorbing(w, b, y)) /* a neutral one is not waited for */
        mb_apply(w, y, value, w->part->self, mb_ref(w, z), false, e);
    return EDGE_DONE;
}

static edge ask_inner(mb_worker *w, mb_block *b, vertex_id y, const mb_place *at,
                      vertex_link to, err *e)
{
    if (at->owner == w->part->self)
        return b->parents ? find_own(w, b, y, at->local, e)
                          : ask_own(w, b, y, at->local, e);
    if (!send_request(w, at, mb_kind(b->number, MB_EXPAND), mb_lead(b), mb_ref(w, y), to))
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

/* One edge, whatever it is. */
static edge ask_any(mb_worker *w, mb_block *b, vertex_id y, vertex_link to,
                    vertex_id *local, err *e)
{
    mb_place at = mb_place_of(w, to);
    bool inner = mb_block_has(b, at.local);
    b->row_inner |= inner;
    *local = at.local;
    return inner ? ask_inner(w, b, y, &at, to, e) : ask_cross(w, b, y, &at, to, e);
}

/* The usual edges without ado, as many as follow each other: to open vertices of the block, one's own
   or others'.  What a status may alias is in registers.  `lead` and `waits` are known where this
   is called. */
static inline uint32_t ask_usual(mb_worker *w, mb_block *b, vertex_id y, uint32_t at,
                                 const frontier_row *r, const uint32_t lead,
                                 const bool waits, vertex_id *open, uint32_t *opens)
{
    const mb_home home = w->home;
    uint8_t *restrict status = w->col.status;
    vertex_id *restrict choice = w->col.choice;
    frontier *f = &b->search;
    vertex_id *restrict queue = f->queue;
    const uint32_t ref = mb_ref(w, y), end = r->row.count, first = at;
    const vertex_id begin = b->of.begin, size = b->of.end - begin;
    const uint32_t kind = mb_kind(b->number, MB_EXPAND);
    size_t tail = f->tail, mask = f->room - 1;
    uint32_t sent = 0, n = *opens;
    for (; at < end; at++) {
        vertex_id z = r->to[at] - home.origin;
        if (!mb_is_home(&home, z)) {
            mb_place to = mb_place_of(w, r->to[at]);
            if (to.local - begin >= size) break;
            uint32_t *message =
                comm_place(w->c, to.owner, kind, (lead + 1) * sizeof *message);
            if (message == NULL) break;
            message[0] = ref;
            message[lead] = r->to[at];
            sent++;
            continue;
        }
        uint8_t is = status[z];
        if (z - begin >= size || is & MB_STABLE) break;
        if (!(is & MB_SEEN)) {
            status[z] = is | MB_SEEN;
            queue[tail++ & mask] = z;
            if (!waits && lead) choice[z] = ref;
        }
        if (waits) open[n++] = z;
    }
    w->seen += tail - f->tail;
    f->tail = tail;
    w->cross_edges += sent;
    if (waits && sent > 0) w->col.pending[y] += sent;
    b->row_inner |= at > first;
    *opens = n;
    return at;
}

static uint32_t ask_run(mb_worker *w, mb_block *b, vertex_id y, const frontier_row *r,
                        vertex_id *open, uint32_t *opens)
{
    uint32_t at = b->search.at;
    if (!b->parents) return ask_usual(w, b, y, at, r, 1, true, open, opens);
    if (b->direct) return ask_usual(w, b, y, at, r, 0, false, open, opens);
    return ask_usual(w, b, y, at, r, 1, false, open, opens);
}

/* The stretch that is loaded, from where it was left; true: to its end, or y needs no more. */
static bool ask_stretch(mb_worker *w, mb_block *b, vertex_id y, const frontier_row *r,
                        err *e)
{
    frontier *f = &b->search;
    vertex_id open[FRONTIER_ROOM], local;
    uint32_t opens = 0, begin = f->at, end = r->row.count;
    bool full = false, usual = b->once && w->numbered;
    if (frontier_reserve(f, w->m, e) != 0) return true;
    while (f->at < end && !full && e->code == ERR_NONE && !w->over) {
        if (mb_is_stable(w, y) && !w->exhaustive) break;
        if (usual) f->at = ask_run(w, b, y, r, open, &opens);
        if (f->at == end) break;
        edge did = ask_any(w, b, y, r->to[f->at], &local, e);
        if (did == EDGE_OPEN) open[opens++] = local;
        full = did == EDGE_FULL;
        f->at += !full;
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
    if ((r->row.op == GRAPH_AND) != b->init) w->col.status[y] |= MB_ODD;
}

/* True: the row is done. */
static bool ask_row(mb_worker *w, mb_block *b, vertex_id y, err *e)
{
    frontier_row *r = load(w, b);
    begin_row(w, b, y, r);
    do {
        if (!ask_stretch(w, b, y, r, e)) return false;
        if (e->code != ERR_NONE || w->over) return true;
        if (mb_is_stable(w, y) && !w->exhaustive) return true;
        b->place = r->row.next;
    } while (frontier_more(&b->search, w->g));
    if (!b->parents || !b->row_inner) mb_complete(w, b, y, e);
    return true;
}

comm_step mb_expand(mb_worker *w, mb_block *b, uint32_t *budget, err *e)
{
    frontier *f = &b->search;
    for (; *budget > 0 && !frontier_is_empty(f) && !mb_has_values(b); --*budget) {
        vertex_id y = frontier_get(f, f->head);
        if (!ask_row(w, b, y, e)) return COMM_STEP_FULL;
        if (e->code != ERR_NONE || w->over) return COMM_STEP_DONE;
        b->row_begun = false;
        b->place = GRAPH_ROW_BEGIN;
        frontier_advance(f);
    }
    return COMM_STEP_BUSY;
}
