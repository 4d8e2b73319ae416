/*
 * launch_words.h - how the mpiexec of each MPI wants to hear what is to be started.
 */
#ifndef BESPOKE_LAUNCH_WORDS_H
#define BESPOKE_LAUNCH_WORDS_H

#include "tools/command.h"

/** The words of a command that runs this command line as `ranks` ranks, ending with NULL; they
    live in the tool's arena.  NULL with `e` set: no memory, or this executable is not to be found. */
char **launch_words(tool *t, uint64_t ranks, err *e);

#endif
