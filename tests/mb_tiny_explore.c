/*
 * mb_tiny_explore - depth-first through all states of a tiny world.
 *
 * Invariant  `met` has the hash of every state that was met, and whether it lies on the path.  A state
 *            whose moves all lead to itself must be the end; a move back to the path is a run that
 *            goes on for ever.
 */
#include "tests/mb_tiny_world.h"

#include "core/hash.h"
#include "core/random.h"
#include "encodings/enc_bes_part.h"
#include "tests/mb_tiny_proof.h"
#include "tests/naive_bes.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOVES_MOST = 400 }; /* of a run; rightly there are fewer */

typedef struct frame {
    uint8_t *bytes;
    size_t size;
    uint64_t hash;
    uint32_t next;
    bool moved;
} frame;

typedef struct search {
    comm_net *net;
    mb_tiny_proof proof;
    uint64_t *met; /* hashes, the lowest bit: on the path; 0 = free */
    size_t mask, most;
    frame *path;
    size_t depth, room;
    mb_tiny_result result;
    const char *wrong;
    uint64_t seed, digest; /* of a walk */
    bool reload;
} search;

static const char *const mode_names[] = { "parents", "dependencies", "any vertex",
                                          "exhaustive" };
const char *mb_tiny_mode_name(mb_tiny_mode mode) { return mode_names[mode]; }

/* ---- states --------------------------------------------------------------------------------- */

static uint64_t *look_up(search *s, uint64_t hash)
{
    size_t i = (hash >> 1) & s->mask;
    while (s->met[i] != 0 && (s->met[i] | 1) != (hash | 1)) i = (i + 1) & s->mask;
    return &s->met[i];
}

static void push(search *s, const uint8_t *bytes, size_t size, uint64_t hash)
{
    if (s->depth == s->room) {
        s->room = 2 * s->room + 64;
        s->path = realloc(s->path, s->room * sizeof *s->path);
        if (s->path == NULL) abort();
    }
    frame f = { .bytes = malloc(size), .size = size, .hash = hash };
    if (f.bytes == NULL) abort();
    memcpy(f.bytes, bytes, size);
    s->path[s->depth++] = f;
    *look_up(s, hash) = hash | 1;
    s->result.states++;
}

static void pop(search *s)
{
    frame *f = &s->path[--s->depth];
    *look_up(s, f->hash) = f->hash & ~UINT64_C(1);
    free(f->bytes);
}

/* What must hold in every state. */
static const char *judge(search *s)
{
    comm_net *n = s->net;
    if (n->wrong) return n->wrong;
    if (n->e.code != ERR_NONE) return "a worker failed";
    const char *wrong = mb_tiny_proof_values(&s->proof, n->input);
    if (wrong || !mb_tiny_is_over(n)) return wrong;
    s->result.ends++;
    return n->data_count > 0 ? "the end, and data under way"
                             : mb_tiny_proof_end(&s->proof, n->input);
}

/* One move from the last state of the path. */
static void follow(search *s, tiny_move move)
{
    static const uint64_t mark = 1;
    uint8_t bytes[TINY_STATE];
    frame *f = &s->path[s->depth - 1];
    mb_tiny_move(s->net, move);
    s->wrong = judge(s);
    if (s->wrong) return;
    size_t size = mb_tiny_save(s->net, bytes);
    if (size == f->size && memcmp(bytes, f->bytes, size) == 0) return;
    uint64_t hash = hash_bytes(bytes, size) | 2;
    uint64_t there = *look_up(s, hash);
    f->moved = true;
    if (there == 0) push(s, bytes, size, hash);
    else if (there & mark) s->wrong = "goes round for ever";
}

static void go_on(search *s)
{
    tiny_move list[TINY_MOVES];
    frame *f = &s->path[s->depth - 1];
    mb_tiny_load(s->net, f->bytes);
    uint32_t moves = mb_tiny_moves(s->net, list);
    if (f->next < moves) {
        follow(s, list[f->next++]);
    } else {
        if (!f->moved && !mb_tiny_is_over(s->net)) s->wrong = "nobody can move";
        pop(s);
    }
    if (s->depth > MOVES_MOST) s->wrong = "goes on for ever";
    if (s->result.states > s->most) s->wrong = "too many states";
}

