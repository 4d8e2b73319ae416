/*
 * mcl_blocks - equations are sorted into blocks.
 * Idea       Variables that reach each other form a strongly connected component of the
 *            dependency graph; each is a block, callers before callees.  Variables that do
 *            not reach themselves join an acyclic block that alone calls them.
 * Signs      The sign of a component is that of the variables that recur in it.  A variable
 *            of the other sign that is only entered (its own occurrences have been simplified
 *            away, or lie elsewhere) merely names its right side and does no harm.  Both
 *            signs at once are alternation: refused, unless all of them come from one <R>@
 *            or [R]-|, whose two levels can be solved in linear time.
 * Source     R. Tarjan, SIAM J. Comput. 1 (1972), 146-160, without recursion.
 */
#include "lang/mcl_translate.h"

#include <assert.h>

#define NONE UINT32_MAX
#define MANY (UINT32_MAX - 1)

typedef struct edge {
    uint32_t to;
    bool recursion;
} edge;

/* A variable that Tarjan's search has entered and not yet left. */
typedef struct visit {
    uint32_t variable;
    size_t next; /* edge to look at */
} visit;

typedef struct sorting {
    const mcl_raw *raw;
    mcl_equations *q;
    mem *m;
    err *e;
    uint32_t count;      /* variables */
    VEC(edge) edges;     /* of variable v: first[v] .. first[v+1]-1 */
    size_t *first;       /* count + 1 */
    uint32_t *index;     /* order of discovery from 1; 0 = not seen */
    uint32_t *low;       /* least index reachable, as far as is known */
    uint32_t *component; /* NONE while open; components are numbered callees first */
    uint32_t *block;     /* of a variable */
    uint32_t *caller;    /* the block that alone uses it, or NONE, MANY */
    uint32_t *number;    /* final number of a variable, or NONE: nobody needs it */
    VEC(uint32_t) open;  /* variables whose component is not complete */
    VEC(visit) path;
    VEC(uint32_t) done; /* variables by component: those of c end at ends[c] */
    VEC(size_t) ends;
    VEC(mcl_block) blocks; /* first and count are set at the end */
    uint32_t seen;
} sorting;

static uint32_t *column(sorting *s, uint32_t value)
{
    uint32_t *c = mem_get_array(s->m, s->count, sizeof *c, s->e);
    for (uint32_t i = 0; c && i < s->count; i++) c[i] = value;
    return c;
}

static int open_sorting(sorting *s)
{
    s->first = mem_get_array(s->m, (size_t)s->count + 1, sizeof *s->first, s->e);
    s->index = column(s, 0);
    s->low = column(s, 0);
    s->component = column(s, NONE);
    s->block = column(s, NONE);
    s->caller = column(s, NONE);
    s->number = column(s, NONE);
    return (int)s->e->code;
}

static void close_sorting(sorting *s)
{
    size_t bytes = s->count * sizeof(uint32_t);
    mem_put(s->m, s->first, ((size_t)s->count + 1) * sizeof *s->first);
    mem_put(s->m, s->index, bytes);
    mem_put(s->m, s->low, bytes);
    mem_put(s->m, s->component, bytes);
    mem_put(s->m, s->block, bytes);
    mem_put(s->m, s->caller, bytes);
    mem_put(s->m, s->number, bytes);
    vec_release(s->m, &s->edges);
    vec_release(s->m, &s->open);
    vec_release(s->m, &s->path);
    vec_release(s->m, &s->done);
    vec_release(s->m, &s->ends);
    vec_release(s->m, &s->blocks);
}

/* The variables in an expression become edges. */
static int add_edges(sorting *s, uint32_t id)
{
    const mcl_expr *x = &s->q->exprs[id];
    if (x->closed) return 0;
    if (x->kind != MCL_EXPR_VARIABLE) {
        if (add_edges(s, x->left) != 0) return (int)s->e->code;
        return x->right ? add_edges(s, x->right) : 0;
    }
    edge d = { x->which, s->raw->variables.at[x->which].recursion == id };
    return vec_push(s->m, &s->edges, d, s->e);
}

static int find_edges(sorting *s)
{
    for (uint32_t v = 0; v < s->count; v++) {
        s->first[v] = s->edges.count;
        if (add_edges(s, s->raw->variables.at[v].right) != 0) return (int)s->e->code;
    }
    s->first[s->count] = s->edges.count;
    return 0;
}

static int enter(sorting *s, uint32_t v)
{
    s->index[v] = s->low[v] = ++s->seen;
    if (vec_push(s->m, &s->open, v, s->e) != 0) return (int)s->e->code;
    visit step = { v, s->first[v] };
    return vec_push(s->m, &s->path, step, s->e);
}

