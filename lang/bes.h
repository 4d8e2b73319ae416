/*
 * bes.h - Boolean equation systems as text (.bes), read, checked and written.
 *
 *     block nu B0 is X0 = X1 and X0_1   X1 = X0 or X1 end block
 *     block mu B1 mode 2 is X0 = X1 or X2  X1 = false  X2 = X0 end block
 *
 * X3 is variable 3 of its own block, X3_1 that of block B1.  Comments are (* ... *), white
 * space is free.  No mixing of `or` and `and` in an equation, one equation per variable,
 * and no cycle of blocks.  Numbers may have holes; a block may be empty.
 *
 * What is read is a graph of vertices: constants are folded (an or without operands is false,
 * an and without operands true), and an equation of one operand gets the operator that
 * leaves its block of one operator if it can be.
 */
#ifndef BESPOKE_BES_H
#define BESPOKE_BES_H

#include "core/graph.h"
#include "core/progress.h"

#include <stdbool.h>
#include <stdint.h>

#define BES_NUMBER_MAX (UINT32_MAX - 2) /* of a variable, a block or a mode */

typedef struct bes_block {
    graph_sign sign;
    bool unique;     /* "unique": will be asked for one variable only; kept, not used */
    uint32_t number; /* of "B3" */
    uint32_t mode;   /* "mode 2": a hint at an algorithm; kept, not used */
    vertex_id begin, end; /* its equations */
} bes_block;

typedef struct bes {
    mem *m;                 /* borrowed: the account of all below */
    uint32_t block_count;   /* > 0 */
    bes_block *blocks;      /* owned; callers before callees, otherwise as in the file */
    vertex_id vertices;     /* equations of all blocks, as in the file within a block */
    uint32_t *variable;     /* owned; per vertex the number of "X3" */
    uint8_t *op;            /* owned; per vertex, of graph_op */
    uint64_t *first;        /* owned; operands of v: operand[first[v] .. first[v+1]-1] */
    vertex_id *operand;     /* owned; of the same block or a later one */
    uint64_t operand_count; /* = first[vertices] */
} bes;

/* A variable by its numbers: X3_1. */
typedef struct bes_name {
    uint32_t variable, block;
} bes_name;

/**
 * Read a file, plain or compressed.  Blocks on the disk.  `clock` may be NULL.
 * 0; ERR_INPUT with file:line:column, ERR_SYSTEM, ERR_LIMIT.  On failure `out` is empty.
 */
int bes_read(bes *out, mem *m, const char *path, progress *clock, err *e);

/** The same from memory; `name` stands for the file in messages. */
int bes_parse(bes *out, mem *m, const char *name, const char *text, size_t bytes,
              progress *clock, err *e);

/** Free; an empty one is accepted. */
void bes_close(bes *b);

/**
 * Memory for a system of these sizes, all zero; the caller fills it in.
 * 0 or ERR_LIMIT; on failure `out` is empty.
 */
int bes_open(bes *out, mem *m, uint32_t blocks, vertex_id vertices, uint64_t operands,
             err *e);

/**
 * Write; what is read again is equal.  Streams.  Blocks on the disk.
 * 0, or the codes of output.h.
 */
int bes_write(const bes *b, const char *path, progress *clock, err *e);

/** "X3" or "X3_1"; without a block the block is 0.  False when it is neither. */
bool bes_name_parse(bes_name *out, const char *text);

/** The vertex of a variable, or VERTEX_NONE. */
vertex_id bes_find(const bes *b, bes_name name);

/* The block that a vertex lies in. */
uint32_t bes_block_of(const bes *b, vertex_id v);

#endif
