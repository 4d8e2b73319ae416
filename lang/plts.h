/*
 * plts.h - our binary form of an LTS: one CSR, mapped instead of parsed.
 *
 * Little-endian.  A header of fixed size (magic, version, counts, initial state, label
 * width, section table, its own checksum), then sections on 4 KiB boundaries:
 *
 *     FIRST    (states + 1) x 8 bytes: the index by which any range of states is read alone
 *     TARGET   transitions x 4 bytes
 *     LABEL    transitions x 1, 2 or 4 bytes
 *     NAMES    label texts: one 8-byte end offset each, then the bytes
 *     SUMS     XXH64 of every PLTS_PIECE bytes of each section, in that order
 *
 * A section's checksum in the table is the XXH64 of its piece sums, so that all threads
 * verify at once and a reader of a range verifies only the pieces it touches.  Byte by
 * byte: plts_layout.h.  The same LTS always gives the same bytes.
 *
 * A file may be wrong although its checksums are right; so readers check every number they
 * are going to use as an index.  --hidden may join labels: then labels are renumbered.
 */
#ifndef BESPOKE_PLTS_H
#define BESPOKE_PLTS_H

#include "core/lts.h"
#include "core/lts_sink.h"
#include "lang/load_options.h"

enum { PLTS_VERSION = 1, PLTS_PIECE = 1 << 20 };

/**
 * Map a file without copying and verify all of it, in parallel.  The pages stay the
 * system's (they are no anonymous memory) and are shared between processes; whoever
 * shortens the file meanwhile kills them, so rename, do not overwrite.
 * 0, or ERR_INPUT with a sentence: not a .plts, damaged, truncated, newer version.
 * Copies like plts_read when --hidden joins labels.
 */
int plts_map(lts *out, const char *path, const load_options *o, err *e);

/**
 * The same, copied into huge pages: searches run faster on them, and nothing that happens
 * to the file later matters.
 */
int plts_read(lts *out, const char *path, const load_options *o, err *e);

/** Is this file a .plts, by its first bytes? */
bool plts_is(const char *path);

/* The states lo .. hi-1 of a file, for one of many workers. */
typedef struct plts_range {
    mem *m; /* borrowed */
    state_id lo, hi;
    state_id states, initial; /* of the whole */
    uint64_t transitions;     /* of the whole */
    uint64_t *first;  /* hi - lo + 1 entries; first[0] is the first's global number */
    state_id *target; /* first[hi-lo] - first[0] entries */
    void *label;      /* the same number, label_bytes wide */
    unsigned label_bytes;
    label_table *labels; /* owned; all labels of the file */
} plts_range;

/**
 * Read a range of states, lo <= hi, alone: time and memory are those of the range, and only the
 * pieces that hold it are verified.  0 or a code; on failure `out` is empty.
 */
int plts_range_read(plts_range *out, const char *path, state_id lo, state_id hi,
                    const load_options *o, err *e);
void plts_range_close(plts_range *r);

/**
 * Open a sink that writes a .plts, streaming, in memory independent of the size but for 8
 * bytes per MiB.  0, ERR_INPUT when `path` cannot be written or is a pipe, ERR_LIMIT.
 */
int plts_sink_open(lts_sink **out, mem *m, const char *path, const lts_shape *shape,
                   err *e);

#endif
