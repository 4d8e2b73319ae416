/*
 * mb_walk - the proof of the root, walked by all workers at once.
 *
 * Idea       A vertex whose value is neutral for its operator keeps all successors: their owners
 *            are told.  One that a successor has settled keeps that one.  One that got an absorbing
 *            value passively keeps the first successor of its block that has this value: own ones
 *            are looked at, owners of others are asked, one after the other.  The owner of a
 *            successor that is kept alone tells worker 0, for it can name both: on other workers
 *            a number without a row is no name.
 * Invariant  A vertex is marked when it is put into `todo`, and put there once.  Handlers put orders
 *            and vertices into queues; steps send, and promise to send no more than RESERVE messages
 *            at a time.
 * The end    One channel counts all messages; it ends when nobody has anything to walk.
 * Cost       Each row of the proof once, one message per edge to another worker, one to worker 0
 *            per vertex and two per question; no memory but the queues.
 */
#include "algorithms/mb_gather.h"
#include "algorithms/mb_inner.h"

#include <string.h>

enum { STRETCH = 64, RESERVE = STRETCH + 2, SLICE = 64, RECORD_MAX = 16 };

/* Kinds of messages, in words: a wire form; a number of the receiver's, a wire form; a number of the
   sender's, a place, two wire forms; number and place again; one or two, two wire forms; a record. */
enum { TO, KEEP, TRY, NO, TOLD, ROW, KINDS };

/* After the run a bit that means nothing any more: it is in the proof. */
enum { MARKED = MB_WANTED };

typedef struct walk walk;

typedef struct walker {
    walk *all;
    mb_worker *w;
    uint32_t here;
    comm *c;
    VEC(vertex_id) todo; /* marked; those before `done` were walked */
    size_t done;
    bool rows_told, row_begun; /* of todo.at[done]; */
    uint32_t record;           /*   the next one, */
    graph_place place;         /*   and where its row goes on */
    VEC(uint32_t) orders;      /* KEEP, TRY and NO, with the sender; from `taken` on */
    size_t taken;
    uint64_t steps;
    bool over;
} walker;

struct walk {
    mb_session *s;
    const mb_reason_rows *rows; /* or NULL */
    mb_reason *told;            /* where worker 0 is */
    walker *walker;             /* of every worker here */
    comm_kind kind[KINDS];
};

static uint32_t words_of(const walk *x, uint32_t kind)
{
    uint32_t wire = x->s->p.part[0]->wire_words;
    uint32_t words[KINDS] = { wire, 1 + wire, 2 + 2 * wire, 2, 1 + 2 * wire, 1 };
    return kind == ROW && x->rows ? x->rows->words : words[kind];
}

/* ---- vertices ------------------------------------------------------------------------------ */

static int mark(walker *k, vertex_id v, err *e)
{
    uint8_t *status = &k->w->col.status[v];
    if (*status & MARKED) return 0;
    *status |= MARKED;
    return vec_push(k->w->m, &k->todo, v, e);
}

static bool holds(const walker *k, const mb_known *v)
{
    return v->stable && v->value == k->all->s->value;
}

static int no_reason(const walker *k, vertex_id v, err *e)
{
    char name[120];
    const graph *g = k->w->g;
    if (graph_trouble(g, e) != 0) return (int)e->code;
    g->class->name_of(g, v, name, sizeof name);
    return err_set(e, ERR_SYSTEM, "worker %u cannot say why %s has its value",
                   k->w->part->self, name);
}

/* The wire form of an own vertex, and of one in a row. */
static void name_own(const walker *k, vertex_id v, uint32_t *wire)
{
    if (k->w->numbered) *wire = graph_part_link(k->w->part, v);
    else k->w->part->class->wire(k->w->part, v, wire);
}

static void name_elsewhere(const walker *k, vertex_link to, uint32_t *wire)
{
    if (k->w->numbered) *wire = to;
    else k->w->part->class->pack(k->w->part, to, wire);
}

static int damaged(const walker *k, worker_id from, err *e)
{
    return err_set(e, ERR_SYSTEM, "worker %u: damaged message from worker %u",
                   k->w->part->self, from);
}

