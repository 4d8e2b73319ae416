#include "core/err.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

int err_set(err *e, err_code code, const char *format, ...)
{
    assert(code > ERR_NONE && code < ERR_CODE_COUNT);
    if (e->code != ERR_NONE) return (int)e->code;
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    e->code = code;
    return (int)code;
}

int err_exit_status(err_code code)
{
#define ERR_STATUS(id, status, doc) [ERR_##id] = status,
    static const int status[] = { [ERR_NONE] = 0, ERR_CODES(ERR_STATUS) };
#undef ERR_STATUS
    assert(code >= ERR_NONE && code < ERR_CODE_COUNT);
    return status[code];
}
