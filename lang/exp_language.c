#include "lang/exp_language.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static exp_text text_of(const char *at) { return (exp_text){ at, at ? strlen(at) : 0 }; }

exp_words exp_language_words(exp_language l)
{
#define WORDS(id, word, hidden, end, fold) { word, hidden, end, fold },
    static const struct {
        const char *keyword, *hidden, *termination;
        bool fold;
    } words[] = { EXP_LANGUAGES(WORDS) };
#undef WORDS
    return (exp_words){ words[l].keyword, text_of(words[l].hidden),
                        text_of(words[l].termination), words[l].fold };
}

static bool is_begun_by(exp_text text, exp_text word, bool fold)
{
    if (word.at == NULL || text.bytes < word.bytes) return false;
    return fold ? strncasecmp(text.at, word.at, word.bytes) == 0
                : memcmp(text.at, word.at, word.bytes) == 0;
}

/* Is the gate of `text` this one? */
static bool has_gate(exp_text text, exp_text gate, bool fold)
{
    return is_begun_by(text, gate, fold) && label_gate(text.at, text.bytes) == gate.bytes;
}

int exp_language_fold(exp_language l, arena *a, exp_text text, exp_text *out, err *e)
{
    exp_words w = exp_language_words(l);
    *out = text;
    if (!w.fold) return 0;
    char *copy = arena_get(a, text.bytes + 1, e);
    if (copy == NULL) return (int)e->code;
    for (size_t i = 0; i <= text.bytes; i++)
        copy[i] = (char)toupper((unsigned char)text.at[i]);
    if (text.bytes == w.hidden.bytes && is_begun_by(text, w.hidden, true))
        memcpy(copy, w.hidden.at, w.hidden.bytes);
    if (has_gate(text, w.termination, true))
        memcpy(copy, w.termination.at, w.termination.bytes);
    *out = (exp_text){ copy, text.bytes };
    return 0;
}

bool exp_language_is_hidden(exp_language l, exp_text text)
{
    return exp_text_equal(exp_language_words(l).hidden, text);
}

bool exp_language_is_termination(exp_language l, exp_text text)
{
    return has_gate(text, exp_language_words(l).termination, false);
}

bool exp_text_equal(exp_text a, exp_text b)
{
    return a.bytes == b.bytes && memcmp(a.at, b.at, a.bytes) == 0;
}
