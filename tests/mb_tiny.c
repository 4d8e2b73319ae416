/*
 * mb_tiny - the parts of comm/ that the solver uses, without time.
 *
 * All is as comm_poll.c, comm_letters.c and comm_run.c say; but a batch is one message, nothing is
 * kept back, and what happens next is the explorer's choice.
 */
#include "tests/mb_tiny_world.h"

#include <stdlib.h>

static tiny_end *inside(comm *c) { return (tiny_end *)c; }
static const tiny_end *inside_const(const comm *c) { return (const tiny_end *)c; }

static void blame(comm_net *n, const char *what)
{
    if (n->wrong == NULL) n->wrong = what;
}

/* ---- data ----------------------------------------------------------------------------------- */

static uint32_t rank_of(const tiny_data *d)
{
    return (uint32_t)(d->from * MB_TINY_WORKERS + d->to) * COMM_KINDS_MAX + d->kind;
}

static bool has_room(const comm_net *n, const tiny_data *d)
{
    uint32_t there = 0;
    for (uint32_t i = 0; i < n->data_count; i++)
        there += rank_of(&n->data[i]) == rank_of(d);
    return n->room == 0 || there < n->room;
}

static void count(comm_net *n, tiny_end *c, uint32_t kind, bool sent)
{
    uint32_t channel = n->config.kinds[kind].channel, whole = n->config.channels - 1;
    for (int i = 0; i < 2; i++) {
        uint32_t k = i == 0 ? channel : n->config.whole ? whole : COMM_NO_CHANNEL;
        if (k == COMM_NO_CHANNEL) continue;
        dtd_figures *f = &c->channel[k].now;
        if (sent) f->sent++;
        else f->received++;
    }
}

void *comm_place_slowly(comm *face, worker_id to, uint32_t kind, size_t width)
{
    tiny_end *c = inside(face);
    comm_net *n = c->net;
    uint32_t channel = n->config.kinds[kind].channel, i = n->data_count;
    tiny_data d = { (uint8_t)c->self, (uint8_t)to, (uint8_t)kind, 0, { 0 } };
    if (channel != COMM_NO_CHANNEL) d.epoch = (uint8_t)comm_epoch(face, channel);
    if (i == TINY_DATA || width > sizeof d.word) abort();
    if (!has_room(n, &d)) return NULL;
    count(n, c, kind, true);
    n->data_count++;
    for (; i > 0 && rank_of(&n->data[i - 1]) > rank_of(&d); i--)
        n->data[i] = n->data[i - 1];
    n->data[i] = d;
    return n->data[i].word;
}

/* ---- letters -------------------------------------------------------------------------------- */

static uint32_t pair_of(const tiny_letter *l)
{
    return (uint32_t)(l->from * MB_TINY_WORKERS + l->to);
}

static void post(comm_net *n, const tiny_letter *l)
{
    uint32_t i = n->letter_count++;
    if (i == TINY_LETTERS) abort();
    for (; i > 0 && pair_of(&n->letter[i - 1]) > pair_of(l); i--)
        n->letter[i] = n->letter[i - 1];
    n->letter[i] = *l;
}

/* After an event of a detector. */
static void settle(tiny_end *c, uint32_t channel, const dtd_out *out)
{
    comm_net *n = c->net;
    for (size_t i = 0; i < out->count; i++) {
        tiny_letter l = { (uint8_t)c->self,
                          (uint8_t)out->at[i].to,
                          TINY_DETECTOR,
                          out->at[i].message,
                          { 0 } };
        post(n, &l);
    }
    if (!out->announced) return;
    tiny_channel *h = &c->channel[channel];
    h->now.passive = h->now.need = false;
    h->unsure = true;
    n->config.announced(c->user, channel, dtd_epoch(tiny_detector(c), channel) - 1,
                        &n->e);
}

enum { EVENT_LETTERS = 2 * MB_TINY_WORKERS + 2 };

static void tell_states(tiny_end *c)
{
    for (uint32_t i = 0; i < c->net->config.channels; i++) {
        tiny_channel *h = &c->channel[i];
        bool same = !h->unsure && h->now.sent == h->told.sent &&
                    h->now.received == h->told.received && h->now.need == h->told.need &&
                    h->told.passive;
        if (!h->now.passive || same) continue;
        dtd_letter room[EVENT_LETTERS];
        dtd_out out = { .at = room, .room = EVENT_LETTERS };
        h->told = h->now;
        h->unsure = false;
        c->net->config.detector->state(tiny_detector(c), i, &h->now, &out);
        settle(c, i, &out);
    }
}

static void go_ahead(tiny_end *c, uint32_t channel)
{
    dtd_letter room[EVENT_LETTERS];
    dtd_out out = { .at = room, .room = EVENT_LETTERS };
    c->net->config.detector->ahead(tiny_detector(c), channel, &out);
    settle(c, channel, &out);
}

