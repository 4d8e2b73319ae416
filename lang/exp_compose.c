/*
 * exp_compose.c - what several behaviours do together, said with few operators.
 *
 *     LOTOS   a || b, a ||| b, a |[G]| b     par with all, nothing, G as the interface
 *     CSP     a [|{G}|] b                    par with G
 *             a [{A} || {B}] b               par with what A and B share, over a and b from
 *                                            which all but A, all but B is cut
 *             a \ {G}, a [[x <- y]]          hide, rename
 *     CCS     a \ {G}, a [y/x]               cut, rename, both of co-actions too
 */
#include "lang/exp_grammar.h"

#include <string.h>

/* ---- par -------------------------------------------------------------------------------------- */

static const exp_sync *interface_of(exp_grammar *p, exp_list names)
{
    exp_sync *s = exp_grammar_array(p, names.count, sizeof *s), *next = s;
    if (s == NULL) return NULL;
    for (const exp_item *i = names.first; i; i = i->next, next++) {
        *next = (exp_sync){ .degree = i->degree, .at = i->from.at };
        if (!exp_grammar_fold(p, i->from.text, &next->name)) return NULL;
    }
    return s;
}

static const exp_node *const *parts_of(exp_grammar *p, exp_list parts)
{
    const exp_node **part = exp_grammar_array(p, parts.count, sizeof *part),
                   **next = part;
    for (const exp_item *i = parts.first; part && i; i = i->next) *next++ = i->node;
    return part;
}

/* Gates or whole labels; nothing else says how parts synchronise. */
static bool choose(exp_grammar *p, exp_mode mode, exp_place at, bool *by_label)
{
    *by_label = mode == EXP_MODE_LABEL;
    if (mode == EXP_MODE_NONE || mode == EXP_MODE_GATE || *by_label) return true;
    exp_error(at, p->e, "this is no mode of par; expected gate or label before it");
    return false;
}

exp_node *exp_grammar_par(exp_grammar *p, exp_mode mode, exp_place at, bool all,
                          exp_list global, exp_list parts)
{
    exp_node n = { .kind = EXP_PAR, .at = at, .parts = parts.count, .all = all };
    const exp_sync **local = exp_grammar_array(p, parts.count, sizeof *local);
    size_t *count = exp_grammar_array(p, parts.count, sizeof *count), k = 0;
    if (local == NULL || count == NULL || !choose(p, mode, at, &n.by_label)) return NULL;
    for (const exp_item *i = parts.first; i; i = i->next, k++) {
        count[k] = i->inner.count;
        local[k] = interface_of(p, i->inner);
        if (local[k] == NULL) return NULL;
    }
    n.part = parts_of(p, parts);
    n.global = interface_of(p, global);
    n.global_count = global.count;
    n.local = local;
    n.local_count = count;
    return n.part && n.global ? exp_grammar_node(p, n) : NULL;
}

static bool fill_vector(exp_grammar *p, exp_vector *out, const exp_item *v, size_t parts)
{
    if (v->inner.count != parts) {
        exp_error(v->from.at, p->e,
                  "this vector has %zu items, but %zu behaviours follow; expected one "
                  "item for each",
                  v->inner.count, parts);
        return false;
    }
    exp_text *item = exp_grammar_array(p, parts, sizeof *item);
    *out = (exp_vector){ .item = item, .at = v->from.at };
    if (item == NULL || !exp_grammar_fold(p, v->to.text, &out->result)) return false;
    for (const exp_item *i = v->inner.first; i; i = i->next, item++) {
        if (i->idle) continue;
        if (!exp_grammar_fold(p, i->from.text, item)) return false;
        if (!exp_language_is_hidden(p->language, *item)) continue;
        exp_error(i->from.at, p->e,
                  "the hidden label %s in a vector; expected a visible one, hidden "
                  "transitions go on alone",
                  item->at);
        return false;
    }
    return true;
}

exp_node *exp_grammar_vectors(exp_grammar *p, exp_mode mode, exp_place at,
                              exp_list vectors, exp_list parts)
{
    exp_node n = { .kind = EXP_VECTORS, .at = at, .parts = parts.count };
    exp_vector *v = exp_grammar_array(p, vectors.count, sizeof *v);
    if (v == NULL || !choose(p, mode, at, &n.by_label)) return NULL;
    n.vector = v;
    n.vector_count = vectors.count;
    n.part = parts_of(p, parts);
    for (const exp_item *i = vectors.first; i; i = i->next)
        if (!fill_vector(p, v++, i, parts.count)) return NULL;
    return n.part ? exp_grammar_node(p, n) : NULL;
}

/* ---- infix ------------------------------------------------------------------------------------ */

/* The list of two operands. */
static bool pair(exp_grammar *p, const exp_node *left, const exp_node *right,
                 exp_list *out)
{
    *out = (exp_list){ 0 };
    return exp_list_add(p, out, (exp_item){ .node = left }) &&
           exp_list_add(p, out, (exp_item){ .node = right });
}

