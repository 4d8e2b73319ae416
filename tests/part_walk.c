#include "tests/part_walk.h"

#include "core/graph_column.h"
#include "core/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_MAX = 9, BATCH_MAX = 40, SPARE_MAX = 3 };

/* A vertex, and of its row what is known so far. */
typedef struct node {
    worker_id worker;
    vertex_id local;
    graph_op op;
    graph_place place; /* where its row goes on */
    size_t *to;        /* owned: nodes */
    uint32_t count, room;
} node;

/* Successor `index` of a node, on its way. */
typedef struct letter {
    size_t from;
    uint32_t index;
    uint32_t wire[GRAPH_PART_WIRE_MAX];
} letter;

typedef struct box {
    letter *at; /* owned */
    size_t count, room;
} box;

typedef struct walk {
    graph_part *const *parts;
    worker_id workers;
    random_stream chance;
    node *nodes; /* owned */
    size_t count, room;
    size_t *open; /* owned: nodes whose rows have not ended */
    size_t open_count, open_room;
    size_t **number; /* owned: per worker and local number, the node and 1 */
    box *boxes;      /* owned: per worker */
    uint64_t letters;
    err trouble;
} walk;

static void *more(void *at, size_t count, size_t *room, size_t item)
{
    if (count < *room) return at;
    *room = *room ? 2 * *room : 16;
    at = realloc(at, *room * item);
    if (at == NULL) abort();
    return at;
}

static void *zeroes(size_t count, size_t item)
{
    void *at = calloc(count, item);
    if (at == NULL) abort();
    return at;
}

static uint32_t chance_below(walk *w, uint32_t below)
{
    return (uint32_t)random_below(&w->chance, below);
}

/* ---- vertices ------------------------------------------------------------------------------ */

static size_t node_of(walk *w, worker_id worker, vertex_id local)
{
    size_t *number = &w->number[worker][local];
    if (local >= w->parts[worker]->share) abort();
    if (*number != 0) return *number - 1;
    w->nodes = more(w->nodes, w->count, &w->room, sizeof *w->nodes);
    w->open = more(w->open, w->open_count, &w->open_room, sizeof *w->open);
    w->open[w->open_count++] = w->count;
    w->nodes[w->count++] = (node){ .worker = worker, .local = local };
    *number = w->count;
    return w->count - 1;
}

static void set_successor(walk *w, size_t from, uint32_t index, size_t to)
{
    w->nodes[from].to[index] = to;
}

static uint32_t add_successor(walk *w, size_t from)
{
    node *n = &w->nodes[from];
    size_t room = n->room;
    n->to = more(n->to, n->count, &room, sizeof *n->to);
    n->room = (uint32_t)room;
    return n->count++;
}

/* ---- messages ------------------------------------------------------------------------------ */

static void post(walk *w, const graph_part *p, vertex_link to, size_t from,
                 uint32_t index)
{
    worker_id owner = graph_part_owner(p, to);
    if (owner >= w->workers || owner == p->self) abort();
    box *b = &w->boxes[owner];
    b->at = more(b->at, b->count, &b->room, sizeof *b->at);
    letter *l = &b->at[b->count++];
    l->from = from, l->index = index;
    if (graph_part_is_numbered(p)) l->wire[0] = to;
    else p->class->pack(p, to, l->wire);
    w->letters++;
}

static void unpack(walk *w, graph_part *p, const void *wire, size_t stride,
                   uint32_t count, vertex_id *out)
{
    if (!graph_part_is_numbered(p)) {
        p->class->unpack(p, wire, stride, count, out, &w->trouble);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        vertex_link to = *(const uint32_t *)((const char *)wire + i * stride);
        if (graph_part_owner(p, to) != p->self) abort();
        out[i] = to - p->origin;
    }
}

