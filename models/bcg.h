/*
 * bcg.h - CADP's binary form, by way of CADP.
 *
 * Its layout is not public; CADP's own `bcg_io` translates it to AUT, when it is on PATH.
 */
#ifndef BESPOKE_BCG_H
#define BESPOKE_BCG_H

#include "core/lts.h"
#include "lang/load_options.h"

#include <limits.h>

/**
 * Load a .bcg: runs `bcg_io PATH TEMPORARY.aut` and reads what it wrote, which is removed
 * afterwards (a signal that ends us leaves it in TMPDIR).  Blocks until bcg_io has ended or
 * the time limit is reached; its output goes to stderr.
 * 0, or ERR_INPUT: no bcg_io (with how to convert elsewhere), or it failed.
 */
int bcg_read(lts *out, const char *path, const load_options *o, err *e);

/* The AUT text of a .bcg while it is being read. */
typedef struct bcg_text {
    const char *path; /* borrowed */
    char dir[PATH_MAX - 16];
    char file[PATH_MAX]; /* the text, inside `dir`; "": none */
} bcg_text;

/** Convert alone; like bcg_read.  Close a failed one too. */
int bcg_text_open(bcg_text *out, const char *path, progress *clock, err *e);
void bcg_text_close(bcg_text *t);

/** A message about the text becomes one about the .bcg.  The code of `e`. */
int bcg_text_blame(const bcg_text *t, err *e);

#endif
