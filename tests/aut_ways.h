/*
 * aut_ways.h - the AUT reader on one text in every way: plain and packed, with few and many
 * threads, in blocks of the usual size and in tiny ones, so that block edges fall anywhere.
 */
#ifndef BESPOKE_AUT_WAYS_H
#define BESPOKE_AUT_WAYS_H

#include "tests/naive_aut.h"
#include "tests/packed_file.h"

typedef struct aut_way {
    packed_kind kind;
    int threads;
    size_t block_bytes; /* 0 = the usual */
} aut_way;

enum { AUT_WAYS = 4 * 4 * 3 };

/* Way number 0 .. AUT_WAYS-1; the kind changes slowest. */
aut_way aut_way_of(unsigned number);

/* Read a file that is there already.  Silent.  0 or a code. */
int aut_way_read(lts *out, mem *m, const char *path, const aut_way *way,
                 const naive_rules *rules, err *e);

/* Read a text in every way: each must give the LTS (or, with `wrong`, the failure ERR_INPUT
   whose message is the path and `wrong`, or begins so), and give back all memory.  Complaints
   are printed with the way; true when there are none. */
bool aut_ways_same(const char *text, size_t bytes, const naive_rules *rules,
                   const naive_lts *expected, const char *wrong);

#endif
