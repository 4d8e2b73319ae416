/*
 * label_pattern.c - which of many patterns is the first that matches a label.
 *
 * Idea       Most patterns are names.  Those that must match a whole label or gate lie in a
 *            hash table under their text; only real regular expressions, and names that are
 *            looked for inside labels, are tried one after the other.
 * Invariant  `other` ascends, so a regular expression behind the name that was found is not
 *            tried: the answer is the first in the order in which they were added.
 * Cost       One look-up, and one regexec per regular expression in front of the answer.
 */
#include "lang/label_pattern.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool matches_words(label_mode mode)
{
    return mode == LABEL_TOTAL || mode == LABEL_GATE;
}

void label_patterns_release(label_patterns *p)
{
    mem *m = p->store.m;
    if (m == NULL) return;
    for (size_t i = 0; i < p->item.count; i++)
        if (p->item.at[i]->plain == NULL) label_regexp_close(&p->item.at[i]->regexp);
    vec_release(m, &p->item);
    vec_release(m, &p->bucket);
    vec_release(m, &p->other);
    arena_release(&p->store);
}

/* The text that an expression without operators stands for, into `out`; -1 if it has some. */
static ptrdiff_t unescape(char *out, const char *text, size_t bytes)
{
    ptrdiff_t count = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == '\0' || strchr(".*[^$", text[i])) return -1;
        if (text[i] == '\\') {
            i++;
            if (i == bytes || text[i] == '\0' || !strchr(".*[]^$\\", text[i])) return -1;
        }
        out[count++] = text[i];
    }
    out[count] = '\0';
    return count;
}

/* The same for a word and for what equals it in another case. */
static uint32_t hash(const char *text, size_t bytes)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ (uint32_t)toupper((unsigned char)text[i])) * 16777619u;
    return h ^ h >> 15;
}

static void enter(label_patterns *p, uint32_t number)
{
    label_pattern *q = p->item.at[number];
    uint32_t h = hash(q->plain, q->plain_bytes);
    uint32_t *bucket = &p->bucket.at[h & (uint32_t)(p->bucket.count - 1)];
    q->next = *bucket;
    *bucket = number + 1;
}

/* Room for one more item: buckets are a power of two, as many as items or more. */
static int make_room(label_patterns *p, err *e)
{
    mem *m = p->store.m;
    size_t want = p->bucket.count ? p->bucket.count : 8;
    if (vec_reserve(m, &p->item, p->item.count + 1, e) != 0) return (int)e->code;
    if (vec_reserve(m, &p->other, p->other.count + 1, e) != 0) return (int)e->code;
    if (p->item.count < want && p->bucket.count > 0) return 0;
    if (p->item.count >= want) want *= 2;
    if (vec_reserve(m, &p->bucket, want, e) != 0) return (int)e->code;
    memset(p->bucket.at, 0, want * sizeof *p->bucket.at);
    p->bucket.count = want;
    for (size_t i = 0; i < p->item.count; i++)
        if (p->item.at[i]->plain && matches_words(p->mode)) enter(p, (uint32_t)i);
    return 0;
}

static label_pattern *fresh(label_patterns *p, const char *text, size_t bytes, err *e)
{
    label_pattern *q = arena_get(&p->store, sizeof *q, e);
    char *copy = q ? arena_get(&p->store, 2 * (bytes + 1), e) : NULL;
    if (copy == NULL) return NULL;
    if (bytes > 0) memcpy(copy, text, bytes);
    copy[bytes] = '\0';
    *q = (label_pattern){ .text = copy, .bytes = bytes };
    return q;
}

int label_patterns_add(label_patterns *p, const char *text, size_t bytes, bool fold,
                       err *e)
{
    label_pattern *q = fresh(p, text, bytes, e);
    if (q == NULL || make_room(p, e) != 0) return (int)e->code;
    q->fold = fold;
    char *plain = (char *)(size_t)q->text + bytes + 1;
    ptrdiff_t length = unescape(plain, q->text, bytes);
    bool words = matches_words(p->mode);
    if (length >= 0 && (words || !fold)) {
        q->plain = plain;
        q->plain_bytes = (size_t)length;
    } else if (label_regexp_open(&q->regexp, q->text, bytes, fold, e) != 0) {
        return (int)e->code;
    }
    uint32_t number = (uint32_t)p->item.count;
    p->item.at[p->item.count++] = q;
    if (q->plain && words) enter(p, number);
    else p->other.at[p->other.count++] = number;
    return 0;
}

size_t label_pattern_groups(const label_pattern *q)
{
    return q->plain ? 0 : q->regexp.re_nsub;
}

static void set_match(regmatch_t *match, size_t n, size_t from, size_t to)
{
    for (size_t i = 0; i < n; i++) match[i] = (regmatch_t){ .rm_so = -1, .rm_eo = -1 };
    match[0] = (regmatch_t){ .rm_so = (regoff_t)from, .rm_eo = (regoff_t)to };
}

bool label_pattern_next(const label_pattern *q, const char *label, size_t bytes,
                        size_t from, regmatch_t *match, size_t n)
{
    if (q->plain == NULL)
        return label_regexp_find(&q->regexp, label, bytes, from, match, n);
    const char *at = memmem(label + from, bytes - from, q->plain, q->plain_bytes);
    if (at == NULL) return false;
    size_t begin = (size_t)(at - label);
    set_match(match, n, begin, begin + q->plain_bytes);
    return true;
}

static bool is_word(const label_pattern *q, const char *text, size_t bytes)
{
    if (q->plain_bytes != bytes) return false;
    return q->fold ? strncasecmp(q->plain, text, bytes) == 0
                   : memcmp(q->plain, text, bytes) == 0;
}

static uint32_t find_word(const label_patterns *p, const char *text, size_t bytes)
{
    uint32_t found = LABEL_PATTERN_NONE;
    if (p->bucket.count == 0) return found;
    uint32_t slot = hash(text, bytes) & (uint32_t)(p->bucket.count - 1);
    for (uint32_t i = p->bucket.at[slot]; i != 0; i = p->item.at[i - 1]->next)
        if (is_word(p->item.at[i - 1], text, bytes)) found = i - 1; /* they descend */
    return found;
}

uint32_t label_patterns_find(const label_patterns *p, const char *label, size_t bytes,
                             regmatch_t *match, size_t n)
{
    bool words = matches_words(p->mode);
    if (p->mode == LABEL_GATE) bytes = label_gate(label, bytes);
    uint32_t word = words ? find_word(p, label, bytes) : LABEL_PATTERN_NONE;
    for (size_t i = 0; i < p->other.count && p->other.at[i] < word; i++) {
        const label_pattern *q = p->item.at[p->other.at[i]];
        if (!label_pattern_next(q, label, bytes, 0, match, n)) continue;
        if (!words || (match[0].rm_so == 0 && match[0].rm_eo == (regoff_t)bytes))
            return p->other.at[i];
    }
    if (word != LABEL_PATTERN_NONE) set_match(match, n, 0, bytes);
    return word;
}
