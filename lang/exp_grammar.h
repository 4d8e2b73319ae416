/*
 * exp_grammar.h - what the lexer, the grammar and their helpers share; nobody else reads it.
 */
#ifndef BESPOKE_EXP_GRAMMAR_H
#define BESPOKE_EXP_GRAMMAR_H

#include "lang/exp_files.h"
#include "lang/exp_language.h"
#include "lang/exp_scan.h"
#include "lang/exp_tree.h"

typedef struct exp_word {
    exp_text text;
    exp_place at;
} exp_word;

/* What a list in the text consists of: names, renamings, vectors, sets, operands. */
typedef struct exp_item exp_item;
typedef struct exp_list {
    exp_item *first, *last;
    size_t count;
} exp_list;

struct exp_item {
    exp_item *next;
    exp_word from,
        to; /* the name; renaming: from, to; vector: to; comm: from, to, result */
    exp_text result; /* comm */
    int64_t degree;  /* of a name in an interface; -1: none */
    bool idle;       /* an item of a vector: _ */
    bool all_but;    /* a set of prio */
    exp_list inner;  /* of a vector, a rule of prio, a set of prio, a local interface */
    const exp_node *node; /* an operand */
};

/* A word before an operator: how labels match. */
typedef enum exp_mode {
    EXP_MODE_NONE,
    EXP_MODE_GATE,
    EXP_MODE_TOTAL,
    EXP_MODE_PARTIAL,
    EXP_MODE_SINGLE,
    EXP_MODE_MULTIPLE,
    EXP_MODE_LABEL
} exp_mode;

/* What an operator that hides, cuts or renames is given. */
typedef struct exp_rules {
    bool all_but, from_file;
    exp_word file;
    exp_list list;
} exp_rules;

typedef enum exp_infix_kind {
    EXP_INFIX_ALL,
    EXP_INFIX_NONE,
    EXP_INFIX_LIST,
    EXP_INFIX_CCS,
    EXP_INFIX_ALPHABETS
} exp_infix_kind;

typedef struct exp_infix {
    exp_infix_kind kind;
    exp_place at;
    exp_list left, right; /* LIST: left alone */
} exp_infix;

/* The context of one parse. */
typedef struct exp_grammar {
    mem *m;
    const log_sink *log;
    err *e;
    arena *store; /* nodes live here, and the grammar's stack */
    exp_files *files;
    exp_language language;
    exp_list comm;
    const exp_node *root; /* the network, when all went well */
    VEC(label_set *) sets;
    VEC(label_map *) maps;
    exp_scan scan;
} exp_grammar;

/* Lists; all of these are false after a failure, which is then in p->e. */
bool exp_list_add(exp_grammar *p, exp_list *l, exp_item like);

/* Nodes, all NULL after a failure, which is then in p->e. */
exp_node *exp_grammar_automaton(exp_grammar *p, exp_word name);
exp_node *exp_grammar_select(exp_grammar *p, exp_kind kind, exp_mode mode, exp_place at,
                             const exp_rules *rules, const exp_node *body);
exp_node *exp_grammar_prio(exp_grammar *p, exp_mode mode, exp_place at, exp_list rules,
                           const exp_node *body);
exp_node *exp_grammar_rename(exp_grammar *p, exp_mode mode, exp_place at,
                             const exp_rules *rules, const exp_node *body);
exp_node *exp_grammar_par(exp_grammar *p, exp_mode mode, exp_place at, bool all,
                          exp_list global, exp_list parts);
exp_node *exp_grammar_vectors(exp_grammar *p, exp_mode mode, exp_place at,
                              exp_list vectors, exp_list parts);
exp_node *exp_grammar_infix(exp_grammar *p, const exp_infix *op, const exp_node *left,
                            const exp_node *right);

/* Behind a behaviour: \, [new/old], [[old <- new]]; the last has `from` and `to` already. */
exp_node *exp_grammar_restrict(exp_grammar *p, exp_place at, exp_list names,
                               const exp_node *body);
exp_node *exp_grammar_relabel(exp_grammar *p, exp_place at, exp_list pairs, bool ccs,
                              const exp_node *body);

/* For the helpers: a node in the arena, one over a single part, a folded text. */
exp_node *exp_grammar_node(exp_grammar *p, exp_node like);
exp_node *exp_grammar_over(exp_grammar *p, exp_node like, const exp_node *body);
bool exp_grammar_fold(exp_grammar *p, exp_text text, exp_text *out);

/* An empty set or renaming that the network owns; NULL after a failure. */
label_set *exp_grammar_set(exp_grammar *p, label_mode mode, bool all_but);
label_map *exp_grammar_map(exp_grammar *p, label_mode mode);

/* `n` items in the arena, zero; never NULL for none unless it failed. */
void *exp_grammar_array(exp_grammar *p, size_t n, size_t size);

/** Rules of communication as the network keeps them.  0, ERR_INPUT, ERR_LIMIT. */
int exp_grammar_comm(exp_grammar *p, const exp_comm **out, size_t *count);

/* The grammar itself; generated. */
int exp_yyparse(struct exp_grammar *p);

#endif
