/*
 * text_blocks.h - a text file cut into blocks of whole lines, handed out to several threads.
 *
 * A plain file is read in place: block k holds the lines that begin in its k-th stretch of
 * bytes, and every thread reads its own.  A compressed one is decoded by whoever comes for
 * a block, under a lock: while one thread decodes, the others parse what they decoded
 * before, so decoding and parsing overlap without a queue and without a thread set aside.
 */
#ifndef BESPOKE_TEXT_BLOCKS_H
#define BESPOKE_TEXT_BLOCKS_H

#include "lang/source.h"

/* So many bytes may be read, not written, before and after a block's text. */
enum { TEXT_BLOCKS_PAD = 64 };

typedef struct text_blocks text_blocks;

typedef struct text_block {
    char *
        text; /* whole lines, each ending in '\n' (added to the file's last if missing) */
    size_t bytes;    /* of text; 0 is possible inside a very long line */
    uint64_t number; /* blocks are numbered from 0 in the order of the file */
    bool broken;     /* the source failed `rest` bytes behind this text: see `why` */
    size_t rest;     /* of an unfinished line */
    err why;
    char *buffer; /* owned: pad, text, pad */
    size_t room;  /* of buffer */
} text_block;

/**
 * Cut `s` (borrowed) into blocks of about `block_bytes`.  0, or ERR_LIMIT.
 */
int text_blocks_open(text_blocks **out, source *s, mem *m, size_t block_bytes, err *e);
void text_blocks_close(text_blocks *b);

/** Of a plain file, hand out the lines that begin at the bytes begin .. end-1 alone.  Ranges that join
    share no line and miss none.  Before the first block. */
void text_blocks_restrict(text_blocks *b, uint64_t begin, uint64_t end);

/**
 * Get the next block into `out`, whose buffer is reused.  Start with a zeroed text_block.
 * Any thread, each with a block of its own; waits only for the disk or for the decoder.
 * Numbers are handed out in order.  true; false at the end, or with a code in `e`, and then
 * out->number is that of the block that could not be had.  After a broken block there is
 * none.
 */
bool text_blocks_next(text_blocks *b, text_block *out, err *e);
void text_block_release(text_block *t, mem *m);

/* Bytes of text handed out so far, and in all, but for a line's end (0 when not known). */
uint64_t text_blocks_done(const text_blocks *b);
uint64_t text_blocks_total(const text_blocks *b);

#endif
