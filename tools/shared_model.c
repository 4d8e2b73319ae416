#include "tools/shared_model.h"

#include "comm/comm_mpi.h"
#include "models/lts_model.h"
#include "models/model_file.h"
#include "tools/launch.h"
#include "tools/report.h"

/* ---- the model ------------------------------------------------------------------------------ */

static int open_lts(shared_model *s, const model_arg *a, const together *x, err *e)
{
    load_options load = model_arg_load_options(x->t);
    load.copy = true; /* searches run faster on huge pages */
    lts_share_options o = { .load = &load,
                            .kind = x->kind,
                            .ranks = x->w.ranks,
                            .threads = x->w.threads,
                            .transport = x->w.transport };
    if (lts_share_open(&s->share, a->path, &o, e) != 0) return (int)e->code;
    lts_model_open(&s->model, &s->share.rows, a->path, e);
    if (workers_agree(&x->w, e) != 0) return (int)e->code;
    model_arg_warn(x->t, a->name, &load, s->model->labels);
    return 0;
}

int shared_model_open(shared_model *s, const model_arg *a, const together *x, err *e)
{
    *s = (shared_model){ .model = NULL };
    if (!model_file_is_implicit(a->path)) {
        open_lts(s, a, x, e);
        if (e->code == ERR_LIMIT) report_complete_limit(e, a->name, NULL);
        return (int)e->code;
    }
    model_arg_open(&s->model, a, x->t, e);
    return workers_agree(&x->w, e);
}

/* ---- the formula ---------------------------------------------------------------------------- */

static state_id state_at(const void *places, state_id place)
{
    return distribution_state(places, place);
}

/* The least capacity of all ranks does for all. */
static int choose_capacity(state_id *out, const mcl_equations *q, const shared_model *s,
                           const together *x, err *e)
{
    enc_mcl_part_capacity(out, q, s->model, x->w.threads, 0, e);
    if (workers_agree(&x->w, e) != 0) return (int)e->code;
    if (x->w.ranks > 1) *out = (state_id)comm_mpi_least(*out);
    return 0;
}

static int open_parts(shared_model *s, const enc_mcl_part_options *o,
                      const mcl_equations *q, const together *x, err *e)
{
    s->part = arena_get(&x->t->scratch, o->threads * sizeof(graph_part *), e);
    if (s->part == NULL || enc_mcl_part_open(&s->parts, q, o, e) != 0)
        return (int)e->code;
    for (worker_id i = 0; i < o->threads; i++) s->part[i] = enc_mcl_part_of(s->parts, i);
    return 0;
}

int shared_model_encode(shared_model *s, const mcl_equations *q, bool acyclic,
                        const together *x, err *e)
{
    enc_mcl_part_options o = { .acyclic = acyclic,
                               .clock = &x->t->clock,
                               .ranks = x->w.ranks,
                               .threads = x->w.threads,
                               .rank = launch_rank() };
    if (s->model->rows) {
        o.rows = (lts *)(uintptr_t)s->model->rows; /* its own: ours to translate */
        o.initial = s->share.initial;
        o.number = (enc_mcl_numbering){ state_at, &s->share.places };
        o.unit = s->share.places.unit;
    } else {
        o.model = s->model;
        if (choose_capacity(&o.capacity, q, s, x, e) != 0) return (int)e->code;
    }
    open_parts(s, &o, q, x, e);
    return workers_agree(&x->w, e);
}

void shared_model_close(shared_model *s)
{
    enc_mcl_part_close(s->parts);
    model_close(s->model);
    lts_share_close(&s->share);
}
