#include "lang/aut_line.h"

#include "core/ids.h"
#include "core/random.h"
#include "lang/aut_quick.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

/* ---- transitions ----------------------------------------------------------------------- */

static void every_dialect_is_read(void)
{
    static const struct {
        const char *line;
        uint64_t from, to;
        const char *label;
    } rows[] = {
        { "(0,a,1)", 0, 1, "a" },
        { "(0, a, 1)", 0, 1, "a" },
        { "(0,\"a\",1)", 0, 1, "a" },
        { "(0, \"a\", 1)", 0, 1, "a" },
        { "(0, \"a b\", 1)\r", 0, 1, "a b" },
        { " ( 12 , \"a\" , 345 ) ", 12, 345, "a" },
        { "\t(\t0\t,\ta\t,\t1\t)\t", 0, 1, "a" },
        { "(0,a,1)\f\v", 0, 1, "a" },
        { "(0,i,1)", 0, 1, "i" },
        { "(0,\"i\",1)", 0, 1, "i" },
        { "(0,*,1)", 0, 1, "*" },
        { "(0, \"SEND !1 !\"x\"\", 1)", 0, 1, "SEND !1 !\"x\"" },
        { "(0, \"\"\", 1)", 0, 1, "\"" },
        { "(0, \"\"a\"\", 1)", 0, 1, "\"a\"" },
        { "(0, \"a, b, c\", 1)", 0, 1, "a, b, c" },
        { "(0, \"a, 1)\", 2)", 0, 2, "a, 1)" },
        { "(0, a b, 1)", 0, 1, "a b" }, /* mCRL2 and LTSmin write such */
        { "(0, a(1,2), 1)", 0, 1, "a(1,2)" },
        { "(0, a\"b, 1)", 0, 1, "a\"b" },
        { "(0, a|b, 1)", 0, 1, "a|b" },
        { "(0, \" a \", 1)", 0, 1, " a " }, /* blanks inside the quotes count */
        { "(0, \"\", 1)", 0, 1, "" },
        { "(0, \"\\\", 1)", 0, 1, "\\" }, /* there is no escape */
        { "(0, \"\\\"\", 1)", 0, 1, "\\\"" },
        { "(007, a, 0001)", 7, 1, "a" },
        { "(99999999,a,99999999)", 99999999, 99999999, "a" },
        { "(4294967293,a,4294967294)", 4294967293, 4294967294, "a" },
        { "(123456789012,a,18446744073709551615)", 123456789012, UINT64_MAX, "a" },
        { "(18446744073709551616,a,1)", UINT64_MAX, 1, "a" },
        { "(99999999999999999999999999999999,a,1)", UINT64_MAX, 1, "a" },
        { "(0, \"\xc3\xa9t\xc3\xa9\", 1)", 0, 1, "\xc3\xa9t\xc3\xa9" },
        { "(0,a,b,1)", 0, 1, "a,b" },
        { "(0,,,1)", 0, 1, "," },
        { "(0,a,1)(1,b,2)", 0, 2, "a,1)(1,b" },
        { "(0,),1)", 0, 1, ")" },
        { "(0,\"a\"b,\"c\",1)", 0, 1, "a\"b,\"c" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        aut_line l = { 0 };
        err e = ERR_INIT;
        const char *line = rows[i].line, *wrong_at = NULL;
        aut_line_kind kind = aut_line_read(&l, line, strlen(line), &wrong_at, &e);
        bool fine = kind == AUT_LINE_TRANSITION && l.from == rows[i].from &&
                    l.to == rows[i].to && l.label_bytes == strlen(rows[i].label) &&
                    memcmp(l.label, rows[i].label, l.label_bytes) == 0 &&
                    *l.from_at >= '0' && *l.from_at <= '9' && *l.to_at >= '0' &&
                    *l.to_at <= '9';
        if (!fine) printf("\n  %s: %s", line, e.text);
        CU_ASSERT(fine);
        CU_ASSERT_EQUAL(e.code, ERR_NONE);
    }
}

static void every_mistake_is_named_with_its_column(void)
{
    static const struct {
        const char *line;
        size_t column; /* from 1 */
        const char *message;
    } rows[] = {
        { "x", 1, "expected '(' and a transition, found 'x'" },
        { "  x y", 3, "expected '(' and a transition, found 'x y'" },
        { "0,a,1)", 1, "expected '(' and a transition, found '0,a,1)'" },
        { "(a,b,1)", 2, "expected a source state, found 'a,b,1)'" },
        { "(-1,b,1)", 2, "expected a source state, found '-1,b,1)'" },
        { "(,b,1)", 2, "expected a source state, found ',b,1)'" },
        { "(", 2, "expected a source state, found the end of the line" },
        { "(0", 3, "expected ',' after the source state, found the end of the line" },
        { "(0 b,1)", 4, "expected ',' after the source state, found 'b,1)'" },
        { "(0x1,b,1)", 3, "expected ',' after the source state, found 'x1,b,1)'" },
        { "(0,", 4, "expected ',' and a target state after the label, found the end of" },
        { "(0,a", 5,
          "expected ',' and a target state after the label, found the end of" },
        { "(0,a)", 6, "expected ',' and a target state after the label, found the end" },
        { "(0,,1)", 4, "expected a label, found ',1)'" },
        { "(0,  ,1)", 6, "expected a label, found ',1)'" },
        { "(0,\",1)", 4, "a label that begins with a quote; expected another '\"'" },
        { "(0,\"a,1)", 4, "a label that begins with a quote; expected another '\"'" },
        { "(0,\"a\"b,1)", 4, "a label that begins with a quote; expected another '\"'" },
        { "(0,\"a,1\")", 4, "a label that begins with a quote; expected another '\"'" },
        { "(0,a,b)", 6, "expected a target state, found 'b)'" },
        { "(0,a,)", 6, "expected a target state, found ')'" },
        { "(0,a, ", 7, "expected a target state, found the end of the line" },
        { "(0,a,-1)", 6, "expected a target state, found '-1)'" },
        { "(0,a,1", 7, "expected ')', found the end of the line" },
        { "(0,a,1]", 7, "expected ')', found ']'" },
        { "(0,a,1)x", 8, "expected the end of the line, found 'x'" },
        { "(0,a,1) ;", 9, "expected the end of the line, found ';'" },
        { "(0,a,1 2/3 2 1/3)", 8,
          "expected ')' (probabilistic targets are not supported)" },
        { "(0,a,1/2)", 7, "expected ')' (probabilistic targets are not supported)" },
        { "(0,a,1\x01)", 7, "expected ')', found byte 0x01" },
        { "\x80", 1, "expected '(' and a transition, found byte 0x80" },
        { "\x04 (0,a,1)", 1, "expected '(' and a transition, found byte 0x04" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        aut_line l;
        err e = ERR_INIT;
        const char *line = rows[i].line, *wrong_at = NULL;
        aut_line_kind kind = aut_line_read(&l, line, strlen(line), &wrong_at, &e);
        size_t column = wrong_at ? (size_t)(wrong_at - line) + 1 : 0;
        bool fine = kind == AUT_LINE_WRONG && e.code == ERR_INPUT &&
                    column == rows[i].column &&
                    strncmp(e.text, rows[i].message, strlen(rows[i].message)) == 0;
        if (!fine) printf("\n  %s: column %zu: %s", line, column, e.text);
        CU_ASSERT(fine);
    }
}

static void blank_lines_and_the_end_byte_say_nothing(void)
{
    static const char *const rows[] = {
        "", " ", "\t", "\r", " \t\f\v\r", "\x04", "  \x04"
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        aut_line l;
        err e = ERR_INIT;
        const char *wrong_at = NULL;
        CU_ASSERT_EQUAL(aut_line_read(&l, rows[i], strlen(rows[i]), &wrong_at, &e),
                        AUT_LINE_BLANK);
        CU_ASSERT_EQUAL(e.code, ERR_NONE);
    }
}

/* ---- headers ---------------------------------------------------------------------------- */

static void every_header_is_read(void)
{
    static const struct {
        const char *line;
        uint64_t initial, transitions, states;
        bool transitions_known, states_known;
    } rows[] = {
        { "des (0, 2, 3)", 0, 2, 3, true, true },
        { "des(0,2,3)", 0, 2, 3, true, true },
        { "des (0,2,3)\r", 0, 2, 3, true, true },
        { "\tdes\t(\t1\t,\t22\t,\t333\t)\t", 1, 22, 333, true, true },
        { "des (0, 2, 3)                 ", 0, 2, 3, true, true },
        { "des (0, ?, ?)                 ", 0, 0, 0, false, false },
        { "des(0,?,3)", 0, 0, 3, false, true },
        { "des(0, 7 , ? )", 0, 7, 0, true, false },
        { "des (0, 1000000000000000000, 4294967294)", 0, 1000000000000000000, 4294967294,
          true, true },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        aut_header h;
        err e = ERR_INIT;
        const char *line = rows[i].line, *wrong_at = NULL;
        CU_ASSERT_EQUAL(aut_header_read(&h, line, strlen(line), &wrong_at, &e), 0);
        CU_ASSERT_EQUAL(h.initial, rows[i].initial);
        CU_ASSERT_EQUAL(h.transitions, rows[i].transitions);
        CU_ASSERT_EQUAL(h.states, rows[i].states);
        CU_ASSERT_EQUAL(h.transitions_known, rows[i].transitions_known);
        CU_ASSERT_EQUAL(h.states_known, rows[i].states_known);
        CU_ASSERT_EQUAL(*h.states_at == '?', !h.states_known);
    }
}

static void every_mistake_in_a_header_is_named_with_its_column(void)
{
    static const struct {
        const char *line;
        size_t column;
        const char *message;
    } rows[] = {
        { "", 1, "expected 'des (initial, transitions, states)', found the end of" },
        { "de (0,1,2)", 1,
          "expected 'des (initial, transitions, states)', found 'de (0" },
        { "DES (0,1,2)", 1, "expected 'des (initial" },
        { "(0,a,1)", 1, "expected 'des (initial" },
        { "des 0,1,2)", 5, "expected '(' after 'des', found '0,1,2)'" },
        { "des", 4, "expected '(' after 'des', found the end of the line" },
        { "des (?,1,2)", 6, "expected the initial state, found '?,1,2)'" },
        { "des (0 1,2)", 8, "expected ',' after the initial state, found '1,2)'" },
        { "des (0,x,2)", 8, "expected the number of transitions, found 'x,2)'" },
        { "des (0,1)", 9, "expected ',' after the number of transitions, found ')'" },
        { "des (0,1,-2)", 10, "expected the number of states, found '-2)'" },
        { "des (0,1,2", 11, "expected ')' after the number of states, found the end" },
        { "des (0,1,2,3)", 11, "expected ')' after the number of states, found ',3)'" },
        { "des (0,1,2) x", 13, "expected the end of the line, found 'x'" },
        { "des (0 1/2 1 1/2,1,2)", 8, "expected ',' after the initial state" },
        { "des (0,1,2)(0,a,1)", 12, "expected the end of the line" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        aut_header h;
        err e = ERR_INIT;
        const char *line = rows[i].line, *wrong_at = NULL;
        int code = aut_header_read(&h, line, strlen(line), &wrong_at, &e);
        size_t column = wrong_at ? (size_t)(wrong_at - line) + 1 : 0;
        bool fine = code == ERR_INPUT && column == rows[i].column &&
                    strncmp(e.text, rows[i].message, strlen(rows[i].message)) == 0;
        if (!fine) printf("\n  %s: column %zu: %s", line, column, e.text);
        CU_ASSERT(fine);
    }
}

static void a_label_is_printable(void)
{
    static const struct {
        const char *label;
        int wrong; /* index, -1 = none */
    } rows[] = { { "", -1 },    { "a b!\"~", -1 }, { "\xc3\xa9\xff", -1 },
                 { "a\tb", 1 }, { "\x7f", 0 },     { "ab\x1f", 2 },
                 { "a\rb", 1 }, { "\x01\x02", 0 } };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *at = aut_label_wrong_byte(rows[i].label, strlen(rows[i].label));
        CU_ASSERT_EQUAL(at ? at - rows[i].label : -1, rows[i].wrong);
    }
    CU_ASSERT_PTR_NOT_NULL(aut_label_wrong_byte("a\0b", 3));
}

/* ---- the two readers ----------------------------------------------------------------------- */

enum { PAD = 64, LINE_MAX_BYTES = 200 };

/* A line between pads of its own, as the quick reader wants it. */
typedef struct padded {
    char bytes[PAD + LINE_MAX_BYTES + PAD];
    size_t length; /* without the newline */
} padded;

static char *line_of(padded *p) { return p->bytes + PAD; }

static size_t append(padded *p, const char *text)
{
    size_t bytes = strlen(text);
    if (p->length + bytes > LINE_MAX_BYTES - 1) return 0;
    memcpy(line_of(p) + p->length, text, bytes);
    return p->length += bytes;
}

static const char *one_of(random_stream *r, const char *const *from, size_t count)
{
    return from[random_below(r, count)];
}
#define ONE_OF(r, ...)                                \
    one_of((r), (const char *const[]){ __VA_ARGS__ }, \
           COUNT_OF(((const char *const[]){ __VA_ARGS__ })))

static void append_number(padded *p, random_stream *r)
{
    uint64_t digits = random_below(r, 12), bound = 1;
    for (uint64_t i = 0; i < digits; i++) bound *= 10;
    char text[32];
    snprintf(text, sizeof text, "%s%llu", ONE_OF(r, "", "", "", "", "0", "000000", "-"),
             (unsigned long long)(random_next(r) % bound));
    append(p, text);
}

static void append_label(padded *p, random_stream *r)
{
    append(p, ONE_OF(r, "a", "\"a\"", "\"SEND !1\"", "i", "\"", "\"\"", "", " ", "a,b",
                     "\"a, 1)\"", "\xc3\xa9", "\"\xff\"", "a\"", "\"a", "9", ",", ")",
                     "\"quite_a_long_label_of_more_than_sixteen\"",
                     "\xff"
                     "9",
                     "\t", "a\r", "(1,b,2)"));
}

/* A transition as programs write them. */
static void make_usual(padded *p, random_stream *r)
{
    char text[64];
    snprintf(text, sizeof text, "(%u,%s%s,%s%u)%s", (unsigned)random_below(r, 100000000),
             ONE_OF(r, "", " "), ONE_OF(r, "a", "\"A !1\"", "i", "\"x, \"y\"\""),
             ONE_OF(r, "", " "), (unsigned)random_below(r, 100000000),
             ONE_OF(r, "", "\r"));
    append(p, text);
}

/* One in every dialect and with small mistakes. */
static void make_odd(padded *p, random_stream *r)
{
    append(p, ONE_OF(r, "", "", "", "", "", " ", "\t", "x"));
    append(p, ONE_OF(r, "(", "(", "(", "(", "(", "( ", ""));
    append_number(p, r);
    append(p, ONE_OF(r, ",", ", ", ", ", ",", " ,", ",  ", "", ",,"));
    append_label(p, r);
    append(p, ONE_OF(r, ",", ", ", ", ", ",", " ,", ",  ", "", ",,", "\t,"));
    append_number(p, r);
    append(p, ONE_OF(r, ")", ")", ")", ")", " )", ")) ", "", ") "));
    append(p, ONE_OF(r, "", "", "", "", "\r", "\r\r", " ", "\x04"));
}

static void make_line(padded *p, random_stream *r)
{
    memset(p->bytes, ONE_OF(r, "9", "\n", ",", ")")[0], sizeof p->bytes);
    p->length = 0;
    if (random_below(r, 2)) make_usual(p, r);
    else make_odd(p, r);
}

static void mutate(padded *p, random_stream *r)
{
    static const char bytes[] = "(),\"\" \r\t0123456789ai\xff\x8a/:\x04";
    for (uint64_t n = random_below(r, 3); n > 0 && p->length > 0; n--) {
        char *line = line_of(p), byte = bytes[random_below(r, sizeof bytes - 1)];
        size_t at = (size_t)random_below(r, p->length);
        switch (random_below(r, 3)) {
        case 0:
            line[at] = byte;
            break;
        case 1:
            memmove(line + at, line + at + 1, --p->length - at);
            break;
        default:
            if (p->length >= LINE_MAX_BYTES - 1) break;
            memmove(line + at + 1, line + at, p->length++ - at);
            line[at] = byte;
        }
    }
    line_of(p)[p->length] = '\n';
}

/* The quick reader gives up, or reads what the thorough one reads. */
static bool agree(padded *p, uint64_t *taken)
{
    aut_line quick = { 0 }, thorough = { 0 };
    const char *line = line_of(p), *wrong_at = NULL;
    err e = ERR_INIT;
    const char *next = aut_quick_read(&quick, line);
    if (next == NULL) return true;
    ++*taken;
    return aut_line_read(&thorough, line, p->length, &wrong_at, &e) ==
               AUT_LINE_TRANSITION &&
           next == line + p->length + 1 && quick.from == thorough.from &&
           quick.to == thorough.to && quick.label == thorough.label &&
           quick.label_bytes == thorough.label_bytes &&
           quick.from_at == thorough.from_at && quick.to_at == thorough.to_at;
}

static void the_quick_reader_agrees_with_the_thorough_one(void)
{
    enum { LINES = 400000 };
    random_stream r = random_open(20, 0);
    uint64_t taken = 0, wrong = 0;
    for (int i = 0; i < LINES; i++) {
        padded p;
        make_line(&p, &r);
        mutate(&p, &r);
        if (agree(&p, &taken)) continue;
        if (wrong++ < 5) printf("\n  %.*s", (int)p.length, line_of(&p));
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(taken > LINES / 5); /* it does not give up on everything */
}

static void the_quick_reader_takes_what_programs_write(void)
{
    static const char *const rows[] = {
        "(0,\"a\",1)",
        "(0, \"a\", 1)",
        "(0, a, 1)",
        "(0,a,1)\r",
        "(12345678,i,12345678)",
        "(1, \"a, b\", 2)",
        "(1,\"SEND !\"x\"\",2)",
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        padded p = { .length = 0 };
        uint64_t taken = 0;
        append(&p, rows[i]);
        line_of(&p)[p.length] = '\n';
        CU_ASSERT(agree(&p, &taken));
        CU_ASSERT_EQUAL(taken, 1);
    }
}

CU_TestInfo test_aut_line[] = { { "every dialect is read", every_dialect_is_read },
                                { "every mistake is named with its column",
                                  every_mistake_is_named_with_its_column },
                                { "blank lines and the end byte say nothing",
                                  blank_lines_and_the_end_byte_say_nothing },
                                { "every header is read", every_header_is_read },
                                { "every mistake in a header is named with its column",
                                  every_mistake_in_a_header_is_named_with_its_column },
                                { "a label is printable", a_label_is_printable },
                                { "the quick reader agrees with the thorough one",
                                  the_quick_reader_agrees_with_the_thorough_one },
                                { "the quick reader takes what programs write",
                                  the_quick_reader_takes_what_programs_write },
                                CU_TEST_INFO_NULL };
