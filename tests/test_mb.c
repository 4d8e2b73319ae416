#include "tests/mb_case.h"

#include "core/random.h"
#include "lang/bes_random.h"
#include "tests/naive_bes.h"
#include <CUnit/CUnit.h>

#include <stdlib.h>

static const worker_id worker_counts[] = { 1, 2, 3, 4, 7 };
static const char *const detectors[] = { "four-counter", "ring", "wave" };

static void must_work(const mb_case *c, mb_result *r)
{
    const char *wrong = mb_case_run(c, r);
    if (wrong) mb_case_report(c, "mb_failure.bes", wrong);
    CU_ASSERT_PTR_NULL_FATAL(wrong);
}

/* ---- random systems ------------------------------------------------------------------------- */

typedef struct sample {
    mem m;
    bes b;
    uint8_t *right;
} sample;

static bool open_sample(sample *s, const bes_random_options *o)
{
    err e = ERR_INIT;
    *s = (sample){ .m = MEM_INIT };
    if (bes_random(&s->b, &s->m, o, &e) != 0) return false;
    s->right = calloc(s->b.vertices, 1);
    naive_bes_solve(&s->b, s->right);
    return true;
}

static void close_sample(sample *s)
{
    free(s->right);
    bes_close(&s->b);
    CU_ASSERT_EQUAL(s->m.now, 0);
}

static bes_random_options draw_system(random_stream *chance)
{
    bes_random_options o = { .variables = 1 + (vertex_id)random_below(chance, 40) };
    uint32_t most = o.variables < 12 ? o.variables : 12;
    o.blocks = 1 + (uint32_t)random_below(chance, most);
    if (random_below(chance, 2) == 0) o.blocks = 1;
    o.degree = 0.5 + (double)random_below(chance, 30) / 10;
    o.and_share = (double)random_below(chance, 11) / 10;
    o.shape = (bes_shape)random_below(chance, BES_SHAPE_COUNT);
    o.seed = random_next(chance);
    return o;
}

static mb_case draw_case(random_stream *chance, const sample *s)
{
    return (mb_case){ .b = &s->b,
                      .right = s->right,
                      .workers = worker_counts[random_below(chance, 5)],
                      .root = (vertex_id)random_below(chance, s->b.vertices),
                      .exhaustive = random_below(chance, 3) == 0,
                      .choices = random_below(chance, 2) == 0,
                      .all_dependencies = random_below(chance, 2) == 0,
                      .two_hops = random_below(chance, 4) == 0,
                      .policy = (mb_policy)random_below(chance, 2),
                      .priority = (mb_priority)random_below(chance, 2),
                      .detector = detectors[random_below(chance, 3)],
                      .transport = "sim",
                      .seed = random_next(chance),
                      .chaos = random_below(chance, 3) > 0,
                      .buffer_bytes = random_below(chance, 4) == 0 ? MB_CASE_LEAST : 0,
                      .slice = (uint32_t)random_below(chance, 3) };
}

static void run_random(uint64_t first, uint64_t systems, uint32_t cases)
{
    for (uint64_t n = first; n < first + systems; n++) {
        random_stream chance = random_open(n, 0);
        bes_random_options o = draw_system(&chance);
        sample s;
        if (!open_sample(&s, &o)) continue;
        for (uint32_t i = 0; i < cases; i++) {
            mb_case c = draw_case(&chance, &s);
            must_work(&c, NULL);
        }
        close_sample(&s);
    }
}

/* The number of systems may be given: a soak takes more. */
static void random_systems_on_the_simulator(void)
{
    const char *systems = getenv("BESPOKE_MB_SYSTEMS");
    run_random(1, systems ? strtoull(systems, NULL, 10) : 2500, 8);
}

