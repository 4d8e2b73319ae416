#include "tests/dtd_world.h"
#include "tests/dtd_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DATA, LETTER, WORK, STATE };
enum { STEPS_MAX = 2000000 }; /* a run beyond them never ends */

static bool try_step(dtd_world *w, uint32_t what)
{
    worker_id j = dtd_host_draw(w, w->s.workers);
    if (what == DATA && w->data_count > 0) {
        size_t i = dtd_host_draw(w, (uint32_t)w->data_count);
        if (w->s.newest && dtd_host_draw(w, 4) > 0) i = w->data_count - 1;
        if (w->data[i].to == w->s.slow && dtd_host_draw(w, w->s.slowness) > 0)
            return true;
        return dtd_host_data(w, i);
    }
    if (what == LETTER && w->letter_count > 0) {
        size_t i = dtd_host_draw(w, (uint32_t)w->letter_count);
        if (w->letters[i].letter.to == w->s.slow && dtd_host_draw(w, w->s.slowness) > 0)
            return true;
        dtd_host_letter(w, i);
        return true;
    }
    if (j == w->s.slow && dtd_host_draw(w, w->s.slowness) > 0) return false;
    if (what == WORK) return dtd_host_work(w, j);
    return what == STATE && dtd_host_state(w, j);
}

static uint32_t pick(dtd_world *w)
{
    const uint32_t *weight = w->s.weight;
    uint32_t x = dtd_host_draw(w, weight[0] + weight[1] + weight[2] + weight[3]),
             what = 0;
    while (x >= weight[what]) x -= weight[what++];
    return what;
}

/* Nothing happened for a while: does anything happen if everybody tries? */
static bool still(dtd_world *w)
{
    bool moved = false, idle_only = w->s.idle_only;
    w->s.idle_only = false;
    if (w->letter_count > 0) dtd_host_letter(w, 0), moved = true;
    for (size_t i = 0; i < w->data_count && !moved; i++) moved = dtd_host_data(w, i);
    for (worker_id j = 0; j < w->s.workers && !moved; j++)
        moved = dtd_host_work(w, j) || dtd_host_state(w, j);
    w->s.idle_only = idle_only;
    return !moved;
}

static void check_end(dtd_world *w)
{
    for (worker_id j = 0; j < w->s.workers; j++)
        for (uint32_t k = 0; k < w->all; k++) {
            if (w->s.whole && w->stopped[j]) continue;
            if (w->s.whole) dtd_host_blame(w, "the run never ends", j, w->s.channels);
            if (w->at[j][k].waiters > 0) dtd_host_blame(w, "never announced", j, k);
            if (w->at[j][k].open > 0) dtd_host_blame(w, "never answered", j, k);
            if (dtd_frozen(w->detector[j], k)) dtd_host_blame(w, "frozen for ever", j, k);
        }
    if (w->data_count > 0) dtd_host_blame(w, "data never received", w->data[0].to, 0);
    if (w->letter_count > 0) dtd_host_blame(w, "letters never received", 0, 0);
}

static void populate(dtd_world *w)
{
    dtd_host_wait(w, (waiter){ .at = 0, .channel = 0, .who = NOBODY });
    for (uint32_t n = dtd_host_draw(w, 4); n > 0; n--)
        dtd_host_wait(w, (waiter){ .at = (uint8_t)dtd_host_draw(w, w->s.workers),
                                   .channel = (uint8_t)dtd_host_draw(w, w->s.channels),
                                   .who = NOBODY });
    for (uint32_t n = dtd_host_draw(w, 4); n > 0; n--)
        w->at[dtd_host_draw(w, w->s.workers)][dtd_host_draw(w, w->s.channels)].work++;
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
    if (per > 3) dtd_host_blame(w, "letters without a cause", 0, 0);
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
    if (steps == STEPS_MAX) dtd_host_blame(w, "no end in sight", 0, 0);
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
    s.patient = random_below(&r, 2) == 0;
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
