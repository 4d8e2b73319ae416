/*
 * packed_file.h - bytes as a file in memory that any code opens by its path; and text packed
 * as gzip, zstd or bzip2, by the libraries themselves.  Aborts when the machine fails.
 */
#ifndef BESPOKE_PACKED_FILE_H
#define BESPOKE_PACKED_FILE_H

#include <stddef.h>

typedef enum {
    PACKED_PLAIN,
    PACKED_GZ,
    PACKED_ZST,
    PACKED_BZ2,
    PACKED_KINDS
} packed_kind;

/* The packed form, to be freed. */
char *packed_bytes(packed_kind kind, const char *data, size_t bytes, size_t *out_bytes);

typedef struct packed_file {
    int fd;
    char path[32];
} packed_file;

packed_file packed_file_open(void);
void packed_file_close(packed_file *f);

/* Make these bytes the content of the file. */
void packed_file_set(packed_file *f, const char *data, size_t bytes);

/* The same for the packed form of the bytes. */
void packed_file_pack(packed_file *f, packed_kind kind, const char *data, size_t bytes);

#endif
