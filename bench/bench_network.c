/*
 * bench_network.c - dining philosophers as a network: how many moves per second.
 *
 * Philosopher i takes fork i, then fork i + 1, eats and puts them back in the same order;
 * each is a file.  The states asked for are those of a long random walk.
 */
#include "bench/bench_network.h"

#include "core/random.h"
#include "models/network.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PHILOSOPHERS = 12, STATES = 4096 };

typedef struct table {
    mem m;
    log_sink log;
    char dir[64];
    model *s;
    void *context;
    model_moves moves;
    uint32_t *key; /* of STATES states */
} table;

static void put(const table *t, const char *name, int number, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void put(const table *t, const char *name, int number, const char *format, ...)
{
    char path[128];
    va_list list;
    snprintf(path, sizeof path, "%s/%s%d.aut", t->dir, name, number);
    FILE *f = fopen(path, "w");
    if (f == NULL) abort();
    va_start(list, format);
    vfprintf(f, format, list);
    va_end(list);
    fclose(f);
}

static void put_pair(const table *t, int i)
{
    int next = (i + 1) % PHILOSOPHERS, before = (i + PHILOSOPHERS - 1) % PHILOSOPHERS;
    put(t, "p", i,
        "des (0, 5, 5)\n(0, \"TAKE !%d !%d\", 1)\n(1, \"TAKE !%d !%d\", 2)\n"
        "(2, \"EAT !%d\", 3)\n(3, \"DROP !%d !%d\", 4)\n(4, \"DROP !%d !%d\", 0)\n",
        i, i, i, next, i, i, i, i, next);
    put(t, "f", i,
        "des (0, 4, 3)\n(0, \"TAKE !%d !%d\", 1)\n(1, \"DROP !%d !%d\", 0)\n"
        "(0, \"TAKE !%d !%d\", 2)\n(2, \"DROP !%d !%d\", 0)\n",
        i, i, i, i, before, i, before, i);
}

static void put_network(const table *t, const char *path)
{
    FILE *f = fopen(path, "w");
    if (f == NULL) abort();
    for (int i = 0; i < PHILOSOPHERS; i++) {
        put_pair(t, i);
        fprintf(f, "%s\"p%d\"", i ? " ||| " : "(", i);
    }
    for (int i = 0; i < PHILOSOPHERS; i++)
        fprintf(f, "%s\"f%d\"", i ? " ||| " : ")\n|[TAKE, DROP]| (", i);
    fprintf(f, ")\n");
    fclose(f);
}

static void remove_files(const table *t)
{
    char path[128];
    for (int i = 0; i < PHILOSOPHERS; i++)
        for (const char *kind = "pf"; *kind; kind++) {
            snprintf(path, sizeof path, "%s/%c%d.aut", t->dir, *kind, i);
            unlink(path);
        }
    snprintf(path, sizeof path, "%s/table.exp", t->dir);
    unlink(path);
    rmdir(t->dir);
}

static void check(const err *e)
{
    if (e->code == ERR_NONE) return;
    fprintf(stderr, "bench: %s\n", e->text);
    exit(1);
}

/* The states of a random walk that begins again at deadlocks. */
static void walk(table *t)
{
    err e = ERR_INIT;
    random_stream r = random_open(1, 3);
    size_t words = t->s->key_words;
    t->key = calloc(STATES * words, sizeof *t->key);
    if (t->key == NULL) abort();
    const uint32_t *from = t->s->initial;
    for (size_t i = 0; i < STATES; i++) {
        memcpy(t->key + i * words, from, words * sizeof *from);
        model_moves_of(t->s, t->context, t->key + i * words, &t->moves, &e);
        check(&e);
        from = t->s->initial;
        if (t->moves.count > 0)
            from = model_moves_key(&t->moves, (uint32_t)random_below(&r, t->moves.count));
    }
}

static void *open_table(void)
{
    char path[128];
    err e = ERR_INIT;
    table *t = calloc(1, sizeof *t);
    if (t == NULL) abort();
    t->log = LOG_INIT;
    strcpy(t->dir, "/tmp/bespoke-bench-XXXXXX");
    if (mkdtemp(t->dir) == NULL) abort();
    snprintf(path, sizeof path, "%s/table.exp", t->dir);
    put_network(t, path);
    load_options o = { .m = &t->m, .threads = 1, .log = &t->log };
    network_open(&t->s, path, &o, &e);
    remove_files(t);
    check(&e);
    t->moves = MODEL_MOVES_INIT(t->s);
    model_context_open(t->s, &t->context, &e);
    check(&e);
    walk(t);
    return t;
}

static uint64_t run_moves(void *self)
{
    table *t = self;
    err e = ERR_INIT;
    uint64_t moves = 0;
    for (size_t i = 0; i < STATES; i++) {
        const uint32_t *key = t->key + i * t->s->key_words;
        model_moves_of(t->s, t->context, key, &t->moves, &e);
        moves += t->moves.count;
    }
    check(&e);
    return moves;
}

static void close_table(void *self)
{
    table *t = self;
    model_moves_release(&t->moves);
    model_context_close(t->s, t->context);
    model_close(t->s);
    free(t->key);
    free(t);
}

const bench_case bench_network = { .name = "network_moves",
                                   .item = "move",
                                   .open = open_table,
                                   .run = run_moves,
                                   .close = close_table };
