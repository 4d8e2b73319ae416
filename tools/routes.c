/*
 * routes - which transition leads to each state of a proof.
 *
 * Idea       A proof is walked breadth-first, so the first edge to a state comes from a state
 *            that has its route already; the state is found among the targets of that one.
 *            Successors stand in a row in the order of the transitions, mostly, so that the
 *            search goes on where the last one ended.
 * Cost       The rows of the proof once more; 4 bytes per state met, 12 per state of the proof.
 */
#include "tools/routes.h"

#include <assert.h>

bool routes_needed(const enc_mcl *x) { return enc_mcl_graph(x)->met != NULL; }

void routes_close(routes *r)
{
    if (r->m == NULL) return;
    vec_release(r->m, &r->way);
    vec_release(r->m, &r->state);
    vec_release(r->m, &r->number);
    *r = (routes){ .m = NULL };
}

/* ---- of a proof ---------------------------------------------------------------------------- */

static int add_state(routes *r, state_id s, err *e)
{
    if (vec_push(r->m, &r->state, s, e) != 0) return (int)e->code;
    r->number.at[s] = (uint32_t)r->state.count;
    return 0;
}

static int open_numbers(routes *r, err *e)
{
    state_space *p = enc_mcl_space(r->x);
    state_id met = *state_space_met(p);
    if (vec_reserve(r->m, &r->number, met, e) != 0) return (int)e->code;
    r->number.count = met; /* all 0: fresh memory is */
    return add_state(r, state_space_initial(p), e);
}

/* State `to` is reached over a transition of `from`; the search begins at `*at`. */
static int add_route(routes *r, state_id from, const lts_row *row, state_id to,
                     uint32_t *at, err *e)
{
    uint32_t left = row->count;
    for (; left > 0 && row->target[*at % row->count] != to; left--) ++*at;
    assert(left > 0);
    cert_state way = { r->number.at[from] - 1, *at % row->count };
    if (vec_push(r->m, &r->way, way, e) != 0) return (int)e->code;
    return add_state(r, to, e);
}

static int add_successors(routes *r, const proof *p, size_t i, err *e)
{
    state_id from = enc_mcl_state(r->x, p->vertices.at[i].vertex);
    lts_row row = { .count = 0 };
    uint32_t at = 0;
    bool have = false;
    for (uint64_t k = p->first.at[i]; k < p->first.at[i + 1]; k++) {
        state_id to = enc_mcl_state(r->x, p->vertices.at[p->edge.at[k]].vertex);
        if (r->number.at[to] != 0) continue;
        if (!have) row = state_space_row(enc_mcl_space(r->x), from), have = true;
        if (graph_trouble(enc_mcl_graph(r->x), e) != 0) return (int)e->code;
        if (add_route(r, from, &row, to, &at, e) != 0) return (int)e->code;
    }
    return 0;
}

int routes_of_proof(routes *r, mem *m, const enc_mcl *x, const proof *p, err *e)
{
    *r = (routes){ .x = x, .m = m };
    open_numbers(r, e);
    for (size_t i = 0; i < p->vertices.count && e->code == ERR_NONE; i++)
        add_successors(r, p, i, e);
    return (int)e->code;
}

vertex_id routes_vertex(const routes *r, vertex_id v)
{
    uint32_t s = r->number.at[enc_mcl_state(r->x, v)] - 1;
    return enc_mcl_position_of(r->x, v) * (uint32_t)r->state.count + s;
}

/* ---- of a certificate ---------------------------------------------------------------------- */

static int follow(routes *r, uint32_t i, const cert_state *way, err *e)
{
    assert(way->parent < i);
    lts_row row = state_space_row(enc_mcl_space(r->x), r->state.at[way->parent]);
    if (graph_trouble(enc_mcl_graph(r->x), e) != 0) return (int)e->code;
    if (way->step >= row.count)
        return err_set(e, ERR_REFUSED,
                       "no proof: state %u is said to be reached over transition %u of "
                       "state %u, which has %u",
                       i, way->step, way->parent, row.count);
    return vec_push(r->m, &r->state, row.target[way->step], e);
}

int routes_follow(routes *r, mem *m, const enc_mcl *x, const cert_header *h, err *e)
{
    *r = (routes){ .x = x, .m = m };
    vec_push(m, &r->state, state_space_initial(enc_mcl_space(x)), e);
    for (uint32_t i = 1; i < h->states && e->code == ERR_NONE; i++)
        follow(r, i, &h->state[i - 1], e);
    return (int)e->code;
}

bool routes_find(const routes *r, vertex_id certified, vertex_id *out)
{
    uint32_t states = (uint32_t)r->state.count, position = certified / states;
    if (position >= enc_mcl_positions(r->x)) return false;
    *out = enc_mcl_vertex(r->x, position, r->state.at[certified % states]);
    return true;
}
