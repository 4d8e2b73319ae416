/*
 * exp_parser.y - the grammar of networks: tokens become a tree.
 *
 * Infix operators are right-associative and bind alike; what stands behind a behaviour binds
 * tighter.  A `hide` without `end hide` goes as far to the right as it can, so it is told
 * apart: `open` ends in one, `closed` does not, and only `closed` may stand before an `end`.
 */
%define api.pure full
%define api.prefix {exp_yy}
%define api.token.prefix {EXP_T_}
%define api.location.type {exp_place}
%define parse.error custom
%define lr.type canonical-lr
%define lr.default-reduction accepting
%locations
%param { struct exp_grammar *p }
%expect 0

%code requires {
#include "lang/exp_grammar.h"
}

%code provides {
int exp_yylex(EXP_YYSTYPE *value, EXP_YYLTYPE *at, struct exp_grammar *p);
}

%union {
    exp_word word;
    int64_t number;
    exp_node *node;
    exp_list list;
    exp_item item;
    exp_mode mode;
    exp_rules rules;
    exp_infix infix;
}

%code {
#include <string.h>

/* Stacks grow in the arena of the network, up to a depth that trees may not have anyway. */
#define YYMAXDEPTH       (16 * EXP_HEIGHT_MAX)
#define YYMALLOC(bytes)  arena_get(p->store, (bytes), p->e)
#define YYFREE(block)    ((void)(block))

#define YYLLOC_DEFAULT(out, in, n) ((out) = YYRHSLOC(in, (n) ? 1 : 0))

#define NODE(out, make)                        \
    do                                         \
        if (((out) = (make)) == NULL) YYABORT; \
    while (0)
#define ADD(list, ...)                                                    \
    do                                                                    \
        if (!exp_list_add(p, &(list), (exp_item){ __VA_ARGS__ })) YYABORT; \
    while (0)

static void exp_yyerror(const exp_place *at, struct exp_grammar *p, const char *message);
}

%token END 0 "the end"
%token ALL "all" BEHAVIOUR "behaviour" BUT "but" COMM "comm" CUT "cut" GATE "gate"
%token CCS "ccs" CSP "csp" ELOTOS "elotos" LOTOS "lotos" MCRL "mcrl"
%token HIDE "hide" IN "in" LABEL "label" MULTIPLE "multiple" PAR "par" PARTIAL "partial"
%token PRIO "prio" RENAME "rename" SINGLE "single" TOTAL "total" USING "using"
%token WORD_END "end" END_COMM "end comm" END_CUT "end cut" END_HIDE "end hide"
%token END_PAR "end par" END_PRIO "end prio" END_RENAME "end rename"
%token INTERLEAVE "|||" PARALLEL "||" GATES_OPEN "|[" GATES_CLOSE "]|" CSP_OPEN "[|"
%token CSP_CLOSE "|]" MAP_OPEN "[[" MAP_CLOSE "]]" ARROW "->" BACK_ARROW "<-"
%token <word> NAME "a name" STRING "a quoted name"
%token <number> NUMBER "a number"

%type <word> name
%type <node> behaviour closed open unary
%type <list> names names_opt interface parts vectors items orders sets operands
%type <list> renamings relabels maps
%type <item> vector order set operand element item
%type <rules> rules rules_other renaming_rules
%type <mode> mode mode_opt
%type <infix> infix

%start network

%%

network: header comm behaviour      { p->root = $3; }
    ;

header: %empty                      { p->language = EXP_LANGUAGE_NONE; }
    | "behaviour"                   { p->language = EXP_LANGUAGE_LOTOS; }
    | language "behaviour"
    ;

language: "lotos"                   { p->language = EXP_LANGUAGE_LOTOS; }
    | "elotos"                      { p->language = EXP_LANGUAGE_ELOTOS; }
    | "ccs"                         { p->language = EXP_LANGUAGE_CCS; }
    | "csp"                         { p->language = EXP_LANGUAGE_CSP; }
    | "mcrl"                        { p->language = EXP_LANGUAGE_MCRL; }
    ;

comm: %empty
    | "comm" communications "end comm"
    ;

communications: communication
    | communications ',' communication
    ;

communication: name '|' name '=' name
        { ADD(p->comm, .from = $1, .to = $3, .result = $5.text); }
    ;

behaviour: closed
    | open
    ;

closed: unary
    | unary infix closed            { NODE($$, exp_grammar_infix(p, &$2, $1, $3)); }
    ;

open: "hide" names_opt "in" behaviour
        { NODE($$, exp_grammar_select(p, EXP_HIDE, EXP_MODE_NONE, @1,
                                      &(exp_rules){ .list = $2 }, $4)); }
    | unary infix open              { NODE($$, exp_grammar_infix(p, &$2, $1, $3)); }
    ;

