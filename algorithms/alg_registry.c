#include "algorithms/solvers.h"
#include "core/ids.h"

#include <string.h>

static const algorithm *const solvers[] = { &alg_a1, &alg_a2,     &alg_a3,
                                            &alg_a4, &alg_a4_bfs, &alg_hello };

const algorithm *algorithm_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(solvers); i++)
        if (strcmp(solvers[i]->name, name) == 0) return solvers[i];
    return NULL;
}

const algorithm *const *algorithm_list(size_t *count)
{
    *count = COUNT_OF(solvers);
    return solvers;
}

const char *algorithm_refuses(const algorithm *a, const graph_block *b)
{
    if (graph_is_nested(b) && !a->nested)
        return "fixed points within each other, as < R > @ makes them; auto and a4 do";
    return a->refuses ? a->refuses(b) : NULL;
}
