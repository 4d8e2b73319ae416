#include "vlts_bench/surrogate.h"

#include "core/random.h"
#include "tests/surrogate_probe.h"

#include <CUnit/CUnit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 12000 }; /* transitions of a case that is checked naively */

static uint64_t small_scale(const manifest_row *r)
{
    if (r->facts.transitions <= SMALL) return SURROGATE_SCALE_ONE;
    return SMALL * SURROGATE_SCALE_ONE / r->facts.transitions;
}

static surrogate_plan *planned(mem *m, const manifest_row *r, const surrogate_options *o)
{
    surrogate_plan *p = NULL;
    err e = ERR_INIT;
    if (surrogate_plan_open(&p, m, r, o, &e) != 0) printf("\n%s: %s\n", r->name, e.text);
    CU_ASSERT_EQUAL_FATAL(e.code, ERR_NONE);
    return p;
}

static void tell(const surrogate_summary *s, const char *fault)
{
    printf("\n%s scale %" PRIu64 " seed %" PRIu64 " levels %u deadlock %d: %s\n", s->name,
           s->scale, s->seed, s->levels, (int)s->deadlock_depth, fault);
}

/* Generate and look at everything. */
static void check_plan(const surrogate_plan *p)
{
    const surrogate_summary *s = surrogate_plan_summary(p);
    surrogate_probe x;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL(surrogate_probe_fill(&x, p, 0, &e), 0);
    const char *fault = surrogate_probe_fault(&x, s);
    if (fault) tell(s, fault);
    CU_ASSERT_PTR_NULL(fault);
    surrogate_probe_close(&x);
}

static uint64_t fingerprint(const char *name, uint64_t seed)
{
    mem m = MEM_INIT;
    surrogate_options o = SURROGATE_OPTIONS_INIT;
    o.seed = seed;
    surrogate_plan *p = planned(&m, manifest_find(name), &o);
    surrogate_probe x;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL(surrogate_probe_fill(&x, p, 0, &e), 0);
    uint64_t print = x.fingerprint;
    surrogate_probe_close(&x);
    surrogate_plan_close(p);
    CU_ASSERT_EQUAL(m.now, 0);
    return print;
}

