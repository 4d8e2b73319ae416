/*
 * codec.h - the compressors: which there are, and what one has to offer.
 *
 * A codec is one constant in a file of its own, listed in codec.c.  It decodes one member
 * (gzip member, zstd frame, bzip2 stream) after another and encodes one.  source.c and
 * output.c own the buffers on both sides and the files; source.c finds where members begin
 * and tells a truncated file from a complete one.
 */
#ifndef BESPOKE_CODEC_H
#define BESPOKE_CODEC_H

#include "core/mem.h"

#include <stdbool.h>

enum { CODEC_MAGIC_BYTES = 4 }; /* `starts` sees as many, fewer only at the file's end */

/* What a step works on; the first four move on by what was consumed and produced. */
typedef struct codec_step {
    const char *in;
    size_t in_bytes;
    char *out;
    size_t out_bytes;
    bool finish; /* encoding: nothing comes after `in` */
    bool over;   /* set by the codec.  Decoding: a member ended, the next was not touched.
                    Encoding: everything was finished and put out. */
} codec_step;

typedef struct codec {
    const char *name;   /* "gzip" */
    const char *suffix; /* of its files, ".gz" */
    bool zero_padding;  /* zeros behind the last member are no damage */
    /* Are these the first bytes of a member? */
    bool (*starts)(const unsigned char *in, size_t bytes);

    /* A decoder that stands before a first member.  0 or ERR_LIMIT. */
    int (*open_decoder)(void **out, mem *m, err *e);
    /* Stand before a further member.  0 or ERR_LIMIT. */
    int (*restart)(void *decoder, err *e);
    /* Decode until input or output is used up or the member is over.  0, ERR_INPUT or
       ERR_LIMIT. */
    int (*decode)(void *decoder, codec_step *io, err *e);
    void (*close_decoder)(void *decoder);

    /* 0 or ERR_LIMIT. */
    int (*open_encoder)(void **out, mem *m, err *e);
    /* Encode until the input is used up or the output full.  0 or a code. */
    int (*encode)(void *encoder, codec_step *io, err *e);
    void (*close_encoder)(void *encoder);
} codec;

extern const codec codec_gz, codec_zst, codec_bz2;

/* All of them; NULL ends the list. */
extern const codec *const codecs[];

/**
 * The codec that the name of a file promises by its suffix, or NULL.  `stem` (may be NULL)
 * gets the length of the name without that suffix.
 */
const codec *codec_of_name(const char *name, size_t *stem);

/* ---- for those who write one ------------------------------------------------------- */

/**
 * Memory for zlib and bzip2, which ask by call-back and give back without the size.
 * `account` is the mem; NULL when it is exhausted, and the library then says so.
 */
void *codec_get(void *account, size_t items, size_t size);
void codec_put(void *account, void *address);

/* As much of a buffer as the libraries' 32-bit counts can hold. */
unsigned codec_clamp(size_t bytes);

/* So many bytes were consumed and produced. */
void codec_move(codec_step *io, size_t consumed, size_t produced);

#endif