static void many_blocks(void)
{
    for (uint64_t n = 1; n <= 30; n++) {
        random_stream chance = random_open(n, 1);
        bes_random_options o = { .variables = 150,
                                 .blocks = n % 3 == 0 ? 100 : 12,
                                 .degree = 2,
                                 .and_share = 0.5,
                                 .shape = (bes_shape)(n % BES_SHAPE_COUNT),
                                 .seed = n };
        sample s;
        CU_ASSERT_FATAL(open_sample(&s, &o));
        for (int i = 0; i < 8; i++) {
            mb_case c = draw_case(&chance, &s);
            c.root = (vertex_id)i; /* from the first block on */
            must_work(&c, NULL);
        }
        close_sample(&s);
    }
}

/* ---- figures -------------------------------------------------------------------------------- */

/* All workers, policies and transports: must_work compares them with what can be reached. */
static void exhaustive_runs_count_the_same(void)
{
    for (uint64_t n = 1; n <= 60; n++) {
        random_stream chance = random_open(n, 2);
        bes_random_options o = draw_system(&chance);
        sample s;
        if (!open_sample(&s, &o)) continue;
        for (uint32_t i = 0; i < COUNT_OF(worker_counts) * 8; i++) {
            mb_case c = draw_case(&chance, &s);
            c.root = 0;
            c.exhaustive = true;
            c.workers = worker_counts[i / 8];
            c.policy = (mb_policy)(i & 1);
            c.priority = (mb_priority)(i >> 1 & 1);
            if (i & 4 && c.workers <= 4) c.transport = "threads";
            must_work(&c, NULL);
        }
        close_sample(&s);
    }
}

static void random_systems_on_threads(void)
{
    static const worker_id threads[] = { 1, 2, 4 };
    for (uint64_t n = 1; n <= 300; n++) {
        random_stream chance = random_open(n, 3);
        bes_random_options o = draw_system(&chance);
        sample s;
        if (!open_sample(&s, &o)) continue;
        mb_case c = draw_case(&chance, &s);
        c.transport = "threads";
        c.workers = threads[n % 3];
        must_work(&c, NULL);
        close_sample(&s);
    }
}

/* ---- early ends ----------------------------------------------------------------------------- */

/* The root is known while others are in the middle of everything. */
static void an_early_end_leaves_nothing(void)
{
    uint32_t early = 0;
    for (uint64_t n = 1; n <= 40; n++) {
        random_stream chance = random_open(n, 4);
        bes_random_options o = { .variables = 200,
                                 .blocks = 1 + (uint32_t)(n % 6),
                                 .degree = 2.5,
                                 .and_share = 0.3,
                                 .seed = n };
        sample s;
        CU_ASSERT_FATAL(open_sample(&s, &o));
        mb_result all = { .vertices = 0 }, r;
        for (int i = 0; i < 60; i++) {
            mb_case c = draw_case(&chance, &s);
            c.root = (vertex_id)(n % 30);
            c.exhaustive = i == 0;
            must_work(&c, i == 0 ? &all : &r);
            early += i > 0 && r.vertices < all.vertices;
        }
        close_sample(&s);
    }
    CU_ASSERT(early > 1000);
}

static void memory_that_is_lacking_is_said(void)
{
    for (uint64_t n = 1; n <= 6; n++) {
        random_stream chance = random_open(n, 5);
        bes_random_options o = {
            .variables = 60, .blocks = 4, .degree = 3, .and_share = 0.5, .seed = n
        };
        sample s;
        CU_ASSERT_FATAL(open_sample(&s, &o));
        mb_case c = draw_case(&chance, &s);
        c.root = 0;
        c.exhaustive = n % 2 == 0;
        c.workers = 1 + (worker_id)(n % 3);
        const char *wrong = NULL;
        for (c.fail_at = 1; wrong == NULL; c.fail_at++) wrong = mb_case_run(&c, NULL);
        if (strcmp(wrong, "nothing failed") != 0)
            mb_case_report(&c, "mb_failure.bes", wrong);
        CU_ASSERT_STRING_EQUAL(wrong, "nothing failed");
        CU_ASSERT(c.fail_at > 20);
        close_sample(&s);
    }
}

/* ---- shapes --------------------------------------------------------------------------------- */

typedef enum { CYCLE, CHAIN, STAR, FUNNEL, COMPLETE, SHAPES } shape;