static void every_row_is_planned_with_its_own_facts(void)
{
    for (size_t i = 0; i < MANIFEST_ROWS; i++) {
        mem m = MEM_INIT;
        surrogate_options o = SURROGATE_OPTIONS_INIT;
        surrogate_plan *p = planned(&m, &manifest[i], &o);
        char names[MANIFEST_DIFFERENCES_BYTES];
        const surrogate_summary *s = surrogate_plan_summary(p);
        CU_ASSERT_EQUAL(manifest_compare(&manifest[i].facts, &s->facts, names), 0);
        surrogate_plan_close(p);
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

static void every_row_is_right_at_a_small_scale(void)
{
    for (size_t i = 0; i < MANIFEST_ROWS; i++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            mem m = MEM_INIT;
            surrogate_options o = SURROGATE_OPTIONS_INIT;
            o.scale = small_scale(&manifest[i]);
            o.seed = seed;
            surrogate_plan *p = planned(&m, &manifest[i], &o);
            check_plan(p);
            surrogate_plan_close(p);
        }
}

/* Those of up to 100,000 transitions. */
static void small_rows_are_right_at_full_scale(void)
{
    for (size_t i = 0; manifest[i].facts.transitions < 100000; i++) {
        mem m = MEM_INIT;
        surrogate_options o = SURROGATE_OPTIONS_INIT;
        surrogate_plan *p = planned(&m, &manifest[i], &o);
        check_plan(p);
        surrogate_plan_close(p);
    }
}

/* Down to two states, of every row. */
static void tiny_ones_are_right(void)
{
    for (size_t i = 0; i < MANIFEST_ROWS; i++)
        for (uint64_t states = 2; states < 24; states++) {
            mem m = MEM_INIT;
            surrogate_options o = SURROGATE_OPTIONS_INIT;
            o.scale = states * SURROGATE_SCALE_ONE / manifest[i].facts.states + 1;
            o.seed = states;
            surrogate_plan *p = planned(&m, &manifest[i], &o);
            check_plan(p);
            surrogate_plan_close(p);
        }
}

/* The answers survive scaling as long as there is room for them. */
static void the_three_answers_survive_scaling(void)
{
    for (size_t i = 0; i < MANIFEST_ROWS; i++)
        for (uint64_t scale = SURROGATE_SCALE_ONE / 2; scale > 0; scale /= 3) {
            mem m = MEM_INIT;
            surrogate_options o = SURROGATE_OPTIONS_INIT;
            const manifest_facts *row = &manifest[i].facts;
            o.scale = scale;
            if ((unsigned __int128)row->states * scale / SURROGATE_SCALE_ONE < 200) break;
            surrogate_plan *p = planned(&m, &manifest[i], &o);
            const manifest_facts *f = &surrogate_plan_summary(p)->facts;
            CU_ASSERT_EQUAL(f->deadlock, row->deadlock);
            CU_ASSERT_EQUAL(f->livelock, row->livelock);
            CU_ASSERT_EQUAL(f->deterministic, row->deterministic);
            CU_ASSERT_EQUAL(f->branching_min, row->branching_min);
            surrogate_plan_close(p);
        }
}

typedef struct tally {
    unsigned right, refused;
} tally;

/* A wish is met exactly, or refused with a sentence that begins with it. */
static void try_wishes(tally *t, const manifest_row *r, const surrogate_options *o)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    surrogate_plan *p;
    if (surrogate_plan_open(&p, &m, r, o, &e) != 0) {
        CU_ASSERT_EQUAL(e.code, ERR_USAGE);
        CU_ASSERT(
            (o->levels != SURROGATE_AUTO && strncmp(e.text, "--levels: ", 10) == 0) ||
            (o->deadlock_depth != SURROGATE_AUTO &&
             strncmp(e.text, "--deadlock-depth: ", 18) == 0));
        CU_ASSERT_EQUAL(m.now, 0);
        t->refused++;
        return;
    }
    const surrogate_summary *s = surrogate_plan_summary(p);
    if (o->levels != SURROGATE_AUTO) CU_ASSERT_EQUAL(s->levels, o->levels);
    if (o->deadlock_depth != SURROGATE_AUTO)
        CU_ASSERT_EQUAL(s->deadlock_depth, o->deadlock_depth);
    check_plan(p);
    surrogate_plan_close(p);
    CU_ASSERT_EQUAL(m.now, 0);
    t->right++;
}

static void random_wishes_are_met_or_refused(void)
{
    random_stream r = random_open(2024, 0);
    tally t = { 0, 0 };
    for (int i = 0; i < 400; i++) {
        const manifest_row *row = &manifest[random_below(&r, MANIFEST_ROWS)];
        surrogate_options o = SURROGATE_OPTIONS_INIT;
        o.scale = (small_scale(row) >> random_below(&r, 10)) + 1;
        o.seed = random_next(&r);
        if (random_below(&r, 2))
            o.levels = 1 + random_below(&r, 1 << random_below(&r, 9));
        if (random_below(&r, 3) == 0) o.deadlock_depth = random_below(&r, 30);
        try_wishes(&t, row, &o);
    }
    CU_ASSERT(t.right > 100 && t.refused > 30);
}

static void the_same_seed_gives_the_same_transitions(void)
{
    CU_ASSERT_EQUAL(fingerprint("vasy_5_9", 1), fingerprint("vasy_5_9", 1));
    CU_ASSERT_NOT_EQUAL(fingerprint("vasy_5_9", 1), fingerprint("vasy_5_9", 2));
}

/* What version 1 gives, for ever and on every machine; a change needs a new version. */
static void the_transitions_are_those_of_this_version(void)
{
    CU_ASSERT_EQUAL(SURROGATE_VERSION, 1);
    CU_ASSERT_EQUAL(fingerprint("vasy_0_1", 1), 0xe608d54c7ab239c3);
    CU_ASSERT_EQUAL(fingerprint("vasy_8_38", 1), 0x8851a297306d6238);
    CU_ASSERT_EQUAL(fingerprint("cwi_3_14", 7), 0x9f46650ce3d90daf);
}

/* The number behind the last word of a sentence. */
static uint64_t last_number(const char *text)
{
    return strtoull(strrchr(text, ' ') + 1, NULL, 10);
}

static int code_for(const char *name, uint64_t levels, uint64_t depth, err *e)
{
    mem m = MEM_INIT;
    surrogate_plan *p = NULL;
    surrogate_options o = SURROGATE_OPTIONS_INIT;
    o.levels = levels;
    o.deadlock_depth = depth;
    *e = ERR_INIT;
    if (surrogate_plan_open(&p, &m, manifest_find(name), &o, e) == 0)
        surrogate_plan_close(p);
    CU_ASSERT_EQUAL(m.now, 0);
    return (int)e->code;
}

static void a_refusal_names_the_first_number_of_levels_that_works(void)
{
    static const char *const names[] = { "vasy_0_1", "cwi_1_2", "vasy_8_38",
                                         "cwi_214_684" };
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        err e;
        CU_ASSERT_EQUAL(code_for(names[i], 1, SURROGATE_AUTO, &e), ERR_USAGE);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "too few"));
        uint64_t least = last_number(e.text);
        CU_ASSERT_EQUAL(code_for(names[i], least, SURROGATE_AUTO, &e), 0);
        CU_ASSERT_EQUAL(code_for(names[i], least - 1, SURROGATE_AUTO, &e), ERR_USAGE);
        CU_ASSERT_EQUAL(code_for(names[i], UINT32_MAX, SURROGATE_AUTO, &e), ERR_USAGE);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "too many"));
        uint64_t most = last_number(e.text);
        CU_ASSERT_EQUAL(code_for(names[i], most, SURROGATE_AUTO, &e), 0);
        CU_ASSERT_EQUAL(code_for(names[i], most + 1, SURROGATE_AUTO, &e), ERR_USAGE);
        CU_ASSERT(least < most);
    }
}

