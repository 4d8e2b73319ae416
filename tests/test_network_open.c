/*
 * test_network_open.c - networks that cannot be, or hardly, and what is said of them;
 * hidden names, files, labels; memory that fails; large ones.
 */
#include "tests/capture.h"
#include "tests/net_parts.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const log_sink silent = { .level = LOG_QUIET };

/* ---- what is said ------------------------------------------------------------------------ */

static const struct {
    const char *net, *said; /* behind the path of the network */
} warnings[] = {
    { "par A, Z in p || q end par",
      ":1:8: gate Z is in the interface, but no operand ever" },
    { "par A -> p\n|| B -> q end par",
      ":2:4: gate B is in the interface, but its operand" },
    { "label par \"A !3\" in v || v end par", ":1:11: label A !3 is in the interface" },
    { "par using A * B -> C in p || q end par",
      ":1:11: operand 2 of the vector never does B" },
    { "gate hide Z in p end hide", ":1:1: hide: Z matches no label of the operand" },
    { "total cut \"A !\" in v end cut", ":1:1: cut: A ! matches no label" },
    { "total rename A -> B in v end rename", ":1:1: rename: A matches no label" },
    { "gate prio A > Z in p end prio", ":1:11: prio: Z matches no label" },
    { "par A, B in p || u end par", "" },
    { "gate hide A in p end hide", "" },
    { "gate hide all but A in k end hide", "" },
    { "gate hide all but A, Z in p end hide", ":1:1: hide: Z matches no label" },
    { "gate hide A, Z, B in p end hide", ":1:1: hide: Z matches no label" },
    { "multiple rename \"[12]\" -> x in v end rename", "" },
    { "behaviour gate hide a in l end hide", "" },
};

static void what_nobody_does_is_warned_of(void)
{
    const log_sink loud = LOG_INIT;
    scratch dir = net_parts_open();
    for (size_t i = 0; i < COUNT_OF(warnings); i++) {
        static capture c;
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        char want[512];
        capture_begin(&c);
        int code = net_parts_network(&s, &dir, warnings[i].net, &m, &loud, &e);
        const char *said = capture_end(&c);
        snprintf(want, sizeof want, "%s%s", scratch_path(&dir, "net.exp"),
                 warnings[i].said);
        bool right = warnings[i].said[0] ? strstr(said, want) != NULL : said[0] == '\0';
        if (!right || code != 0) printf("\n%s\n%s%s\n", warnings[i].net, said, e.text);
        CU_ASSERT(right && code == 0);
        model_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&dir);
}

static const struct {
    const char *net;
    int code;
    const char *said;
} mistakes[] = {
    { "gate prio A > B B > A in u end prio", ERR_INPUT,
      "net.exp:1:11: the rules put A above itself" },
    { "gate prio C > A\nB > A\nA > B in u end prio", ERR_INPUT,
      "net.exp:2:1: the rules put B above itself" },
    { "gate prio A > A in u end prio", ERR_INPUT,
      "net.exp:1:11: the rules put A above itself" },
    { "gate prio Z > Z in u end prio", 0, "" },
    { "gate prio A > all but B in u end prio", ERR_INPUT, "above itself" },
    { "k ||| broken", ERR_INPUT, "broken.aut:2:" },
};

static void mistakes_have_their_place(void)
{
    scratch dir = net_parts_open();
    static const char broken[] = "des (0, 1, 2)\n(0, A, 7)\n";
    scratch_write(scratch_path(&dir, "broken.aut"), broken, strlen(broken));
    for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        int code = net_parts_network(&s, &dir, mistakes[i].net, &m, &silent, &e);
        bool right = code == mistakes[i].code && strstr(e.text, mistakes[i].said);
        if (!right) printf("\n%s\n%s\n", mistakes[i].net, e.text);
        CU_ASSERT(right);
        if (code == 0) model_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&dir);
}

