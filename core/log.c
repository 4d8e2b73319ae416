#include "core/log.h"

#include <stdarg.h>
#include <stdio.h>

static void line(const char *prefix, const char *format, va_list args)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    fprintf(stderr, "%s%s\n", prefix, text); /* one call: lines of threads do not mix */
}

#define LOG_FUNCTION(name, from, prefix)                  \
    void name(const log_sink *l, const char *format, ...) \
    {                                                     \
        if (l->level < (from)) return;                    \
        va_list args;                                     \
        va_start(args, format);                           \
        line((prefix), format, args);                     \
        va_end(args);                                     \
    }

LOG_FUNCTION(log_error, LOG_QUIET, "bespoke: ")
LOG_FUNCTION(log_warn, LOG_NORMAL, "bespoke: warning: ")
LOG_FUNCTION(log_note, LOG_NORMAL, "bespoke: ")
LOG_FUNCTION(log_detail, LOG_VERBOSE, "bespoke: ")