/* Some letters of a worker arrive, the oldest or the latest ones. */
static void deliver(walk *w, worker_id to)
{
    box *b = &w->boxes[to];
    graph_part *p = w->parts[to];
    uint32_t count = 1 + chance_below(w, BATCH_MAX);
    size_t stride = (p->wire_words + chance_below(w, SPARE_MAX)) * sizeof(uint32_t);
    if (b->count < count) count = (uint32_t)b->count;
    if (count == 0) return;
    size_t at = chance_below(w, 2) ? 0 : b->count - count;
    char *wire = zeroes(count, stride);
    vertex_id local[BATCH_MAX];
    for (uint32_t i = 0; i < count; i++)
        memcpy(wire + i * stride, b->at[at + i].wire, p->wire_words * sizeof(uint32_t));
    unpack(w, p, wire, stride, count, local);
    free(wire);
    for (uint32_t i = 0; i < count && w->trouble.code == ERR_NONE; i++)
        set_successor(w, b->at[at + i].from, b->at[at + i].index,
                      node_of(w, to, local[i]));
    memmove(b->at + at, b->at + at + count, (b->count - at - count) * sizeof *b->at);
    b->count -= count;
}

static bool is_anything_under_way(const walk *w)
{
    for (worker_id i = 0; i < w->workers; i++)
        if (w->boxes[i].count > 0) return true;
    return false;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void fetch_some(walk *w)
{
    for (uint32_t i = chance_below(w, 3); i > 0; i--) {
        const node *n = &w->nodes[chance_below(w, (uint32_t)w->count)];
        graph_fetch(w->parts[n->worker]->g, n->local, (int)chance_below(w, 2));
    }
}

/* What may happen between a row and the messages that come of it. */
static void disturb(walk *w)
{
    if (chance_below(w, 4) == 0) fetch_some(w);
    if (chance_below(w, 8) == 0) deliver(w, chance_below(w, w->workers));
}

static void take_row(walk *w, const graph_part *p, size_t from, const vertex_link *to,
                     uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = add_successor(w, from);
        disturb(w);
        if (graph_part_owner(p, to[i]) != p->self) post(w, p, to[i], from, index);
        else set_successor(w, from, index, node_of(w, p->self, to[i] - p->origin));
    }
}

/* The next stretch of an open row. */
static void expand_some(walk *w)
{
    vertex_link to[ROOM_MAX];
    uint32_t at = chance_below(w, (uint32_t)w->open_count);
    size_t from = w->open[at];
    node *n = &w->nodes[from];
    const graph_part *p = w->parts[n->worker];
    graph_row row;
    graph_expand(p->g, n->local, n->place, to, 1 + chance_below(w, ROOM_MAX), &row);
    n->op = row.op;
    n->place = row.next;
    if (row.next == GRAPH_ROW_END) w->open[at] = w->open[--w->open_count];
    take_row(w, p, from, to, row.count);
}

static bool is_in_trouble(walk *w)
{
    for (worker_id i = 0; i < w->workers; i++) graph_trouble(w->parts[i]->g, &w->trouble);
    return w->trouble.code != ERR_NONE;
}

static void go(walk *w)
{
    const graph_part *p = w->parts[0];
    node_of(w, p->root_owner, p->g->root);
    while (!is_in_trouble(w) && (w->open_count > 0 || is_anything_under_way(w))) {
        if (w->open_count > 0 && chance_below(w, 3) > 0) expand_some(w);
        fetch_some(w);
        if (chance_below(w, 3) == 0) deliver(w, chance_below(w, w->workers));
    }
}

/* ---- lines --------------------------------------------------------------------------------- */

enum { NAME_BYTES = 160 };

static void name_node(const walk *w, size_t i, char into[NAME_BYTES])
{
    const graph *g = w->parts[w->nodes[i].worker]->g;
    g->class->name_of(g, w->nodes[i].local, into, NAME_BYTES);
}

