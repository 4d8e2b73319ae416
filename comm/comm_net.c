#include "comm/comm_inner.h"

struct comm_net {
    comm_config config; /* of the ends: without what is set aside for receiving */
    worker_id first;    /* of the workers of this rank */
    uint32_t here;      /* how many they are */
    const comm_transport *t;
    void *transport;
    mem *m;
    comm_end **end; /* of the workers here, each in a block of buffer_bytes */
};

extern const comm_transport comm_sim, comm_threads, comm_mpi;

static const comm_transport *const transports[] = { &comm_sim, &comm_threads, &comm_mpi };

const comm_transport *comm_transport_find(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(transports); i++)
        if (strcmp(transports[i]->name, name) == 0) return transports[i];
    return NULL;
}

const comm_transport *const *comm_transport_list(size_t *count)
{
    *count = COUNT_OF(transports);
    return transports;
}

static void check(const comm_config *c)
{
    assert(c->workers >= 1 && c->workers <= COMM_WORKERS_MAX);
    assert(c->ranks <= 1 || c->workers % c->ranks == 0);
    assert(c->kind_count <= COMM_KINDS_MAX && (c->channels == 0 || c->detector != NULL));
    for (uint32_t k = 0; k < c->kind_count; k++) {
        const comm_kind *kind = &c->kinds[k];
        assert(kind->width >= 1 && kind->width <= COMM_WIDTH_MAX && kind->handle != NULL);
        assert(kind->channel == COMM_NO_CHANNEL || kind->channel < c->channels);
        (void)kind;
    }
}

static int open_end(comm_net *n, worker_id w, err *e)
{
    comm_plan plan;
    comm_plan_make(&plan, &n->config, w);
    if (plan.batches == 0)
        return err_set(
            e, ERR_USAGE,
            "%zu bytes of buffers per worker are too few for %u workers and %u "
            "kinds of messages; %zu are enough, %zu are ample",
            n->config.buffer_bytes, n->config.workers, n->config.kind_count, plan.least,
            plan.ample);
    uint8_t *block = mem_get(n->m, n->config.buffer_bytes, e);
    if (block == NULL) return (int)e->code;
    comm_end *c = n->end[w - n->first] = comm_plan_lay_out(&plan, &n->config, w, block);
    c->t = n->t;
    c->transport = n->transport;
    comm_lane_close_slots(c);
    comm_letters_begin(c);
    return 0;
}

static int open_ends(comm_net *n, err *e)
{
    n->end = mem_get_array(n->m, n->here, sizeof(comm_end *), e);
    for (uint32_t i = 0; n->end && i < n->here; i++)
        if (open_end(n, n->first + i, e) != 0) break;
    return (int)e->code;
}

static int open_all(comm_net *n, const comm_receive *r, const void *options, err *e)
{
    bool failed = e->code != ERR_NONE; /* then the other ranks must be told */
    if ((failed && n->config.ranks <= 1) ||
        n->t->open(&n->transport, &n->config, r, options, n->m, e) != 0)
        return (int)e->code;
    n->here =
        n->config.ranks > 1 ? n->config.workers / n->config.ranks : n->config.workers;
    n->first = n->t->rank ? n->t->rank(n->transport) * n->here : 0;
    open_ends(n, e);
    return n->t->agree ? n->t->agree(n->transport, e) : (int)e->code;
}

/* Set aside what is needed for receiving. */
static int share_out(comm_config *c, comm_receive *r, err *e)
{
    comm_plan_receive(r, c);
    if (c->ranks <= 1) return 0;
    if (r->credits == 0)
        return err_set(e, ERR_USAGE,
                       "%zu bytes of buffers per worker are too few for %u workers in %u "
                       "ranks; %zu are enough, %zu are ample",
                       c->buffer_bytes, c->workers, c->ranks, comm_plan_least(c),
                       comm_plan_ample(c));
    c->buffer_bytes -= r->share;
    c->batch_bytes = r->batch_bytes;
    return 0;
}

int comm_net_open(comm_net **out, const comm_config *config, const comm_transport *t,
                  const void *options, mem *m, err *e)
{
    check(config);
    *out = NULL;
    comm_receive r;
    comm_net new = { .config = *config, .t = t, .m = m };
    if (share_out(&new.config, &r, e) != 0) return (int)e->code; /* alike on all ranks */
    comm_net *n = mem_get(m, sizeof *n, e);
    if (n) *n = new;
    if (open_all(n ? n : &new, &r, options, e) == 0) *out = n;
    else comm_net_close(n);
    return (int)e->code;
}

void comm_net_close(comm_net *n)
{
    if (n == NULL) return;
    if (n->transport) n->t->close(n->transport);
    for (uint32_t i = 0; n->end && i < n->here; i++)
        mem_put(n->m, n->end[i],
                n->config.buffer_bytes); /* the end is where its block is */
    mem_put(n->m, n->end, n->here * sizeof(comm_end *));
    mem_put(n->m, n, sizeof *n);
}

comm *comm_net_end(comm_net *n, worker_id w) { return &n->end[w - n->first]->face; }

uint32_t comm_net_workers(const comm_net *n) { return n->config.workers; }

worker_id comm_net_first(const comm_net *n) { return n->first; }

uint32_t comm_net_here(const comm_net *n) { return n->here; }

uint32_t comm_net_hops(const comm_net *n) { return n->config.two_hops ? 2 : 1; }

const comm_transport *comm_net_class(const comm_net *n) { return n->t; }

void *comm_net_transport(const comm_net *n) { return n->transport; }

mem *comm_net_mem(const comm_net *n) { return n->m; }

void comm_bind(comm *c, void *self) { comm_inside(c)->user = self; }

comm_count comm_count_of(const comm *face)
{
    const comm_end *c = comm_inside_const(face);
    comm_count n = c->count;
    n.sent = c->face.sent;
    n.room = n.batches * (c->plan.batch_bytes - COMM_HEADER_BYTES);
    return n;
}

worker_id comm_self(const comm *c) { return comm_inside_const(c)->self; }

uint32_t comm_workers(const comm *c) { return comm_inside_const(c)->config->workers; }