static void a_refusal_names_the_depths_that_work(void)
{
    err e;
    CU_ASSERT_EQUAL(code_for("vasy_5_9", SURROGATE_AUTO, 0, &e), ERR_USAGE);
    uint64_t most = last_number(e.text), least = 0;
    CU_ASSERT_EQUAL(sscanf(strstr(e.text, "expected "), "expected %" SCNu64, &least), 1);
    CU_ASSERT(least == 1 && most == 52);
    CU_ASSERT_EQUAL(code_for("vasy_5_9", SURROGATE_AUTO, least, &e), 0);
    CU_ASSERT_EQUAL(code_for("vasy_5_9", SURROGATE_AUTO, most, &e), 0);
    CU_ASSERT_EQUAL(code_for("vasy_5_9", SURROGATE_AUTO, most + 1, &e), ERR_USAGE);
    CU_ASSERT_EQUAL(code_for("vasy_0_1", SURROGATE_AUTO, 3, &e), ERR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "has no deadlock"));
}

static void defaults_are_as_documented(void)
{
    static const struct {
        const char *name;
        uint32_t levels, deadlock, livelock;
    } rows[] = {
        { "vasy_8_24", 50, SURROGATE_NONE, SURROGATE_NONE },
        { "vasy_5_9", 53, 35, SURROGATE_NONE },
        { "cwi_214_684", 134, 89, 67 },
        { "vasy_25_25", 25217, 25216, SURROGATE_NONE },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        surrogate_options o = SURROGATE_OPTIONS_INIT;
        surrogate_plan *p = planned(&m, manifest_find(rows[i].name), &o);
        const surrogate_summary *s = surrogate_plan_summary(p);
        CU_ASSERT_EQUAL(s->levels, rows[i].levels);
        CU_ASSERT_EQUAL(s->deadlock_depth, rows[i].deadlock);
        CU_ASSERT_EQUAL(s->livelock_depth, rows[i].livelock);
        surrogate_plan_close(p);
    }
}