/* A name as an expression that matches nothing else. */
static bool literal(exp_grammar *p, const char *before, exp_text name, exp_text *out)
{
    char *text = exp_grammar_array(p, strlen(before) + 2 * name.bytes + 1, 1);
    if (text == NULL) return false;
    size_t count = strlen(before);
    memcpy(text, before, count);
    for (size_t i = 0; i < name.bytes; i++) {
        if (strchr(".*[]^$\\", name.at[i])) text[count++] = '\\';
        text[count++] = name.at[i];
    }
    *out = (exp_text){ text, count };
    return true;
}

static bool add_literal(exp_grammar *p, label_set *s, const char *before, exp_text name)
{
    exp_text pattern;
    bool fold = exp_language_words(p->language).fold;
    return literal(p, before, name, &pattern) &&
           label_set_add(s, pattern.at, pattern.bytes, fold, p->e) == 0;
}

/* Nothing but the alphabet, what is hidden, and the end. */
static exp_node *cut_to(exp_grammar *p, exp_place at, exp_list alphabet,
                        const exp_node *body)
{
    exp_words w = exp_language_words(p->language);
    label_set *s = exp_grammar_set(p, LABEL_GATE, true);
    if (s == NULL) return NULL;
    for (const exp_item *i = alphabet.first; i; i = i->next)
        if (!add_literal(p, s, "", i->from.text)) return NULL;
    if (!add_literal(p, s, "", w.hidden)) return NULL;
    if (w.termination.at && !add_literal(p, s, "", w.termination)) return NULL;
    return exp_grammar_over(
        p, (exp_node){ .kind = EXP_CUT, .at = at, .composed = true, .set = s }, body);
}

static bool has_name(exp_grammar *p, exp_list l, exp_text name)
{
    for (const exp_item *i = l.first; i; i = i->next) {
        exp_text folded;
        if (!exp_grammar_fold(p, i->from.text, &folded)) return false;
        if (exp_text_equal(folded, name)) return true;
    }
    return false;
}

static exp_node *compose_alphabets(exp_grammar *p, const exp_infix *op,
                                   const exp_node *left, const exp_node *right)
{
    exp_list parts, shared = { 0 };
    for (const exp_item *i = op->left.first; i; i = i->next) {
        exp_text name;
        if (!exp_grammar_fold(p, i->from.text, &name)) return NULL;
        if (!has_name(p, op->right, name) || has_name(p, shared, name)) continue;
        if (!exp_list_add(p, &shared, (exp_item){ .from = i->from, .degree = -1 }))
            return NULL;
    }
    left = cut_to(p, op->at, op->left, left);
    if (left) right = cut_to(p, op->at, op->right, right);
    if (left == NULL || right == NULL || p->e->code != ERR_NONE) return NULL;
    if (!pair(p, left, right, &parts)) return NULL;
    return exp_grammar_par(p, EXP_MODE_GATE, op->at, false, shared, parts);
}

static exp_node *compose_plainly(exp_grammar *p, const exp_infix *op, exp_list parts)
{
    exp_list gates = { 0 };
    for (const exp_item *i = op->left.first; i; i = i->next)
        if (!exp_list_add(p, &gates, (exp_item){ .from = i->from, .degree = -1 }))
            return NULL;
    return exp_grammar_par(p, EXP_MODE_GATE, op->at, op->kind == EXP_INFIX_ALL, gates,
                           parts);
}

exp_node *exp_grammar_infix(exp_grammar *p, const exp_infix *op, const exp_node *left,
                            const exp_node *right)
{
    exp_list parts;
    bool merges = op->kind == EXP_INFIX_ALL && p->language == EXP_LANGUAGE_MCRL;
    if (op->kind == EXP_INFIX_ALPHABETS) return compose_alphabets(p, op, left, right);
    if (!pair(p, left, right, &parts)) return NULL;
    if (op->kind != EXP_INFIX_CCS && !merges) return compose_plainly(p, op, parts);
    exp_node n = { .kind = merges ? EXP_MERGE : EXP_CCS, .at = op->at, .parts = 2 };
    n.part = parts_of(p, parts);
    return n.part ? exp_grammar_node(p, n) : NULL;
}

/* ---- behind a behaviour ------------------------------------------------------------------------ */

/* An action without what makes it a co-action. */
static exp_text action_of(exp_text name)
{
    size_t n = strlen(EXP_COACTION);
    if (name.bytes > n && memcmp(name.at, EXP_COACTION, n) == 0)
        return (exp_text){ name.at + n, name.bytes - n };
    return name;
}

static void warn_of_offers(const exp_grammar *p, const exp_word *w)
{
    if (label_gate(w->text.at, w->text.bytes) < w->text.bytes)
        exp_warn(w->at, p->log,
                 "%.200s has offers, so no gate is called so; expected a gate",
                 w->text.at);
}

