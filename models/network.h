/*
 * network.h - a network of LTSs (.exp) as a model.
 */
#ifndef BESPOKE_NETWORK_H
#define BESPOKE_NETWORK_H

#include "core/model.h"
#include "lang/load_options.h"

/**
 * Read a network and its components (.aut, packed or not, .plts, .bcg) and compile it.
 * 0; ERR_INPUT with the place; ERR_LIMIT.
 */
int network_open(model **out, const char *path, const load_options *o, err *e);

#endif
