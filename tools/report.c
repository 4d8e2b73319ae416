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

/* Is the last word of the text this one? */
static bool ends_in(const char *text, const char *word)
{
    size_t all = strlen(text), bytes = word ? strlen(word) : 0;
    return bytes > 0 && all > bytes && text[all - bytes - 1] == ' ' &&
           strcmp(text + all - bytes, word) == 0;
}

void report_complete_limit(err *e, const char *name, const char *path)
{
    if (e->code != ERR_LIMIT) return;
    bool memory = strncmp(e->text, "memory limit", strlen("memory limit")) == 0;
    bool named = ends_in(e->text, name) || ends_in(e->text, path);
    err all = ERR_INIT;
    err_set(&all, e->code, "%s%s%.300s%s", named ? "" : name, named ? "" : ": ", e->text,
            memory ? "; --memory-limit can allow more" : "");
    *e = all;
}

void report_failure(const log_sink *l, const err *e)
{
    if (report_is_located(e->text)) fprintf(stderr, "%s\n", e->text);
    else log_error(l, "%s", e->text);
}
