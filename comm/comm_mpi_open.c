/*
 * comm_mpi_open - the tables of a rank, its receives, and how all ranks begin together.
 *
 * Whatever one rank lacks is told to all before anybody goes on, and nobody sends before all
 * receives are posted.  Nothing blocks but in turns that let others run.
 */
#include <mpi.h>

#include "comm/comm_mpi.h"
#include "comm/comm_mpi_inner.h"

enum { TOLD_RECEIVES = 64 };

static void cancel_receives(comm_mpi_net *t)
{
    for (uint32_t which = 0; which < COMM_MPI_INLETS; which++)
        while (t->inlet[which].count > 0) {
            MPI_OK(MPI_Cancel(&t->head[which]));
            comm_mpi_wait(&t->head[which]);
            comm_mpi_first(t, which);
        }
}

void comm_mpi_close(void *self)
{
    comm_mpi_net *t = self;
    mem *m = t->m;
    if (t->ranks > 1 && t->world != MPI_COMM_NULL) {
        assert(t->under_way == 0 && t->busy == NULL); /* no parcel is under way */
        for (uint32_t r = 0; t->block && r < t->ranks; r++)
            comm_mpi_wait(&t->peer[r].telling); /* credits told in the barrier */
        cancel_receives(t);
        MPI_OK(MPI_Comm_free(&t->world));
    }
    mem_put(m, t->block, t->block_bytes);
    mem_put(m, t->requests, t->slot_count * sizeof *t->requests);
    mem_put(m, t->slots, t->slot_count * sizeof(comm_parcel *));
    mem_put(m, t->all, t->all_count * sizeof *t->all);
    mem_put(m, t->peer, t->ranks * sizeof *t->peer);
    comm_boxes_close(&t->boxes);
    mem_put(m, t->raw, sizeof *t + alignof(comm_mpi_net));
}

static uint32_t told_receives(const comm_mpi_net *t)
{
    uint32_t wish = 2 * (t->ranks - 1);
    return wish < TOLD_RECEIVES ? wish : TOLD_RECEIVES;
}

static void size_inlets(comm_mpi_net *t, const comm_config *c, const comm_receive *r)
{
    t->credits[COMM_LANE_LETTERS] = r->letters;
    t->credits[COMM_LANE_PASSED] = c->two_hops ? r->credits : 0;
    t->credits[COMM_LANE_FIRST] = r->credits;
    for (uint32_t lane = 0; lane < COMM_LANE_COUNT; lane++) {
        t->inlet[lane].room = (t->ranks - 1) * t->credits[lane];
        t->inlet[lane].bytes =
            lane == COMM_LANE_LETTERS ? COMM_LETTER_BYTES : r->batch_bytes;
        t->all_count += (size_t)t->ranks * t->credits[lane];
    }
    t->inlet[COMM_MPI_TOLD].room = told_receives(t);
    for (uint32_t i = 0; i < COMM_MPI_INLETS; i++) t->slot_count += t->inlet[i].room;
    t->block_bytes = r->share * t->boxes.count +
                     t->inlet[COMM_MPI_TOLD].room * comm_plan_parcel_bytes(0);
}

static int take_memory(comm_mpi_net *t, err *e)
{
    mem *m = t->m;
    t->peer = mem_get_array(m, t->ranks, sizeof *t->peer, e);
    if (t->peer) t->all = mem_get_array(m, t->all_count, sizeof *t->all, e);
    if (t->all) t->slots = mem_get_array(m, t->slot_count, sizeof(comm_parcel *), e);
    if (t->slots) t->requests = mem_get_array(m, t->slot_count, sizeof *t->requests, e);
    if (t->requests) t->block = mem_get(m, t->block_bytes, e);
    return (int)e->code;
}

static void lay_out_credits(comm_mpi_net *t)
{
    comm_mpi_sending *next = t->all;
    for (uint32_t r = 0; r < t->ranks; r++) {
        t->peer[r].telling = MPI_REQUEST_NULL;
        for (uint32_t lane = 0; lane < COMM_LANE_COUNT; lane++) {
            comm_mpi_route *to = &t->peer[r].lane[lane];
            uint32_t n = t->credits[lane];
            to->credit = next;
            to->free = n == 32 ? UINT32_MAX : (1u << n) - 1;
            next += n;
        }
    }
}

