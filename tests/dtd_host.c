#include "tests/dtd_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT, REQUEST, ANSWER }; /* kinds of data */

uint32_t dtd_host_draw(dtd_world *w, uint32_t below)
{
    return (uint32_t)random_below(&w->r, below);
}

void dtd_host_blame(dtd_world *w, const char *what, worker_id j, uint32_t channel)
{
    if (w->wrong[0] == 0)
        snprintf(w->wrong, sizeof w->wrong, "%s: worker %u, channel %u, epoch %u", what,
                 j, channel, dtd_epoch(w->detector[j], channel));
}

/* --- what is true --------------------------------------------------------------------- */

static bool idle(const dtd_world *w, worker_id j)
{
    for (uint32_t k = 0; k < w->s.channels; k++) {
        const place *p = &w->at[j][k];
        if (p->work > 0 || p->open > 0 || p->put_off > 0) return false;
    }
    return true;
}

static bool is_whole(const dtd_world *w, uint32_t k) { return k == w->s.channels; }

static bool passive(const dtd_world *w, worker_id j, uint32_t k)
{
    const place *p = &w->at[j][k];
    return is_whole(w, k) ? idle(w, j) : p->work == 0 && p->open == 0;
}

static dtd_figures figures(const dtd_world *w, worker_id j, uint32_t k)
{
    const place *p = &w->at[j][k];
    return (dtd_figures){ .sent = p->sent,
                          .received = p->received,
                          .passive = passive(w, j, k),
                          .need = is_whole(w, k)
                                      ? j == 0 && w->solved
                                      : p->waiters > (w->s.patient ? p->put_off : 0) };
}

/* A need counts in the epoch of the worker that has it. */
static void note_need(dtd_world *w, worker_id j, uint32_t k, bool need)
{
    if (need && dtd_epoch(w->detector[j], k) == w->announced[k]) w->needed[k] = true;
}

/* The first to learn of an end: is it one? */
static void judge_end(dtd_world *w, worker_id j, uint32_t k)
{
    if (w->under_way[k] > 0)
        dtd_host_blame(w, "announced with a message under way", j, k);
    if (!w->needed[k]) dtd_host_blame(w, "announced without a need", j, k);
    for (worker_id i = 0; i < w->s.workers; i++) {
        uint32_t epoch = dtd_epoch(w->detector[i], k) - (i == j);
        if (!passive(w, i, k)) dtd_host_blame(w, "announced with work left", i, k);
        if (epoch != w->announced[k]) dtd_host_blame(w, "epochs out of step", i, k);
    }
    w->announced[k]++;
    w->needed[k] = false;
    w->run_announcements++;
}

/* --- data ----------------------------------------------------------------------------- */

static void *grow(void *at, size_t *room, size_t count, size_t size)
{
    if (count < *room) return at;
    *room = 2 * count + 64;
    at = realloc(at, *room * size);
    if (at == NULL) abort();
    return at;
}

static void post(dtd_world *w, item x)
{
    place *whole = &w->at[x.from][w->s.channels];
    x.epoch = dtd_epoch(w->detector[x.from], x.channel);
    if (x.kind == UNIT) w->at[x.from][x.channel].sent++, w->under_way[x.channel]++;
    if (w->s.whole) whole->sent++, w->under_way[w->s.channels]++;
    w->data = grow(w->data, &w->data_room, w->data_count, sizeof *w->data);
    w->data[w->data_count++] = x;
}

void dtd_host_wait(dtd_world *w, waiter x)
{
    place *p = &w->at[x.at][x.channel];
    p->waiters++;
    if (x.put_off) p->put_off++, w->tally->put_off++;
    w->waits = grow(w->waits, &w->wait_room, w->wait_count, sizeof *w->waits);
    w->waits[w->wait_count++] = x;
}

static void reply(dtd_world *w, const waiter *x)
{
    if (x->who == NOBODY) {
        w->solved |= x->at == 0 && x->channel == 0;
        return;
    }
    post(w, (item){ .kind = ANSWER,
                    .from = x->at,
                    .from_channel = x->channel,
                    .to = x->who,
                    .channel = x->who_channel });
}

/* A request that is not put off: answered at once, or work and then a wait. */
static void accept(dtd_world *w, waiter x)
{
    x.put_off = false;
    if (dtd_host_draw(w, 4) == 0) {
        reply(w, &x);
        return;
    }
    if (dtd_host_draw(w, 4) > 0) {
        w->at[x.at][x.channel].work++;
        if (w->announced[x.channel] > 0) w->tally->reopened++;
    }
    dtd_host_wait(w, x);
}

static void request(dtd_world *w, waiter x)
{
    x.put_off = dtd_frozen(w->detector[x.at], x.channel);
    if (x.put_off) dtd_host_wait(w, x);
    else accept(w, x);
}

