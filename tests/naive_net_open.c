/* The rest of naive_net: reading components, and what is above what at every prio. */
#include "tests/naive_aut.h"
#include "tests/naive_net.h"
#include "tests/scratch.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void *need(void *p)
{
    if (p == NULL) abort();
    return p;
}

/* ---- components -------------------------------------------------------------------------- */

/* Upper case, but for what the language has names for. */
static void fold(const exp_net *net, char *label)
{
    size_t gate = strcspn(label, "!?( \t");
    const char *end = net->termination.at;
    if (strcmp(label, "i") == 0) return; /* hidden in every language */
    if (strcasecmp(label, net->hidden.at) == 0) {
        strcpy(label, "i");
        return;
    }
    bool ends = end && gate == strlen(end) && strncasecmp(label, end, gate) == 0;
    for (char *p = label; *p; p++) *p = (char)toupper((unsigned char)*p);
    if (ends) memcpy(label, end, gate);
}

static naive_lts read_component(const exp_net *net, const char *path)
{
    naive_lts g;
    size_t bytes;
    char *text = scratch_read(path, &bytes);
    naive_rules rules = { .hidden = &net->hidden.at, .hidden_count = 1 };
    if (naive_aut_read(&g, text, bytes, &rules) != 0) abort();
    free(text);
    for (size_t l = 0; net->fold && l < g.label_count; l++) {
        fold(net, g.labels[l].text);
        g.labels[l].bytes = strlen(g.labels[l].text);
    }
    return g;
}

static void read_components(naive_net *n, const exp_node *x)
{
    if (x->kind == EXP_LTS) n->part[n->parts++] = read_component(n->net, x->name.at);
    for (size_t i = 0; i < x->parts; i++) read_components(n, x->part[i]);
}

naive_tuple naive_net_initial(const naive_net *n)
{
    naive_tuple t = { { 0 } };
    for (size_t p = 0; p < n->parts; p++) t.at[p] = (uint32_t)n->part[p].initial;
    return t;
}

/* ---- orders ------------------------------------------------------------------------------ */

static void add_label(naive_prio *o, const char *label)
{
    for (size_t i = 0; i < o->count; i++)
        if (strcmp(o->label[i], label) == 0) return;
    o->label = need(realloc(o->label, (o->count + 1) * sizeof *o->label));
    o->label[o->count++] = need(strdup(label));
}

static bool next_tuple(const naive_net *n, naive_tuple *t)
{
    for (size_t p = 0; p < n->parts; p++) {
        if (++t->at[p] < n->part[p].states) return true;
        t->at[p] = 0;
    }
    return false;
}

/* Whatever the operand can do in any state whatsoever. */
static void find_labels(const naive_net *n, naive_prio *o, size_t first)
{
    naive_tuple t = { { 0 } };
    do {
        naive_moves m = naive_net_possible(n, o->node->part[0], first, t);
        for (size_t i = 0; i < m.count; i++) add_label(o, m.at[i].label);
        naive_moves_release(&m);
    } while (next_tuple(n, &t));
}

/* Hidden moves are in no set but, as lower ones, in those of all but some. */
static bool belongs(const exp_net *net, const label_set *s, const char *label, bool lower)
{
    if (strcmp(label, "i") != 0) return label_set_has(s, label, strlen(label));
    return lower && label_set_all_but(s) &&
           label_set_has(s, net->hidden.at, net->hidden.bytes);
}

static void order_pair(const exp_net *net, naive_prio *o, const label_set *high,
                       const label_set *low)
{
    for (size_t x = 0; x < o->count; x++)
        for (size_t y = 0; y < o->count; y++)
            if (belongs(net, low, o->label[x], true) &&
                belongs(net, high, o->label[y], false))
                o->above[x * o->count + y] = true;
}

static void close_order(naive_prio *o)
{
    size_t n = o->count;
    for (size_t k = 0; k < n; k++)
        for (size_t x = 0; x < n; x++)
            for (size_t y = 0; y < n; y++)
                if (o->above[x * n + k] && o->above[k * n + y])
                    o->above[x * n + y] = true;
}

static void add_order(naive_net *n, const exp_node *x, size_t first)
{
    naive_prio o = { .node = x };
    find_labels(n, &o, first);
    o.above = need(calloc(o.count * o.count + 1, sizeof *o.above));
    for (size_t r = 0; r < x->rule_count; r++)
        for (size_t i = 0; i + 1 < x->rules[r].count; i++)
            order_pair(n->net, &o, x->rules[r].set[i], x->rules[r].set[i + 1]);
    close_order(&o);
    for (size_t k = 0; k < o.count; k++) n->cyclic |= o.above[k * o.count + k];
    n->order = need(realloc(n->order, (n->orders + 1) * sizeof *n->order));
    n->order[n->orders++] = o;
}

/* Returns the number of the first component behind the subtree. */
static size_t add_orders(naive_net *n, const exp_node *x, size_t first)
{
    size_t next = first + (x->kind == EXP_LTS);
    for (size_t i = 0; i < x->parts; i++) next = add_orders(n, x->part[i], next);
    if (x->kind == EXP_PRIO) add_order(n, x, first);
    return next;
}

naive_net naive_net_open(const exp_net *net)
{
    naive_net n = { .net = net };
    read_components(&n, net->root);
    add_orders(&n, net->root, 0);
    return n;
}

void naive_net_close(naive_net *n)
{
    for (size_t i = 0; i < n->parts; i++) naive_close(&n->part[i]);
    for (size_t k = 0; k < n->orders; k++) {
        for (size_t i = 0; i < n->order[k].count; i++) free(n->order[k].label[i]);
        free(n->order[k].label);
        free(n->order[k].above);
    }
    free(n->order);
}
