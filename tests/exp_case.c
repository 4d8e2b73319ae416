#include "tests/exp_case.h"

#include "lang/exp_tree.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

exp_case exp_case_open(void)
{
    exp_case c = { .dir = scratch_open() };
    snprintf(c.path, sizeof c.path, "%s", scratch_path(&c.dir, "main.exp"));
    for (const char *name = "abcd"; *name; name++)
        exp_case_write(&c, (char[]){ *name, '.', 'a', 'u', 't', '\0' }, "des (0,0,1)\n");
    return c;
}

void exp_case_close(exp_case *c) { scratch_close(&c->dir); }

void exp_case_write(exp_case *c, const char *name, const char *text)
{
    scratch_write(scratch_path(&c->dir, name), text, strlen(text));
}

/* Take the folder out of a text, and what is around the name of an automaton. */
static void shorten(const exp_case *c, char *text)
{
    size_t folder = strlen(c->dir.dir);
    char *to = text;
    for (const char *p = text; *p;) {
        bool quoted = *p == '"';
        if (strncmp(p + quoted, c->dir.dir, folder) != 0) {
            *to++ = *p++;
            continue;
        }
        p += quoted + folder + 1;
        if (quoted && strncmp(p + 1, ".aut\"", 5) == 0) {
            *to++ = *p;
            p += 6;
        } else if (quoted) {
            *to++ = '"';
        }
    }
    *to = '\0';
}

char *exp_case_outcome(exp_case *c, const char *text, const log_sink *log, err_code *code)
{
    mem m = MEM_INIT;
    err e = ERR_INIT;
    exp_options o = { .m = &m, .log = log };
    exp_net *n;
    char *out = NULL;
    size_t bytes;
    scratch_write(c->path, text, strlen(text));
    FILE *to = open_memstream(&out, &bytes);
    if (exp_read(&n, c->path, &o, &e) == 0) exp_tree_print_net(n, to);
    else fputs(e.text, to);
    fclose(to);
    exp_close(n);
    *code = m.now == 0 ? e.code : ERR_SYSTEM; /* a leak is never expected */
    shorten(c, out);
    return out;
}

/* ---- random networks ----------------------------------------------------------------------- */

/* What may stand somewhere: see the manual on hide without an end. */
typedef enum level { UNARY, CLOSED, OPEN } level;

typedef struct writer {
    random_stream *r;
    FILE *text, *tree;
    bool ccs, csp, mcrl, fold;
} writer;

static unsigned pick(writer *w, unsigned below)
{
    return (unsigned)random_below(w->r, below);
}

/* A token of the text, with something between it and the one before. */
static void put(writer *w, const char *token)
{
    static const char *const between[] = { " ",          " ",    " ",
                                           "\n",         "\t ",  " (* a || b **) ",
                                           " -- hide\n", "\r\n " };
    fprintf(w->text, "%s%s", between[pick(w, 8)], token);
}

/* The tree goes on so. */
#define expect(w, ...) fprintf((w)->tree, __VA_ARGS__)

/* A name and how it is meant; in the text with or without quotes. */
static const char *put_name(writer *w)
{
    static const char *const rows[][2] = {
        { "A", "A" },
        { "send", "send" },
        { "\"B\"", "B" },
        { "A_1b", "A_1b" },
        { "\"hide\"", "hide" },
        { "\"C\\\"\\\\\\\\\"", "C\"\\\\" },
        { "\"x.exp\"", "x.exp" },
        { "\"P\\.Q\"", "P\\.Q" },
        { "\"t'\\?\"", "t'?" },
    };
    unsigned i = pick(w, sizeof rows / sizeof *rows);
    put(w, rows[i][0]);
    return rows[i][1];
}

/* In the tree everything is quoted. */
static void expect_name(writer *w, const char *name, bool fold)
{
    fputc('"', w->tree);
    for (; *name; name++) {
        if (*name == '"' || *name == '\\') fputc('\\', w->tree);
        fputc(fold ? toupper((unsigned char)*name) : *name, w->tree);
    }
    fputc('"', w->tree);
}

static void both_names(writer *w, unsigned least, bool fold)
{
    for (unsigned i = 0, n = least + pick(w, 3); i < n; i++) {
        if (i > 0) put(w, ","), expect(w, ", ");
        expect_name(w, put_name(w), fold);
    }
}

static void both_interface(writer *w)
{
    for (unsigned i = 0, n = 1 + pick(w, 2); i < n; i++) {
        if (i > 0) put(w, ","), expect(w, ", ");
        expect_name(w, put_name(w), w->fold);
        if (pick(w, 3) > 0) continue;
        char number[8];
        snprintf(number, sizeof number, "%u", pick(w, 4));
        put(w, "#");
        put(w, number);
        expect(w, "#%s", number);
    }
}

