/*
 * mcl_grammar.h - what the lexer, the grammar and their helpers share; nobody else reads it.
 */
#ifndef BESPOKE_MCL_GRAMMAR_H
#define BESPOKE_MCL_GRAMMAR_H

#include "lang/mcl_text.h"

#include <stdalign.h>

/* The context of one parse. */
typedef struct mcl_grammar {
    arena *store;         /* nodes live here, and the grammar's stack */
    const mcl_text *text; /* borrowed; the expanded text is what is parsed */
    char *input;          /* a copy of it that the lexer may write to */
    mcl_node *root;       /* the formula, when all went well */
    uint32_t nodes;       /* made so far */
    uint32_t offset;      /* of the lexer */
    err *e;
    /* The lexer's own state: it asks for three small blocks and cannot be told no. */
    size_t lexer_used;
    alignas(16) unsigned char lexer_memory[1024];
} mcl_grammar;

/* A string or regular expression on its way through the grammar. */
typedef struct mcl_literal {
    bool regexp;
    const char *text;
    size_t bytes;
} mcl_literal;

/** Parse the expanded text into p->root.  0, or the code in p->e. */
int mcl_grammar_run(mcl_grammar *p);

/* For the lexer: a quoted token without its quotes, a name, a byte that belongs nowhere. */
bool mcl_grammar_quoted(mcl_grammar *p, mcl_literal *out, const char *token,
                        size_t bytes);
bool mcl_grammar_name(mcl_grammar *p, mcl_literal *out, const char *token, size_t bytes);
void mcl_grammar_bad_byte(mcl_grammar *p, mcl_span at);
void *mcl_grammar_lexer_memory(mcl_grammar *p, size_t bytes);

/* For the grammar: nodes, all NULL after a failure, which is then in p->e. */
mcl_node *mcl_grammar_node(mcl_grammar *p, mcl_kind kind, mcl_span at,
                           const mcl_node *left, const mcl_node *right);
mcl_node *mcl_grammar_named(mcl_grammar *p, mcl_kind kind, mcl_span at, mcl_literal name,
                            const mcl_node *left);
bool mcl_grammar_concatenate(mcl_grammar *p, mcl_literal *out, mcl_literal a,
                             mcl_literal b);

/** Record an error at a place of the expanded text. */
void mcl_grammar_error(mcl_grammar *p, mcl_span at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What the grammar could have taken instead of the token at `at`. */
typedef struct mcl_unexpected {
    mcl_span at;
    bool end;           /* nothing was left */
    bool name;          /* an identifier was found */
    bool quoted;        /* a string or regular expression was found */
    bool wants_formula; /* a state formula could begin here */
    bool wants_action;  /* an action could begin here */
    char other[200];    /* else: the tokens, for people */
} mcl_unexpected;

void mcl_grammar_unexpected(mcl_grammar *p, const mcl_unexpected *u);

#endif
