#include "lang/aut.h"

#include "tests/aut_ways.h"
#include "tests/capture.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const tau[] = { "tau", "silent" };
static const naive_rules strict = { 0 };
static const naive_rules lenient = { .lenient = true };
static const naive_rules hiding = { .hidden = tau, .hidden_count = 2 };

/* ---- what is accepted ------------------------------------------------------------------ */

/* An LTS as text: initial/states, then from-label-to in the order of the rows. */
static char *dump(const lts *g)
{
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    fprintf(f, "%u/%u", g->initial, g->states);
    for (state_id s = 0; s < g->states; s++)
        for (uint64_t t = g->first[s]; t < g->first[s + 1]; t++)
            fprintf(f, " %u-%s-%u", s, label_table_text(g->labels, lts_label(g, t), NULL),
                    g->target[t]);
    fclose(f);
    return text;
}

typedef struct dialect {
    const char *text;
    const naive_rules *rules;
    const char *expected; /* see dump */
} dialect;

/* By hand in one way, then by the naive reader in all. */
static void check_dialect(const dialect *d)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g;
    naive_lts n;
    packed_file f = packed_file_open();
    packed_file_set(&f, d->text, strlen(d->text));
    aut_way_read(&g, &m, f.path, &(aut_way){ .threads = 1 }, d->rules, &e);
    CU_ASSERT_EQUAL(e.code, ERR_NONE);
    if (e.code == ERR_NONE) {
        char *found = dump(&g);
        if (strcmp(found, d->expected) != 0)
            printf("\n  expected %s\n  found    %s\n", d->expected, found);
        CU_ASSERT_STRING_EQUAL(found, d->expected);
        free(found);
    } else printf("\n  %s\n", e.text);
    lts_close(&g);
    packed_file_close(&f);
    CU_ASSERT_EQUAL_FATAL(naive_aut_read(&n, d->text, strlen(d->text), d->rules), 0);
    CU_ASSERT(aut_ways_same(d->text, strlen(d->text), d->rules, &n, NULL));
    naive_close(&n);
}

