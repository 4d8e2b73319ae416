#include "lang/mcl_tree.h"

#include <string.h>

const char *mcl_kind_name(mcl_kind kind)
{
#define MCL_NAME(id, name, where, doc) [MCL_##id] = name,
    static const char *const names[] = { MCL_KINDS(MCL_NAME) };
#undef MCL_NAME
    return names[kind];
}

static uint32_t height_of(const mcl_node *n) { return n ? n->height : 0; }

mcl_node *mcl_tree_node(arena *a, mcl_node like, err *e)
{
    mcl_node *n = arena_get(a, sizeof *n, e);
    if (n == NULL) return NULL;
    *n = like;
    uint32_t left = height_of(like.left), right = height_of(like.right);
    n->height = 1 + (left > right ? left : right);
    return n;
}

bool mcl_tree_is_action(const mcl_node *n)
{
    switch (n->kind) {
    case MCL_STRING:
    case MCL_REGEXP:
    case MCL_TRUE:
    case MCL_FALSE:
        return true;
    case MCL_NOT:
        return mcl_tree_is_action(n->left);
    case MCL_ALT:
    case MCL_AND:
    case MCL_OR:
    case MCL_IMPLIES:
    case MCL_EQU:
        return mcl_tree_is_action(n->left) && mcl_tree_is_action(n->right);
    default:
        return false;
    }
}

bool mcl_tree_is_nullable(const mcl_node *n)
{
    switch (n->kind) {
    case MCL_NIL:
    case MCL_STAR:
    case MCL_OPT:
        return true;
    case MCL_PLUS:
        return mcl_tree_is_nullable(n->left);
    case MCL_SEQ:
        return mcl_tree_is_nullable(n->left) && mcl_tree_is_nullable(n->right);
    case MCL_ALT:
        return mcl_tree_is_nullable(n->left) || mcl_tree_is_nullable(n->right);
    default:
        return false;
    }
}

bool mcl_tree_equal(const mcl_node *a, const mcl_node *b)
{
    if (a == b) return true;
    if (a == NULL || b == NULL || a->kind != b->kind || a->height != b->height ||
        a->bytes != b->bytes)
        return false;
    if (a->bytes > 0 && memcmp(a->text, b->text, a->bytes) != 0) return false;
    return mcl_tree_equal(a->left, b->left) && mcl_tree_equal(a->right, b->right);
}

/* Strings and regular expressions: the delimiter is the one byte that is escaped. */
static void print_quoted(const mcl_node *n, char quote, FILE *to)
{
    putc(quote, to);
    for (size_t i = 0; i < n->bytes; i++) {
        if (n->text[i] == quote) putc('\\', to);
        putc(n->text[i], to);
    }
    putc(quote, to);
}

static void print_infix(const mcl_node *n, FILE *to)
{
    putc('(', to);
    mcl_tree_print(n->left, to);
    fprintf(to, " %s ", mcl_kind_name(n->kind));
    mcl_tree_print(n->right, to);
    putc(')', to);
}

/* Everything that is written around its operands: "(not ", ..., ")". */
static void print_around(const char *before, const mcl_node *n, const char *after,
                         FILE *to)
{
    fputs(before, to);
    mcl_tree_print(n, to);
    fputs(after, to);
}

static void print_modality(const char *open, const mcl_node *n, const char *close,
                           FILE *to)
{
    print_around(open, n->left, close, to);
    print_around(" ", n->right, ")", to);
}

void mcl_tree_print(const mcl_node *n, FILE *to)
{
    switch (n->kind) {
    case MCL_STRING:
        print_quoted(n, '"', to);
        break;
    case MCL_REGEXP:
        print_quoted(n, '\'', to);
        break;
    case MCL_TRUE:
    case MCL_FALSE:
    case MCL_NIL:
        fputs(mcl_kind_name(n->kind), to);
        break;
    case MCL_VARIABLE:
        fputs(n->text, to);
        break;
    case MCL_NOT:
        print_around("(not ", n->left, ")", to);
        break;
    case MCL_STAR:
        print_around("(", n->left, "*)", to);
        break;
    case MCL_PLUS:
        print_around("(", n->left, "+)", to);
        break;
    case MCL_OPT:
        print_around("(", n->left, "?)", to);
        break;
    case MCL_DIAMOND:
        print_modality("(<", n, ">", to);
        break;
    case MCL_BOX:
        print_modality("([", n, "]", to);
        break;
    case MCL_LOOP:
        print_around("(<", n->left, ">@)", to);
        break;
    case MCL_NO_LOOP:
        print_around("([", n->left, "]-|)", to);
        break;
    case MCL_MU:
    case MCL_NU:
        fprintf(to, "(%s %s . ", mcl_kind_name(n->kind), n->text);
        print_around("", n->left, ")", to);
        break;
    default:
        print_infix(n, to);
    }
}
