/*
 * load_options.h - what a user may say about reading a model; shared by all readers.
 */
#ifndef BESPOKE_LOAD_OPTIONS_H
#define BESPOKE_LOAD_OPTIONS_H

#include "core/label_table.h"
#include "core/log.h"
#include "core/mem.h"
#include "core/progress.h"

#include <stdbool.h>

typedef struct load_options {
    mem *m;                    /* account for everything loaded */
    const char *const *hidden; /* further names of the hidden label (--hidden) */
    size_t hidden_count;
    bool lenient;        /* header counts that disagree are warnings (--lenient) */
    bool copy;           /* .plts: copy into huge pages instead of mapping the file */
    int threads;         /* workers for loading; 0 = all allowed cores */
    size_t block_bytes;  /* text is read in blocks of about this size; 0 = the best known;
                            tests take tiny ones to see their edges */
    const log_sink *log; /* warnings go here */
    progress *clock;     /* progress line and time limit; NULL = none */
} load_options;

/* The number of threads to load with: `threads`, or as many as this process may use. */
int load_options_threads(const load_options *o);

/* The size of blocks of text: `block_bytes`, or the best known. */
size_t load_options_block(const load_options *o);

/** Tell an empty table of labels all further names of the hidden one.  0 or ERR_LIMIT. */
int load_options_hide(const load_options *o, label_table *labels, err *e);

#endif
