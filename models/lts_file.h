/*
 * lts_file.h - an LTS in a file, whatever its format; its name tells the format.
 *
 *     .aut .aut.gz .aut.zst .aut.bz2    read and written
 *     .plts                             read and written
 *     .bcg                              read through CADP's bcg_io when it is on PATH
 *     .dot                              written, small ones
 *     .seq                              written, paths
 */
#ifndef BESPOKE_LTS_FILE_H
#define BESPOKE_LTS_FILE_H

#include "core/lts.h"
#include "core/lts_sink.h"
#include "lang/load_options.h"

/**
 * Load.  The first bytes of a file outrank its name, with a warning where they disagree and
 * both are known; a pipe is AUT unless its name says otherwise.
 * A .plts is mapped (o->copy: copied): mapped it is there in half the time and takes no
 * anonymous memory; copied, a search of all of it is a little faster.
 * 0, or ERR_INPUT with the position or with how to convert; ERR_LIMIT.
 */
int lts_file_read(lts *out, const char *path, const load_options *o, err *e);

/* The forms that are read. */
typedef enum { LTS_FILE_PLTS, LTS_FILE_AUT, LTS_FILE_BCG } lts_file_form;

/** As what lts_file_read would read this, with the same warnings.  0, or its code and message. */
int lts_file_form_of(lts_file_form *out, const char *path, const load_options *o, err *e);

/** Does this come from a process, so that it can be read once only? */
bool lts_file_is_pipe(const char *path);

/** Open a sink by suffix; `-` is stdout, as plain AUT text.  0, or ERR_USAGE naming the
    suffixes that can be written. */
int lts_file_sink(lts_sink **out, mem *m, const char *path, const lts_shape *shape,
                  err *e);

/** Can a file of this name be written?  To be asked before long work.  0 or ERR_USAGE. */
int lts_file_check_suffix(const char *path, err *e);

enum { LTS_FILE_SUFFIX_BYTES = 16 };

/** The i-th suffix that is read, packed ones too (".aut.gz"); false past the last one. */
bool lts_file_suffix(char into[LTS_FILE_SUFFIX_BYTES], size_t i);

/** The length of a file's name without the suffixes that tell format and compression. */
size_t lts_file_stem(const char *name);

/* A format, for listings. */
typedef struct lts_file_format {
    const char *suffix; /* ".aut" */
    const char *doc;    /* one line, lower case, no full stop */
    bool packed;        /* also with .gz, .zst or .bz2 behind */
    bool read, written;
} lts_file_format;

/* The i-th format; past the last one its suffix is NULL. */
lts_file_format lts_file_format_get(size_t i);

/* How states are numbered in a copy. */
typedef enum { LTS_FILE_KEEP, LTS_FILE_INITIAL_FIRST } lts_file_numbering;

/**
 * Write a whole LTS, keeping state numbers, or (LTS_FILE_INITIAL_FIRST) exchanging the
 * initial state with state 0.
 */
int lts_file_write(const lts *g, const char *path, lts_file_numbering numbering,
                   progress *clock, err *e);

#endif
