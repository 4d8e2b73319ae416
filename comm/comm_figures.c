/*
 * comm_figures - see comm_figures.h.
 *
 * Idea       What is sent are totals, not changes: a letter that waits or comes late does no harm.
 *            Who has heard from all below goes on at once, so leaves set the pace and worker 0 is
 *            not a period behind for every level.
 * Cost       At most a letter per worker and period; looking at the time is a comparison.
 */
#include "comm/comm_figures.h"

#include "comm/comm_inner.h"

uint64_t *comm_figures(comm *c) { return comm_inside(c)->shown.own; }

uint64_t comm_figures_of(const comm *face, uint32_t which)
{
    const comm_end *c = comm_inside_const(face);
    if (which != COMM_FIGURES_SENT) return c->shown.own[which];
    uint64_t sent = 0;
    for (uint32_t k = 0; k < c->config->kind_count; k++) sent += face->sent[k];
    return sent;
}

uint64_t comm_figures_below(const comm *face, uint32_t which)
{
    const comm_showing *s = &comm_inside_const(face)->shown;
    uint64_t sum = comm_figures_of(face, which);
    for (uint32_t i = 0; i < COMM_TREE_ARITY; i++) sum += s->below[i][which];
    return sum;
}

void comm_figures_tell(comm *face, uint64_t now, uint64_t period)
{
    comm_end *c = comm_inside(face);
    comm_showing *s = &c->shown;
    if (s->told == 0) s->told = now; /* the first period begins */
    if (now - s->told < period) return;
    if (s->heard < comm_letters_children(c) && now - s->told < 2 * period) return;
    uint64_t x[COMM_FIGURES_COUNT];
    for (uint32_t i = 0; i < COMM_FIGURES_COUNT; i++) x[i] = comm_figures_below(face, i);
    if (!comm_letters_show(c, x)) return; /* without room: later */
    s->told = now;
    s->heard = 0;
}

void comm_figures_take(comm *face, uint32_t child, const uint64_t *x)
{
    comm_showing *s = &comm_inside(face)->shown;
    memcpy(s->below[child], x, sizeof s->below[child]);
    s->heard++;
}
