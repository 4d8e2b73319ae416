#include "core/ids.h"
#include "core/suggest.h"
#include "tools/options.h"
#include "tools/report.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

enum { WORDS_MAX = 12 };

static const option_spec load_specs[] = {
    { "hidden", 0, OPTION_LIST, "NAME", 0, 0, "a list" },
    { "output", 'o', OPTION_STRING, "FILE", 0, 0, "a string" },
    { "threads", 't', OPTION_UNSIGNED, "N", 1, 64, "a number in a range" },
    { "seed", 0, OPTION_UNSIGNED, "N", 0, 0, "any number" },
    { 0 },
};
static const option_spec other_specs[] = {
    { "scale", 0, OPTION_REAL, "F", 0, 1, "above 0, at most 1" },
    { "share", 0, OPTION_SHARE, "F", 0, 0, "0 to 1" },
    { "limit", 0, OPTION_SIZE, "SIZE", 0, 0, "bytes" },
    { "timeout", 0, OPTION_SECONDS, "S", 0, 0, "seconds" },
    { "progress", 0, OPTION_SWITCH, NULL, 0, 0, "a switch" },
    { "quiet", 'q', OPTION_FLAG, NULL, 0, 0, "a flag" },
    { "query", 0, OPTION_FLAG, NULL, 0, 0, "begins like quiet" },
    { 0 },
};
static const option_group load_group = { "Loading", load_specs };
static const option_group other_group = { "Other", other_specs };
static const option_group *const groups[] = { &load_group, &other_group, NULL };

/* One parsed command line; the words are copied because getopt reorders them. */
typedef struct line {
    mem m;
    arena a;
    err e;
    const options *o; /* NULL when parsing failed */
    char copy[512];
    char *argv[WORDS_MAX + 2];
} line;

/* Parse words divided by blanks, as the shell would hand them over; `l` is reset. */
static int parse_under(line *l, const char *words, size_t fail_at)
{
    *l = (line){ .m = { .fail_at = fail_at }, .e = ERR_INIT };
    l->a = ARENA_INIT(&l->m, 256);
    snprintf(l->copy, sizeof l->copy, "command %s", words);
    int argc = 0;
    for (char *w = strtok(l->copy, " "); w && argc <= WORDS_MAX; w = strtok(NULL, " "))
        l->argv[argc++] = w;
    return options_parse(&l->o, &l->a, groups, argc, l->argv, &l->e);
}

static int parse(line *l, const char *words) { return parse_under(l, words, 0); }

static void release(line *l)
{
    arena_release(&l->a);
    CU_ASSERT_EQUAL(l->m.now, 0);
}

static void options_and_operands_may_be_mixed(void)
{
    static const char *const forms[] = { "-q --output x a b", "a -q b --output=x",
                                         "a b -qo x", "a --out x b --qui", "-ox a b -q" };
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        line l;
        const char *const *operand;
        CU_ASSERT_EQUAL_FATAL(parse(&l, forms[i]), 0);
        CU_ASSERT_STRING_EQUAL(options_string(l.o, "output", "none"), "x");
        CU_ASSERT(options_given(l.o, "quiet"));
        CU_ASSERT_EQUAL_FATAL(options_operands(l.o, &operand), 2);
        CU_ASSERT_STRING_EQUAL(operand[0], "a");
        CU_ASSERT_STRING_EQUAL(operand[1], "b");
        release(&l);
    }
}

static void two_dashes_end_the_options(void)
{
    line l;
    const char *const *operand;
    CU_ASSERT_EQUAL_FATAL(parse(&l, "-q -- --output -t"), 0);
    CU_ASSERT_EQUAL_FATAL(options_operands(l.o, &operand), 2);
    CU_ASSERT_STRING_EQUAL(operand[0], "--output");
    CU_ASSERT_STRING_EQUAL(operand[1], "-t");
    release(&l);
}

