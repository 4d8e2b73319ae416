#include "lang/mcl_grammar.h"

#include "mcl_parser.h"
#define YYSTYPE MCL_YYSTYPE /* as the lexer's header calls them */
#define YYLTYPE MCL_YYLTYPE
#include "mcl_lexer.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

void *mcl_grammar_lexer_memory(mcl_grammar *p, size_t bytes)
{
    size_t size = (bytes + 15) & ~(size_t)15;
    assert(size <= sizeof p->lexer_memory - p->lexer_used);
    void *block = p->lexer_memory + p->lexer_used;
    p->lexer_used += size;
    return block;
}

int mcl_grammar_run(mcl_grammar *p)
{
    size_t bytes = p->text->expanded.count; /* the two NULs included */
    p->input = arena_get(p->store, bytes, p->e);
    if (p->input == NULL) return (int)p->e->code;
    memcpy(p->input, p->text->expanded.at, bytes);
    void *scanner = NULL;
    mcl_yylex_init_extra(p, &scanner);
    mcl_yy_scan_buffer(p->input, bytes, scanner);
    int rc = mcl_yyparse(scanner, p);
    mcl_yylex_destroy(scanner);
    assert((rc == 0) == (p->e->code == ERR_NONE));
    return (int)p->e->code;
}

void mcl_grammar_error(mcl_grammar *p, mcl_span at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mcl_text_verror(p->text, mcl_text_origin(p->text, at.begin), ERR_INPUT, p->e, format,
                    args);
    va_end(args);
}

static bool copy(mcl_grammar *p, mcl_literal *out, const char *text, size_t bytes)
{
    char *place = arena_get(p->store, bytes + 1, p->e);
    if (place == NULL) return false;
    if (bytes > 0) memcpy(place, text, bytes);
    place[bytes] = '\0';
    *out = (mcl_literal){ .text = place, .bytes = bytes };
    return true;
}

bool mcl_grammar_name(mcl_grammar *p, mcl_literal *out, const char *token, size_t bytes)
{
    return copy(p, out, token, bytes);
}

/* A backslash before the quote is dropped; all others stay. */
bool mcl_grammar_quoted(mcl_grammar *p, mcl_literal *out, const char *token, size_t bytes)
{
    char quote = token[0], *place = arena_get(p->store, bytes, p->e);
    if (place == NULL) return false;
    size_t count = 0;
    for (size_t i = 1; i + 1 < bytes; i++) {
        if (token[i] == '\\' && token[i + 1] != quote) place[count++] = token[i++];
        else if (token[i] == '\\') i++;
        place[count++] = token[i];
    }
    place[count] = '\0';
    *out = (mcl_literal){ quote == '\'', place, count };
    return true;
}

/* A string as a regular expression that matches it alone. */
static bool escape(mcl_grammar *p, mcl_literal *out)
{
    char *place = arena_get(p->store, 2 * out->bytes + 1, p->e);
    if (place == NULL) return false;
    size_t count = 0;
    for (size_t i = 0; i < out->bytes; i++) {
        if (strchr(".*[]^$\\", out->text[i])) place[count++] = '\\';
        place[count++] = out->text[i];
    }
    place[count] = '\0';
    *out = (mcl_literal){ true, place, count };
    return true;
}

bool mcl_grammar_concatenate(mcl_grammar *p, mcl_literal *out, mcl_literal a,
                             mcl_literal b)
{
    if (a.regexp && !b.regexp && !escape(p, &b)) return false;
    if (b.regexp && !a.regexp && !escape(p, &a)) return false;
    char *place = arena_get(p->store, a.bytes + b.bytes + 1, p->e);
    if (place == NULL) return false;
    memcpy(place, a.text, a.bytes);
    memcpy(place + a.bytes, b.text, b.bytes + 1);
    *out = (mcl_literal){ a.regexp || b.regexp, place, a.bytes + b.bytes };
    return true;
}

static mcl_node *make(mcl_grammar *p, mcl_node like)
{
    like.number = p->nodes++;
    mcl_node *n = mcl_tree_node(p->store, like, p->e);
    if (n == NULL || n->height <= MCL_HEIGHT_MAX) return n;
    mcl_grammar_error(p, like.at, "nested more than %d deep; expected a flatter formula",
                      MCL_HEIGHT_MAX);
    return NULL;
}

mcl_node *mcl_grammar_node(mcl_grammar *p, mcl_kind kind, mcl_span at,
                           const mcl_node *left, const mcl_node *right)
{
    return make(p, (mcl_node){ .kind = kind, .at = at, .left = left, .right = right });
}

mcl_node *mcl_grammar_named(mcl_grammar *p, mcl_kind kind, mcl_span at, mcl_literal name,
                            const mcl_node *left)
{
    return make(p, (mcl_node){ .kind = kind,
                               .at = at,
                               .left = left,
                               .text = name.text,
                               .bytes = name.bytes });
}

void mcl_grammar_bad_byte(mcl_grammar *p, mcl_span at)
{
    char c = p->text->expanded.at[at.begin];
    const char *hint = "a formula of MCL version 3";
    if (c == '{' || c == '}')
        hint = "actions as strings, \"SEND !1\"; {...} is version 4";
    if (c == '&' || c == '!' || c == '~') hint = "the words and, or, not";
    if (c == '-') hint = "-| behind a box";
    if (c == '=') hint = "the words implies or equ, or macro before a definition";
    if (isprint((unsigned char)c))
        mcl_grammar_error(p, at, "'%c' means nothing here; expected %s", c, hint);
    else
        mcl_grammar_error(p, at, "the byte %u means nothing here; expected %s",
                          (unsigned)(unsigned char)c, hint);
}

/* The text's end is where its last word ends, not some empty lines later. */
static mcl_span text_end(const mcl_grammar *p)
{
    const char *text = p->text->expanded.at;
    uint32_t end = (uint32_t)p->text->expanded.count - 2; /* without the NULs */
    while (end > 0 && isspace((unsigned char)text[end - 1])) end--;
    return (mcl_span){ end, end };
}

static const char *hint_for(const mcl_grammar *p, const mcl_unexpected *u)
{
    size_t bytes = u->at.end - u->at.begin;
    const char *text = p->text->expanded.at + u->at.begin;
    if (u->wants_action && u->name && bytes == 3 && memcmp(text, "tau", 3) == 0)
        return "; the hidden action is written \"i\"";
    if (u->wants_action && u->name) return "; labels are written in double quotes";
    if (u->wants_formula && u->quoted) return "; actions stand inside < > or [ ]";
    return "";
}

void mcl_grammar_unexpected(mcl_grammar *p, const mcl_unexpected *u)
{
    const char *wanted = u->wants_formula  ? "a state formula"
                         : u->wants_action ? "an action or a regular formula"
                                           : u->other;
    int bytes = (int)(u->at.end - u->at.begin);
    if (u->end)
        mcl_grammar_error(p, text_end(p), "the formula ends here; expected %s", wanted);
    else
        mcl_grammar_error(p, u->at, "found %.*s; expected %s%s", bytes > 60 ? 60 : bytes,
                          p->text->expanded.at + u->at.begin, wanted, hint_for(p, u));
}