infix: "||"                         { $$ = (exp_infix){ .kind = EXP_INFIX_ALL, .at = @1 }; }
    | "|||"                         { $$ = (exp_infix){ .kind = EXP_INFIX_NONE, .at = @1 }; }
    | "|[" names_opt "]|"           { $$ = (exp_infix){ EXP_INFIX_LIST, @1, .left = $2 }; }
    | '|'                           { $$ = (exp_infix){ .kind = EXP_INFIX_CCS, .at = @1 }; }
    | "[|" '{' names_opt '}' "|]"   { $$ = (exp_infix){ EXP_INFIX_LIST, @1, .left = $3 }; }
    | '[' '{' names_opt '}' "||" '{' names_opt '}' ']'
        { $$ = (exp_infix){ EXP_INFIX_ALPHABETS, @1, $3, $7 }; }
    ;

unary: name                         { NODE($$, exp_grammar_automaton(p, $1)); }
    | '(' behaviour ')'             { $$ = $2; }
    | "hide" names_opt "in" closed "end hide"
        { NODE($$, exp_grammar_select(p, EXP_HIDE, EXP_MODE_NONE, @1,
                                      &(exp_rules){ .list = $2 }, $4)); }
    | "hide" rules_other "in" closed "end hide"
        { NODE($$, exp_grammar_select(p, EXP_HIDE, EXP_MODE_NONE, @1, &$2, $4)); }
    | mode "hide" rules "in" closed "end hide"
        { NODE($$, exp_grammar_select(p, EXP_HIDE, $1, @1, &$3, $5)); }
    | mode_opt "cut" rules "in" closed "end cut"
        { NODE($$, exp_grammar_select(p, EXP_CUT, $1, @1, &$3, $5)); }
    | mode_opt "prio" orders "in" closed "end prio"
        { NODE($$, exp_grammar_prio(p, $1, @1, $3, $5)); }
    | mode_opt "rename" renaming_rules "in" closed "end rename"
        { NODE($$, exp_grammar_rename(p, $1, @1, &$3, $5)); }
    | mode_opt "par" parts "end par"
        { NODE($$, exp_grammar_par(p, $1, @1, false, (exp_list){ 0 }, $3)); }
    | mode_opt "par" "all" "in" parts "end par"
        { NODE($$, exp_grammar_par(p, $1, @1, true, (exp_list){ 0 }, $5)); }
    | mode_opt "par" interface "in" parts "end par"
        { NODE($$, exp_grammar_par(p, $1, @1, false, $3, $5)); }
    | mode_opt "par" "using" vectors "in" operands "end par"
        { NODE($$, exp_grammar_vectors(p, $1, @1, $4, $6)); }
    | unary '\\' name
        {
            exp_list one = { 0 };
            ADD(one, .from = $3);
            NODE($$, exp_grammar_restrict(p, @2, one, $1));
        }
    | unary '\\' '{' names_opt '}'  { NODE($$, exp_grammar_restrict(p, @2, $4, $1)); }
    | unary '[' relabels ']'        { NODE($$, exp_grammar_relabel(p, @2, $3, true, $1)); }
    | unary "[[" maps "]]"          { NODE($$, exp_grammar_relabel(p, @2, $3, false, $1)); }
    ;

mode_opt: %empty                    { $$ = EXP_MODE_NONE; @$ = p->scan.token.at; }
    | mode
    ;

mode: "gate"                        { $$ = EXP_MODE_GATE; }
    | "total"                       { $$ = EXP_MODE_TOTAL; }
    | "partial"                     { $$ = EXP_MODE_PARTIAL; }
    | "single"                      { $$ = EXP_MODE_SINGLE; }
    | "multiple"                    { $$ = EXP_MODE_MULTIPLE; }
    | "label"                       { $$ = EXP_MODE_LABEL; }
    ;

rules: names_opt                    { $$ = (exp_rules){ .list = $1 }; }
    | rules_other
    ;

rules_other: "all" "but" names_opt  { $$ = (exp_rules){ .all_but = true, .list = $3 }; }
    | "using" name                  { $$ = (exp_rules){ .from_file = true, .file = $2 }; }
    ;

renaming_rules: %empty              { $$ = (exp_rules){ 0 }; }
    | renamings                     { $$ = (exp_rules){ .list = $1 }; }
    | "using" name                  { $$ = (exp_rules){ .from_file = true, .file = $2 }; }
    ;

renamings: name "->" name           { $$ = (exp_list){ 0 }; ADD($$, .from = $1, .to = $3); }
    | renamings ',' name "->" name  { $$ = $1; ADD($$, .from = $3, .to = $5); }
    ;

