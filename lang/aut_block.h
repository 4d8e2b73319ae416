/*
 * aut_block.h - one thread's share of reading an AUT file: lines in, a batch out.
 */
#ifndef BESPOKE_AUT_BLOCK_H
#define BESPOKE_AUT_BLOCK_H

#include "core/label_table.h"
#include "core/lts_part.h"
#include "lang/load_options.h"
#include "lang/text_blocks.h"

typedef struct aut_label_memo aut_label_memo;

/* Touched by its thread only. */
typedef struct aut_block {
    const load_options *options; /* borrowed */
    uint64_t state_limit;        /* states below it are legal */
    uint64_t state_end;          /* one more than the largest state seen so far */
    lts_batch batch;             /* the transitions of the block read last */
    label_table *labels;         /* numbered by this thread's first use */
    VEC(label_id) rename;  /* those numbers -> the LTS's; as far as they are known */
    aut_label_memo *memo;  /* recent short labels */
    uint64_t line, column; /* lines read of the block; after a mistake, where in the
                                    next one it stands, from 0 */
} aut_block;

int aut_block_open(aut_block *b, const load_options *o, uint64_t state_limit, err *e);
void aut_block_close(aut_block *b);

/**
 * Read all lines of the text but the first `skip` bytes into the batch.
 * 0, or a code with the place in line and column; the message has no position.
 */
int aut_block_read(aut_block *b, const text_block *text, size_t skip, err *e);

/**
 * Enter the labels that this thread has met since the last call into the table of the
 * LTS, in the order it met them.  0, or a code.
 */
int aut_block_enter_labels(aut_block *b, label_table *into, err *e);

/** After the last block: the table of the LTS, too, knows which hidden names occur. */
int aut_block_enter_hidden(const aut_block *b, label_table *into, err *e);

#endif
