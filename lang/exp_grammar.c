#include "lang/exp_grammar.h"
#include "lang/exp_check.h"

#include <string.h>

bool exp_list_add(exp_grammar *p, exp_list *l, exp_item like)
{
    exp_item *i = arena_get(p->store, sizeof *i, p->e);
    if (i == NULL) return false;
    *i = like;
    if (l->last) l->last->next = i;
    else l->first = i;
    l->last = i;
    l->count++;
    return true;
}

void *exp_grammar_array(exp_grammar *p, size_t n, size_t size)
{
    void *block = arena_get(p->store, n * size, p->e);
    if (block) memset(block, 0, n * size);
    return block;
}

exp_node *exp_grammar_node(exp_grammar *p, exp_node like)
{
    return exp_tree_node(p->store, &like, p->e);
}

bool exp_grammar_fold(exp_grammar *p, exp_text text, exp_text *out)
{
    return exp_language_fold(p->language, p->store, text, out, p->e) == 0;
}

exp_node *exp_grammar_over(exp_grammar *p, exp_node like, const exp_node *body)
{
    const exp_node **part = exp_grammar_array(p, 1, sizeof *part);
    if (part == NULL) return NULL;
    part[0] = body;
    like.part = part;
    like.parts = 1;
    return exp_grammar_node(p, like);
}

exp_node *exp_grammar_automaton(exp_grammar *p, exp_word name)
{
    static const char *const suffixes[] = { ".bcg",     ".aut",     ".plts", ".aut.gz",
                                            ".aut.zst", ".aut.bz2", NULL };
    const char *path =
        exp_files_find(p->files, name.text, name.at, "an automaton", suffixes, p->e);
    if (path == NULL) return NULL;
    exp_text text = { path, strlen(path) };
    return exp_grammar_node(p,
                            (exp_node){ .kind = EXP_LTS, .at = name.at, .name = text });
}

/* ---- sets and renamings ---------------------------------------------------------------------- */

static bool keep_set(exp_grammar *p, label_set *s)
{
    if (vec_push(p->m, &p->sets, s, p->e) == 0) return true;
    label_set_close(s);
    return false;
}

static bool keep_map(exp_grammar *p, label_map *s)
{
    if (vec_push(p->m, &p->maps, s, p->e) == 0) return true;
    label_map_close(s);
    return false;
}

label_set *exp_grammar_set(exp_grammar *p, label_mode mode, bool all_but)
{
    label_set *s;
    if (label_set_open(&s, p->m, mode, all_but, p->e) != 0) return NULL;
    return keep_set(p, s) ? s : NULL;
}

label_map *exp_grammar_map(exp_grammar *p, label_mode mode)
{
    label_map *s;
    if (label_map_open(&s, p->m, mode, p->e) != 0) return NULL;
    return keep_map(p, s) ? s : NULL;
}

/* A mode for matching labels; the operator must have it. */
static bool choose(exp_grammar *p, exp_mode mode, exp_kind kind, exp_place at,
                   label_mode *out)
{
    static const label_mode modes[] = { LABEL_GATE,    LABEL_GATE,   LABEL_TOTAL,
                                        LABEL_PARTIAL, LABEL_SINGLE, LABEL_MULTIPLE,
                                        LABEL_GATE };
    bool renames = kind == EXP_RENAME;
    bool wrong = mode == EXP_MODE_LABEL ||
                 (renames ? mode == EXP_MODE_PARTIAL
                          : mode == EXP_MODE_SINGLE || mode == EXP_MODE_MULTIPLE);
    *out = modes[mode];
    if (wrong)
        exp_error(at, p->e, "this is no mode of %s; expected %s before it",
                  exp_kind_name(kind),
                  renames ? "gate, total, single or multiple" : "gate, total or partial");
    return !wrong;
}

/* A failure of a rule itself gets its place. */
static bool locate(exp_grammar *p, exp_place at)
{
    if (p->e->code == ERR_NONE) return true;
    if (p->e->code != ERR_INPUT) return false;
    err inner = *p->e;
    *p->e = ERR_INIT;
    exp_error(at, p->e, "%.1000s", inner.text);
    return false;
}

static void check_pattern(const exp_grammar *p, exp_text pattern, exp_place at,
                          label_mode mode)
{
    if (mode == LABEL_GATE)
        exp_check_gate(pattern, true, ", or the word total before the operator", at,
                       p->log);
}

static label_set *set_of(exp_grammar *p, label_mode mode, bool all_but, exp_list names)
{
    bool fold = exp_language_words(p->language).fold;
    label_set *s = exp_grammar_set(p, mode, all_but);
    for (const exp_item *i = names.first; s && i; i = i->next) {
        check_pattern(p, i->from.text, i->from.at, mode);
        label_set_add(s, i->from.text.at, i->from.text.bytes, fold, p->e);
        if (!locate(p, i->from.at)) return NULL;
    }
    return s;
}

