#include "tests/dtd_world.h"

#include "core/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORKERS = 64, CHANNELS = 5, NOBODY = WORKERS };
enum { DATA, LETTER, WORK, STATE };
enum { UNIT, REQUEST, ANSWER };                   /* kinds of data */
enum { STEPS_MAX = 2000000, LETTERS_MAX = 4096 }; /* a run beyond them never ends */

/* Data under way: for a channel of a worker, from one. */
typedef struct item {
    uint8_t kind, channel, from_channel, from, to;
    uint32_t epoch; /* of a unit */
} item;

/* Someone waits for the end of a channel here. */
typedef struct waiter {
    uint8_t at, channel, who, who_channel; /* who = NOBODY: the user */
    bool put_off;                          /* came while frozen: not yet work here */
} waiter;

typedef struct place { /* a channel on a worker */
    uint64_t sent, received;
    uint32_t work, open; /* pieces of work; requests not answered */
    uint32_t waiters, put_off;
    dtd_figures told;
} place;

typedef struct control {
    worker_id from;
    dtd_letter letter;
} control;

struct dtd_world {
    const dtd_class *c;
    dtd_shape s;
    dtd_tally *tally;
    random_stream r;
    uint32_t supply, all; /* `all`: channels with that of the whole run */
    dtd *detector[WORKERS];
    place at[WORKERS][CHANNELS];
    uint32_t under_way[CHANNELS], announced[CHANNELS];
    bool needed[CHANNELS]; /* a need was told in this epoch */
    bool stopped[WORKERS];
    bool solved; /* what the user asked of worker 0 is known: the whole run may end */
    item *data;
    waiter *waits;
    control *letters;
    dtd_letter *out;
    size_t data_count, wait_count, letter_count, data_room, wait_room;
    uint64_t run_letters, run_changes, run_announcements;
    char wrong[160];
};

static uint32_t draw(dtd_world *w, uint32_t below)
{
    return (uint32_t)random_below(&w->r, below);
}

static void blame(dtd_world *w, const char *what, worker_id j, uint32_t channel)
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
                          .need = is_whole(w, k) ? j == 0 && w->solved : p->waiters > 0 };
}

/* The first to learn of an end: is it one? */
static void judge_end(dtd_world *w, worker_id j, uint32_t k)
{
    if (w->under_way[k] > 0) blame(w, "announced with a message under way", j, k);
    if (!w->needed[k]) blame(w, "announced without a need", j, k);
    for (worker_id i = 0; i < w->s.workers; i++) {
        uint32_t epoch = dtd_epoch(w->detector[i], k) - (i == j);
        if (!passive(w, i, k)) blame(w, "announced with work left", i, k);
        if (epoch != w->announced[k]) blame(w, "epochs out of step", i, k);
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

static void wait_here(dtd_world *w, waiter x)
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
    if (draw(w, 4) == 0) {
        reply(w, &x);
        return;
    }
    if (draw(w, 4) > 0) {
        w->at[x.at][x.channel].work++;
        if (w->announced[x.channel] > 0) w->tally->reopened++;
    }
    wait_here(w, x);
}

static void request(dtd_world *w, waiter x)
{
    x.put_off = dtd_frozen(w->detector[x.at], x.channel);
    if (x.put_off) wait_here(w, x);
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
            blame(w, "too many letters under way", from, 0);
            return;
        }
        if (out->at[i].to >= w->s.workers) {
            blame(w, "a letter to nobody", from, 0);
            return;
        }
        w->letters[w->letter_count++] = (control){ from, out->at[i] };
    }
}

static void epoch_ended(dtd_world *w, worker_id j, uint32_t k)
{
    waiter x;
    uint32_t epoch = dtd_epoch(w->detector[j], k);
    if (epoch == w->announced[k] + 1) judge_end(w, j, k);
    else if (epoch != w->announced[k]) blame(w, "epochs out of step", j, k);
    if (!passive(w, j, k)) blame(w, "ended with work left", j, k);
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
    if (was_frozen && !out->announced) w->tally->thawed++;
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
    if (now.need) w->needed[k] = true;
    p->told = now;
    w->c->state(w->detector[j], k, &now, out);
    follow(w, j, k, was_frozen, out);
}

