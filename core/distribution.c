#include "core/distribution.h"

#include <assert.h>
#include <string.h>

#define DISTRIBUTION_NAME(id, name, doc) [DISTRIBUTION_##id] = name,
static const char *const names[] = { DISTRIBUTION_KINDS(DISTRIBUTION_NAME) };
#define DISTRIBUTION_DOC(id, name, doc) [DISTRIBUTION_##id] = doc,
static const char *const docs[] = { DISTRIBUTION_KINDS(DISTRIBUTION_DOC) };

const char *distribution_name(distribution_kind kind) { return names[kind]; }
const char *distribution_doc(distribution_kind kind) { return docs[kind]; }

/* Ranges as long as possible while each worker still gets some dozens of them. */
static unsigned locality_shift(worker_id workers, state_id states)
{
    unsigned shift = 0;
    while (shift < 10 && (states >> (shift + 1)) / workers >= 64) shift++;
    return shift;
}

int distribution_open(distribution *out, const char *name, worker_id workers,
                      state_id states, err *e)
{
    assert(workers > 0);
    for (size_t k = 0; k < COUNT_OF(names); k++) {
        if (strcmp(names[k], name) != 0) continue;
        uint64_t range = ((uint64_t)states + workers - 1) / workers;
        *out = (distribution){ .kind = (distribution_kind)k,
                               .workers = workers,
                               .range = range ? (state_id)range : 1,
                               .shift = locality_shift(workers, states) };
        return 0;
    }
    return err_set(e, ERR_USAGE, "no distribution '%s'; expected %s, %s or %s", name,
                   names[0], names[1], names[2]);
}

uint64_t distribution_cross_edges(const distribution *d, const lts *g)
{
    uint64_t cross = 0;
    for (state_id s = 0; s < g->states; s++) {
        worker_id owner = distribution_owner(d, s);
        for (uint64_t t = g->first[s]; t < g->first[s + 1]; t++)
            cross += distribution_owner(d, g->target[t]) != owner;
    }
    return cross;
}
