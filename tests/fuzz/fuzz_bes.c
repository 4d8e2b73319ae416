#include "tests/fuzz/fuzz_bes.h"

#include "algorithms/algorithm.h"
#include "tests/bes_case.h"
#include "tests/naive_bes.h"

#include <stdlib.h>
#include <string.h>

/* "name:LINE:COLUMN: ...; expected ..." */
static const char *check_message(const err *e)
{
    const char *p = e->text;
    char *end;
    if (e->code != ERR_INPUT) return "the failure is not of the input";
    if (strncmp(p, "f:", 2) != 0 || strtol(p + 2, &end, 10) < 1 || *end != ':' ||
        strtol(end + 1, &end, 10) < 1 || strncmp(end, ": ", 2) != 0)
        return "the message has no place";
    return strstr(end, "expected ") ? NULL : "the message says not what was expected";
}

static const char *solve_all(const bes *b, mem *m)
{
    size_t count;
    const algorithm *const *solver = algorithm_list(&count);
    uint8_t *right = malloc(b->vertices);
    const char *wrong = NULL;
    if (right == NULL) abort();
    naive_bes_solve(b, right);
    for (size_t i = 0; i <= count && wrong == NULL; i++) {
        bool solved;
        bes_case c = { .b = b, .right = right, .root = 0, .choices = i % 2 };
        c.algorithm = i < count ? solver[i]->name : "auto";
        wrong = bes_case_run(&c, m, &solved);
    }
    free(right);
    return wrong;
}

const char *fuzz_bes_one(const uint8_t *data, size_t bytes, int *solved)
{
    mem m = MEM_INIT;
    bes b;
    err e = ERR_INIT;
    const char *wrong = NULL;
    *solved = bes_parse(&b, &m, "f", (const char *)data, bytes, NULL, &e) == 0;
    if (!*solved) wrong = check_message(&e);
    else if (b.vertices > 0) wrong = solve_all(&b, &m);
    bes_close(&b);
    if (wrong) return wrong;
    return m.now == 0 ? NULL : "memory was not given back";
}

#ifdef BESPOKE_LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    int solved;
    if (fuzz_bes_one(data, bytes, &solved)) abort();
    return 0;
}
#endif
