/*
 * output_file.h - the file behind an output: nameless until it is complete.
 *
 * Where the file system has nameless files (O_TMPFILE) a killed process leaves nothing;
 * elsewhere the bytes go to a hidden file `.NAME.<hex>.tmp` beside the target.  Symbolic
 * links are followed: what they point to is replaced, not the link.
 */
#ifndef BESPOKE_OUTPUT_FILE_H
#define BESPOKE_OUTPUT_FILE_H

#include "core/err.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct output_file {
    int fd;                  /* -1 = not open */
    int dir;                 /* of the target; -1 = not open */
    bool direct;             /* the target is no regular file: written, never renamed */
    bool replaces;           /* a regular file of that name exists, */
    mode_t mode;             /*   with these permissions */
    char path[PATH_MAX];     /* the target, links followed */
    const char *base;        /* its last component, inside `path` */
    char temp[NAME_MAX + 1]; /* hidden name in `dir` that must not be left; "" = none */
} output_file;

#define OUTPUT_FILE_NONE ((output_file){ .fd = -1, .dir = -1 })

/** Open for writing.  0, or ERR_INPUT with path and reason; close also a failed one. */
int output_file_open(output_file *f, const char *path, err *e);

/** Append all of it, or write it at a position.  0, or ERR_SYSTEM. */
int output_file_write(output_file *f, const char *data, size_t bytes, err *e);
int output_file_write_at(output_file *f, uint64_t offset, const char *data, size_t bytes,
                         err *e);

/** Make the content durable and give it its name, durably.  0, or ERR_SYSTEM. */
int output_file_commit(output_file *f, err *e);

/** Close; what has no name yet vanishes. */
void output_file_close(output_file *f);

#endif
