/*
 * reader_check.h - one input through a reader, whatever the input is: it is accepted or
 * refused with ERR_INPUT or ERR_LIMIT, all memory comes back, what is accepted is an LTS, and
 * on AUT text the naive reader has the same opinion, down to the line of the first mistake.
 * For fuzzers; nothing here knows where inputs come from.
 */
#ifndef BESPOKE_READER_CHECK_H
#define BESPOKE_READER_CHECK_H

#include "tests/packed_file.h"

#include <stdbool.h>

typedef struct reader_check {
    packed_file file;    /* where the input stands while it is read */
    bool accepted;       /* was the last input? */
    char complaint[700]; /* the last one */
} reader_check;

/* How to read. */
typedef struct reader_way {
    int threads;
    size_t block_bytes; /* 0 = the usual */
    size_t limit;       /* of memory, bytes */
    bool lenient, hiding;
} reader_way;

reader_check reader_check_open(void);
void reader_check_close(reader_check *c);

/* AUT text, stored in the given form.  What is wrong, or NULL. */
const char *reader_check_text(reader_check *c, packed_kind kind, const char *text,
                              size_t bytes, const reader_way *way);

/* The bytes of a file that claims to be AUT, compressed or not. */
const char *reader_check_file(reader_check *c, const char *data, size_t bytes,
                              const reader_way *way);

/* The bytes of a file that claims to be .plts: mapped, read, and read in part. */
const char *reader_check_plts(reader_check *c, const char *data, size_t bytes,
                              const reader_way *way);

/* Make the table and all checksums of a .plts fit the counts that stand in its header, as a
   malicious writer would; does nothing when the counts need more bytes than there are. */
void reader_check_sign(char *data, size_t bytes);

#endif