static const vertex_id shape_vertices[SHAPES] = { 100000, 20000, 50001, 5002, 300 };

/* Successors of a vertex, in a block of one sign; all values are known beforehand. */
static uint32_t successors(shape what, vertex_id v, vertex_id n, vertex_id *to)
{
    uint32_t count = 0;
    if (what == CYCLE) to[count++] = (v + 1) % n;
    else if (what == CHAIN && v + 1 < n) to[count++] = v + 1;
    else if (what == STAR && v == 0)
        for (vertex_id z = 1; z < n; z++) to[count++] = z;
    else if (what == FUNNEL && v == 0) /* all lead to the last one */
        for (vertex_id z = 1; z + 1 < n; z++) to[count++] = z;
    else if (what == FUNNEL && v + 1 < n) to[count++] = n - 1;
    else if (what == COMPLETE)
        for (vertex_id z = 0; z < n; z++) to[count++] = z;
    return count;
}

/* A conjunction in a greatest fixed point, all true; or a disjunction in a least one, all false. */
static void open_shape(sample *s, shape what, bool nu)
{
    vertex_id n = shape_vertices[what], *to = calloc(n, sizeof *to);
    uint64_t edges = 0;
    err e = ERR_INIT;
    *s = (sample){ .m = MEM_INIT };
    if (to == NULL) abort();
    for (vertex_id v = 0; v < n; v++) edges += successors(what, v, n, to);
    CU_ASSERT_EQUAL_FATAL(bes_open(&s->b, &s->m, 1, n, edges, &e), 0);
    s->b.blocks[0].sign = nu ? GRAPH_NU : GRAPH_MU;
    s->b.blocks[0].end = n;
    for (vertex_id v = 0; v < n; v++) {
        uint64_t at = s->b.first[v];
        uint32_t count = successors(what, v, n, to);
        memcpy(&s->b.operand[at], to, count * sizeof *to);
        s->b.first[v + 1] = at + count;
        s->b.variable[v] = v;
        s->b.op[v] = nu ? GRAPH_AND : GRAPH_OR;
    }
    s->right = malloc(n);
    memset(s->right, nu, n);
    free(to);
}

/* Neighbours on different workers, all on the last one, or by hash. */
static const worker_id *deal_out(worker_id *owner, vertex_id n, worker_id workers,
                                 uint32_t how)
{
    if (how == 2) return NULL;
    for (vertex_id v = 0; v < n; v++) owner[v] = how == 0 ? v % workers : workers - 1;
    return owner;
}

static void run_shape(shape what, bool nu)
{
    sample s;
    open_shape(&s, what, nu);
    worker_id *owner = calloc(s.b.vertices, sizeof *owner);
    for (uint32_t n = 0; n < 6; n++) {
        mb_case c = { .b = &s.b,
                      .right = s.right,
                      .workers = worker_counts[1 + n % 4],
                      .all_dependencies = n % 2 == 1,
                      .choices = n % 4 > 1,
                      .two_hops = n == 4,
                      .buffer_bytes = n % 3 == 2 ? 0 : MB_CASE_LEAST,
                      .detector = detectors[n % 3],
                      .transport = n == 5 ? "threads" : "sim",
                      .seed = n };
        c.owner = deal_out(owner, s.b.vertices, c.workers, n % 3);
        must_work(&c, NULL);
    }
    free(owner);
    close_sample(&s);
}

static void pathological_shapes(void)
{
    for (int what = 0; what < SHAPES; what++) {
        run_shape((shape)what, true);
        run_shape((shape)what, false);
    }
}

CU_TestInfo test_mb[] = {
    { "random systems have their naive solution, on any schedule",
      random_systems_on_the_simulator },
    { "many blocks", many_blocks },
    { "exhaustive runs count the same", exhaustive_runs_count_the_same },
    { "random systems on threads", random_systems_on_threads },
    { "an early end leaves nothing", an_early_end_leaves_nothing },
    { "memory that is lacking is said", memory_that_is_lacking_is_said },
    { "a cycle, a chain, stars, a complete graph", pathological_shapes },
    CU_TEST_INFO_NULL,
};