static void behaviour(writer *w, level at, unsigned depth);

/* An operator's mode, of those that it has; the tree names the one that is meant. */
static void both_mode(writer *w, const char *kind, const char *const *modes, unsigned n)
{
    unsigned i = pick(w, n + 1);
    if (i < n) put(w, modes[i]);
    put(w, kind);
    expect(w, "%s %s ", i < n ? modes[i] : "gate", kind);
}

static void both_end(writer *w, const char *kind)
{
    put(w, "end");
    put(w, kind);
    expect(w, " end %s", kind);
}

static void set_operator(writer *w, const char *kind, unsigned depth)
{
    static const char *const modes[] = { "gate", "total", "partial" };
    both_mode(w, kind, modes, 3);
    bool all_but = pick(w, 3) == 0;
    if (all_but) put(w, "all"), put(w, "but"), expect(w, "all but ");
    both_names(w, 0, false);
    put(w, "in");
    expect(w, " in ");
    behaviour(w, CLOSED, depth - 1);
    both_end(w, kind);
}

static void rename_operator(writer *w, unsigned depth)
{
    static const char *const modes[] = { "gate", "total", "single", "multiple" };
    both_mode(w, "rename", modes, 4);
    for (unsigned i = 0, n = 1 + pick(w, 3); i < n; i++) {
        if (i > 0) put(w, ","), expect(w, ", ");
        expect_name(w, put_name(w), false);
        put(w, "->");
        expect(w, " -> ");
        expect_name(w, put_name(w), w->fold);
    }
    put(w, "in");
    expect(w, " in ");
    behaviour(w, CLOSED, depth - 1);
    both_end(w, "rename");
}

static void prio_operator(writer *w, unsigned depth)
{
    static const char *const modes[] = { "gate", "total", "partial" };
    both_mode(w, "prio", modes, 3);
    for (unsigned i = 0, n = 1 + pick(w, 2); i < n; i++) {
        if (i > 0) expect(w, " ");
        for (unsigned k = 0, sets = 2 + pick(w, 2); k < sets; k++) {
            if (k > 0) put(w, ">"), expect(w, " > ");
            if (pick(w, 3) == 0) put(w, "all"), put(w, "but"), expect(w, "all but ");
            both_names(w, 1, false);
        }
    }
    put(w, "in");
    expect(w, " in ");
    behaviour(w, CLOSED, depth - 1);
    both_end(w, "prio");
}

static void par_operator(writer *w, unsigned depth)
{
    static const char *const modes[] = { "gate", "label" };
    both_mode(w, "par", modes, 2);
    unsigned interface = pick(w, 3);
    if (interface == 0) put(w, "all"), expect(w, "all");
    if (interface == 1) both_interface(w);
    if (interface < 2) put(w, "in"), expect(w, " in ");
    for (unsigned i = 0, n = 1 + pick(w, 3); i < n; i++) {
        if (i > 0) put(w, "||"), expect(w, " || ");
        if (pick(w, 3) == 0) both_interface(w), put(w, "->"), expect(w, " -> ");
        behaviour(w, UNARY, depth - 1);
    }
    both_end(w, "par");
}

static void vector_operator(writer *w, unsigned depth)
{
    static const char *const modes[] = { "gate", "label" };
    unsigned parts = 1 + pick(w, 3);
    both_mode(w, "par", modes, 2);
    put(w, "using");
    expect(w, "using ");
    for (unsigned i = 0, n = 1 + pick(w, 3); i < n; i++) {
        if (i > 0) put(w, ","), expect(w, ", ");
        for (unsigned k = 0; k < parts; k++) {
            if (k > 0) put(w, pick(w, 2) ? "*" : "||"), expect(w, " * ");
            if (k > 0 && pick(w, 2)) put(w, "_"), expect(w, "_");
            else expect_name(w, put_name(w), w->fold);
        }
        put(w, "->");
        expect(w, " -> ");
        expect_name(w, put_name(w), w->fold);
    }
    put(w, "in");
    expect(w, " in ");
    for (unsigned k = 0; k < parts; k++) {
        if (k > 0) put(w, "||"), expect(w, " || ");
        behaviour(w, UNARY, depth - 1);
    }
    both_end(w, "par");
}

