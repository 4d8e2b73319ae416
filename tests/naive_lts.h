/*
 * naive_lts.h - an LTS as a list of transitions, and every question about it answered in the
 * simplest possible way: what the code under test is compared with.  Nothing here is shared
 * with that code; nothing here is quick.  Aborts when memory fails.
 */
#ifndef BESPOKE_NAIVE_LTS_H
#define BESPOKE_NAIVE_LTS_H

#include "algorithms/lts_facts.h"
#include "core/lts.h"
#include "core/random.h"

typedef struct naive_edge {
    uint64_t from, to;
    size_t label;
} naive_edge;

typedef struct naive_label {
    char *text; /* owned */
    size_t bytes;
} naive_label;

typedef struct naive_lts {
    uint64_t states, initial;
    naive_edge *edges; /* owned; in the order of the file */
    size_t count, room;
    naive_label *labels; /* owned; in the order of their first use */
    size_t label_count, label_room;
} naive_lts;

void naive_close(naive_lts *n);

void naive_add(naive_lts *n, uint64_t from, size_t label, uint64_t to);

/* The number of a label, a new one if need be; by looking at all of them. */
size_t naive_label_of(naive_lts *n, const char *text, size_t bytes);

/* In which order the transitions of a random LTS stand. */
typedef enum { NAIVE_SORTED, NAIVE_PARTLY, NAIVE_SHUFFLED, NAIVE_ORDERS } naive_order;

/* Random: sources ascend, or but for a few, or not at all; `labels` labels of every form,
   the second one hidden, all of them used if there are transitions enough. */
naive_lts naive_random(uint64_t states, size_t count, size_t labels, naive_order order,
                       uint64_t seed);

/* What is different about `g`, in words; NULL when it is the same LTS: counts, initial state,
   order within each state, label numbers in the order of first use, label texts. */
const char *naive_difference(const naive_lts *n, const lts *g);

/* What is wrong inside `g`, in words; NULL when it is an LTS. */
const char *naive_invalid(const lts *g);

/* The same LTS in rows, by hand. */
lts naive_rows(const naive_lts *n, mem *m);

/* Distances from the initial state; UINT32_MAX when there is no way.  To be freed. */
uint32_t *naive_distances(const naive_lts *n);

lts_facts naive_facts(const naive_lts *n);

#endif
