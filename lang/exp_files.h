/*
 * exp_files.h - the files of a network: texts, and where names in them point to.
 */
#ifndef BESPOKE_EXP_FILES_H
#define BESPOKE_EXP_FILES_H

#include "lang/exp.h"
#include "lang/text_file.h"

typedef struct exp_files {
    arena *store;            /* borrowed; texts and names live there */
    VEC(text_file *) texts;  /* each file once, however often it is included */
    VEC(const char *) names; /* all that was read, rule files too */
} exp_files;

void exp_files_release(exp_files *f);

/** A text by its path, read once.  0; ERR_INPUT, ERR_SYSTEM, ERR_LIMIT. */
int exp_files_text(exp_files *f, const char *path, text_file **out, err *e);

/** One more file was read; the name is kept, not copied. */
int exp_files_note(exp_files *f, const char *name, err *e);

/**
 * The path of `name` as it stands in the file at `at`, completed by the first of `suffixes`
 * (the last is NULL) that leads to a file, unless it ends in one of them.  NULL with ERR_INPUT
 * at the place, naming what would be `wanted`, or ERR_LIMIT.
 */
const char *exp_files_find(exp_files *f, exp_text name, exp_place at, const char *wanted,
                           const char *const *suffixes, err *e);

#endif
