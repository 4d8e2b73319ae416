/*
 * test_comm_sim.c - the simulator itself: it replays, it predicts, and it notices when a network
 * or the flow control is broken.
 */
#include "comm/comm_sim.h"
#include "tests/comm_traffic.h"
#include "tests/comm_tree.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

static const comm_transport *sim(void) { return comm_transport_find("sim"); }

static traffic some_traffic(void)
{
    return (traffic){ .pattern = TRAFFIC_UNIFORM,
                      .workers = 6,
                      .messages = 800,
                      .kinds = 2,
                      .widths = { 16, 5 },
                      .detector = "wave",
                      .buffer_bytes = 1 << 15,
                      .seed = 11 };
}

static void a_seed_is_a_run(void)
{
    traffic t = some_traffic();
    uint64_t before = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        comm_sim_options o = { .seed = seed, .chaos = true };
        traffic_result a = traffic_run(&t, sim(), &o), b = traffic_run(&t, sim(), &o);
        CU_ASSERT(a.e.code == ERR_NONE && a.wrong == 0);
        CU_ASSERT(a.digest == b.digest && a.time_ns == b.time_ns &&
                  a.batches == b.batches);
        CU_ASSERT_NOT_EQUAL(a.digest, before);
        before = a.digest;
    }
}

/* If this changes, old seeds no longer mean what they meant: say so where seeds are kept. */
static void a_run_is_the_same_in_every_build(void)
{
    traffic t = some_traffic();
    t.detector = NULL;
    comm_sim_options o = { .seed = 42, .chaos = true };
    traffic_result r = traffic_run(&t, sim(), &o);
    CU_ASSERT_EQUAL(r.digest, 0x3953a905ba0b3c60u);
    if (r.digest != 0x3953a905ba0b3c60u)
        printf("\n  digest 0x%llx", (unsigned long long)r.digest);
}

static uint64_t time_on(const char *what, uint64_t value)
{
    comm_machine m;
    comm_machine_default(&m);
    if (strcmp(what, "latency") == 0) m.latency_ns = m.local_latency_ns = value;
    if (strcmp(what, "byte") == 0) m.byte_ps = value;
    if (strcmp(what, "work") == 0) m.work_ps = value;
    if (strcmp(what, "cores") == 0) m.node_cores = value;
    if (strcmp(what, "nodes") == 0) m.node_workers = value;
    if (strcmp(what, "ranks") == 0) m.rank_workers = value;
    if (strcmp(what, "copy") == 0) m.copy_ps = value;
    if (strcmp(what, "overhead") == 0) m.overhead_ns = value;
    comm_sim_options o = { .machine = &m };
    traffic t = some_traffic();
    t.buffer_bytes = 1 << 20;
    traffic_result r = traffic_run(&t, sim(), &o);
    CU_ASSERT(r.e.code == ERR_NONE && r.wrong == 0);
    return r.time_ns;
}

static void a_slower_machine_takes_longer(void)
{
    CU_ASSERT(time_on("latency", 100000) > time_on("latency", 1000) + 99000);
    CU_ASSERT(time_on("byte", 100000) > 2 * time_on("byte", 10));
    CU_ASSERT(time_on("nodes", 1) > time_on("nodes", 64));
    CU_ASSERT(time_on("overhead", 40000) > 2 * time_on("overhead", 0));
    CU_ASSERT(time_on("copy", 100000) > 2 * time_on("copy", 0));
    CU_ASSERT(time_on("ranks", 1) > time_on("ranks", 6)); /* by pointer */
    /* 800 messages of 10 us each on each of 6 workers */
    uint64_t work = time_on("work", 10000000);
    CU_ASSERT(work > 8000000 && work < 9000000);
    uint64_t one = time_on("cores", 1), two = time_on("cores", 2),
             six = time_on("cores", 6);
    CU_ASSERT(one > two && two > six);
}

/* ---- broken networks ---------------------------------------------------------------------- */

/* The n-th call is the one that goes wrong; these are tests, and one thread. */
static struct {
    uint64_t calls, at;
    comm_parcel *kept;
} breakage;

static bool now(void) { return ++breakage.calls == breakage.at; }

static void lose_post(void *self, comm_parcel *p)
{
    if (!now()) sim()->post(self, p);
}

static void lose_credit(void *self, comm_parcel *p)
{
    if (!now()) sim()->give_back(self, p);
}

static void damage(void *self, comm_parcel *p)
{
    if (p->lane != COMM_LANE_LETTERS && now()) p->at[breakage.at % 32] ^= 0x10;
    sim()->post(self, p);
}

static void cut(void *self, comm_parcel *p)
{
    if (p->lane != COMM_LANE_LETTERS && now()) p->bytes -= 1;
    sim()->post(self, p);
}

static void damage_letter(void *self, comm_parcel *p)
{
    if (p->lane == COMM_LANE_LETTERS && now()) p->bytes -= 1;
    sim()->post(self, p);
}

/* Two batches of a pair change places. */
static void swap(void *self, comm_parcel *p)
{
    if (p->lane == COMM_LANE_FIRST && breakage.kept == NULL && now()) {
        breakage.kept = p;
        return;
    }
    sim()->post(self, p);
    comm_parcel *kept = breakage.kept;
    if (kept == NULL || p->lane != kept->lane || p->to != kept->to ||
        p->from != kept->from)
        return;
    breakage.kept = NULL;
    breakage.calls = UINT64_MAX / 2;
    sim()->post(self, kept);
}

