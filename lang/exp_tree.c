#include "lang/exp_tree.h"

const char *exp_kind_name(exp_kind kind)
{
#define EXP_NAME(id, name, doc) [EXP_##id] = name,
    static const char *const names[] = { EXP_KINDS(EXP_NAME) };
#undef EXP_NAME
    return names[kind];
}

exp_node *exp_tree_node(arena *a, const exp_node *like, err *e)
{
    exp_node *n = arena_get(a, sizeof *n, e);
    if (n == NULL) return NULL;
    *n = *like;
    n->height = 0;
    for (size_t i = 0; i < n->parts; i++)
        if (n->part[i]->height > n->height) n->height = n->part[i]->height;
    n->height++;
    if (n->height <= EXP_HEIGHT_MAX) return n;
    exp_error(like->at, e, "nested more than %d deep; expected a flatter network",
              EXP_HEIGHT_MAX);
    return NULL;
}

static void print_text(const char *text, size_t bytes, FILE *to)
{
    fputc('"', to);
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == '"' || text[i] == '\\') fputc('\\', to);
        fputc(text[i], to);
    }
    fputc('"', to);
}

static void print_set(const label_set *s, FILE *to)
{
    if (label_set_all_but(s)) fputs("all but ", to);
    for (size_t i = 0; i < label_set_count(s); i++) {
        label_rule r = label_set_rule(s, i);
        if (i > 0) fputs(", ", to);
        print_text(r.from, r.from_bytes, to);
    }
}

static void print_map(const label_map *s, FILE *to)
{
    for (size_t i = 0; i < label_map_count(s); i++) {
        label_rule r = label_map_rule(s, i);
        if (i > 0) fputs(", ", to);
        print_text(r.from, r.from_bytes, to);
        fputs(" -> ", to);
        print_text(r.to, r.to_bytes, to);
    }
}

static void print_interface(const exp_sync *s, size_t count, FILE *to)
{
    for (size_t i = 0; i < count; i++) {
        if (i > 0) fputs(", ", to);
        print_text(s[i].name.at, s[i].name.bytes, to);
        if (s[i].degree >= 0) fprintf(to, "#%lld", (long long)s[i].degree);
    }
}

static void print_orders(const exp_node *n, FILE *to)
{
    for (size_t i = 0; i < n->rule_count; i++)
        for (size_t k = 0; k < n->rules[i].count; k++) {
            if (k > 0) fputs(" > ", to);
            else if (i > 0) fputs(" ", to);
            print_set(n->rules[i].set[k], to);
        }
}

static void print_vectors(const exp_node *n, FILE *to)
{
    for (size_t i = 0; i < n->vector_count; i++) {
        const exp_vector *v = &n->vector[i];
        if (i > 0) fputs(", ", to);
        for (size_t k = 0; k < n->parts; k++) {
            if (k > 0) fputs(" * ", to);
            if (v->item[k].at) print_text(v->item[k].at, v->item[k].bytes, to);
            else fputs("_", to);
        }
        fputs(" -> ", to);
        print_text(v->result.at, v->result.bytes, to);
    }
}

static const char *mode_name(label_mode mode)
{
#define MODE_NAME(id, name) [LABEL_##id] = name,
    static const char *const names[] = { LABEL_MODES(MODE_NAME) };
#undef MODE_NAME
    return names[mode];
}

/* What stands between the operator and its parts, and the mode in front of it. */
static void print_front(const exp_node *n, FILE *to)
{
    label_mode mode = LABEL_GATE;
    if (n->set) mode = label_set_mode(n->set);
    if (n->map) mode = label_map_mode(n->map);
    if (n->rule_count > 0) mode = label_set_mode(n->rules[0].set[0]);
    fprintf(to, "%s %s ", n->by_label ? "label" : mode_name(mode),
            exp_kind_name(n->kind));
    if (n->set) print_set(n->set, to);
    if (n->map) print_map(n->map, to);
    print_orders(n, to);
    print_vectors(n, to);
    if (n->all) fputs("all", to);
    print_interface(n->global, n->global_count, to);
    if (n->kind != EXP_PAR || n->all || n->global_count > 0) fputs(" in ", to);
}

static void print_infix(const exp_node *n, FILE *to)
{
    fputc('(', to);
    exp_tree_print(n->part[0], to);
    fprintf(to, " %s ", exp_kind_name(n->kind));
    exp_tree_print(n->part[1], to);
    fputc(')', to);
}

void exp_tree_print(const exp_node *n, FILE *to)
{
    if (n->kind == EXP_LTS) {
        print_text(n->name.at, n->name.bytes, to);
        return;
    }
    if (n->kind == EXP_CCS || n->kind == EXP_MERGE) {
        print_infix(n, to);
        return;
    }
    print_front(n, to);
    for (size_t i = 0; i < n->parts; i++) {
        if (i > 0) fputs(" || ", to);
        if (n->local && n->local_count[i] > 0) {
            print_interface(n->local[i], n->local_count[i], to);
            fputs(" -> ", to);
        }
        exp_tree_print(n->part[i], to);
    }
    fprintf(to, " end %s", n->kind == EXP_VECTORS ? "par" : exp_kind_name(n->kind));
}

void exp_tree_print_net(const exp_net *n, FILE *to)
{
    if (n->language[0]) fprintf(to, "%s behaviour ", n->language);
    for (size_t i = 0; i < n->comm_count; i++) {
        fputs(i == 0 ? "comm " : ", ", to);
        print_text(n->comm[i].left.at, n->comm[i].left.bytes, to);
        fputs(" | ", to);
        print_text(n->comm[i].right.at, n->comm[i].right.bytes, to);
        fputs(" = ", to);
        print_text(n->comm[i].result.at, n->comm[i].result.bytes, to);
    }
    if (n->comm_count > 0) fputs(" end comm ", to);
    exp_tree_print(n->root, to);
}