static int find_own(const walker *k, worker_id from, const uint32_t *wire, vertex_id *out,
                    err *e)
{
    const graph_part *p = k->w->part;
    if (!k->w->numbered)
        return p->class->unpack((graph_part *)(uintptr_t)p, wire,
                                p->wire_words * sizeof *wire, 1, out, e);
    *out = *wire - p->origin;
    return mb_is_home(&k->w->home, *out) ? 0 : damaged(k, from, e);
}

/* ---- messages ------------------------------------------------------------------------------ */

/* There is room: it was promised. */
static uint32_t *place(walker *k, worker_id to, uint32_t kind)
{
    return comm_place(k->c, to, kind, k->all->kind[kind].width);
}

/* Worker 0 is told of a vertex, and of what it keeps; NULL: all. */
static void tell(walker *k, const uint32_t *vertex, const uint32_t *choice)
{
    uint32_t wire = k->w->part->wire_words, *message = place(k, 0, TOLD);
    message[0] = choice != NULL;
    memcpy(message + 1, vertex, wire * sizeof *vertex);
    if (choice) memcpy(message + 1 + wire, choice, wire * sizeof *choice);
    else memset(message + 1 + wire, 0, wire * sizeof *vertex);
}

/* Own vertex z is what the vertex with this name keeps. */
static void keep_own(walker *k, const uint32_t *vertex, vertex_id z, err *e)
{
    uint32_t wire[GRAPH_PART_WIRE_MAX];
    name_own(k, z, wire);
    tell(k, vertex, wire);
    mark(k, z, e);
}

/* What settled v is kept. */
static void keep_chosen(walker *k, vertex_id v, const mb_known *known, err *e)
{
    uint32_t wire[GRAPH_PART_WIRE_MAX], *message;
    if (known->worker != k->w->part->self) {
        message = place(k, known->worker, KEEP);
        message[0] = known->vertex;
        name_own(k, v, message + 1);
        return;
    }
    name_own(k, v, wire);
    keep_own(k, wire, known->vertex, e);
}

/* Has the vertex elsewhere the value?  If not, go on behind it. */
static void ask(walker *k, vertex_id v, worker_id owner, vertex_link to, graph_place next)
{
    uint32_t *message = place(k, owner, TRY);
    message[0] = v;
    message[1] = next;
    name_own(k, v, message + 2);
    name_elsewhere(k, to, message + 2 + k->w->part->wire_words);
}

/* A successor of v's block that has its value, from a place in the row on.  True: one is found, or
   somebody is asked. */
static bool look_at(walker *k, vertex_id v, vertex_link to, graph_place next, err *e)
{
    mb_place at = mb_place_of(k->w, to);
    if (!mb_block_has(mb_block_of(k->w, v), at.local)) return false;
    if (at.owner != k->w->part->self) {
        ask(k, v, at.owner, to, next);
        return true;
    }
    mb_known z = mb_knows(k->all->s, k->here, at.local);
    if (!holds(k, &z)) return false;
    uint32_t wire[GRAPH_PART_WIRE_MAX];
    name_own(k, v, wire);
    keep_own(k, wire, at.local, e);
    return true;
}

static void search(walker *k, vertex_id v, graph_place at, err *e)
{
    while (at != GRAPH_ROW_END) {
        vertex_link to;
        graph_row row;
        graph_expand(k->w->g, v, at, &to, 1, &row);
        at = row.next;
        if (row.count > 0 && look_at(k, v, to, at, e)) return;
    }
    no_reason(k, v, e);
}

/* ---- walking ------------------------------------------------------------------------------- */

static void walk_to(walker *k, vertex_link to, err *e)
{
    mb_place at = mb_place_of(k->w, to);
    if (at.owner == k->w->part->self) mark(k, at.local, e);
    else name_elsewhere(k, to, place(k, at.owner, TO));
}

/* True: all records of v were sent. */
static bool tell_rows(walker *k, vertex_id v)
{
    const mb_reason_rows *rows = k->all->rows;
    uint32_t record[RECORD_MAX];
    for (int i = 0; rows && i < STRETCH; i++, k->record++) {
        if (!rows->next(rows->self, k->here, v, k->record, record)) return true;
        memcpy(place(k, 0, ROW), record, rows->words * sizeof *record);
    }
    return rows == NULL;
}

