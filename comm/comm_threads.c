/*
 * comm_threads - workers are threads of one process; all is in comm_boxes.
 */
#include "comm/comm_boxes.h"

static void threads_close(void *self)
{
    comm_boxes *b = self;
    mem *m = b->m;
    comm_boxes_close(b);
    mem_put(m, b, sizeof *b);
}

static int threads_open(void **self, const comm_config *config, const comm_receive *r,
                        const void *options, mem *m, err *e)
{
    (void)r;
    (void)options;
    comm_boxes *b = mem_get(m, sizeof *b, e);
    if (b == NULL) return (int)e->code;
    if (comm_boxes_open(b, 0, config->workers, m, e) == 0) {
        b->bind = config->bind;
        comm_bind_prepare(b->bind, b->crowd, e);
    }
    if (e->code == ERR_NONE) *self = b;
    else threads_close(b);
    return (int)e->code;
}

static void threads_post(void *self, comm_parcel *p)
{
    comm_box_push(comm_boxes_of(self, p->to, (uint32_t)p->lane), p);
}

static comm_parcel *threads_arrived(void *self, worker_id me, comm_lane_id lane)
{
    return comm_box_take(comm_boxes_of(self, me, (uint32_t)lane));
}

static void threads_give_back(void *self, comm_parcel *p)
{
    comm_box_push(comm_boxes_of(self, p->from, COMM_BOX_BACK), p);
}

static comm_parcel *threads_returned(void *self, worker_id me)
{
    return comm_box_take(comm_boxes_of(self, me, COMM_BOX_BACK));
}

static int threads_drive(void *self, comm_turn_of *turn, void *run, err *e)
{
    comm_boxes *b = self;
    (void)e;
    comm_boxes_drive(b, turn, run);
    return 0;
}

const comm_transport comm_threads = {
    .name = "threads",
    .doc = "workers are threads of one process",
    .open = threads_open,
    .close = threads_close,
    .post = threads_post,
    .arrived = threads_arrived,
    .give_back = threads_give_back,
    .returned = threads_returned,
    .clock = comm_boxes_clock,
    .drive = threads_drive,
};
