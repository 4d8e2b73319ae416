#include "tests/aut_ways.h"

#include "lang/aut.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

aut_way aut_way_of(unsigned number)
{
    static const int threads[] = { 1, 2, 3, 8 };
    static const size_t block_bytes[] = { 0, 16, 150 };
    return (aut_way){ .kind = number / 12 % PACKED_KINDS,
                      .threads = threads[number / 3 % 4],
                      .block_bytes = block_bytes[number % 3] };
}

int aut_way_read(lts *out, mem *m, const char *path, const aut_way *way,
                 const naive_rules *rules, err *e)
{
    const log_sink silent = { .level = LOG_QUIET };
    load_options o = { .m = m,
                       .hidden = rules->hidden,
                       .hidden_count = rules->hidden_count,
                       .lenient = rules->lenient,
                       .threads = way->threads,
                       .block_bytes = way->block_bytes,
                       .log = &silent };
    return aut_read(out, path, &o, e);
}

/* What is not as expected, in words, or NULL. */
static const char *complaint(const lts *g, const err *e, const char *path,
                             const naive_lts *expected, const char *wrong)
{
    if (wrong == NULL)
        return e->code != ERR_NONE ? e->text : naive_difference(expected, g);
    if (e->code == ERR_NONE) return "it was accepted";
    size_t length = strlen(path);
    bool fine = e->code == ERR_INPUT && strncmp(e->text, path, length) == 0 &&
                strncmp(e->text + length, wrong, strlen(wrong)) == 0;
    return fine ? NULL : e->text;
}

bool aut_ways_same(const char *text, size_t bytes, const naive_rules *rules,
                   const naive_lts *expected, const char *wrong)
{
    bool fine = true;
    packed_file f = packed_file_open();
    for (unsigned i = 0; i < AUT_WAYS; i++) {
        aut_way w = aut_way_of(i);
        mem m = MEM_INIT;
        err e = ERR_INIT;
        lts g;
        if (i == 0 || w.kind != aut_way_of(i - 1).kind)
            packed_file_pack(&f, w.kind, text, bytes);
        aut_way_read(&g, &m, f.path, &w, rules, &e);
        const char *what = complaint(&g, &e, f.path, expected, wrong);
        lts_close(&g);
        if (what == NULL && m.now != 0) what = "memory is lost";
        if (what == NULL) continue;
        fine = false;
        printf("\n  kind %d, %d threads, blocks of %zu: %s\n  expected %s in: %.200s\n",
               (int)w.kind, w.threads, w.block_bytes, what, wrong ? wrong : "an LTS",
               text);
        break;
    }
    packed_file_close(&f);
    return fine;
}
