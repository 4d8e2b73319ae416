/*
 * exp_language.h - the languages that operators of networks are taken from: their words.
 */
#ifndef BESPOKE_EXP_LANGUAGE_H
#define BESPOKE_EXP_LANGUAGE_H

#include "lang/exp.h"

/* id, keyword, hidden label, termination gate, is case ignored */
#define EXP_LANGUAGES(X)                    \
    X(NONE, "", "i", "exit", false)         \
    X(LOTOS, "lotos", "i", "exit", true)    \
    X(ELOTOS, "elotos", "i", "exit", false) \
    X(CCS, "ccs", "t", NULL, true)          \
    X(CSP, "csp", "t", "delta", true)       \
    X(MCRL, "mcrl", "tau", NULL, false)

#define EXP_LANGUAGE_ENUM(id, word, hidden, end, fold) EXP_LANGUAGE_##id,
typedef enum { EXP_LANGUAGES(EXP_LANGUAGE_ENUM) EXP_LANGUAGE_COUNT } exp_language;
#undef EXP_LANGUAGE_ENUM

#define EXP_COACTION "'"

typedef struct exp_words {
    const char *keyword;
    exp_text hidden, termination; /* at == NULL: no such gate */
    bool fold;
} exp_words;

exp_words exp_language_words(exp_language l);

/** A text as the language writes it: upper case where case is ignored, but for the hidden
    label and the termination gate; `out` is `text` or in the arena.  0 or ERR_LIMIT. */
int exp_language_fold(exp_language l, arena *a, exp_text text, exp_text *out, err *e);

/* Is this, folded already, the hidden label; does it lie on the termination gate? */
bool exp_language_is_hidden(exp_language l, exp_text text);
bool exp_language_is_termination(exp_language l, exp_text text);

bool exp_text_equal(exp_text a, exp_text b);

#endif
