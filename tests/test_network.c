/*
 * test_network.c - what each operator makes of tiny components, by hand; what is said of networks
 * that cannot be, or hardly; and large ones.
 */
#include "models/network.h"
#include "tests/capture.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const log_sink silent = { .level = LOG_QUIET };

/* ---- components -------------------------------------------------------------------------- */

static const struct {
    const char *name;
    int transitions, states;
    const char *lines;
} parts[] = {
    { "p", 2, 2, "(0,A,1)\n(1,B,0)\n" },
    { "q", 2, 2, "(0,A,1)\n(1,C,0)\n" },
    { "v", 3, 2, "(0,\"A !1\",1)\n(0,\"A !2\",1)\n(1,B,0)\n" },
    { "w", 1, 2, "(0,\"A !1\",1)\n" },
    { "h", 2, 2, "(0,i,1)\n(1,A,0)\n" },
    { "x", 2, 3, "(0,A,1)\n(1,exit,2)\n" },
    { "y", 1, 2, "(0,exit,1)\n" },
    { "n", 3, 2, "(0,A,0)\n(0,A,1)\n(0,A,1)\n" },
    { "o", 1, 1, "(0,A,0)\n" },
    { "l", 3, 2, "(0,a,1)\n(0,A,1)\n(1,\"b !x\",0)\n" },
    { "k", 1, 2, "(0,A,1)\n" },
    { "c", 1, 2, "(0,\"'A\",1)\n" },
    { "d", 1, 2, "(0,C,1)\n" },
    { "u", 2, 2, "(0,A,1)\n(0,B,1)\n" },
    { "f", 1, 2, "(0,\"a(1)\",1)\n" },
    { "g", 2, 2, "(0,\"b(1)\",1)\n(0,\"b(2)\",1)\n" },
    { "z", 2, 2, "(0,tau,1)\n(0,t,1)\n" },
    { "e", 0, 1, "" },
};

static scratch folder_of_parts(void)
{
    scratch dir = scratch_open();
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        char name[16], text[256];
        snprintf(name, sizeof name, "%s.aut", parts[i].name);
        int bytes = snprintf(text, sizeof text, "des (0, %d, %d)\n%s",
                             parts[i].transitions, parts[i].states, parts[i].lines);
        scratch_write(scratch_path(&dir, name), text, (size_t)bytes);
    }
    return dir;
}

static int open_text(model **out, scratch *dir, const char *text, mem *m,
                     const log_sink *log, err *e)
{
    load_options o = { .m = m, .threads = 1, .log = log };
    const char *path = scratch_path(dir, "net.exp");
    scratch_write(path, text, strlen(text));
    return network_open(out, path, &o, e);
}

/* ---- exploring --------------------------------------------------------------------------- */

enum { LINES_MAX = 400, LINE_BYTES = 64, STATES_MAX_HERE = 100 };

typedef struct lines {
    char at[LINES_MAX][LINE_BYTES];
    size_t count;
} lines;

static int compare(const void *a, const void *b) { return strcmp(a, b); }

/* Sorted, each once. */
static void sort(lines *l)
{
    size_t kept = 0;
    qsort(l->at, l->count, LINE_BYTES, compare);
    for (size_t i = 0; i < l->count; i++)
        if (kept == 0 || strcmp(l->at[i], l->at[kept - 1]) != 0)
            memmove(l->at[kept++], l->at[i], LINE_BYTES);
    l->count = kept;
}