static void what_is_not_given_is_otherwise(void)
{
    line l;
    const char *const *list;
    CU_ASSERT_EQUAL_FATAL(parse(&l, ""), 0);
    CU_ASSERT_FALSE(options_given(l.o, "quiet"));
    CU_ASSERT_EQUAL(options_switch(l.o, "progress"), -1);
    CU_ASSERT_STRING_EQUAL(options_string(l.o, "output", "none"), "none");
    CU_ASSERT_EQUAL(options_unsigned(l.o, "threads", 7), 7);
    CU_ASSERT_EQUAL(options_size(l.o, "limit", 9), 9);
    CU_ASSERT_EQUAL(options_real(l.o, "scale", 0.5), 0.5);
    CU_ASSERT_EQUAL(options_seconds(l.o, "timeout", 0), 0);
    CU_ASSERT_EQUAL(options_list(l.o, "hidden", &list), 0);
    CU_ASSERT(options_accepts(l.o, "scale"));
    CU_ASSERT_FALSE(options_accepts(l.o, "json"));
    release(&l);
}

static void the_last_one_counts_and_a_list_keeps_all(void)
{
    line l;
    const char *const *list;
    CU_ASSERT_EQUAL_FATAL(parse(&l, "--hidden a -t 3 x --hidden=b -t 4 --hidden a"), 0);
    CU_ASSERT_EQUAL(options_unsigned(l.o, "threads", 0), 4);
    CU_ASSERT_EQUAL_FATAL(options_list(l.o, "hidden", &list), 3);
    CU_ASSERT_STRING_EQUAL(list[0], "a");
    CU_ASSERT_STRING_EQUAL(list[1], "b");
    CU_ASSERT_STRING_EQUAL(list[2], "a");
    release(&l);
}

static void a_switch_goes_both_ways(void)
{
    static const struct {
        const char *words;
        int value;
    } cases[] = { { "--progress", 1 },
                  { "--no-progress", 0 },
                  { "--progress --no-progress", 0 },
                  { "--no-progress --progress", 1 } };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        line l;
        CU_ASSERT_EQUAL_FATAL(parse(&l, cases[i].words), 0);
        CU_ASSERT_EQUAL(options_switch(l.o, "progress"), cases[i].value);
        CU_ASSERT(options_given(l.o, "progress"));
        release(&l);
    }
}

static void numbers_are_read_exactly(void)
{
    line l;
    CU_ASSERT_EQUAL_FATAL(parse(&l, "--seed 18446744073709551615 -t 064"), 0);
    CU_ASSERT_EQUAL(options_unsigned(l.o, "seed", 0), UINT64_MAX);
    CU_ASSERT_EQUAL(options_unsigned(l.o, "threads", 0), 64); /* decimal, not octal */
    release(&l);
    CU_ASSERT_EQUAL_FATAL(parse(&l, "--seed 0 --scale 2.5e-1 --timeout .5 --share 0"), 0);
    CU_ASSERT_DOUBLE_EQUAL(options_share(l.o, "share", 1), 0, 0);
    CU_ASSERT_EQUAL(options_unsigned(l.o, "seed", 1), 0);
    CU_ASSERT_DOUBLE_EQUAL(options_real(l.o, "scale", 0), 0.25, 0);
    CU_ASSERT_DOUBLE_EQUAL(options_seconds(l.o, "timeout", 0), 0.5, 0);
    release(&l);
}

static void sizes_have_suffixes(void)
{
    static const struct {
        const char *words;
        uint64_t bytes;
    } cases[] = { { "--limit 1", 1 },
                  { "--limit 7B", 7 },
                  { "--limit 3K", 3 << 10 },
                  { "--limit 3k", 3 << 10 },
                  { "--limit 512M", 512 << 20 },
                  { "--limit 1.5G", UINT64_C(3) << 29 },
                  { "--limit 0.25K", 256 },
                  { "--limit 2GB", UINT64_C(2) << 30 },
                  { "--limit 2GiB", UINT64_C(2) << 30 },
                  { "--limit 1T", UINT64_C(1) << 40 },
                  { "--limit 16777215T", UINT64_C(16777215) << 40 } };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        line l;
        CU_ASSERT_EQUAL_FATAL(parse(&l, cases[i].words), 0);
        CU_ASSERT_EQUAL(options_size(l.o, "limit", 0), cases[i].bytes);
        release(&l);
    }
}