static char *describe(const walk *w, size_t i)
{
    const node *n = &w->nodes[i];
    const graph *g = w->parts[n->worker]->g;
    char *line = zeroes(n->count + 2, NAME_BYTES + 2), *at = line, name[NAME_BYTES];
    graph_name_block(g, graph_block_of(g, n->local), name, sizeof name);
    at += sprintf(at, "%s ", name);
    name_node(w, i, name);
    at += sprintf(at, "%s %s", name, n->op == GRAPH_OR ? "or" : "and");
    for (uint32_t k = 0; k < n->count; k++) {
        name_node(w, n->to[k], name);
        at += sprintf(at, ", %s", name);
    }
    return line;
}

/* Are numbers, where not all are in use, said to be?  Whoever has columns relies on it. */
static void check_use(const walk *w, worker_id of)
{
    const graph *g = w->parts[of]->g;
    uint32_t stretches = 0;
    if (g->met == NULL) return;
    for (vertex_id at = 0; at < g->vertices; at += g->stride) {
        vertex_id most = 0; /* numbers of the stretch up to the last that was reached */
        for (vertex_id i = 0; i < g->stride; i++)
            if (w->number[of][at + i] != 0) most = i + 1;
        stretches += most > 0;
        if (most > *g->met) abort();
    }
    if (stretches > graph_stretches_used(g)) abort();
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static part_walk lines_of(const walk *w)
{
    part_walk out = { .letters = w->letters, .trouble = w->trouble };
    if (w->trouble.code != ERR_NONE) return out;
    for (worker_id i = 0; i < w->workers; i++) check_use(w, i);
    out.line = zeroes(w->count, sizeof *out.line);
    for (; out.count < w->count; out.count++)
        out.line[out.count] = describe(w, out.count);
    qsort(out.line, out.count, sizeof *out.line, by_text);
    return out;
}

static void release(walk *w)
{
    for (size_t i = 0; i < w->count; i++) free(w->nodes[i].to);
    for (worker_id i = 0; i < w->workers; i++) {
        free(w->number[i]);
        free(w->boxes[i].at);
    }
    free(w->number);
    free(w->boxes);
    free(w->nodes);
    free(w->open);
}

part_walk part_walk_open(graph_part *const *parts, worker_id workers, uint64_t seed)
{
    walk w = { .parts = parts, .workers = workers, .chance = random_open(seed, 7) };
    w.trouble.code = ERR_NONE;
    w.number = zeroes(workers, sizeof *w.number);
    w.boxes = zeroes(workers, sizeof *w.boxes);
    for (worker_id i = 0; i < workers; i++)
        w.number[i] = zeroes(parts[i]->share, sizeof *w.number[i]);
    go(&w);
    part_walk out = lines_of(&w);
    release(&w);
    return out;
}

part_walk part_walk_open_whole(const graph *g, uint64_t seed)
{
    static const graph_part_class whole = { .name = "whole" };
    graph_part p = { .class = &whole,
                     .g = g,
                     .workers = 1,
                     .share = g->vertices,
                     .wire_words = 1,
                     .ranks = 1,
                     .threads = 1,
                     .stride = g->vertices,
                     .unit = 1 };
    graph_part_measure(&p);
    return part_walk_open(&(graph_part *){ &p }, 1, seed);
}

void part_walk_close(part_walk *w)
{
    for (size_t i = 0; i < w->count; i++) free(w->line[i]);
    free(w->line);
    *w = (part_walk){ .count = 0 };
}

bool part_walk_equal(const part_walk *a, const part_walk *b)
{
    size_t i = 0;
    while (i < a->count && i < b->count && strcmp(a->line[i], b->line[i]) == 0) i++;
    if (i == a->count && i == b->count) return true;
    printf("\n%zu and %zu vertices; the first that differ:\n  %.400s\n  %.400s\n",
           a->count, b->count, i < a->count ? a->line[i] : "none",
           i < b->count ? b->line[i] : "none");
    return false;
}