static void explore(comm_net *n, void *self)
{
    search *s = self;
    uint8_t bytes[TINY_STATE];
    s->net = n;
    for (s->mask = 1; s->mask < 2 * s->most;) s->mask *= 2;
    s->met = calloc(s->mask--, sizeof *s->met);
    if (s->met == NULL) abort();
    size_t size = mb_tiny_save(n, bytes);
    push(s, bytes, size, hash_bytes(bytes, size) | 2);
    while (s->depth > 0 && s->wrong == NULL) go_on(s);
    while (s->depth > 0) pop(s);
    free(s->path);
    free(s->met);
}

/* ---- one run -------------------------------------------------------------------------------- */

static void walk(comm_net *n, void *self)
{
    search *s = self;
    uint8_t bytes[TINY_STATE];
    random_stream chance = random_open(s->seed, 0);
    size_t size = mb_tiny_save(n, bytes);
    for (uint32_t i = 0; i < 5000 && !mb_tiny_is_over(n); i++) {
        tiny_move list[TINY_MOVES];
        if (s->reload) mb_tiny_load(n, bytes);
        uint32_t moves = mb_tiny_moves(n, list);
        mb_tiny_move(n, list[random_below(&chance, moves)]);
        size = mb_tiny_save(n, bytes);
        s->digest = hash_word(s->digest + hash_bytes(bytes, size));
    }
}

/* ---- a case --------------------------------------------------------------------------------- */

static void solve(const bes *b, search *s, enc_bes_parts *parts, const mb_tiny_options *o,
                  const mb_family *f, tiny_guide *guide)
{
    graph_part *part[MB_TINY_WORKERS];
    mem m = MEM_INIT;
    err e = ERR_INIT;
    mb_session *session = NULL;
    mb_result r;
    mb_options options = { .policy = o->policy,
                           .exhaustive = o->mode == MB_TINY_EXHAUSTIVE,
                           .choices = true,
                           .all_dependencies = o->mode != MB_TINY_PARENTS,
                           .transport_options = guide,
                           .detector = dtd_find(o->detector),
                           .slice = o->slice,
                           .m = &m };
    for (worker_id w = 0; w < s->proof.workers; w++) part[w] = enc_bes_part_of(parts, w);
    mb_problem p = { .part = part, .here = s->proof.workers };
    s->proof.b = b;
    s->proof.parts = parts;
    s->proof.family = f;
    s->proof.exhaustive = options.exhaustive;
    if (f->open(&session, &p, &options, &e) != 0) abort();
    f->run(session, &r, &e);
    f->close(session);
    if (m.now != 0) s->wrong = "memory was not given back";
}

static void run_case(const mb_tiny_case *c, const mb_tiny_options *o, const mb_family *f,
                     search *s, tiny_guide *guide)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    bes b;
    worker_id owner[64], workers = 1;
    uint8_t right[64];
    if (bes_parse(&b, &m, c->name, c->text, strlen(c->text), NULL, &e) != 0) {
        printf("%s\n", e.text);
        abort();
    }
    if (strlen(c->owner) != b.vertices || b.vertices > 64) abort();
    for (vertex_id v = 0; v < b.vertices; v++) {
        owner[v] = (worker_id)(c->owner[v] - '0');
        if (owner[v] >= workers) workers = owner[v] + 1;
    }
    naive_bes_solve(&b, right);
    s->proof.right = right;
    s->proof.workers = workers;
    enc_bes_parts *parts;
    enc_bes_part_options po = { .question.any_vertex = o->mode == MB_TINY_ANY,
                                .workers = workers,
                                .owner = owner };
    if (enc_bes_part_open(&parts, &b, &po, &e) != 0) abort();
    if (right[0] != c->value) s->wrong = "the case is not what it says";
    else solve(&b, s, parts, o, f, guide);
    enc_bes_part_close(parts);
    bes_close(&b);
}

const char *mb_tiny_explore(const mb_tiny_case *c, const mb_tiny_options *o,
                            const mb_family *f, mb_tiny_result *out)
{
    search s = { .most = o->most };
    tiny_guide guide = { explore, &s, o->room };
    run_case(c, o, f, &s, &guide);
    *out = s.result;
    return s.wrong;
}

uint64_t mb_tiny_walk(const mb_tiny_case *c, const mb_tiny_options *o, const mb_family *f,
                      uint64_t seed, bool reload)
{
    search s = { .seed = seed, .reload = reload };
    tiny_guide guide = { walk, &s, o->room };
    run_case(c, o, f, &s, &guide);
    return s.wrong ? 0 : s.digest;
}
