/*
 * mcl_parser.y - the grammar of formulas: tokens become a tree.
 *
 * Inside a modality one grammar serves action formulas and regular formulas; Boolean
 * operators bind tighter than the regular ones, and mcl_check.c sees to it that they are
 * given actions only.  In a state formula all prefix operators, mu and nu among them, bind
 * tighter than all infix ones.  All infix operators are left-associative.
 */
%define api.pure full
%define api.prefix {mcl_yy}
%define api.token.prefix {MCL_T_}
%define api.location.type {mcl_span}
%define parse.error custom
%define lr.type canonical-lr
%define lr.default-reduction accepting
%locations
%param { void *scanner }
%parse-param { struct mcl_grammar *p }
%expect 0

%code requires {
#include "lang/mcl_grammar.h"
}

%code provides {
int mcl_yylex(MCL_YYSTYPE *value, MCL_YYLTYPE *at, void *scanner);
}

%union {
    mcl_node *node;
    mcl_literal literal;
}

%code {
#include <string.h>

/* Stacks grow in the arena of the formula, up to a depth that trees may not have anyway. */
#define YYMAXDEPTH       (8 * MCL_HEIGHT_MAX)
#define YYMALLOC(bytes)  arena_get(p->store, (bytes), p->e)
#define YYFREE(block)    ((void)(block))

#define YYLLOC_DEFAULT(out, in, n)                                           \
    ((out).begin = (n) ? YYRHSLOC(in, 1).begin : YYRHSLOC(in, 0).end,        \
     (out).end = (n) ? YYRHSLOC(in, n).end : YYRHSLOC(in, 0).end)

/* yyloc is where the rule being reduced stands. */
#define NODE(out, kind, left, right)                                                    \
    do                                                                                  \
        if (((out) = mcl_grammar_node(p, MCL_##kind, yyloc, (left), (right))) == NULL)    \
            YYABORT;                                                                    \
    while (0)
#define NAMED(out, kind, name, left)                                                    \
    do                                                                                  \
        if (((out) = mcl_grammar_named(p, kind, yyloc, (name), (left))) == NULL) YYABORT; \
    while (0)


static void mcl_yyerror(const mcl_span *at, void *scanner, struct mcl_grammar *p,
                        const char *message);
}

%token END 0 "the end"
%token TRUE "true" FALSE "false" NOT "not" AND "and" OR "or" IMPLIES "implies" EQU "equ"
%token NIL "nil" MU "mu" NU "nu" SATURATION "-|"
%token <literal> STRING "a string" REGEXP "a regular expression" NAME "a name"

%left '|'
%left '.'
%precedence '*' '+' '?'
%left "equ"
%left "implies"
%left "or"
%left "and"
%precedence PREFIX

%type <node> state regular
%type <literal> literal

%start formula

%%

formula: state                      { p->root = $1; }
    ;

state: "true"                       { NODE($$, TRUE, NULL, NULL); }
    | "false"                       { NODE($$, FALSE, NULL, NULL); }
    | "not" state %prec PREFIX      { NODE($$, NOT, $2, NULL); }
    | state "and" state             { NODE($$, AND, $1, $3); }
    | state "or" state              { NODE($$, OR, $1, $3); }
    | state "implies" state         { NODE($$, IMPLIES, $1, $3); }
    | state "equ" state             { NODE($$, EQU, $1, $3); }
    | '<' regular '>' state %prec PREFIX  { NODE($$, DIAMOND, $2, $4); }
    | '[' regular ']' state %prec PREFIX  { NODE($$, BOX, $2, $4); }
    | '<' regular '>' '@'           { NODE($$, LOOP, $2, NULL); }
    | '[' regular ']' "-|"          { NODE($$, NO_LOOP, $2, NULL); }
    | '@' '(' regular ')'           { NODE($$, LOOP, $3, NULL); }
    | NAME                          { NAMED($$, MCL_VARIABLE, $1, NULL); }
    | "mu" NAME '.' state %prec PREFIX    { NAMED($$, MCL_MU, $2, $4); }
    | "nu" NAME '.' state %prec PREFIX    { NAMED($$, MCL_NU, $2, $4); }
    | '(' state ')'                 { $$ = $2; }
    ;

regular: literal                    { NAMED($$, $1.regexp ? MCL_REGEXP : MCL_STRING, $1, NULL); }
    | "true"                        { NODE($$, TRUE, NULL, NULL); }
    | "false"                       { NODE($$, FALSE, NULL, NULL); }
    | "nil"                         { NODE($$, NIL, NULL, NULL); }
    | "not" regular %prec PREFIX    { NODE($$, NOT, $2, NULL); }
    | regular "and" regular         { NODE($$, AND, $1, $3); }
    | regular "or" regular          { NODE($$, OR, $1, $3); }
    | regular "implies" regular     { NODE($$, IMPLIES, $1, $3); }
    | regular "equ" regular         { NODE($$, EQU, $1, $3); }
    | regular '.' regular           { NODE($$, SEQ, $1, $3); }
    | regular '|' regular           { NODE($$, ALT, $1, $3); }
    | regular '*'                   { NODE($$, STAR, $1, NULL); }
    | regular '+'                   { NODE($$, PLUS, $1, NULL); }
    | regular '?'                   { NODE($$, OPT, $1, NULL); }
    | '(' regular ')'               { $$ = $2; }
    ;

literal: STRING
    | REGEXP
    | literal '#' STRING            { if (!mcl_grammar_concatenate(p, &$$, $1, $3)) YYABORT; }
    | literal '#' REGEXP            { if (!mcl_grammar_concatenate(p, &$$, $1, $3)) YYABORT; }
    ;

%%

/* The grammar calls this for one thing only: its stack is full or cannot grow. */
static void mcl_yyerror(const mcl_span *at, void *scanner, struct mcl_grammar *p,
                        const char *message)
{
    (void)scanner, (void)message;
    mcl_grammar_error(p, *at, "nested more than %d deep; expected a flatter formula",
                    MCL_HEIGHT_MAX);
}

static void list_tokens(char *into, size_t bytes, const yysymbol_kind_t *token, int count)
{
    into[0] = '\0';
    for (int i = 0; i < count; i++) {
        size_t used = strlen(into);
        const char *between = i == 0 ? "" : i + 1 == count ? " or " : ", ";
        snprintf(into + used, bytes - used, "%s%s", between, yysymbol_name(token[i]));
    }
}

static int yyreport_syntax_error(const yypcontext_t *where, void *scanner,
                                 struct mcl_grammar *p)
{
    enum { TOKENS_MAX = 40 };
    yysymbol_kind_t wanted[TOKENS_MAX], found = yypcontext_token(where);
    int count = yypcontext_expected_tokens(where, wanted, TOKENS_MAX);
    mcl_unexpected u = { .at = *yypcontext_location(where),
                         .end = found == YYSYMBOL_YYEOF,
                         .name = found == YYSYMBOL_NAME,
                         .quoted = found == YYSYMBOL_STRING || found == YYSYMBOL_REGEXP };
    for (int i = 0; i < count; i++) {
        if (wanted[i] == YYSYMBOL_MU) u.wants_formula = true;
        if (wanted[i] == YYSYMBOL_NIL) u.wants_action = true;
    }
    list_tokens(u.other, sizeof u.other, wanted, count);
    mcl_grammar_unexpected(p, &u);
    (void)scanner;
    return 0;
}