/* `v` is the first of its component: everything opened since belongs to it. */
static int complete(sorting *s, uint32_t v)
{
    uint32_t w;
    do {
        w = s->open.at[--s->open.count];
        s->component[w] = (uint32_t)s->ends.count;
        if (vec_push(s->m, &s->done, w, s->e) != 0) return (int)s->e->code;
    } while (w != v);
    return vec_push(s->m, &s->ends, s->done.count, s->e);
}

static void lower(uint32_t *low, uint32_t to)
{
    if (to < *low) *low = to;
}

static int leave(sorting *s, uint32_t v)
{
    s->path.count--;
    if (s->path.count > 0)
        lower(&s->low[s->path.at[s->path.count - 1].variable], s->low[v]);
    return s->low[v] == s->index[v] ? complete(s, v) : 0;
}

static int find_components(sorting *s, uint32_t root)
{
    int rc = enter(s, root);
    while (rc == 0 && s->path.count > 0) {
        visit *top = &s->path.at[s->path.count - 1];
        uint32_t v = top->variable;
        if (top->next == s->first[v + 1]) {
            rc = leave(s, v);
            continue;
        }
        uint32_t w = s->edges.at[top->next++].to;
        if (s->index[w] == 0) rc = enter(s, w);
        else if (s->component[w] == NONE) lower(&s->low[v], s->index[w]);
    }
    return rc;
}

/* The variables of a component. */
typedef struct members {
    const uint32_t *at;
    size_t count;
} members;

static members members_of(const sorting *s, uint32_t component)
{
    size_t begin = component == 0 ? 0 : s->ends.at[component - 1];
    return (members){ s->done.at + begin, s->ends.at[component] - begin };
}

/* Which variables recur in a component: one of each sign, or NONE. */
typedef struct recurring {
    uint32_t mu, nu;
    bool any;
    bool one_loop; /* all come from the same <R>@ or [R]-| */
} recurring;

/* Did the user write this fixed point, and its variable? */
static bool is_own(const mcl_raw_variable *x)
{
    return x->origin->kind == MCL_MU || x->origin->kind == MCL_NU;
}

/* The user's own variables are the better ones to speak of. */
static void note_recurring(const sorting *s, recurring *r, uint32_t v, uint32_t *loop)
{
    const mcl_raw_variable *x = &s->raw->variables.at[v];
    uint32_t *of_sign = x->sign == MCL_SIGN_MU ? &r->mu : &r->nu;
    if (*of_sign == NONE || is_own(x)) *of_sign = v;
    if (!r->any) *loop = x->loop;
    if (x->loop == 0 || x->loop != *loop) r->one_loop = false;
    r->any = true;
}

static recurring find_recurring(const sorting *s, members c)
{
    recurring r = { NONE, NONE, false, true };
    uint32_t loop = 0;
    for (size_t i = 0; i < c.count; i++)
        for (size_t k = s->first[c.at[i]]; k < s->first[c.at[i] + 1]; k++) {
            edge d = s->edges.at[k];
            if (d.recursion && s->component[d.to] == s->component[c.at[i]])
                note_recurring(s, &r, d.to, &loop);
        }
    return r;
}

/* A variable as the user knows it: "mu X at f.mcl:1:5", "the * at ...". */
static void describe(const sorting *s, uint32_t v, char *into, size_t bytes)
{
    const mcl_raw_variable *x = &s->raw->variables.at[v];
    char where[120];
    mcl_where(s->raw->formula, x->origin, where, sizeof where);
    bool own = is_own(x);
    snprintf(into, bytes, "%s%s%s (%s)", own ? mcl_kind_name(x->origin->kind) : "",
             own ? " " : "the repetition ",
             own ? x->origin->text : mcl_kind_name(x->origin->kind), where);
}

static int refuse(const sorting *s, recurring r)
{
    char mu[160], nu[160];
    const mcl_node *a = s->raw->variables.at[r.mu].origin;
    const mcl_node *b = s->raw->variables.at[r.nu].origin;
    bool own = is_own(&s->raw->variables.at[r.mu]) && is_own(&s->raw->variables.at[r.nu]);
    describe(s, r.mu, mu, sizeof mu);
    describe(s, r.nu, nu, sizeof nu);
    return mcl_error(s->raw->formula, a->at.begin > b->at.begin ? a : b, ERR_REFUSED,
                     s->e,
                     "%s and %s depend on each other: alternation of depth two is not "
                     "supported yet; expected %s",
                     mu, nu,
                     own ? "least and greatest fixed points apart"
                         : "< R > @ or [ R ] -| for endless repetition");
}

static int kind_of(const sorting *s, members c, mcl_block_kind *out)
{
    recurring r = find_recurring(s, c);
    assert(r.any); /* only recursion closes a cycle */
    *out = r.mu != NONE ? MCL_BLOCK_MU : MCL_BLOCK_NU;
    if (r.mu == NONE || r.nu == NONE) return 0;
    if (!r.one_loop) return refuse(s, r);
    *out = s->raw->variables.at[r.nu].outer ? MCL_BLOCK_BUCHI : MCL_BLOCK_COBUCHI;
    return 0;
}

