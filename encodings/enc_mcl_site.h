/*
 * enc_mcl_site.h - an encoding that is all of a graph, or one of its parts.
 * For the files of this encoding only.
 */
#ifndef BESPOKE_ENC_MCL_SITE_H
#define BESPOKE_ENC_MCL_SITE_H

#include "core/ids.h"
#include "encodings/enc_mcl_program.h"

/* Which part of the graph an encoding is. */
typedef struct enc_mcl_site {
    worker_id rank, ranks; /* of an explicit model: whose rows they are, of how many; */
    state_id initial;      /*   the place of the initial state, */
    enc_mcl_numbering number; /*   and what states at places are called */
    worker_id self, workers;  /* of another model: who shares its states */
    const enc_mcl *like;      /* of the same rank, whose program will do; or NULL */
} enc_mcl_site;

/** The encoding at a site.  Where there are several ranks, rows lead to links; where there are
    several workers, the capacity is given. */
int enc_mcl_open_at(enc_mcl **out, const mcl_equations *q, const model *s,
                    const enc_mcl_options *o, const enc_mcl_site *site, err *e);

/* Vertices of this position may be visited from now on: of an implicit model. */
static inline void enc_mcl_lead_to(const enc_mcl *x, uint32_t position)
{
    enc_mcl_position *p = &x->program.positions.at[position];
    if (!p->led_to) ++*x->used;
    p->led_to = true;
}

/** As many states of `s` as may get a number and be kept by one of so many threads of a process;
    at most `wanted`, if it is not 0. */
state_id enc_mcl_capacity(const enc_mcl_program *p, const model *s, worker_id threads,
                          state_id wanted);

#endif