/* Take those who wait at a place out, from `from` on: put off ones or the others. */
static bool take_waiter(dtd_world *w, worker_id j, uint32_t k, bool put_off, waiter *out)
{
    place *p = &w->at[j][k];
    if ((put_off ? p->put_off : p->waiters - p->put_off) == 0) return false;
    for (size_t i = 0; i < w->wait_count; i++) {
        waiter *x = &w->waits[i];
        if (x->at != j || x->channel != k || x->put_off != put_off) continue;
        *out = *x;
        *x = w->waits[--w->wait_count];
        p->waiters--;
        if (put_off) p->put_off--;
        return true;
    }
    return false;
}

static void release(dtd_world *w, worker_id j, uint32_t k)
{
    waiter x;
    uint32_t n = w->at[j][k].put_off;
    while (n-- > 0 && take_waiter(w, j, k, true, &x)) accept(w, x);
}

/* --- events of a detector ------------------------------------------------------------- */

static void mail(dtd_world *w, worker_id from, const dtd_out *out)
{
    w->tally->letters += out->count;
    w->run_letters += out->count;
    for (size_t i = 0; i < out->count; i++) {
        bool first = true;
        for (size_t n = 0; n < i; n++) first &= out->at[n].to != out->at[i].to;
        w->tally->envelopes += first;
        if (w->letter_count == LETTERS_MAX) {
            dtd_host_blame(w, "too many letters under way", from, 0);
            return;
        }
        if (out->at[i].to >= w->s.workers) {
            dtd_host_blame(w, "a letter to nobody", from, 0);
            return;
        }
        w->letters[w->letter_count++] = (control){ from, out->at[i] };
    }
}

static void print_letter(const control *x)
{
    const dtd_message *m = &x->letter.message;
    printf("    %u -> %u: %s, channel %u, epoch %u, sent %llu, received %llu%s%s%s\n",
           x->from, x->letter.to, dtd_kind_name(m->kind), m->channel, m->epoch,
           (unsigned long long)m->sent, (unsigned long long)m->received,
           m->flags & DTD_YES ? ", yes" : "", m->flags & DTD_NEED ? ", need" : "",
           m->flags & DTD_BLACK ? ", black" : "");
}

static void epoch_ended(dtd_world *w, worker_id j, uint32_t k)
{
    waiter x;
    uint32_t epoch = dtd_epoch(w->detector[j], k);
    if (w->s.trace)
        printf("    worker %u ends epoch %u of channel %u\n", j, epoch - 1, k);
    if (epoch == w->announced[k] + 1) judge_end(w, j, k);
    else if (epoch != w->announced[k]) dtd_host_blame(w, "epochs out of step", j, k);
    if (!passive(w, j, k)) dtd_host_blame(w, "ended with work left", j, k);
    if (is_whole(w, k)) w->stopped[j] = true;
    else
        while (take_waiter(w, j, k, false, &x)) reply(w, &x);
}

/* After an event of the detector of j that may have ended or thawed channel k. */
static void follow(dtd_world *w, worker_id j, uint32_t k, bool was_frozen,
                   const dtd_out *out)
{
    if (out->announced) epoch_ended(w, j, k);
    if (dtd_frozen(w->detector[j], k)) return;
    if (was_frozen && !out->announced) {
        w->tally->thawed++;
        if (w->s.exact) dtd_host_blame(w, "frozen for nothing", j, k);
    }
    if (!is_whole(w, k)) release(w, j, k);
}

static void tell_state(dtd_world *w, worker_id j, uint32_t k, dtd_out *out)
{
    place *p = &w->at[j][k];
    dtd_figures now = figures(w, j, k);
    bool was_frozen = dtd_frozen(w->detector[j], k);
    bool same = now.sent == p->told.sent && now.received == p->told.received &&
                now.passive == p->told.passive && now.need == p->told.need;
    if (!same) w->run_changes++;
    note_need(w, j, k, now.need);
    p->told = now;
    w->c->state(w->detector[j], k, &now, out);
    follow(w, j, k, was_frozen, out);
}

bool dtd_host_state(dtd_world *w, worker_id j)
{
    dtd_out out = { .at = w->out, .room = CHANNELS * dtd_letters_max(WORKERS) };
    if (w->stopped[j] || (w->s.idle_only && !idle(w, j) && dtd_host_draw(w, 16) > 0))
        return false;
    uint64_t before = w->run_announcements;
    for (uint32_t k = 0; k < w->all && !w->stopped[j]; k++) tell_state(w, j, k, &out);
    mail(w, j, &out);
    return out.count > 0 || before != w->run_announcements;
}

