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

/** Is it a program, which is run when it is opened? */
bool model_file_is_program(const char *path);

/** The length of a file's name without the suffixes that tell what it is. */
size_t model_file_stem(const char *name);

/* A kind of model whose states are computed, for listings. */
typedef struct model_file_kind {
    const char *suffix; /* ".exp" */
    const char *doc;    /* one line, lower case, no full stop */
} model_file_kind;

/* The i-th; past the last one its suffix is NULL. */
model_file_kind model_file_kind_get(size_t i);

/** Open.  The codes of whoever opens that kind; ERR_USAGE for arguments that nobody takes. */
int model_file_open(model **out, const char *path, const model_file_options *o, err *e);

#endif
