#include "core/suggest.h"

#include <string.h>

enum { LENGTH_MAX = 63 }; /* longer words are no slips of the pen of ours */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* One cell of the table: cost of turning the first i bytes of a into the first j of b. */
static size_t cell(size_t row[3][LENGTH_MAX + 1], const char *a, const char *b, size_t i,
                   size_t j)
{
    size_t change = row[1][j - 1] + (a[i - 1] != b[j - 1]);
    size_t best = least(change, 1 + least(row[1][j], row[2][j - 1]));
    if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best = least(best, row[0][j - 2] + 1);
    return best;
}

size_t suggest_distance(const char *a, const char *b)
{
    size_t length_a = strlen(a), length_b = strlen(b);
    if (length_a > LENGTH_MAX || length_b > LENGTH_MAX) return length_a + length_b;
    size_t row[3][LENGTH_MAX + 1] = { 0 }; /* two rows back, one back, this one */
    for (size_t j = 0; j <= length_b; j++) row[2][j] = j;
    for (size_t i = 1; i <= length_a; i++) {
        memmove(row, row[1], 2 * sizeof row[0]);
        row[2][0] = i;
        for (size_t j = 1; j <= length_b; j++) row[2][j] = cell(row, a, b, i, j);
    }
    return row[2][length_b];
}

void suggest_consider(suggest *s, const char *candidate)
{
    size_t distance = suggest_distance(s->wrong, candidate);
    size_t allowed =
        1 + strlen(candidate) / 4; /* one slip, and one more per four bytes */
    if (distance > allowed || distance >= strlen(candidate)) return;
    if (s->best != NULL && distance >= s->distance) return;
    s->best = candidate;
    s->distance = distance;
}

int suggest_refuse(const suggest *s, const char *what, const char *otherwise, err *e)
{
    const char *before = s->before ? s->before : "";
    if (s->best)
        return err_set(e, ERR_USAGE, "%s '%s%.60s'; did you mean %s%s?", what, before,
                       s->wrong, before, s->best);
    return err_set(e, ERR_USAGE, "%s '%s%.60s'%s%s", what, before, s->wrong,
                   otherwise ? "; " : "", otherwise ? otherwise : "");
}
