/*
 * test_network.c - what each operator makes of tiny components, by hand, and in which
 * order.
 */
#include "tests/net_parts.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

static const log_sink silent = { .level = LOG_QUIET };

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
    { "y | y", "(00, exit, 11)" },
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
    scratch dir = net_parts_open();
    for (size_t i = 0; i < COUNT_OF(products); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        net_lines want = { .count = 0 }, have = { .count = 0 };
        int code = net_parts_network(&s, &dir, products[i].net, &m, &silent, &e);
        if (code == 0) net_lines_explore(s, &have);
        net_lines_split(products[i].product, &want);
        if (code != 0 || !net_lines_equal(&want, &have)) {
            printf("\n%s\n%s\n", products[i].net, e.text);
            net_lines_show("expected", &want);
            net_lines_show("found   ", &have);
            CU_FAIL("not the product it should be");
        }
        model_close(s);
        CU_ASSERT_EQUAL(m.now, 0);
    }
    scratch_close(&dir);
}

/* By component of the leader, its label, the vector, its targets, the others' targets. */
static void moves_come_in_order(void)
{
    static const struct {
        const char *net, *moves;
    } rows[] = {
        { "v ||| p", "A !1>10 A !2>10 A>01 " },
        { "p ||| v", "A>10 A !1>01 A !2>01 " },
        { "n |[A]| n", "A>00 A>01 A>10 A>11 " },
        { "o |[A]| p", "A>01 " },
        { "par A, A#2 in k || k end par", "A>11 " }, /* and none of them twice */
        { "par A, A#2 -> k || A, A#2 -> k || A#2 -> k end par", "A>110 A>101 A>011 " },
        { "par A#2, A#1 in u || k || k end par",
          "A>100 A>110 A>101 B>100 A>010 A>011 A>001 " },
    };
    scratch dir = net_parts_open();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char have[256] = "", to[16];
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        void *context = NULL;
        CU_ASSERT_EQUAL_FATAL(net_parts_network(&s, &dir, rows[i].net, &m, &silent, &e),
                              0);
        model_moves moves = MODEL_MOVES_INIT(s);
        CU_ASSERT_EQUAL_FATAL(model_context_open(s, &context, &e), 0);
        CU_ASSERT_EQUAL_FATAL(model_moves_of(s, context, s->initial, &moves, &e), 0);
        for (uint32_t k = 0; k < moves.count; k++) {
            net_parts_name(s, context, model_moves_key(&moves, k), to);
            strcat(strcat(have, label_table_text(s->labels, moves.label[k], NULL)), ">");
            strcat(strcat(have, to), " ");
        }
        CU_ASSERT_STRING_EQUAL(have, rows[i].moves);
        if (strcmp(have, rows[i].moves) != 0) printf("\n%s: %s\n", rows[i].net, have);
        model_moves_release(&moves);
        model_context_close(s, context);
        model_close(s);
    }
    scratch_close(&dir);
}

CU_TestInfo test_network[] = { { "every operator by hand", every_operator_by_hand },
                               { "moves come in order", moves_come_in_order },
                               CU_TEST_INFO_NULL };
