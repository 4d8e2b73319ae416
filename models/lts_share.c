#include "models/lts_share.h"

#include "models/lts_file.h"
#include "models/lts_share_job.h"

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

/* ---- places ---------------------------------------------------------------------------- */

void lts_share_job_place(lts_share_job *j, state_id states, state_id initial,
                         uint64_t transitions)
{
    lts_share *s = j->out;
    s->places = distribution_of(j->kind, j->ranks, j->threads, states);
    s->initial = distribution_place(&s->places, initial);
    s->rows.initial = distribution_rank(&s->places, s->initial) == j->rank
                          ? s->initial - j->rank * s->places.range
                          : STATE_NONE;
    s->all.transitions = transitions;
    uint64_t fair = transitions / j->ranks; /* hash gives a little more or less */
    if (!j->direct) lts_share_rows_expect(&j->rows, fair + fair / 64);
}

static inline void count_edge(const distribution *d, state_id from, state_id to,
                              lts_share_count *into)
{
    into->cross_ranks += distribution_rank(d, from) != distribution_rank(d, to);
    if (d->threads > 1)
        into->cross_workers += distribution_owner(d, from) != distribution_owner(d, to);
}

int lts_share_job_translate(lts_share_job *j, lts_batch *b, const label_id *rename,
                            lts_share_count *sent, err *e)
{
    const distribution *d = &j->out->places;
    size_t kept = 0;
    state_id last = STATE_NONE, place = 0; /* neighbours often have the same source */
    for (size_t i = 0; i < b->edges.count; i++) {
        lts_edge x = b->edges.at[i];
        if (x.from >= d->states || x.to >= d->states)
            return err_set(e, ERR_INPUT, "%s: has changed while it was read", j->path);
        if (x.from != last) place = distribution_place(d, last = x.from);
        x.from = place;
        if (j->whole && distribution_rank(d, x.from) != j->rank) continue;
        x.to = distribution_place(d, x.to);
        if (rename) x.label = rename[x.label];
        count_edge(d, x.from, x.to, sent);
        b->edges.at[kept++] = x;
    }
    b->edges.count = kept;
    if (d->threads == 1) sent->cross_workers = sent->cross_ranks;
    return 0;
}

void lts_share_job_count(lts_share_job *j)
{
    lts_share *s = j->out;
    const lts *g = &s->rows;
    state_id origin = j->rank * s->places.range;
    s->own = (lts_share_count){ .transitions = g->transitions };
    for (state_id n = 0; n < g->states; n++)
        for (uint64_t t = g->first[n]; t < g->first[n + 1]; t++)
            count_edge(&s->places, origin + n, g->target[t], &s->own);
    if (s->places.threads == 1) s->own.cross_workers = s->own.cross_ranks;
}

/* ---- several ranks ---------------------------------------------------------------------- */

static int open_file(lts_share_job *j, err *e)
{
    lts_file_form form;
    if (lts_file_form_of(&form, j->path, &j->load, e) != 0) return (int)e->code;
    if (lts_file_is_pipe(j->path))
        return err_set(e, ERR_INPUT,
                       "%s: a pipe can be read by one rank only; expected a file",
                       j->path);
    if (form == LTS_FILE_PLTS) return lts_share_plts_open(j, e);
    if (form == LTS_FILE_AUT) return lts_share_text_open(j, j->path, e);
    if (bcg_text_open(&j->made, j->path, j->load.clock, e) != 0) return (int)e->code;
    return lts_share_text_open(j, j->made.file, e);
}

static int finish(lts_share_job *j, err *e)
{
    lts_share *s = j->out;
    int threads = load_options_threads(&j->load);
    state_id range = s->places.range;
    if (!j->direct && lts_share_rows_finish(&j->rows, j->rank * range, range, &s->rows,
                                            threads, e) != 0)
        return (int)e->code;
    lts_share_job_count(j);
    return 0;
}

/* A rank that has run out of memory here must tell the others. */
static int read_in(comm_net *net, lts_share_job *j, err *e)
{
    const comm_transport *t = comm_net_class(net);
    open_file(j, e);
    if (comm_run(net, &lts_share_run, j, NULL, e) == 0) finish(j, e);
    if (t->agree) t->agree(comm_net_transport(net), e);
    return (int)e->code;
}

/* Enough for batches of some kilobytes; with many ranks, what they need. */
static comm_config config_of(uint32_t ranks)
{
    enum { BUFFER_BYTES = 2 << 20 };
    comm_config c = { .workers = ranks,
                      .ranks = ranks,
                      .kinds = lts_share_kinds,
                      .kind_count = LTS_SHARE_KINDS,
                      .reserve = 1 };
    size_t ample = comm_plan_ample(&c), least = comm_plan_least(&c);
    c.buffer_bytes = ample < BUFFER_BYTES ? ample : BUFFER_BYTES;
    if (c.buffer_bytes < least) c.buffer_bytes = least;
    return c;
}

static int read_together(lts_share *s, const char *path, const lts_share_options *o,
                         err *e)
{
    static const log_sink silent = { .level = LOG_QUIET };
    comm_net *net;
    comm_config config = config_of(o->ranks);
    if (comm_net_open(&net, &config, o->transport, NULL, o->load->m, e) != 0)
        return (int)e->code;
    lts_share_job j = { .path = path,
                        .load = *o->load,
                        .rank = comm_net_first(net),
                        .ranks = o->ranks,
                        .threads = o->threads > 0 ? o->threads : 1,
                        .kind = o->kind,
                        .out = s };
    if (j.rank != 0) j.load.log = &silent;
    s->rank = j.rank;
    lts_share_rows_open(&j.rows, o->load->m);
    read_in(net, &j, e);
    lts_share_rows_close(&j.rows);
    lts_share_text_close(&j);
    lts_share_plts_close(&j);
    comm_net_close(net);
    return (int)e->code;
}

int lts_share_open(lts_share *out, const char *path, const lts_share_options *o, err *e)
{
    *out = (lts_share){ .rows = { .m = o->load->m } };
    if (o->ranks > 1) read_together(out, path, o, e);
    else read_alone(out, path, o, e);
    if (e->code != ERR_NONE) lts_share_close(out);
    return (int)e->code;
}

void lts_share_close(lts_share *s)
{
    if (s->rows.m) lts_close(&s->rows);
}