static label_map *map_of(exp_grammar *p, label_mode mode, exp_list pairs)
{
    bool fold = exp_language_words(p->language).fold;
    label_map *s = exp_grammar_map(p, mode);
    for (const exp_item *i = pairs.first; s && i; i = i->next) {
        exp_text to;
        if (!exp_grammar_fold(p, i->to.text, &to)) return NULL;
        check_pattern(p, i->from.text, i->from.at, mode);
        label_map_add(s, i->from.text.at, i->from.text.bytes, to.at, to.bytes, fold,
                      p->e);
        if (!locate(p, i->from.at)) return NULL;
    }
    return s;
}

static const char *rule_file(exp_grammar *p, exp_kind kind, exp_word name)
{
    static const char *const suffixes[][3] = { [EXP_HIDE] = { ".hid", ".hide", NULL },
                                               [EXP_CUT] = { ".cut", NULL },
                                               [EXP_RENAME] = { ".ren", ".rename",
                                                                NULL } };
    static const char *const any[] = { "", NULL }; /* its suffix says nothing */
    const char *dot = strrchr(name.text.at, '.');
    bool whole = dot && strchr(dot, '/') == NULL;
    const char *path = exp_files_find(p->files, name.text, name.at, "a file of rules",
                                      whole ? any : suffixes[kind], p->e);
    if (path == NULL || exp_files_note(p->files, path, p->e) != 0) return NULL;
    return path;
}

static label_set *set_from(exp_grammar *p, label_mode mode, exp_kind kind, exp_word name)
{
    label_set *s;
    const char *path = rule_file(p, kind, name);
    if (path == NULL ||
        label_set_read(&s, p->m, mode, exp_kind_name(kind), path, p->e) != 0)
        return NULL;
    for (size_t i = 0; i < label_set_count(s); i++) {
        label_rule r = label_set_rule(s, i);
        check_pattern(p, (exp_text){ r.from, r.from_bytes }, name.at, mode);
    }
    return keep_set(p, s) ? s : NULL;
}

static label_map *map_from(exp_grammar *p, label_mode mode, exp_word name)
{
    label_map *s;
    const char *path = rule_file(p, EXP_RENAME, name);
    if (path == NULL || label_map_read(&s, p->m, mode, path, p->e) != 0) return NULL;
    for (size_t i = 0; i < label_map_count(s); i++) {
        label_rule r = label_map_rule(s, i);
        check_pattern(p, (exp_text){ r.from, r.from_bytes }, name.at, mode);
    }
    return keep_map(p, s) ? s : NULL;
}

/* ---- the operators over one behaviour --------------------------------------------------------- */

exp_node *exp_grammar_select(exp_grammar *p, exp_kind kind, exp_mode mode, exp_place at,
                             const exp_rules *rules, const exp_node *body)
{
    exp_node n = { .kind = kind, .at = at };
    label_mode how;
    if (!choose(p, mode, kind, at, &how)) return NULL;
    n.set = rules->from_file ? set_from(p, how, kind, rules->file)
                             : set_of(p, how, rules->all_but, rules->list);
    return n.set ? exp_grammar_over(p, n, body) : NULL;
}

exp_node *exp_grammar_rename(exp_grammar *p, exp_mode mode, exp_place at,
                             const exp_rules *rules, const exp_node *body)
{
    exp_node n = { .kind = EXP_RENAME, .at = at };
    label_mode how;
    if (!choose(p, mode, EXP_RENAME, at, &how)) return NULL;
    n.map =
        rules->from_file ? map_from(p, how, rules->file) : map_of(p, how, rules->list);
    return n.map ? exp_grammar_over(p, n, body) : NULL;
}

static bool fill_order(exp_grammar *p, exp_order *out, const exp_item *rule,
                       label_mode mode)
{
    label_set **set = exp_grammar_array(p, rule->inner.count, sizeof *set);
    if (set == NULL) return false;
    *out = (exp_order){ set, rule->inner.count, rule->from.at };
    for (const exp_item *i = rule->inner.first; i; i = i->next)
        if ((*set++ = set_of(p, mode, i->all_but, i->inner)) == NULL) return false;
    return true;
}

exp_node *exp_grammar_prio(exp_grammar *p, exp_mode mode, exp_place at, exp_list rules,
                           const exp_node *body)
{
    label_mode how;
    if (!choose(p, mode, EXP_PRIO, at, &how)) return NULL;
    exp_order *order = exp_grammar_array(p, rules.count, sizeof *order), *next = order;
    if (order == NULL) return NULL;
    for (const exp_item *i = rules.first; i; i = i->next)
        if (!fill_order(p, next++, i, how)) return NULL;
    return exp_grammar_over(
        p,
        (exp_node){
            .kind = EXP_PRIO, .at = at, .rules = order, .rule_count = rules.count },
        body);
}
