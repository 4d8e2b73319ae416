/*
 * label_index.h - patterns of many sets at once: those that are names are looked up
 * together, however many sets there are.
 */
#ifndef BESPOKE_LABEL_INDEX_H
#define BESPOKE_LABEL_INDEX_H

#include "lang/label_rules.h"

typedef struct label_index label_index;

/** Empty.  0 or ERR_LIMIT. */
int label_index_open(label_index **out, mem *m, err *e);
void label_index_close(label_index *x);

/** The patterns of a set: the first gets number `first`, each further one `step` more.  The
    set stays the caller's, and as it is while the index is used.  0 or ERR_LIMIT. */
int label_index_add_set(label_index *x, const label_set *s, size_t first, size_t step,
                        err *e);
int label_index_add_map(label_index *x, const label_map *s, size_t first, size_t step,
                        err *e);

/** How many patterns have to be tried one after the other. */
size_t label_index_tried(const label_index *x);

/** hit[k] becomes true if a pattern with number k matches; what is true stays so. */
void label_index_find(const label_index *x, const char *label, size_t bytes, bool *hit);

#endif
