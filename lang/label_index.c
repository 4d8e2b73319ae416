/*
 * label_index.c - which of many patterns match a label.
 *
 * Idea       As in label_pattern.c, names that must match a whole label or gate lie in a hash
 *            table under their text, here those of all sets together; the others are tried,
 *            but for those whose number was hit already.
 * Cost       Two look-ups, the names that match, and one regexec per pattern that is tried.
 */
#include "lang/label_index.h"

#include "lang/label_pattern.h"

#include <string.h>

typedef struct entry {
    const label_pattern *q;
    label_mode mode;
    size_t number;
    size_t next; /* in the same bucket, plus 1 */
} entry;

struct label_index {
    mem *m;
    VEC(entry) word;
    VEC(entry) other;
    VEC(size_t) bucket; /* a power of two of them: a word's number plus 1 */
};

int label_index_open(label_index **out, mem *m, err *e)
{
    label_index *x = *out = mem_get(m, sizeof *x, e);
    if (x == NULL) return (int)e->code;
    x->m = m;
    return 0;
}

void label_index_close(label_index *x)
{
    if (x == NULL) return;
    mem *m = x->m;
    vec_release(m, &x->word);
    vec_release(m, &x->other);
    vec_release(m, &x->bucket);
    mem_put(m, x, sizeof *x);
}

static size_t *bucket_of(const label_index *x, const char *text, size_t bytes)
{
    return &x->bucket.at[label_pattern_hash(text, bytes) & (x->bucket.count - 1)];
}

static void enter(label_index *x, size_t number)
{
    entry *w = &x->word.at[number];
    size_t *bucket = bucket_of(x, w->q->plain, w->q->plain_bytes);
    w->next = *bucket;
    *bucket = number + 1;
}

/* As many buckets as words, or more. */
static int make_room(label_index *x, size_t words, err *e)
{
    size_t want = 8;
    while (want < words) want *= 2;
    if (want <= x->bucket.count) return 0;
    if (vec_reserve(x->m, &x->bucket, want, e) != 0) return (int)e->code;
    memset(x->bucket.at, 0, want * sizeof *x->bucket.at);
    x->bucket.count = want;
    for (size_t i = 0; i < x->word.count; i++) enter(x, i);
    return 0;
}

static int add(label_index *x, const label_patterns *p, size_t first, size_t step, err *e)
{
    if (make_room(x, x->word.count + p->item.count, e) != 0) return (int)e->code;
    for (size_t i = 0; i < p->item.count; i++) {
        entry y = { p->item.at[i], p->mode, first + i * step, 0 };
        if (y.q->plain == NULL || !label_pattern_is_whole(p->mode)) {
            if (vec_push(x->m, &x->other, y, e) != 0) return (int)e->code;
        } else {
            if (vec_push(x->m, &x->word, y, e) != 0) return (int)e->code;
            enter(x, x->word.count - 1);
        }
    }
    return 0;
}

int label_index_add_set(label_index *x, const label_set *s, size_t first, size_t step,
                        err *e)
{
    return add(x, label_set_patterns(s), first, step, e);
}

int label_index_add_map(label_index *x, const label_map *s, size_t first, size_t step,
                        err *e)
{
    return add(x, label_map_patterns(s), first, step, e);
}

size_t label_index_tried(const label_index *x) { return x->other.count; }

static void find_words(const label_index *x, label_mode mode, const char *text,
                       size_t bytes, bool *hit)
{
    if (x->bucket.count == 0) return;
    for (size_t i = *bucket_of(x, text, bytes); i != 0; i = x->word.at[i - 1].next) {
        const entry *w = &x->word.at[i - 1];
        if (w->mode == mode && label_pattern_is_word(w->q, text, bytes))
            hit[w->number] = true;
    }
}

void label_index_find(const label_index *x, const char *label, size_t bytes, bool *hit)
{
    find_words(x, LABEL_TOTAL, label, bytes, hit);
    find_words(x, LABEL_GATE, label, label_gate(label, bytes), hit);
    for (size_t i = 0; i < x->other.count; i++) {
        const entry *y = &x->other.at[i];
        if (!hit[y->number])
            hit[y->number] = label_pattern_matches(y->q, y->mode, label, bytes);
    }
}