static bool is_cyclic(const sorting *s, members c)
{
    uint32_t v = c.at[0];
    if (c.count > 1) return true;
    for (size_t k = s->first[v]; k < s->first[v + 1]; k++)
        if (s->edges.at[k].to == v) return true;
    return false;
}

static void put_into(sorting *s, members c, uint32_t block)
{
    for (size_t i = 0; i < c.count; i++) s->block[c.at[i]] = block;
    for (size_t i = 0; i < c.count; i++)
        for (size_t k = s->first[c.at[i]]; k < s->first[c.at[i] + 1]; k++) {
            uint32_t *caller = &s->caller[s->edges.at[k].to];
            *caller = *caller == NONE || *caller == block ? block : MANY;
        }
    s->blocks.at[block].count += (uint32_t)c.count;
}

/* Components come callers first, so all callers of `c` have their blocks. */
static int place(sorting *s, members c)
{
    mcl_block b = { .kind = MCL_BLOCK_MU };
    uint32_t caller = s->caller[c.at[0]];
    if (is_cyclic(s, c)) {
        if (kind_of(s, c, &b.kind) != 0) return (int)s->e->code;
    } else {
        b.acyclic = true;
        bool joins = caller < MANY && s->blocks.at[caller].acyclic;
        if (joins) {
            put_into(s, c, caller);
            return 0;
        }
    }
    if (vec_push(s->m, &s->blocks, b, s->e) != 0) return (int)s->e->code;
    put_into(s, c, (uint32_t)s->blocks.count - 1);
    return 0;
}

/* Numbers by block; within a block in the order of translation, the root first of all. */
static void number_variables(sorting *s, uint32_t root)
{
    uint32_t next = 0;
    for (size_t b = 0; b < s->blocks.count; b++) {
        s->blocks.at[b].first = next;
        next += s->blocks.at[b].count;
        s->blocks.at[b].count = 0;
    }
    for (uint32_t i = 0; i <= s->count; i++) {
        uint32_t v = i == 0 ? root : i - 1;
        if (s->block[v] == NONE || (i > 0 && v == root)) continue;
        mcl_block *b = &s->blocks.at[s->block[v]];
        s->number[v] = b->first + b->count++;
    }
    s->q->variable_count = next;
}

static void fill_variables(const sorting *s)
{
    mcl_equations *q = s->q;
    for (uint32_t v = 0; v < s->count; v++) {
        if (s->number[v] == NONE) continue;
        const mcl_raw_variable *raw = &s->raw->variables.at[v];
        mcl_block_kind kind = s->blocks.at[s->block[v]].kind;
        bool two = kind == MCL_BLOCK_BUCHI || kind == MCL_BLOCK_COBUCHI;
        q->variables[s->number[v]] = (mcl_variable){ .origin = raw->origin,
                                                     .right = raw->right,
                                                     .block = s->block[v],
                                                     .outer = two && raw->outer };
    }
    for (uint32_t i = 0; i < q->expr_count; i++)
        if (q->exprs[i].kind == MCL_EXPR_VARIABLE)
            q->exprs[i].which = s->number[q->exprs[i].which];
}

static int deliver(sorting *s, uint32_t root)
{
    mcl_equations *q = s->q;
    number_variables(s, root);
    q->variables = mem_get_array(s->m, q->variable_count, sizeof *q->variables, s->e);
    q->blocks = mem_get_array(s->m, s->blocks.count, sizeof *q->blocks, s->e);
    if (q->blocks) q->block_count = (uint32_t)s->blocks.count;
    if (q->variables == NULL || q->blocks == NULL) return (int)s->e->code;
    for (uint32_t b = 0; b < q->block_count; b++) q->blocks[b] = s->blocks.at[b];
    fill_variables(s);
    return 0;
}

/* The formula itself; when that is a fixed point, its variable. */
static uint32_t root_of(const mcl_equations *q, const mcl_raw *raw)
{
    const mcl_expr *x = &q->exprs[raw->variables.at[0].right];
    return x->kind == MCL_EXPR_VARIABLE ? x->which : 0;
}

int mcl_blocks_of(mcl_equations *q, const mcl_raw *raw, err *e)
{
    sorting s = { .raw = raw, .q = q, .m = q->m, .e = e };
    s.count = (uint32_t)raw->variables.count;
    uint32_t root = root_of(q, raw);
    int rc = open_sorting(&s);
    if (rc == 0) rc = find_edges(&s);
    if (rc == 0) rc = find_components(&s, root);
    for (size_t c = s.ends.count; rc == 0 && c-- > 0;)
        rc = place(&s, members_of(&s, (uint32_t)c));
    if (rc == 0) rc = deliver(&s, root);
    close_sorting(&s);
    return rc;
}
