#include "lang/label_rules.h"

#include "lang/label_pattern.h"

#include <string.h>

struct label_set {
    label_patterns p;
    bool all_but;
};

typedef struct replacement {
    const char *text; /* in the arena of the patterns, with a NUL */
    size_t bytes;
} replacement;

struct label_map {
    label_patterns p;
    VEC(replacement) to; /* one per pattern */
};

static bool ends_gate(char c)
{
    return c == '!' || c == '?' || c == '(' || c == ' ' || c == '\t';
}

size_t label_gate(const char *label, size_t bytes)
{
    size_t n = 0;
    while (n < bytes && !ends_gate(label[n])) n++;
    return n;
}

/* Sets of characters and what follows a backslash do not count: they may match otherwise. */
bool label_pattern_has_offers(const char *pattern, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (ends_gate(pattern[i])) return true;
        if (pattern[i] == '\\') i++;
        if (pattern[i] != '[') continue;
        const char *close = memchr(pattern + i, ']', bytes - i);
        if (close == NULL) return false;
        i = (size_t)(close - pattern);
    }
    return false;
}

/* ---- sets --------------------------------------------------------------------------------- */

int label_set_open(label_set **out, mem *m, label_mode mode, bool all_but, err *e)
{
    label_set *s = *out = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->p = LABEL_PATTERNS_INIT(m, mode);
    s->all_but = all_but;
    return 0;
}

void label_set_close(label_set *s)
{
    if (s == NULL) return;
    mem *m = s->p.store.m;
    label_patterns_release(&s->p);
    mem_put(m, s, sizeof *s);
}

int label_set_add(label_set *s, const char *pattern, size_t bytes, bool fold, err *e)
{
    return label_patterns_add(&s->p, pattern, bytes, fold, e);
}

bool label_set_has(const label_set *s, const char *label, size_t bytes)
{
    regmatch_t match[1];
    bool listed =
        label_patterns_find(&s->p, label, bytes, match, 1) != LABEL_PATTERN_NONE;
    return listed != s->all_but;
}

label_mode label_set_mode(const label_set *s) { return s->p.mode; }

const label_patterns *label_set_patterns(const label_set *s) { return &s->p; }

bool label_set_all_but(const label_set *s) { return s->all_but; }

size_t label_set_count(const label_set *s) { return s->p.item.count; }

label_rule label_set_rule(const label_set *s, size_t i)
{
    const label_pattern *q = s->p.item.at[i];
    return (label_rule){ .from = q->text, .from_bytes = q->bytes };
}

/* ---- renaming ----------------------------------------------------------------------------- */

int label_map_open(label_map **out, mem *m, label_mode mode, err *e)
{
    label_map *s = *out = mem_get(m, sizeof *s, e);
    if (s == NULL) return (int)e->code;
    s->p = LABEL_PATTERNS_INIT(m, mode);
    return 0;
}

void label_map_close(label_map *s)
{
    if (s == NULL) return;
    mem *m = s->p.store.m;
    vec_release(m, &s->to);
    label_patterns_release(&s->p);
    mem_put(m, s, sizeof *s);
}

/* Every \1 to \9 must have its group. */
static int check_groups(const char *to, size_t bytes, const label_pattern *q, err *e)
{
    size_t groups = label_pattern_groups(q);
    if (memchr(to, '\0', bytes))
        return err_set(e, ERR_INPUT, "a zero byte on the right; expected text");
    for (size_t i = 0; i + 1 < bytes; i++) {
        if (to[i] != '\\') continue;
        i++;
        if (to[i] >= '1' && to[i] <= '9' && (size_t)(to[i] - '0') > groups)
            return err_set(
                e, ERR_INPUT,
                "\\%c on the right, but %zu \\(...\\) on the left; expected as "
                "many as are used",
                to[i], groups);
    }
    return 0;
}

