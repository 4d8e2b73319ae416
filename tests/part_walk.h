/*
 * part_walk.h - a Boolean graph in parts, all in one process, walked from its root: every vertex
 * that is reached, with its block, operator and row, as lines of text that can be compared.
 *
 * Rows are read in stretches of any length, messages lie about for any time, and in between
 * other workers, and the same one, are asked to meet vertices and to fetch rows.
 */
#ifndef BESPOKE_PART_WALK_H
#define BESPOKE_PART_WALK_H

#include "core/graph_part.h"

typedef struct part_walk {
    char **line; /* owned, sorted */
    size_t count;
    uint64_t letters; /* how many vertices were sent to their owners */
    err trouble;      /* of a part, or of unpacking: then the lines say little */
} part_walk;

/* Walk the parts of all workers; aborts when its own memory fails. */
part_walk part_walk_open(graph_part *const *parts, worker_id workers, uint64_t seed);
/* The same of a graph that is whole. */
part_walk part_walk_open_whole(const graph *g, uint64_t seed);
void part_walk_close(part_walk *w);

/* The same lines?  If not, the first that differ are printed. */
bool part_walk_equal(const part_walk *a, const part_walk *b);

#endif