static void what_explodes_is_refused(void)
{
    char text[2048] = "par A#30 in k";
    for (int i = 1; i < 60; i++) strcat(text, " || k");
    strcat(text, " end par");
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s = NULL;
    scratch dir = net_parts_open();
    CU_ASSERT_EQUAL(net_parts_network(&s, &dir, text, &m, &silent, &e), ERR_LIMIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "net.exp:1:1: labels can be combined in more"));
    CU_ASSERT_EQUAL(m.now, 0);
    CU_ASSERT(m.peak < 1 << 20);
    scratch_close(&dir);
}

/* ---- hidden names, files, labels --------------------------------------------------------- */

static void hidden_names_are_hidden(void)
{
    static const char *const names[] = { "A", "B !7" };
    scratch dir = net_parts_open();
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s = NULL;
    net_lines want = { .count = 0 }, have = { .count = 0 };
    load_options o = {
        .m = &m, .threads = 1, .hidden = names, .hidden_count = 2, .log = &silent
    };
    const char *path = scratch_path(&dir, "net.exp");
    scratch_write(path, "p |[A]| w", 9);
    CU_ASSERT_EQUAL_FATAL(network_open(&s, path, &o, &e), 0);
    net_lines_explore(s, &have);
    net_lines_split("(00, i, 10)\n(10, B, 00)", &want);
    CU_ASSERT(net_lines_equal(&want, &have));
    CU_ASSERT(label_table_met(s->labels, "A"));
    CU_ASSERT(!label_table_met(s->labels, "B !7"));
    model_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&dir);
}

static void files_and_labels_are_told(void)
{
    scratch dir = net_parts_open();
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s = NULL;
    CU_ASSERT_EQUAL_FATAL(net_parts_network(&s, &dir,
                                            "gate cut B in (p |[A]| q |[A]| p) end cut",
                                            &m, &silent, &e),
                          0);
    CU_ASSERT_STRING_EQUAL(s->class->name, "network");
    CU_ASSERT_EQUAL_FATAL(s->file_count, 3);
    CU_ASSERT_STRING_EQUAL(s->files[0], scratch_path(&dir, "net.exp"));
    CU_ASSERT_STRING_EQUAL(s->files[1], scratch_path(&dir, "p.aut"));
    CU_ASSERT_STRING_EQUAL(s->files[2], scratch_path(&dir, "q.aut"));
    CU_ASSERT_EQUAL_FATAL(label_table_count(s->labels), 2);
    CU_ASSERT_NOT_EQUAL(label_table_find(s->labels, "A", 1), LABEL_NONE);
    CU_ASSERT_NOT_EQUAL(label_table_find(s->labels, "C", 1), LABEL_NONE);
    char text[8];
    s->class->print(s, NULL, s->initial, text, sizeof text); /* does not fit */
    CU_ASSERT_STRING_EQUAL(text, "(0, 0, ");
    model_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&dir);
}

/* ---- memory ------------------------------------------------------------------------------ */

static const char everything[] =
    "gate prio A > B all but C > C in\n"
    "total hide \"A !1\" in gate rename B -> D in gate cut Z in\n"
    "par A#2, B in A -> v || (par using A * A -> Z, _ * B -> i in p || q end par)\n"
    "|| C -> (x ||| y) end par end cut end rename end hide end prio";

/* Open, ask, close; nothing is left. */
static int try_open(scratch *dir, const char *net, mem *m)
{
    err e = ERR_INIT;
    model *s = NULL;
    void *context = NULL;
    int code = net_parts_network(&s, dir, net, m, &silent, &e);
    if (code == 0) {
        code = model_context_open(s, &context, &e);
        if (code == 0) model_context_close(s, context);
        model_close(s);
    }
    CU_ASSERT_EQUAL(m->now, 0);
    return code;
}

