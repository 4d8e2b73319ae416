#include "tests/mcl_parts.h"

int mcl_parts_open(mcl_parts *w, const mcl_equations *q, const enc_mcl_part_options *o,
                   lts *rows, err *e)
{
    *w = (mcl_parts){ .ranks = o->ranks, .threads = o->threads };
    w->workers = o->ranks * o->threads;
    for (worker_id r = 0; r < o->ranks; r++) {
        enc_mcl_part_options own = *o;
        own.rank = r;
        own.rows = rows ? &rows[r] : NULL;
        if (enc_mcl_part_open(&w->rank[r], q, &own, e) != 0) return (int)e->code;
        for (worker_id t = 0; t < o->threads; t++)
            w->parts[r * o->threads + t] = enc_mcl_part_of(w->rank[r], t);
    }
    return 0;
}

void mcl_parts_close(mcl_parts *w)
{
    for (worker_id r = 0; r < w->ranks; r++) enc_mcl_part_close(w->rank[r]);
}