/* ---- windows ------------------------------------------------------------------------------- */

enum { WATCHED = 6 };

/* Batches posted and not returned, by lane and pair; of one thread. */
static struct {
    uint32_t now[COMM_LANE_COUNT][WATCHED][WATCHED], most;
} under_way;

static void watch_post(void *self, comm_parcel *p)
{
    uint32_t *n = &under_way.now[p->lane][p->from][p->to];
    ++*n;
    if (p->lane != COMM_LANE_LETTERS && *n > under_way.most) under_way.most = *n;
    sim()->post(self, p);
}

static comm_parcel *watch_returned(void *self, worker_id me)
{
    comm_parcel *p = sim()->returned(self, me);
    if (p) under_way.now[p->lane][p->from][p->to]--;
    return p;
}

/* What a receiver that copies would have to set aside for one sender. */
static void no_more_than_a_window_is_under_way_to_one_worker(void)
{
    comm_transport watching = *sim();
    watching.post = watch_post;
    watching.returned = watch_returned;
    for (int hops = 0; hops < 2; hops++)
        for (int p = 0; p < TRAFFIC_PATTERNS; p++) {
            traffic t = some_traffic();
            t.pattern = (traffic_pattern)p;
            t.two_hops = hops == 1;
            memset(&under_way, 0, sizeof under_way);
            comm_sim_options o = { .seed = 3 + (uint64_t)p, .chaos = true };
            traffic_result r = traffic_run(&t, &watching, &o);
            CU_ASSERT(r.e.code == ERR_NONE && r.wrong == 0);
            CU_ASSERT(under_way.most >= 1 && under_way.most <= r.window);
        }
}

/* ---- the last batches ----------------------------------------------------------------------- */

/* Batches of one lane are seen at every 200th look alone: letters are much faster. */
static struct {
    comm_lane_id lane;
    uint64_t looks;
} sluggish;

static comm_parcel *look_seldom(void *self, worker_id me, comm_lane_id lane)
{
    if (lane == sluggish.lane && ++sluggish.looks % 200 != 0) return NULL;
    return sim()->arrived(self, me, lane);
}

static void nobody_leaves_before_the_last_batch(void)
{
    comm_transport slow = *sim();
    slow.arrived = look_seldom;
    for (int hops = 0; hops < 2; hops++)
        for (uint64_t seed = 1; seed <= 10; seed++) {
            traffic t = some_traffic();
            t.two_hops = hops == 1;
            t.detector = NULL;
            t.messages = 30;
            sluggish.lane = t.two_hops ? COMM_LANE_PASSED : COMM_LANE_FIRST;
            sluggish.looks = 0;
            comm_sim_options o = { .seed = seed, .chaos = true };
            traffic_result r = traffic_run(&t, &slow, &o);
            CU_ASSERT(r.e.code == ERR_NONE && r.wrong == 0 && r.received == 6 * 30);
        }
}

/* ------------------------------------------------------------------------------------------- */

typedef struct broken {
    const char *name;
    comm_transport t;
    const char *told; /* what the run must say; NULL: messages must be found wrong */
} broken;

static traffic_result run_broken(const broken *b, uint64_t at)
{
    traffic t = some_traffic();
    t.buffer_bytes = 0;
    t.kinds = 1;
    comm_sim_options o = { .seed = at, .chaos = true, .turns_most = 10000000 };
    breakage.calls = 0;
    breakage.at = at;
    breakage.kept = NULL;
    return traffic_run(&t, &b->t, &o);
}

static void a_broken_network_is_noticed(void)
{
    broken all[] = { { "lost batch", *sim(), "nobody can move" },
                     { "lost credit", *sim(), "nobody can move" },
                     { "damage", *sim(), "damaged batch" },
                     { "cut", *sim(), "batch" },
                     { "damaged letter", *sim(), "control message" },
                     { "out of order", *sim(), NULL } };
    all[0].t.post = lose_post;
    all[1].t.give_back = lose_credit;
    all[2].t.post = damage;
    all[3].t.post = cut;
    all[4].t.post = damage_letter;
    all[5].t.post = swap;
    for (size_t i = 0; i < COUNT_OF(all); i++)
        for (uint64_t at = 1; at <= 12; at++) {
            traffic_result r = run_broken(&all[i], at);
            bool noticed = all[i].told
                               ? r.e.code == ERR_SYSTEM && strstr(r.e.text, all[i].told)
                               : r.wrong > 0;
            CU_ASSERT(noticed);
            if (!noticed)
                printf("\n  %s at %d: wrong %d; %s", all[i].name, (int)at, (int)r.wrong,
                       r.e.text);
        }
}

CU_TestInfo test_comm_sim[] = {
    { "a seed is a run", a_seed_is_a_run },
    { "a run is the same in every build", a_run_is_the_same_in_every_build },
    { "a slower machine takes longer", a_slower_machine_takes_longer },
    { "no more than a window is under way to one worker",
      no_more_than_a_window_is_under_way_to_one_worker },
    { "nobody leaves before the last batch", nobody_leaves_before_the_last_batch },
    { "a broken network is noticed", a_broken_network_is_noticed },
    CU_TEST_INFO_NULL
};
