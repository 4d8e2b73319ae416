#include "core/progress.h"
#include "tests/capture.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int lines_in(const char *text)
{
    int lines = 0;
    for (; *text; text++) lines += *text == '\n';
    return lines;
}

static void the_clock_never_goes_back(void)
{
    double last = clock_seconds();
    for (int i = 0; i < 10000; i++) {
        double now = clock_seconds();
        CU_ASSERT(now >= last);
        last = now;
    }
}

static void without_a_clock_there_is_no_limit(void)
{
    err e = ERR_INIT;
    progress_begin(NULL, "reading", "lines", 0);
    CU_ASSERT_EQUAL(progress_tick(NULL, 1, &e), 0);
    progress_end(NULL);
    CU_ASSERT_EQUAL(e.code, ERR_NONE);
}

static void without_a_timeout_time_never_runs_out(void)
{
    err e = ERR_INIT;
    progress p;
    progress_open(&p, PROGRESS_OFF, 0);
    progress_begin(&p, "reading", "lines", 0);
    CU_ASSERT_EQUAL(progress_tick(&p, 1, &e), 0);
}

static void a_tick_past_the_deadline_is_a_limit_that_says_what_was_going_on(void)
{
    err e = ERR_INIT;
    progress p;
    progress_open(&p, PROGRESS_OFF, 0.02);
    progress_begin(&p, "reading x.aut", "transitions", 0);
    CU_ASSERT_EQUAL(progress_tick(&p, 1, &e), 0); /* not yet */
    usleep(30 * 1000);
    CU_ASSERT_EQUAL(progress_tick(&p, 2, &e), ERR_LIMIT);
    CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "0.02 s"));
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "reading x.aut"));
}

static void the_deadline_counts_from_open_over_all_phases(void)
{
    err e = ERR_INIT;
    progress p;
    progress_open(&p, PROGRESS_OFF, 0.02);
    usleep(30 * 1000);
    progress_begin(&p, "a later phase", "states", 0);
    CU_ASSERT_EQUAL(progress_tick(&p, 0, &e), ERR_LIMIT);
}

/* One phase with a line due at once; what it prints is the result. */
static const char *one_line(capture *c, progress_mode mode, bool terminal, uint64_t total)
{
    err e = ERR_INIT;
    progress p;
    capture_begin(c);
    progress_open(&p, mode, 0);
    p.terminal = terminal;
    progress_begin(&p, "reading x.aut", "transitions", total);
    progress_tick(&p, 1000000, &e); /* too early */
    p.next_us = 0;
    progress_tick(&p, 2500000, &e);
    progress_tick(&p, 2600000, &e); /* too early again */
    progress_end(&p);
    CU_ASSERT_EQUAL(e.code, ERR_NONE);
    return capture_end(c);
}

static void a_line_is_printed_by_the_clock_not_by_the_count(void)
{
    capture c;
    const char *text = one_line(&c, PROGRESS_ON, false, 0);
    CU_ASSERT_EQUAL(lines_in(text), 1);
    CU_ASSERT_PTR_EQUAL(strstr(text, "bespoke: reading x.aut: 2.5 M transitions"), text);
    CU_ASSERT_PTR_NULL(strchr(text, '\r'));
}

static void a_known_total_shows_the_share_done(void)
{
    capture c;
    const char *text = one_line(&c, PROGRESS_ON, false, 5000000);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "of 5.0 M (50 %"));
}

static void a_terminal_line_is_redrawn_and_wiped(void)
{
    static const char wipe[] = "\r\033[K";
    capture c;
    const char *text = one_line(&c, PROGRESS_ON, true, 0);
    CU_ASSERT_EQUAL(lines_in(text), 0);
    CU_ASSERT_PTR_EQUAL(strstr(text, wipe), text);
    CU_ASSERT_STRING_EQUAL(text + strlen(text) - strlen(wipe), wipe);
}

static void off_prints_nothing(void)
{
    capture c;
    CU_ASSERT_STRING_EQUAL(one_line(&c, PROGRESS_OFF, false, 0), "");
}

static void auto_prints_nothing_off_a_terminal(void)
{
    capture c; /* it redirects stderr to a file */
    CU_ASSERT_STRING_EQUAL(one_line(&c, PROGRESS_AUTO, false, 0), "");
}

static void a_pipe_to_a_terminal_is_told_of(void)
{
    capture c;
    capture_begin(&c);
    setenv(PROGRESS_STDERR, "terminal", 1);
    CU_ASSERT(progress_on_terminal());
    setenv(PROGRESS_STDERR, "pipe", 1);
    CU_ASSERT(!progress_on_terminal());
    unsetenv(PROGRESS_STDERR);
    CU_ASSERT(!progress_on_terminal());
    capture_end(&c);
}

