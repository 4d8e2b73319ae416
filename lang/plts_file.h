/*
 * plts_file.h - an open .plts file: what all readers of one share.
 *
 * Nothing in the file is trusted.  Opening checks header, SUMS and NAMES; the pieces of the
 * three arrays are checked one by one, by any thread, and then the joints between them.
 */
#ifndef BESPOKE_PLTS_FILE_H
#define BESPOKE_PLTS_FILE_H

#include "core/label_table.h"
#include "lang/load_options.h"
#include "lang/plts_layout.h"

typedef struct plts_file {
    mem *m;           /* borrowed */
    const char *path; /* borrowed */
    int fd;           /* -1 = not open */
    plts_layout at;
    uint64_t *sums;      /* owned; of at.pieces pieces, verified */
    label_table *labels; /* owned, or NULL once taken */
    label_id *rename;    /* owned; number in the file -> number in `labels`; NULL when
                            they are the same, that is unless --hidden joined labels */
} plts_file;

/** Open and check all but the arrays.  0, or a code; close also a failed one. */
int plts_file_open(plts_file *f, const char *path, const load_options *o, err *e);
void plts_file_close(plts_file *f);

/** The label table, which is the caller's from now on. */
label_table *plts_file_take_labels(plts_file *f);

/** Read exactly these bytes.  0, ERR_INPUT (shrunk meanwhile), ERR_SYSTEM. */
int plts_file_read(const plts_file *f, uint64_t offset, void *into, size_t bytes, err *e);

/**
 * Check the bytes of a piece against its checksum, and what they say: rows ascend, targets
 * are states, labels have names.  Any thread.  0, or ERR_INPUT naming the section.
 */
int plts_file_check(const plts_file *f, uint64_t piece, const void *data, err *e);

/** The rest, for all rows: do they join at the pieces' ends, from 0 to transitions? */
int plts_file_check_rows(const plts_file *f, const uint64_t *first, err *e);

/**
 * Call `each` for the pieces of the three arrays, with several threads.  0, or the failure of
 * the first piece that has one, or ERR_LIMIT when the time is up.
 */
int plts_file_each(const plts_file *f, const load_options *o,
                   int (*each)(void *context, uint64_t piece, err *e), void *context,
                   err *e);

/**
 * Give labels their numbers in `labels` after a rename, in the smallest width: `*column`
 * (`count` of `*width` bytes, on f->m) may be replaced.  0, or ERR_LIMIT.
 * Nothing to do, and nothing done, when there is no rename.
 */
int plts_file_rename(const plts_file *f, void **column, uint64_t count, unsigned *width,
                     int threads, err *e);

#endif
