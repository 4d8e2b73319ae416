#include "models/lts_share.h"

#include "models/lts_file.h"

/* ---- one rank -------------------------------------------------------------------------- */

static int read_alone(lts_share *s, const char *path, const lts_share_options *o, err *e)
{
    if (lts_file_read(&s->rows, path, o->load, e) != 0) return (int)e->code;
    uint32_t threads = o->threads > 0 ? o->threads : 1;
    s->places = distribution_of(o->kind, 1, threads, s->rows.states);
    s->initial = s->rows.initial;
    s->own.transitions = s->rows.transitions;
    s->own.cross_workers = distribution_cross_edges(&s->places, &s->rows);
    s->all = s->own;
    return 0;
}

int lts_share_open(lts_share *out, const char *path, const lts_share_options *o, err *e)
{
    *out = (lts_share){ .rows = { .m = o->load->m } };
    return read_alone(out, path, o, e);
}

void lts_share_close(lts_share *s)
{
    if (s->rows.m) lts_close(&s->rows);
}
