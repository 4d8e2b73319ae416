/*
 * test_network_random.c - thousands of random networks: in every state that can be
 * reached the compiled network moves as the definitions say.  A network that fails is
 * printed whole.
 */
#include "models/network.h"
#include "tests/naive_net.h"
#include "tests/net_case.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NETWORKS = 6000, TUPLES = 256, KEY_WORDS = 4 };

static const log_sink silent = { .level = LOG_QUIET };

/* A network in both forms, and what was met of it. */
typedef struct trial {
    const naive_net *n;
    const model *s;
    void *context;
    model_moves moves;
    bool met[TUPLES];
    uint32_t key[TUPLES][KEY_WORDS];
    size_t queue[TUPLES], count;
    size_t seen; /* moves */
} trial;

static size_t number(const naive_net *n, const naive_tuple *t)
{
    size_t x = 0;
    for (size_t p = 0; p < n->parts; p++) x = x * n->part[p].states + t->at[p];
    return x;
}

static naive_tuple tuple(const naive_net *n, size_t x)
{
    naive_tuple t = { { 0 } };
    for (size_t p = n->parts; p-- > 0; x /= n->part[p].states)
        t.at[p] = (uint32_t)(x % n->part[p].states);
    return t;
}

/* What a key is printed as, as a tuple. */
static naive_tuple printed(const trial *t, const uint32_t *key)
{
    char text[256], *at = text;
    naive_tuple x = { { 0 } };
    t->s->class->print(t->s, t->context, key, text, sizeof text);
    for (size_t p = 0; p < t->n->parts; p++) {
        CU_ASSERT_EQUAL_FATAL(*at, p == 0 ? '(' : ',');
        x.at[p] = (uint32_t)strtoul(at + (p == 0 ? 1 : 2), &at, 10);
    }
    CU_ASSERT_STRING_EQUAL_FATAL(at, ")");
    return x;
}

/* A state is met: equal tuples have equal keys. */
static bool meet(trial *t, naive_tuple x, const uint32_t *key)
{
    size_t i = number(t->n, &x), bytes = t->s->key_words * sizeof *key;
    if (t->met[i]) return memcmp(t->key[i], key, bytes) == 0;
    t->met[i] = true;
    memcpy(t->key[i], key, bytes);
    t->queue[t->count++] = i;
    return true;
}

static naive_moves compiled_moves(trial *t, size_t state, bool *same_keys)
{
    naive_moves out = { 0 };
    err e = ERR_INIT;
    CU_ASSERT_EQUAL_FATAL(model_moves_of(t->s, t->context, t->key[state], &t->moves, &e),
                          0);
    for (uint32_t i = 0; i < t->moves.count; i++) {
        size_t bytes;
        const uint32_t *key = model_moves_key(&t->moves, i);
        const char *label = label_table_text(t->s->labels, t->moves.label[i], &bytes);
        naive_tuple to = printed(t, key);
        naive_moves_add(&out, label, bytes, to);
        *same_keys &= meet(t, to, key);
    }
    naive_moves_sort(&out);
    return out;
}

static void show(const char *who, const naive_net *n, const naive_moves *m)
{
    printf("%s:", who);
    for (size_t i = 0; i < m->count; i++) {
        printf(" %s->", m->at[i].label);
        for (size_t p = 0; p < n->parts; p++) printf("%u", m->at[i].to.at[p]);
    }
    printf("\n");
}

static bool equal(const naive_moves *a, const naive_moves *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = strcmp(a->at[i].label, b->at[i].label) == 0 &&
               memcmp(&a->at[i].to, &b->at[i].to, sizeof a->at[i].to) == 0;
    return same;
}

/* Does it move as it should, in this state? */
static bool agree(trial *t, size_t state)
{
    bool same = true;
    naive_moves want = naive_net_moves(t->n, tuple(t->n, state));
    naive_moves have = compiled_moves(t, state, &same);
    t->seen += want.count;
    if (!equal(&want, &have) || !same) {
        printf("\nstate %zu%s\n", state, same ? "" : ": two keys for one state");
        show("defined", t->n, &want);
        show("compiled", t->n, &have);
        same = false;
    }
    naive_moves_release(&want);
    naive_moves_release(&have);
    return same;
}

static bool explore(const naive_net *n, const model *s, size_t *seen)
{
    err e = ERR_INIT;
    trial *t = calloc(1, sizeof *t);
    if (t == NULL) abort();
    t->n = n, t->s = s, t->moves = MODEL_MOVES_INIT(s);
    CU_ASSERT_EQUAL_FATAL(model_context_open(s, &t->context, &e), 0);
    bool same = meet(t, naive_net_initial(n), s->initial);
    for (size_t i = 0; i < t->count && same; i++) same = agree(t, t->queue[i]);
    *seen += t->seen;
    model_moves_release(&t->moves);
    model_context_close(s, t->context);
    free(t);
    return same;
}

/* How often what was tried. */
typedef struct tally {
    size_t moves, cyclic, prio;
} tally;

static bool compare_on(const char *path, tally *sum)
{
    mem m = MEM_INIT, account = MEM_INIT;
    err e = ERR_INIT, bad = ERR_INIT;
    exp_net *net = NULL;
    model *s = NULL;
    bool same;
    if (exp_read(&net, path, &(exp_options){ .m = &m, .log = &silent }, &e) != 0) {
        printf("\n%s\n", e.text);
        return false;
    }
    naive_net n = naive_net_open(net);
    load_options o = { .m = &account, .threads = 1, .log = &silent };
    int code = network_open(&s, path, &o, &bad);
    sum->cyclic += n.cyclic;
    sum->prio += n.orders;
    if (n.cyclic) same = code == ERR_INPUT && strstr(bad.text, "above itself");
    else same = code == 0 && explore(&n, s, &sum->moves);
    if (!same && code != 0) printf("\n%s\n", bad.text);
    model_close(s);
    naive_net_close(&n);
    exp_close(net);
    CU_ASSERT(m.now == 0 && account.now == 0);
    return same;
}

static void networks_move_as_the_definitions_say(void)
{
    tally sum = { 0 };
    for (uint64_t seed = 1; seed <= NETWORKS; seed++) {
        scratch dir = scratch_open();
        random_stream r = random_open(seed, 0);
        net_case c = net_case_random(&r);
        net_case_write(&c, dir.dir);
        bool same = compare_on(scratch_path(&dir, "net.exp"), &sum);
        scratch_close(&dir);
        if (same) continue;
        printf("seed %llu\n", (unsigned long long)seed);
        net_case_dump(&c);
        CU_FAIL_FATAL("a network does not move as it should");
    }
    CU_ASSERT(sum.moves > 5 * NETWORKS);
    CU_ASSERT(sum.prio > NETWORKS / 10);
    CU_ASSERT(sum.cyclic > NETWORKS / 200);
}

CU_TestInfo test_network_random[] = { { "networks move as the definitions say",
                                        networks_move_as_the_definitions_say },
                                      CU_TEST_INFO_NULL };
