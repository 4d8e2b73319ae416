#include "comm/comm_inner.h"

struct comm_net {
    comm_config config;
    const comm_transport *t;
    void *transport;
    mem *m;
    comm_end **end; /* each in a block of buffer_bytes */
};

extern const comm_transport comm_sim, comm_threads;

static const comm_transport *const transports[] = { &comm_sim, &comm_threads };

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
    comm_end *c = n->end[w] = comm_plan_lay_out(&plan, &n->config, w, block);
    c->t = n->t;
    c->transport = n->transport;
    comm_lane_close_slots(c);
    comm_letters_begin(c);
    return 0;
}

static int open_all(comm_net *n, const void *options, err *e)
{
    n->end = mem_get_array(n->m, n->config.workers, sizeof(comm_end *), e);
    if (n->end == NULL) return (int)e->code;
    if (n->t->open(&n->transport, n->config.workers, options, n->m, e) != 0)
        return (int)e->code;
    for (worker_id w = 0; w < n->config.workers; w++)
        if (open_end(n, w, e) != 0) return (int)e->code;
    return 0;
}

int comm_net_open(comm_net **out, const comm_config *config, const comm_transport *t,
                  const void *options, mem *m, err *e)
{
    check(config);
    *out = NULL;
    comm_net *n = mem_get(m, sizeof *n, e);
    if (n == NULL) return (int)e->code;
    n->config = *config;
    n->t = t;
    n->m = m;
    if (open_all(n, options, e) == 0) *out = n;
    else comm_net_close(n);
    return (int)e->code;
}

void comm_net_close(comm_net *n)
{
    if (n == NULL) return;
    for (worker_id w = 0; n->end && w < n->config.workers; w++)
        mem_put(n->m, n->end[w],
                n->config.buffer_bytes); /* the end is where its block is */
    mem_put(n->m, n->end, n->config.workers * sizeof(comm_end *));
    if (n->transport) n->t->close(n->transport);
    mem_put(n->m, n, sizeof *n);
}

comm *comm_net_end(comm_net *n, worker_id w) { return &n->end[w]->face; }

uint32_t comm_net_workers(const comm_net *n) { return n->config.workers; }

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
    return n;
}

worker_id comm_self(const comm *c) { return comm_inside_const(c)->self; }

uint32_t comm_workers(const comm *c) { return comm_inside_const(c)->config->workers; }
