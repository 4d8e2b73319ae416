/*
 * routes.h - the states of a proof by the way that leads to them, for certificates of models
 * whose states have no numbers of their own (lang/cert.h).
 *
 * The numbers of a graph depend on the order in which a solver met states; routes depend on the
 * model and the proof alone.
 */
#ifndef BESPOKE_ROUTES_H
#define BESPOKE_ROUTES_H

#include "algorithms/proof.h"
#include "encodings/enc_mcl.h"
#include "lang/cert.h"

typedef struct routes {
    const enc_mcl *x; /* borrowed */
    mem *m;
    VEC(cert_state) way;  /* of certified states 1, 2, ...: how they are reached */
    VEC(state_id) state;  /* of each certified state: its number in the graph */
    VEC(uint32_t) number; /* of each state of the graph, when written: the reverse, + 1 */
} routes;

/** Are the states of this encoding told by routes? */
bool routes_needed(const enc_mcl *x);

/** Routes to all states of a proof, of which every edge is a step of the model or none.
    0, ERR_LIMIT or the graph's trouble. */
int routes_of_proof(routes *r, mem *m, const enc_mcl *x, const proof *p, err *e);

/** Follow the routes of a certificate, which is not believed.  0; ERR_REFUSED when one leads
    nowhere; ERR_LIMIT or the graph's trouble. */
int routes_follow(routes *r, mem *m, const enc_mcl *x, const cert_header *h, err *e);

/** Half-built ones too. */
void routes_close(routes *r);

/* A vertex of the graph, whose state has a route, as a certificate says it. */
vertex_id routes_vertex(const routes *r, vertex_id v);

/** A vertex of a certificate in the graph; false: there is none. */
bool routes_find(const routes *r, vertex_id certified, vertex_id *out);

#endif