static void fewer_transitions_than_states_leave_states_unreachable(void)
{
    mem m = MEM_INIT;
    surrogate_options o = SURROGATE_OPTIONS_INIT;
    surrogate_plan *p = planned(&m, manifest_find("vasy_720_390"), &o);
    const surrogate_summary *s = surrogate_plan_summary(p);
    surrogate_probe x;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL(s->reachable, 390999 / 4);
    CU_ASSERT_EQUAL(surrogate_probe_fill(&x, p, 0, &e), 0);
    CU_ASSERT_EQUAL(x.shape.states, 720247);
    CU_ASSERT_EQUAL(x.count, 390999);
    for (size_t i = 0; i < x.count; i++)
        CU_ASSERT_FATAL(x.edges[i].from < s->reachable && x.edges[i].to < s->reachable);
    CU_ASSERT_PTR_NULL(surrogate_probe_fault(&x, s));
    surrogate_probe_close(&x);
    surrogate_plan_close(p);
}

static void larger_than_the_row_works_up_to_the_limit(void)
{
    mem m = MEM_INIT;
    surrogate_options o = SURROGATE_OPTIONS_INIT;
    o.scale = 10 * SURROGATE_SCALE_ONE;
    surrogate_plan *p = planned(&m, manifest_find("vasy_0_1"), &o);
    CU_ASSERT_EQUAL(surrogate_plan_summary(p)->facts.states, 2890);
    check_plan(p);
    surrogate_plan_close(p);
    err e = ERR_INIT;
    o.scale = 1000 * SURROGATE_SCALE_ONE;
    CU_ASSERT_EQUAL(
        surrogate_plan_open(&p, &m, manifest_find("cwi_33949_165318"), &o, &e),
        ERR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "2^32 - 2"));
    CU_ASSERT_EQUAL(m.now, 0);
}

/* A million states, five million transitions: what is held does not grow with them. */
static void memory_is_that_of_a_state_and_the_labels(void)
{
    mem m = MEM_INIT;
    m.limit = 256 * 1024;
    surrogate_options o = SURROGATE_OPTIONS_INIT;
    surrogate_plan *p = planned(&m, manifest_find("vasy_1112_5290"), &o);
    surrogate_probe x;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL(surrogate_probe_fill(&x, p, 0, &e), 0);
    CU_ASSERT_EQUAL(x.count, 5290860);
    surrogate_probe_close(&x);
    surrogate_plan_close(p);
}

