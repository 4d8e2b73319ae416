/*
 * exp_scan.c - tokens of a network and of what it includes, as the grammar asks for them.
 *
 * Idea       Files lie on a stack, each with its own lexer.  A quoted name that ends in .exp
 *            and stands where an automaton may is replaced by the tokens of that file:
 *            nothing is put around them, as if the text had been copied.
 * Invariant  No file is on the stack twice, so one copy of its text serves all inclusions.
 * Cost       Linear in the text, included ones counted as often as they are included.
 */
#include "lang/exp_scan.h"

#include "lang/exp_grammar.h"

#include "exp_lexer.h"
#include "exp_parser.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

enum { DEPTH_MAX = 200, WORK_MAX = 64 << 20, WORK_PER_FILE = 4096 };

/* The grammar's token for "an error has been reported"; its name differs between bisons. */
enum { FAILED = 256 };

void *exp_scan_lexer_memory(exp_open_file *f, size_t bytes)
{
    size_t size = (bytes + 15) & ~(size_t)15;
    assert(size <= sizeof f->lexer_memory - f->lexer_used);
    void *block = f->lexer_memory + f->lexer_used;
    f->lexer_used += size;
    return block;
}

int exp_scan_open(exp_grammar *p, text_file *file)
{
    exp_open_file *f = arena_get(p->store, sizeof *f, p->e);
    if (f == NULL) return (int)p->e->code;
    f->outer = p->scan.top;
    f->file = file;
    f->p = p;
    f->line = f->column = 1;
    exp_flex_lex_init_extra(f, &f->lexer);
    exp_flex__scan_buffer(file->text, file->bytes + 2, f->lexer);
    p->scan.top = f;
    p->scan.depth++;
    p->scan.work += file->bytes + WORK_PER_FILE;
    return 0;
}

/* ---- for the lexer -------------------------------------------------------------------------- */

int exp_scan_fail(exp_open_file *f, const exp_token *t, const char *what)
{
    exp_error(t->at, f->p->e, "%s", what);
    return FAILED;
}

int exp_scan_bad_byte(exp_open_file *f, const exp_token *t)
{
    char c = t->raw.at[0];
    const char *hint = "a network of automata";
    if (c == '.') hint = "names with a dot in double quotes";
    if (c == '!' || c == '?') hint = "labels with offers in double quotes";
    if (c == '\'') hint = "names with ' in double quotes";
    if (c == '-') hint = "-> or a comment, --";
    if (c == '<') hint = "<- inside [[ ]]";
    if (isprint((unsigned char)c))
        exp_error(t->at, f->p->e, "'%c' means nothing here; expected %s", c, hint);
    else
        exp_error(t->at, f->p->e, "the byte %u means nothing here; expected %s",
                  (unsigned)(unsigned char)c, hint);
    return FAILED;
}

static char *room(exp_open_file *f, size_t bytes)
{
    return arena_get(f->p->store, bytes + 1, f->p->e);
}

int exp_scan_name(exp_open_file *f, exp_token *t, int kind)
{
    if (t->raw.at[t->raw.bytes - 1] == '_')
        return exp_scan_fail(f, t,
                             "this name ends in _; expected double quotes around it");
    char *copy = room(f, t->raw.bytes);
    if (copy == NULL) return FAILED;
    memcpy(copy, t->raw.at, t->raw.bytes);
    copy[t->raw.bytes] = '\0';
    t->text = (exp_text){ copy, t->raw.bytes };
    return kind;
}

/* The byte that a backslash and `c` stand for; 0: both stay, for regular expressions. */
static char escaped(char c)
{
    static const char written[] = "abfrtv'\"?\\", meant[] = "\a\b\f\r\t\v'\"?\\";
    const char *at = strchr(written, c);
    return at ? meant[at - written] : '\0';
}

int exp_scan_quoted(exp_open_file *f, exp_token *t, int kind)
{
    char *copy = room(f, t->raw.bytes);
    if (copy == NULL) return FAILED;
    size_t count = 0;
    for (size_t i = 1; i + 1 < t->raw.bytes; i++) {
        char c = t->raw.at[i], one = '\0';
        if (c == '\\') one = escaped(t->raw.at[++i]);
        if (c == '\\' && one == '\0') copy[count++] = '\\';
        copy[count++] = one ? one : t->raw.at[i];
    }
    copy[count] = '\0';
    t->text = (exp_text){ copy, count };
    return kind;
}

int exp_scan_number(exp_open_file *f, exp_token *t, int kind)
{
    enum { DIGITS_MAX = 15 };
    if (t->raw.bytes > DIGITS_MAX)
        return exp_scan_fail(f, t,
                             "this number is too large; expected at most 15 digits");
    for (size_t i = 0; i < t->raw.bytes; i++)
        t->number = 10 * t->number + (t->raw.at[i] - '0');
    return kind;
}

/* ---- inclusion ------------------------------------------------------------------------------ */

static int take(exp_open_file *f, exp_token *t)
{
    if (f->holding) {
        *t = f->held;
        f->holding = false;
        return t->kind;
    }
    *t = (exp_token){ .kind = 0 };
    t->kind = exp_lexer_next(t, f->lexer);
    return t->kind;
}

