/*
 * test_plugin.c - the example plug-in as a model, against what it says of itself; memory that
 * fails.  Plug-ins that misbehave: tests/cli/plugin.py.
 */
#include "core/ids.h"
#include "models/plugin.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

static int open_ring(model **out, mem *m, const char *stations, const char *hidden,
                     err *e)
{
    const char *const arguments[] = { stations, "lossy" };
    load_options o = { .m = m, .hidden = &hidden, .hidden_count = hidden ? 1 : 0 };
    return plugin_open(out, BESPOKE_TOKEN_RING, arguments, 2, &o, e);
}

static void what_it_says_is_the_model(void)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s;
    CU_ASSERT_EQUAL_FATAL(open_ring(&s, &m, "3", NULL, &e), 0);
    CU_ASSERT_STRING_EQUAL(s->class->name, "plug-in");
    CU_ASSERT_EQUAL(s->key_words, 2);
    CU_ASSERT(s->initial[0] == 0 && s->initial[1] == 0);
    CU_ASSERT_EQUAL(label_table_count(s->labels), 4);
    CU_ASSERT_STRING_EQUAL(label_table_text(s->labels, 1, NULL), "WORK");
    CU_ASSERT_EQUAL(label_table_hidden(s->labels), 2);
    CU_ASSERT_PTR_NULL(s->rows);
    CU_ASSERT_EQUAL(s->file_count, 1);
    CU_ASSERT_STRING_EQUAL(s->files[0], BESPOKE_TOKEN_RING);
    model_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
}

