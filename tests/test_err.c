#include "core/err.h"
#include "core/ids.h"

#include <CUnit/CUnit.h>
#include <string.h>

static void a_new_error_is_no_error(void)
{
    err e = ERR_INIT;
    CU_ASSERT_EQUAL(e.code, ERR_NONE);
    CU_ASSERT_STRING_EQUAL(e.text, "");
}

static void set_formats_the_message_and_returns_the_code(void)
{
    err e = ERR_INIT;
    CU_ASSERT_EQUAL(err_set(&e, ERR_INPUT, "%s:%d: bad", "x.aut", 7), ERR_INPUT);
    CU_ASSERT_EQUAL(e.code, ERR_INPUT);
    CU_ASSERT_STRING_EQUAL(e.text, "x.aut:7: bad");
}

static void the_first_message_wins(void)
{
    err e = ERR_INIT;
    err_set(&e, ERR_LIMIT, "the deepest");
    CU_ASSERT_EQUAL(err_set(&e, ERR_SYSTEM, "a later one"), ERR_LIMIT);
    CU_ASSERT_EQUAL(e.code, ERR_LIMIT);
    CU_ASSERT_STRING_EQUAL(e.text, "the deepest");
}

static void a_long_message_is_cut_and_terminated(void)
{
    err e = ERR_INIT;
    memset(e.text, '#', sizeof e.text);
    err_set(&e, ERR_USAGE, "%0*d", 2 * (int)sizeof e.text, 7);
    CU_ASSERT_EQUAL(strnlen(e.text, sizeof e.text), sizeof e.text - 1);
    CU_ASSERT_EQUAL(strspn(e.text, "0"), sizeof e.text - 1);
}

static void exit_statuses_are_those_of_the_contract(void)
{
    static const struct {
        err_code code;
        int status;
    } rows[] = {
        { ERR_NONE, 0 },    { ERR_INPUT, 2 }, { ERR_USAGE, 2 },
        { ERR_REFUSED, 2 }, { ERR_LIMIT, 3 }, { ERR_SYSTEM, 4 },
    };
    CU_ASSERT_EQUAL(COUNT_OF(rows), ERR_CODE_COUNT); /* a new code needs a row */
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        CU_ASSERT_EQUAL(err_exit_status(rows[i].code), rows[i].status);
}

CU_TestInfo test_err[] = { { "a new error is no error", a_new_error_is_no_error },
                           { "set formats the message and returns the code",
                             set_formats_the_message_and_returns_the_code },
                           { "the first message wins", the_first_message_wins },
                           { "a long message is cut and terminated",
                             a_long_message_is_cut_and_terminated },
                           { "exit statuses are those of the contract",
                             exit_statuses_are_those_of_the_contract },
                           CU_TEST_INFO_NULL };
