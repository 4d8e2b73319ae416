/*
 * network_sync - composition by vectors, by co-actions (CCS) and by rules of
 * communication (mCRL).
 *
 * Idea       All three are joins.  Entries are sorted by operand, gate and offers (by
 *            operand and label where offers do not count), so that what one participant
 *            can do with a gate is a run, and with the same offers a run within it.  A
 *            join goes through the shortest run of its participants and looks the others
 *            up.
 * Invariant  A vector's participants agree on the offers; hidden vectors pass; vectors on
 *            the gate of termination join among all operands, unless the user's own
 *            vectors name it.
 * Cost       Sorting; per join the shortest run times the logarithm of the others; the
 *            vectors that come out.
 */
#include "models/network_compile.h"

#include <stdlib.h>
#include <string.h>

/* A participant of a join and the entries with its gate. */
typedef struct participant {
    uint32_t operand, word;
    network_range run;
} participant;

typedef struct joining {
    network_compiler *c;
    const exp_node *n;
    bool whole;     /* entries are sorted by labels, not by gates and offers */
    bool names_end; /* a vector names the gate of termination */
    network_entries entry;
    VEC(participant) who;
    VEC(network_range) chosen;
} joining;

/* How the label of a join is made: a text as it is, or a gate with the offers behind. */
typedef struct outcome {
    const exp_text *text;
    exp_place at;
} outcome;

/* ---- entries ----------------------------------------------------------------------------- */

static int compare_keys(const network_entry *x, const network_entry *y)
{
    if (x->operand != y->operand) return x->operand < y->operand ? -1 : 1;
    if (x->word != y->word) return x->word < y->word ? -1 : 1;
    return (x->rest > y->rest) - (x->rest < y->rest);
}

static int compare_entries(const void *a, const void *b)
{
    const network_entry *x = a, *y = b;
    int by_key = compare_keys(x, y);
    return by_key ? by_key : (x->order > y->order) - (x->order < y->order);
}

static int add_entry(joining *s, uint32_t operand, const network_vector *v, size_t order,
                     network_set *out, err *e)
{
    network_split part;
    if (v->label == network_hidden(s->c))
        return network_set_push(s->c, out, v, s->n->at, e);
    if (network_split_of(s->c, v->label, &part, e) != 0) return (int)e->code;
    bool alone = s->n->kind != EXP_VECTORS && part.gate != s->c->termination;
    if (alone && network_set_push(s->c, out, v, s->n->at, e) != 0) return (int)e->code;
    network_entry x = { *v, operand, s->whole ? v->label : part.gate,
                        s->whole ? 0 : part.offers, (uint32_t)order };
    return vec_push(s->c->m, &s->entry, x, e);
}

static int add_entries(joining *s, network_set *set, network_set *out, err *e)
{
    for (uint32_t i = 0; i < s->n->parts; i++) {
        for (size_t k = 0; k < set[i].count; k++)
            if (add_entry(s, i, &set[i].at[k], k, out, e) != 0) return (int)e->code;
        vec_release(s->c->m, &set[i]);
    }
    if (s->entry.count > 0)
        qsort(s->entry.at, s->entry.count, sizeof *s->entry.at, compare_entries);
    return 0;
}

/* The first entry that is not below a key. */
static size_t lower_bound(const joining *s, uint32_t operand, uint32_t word,
                          uint64_t rest)
{
    size_t lo = 0, hi = s->entry.count;
    network_entry key = { .operand = operand, .word = word, .rest = (uint32_t)rest };
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const network_entry *x = &s->entry.at[mid];
        bool below = rest > UINT32_MAX ? x->operand < operand ||
                                             (x->operand == operand && x->word <= word)
                                       : compare_keys(x, &key) < 0;
        if (below) lo = mid + 1;
        else hi = mid;
    }
    return lo;
}

#define BEYOND ((uint64_t)UINT32_MAX + 1) /* all offers */

static network_range run_of(const joining *s, uint32_t operand, uint32_t word,
                            uint64_t from, uint64_t to)
{
    size_t first = lower_bound(s, operand, word, from);
    return (network_range){ s->entry.at + first,
                            lower_bound(s, operand, word, to) - first };
}

/* ---- joins ------------------------------------------------------------------------------- */

