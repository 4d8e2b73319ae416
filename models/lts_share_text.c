/*
 * lts_share_text - AUT text, read by several ranks.
 *
 * Idea       A plain file is read twice, each rank its range of the bytes.  The first time it learns
 *            the labels, the lines and the counts of its range; then all agree (lts_share_chain).
 *            The second time every transition is sent to the owner of its source under the
 *            numbers of the file.  So nothing that has to wait for an agreement is ever kept.
 *            What is compressed is decoded once, by every rank.
 * Invariant  A mistake is told by the rank that found it when all ranks before have found none:
 *            it is the first one of the file, and the number of its line is known.
 */
#include "models/lts_share_job.h"

#include <string.h>

/* Of a .bcg, nobody knows the text that was made of it. */
static int blame(const lts_share_job *j, err *e)
{
    return e->code == ERR_NONE ? 0 : bcg_text_blame(&j->made, e);
}

static const aut_head *head_of(const lts_share_job *j) { return aut_range_head(j->text); }

static void place_all(lts_share_job *j, state_id states, uint64_t transitions)
{
    lts_share_job_place(j, states, (state_id)head_of(j)->counts.initial, transitions);
}

static int open_tables(lts_share_job *j, err *e)
{
    label_table **all = &j->out->rows.labels;
    if (label_table_open(all, j->load.m, e) != 0 ||
        load_options_hide(&j->load, *all, e) != 0)
        return (int)e->code;
    if (j->whole) return 0;
    if (label_table_open(&j->met, j->load.m, e) != 0) return (int)e->code;
    return load_options_hide(&j->load, j->met, e);
}

int lts_share_text_open(lts_share_job *j, const char *file, err *e)
{
    if (aut_range_open(&j->text, file, &j->load, e) != 0) return blame(j, e);
    j->whole = !aut_range_divides(j->text) || j->made.file[0] != '\0';
    j->phase = j->whole && !j->load.lenient ? LTS_SHARE_SEND : LTS_SHARE_SCAN;
    if (open_tables(j, e) != 0) return (int)e->code;
    const aut_header *h = &head_of(j)->counts;
    if (j->phase == LTS_SHARE_SEND) place_all(j, (state_id)h->states, h->transitions);
    j->chain = (lts_share_chain){ .options = &j->load,
                                  .rank = j->rank,
                                  .ranks = j->ranks,
                                  .kind = LTS_SHARE_PIECE,
                                  .all = j->out->rows.labels,
                                  .own = j->met };
    lts_share_chain_begin(&j->chain);
    progress_begin(j->load.clock, "reading", "bytes", 0);
    return aut_range_begin(j->text, j->whole ? 0 : j->rank, j->whole ? 1 : j->ranks, e);
}

void lts_share_text_close(lts_share_job *j)
{
    if (j->text) progress_end(j->load.clock);
    aut_range_close(j->text);
    label_table_close(j->met);
    lts_share_chain_release(&j->chain);
    bcg_text_close(&j->made);
}

/* Counts are known, and what they say. */
static int begin_sending(lts_share_job *j, aut_range_tally t, err *e)
{
    state_id states = 0;
    if (aut_head_check(head_of(j), t.transitions, t.end, &states, e) != 0)
        return blame(j, e);
    place_all(j, states, t.transitions);
    if (aut_range_begin(j->text, j->whole ? 0 : j->rank, j->whole ? 1 : j->ranks, e) != 0)
        return blame(j, e);
    j->phase = LTS_SHARE_SEND;
    return 0;
}

/* ---- scanning -------------------------------------------------------------------------- */

static int end_scan(lts_share_job *j, label_table *labels, err *e)
{
    if (aut_range_enter_hidden(j->text, labels, e) != 0) return (int)e->code;
    if (j->whole) return begin_sending(j, aut_range_so_far(j->text), e);
    j->phase = LTS_SHARE_CHAIN;
    return 0;
}

bool lts_share_text_scan(lts_share_job *j, err *e)
{
    label_table *labels = j->whole ? j->out->rows.labels : j->met;
    if (progress_tick(j->load.clock, aut_range_done(j->text), e) != 0) return true;
    if (aut_range_round(j->text, labels, &j->wrong) > 0) return false;
    if (j->wrong.code == ERR_NONE) end_scan(j, labels, e);
    else if (j->wrong.code == ERR_LIMIT) *e = j->wrong;
    else if (j->whole) {
        *e = j->wrong;
        aut_range_locate(j->text, 0, e);
        blame(j, e);
    } else j->phase = LTS_SHARE_CHAIN;
    return true;
}

/* What is before this range is known: it was right. */
static int join(lts_share_job *j, err *e)
{
    j->joined = true;
    if (j->wrong.code == ERR_NONE)
        return lts_share_chain_join(&j->chain, aut_range_so_far(j->text), e);
    *e = j->wrong;
    return aut_range_locate(j->text, j->chain.sum.lines, e);
}

bool lts_share_text_agree(lts_share_job *j, comm *c, comm_step *how, err *e)
{
    if (j->chain.told && !j->joined && join(j, e) != 0) return true;
    *how = lts_share_chain_step(&j->chain, c);
    if (*how != COMM_STEP_DONE) return false;
    begin_sending(j, j->chain.sum, e);
    return true;
}

/* ---- sending --------------------------------------------------------------------------- */

/* Of a file that was read once only, counts are known now. */
static int check_end(lts_share_job *j, err *e)
{
    state_id states;
    aut_range_tally t = aut_range_so_far(j->text);
    if (!j->whole || j->load.lenient) return 0;
    if (aut_head_check(head_of(j), t.transitions, t.end, &states, e) != 0)
        return blame(j, e);
    return aut_range_enter_hidden(j->text, j->out->rows.labels, e);
}

static int translate_round(lts_share_job *j, size_t batches, err *e)
{
    uint64_t ranks = 0, workers = 0;
    err wrong = ERR_INIT;
#pragma omp parallel for schedule(static, 1) reduction(+ : ranks, workers)             \
    num_threads((int)batches) if (batches > 1)
    for (size_t i = 0; i < batches; i++) {
        const label_id *rename;
        lts_share_count sent = { 0 };
        err mine = ERR_INIT;
        lts_batch *b = aut_range_batch(j->text, i, &rename);
        lts_share_job_translate(j, b, rename, &sent, &mine);
        ranks += sent.cross_ranks;
        workers += sent.cross_workers;
#pragma omp critical(lts_share_text_wrong)
        if (mine.code != ERR_NONE) err_set(&wrong, mine.code, "%s", mine.text);
    }
    j->sent.cross_ranks += ranks;
    j->sent.cross_workers += workers;
    if (wrong.code != ERR_NONE) *e = wrong;
    return (int)e->code;
}

size_t lts_share_text_next(lts_share_job *j, err *e)
{
    if (progress_tick(j->load.clock, aut_range_done(j->text), e) != 0) return 0;
    size_t batches = aut_range_round(j->text, j->out->rows.labels, e);
    if (e->code != ERR_NONE) {
        aut_range_locate(j->text, j->chain.lines_before, e);
        blame(j, e);
        return 0;
    }
    if (batches == 0) check_end(j, e);
    else translate_round(j, batches, e);
    return e->code == ERR_NONE ? batches : 0;
}