/* Only a label is followed by one of these. */
static bool is_followed_as_label(exp_open_file *f)
{
    take(f, &f->held);
    f->holding = true;
    int kind = f->held.kind;
    return kind == ',' || kind == '#' || kind == EXP_T_IN || kind == EXP_T_ARROW;
}

static bool names_network(exp_grammar *p, const exp_token *t)
{
    size_t n = t->text.bytes;
    if (t->kind != EXP_T_STRING || p->scan.list || p->scan.last == '\\') return false;
    if (n < 4 || memcmp(t->text.at + n - 4, ".exp", 4) != 0) return false;
    return !is_followed_as_label(p->scan.top);
}

static int include(exp_grammar *p, const exp_token *t)
{
    static const char *const suffixes[] = { ".exp", NULL };
    text_file *file;
    const char *path =
        exp_files_find(p->files, t->text, t->at, "a network to include", suffixes, p->e);
    if (path == NULL || exp_files_text(p->files, path, &file, p->e) != 0)
        return (int)p->e->code;
    for (const exp_open_file *f = p->scan.top; f; f = f->outer)
        if (f->file == file)
            return exp_error(
                t->at, p->e,
                "%.2000s includes itself; expected inclusions without a cycle",
                file->name);
    if (p->scan.depth >= DEPTH_MAX)
        return exp_error(t->at, p->e, "inclusions are more than %d deep; expected fewer",
                         DEPTH_MAX);
    if (p->scan.work + file->bytes > WORK_MAX)
        return exp_error(t->at, p->e,
                         "the inclusions make too much text; expected fewer of them");
    return exp_scan_open(p, file);
}

/* The next token of all files. */
static int next(exp_grammar *p, exp_token *t)
{
    for (;;) {
        exp_open_file *f = p->scan.top;
        if (take(f, t) == FAILED) return FAILED;
        if (t->kind == 0 && f->outer) {
            exp_flex_lex_destroy(f->lexer);
            p->scan.top = f->outer;
            p->scan.depth--;
        } else if (!names_network(p, t)) {
            return t->kind;
        } else if (f->held.kind == FAILED || include(p, t) != 0) {
            return FAILED;
        }
    }
}

/* ---- for the grammar ------------------------------------------------------------------------ */

/* `end` and the word behind it are one token. */
static int join_end(exp_grammar *p, exp_token *t)
{
    static const struct {
        int word, joined;
        const char *text;
    } ends[] = { { EXP_T_COMM, EXP_T_END_COMM, "end comm" },
                 { EXP_T_CUT, EXP_T_END_CUT, "end cut" },
                 { EXP_T_HIDE, EXP_T_END_HIDE, "end hide" },
                 { EXP_T_PAR, EXP_T_END_PAR, "end par" },
                 { EXP_T_PRIO, EXP_T_END_PRIO, "end prio" },
                 { EXP_T_RENAME, EXP_T_END_RENAME, "end rename" } };
    exp_token end = *t;
    if (next(p, t) == FAILED) return FAILED;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i].word == t->kind) {
            t->kind = ends[i].joined;
            t->at = end.at;
            t->raw = (exp_text){ ends[i].text, strlen(ends[i].text) };
            return t->kind;
        }
    exp_error(end.at, p->e,
              "end alone; expected hide, cut, rename, prio, par or comm "
              "behind it");
    return FAILED;
}

static bool opens_list(int kind)
{
    return kind == EXP_T_HIDE || kind == EXP_T_CUT || kind == EXP_T_PRIO ||
           kind == EXP_T_RENAME || kind == EXP_T_USING || kind == EXP_T_COMM ||
           kind == '{' || kind == '[' || kind == EXP_T_MAP_OPEN ||
           kind == EXP_T_GATES_OPEN || kind == EXP_T_CSP_OPEN;
}

static bool closes_list(int kind)
{
    return kind == EXP_T_IN || kind == EXP_T_END_COMM || kind == '}' || kind == ']' ||
           kind == EXP_T_MAP_CLOSE || kind == EXP_T_GATES_CLOSE ||
           kind == EXP_T_CSP_CLOSE;
}

int exp_yylex(EXP_YYSTYPE *value, EXP_YYLTYPE *at, exp_grammar *p)
{
    exp_scan *s = &p->scan;
    exp_token *t = &s->token;
    if (next(p, t) == FAILED) return FAILED;
    if (t->kind == EXP_T_WORD_END && join_end(p, t) == FAILED) return FAILED;
    if (t->kind == 0) t->at = t->behind = s->behind;
    if (t->kind == EXP_T_NUMBER) value->number = t->number;
    if (t->kind == EXP_T_NAME || t->kind == EXP_T_STRING)
        value->word = (exp_word){ t->text, t->at };
    if (opens_list(t->kind)) s->list = true;
    if (closes_list(t->kind)) s->list = false;
    s->last = t->kind;
    s->behind = t->behind;
    *at = t->at;
    return t->kind;
}