exp_node *exp_grammar_restrict(exp_grammar *p, exp_place at, exp_list names,
                               const exp_node *body)
{
    bool hides = p->language == EXP_LANGUAGE_CSP;
    label_set *s = exp_grammar_set(p, LABEL_GATE, false);
    if (s == NULL) return NULL;
    for (const exp_item *i = names.first; i; i = i->next) {
        exp_text action = hides ? i->from.text : action_of(i->from.text);
        warn_of_offers(p, &i->from);
        if (!add_literal(p, s, "", action)) return NULL;
        if (!hides && !add_literal(p, s, EXP_COACTION, action)) return NULL;
    }
    exp_node n = { .kind = hides ? EXP_HIDE : EXP_CUT, .at = at, .set = s };
    n.composed = !hides;
    return exp_grammar_over(p, n, body);
}

/* `to` in the right side of a renaming: & and \ lose their meaning. */
static bool replacement(exp_grammar *p, const char *before, exp_text to, exp_text *out)
{
    exp_text folded;
    if (!exp_grammar_fold(p, to, &folded)) return false;
    char *text = exp_grammar_array(p, strlen(before) + 2 * to.bytes + 1, 1);
    if (text == NULL) return false;
    size_t count = strlen(before);
    memcpy(text, before, count);
    for (size_t i = 0; i < folded.bytes; i++) {
        if (folded.at[i] == '&' || folded.at[i] == '\\') text[count++] = '\\';
        text[count++] = folded.at[i];
    }
    *out = (exp_text){ text, count };
    return true;
}

static bool add_pair(exp_grammar *p, label_map *s, const char *before, exp_text from,
                     const char *before_to, exp_text to)
{
    exp_text pattern, text;
    bool fold = exp_language_words(p->language).fold;
    return literal(p, before, from, &pattern) && replacement(p, before_to, to, &text) &&
           label_map_add(s, pattern.at, pattern.bytes, text.at, text.bytes, fold, p->e) ==
               0;
}

/* x becomes y and 'x becomes 'y, however the two are written. */
static bool add_actions(exp_grammar *p, label_map *s, exp_text from, exp_text to)
{
    exp_text x = action_of(from), y = action_of(to), folded;
    bool crossed = (x.at == from.at) != (y.at == to.at);
    if (!exp_grammar_fold(p, y, &folded)) return false;
    bool hidden = exp_language_is_hidden(p->language, folded);
    const char *co = EXP_COACTION;
    return add_pair(p, s, "", x, crossed && !hidden ? co : "", y) &&
           add_pair(p, s, co, x, crossed || hidden ? "" : co, y);
}

/* Two rules for one name: in CSP both would hold, here the first one does. */
static bool warn_of_second(exp_grammar *p, exp_list pairs, const exp_item *rule)
{
    exp_text name, other;
    if (!exp_grammar_fold(p, rule->from.text, &name)) return false;
    for (const exp_item *i = pairs.first; i != rule; i = i->next) {
        if (!exp_grammar_fold(p, i->from.text, &other)) return false;
        if (!exp_text_equal(name, other)) continue;
        exp_warn(rule->from.at, p->log, "%.200s is renamed twice; the first rule counts",
                 rule->from.text.at);
        break;
    }
    return true;
}

exp_node *exp_grammar_relabel(exp_grammar *p, exp_place at, exp_list pairs, bool ccs,
                              const exp_node *body)
{
    label_map *s = exp_grammar_map(p, LABEL_GATE);
    if (s == NULL) return NULL;
    for (const exp_item *i = pairs.first; i; i = i->next) {
        exp_text from = i->from.text, to = i->to.text;
        warn_of_offers(p, &i->from);
        if (!warn_of_second(p, pairs, i)) return NULL;
        if (ccs ? !add_actions(p, s, from, to) : !add_pair(p, s, "", from, "", to))
            return NULL;
    }
    return exp_grammar_over(
        p, (exp_node){ .kind = EXP_RENAME, .at = at, .composed = ccs, .map = s }, body);
}

/* ---- rules of communication --------------------------------------------------------------------- */

static bool same_pair(const exp_comm *a, const exp_comm *b)
{
    return (exp_text_equal(a->left, b->left) && exp_text_equal(a->right, b->right)) ||
           (exp_text_equal(a->left, b->right) && exp_text_equal(a->right, b->left));
}

int exp_grammar_comm(exp_grammar *p, const exp_comm **out, size_t *count)
{
    exp_comm *rule = exp_grammar_array(p, p->comm.count, sizeof *rule);
    if (rule == NULL) return (int)p->e->code;
    *out = rule;
    *count = 0;
    for (const exp_item *i = p->comm.first; i; i = i->next) {
        if (p->language != EXP_LANGUAGE_MCRL)
            return exp_error(i->from.at, p->e,
                             "comm belongs to mCRL; expected mcrl behaviour before it");
        exp_comm c = { i->from.text, i->to.text, i->result };
        if (exp_language_is_hidden(p->language, c.left) ||
            exp_language_is_hidden(p->language, c.right))
            return exp_error(i->from.at, p->e,
                             "the hidden label communicates; expected visible gates");
        for (size_t k = 0; k < *count; k++)
            if (same_pair(&rule[k], &c))
                return exp_error(i->from.at, p->e,
                                 "%.200s | %.200s again; expected one rule for two gates",
                                 c.left.at, c.right.at);
        rule[(*count)++] = c;
    }
    return (int)p->e->code;
}
