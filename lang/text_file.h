/*
 * text_file.h - a text file, plain or compressed, read as a whole into an arena.
 */
#ifndef BESPOKE_TEXT_FILE_H
#define BESPOKE_TEXT_FILE_H

#include "core/arena.h"

#include <stdint.h>
#include <sys/types.h>

typedef struct text_file {
    const char *name; /* as it is shown; in the arena, as is the text */
    char *text;       /* two NULs follow, which `bytes` does not count */
    uint32_t bytes;
    dev_t device; /* device and inode: is this file here already? */
    ino_t inode;
} text_file;

/**
 * Read at most `most` bytes (below 2^31); a longer file is no `expected`.  0, or ERR_INPUT or
 * ERR_SYSTEM with the path and the reason, ERR_LIMIT.
 */
int text_file_read(text_file *out, arena *a, const char *path, size_t most,
                   const char *expected, err *e);

#endif