/* A reader of a component may do without something that it wished for. */
static void every_failing_allocation_leaves_nothing(void)
{
    static const char *const nets[] = { everything, "ccs behaviour (k | c | p) \\ {B}",
                                        "mcrl behaviour comm a | b = c end comm f || g" };
    scratch dir = net_parts_open();
    for (size_t i = 0; i < COUNT_OF(nets); i++) {
        size_t refused = 0, n = 0;
        for (bool more = true; more;) {
            mem m = MEM_INIT;
            m.fail_at = ++n;
            int code = try_open(&dir, nets[i], &m);
            more = m.calls >= n;
            CU_ASSERT_FATAL(code == ERR_LIMIT || code == 0);
            refused += code == ERR_LIMIT;
            if (!more) CU_ASSERT_EQUAL(code, 0);
        }
        CU_ASSERT(n > 60 && refused + 20 > n);
        if (refused + 20 <= n) printf("\n%zu of %zu\n", refused, n);
    }
    scratch_close(&dir);
}

/* ---- large ones -------------------------------------------------------------------------- */

/* How many moves the initial state has. */
static uint32_t count_moves(const model *s)
{
    void *context = NULL;
    err e = ERR_INIT;
    model_moves moves = MODEL_MOVES_INIT(s);
    CU_ASSERT_EQUAL_FATAL(model_context_open(s, &context, &e), 0);
    CU_ASSERT_EQUAL_FATAL(model_moves_of(s, context, s->initial, &moves, &e), 0);
    uint32_t count = moves.count;
    model_moves_release(&moves);
    model_context_close(s, context);
    return count;
}

static void three_hundred_components(void)
{
    static const struct {
        const char *head, *join, *tail;
        uint32_t moves;
    } rows[] = {
        { "par A in ", " || ", " end par", 1 },
        { "par A#1 in ", " || ", " end par", 300 },
        { "par A#2 in ", " || ", " end par", 300 * 299 / 2 },
        { "", " ||| ", "", 300 },
        { "", " || ", "", 1 },
    };
    scratch dir = net_parts_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[4096];
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        strcpy(text, rows[i].head);
        for (int k = 0; k < 300; k++) strcat(strcat(text, k ? rows[i].join : ""), "k");
        strcat(text, rows[i].tail);
        CU_ASSERT_EQUAL_FATAL(net_parts_network(&s, &dir, text, &m, &silent, &e), 0);
        CU_ASSERT_EQUAL(s->key_words, 10); /* 300 bits */
        CU_ASSERT_EQUAL(count_moves(s), rows[i].moves);
        model_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&dir);
}

/* A ring of `states` states, each with a label of its own thousand and one more. */
static void write_ring(const char *path, unsigned states)
{
    FILE *f = fopen(path, "w");
    if (f == NULL) abort();
    fprintf(f, "des (%u, %u, %u)\n", states - 1, 2 * states, states);
    for (unsigned s = 0; s < states; s++)
        fprintf(f, "(%u, A, %u)\n(%u, \"G !%u\", %u)\n", s, (s + 1) % states, s, s % 1000,
                s);
    fclose(f);
}

static void a_million_states(void)
{
    scratch dir = net_parts_open();
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s = NULL;
    write_ring(scratch_path(&dir, "ring.aut"), 1000000);
    CU_ASSERT_EQUAL_FATAL(
        net_parts_network(&s, &dir, "(ring |[G]| ring) |[A]| o", &m, &silent, &e), 0);
    CU_ASSERT_EQUAL(s->key_words, 2);
    CU_ASSERT_EQUAL(count_moves(s), 3);
    char text[64];
    s->class->print(s, NULL, s->initial, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "(999999, 999999, 0)");
    model_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&dir);
}

CU_TestInfo test_network_open[] = {
    { "what nobody does is warned of", what_nobody_does_is_warned_of },
    { "mistakes have their place", mistakes_have_their_place },
    { "what explodes is refused", what_explodes_is_refused },
    { "hidden names are hidden", hidden_names_are_hidden },
    { "files and labels are told", files_and_labels_are_told },
    { "every failing allocation leaves nothing",
      every_failing_allocation_leaves_nothing },
    { "three hundred components", three_hundred_components },
    { "a million states", a_million_states },
    CU_TEST_INFO_NULL
};
