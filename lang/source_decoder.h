/*
 * source_decoder.h - read this only if you are writing a decompressor.
 *
 * A codec is one constant, listed in the array of source.c.  It decodes one member (gzip
 * member, zstd frame, bzip2 stream) after another; source.c reads the file, finds where
 * members begin and tells a truncated file from a complete one.
 */
#ifndef BESPOKE_SOURCE_DECODER_H
#define BESPOKE_SOURCE_DECODER_H

#include "core/mem.h"

#include <stdbool.h>

enum { SOURCE_MAGIC_BYTES = 4 }; /* `starts` sees as many, fewer only at the file's end */

/* What a step works on; all four move on by what was consumed and produced. */
typedef struct source_step {
    const char *in;
    size_t in_bytes;
    char *out;
    size_t out_bytes;
    bool member_over; /* set by the codec: a member ended, the next was not touched */
} source_step;

typedef struct source_decoder {
    const char *name;
    bool zero_padding; /* zeros behind the last member are no damage */
    /* Are these the first bytes of a member? */
    bool (*starts)(const unsigned char *in, size_t bytes);
    /* A decoder that stands before a first member.  0 or ERR_LIMIT. */
    int (*open)(void **out, mem *m, err *e);
    /* Stand before a further member.  0 or ERR_LIMIT. */
    int (*restart)(void *self, err *e);
    /* Decode until input or output is used up or the member is over.  0, or ERR_INPUT. */
    int (*decode)(void *self, source_step *io, err *e);
    void (*close)(void *self);
} source_decoder;

extern const source_decoder source_gz, source_zst, source_bz2;

#endif