void comm_tell(comm *face, uint32_t channel, bool passive, bool need)
{
    tiny_channel *h = &inside(face)->channel[channel];
    if (!passive) h->told.passive = false;
    h->now.passive = passive;
    h->now.need = need;
}

uint32_t comm_epoch(const comm *c, uint32_t channel)
{
    return dtd_epoch((const dtd *)(const void *)inside_const(c)->detector, channel);
}

bool comm_frozen(const comm *c, uint32_t channel)
{
    return dtd_frozen((const dtd *)(const void *)inside_const(c)->detector, channel);
}

worker_id comm_self(const comm *c) { return inside_const(c)->self; }

/* ---- sums, over a tree in which all are worker 0's children ---------------------------------- */

static void post_numbers(tiny_end *c, worker_id to, uint8_t type, const uint64_t *x)
{
    tiny_letter l = { .from = (uint8_t)c->self, .to = (uint8_t)to, .type = type };
    memcpy(l.sum, x, sizeof l.sum);
    post(c->net, &l);
}

static void have_result(tiny_end *c, const uint64_t *x)
{
    memcpy(c->sum.result, x, sizeof c->sum.result);
    c->sum.arrived = true;
    for (worker_id w = 1; c->self == 0 && w < c->net->config.workers; w++)
        post_numbers(c, w, TINY_DOWN, x);
}

static void go_on_adding(tiny_end *c)
{
    tiny_sum *s = &c->sum;
    if (!s->begun || s->up || s->missing > 0) return;
    uint64_t x[COMM_SUMS_MAX];
    memcpy(x, s->part, sizeof x);
    memset(s->part, 0, sizeof s->part);
    s->up = true;
    s->missing = c->self == 0 ? c->net->config.workers - 1 : 0;
    if (c->self == 0) have_result(c, x);
    else post_numbers(c, 0, TINY_UP, x);
}

static void add_part(tiny_sum *s, const uint64_t *x, uint32_t numbers)
{
    for (uint32_t i = 0; i < numbers; i++) s->part[i] += x[i];
}

void comm_sum_begin(comm *face, const uint64_t *values, uint32_t numbers)
{
    tiny_end *c = inside(face);
    add_part(&c->sum, values, numbers);
    c->sum.begun = true;
    c->sum.up = false;
}

bool comm_sum_test(comm *face, uint64_t *values)
{
    tiny_sum *s = &inside(face)->sum;
    if (!s->begun || !s->arrived) return false;
    memcpy(values, s->result, sizeof s->result);
    memset(s->result, 0, sizeof s->result);
    s->begun = s->arrived = false;
    return true;
}

/* Nobody looks at figures. */
uint64_t *comm_figures(comm *face) { return inside(face)->net->figures; }

/* ---- moves ---------------------------------------------------------------------------------- */

static void take_letter(comm_net *n, uint32_t i)
{
    tiny_letter l = n->letter[i];
    tiny_end *c = &n->end[l.to];
    memmove(&n->letter[i], &n->letter[i + 1],
            (--n->letter_count - i) * sizeof n->letter[0]);
    if (l.type == TINY_UP) {
        add_part(&c->sum, l.sum, COMM_SUMS_MAX);
        c->sum.missing--;
    } else if (l.type == TINY_DOWN) {
        have_result(c, l.sum);
    } else {
        dtd_letter room[EVENT_LETTERS];
        dtd_out out = { .at = room, .room = EVENT_LETTERS };
        n->config.detector->message(tiny_detector(c), l.from, &l.message,
                                    &c->channel[l.message.channel].now, &out);
        settle(c, l.message.channel, &out);
    }
    go_on_adding(c);
}

/* What a poll does between letters and data. */
static void after_letters(tiny_end *c)
{
    if (c->open && !c->polled) {
        tell_states(c);
        go_on_adding(c);
    }
}

static void take_data(comm_net *n, uint32_t i)
{
    tiny_data d = n->data[i];
    const comm_kind *k = &n->config.kinds[d.kind];
    tiny_end *c = &n->end[d.to];
    after_letters(c);
    c->polled = true;
    memmove(&n->data[i], &n->data[i + 1], (--n->data_count - i) * sizeof n->data[0]);
    if (k->channel != COMM_NO_CHANNEL) {
        uint32_t epoch = comm_epoch(&c->face, k->channel);
        if (d.epoch == epoch + 1) go_ahead(c, k->channel);
        else if (d.epoch != epoch) blame(n, "a message after its epoch");
        c->channel[k->channel].now.passive = false;
    }
    if (n->config.whole) c->channel[n->config.channels - 1].now.passive = false;
    k->handle(c->user, d.from, d.word, 1, &n->e);
    count(n, c, d.kind, false);
}