static void add(lines *l, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(lines *l, const char *format, ...)
{
    va_list list;
    CU_ASSERT_FATAL(l->count < LINES_MAX);
    va_start(list, format);
    vsnprintf(l->at[l->count++], LINE_BYTES, format, list);
    va_end(list);
}

/* "(0, 1)" as 01: here all components have at most ten states. */
static void name_state(const model *s, void *context, const uint32_t *key, char *into)
{
    char text[128];
    s->class->print(s, context, key, text, sizeof text);
    for (const char *p = text; *p; p++)
        if (*p >= '0' && *p <= '9') *into++ = *p;
    *into = '\0';
}

/* All transitions of a model with keys of one word. */
static void explore(const model *s, lines *out)
{
    void *context = NULL;
    err e = ERR_INIT;
    uint32_t queue[STATES_MAX_HERE] = { s->initial[0] };
    size_t count = 1;
    model_moves moves = MODEL_MOVES_INIT(s);
    CU_ASSERT_EQUAL_FATAL(s->key_words, 1);
    CU_ASSERT_EQUAL_FATAL(model_context_open(s, &context, &e), 0);
    for (size_t i = 0; i < count; i++) {
        char from[16], to[16];
        name_state(s, context, &queue[i], from);
        CU_ASSERT_EQUAL_FATAL(model_moves_of(s, context, &queue[i], &moves, &e), 0);
        for (uint32_t k = 0; k < moves.count; k++) {
            size_t at = 0;
            name_state(s, context, &moves.key[k], to);
            add(out, "(%s, %s, %s)", from,
                label_table_text(s->labels, moves.label[k], NULL), to);
            while (at < count && queue[at] != moves.key[k]) at++;
            CU_ASSERT_FATAL(at < STATES_MAX_HERE);
            if (at == count) queue[count++] = moves.key[k];
        }
    }
    model_moves_release(&moves);
    model_context_close(s, context);
    sort(out);
}

static void split(const char *text, lines *out)
{
    while (*text) {
        size_t bytes = strcspn(text, "\n");
        add(out, "%.*s", (int)bytes, text);
        text += bytes + (text[bytes] == '\n');
    }
    sort(out);
}

static bool equal(const lines *a, const lines *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) same = strcmp(a->at[i], b->at[i]) == 0;
    return same;
}

static void show(const char *what, const lines *l)
{
    printf("%s:", what);
    for (size_t i = 0; i < l->count; i++) printf(" %s", l->at[i]);
    printf("\n");
}

/* ---- products by hand -------------------------------------------------------------------- */

