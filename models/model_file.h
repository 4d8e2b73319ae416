/*
 * model_file.h - a model in a file, whatever it is; its name tells.
 *
 *     .exp    a network of LTSs (network.h)
 *     .so     a plug-in (plugin.h)
 *     else    an LTS (lts_file.h)
 */
#ifndef BESPOKE_MODEL_FILE_H
#define BESPOKE_MODEL_FILE_H

#include "core/model.h"
#include "lang/load_options.h"

typedef struct model_file_options {
    load_options load;
    const char *const *arguments; /* for a plug-in (--model-arg) */
    size_t argument_count;
} model_file_options;

/** Is it one whose states are computed when they are asked for? */
bool model_file_is_implicit(const char *path);

/** Open.  The codes of whoever opens that kind; ERR_USAGE for arguments that nobody takes. */
int model_file_open(model **out, const char *path, const model_file_options *o, err *e);

#endif
