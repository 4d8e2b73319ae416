#include "core/ids.h"
#include "core/log.h"
#include "tests/capture.h"

#include <CUnit/CUnit.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef void log_function(const log_sink *l, const char *format, ...);

static void each_level_shows_what_it_should(void)
{
    static const struct {
        log_function *say;
        log_level from; /* the quietest level that shows it */
        const char *line;
    } rows[] = {
        { log_error, LOG_QUIET, "bespoke: x 7\n" },
        { log_warn, LOG_NORMAL, "bespoke: warning: x 7\n" },
        { log_note, LOG_NORMAL, "bespoke: x 7\n" },
        { log_detail, LOG_VERBOSE, "bespoke: x 7\n" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        for (int level = LOG_QUIET; level <= LOG_VERBOSE; level++) {
            log_sink l = { .level = (log_level)level };
            capture c;
            capture_begin(&c);
            rows[i].say(&l, "x %d", 7);
            const char *expected = level >= (int)rows[i].from ? rows[i].line : "";
            CU_ASSERT_STRING_EQUAL(capture_end(&c), expected);
        }
}

static void the_default_level_is_normal(void)
{
    log_sink l = LOG_INIT;
    CU_ASSERT_EQUAL(l.level, LOG_NORMAL);
}

static void a_long_line_is_cut_and_still_ends(void)
{
    log_sink l = LOG_INIT;
    capture c;
    capture_begin(&c);
    log_note(&l, "%05000d", 1);
    const char *text = capture_end(&c);
    CU_ASSERT(strlen(text) > 1000);
    CU_ASSERT_PTR_EQUAL(strchr(text, '\n'), text + strlen(text) - 1);
}

static void lines_of_threads_do_not_mix(void)
{
    enum { THREADS = 4, LINES = 100 };
    log_sink l = LOG_INIT;
    capture c;
    capture_begin(&c);
#pragma omp parallel for num_threads(THREADS) schedule(static, 1)
    for (int i = 0; i < THREADS * LINES; i++) log_note(&l, "line %04d of a thread", i);
    char *text = strdup(capture_end(&c));
    bool seen[THREADS * LINES] = { false };
    int whole = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int i = -1, end = 0;
        sscanf(line, "bespoke: line %4d of a thread%n", &i, &end);
        if (i < 0 || i >= THREADS * LINES || line[end] != '\0' || seen[i]) continue;
        seen[i] = true;
        whole++;
    }
    CU_ASSERT_EQUAL(whole, THREADS * LINES);
    free(text);
}

CU_TestInfo test_log[] = {
    { "each level shows what it should", each_level_shows_what_it_should },
    { "the default level is normal", the_default_level_is_normal },
    { "a long line is cut and still ends", a_long_line_is_cut_and_still_ends },
    { "lines of threads do not mix", lines_of_threads_do_not_mix },
    CU_TEST_INFO_NULL
};