int label_map_add(label_map *s, const char *from, size_t from_bytes, const char *to,
                  size_t to_bytes, bool fold, err *e)
{
    mem *m = s->p.store.m;
    char *copy = arena_get(&s->p.store, to_bytes + 1, e);
    if (copy == NULL || vec_reserve(m, &s->to, s->to.count + 1, e) != 0)
        return (int)e->code;
    if (to_bytes > 0) memcpy(copy, to, to_bytes);
    copy[to_bytes] = '\0';
    if (label_patterns_add(&s->p, from, from_bytes, fold, e) != 0) return (int)e->code;
    s->to.at[s->to.count++] = (replacement){ copy, to_bytes };
    return check_groups(to, to_bytes, s->p.item.at[s->p.item.count - 1], e);
}

label_mode label_map_mode(const label_map *s) { return s->p.mode; }

const label_patterns *label_map_patterns(const label_map *s) { return &s->p; }

size_t label_map_count(const label_map *s) { return s->to.count; }

label_rule label_map_rule(const label_map *s, size_t i)
{
    const label_pattern *q = s->p.item.at[i];
    return (label_rule){ q->text, s->to.at[i].text, q->bytes, s->to.at[i].bytes };
}

/* A label being renamed.  The text is made twice: counted, then written. */
typedef struct renaming {
    const label_pattern *q;
    replacement to;
    label_mode mode;
    const char *label;
    size_t bytes;
    regmatch_t first[LABEL_GROUPS]; /* the first match */
    char *into;                     /* NULL: count only */
    size_t count;
} renaming;

static void put(renaming *r, const char *text, size_t bytes)
{
    if (r->into && bytes > 0) memcpy(r->into + r->count, text, bytes);
    r->count += bytes;
}

static void put_group(renaming *r, const regmatch_t *g)
{
    if (g->rm_so >= 0) put(r, r->label + g->rm_so, (size_t)(g->rm_eo - g->rm_so));
}

static void put_replacement(renaming *r, const regmatch_t *match)
{
    for (size_t i = 0; i < r->to.bytes; i++) {
        char c = r->to.text[i];
        if (c == '&') {
            put_group(r, &match[0]);
        } else if (c == '\\' && i + 1 < r->to.bytes) {
            c = r->to.text[++i];
            if (c >= '1' && c <= '9') put_group(r, &match[c - '0']);
            else put(r, &c, 1);
        } else {
            put(r, &c, 1);
        }
    }
}

/* Every match is replaced; an empty one counts only where no other has just ended. */
static void put_all_replaced(renaming *r)
{
    regmatch_t match[LABEL_GROUPS];
    size_t from = 0, done = 0; /* where to look, and what is written already */
    memcpy(match, r->first, sizeof match);
    do {
        size_t begin = (size_t)match[0].rm_so, end = (size_t)match[0].rm_eo;
        bool again = begin == end && begin == done && begin > 0;
        put(r, r->label + done, begin - done);
        if (!again) put_replacement(r, match);
        done = end;
        from = begin == end ? end + 1 : end;
    } while (from <= r->bytes &&
             label_pattern_next(r->q, r->label, r->bytes, from, match, LABEL_GROUPS));
    put(r, r->label + done, r->bytes - done);
}

static void put_renamed(renaming *r)
{
    r->count = 0;
    if (r->mode == LABEL_MULTIPLE) {
        put_all_replaced(r);
        return;
    }
    size_t begin = (size_t)r->first[0].rm_so, end = (size_t)r->first[0].rm_eo;
    put(r, r->label, begin);
    put_replacement(r, r->first);
    put(r, r->label + end, r->bytes - end);
}

int label_map_apply(const label_map *s, arena *a, const char *label, size_t bytes,
                    const char **out, size_t *out_bytes, err *e)
{
    renaming r = { .mode = s->p.mode, .label = label, .bytes = bytes };
    uint32_t rule = label_patterns_find(&s->p, label, bytes, r.first, LABEL_GROUPS);
    *out = label;
    *out_bytes = bytes;
    if (rule == LABEL_PATTERN_NONE) return 0;
    r.q = s->p.item.at[rule];
    r.to = s->to.at[rule];
    put_renamed(&r);
    r.into = arena_get(a, r.count + 1, e);
    if (r.into == NULL) return (int)e->code;
    put_renamed(&r);
    r.into[r.count] = '\0';
    *out = r.into;
    *out_bytes = r.count;
    return 0;
}