/* The participants with these offers, all of them or no vector. */
static int join_offers(joining *s, uint32_t offers, const outcome *o, network_set *out,
                       err *e)
{
    label_id label;
    s->chosen.count = 0;
    for (size_t k = 0; k < s->who.count; k++) {
        const participant *w = &s->who.at[k];
        network_range r = run_of(s, w->operand, w->word, offers, (uint64_t)offers + 1);
        if (r.count == 0) return 0;
        if (vec_push(s->c->m, &s->chosen, r, e) != 0) return (int)e->code;
    }
    int bad = s->whole
                  ? label_table_put(s->c->labels, o->text->at, o->text->bytes, &label, e)
                  : network_join_label(s->c, o->text, offers, &label, e);
    if (bad) return (int)e->code;
    return network_product(s->c, out, s->chosen.at, s->chosen.count, label, o->at, e);
}

/* Join the participants in `who`. */
static int join(joining *s, const outcome *o, network_set *out, err *e)
{
    const participant *least = &s->who.at[0];
    for (size_t k = 0; k < s->who.count; k++)
        if (s->who.at[k].run.count < least->run.count) least = &s->who.at[k];
    network_range r = least->run;
    for (size_t k = 0; k < r.count; k++) {
        if (k > 0 && r.at[k].rest == r.at[k - 1].rest) continue;
        if (join_offers(s, r.at[k].rest, o, out, e) != 0) return (int)e->code;
    }
    return 0;
}

static int add_participant(joining *s, uint32_t operand, uint32_t word, err *e)
{
    participant w = { operand, word, { NULL, 0 } };
    if (word != LABEL_NONE) w.run = run_of(s, operand, word, 0, BEYOND);
    return vec_push(s->c->m, &s->who, w, e);
}

/* ---- termination ------------------------------------------------------------------------- */

static bool on_termination(const network_compiler *c, const exp_text *t)
{
    const exp_text *end = &c->net->termination;
    return t->at && end->at && label_gate(t->at, t->bytes) == end->bytes &&
           memcmp(t->at, end->at, end->bytes) == 0;
}

/* Labels on the gate of termination: all operands, the same label. */
static int join_ends(joining *s, network_set *out, err *e)
{
    network_compiler *c = s->c;
    uint32_t last = LABEL_NONE;
    if (c->termination == LABEL_NONE || s->names_end) return 0;
    size_t count = s->entry.count; /* of operand 0 as long as it lasts */
    for (size_t k = 0; k < count && s->entry.at[k].operand == 0; k++) {
        const network_entry x = s->entry.at[k];
        if (x.v.label == last || c->split.at[x.v.label].gate != c->termination) continue;
        last = x.v.label;
        s->chosen.count = 0;
        for (uint32_t i = 0; i < s->n->parts; i++) {
            network_range r = run_of(s, i, x.word, x.rest, (uint64_t)x.rest + 1);
            if (vec_push(c->m, &s->chosen, r, e) != 0) return (int)e->code;
        }
        if (network_product(c, out, s->chosen.at, s->chosen.count, last, s->n->at, e) !=
            0)
            return (int)e->code;
    }
    return 0;
}

/* ---- vectors of the user ----------------------------------------------------------------- */

static uint32_t word_of(const joining *s, const exp_text *t)
{
    return label_table_find(s->whole ? s->c->labels : s->c->words, t->at, t->bytes);
}

static void warn_of_item(const joining *s, const exp_vector *v, size_t i)
{
    exp_warn(v->at, s->c->options->log, "operand %zu of the vector never does %s", i + 1,
             v->item[i].at);
}

static int join_vector(joining *s, const exp_vector *v, network_set *out, err *e)
{
    s->who.count = 0;
    for (uint32_t i = 0; i < s->n->parts; i++) {
        if (v->item[i].at == NULL) continue;
        if (add_participant(s, i, word_of(s, &v->item[i]), e) != 0) return (int)e->code;
        if (s->who.at[s->who.count - 1].run.count == 0) warn_of_item(s, v, i);
    }
    outcome o = { &v->result, v->at };
    return s->who.count > 0 ? join(s, &o, out, e) : 0;
}

