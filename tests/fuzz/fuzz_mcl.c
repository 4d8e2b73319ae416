#include "tests/fuzz/fuzz_mcl.h"

#include "tests/mcl_question.h"
#include "tests/sample_lts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "name:LINE:COLUMN: a sentence" */
static bool is_located(const char *message)
{
    const char *p = strchr(message, ':');
    for (int i = 0; p && i < 2; i++) {
        if (!isdigit((unsigned char)*++p)) return false;
        p += strspn(p, "0123456789");
        if (*p != ':') return false;
    }
    return p && p[1] == ' ' && strlen(p) > 10;
}

/* The C library may have no room for a regular expression; all else is of the text. */
static const char *check_message(const err *e)
{
    if (e->code == ERR_NONE || e->code == ERR_LIMIT) return NULL;
    if (e->code != ERR_INPUT && e->code != ERR_REFUSED)
        return "the failure is not of the input";
    return is_located(e->text) ? NULL : "the message has no place";
}

/* The work of the definition: every fixed point may go round for every state. */
static uint64_t work_of(const mcl_node *n)
{
    enum { ROUNDS = 6, ENOUGH = 1 << 20 };
    if (n == NULL) return 0;
    uint64_t work = 1 + work_of(n->left) + work_of(n->right);
    if (n->kind == MCL_MU || n->kind == MCL_NU) work *= ROUNDS;
    return work < ENOUGH ? work : ENOUGH;
}

/* A small model over the labels that the fuzzers use: a cycle, a deadlock, a hidden loop. */
static lts small_model(mem *m)
{
    static const sample_edge edges[] = { { 0, "a", 1 }, { 0, "b", 2 },
                                         { 1, "i", 1 }, { 1, "SEND !1", 3 },
                                         { 2, "c", 4 }, { 3, "a", 0 },
                                         { 3, "b", 2 } };
    return sample_lts(m, 5, 0, edges, sizeof edges / sizeof *edges);
}

static const char *solve(const char *text, mem *m, fuzz_mcl_end *end)
{
    enum { WORK_MAX = 2000 };
    err e = ERR_INIT;
    mcl_question c;
    lts g = small_model(m);
    const char *wrong = NULL;
    mcl_question_open(&c, m, text, &g, false, &e);
    if (e.code == ERR_NONE && work_of(mcl_root(c.f)) <= WORK_MAX) {
        uint64_t solved = 0;
        wrong = mcl_question_try(&c, "auto", true, mcl_question_meaning(&c), &solved);
        end->solved = solved > 0;
    }
    mcl_question_close(&c);
    lts_close(&g);
    end->code = e.code;
    return wrong ? wrong : check_message(&e);
}

const char *fuzz_mcl_one(const uint8_t *data, size_t bytes, fuzz_mcl_end *end)
{
    mem m = MEM_INIT;
    char *text = malloc(bytes + 1); /* of just this size: reading behind it is noticed */
    if (text == NULL) abort();
    if (bytes > 0) memcpy(text, data, bytes);
    text[bytes] = '\0';
    *end = (fuzz_mcl_end){ .solved = false };
    const char *wrong = solve(text, &m, end);
    free(text);
    if (wrong) return wrong;
    return m.now == 0 ? NULL : "memory was not given back";
}

#ifdef BESPOKE_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    fuzz_mcl_end end;
    if (fuzz_mcl_one(data, bytes, &end)) abort();
    return 0;
}
#endif