static const struct {
    const char *net, *product; /* a state is the states of the components, in order */
} products[] = {
    { "p", "(0, A, 1)\n(1, B, 0)" },
    { "e ||| k", "(00, A, 01)" },
    /* interfaces of LOTOS */
    { "p ||| q", "(00, A, 10)\n(00, A, 01)\n(10, B, 00)\n(10, A, 11)\n(01, A, 11)\n"
                 "(01, C, 00)\n(11, B, 01)\n(11, C, 10)" },
    { "p || q", "(00, A, 11)" },
    { "p |[A]| q", "(00, A, 11)\n(11, B, 01)\n(11, C, 10)\n(01, C, 00)\n(10, B, 00)" },
    { "v |[A]| w", "(00, A !1, 11)\n(11, B, 01)" },
    { "v || w", "(00, A !1, 11)" },
    { "n |[A]| n", "(00, A, 00)\n(00, A, 01)\n(00, A, 10)\n(00, A, 11)" },
    { "o |[A]| p", "(00, A, 01)\n(01, B, 00)" },
    /* hidden moves are alone, the end is common */
    { "h |[A]| k", "(00, i, 10)\n(10, A, 01)\n(01, i, 11)" },
    { "h || k", "(00, i, 10)\n(10, A, 01)\n(01, i, 11)" },
    { "y ||| y", "(00, exit, 11)" },
    { "x ||| y", "(00, A, 10)\n(10, exit, 21)" },
    { "y ||| k", "(00, A, 01)" },
    { "(gate rename A -> exit in k end rename) ||| y", "(00, exit, 11)" },
    /* labels */
    { "gate hide A in p end hide", "(0, i, 1)\n(1, B, 0)" },
    { "total hide all but \"A !1\" in v end hide", "(0, A !1, 1)\n(0, i, 1)\n(1, i, 0)" },
    { "partial hide \"2\" in v end hide", "(0, A !1, 1)\n(0, i, 1)\n(1, B, 0)" },
    { "(gate hide A in k end hide) |[A]| k", "(00, i, 10)" },
    { "gate hide A in (k |[A]| k) end hide", "(00, i, 11)" },
    { "gate cut A in p end cut", "" },
    { "total cut \"A !2\" in v end cut", "(0, A !1, 1)\n(1, B, 0)" },
    { "partial cut \"!\" in v end cut", "" },
    { "gate cut all but A in h end cut", "(0, i, 1)\n(1, A, 0)" },
    { "gate rename A -> Z in v end rename", "(0, Z !1, 1)\n(0, Z !2, 1)\n(1, B, 0)" },
    { "total rename \"A !\\([12]\\)\" -> \"D !\\1\\1\" in v end rename",
      "(0, D !11, 1)\n(0, D !22, 1)\n(1, B, 0)" },
    { "single rename \"!\" -> \"#\" in v end rename",
      "(0, A #1, 1)\n(0, A #2, 1)\n(1, B, 0)" },
    { "multiple rename \"[A1]\" -> \"X\" in w end rename", "(0, X !X, 1)" },
    { "total rename A -> i in p end rename", "(0, i, 1)\n(1, B, 0)" },
    { "gate rename A -> B in u end rename", "(0, B, 1)" },
    /* par: global, local, degrees */
    { "par A in k || k || k end par", "(000, A, 111)" },
    { "par A#2 in k || k || k end par", "(000, A, 110)\n(000, A, 101)\n(000, A, 011)" },
    { "par A#1 in k || k end par", "(00, A, 10)\n(00, A, 01)\n(10, A, 11)\n(01, A, 11)" },
    { "par A#0 in k || p end par", "" },
    { "par A, A#1 in k || k end par",
      "(00, A, 11)\n(00, A, 10)\n(00, A, 01)\n(10, A, 11)\n(01, A, 11)" },
    { "par A -> k || A -> k || k end par",
      "(000, A, 110)\n(000, A, 001)\n(001, A, 111)\n(110, A, 111)" },
    { "par A#2 -> k || A#2 -> k || A#2 -> k end par",
      "(000, A, 110)\n(000, A, 101)\n(000, A, 011)" },
    { "par A#2 -> k || A#2 -> k || k end par",
      "(000, A, 110)\n(000, A, 001)\n(001, A, 111)\n(110, A, 111)" },
    { "par A, A#2 -> k || A, A#2 -> k || A#2 -> k end par",
      "(000, A, 110)\n(000, A, 101)\n(000, A, 011)" },
    { "par B in A -> u || A -> k end par", "(00, A, 11)" },
    { "par A -> k || k end par", "(00, A, 10)\n(00, A, 01)\n(10, A, 11)\n(01, A, 11)" },
    { "label par \"A !1\" in v || v end par",
      "(00, A !1, 11)\n(00, A !2, 10)\n(00, A !2, 01)\n(10, B, 00)\n(10, A !2, 11)\n"
      "(01, B, 00)\n(01, A !2, 11)\n(11, B, 01)\n(11, B, 10)" },
    { "gate par A in v || w end par", "(00, A !1, 11)\n(11, B, 01)" },
    { "par all in p || q end par", "(00, A, 11)" },
    { "par k end par", "(0, A, 1)" },
    /* vectors */
    { "par using A * A -> Z in p || q end par", "(00, Z, 11)" },
    { "gate par using A * A -> Z in v || w end par", "(00, Z !1, 11)" },
    { "gate par using A * A -> i in v || w end par", "(00, i, 11)" },
    { "par using A * _ -> A, _ * A -> D in k || k end par",
      "(00, A, 10)\n(00, D, 01)\n(10, D, 11)\n(01, A, 11)" },
    { "par using A * _ * C -> Z, A * A * _ -> Y in k || k || d end par",
      "(000, Z, 101)\n(000, Y, 110)" },
    { "label par using \"A !1\" * \"A !1\" -> both in v || w end par", "(00, both, 11)" },
    { "par using A * A -> Z in h || k end par", "(00, i, 10)\n(10, Z, 01)\n(01, i, 11)" },
    { "par using A * A -> Z in y || y end par", "(00, exit, 11)" },
    { "par using exit * _ -> Z in y || y end par", "(00, Z, 10)" },
    /* other languages */
    { "behaviour l", "(0, A, 1)\n(1, B !X, 0)" },
    { "behaviour l |[a]| k", "(00, A, 11)\n(11, B !X, 01)" },
    { "ccs behaviour k | c",
      "(00, A, 10)\n(00, 'A, 01)\n(00, i, 11)\n(10, 'A, 11)\n(01, A, 11)" },
    { "ccs behaviour (k | c) \\ A", "(00, i, 11)" },
    { "ccs behaviour k [B / A]", "(0, B, 1)" },
    { "ccs behaviour c [B / A]", "(0, 'B, 1)" },
    { "ccs behaviour z", "(0, TAU, 1)\n(0, i, 1)" },
    { "csp behaviour p [|{A}|] q",
      "(00, A, 11)\n(11, B, 01)\n(11, C, 10)\n(01, C, 00)\n(10, B, 00)" },
    { "csp behaviour p [{A, B} || {A}] q", "(00, A, 11)\n(11, B, 01)" },
    { "csp behaviour p \\ {A}", "(0, i, 1)\n(1, B, 0)" },
    { "csp behaviour p [[A <- Z]]", "(0, Z, 1)\n(1, B, 0)" },
    { "mcrl behaviour comm a | b = c end comm f || g",
      "(00, a(1), 10)\n(00, b(1), 01)\n(00, b(2), 01)\n(00, c(1), 11)\n(10, b(1), 11)\n"
      "(10, b(2), 11)\n(01, a(1), 11)" },
    { "mcrl behaviour comm b | a = tau end comm f || g",
      "(00, a(1), 10)\n(00, b(1), 01)\n(00, b(2), 01)\n(00, i, 11)\n(10, b(1), 11)\n"
      "(10, b(2), 11)\n(01, a(1), 11)" },
    { "mcrl behaviour z", "(0, i, 1)\n(0, t, 1)" },
    /* priorities */
    { "gate prio A > B in u end prio", "(0, A, 1)" },
    { "gate prio all but B > B in u end prio", "(0, A, 1)" },
    { "gate prio C > A, B in u end prio", "(0, A, 1)\n(0, B, 1)" },
    { "partial prio A > all but A in (h ||| k) end prio",
      "(00, A, 01)\n(01, i, 11)\n(11, A, 01)" },
    { "partial prio \".*\" > Z in (h ||| k) end prio",
      "(00, i, 10)\n(00, A, 01)\n(01, i, 11)\n(10, A, 00)\n(10, A, 11)\n(11, A, 01)" },
    { "(gate prio A > B in u end prio) |[A]| w", "" },
    { "gate prio A > B in (u |[A]| w) end prio", "(00, B, 10)" },
    { "gate hide A in gate prio A > B in u end prio end hide", "(0, i, 1)" },
    { "gate cut A in gate prio A > B in u end prio end cut", "" },
    { "gate prio B > C in (gate prio A > B in (u ||| d) end prio) end prio",
      "(00, A, 10)\n(00, C, 01)\n(01, A, 11)\n(10, C, 11)" },
    { "gate prio C > B B > A in (u ||| d) end prio", "(00, C, 01)\n(01, B, 11)" },
    { "gate prio C > Z Z > B in (u ||| d) end prio", /* nobody does Z */
      "(00, C, 01)\n(00, A, 10)\n(00, B, 10)\n(01, A, 11)\n(01, B, 11)\n(10, C, 11)" },
};

