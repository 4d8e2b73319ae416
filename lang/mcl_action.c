#include "lang/mcl_action.h"

#include "core/vec.h"
#include "lang/label_regexp.h"

#include <string.h>

struct mcl_action_sets {
    mem *m;
    label_id labels;
    size_t words; /* per set; at least one */
    size_t count; /* sets */
    uint64_t *bits;
};

/* Regular expressions already run over the labels; the same text is run once. */
typedef struct known_regexp {
    const mcl_node *node;
    const uint64_t *set;
} known_regexp;

typedef struct compilation {
    const mcl_action_sets *sets;
    const label_table *labels;
    arena scratch;
    VEC(known_regexp) known;
    err *e;
} compilation;

void mcl_action_close(mcl_action_sets *s)
{
    if (s == NULL) return;
    mem_put(s->m, s->bits, s->count * s->words * sizeof *s->bits);
    mem_put(s->m, s, sizeof *s);
}

const uint64_t *mcl_action_set(const mcl_action_sets *s, size_t index)
{
    return s->bits + index * s->words;
}

label_id mcl_action_count(const mcl_action_sets *s, size_t index)
{
    const uint64_t *set = mcl_action_set(s, index);
    label_id count = 0;
    for (size_t i = 0; i < s->words; i++) count += (label_id)__builtin_popcountll(set[i]);
    return count;
}

static void add_label(uint64_t *set, label_id l)
{
    set[l / 64] |= UINT64_C(1) << (l % 64);
}

/* All labels, or none; bits behind the last label stay zero. */
static void fill(const mcl_action_sets *s, uint64_t *set, bool all)
{
    memset(set, all ? 0xff : 0, s->words * sizeof *set);
    if (all && s->labels % 64 != 0)
        set[s->words - 1] = (UINT64_C(1) << (s->labels % 64)) - 1;
    if (s->labels == 0) set[0] = 0;
}

static uint64_t *scratch_set(compilation *c)
{
    size_t bytes = c->sets->words * sizeof(uint64_t);
    uint64_t *set = arena_get(&c->scratch, bytes, c->e);
    if (set) memset(set, 0, bytes);
    return set;
}

static int run_regexp(compilation *c, const mcl_node *n, uint64_t *set)
{
    regex_t r;
    if (label_regexp_open(&r, n->text, n->bytes, false, c->e) != 0)
        return (int)c->e->code;
    for (label_id l = 0; l < c->sets->labels; l++) {
        size_t bytes;
        const char *text = label_table_text(c->labels, l, &bytes);
        if (label_regexp_matches(&r, text, bytes)) add_label(set, l);
    }
    label_regexp_close(&r);
    return 0;
}

/* Run every regular expression below `n` that has not been run yet. */
static int learn_regexps(compilation *c, const mcl_node *n)
{
    if (n->kind != MCL_REGEXP) {
        if (n->left && learn_regexps(c, n->left) != 0) return (int)c->e->code;
        return n->right ? learn_regexps(c, n->right) : 0;
    }
    for (size_t i = 0; i < c->known.count; i++)
        if (mcl_tree_equal(c->known.at[i].node, n)) return 0;
    uint64_t *set = scratch_set(c);
    if (set == NULL || run_regexp(c, n, set) != 0) return (int)c->e->code;
    return vec_push(c->sets->m, &c->known, ((known_regexp){ n, set }), c->e);
}

static void copy_regexp(compilation *c, const mcl_node *n, uint64_t *out)
{
    size_t i = 0;
    while (!mcl_tree_equal(c->known.at[i].node, n)) i++;
    memcpy(out, c->known.at[i].set, c->sets->words * sizeof *out);
}

static uint64_t combine(mcl_kind op, uint64_t a, uint64_t b)
{
    if (op == MCL_AND) return a & b;
    if (op == MCL_IMPLIES) return ~a | b;
    return op == MCL_EQU ? ~(a ^ b) : a | b; /* OR, ALT */
}

static int evaluate(compilation *c, const mcl_node *n, uint64_t *out);

static int evaluate_operator(compilation *c, const mcl_node *n, uint64_t *out)
{
    arena_mark mark = arena_save(&c->scratch);
    uint64_t *right = scratch_set(c), *all = right ? scratch_set(c) : NULL;
    if (all == NULL || evaluate(c, n->left, out) != 0) return (int)c->e->code;
    if (n->right && evaluate(c, n->right, right) != 0) return (int)c->e->code;
    fill(c->sets, all, true);
    for (size_t i = 0; i < c->sets->words; i++)
        out[i] = all[i] & (n->right ? combine(n->kind, out[i], right[i]) : ~out[i]);
    arena_restore(&c->scratch, mark);
    return 0;
}

label_id mcl_action_label(const label_table *labels, const mcl_node *string)
{
    char quoted[4096];
    size_t used = 0;
    label_id found = label_table_find(labels, string->text, string->bytes);
    if (found != LABEL_NONE || memchr(string->text, '"', string->bytes) == NULL)
        return found;
    if (string->bytes > sizeof quoted / 2) return LABEL_NONE; /* see the header */
    for (size_t i = 0; i < string->bytes; i++) {
        if (string->text[i] == '"') quoted[used++] = '\\';
        quoted[used++] = string->text[i];
    }
    return label_table_find(labels, quoted, used);
}

static int evaluate(compilation *c, const mcl_node *n, uint64_t *out)
{
    switch (n->kind) {
    case MCL_TRUE:
    case MCL_FALSE:
        fill(c->sets, out, n->kind == MCL_TRUE);
        return 0;
    case MCL_REGEXP:
        copy_regexp(c, n, out);
        return 0;
    case MCL_STRING: {
        fill(c->sets, out, false);
        label_id l = mcl_action_label(c->labels, n);
        if (l != LABEL_NONE) add_label(out, l);
        return 0;
    }
    default:
        return evaluate_operator(c, n, out);
    }
}

int mcl_action_compile(mcl_action_sets **out, mem *m, const mcl_node *const *formula,
                       size_t count, const label_table *labels, err *e)
{
    *out = NULL;
    mcl_action_sets *s = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    label_id all = label_table_count(labels);
    *s = (mcl_action_sets){ .m = m,
                            .labels = all,
                            .words = (all == 0 ? 1 : ((size_t)all + 63) / 64) };
    s->bits = mem_get_array(m, count * s->words, sizeof *s->bits, e);
    if (s->bits) s->count = count;
    compilation c = { .sets = s, .labels = labels, .e = e };
    c.scratch = ARENA_INIT(m, 4096);
    for (size_t i = 0; i < count && e->code == ERR_NONE; i++)
        if (learn_regexps(&c, formula[i]) == 0)
            evaluate(&c, formula[i], s->bits + i * s->words);
    vec_release(m, &c.known);
    arena_release(&c.scratch);
    if (e->code == ERR_NONE) *out = s;
    else mcl_action_close(s);
    return (int)e->code;
}
