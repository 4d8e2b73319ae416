/*
 * network.h - a network of LTSs (.exp) as a model.
 *
 * A state is the tuple of the components' states; files are the network, all it includes
 * and each component once.  The order of the moves of a state is in network_table.h.
 *
 * Where the format leaves room, this is how it is read:
 *   - `i`, the language's own name and every --hidden name are the hidden label, as soon
 *     as a component or an operator says them.  Hidden moves are never cut, renamed or
 *     synchronised.
 *   - Where case is ignored a component's labels become upper case as a whole.
 *   - The gate of termination synchronises all operands of every composition; vectors
 *     that name it themselves say instead what happens to it.
 *   - A set of a prio's rule is above the next one, and so are labels that other labels
 *     of the operand link; a set to which no label belongs links nothing.
 */
#ifndef BESPOKE_NETWORK_H
#define BESPOKE_NETWORK_H

#include "core/model.h"
#include "lang/load_options.h"

/**
 * Read a network and its components (.aut, packed or not, .plts, .bcg) and compile it.
 * Names and patterns that no operand has are warned of.
 * 0; ERR_INPUT with the place; ERR_LIMIT.
 */
int network_open(model **out, const char *path, const load_options *o, err *e);

#endif