void dtd_host_letter(dtd_world *w, size_t i)
{
    for (size_t n = 0; n < i; n++) /* the oldest of its pair */
        if (w->letters[n].from == w->letters[i].from &&
            w->letters[n].letter.to == w->letters[i].letter.to)
            i = n;
    control x = w->letters[i];
    worker_id j = x.letter.to;
    uint32_t k = x.letter.message.channel;
    memmove(w->letters + i, w->letters + i + 1,
            (--w->letter_count - i) * sizeof *w->letters);
    if (w->s.trace) print_letter(&x);
    if (w->stopped[j] && !is_whole(w, k)) return;
    dtd_out out = { .at = w->out, .room = dtd_letters_max(w->s.workers) };
    dtd_figures now = figures(w, j, k);
    note_need(w, j, k, now.need);
    bool was_frozen = dtd_frozen(w->detector[j], k);
    w->c->message(w->detector[j], x.from, &x.letter.message, &now, &out);
    follow(w, j, k, was_frozen, &out);
    mail(w, j, &out);
}

/* --- work and data -------------------------------------------------------------------- */

static void beget(dtd_world *w, worker_id j, uint32_t k)
{
    worker_id to = dtd_host_draw(w, w->s.workers);
    uint32_t later = w->s.channels - k - 1, what = dtd_host_draw(w, 8);
    w->supply--;
    if (what == 0) w->at[j][k].work++;
    else if (what < 3 && later > 0 && w->s.requests) {
        w->at[j][k].open++;
        post(w, (item){ .kind = REQUEST,
                        .from = (uint8_t)j,
                        .from_channel = (uint8_t)k,
                        .to = (uint8_t)to,
                        .channel = (uint8_t)(k + 1 + dtd_host_draw(w, later)) });
    } else
        post(w, (item){ .kind = UNIT,
                        .from = (uint8_t)j,
                        .from_channel = (uint8_t)k,
                        .to = (uint8_t)to,
                        .channel = (uint8_t)k });
}

/* The user asks for something more: a channel may reopen here. */
static bool ask_more(dtd_world *w, worker_id j)
{
    if (w->s.whole || !w->s.requests || w->supply == 0 || dtd_host_draw(w, 32) > 0)
        return false;
    w->supply--;
    request(w, (waiter){ .at = (uint8_t)j,
                         .channel = (uint8_t)dtd_host_draw(w, w->s.channels),
                         .who = NOBODY });
    return true;
}

bool dtd_host_work(dtd_world *w, worker_id j)
{
    uint32_t k = w->s.channels, n = dtd_host_draw(w, 4);
    waiter x;
    while (k > 0 && w->at[j][k - 1].work == 0) k--;
    if (k-- == 0) return ask_more(w, j);
    w->at[j][k].work--;
    for (; n > 0 && w->supply > 0; n--) beget(w, j, k);
    if (dtd_host_draw(w, 8) == 0 && w->s.requests && take_waiter(w, j, k, false, &x))
        reply(w, &x); /* known before the end: a need goes */
    return true;
}

static void handle(dtd_world *w, const item *x)
{
    place *p = &w->at[x->to][x->channel];
    if (w->s.whole) {
        w->at[x->to][w->s.channels].received++;
        w->under_way[w->s.channels]--;
    }
    if (x->kind == REQUEST) {
        request(w, (waiter){ x->to, x->channel, x->from, x->from_channel, false });
        return;
    }
    if (x->kind == ANSWER) p->open--;
    else p->received++, w->under_way[x->channel]--;
    if (x->kind == UNIT || (dtd_host_draw(w, 2) > 0 && w->supply > 0)) p->work++;
}

static void go_ahead(dtd_world *w, worker_id j, uint32_t k)
{
    dtd_out out = { .at = w->out, .room = dtd_letters_max(w->s.workers) };
    bool was_frozen = dtd_frozen(w->detector[j], k);
    w->tally->advanced++;
    w->c->ahead(w->detector[j], k, &out);
    follow(w, j, k, was_frozen, &out);
    mail(w, j, &out);
}

bool dtd_host_data(dtd_world *w, size_t i)
{
    item x = w->data[i];
    uint32_t here = dtd_epoch(w->detector[x.to], x.channel);
    bool early = x.kind == UNIT && x.epoch == here + 1;
    if (early && w->s.park) return false;
    if (x.kind == UNIT && x.epoch != here && !early)
        dtd_host_blame(w, "a message after its epoch", x.to, x.channel);
    w->data[i] = w->data[--w->data_count];
    if (w->stopped[x.to])
        dtd_host_blame(w, "a message after the end", x.to, w->s.channels);
    if (early) go_ahead(w, x.to, x.channel);
    handle(w, &x);
    return true;
}
