/*
 * capture.h - what the code under test prints on stderr, as a string.
 */
#ifndef BESPOKE_CAPTURE_H
#define BESPOKE_CAPTURE_H

#include <stdio.h>

typedef struct capture {
    FILE *file;       /* where stderr goes meanwhile */
    int saved;        /* the real stderr */
    char text[65536]; /* what was printed, after capture_end; cut at the end */
} capture;

/* From now on stderr is collected, until capture_end returns it.  Aborts on failure. */
void capture_begin(capture *c);
const char *capture_end(capture *c);

#endif
