/*
 * output_encoder.h - read this only if you are writing a compressor.
 *
 * An encoder is one constant, listed in the array of output.c.  output.c owns the buffers
 * on both sides and writes the file.
 */
#ifndef BESPOKE_OUTPUT_ENCODER_H
#define BESPOKE_OUTPUT_ENCODER_H

#include "core/mem.h"

#include <stdbool.h>

/* What a step works on; all four move on by what was consumed and produced. */
typedef struct output_step {
    const char *in;
    size_t in_bytes;
    char *out;
    size_t out_bytes;
    bool finish; /* nothing comes after `in` */
    bool over;   /* set by the encoder: everything was finished and put out */
} output_step;

typedef struct output_encoder {
    const char *suffix; /* ".gz" */
    /* 0 or ERR_LIMIT. */
    int (*open)(void **out, mem *m, err *e);
    /* Encode until the input is used up or the output full.  0 or a code. */
    int (*encode)(void *self, output_step *io, err *e);
    void (*close)(void *self);
} output_encoder;

extern const output_encoder output_gz, output_zst, output_bz2;

#endif
