/*
 * plugin.h - somebody's program as a model: a shared object that says what bespoke_model.h asks.
 */
#ifndef BESPOKE_PLUGIN_H
#define BESPOKE_PLUGIN_H

#include "core/model.h"
#include "lang/load_options.h"

/**
 * Load a shared object and open the model in it with `arguments`.
 * What it says is checked; what it does with memory is its own affair.
 * 0; ERR_INPUT: it cannot be loaded, speaks another version, or says what it may not; ERR_LIMIT.
 */
int plugin_open(model **out, const char *path, const char *const *arguments,
                size_t argument_count, const load_options *o, err *e);

#endif
