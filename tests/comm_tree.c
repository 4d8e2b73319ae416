#include "tests/comm_tree.h"

#include "core/hash.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* A node is a number; what hangs below it follows from the number alone. */
typedef struct node {
    uint64_t id;
    uint32_t depth, epoch;
} node;

typedef struct forest {
    const tree_case *c;
    tree_board *board;                                     /* by the workers */
    tree_tally wanted[TREE_CHANNELS_MAX][TREE_EPOCHS_MAX]; /* by the loop */
} forest;

enum { CHILDREN = 3, DEPTH_MAX = 40 };

/* ---- the rule ----------------------------------------------------------------------------- */

static uint32_t child_count(const node *n)
{
    return n->depth >= DEPTH_MAX ? 0 : (uint32_t)(hash_word(n->id) % (CHILDREN + 1));
}

/* On average 1.5 children would never end: most branches are cut by the budget. */
static node child_of(const node *n, uint32_t i)
{
    return (node){ .id = hash_word(n->id * 4 + i + 1),
                   .depth = n->depth + 1 + (uint32_t)(hash_word(n->id + i) % 8),
                   .epoch = n->epoch };
}

static worker_id owner_of(const forest *f, const node *n)
{
    return (worker_id)(hash_word(n->id ^ 0x5bd1e995u) % f->c->workers);
}

/* Roots of an epoch that worker w plants. */
static uint32_t root_count(const forest *f, worker_id w, uint32_t channel, uint32_t epoch)
{
    uint64_t x = hash_word(f->c->seed + w * 1000 + channel * 100 + epoch);
    return x % 3 == 0 ? 1 + (uint32_t)((x >> 8) % (1 + f->c->size / f->c->workers)) : 0;
}

static node root_of(const forest *f, worker_id w, uint32_t channel, uint32_t epoch,
                    uint32_t i)
{
    uint64_t id =
        hash_word(f->c->seed ^ ((uint64_t)w << 40 | channel << 30 | epoch << 24 | i));
    return (node){ .id = id, .epoch = epoch };
}

static void enter(tree_tally *t, const node *n)
{
    t->nodes++;
    t->sum += hash_word(n->id + n->depth);
}

/* ---- one loop ----------------------------------------------------------------------------- */

typedef struct stack {
    node *at;
    size_t count, room;
} stack;

static void push(stack *s, node n)
{
    if (s->count == s->room)
        s->at = realloc(s->at, (s->room = 2 * s->room + 64) * sizeof n);
    s->at[s->count++] = n;
}

static void grow_alone(forest *f, uint32_t channel, uint32_t epoch)
{
    stack s = { 0 };
    for (worker_id w = 0; w < f->c->workers; w++)
        for (uint32_t i = 0; i < root_count(f, w, channel, epoch); i++)
            push(&s, root_of(f, w, channel, epoch, i));
    while (s.count > 0) {
        node n = s.at[--s.count];
        enter(&f->wanted[channel][epoch], &n);
        for (uint32_t i = 0; i < child_count(&n); i++) push(&s, child_of(&n, i));
    }
    free(s.at);
}

/* ---- a worker ----------------------------------------------------------------------------- */

typedef struct gardener {
    forest *f;
    worker_id self;
    stack todo[TREE_CHANNELS_MAX];
    node now[TREE_CHANNELS_MAX];       /* being grown */
    bool growing[TREE_CHANNELS_MAX];   /* there is one */
    uint32_t child[TREE_CHANNELS_MAX]; /* of it: sent so far */
    uint32_t ended[TREE_CHANNELS_MAX]; /* epochs */
} gardener;

static bool has_work(const gardener *g, uint32_t channel)
{
    return g->growing[channel] || g->todo[channel].count > 0;
}

static int handle(void *self, worker_id from, uint32_t channel, const void *at, size_t n)
{
    gardener *g = self;
    const node *nodes = at;
    (void)from;
    for (size_t i = 0; i < n; i++) {
        if (owner_of(g->f, &nodes[i]) != g->self || nodes[i].epoch != g->ended[channel])
            g->f->board->wrong++;
        push(&g->todo[channel], nodes[i]);
    }
    return 0;
}

#define HANDLER(k)                                                                      \
    static int handle_##k(void *self, worker_id from, const void *at, size_t n, err *e) \
    {                                                                                   \
        (void)e;                                                                        \
        return handle(self, from, k, at, n);                                            \
    }
HANDLER(0)
HANDLER(1)
HANDLER(2)

static void plant(gardener *g, uint32_t channel)
{
    uint32_t epoch = g->ended[channel];
    for (uint32_t i = 0; i < root_count(g->f, g->self, channel, epoch); i++)
        push(&g->todo[channel], root_of(g->f, g->self, channel, epoch, i));
}