static void every_operator_by_hand(void)
{
    scratch dir = folder_of_parts();
    for (size_t i = 0; i < COUNT_OF(products); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        lines want = { .count = 0 }, have = { .count = 0 };
        int code = open_text(&s, &dir, products[i].net, &m, &silent, &e);
        if (code == 0) explore(s, &have);
        split(products[i].product, &want);
        if (code != 0 || !equal(&want, &have)) {
            printf("\n%s\n%s\n", products[i].net, e.text);
            show("expected", &want);
            show("found   ", &have);
            CU_FAIL("not the product it should be");
        }
        model_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&dir);
}

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
    { "gate hide Z in p end hide", ": hide: Z matches no label of the operand" },
    { "total cut \"A !\" in v end cut", ": cut: A ! matches no label" },
    { "total rename A -> B in v end rename", ": rename: A matches no label" },
    { "gate prio A > Z in p end prio", ": prio: Z matches no label" },
    { "par A, B in p || u end par", "" },
    { "gate hide A in p end hide", "" },
    { "gate hide all but A in k end hide", "" },
    { "gate hide all but A, Z in p end hide", ": hide: Z matches no label" },
    { "gate hide A, Z, B in p end hide", ": hide: Z matches no label" },
    { "multiple rename \"[12]\" -> x in v end rename", "" },
    { "behaviour gate hide a in l end hide", "" },
};