static void of_many_threads_one_draws(void)
{
    progress p;
    capture c;
    capture_begin(&c);
    progress_open(&p, PROGRESS_ON, 0);
    p.terminal = false;
    progress_begin(&p, "searching", "states", 0);
    p.next_us = 0;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 1000; i++) {
        err e = ERR_INIT;
        progress_tick(&p, (uint64_t)i, &e);
    }
    progress_end(&p);
    CU_ASSERT_EQUAL(lines_in(capture_end(&c)), 1);
}

static void frontier_words(const void *self, char *into, size_t bytes)
{
    snprintf(into, bytes, "frontier %d", *(const int *)self);
}

/* One line that is due at once. */
static void draw_now(progress *p)
{
    err e = ERR_INIT;
    p->next_us = 0;
    progress_tick(p, 1, &e);
}

static void a_phase_adds_words_to_its_own_line_alone(void)
{
    int frontier = 12;
    progress p;
    capture c;
    capture_begin(&c);
    progress_open(&p, PROGRESS_ON, 0);
    p.terminal = false;
    progress_detail(NULL, frontier_words, &frontier);
    progress_begin(&p, "exploring", "states", 0);
    progress_detail(&p, frontier_words, &frontier);
    draw_now(&p);
    frontier = 345;
    draw_now(&p);
    progress_begin(&p, "writing", "states", 0);
    draw_now(&p);
    progress_end(&p);
    const char *text = capture_end(&c);
    const char *first = strstr(text, "M/s, frontier 12\n"),
               *second = strstr(text, "M/s, frontier 345\n");
    CU_ASSERT(first != NULL && second != NULL && first < second);
    CU_ASSERT_EQUAL(lines_in(text), 3);
    CU_ASSERT_STRING_EQUAL(text + strlen(text) - strlen("M/s\n"), "M/s\n");
}

static void a_check_draws_nothing_and_knows_no_phase_that_is_over(void)
{
    progress p;
    capture c;
    err e = ERR_INIT;
    char what[] = "reading";
    capture_begin(&c);
    progress_open(&p, PROGRESS_ON, 1);
    p.deadline -= 2;
    CU_ASSERT_EQUAL(progress_check(NULL, &e), 0);
    CU_ASSERT_EQUAL(progress_check(&p, &e), ERR_LIMIT);
    progress_begin(&p, what, "bytes", 0);
    p.next_us = 0;
    e = ERR_INIT;
    CU_ASSERT_EQUAL(progress_check(&p, &e), ERR_LIMIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "while reading"));
    progress_end(&p);
    strcpy(what, "gone");
    e = ERR_INIT;
    CU_ASSERT_EQUAL(progress_check(&p, &e), ERR_LIMIT);
    CU_ASSERT_PTR_NOT_NULL(strstr(e.text, "while working"));
    progress_open(&p, PROGRESS_ON, 0);
    e = ERR_INIT;
    CU_ASSERT_EQUAL(progress_check(&p, &e), 0);
    CU_ASSERT_EQUAL(strlen(capture_end(&c)), 0);
}

CU_TestInfo test_progress[] = {
    { "the clock never goes back", the_clock_never_goes_back },
    { "without a clock there is no limit", without_a_clock_there_is_no_limit },
    { "without a timeout time never runs out", without_a_timeout_time_never_runs_out },
    { "a tick past the deadline is a limit that says what was going on",
      a_tick_past_the_deadline_is_a_limit_that_says_what_was_going_on },
    { "the deadline counts from open over all phases",
      the_deadline_counts_from_open_over_all_phases },
    { "a line is printed by the clock, not by the count",
      a_line_is_printed_by_the_clock_not_by_the_count },
    { "a known total shows the share done", a_known_total_shows_the_share_done },
    { "a terminal line is redrawn and wiped", a_terminal_line_is_redrawn_and_wiped },
    { "off prints nothing", off_prints_nothing },
    { "auto prints nothing off a terminal", auto_prints_nothing_off_a_terminal },
    { "of many threads one draws", of_many_threads_one_draws },
    { "a phase adds words to its own line alone",
      a_phase_adds_words_to_its_own_line_alone },
    { "a check draws nothing and knows no phase that is over",
      a_check_draws_nothing_and_knows_no_phase_that_is_over },
    { "a pipe to a terminal is told of", a_pipe_to_a_terminal_is_told_of },
    CU_TEST_INFO_NULL
};
