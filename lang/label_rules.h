/*
 * label_rules.h - patterns over labels: which are hidden, cut, preferred, and what is renamed.
 *
 * A pattern is a UNIX basic regular expression.  What of a label it must match is its mode:
 *
 *     total     the whole label
 *     partial   some part of it
 *     gate      its first word, as a whole: what comes before the first ! ? ( blank or tab
 *     single    (renaming) the first part that matches is replaced
 *     multiple  (renaming) every part that matches is replaced
 *
 * Rules come from a network's own text or from a file of their own (.hid .hide .cut .sync
 * .ren .rename): a header line, then a rule per line, each side in double quotes or not.
 * Patterns without operators are looked up, not tried: thousands of them cost little.
 */
#ifndef BESPOKE_LABEL_RULES_H
#define BESPOKE_LABEL_RULES_H

#include "core/arena.h"
#include "core/vec.h"

#include <stdbool.h>

#define LABEL_MODES(X)    \
    X(TOTAL, "total")     \
    X(PARTIAL, "partial") \
    X(GATE, "gate")       \
    X(SINGLE, "single")   \
    X(MULTIPLE, "multiple")

#define LABEL_MODE_ENUM(id, name) LABEL_##id,
typedef enum { LABEL_MODES(LABEL_MODE_ENUM) LABEL_MODE_COUNT } label_mode;
#undef LABEL_MODE_ENUM

/* The length of a label's gate. */
size_t label_gate(const char *label, size_t bytes);

/* Does a pattern for gates look for something behind the gate?  Then it never matches. */
bool label_pattern_has_offers(const char *pattern, size_t bytes);

/* ---- sets of labels: hide, cut, prio ------------------------------------------------------ */

typedef struct label_set
    label_set; /* patterns, and whether they are listed or all but listed */

/** Empty.  `all_but`: a label belongs if no pattern matches.  0 or ERR_LIMIT. */
int label_set_open(label_set **out, mem *m, label_mode mode, bool all_but, err *e);
void label_set_close(label_set *s);

/** One pattern more; with `fold` it matches in any case, for languages that ignore it.
    0; ERR_INPUT with the reason, no position; ERR_LIMIT. */
int label_set_add(label_set *s, const char *pattern, size_t bytes, bool fold, err *e);

/** Read a file whose header is `word` ("hide", "cut", "sync"), maybe with "all but" behind.
    0; ERR_INPUT with file:line:column; ERR_LIMIT. */
int label_set_read(label_set **out, mem *m, label_mode mode, const char *word,
                   const char *path, err *e);

bool label_set_has(const label_set *s, const char *label, size_t bytes);

/* A pattern as it was added, and for renaming its right side. */
typedef struct label_rule {
    const char *from, *to; /* end in NULs that are not counted */
    size_t from_bytes, to_bytes;
} label_rule;

label_mode label_set_mode(const label_set *s);
bool label_set_all_but(const label_set *s);
size_t label_set_count(const label_set *s);
label_rule label_set_rule(const label_set *s, size_t i);

/* ---- renaming ----------------------------------------------------------------------------- */

typedef struct label_map
    label_map; /* rules, of which the first that matches is applied, once */

int label_map_open(label_map **out, mem *m, label_mode mode, err *e);
void label_map_close(label_map *s);

/** `from` -> `to`, where \1 to \9 and & in `to` are what matched, and a backslash takes its
    meaning from other characters.  `fold` concerns `from` alone.  As label_set_add. */
int label_map_add(label_map *s, const char *from, size_t from_bytes, const char *to,
                  size_t to_bytes, bool fold, err *e);

label_mode label_map_mode(const label_map *s);
size_t label_map_count(const label_map *s);
label_rule label_map_rule(const label_map *s, size_t i);

/** Read a file whose header is "rename".  As label_set_read. */
int label_map_read(label_map **out, mem *m, label_mode mode, const char *path, err *e);

/** The new text of a label, in `a`, or the label itself when no rule matches.  0 or ERR_LIMIT. */
int label_map_apply(const label_map *s, arena *a, const char *label, size_t bytes,
                    const char **out, size_t *out_bytes, err *e);

#endif