static bool is_drained(const comm_net *n, worker_id w)
{
    for (uint32_t i = 0; i < n->data_count; i++)
        if (n->data[i].from == w) return false;
    return true;
}

/* Nobody reads what still comes. */
static void leave(tiny_end *c)
{
    comm_net *n = c->net;
    uint32_t kept = 0;
    c->left = true;
    for (uint32_t i = 0; i < n->letter_count; i++)
        if (n->letter[i].to != c->self) n->letter[kept++] = n->letter[i];
    n->letter_count = kept;
    for (uint32_t i = 0; i < n->data_count; i++)
        if (n->data[i].to == c->self) blame(n, "a message to one who has left");
}

static void say_goodbye(tiny_end *c)
{
    uint64_t sum[COMM_SUMS_MAX] = { 0 };
    if (!c->leaving && is_drained(c->net, c->self)) {
        comm_sum_begin(&c->face, sum, 1);
        c->leaving = true;
    }
    if (c->leaving && comm_sum_test(&c->face, sum)) leave(c);
}

static void take_step(comm_net *n, worker_id w)
{
    tiny_end *c = &n->end[w];
    after_letters(c);
    c->polled = false;
    if (!c->open) {
        c->open = true;
        n->program->open(&c->user, &c->face, n->input, &n->e);
    }
    if (!c->done) c->done = n->program->step(c->user, &c->face, &n->e) == COMM_STEP_DONE;
    if (c->done) say_goodbye(c);
}

void mb_tiny_move(comm_net *n, tiny_move move)
{
    if (move.what == TINY_STEP) take_step(n, move.at);
    else if (move.what == TINY_LETTER) take_letter(n, move.at);
    else take_data(n, move.at);
}

uint32_t mb_tiny_moves(const comm_net *n, tiny_move *list)
{
    uint32_t moves = 0;
    for (uint32_t i = 0; i < n->letter_count; i++) {
        const tiny_end *c = &n->end[n->letter[i].to];
        bool first = i == 0 || pair_of(&n->letter[i]) != pair_of(&n->letter[i - 1]);
        if (first && c->open && !c->polled) list[moves++] = (tiny_move){ TINY_LETTER, i };
    }
    for (uint32_t i = 0; i < n->data_count; i++) {
        bool first = i == 0 || rank_of(&n->data[i]) != rank_of(&n->data[i - 1]);
        if (first && n->end[n->data[i].to].open)
            list[moves++] = (tiny_move){ TINY_MESSAGE, i };
    }
    for (worker_id w = 0; w < n->config.workers; w++)
        if (!n->end[w].left) list[moves++] = (tiny_move){ TINY_STEP, w };
    return moves;
}

bool mb_tiny_is_over(const comm_net *n)
{
    for (worker_id w = 0; w < n->config.workers; w++)
        if (!n->end[w].left) return false;
    return true;
}

/* ---- the net -------------------------------------------------------------------------------- */

size_t comm_plan_ample(const comm_config *config)
{
    (void)config;
    return 1;
}

static void open_end(comm_net *n, worker_id w)
{
    tiny_end *c = &n->end[w];
    const comm_config *f = &n->config;
    c->face = (comm){ .slot = n->slot, .stride = 0, .sent = n->sent };
    c->net = n;
    c->self = w;
    c->sum.missing = w == 0 ? f->workers - 1 : 0;
    for (uint32_t k = 0; k < f->channels; k++) c->channel[k].unsure = true;
    if (dtd_bytes(f->detector, f->workers, w, f->channels) > sizeof c->detector) abort();
    dtd_begin(f->detector, c->detector, f->workers, w, f->channels);
}

int comm_net_open(comm_net **out, const comm_config *config, const comm_transport *t,
                  const void *options, mem *m, err *e)
{
    comm_net *n = *out = calloc(1, sizeof *n);
    (void)t, (void)m;
    if (n == NULL || config->workers > MB_TINY_WORKERS ||
        config->channels > TINY_CHANNELS)
        abort();
    n->config = *config;
    n->guide = options;
    n->room = n->guide->room;
    for (worker_id w = 0; w < config->workers; w++) open_end(n, w);
    return (int)e->code;
}

void comm_net_close(comm_net *n) { free(n); }

const comm_transport *comm_net_class(const comm_net *n)
{
    static const comm_transport none = { .name = "tiny" };
    (void)n;
    return &none;
}

void *comm_net_transport(const comm_net *n) { return (void *)(uintptr_t)n; }

void comm_stats_collect(comm_stats *s, comm_net *n, const comm_report *reports)
{
    (void)n, (void)reports;
    memset(s, 0, sizeof *s);
}

int comm_run_watched(comm_net *n, const comm_program *p, void *input, const comm_watch *w,
                     comm_report *reports, err *e)
{
    (void)w, (void)reports;
    n->program = p;
    n->input = input;
    n->guide->explore(n, n->guide->self);
    return (int)e->code;
}