relabels: name '/' name             { $$ = (exp_list){ 0 }; ADD($$, .from = $3, .to = $1); }
    | relabels ',' name '/' name    { $$ = $1; ADD($$, .from = $5, .to = $3); }
    ;

maps: name "<-" name                { $$ = (exp_list){ 0 }; ADD($$, .from = $1, .to = $3); }
    | maps ',' name "<-" name       { $$ = $1; ADD($$, .from = $3, .to = $5); }
    ;

names_opt: %empty                   { $$ = (exp_list){ 0 }; }
    | names
    ;

names: name                         { $$ = (exp_list){ 0 }; ADD($$, .from = $1); }
    | names ',' name                { $$ = $1; ADD($$, .from = $3); }
    ;

orders: order                       { $$ = (exp_list){ 0 }; ADD($$, .from = $1.from, .inner = $1.inner); }
    | orders order                  { $$ = $1; ADD($$, .from = $2.from, .inner = $2.inner); }
    ;

order: sets '>' set
        {
            $$ = (exp_item){ .from.at = @1, .inner = $1 };
            ADD($$.inner, .inner = $3.inner, .all_but = $3.all_but);
        }
    ;

sets: set                           { $$ = (exp_list){ 0 }; ADD($$, .inner = $1.inner, .all_but = $1.all_but); }
    | sets '>' set                  { $$ = $1; ADD($$, .inner = $3.inner, .all_but = $3.all_but); }
    ;

set: names                          { $$ = (exp_item){ .inner = $1 }; }
    | "all" "but" names             { $$ = (exp_item){ .inner = $3, .all_but = true }; }
    ;

interface: element                  { $$ = (exp_list){ 0 }; ADD($$, .from = $1.from, .degree = $1.degree); }
    | interface ',' element         { $$ = $1; ADD($$, .from = $3.from, .degree = $3.degree); }
    ;

element: name                       { $$ = (exp_item){ .from = $1, .degree = -1 }; }
    | name '#' NUMBER               { $$ = (exp_item){ .from = $1, .degree = $3 }; }
    ;

parts: operand                      { $$ = (exp_list){ 0 }; ADD($$, .node = $1.node, .inner = $1.inner); }
    | parts "||" operand            { $$ = $1; ADD($$, .node = $3.node, .inner = $3.inner); }
    ;

operand: unary                      { $$ = (exp_item){ .node = $1 }; }
    | interface "->" unary          { $$ = (exp_item){ .node = $3, .inner = $1 }; }
    ;

operands: unary                     { $$ = (exp_list){ 0 }; ADD($$, .node = $1); }
    | operands "||" unary           { $$ = $1; ADD($$, .node = $3); }
    ;

vectors: vector                     { $$ = (exp_list){ 0 }; ADD($$, .from = $1.from, .to = $1.to, .inner = $1.inner); }
    | vectors ',' vector            { $$ = $1; ADD($$, .from = $3.from, .to = $3.to, .inner = $3.inner); }
    ;

vector: items "->" name             { $$ = (exp_item){ .from.at = @1, .to = $3, .inner = $1 }; }
    ;

items: item                         { $$ = (exp_list){ 0 }; ADD($$, .from = $1.from, .idle = $1.idle); }
    | items times item              { $$ = $1; ADD($$, .from = $3.from, .idle = $3.idle); }
    ;

times: '*' | "||" ;

item: name                          { $$ = (exp_item){ .from = $1 }; }
    | '_'                           { $$ = (exp_item){ .from.at = @1, .idle = true }; }
    ;

name: NAME | STRING ;

%%

/* The grammar calls this for one thing only: its stack is full or cannot grow. */
static void exp_yyerror(const exp_place *at, struct exp_grammar *p, const char *message)
{
    (void)message;
    exp_error(*at, p->e, "nested more than %d deep; expected a flatter network",
              EXP_HEIGHT_MAX);
}

/* What could stand here, in words: groups of tokens have one name. */
typedef struct expectation {
    bool behaviour; /* one may begin here */
    bool operator;  /* one has ended here */
    char words[240];
} expectation;

static bool is_in(yysymbol_kind_t token, const yysymbol_kind_t *set, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (set[i] == token) return true;
    return false;
}

#define IS_IN(token, ...)                                             \
    is_in((token), (const yysymbol_kind_t[]){ __VA_ARGS__ },          \
          sizeof((const yysymbol_kind_t[]){ __VA_ARGS__ }) / sizeof(yysymbol_kind_t))

static bool is_name(yysymbol_kind_t k) { return IS_IN(k, YYSYMBOL_NAME, YYSYMBOL_STRING); }

