/*
 * sample_plts.h - .plts files to test with.
 */
#ifndef BESPOKE_SAMPLE_PLTS_H
#define BESPOKE_SAMPLE_PLTS_H

#include "lang/plts_layout.h"
#include "tests/sample_lts.h"
#include "tests/scratch.h"

/* Write an LTS, with memory of g->m.  0 or a code. */
int sample_plts_write(const lts *g, const char *path, err *e);

/* The bytes of an LTS as a .plts, to be freed, and its layout. */
uint8_t *sample_plts_bytes(scratch *s, const lts *g, size_t *bytes, plts_layout *l);

/* Make all checksums right again after a change: what a malicious writer would do. */
void sample_plts_sign(uint8_t *data, const plts_layout *l);

/* Load by plts_map, by plts_read and as one range: the same code, with the message of the
   first; what is accepted equals `want` (NULL: nothing is accepted). */
int sample_plts_load(const char *path, const lts *want, err *e);

#endif
