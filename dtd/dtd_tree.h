/*
 * dtd_tree.h - detection over a tree of workers: what four-counter and wave share.
 *
 * Worker 0 is the root, the children of j are arity*j + 1 .. arity*j + arity.  The arity is told
 * with each event, as it is the family's and not the instance's.
 */
#ifndef BESPOKE_DTD_TREE_H
#define BESPOKE_DTD_TREE_H

#include "dtd/dtd.h"

size_t dtd_tree_channel_bytes(uint32_t workers, worker_id self, uint32_t arity);
void dtd_tree_state(dtd *d, uint32_t arity, uint32_t channel, const dtd_figures *now,
                    dtd_out *out);
void dtd_tree_message(dtd *d, uint32_t arity, worker_id from, const dtd_message *m,
                      const dtd_figures *now, dtd_out *out);
void dtd_tree_ahead(dtd *d, uint32_t arity, uint32_t channel, dtd_out *out);

#endif
