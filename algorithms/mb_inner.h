/*
 * mb_inner.h - a worker from inside; for mb_*.c alone.
 *
 * Requests   A vertex that is expanded asks each successor for its value: an own one at once, others
 *            by a message.  Whoever is asked visits the vertex if nobody has, and answers when
 *            it is stable.  Within a block requests and answers are counted on the block's channel; between
 *            blocks the requester alone keeps account (`expected`).
 * Values     A vertex is stable by one successor with the absorbing value, by all with the neutral
 *            one, or passively: when its block's epoch has ended.
 * Parents    In a block of one operator that is asked for one vertex, only the value that absorbs
 *            travels, and only along the tree by which vertices were found.
 */
#ifndef BESPOKE_MB_INNER_H
#define BESPOKE_MB_INNER_H

#include "algorithms/dependencies.h"
#include "algorithms/frontier.h"
#include "algorithms/mb.h"
#include "algorithms/mb_callers.h"
#include "core/vec.h"

/* Bits of a vertex's status. */
enum {
    MB_SEEN = 1,
    MB_STABLE = 2,
    MB_TRUE = 4,
    MB_AND = 8,
    MB_COMPLETE =
        16, /* its row was looked at, and when nothing is pending it is neutral */
    MB_PASSIVE = 32,
    MB_WANTED = 64, /* a vertex of another block waits for it */
    MB_CHOSEN = 128 /* one successor gave the value */
};

/* Columns over local numbers; threads of a rank may share them, each touching its own. */
typedef struct mb_columns {
    uint8_t *status;
    uint32_t *pending; /* answers that are awaited; NULL: parents alone decide */
    uint32_t *waiting; /* head of own dependents in the worker's log */
    uint32_t *calling; /* head of others' */
    uint32_t
        *choice; /* who found it, then which successor gave the value: a reference; */
    uint16_t *chooser; /*   and whose; NULL where references tell */
} mb_columns;

/* Who asked: the requester's reference and its worker. */
typedef struct mb_request {
    uint32_t ref;
    worker_id from;
    vertex_id vertex; /* asked for, here */
} mb_request;

/* A value on its way up the tree. */
typedef struct mb_rise {
    vertex_id vertex;
    uint32_t parent; /* a reference */
    worker_id at;
} mb_rise;

typedef struct mb_block {
    uint32_t number;
    graph_block of;         /* sign, promise, range of local numbers */
    bool init;              /* the value of its sign */
    bool parents;           /* see above */
    bool closed;            /* asked for one vertex, and its epoch has ended */
    bool once;              /* asked for one vertex */
    bool taken;             /* batch policy: in this epoch */
    bool row_begun;         /* of the head of `search`; */
    bool row_inner;         /*   an edge of it stays in the block */
    vertex_id entry;        /* of a block asked for one vertex, if it is here */
    frontier search;        /* visited, not expanded */
    VEC(vertex_id) visited; /* where it is asked for several */
    size_t settled;         /* index into visited */
    VEC(vertex_id) fresh;   /* stable, to be told to dependents; from `told` on */
    size_t told;
    VEC(mb_rise) rising;
    VEC(mb_request) answers; /* to be sent: the vertex was stable */
    VEC(mb_request) put_off;
    uint64_t expected; /* requests to other blocks, not answered */
    uint32_t wanted;   /* unstable vertices that another block waits for */
} mb_block;

/* Kinds of messages, in the order of their declaration: per block, then these. */
enum { MB_EXPAND, MB_EVALUATE, MB_PER_BLOCK };
enum { MB_CROSS_EXPAND, MB_CROSS_EVALUATE, MB_STOP, MB_FURTHER };

enum { MB_VALUE = 1u << 31 }; /* in the first word of an answer */

typedef struct mb_worker {
    mb_session *session;
    const graph_part *part;
    const graph *g;
    comm *c;
    mem *m;
    mb_columns col;
    dependencies own;  /* waiting: names are local numbers */
    mb_callers others; /* calling */
    mb_block *block;
    uint32_t blocks;
    vertex_id root; /* here, or VERTEX_NONE */
    bool numbered;
    bool exhaustive, choices;
    bool over;         /* no more work: the root is stable, or all is done */
    worker_id stopped; /* workers that were told to stop */
    uint32_t finish;   /* sums that have ended */
    bool adding;
    uint64_t announced; /* which epochs have ended on worker 0, at the end */
    uint64_t seen, edges, cross_edges, stable;
    uint64_t steps;
    size_t expand_width, evaluate_width;
    graph_charge charge;
} mb_worker;