static void every_dialect_gives_the_same_lts(void)
{
    static const dialect rows[] = {
        { "des (0,2,2)\n(0,a,1)\n(1,b,0)\n", &strict, "0/2 0-a-1 1-b-0" },
        { "des (0,2,2)\n(0,\"a\",1)\n(1,\"b\",0)\n", &strict, "0/2 0-a-1 1-b-0" },
        { "des (0,2,2)\n(0,a,1)\n(0,\"a\",0)", &strict, "0/2 0-a-1 0-a-0" },
        { "des (0,2,2)\r\n(0,a,1)\r\n(1,b,0)\r\n", &strict, "0/2 0-a-1 1-b-0" },
        { "des (0,2,2)\r\n(0,a,1)\r\n(1,b,0)", &strict, "0/2 0-a-1 1-b-0" },
        { "des (0,2,2)\r\n(0,a,1)\r\n(1,b,0)\r", &strict, "0/2 0-a-1 1-b-0" },
        { "des(0,2,2)   \n ( 0 , a , 1 ) \n\t(1,\tb,\t0)\n", &strict, "0/2 0-a-1 1-b-0" },
        { "\n \n\t\r\ndes (0,1,2)\n\n\n(0,a,1)\n \n\n", &strict, "0/2 0-a-1" },
        { "des (0,1,2)\n(0,a,1)\n\x04", &strict, "0/2 0-a-1" },
        { "des (0,1,2)\n(0,a,1)\n\x04\n", &strict, "0/2 0-a-1" },
        { "des (1,2,3)\n(1,a,2)\n(2,a,1)\n", &strict, "1/3 1-a-2 2-a-1" },
        { "des (0,0,1)", &strict, "0/1" },
        { "des (0,0,5)\n", &strict, "0/5" },
        /* any order; within a state the order of the file; duplicates stay */
        { "des (0,4,3)\n(2,a,0)\n(0,b,2)\n(2,c,1)\n(0,a,1)\n", &strict,
          "0/3 0-b-2 0-a-1 2-a-0 2-c-1" },
        { "des (0,3,2)\n(0,a,1)\n(0,a,1)\n(0,a,1)\n", &strict, "0/2 0-a-1 0-a-1 0-a-1" },
        /* quotes, commas and blanks inside labels */
        { "des (0,3,2)\n(0,\"S !\"x\" !\"y\"\",1)\n(1, \"a, b\" , 0)\n(0,\" c \",0)\n",
          &strict, "0/2 0-S !\"x\" !\"y\"-1 0- c -0 1-a, b-0" },
        { "des (0,2,2)\n(0,\"\",1)\n(0, \"\\\", 1)\n", &strict, "0/2 0--1 0-\\-1" },
        { "des (0,1,2)\n(0,\"\xc3\xa9\xe2\x82\xac\",1)\n", &strict,
          "0/2 0-\xc3\xa9\xe2\x82\xac-1" },
        { "des (0,2,2)\n(0,label_of_16bytes,1)\n(0,label_of_17_bytes,1)\n", &strict,
          "0/2 0-label_of_16bytes-1 0-label_of_17_bytes-1" },
        /* the same first eight bytes and the same last eight */
        { "des (0,3,2)\n(0,abab,1)\n(0,ababababab,1)\n(0,abababababab,1)\n", &strict,
          "0/2 0-abab-1 0-ababababab-1 0-abababababab-1" },
        /* the hidden label */
        { "des (0,4,2)\n(0,i,1)\n(0,\"i\",1)\n(0,tau,1)\n(0,I,1)\n", &strict,
          "0/2 0-i-1 0-i-1 0-tau-1 0-I-1" },
        { "des (0,5,2)\n(0,tau,1)\n(0,\"i\",1)\n(0,\"tau\",1)\n(0,TAU,1)\n(1,silent,0)\n",
          &hiding, "0/2 0-i-1 0-i-1 0-i-1 0-TAU-1 1-i-0" },
        /* counts: unreachable and unused states are legal, others need --lenient */
        { "des (0,1,9)\n(0,a,1)\n", &strict, "0/9 0-a-1" },
        { "des (0,?,?)          \n(0,a,4)\n", &lenient, "0/5 0-a-4" },
        { "des (7,?,2)\n(0,a,1)\n", &lenient, "7/8 0-a-1" },
        { "des (0,99,3)\n(0,a,1)\n", &lenient, "0/3 0-a-1" },
        { "des (0,0,1)\n(0,a,1)\n(5,a,1)\n", &lenient, "0/6 0-a-1 5-a-1" },
        { "des (0,0,0)\n", &lenient, "0/1" },
        { "des (000, 0001, 02)\n(00,a,01)\n", &strict, "0/2 0-a-1" },
        { "\xef\xbb\xbf"
          "des (0,1,2)\r\n(0,a,1)\r\n",
          &strict, "0/2 0-a-1" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) check_dialect(&rows[i]);
}

static void tau_is_hidden_only_where_asked(void)
{
    static const char text[] = "des (0,2,2)\n(0,tau,1)\n(1,silent,0)\n";
    packed_file f = packed_file_open();
    packed_file_set(&f, text, strlen(text));
    for (int asked = 0; asked < 2; asked++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g;
        aut_way_read(&g, &m, f.path, &(aut_way){ .threads = 2 },
                     asked ? &hiding : &strict, &e);
        CU_ASSERT_EQUAL(label_table_hidden(g.labels), asked ? 0 : LABEL_NONE);
        CU_ASSERT_EQUAL(label_table_count(g.labels), asked ? 1 : 2);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    packed_file_close(&f);
}

/* Whichever thread meets the name, and wherever. */
static void the_table_knows_which_hidden_names_occur(void)
{
    static const char *const texts[] = {
        "des (0,3,2)\n(0,silent,1)\n(0,i,1)\n(1,a,0)\n",
        "des (0,3,2)\n(0,a,1)\n(0,i,1)\n(1,silent,0)\n"
    };
    packed_file f = packed_file_open();
    for (unsigned i = 0; i < COUNT_OF(texts) * AUT_WAYS / 4; i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g;
        aut_way way = aut_way_of(i / COUNT_OF(texts)); /* the plain ones */
        const char *text = texts[i % COUNT_OF(texts)];
        packed_file_set(&f, text, strlen(text));
        CU_ASSERT_EQUAL(aut_way_read(&g, &m, f.path, &way, &hiding, &e), 0);
        CU_ASSERT_FALSE(label_table_met(g.labels, "tau"));
        CU_ASSERT_TRUE(label_table_met(g.labels, "silent"));
        CU_ASSERT_EQUAL(label_table_count(g.labels), 2);
        lts_close(&g);
    }
    packed_file_close(&f);
}

/* A label of `length` characters between two usual ones. */
static void check_long_label(size_t length, bool quoted)
{
    naive_lts n;
    char *label = malloc(length + 1), *text = NULL;
    size_t bytes;
    for (size_t i = 0; i < length; i++) label[i] = (char)('a' + i % 26);
    label[length] = '\0';
    FILE *f = open_memstream(&text, &bytes);
    fprintf(f, "des (0, 3, 3)\n(0, a, 1)\n(1, %s%s%s, 2)\n(2, \"b\", 0)\n",
            quoted ? "\"" : "", label, quoted ? "\"" : "");
    fclose(f);
    CU_ASSERT_EQUAL_FATAL(naive_aut_read(&n, text, bytes, &strict), 0);
    CU_ASSERT_EQUAL(n.labels[1].bytes, length);
    CU_ASSERT(aut_ways_same(text, bytes, &strict, &n, NULL));
    naive_close(&n);
    free(label);
    free(text);
}

static void labels_have_any_length(void)
{
    static const size_t lengths[] = { 7, 8, 9, 15, 16, 17, 200, 5000, 70000 };
    for (size_t i = 0; i < COUNT_OF(lengths); i++) check_long_label(lengths[i], i % 2);
}

static void a_label_of_a_million_characters(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g;
    enum { LENGTH = 1000000 };
    size_t bytes = LENGTH + 100, length;
    char *text = malloc(bytes);
    int head = snprintf(text, bytes, "des (0,2,2)\n(1,b,0)\n(0,\"");
    memset(text + head, 'x', LENGTH);
    bytes = (size_t)head + LENGTH;
    memcpy(text + bytes, "\",1)\n", 5);
    packed_file f = packed_file_open();
    packed_file_set(&f, text, bytes + 5);
    for (int threads = 1; threads <= 3; threads++) {
        aut_way w = { .threads = threads, .block_bytes = threads == 2 ? 4000 : 0 };
        CU_ASSERT_EQUAL(aut_way_read(&g, &m, f.path, &w, &strict, &e), 0);
        label_table_text(g.labels, 1, &length);
        CU_ASSERT_EQUAL(length, LENGTH);
        lts_close(&g);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    packed_file_close(&f);
    free(text);
}

static void blank_lines_before_the_header_may_fill_blocks(void)
{
    naive_lts n;
    enum { BLANK = 300000 };
    static char text[BLANK + 32];
    memset(text, '\n', BLANK);
    for (size_t i = 0; i < BLANK; i += 100) memcpy(text + i, " \t\r\f\v", 5);
    strcpy(text + BLANK, "des (0,1,2)\n(0,a,1)\n");
    CU_ASSERT_EQUAL_FATAL(naive_aut_read(&n, text, strlen(text), &strict), 0);
    CU_ASSERT(aut_ways_same(text, strlen(text), &strict, &n, NULL));
    naive_close(&n);
    strcpy(text + BLANK, "dis (0,1,2)\n(0,a,1)\n");
    char expected[64];
    size_t line = naive_aut_read(&n, text, strlen(text), &strict);
    snprintf(expected, sizeof expected, ":%zu:1: expected 'des (initial", line);
    CU_ASSERT(aut_ways_same(text, strlen(text), &strict, NULL, expected));
}

/* ---- what is refused --------------------------------------------------------------------- */

static void every_mistake_is_named_with_its_place(void)
{
    static const struct {
        const char *text;
        const naive_rules *rules;
        const char *wrong;
    } rows[] = {
        { "", &strict, ":1:1: the file is empty; expected 'des ('" },
        { "\n \n", &strict, ":1:1: the file is empty; expected 'des ('" },
        { "hello\n", &strict,
          ":1:1: expected 'des (initial, transitions, states)', found " },
        { "(0,a,1)\n", &strict, ":1:1: expected 'des (initial" },
        { "\n\n  dex (0,1,2)\n", &strict, ":3:3: expected 'des (initial" },
        { "des (0,1\n", &strict, ":1:9: expected ',' after the number of transitions" },
        { "des (0,1,2)x\n", &strict, ":1:12: expected the end of the line, found 'x'" },
        { "des (0,?,2)\n(0,a,1)\n", &strict, ":1:8: the number of transitions is '?'" },
        { "des (0,1,?)\n(0,a,1)\n", &strict, ":1:10: the number of states is '?'" },
        { "des (0,0,0)\n", &strict, ":1:10: 0 states; expected 1 to 4294967294" },
        { "des (0,0,4294967295)\n", &strict, ":1:10: 4294967295 states; expected 1 to" },
        { "des (0,0,99999999999999999999)\n", &lenient,
          ":1:10: 18446744073709551615 st" },
        { "des (2,0,2)\n", &strict, ":1:6: the initial state is 2; expected less than" },
        { "des (4294967294,0,2)\n", &lenient, ":1:6: the initial state is 4294967294" },
        { "des (0,1,2)\n(0,a,2)\n", &strict,
          ":2:6: state 2, but the header says 2 states; expected 0 to 1" },
        { "des (0,1,2)\n(0, a, 1)\n ( 3, a, 9)\n", &strict,
          ":3:4: state 3, but the head" },
        { "des (0,1,2)\n(0,a,4294967296)\n", &strict, ":2:6: state 4294967296, but" },
        { "des (0,1,2)\n(0,a,4294967294)\n", &lenient,
          ":2:6: state 4294967294; expected at most 4294967293 (2^32 - 2 states)" },
        { "des (0,1,2)\n(0,a,1)\n(1,b,0)\n", &strict,
          ":1:8: the header says 1 transitions, but the file has 2; expected equal" },
        { "des (0,3,2)\n(0,a,1)\n(1,b,0)\n", &strict,
          ":1:8: the header says 3 transitions, but the file has 2; expected equal" },
        { "\n\ndes (0,1000000000000000000,2)\n(0,a,1)\n", &strict,
          ":3:8: the header says 1000000000000000000 transitions, but the file has 1" },
        { "des (0,1,2)\n(0,\"a\tb\",1)\n", &strict,
          ":2:6: byte 0x09 in a label; expected printable characters" },
        { "des (0,2,2)\n(0,a,1)\n(0,ab\x7f,1)\n", &strict, ":3:6: byte 0x7f in a label" },
        { "des (0,1,2)\n(0,\"\x01 and then a label of more than 16 bytes\",1)\n", &strict,
          ":2:5: byte 0x01 in a label" },
        { "des (0,1,2)\n(0,a,1\n", &strict,
          ":2:7: expected ')', found the end of the li" },
        { "des (0,1,2)\n(0,a,1", &strict,
          ":2:7: expected ')', found the end of the line" },
        { "des (0,1,2)\n(0,\"a,1)\n", &strict, ":2:4: a label that begins with a quote" },
        { "des (0,1,2)\n\n\r\n(0 a,1)\n", &strict,
          ":4:4: expected ',' after the source" },
        { "des (0,1,2)\n(0,a,1 1/2)\n", &strict, ":2:8: expected ')' (probabilistic" },
        { "des (0,1,2)\n(0,a,1)\ndes (0,1,2)\n", &strict,
          ":3:1: expected '(' and a tran" },
        { "des (0,1,2)\n(0,a,1)\n\x04garbage\n", &strict,
          ":3:1: expected '(' and a tran" },
        /* the first of several */
        { "des (0,3,2)\n(0,a,1)\n(0,a,5)\n(0,,1)\n(x\n", &strict, ":3:6: state 5, but" },
        { "des (0,9,2)\n(0,a,1)\n(0,a,)\n(0,a,5)\n", &strict, ":3:6: expected a target" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        size_t bytes = strlen(rows[i].text);
        naive_lts n;
        size_t line = naive_aut_read(&n, rows[i].text, bytes, rows[i].rules);
        CU_ASSERT_EQUAL(line, strtoul(rows[i].wrong + 1, NULL, 10));
        CU_ASSERT(aut_ways_same(rows[i].text, bytes, rows[i].rules, NULL, rows[i].wrong));
    }
}

static void a_byte_zero_is_a_byte_like_others(void)
{
    static const char in_line[] = "des (0,1,2)\n\0\n(0,a,1)\n";
    static const char in_label[] = "des (0,1,2)\n(0,\"a\0b\",1)\n";
    static const char in_header[] = "\0des (0,1,2)\n(0,a,1)\n";
    CU_ASSERT(aut_ways_same(in_line, sizeof in_line - 1, &strict, NULL,
                            ":2:1: expected '(' and a transition, found byte 0x00"));
    CU_ASSERT(aut_ways_same(in_label, sizeof in_label - 1, &strict, NULL,
                            ":2:6: byte 0x00 in a label"));
    CU_ASSERT(
        aut_ways_same(in_header, sizeof in_header - 1, &strict, NULL,
                      ":1:1: expected 'des (initial, transitions, states)', found"));
}

static void lenient_warns_about_counts(void)
{
    static const char text[] = "des (0, 5, 1)\n(0,a,1)\n";
    mem m = MEM_INIT;
    err e = ERR_INIT;
    lts g;
    log_sink log = LOG_INIT;
    static capture c;
    packed_file f = packed_file_open();
    packed_file_set(&f, text, strlen(text));
    load_options o = { .m = &m, .lenient = true, .threads = 1, .log = &log };
    capture_begin(&c);
    int code = aut_read(&g, f.path, &o, &e);
    const char *said = capture_end(&c);
    CU_ASSERT_EQUAL(code, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, ":1:9: the header says 5 transitions, but the "
                                        "file has 1\n"));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, ":1:12: the header says 1 states, but the file "
                                        "has 2\n"));
    lts_close(&g);
    packed_file_close(&f);
}

static void what_cannot_be_opened_is_named(void)
{
    static const struct {
        const char *path, *words;
        int code;
    } rows[] = {
        { "/nonexistent/x.aut", "/nonexistent/x.aut: cannot be opened", ERR_INPUT },
        { "/", "/: is a directory", ERR_INPUT },
        { "/proc/self/mem", "/proc/self/mem: reading failed", ERR_SYSTEM },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g;
        int code =
            aut_way_read(&g, &m, rows[i].path, &(aut_way){ .threads = 1 }, &strict, &e);
        CU_ASSERT_EQUAL(code, rows[i].code);
        CU_ASSERT_EQUAL(strncmp(e.text, rows[i].words, strlen(rows[i].words)), 0);
        CU_ASSERT_EQUAL(m.now, 0);
        CU_ASSERT_PTR_NULL(g.first);
    }
}

CU_TestInfo test_aut_read[] = {
    { "every dialect gives the same LTS", every_dialect_gives_the_same_lts },
    { "tau is hidden only where asked", tau_is_hidden_only_where_asked },
    { "the table knows which hidden names occur",
      the_table_knows_which_hidden_names_occur },
    { "labels have any length", labels_have_any_length },
    { "a label of a million characters", a_label_of_a_million_characters },
    { "blank lines before the header may fill blocks",
      blank_lines_before_the_header_may_fill_blocks },
    { "every mistake is named with its place", every_mistake_is_named_with_its_place },
    { "a byte zero is a byte like others", a_byte_zero_is_a_byte_like_others },
    { "--lenient warns about counts", lenient_warns_about_counts },
    { "what cannot be opened is named", what_cannot_be_opened_is_named },
    CU_TEST_INFO_NULL
};
