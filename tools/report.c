#include "tools/report.h"

#include <stdio.h>
#include <string.h>

/* Digits and a colon; returns what follows, or NULL. */
static const char *skip_number(const char *at)
{
    size_t n = strspn(at, "0123456789");
    return n > 0 && at[n] == ':' ? at + n + 1 : NULL;
}

bool report_is_located(const char *text)
{
    for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
        const char *column = skip_number(colon + 1);
        const char *rest = column ? skip_number(column) : NULL;
        if (colon > text && rest && *rest == ' ') return true;
    }
    return false;
}

void report_failure(const log_sink *l, const err *e)
{
    if (report_is_located(e->text)) fprintf(stderr, "%s\n", e->text);
    else log_error(l, "%s", e->text);
}
