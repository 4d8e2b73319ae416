/*
 * label_table.h - labels as dense numbers.
 *
 * A label is a string of bytes, its number the order of its first use.  One label may be
 * hidden (the tau of the theory): every hidden name is entered as that one label, written
 * `i`, so that nobody above this table ever compares label texts to know what is silent.
 */
#ifndef BESPOKE_LABEL_TABLE_H
#define BESPOKE_LABEL_TABLE_H

#include "core/ids.h"
#include "core/mem.h"

#include <stdbool.h>

#define LABEL_HIDDEN_NAME "i"

typedef struct label_table label_table;

/** An empty table.  0, or ERR_LIMIT. */
int label_table_open(label_table **out, mem *m, err *e);
void label_table_close(label_table *t);

/** A further name for the hidden label; `i` always is one.  Before any label is put. */
int label_table_hide(label_table *t, const char *name, err *e);

/**
 * The number of a label, entering it if it is new.  `text` is copied.
 * 0, ERR_LIMIT (memory), or ERR_INPUT beyond 2^32 - 2 labels.
 */
int label_table_put(label_table *t, const char *text, size_t bytes, label_id *out,
                    err *e);

/** The number of a label, or LABEL_NONE.  A hidden name finds the hidden label. */
label_id label_table_find(const label_table *t, const char *text, size_t bytes);

/** How many labels there are, the hidden one included when it was put. */
label_id label_table_count(const label_table *t);

/** Text of a label, ending in a NUL that `bytes` (may be NULL) does not count. */
const char *label_table_text(const label_table *t, label_id id, size_t *bytes);

/** The hidden label, or LABEL_NONE when none was put. */
label_id label_table_hidden(const label_table *t);

/** Was this further name of the hidden label, one that label_table_hide got, put? */
bool label_table_met(const label_table *t, const char *name);

/** Bytes per label in the smallest column that holds all `count` labels: 1, 2 or 4. */
unsigned label_table_width(label_id count);

#endif