static bool step_state(dtd_world *w, worker_id j)
{
    dtd_out out = { .at = w->out, .room = CHANNELS * dtd_letters_max(WORKERS) };
    if (w->stopped[j] || (w->s.idle_only && !idle(w, j) && draw(w, 16) > 0)) return false;
    uint64_t before = w->run_announcements;
    for (uint32_t k = 0; k < w->all && !w->stopped[j]; k++) tell_state(w, j, k, &out);
    mail(w, j, &out);
    return out.count > 0 || before != w->run_announcements;
}

static void step_letter(dtd_world *w, size_t i)
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
    if (w->stopped[j] && !is_whole(w, k)) return;
    dtd_out out = { .at = w->out, .room = dtd_letters_max(w->s.workers) };
    dtd_figures now = figures(w, j, k);
    if (now.need) w->needed[k] = true;
    bool was_frozen = dtd_frozen(w->detector[j], k);
    w->c->message(w->detector[j], x.from, &x.letter.message, &now, &out);
    follow(w, j, k, was_frozen, &out);
    mail(w, j, &out);
}

/* --- work and data -------------------------------------------------------------------- */

static void beget(dtd_world *w, worker_id j, uint32_t k)
{
    worker_id to = draw(w, w->s.workers);
    uint32_t later = w->s.channels - k - 1, what = draw(w, 8);
    w->supply--;
    if (what == 0) w->at[j][k].work++;
    else if (what < 3 && later > 0 && w->s.requests) {
        w->at[j][k].open++;
        post(w, (item){ .kind = REQUEST,
                        .from = (uint8_t)j,
                        .from_channel = (uint8_t)k,
                        .to = (uint8_t)to,
                        .channel = (uint8_t)(k + 1 + draw(w, later)) });
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
    if (w->s.whole || !w->s.requests || w->supply == 0 || draw(w, 32) > 0) return false;
    w->supply--;
    request(w, (waiter){ .at = (uint8_t)j,
                         .channel = (uint8_t)draw(w, w->s.channels),
                         .who = NOBODY });
    return true;
}

static bool step_work(dtd_world *w, worker_id j)
{
    uint32_t k = w->s.channels, n = draw(w, 4);
    waiter x;
    while (k > 0 && w->at[j][k - 1].work == 0) k--;
    if (k-- == 0) return ask_more(w, j);
    w->at[j][k].work--;
    for (; n > 0 && w->supply > 0; n--) beget(w, j, k);
    if (draw(w, 8) == 0 && w->s.requests && take_waiter(w, j, k, false, &x))
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
    if (x->kind == UNIT || (draw(w, 2) > 0 && w->supply > 0)) p->work++;
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

static bool step_data(dtd_world *w, size_t i)
{
    item x = w->data[i];
    uint32_t here = dtd_epoch(w->detector[x.to], x.channel);
    bool early = x.kind == UNIT && x.epoch == here + 1;
    if (early && w->s.park) return false;
    if (x.kind == UNIT && x.epoch != here && !early)
        blame(w, "a message after its epoch", x.to, x.channel);
    w->data[i] = w->data[--w->data_count];
    if (w->stopped[x.to]) blame(w, "a message after the end", x.to, w->s.channels);
    if (early) go_ahead(w, x.to, x.channel);
    handle(w, &x);
    return true;
}

/* --- a run ---------------------------------------------------------------------------- */

static bool try_step(dtd_world *w, uint32_t what)
{
    worker_id j = draw(w, w->s.workers);
    if (what == DATA && w->data_count > 0) {
        size_t i = draw(w, (uint32_t)w->data_count);
        if (w->s.newest && draw(w, 4) > 0) i = w->data_count - 1;
        if (w->data[i].to == w->s.slow && draw(w, w->s.slowness) > 0) return true;
        return step_data(w, i);
    }
    if (what == LETTER && w->letter_count > 0) {
        size_t i = draw(w, (uint32_t)w->letter_count);
        if (w->letters[i].letter.to == w->s.slow && draw(w, w->s.slowness) > 0)
            return true;
        step_letter(w, i);
        return true;
    }
    if (j == w->s.slow && draw(w, w->s.slowness) > 0) return false;
    if (what == WORK) return step_work(w, j);
    return what == STATE && step_state(w, j);
}

static uint32_t pick(dtd_world *w)
{
    const uint32_t *weight = w->s.weight;
    uint32_t x = draw(w, weight[0] + weight[1] + weight[2] + weight[3]), what = 0;
    while (x >= weight[what]) x -= weight[what++];
    return what;
}

/* Nothing happened for a while: does anything happen if everybody tries? */
static bool still(dtd_world *w)
{
    bool moved = false, idle_only = w->s.idle_only;
    w->s.idle_only = false;
    if (w->letter_count > 0) step_letter(w, 0), moved = true;
    for (size_t i = 0; i < w->data_count && !moved; i++) moved = step_data(w, i);
    for (worker_id j = 0; j < w->s.workers && !moved; j++)
        moved = step_work(w, j) || step_state(w, j);
    w->s.idle_only = idle_only;
    return !moved;
}

static void check_end(dtd_world *w)
{
    for (worker_id j = 0; j < w->s.workers; j++)
        for (uint32_t k = 0; k < w->all; k++) {
            if (w->s.whole && w->stopped[j]) continue;
            if (w->s.whole) blame(w, "the run never ends", j, w->s.channels);
            if (w->at[j][k].waiters > 0) blame(w, "never announced", j, k);
            if (w->at[j][k].open > 0) blame(w, "never answered", j, k);
        }
    if (w->data_count > 0) blame(w, "data never received", w->data[0].to, 0);
    if (w->letter_count > 0) blame(w, "letters never received", 0, 0);
}

static void populate(dtd_world *w)
{
    wait_here(w, (waiter){ .at = 0, .channel = 0, .who = NOBODY });
    for (uint32_t n = draw(w, 4); n > 0; n--)
        wait_here(w, (waiter){ .at = (uint8_t)draw(w, w->s.workers),
                               .channel = (uint8_t)draw(w, w->s.channels),
                               .who = NOBODY });
    for (uint32_t n = draw(w, 4); n > 0; n--)
        w->at[draw(w, w->s.workers)][draw(w, w->s.channels)].work++;
}

static void prepare(dtd_world *w, const dtd_class *c, const dtd_shape *s, dtd_tally *t)
{
    w->c = c;
    w->s = *s;
    w->tally = t;
    w->r = random_open(s->seed, 1);
    w->supply = s->supply;
    w->all = s->channels + s->whole;
    memset(w->at, 0, sizeof w->at[0] * s->workers);
    memset(w->under_way, 0, sizeof w->under_way);
    memset(w->announced, 0, sizeof w->announced);
    memset(w->needed, 0, sizeof w->needed);
    memset(w->stopped, 0, sizeof w->stopped);
    w->data_count = w->wait_count = w->letter_count = 0;
    w->run_letters = w->run_changes = w->run_announcements = 0;
    w->wrong[0] = 0;
    w->solved = false;
    for (worker_id j = 0; j < s->workers; j++)
        dtd_begin(c, w->detector[j], s->workers, j, w->all);
    populate(w);
}

/* Rounds and reports have a cause: at most this many letters per worker and cause. */
static void count_letters(dtd_world *w)
{
    double causes = (double)(w->run_changes + w->run_announcements + 1);
    double per = (double)w->run_letters / (w->s.workers * causes);
    if (per > 6) blame(w, "letters without a cause", 0, 0);
    if (per > w->tally->most) w->tally->most = per;
    w->tally->changes += w->run_changes;
    w->tally->announcements += w->run_announcements;
    w->tally->runs++;
}

const char *dtd_world_run(dtd_world *w, const dtd_class *c, const dtd_shape *shape,
                          dtd_tally *tally)
{
    uint32_t quiet = 0, steps = 0;
    prepare(w, c, shape, tally);
    for (; steps < STEPS_MAX && w->wrong[0] == 0; steps++) {
        quiet = try_step(w, pick(w)) ? 0 : quiet + 1;
        if (quiet < 4 * shape->workers + 16) continue;
        if (still(w)) break;
        quiet = 0;
    }
    tally->steps += steps;
    if (steps == STEPS_MAX) blame(w, "no end in sight", 0, 0);
    check_end(w);
    count_letters(w);
    return w->wrong[0] ? w->wrong : NULL;
}

dtd_shape dtd_world_shape(uint64_t seed)
{
    random_stream r = random_open(seed, 2);
    static const uint32_t few[] = { 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8 };
    bool large = random_below(&r, 200) == 0;
    dtd_shape s = { .seed = seed };
    s.workers = few[random_below(&r, COUNT_OF(few))];
    if (random_below(&r, 20) == 0) s.workers = 1;
    if (large) s.workers = 9 + (uint32_t)random_below(&r, WORKERS - 8);
    s.channels = 1 + (uint32_t)random_below(&r, CHANNELS - 1);
    s.supply = (uint32_t)random_below(&r, large ? 400 : 40);
    for (int i = 0; i < 4; i++) s.weight[i] = 1u << random_below(&r, 5);
    s.slow = (worker_id)random_below(&r, 2 * s.workers);
    s.slowness = 2 + (uint32_t)random_below(&r, 30);
    s.whole = random_below(&r, 4) == 0;
    s.requests = random_below(&r, 8) > 0;
    s.idle_only = random_below(&r, 2) == 0;
    s.park = random_below(&r, 4) == 0;
    s.newest = random_below(&r, 4) == 0;
    return s;
}

static size_t largest_instance(void)
{
    size_t count, most = 0;
    const dtd_class *const *all = dtd_list(&count);
    for (size_t i = 0; i < count; i++) {
        size_t bytes = dtd_bytes(all[i], WORKERS, 0, CHANNELS);
        if (bytes > most) most = bytes;
    }
    return most;
}

dtd_world *dtd_world_open(void)
{
    dtd_world *w = calloc(1, sizeof *w);
    bool ok = w != NULL;
    if (!ok) return NULL;
    w->letters = calloc(LETTERS_MAX, sizeof *w->letters);
    w->out = calloc(CHANNELS * dtd_letters_max(WORKERS), sizeof *w->out);
    ok = w->letters && w->out;
    for (worker_id j = 0; j < WORKERS; j++)
        ok &= (w->detector[j] = calloc(1, 2 * largest_instance())) != NULL;
    if (ok) return w;
    dtd_world_close(w);
    return NULL;
}

void dtd_world_close(dtd_world *w)
{
    if (w == NULL) return;
    for (worker_id j = 0; j < WORKERS; j++) free(w->detector[j]);
    free(w->data);
    free(w->waits);
    free(w->letters);
    free(w->out);
    free(w);
}

void dtd_world_print(const dtd_shape *s, const char *detector, const char *wrong)
{
    printf(
        "\n%s: %s; replay with BESPOKE_TEST_SEED=%llu BESPOKE_TEST_CASES=1\n"
        "    %u workers, %u channels%s, supply %u, weights %u %u %u %u, slow %u by %u, "
        "%s%s%s%s\n",
        detector, wrong, (unsigned long long)s->seed, s->workers, s->channels,
        s->whole ? " and the run" : "", s->supply, s->weight[0], s->weight[1],
        s->weight[2], s->weight[3], s->slow, s->slowness, s->requests ? "requests " : "",
        s->idle_only ? "idle_only " : "", s->park ? "park " : "",
        s->newest ? "newest" : "");
}
