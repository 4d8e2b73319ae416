#include "lang/mcl_equations.h"

#include "lang/mcl_translate.h"

#include <string.h>

enum { NAMES_COMPARED = 512 }; /* with more variables than this, all names get numbers */

const char *mcl_block_kind_name(mcl_block_kind kind)
{
#define MCL_NAME(id, name, doc) [MCL_BLOCK_##id] = name,
    static const char *const names[] = { MCL_BLOCKS(MCL_NAME) };
#undef MCL_NAME
    return names[kind];
}

void mcl_equations_close(mcl_equations *q)
{
    if (q == NULL) return;
    mem *m = q->m;
    mem_put(m, q->exprs, q->expr_room * sizeof *q->exprs);
    mem_put(m, q->actions, q->action_room * sizeof *q->actions);
    if (q->variables) mem_put(m, q->variables, q->variable_count * sizeof *q->variables);
    if (q->blocks) mem_put(m, q->blocks, q->block_count * sizeof *q->blocks);
    arena_release(&q->store);
    mem_put(m, q, sizeof *q);
}

/* The user's name, or what the variable is there for. */
static const char *base_name(const mcl_equations *q, uint32_t v)
{
    switch (q->variables[v].origin->kind) {
    case MCL_MU:
    case MCL_NU:
        return q->variables[v].origin->text;
    case MCL_STAR:
    case MCL_PLUS:
        return "R";
    case MCL_LOOP:
    case MCL_NO_LOOP:
        return "L";
    default:
        return "F";
    }
}

static bool is_unique(const mcl_equations *q, uint32_t v)
{
    const mcl_node *n = q->variables[v].origin;
    if (q->variable_count > NAMES_COMPARED) return false;
    if (n->kind != MCL_MU && n->kind != MCL_NU) return false;
    for (uint32_t w = 0; w < q->variable_count; w++)
        if (w != v && strcmp(base_name(q, w), n->text) == 0) return false;
    return true;
}

/* No name that a user can write has an apostrophe in it. */
static int name_variables(mcl_equations *q, err *e)
{
    for (uint32_t v = 0; v < q->variable_count; v++) {
        const char *base = base_name(q, v);
        size_t bytes = strlen(base) + 16;
        char *name = arena_get(&q->store, bytes, e);
        if (name == NULL) return (int)e->code;
        if (is_unique(q, v)) snprintf(name, bytes, "%s", base);
        else snprintf(name, bytes, "%s'%u", base, v);
        q->variables[v].name = name;
    }
    return 0;
}

/* What the translation made moves over. */
static void take(mcl_equations *q, mcl_raw *raw)
{
    q->exprs = raw->exprs.at;
    q->expr_count = (uint32_t)raw->exprs.count;
    q->expr_room = (uint32_t)raw->exprs.room;
    q->actions = raw->actions.at;
    q->action_count = (uint32_t)raw->actions.count;
    q->action_room = (uint32_t)raw->actions.room;
}

int mcl_equations_of(mcl_equations **out, mem *m, const mcl *formula, err *e)
{
    *out = NULL;
    mcl_equations *q = mem_get(m, sizeof *q, e);
    if (q == NULL) return (int)e->code;
    *q = (mcl_equations){ .m = m, .formula = formula, .store = ARENA_INIT(m, 4096) };
    mcl_raw raw = { .m = m, .formula = formula };
    int rc = mcl_translate(&raw, e);
    take(q, &raw);
    if (rc == 0) rc = mcl_blocks_of(q, &raw, e);
    if (rc == 0) rc = name_variables(q, e);
    vec_release(m, &raw.variables); /* the rest belongs to q by now */
    if (rc != 0) {
        mcl_equations_close(q);
        return rc;
    }
    *out = q;
    return 0;
}

static void print_operand(const mcl_equations *q, uint32_t id, FILE *to)
{
    mcl_expr_kind kind = q->exprs[id].kind;
    bool infix = kind == MCL_EXPR_OR || kind == MCL_EXPR_AND;
    fputs(infix ? "(" : "", to);
    mcl_expr_print(q, id, to);
    fputs(infix ? ")" : "", to);
}

void mcl_expr_print(const mcl_equations *q, uint32_t id, FILE *to)
{
    const mcl_expr *x = &q->exprs[id];
    bool diamond = x->kind == MCL_EXPR_DIAMOND;
    switch (x->kind) {
    case MCL_EXPR_FALSE:
        fputs("false", to);
        break;
    case MCL_EXPR_TRUE:
        fputs("true", to);
        break;
    case MCL_EXPR_VARIABLE:
        fputs(q->variables[x->which].name, to);
        break;
    case MCL_EXPR_DIAMOND:
    case MCL_EXPR_BOX:
        putc(diamond ? '<' : '[', to);
        mcl_tree_print(q->actions[x->which], to);
        fputs(diamond ? "> " : "] ", to);
        print_operand(q, x->left, to);
        break;
    default:
        print_operand(q, x->left, to);
        fputs(x->kind == MCL_EXPR_OR ? " or " : " and ", to);
        print_operand(q, x->right, to);
    }
}

void mcl_equations_print(const mcl_equations *q, FILE *to)
{
    for (uint32_t b = 0; b < q->block_count; b++) {
        const mcl_block *block = &q->blocks[b];
        fprintf(to, "block %u: %s", b, mcl_block_kind_name(block->kind));
        fputs(block->acyclic ? ", acyclic" : "", to);
        putc('\n', to);
        for (uint32_t v = block->first; v < block->first + block->count; v++) {
            fprintf(to, "    %s%s = ", q->variables[v].name,
                    q->variables[v].outer ? " (outer)" : "");
            mcl_expr_print(q, q->variables[v].right, to);
            putc('\n', to);
        }
    }
}
