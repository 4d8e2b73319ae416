/*
 * source.h - the bytes of a file, decompressed as they are read.
 *
 * The codec is told by the first bytes of the file, not by its name: gzip, zstd, bzip2
 * (each with several members in a row), or plain.  Pipes work.
 */
#ifndef BESPOKE_SOURCE_H
#define BESPOKE_SOURCE_H

#include "core/mem.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct source source;

/**
 * Open for reading.  0, or ERR_INPUT or ERR_SYSTEM with the path and the reason, or
 * ERR_LIMIT.  `path` is borrowed.
 */
int source_open(source **out, mem *m, const char *path, err *e);
void source_close(source *s);

/**
 * The next decoded bytes, in order: at most `bytes`, at least one unless the end is reached.
 * Blocks on the disk or the pipe.  Returns the number read, 0 at the end, or -1 with
 * ERR_INPUT when the data are damaged or end early, ERR_SYSTEM when the disk fails (the
 * message names neither file nor position: the caller knows line and column).
 */
ssize_t source_read(source *s, char *into, size_t bytes, err *e);

/**
 * Is this an uncompressed regular file?  Then any thread may read any part of it with
 * source_read_at and its length is known.
 */
bool source_is_plain(const source *s);
uint64_t source_plain_bytes(const source *s);

/** `bytes` bytes from `offset`, fewer only at the file's end; -1 with ERR_SYSTEM. */
ssize_t source_read_at(const source *s, uint64_t offset, char *into, size_t bytes,
                       err *e);

/* Name of the codec: "plain", "gzip", "zstd", "bzip2". */
const char *source_codec(const source *s);

#endif
