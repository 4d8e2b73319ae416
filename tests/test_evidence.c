#include "core/ids.h"
#include "tests/mcl_question.h"
#include "tests/sample_lts.h"
#include "tests/scratch.h"
#include "tools/evidence.h"

#include <CUnit/CUnit.h>
#include <string.h>

static const char *const hidden[] = { "tau", "t" }, *const arguments[] = { "1", "2" };
static const cert_state ways[] = { { 0, 1 }, { 1, 0 } };

/* A certificate that proves nothing, of three states. */
static cert_header header(void)
{
    return (cert_header){ .problem = "mcl",
                          .model = "m",
                          .property = "f",
                          .hidden = hidden,
                          .hidden_count = 2,
                          .arguments = arguments,
                          .argument_count = 2,
                          .states = 3,
                          .state = ways };
}

static void write_header(const char *path)
{
    cert_header h = header();
    mem m = MEM_INIT;
    err e = ERR_INIT;
    cert_writer *w;
    CU_ASSERT_EQUAL_FATAL(cert_writer_open(&w, &m, path, &h, &e), 0);
    CU_ASSERT_EQUAL(cert_writer_commit(w, &e), 0);
    cert_writer_close(w);
}

typedef enum {
    NOTHING,
    VERDICT,
    MODEL,
    PROPERTY,
    HIDDEN,
    HIDDEN_MORE,
    ARGUMENT,
    WAY,
    STATES,
    CHANGES
} change;

/* The header that was read first, before the file became what it is. */
static cert_header changed(change c)
{
    static const char *const others[] = { "tau", "T", "u" };
    static const cert_state elsewhere[] = { { 0, 1 }, { 1, 1 } };
    cert_header h = header();
    if (c == VERDICT) h.verdict = true;
    if (c == MODEL) h.model_hash = 1;
    if (c == PROPERTY) h.property = "g";
    if (c == HIDDEN) h.hidden = others;
    if (c == HIDDEN_MORE) h.hidden_count = 1;
    if (c == ARGUMENT) h.arguments = others;
    if (c == WAY) h.state = elsewhere;
    if (c == STATES) h.states = 2;
    return h;
}

static void a_certificate_that_changes_is_noticed(void)
{
    static const sample_edge edges[] = {
        { 0, "a", 0 }, { 0, "b", 1 }, { 1, "a", 0 }, { 1, "b", 2 }
    };
    mem m = MEM_INIT;
    err e = ERR_INIT;
    enc_mcl_options o = { .capacity = 0 };
    lts g = sample_lts(&m, 3, 0, edges, COUNT_OF(edges));
    wide_model w;
    mcl_question q;
    scratch s = scratch_open();
    const char *path = scratch_path(&s, "x.cert");
    wide_model_open(&w, &g, 2);
    CU_ASSERT_EQUAL_FATAL(
        mcl_question_open_wide(&q, &m, "[ true* ] < true > true", &w, &o, &e), 0);
    write_header(path);
    for (int c = 0; c < CHANGES; c++) {
        cert_header h = changed((change)c);
        evidence_claim claim = { path, &h, enc_mcl_graph(q.x), q.x };
        verdict v = VERDICT_INIT;
        tool t = { .m = MEM_INIT };
        e = ERR_INIT;
        CU_ASSERT_EQUAL(evidence_certify_file(&v, &claim, &t, &e),
                        c == NOTHING ? ERR_REFUSED : ERR_INPUT);
        CU_ASSERT_EQUAL(strstr(e.text, "has changed while it was read") == NULL,
                        c == NOTHING);
        CU_ASSERT_EQUAL(t.m.now, 0);
    }
    mcl_question_close(&q);
    lts_close(&g);
    scratch_close(&s);
    CU_ASSERT_EQUAL(m.now, 0);
}

CU_TestInfo test_evidence[] = { { "a certificate that changes is noticed",
                                  a_certificate_that_changes_is_noticed },
                                CU_TEST_INFO_NULL };