static bool begins_behaviour(yysymbol_kind_t k)
{
    return IS_IN(k, YYSYMBOL_HIDE, YYSYMBOL_CUT, YYSYMBOL_PRIO, YYSYMBOL_RENAME, YYSYMBOL_PAR,
                 YYSYMBOL_GATE, YYSYMBOL_TOTAL, YYSYMBOL_PARTIAL, YYSYMBOL_SINGLE,
                 YYSYMBOL_MULTIPLE, YYSYMBOL_LABEL);
}

static bool begins_header(yysymbol_kind_t k)
{
    return IS_IN(k, YYSYMBOL_LOTOS, YYSYMBOL_ELOTOS, YYSYMBOL_CCS, YYSYMBOL_CSP,
                 YYSYMBOL_MCRL, YYSYMBOL_BEHAVIOUR, YYSYMBOL_COMM);
}

/* Of the tokens behind a behaviour, one tells that operators may stand there. */
static const char *word_for(yysymbol_kind_t k, const expectation *x)
{
    if (x->behaviour && (is_name(k) || begins_behaviour(k) || begins_header(k)))
        return k == YYSYMBOL_NAME ? "a behaviour" : NULL;
    if (strcmp(yysymbol_name(k), "'('") == 0) return NULL;
    if (x->operator && IS_IN(k, YYSYMBOL_INTERLEAVE, YYSYMBOL_GATES_OPEN, YYSYMBOL_CSP_OPEN,
                             YYSYMBOL_MAP_OPEN))
        return k == YYSYMBOL_MAP_OPEN ? "an operator" : NULL;
    const char *text = yysymbol_name(k);
    if (x->operator && (strcmp(text, "'['") == 0 || strcmp(text, "'|'") == 0 ||
                        strcmp(text, "'\\\\'") == 0))
        return NULL;
    if (is_name(k)) return k == YYSYMBOL_NAME ? "a name" : NULL;
    return strcmp(text, "','") == 0 ? "a comma" : text;
}

static void describe(expectation *x, const yysymbol_kind_t *token, int count)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(yysymbol_name(token[i]), "'('") == 0) x->behaviour = true;
        if (token[i] == YYSYMBOL_MAP_OPEN) x->operator = true;
    }
    const char *word[60];
    int words = 0;
    for (int i = 0; i < count; i++)
        if (word_for(token[i], x)) word[words++] = word_for(token[i], x);
    size_t used = 0;
    for (int i = 0; i < words && used < sizeof x->words; i++) {
        const char *between = i == 0 ? "" : i + 1 == words ? " or " : ", ";
        int bytes = (int)strlen(word[i]);
        bool quoted = word[i][0] == '\'' && bytes == 3;
        used += (size_t)snprintf(x->words + used, sizeof x->words - used, "%s%.*s", between,
                                 quoted ? 1 : bytes, word[i] + (quoted ? 1 : 0));
    }
}

static const char *hint_for(yysymbol_kind_t found, const yysymbol_kind_t *wanted, int count)
{
    for (int i = 0; i < count; i++) {
        if (wanted[i] == YYSYMBOL_END_HIDE && found != YYSYMBOL_YYEOF)
            return "; inside other operators a hide needs its end hide, or parentheses";
        if (wanted[i] == YYSYMBOL_END_PAR &&
            IS_IN(found, YYSYMBOL_INTERLEAVE, YYSYMBOL_GATES_OPEN, YYSYMBOL_CSP_OPEN))
            return "; inside par other parallel operators need parentheses";
    }
    if (IS_IN(found, YYSYMBOL_BEHAVIOUR, YYSYMBOL_LOTOS, YYSYMBOL_ELOTOS, YYSYMBOL_CCS,
              YYSYMBOL_CSP, YYSYMBOL_MCRL))
        return "; the language is chosen where the first file begins";
    return "";
}

static int yyreport_syntax_error(const yypcontext_t *where, struct exp_grammar *p)
{
    enum { TOKENS_MAX = 60 };
    yysymbol_kind_t wanted[TOKENS_MAX], found = yypcontext_token(where);
    int count = yypcontext_expected_tokens(where, wanted, TOKENS_MAX);
    exp_place at = *yypcontext_location(where);
    exp_text raw = p->scan.token.raw;
    expectation x = { .behaviour = false };
    describe(&x, wanted, count);
    const char *hint = hint_for(found, wanted, count);
    if (found == YYSYMBOL_YYEOF)
        exp_error(at, p->e, "the network ends here; expected %s%s", x.words, hint);
    else
        exp_error(at, p->e, "found %.*s; expected %s%s",
                  (int)(raw.bytes > 60 ? 60 : raw.bytes), raw.at, x.words, hint);
    return 0;
}
