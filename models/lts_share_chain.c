/*
 * lts_share_chain - two laps from rank to rank.
 *
 * Idea       In the first lap, from rank 0 to the last, everybody passes on the labels that he gets and
 *            then adds those that are new in his own range; so the last one has all of them, in
 *            the order of the file.  In the second they go from there to rank 0 and on to the others.
 *            What is passed on is read from the table itself, so a label goes on as soon as it has
 *            come, and nothing is kept twice.
 * Invariant  The table of a rank is at any time a beginning of the table of the file.
 * Cost       Every label passes every rank twice; a lap takes as long as one rank takes, and a message
 *            per rank more.
 */
#include "models/lts_share_chain.h"

#include <string.h>

enum { PART, TEXT, END }; /* of a text; its end; of the lap, with the tally */

void lts_share_chain_begin(lts_share_chain *c)
{
    uint32_t last = c->ranks - 1;
    c->told = c->rank == 0;
    c->lap[0].wanted = c->rank != last;
    c->lap[1].wanted = c->rank == last || c->rank + 1 < last;
}

void lts_share_chain_release(lts_share_chain *c)
{
    if (c->options) vec_release(c->options->m, &c->text);
}

/* ---- receiving ------------------------------------------------------------------------- */

static int append(lts_share_chain *c, const lts_share_piece *p, err *e)
{
    mem *m = c->options->m;
    if (vec_reserve(m, &c->text, c->text.count + p->bytes, e) != 0) return (int)e->code;
    if (p->bytes > 0) memcpy(c->text.at + c->text.count, p->text, p->bytes);
    c->text.count += p->bytes;
    return 0;
}

static int enter_text(lts_share_chain *c, const lts_share_piece *p, err *e)
{
    label_id known;
    if (c->text.count == 0) return label_table_put(c->all, p->text, p->bytes, &known, e);
    if (append(c, p, e) != 0) return (int)e->code;
    size_t bytes = c->text.count;
    c->text.count = 0;
    return label_table_put(c->all, c->text.at, bytes, &known, e);
}

/* Rank 0 hears of the second lap alone, the last one of the first alone. */
static void end_lap(lts_share_chain *c, const lts_share_piece *p)
{
    memcpy(&c->sum, p->text, sizeof c->sum);
    if (c->told) c->closed = c->lap[1].ready = true;
    c->told = true;
}

int lts_share_chain_take(lts_share_chain *c, const lts_share_piece *pieces, size_t count,
                         err *e)
{
    for (const lts_share_piece *p = pieces; p < pieces + count; p++) {
        if (p->what == PART) append(c, p, e);
        else if (p->what == TEXT) enter_text(c, p, e);
        else end_lap(c, p);
        if (e->code != ERR_NONE) return (int)e->code;
    }
    return 0;
}

/* ---- what this range has ---------------------------------------------------------------- */

static int join_labels(lts_share_chain *c, err *e)
{
    label_id known;
    for (label_id id = 0; id < label_table_count(c->own); id++) {
        size_t bytes;
        const char *text = label_table_text(c->own, id, &bytes);
        if (label_table_put(c->all, text, bytes, &known, e) != 0) return (int)e->code;
    }
    for (size_t i = 0; i < c->options->hidden_count; i++) {
        const char *name = c->options->hidden[i];
        if (label_table_met(c->own, name) &&
            label_table_put(c->all, name, strlen(name), &known, e) != 0)
            return (int)e->code;
    }
    return 0;
}

int lts_share_chain_join(lts_share_chain *c, aut_range_tally own, err *e)
{
    c->lines_before = c->sum.lines;
    c->sum.lines += own.lines;
    c->sum.transitions += own.transitions;
    if (own.end > c->sum.end) c->sum.end = own.end;
    c->lap[0].ready = true;
    if (c->rank == c->ranks - 1) c->closed = c->lap[1].ready = true;
    return join_labels(c, e);
}

/* ---- sending --------------------------------------------------------------------------- */

static lts_share_piece *place(const lts_share_chain *c, comm *net)
{
    return comm_place(net, (c->rank + 1) % c->ranks, c->kind, sizeof(lts_share_piece));
}

/* Send a text, or go on with it; false: no room. */
static bool send_text(lts_share_chain *c, lts_share_lap *lap, comm *net, const char *text,
                      size_t bytes)
{
    for (;;) {
        lts_share_piece *p = place(c, net);
        if (p == NULL) return false;
        size_t rest = bytes - lap->bytes, most = sizeof p->text;
        p->what = rest > most ? PART : TEXT;
        p->bytes = (uint16_t)(rest > most ? most : rest);
        memcpy(p->text, text + lap->bytes, p->bytes);
        lap->bytes = rest > most ? lap->bytes + most : 0;
        if (rest <= most) return true;
    }
}

static bool send_labels(lts_share_chain *c, lts_share_lap *lap, comm *net)
{
    for (; lap->labels < label_table_count(c->all); lap->labels++) {
        size_t bytes;
        const char *text = label_table_text(c->all, lap->labels, &bytes);
        if (!send_text(c, lap, net, text, bytes)) return false;
    }
    return true;
}

/* Of the names of the hidden label, those that occur. */
static bool send_hidden(lts_share_chain *c, lts_share_lap *lap, comm *net)
{
    for (; lap->hidden < c->options->hidden_count; lap->hidden++) {
        const char *name = c->options->hidden[lap->hidden];
        if (!label_table_met(c->all, name)) continue;
        if (!send_text(c, lap, net, name, strlen(name))) return false;
    }
    return true;
}

/* COMM_STEP_IDLE: more has to come first. */
static comm_step send_lap(lts_share_chain *c, lts_share_lap *lap, comm *net)
{
    if (!lap->wanted || lap->over) return COMM_STEP_DONE;
    if (!send_labels(c, lap, net)) return COMM_STEP_FULL;
    if (!lap->ready) return COMM_STEP_IDLE;
    if (!send_hidden(c, lap, net)) return COMM_STEP_FULL;
    lts_share_piece *p = place(c, net);
    if (p == NULL) return COMM_STEP_FULL;
    p->what = END;
    memcpy(p->text, &c->sum, sizeof c->sum);
    lap->over = true;
    return COMM_STEP_DONE;
}

comm_step lts_share_chain_step(lts_share_chain *c, comm *net)
{
    comm_step first = send_lap(c, &c->lap[0], net);
    if (first != COMM_STEP_DONE) return first;
    comm_step second = send_lap(c, &c->lap[1], net);
    if (second != COMM_STEP_DONE) return second;
    return c->closed ? COMM_STEP_DONE : COMM_STEP_IDLE;
}
