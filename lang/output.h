/*
 * output.h - a file that appears whole or not at all.
 *
 * Bytes go to a nameless file in the target's directory (or a hidden temporary one where
 * the file system has no nameless files) and get the name after fsync, by rename.  A killed
 * process leaves nothing behind, a failed one leaves an older file of that name as it was.
 * A replaced file keeps its permissions; a symbolic link stays and its target is replaced.
 * A target that exists and is no regular file (a pipe, /dev/stdout) is written directly.
 * A suffix .gz, .zst or .bz2 compresses.
 */
#ifndef BESPOKE_OUTPUT_H
#define BESPOKE_OUTPUT_H

#include "core/mem.h"

#include <stdint.h>

enum { OUTPUT_WINDOW_MAX = 64 * 1024 };

typedef struct output output;

/** Create.  0, or ERR_INPUT with path and reason (no such directory, not permitted);
    ERR_LIMIT.  `path` is copied. */
int output_open(output **out, mem *m, const char *path, err *e);

/** Could a file of this name be created?  To be asked before long work; leaves no trace.
    0, or what output_open says. */
int output_check(mem *m, const char *path, err *e);

/** Would writing to `path` (NULL = nothing is written) fall upon a file that is read?
    0, or ERR_USAGE. */
int output_check_apart(const char *path, const char *read, err *e);

/** Append; buffered.  0, or ERR_SYSTEM (disk full).  */
int output_write(output *o, const void *data, size_t bytes, err *e);

/**
 * A window of at least `bytes` (<= OUTPUT_WINDOW_MAX) to format into; output_advance says how many
 * were used.  For writers that make many short pieces: no call per piece, no copy.
 * NULL with ERR_SYSTEM when earlier bytes could not be written.
 */
char *output_window(output *o, size_t bytes, err *e);
void output_advance(output *o, size_t bytes);

/**
 * Write at a position of an uncompressed file, beside the buffered stream.
 * 0, ERR_INPUT when the target is a pipe or device, ERR_SYSTEM.
 */
int output_write_at(output *o, uint64_t offset, const void *data, size_t bytes, err *e);

/**
 * Flush, fsync, give the file its name, fsync the directory.  Blocks on the disk.
 * 0, or ERR_SYSTEM and the name stands for what it stood for before (unless the last of
 * these steps was the one that failed).
 */
int output_commit(output *o, err *e);

/** Free; without a commit before, the file vanishes. */
void output_close(output *o);

#endif
