#include "comm/comm_machine.h"
#include "core/ids.h"
#include "tests/scratch.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <string.h>

static int read_text(comm_machine *m, const char *text, err *e)
{
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "machine");
    FILE *f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
    comm_machine_default(m);
    int code = comm_machine_read(m, path, e);
    scratch_close(&s);
    return code;
}

static void what_is_named_changes_and_nothing_else(void)
{
    comm_machine m, usual;
    err e = ERR_INIT;
    comm_machine_default(&usual);
    CU_ASSERT_EQUAL(
        read_text(&m, "# a cluster\n\n  latency_ns 1500 # InfiniBand\r\n\tnode_cores\t7",
                  &e),
        0);
    CU_ASSERT(m.latency_ns == 1500 && m.node_cores == 7);
    CU_ASSERT(m.gap_ns == usual.gap_ns && m.node_workers == usual.node_workers);
    CU_ASSERT_EQUAL(read_text(&m, "", &e), 0);
    CU_ASSERT_EQUAL(memcmp(&m, &usual, sizeof m), 0);
}

static void mistakes_have_a_place(void)
{
    static const struct {
        const char *text, *wanted;
    } rows[] = {
        { "latency 3\n", ":1:1: unknown key 'latency'; expected " },
        { "gap_ns 1\nlatncy_ns 3\n",
          ":2:1: unknown key 'latncy_ns'; expected latency_ns" },
        { "gap_ns\n",
          ":1:7: no number here; expected a whole number from 0 to 1000000000" },
        { "gap_ns -1\n", ":1:8: no number here" },
        { " gap_ns 1 2\n", ":1:11: more than a value; expected the end of the line" },
        { "gap_ns 1.5\n", ":1:9: more than a value" },
        { "step_ns 0\n", ":1:9: out of range; expected a whole number from 1" },
        { "gap_ns 1000000001\n", ":1:8: out of range" },
        { "gap_ns 99999999999999999999999999\n", ":1:8: out of range" },
        { "gap_ns 1\n\ngap_ns 1\n",
          ":3:1: this key was given before; expected each key once" },
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        comm_machine m;
        err e = ERR_INIT;
        CU_ASSERT_EQUAL(read_text(&m, rows[i].text, &e), ERR_INPUT);
        CU_ASSERT_PTR_NOT_NULL(strstr(e.text, rows[i].wanted));
        if (strstr(e.text, rows[i].wanted) == NULL) printf("\n  %s", e.text);
    }
}

static void a_long_line_and_no_file_are_refused(void)
{
    comm_machine m;
    err e = ERR_INIT, none = ERR_INIT;
    char text[400];
    memset(text, ' ', sizeof text);
    strcpy(text + 380, "gap_ns 1\n");
    CU_ASSERT_EQUAL(read_text(&m, text, &e), ERR_INPUT);
    CU_ASSERT_EQUAL(comm_machine_read(&m, "/nonexistent/machine", &none), ERR_INPUT);
}

CU_TestInfo test_comm_machine[] = {
    { "what is named changes and nothing else", what_is_named_changes_and_nothing_else },
    { "mistakes have a place", mistakes_have_a_place },
    { "a long line and no file are refused", a_long_line_and_no_file_are_refused },
    CU_TEST_INFO_NULL
};