static bool vectors_name_end(const joining *s)
{
    for (size_t k = 0; k < s->n->vector_count; k++)
        for (size_t i = 0; i < s->n->parts; i++)
            if (on_termination(s->c, &s->n->vector[k].item[i])) return true;
    return false;
}

static int join_vectors(joining *s, network_set *out, err *e)
{
    for (size_t k = 0; k < s->n->vector_count; k++)
        if (join_vector(s, &s->n->vector[k], out, e) != 0) return (int)e->code;
    return 0;
}

/* ---- co-actions and rules ---------------------------------------------------------------- */

/* A label without the prefix of co-actions, or LABEL_NONE.  What ends does not
   communicate. */
static label_id without_prefix(const network_compiler *c, label_id l)
{
    size_t bytes;
    const exp_text *p = &c->net->coaction;
    const char *text = label_table_text(c->labels, l, &bytes);
    if (p->bytes == 0 || bytes <= p->bytes || memcmp(text, p->at, p->bytes) != 0)
        return LABEL_NONE;
    exp_text rest = { text + p->bytes, bytes - p->bytes };
    if (on_termination(c, &rest)) return LABEL_NONE;
    return label_table_find(c->labels, rest.at, rest.bytes);
}

/* Entry labels of operand `from`, each with the label without its prefix of the other
   one. */
static int join_coactions(joining *s, uint32_t from, network_set *out, err *e)
{
    network_compiler *c = s->c;
    const exp_text hidden = { LABEL_HIDDEN_NAME, strlen(LABEL_HIDDEN_NAME) };
    const outcome o = { &hidden, s->n->at };
    for (size_t k = 0; k < s->entry.count; k++) {
        const network_entry x = s->entry.at[k];
        bool again = k > 0 && compare_keys(&x, &s->entry.at[k - 1]) == 0;
        label_id other =
            x.operand == from && !again ? without_prefix(c, x.word) : LABEL_NONE;
        if (other == LABEL_NONE) continue;
        s->who.count = 0;
        for (uint32_t i = 0; i < 2; i++)
            if (add_participant(s, i, i == from ? x.word : other, e) != 0)
                return (int)e->code;
        if (join(s, &o, out, e) != 0) return (int)e->code;
    }
    return 0;
}

static int join_rule(joining *s, const exp_text *left, const exp_text *right,
                     const outcome *o, network_set *out, err *e)
{
    s->who.count = 0;
    if (add_participant(s, 0, word_of(s, left), e) != 0 ||
        add_participant(s, 1, word_of(s, right), e) != 0)
        return (int)e->code;
    return join(s, o, out, e);
}

static int join_rules(joining *s, network_set *out, err *e)
{
    const exp_net *net = s->c->net;
    for (size_t k = 0; k < net->comm_count; k++) {
        const exp_comm *r = &net->comm[k];
        const outcome o = { &r->result, s->n->at };
        if (join_rule(s, &r->left, &r->right, &o, out, e) != 0) return (int)e->code;
        if (strcmp(r->left.at, r->right.at) != 0 &&
            join_rule(s, &r->right, &r->left, &o, out, e) != 0)
            return (int)e->code;
    }
    return 0;
}

/* ---- the operators ----------------------------------------------------------------------- */

static int compose(joining *s, network_set *set, network_set *out, err *e)
{
    if (add_entries(s, set, out, e) != 0 || join_ends(s, out, e) != 0)
        return (int)e->code;
    if (s->n->kind == EXP_VECTORS) return join_vectors(s, out, e);
    if (s->n->kind == EXP_MERGE) return join_rules(s, out, e);
    if (join_coactions(s, 0, out, e) != 0) return (int)e->code;
    return join_coactions(s, 1, out, e);
}

int network_sync(network_compiler *c, const exp_node *n, network_set *s, network_set *out,
                 err *e)
{
    joining x = { .c = c, .n = n };
    x.whole = n->kind == EXP_CCS || (n->kind == EXP_VECTORS && n->by_label);
    x.names_end = n->kind == EXP_VECTORS && vectors_name_end(&x);
    compose(&x, s, out, e);
    vec_release(c->m, &x.entry);
    vec_release(c->m, &x.who);
    vec_release(c->m, &x.chosen);
    return (int)e->code;
}