/* The forest of this epoch must stand, everywhere. */
static int announced(void *self, uint32_t channel, uint32_t epoch, err *e)
{
    gardener *g = self;
    forest *f = g->f;
    (void)e;
    if (epoch != g->ended[channel]++ || has_work(g, channel) ||
        f->board->done[channel][epoch].nodes != f->wanted[channel][epoch].nodes ||
        f->board->done[channel][epoch].sum != f->wanted[channel][epoch].sum)
        f->board->wrong++;
    if (g->ended[channel] < f->c->epochs) plant(g, channel);
    return 0;
}

static int open_gardener(void **self, comm *c, void *input, err *e)
{
    gardener *g = calloc(1, sizeof *g);
    (void)e;
    g->f = input;
    g->self = comm_self(c);
    for (uint32_t k = 0; k < g->f->c->channels; k++) plant(g, k);
    *self = g;
    return 0;
}

/* The node last come: its children leave.  False: there is no room for the next. */
static bool grow(gardener *g, comm *c, uint32_t channel)
{
    stack *s = &g->todo[channel];
    if (!g->growing[channel]) g->now[channel] = s->at[--s->count];
    g->growing[channel] = true;
    node n = g->now[channel];
    for (uint32_t *i = &g->child[channel]; *i < child_count(&n); ++*i) {
        node child = child_of(&n, *i);
        if (comm_send(c, owner_of(g->f, &child), channel, &child, sizeof child) ==
            COMM_FULL)
            return false;
    }
    enter(&g->f->board->done[channel][n.epoch], &n);
    g->growing[channel] = false;
    g->child[channel] = 0;
    comm_work(c, 1);
    return true;
}

enum { SLICE = 10 };

/* True: something could not go on for want of room. */
static bool grow_some(gardener *g, comm *c, uint32_t channel)
{
    if (g->f->c->reserve && !comm_reserve(c, SLICE * CHILDREN))
        return has_work(g, channel);
    for (int n = 0; n < SLICE && has_work(g, channel); n++)
        if (!grow(g, c, channel)) {
            g->f->board->wrong += g->f->c->reserve; /* a promise was broken */
            return true;
        }
    return false;
}

static comm_step step(void *self, comm *c, err *e)
{
    gardener *g = self;
    bool full = false, busy = false, over = true;
    (void)e;
    for (uint32_t k = 0; k < g->f->c->channels; k++) {
        full |= grow_some(g, c, k);
        busy |= has_work(g, k);
        bool ended = g->ended[k] == g->f->c->epochs;
        comm_tell(c, k, !has_work(g, k), !ended && (g->self % 3 == 0));
        over &= ended;
    }
    if (over) return COMM_STEP_DONE;
    return full ? COMM_STEP_FULL : busy ? COMM_STEP_BUSY : COMM_STEP_IDLE;
}

static void close_gardener(void *self)
{
    gardener *g = self;
    if (g == NULL) return;
    for (uint32_t k = 0; k < g->f->c->channels; k++) {
        if (g->ended[k] != g->f->c->epochs) g->f->board->wrong++;
        free(g->todo[k].at);
    }
    free(g);
}

static const comm_program program = { .open = open_gardener,
                                      .step = step,
                                      .close = close_gardener };

/* ------------------------------------------------------------------------------------------- */

static void run_net(const comm_config *config, forest *f, tree_result *r,
                    const comm_transport *transport, const void *options)
{
    mem m = MEM_INIT;
    comm_net *net;
    comm_report *reports = calloc(f->c->workers, sizeof *reports);
    if (comm_net_open(&net, config, transport, options, &m, &r->e) == 0)
        comm_run(net, &program, f, reports, &r->e);
    for (uint32_t w = 0; net && w < comm_net_here(net); w++)
        r->letters += reports[w].count.letters;
    comm_net_close(net);
    free(reports);
    for (uint32_t k = 0; k < f->c->channels; k++)
        for (uint32_t i = 0; i < f->c->epochs; i++)
            r->nodes += f->board->done[k][i].nodes;
    r->wrong = f->board->wrong + m.now;
}

tree_result tree_run(const tree_case *c, const comm_transport *transport,
                     const void *options)
{
    static comm_handler *const handlers[] = { handle_0, handle_1, handle_2 };
    tree_result r = { .e = ERR_INIT };
    tree_board own = { 0 };
    forest f = { .c = c, .board = c->board ? c->board : &own };
    comm_kind kinds[TREE_CHANNELS_MAX];
    for (uint32_t k = 0; k < c->channels; k++) {
        kinds[k] = (comm_kind){ "node", sizeof(node), k, handlers[k] };
        for (uint32_t i = 0; i < c->epochs; i++) grow_alone(&f, k, i);
    }
    comm_config config = { .workers = c->workers,
                           .ranks = c->ranks,
                           .kinds = kinds,
                           .kind_count = c->channels,
                           .channels = c->channels,
                           .detector = c->detector,
                           .announced = announced,
                           .buffer_bytes = c->buffer_bytes,
                           .reserve = SLICE * CHILDREN,
                           .two_hops = c->two_hops };
    if (c->buffer_bytes == 0) config.buffer_bytes = comm_plan_least(&config);
    run_net(&config, &f, &r, transport, options);
    return r;
}
