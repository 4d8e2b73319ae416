/*
 * label_pattern.h - ordered lists of patterns over labels; label_rules.c is who uses them.
 */
#ifndef BESPOKE_LABEL_PATTERN_H
#define BESPOKE_LABEL_PATTERN_H

#include "lang/label_regexp.h"
#include "lang/label_rules.h"

#include <stdint.h>

enum { LABEL_GROUPS = 10 }; /* what matched, and \1 to \9 */

#define LABEL_PATTERN_NONE UINT32_MAX

typedef struct label_pattern {
    const char *text; /* as it was written, with a NUL; in the arena */
    size_t bytes;
    const char *plain; /* the one text it stands for; NULL: `regexp` is needed */
    size_t plain_bytes;
    bool fold; /* in any case */
    regex_t regexp;
    uint32_t next; /* the next pattern in the same bucket, plus 1 */
} label_pattern;

typedef struct label_patterns {
    label_mode mode;
    arena store;
    VEC(label_pattern *) item;
    VEC(uint32_t) bucket; /* plain ones for whole words, by hash: number plus 1 */
    VEC(uint32_t) other;  /* those that are tried one after the other, ascending */
} label_patterns;

#define LABEL_PATTERNS_INIT(account, how) \
    ((label_patterns){ .mode = (how), .store = ARENA_INIT((account), 1 << 12) })

void label_patterns_release(label_patterns *p);

/** 0; ERR_INPUT without position; ERR_LIMIT. */
int label_patterns_add(label_patterns *p, const char *text, size_t bytes, bool fold,
                       err *e);

/**
 * The number of the first pattern that matches the label in the list's mode, or
 * LABEL_PATTERN_NONE.  match[0 .. n-1] get what it matched and its groups.
 */
uint32_t label_patterns_find(const label_patterns *p, const char *label, size_t bytes,
                             regmatch_t *match, size_t n);

/** The next part of the label that the pattern matches, from byte `from` on. */
bool label_pattern_next(const label_pattern *q, const char *label, size_t bytes,
                        size_t from, regmatch_t *match, size_t n);

/* How many groups \( \) it has. */
size_t label_pattern_groups(const label_pattern *q);

/* ---- for who looks up several lists at once ------------------------------------------------ */

/* Must a whole label or gate match? */
bool label_pattern_is_whole(label_mode mode);

/* Of a word: the same in every case. */
uint32_t label_pattern_hash(const char *text, size_t bytes);

/* Is it this word?  For plain ones. */
bool label_pattern_is_word(const label_pattern *q, const char *text, size_t bytes);

/* Does it match?  For those that are no words. */
bool label_pattern_matches(const label_pattern *q, label_mode mode, const char *label,
                           size_t bytes);

const label_patterns *label_set_patterns(const label_set *s);
const label_patterns *label_map_patterns(const label_map *s);

#endif