static void post_receives(comm_mpi_net *t)
{
    uint8_t *at = t->block;
    size_t used = 0;
    for (uint32_t which = 0; which < COMM_MPI_INLETS; which++) {
        comm_mpi_inlet *in = &t->inlet[which];
        in->slot = t->slots + used;
        in->request = t->requests + used;
        used += in->room;
        for (uint32_t i = 0; i < in->room; i++) {
            size_t bytes = comm_plan_parcel_bytes(in->bytes);
            size_t front = comm_plan_parcel_bytes(0);
            comm_parcel *p = (comm_parcel *)(void *)at;
            p->at = at + front;
            at += bytes;
            comm_mpi_post(t, which, p);
        }
    }
    assert(at <= t->block + t->block_bytes);
}

/* The world of this net alone, so that nothing of another is received. */
static int open_world(comm_mpi_net *t, const comm_config *c, err *e)
{
    MPI_Request r;
    int level;
    MPI_OK(MPI_Query_thread(&level));
    if (comm_mpi_ranks() != c->ranks)
        return err_set(e, ERR_USAGE, "%u ranks are wanted, %u were started", c->ranks,
                       comm_mpi_ranks());
    if (level < MPI_THREAD_SERIALIZED && t->boxes.count > 1)
        return err_set(e, ERR_SYSTEM, "%s %s has no threads; expected one per rank",
                       comm_mpi_library(), comm_mpi_version());
    MPI_OK(MPI_Comm_idup(MPI_COMM_WORLD, &t->world, &r));
    comm_mpi_wait(&r);
    comm_mpi_neighbours near = comm_mpi_neighbours_of(t->world, comm_bind_place());
    t->boxes.crowd = near.ranks * t->boxes.count;
    t->boxes.seat = near.rank * t->boxes.count;
    return 0;
}

static int open_ranks(comm_mpi_net *t, const comm_config *c, const comm_receive *r,
                      err *e)
{
    if (open_world(t, c, e) != 0) return (int)e->code;
    comm_bind_prepare(c->bind, t->boxes.crowd, e);
    size_inlets(t, c, r);
    take_memory(t, e);
    if (e->code == ERR_NONE) {
        lay_out_credits(t);
        post_receives(t);
    }
    return comm_mpi_agree_in(t->world, e); /* nobody sends before all can receive */
}

static comm_mpi_net *take_self(const comm_config *c, mem *m, err *e)
{
    uint32_t ranks = c->ranks > 1 ? c->ranks : 1;
    char *raw = mem_get(m, sizeof(comm_mpi_net) + alignof(comm_mpi_net), e);
    if (raw == NULL) return NULL;
    size_t past = (uintptr_t)raw % alignof(comm_mpi_net);
    comm_mpi_net *t =
        (comm_mpi_net *)(void *)(raw + (past ? alignof(comm_mpi_net) - past : 0));
    t->raw = raw;
    t->m = m;
    t->ranks = ranks;
    t->rank = ranks > 1 ? comm_mpi_rank() : 0;
    t->world = MPI_COMM_NULL;
    for (uint32_t i = 0; i < COMM_MPI_INLETS; i++) t->head[i] = MPI_REQUEST_NULL;
    atomic_flag_clear(&t->moving);
    uint32_t here = c->workers / ranks;
    comm_boxes_open(&t->boxes, t->rank * here, here, m, e);
    t->boxes.bind = c->bind;
    return t;
}

int comm_mpi_open(void **self, const comm_config *config, const comm_receive *r,
                  const void *options, mem *m, err *e)
{
    (void)options;
    comm_mpi_net *t = take_self(config, m, e);
    if (config->ranks <= 1) comm_bind_prepare(config->bind, t ? t->boxes.crowd : 1, e);
    else if (comm_mpi_agree(e) == 0) open_ranks(t, config, r, e);
    if (e->code == ERR_NONE) *self = t;
    else if (t) comm_mpi_close(t);
    return (int)e->code;
}
