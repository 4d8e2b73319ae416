/*
 * lts_share_run - one worker per rank: read, agree, read again and send, add up.
 *
 * Invariant  Between two workers messages keep their order, and a range is sent from its beginning
 *            on.  So what one rank sends to another arrives in the order of the file.
 */
#include "models/lts_share_job.h"

static lts_batch *batch_of(lts_share_job *j, size_t i)
{
    const label_id *rename;
    return j->text ? aut_range_batch(j->text, i, &rename) : &j->slice;
}

/* Neighbours that stay here, up to `most`. */
static size_t keep(lts_share_job *j, const lts_edge *edges, size_t most, err *e)
{
    const distribution *d = &j->out->places;
    size_t count = 0;
    while (count < most && distribution_rank(d, edges[count].from) == j->rank) count++;
    if (count > 0) lts_share_rows_add(&j->rows, j->rank, edges, count, e);
    return count;
}

/* Send some of a batch, or keep them; less than there are: no room. */
static size_t pass_on(lts_share_job *j, comm *c, const lts_edge *edges, size_t count,
                      err *e)
{
    size_t i = 0;
    while (i < count && e->code == ERR_NONE) {
        uint32_t to = distribution_rank(&j->out->places, edges[i].from);
        if (to == j->rank) {
            i += keep(j, edges + i, count - i, e);
            continue;
        }
        if (comm_send(c, to, LTS_SHARE_EDGE, &edges[i], sizeof *edges) == COMM_FULL)
            break;
        i++;
    }
    return i;
}

static comm_step next_portion(lts_share_job *j, err *e)
{
    size_t batches = j->text ? lts_share_text_next(j, e) : lts_share_plts_next(j, e);
    j->portion = (lts_share_portion){ .batches = batches };
    if (batches == 0) j->phase = LTS_SHARE_SUM;
    return COMM_STEP_BUSY;
}

static comm_step send(lts_share_job *j, comm *c, err *e)
{
    enum { SLICE = 4096 }; /* transitions, before what has arrived is looked at */
    lts_share_portion *p = &j->portion;
    if (p->batch == p->batches) return next_portion(j, e);
    const lts_batch *b = batch_of(j, p->batch);
    size_t rest = b->edges.count - p->edge, most = rest < SLICE ? rest : SLICE;
    size_t sent = pass_on(j, c, b->edges.at + p->edge, most, e);
    p->edge += sent;
    if (sent < most) return COMM_STEP_FULL;
    if (p->edge == b->edges.count) p->batch++, p->edge = 0;
    return COMM_STEP_BUSY;
}

static comm_step add_up(lts_share_job *j, comm *c)
{
    uint64_t n[COMM_SUMS_MAX] = { j->sent.cross_ranks, j->sent.cross_workers };
    if (!j->adding) comm_sum_begin(c, n, 2);
    j->adding = true;
    if (!comm_sum_test(c, n)) return COMM_STEP_IDLE;
    j->out->all.cross_ranks = n[0];
    j->out->all.cross_workers = n[1];
    j->phase = LTS_SHARE_OVER;
    return COMM_STEP_DONE;
}

/* ---- the program ----------------------------------------------------------------------- */

static int open_worker(void **self, comm *c, void *input, err *e)
{
    (void)c, (void)e;
    *self = input;
    return 0;
}

static comm_step step(void *self, comm *c, err *e)
{
    lts_share_job *j = self;
    comm_step how = COMM_STEP_BUSY;
    if (j->phase == LTS_SHARE_SCAN) lts_share_text_scan(j, e);
    else if (j->phase == LTS_SHARE_CHAIN) lts_share_text_agree(j, c, &how, e);
    else if (j->phase == LTS_SHARE_SEND) how = send(j, c, e);
    else how = add_up(j, c);
    return how == COMM_STEP_DONE && j->phase != LTS_SHARE_OVER ? COMM_STEP_BUSY : how;
}

static void close_worker(void *self) { (void)self; }

const comm_program lts_share_run = { open_worker, step, close_worker };

static int take_edges(void *self, worker_id from, const void *messages, size_t count,
                      err *e)
{
    lts_share_job *j = self;
    return lts_share_rows_add(&j->rows, from, messages, count, e);
}

static int take_pieces(void *self, worker_id from, const void *messages, size_t count,
                       err *e)
{
    lts_share_job *j = self;
    (void)from;
    return lts_share_chain_take(&j->chain, messages, count, e);
}

const comm_kind lts_share_kinds[LTS_SHARE_KINDS] = {
    [LTS_SHARE_EDGE] = { "transitions", sizeof(lts_edge), COMM_NO_CHANNEL, take_edges },
    [LTS_SHARE_PIECE] = { "labels", sizeof(lts_share_piece), COMM_NO_CHANNEL,
                          take_pieces },
};
