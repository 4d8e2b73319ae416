#include "tests/fuzz/fuzz_mcl.h"

#include "lang/mcl_equations.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* "name:LINE:COLUMN: a sentence" */
static bool is_located(const char *message)
{
    const char *p = strchr(message, ':');
    for (int i = 0; p && i < 2; i++) {
        if (!isdigit((unsigned char)*++p)) return false;
        p += strspn(p, "0123456789");
        if (*p != ':') return false;
    }
    return p && p[1] == ' ' && strlen(p) > 10;
}

/* The C library may have no room for a regular expression; all else is of the text. */
static const char *check_message(const err *e)
{
    if (e->code == ERR_NONE || e->code == ERR_LIMIT) return NULL;
    if (e->code != ERR_INPUT && e->code != ERR_REFUSED)
        return "the failure is not of the input";
    return is_located(e->text) ? NULL : "the message has no place";
}

static const char *translate(const char *text, mem *m, err_code *how)
{
    err e = ERR_INIT;
    mcl *f = NULL;
    mcl_equations *q = NULL;
    if (mcl_parse(&f, m, text, NULL, &e) == 0) mcl_equations_of(&q, m, f, &e);
    mcl_equations_close(q);
    mcl_close(f);
    *how = e.code;
    return check_message(&e);
}

const char *fuzz_mcl_one(const uint8_t *data, size_t bytes, err_code *how)
{
    mem m = MEM_INIT;
    char *text = malloc(bytes + 1); /* of just this size: reading behind it is noticed */
    if (text == NULL) abort();
    if (bytes > 0) memcpy(text, data, bytes);
    text[bytes] = '\0';
    const char *wrong = translate(text, &m, how);
    free(text);
    if (wrong) return wrong;
    return m.now == 0 ? NULL : "memory was not given back";
}

#ifdef BESPOKE_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    err_code how;
    if (fuzz_mcl_one(data, bytes, &how)) abort();
    return 0;
}
#endif