/* Behind a behaviour stand plain names here, so that nothing needs an escape. */
static void postfix_operator(writer *w, unsigned depth)
{
    static const char *const texts[] = { "\\ x", "\\ {x , \"'y\"}", "\\{}", "[y/x]",
                                         "[[x<-y]]" };
    static const char *const ccs[] = { "\"x\", \"'x\"", "\"x\", \"'x\", \"y\", \"'y\"",
                                       "" };
    static const char *const csp[] = { "\"x\"", "\"x\", \"'y\"", "" };
    unsigned i = pick(w, 5);
    const char *y = w->fold ? "Y" : "y";
    const char *kind = i > 2 ? "rename" : w->csp ? "hide" : "cut";
    expect(w, "gate %s ", kind);
    if (i < 3) expect(w, "%s", w->csp ? csp[i] : ccs[i]);
    if (i > 2) expect(w, "\"x\" -> \"%s\"", y);
    if (i == 3) expect(w, ", \"'x\" -> \"'%s\"", y);
    expect(w, " in ");
    behaviour(w, UNARY, depth - 1);
    put(w, texts[i]);
    expect(w, " end %s", kind);
}

static void unary(writer *w, unsigned depth)
{
    static const char *const automata[] = { "a", "\"b\"", "\"c.aut\"", "d" };
    static const char names[] = "abcd";
    unsigned choice = depth == 0 ? 0 : pick(w, 10);
    if (choice <= 1) {
        unsigned i = pick(w, 4);
        put(w, automata[i]);
        expect(w, "%c", names[i]);
    } else if (choice == 2) {
        put(w, "(");
        behaviour(w, OPEN, depth - 1);
        put(w, ")");
    } else if (choice == 3) set_operator(w, "hide", depth);
    else if (choice == 4) set_operator(w, "cut", depth);
    else if (choice == 5) rename_operator(w, depth);
    else if (choice == 6) prio_operator(w, depth);
    else if (choice == 7) par_operator(w, depth);
    else if (choice == 8) vector_operator(w, depth);
    else postfix_operator(w, depth);
}

/* The right operand takes all that follows. */
static void infix(writer *w, level at, unsigned depth)
{
    unsigned op = pick(w, 5);
    bool pair = op == 3 || (op == 0 && w->mcrl);
    FILE *names = NULL;
    char *gates = NULL;
    size_t bytes;
    if (pair) expect(w, "(");
    else expect(w, "gate par %s", op == 0 ? "all in " : "");
    FILE *text = w->text;
    if (op == 2 || op == 4) { /* the gates come later in the text than in the tree */
        names = w->text = open_memstream(&gates, &bytes);
        unsigned n = pick(w, 3);
        for (unsigned i = 0; i < n; i++) {
            if (i > 0) put(w, ","), expect(w, ", ");
            expect_name(w, put_name(w), w->fold);
        }
        fclose(names);
        w->text = text;
        if (n > 0) expect(w, " in ");
    }
    unary(w, depth - 1);
    expect(w, "%s", !pair ? " || " : op == 3 ? " | " : " || ");
    static const char *const open[] = { "||", "|||", "|[", "|", "[|{" };
    static const char *const close[] = { "", "", "]|", "", "}|]" };
    put(w, open[op]);
    if (gates) put(w, gates), put(w, close[op]);
    free(gates);
    behaviour(w, at, depth - 1);
    expect(w, pair ? ")" : " end par");
}

static void behaviour(writer *w, level at, unsigned depth)
{
    if (at == UNARY || depth == 0 || pick(w, 2) == 0) {
        unary(w, depth);
    } else if (at == OPEN && pick(w, 3) == 0) {
        put(w, "hide");
        expect(w, "gate hide ");
        both_names(w, 0, false);
        put(w, "in");
        expect(w, " in ");
        behaviour(w, OPEN, depth - 1);
        expect(w, " end hide");
    } else {
        infix(w, at, depth);
    }
}

static void header(writer *w)
{
    static const char *const words[] = { "", "lotos", "elotos", "ccs", "csp", "mcrl" };
    unsigned i = pick(w, 6);
    w->ccs = i == 3;
    w->csp = i == 4;
    w->mcrl = i == 5;
    w->fold = i == 1 || w->ccs || w->csp;
    if (i > 1 || (i == 1 && pick(w, 2))) put(w, words[i]);
    if (i > 0)
        put(w, pick(w, 2) ? "behaviour" : "behavior"),
            expect(w, "%s behaviour ", words[i]);
    if (!w->mcrl || pick(w, 2)) return;
    put(w, "comm x | y = z, x|x = \"w\" end comm");
    expect(w, "comm \"x\" | \"y\" = \"z\", \"x\" | \"x\" = \"w\" end comm ");
}

exp_case_text exp_case_random(random_stream *r)
{
    exp_case_text out = { NULL, NULL };
    size_t text_bytes, tree_bytes;
    writer w = { .r = r };
    w.text = open_memstream(&out.text, &text_bytes);
    w.tree = open_memstream(&out.tree, &tree_bytes);
    header(&w);
    behaviour(&w, OPEN, 1 + pick(&w, 5));
    fclose(w.text);
    fclose(w.tree);
    return out;
}