/* What the operator and the value say is kept; true: all successors are. */
static bool begin_row(walker *k, vertex_id v, graph_op op, err *e)
{
    uint32_t wire[GRAPH_PART_WIRE_MAX];
    mb_known known = mb_knows(k->all->s, k->here, v);
    k->row_begun = true;
    if (!holds(k, &known)) no_reason(k, v, e);
    else if (graph_absorbing(op) != known.value) {
        name_own(k, v, wire);
        tell(k, wire, NULL);
        return true;
    } else if (known.chosen) keep_chosen(k, v, &known, e);
    else search(k, v, GRAPH_ROW_BEGIN, e);
    return false;
}

/* True: the row is done. */
static bool walk_row(walker *k, vertex_id v, err *e)
{
    vertex_link to[STRETCH];
    graph_row row;
    graph_expand(k->w->g, v, k->place, to, STRETCH, &row);
    if (graph_trouble(k->w->g, e) != 0) return true;
    if (!k->row_begun && !begin_row(k, v, row.op, e)) return true;
    for (uint32_t i = 0; i < row.count && e->code == ERR_NONE; i++) walk_to(k, to[i], e);
    k->place = row.next;
    return k->place == GRAPH_ROW_END;
}

static void walk_on(walker *k, err *e)
{
    vertex_id v = k->todo.at[k->done];
    if (!k->rows_told) {
        k->rows_told = tell_rows(k, v);
        return;
    }
    if (!walk_row(k, v, e)) return;
    k->rows_told = k->row_begun = false;
    k->record = 0;
    k->place = GRAPH_ROW_BEGIN;
    if (++k->done == k->todo.count) k->done = k->todo.count = 0;
}

/* ---- orders -------------------------------------------------------------------------------- */

static void try_own(walker *k, worker_id from, const uint32_t *message, err *e)
{
    uint32_t wire = k->w->part->wire_words;
    vertex_id z;
    if (find_own(k, from, message + 2 + wire, &z, e) != 0) return;
    mb_known known = mb_knows(k->all->s, k->here, z);
    if (holds(k, &known)) keep_own(k, message + 2, z, e);
    else memcpy(place(k, from, NO), message, 2 * sizeof *message);
}

static void obey(walker *k, err *e)
{
    uint32_t *o = k->orders.at + k->taken, kind = o[0], from = o[1], *message = o + 2;
    k->taken += 2 + words_of(k->all, kind);
    if (kind != TRY && !mb_is_home(&k->w->home, message[0])) damaged(k, from, e);
    else if (kind == KEEP) keep_own(k, message + 1, message[0], e);
    else if (kind == TRY) try_own(k, from, message, e);
    else search(k, message[0], message[1], e);
    if (k->taken == k->orders.count) k->taken = k->orders.count = 0;
}

static int put_order(walker *k, uint32_t kind, worker_id from, const uint32_t *at,
                     size_t count, err *e)
{
    uint32_t words = words_of(k->all, kind);
    size_t more = count * (2 + words);
    if (vec_reserve(k->w->m, &k->orders, k->orders.count + more, e) != 0)
        return (int)e->code;
    for (size_t i = 0; i < count; i++, at += words) {
        uint32_t *o = k->orders.at + k->orders.count;
        o[0] = kind, o[1] = from;
        memcpy(o + 2, at, words * sizeof *at);
        k->orders.count += 2 + words;
    }
    return 0;
}

/* ---- what arrives -------------------------------------------------------------------------- */

static int on_to(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    walker *k = self;
    const uint32_t *at = messages;
    vertex_id v;
    for (; count > 0 && e->code == ERR_NONE; count--, at += k->w->part->wire_words)
        if (find_own(k, from, at, &v, e) == 0) mark(k, v, e);
    return (int)e->code;
}

static int on_keep(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    return put_order(self, KEEP, from, messages, count, e);
}

static int on_try(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    return put_order(self, TRY, from, messages, count, e);
}

static int on_no(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    return put_order(self, NO, from, messages, count, e);
}

static int on_told(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    walker *k = self;
    const uint32_t *at = messages;
    uint32_t wire = k->w->part->wire_words;
    (void)from;
    for (; count > 0 && e->code == ERR_NONE; count--, at += 1 + 2 * wire)
        mb_gather_put(k->all->told, at + 1, at[0] ? at + 1 + wire : NULL, e);
    return (int)e->code;
}

static int on_row(void *self, worker_id from, const void *messages, size_t count, err *e)
{
    walker *k = self;
    const mb_reason_rows *rows = k->all->rows;
    const uint32_t *at = messages;
    (void)from;
    for (; count > 0 && e->code == ERR_NONE; count--, at += rows->words)
        rows->take(rows->self, at, e);
    return (int)e->code;
}