/* Every wrong line is refused with ERR_USAGE and a sentence that holds the text. */
static void wrong_lines_are_refused_with_a_sentence(void)
{
    static const struct {
        const char *words, *text;
    } cases[] = {
        { "--hiden x", "'--hiden'; did you mean --hidden?" },
        { "--hidden=x --outptu=y", "'--outptu'; did you mean --output?" },
        { "--progres --noprogress", "'--noprogress'; did you mean --no-progress?" },
        { "--zebra", "unknown option '--zebra'" },
        { "a b --qu", "'--qu' is ambiguous" },
        { "-x", "unknown option '-x'" },
        { "-qx", "unknown option '-x'" },
        { "-seed 3", "did you mean --seed?" },
        { "--quiet=yes", "'--quiet' takes no argument" },
        { "--no-progress=1", "'--no-progress' takes no argument" },
        { "a --output", "'--output' needs an argument: --output FILE" },
        { "-o", "'--output' needs an argument" },
        { "--threads 0", "--threads: 0 is out of range; expected 1 to 64" },
        { "--threads 65", "out of range; expected 1 to 64" },
        { "--threads 4x", "'4x' is not a whole number" },
        { "--threads -1", "-1 is negative" },
        { "--threads +1", "'+1' is not a whole number" },
        { "--threads 1.5", "'1.5' is not a whole number" },
        { "--threads=", "'' is not a whole number" },
        { "--seed 18446744073709551616", "expected 0 to 18446744073709551615" },
        { "--seed 0x10", "'0x10' is not a whole number" },
        { "--scale 0", "out of range; expected above 0, at most 1" },
        { "--scale 1.01", "out of range; expected above 0, at most 1" },
        { "--share -0.5", "-0.5 is negative" },
        { "--share 1.5", "1.5 is out of range; expected 0 to 1" },
        { "--share some", "'some' is not a number" },
        { "--scale -0.5", "-0.5 is negative" },
        { "--scale nan", "'nan' is not a number" },
        { "--scale 0x1p-2", "'0x1p-2' is not a number" },
        { "--scale 1e", "'1e' is not a number" },
        { "--scale=", "'' is not a number" },
        { "--timeout inf", "'inf' is not a number" },
        { "--timeout 1e999", "out of range" },
        { "--timeout 0", "out of range; expected above 0" },
        { "--timeout 5s", "'5s' is not a number" },
        { "--limit 0", "expected at least 1 byte" },
        { "--limit 1.5.G", "'1.5.G' is not a size" },
        { "--limit G", "'G' is not a size" },
        { "--limit 1GG", "'1GG' is not a size" },
        { "--limit 1P", "'1P' is not a size" },
        { "--limit .5G", "'.5G' is not a size" },
        { "--limit 1.", "'1.' is not a size" },
        { "--limit 0.01", "expected at least 1 byte" },
        { "--limit -1K", "-1K is negative" },
        { "--limit 16777216T", "more than any machine has" },
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        line l;
        int code = parse(&l, cases[i].words);
        bool told = code == ERR_USAGE && strstr(l.e.text, cases[i].text) != NULL;
        if (!told) printf("\n    '%s' gave %d: %s\n", cases[i].words, code, l.e.text);
        CU_ASSERT(told);
        release(&l);
    }
}

static void an_empty_or_odd_word_is_an_operand(void)
{
    char *argv[] = { "command", "", "-", "a b", NULL };
    mem m = MEM_INIT;
    arena a = ARENA_INIT(&m, 256);
    err e = ERR_INIT;
    const options *o;
    const char *const *operand;
    CU_ASSERT_EQUAL_FATAL(options_parse(&o, &a, groups, 4, argv, &e), 0);
    CU_ASSERT_EQUAL_FATAL(options_operands(o, &operand), 3);
    CU_ASSERT_STRING_EQUAL(operand[0], "");
    CU_ASSERT_STRING_EQUAL(operand[1], "-");
    arena_release(&a);
}

static void an_endless_unknown_option_is_cut(void)
{
    char word[5000];
    memset(word, '-', 2);
    memset(word + 2, 'x', sizeof word - 3);
    word[sizeof word - 1] = '\0';
    char *argv[] = { "command", word, NULL };
    mem m = MEM_INIT;
    arena a = ARENA_INIT(&m, 256);
    err e = ERR_INIT;
    const options *o;
    CU_ASSERT_EQUAL(options_parse(&o, &a, groups, 2, argv, &e), ERR_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "unknown option '--xxx"));
    arena_release(&a);
}

