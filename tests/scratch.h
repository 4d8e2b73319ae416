/*
 * scratch.h - a folder of its own for a test, and whole files in one call.  All of these end
 * the program when the machine does not let them.
 */
#ifndef BESPOKE_SCRATCH_H
#define BESPOKE_SCRATCH_H

#include <stddef.h>

enum { SCRATCH_PATHS = 16 };

typedef struct scratch {
    char dir[64];
    char path[SCRATCH_PATHS][128]; /* the last paths asked for */
    unsigned next;
} scratch;

/* An empty folder, and its end with all that is in it. */
scratch scratch_open(void);
void scratch_close(scratch *s);

/* The path of a file in the folder; valid until SCRATCH_PATHS more were asked for. */
const char *scratch_path(scratch *s, const char *name);

/* How many entries the folder has, hidden ones included. */
size_t scratch_count(const scratch *s);

/* Write a file, or read one into memory (to be freed) with a NUL behind it. */
void scratch_write(const char *path, const void *data, size_t bytes);
char *scratch_read(const char *path, size_t *bytes);

#endif