static void what_nobody_does_is_warned_of(void)
{
    const log_sink loud = LOG_INIT;
    scratch dir = folder_of_parts();
    for (size_t i = 0; i < COUNT_OF(warnings); i++) {
        static capture c;
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        char want[512];
        capture_begin(&c);
        int code = open_text(&s, &dir, warnings[i].net, &m, &loud, &e);
        const char *said = capture_end(&c);
        snprintf(want, sizeof want, "%s%s", scratch_path(&dir, "net.exp"),
                 warnings[i].said[1] == ' ' ? ":1:" : warnings[i].said);
        bool right = warnings[i].said[0] == '\0'
                         ? said[0] == '\0'
                         : strstr(said, want) && strstr(said, warnings[i].said);
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
    scratch dir = folder_of_parts();
    static const char broken[] = "des (0, 1, 2)\n(0, A, 7)\n";
    scratch_write(scratch_path(&dir, "broken.aut"), broken, strlen(broken));
    for (size_t i = 0; i < COUNT_OF(mistakes); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        int code = open_text(&s, &dir, mistakes[i].net, &m, &silent, &e);
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
    scratch dir = folder_of_parts();
    CU_ASSERT_EQUAL(open_text(&s, &dir, text, &m, &silent, &e), ERR_LIMIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "net.exp:1:1: labels can be combined in more"));
    CU_ASSERT_EQUAL(m.now, 0);
    CU_ASSERT(m.peak < 1 << 20);
    scratch_close(&dir);
}

/* ---- hidden names, files, labels --------------------------------------------------------- */

static void hidden_names_are_hidden(void)
{
    static const char *const names[] = { "A", "B !7" };
    scratch dir = folder_of_parts();
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s = NULL;
    lines want = { .count = 0 }, have = { .count = 0 };
    load_options o = {
        .m = &m, .threads = 1, .hidden = names, .hidden_count = 2, .log = &silent
    };
    const char *path = scratch_path(&dir, "net.exp");
    scratch_write(path, "p |[A]| w", 9);
    CU_ASSERT_EQUAL_FATAL(network_open(&s, path, &o, &e), 0);
    explore(s, &have);
    split("(00, i, 10)\n(10, B, 00)", &want);
    CU_ASSERT(equal(&want, &have));
    CU_ASSERT(label_table_met(s->labels, "A"));
    CU_ASSERT(!label_table_met(s->labels, "B !7"));
    model_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&dir);
}

static void files_and_labels_are_told(void)
{
    scratch dir = folder_of_parts();
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s = NULL;
    CU_ASSERT_EQUAL_FATAL(
        open_text(&s, &dir, "gate cut B in (p |[A]| q |[A]| p) end cut", &m, &silent, &e),
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
    int code = open_text(&s, dir, net, m, &silent, &e);
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
    scratch dir = folder_of_parts();
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
    scratch dir = folder_of_parts();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char text[4096];
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        strcpy(text, rows[i].head);
        for (int k = 0; k < 300; k++) strcat(strcat(text, k ? rows[i].join : ""), "k");
        strcat(text, rows[i].tail);
        CU_ASSERT_EQUAL_FATAL(open_text(&s, &dir, text, &m, &silent, &e), 0);
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
    scratch dir = folder_of_parts();
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s = NULL;
    write_ring(scratch_path(&dir, "ring.aut"), 1000000);
    CU_ASSERT_EQUAL_FATAL(
        open_text(&s, &dir, "(ring |[G]| ring) |[A]| o", &m, &silent, &e), 0);
    CU_ASSERT_EQUAL(s->key_words, 2);
    CU_ASSERT_EQUAL(count_moves(s), 3);
    char text[64];
    s->class->print(s, NULL, s->initial, text, sizeof text);
    CU_ASSERT_STRING_EQUAL(text, "(999999, 999999, 0)");
    model_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
    scratch_close(&dir);
}

CU_TestInfo test_network[] = { { "every operator by hand", every_operator_by_hand },
                               { "what nobody does is warned of",
                                 what_nobody_does_is_warned_of },
                               { "mistakes have their place", mistakes_have_their_place },
                               { "what explodes is refused", what_explodes_is_refused },
                               { "hidden names are hidden", hidden_names_are_hidden },
                               { "files and labels are told", files_and_labels_are_told },
                               { "every failing allocation leaves nothing",
                                 every_failing_allocation_leaves_nothing },
                               { "three hundred components", three_hundred_components },
                               { "a million states", a_million_states },
                               CU_TEST_INFO_NULL };
