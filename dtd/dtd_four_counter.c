/*
 * dtd_four_counter - worker 0 supervises all others, over a star.
 *
 * Idea       The tree of height one: every worker reports to worker 0 and is asked by it.
 *            Reports go out on change alone, and those of several channels that are told at one
 *            time travel together.
 * Invariant  That of dtd_tree.
 * Cost       A change: one letter.  A wave: 3 letters per worker, all from or to worker 0, whose
 *            memory is 24 bytes per worker and channel; two letters deep at any size.
 * Source     The supervisor of C. Joubert, R. Mateescu, PDP 2005, 264-271, per block.
 */
#include "dtd/dtd_tree.h"

static size_t channel_bytes(uint32_t workers, worker_id self)
{
    return dtd_tree_channel_bytes(workers, self, DTD_WORKERS_MAX);
}

static void state(dtd *d, uint32_t channel, const dtd_figures *now, dtd_out *out)
{
    dtd_tree_state(d, DTD_WORKERS_MAX, channel, now, out);
}

static void message(dtd *d, worker_id from, const dtd_message *m, const dtd_figures *now,
                    dtd_out *out)
{
    dtd_tree_message(d, DTD_WORKERS_MAX, from, m, now, out);
}

static void ahead(dtd *d, uint32_t channel, dtd_out *out)
{
    dtd_tree_ahead(d, DTD_WORKERS_MAX, channel, out);
}

const dtd_class dtd_four_counter = {
    .name = "four-counter",
    .doc = "reports to worker 0, which asks all before it announces",
    .channel_bytes = channel_bytes,
    .state = state,
    .message = message,
    .ahead = ahead,
};
