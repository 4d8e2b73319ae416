/*
 * dtd_wave - sums go up a tree and questions down it.
 *
 * Idea       Nobody has more than ARITY children: no worker is a bottleneck and a wave is
 *            as deep as the tree.
 * Invariant  That of dtd_tree.
 * Cost       A change: at most log(workers) letters.  A wave: 3 letters per worker, at most
 *            3 * ARITY at any one, 3 * log(workers) after each other.
 * Source     F. Mattern, Distributed Computing 2 (1987), 161-175: waves.
 */
#include "dtd/dtd_tree.h"

enum { ARITY = 2 };

static size_t channel_bytes(uint32_t workers, worker_id self)
{
    return dtd_tree_channel_bytes(workers, self, ARITY);
}

static void state(dtd *d, uint32_t channel, const dtd_figures *now, dtd_out *out)
{
    dtd_tree_state(d, ARITY, channel, now, out);
}

static void message(dtd *d, worker_id from, const dtd_message *m, const dtd_figures *now,
                    dtd_out *out)
{
    dtd_tree_message(d, ARITY, from, m, now, out);
}

static void ahead(dtd *d, uint32_t channel, dtd_out *out)
{
    dtd_tree_ahead(d, ARITY, channel, out);
}

const dtd_class dtd_wave = {
    .name = "wave",
    .doc = "sums up a tree, questions down it",
    .channel_bytes = channel_bytes,
    .state = state,
    .message = message,
    .ahead = ahead,
};
