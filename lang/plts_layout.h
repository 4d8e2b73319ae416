/*
 * plts_layout.h - where everything lies in a .plts file, version 1.
 *
 * All numbers are little-endian and unsigned.  The header:
 *
 *     offset  bytes
 *          0      8   magic: 89 'P' 'L' 'T' 'S' 0d 0a 1a (a text-mode copy breaks it)
 *          8      4   version, 1
 *         12      4   bytes of the header, 256
 *         16      8   states, 1 .. 2^32 - 2
 *         24      8   initial state
 *         32      8   transitions
 *         40      8   labels
 *         48      4   bytes per label in the LABEL section: the smallest that hold all
 *         52      4   flags, 0
 *         56      8   bytes of a piece, 2^20
 *         64    120   five sections, in order: offset, bytes, checksum; 8 bytes each
 *        184      8   bytes of the file
 *        192     56   zero
 *        248      8   XXH64 of the 248 bytes before
 *
 * Sections follow in the order of the table, each on the next boundary of 4 KiB; the file
 * ends with the last byte of SUMS.  A section is cut into pieces of 2^20 bytes, the last
 * one shorter; SUMS holds the XXH64 of every piece, sections in order.  The checksum of a
 * section in the table is the XXH64 of its part of SUMS, that of SUMS of all of it.
 *
 * So the layout follows from six numbers, and a file that says otherwise is damaged.
 */
#ifndef BESPOKE_PLTS_LAYOUT_H
#define BESPOKE_PLTS_LAYOUT_H

#include "core/err.h"
#include "core/ids.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The arrays are used as they lie in the file. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a .plts is little-endian");

enum { PLTS_HEADER_BYTES = 256, PLTS_MAGIC_BYTES = 8, PLTS_PAGE = 4096 };

#define PLTS_SECTIONS(X)                                       \
    X(FIRST, "states + 1 numbers of 8 bytes: the rows")        \
    X(TARGET, "transitions x 4 bytes")                         \
    X(LABEL, "transitions x 1, 2 or 4 bytes")                  \
    X(NAMES, "where each label ends, 8 bytes; then the texts") \
    X(SUMS, "checksums of all pieces before")

#define PLTS_ENUM(id, doc) PLTS_##id,
typedef enum { PLTS_SECTIONS(PLTS_ENUM) PLTS_SECTION_COUNT } plts_section_id;
#undef PLTS_ENUM

typedef struct plts_section {
    uint64_t offset, bytes; /* in the file */
    uint64_t sum;           /* as in the table */
    uint64_t piece;         /* number of its first piece, counted over all sections */
} plts_section;

typedef struct plts_layout {
    uint64_t states, initial, transitions, labels;
    unsigned label_bytes;
    uint64_t names_bytes; /* of the NAMES section */
    plts_section section[PLTS_SECTION_COUNT];
    uint64_t pieces; /* of all sections but SUMS */
    uint64_t file_bytes;
} plts_layout;

const char *plts_section_name(plts_section_id id);

/** From the six numbers at the top of `l`, which are in range, all the others but sums. */
void plts_layout_plan(plts_layout *l);

/** The header as it lies in the file. */
void plts_layout_encode(const plts_layout *l, uint8_t header[PLTS_HEADER_BYTES]);

/* Do the first bytes of a file, at least PLTS_MAGIC_BYTES, say .plts? */
bool plts_layout_is(const uint8_t *first_bytes);

/* Is it the first line of a .plts, for those who read it as a text?  Without the line end. */
bool plts_layout_is_line(const char *line, size_t bytes);

/**
 * Read the header of a file of `file_bytes` bytes, of which the first `have` are given (all
 * of them, or PLTS_HEADER_BYTES).  After 0 every offset and count can be relied upon to
 * lie inside the file.  ERR_INPUT with a sentence that names `path`.
 */
int plts_layout_decode(plts_layout *l, const uint8_t *header, size_t have,
                       uint64_t file_bytes, const char *path, err *e);

/* What a piece is: its section, its position and length in the file. */
typedef struct plts_piece {
    plts_section_id section;
    uint64_t start; /* in the section */
    uint64_t offset, bytes;
} plts_piece;

plts_piece plts_layout_piece(const plts_layout *l, uint64_t piece);

#endif