/* ---- the program --------------------------------------------------------------------------- */

static int open_walker(void **self, comm *c, void *input, err *e)
{
    walk *x = input;
    uint32_t here = comm_self(c) - x->s->worker->part->self;
    walker *k = &x->walker[here];
    *self = k;
    *k = (walker){ .all = x, .w = &x->s->worker[here], .here = here, .c = c };
    return k->w->root == VERTEX_NONE ? 0 : mark(k, k->w->root, e);
}

static int look_round(walker *k, err *e)
{
    progress *clock = k->all->s->o.clock;
    if (k->w->part->self != 0) return progress_check(clock, e);
    return progress_tick(clock, mb_reason_count(k->all->told), e);
}

static comm_step work(walker *k, err *e)
{
    for (int i = 0; i < SLICE && e->code == ERR_NONE; i++) {
        bool orders = k->orders.count > 0;
        if (!orders && k->todo.count == 0) return COMM_STEP_IDLE;
        if (!comm_reserve(k->c, RESERVE)) return COMM_STEP_FULL;
        if (orders) obey(k, e);
        else walk_on(k, e);
    }
    return COMM_STEP_BUSY;
}

static comm_step step(void *self, comm *c, err *e)
{
    walker *k = self;
    if (k->over) return COMM_STEP_DONE;
    if (k->steps++ % 16 == 0 && look_round(k, e) != 0) return COMM_STEP_DONE;
    comm_step did = work(k, e);
    comm_work(c, SLICE);
    comm_tell(c, 0, did == COMM_STEP_IDLE, comm_self(c) == 0);
    return did;
}

static int announced(void *self, uint32_t channel, uint32_t epoch, err *e)
{
    walker *k = self;
    (void)channel, (void)epoch, (void)e;
    k->over = true;
    return 0;
}

static void close_walker(void *self)
{
    walker *k = self;
    if (k == NULL) return;
    vec_release(k->w->m, &k->todo);
    vec_release(k->w->m, &k->orders);
}

static const comm_program program = { open_walker, step, close_walker };

static void declare(walk *x)
{
    static const comm_kind kinds[KINDS] = {
        { "to", 0, 0, on_to }, { "keep", 0, 0, on_keep }, { "try", 0, 0, on_try },
        { "no", 0, 0, on_no }, { "told", 0, 0, on_told }, { "row", 0, 0, on_row },
    };
    for (uint32_t k = 0; k < KINDS; k++) {
        x->kind[k] = kinds[k];
        x->kind[k].width = words_of(x, k) * (uint32_t)sizeof(uint32_t);
    }
}

static comm_config configure(const walk *x)
{
    const mb_session *s = x->s;
    comm_config c = { .workers = s->p.part[0]->workers,
                      .ranks = s->p.ranks,
                      .kinds = x->kind,
                      .kind_count = KINDS,
                      .channels = 1,
                      .detector = s->o.detector,
                      .announced = announced,
                      .two_hops = s->o.two_hops };
    c.buffer_bytes = s->o.buffer_bytes ? comm_plan_least(&c) : comm_plan_ample(&c);
    if (c.buffer_bytes < s->o.buffer_bytes) c.buffer_bytes = s->o.buffer_bytes;
    return c;
}

int mb_reason_walk(mb_reason **out, mb_session *s, const mb_reason_rows *rows, err *e)
{
    walk x = { .s = s, .rows = rows };
    const graph_part *first = s->p.part[0];
    comm_net *net = NULL;
    declare(&x);
    comm_config config = configure(&x);
    x.walker = mem_get_array(s->m, s->p.here, sizeof *x.walker, e);
    if (first->self == 0 && e->code == ERR_NONE)
        mb_gather_open(&x.told, s->m, first->wire_words, s->value, e);
    if (comm_net_open(&net, &config, s->o.transport, s->o.transport_options, s->m, e) ==
        0)
        comm_run(net, &program, &x, NULL, e);
    comm_net_close(net);
    mem_put(s->m, x.walker, s->p.here * sizeof *x.walker);
    *out = x.told;
    if (e->code == ERR_NONE) return 0;
    mb_reason_close(x.told);
    *out = NULL;
    return (int)e->code;
}