static void a_refused_allocation_is_told(void)
{
    size_t n = 1;
    for (;; n++) {
        line l;
        int code = parse_under(&l, "--hidden a -t 3 --no-progress x", n);
        release(&l);
        if (code == 0) break;
        CU_ASSERT_EQUAL_FATAL(code, ERR_LIMIT);
    }
    CU_ASSERT(n > 1);
}

static void distances_count_slips(void)
{
    static const struct {
        const char *a, *b;
        size_t distance;
    } cases[] = { { "", "", 0 },         { "info", "info", 0 },
                  { "", "abc", 3 },      { "abc", "", 3 },
                  { "inof", "info", 1 }, { "ifno", "info", 1 },
                  { "inf", "info", 1 },  { "infoo", "info", 1 },
                  { "imfo", "info", 1 }, { "kitten", "sitting", 3 } };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        CU_ASSERT_EQUAL(suggest_distance(cases[i].a, cases[i].b), cases[i].distance);
        CU_ASSERT_EQUAL(suggest_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
}

static void only_what_is_near_is_suggested(void)
{
    static const struct {
        const char *wrong, *best;
    } cases[] = { { "ifno", "info" }, { "convret", "convert" },
                  { "lst", "list" },  { "inform", "info" },
                  { "x", NULL },      { "", NULL },
                  { "verify", NULL } };
    static const char *const candidates[] = { "convert", "list", "info", "gen" };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        suggest s = SUGGEST_INIT(cases[i].wrong);
        for (size_t k = 0; k < COUNT_OF(candidates); k++)
            suggest_consider(&s, candidates[k]);
        if (cases[i].best == NULL) CU_ASSERT_PTR_NULL(s.best);
        if (cases[i].best != NULL) CU_ASSERT_PTR_NOT_NULL_FATAL(s.best);
        if (cases[i].best != NULL) CU_ASSERT_STRING_EQUAL(s.best, cases[i].best);
    }
}

static void a_refusal_asks_or_says_what_else(void)
{
    static const struct {
        suggest s;
        const char *otherwise, *text;
    } cases[] = {
        { { .wrong = "ifno", .best = "info" },
          "or else",
          "what 'ifno'; did you mean info?" },
        { { .wrong = "sed", .before = "--", .best = "seed" },
          NULL,
          "what '--sed'; did you mean --seed?" },
        { { .wrong = "x" }, "or else", "what 'x'; or else" },
        { { .wrong = "x", .before = "--" }, NULL, "what '--x'" },
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        err e = ERR_INIT;
        CU_ASSERT_EQUAL(suggest_refuse(&cases[i].s, "what", cases[i].otherwise, &e),
                        ERR_USAGE);
        CU_ASSERT_STRING_EQUAL(e.text, cases[i].text);
    }
}

static void positions_are_recognised(void)
{
    static const struct {
        const char *text;
        bool located;
    } cases[] = { { "x.aut:3:14: expected a comma", true },
                  { "dir/a b:c.aut:1:1: no header", true },
                  { "x.aut: no such file", false },
                  { "x.aut:3: no column", false },
                  { "x.aut:3:14:no blank", false },
                  { ":3:14: no file", false },
                  { "x.aut:a:14: no line", false },
                  { "", false } };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        CU_ASSERT_EQUAL(report_is_located(cases[i].text), cases[i].located);
}

CU_TestInfo test_options[] = {
    { "distances count slips", distances_count_slips },
    { "only what is near is suggested", only_what_is_near_is_suggested },
    { "a refusal asks or says what else", a_refusal_asks_or_says_what_else },
    { "options and operands may be mixed", options_and_operands_may_be_mixed },
    { "two dashes end the options", two_dashes_end_the_options },
    { "what is not given is otherwise", what_is_not_given_is_otherwise },
    { "the last one counts and a list keeps all",
      the_last_one_counts_and_a_list_keeps_all },
    { "a switch goes both ways", a_switch_goes_both_ways },
    { "numbers are read exactly", numbers_are_read_exactly },
    { "sizes have suffixes", sizes_have_suffixes },
    { "wrong lines are refused with a sentence",
      wrong_lines_are_refused_with_a_sentence },
    { "an empty or odd word is an operand", an_empty_or_odd_word_is_an_operand },
    { "an endless unknown option is cut", an_endless_unknown_option_is_cut },
    { "a refused allocation is told", a_refused_allocation_is_told },
    { "positions are recognised", positions_are_recognised },
    CU_TEST_INFO_NULL
};
