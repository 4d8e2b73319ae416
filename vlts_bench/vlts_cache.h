/*
 * vlts_cache.h - VLTS instances by name: the real file if it was imported, or else a
 * surrogate, generated once and kept.
 *
 * Surrogates are .plts files in the folder --cache DIR, $BESPOKE_CACHE,
 * $XDG_CACHE_HOME/bespoke or ~/.cache/bespoke, the first that is given; their names carry
 * everything they depend on.  Real files are known by links in
 * $XDG_DATA_HOME/bespoke/vlts or ~/.local/share/bespoke/vlts (vlts_bench/import.sh).
 *
 * All texts live in the caller's arena.
 */
#ifndef BESPOKE_VLTS_CACHE_H
#define BESPOKE_VLTS_CACHE_H

#include "core/arena.h"
#include "lang/load_options.h"
#include "vlts_bench/surrogate.h"

/** The folder of surrogates; `wish` (may be NULL) goes first.  NULL with ERR_USAGE when
    there is neither a wish nor a home; it need not exist. */
const char *vlts_cache_folder(arena *a, const char *wish, err *e);

/** The file of a plan in a folder.  NULL with ERR_LIMIT. */
const char *vlts_cache_file(arena *a, const char *folder, const surrogate_plan *p,
                            err *e);

/**
 * Make sure that the file of a plan is there and sound: its checksums are verified, and if
 * it is missing or damaged it is generated.  Blocks on the disk.  Processes that do so at
 * once do not harm each other.  `fresh` (may be NULL) tells whether it was generated now.
 * 0, ERR_INPUT or ERR_SYSTEM when the folder cannot be written, ERR_LIMIT.
 */
int vlts_cache_fetch(const char **file, bool *fresh, arena *a, const char *folder,
                     const surrogate_plan *p, const load_options *o, err *e);

/** The real file of a name, or NULL when none was imported; NULL with ERR_INPUT when one
    was and is gone. */
const char *vlts_cache_real(arena *a, const char *name, err *e);

typedef struct vlts_model {
    const char *path;
    bool surrogate; /* otherwise it is the real file */
    bool fresh;     /* a surrogate that was generated now */
} vlts_model;

/**
 * The file to read for a name.  Options other than SURROGATE_OPTIONS_INIT ask for a
 * surrogate even where there is a real file.
 * 0, ERR_USAGE for an unknown name, or a code of the making.
 */
int vlts_cache_resolve(vlts_model *out, arena *a, const char *name,
                       const surrogate_options *wishes, const char *folder,
                       const load_options *o, err *e);

#endif
