#include "lang/label_regexp.h"

#include <string.h>

/*
 * The library copies an expression as often as \{m,n\} says, nested ones as often as the
 * product says, and calls itself for every group.  So size and depth are counted before it
 * sees them: weight[d] is what the open group at depth d has come to so far, `last` what the
 * latest item weighs and a repetition would multiply.
 */
enum { DEPTH_MAX = 64, WEIGHT_MAX = 20000 };

typedef struct measure {
    size_t weight[DEPTH_MAX + 1], depth, last, total;
} measure;

static size_t add(size_t a, size_t b)
{
    return a + b > WEIGHT_MAX ? WEIGHT_MAX + 1 : a + b;
}

static void add_item(measure *w, size_t weight)
{
    w->weight[w->depth] = add(w->weight[w->depth], weight);
    w->last = weight;
}

/* The larger bound of \{m\}, \{m,\} or \{m,n\}, whose digits begin at *at. */
static size_t upper_bound(const char **at)
{
    size_t bound[2] = { 0, 0 };
    int which = 0;
    for (; (**at >= '0' && **at <= '9') || (**at == ',' && which == 0); (*at)++) {
        if (**at == ',') which = 1;
        else if (bound[which] < WEIGHT_MAX)
            bound[which] = 10 * bound[which] + (size_t)(**at - '0');
    }
    return bound[0] > bound[1] ? bound[0] : bound[1];
}

/* Behind a [: to the closing ], which may stand first as itself. */
static const char *skip_bracket(const char *at)
{
    if (*at == '^') at++;
    if (*at == ']') at++;
    while (*at != '\0' && *at != ']') {
        bool class = at[0] == '[' && (at[1] == ':' || at[1] == '.' || at[1] == '=');
        const char *close = class ? strstr(at + 2, (char[]){ at[1], ']', '\0' }) : NULL;
        at = close ? close + 2 : at + 1;
    }
    return *at == ']' ? at + 1 : at;
}

/* Behind a backslash. */
static const char *measure_escape(measure *w, const char *at)
{
    char c = *at;
    if (c == '\0') return at;
    at++;
    if (c == '(') {
        w->depth++;
        if (w->depth <= DEPTH_MAX) w->weight[w->depth] = 1;
    } else if (c == ')' && w->depth > 0) {
        size_t inside = w->weight[w->depth--];
        add_item(w, inside);
    } else if (c == '{') {
        size_t times = upper_bound(&at);
        if (times > 1 && w->last > 0)
            add_item(w, times > WEIGHT_MAX / w->last ? WEIGHT_MAX + 1 : times * w->last);
    } else {
        add_item(w, 1);
    }
    return at;
}

static bool is_reasonable(const char *at)
{
    measure w = { .depth = 0 };
    while (*at != '\0' && w.depth <= DEPTH_MAX && w.weight[0] <= WEIGHT_MAX) {
        char c = *at++;
        if (c == '\\') at = measure_escape(&w, at);
        else if (c == '[') at = skip_bracket(at), add_item(&w, 1);
        else add_item(&w, 1);
    }
    for (size_t d = 0; d <= w.depth && d <= DEPTH_MAX; d++)
        w.total = add(w.total, w.weight[d]);
    return w.depth <= DEPTH_MAX && w.total <= WEIGHT_MAX;
}

int label_regexp_open(regex_t *out, const char *text, size_t bytes, bool fold, err *e)
{
    if (strlen(text) != bytes)
        return err_set(e, ERR_INPUT, "the regular expression holds a zero byte");
    if (!is_reasonable(text))
        return err_set(e, ERR_INPUT,
                       "the regular expression repeats or nests too much; expected a "
                       "smaller one");
    int rc = regcomp(out, text, fold ? REG_ICASE : 0);
    if (rc == 0) return 0;
    char why[120];
    regerror(rc, out, why, sizeof why);
    if (rc == REG_ESPACE) return err_set(e, ERR_LIMIT, "regular expression: %s", why);
    return err_set(e, ERR_INPUT,
                   "this is no regular expression: %s; expected a UNIX basic one", why);
}

void label_regexp_close(regex_t *r) { regfree(r); }

bool label_regexp_find(const regex_t *r, const char *label, size_t bytes, size_t from,
                       regmatch_t *match, size_t n)
{
    match[0] = (regmatch_t){ .rm_so = (regoff_t)from, .rm_eo = (regoff_t)bytes };
    return regexec(r, label, n, match, REG_STARTEND) == 0;
}

bool label_regexp_matches(const regex_t *r, const char *label, size_t bytes)
{
    /* The leftmost match is the longest one: if any match is the whole label, it is. */
    regmatch_t at;
    if (!label_regexp_find(r, label, bytes, 0, &at, 1)) return false;
    return at.rm_so == 0 && at.rm_eo == (regoff_t)bytes;
}
