/*
 * mb_data.h - what a worker keeps; for mb_*.c alone.
 *
 * Requests   A vertex that is expanded asks each successor for its value: an own one at once, others
 *            by a message.  Whoever is asked visits the vertex if nobody has, and answers when
 *            it is stable.  Within a block requests and answers are counted on the block's channel; between
 *            blocks the requester alone keeps account (`expected`).
 * Values     A vertex is stable by one successor with the absorbing value, by all with the neutral
 *            one, or passively: when its block's epoch has ended.
 * Parents    In a block of one operator that is asked for one vertex, only the value that absorbs
 *            travels, and only along the tree by which vertices were found.  If that one is the
 *            root and nobody asks why, it is told at once, and nobody keeps a parent.
 */
#ifndef BESPOKE_MB_DATA_H
#define BESPOKE_MB_DATA_H

#include "algorithms/dependencies.h"
#include "algorithms/frontier.h"
#include "algorithms/mb.h"
#include "algorithms/mb_callers.h"
#include "comm/comm_stats.h"
#include "core/vec.h"

/* Bits of a vertex's status. */
enum {
    MB_SEEN = 1,
    MB_STABLE = 2,
    MB_TRUE = 4,
    MB_ODD = 8, /* an or in a nu-block, an and in a mu-block */
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

/* Which local numbers are one's own, without a division where units and threads are powers of two. */
typedef struct mb_home {
    vertex_id origin, share; /* of the part */
    unsigned shift;
    uint32_t mask, thread;
    const graph_part *hard; /* to be asked; NULL: they are */
} mb_home;

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
    bool parents;           /* see above; */
    bool direct;            /*   no diagnostic is wanted: the root itself is told */
    bool closed;            /* asked for one vertex, and its epoch has ended */
    bool once;              /* asked for one vertex */
    bool taken;             /* batch policy: in this epoch */
    bool row_begun;         /* of the head of `search`; */
    graph_place place;      /*   where its stretch begins; */
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
    mb_home home;
    mb_columns col;
    dependencies own;  /* waiting: names are local numbers */
    mb_callers others; /* calling */
    mb_block *block;
    uint32_t blocks;
    uint32_t root_ref; /* at its owner */
    vertex_id root;    /* here, or VERTEX_NONE */
    bool numbered;
    bool exhaustive, choices;
    bool over;          /* no more work: the root is stable, or all is done */
    bool adding;        /* in the end: which epochs have ended */
    uint64_t announced; /* those of worker 0, as far as known */
    worker_id stopped;  /* workers that were told to stop */
    uint64_t seen, edges, cross_edges, stable;
    uint64_t steps;
    size_t evaluate_width;
    graph_charge charge;
    char apart[64]; /* from the next one, whose thread is another */
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
    comm_stats stats;
    bool value; /* of the root, when the run is over */
};

#endif
