/*
 * model_arg.h - a MODEL of the command line: which file it means, what to call it, loading.
 * Every command that takes a MODEL goes through here.
 */
#ifndef BESPOKE_MODEL_ARG_H
#define BESPOKE_MODEL_ARG_H

#include "core/lts.h"
#include "lang/load_options.h"
#include "tools/command.h"
#include "vlts_bench/manifest.h"

struct model; /* core/model.h */

typedef struct model_arg {
    const char *text; /* as given; borrowed */
    const char
        *path; /* the file to read, NULL = none; lives in the tool's scratch memory */
    const char *name; /* "vasy_0_1": without folders and suffixes; likewise, never NULL */
} model_arg;

/**
 * Find out what a MODEL means: a path, `-` for stdin, or `vlts:NAME`, which is the real file when it was
 * imported and otherwise a surrogate, made now if the cache does not have it.
 * stderr is told of a surrogate.  0, ERR_USAGE for an unknown NAME, or a code of the making.
 */
int model_arg_resolve(model_arg *out, tool *t, const char *text, err *e);

/** The row of a VLTS instance, or NULL with ERR_USAGE and, if one is near, a suggestion. */
const manifest_row *model_arg_vlts(const char *name, err *e);

/* How to load, from the options of options_load; `hidden` is borrowed from them. */
load_options model_arg_load_options(tool *t);

/* How many threads an option asks for; far more than there are cores only cost: a number from
   another machine must still work, with a warning. */
int model_arg_threads(const tool *t, const char *option, int otherwise);

/* Tell on stderr that NAME is a surrogate, and whether it was in the cache. */
void model_arg_tell_surrogate(const tool *t, const char *name, bool generated,
                              double seconds);

/** Open a model of any kind (models/model_file.h), with the arguments of --model-arg, and warn
    of labels that look hidden and are not, or the other way round.
    0 or a code.  A limit is told with the model's name. */
int model_arg_open(struct model **out, const model_arg *a, tool *t, err *e);

/* That warning, for who opens a model otherwise. */
void model_arg_warn(const tool *t, const char *name, const load_options *o,
                    const struct label_table *labels);

#endif
