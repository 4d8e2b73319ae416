#include "tools/answer.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { JSON_STYLE = JSON_COMPACT | JSON_REAL_PRECISION(9) };

int answer_json(json_t *take, err *e)
{
    char *line = take ? json_dumps(take, JSON_STYLE) : NULL;
    json_decref(take);
    if (line == NULL) return err_set(e, ERR_SYSTEM, "cannot build the JSON object");
    bool whole = puts(line) >= 0;
    int reason = errno;
    free(line);
    if (whole) return 0;
    return err_set(e, ERR_SYSTEM, "cannot write the answer: %s", strerror(reason));
}

/* Length of the longest valid beginning of one character, 0 when `text` has none. */
static size_t valid_prefix(const char *text)
{
    for (size_t bytes = 1; bytes <= 4 && text[bytes - 1] != '\0'; bytes++) {
        json_t *one = json_stringn(text, bytes);
        bool valid = one != NULL;
        json_decref(one);
        if (valid) return bytes;
    }
    return 0;
}

json_t *answer_json_text(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    json_t *whole = json_string(text);
    if (whole != NULL) return whole;
    char *copy = malloc(strlen(text) * (sizeof replacement - 1) + 1), *to = copy;
    if (copy == NULL) return NULL;
    while (*text) {
        size_t bytes = valid_prefix(text);
        to = bytes ? mempcpy(to, text, bytes) : stpcpy(to, replacement);
        text += bytes ? bytes : 1;
    }
    *to = '\0';
    whole = json_string(copy);
    free(copy);
    return whole;
}

int answer_finish(err *e)
{
    errno = 0;
    int failed = ferror(stdout) | fflush(stdout);
    int reason = errno;
    if (fclose(stdout) != 0 && reason == 0) reason = errno;
    if (!failed && reason == 0) return 0;
    return err_set(e, ERR_SYSTEM, "cannot write the answer: %s",
                   reason ? strerror(reason) : "output error");
}