struct mb_session {
    mem *m;
    mb_options o;
    mb_problem p;
    mb_worker *worker; /* p.here */
    comm_report *report;
    mb_columns shared; /* of all of them, where they share */
    bool share;
    uint32_t kinds;
    comm_kind *kind;
    mb_result result; /* of the whole run, by the worker 0 or the first here */
    bool complete;    /* all have told theirs */
};

static inline uint32_t mb_kind(uint32_t block, uint32_t what)
{
    return MB_PER_BLOCK * block + what;
}

static inline uint32_t mb_kind_further(const mb_worker *w, uint32_t what)
{
    return w->blocks > 1 ? MB_PER_BLOCK * w->blocks + what : MB_PER_BLOCK;
}

static inline uint32_t mb_ref(const mb_worker *w, vertex_id local)
{
    return w->part->origin + local;
}

static inline bool mb_is_stable(const mb_worker *w, vertex_id v)
{
    return (w->col.status[v] & MB_STABLE) != 0;
}

static inline bool mb_value(const mb_worker *w, vertex_id v)
{
    return (w->col.status[v] & MB_TRUE) != 0;
}

/* The value that settles it at once. */
static inline bool mb_absorbing(const mb_worker *w, vertex_id v)
{
    return !(w->col.status[v] & MB_AND);
}

static inline bool mb_block_has(const mb_block *b, vertex_id local)
{
    return local - b->of.begin < b->of.end - b->of.begin;
}

static inline mb_block *mb_block_of(const mb_worker *w, vertex_id local)
{
    uint32_t k = 0;
    while (local >= w->block[k].of.end) k++;
    return &w->block[k];
}

/* Where a link leads: the owner, and a local number there (of a keyed part one of the block). */
typedef struct mb_place {
    worker_id owner;
    vertex_id local;
} mb_place;

static inline mb_place mb_place_of(const mb_worker *w, vertex_link to)
{
    const graph_part *p = w->part;
    if (!w->numbered)
        return to < p->share ? (mb_place){ w->part->self, to }
                             : (mb_place){ graph_part_owner(p, to), to - p->share };
    uint32_t rank = p->ranks == 1 ? 0 : graph_part_divide(to, p->share_inverse);
    vertex_id local = to - rank * p->share;
    uint32_t thread = p->threads == 1 ? 0 : graph_part_thread(p, local);
    return (mb_place){ rank * p->threads + thread, local };
}

/* A reference that came from a worker, as a local number there. */
static inline vertex_id mb_local_at(const mb_worker *w, worker_id from, uint32_t ref)
{
    return w->numbered ? ref - from / w->part->threads * w->part->share : ref;
}

/* ---- mb_values.c --------------------------------------------------------------------------- */

/** A vertex of a block is met for the first time.  0 or ERR_LIMIT. */
int mb_visit(mb_worker *w, mb_block *b, vertex_id v, err *e);

/** Successor `ref` of `by` gave its value to own vertex x, which had not applied it.  `cross`: it lies in
    another block.  0 or ERR_LIMIT. */
int mb_apply(mb_worker *w, vertex_id x, bool value, worker_id by, uint32_t ref,
             bool cross, err *e);

/** The row of x is done: neutral, if nothing is pending. */
int mb_complete(mb_worker *w, mb_block *b, vertex_id x, err *e);

/** A vertex of another block asks for one of block b here.  0 or ERR_LIMIT. */
int mb_ask(mb_worker *w, mb_block *b, const mb_request *r, err *e);

/** Take up again what was put off. */
int mb_release(mb_worker *w, mb_block *b, bool accept, err *e);

/** The epoch of a block has ended: what is visited and unstable has its value. */
int mb_end_epoch(mb_worker *w, mb_block *b, err *e);

/* ---- mb_expand.c, mb_spread.c: slices of work; COMM_STEP_FULL: kept its place -------------- */

comm_step mb_expand(mb_worker *w, mb_block *b, uint32_t *budget, err *e);
comm_step mb_spread(mb_worker *w, mb_block *b, uint32_t *budget, err *e);

static inline bool mb_has_values(const mb_block *b)
{
    return b->told < b->fresh.count || b->answers.count > 0 || b->rising.count > 0;
}

/* ---- mb_receive.c -------------------------------------------------------------------------- */

comm_handler mb_on_expand, mb_on_evaluate, mb_on_cross_expand, mb_on_cross_evaluate,
    mb_on_stop;

/* ---- mb_step.c ----------------------------------------------------------------------------- */

extern const comm_program mb_program;
int mb_announced(void *self, uint32_t channel, uint32_t epoch, err *e);

#endif
