#include "tests/mcl_oracle.h"

#include "lang/aut.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static FILE *open_cases(void)
{
    const char *shared = getenv("BESPOKE_SHARED");
    char path[4096];
    snprintf(path, sizeof path, "%s/oracle/mucalculus.jsonl",
             shared ? shared : BESPOKE_SHARED);
    return fopen(path, "r");
}

/* The model of a case, through a file, as the reader wants it. */
static void read_model(lts *g, const char *text, mem *m)
{
    err e = ERR_INIT;
    log_sink log = LOG_INIT;
    load_options o = { .m = m, .threads = 1, .log = &log };
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.aut");
    scratch_write(path, text, strlen(text));
    CU_ASSERT_EQUAL_FATAL(aut_read(g, path, &o, &e), 0);
    scratch_close(&s);
}

static void run_case(json_t *row, mcl_oracle_case *each, void *self)
{
    mem m = MEM_INIT;
    lts g;
    read_model(&g, json_string_value(json_object_get(row, "aut")), &m);
    bool fine = each(self, json_string_value(json_object_get(row, "formula")), &g,
                     json_is_true(json_object_get(row, "verdict")));
    lts_close(&g);
    CU_ASSERT_EQUAL(m.now, 0);
    if (fine) return;
    printf("\ncase %lld is wrong\n",
           (long long)json_integer_value(json_object_get(row, "id")));
    CU_FAIL("a case with a known verdict");
}

unsigned mcl_oracle_each(mcl_oracle_case *each, void *self)
{
    FILE *cases = open_cases();
    char *line = NULL;
    size_t room = 0;
    unsigned count = 0;
    if (cases == NULL) {
        puts("\nskipped: no mucalculus.jsonl; BESPOKE_SHARED may name the folder above "
             "oracle/");
        return 0;
    }
    for (; getline(&line, &room, cases) > 0; count++) {
        json_t *row = json_loads(line, 0, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(row);
        run_case(row, each, self);
        json_decref(row);
    }
    free(line);
    fclose(cases);
    CU_ASSERT(count >= 260);
    return count;
}