/* Moves of the state in which station 1 of three has the token and 1 and 2 want it. */
static void its_moves_come_in_its_order(void)
{
    static const uint32_t state[] = { 1, 6 };
    static const struct {
        label_id label;
        uint32_t key[2];
    } expected[] = { { 0, { 1, 7 } }, { 1, { 1, 4 } }, { 2, { 2, 6 } }, { 3, { 3, 6 } } };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s;
    void *context = &m;
    CU_ASSERT_EQUAL_FATAL(open_ring(&s, &m, "3", NULL, &e), 0);
    CU_ASSERT_EQUAL(model_context_open(s, &context, &e), 0);
    model_moves moves = MODEL_MOVES_INIT(s);
    for (int again = 0; again < 2; again++) {
        CU_ASSERT_EQUAL(model_moves_of(s, context, state, &moves, &e), 0);
        CU_ASSERT_EQUAL_FATAL(moves.count, COUNT_OF(expected));
        for (uint32_t i = 0; i < moves.count; i++) {
            CU_ASSERT_EQUAL(moves.label[i], expected[i].label);
            CU_ASSERT_EQUAL(memcmp(model_moves_key(&moves, i), expected[i].key, 8), 0);
        }
    }
    model_moves_release(&moves);
    model_context_close(s, context);
    model_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void hidden_names_become_the_hidden_label(void)
{
    static const uint32_t state[] = { 0, 1 };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s;
    CU_ASSERT_EQUAL_FATAL(open_ring(&s, &m, "1", "WORK", &e), 0);
    CU_ASSERT_EQUAL(label_table_count(s->labels), 3);
    CU_ASSERT(label_table_met(s->labels, "WORK"));
    model_moves moves = MODEL_MOVES_INIT(s);
    CU_ASSERT_EQUAL(model_moves_of(s, NULL, state, &moves, &e), 0);
    CU_ASSERT_EQUAL_FATAL(moves.count, 3); /* WORK and i are one; LOSE moves up */
    CU_ASSERT_EQUAL(moves.label[0], label_table_hidden(s->labels));
    CU_ASSERT_EQUAL(moves.label[1], label_table_hidden(s->labels));
    CU_ASSERT_STRING_EQUAL(label_table_text(s->labels, moves.label[2], NULL), "LOSE");
    model_moves_release(&moves);
    model_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void a_state_is_printed_in_the_room_there_is(void)
{
    static const uint32_t state[] = { 2, 5 };
    static const char whole[] = "token at 2, wanted by 0x5";
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s;
    CU_ASSERT_EQUAL_FATAL(open_ring(&s, &m, "3", NULL, &e), 0);
    for (size_t room = 1; room < 40; room++) {
        char text[40];
        memset(text, '#', sizeof text);
        s->class->print(s, NULL, state, text, room);
        size_t length = room <= strlen(whole) ? room - 1 : strlen(whole);
        CU_ASSERT(strlen(text) == length && memcmp(text, whole, length) == 0);
        CU_ASSERT_EQUAL(text[room], '#');
    }
    model_close(s);
}

/* States of a ring: a station or nobody has the token, and any of them want it. */
static uint32_t sum_of_moves(const model *s, uint32_t stations)
{
    uint32_t sum = 0;
    err e = ERR_INIT;
    model_moves moves = MODEL_MOVES_INIT(s);
    for (uint32_t holder = 0; holder <= stations; holder++)
        for (uint32_t wants = 0; wants < 1u << stations; wants++) {
            const uint32_t key[] = { holder, wants };
            if (model_moves_of(s, NULL, key, &moves, &e) != 0) return 0;
            sum += moves.count;
        }
    model_moves_release(&moves);
    return sum;
}

static void many_threads_may_ask_at_once(void)
{
    enum { STATIONS = 8, ALL = 1 << STATIONS };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    model *s;
    int right = 0;
    CU_ASSERT_EQUAL_FATAL(open_ring(&s, &m, "8", NULL, &e), 0);
    uint32_t wanting = (STATIONS + 1) * STATIONS * ALL / 2; /* half of the bits are 0 */
    uint32_t working = STATIONS * ALL / 2, passing = STATIONS * ALL;
#pragma omp parallel for num_threads(4) reduction(+ : right)
    for (int i = 0; i < 8; i++)
        right += sum_of_moves(s, STATIONS) == wanting + working + 2 * passing;
    CU_ASSERT_EQUAL(right, 8);
    model_close(s);
    CU_ASSERT_EQUAL(m.now, 0);
}

static void the_nth_allocation_fails(void)
{
    static const uint32_t state[] = { 0, 0 };
    for (size_t n = 1;; n++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        m.fail_at = n;
        int code = open_ring(&s, &m, "31", "WANT", &e);
        if (code == 0) {
            model_moves moves = MODEL_MOVES_INIT(s);
            code = model_moves_of(s, NULL, state, &moves, &e);
            CU_ASSERT_EQUAL(code, (int)e.code);
            model_moves_release(&moves);
            model_close(s);
        }
        CU_ASSERT_EQUAL(m.now, 0);
        if (m.calls < n) {
            CU_ASSERT_EQUAL(code, 0);
            CU_ASSERT(n > 8);
            return;
        }
        CU_ASSERT_EQUAL(code, ERR_LIMIT);
    }
}

static void what_is_wrong_is_told(void)
{
    static const struct {
        const char *path, *argument, *text;
    } rows[] = {
        { "missing.so", "3", "missing.so: cannot be opened: No such file" },
        { BESPOKE_TOKEN_RING, "32", ": expected 1 to 31 stations" },
        { "/proc/self/exe", "3", "/proc/self/exe: cannot be loaded: " },
        { "/dev/null", "3", "/dev/null: cannot be loaded: " },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        mem m = MEM_INIT;
        err e = ERR_INIT;
        model *s = NULL;
        load_options o = { .m = &m };
        CU_ASSERT_EQUAL(plugin_open(&s, rows[i].path, &rows[i].argument, 1, &o, &e),
                        ERR_INPUT);
        if (strstr(e.text, rows[i].text) == NULL) printf("\n  found %s", e.text);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, rows[i].text));
        CU_ASSERT_EQUAL(m.now, 0);
    }
}

CU_TestInfo test_plugin[] = {
    { "what it says is the model", what_it_says_is_the_model },
    { "its moves come in its order", its_moves_come_in_its_order },
    { "hidden names become the hidden label", hidden_names_become_the_hidden_label },
    { "a state is printed in the room there is",
      a_state_is_printed_in_the_room_there_is },
    { "many threads may ask at once", many_threads_may_ask_at_once },
    { "the n-th allocation fails", the_nth_allocation_fails },
    { "what is wrong is told", what_is_wrong_is_told },
    CU_TEST_INFO_NULL
};