static void a_sink_that_fails_ends_it_with_its_own_code(void)
{
    mem m = MEM_INIT;
    surrogate_options o = SURROGATE_OPTIONS_INIT;
    surrogate_plan *p = planned(&m, manifest_find("vasy_0_1"), &o);
    for (size_t n = 1; n <= 1224; n += 1223) {
        surrogate_probe x;
        err e = ERR_INIT;
        CU_ASSERT_EQUAL(surrogate_probe_fill(&x, p, n, &e), ERR_SYSTEM);
        CU_ASSERT_EQUAL(x.count, n - 1);
        surrogate_probe_close(&x);
    }
    surrogate_plan_close(p);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* The n-th allocation fails, n = 1, 2, ... until all of them succeed. */
static void refused_memory_leaves_nothing_behind(void)
{
    int code = ERR_LIMIT;
    for (size_t n = 1; code != 0; n++) {
        mem m = MEM_INIT;
        m.fail_at = n;
        err e = ERR_INIT;
        surrogate_options o = SURROGATE_OPTIONS_INIT;
        surrogate_plan *p = NULL;
        code = surrogate_plan_open(&p, &m, manifest_find("vasy_5_9"), &o, &e);
        if (code == 0) {
            surrogate_probe x;
            code = surrogate_probe_fill(&x, p, 0, &e);
            surrogate_probe_close(&x);
            surrogate_plan_close(p);
        }
        CU_ASSERT(code == 0 || code == ERR_LIMIT);
        CU_ASSERT_EQUAL(m.now, 0);
        CU_ASSERT_FATAL(n < 100);
    }
}

static void the_mark_is_recognised(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    label_table *t;
    label_id id;
    CU_ASSERT_EQUAL_FATAL(label_table_open(&t, &m, &e), 0);
    CU_ASSERT_FALSE(surrogate_is(t));
    CU_ASSERT_EQUAL(label_table_put(t, "SURROGATE !1", 12, &id, &e), 0);
    CU_ASSERT_FALSE(surrogate_is(t));
    CU_ASSERT_EQUAL(label_table_put(t, "SURROGATE", 9, &id, &e), 0);
    CU_ASSERT_TRUE(surrogate_is(t));
    label_table_close(t);
}

/* The checks can fail: each kind of damage is seen. */
static void the_probe_sees_damage(void)
{
    mem m = MEM_INIT;
    surrogate_options o = SURROGATE_OPTIONS_INIT;
    surrogate_plan *p = planned(&m, manifest_find("vasy_8_38"), &o);
    surrogate_summary s = *surrogate_plan_summary(p);
    surrogate_probe x;
    err e = ERR_INIT;
    CU_ASSERT_EQUAL(surrogate_probe_fill(&x, p, 0, &e), 0);
    CU_ASSERT_PTR_NULL(surrogate_probe_fault(&x, &s));
    probe_edge kept = x.edges[500], *t = &x.edges[500];
    t->label = t[t[1].from == t->from ? 1 : -1].label; /* no longer deterministic */
    CU_ASSERT_PTR_NOT_NULL(surrogate_probe_fault(&x, &s));
    *t = t[t[1].from == t->from ? 1 : -1];
    CU_ASSERT_PTR_NOT_NULL(surrogate_probe_fault(&x, &s)); /* twice the same */
    *t = kept;
    x.edges[0].to = 0; /* state 1 is lost */
    CU_ASSERT_PTR_NOT_NULL(surrogate_probe_fault(&x, &s));
    x.edges[0].to = 1;
    s.levels++;
    CU_ASSERT_STRING_EQUAL(surrogate_probe_fault(&x, &s), "levels");
    s = *surrogate_plan_summary(p);
    s.deadlock_depth--;
    CU_ASSERT_STRING_EQUAL(surrogate_probe_fault(&x, &s), "depth of the first deadlock");
    for (size_t i = 0; i < x.count; i++) /* a hidden loop */
        if (x.edges[i].label == label_table_hidden(x.labels)) {
            x.edges[i].to = x.edges[i].from;
            break;
        }
    CU_ASSERT_PTR_NOT_NULL(surrogate_probe_fault(&x, surrogate_plan_summary(p)));
    surrogate_probe_close(&x);
    surrogate_plan_close(p);
}

CU_TestInfo test_surrogate[] = {
    { "the probe sees damage", the_probe_sees_damage },
    { "every row is planned with its own facts",
      every_row_is_planned_with_its_own_facts },
    { "every row is right at a small scale", every_row_is_right_at_a_small_scale },
    { "small rows are right at full scale", small_rows_are_right_at_full_scale },
    { "tiny ones are right", tiny_ones_are_right },
    { "the three answers survive scaling", the_three_answers_survive_scaling },
    { "random wishes are met or refused", random_wishes_are_met_or_refused },
    { "the same seed gives the same transitions",
      the_same_seed_gives_the_same_transitions },
    { "the transitions are those of this version",
      the_transitions_are_those_of_this_version },
    { "a refusal names the first number of levels that works",
      a_refusal_names_the_first_number_of_levels_that_works },
    { "a refusal names the depths that work", a_refusal_names_the_depths_that_work },
    { "defaults are as documented", defaults_are_as_documented },
    { "fewer transitions than states leave states unreachable",
      fewer_transitions_than_states_leave_states_unreachable },
    { "larger than the row works up to the limit",
      larger_than_the_row_works_up_to_the_limit },
    { "memory is that of a state and the labels",
      memory_is_that_of_a_state_and_the_labels },
    { "a sink that fails ends it with its own code",
      a_sink_that_fails_ends_it_with_its_own_code },
    { "refused memory leaves nothing behind", refused_memory_leaves_nothing_behind },
    { "the mark is recognised", the_mark_is_recognised },
    CU_TEST_INFO_NULL
};
