/*
 * mcl_library.h - formula files, and where libraries are looked for.
 *
 * In this order: beside the file that names the library, the current folder, the folders
 * that the user gave, and share/bespoke/mcl beside the folder of the executable.
 */
#ifndef BESPOKE_MCL_LIBRARY_H
#define BESPOKE_MCL_LIBRARY_H

#include "lang/mcl.h"
#include "lang/mcl_text.h"

/**
 * Read the file at `path` and add it to the text's files.  Blocks on the disk.
 * 0, or ERR_INPUT, ERR_SYSTEM, ERR_LIMIT.
 */
int mcl_library_read(mcl_text *t, const char *path, err *e);

/**
 * Read the library `name`, named at `at`.  `*fresh` is false when that very file is there
 * already and nothing was added.  0, or ERR_INPUT that says where it was looked for.
 */
int mcl_library_add(mcl_text *t, const char *name, mcl_origin at, const mcl_options *o,
                    bool *fresh, err *e);

#endif
